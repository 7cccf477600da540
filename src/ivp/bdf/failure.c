/* Messages of a BDF run that cannot go on: what is wrong, where, and what to change. */
#include "ivp/bdf/bdf_impl.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *text, *remedy;
} advice;

static advice advise(const rg_integrator *g, int flag)
{
    if (rg_bdf_of(g)->saw_bad_values)
        return (advice){"values are not finite",
                        "keep arguments of sqrt, log and divisions in their range near this time"};
    switch (flag) {
    case IDA_ERR_FAIL:
        return (advice){
            "the error test fails again and again",
            g->options.atol == 0.0
                ? "give atol > 0: a relative error means nothing where a value passes zero"
                : "look for a jump or a pole of the solution near this time, or take --method "
                  "radau"};
    case IDA_CONV_FAIL:
    case IDA_REP_RES_ERR:
        return (advice){"Newton's method does not converge",
                        "look at this equation near this time: a jump, a kink or a solution that "
                        "ends; or take --method radau"};
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL:
        return (advice){"the Newton matrix is singular",
                        "the equations do not determine all unknowns here: check for redundant "
                        "constraints or a singular position"};
    case IDA_TOO_MUCH_ACC:
        return (advice){"the tolerance is below rounding", "give a larger tol"};
    case BDF_STUCK:
        return (advice){"the step is below rounding", "look for a pole of the solution here"};
    default:
        return (advice){"IDA gave up", "take --method radau"};
    }
}

/* The equation with the largest residual at the last accepted point, or the first that is not
 * finite there. */
static int64_t worst_row(rg_integrator *g, double *residual)
{
    double *F = rg_bdf_of(g)->dky;

    memset(F, 0, (size_t)g->n * sizeof *F);
    rg_system_residual(g->system, g->work, g->t, g->y, g->yp, F);
    return rg_integrator_worst(g, F, residual);
}

rg_status rg_bdf_give_up(rg_integrator *g, int flag)
{
    const advice a = advise(g, flag);
    char name[128];
    double residual, h = 0.0;

    const bool is_undefined = rg_bdf_of(g)->saw_bad_values;
    if (is_undefined && rg_system_fail_table(g->system, g->t, g->y, g->yp))
        return RG_ERR_CONVERGENCE;
    if (is_undefined && rg_integrator_fail_huge(g)) return RG_ERR_CONVERGENCE;
    const int64_t row = worst_row(g, &residual);
    rg_system_row_name(g->system, row, name, sizeof name);
    IDAGetCurrentStep(rg_bdf_of(g)->ida, &h);
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "stopped at t = %.10g with step h = %.3g: %s; largest residual %.3g in %s", g->t, h,
            a.text, residual, name);
    rg_fail_time(g->ctx, g->t);
    return rg_integrator_remedy(g, h, a.remedy);
}

rg_status rg_bdf_not_projected(rg_integrator *g)
{
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "stopped at t = %.10g: the hidden constraints cannot be met behind a step", g->t);
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(g->ctx, "give a smaller tol, or take --method radau");
}

rg_status rg_bdf_no_memory(rg_integrator *g)
{
    rg_fail(g->ctx, RG_ERR_MEMORY, "out of memory while IDA was set up for %lld unknowns",
            (long long)g->n);
    return rg_remedy(g->ctx, "use a smaller model, or take --method radau");
}
