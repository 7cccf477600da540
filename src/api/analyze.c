/* Analysis and consistent start values, kept with the problem. */
#include "api/entry.h"
#include "bvp/boundary.h"
#include "ivp/switching/switching.h"
#include "pdae/form/facts.h"
#include "solve/choose.h"
#include "solve/facts.h"
#include "views/turning/turning.h"

#include <math.h>

rg_status rg_analyze(rg_problem *p, rg_structure *out)
{
    const rg_analysis *a;

    RG_TRY(rg_enter(p != NULL ? p->ctx : NULL, true, "rg_analyze"));
    if (p->form != NULL) {
        if (out != NULL) *out = rg_form_structure(p->form);
        return RG_OK;
    }
    RG_TRY(rg_analysis_get(p, &a));
    RG_TRY(rg_check_conditions(p));
    RG_TRY(rg_turning_study(p, p->b));
    if (out != NULL) *out = rg_structure_of(p, rg_analysis_known(p));
    return RG_OK;
}

rg_status rg_make_consistent(rg_problem *p, const rg_options *o)
{
    const rg_analysis *a;
    const rg_consistent *c;

    (void)o; /* start values are made consistent to rounding, whatever the tolerance */
    RG_TRY(rg_enter(p != NULL ? p->ctx : NULL, true, "rg_make_consistent"));
    if (p->form != NULL) return RG_OK; /* a run makes them on the grid */
    RG_TRY(rg_analysis_get(p, &a));
    RG_TRY(rg_check_conditions(p));
    return rg_switching_start(p, a, &c);
}

int rg_problem_start(const rg_problem *p, int64_t variable, int order, double *value)
{
    if (p == NULL) {
        if (value != NULL) *value = NAN;
        return RG_START_NONE;
    }
    const rg_consistent *c = rg_start_known(p);
    const bool has_data = variable >= 0 && variable < p->n && order >= 0 && order < p->start_orders
                          && p->start[order].kind != NULL;
    const int kind = has_data ? p->start[order].kind[variable] : RG_START_NONE;

    if (value == NULL) return kind;
    *value = kind != RG_START_NONE ? p->start[order].value[variable] : NAN;
    if (c != NULL && variable >= 0 && variable < p->n && order >= 0 && order < c->n_orders)
        *value = c->value[order][variable];
    return kind;
}

int rg_problem_variable_index(const rg_problem *p, int64_t variable)
{
    const rg_analysis *a = p != NULL ? rg_analysis_known(p) : NULL;

    return a != NULL && variable >= 0 && variable < p->n ? a->variable_index[variable] : 0;
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
