/* Runs with fixed steps (--step): near a singular point the same steps on the same mesh, but on the
 * stabilized form with full Newton.  What cannot be done there is to keep the stages away from the
 * point:
 *
 *     a stage at t* has lost its constraint, or its force; within 1e-4 h of it errors of the size
 *     of the solution are possible
 *
 * (doc/methods/passage.md, section 3), so a stage nearer than RG_PASSAGE_NEAR_STAGE h ends the run.
 * */
#include "ivp/passage/passage.h"
#include "ivp/passage/tuning.h"

#include <math.h>

static rg_status doubt_stage(rg_integrator *g, double t)
{
    rg_passage *k = rg_passage_of(g);

    rg_passage_happens(k, EVENT_DOUBT);
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "stopped at t = %.10g: the constraints lose rank at t = %.8g, and the fixed step %g "
            "has a stage there, which does not see them",
            g->t, t, g->options.step);
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(
        g->ctx,
        "leave --step out: such positions are then stepped over; or give another one, for "
        "instance --step %.6g",
        0.97 * g->options.step);
}

/* Newton's method has failed: is a stage on a singular point?  Where the prediction has it. */
static rg_status fail(rg_integrator *g, double h)
{
    rg_passage *k = rg_passage_of(g);
    double least = INFINITY, t = g->t;

    rg_coupled_predict(k->stages, h);
    for (int i = 0; i < COUPLED_STAGES; i++) {
        const double s =
            rg_passage_signal(k, g->t + k->stages->rule.c[i] * h, k->stages->W + i * k->N, NULL);
        if (!(s >= 0.0 && s < least)) continue;
        least = s;
        t = g->t + k->stages->rule.c[i] * h;
    }
    if (least < RG_PASSAGE_LOST * k->s_ref) return doubt_stage(g, t);
    rg_fail(
        g->ctx, RG_ERR_CONVERGENCE,
        "stopped at t = %.10g with step h = %g: near a loss of rank of the constraints Newton's "
        "method does not converge",
        g->t, h);
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(g->ctx, "give a smaller step, or none: leave the choice to the solver");
}

static bool is_at_stage(const rg_passage *k, double c)
{
    for (int i = 0; i < COUPLED_STAGES; i++)
        if (fabs(c - k->stages->rule.c[i]) < RG_PASSAGE_NEAR_STAGE) return true;
    return false;
}

/* The points of the step: no stage on them, and the tests of check.c. */
static rg_status check_points(rg_integrator *g, double h)
{
    rg_passage *k = rg_passage_of(g);
    rg_passage_candidates candidates;

    rg_passage_locate(k, g->t, h, &candidates);
    rg_passage_look_closer(k, g->t, h, &candidates);
    for (int e = 0; e < candidates.count; e++) {
        const rg_passage_candidate *p = &candidates.item[e];
        rg_singular point = {0};
        if (p->c >= 1.0 + RG_PASSAGE_NEAR_STAGE || rg_passage_is_known(g, h, p->c)) continue;
        if (!p->is_turn && is_at_stage(k, p->c) && !g->options.accept_doubt)
            return doubt_stage(g, g->t + p->c * h);
        const rg_status status = rg_passage_check(g, g->t, h, p, &point);
        if (status < 0) return status;
        if (status == RG_OK) RG_TRY(rg_passage_record(g, &point));
    }
    return RG_OK;
}

rg_status rg_passage_fixed_step(rg_integrator *g)
{
    const double left = fabs(g->t_end - g->t), step = g->options.step;
    const double h = g->direction * (left < (1.0 + 1e-9) * step ? left : step);

    if (g->stats.steps + g->stats.rejected >= g->options.max_steps)
        return rg_passage_give_up(g, PASSAGE_NEWTON);
    const rg_status status = rg_passage_stages(g, h);
    if (status != RG_OK) return status < 0 ? status : fail(g, h);
    RG_TRY(check_points(g, h));
    return rg_passage_advance(g, h, 1.0);
}
