/* What a verdict means for the run. */
#include "ivp/passage/passage.h"

static const char *const BIFURCATION =
    "try a smaller --tol; if that does not help, the model must say how it goes on (an asymmetry, "
    "friction); --accept-doubt takes the branch that comes";

rg_status rg_passage_doubt(rg_integrator *g, const rg_verdict *v)
{
    const rg_passed *p = &v->point;
    rg_context *ctx = g->ctx;

    g->passage->is_in_doubt = true;
    if (v->kind == VERDICT_SLOW)
        rg_fail(ctx, RG_ERR_CONVERGENCE,
                "stopped at t = %.10g: at t = %.8g the constraints lose rank (%s), and the motion "
                "arrives there too slowly (%.1g of "
                "its largest speed) to tell which branch it takes: a bifurcation",
                g->t, p->t, p->constraints, v->tau);
    else if (v->kind == VERDICT_TURN)
        rg_fail(ctx, RG_ERR_CONVERGENCE,
                "stopped at t = %.10g: at t = %.8g the motion turns back, %.1g before a position "
                "where the constraints lose rank (%s); "
                "whether it turns back or goes through is not decided at this tolerance: a "
                "bifurcation",
                g->t, p->t, v->distance, p->constraints);
    else
        rg_fail(ctx, RG_ERR_CONVERGENCE,
                "stopped at t = %.10g: near t = %.8g the constraints (%s) come within %.1g of a "
                "singular position without reaching it; "
                "which way the motion turns there is not decided at this tolerance",
                g->t, p->t, p->constraints, v->rho);
    rg_fail_time(ctx, g->t);
    if (v->kind != VERDICT_MISS) return rg_remedy(ctx, "%s", BIFURCATION);
    return rg_remedy(ctx,
                     "give --tol %.0e to follow it, or make the dimensions exact (for instance "
                     "sqrt(2) for 1.4142); "
                     "--accept-doubt goes straight through",
                     v->rho / PASSAGE_RESOLVED);
}

rg_status rg_passage_conclude(rg_integrator *g, const rg_verdict *v, rg_passed *out)
{
    *out = v->point;
    if (v->kind == VERDICT_PASSED) return RG_OK;
    if (v->kind == VERDICT_AWAY) return (rg_status)RG_STOPPED;
    if (v->kind == VERDICT_FOLLOW && !g->options.accept_doubt) return (rg_status)RG_STOPPED;
    if (!g->options.accept_doubt) return rg_passage_doubt(g, v);
    return v->kind == VERDICT_TURN ? (rg_status)RG_STOPPED : RG_OK;
}

rg_status rg_passage_check(rg_integrator *g, double t, double h, const rg_passage_place *place,
                           rg_passed *out)
{
    rg_verdict v;

    RG_TRY(rg_passage_judge(g, t, h, place, &v));
    return rg_passage_conclude(g, &v, out);
}
