/* The chart of a node of the Riccati form (formulas: sweep_riccati.c): nodes in it, the polynomial
 * through them, values between nodes. */
#include "bvp/transfer/sweep_riccati_impl.h"
#include "linalg/vectors.h"

#include <string.h>

rg_status rg_riccati_create(rg_sweep *s)
{
    rg_riccati *w = s->riccati = rg_alloc(s->ctx, 1, sizeof *w);
    const size_t m = (size_t)s->m, k = (size_t)s->k;

    if (w == NULL) return RG_ERR_MEMORY;
    w->N = rg_alloc(s->ctx, m * m, sizeof *w->N);
    w->phi = rg_alloc(s->ctx, 4 * m * k, sizeof *w->phi);
    w->V = rg_alloc(s->ctx, 2 * k * k + 2 * k, sizeof *w->V);
    w->Y = rg_alloc(s->ctx, RG_RICCATI_PAST * (m + 1) * k, sizeof *w->Y);
    if (w->N == NULL || w->phi == NULL || w->V == NULL || w->Y == NULL) return RG_ERR_MEMORY;
    w->Kphi = w->phi + m * k;
    w->Y_far = w->Kphi + m * k;
    w->rows = w->Y_far + m * k;
    w->square = w->V + k * k;
    w->h_far = w->square + k * k;
    w->row = w->h_far + k;
    w->h = w->Y + RG_RICCATI_PAST * m * k;
    RG_TRY(rg_lu_create(s->ctx, s->k, false, &w->lu));
    RG_TRY(rg_subspace_create(s));
    return rg_schur_create(s->ctx, s->m, &w->schur);
}

void rg_riccati_destroy(rg_sweep *s)
{
    rg_riccati *w = s->riccati;

    if (w == NULL) return;
    rg_subspace_destroy(s);
    rg_free(s->ctx, w->N);
    rg_free(s->ctx, w->phi);
    rg_free(s->ctx, w->V);
    rg_free(s->ctx, w->Y);
    rg_lu_destroy(&w->lu);
    rg_schur_destroy(&w->schur);
    rg_free(s->ctx, w);
    s->riccati = NULL;
}

rg_status rg_riccati_into_chart(const rg_sweep *s, const double *U, const double *x, double *Y,
                                double *h)
{
    const int m = s->m, k = s->k;
    rg_riccati *w = s->riccati;

    rg_multiply_transposed(m, k, k, x, U, rg_lu_values(w->lu)); /* X^T */
    RG_TRY(rg_lu_factor(w->lu));
    for (int j = 0; j < k; j++)
        for (int i = 0; i < m; i++)
            w->rows[i * k + j] = x[j * m + i];
    rg_lu_solve_all(w->lu, m, w->rows);
    for (int j = 0; j < k; j++)
        for (int i = 0; i < m; i++)
            Y[j * m + i] = w->rows[i * k + j];
    if (h != NULL) rg_lu_solve(w->lu, h, NULL);
    return RG_OK;
}

void rg_riccati_take_past(const rg_sweep *s, int64_t last, int64_t centre, int most)
{
    const int m = s->m, k = s->k, size = m * k;
    rg_riccati *w = s->riccati;
    const double *U = s->u + centre * size;

    w->n_past = 0;
    for (int j = 0; j < most && last - j >= w->first; j++) {
        const int64_t node = last - j;
        double *Y = w->Y + j * size, *h = w->h + j * k;
        memcpy(h, s->h + node * k, (size_t)k * sizeof *h);
        if (node == centre)
            memset(Y, 0, (size_t)size * sizeof *Y);
        else if (rg_riccati_into_chart(s, U, s->u + node * size, Y, h) != RG_OK)
            return; /* turned too far: not used */
        for (int i = 0; i < size && node != centre; i++)
            Y[i] -= U[i];
        w->t[w->n_past++] = s->t[node];
    }
}

void rg_riccati_weights(int n, const double *t, double at, double *weight)
{
    for (int j = 0; j < n; j++) {
        weight[j] = 1.0;
        for (int i = 0; i < n; i++)
            if (i != j) weight[j] *= (at - t[i]) / (t[j] - t[i]);
    }
}

