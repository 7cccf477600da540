/* The second run of an estimate beside the rows of the first one: the differences. */
#include "base/context.h"
#include "base/tuning.h"
#include "bvp/tuning.h"
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
 * times of that switch, and the runs are on different sides of it. */
static bool is_between(const rg_second_run *w, const rg_pair *row)
{
    const rg_integrator *g = w->way.solver->integrator;
    const double near = sqrt(g->options.rtol) * fabs(g->t_end - g->t_start);
    double t_switch;
    const bool is_same = rg_integrator_switches(g, row->t, &t_switch) == row->n_switches;

    return !is_same && (fabs(row->t - t_switch) <= near || fabs(row->t - row->t_switch) <= near);
}

/* What the units of the unknowns are in an expression P(y) of them,
 *
 *     sum_j |dP/dy_j| unit_j,
 *
 * from differences: y moved by small parts of the units, with equal and with changing signs. */
static void derive_units(rg_second_run *w, double t)
{
    const rg_integrator *g = w->way.solver->integrator;

    if (!w->has_derived || g->unit == NULL) return;
    for (int changes = 0; changes < 2; changes++) {
        memcpy(w->moved, w->z, 2 * (size_t)g->n * sizeof *w->z);
        for (int64_t i = 0; i < g->n; i++)
            w->moved[i] += (changes && i % 2 == 1 ? -1.0 : 1.0) * RG_ESTIMATE_MOVE * g->unit[i];
        if (rg_columns_eval(w->columns, t, w->moved, w->derived) != RG_OK) return;
        for (int64_t k = 0; k < w->n_columns; k++) {
            const double unit = fabs(w->derived[k] - w->ours[k]) / RG_ESTIMATE_MOVE;
            if (w->is_derived[k] && unit > w->unit[k]) w->unit[k] = unit;
        }
    }
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

/* A row of the first run, in w->theirs, beside w->z. */
static void compare_row(rg_second_run *w, double t)
{
    double worst = 0.0;

    if (rg_columns_eval(w->columns, t, w->z, w->ours) != RG_OK) return;
    derive_units(w, t);
    w->rounding = fmax(w->rounding, rounding_of_time(w, t));
    for (int64_t k = 0; k < w->n_columns; k++) {
        const double e = difference(w, k, w->ours[k]);
        if (!isfinite(e)) continue;
        worst = fmax(worst, e);
        w->most[k] = fmax(w->most[k], e);
    }
    w->worst = fmax(w->worst, worst);
    if (isnan(w->t_lost) && RG_ESTIMATE_ROWS * worst > RG_ESTIMATE_NO_DIGIT) w->t_lost = t;
}

/* Between the steps of a supervisor there is only a polynomial, not as good as steps are. */
static bool is_comparable(const rg_second_run *w, const rg_integrator *g, double t)
{
    const double from = g->t_previous, sign = g->direction;
    const bool is_rough = !rg_integrator_has_rows(g) && (g->supervisor != NULL || w->rough);

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

/* The end of the last step, or the values behind an event there. */
rg_status rg_second_run_remember(const rg_integrator *g, void *user)
{
    rg_second_run *w = user;

    memcpy(w->before, g->y, (size_t)g->n * sizeof *g->y);
    memcpy(w->before + g->n, g->yp, (size_t)g->n * sizeof *g->yp);
    return RG_OK;
}

/* The rows of the first run that lie in the last step.  The first run, or the user, has ended it
 * all: so does the second. */
rg_status rg_second_run_look(const rg_integrator *now, void *user)
{
    rg_second_run *w = user;
    rg_integrator *g = w->way.solver->integrator;
    rg_pair row;

    RG_TRY(rg_second_run_remember(now, w));
    while (rg_pairs_take(w->pairs, g->t, &row, w->theirs)) {
        const double t = row.t;
        if (!is_comparable(w, g, t) || is_between(w, &row)) continue;
        if (fabs(t - g->t) <= 4.0 * DBL_EPSILON * fabs(t))
            RG_TRY(take_result(w));
        else
            RG_TRY(rg_integrator_row(g, t, w->z, w->z + g->n));
        compare_row(w, t);
    }
    return rg_interrupted(w->parent) ? RG_STOPPED : RG_OK;
}

/* max_i |y_i - w_i| / (unit_i + |y_i|) over the columns at the end; NaN where none can be
 * compared. */
double rg_second_run_at_end(rg_second_run *w, const rg_solution *s)
{
    double worst = NAN;

    if (rg_columns_eval(s->columns, s->t_last, s->last, w->theirs) != RG_OK
        || take_result(w) != RG_OK
        || rg_columns_eval(w->columns, s->t_last, w->z, w->ours) != RG_OK)
        return NAN;
    memcpy(w->z, w->before, 2 * (size_t)w->way.solver->n * sizeof *w->z);
    derive_units(w, s->t_last);
    w->rounding = fmax(w->rounding, rounding_of_time(w, s->t_last));
    for (int64_t k = 0; k < w->n_columns; k++) {
        const double e = difference(w, k, w->ours[k]);
        if (isfinite(e) && !(e <= worst)) worst = e;
    }
    return worst;
}
