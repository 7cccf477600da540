/* Conditioning of boundary value problems: from the linearization at a solution with a loose tolerance. */
#include "api/boundary.h"

#include "api/cache.h"
#include "api/entry.h"

#include <math.h>
#include <string.h>

#define LOOSE 1e-3 /* tolerance; the conditioning itself is a matter of a factor of two */

static void note_fault(rg_study *s, const char *text)
{
    s->conditioning = NAN;
    snprintf(s->conditioning_fault, sizeof s->conditioning_fault, "%s", text);
}

static rg_status measure(rg_problem *p, rg_options *o, rg_study *study)
{
    rg_boundary *b = NULL;
    rg_collocation_result result = {0};
    const double ratio = o->atol / o->rtol;

    o->rtol = fmax(o->rtol, LOOSE);
    o->atol = ratio * o->rtol;
    const rg_status status = rg_boundary_collocate(p, p->b, o, &b, &result);
    if (status == RG_OK && result.is_unresolved)
        note_fault(study, "the linearized equations oscillate too fast for the mesh");
    else if (status == RG_OK)
        study->conditioning = result.conditioning;
    else
        note_fault(study, rg_last_error(p->ctx)->message);
    rg_status warned = RG_OK;
    if (status == RG_OK && result.amplification > RG_CONDITIONING_LIMIT)
        warned = rg_boundary_warn_equations(p, result.amplification);
    rg_collocation_clear(&result);
    rg_boundary_destroy(p->ctx, &b);
    if (warned != RG_OK) return warned;
    if (status != RG_ERR_CONVERGENCE && status != RG_ERR_METHOD) return status;
    rg_clear_error(p->ctx);
    return RG_OK;
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
    rg_status status = measure(run, &options, p->study);
    if (status == RG_OK) status = rg_study_take_warnings(p->study, run->study);
    rg_problem_destroy(&run);
    if (status == RG_OK) *out = p->study->conditioning;
    return status;
}
