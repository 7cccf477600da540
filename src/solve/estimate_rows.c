/* The second run of an estimate beside the rows of the first one: the differences. */
#include "base/context.h"
#include "base/tuning.h"
#include "bvp/tuning.h"
#include "ivp/event/tuning.h"
#include "ivp/tuning.h"
#include "solve/estimate_impl.h"
#include "solve/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double difference(const rg_second_run *w, int64_t k, double other)
{
    const double size = w->unit[k] + fabs(w->theirs[k]);

    return fabs(w->theirs[k] - other) / (size > 0.0 ? size : 1.0);
}

/* One run has passed a switch that the other one has still before it: the row lies between the two
 * times of that switch, and the runs are on different sides of it.  Where many switches follow each
 * other as closely as that, both runs go to and fro in their own ways, and the row must be nearer
 * to one than to the one before by far. */
static bool is_between(const rg_second_run *w, const rg_pair *row)
{
    const rg_integrator *g = w->way.solver->integrator;
    const double near = sqrt(g->options.rtol) * fabs(g->t_end - g->t_start);
    double t;
    const int64_t count = rg_integrator_switches(g, row->t, &t);
    const double ours = fabs(row->t - t), theirs = fabs(row->t - row->t_switch);

    if (count == row->n_switches) return false;
    if (rg_integrator_crowd(g) <= near)
        return count > row->n_switches ? ours <= RG_ESTIMATE_BETWEEN * theirs
                                       : theirs <= RG_ESTIMATE_BETWEEN * ours;
    return fabs(row->t - g->t_switch) <= near || theirs <= near;
}

/* The rounding of t alone changes a value by  eps |t| |y'|. */
static double rounding_of_time(rg_second_run *w, double t)
{
    const rg_integrator *g = w->way.solver->integrator;
    const double move = DBL_EPSILON * fabs(t) / RG_ESTIMATE_MOVE;
    double worst = 0.0;

    for (int64_t i = 0; i < g->n; i++) {
        const double slope = w->z[g->n + i];
        w->moved[i] = w->z[i] + (isfinite(slope) ? move * slope : 0.0);
        w->moved[g->n + i] = slope;
    }
    if (rg_columns_eval(w->columns, t, w->moved, w->derived) != RG_OK) return 0.0;
    for (int64_t k = 0; k < w->n_columns; k++) {
        const double size = w->unit[k] + fabs(w->ours[k]);
        const double e = RG_ESTIMATE_MOVE * fabs(w->derived[k] - w->ours[k]) / size;
        if (isfinite(e) && e > worst) worst = e;
    }
    return worst;
}

/* The difference in a column; 1 where one run alone has a value of an output, NaN: neither has. */
static double compare_column(const rg_second_run *w, int64_t k)
{
    const double e = difference(w, k, w->ours[k]);

    return w->is_output[k] && isfinite(w->theirs[k]) != isfinite(w->ours[k]) ? 1.0 : e;
}

/* Which outputs are off by more than the tolerance, and more than ever before?  Those without a
 * value belong to them. */
static void look_at_outputs(rg_second_run *w, double t)
{
    const double most = RG_OUTPUT_MISS * w->first->options.rtol / RG_ESTIMATE_ROWS;
    bool has_missed = false;

    for (int64_t k = 0; k < w->n_columns; k++) {
        const double e = w->is_output[k] ? compare_column(w, k) : 0.0;
        w->is_missed[k] = !(e <= most || e <= w->most[k]);
        w->is_doubtful[k] = false;
        has_missed = has_missed || w->is_missed[k];
    }
    if (has_missed) rg_second_run_blame(w, t);
}

/* A row of the first run, w->theirs, beside that of the second, w->ours at w->z: the largest
 * difference, NaN where nothing can be compared.  An output that has no value, because an unknown
 * in it is 0 within its tolerance, has no digit. */
