/* Why a run could not go on near a loss of rank. */
#include "ivp/passage/passage.h"
#include "ivp/passage/tuning.h"

#include <math.h>

static double largest(const rg_passage *k, bool is_position_only)
{
    const rg_stable_constraints *c = &k->form->constraints;
    double most = 0.0;

    for (int q = 0; q < c->n_q; q++)
        most = fmax(most, fabs(k->stages->w[c->state[q]]));
    for (int e = 0; e < k->N && !is_position_only; e++)
        if (k->form->is_differential[e]) most = fmax(most, fabs(k->stages->w[e]));
    return most;
}

/* A pole: values grow.  Of a mechanism (two levels of constraints) whose velocities grow alone,
 * one says that it locks. */
static const char *reason(const rg_passage *k, rg_passage_cause cause, bool is_lost)
{
    const double large = 0.3 * RG_PASSAGE_GROWN * (1.0 + k->w_start); /* is_smooth() stops at 1 */

    if (largest(k, false) > large && k->form->levels > 1 && largest(k, true) <= large)
        return "the motion ends here (an impasse): positions stay finite, velocities do not";
    if (largest(k, false) > large && k->iteration != NULL)
        return "B y has a pole, the solution ends here (its hypotheses H1 and H2, that the "
               "projection and B y are bounded, do not hold)";
    if (largest(k, false) > large) return "values grow without bound (a pole of the solution)";
    if (cause == PASSAGE_NEWTON && is_lost && k->iteration != NULL)
        return "the solution ends here: values stay finite, B y does not (its hypotheses H1 and "
               "H2, that the projection and B y are bounded, do not hold)";
    if (cause == PASSAGE_NEWTON)
        return "the solution ends here (an impasse): values stay finite, their rates do not";
    return "the error test fails again and again";
}

rg_status rg_passage_give_up(rg_integrator *g, rg_passage_cause cause)
{
    const rg_passage *k = rg_passage_of(g);
    rg_verdict verdict;
    const bool is_lost = k->s_now < RG_PASSAGE_LOST * k->s_ref;

    if (g->stats.steps + g->stats.rejected >= g->options.max_steps) {
        rg_fail(g->ctx, RG_ERR_CONVERGENCE, "stopped at t = %.10g: max_steps = %lld reached", g->t,
                (long long)g->options.max_steps);
        rg_fail_time(g->ctx, g->t);
        return rg_remedy(g->ctx, "give a larger --tol, or --max-steps");
    }
    if (is_lost && cause == PASSAGE_NEWTON && rg_passage_is_doubtful_here(g, &verdict))
        return rg_passage_doubt(g, &verdict);
    rg_clear_error(g->ctx);
    rg_fail(g->ctx, RG_ERR_CONVERGENCE, "stopped at t = %.10g: %s%s", g->t,
            reason(k, cause, is_lost), is_lost ? ", and the constraints lose rank there" : "");
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(g->ctx, "end the run before with --to, and look at the values there (--csv)");
}
