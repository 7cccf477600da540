/* The steps of a run under the rank monitor: where the constraints are about to lose rank, the
 * steps of this folder take over. */
#include "ivp/aside.h"
#include "ivp/passage/passage.h"
#include "ivp/passage/tuning.h"

#include <math.h>
#include <string.h>

/* The state before the run was repeated. */
static void take_back(rg_integrator *g, double t)
{
    const size_t bytes = (size_t)g->n * sizeof *g->y;

    memcpy(g->y, rg_passage_of(g)->y0, bytes);
    memcpy(g->yp, rg_passage_of(g)->yp0, bytes);
    g->t = g->t_previous = t;
}

/* The repeated run was good: once more from the start, now for the output. */
static rg_status begin_again(rg_integrator *g, double t)
{
    rg_passage *k = rg_passage_of(g);
    const size_t bytes = (size_t)g->n * sizeof *g->y;
    const rg_state start = {g->t_start, k->y_start, k->yp_start};

    RG_TRY(g->rewind(&start, g->rewind_user));
    memcpy(g->y, k->y_start, bytes);
    memcpy(g->yp, k->yp_start, bytes);
    g->t = g->t_previous = g->t_start;
    g->stats.rejected += g->stats.steps;
    g->stats.steps = 0;
    k->n_accepted = 0;
    k->margin = 0.0;
    k->pace = fabs(t - g->t_start); /* the first point is not further away than that, or little */
    RG_TRY(rg_passage_begin(g, 0.01 * fabs(t - g->t_start)));
    return (rg_status)RG_RETRY;
}

/* A small model with singular points is better off on the stabilized form from its start: the form
 * as written keeps velocities of index 3 to a lower order, and what it has lost by now stays lost.
 * So, when the first point is reached, the way up to here is gone again without output; where that
 * fails, the run goes on from where it is, and where the output so far can be taken back, it
 * comes from a second repetition.  RG_RETRY: done, take the step again. */
rg_status rg_passage_repeat(rg_integrator *g, double h)
{
    rg_passage *k = rg_passage_of(g);
    const double t = g->t, t_end = g->t_end;
    const size_t bytes = (size_t)g->n * sizeof *g->y;
    const int64_t steps = g->stats.steps, n_passed = k->n_passed;
    const double v_max = k->v_max;

    if (k->state != PASSAGE_NEAR || k->has_repeated || k->form->combinations != NULL
        || g->options.step > 0.0 || 3 * k->N > RG_GUARD_STAY || t == g->t_start
        || rg_system_switch_count(g->system) > 0)
        return RG_OK;
    k->has_repeated = true;
    rg_passage_happens(k, EVENT_POINT);
    memcpy(k->y0, g->y, bytes);
    memcpy(k->yp0, g->yp, bytes);
    memcpy(g->y, k->y_start, bytes);
    memcpy(g->yp, k->yp_start, bytes);
    g->t = g->t_previous = g->t_start;
    g->t_end = t;
    k->v_max = k->margin = 0.0;
    rg_status status = rg_passage_begin(g, 0.01 * fabs(t - g->t_start));
    while (status == RG_OK && g->t != t)
        status = rg_passage_step(g);
    if (status == RG_OK && k->n_passed > n_passed)
        status = (rg_status)RG_RETRY; /* another motion */
    g->stats.rejected += g->stats.steps - steps;
    g->stats.steps = steps;
    g->t_end = t_end;
    if (status != RG_OK) k->n_passed = n_passed;
    if (status == RG_ERR_MEMORY || status == RG_ERR_INTERRUPTED || k->state == PASSAGE_IN_DOUBT)
        return status;
    rg_passage_happens(k, status != RG_OK     ? EVENT_FAILS
                          : g->rewind != NULL ? EVENT_REWINDS
                                              : EVENT_ARRIVES);
    if (k->state == PASSAGE_NEAR) {
        rg_clear_error(g->ctx);
        k->v_max = v_max;
        take_back(g, t);
    }
    rg_log(k->ctx, 2, "the run up to t = %.10g was %srepeated on the stabilized form", t,
           k->state == PASSAGE_NEAR ? "not " : "");
    if (k->state == PASSAGE_STAYING) return begin_again(g, t);
    status = rg_passage_begin(g, fabs(h));
    k->was_falling = k->state == PASSAGE_REPEATED;
    k->h_repeated = fabs(h);
    return status == RG_OK ? (rg_status)RG_RETRY : status;
}

