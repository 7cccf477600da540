/* Levenberg-Marquardt:  min |R (F + J d)|^2 + lambda |C^-1 d|^2. */
#include "newton/iterate.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

static rg_status try_step(rg_iteration *it, double *merit)
{
    rg_start_system *s = it->s;

    rg_newton_step_solve(it->step, s->F, false, it->d);
    for (int64_t j = 0; j < s->n_columns; j++)
        it->z[j] = s->z[j] + it->d[j];
    const rg_status status = rg_start_residual(s, it->z, it->F);
    it->evaluations++;
    if (status == RG_OK) *merit = rg_newton_step_merit(it->step, it->F);
    return status;
}

rg_status rg_newton_marquardt(rg_iteration *it)
{
    rg_start_system *s = it->s;
    const int max_steps =
        s->n_columns > RG_DENSE_COLUMNS ? RG_SEARCH_STEPS_LARGE : RG_MARQUARDT_MAX_STEPS;
    double lambda = RG_MARQUARDT_LAMBDA_FIRST;
    rg_status status = (rg_status)RG_RETRY;
    int stalled = 0;

    for (int k = 0; k < max_steps && lambda < RG_MARQUARDT_LAMBDA_MOST && stalled < 3; k++) {
        double merit = INFINITY;
        if ((status = rg_iteration_prepare(it, lambda)) < 0) return status;
        if (status == RG_OK) {
            if (rg_start_miss(s, NULL) < RG_MARQUARDT_NEAR) break;
            status = try_step(it, &merit);
            if (status < 0) return status;
        } else if (k == 0 && rg_start_linearize(s) != RG_OK) {
            break; /* cannot be evaluated at the start */
        }
        const double before = rg_newton_step_merit(it->step, s->F);
        if (status != RG_OK || !(merit < before)) {
            lambda *= RG_MARQUARDT_GROW;
            continue;
        }
        stalled = merit > (1 - RG_SAME) * before ? stalled + 1 : 0;
        memcpy(s->z, it->z, (size_t)s->n_columns * sizeof *s->z);
        lambda = fmax(lambda / RG_MARQUARDT_SHRINK, RG_MARQUARDT_LAMBDA_LEAST);
    }
    status = rg_start_linearize(s);
    rg_log(s->ctx, 2, "start values: Levenberg-Marquardt, lambda %.1e, miss %.3g", lambda,
           status == RG_OK ? rg_start_miss(s, NULL) : NAN);
    if (status != RG_OK) return status;
    return rg_newton_damped(it);
}
