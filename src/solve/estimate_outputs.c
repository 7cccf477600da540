/* Outputs beside the unknowns in them: the unit in which an error of an output counts, and the
 * unknowns whose atol is too coarse for it.
 *
 * An error of the size of atol in y_j is one of  |dP/dy_j| atol_j  in an output P(y).  That is too
 * much where an estimate says so and
 *
 *     |dP/dy_j| unit_j > unit_P + |P|,      unit = atol/rtol,
 *
 * as in  -log10(H)  where H falls far below its atol.  Then y_j needs the unit
 *
 *     max(|y_j|, (unit_P + |P|) / |dP/dy_j|),
 *
 * no smaller one gives it more digits than rtol does.  Where P is not finite an unknown in it may
 * be 0 within its tolerance only. */
#include "ivp/method.h"
#include "solution/number.h"
#include "solve/estimate_impl.h"
#include "solve/tuning.h"

#include <math.h>
#include <string.h>

void rg_second_run_units(rg_second_run *w, const rg_solution *s)
{
    const rg_options *o = &w->first->options;
    int64_t variable;
    int order;

    rg_column_units(s->problem, o, w->unit);
    w->ratio = o->atol / o->rtol;
    for (int64_t k = 0; k < w->n_columns; k++) {
        w->is_output[k] = !rg_column_unknown(s->problem, k, &variable, &order);
        w->has_outputs = w->has_outputs || w->is_output[k];
        w->is_derived[k] = w->is_output[k] && o->units != NULL && w->unit[k] != w->ratio;
        if (w->is_derived[k]) w->unit[k] = 0.0;
        w->has_derived = w->has_derived || w->is_derived[k];
    }
}

/* The unit that gives an output the digits that it needs of a state. */
static double sufficient(const rg_second_run *w, int64_t column, int64_t state, double slope)
{
    const double size = w->unit[column] + fabs(w->ours[column]);

    return slope != 0.0 ? fmax(fabs(w->z[state]), size / fabs(slope)) : INFINITY;
}

/* What the units of the unknowns are in an expression P(y) of them,
 *
 *     unit_P = min(sum_j |dP/dy_j| unit_j, atol/rtol):
 *
 * an unknown far below its unit is no excuse for an output that is not. */
