/* Newton homotopy:  F(z) - (1 - s) F(z_0) = 0  followed from s = 0, where z_0 solves it, to
 * s = 1. */
#include "newton/iterate.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

/* Newton on the homotopy at s, full steps; from it->s->z. */
static rg_status correct(rg_iteration *it, double s_value)
{
    rg_start_system *s = it->s;
    double previous = INFINITY;

    for (int k = 0; k < RG_HOMOTOPY_CORRECTIONS; k++) {
        RG_TRY(rg_iteration_prepare(it, 0));
        for (int64_t i = 0; i < s->n_rows; i++)
            it->F[i] = s->F[i] - (1 - s_value) * it->F0[i];
        rg_newton_step_solve(it->step, it->F, false, it->d);
        const double change = rg_iteration_change(it, it->d);
        if (!(change < 2 * previous)) break;
        for (int64_t j = 0; j < s->n_columns; j++)
            s->z[j] += it->d[j];
        if (change <= RG_HOMOTOPY_STEP_TOL) return RG_OK;
        previous = change;
    }
    return (rg_status)RG_RETRY;
}

static rg_status follow(rg_iteration *it, double *good)
{
    rg_start_system *s = it->s;
    const size_t bytes = (size_t)s->n_columns * sizeof *good;
    const int max_steps =
        s->n_columns > RG_DENSE_COLUMNS ? RG_SEARCH_STEPS_LARGE : RG_HOMOTOPY_MAX_STEPS;
    double s_value = 0, ds = RG_HOMOTOPY_FIRST;

    memcpy(good, s->z, bytes);
    RG_TRY(rg_start_residual(s, s->z, it->F0));
    for (int k = 0; k < max_steps && ds >= RG_HOMOTOPY_LEAST; k++) {
        const double target = fmin(s_value + ds, 1);
        const rg_status status = correct(it, target);
        if (status < 0) return status;
        if (status != RG_OK) {
            memcpy(s->z, good, bytes);
            ds /= 3;
            continue;
        }
        memcpy(good, s->z, bytes);
        if (target >= 1) return RG_OK;
        s_value = target;
        ds *= 2;
    }
    return (rg_status)RG_RETRY;
}

rg_status rg_newton_homotopy(rg_iteration *it)
{
    double *good = rg_alloc(it->s->ctx, (size_t)it->s->n_columns, sizeof *good);

    if (good == NULL) return RG_ERR_MEMORY;
    rg_status status = follow(it, good);
    rg_free(it->s->ctx, good);
    rg_log(it->s->ctx, 2, "start values: homotopy %s", status == RG_OK ? "ended" : "gave up");
    return status == RG_OK ? rg_newton_damped(it) : status;
}