rg_status rg_passage_undo_repeat(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);

    if (k->state != PASSAGE_REPEATED) return RG_OK;
    rg_passage_happens(k, EVENT_FAILS);
    take_back(g, g->t);
    RG_TRY(rg_passage_begin(g, k->h_repeated));
    return (rg_status)RG_RETRY;
}

rg_status rg_passage_enter(rg_integrator *g, double t, double h)
{
    rg_passage *k = rg_passage_of(g);
    const rg_state from = {t, k->y0, k->yp0};

    rg_log(k->ctx, 2, "constraints near a loss of rank at t = %.10g: steps on the stabilized form",
           t);
    RG_TRY(rg_integrator_restart(g, &from, h)); /* the main method forgets */
    const rg_status status = rg_passage_begin(g, h);
    if (status != RG_OK) return status;
    k->main_degree = g->degree;
    rg_passage_happens(k, EVENT_FALLS);
    k->has_sample = false;
    k->apart = 0.0;
    k->since = 0;
    g->method = &rg_passage_method;
    return RG_OK;
}

/* Back to the main method before its next step: until then the dense output of the last step
 * must stay. */
static rg_status resume_main(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);
    const rg_state from = rg_integrator_state(g);

    rg_passage_happens(k, EVENT_RESUMES);
    g->method = k->main;
    RG_TRY(rg_integrator_set_degree(g, k->main_degree));
    return rg_integrator_restart(g, &from, fabs(g->t - g->t_previous));
}

/* Combinations of equations have coefficients of all sizes: conductances of diodes vary by 1e6 and
 * more, and nothing is lost.  There these steps, ten times as expensive, would never end. */
static bool is_useless(const rg_passage *k)
{
    return k->in_vain >= RG_GUARD_IN_VAIN && k->form->combinations != NULL && k->n_passed == 0;
}

/* Is the point far enough behind?  Without any point for many steps the signal has simply become
 * smaller: that is normal now. */
rg_status rg_passage_after_step(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);

    k->s_max = fmax(k->s_max, k->s_ref);
    k->in_vain++;
    if (k->state != PASSAGE_NEAR) return RG_OK;
    if (k->since >= RG_GUARD_RELEARN && k->s_now < RG_GUARD_SAFE * k->s_ref
        && k->s_now > RG_GUARD_DEEP * k->s_max)
        k->s_ref = k->s_now / RG_GUARD_SAFE;
    if (is_useless(k)) {
        rg_passage_happens(k, EVENT_USELESS);
        k->t_off = g->t;
        rg_log(k->ctx, 2,
               "no rank monitor from t = %.10g on: the signal is small without any point", g->t);
    } else if (k->s_now >= RG_GUARD_SAFE * k->s_ref && k->since > 0) {
        rg_passage_happens(k, EVENT_SAFE);
    }
    return RG_OK;
}

static rg_status step_main(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);
    const size_t bytes = (size_t)g->n * sizeof *g->y;
    const double t0 = g->t, before = k->s_now;
    const bool is_fixed = g->options.step > 0.0;

    memcpy(k->y0, g->y, bytes);
    memcpy(k->yp0, g->yp, bytes);
    RG_TRY(rg_passage_note_branches(g));
    const rg_status status = k->main->step(g);
    if (status == RG_ERR_CONVERGENCE && g->t == g->t_start) return rg_passage_depart(g);
    if (status == RG_ERR_CONVERGENCE && before >= 0.0 && k->s_ref > 0.0
        && (is_fixed || before < RG_GUARD_SAFE * k->s_ref)) {
        const double h = fabs(g->t - g->t_previous);
        memcpy(k->y0, g->y, bytes);
        memcpy(k->yp0, g->yp, bytes);
        if (rg_passage_enter(g, g->t, h) != RG_OK) return status;
        rg_clear_error(g->ctx);
        return rg_passage_step(g);
    }
    if (status != RG_OK) return status;
    const double h = fabs(g->t - t0);
    double least;
    RG_TRY(rg_passage_monitor(g, t0, &least));
    if (least < RG_PASSAGE_TRIGGER * k->s_ref) {
        const rg_status entered = rg_passage_enter(g, t0, h);
        if (entered < 0) return entered;
        if (entered == RG_OK) {
            g->stats.steps--;
            g->stats.rejected++;
            RG_TRY(rg_passage_step(g));
            return rg_passage_after_step(g);
        }
    }
    return RG_OK;
}

