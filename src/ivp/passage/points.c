/* What is between the stages of a step: are the constraints met there, and may the points of lost
 * rank, and the turns before such points, be trusted? */
#include "ivp/passage/passage.h"
#include "ivp/passage/tuning.h"

#include <math.h>

static const double between[2] = {0.4, 0.85}; /* places of a step */

/* The largest |g_i|/(largest row) on the polynomial at c: the stages meet the constraints,
 * but if q is not smooth there (a pole, a jump), or the step is too long for it, the polynomial
 * between them does not.  *size: the largest |q| there. */
static double gap_at(rg_passage *k, double t, double h, double c, double *size)
{
    const rg_stable_constraints *a = &k->form->constraints;
    double most = 0.0;
    double *g = k->gap;

    rg_coupled_at(k->stages, h, c, k->point, NULL);
    const rg_status status = rg_stable_constraints_eval(k->form, t + c * h, k->point, g, g + a->m);
    for (int i = 0; i < a->m; i++) {
        const double gap = fabs(g[i]) / rg_passage_scale(k, i);
        if (!(gap <= most)) most = gap;
    }
    *size = 0.0;
    for (int q = 0; q < a->n_q; q++)
        *size = fmax(*size, fabs(k->point[a->state[q]]));
    return status == RG_OK ? most : INFINITY;
}

/* How far the constraints are from being met between the stages, in units of what is allowed.  The
 * error test does not see it: values that the constraints alone determine are right at the
 * stages, however long the step. */
double rg_passage_error_between(const rg_integrator *g, double h)
{
    const double allowed = RG_POINTS_BETWEEN * fmin(g->options.rtol, RG_PASSAGE_TOL);
    double most = 0.0, size;

    for (int e = 0; e < 2; e++) {
        const double gap = gap_at(rg_passage_of(g), g->t, h, between[e], &size) / (1.0 + size);
        if (!(gap <= most)) most = gap;
    }
    return most / allowed;
}

/* Does the solution go smoothly through the points?  The constraints between the stages tell,
 * beside the size of q at the start. */
bool rg_passage_is_smooth(const rg_integrator *g, double h, const rg_passage_candidates *candidates)
{
    const double allowed = fmin(RG_POINTS_LARGEST_GAP, RG_POINTS_GAP * g->options.rtol);
    const double start = 1.0 + rg_passage_of(g)->w_start;

    for (int e = 0; e < candidates->count; e++) {
        const rg_passage_candidate *p = &candidates->item[e];
        double size;
        if (p->is_turn || p->c < 0.0 || p->c > 1.0) continue;
        const double gap = gap_at(rg_passage_of(g), g->t, h, p->c, &size);
        if (!(gap <= allowed * start) || size > RG_PASSAGE_GROWN * start) return false;
    }
    return true;
}

/* A switch of the model on the point ends a step there, and the next one finds it again.  So
 * does the first step with a start on it. */
bool rg_passage_is_known(const rg_integrator *g, double h, double c)
{
    const rg_passage *k = rg_passage_of(g);
    const double t = g->t + c * h;

    if (g->t == g->t_start && c <= RG_SIGNAL_SAME) return true;
    return k->n_passed > 0 && fabs(t - k->passed[k->n_passed - 1].t) <= RG_POINTS_SAME * fabs(h);
}

/* How close was the decision between passing and turning back? */
static void note_margin(rg_passage *k, const rg_verdict *v)
{
    const double square = v->tau * v->tau;

    if (!(v->tau > 0.0) || (k->margin != 0.0 && square >= fabs(k->margin))) return;
    if (v->kind == VERDICT_PASSED || v->kind == VERDICT_SLOW) k->margin = square;
    if (v->kind == VERDICT_AWAY || v->kind == VERDICT_TURN || v->kind == VERDICT_NO_EFFECT)
        k->margin = -square;
    k->t_margin = v->point.t;
}

/* Where constraints and multipliers lose rank together, more is lost than of the constraints. */
static void count_lost(rg_integrator *g, double h, double c, rg_singular *point)
{
    rg_passage *k = rg_passage_of(g);

    if (k->iteration == NULL) return;
    rg_coupled_at(k->stages, h, c, k->point, NULL);
    const int lost = k->iteration->lost(k->iteration, g->t + c * h, k->point);
    if (lost > point->lost) point->lost = lost;
}

static rg_status check_candidate(rg_integrator *g, double h, const rg_passage_candidate *candidate)
{
    rg_verdict verdict;
    rg_singular point;

    RG_TRY(rg_passage_judge(g, g->t, h, candidate, &verdict));
    if (verdict.kind == VERDICT_AWAY) {
        note_margin(rg_passage_of(g), &verdict);
        return RG_OK;
    }
    if (verdict.kind == VERDICT_FOLLOW && !g->options.accept_doubt) {
        rg_passage_of(g)->h =
            RG_POINTS_FOLLOWING * fabs(h); /* a step that resolves it has no deep minimum */
        return (rg_status)RG_RETRY;
    }
    RG_TRY(rg_passage_repeat(g, h));
    note_margin(rg_passage_of(g), &verdict);
    const rg_status status = rg_passage_conclude(g, &verdict, &point);
    if (status == (rg_status)RG_STOPPED) return RG_OK;
    if (status == RG_OK) count_lost(g, h, candidate->c, &point);
    return status == RG_OK ? rg_passage_record(g, &point) : status;
}

/* Two steps need not agree on a turn at their seam: if the signal falls before and rises after
 * it, there was one. */
rg_status rg_passage_check_candidates(rg_integrator *g, double h, double end,
                                      rg_passage_candidates *candidates)
{
    const rg_passage_candidate seam = {.is_turn = true};
    const bool is_behind = candidates->count > 0 && candidates->item[0].c < 0.0;

    if (rg_passage_of(g)->was_falling && candidates->starts_rising && !is_behind)
        RG_TRY(check_candidate(g, h, &seam));
    rg_passage_look_closer(rg_passage_of(g), g->t, h, candidates);
    for (int e = 0; e < candidates->count; e++) {
        const double c = candidates->item[e].c;
        if (c < end && !rg_passage_is_known(g, h, c))
            RG_TRY(check_candidate(g, h, &candidates->item[e]));
    }
    rg_passage_of(g)->was_falling = candidates->ends_falling;
    rg_passage_happens(rg_passage_of(g), EVENT_PASSES);
    return RG_OK;
}
