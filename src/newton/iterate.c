/* Workspace of the stages, and what they share. */
#include "newton/iterate.h"

#include <math.h>
#include <string.h>

rg_status rg_iteration_create(rg_start_system *s, bool basic, rg_iteration **out)
{
    rg_iteration *it = rg_alloc(s->ctx, 1, sizeof *it);
    rg_status status = RG_ERR_MEMORY;

    *out = NULL;
    if (it == NULL) return RG_ERR_MEMORY;
    it->s = s;
    it->d = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *it->d);
    it->z = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *it->z);
    it->bar = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *it->bar);
    it->last = rg_alloc(s->ctx, (size_t)s->n_columns, sizeof *it->last);
    it->F = rg_alloc(s->ctx, (size_t)s->n_rows, sizeof *it->F);
    it->F0 = rg_alloc(s->ctx, (size_t)s->n_rows, sizeof *it->F0);
    if (it->d != NULL && it->z != NULL && it->bar != NULL && it->last != NULL && it->F != NULL
        && it->F0 != NULL)
        status = rg_newton_step_create(s, basic, &it->step);
    if (status == RG_OK)
        *out = it;
    else
        rg_iteration_destroy(&it);
    return status;
}

void rg_iteration_destroy(rg_iteration **iteration)
{
    rg_iteration *it = *iteration;

    if (it == NULL) return;
    rg_context *ctx = it->s->ctx;
    rg_newton_step_destroy(&it->step);
    rg_free(ctx, it->d);
    rg_free(ctx, it->z);
    rg_free(ctx, it->bar);
    rg_free(ctx, it->last);
    rg_free(ctx, it->F);
    rg_free(ctx, it->F0);
    rg_free(ctx, it);
    *iteration = NULL;
}

double rg_iteration_change(const rg_iteration *it, const double *d)
{
    const rg_start_system *s = it->s;
    double largest = 0;

    for (int64_t j = 0; j < s->n_columns; j++) {
        const double change = fabs(d[j]) / (fabs(s->z[j]) + s->floors[j]);
        if (!(change <= largest)) largest = change; /* also catches NaN */
    }
    return largest;
}

rg_status rg_iteration_prepare(rg_iteration *it, double lambda)
{
    RG_TRY(rg_start_poll(it->s));
    RG_TRY(rg_start_linearize(it->s));
    return rg_newton_step_factor(it->step, lambda);
}

rg_status rg_newton_polish(rg_iteration *it)
{
    enum { STEPS = 3 };
    rg_start_system *s = it->s;

    RG_TRY(rg_iteration_prepare(it, 0));
    for (int k = 0; k < STEPS; k++) { /* the factors serve all of them */
        const double merit = rg_newton_step_merit(it->step, s->F);
        rg_newton_step_solve(it->step, s->F, false, it->d);
        for (int64_t j = 0; j < s->n_columns; j++)
            it->z[j] = s->z[j] + it->d[j];
        const rg_status status = rg_start_residual(s, it->z, it->F);
        if (status < 0) return status;
        if (status != RG_OK || !(rg_newton_step_merit(it->step, it->F) < merit)) break;
        memcpy(s->z, it->z, (size_t)s->n_columns * sizeof *s->z);
        memcpy(s->F, it->F, (size_t)s->n_rows * sizeof *s->F);
    }
    return rg_start_linearize(s);
}
