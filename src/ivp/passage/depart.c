/* A run that starts where constraints lose rank. */
#include "ivp/passage/passage.h"
#include "ivp/passage/tuning.h"
#include "linalg/tuning.h"

#include <math.h>

/* w' at t_n from a trial step of size h. */
static rg_status try_slope(rg_integrator *g, double h, double *slope)
{
    rg_passage *k = rg_passage_of(g);

    RG_TRY(rg_passage_stages(g, h));
    rg_coupled_at(k->stages, h, 0.0, k->point, slope);
    return RG_OK;
}

/* What A is usually like: at the end of the trial step. */
static void note_usual(rg_integrator *g, double h)
{
    rg_passage *k = rg_passage_of(g);

    rg_coupled_at(k->stages, h, 1.0, k->point, k->slope);
    if (rg_passage_signal(k, g->t + h, k->point, k->slope) < 0.0) return;
    rg_passage_rank_note_scales(k->rank);
    k->rank->is_rescaled = false;
    k->s_ref = k->s_max = rg_passage_rank_measure(k->rank);
}

/* At a point of lost rank the equations do not tell w' (a force B y with B = 0 is lost in them):
 * trial steps do, whose stages lie beside the point.  Their slopes at t_n have an error C h^3; with
 * steps h and h/2
 *
 *     w' = s(h/2) + (s(h/2) - s(h))/7,      if  h |s(h/2) - s(h)|  is within the tolerance:
 *                                           what the error estimate makes of it.
 *
 * Where they fail, w' stays as it is. */
static rg_status find_slope(rg_integrator *g)
{
    enum { MOST = 12 };
    rg_passage *k = rg_passage_of(g);
    double *coarse = k->stages->last, *fine = k->stages->last + k->N;
    double h = g->direction * k->h;
    rg_status status = try_slope(g, h, coarse);

    for (int e = 0; e < MOST && status == RG_OK; e++, h *= 0.5) {
        double most = 0.0;
        if (e == 0) note_usual(g, h);
        if ((status = try_slope(g, 0.5 * h, fine)) != RG_OK) break;
        for (int i = 0; i < k->N; i++)
            most = fmax(most, fabs(h * (fine[i] - coarse[i])) * k->stages->weight[i]);
        for (int i = 0; i < k->N; i++) {
            k->stages->wp[i] = fine[i] + (fine[i] - coarse[i]) / 7.0;
            coarse[i] = fine[i];
        }
        k->h = 0.5 * fabs(h);
        if (most < 1.0) break;
    }
    return status < 0 ? status : RG_OK;
}

/* Which constraints lose rank at the start, along w' there. */
static void name_lost(rg_integrator *g, rg_singular *out)
{
    rg_passage *k = rg_passage_of(g);
    const rg_passage_candidate start = {.c = 0.0};
    const double h = g->direction * k->h;

    rg_coupled_straight(k->stages, h);
    if (rg_passage_check(g, g->t, h, &start, out) < 0) rg_clear_error(g->ctx);
}

/* The run starts on a point of lost rank: positions and velocities are given, so the steps of this
 * folder can leave it, if the velocities tell the branch. */
rg_status rg_passage_depart(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);
    const rg_error failure = *rg_last_error(g->ctx);
    const rg_passage_candidate start = {.c = 0.0};
    rg_singular point = {0};
    double signal;

    RG_TRY(rg_passage_look(g, g->t, &signal));
    if (signal > RG_RANK_DOUBT) return failure.code;
    rg_clear_error(g->ctx);
    rg_status status = rg_passage_enter(g, g->t, RG_DEPART_FIRST * fabs(g->t_end - g->t));
    if (status == RG_OK) status = find_slope(g);
    if (status == RG_OK) status = rg_passage_step(g);
    if (status == RG_OK)
        status = rg_passage_check(g, g->t_previous, g->t - g->t_previous, &start, &point);
    if (status == RG_OK) status = rg_passage_record(g, &point);
    if (status == RG_OK) return rg_passage_after_step(g);
    if (k->state == PASSAGE_IN_DOUBT || status == RG_ERR_MEMORY || status == RG_ERR_INTERRUPTED)
        return status;
    rg_clear_error(g->ctx);
    if (k->stages != NULL) name_lost(g, &point);
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "the run starts where the constraints lose rank (t = %.10g, %s), and the start values "
            "do not tell how it goes on",
            failure.t, point.constraints[0] != '\0' ? point.constraints : "all of them");
    rg_fail_time(g->ctx, failure.t);
    return rg_remedy(g->ctx, "give start velocities that point along one branch, or start beside "
                             "this position");
}
