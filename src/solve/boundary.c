/* Boundary value problems behind rg_solve(). */
#include "solve/boundary.h"

#include "solve/choose.h"
#include "views/turning/turning.h"

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
    run->holds_nodes = true; /* nodes of tables are points of meshes */
    rg_status status = choice.method->bvp(run, t_end, &options, r, out);
    if (*out != NULL) {
        const rg_status seen = rg_turning_study(run, t_end);
        if (status == RG_OK) status = seen;
        const rg_problem *solved = (*out)->problem; /* the run's, or a stand-in */
        rg_method_sign(choice.method, &options, *out);
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
