/* Why a run could not go on near a loss of rank. */
#include "ivp/passage/passage.h"

#include <math.h>

static const double LOST = 1e-3;

rg_status rg_passage_give_up(rg_integrator *g, rg_passage_cause cause)
{
    const rg_passage *k = g->passage;
    double most = 0.0;

    for (int e = 0; e < k->N; e++)
        if (k->form->is_differential[e]) most = fmax(most, fabs(k->w[e]));
    const bool is_pole = most > 0.3 * PASSAGE_GROWN * (1.0 + k->w_start); /* is_smooth() stops it */
    const bool is_lost = k->s_now < LOST * k->s_ref;
    if (g->stats.steps + g->stats.rejected >= g->options.max_steps) {
        rg_fail(g->ctx, RG_ERR_CONVERGENCE, "stopped at t = %.10g: max_steps = %lld reached", g->t,
                (long long)g->options.max_steps);
        rg_fail_time(g->ctx, g->t);
        return rg_remedy(g->ctx, "give a larger --tol, or --max-steps");
    }
    rg_fail(g->ctx, RG_ERR_CONVERGENCE, "stopped at t = %.10g: %s%s", g->t,
            is_pole ? "values grow without bound (a pole of the solution)"
            : cause == PASSAGE_NEWTON
                ? "the solution ends here (an impasse): values stay finite, their rates do not"
                : "the error test fails again and again",
            is_lost ? ", and the constraints lose rank there" : "");
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(g->ctx, "end the run before with --to, and look at the values there (--csv)");
}
