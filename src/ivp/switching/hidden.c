/* Branches with hidden constraints.
 *
 * An ideal diode between a source and a capacitor, 0 = min(i, u - e), does without derivatives
 * while it blocks; while it conducts, u = e has to be differentiated to know its current, which
 * has the order of the stages then, not that of the states.  So the unknowns that the equations
 * leave open as they stand, with the branches held, are those of short trial steps at the states
 * of a row.  A row need not be on the hidden constraints, and what it is off by would be divided by
 * the length of such a step: so one leads away from it, the end of which is on them, and another
 * one back. */
#include "ivp/growth.h"
#include "ivp/switching/search.h"
#include "ivp/switching/tuning.h"
#include "ivp/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What the branches that are held leave open, once for every set of them; *open NULL: nothing. */
static rg_status look(rg_switching *s, double t, const uint8_t **open)
{
    const size_t bytes = (size_t)s->n * sizeof *s->looked;
    int64_t k = 0, count;

    *open = NULL;
    rg_switching_hold(s);
    while (k < s->n_looked && memcmp(s->looked + k * s->n, s->branch, bytes) != 0)
        k++;
    if (k == s->n_looked) {
        if (k == RG_HIDDEN_SETS) k = s->n_looked = 0;
        if (s->growth == NULL) RG_TRY(rg_growth_create(s->g, &s->growth));
        s->g->recovered.jacobians++;
        RG_TRY(rg_growth_open(s->growth, s->g, t, s->is_open + k * s->n_row, &count));
        memcpy(s->looked + k * s->n, s->branch, bytes);
        s->n_looked++;
    }
    const uint8_t *is_open = s->is_open + k * s->n_row;
    if (memchr(is_open, 1, (size_t)s->g->n) != NULL) *open = is_open;
    return RG_OK;
}

/* Into the step that the row is in; far from t = 0 all of it, or what is no rounding of t.  At the
 * start as far as it was to find the values there. */
static double away(const rg_integrator *g, double t)
{
    const double step = g->t - g->t_previous, interval = fabs(g->t_end - g->t_start);
    const double least = RG_BEHIND_ROUNDING * 4.0 * DBL_EPSILON * fabs(t);
    const double far = sqrt(DBL_EPSILON * fabs(g->t_start) * interval);

    if (step == 0.0) return fmax(RG_BEHIND_START * interval, far);
    const double h = fmax(fmax(RG_HIDDEN_STEP * fabs(step), least), fmin(fabs(step), far));

    return fabs(t - g->t_previous) < fabs(t - g->t) ? h : -h;
}

/* The end of a trial step of h from s->here becomes that point. */
static rg_status move(rg_switching *s, double h)
{
    const int64_t n = s->trial->n, last = (RADAU_TRIAL_STAGES - 1) * n;
    const rg_status status = rg_switching_try(s, h, false);

    if (status != RG_OK) return status;
    s->here.t += s->g->direction * h;
    memcpy(s->here.y, s->Y + last, (size_t)n * sizeof *s->Y);
    memcpy(s->here.yp, s->Yp + last, (size_t)n * sizeof *s->Yp);
    return RG_OK;
}

/* Behind move(): what the rounding of t has made of unknowns that are open. */
static void note_rounding(rg_switching *s, const uint8_t *open)
{
    rg_integrator *g = s->g;
    const double *moved = rg_radau_of(s->trial)->error, moment = DBL_EPSILON * fabs(s->here.t);

    rg_radau_find_times(s->trial, s->here.yp);
    for (int64_t j = 0; j < g->n; j++) {
        const double size = rg_integrator_unit(g, j) + fabs(s->here.y[j]);
        const double part = moment * fabs(moved[j]) / size;
        if (open[j] && !rg_switch_is_held(s, j) && part > g->rounded && isfinite(part))
            g->rounded = part;
    }
}

static rg_status settle(rg_switching *s, const uint8_t *open, double t, double *y, double *yp)
{
    rg_integrator *g = s->g;
    const rg_switch_point here = s->here;
    const size_t bytes = (size_t)g->n * sizeof *y;
    const double h = away(g, t);

    s->here = (rg_switch_point){t, s->row, s->row + s->n_row};
    memcpy(s->here.y, y, bytes);
    memcpy(s->here.yp, yp, bytes);
    rg_status status = s->trial == NULL ? rg_switching_make_trial(s) : RG_OK;
    const rg_stats before = s->trial != NULL ? s->trial->stats : (rg_stats){0};
    if (status == RG_OK) status = move(s, h);
    if (status == RG_OK) status = move(s, -h);
    if (status == RG_OK) note_rounding(s, open);
    for (int64_t j = 0; j < g->n && status == RG_OK; j++) {
        const double allowed = rg_integrator_atol(g, j) + g->options.rtol * fabs(y[j]);
        if (!open[j]) continue;
        if (rg_switch_is_held(s, j)) {
            yp[j] = s->here.yp[j];
        } else if (fabs(s->here.y[j] - y[j]) > RG_HIDDEN_LEAST * allowed) { /* else: rounding */
            y[j] = s->here.y[j];
            yp[j] = s->here.yp[j];
        }
    }
    if (s->trial != NULL) rg_switching_take_stats(&g->recovered, &s->trial->stats, &before);
    s->here = here;
    return status < 0 ? status : RG_OK;
}

rg_status rg_switching_recover(rg_switching *s, double t, double *y, double *yp)
{
    const rg_integrator *g = s->g;
    const uint8_t *open;
    const bool has_own = g->recovery != NULL || rg_system_hidden_levels(g->system) > 0;

    if (has_own || g->n > RG_DEGENERATE_MOST || g->taker != NULL || s->events != NULL) return RG_OK;
    const rg_status status = look(s, t, &open);
    if (status != RG_OK || open == NULL) return status < 0 ? status : RG_OK;
    return settle(s, open, t, y, yp);
}

rg_status rg_switching_recover_row(rg_switching *s, double t, double *y, double *yp)
{
    rg_switching_exchange_rows(s);
    const rg_status status = rg_switching_recover(s, t, y, yp);
    rg_switching_exchange_rows(s);
    return status;
}

void rg_switching_forget_rows(rg_switching *s)
{
    rg_integrator_destroy(&s->rows.trial);
    s->rows.n_looked = 0;
}