/* Of a run that is all steps of this folder: a part FIRST of the time in which the states change
 * by their own size, or of the interval.  The error test has the last word. */
static double first_step(const rg_integrator *g)
{
    const double interval = fabs(g->t_end - g->t);
    double size = g->options.atol / g->options.rtol, rate = 0.0;

    if (g->options.h_first > 0.0) return g->options.h_first;
    for (int64_t i = 0; i < g->n; i++)
        if (isfinite(g->yp[i])) size = fmax(size, fabs(g->y[i])), rate = fmax(rate, fabs(g->yp[i]));
    const double h = RG_WINDOW_FIRST * (rate * interval > size ? size / rate : interval);
    return g->first_part > 0.0 ? g->first_part * h : h;
}

rg_status rg_passage_guard(rg_integrator *g)
{
    rg_passage *k = rg_passage_of(g);

    if (k->state == PASSAGE_LEAVING || k->state == PASSAGE_ENDING) RG_TRY(resume_main(g));
    if (k->state == PASSAGE_OFF) return k->main->step(g);
    if (k->state == PASSAGE_AWAY) return step_main(g);
    if (k->stages == NULL) RG_TRY(rg_passage_begin(g, first_step(g)));
    RG_TRY(rg_passage_step(g));
    return rg_passage_after_step(g);
}

bool rg_passage_is_unexamined(const rg_integrator *g)
{
    return rg_passage_of(g) != NULL && rg_passage_of(g)->is_unexamined;
}

bool rg_passage_is_off(const rg_integrator *g, double *t)
{
    const rg_passage *k = rg_passage_of(g);

    if (k == NULL || (k->state != PASSAGE_ENDING && k->state != PASSAGE_OFF)) return false;
    *t = k->t_off;
    return true;
}

int64_t rg_passage_passed(const rg_integrator *g, const rg_singular **out)
{
    *out = rg_passage_of(g) != NULL ? rg_passage_of(g)->passed : NULL;
    return rg_passage_of(g) != NULL ? rg_passage_of(g)->n_passed : 0;
}

rg_status rg_passage_restart(rg_integrator *g, double h)
{
    const rg_passage *k = rg_passage_of(g);

    return k->stages == NULL ? RG_OK : rg_passage_begin(g, h > 0.0 ? h : k->h);
}

static void restart(rg_integrator *g, double h)
{
    (void)rg_passage_restart(g, h);
}

/* With combinations the form is the model as written, whose higher derivatives have a lower order:
 * rows come from the polynomial, moved onto the constraints. */
static bool has_rows(const rg_integrator *g)
{
    return rg_passage_of(g)->form->combinations == NULL;
}

static rg_status rows(rg_integrator *g, int64_t count)
{
    return has_rows(g) ? rg_aside_rows(g, rg_passage_side_step, count) : RG_OK;
}

static rg_status row(rg_integrator *g, double t, double *y, double *yp)
{
    return rg_aside_row(g, rg_passage_side_step, t, y, yp);
}

const rg_ivp_method rg_passage_method = {.name = "radau",
                                         .degree = 3,
                                         .step = rg_passage_step,
                                         .restart = restart,
                                         .rows = rows,
                                         .row = row,
                                         .has_rows = has_rows,
                                         .passes = true};
