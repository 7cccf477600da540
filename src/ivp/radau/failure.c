/* Messages of a Radau IIA run that cannot go on: what is wrong, where, and what to change. */
#include "ivp/radau/radau.h"
#include "ivp/radau/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *text, *remedy;
} advice;

static advice advise(const rg_integrator *g)
{
    switch (rg_radau_of(g)->cause) {
    case RADAU_NEWTON:
        return (advice){
            "Newton's method does not converge",
            "look at this equation near this time: a jump, a kink or a solution that ends; "
            "or give a smaller tol"};
    case RADAU_ERROR:
        return (advice){
            "the error test fails again and again",
            g->options.atol == 0.0
                ? "give atol > 0: a relative error means nothing where a value passes zero"
                : "look for a jump or a pole of the solution near this time"};
    case RADAU_SINGULAR:
        return (advice){"the Newton matrix is singular",
                        "the equations do not determine all unknowns here: check for redundant "
                        "constraints or a singular position"};
    case RADAU_VALUES:
        return (advice){"values are not finite",
                        "keep arguments of sqrt, log and divisions in their range near this time"};
    case RADAU_PROJECTION:
        return (advice){"the hidden constraints cannot be met",
                        "the constraints may contradict each other or lose rank near this time"};
    default:
        return (advice){"the step is below rounding", "look for a pole of the solution here"};
    }
}

/* The equation with the largest residual at the end of the attempted step, or the first that is
 * not finite. */
static int64_t worst_row(rg_integrator *g, double *residual)
{
    rg_radau *r = rg_radau_of(g);
    double *F = r->F;

    memset(F, 0, (size_t)g->n * sizeof *F);
    rg_radau_last_stage(g);
    rg_system_residual(g->system, g->work, g->t + r->h, r->Y, r->Yp, F);
    return rg_integrator_worst(g, F, residual);
}

rg_status rg_radau_give_up(rg_integrator *g)
{
    const rg_radau *r = rg_radau_of(g);
    const advice a = advise(g);
    char name[128];
    double residual;

    const bool is_undefined = r->cause == RADAU_VALUES;
    if (is_undefined && rg_system_fail_table(g->system, g->t, g->y, g->yp))
        return RG_ERR_CONVERGENCE;
    if (is_undefined && !r->is_fixed && rg_integrator_fail_huge(g)) return RG_ERR_CONVERGENCE;
    const int64_t row = worst_row(g, &residual);
    rg_system_row_name(g->system, row, name, sizeof name);
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "stopped at t = %.10g with step h = %.3g: %s; largest residual %.3g in %s", g->t, r->h,
            a.text, residual, name);
    rg_fail_time(g->ctx, g->t);
    if (r->is_fixed)
        return rg_remedy(g->ctx, "give a smaller step, or none: leave the choice to the solver");
    return rg_integrator_remedy(g, r->h, a.remedy);
}

rg_status rg_radau_too_many_steps(rg_integrator *g)
{
    rg_fail(g->ctx, RG_ERR_CONVERGENCE, "max_steps = %lld reached at t = %.10g, with step h = %.3g",
            (long long)g->options.max_steps, g->t, rg_radau_of(g)->h);
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(g->ctx, "give a larger max_steps, a larger tol or a shorter interval");
}
