/* Damped Gauss-Newton:  z <- z + alpha d,  d = least-change solution of  J d = -F. */
#include "newton/iterate.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

static double norm(const rg_iteration *it, const double *d)
{
    const rg_start_system *s = it->s;
    double sum = 0;

    for (int64_t j = 0; j < s->n_columns; j++) {
        const double change = d[j] / (fabs(s->z[j]) + s->scale[j]);
        sum += change * change;
    }
    return sqrt(sum);
}

/* Largest alpha = 1, 1/2, 1/4, ... for which |R F| falls, or (restricted natural monotonicity test
 * of Deuflhard) |d_bar| <= (1 - alpha/4) |d| with the simplified step d_bar = -J^+ F(z + alpha d).
 * Where F cannot be evaluated alpha is halved too. */
static rg_status take_step(rg_iteration *it)
{
    rg_start_system *s = it->s;
    const double merit = rg_newton_step_merit(it->step, s->F), length = norm(it, it->d);
    double alpha = 1;

    for (int k = 0; k < RG_DAMPED_HALVINGS; k++, alpha /= 2) {
        for (int64_t j = 0; j < s->n_columns; j++)
            it->z[j] = s->z[j] + alpha * it->d[j];
        const rg_status status = rg_start_residual(s, it->z, it->F);
        it->evaluations++;
        if (status < 0) return status;
        if (status != RG_OK) continue;
        bool is_good = rg_newton_step_merit(it->step, it->F) < merit;
        if (!is_good) {
            rg_newton_step_solve(it->step, it->F, false, it->bar);
            is_good = norm(it, it->bar) <= (1 - alpha / 4) * length;
        }
        if (!is_good) continue;
        memcpy(s->z, it->z, (size_t)s->n_columns * sizeof *s->z);
        rg_log(s->ctx, 3, "start values: damping %g, residual %.3g", alpha,
               rg_newton_step_merit(it->step, it->F));
        return RG_OK;
    }
    return (rg_status)RG_RETRY;
}

/* Near a root of multiplicity m each step is r = 1 - 1/m times the one before, and the iteration
 * ends far from it: F = y^m is rounding already where y is not.  m steps at once arrive.  is_good:
 * that is what happened.  Not with large m: steps to a root of exp(-y) = c from far away shrink by
 * hardly anything, too, and many of them at once lead beyond, where the slope is 0. */
static rg_status leap(rg_iteration *it, bool *is_good)
{
    rg_start_system *s = it->s;
    double dot = 0, square = 0, off = 0;

    *is_good = false;
    for (int64_t j = 0; j < s->n_columns; j++) {
        const double size = fabs(s->z[j]) + s->scale[j], old = it->last[j] / size;
        dot += it->d[j] / size * old;
        square += old * old;
    }
    const double r = square > 0 ? dot / square : 0;
    const double m = r < 1 ? round(1 / (1 - r)) : 1;
    if (!(m >= 2 && m <= RG_DAMPED_MOST && fabs(r - 1 + 1 / m) <= RG_DAMPED_MULTIPLE)) return RG_OK;
    for (int64_t j = 0; j < s->n_columns; j++) {
        const double size = fabs(s->z[j]) + s->scale[j];
        off += pow((it->d[j] - r * it->last[j]) / size, 2);
        it->z[j] = s->z[j] + m * it->d[j];
        it->bar[j] = s->z[j] + it->d[j];
    }
    if (!(off <= pow(RG_DAMPED_PARALLEL * r, 2) * square)) return RG_OK;
    rg_status status = rg_start_residual(s, it->z, it->F);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    const double far = rg_newton_step_merit(it->step, it->F);
    if (!(far < rg_newton_step_merit(it->step, s->F))) return RG_OK;
    if ((status = rg_start_residual(s, it->bar, it->F)) < 0) return status;
    *is_good = status > 0 || far < rg_newton_step_merit(it->step, it->F);
    if (*is_good) memcpy(s->z, it->z, (size_t)s->n_columns * sizeof *s->z);
    return RG_OK;
}

/* |R (F + J d)|: what the full step leaves according to the linear model. */
static double predicted(rg_iteration *it)
{
    const rg_start_system *s = it->s;
    const rg_pattern *pattern = s->pattern;

    memcpy(it->F, s->F, (size_t)s->n_rows * sizeof *it->F);
    for (int64_t j = 0; j < s->n_columns; j++) {
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1] && it->d[j] != 0; k++)
            it->F[pattern->row[k]] += s->J[k] * it->d[j];
    }
    return rg_newton_step_merit(it->step, it->F);
}

rg_status rg_newton_damped(rg_iteration *it)
{
    rg_start_system *s = it->s;
    rg_status status = (rg_status)RG_RETRY;

    for (int k = 0; k < RG_DAMPED_MAX_STEPS; k++) {
        if ((status = rg_iteration_prepare(it, 0)) != RG_OK) break;
        rg_newton_step_solve(it->step, s->F, false, it->d);
        const double change = rg_iteration_change(it, it->d),
                     merit = rg_newton_step_merit(it->step, s->F);
        if (change <= RG_DAMPED_STEP_TOL || rg_start_miss(s, NULL) <= RG_DAMPED_ROUNDING) break;
        if (!isfinite(change)) status = (rg_status)RG_RETRY;
        if (!isfinite(change) || predicted(it) > (1 - RG_SAME) * merit) break; /* least squares */
        bool is_good = false;
        if (k > 0 && (status = leap(it, &is_good)) != RG_OK) break;
        if (!is_good && (status = take_step(it)) != RG_OK) break;
        memcpy(it->last, it->d, (size_t)s->n_columns * sizeof *it->d);
        status = (rg_status)RG_RETRY; /* in case this was the last one */
    }
    if (status == RG_OK) status = rg_newton_polish(it);
    rg_log(s->ctx, 2, "start values: damped Newton %s", status == RG_OK ? "ended" : "gave up");
    return status;
}
