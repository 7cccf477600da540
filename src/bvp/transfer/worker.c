/* The equations as each thread sees them: as they are, or folded.
 *
 * Folding: with r = a + b - t and yb(t) = y(r), for t from a to the middle,
 *
 *     diag(A(t), -A(r)) (y; yb)' + diag(B(t), B(r)) (y; yb) = (f(t); f(r)).
 *
 * Conditions that join both ends become conditions at a, and y = yb in the middle closes the
 * system. */
#include "bvp/transfer/transfer_impl.h"

#include <math.h>
#include <string.h>

/* Unknown j in its unit. */
static void scale_columns(const rg_transfer *q, double *A, double *dA, double *B)
{
    const int m = q->m;

    for (int k = 0; k < m * m; k++) {
        A[k] *= q->unit[k / m];
        B[k] *= q->unit[k / m];
        if (dA != NULL) dA[k] *= q->unit[k / m];
    }
}

/* A model that is not linear is linearized along `frozen`; f belongs to `now`:  f = A y' + B
 * y - F(t, y, y'). */
rg_status rg_worker_model(void *user, double t, double *A, double *dA, double *B, double *f)
{
    rg_worker *w = user;
    const rg_transfer *q = w->transfer;
    double *const y = w->y, *const yp = y + q->m, *const ypp = yp + q->m;
    const rg_linear_point at = {y, yp, ypp};

    if (q->frozen == NULL) {
        RG_TRY(rg_linear_eval(w->linear, t, A, dA, B, f));
        scale_columns(q, A, dA, B);
        return RG_OK;
    }
    rg_transfer_curve_eval(q->frozen, t, y, yp, ypp);
    RG_TRY(rg_linear_eval_at(w->linear, t, &at, A, dA, B, f));
    if (q->now == q->frozen) return RG_OK;
    rg_transfer_curve_eval(q->now, t, y, yp, NULL);
    return rg_linear_force(w->linear, t, &at, A, B, f);
}

/* Block `part` of the folded matrices from those of the model in w. */
static void put_block(const rg_worker *w, int part, double *A, double *dA, double *B)
{
    const int m = w->transfer->m, n = 2 * m;
    const double sign = part == 0 ? 1.0 : -1.0;

    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            const int to = (part * m + j) * n + part * m + i, from = j * m + i;
            A[to] = sign * w->A[from];
            dA[to] = w->dA[from]; /* (-A(a + b - t))' = A'(a + b - t) */
            B[to] = w->B[from];
        }
}

static rg_status folded(void *user, double t, double *A, double *dA, double *B, double *f)
{
    rg_worker *w = user;
    const rg_transfer *q = w->transfer;
    const size_t bytes = 4 * (size_t)q->m * (size_t)q->m * sizeof *A;

    memset(A, 0, bytes);
    memset(dA, 0, bytes);
    memset(B, 0, bytes);
    RG_TRY(rg_worker_model(w, t, w->A, w->dA, w->B, f));
    put_block(w, 0, A, dA, B);
    RG_TRY(rg_worker_model(w, q->a + q->b - t, w->A, w->dA, w->B, f + q->m));
    put_block(w, 1, A, dA, B);
    return RG_OK;
}

rg_status rg_worker_open(rg_transfer *t, rg_context *ctx, rg_context *own, rg_worker *w)
{
    w->ctx = ctx;
    w->own = own;
    w->transfer = t;
    RG_TRY(rg_linear_create(ctx, t->problem, t->linearity.is_varying, &w->linear));
    const size_t m = (size_t)rg_linear_states(w->linear)->n_states;
    w->A = rg_alloc(ctx, m * m, sizeof *w->A);
    w->dA = rg_alloc(ctx, m * m, sizeof *w->dA);
    w->B = rg_alloc(ctx, m * m, sizeof *w->B);
    w->y = rg_alloc(ctx, 3 * m, sizeof *w->y);
    return w->A == NULL || w->dA == NULL || w->B == NULL || w->y == NULL ? RG_ERR_MEMORY : RG_OK;
}

rg_status rg_worker_start(rg_worker *w)
{
    const rg_transfer *t = w->transfer;

    return rg_field_create(w->ctx, t->size, t->linearity.is_varying, t->quasi == NULL,
                           fabs(t->b - t->a), t->is_folded ? folded : rg_worker_model, w, t->low,
                           &w->field);
}

void rg_worker_clear(rg_worker *w)
{
    rg_field_destroy(&w->field);
    rg_linear_destroy(&w->linear);
    if (w->ctx != NULL) {
        rg_free(w->ctx, w->A);
        rg_free(w->ctx, w->dA);
        rg_free(w->ctx, w->B);
        rg_free(w->ctx, w->y);
    }
    rg_context_destroy(&w->own);
    *w = (rg_worker){.ctx = NULL};
}
