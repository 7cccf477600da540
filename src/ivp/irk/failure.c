/* Messages of a run with an implicit Runge-Kutta method that cannot go on. */
#include "ivp/irk/irk.h"

static const char *const reasons[] = {[IRK_NONE] = "the step is below rounding",
                                      [IRK_NEWTON] = "Newton's method does not converge",
                                      [IRK_ERROR] = "the error test fails again and again",
                                      [IRK_SINGULAR] = "the Newton matrix is singular",
                                      [IRK_VALUES] = "values are not finite",
                                      [IRK_PROJECTION] = "the hidden constraints cannot be met"};

rg_status rg_irk_give_up(rg_integrator *g)
{
    const rg_irk *r = rg_irk_of(g);

    rg_fail(g->ctx, RG_ERR_CONVERGENCE, "stopped at t = %.10g with step h = %.3g: %s", g->t, r->h,
            reasons[r->cause]);
    rg_fail_time(g->ctx, g->t);
    if (r->is_fixed) return rg_remedy(g->ctx, "give a smaller --step, or take --method radau");
    return rg_remedy(g->ctx, "take --method radau, or look at the equations near this time");
}

rg_status rg_irk_too_many_steps(rg_integrator *g)
{
    rg_fail(g->ctx, RG_ERR_CONVERGENCE, "max_steps = %lld reached at t = %.10g, with step h = %.3g",
            (long long)g->options.max_steps, g->t, rg_irk_of(g)->h);
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(g->ctx, "give a larger max_steps, a larger tol or a shorter interval");
}
