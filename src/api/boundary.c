/* Boundary value problems behind rg_solve(), and their conditioning. */
#include "api/boundary.h"

#include "api/cache.h"
#include "api/choose.h"
#include "api/entry.h"
#include "bvp/boundary.h"

rg_status rg_boundary_solve(const rg_problem *p, double t_end, const rg_options *o,
                            const rg_request *r, rg_solution **out)
{
    const double begin = rg_seconds();
    rg_options options;
    rg_choice choice;
    const rg_analysis *a;

    rg_problem *run;

    RG_TRY(rg_default_options(p, o, &options));
    RG_TRY(rg_analysis_get(p, &a));
    RG_TRY(rg_choose(p, a, &options, &choice));
    RG_TRY(rg_problem_handle(p->ctx, p, p->study, &run));
    rg_status status = choice.method->bvp(run, t_end, &options, r, out);
    if (*out != NULL) {
        const rg_problem *solved = (*out)->problem; /* the run's, or a stand-in */
        rg_method_sign(choice.method, *out);
        if ((a = rg_analysis_known(solved)) != NULL) (*out)->structure = rg_structure_of(solved, a);
        (*out)->stats.seconds = rg_seconds() - begin;
        const rg_status told = rg_study_take_warnings(run->study, solved->study);
        if (status == RG_OK) status = told; /* a stand-in has warnings of its own */
        rg_solution_take_problem(*out, &run);
    } else { /* no solution that could tell them; the run has failed anyway */
        (void)rg_study_take_warnings(p->study, run->study);
    }
    rg_problem_destroy(&run);
    return status;
}

rg_status rg_conditioning(rg_problem *p, const rg_options *o, double *out)
{
    rg_options options;
    rg_problem *run;

    RG_TRY(rg_enter(p != NULL ? p->ctx : NULL, out != NULL, "rg_conditioning"));
    if (!p->is_boundary) {
        rg_fail(p->ctx, RG_ERR_METHOD,
                "an initial value problem has no boundary data to answer to");
        return rg_remedy(p->ctx,
                         "ask for it where a 'boundary' line names another point than the start");
    }
    RG_TRY(rg_default_options(p, o, &options));
    RG_TRY(rg_problem_handle(p->ctx, p, p->study, &run));
    rg_status status = rg_boundary_conditioning(run, &options, p->study);
    if (status == RG_OK) status = rg_study_take_warnings(p->study, run->study);
    rg_problem_destroy(&run);
    if (status == RG_OK) *out = p->study->conditioning;
    return status;
}
