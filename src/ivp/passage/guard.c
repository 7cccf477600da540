/* The watch over a run: where the constraints are about to lose rank, the steps of this folder take over. */
#include "ivp/passage/passage.h"

#include <math.h>
#include <string.h>

static const double DEEP =
    0.02; /* of the largest signal ever: below, a small signal is never normal */
static const double CALM = 0.2; /* a change of the signal over a step that is not looked into */
enum { WATCHED = 8, RELEARN = 20 };
static const double TRIGGER = 0.25,
                    SAFE = 0.5; /* parts of the largest signal: over to here, and back */
enum { STAY_SIZE = 150 };       /* rows of the coupled system up to which index 3 stays here */

/* The signal at a time of the last step of the main method; also the speed there. */
static double look(rg_integrator *g, double t)
{
    rg_passage *k = g->passage;
    double *y = k->y0 + g->n, *yp = k->yp0 + g->n, v = 0.0;

    rg_integrator_eval(g, t, y, yp);
    rg_stable_from_system(k->form, g->system, y, yp, k->w);
    rg_passage_slopes(g, yp, k->slope);
    const double s = rg_passage_signal(k, t, k->w, k->slope);
    if (k->s_ref == 0.0) /* the size of the solution before anything happened */
        for (int i = 0; i < k->form->n_states; i++)
            k->w_start = fmax(k->w_start, fabs(k->w[i]));
    for (int q = 0; q < k->constraints.n_q; q++)
        v += k->slope[k->constraints.state[q]] * k->slope[k->constraints.state[q]];
    k->v_max = fmax(k->v_max, sqrt(v));
    return s >= 0.0 ? s : INFINITY;
}

/* The smallest signal over the last step of the main method, and the largest. */
static double smallest(rg_integrator *g, double t0, double *most)
{
    const double h = g->t - t0;
    double least = INFINITY;

    *most = 0.0;
    for (int e = 1; e <= WATCHED; e++) {
        const double s = look(g, e == WATCHED ? g->t : t0 + h * e / WATCHED);
        least = fmin(least, s);
        if (isfinite(s)) *most = fmax(*most, s);
        if (isfinite(s) && e == WATCHED) g->passage->s_now = s;
    }
    return least;
}

/* At its middle and end where the signal is large and hardly changes, else at WATCHED places.  Where the scales have grown, the
 * reference starts anew from this step. */
static double watch(rg_integrator *g, double t0)
{
    rg_passage *k = g->passage;
    const double before = k->s_now;
    double most;

    k->is_rescaled = false;
    const double middle = look(g, t0 + 0.5 * (g->t - t0)), end = look(g, g->t);
    const double high = fmax(fmax(middle, end), before), low = fmin(fmin(middle, end), before);
    if (!k->is_rescaled && low > SAFE * k->s_ref && high - low < CALM * k->s_ref) {
        k->s_now = end;
        k->s_ref = fmax(k->s_ref, end);
        return low;
    }
    double least = smallest(g, t0, &most);
    if (k->is_rescaled) {
        least = smallest(g, t0, &most); /* once more, with the scales of this step */
        k->s_ref = k->s_max = most;
    }
    k->s_ref = fmax(k->s_ref, k->s_now);
    return least;
}

/* A small model with singular points is better off on the stabilized form from its start: the form as written keeps velocities of
 * index 3 to a lower order, and what it has lost by now stays lost.  So, when the first point is reached, the way up to here is
 * gone again without output; where that fails, the run goes on from where it is.  RG_RETRY: done, take the step again. */
rg_status rg_passage_repeat(rg_integrator *g, double h)
{
    rg_passage *k = g->passage;
    const double t = g->t, t_end = g->t_end;
    const size_t bytes = (size_t)g->n * sizeof *g->y;
    const int64_t steps = g->stats.steps;

    if (k->stays || k->has_repeated || 3 * k->N > STAY_SIZE || t == g->t_start
        || rg_system_switch_count(g->system) > 0)
        return RG_OK;
    k->has_repeated = true;
    memcpy(k->y0, g->y, bytes);
    memcpy(k->yp0, g->yp, bytes);
    memcpy(g->y, k->y_start, bytes);
    memcpy(g->yp, k->yp_start, bytes);
    g->t = g->t_previous = g->t_start;
    g->t_end = t;
    rg_status status = rg_passage_begin(g, 0.01 * fabs(t - g->t_start));
    while (status == RG_OK && g->t != t)
        status = rg_passage_step(g);
    g->stats.rejected += g->stats.steps - steps;
    g->stats.steps = steps;
    g->t_end = t_end;
    k->n_passed = 0;
    if (status == RG_ERR_MEMORY || status == RG_ERR_INTERRUPTED || k->is_in_doubt) return status;
    k->stays = status == RG_OK;
    if (status != RG_OK) {
        rg_clear_error(g->ctx);
        memcpy(g->y, k->y0, bytes);
        memcpy(g->yp, k->yp0, bytes);
        g->t = g->t_previous = t;
    }
    rg_log(k->ctx, 2, "the run up to t = %.10g was %srepeated on the stabilized form", t,
           k->stays ? "" : "not ");
    status = rg_passage_begin(g, fabs(h));
    return status == RG_OK ? (rg_status)RG_RETRY : status;
}