void rg_riccati_combine(const rg_sweep *s, int n, const double *weight, double *Y, double *h)
{
    const int size = s->m * s->k, k = s->k;
    const rg_riccati *w = s->riccati;

    memset(Y, 0, (size_t)size * sizeof *Y);
    memset(h, 0, (size_t)k * sizeof *h);
    for (int j = 0; j < n; j++) {
        rg_add_multiple(size, weight[j], w->Y + j * size, Y);
        rg_add_multiple(k, weight[j], w->h + j * k, h);
    }
}

void rg_riccati_apply_K(const rg_sweep *s, const double *U)
{
    const int m = s->m, k = s->k;
    rg_riccati *w = s->riccati;
    const double *K = s->field->K;

    rg_multiply(m, m, k, K, w->phi, w->Kphi);
    rg_multiply_transposed(m, k, k, U, w->Kphi, w->V);
}

rg_status rg_riccati_leave_chart(rg_sweep *s, double dt, rg_candidate *v)
{
    const int m = s->m, k = s->k;
    rg_riccati *w = s->riccati;
    rg_candidate room = rg_sweep_candidate(s, 4);
    double *M = room.T, *turned = room.u;

    memcpy(v->u, w->phi, (size_t)(m * k) * sizeof *v->u);
    if (!rg_normalise(m, k, v->u, v->h, M)) return RG_RETRY;
    for (int j = 0; j < m; j++) { /* dY <- dY M^-1, row by row: M^-T of its transpose */
        for (int c = 0; c < k; c++)
            w->row[c] = w->Y_far[c * m + j];
        rg_solve_transposed(k, M, w->row);
        for (int c = 0; c < k; c++)
            w->Y_far[c * m + j] = w->row[c];
    }
    rg_solve_transposed(k, M, w->h_far);
    for (int j = 0; j < k; j++) /* M (I + dt V) = square T */
        for (int i = 0; i < k; i++) {
            double sum = M[j * k + i];
            for (int l = i; l < k; l++)
                sum += M[l * k + i] * dt * w->V[j * k + l];
            w->square[j * k + i] = sum;
        }
    if (!(rg_orthonormalize(k, k, w->square, v->T) > 0.0)) return RG_RETRY;
    rg_multiply(m, k, k, v->u, w->square, turned);
    memcpy(v->u, turned, (size_t)(m * k) * sizeof *turned);
    rg_multiply(m, k, k, w->Y_far, w->square, s->local.du);
    rg_multiply_transposed(k, k, 1, w->square, w->h_far, s->local.dh);
    memcpy(w->row, v->h, (size_t)k * sizeof *w->row);
    rg_multiply_transposed(k, k, 1, w->square, w->row, v->h);
    return RG_OK;
}

rg_status rg_riccati_eval(rg_sweep *s, int64_t node, double t, double *u, double *h, int n,
                          double *more)
{
    const int m = s->m, k = s->k, order = s->order[node + 1];
    rg_riccati *w = s->riccati;
    const double *U = s->u + node * m * k, dt = t - s->t[node];
    rg_candidate room = rg_sweep_candidate(s, 4);
    double weight[RG_RICCATI_PAST];
    const int64_t first = w->first;

    w->first = 0;
    rg_riccati_take_past(s, node + 1, node, order + 1);
    w->first = first;
    if (w->n_past < 2) return RG_RETRY;
    rg_riccati_weights(w->n_past, w->t, t, weight);
    rg_riccati_combine(s, w->n_past, weight, u, h);
    for (int i = 0; i < m * k; i++)
        u[i] += U[i];
    memcpy(w->phi, u, (size_t)(m * k) * sizeof *u);
    if (n > 0) {
        RG_TRY(rg_field_transfer(s->field, t));
        rg_riccati_apply_K(s, U);
        for (int j = 0; j < k; j++)
            for (int i = 0; i < k; i++)
                rg_lu_values(w->lu)[j * k + i] = dt * w->V[i * k + j] + (i == j);
        RG_TRY(rg_lu_factor(w->lu));
    }
    if (s->field->is_varying) {
        RG_TRY(rg_field_at(s->field, t));
        for (int c = 0; c < k; c++)
            rg_field_project(s->field, u + c * m);
    }
    if (!rg_normalise(m, k, u, h, room.T)) return RG_RETRY;
    for (int c = 0; c < n; c++) {
        rg_lu_solve(w->lu, more + c * k, NULL);
        rg_solve_transposed(k, room.T, more + c * k);
    }
    return RG_OK;
}
