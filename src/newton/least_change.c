/* Among the solutions of F(z) = 0 the one whose guesses are nearest to the given values. */
#include "newton/iterate.h"

#include <math.h>
#include <string.h>

enum { MAX_STEPS = 40, HALVINGS = 6 };
static const double STEP_TOL = 1e-11;
static const double SNAP = 1e-13; /* relative: this near to its given value a guess is that value */

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
    return is_back && distance(s, s->z) <= before ? RG_OK : (rg_status)RG_RETRY;
}

/* The step solves  min |z + d - given|  on the guesses subject to  F + J d = 0. */
static rg_status approach(rg_iteration *it, double *good, double *move)
{
    rg_start_system *s = it->s;
    const size_t bytes = (size_t)s->n_columns * sizeof *good;

    memcpy(good, s->z, bytes);
    for (int k = 0; k < MAX_STEPS; k++) {
        rg_status status = rg_iteration_prepare(it, 0);
        if (status != RG_OK) return status;
        rg_step_solve(it->step, s->F, true, move);
        const double change = rg_iteration_change(it, move);
        double alpha = 1;
        for (int h = 0; h < HALVINGS; h++, alpha /= 2) {
            status = try_move(it, good, move, alpha);
            if (status <= 0) break;
        }
        if (status < 0) return status;
        if (status != RG_OK) memcpy(s->z, good, bytes);
        if (status != RG_OK || !(change > STEP_TOL)) break;
        memcpy(good, s->z, bytes);
    }
    return RG_OK;
}

/* Guesses that did not have to move are what was given, to the last bit. */
static void snap(rg_start_system *s)
{
    for (int64_t j = 0; j < s->n_columns; j++) {
        if (s->role[j] != RG_START_GUESS) continue;
        const double size = fmax(fabs(s->given_value[j]), s->floor);
        if (fabs(s->z[j] - s->given_value[j]) <= SNAP * size) s->z[j] = s->given_value[j];
    }
}

rg_status rg_newton_least_change(rg_iteration *it)
{
    rg_start_system *s = it->s;
    rg_status status = RG_OK;

    if (distance(s, s->z) == 0) return RG_OK;
    double *good = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *good);
    double *move = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *move);
    if (good == NULL || move == NULL)
        status = RG_ERR_MEMORY;
    else
        status = approach(it, good, move); /* RG_RETRY: stays a solution */
    rg_free(s->ctx, good);
    rg_free(s->ctx, move);
    if (status < 0) return status;
    snap(s);
    return rg_start_linearize(s);
}