static rg_status enter(rg_integrator *g, double t, double h)
{
    rg_passage *k = g->passage;
    const rg_state from = {t, k->y0, k->yp0};

    rg_log(k->ctx, 2, "constraints near a loss of rank at t = %.10g: steps on the stabilized form",
           t);
    RG_TRY(rg_integrator_restart(g, &from, h)); /* the main method forgets */
    const rg_status status = rg_passage_begin(g, h);
    if (status != RG_OK) return status;
    k->main_degree = g->degree;
    k->is_on = true;
    k->since = 0;
    g->method = &rg_passage_method;
    return RG_OK;
}

static rg_status leave(rg_integrator *g)
{
    rg_passage *k = g->passage;

    memcpy(k->y0, g->y, (size_t)g->n * sizeof *g->y);
    memcpy(k->yp0, g->yp, (size_t)g->n * sizeof *g->yp);
    k->is_on = false;
    k->left_behind = true;
    return RG_OK;
}

/* Back to the main method before its next step: until then the dense output of the last step must stay. */
static rg_status resume_main(rg_integrator *g)
{
    rg_passage *k = g->passage;
    const rg_state from = {g->t, k->y0, k->yp0};

    k->left_behind = false;
    g->method = k->main;
    RG_TRY(rg_integrator_set_degree(g, k->main_degree));
    return rg_integrator_restart(g, &from, fabs(g->t - g->t_previous));
}

/* Is the point far enough behind?  Without any point for many steps the signal has simply become smaller: that is normal now. */
static rg_status after_step(rg_integrator *g)
{
    rg_passage *k = g->passage;

    k->s_max = fmax(k->s_max, k->s_ref);
    if (k->since >= RELEARN && k->s_now < SAFE * k->s_ref && k->s_now > DEEP * k->s_max
        && !k->stays)
        k->s_ref = k->s_now / SAFE;
    if (!k->stays && k->s_now >= SAFE * k->s_ref && k->since > 0) return leave(g);
    return RG_OK;
}

static rg_status step_main(rg_integrator *g)
{
    rg_passage *k = g->passage;
    const size_t bytes = (size_t)g->n * sizeof *g->y;
    const double t0 = g->t, before = k->s_now;

    memcpy(k->y0, g->y, bytes);
    memcpy(k->yp0, g->yp, bytes);
    const rg_status status = k->main->step(g);
    if (status == RG_ERR_CONVERGENCE && before >= 0.0 && before < SAFE * k->s_ref
        && k->s_ref > 0.0) {
        const double h = fabs(g->t - g->t_previous);
        memcpy(k->y0, g->y, bytes);
        memcpy(k->yp0, g->yp, bytes);
        if (enter(g, g->t, h) != RG_OK) return status;
        rg_clear_error(g->ctx);
        return rg_passage_step(g);
    }
    if (status != RG_OK) return status;
    const double h = fabs(g->t - t0), least = watch(g, t0);
    if (least < TRIGGER * k->s_ref) {
        const rg_status entered = enter(g, t0, h);
        if (entered < 0) return entered;
        if (entered == RG_OK) {
            g->stats.steps--;
            g->stats.rejected++;
            RG_TRY(rg_passage_step(g));
            return after_step(g);
        }
    }
    return RG_OK;
}

rg_status rg_passage_guard(rg_integrator *g)
{
    rg_passage *k = g->passage;

    if (k->left_behind) RG_TRY(resume_main(g));
    if (!k->is_on) return step_main(g);
    RG_TRY(rg_passage_step(g));
    return after_step(g);
}

int64_t rg_passage_passed(const rg_integrator *g, const rg_passed **out)
{
    *out = g->passage != NULL ? g->passage->passed : NULL;
    return g->passage != NULL ? g->passage->n_passed : 0;
}

static void restart(rg_integrator *g, double h)
{
    rg_passage *k = g->passage;

    rg_passage_begin(g, h > 0.0 ? h : k->h);
}

const rg_ivp_method rg_passage_method = {
    .name = "radau", .degree = 3, .step = rg_passage_step, .restart = restart};
