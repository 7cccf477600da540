/* Chooses between dense and sparse steps. */
#include "newton/step.h"

#include <float.h>
#include <math.h>

rg_status rg_newton_step_create(rg_start_system *s, bool basic, rg_newton_step **out)
{
    rg_newton_step *step = rg_alloc(s->ctx, 1, sizeof *step);
    rg_status status;

    *out = NULL;
    if (step == NULL) return RG_ERR_MEMORY;
    step->s = s;
    step->row_weight = rg_alloc(s->ctx, (size_t)s->n_rows, sizeof *step->row_weight);
    if (step->row_weight == NULL) {
        status = RG_ERR_MEMORY;
    } else if (s->n_columns <= RG_DENSE_COLUMNS) {
        status = rg_newton_dense_step_create(s, step->row_weight, &step->dense);
    } else {
        step->is_basic = basic;
        status = rg_sparse_step_create(s, basic, step->row_weight, &step->sparse);
    }
    if (status == RG_OK)
        *out = step;
    else
        rg_newton_step_destroy(&step);
    return status;
}

void rg_newton_step_destroy(rg_newton_step **step)
{
    if (*step == NULL) return;
    rg_context *ctx = (*step)->s->ctx;
    rg_newton_dense_step_destroy(&(*step)->dense);
    rg_sparse_step_destroy(&(*step)->sparse);
    rg_free(ctx, (*step)->row_weight);
    rg_free(ctx, *step);
    *step = NULL;
}

rg_status rg_newton_step_factor(rg_newton_step *step, double lambda)
{
    return step->dense != NULL ? rg_newton_dense_step_factor(step->dense, lambda)
                               : rg_sparse_step_factor(step->sparse, lambda);
}

void rg_newton_step_solve(rg_newton_step *step, const double *F, bool pull, double *d)
{
    for (int64_t j = 0; j < step->s->n_columns; j++)
        d[j] = 0;
    if (step->dense != NULL)
        rg_newton_dense_step_solve(step->dense, F, pull, d);
    else
        rg_sparse_step_solve(step->sparse, F, pull, d);
}

/* Where squares underflow or overflow. */
static double careful_merit(const rg_newton_step *step, const double *F)
{
    double most = 0, sum = 0;

    for (int64_t i = 0; i < step->s->n_rows; i++)
        most = fmax(most, fabs(step->row_weight[i] * F[i]));
    if (!(most > 0) || !isfinite(most)) return most;
    for (int64_t i = 0; i < step->s->n_rows; i++) {
        const double part = step->row_weight[i] * F[i] / most;
        sum += part * part;
    }
    return most * sqrt(sum);
}

double rg_newton_step_merit(const rg_newton_step *step, const double *F)
{
    double sum = 0;

    for (int64_t i = 0; i < step->s->n_rows; i++)
        sum += step->row_weight[i] * F[i] * (step->row_weight[i] * F[i]);
    return (sum > DBL_MIN / DBL_EPSILON && sum < DBL_MAX) || isnan(sum) ? sqrt(sum)
                                                                        : careful_merit(step, F);
}
