/* Among the solutions of F(z) = 0 the one whose guesses are nearest to the given values. */
#include "newton/iterate.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

/* sum ((z_j - given_j) / scale_j)^2 over the guesses */
static double distance(const rg_start_system *s, const double *z)
{
    double sum = 0;

    for (int64_t j = 0; j < s->n_columns; j++) {
        const double change = (z[j] - s->given_value[j]) / s->scale[j];
        if (s->role[j] == RG_START_GUESS) sum += change * change;
    }
    return sum;
}

/* From `good`, a solution: z = good + alpha d, then back to F = 0.  RG_OK: nearer than before. */
static rg_status try_move(rg_iteration *it, const double *good, const double *move, double alpha)
{
    rg_start_system *s = it->s;
    const double before = distance(s, good);

    for (int64_t j = 0; j < s->n_columns; j++)
        s->z[j] = good[j] + alpha * move[j];
    RG_TRY(rg_start_linearize(s));
    const double loose = rg_start_miss(s, NULL);
    RG_TRY(rg_newton_polish(it));
    const bool is_back = rg_start_miss(s, NULL) <= fmax(1e-4 * loose, 1e-12);
    return is_back && distance(s, s->z) <= before * (1 + RG_SAME) ? RG_OK : (rg_status)RG_RETRY;
}

/* Barzilai-Borwein length  s^T s / s^T y,  s = alpha old the last step, y = old - move the change
 * of the gradient; in units of the scales, over the guesses.  1 (Gauss-Newton) where it makes no
 * sense. */
static double step_length(const rg_start_system *s, const double *old, const double *move,
                          double alpha)
{
    double ss = 0, sy = 0;

    for (int64_t j = 0; j < s->n_columns; j++) {
        const double a = old[j] / s->scale[j], b = move[j] / s->scale[j];
        if (s->role[j] != RG_START_GUESS) continue;
        ss += alpha * a * a;
        sy += a * (a - b);
    }
    return sy > 0 && ss > 0 ? fmin(fmax(ss / sy, RG_LEAST_CHANGE_SHORTEST), RG_LEAST_CHANGE_LONGEST)
                            : 1;
}

/* One move with the longest of alpha, alpha/2, ... that does not lead away.  RG_RETRY: there is
 * none. */
static rg_status take_move(rg_iteration *it, double *good, const double *move, double *alpha)
{
    rg_start_system *s = it->s;
    const size_t bytes = (size_t)s->n_columns * sizeof *good;
    rg_status status = (rg_status)RG_RETRY;

    for (int k = 0; k < RG_LEAST_CHANGE_HALVINGS && status > 0; k++) {
        if (k > 0) *alpha /= 2;
        status = try_move(it, good, move, *alpha);
    }
    if (status == RG_OK)
        memcpy(good, s->z, bytes);
    else
        memcpy(s->z, good, bytes);
    return status;
}

/* Descent along F = 0.  The move solves  min |z + d - given|  on the guesses subject to  F + J
 * d = 0:  its guess part is minus the gradient of half the squared distance, projected. */
static rg_status approach(rg_iteration *it, double *good, double *move, double *old)
{
    rg_start_system *s = it->s;
    const size_t bytes = (size_t)s->n_columns * sizeof *good;
    const bool is_large = s->n_columns > RG_DENSE_COLUMNS;
    const int max_steps = is_large ? RG_LEAST_CHANGE_MAX_STEPS_LARGE : RG_LEAST_CHANGE_MAX_STEPS;
    const int patience = is_large ? RG_LEAST_CHANGE_PATIENCE_LARGE : RG_LEAST_CHANGE_PATIENCE;
    double alpha = 1, least = INFINITY;
    int idle = 0;

    memcpy(good, s->z, bytes);
    for (int k = 0; k < max_steps && idle < patience; k++) {
        RG_TRY(rg_iteration_prepare(it, 0));
        rg_newton_step_solve(it->step, s->F, true, move);
        if (k > 0) alpha = step_length(s, old, move, alpha);
        const double change = rg_iteration_change(it, move);
        if (!(change > (is_large ? RG_LEAST_CHANGE_STEP_TOL_LARGE : RG_LEAST_CHANGE_STEP_TOL)))
            break;
        idle = change < RG_NOT_HALVED * least ? 0 : idle + 1;
        least = fmin(least, change);
        RG_TRY(take_move(it, good, move, &alpha));
        memcpy(old, move, bytes);
    }
    return RG_OK;
}

rg_status rg_newton_least_change(rg_iteration *it)
{
    rg_start_system *s = it->s;
    rg_status status = RG_OK;

    if (distance(s, s->z) == 0) return RG_OK;
    double *good = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *good);
    double *move = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *move);
    double *old = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *old);
    if (good == NULL || move == NULL || old == NULL)
        status = RG_ERR_MEMORY;
    else
        status = approach(it, good, move, old); /* RG_RETRY: stays a solution */
    rg_free(s->ctx, good);
    rg_free(s->ctx, move);
    rg_free(s->ctx, old);
    if (status < 0) return status;
    return rg_start_linearize(s);
}