void rg_second_run_derive(rg_second_run *w, double t)
{
    const rg_integrator *g = w->way.solver->integrator;
    double *const bound = w->needs + g->n;
    const rg_pattern *p;
    const double *J;

    if (!w->has_derived || g->unit == NULL) return;
    if (rg_columns_jacobian(w->columns, t, w->z, &p, &J) != RG_OK) return;
    memset(w->derived, 0, (size_t)w->n_columns * sizeof *w->derived);
    for (int64_t j = 0; j < p->n_columns; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            w->derived[p->row[e]] += fabs(J[e]) * g->unit[j % g->n];
    for (int64_t k = 0; k < w->n_columns; k++)
        if (w->is_derived[k] && w->derived[k] > w->unit[k])
            w->unit[k] = fmin(w->derived[k], w->ratio);
    for (int64_t j = 0; j < g->n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            bound[j] = fmin(bound[j], sufficient(w, p->row[e], j, J[e]));
}

/* The unit that a state needs for an output that has missed its tolerance; INFINITY: the one it has
 * will do, or no unit helps where it passes 0.  Where its value is not known, one that is much
 * smaller: an unknown that is not 0 costs no step more with it. */
static double needed(const rg_second_run *w, double t, int64_t column, int64_t state, double slope)
{
    const double size = fabs(w->z[state]), rtol = w->first->options.rtol;
    const double unit = rg_integrator_unit(w->way.solver->integrator, state);
    const double rounding = RG_SIZE_ROUNDING * fabs(t * w->z[w->way.solver->n + state]);
    double need = INFINITY;

    if (isfinite(w->ours[column]) && isfinite(w->theirs[column]) && isfinite(slope))
        need = sufficient(w, column, state, slope);
    else if (size > 0.0 && size <= RG_SIZE_SMALL * rtol * unit)
        need = size;
    if (!(RG_OUTPUT_GAIN * need < unit) || size <= rounding) return INFINITY;
    return size > rtol * unit ? need : fmin(need, rtol * rtol * unit);
}

void rg_second_run_blame(rg_second_run *w, double t)
{
    const int64_t n = w->way.solver->n;
    const rg_pattern *p;
    const double *J;

    if (rg_columns_jacobian(w->columns, t, w->z, &p, &J) != RG_OK) return;
    for (int64_t j = 0; j < n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const int64_t k = p->row[e];
            const double need = w->is_missed[k] ? needed(w, t, k, j, J[e]) : INFINITY;
            w->needs[j] = fmin(w->needs[j], need);
            w->is_doubtful[k] = w->is_doubtful[k] || isfinite(need);
        }
}

/* Outputs that are below 100 atol so far. */
static bool is_small(const rg_second_run *w, int64_t k)
{
    return w->is_output[k] && w->largest[k] < RG_SIZE_SMALL * w->first->options.atol;
}

/* sum_j |dP/dy_j y_j|, of y' too, over all states, or over those that are above 100 atol. */
static void add_terms(rg_second_run *w, const rg_pattern *p, const double *J, bool is_solid,
                      double *terms)
{
    const rg_integrator *g = w->way.solver->integrator;

    memset(w->derived, 0, (size_t)w->n_columns * sizeof *w->derived);
    for (int64_t j = 0; j < p->n_columns; j++) {
        const int64_t i = j % g->n;
        if (is_solid && fabs(w->z[i]) < RG_SIZE_SMALL * rg_integrator_atol(g, i)) continue;
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            w->derived[p->row[e]] += fabs(J[e] * w->z[j]);
    }
    for (int64_t k = 0; k < w->n_columns; k++)
        if (w->derived[k] > terms[k]) terms[k] = w->derived[k];
}

void rg_second_run_see_terms(rg_second_run *w, double t)
{
    const rg_pattern *p;
    const double *J;
    bool has_small = false;

    for (int64_t k = 0; k < w->n_columns; k++)
        has_small = has_small || is_small(w, k);
    if (!has_small || w->first->options.atol_is_given) return;
    if (rg_columns_jacobian(w->columns, t, w->z, &p, &J) != RG_OK) return;
    add_terms(w, p, J, false, w->terms);
    add_terms(w, p, J, true, w->solid);
}

/* As unknowns do (solve/sizes.h), an output that stays below 100 atol counts by its own size: a
 * rate in days, a current in nanoamperes.  What is small because its terms cancel, as the error of
 * an invariant, or because unknowns in it are 0 but for rounding, has no size. */
double rg_second_run_small(rg_second_run *w, double *end)
{
    double worst = 0.0;

    *end = 0.0;
    for (int64_t k = 0; k < w->n_columns && !w->first->options.atol_is_given; k++) {
        if (!is_small(w, k) || !(w->largest[k] > RG_OUTPUT_CANCELS * w->terms[k])) continue;
        if (!(w->solid[k] > RG_OUTPUT_CANCELS * w->largest[k])) continue;
        const double e = w->off[k] / w->largest[k];
        *end = fmax(*end, fabs(w->theirs[k] - w->ours[k]) / w->largest[k]);
        w->most[k] = fmax(w->most[k], e);
        worst = fmax(worst, e);
    }
    return worst;
}

/* The output that is off by most tolerances, where unknowns that are written are not; -1: none. */
static int64_t find_missed(const rg_second_run *w)
{
    const double tol = w->first->options.rtol;
    int64_t worst = -1;
    double rest = 0.0;

    for (int64_t k = 0; k < w->n_columns; k++) {
        if (!w->is_output[k])
            rest = fmax(rest, w->most[k]);
        else if (worst < 0 || w->most[k] > w->most[worst])
            worst = k;
    }
    const double least = RG_OUTPUT_MISS * fmax(tol, RG_ESTIMATE_ROWS * rest);
    return worst >= 0 && RG_ESTIMATE_ROWS * w->most[worst] > least ? worst : -1;
}

int64_t rg_second_run_coarse(const rg_second_run *w)
{
    const rg_integrator *g = w->way.solver->integrator;
    double least = 1.0;
    int64_t state = -1;

    for (int64_t j = 0; j < w->way.solver->n; j++) {
        const double part = w->needs[j] / rg_integrator_unit(g, j);
        if (!(part < least)) continue;
        least = part;
        state = j;
    }
    return state;
}

void rg_second_run_warn_of_outputs(const rg_second_run *w, const rg_solution *s)
{
    const rg_options *o = &w->first->options;
    const int64_t k = find_missed(w), j = k >= 0 ? rg_second_run_coarse(w) : -1;
    char column[128], state[128], number[40];
    rg_status status;

    if (k < 0) return;
    rg_solution_column_name(s, k, column, sizeof column);
    rg_short_text(RG_ESTIMATE_ROWS * w->most[k], 1, number);
    if (j >= 0) {
        rg_system_state_name(w->way.solver->system, j, state, sizeof state);
        status = rg_problem_warn(
            w->problem,
            "the estimated error of the output '%s' is %s near %s = %.4g, more than the tolerance "
            "%.2g: '%s' has atol = %.2g, too much for it; give --atol %s=%.1g",
            column, number, rg_problem_time_name(w->problem), w->t_most[k], o->rtol, state,
            rg_integrator_atol(w->first->integrator, j), state,
            o->rtol * w->needs[j] / RG_SIZE_OTHER);
    } else {
        status = rg_problem_warn(
            w->problem,
            "the estimated error of the output '%s' is %s near %s = %.4g, more than the tolerance "
            "%.2g: it magnifies errors of the unknowns in it; give a smaller --tol",
            column, number, rg_problem_time_name(w->problem), w->t_most[k], o->rtol);
    }
    if (status < 0) rg_clear_error(w->problem->ctx);
}
