/* What a verdict means for the run. */
#include "ivp/passage/passage.h"
#include "ivp/passage/tuning.h"

#include <stdio.h>

static const char *const BIFURCATION =
    "try a smaller --tol; if that does not help, the model must say how it goes on (an asymmetry, "
    "friction); --accept-doubt takes the branch that comes";

static void describe(const rg_verdict *v, char *text, size_t size)
{
    const rg_singular *p = &v->point;

    if (v->kind == VERDICT_SLOW)
        snprintf(text, size,
                 "at t = %.8g the constraints lose rank (%s), and the motion arrives there too "
                 "slowly (%.1g of its largest speed) to tell which branch it takes: a bifurcation",
                 p->t, p->constraints, v->tau);
    else if (v->kind == VERDICT_TURN)
        snprintf(text, size,
                 "at t = %.8g the motion turns back, %.1g before a position where the constraints "
                 "lose rank (%s); whether it turns back or goes through is not decided at this "
                 "tolerance: a bifurcation",
                 p->t, v->distance, p->constraints);
    else if (v->kind == VERDICT_NO_EFFECT)
        snprintf(text, size,
                 "at t = %.8g the motion turns back where the multipliers have nearly no effect on "
                 "the constraints (%s); whether it turns back or goes through is not decided at "
                 "this tolerance: a bifurcation",
                 p->t, p->constraints);
    else
        snprintf(text, size,
                 "near t = %.8g the constraints (%s) come within %.1g of a singular position "
                 "without reaching it; which way the motion turns there is not decided at this "
                 "tolerance",
                 p->t, p->constraints, v->rho);
}

/* What was accepted is told at the end of the run: the first doubt, and how many came. */
static void accept(rg_passage *k, const rg_verdict *v)
{
    if (k->n_accepted++ == 0) k->accepted = *v;
}

int64_t rg_passage_accepted(const rg_integrator *g, char *text, int size)
{
    const rg_passage *k = rg_passage_of(g);

    if (k == NULL || k->n_accepted == 0) return 0;
    describe(&k->accepted, text, (size_t)size);
    return k->n_accepted;
}

rg_status rg_passage_doubt(rg_integrator *g, const rg_verdict *v)
{
    rg_context *ctx = g->ctx;
    char text[RG_DOUBT_LENGTH];

    rg_passage_happens(rg_passage_of(g), EVENT_DOUBT);
    describe(v, text, sizeof text);
    rg_fail(ctx, RG_ERR_CONVERGENCE, "stopped at t = %.10g: %s", g->t, text);
    rg_fail_time(ctx, g->t);
    if (v->kind != VERDICT_MISS) return rg_remedy(ctx, "%s", BIFURCATION);
    if (v->rho < RG_SAME || g->options.rtol <= v->rho / RG_PASSAGE_RESOLVED)
        return rg_remedy(ctx, "make the dimensions exact (for instance sqrt(2) for 1.4142), or "
                              "differ by more: rounding hides which way it is");
    return rg_remedy(ctx,
                     "give --tol %.0e to follow it, or make the dimensions exact (for instance "
                     "sqrt(2) for 1.4142); "
                     "--accept-doubt goes straight through",
                     v->rho / RG_PASSAGE_RESOLVED);
}

rg_status rg_passage_conclude(rg_integrator *g, const rg_verdict *v, rg_singular *out)
{
    *out = v->point;
    if (v->kind == VERDICT_PASSED) return RG_OK;
    if (v->kind == VERDICT_AWAY) return (rg_status)RG_STOPPED;
    if (v->kind == VERDICT_FOLLOW && !g->options.accept_doubt) return (rg_status)RG_STOPPED;
    if (!g->options.accept_doubt) return rg_passage_doubt(g, v);
    accept(rg_passage_of(g), v);
    const bool has_turned = v->kind == VERDICT_TURN || v->kind == VERDICT_NO_EFFECT;
    return has_turned ? (rg_status)RG_STOPPED : RG_OK;
}

rg_status rg_passage_check(rg_integrator *g, double t, double h,
                           const rg_passage_candidate *candidate, rg_singular *out)
{
    rg_verdict v;

    RG_TRY(rg_passage_judge(g, t, h, candidate, &v));
    return rg_passage_conclude(g, &v, out);
}