static double compare_columns(rg_second_run *w, double t)
{
    double worst = NAN;

    rg_second_run_derive(w, t);
    if (w->has_outputs) look_at_outputs(w, t);
    if (w->has_outputs) rg_second_run_see_terms(w, t);
    for (int64_t k = 0; k < w->n_columns; k++) {
        const double both = compare_column(w, k), e = isfinite(both) ? both : 1.0;
        const double off = fabs(w->theirs[k] - w->ours[k]);
        if (off > w->off[k]) w->off[k] = off;
        if (!isfinite(both) && !w->is_doubtful[k]) continue;
        if (!(e <= worst)) worst = e;
        if (!(e > w->most[k])) continue;
        w->most[k] = e;
        w->t_most[k] = t;
    }
    return worst;
}

/* Forces of constraints follow from the unknowns: they may be off, but refuse nothing. */
static void compare_forces(rg_second_run *w, double t)
{
    const double *theirs = w->theirs + w->n_columns;

    if (w->forces.n == 0 || w->forces.eval(w->forces.user, t, w->z, w->our_forces) != RG_OK) return;
    for (int64_t k = 0; k < w->forces.n; k++) {
        const double unit = w->force_columns != NULL
                                ? rg_force_columns_unit(w->force_columns, &w->first->options, k)
                                : w->ratio;
        const double e = fabs(theirs[k] - w->our_forces[k]) / (unit + fabs(theirs[k]));
        if (e > w->force.end && t == w->way.t_end) w->force.end = e;
        if (!(e > w->force.worst)) continue;
        w->force.worst = e;
        w->force.t = t;
        w->force.column = k;
    }
}

static void compare_row(rg_second_run *w, double t)
{
    compare_forces(w, t);
    if (rg_columns_eval(w->columns, t, w->z, w->ours) != RG_OK) return;
    const double worst = compare_columns(w, t);
    w->rounding = fmax(w->rounding, rounding_of_time(w, t));
    if (isnan(worst)) return;
    w->worst = fmax(w->worst, worst);
    if (isnan(w->t_lost) && RG_ESTIMATE_ROWS * worst > RG_ESTIMATE_NO_DIGIT) w->t_lost = t;
}

/* Between the steps of a supervisor there is only a polynomial, mostly not as good as steps are. */
static bool is_comparable(const rg_second_run *w, const rg_integrator *g, double t)
{
    const double from = g->t_previous, sign = g->direction;
    const bool is_steered = g->supervisor != NULL && !g->method->is_dense;
    const bool is_rough = !rg_integrator_has_rows(g) && (is_steered || w->rough);

    if (sign * t < sign * from) return false;
    return !(w->rows_are_steps && is_rough) || fabs(t - g->t) <= RG_SAME * fabs(g->t - from);
}

/* The end of the last step as it would be put out, into w->z. */
static rg_status take_result(rg_second_run *w)
{
    rg_integrator *g = w->way.solver->integrator;
    const size_t bytes = (size_t)g->n * sizeof *g->y;
    rg_state now;

    RG_TRY(rg_integrator_result(g, &now));
    memcpy(w->z, now.y, bytes);
    memcpy(w->z + g->n, now.yp, bytes);
    return RG_OK;
}

static void remember(rg_second_run *w, const rg_integrator *g)
{
    memcpy(w->before, g->y, (size_t)g->n * sizeof *g->y);
    memcpy(w->before + g->n, g->yp, (size_t)g->n * sizeof *g->yp);
}

/* The values behind an event, and the rows there. */
rg_status rg_second_run_jump(const rg_integrator *g, void *user)
{
    rg_second_run *w = user;
    rg_pair row;

    remember(w, g);
    while (rg_pairs_take(w->pairs, g->t, g->t, &row, w->theirs)) {
        if (is_between(w, &row)) continue;
        memcpy(w->z, w->before, 2 * (size_t)g->n * sizeof *w->z);
        compare_row(w, row.t);
    }
    return RG_OK;
}

/* At the end of the last step. */
static void note_sizes(rg_second_run *w, double t)
{
    if (rg_columns_eval(w->columns, t, w->before, w->ours) != RG_OK) return;
    for (int64_t k = 0; k < w->n_columns; k++)
        if (fabs(w->ours[k]) > w->largest[k]) w->largest[k] = fabs(w->ours[k]);
}

/* The rows of the first run that lie in the last step.  The first run, or the user, has ended it
 * all: so does the second. */
rg_status rg_second_run_look(const rg_integrator *now, void *user)
{
    rg_second_run *w = user;
    rg_integrator *g = w->way.solver->integrator;
    rg_pair row;

    remember(w, now);
    note_sizes(w, g->t);
    const double near = 4.0 * DBL_EPSILON * fabs(g->t) + RG_EVENT_PART * fabs(g->t - g->t_previous);
    const double t0 = now->is_at_event ? g->t - g->direction * near : g->t;
    while (rg_pairs_take(w->pairs, g->t, t0, &row, w->theirs)) {
        const double t = row.t;
        if (!is_comparable(w, g, t) || is_between(w, &row)) continue;
        if (fabs(t - g->t) <= 4.0 * DBL_EPSILON * fabs(t))
            RG_TRY(take_result(w));
        else
            RG_TRY(rg_integrator_row(g, t, w->z, w->z + g->n));
        compare_row(w, t);
    }
    if (w->meets) g->t_meet = rg_pairs_next(w->pairs, g->t + RG_SAME * (g->t - g->t_previous));
    return rg_interrupted(w->parent) ? RG_STOPPED : rg_second_run_crawls(w);
}

/* Where atol was not given, a value of 1e12 that passes 0 is as good as its largest one allows. */
static bool is_lost(const rg_second_run *w, int64_t k)
{
    const rg_options *o = &w->first->options;
    const double e = compare_column(w, k), size = RG_ESTIMATE_SIZE * o->rtol * w->largest[k];

    if (!isfinite(e)) return w->is_doubtful[k];
    if (!(RG_ESTIMATE_ROWS * e > RG_ESTIMATE_NO_DIGIT)) return false;
    return o->atol_is_given || !(RG_ESTIMATE_ROWS * fabs(w->theirs[k] - w->ours[k]) <= size);
}

/* A switch is at the end of the interval, and one run alone has passed it. */
static bool ends_between(const rg_second_run *w, double t)
{
    const rg_integrator *g = w->way.solver->integrator;
    const double near = sqrt(g->options.rtol) * fabs(g->t_end - g->t_start);
    rg_pair end = {.t = t};

    end.n_switches = rg_integrator_switches(w->first->integrator, t, &end.t_switch);
    return rg_integrator_crowd(g) > near && is_between(w, &end);
}

/* The end of the second run, into w->z; behind a `stop` as it goes on, or came, at t. */
static rg_status take_end(rg_second_run *w, double t)
{
    const rg_integrator *g = w->way.solver->integrator;

    RG_TRY(take_result(w));
    for (int64_t i = 0; w->is_stopped && i < g->n; i++)
        if (isfinite(w->z[g->n + i])) w->z[i] += (t - g->t) * w->z[g->n + i];
    return RG_OK;
}

/* max_i |y_i - w_i| / (unit_i + |y_i|) over the columns at the end; NaN where none can be
 * compared. */
double rg_second_run_at_end(rg_second_run *w, const rg_solution *s)
{
    if (!w->is_stopped && ends_between(w, s->t_last)) {
        rg_second_run_warn_of_end(w, s->t_last);
        return w->worst;
    }
    if (rg_columns_eval(s->columns, s->t_last, s->last, w->theirs) != RG_OK
        || take_end(w, s->t_last) != RG_OK
        || rg_columns_eval(w->columns, s->t_last, w->z, w->ours) != RG_OK)
        return NAN;
    const double worst = compare_columns(w, s->t_last);
    for (int64_t k = 0; k < w->n_columns; k++)
        w->is_end_lost = w->is_end_lost || is_lost(w, k);
    memcpy(w->z, w->before, 2 * (size_t)w->way.solver->n * sizeof *w->z);
    w->rounding = fmax(w->rounding, rounding_of_time(w, s->t_last));
    return worst;
}
