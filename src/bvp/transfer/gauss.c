/* The linear Gauss step.
 *
 * The subspace im u(t), u = A^T psi, is moved by the linear equation phi' = K phi; (14a) only
 * chooses the basis in it.  So a step needs no Newton iteration:
 *
 *     Phi_p = u_n + dt sum_q a_pq K_q Phi_q,     K_q = K(t_n + c_q dt),          p = 1 .. s,
 *     phi   = u_n + dt sum_q b_q K_q Phi_q,      then phi <- P(t_{n+1}) phi where A varies,
 *     g     = h_n + dt sum_q b_q (X_q Phi_q)^T f(t_n + c_q dt),
 *     phi   = u_{n+1} T,  u_{n+1}^T u_{n+1} = I,     h_{n+1} = T^-T g.
 *
 * Order 2 s for u and h; the invariant psi^T A A^T psi of Petry (14a) holds to rounding. */
#include "bvp/transfer/gauss.h"

#include "bvp/transfer/tuning.h"
#include "linalg/orthonormal.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "linalg/vectors.h"

#include <math.h>
#include <string.h>

rg_status rg_gauss_work_create(rg_field *field, int stages, int columns, rg_gauss_work **out)
{
    rg_gauss_work *w = rg_alloc(field->ctx, 1, sizeof *w);
    const size_t m = (size_t)field->m, s = (size_t)stages, k = (size_t)columns;
    rg_status status = RG_ERR_MEMORY;

    *out = NULL;
    if (w == NULL) return RG_ERR_MEMORY;
    w->ctx = field->ctx;
    w->field = field;
    rg_rule_init(RG_RULE_GAUSS, stages, &w->gauss);
    w->K = rg_alloc(w->ctx, s * m * m, sizeof *w->K);
    w->X = rg_alloc(w->ctx, s * m * m, sizeof *w->X);
    w->f = rg_alloc(w->ctx, s * m, sizeof *w->f);
    w->Phi = rg_alloc(w->ctx, s * m * k, sizeof *w->Phi);
    w->part = rg_alloc(w->ctx, 2 * m * (k + 1) + k, sizeof *w->part);
    if (w->K != NULL && w->X != NULL && w->f != NULL && w->Phi != NULL && w->part != NULL)
        status = RG_OK;
    if (w->part != NULL) w->sizes = w->part + 2 * m * (k + 1);
    w->n_factors = s * m <= RG_TRANSFER_GAUSS_LARGE ? 2 : 1;
    for (int i = 0; i < w->n_factors && status == RG_OK; i++) {
        w->factor[i].K = rg_alloc(w->ctx, s * m * m, sizeof *w->K);
        status = w->factor[i].K == NULL
                     ? RG_ERR_MEMORY
                     : rg_lu_create(w->ctx, (int64_t)(s * m), false, &w->factor[i].lu);
    }
    if (status != RG_OK)
        rg_gauss_work_destroy(&w);
    else
        *out = w;
    return status;
}

void rg_gauss_work_destroy(rg_gauss_work **work)
{
    rg_gauss_work *w = *work;

    if (w == NULL) return;
    rg_free(w->ctx, w->K);
    rg_free(w->ctx, w->X);
    rg_free(w->ctx, w->f);
    rg_free(w->ctx, w->Phi);
    rg_free(w->ctx, w->part);
    for (int i = 0; i < 2; i++) {
        rg_lu_destroy(&w->factor[i].lu);
        rg_free(w->ctx, w->factor[i].K);
    }
    rg_free(w->ctx, w);
    *work = NULL;
}

/* K_q, X_q, f_q of all stages. */
static rg_status take_stages(rg_gauss_work *w, double t, double dt)
{
    const rg_field *field = w->field;
    const size_t m = (size_t)field->m, square = m * m;

    for (int q = 0; q < w->gauss.s; q++) {
        RG_TRY(rg_field_transfer(w->field, t + w->gauss.c[q] * dt));
        memcpy(w->K + (size_t)q * square, field->K, square * sizeof(double));
        memcpy(w->X + (size_t)q * square, field->X, square * sizeof(double));
        memcpy(w->f + (size_t)q * m, field->f, m * sizeof(double));
    }
    return RG_OK;
}

/* Blocks delta_pq I - dt a_pq K_q. */
static void fill_matrix(const rg_gauss_work *w, double dt, rg_lu *lu)
{
    const int m = w->field->m, s = w->gauss.s, n = s * m;

    for (int q = 0; q < s; q++)
        for (int j = 0; j < m; j++) {
            double *column = rg_lu_values(lu) + (int64_t)(q * m + j) * n;
            const double *K = w->K + (q * m + j) * m;
            for (int p = 0; p < s; p++)
                for (int i = 0; i < m; i++)
                    column[p * m + i] = (p == q && i == j) - dt * w->gauss.A[p][q] * K[i];
        }
}

/* The factored matrix of the step: one of the last two, or a new one in place of the older. */
static rg_status take_factors(rg_gauss_work *w, double dt, const rg_lu **out)
{
    const size_t bytes =
        (size_t)w->gauss.s * (size_t)w->field->m * (size_t)w->field->m * sizeof *w->K;

    for (int i = 0; i < w->n_factors; i++)
        if (w->factor[i].dt == dt && memcmp(w->factor[i].K, w->K, bytes) == 0) {
            w->recent = i;
            *out = w->factor[i].lu;
            return RG_OK;
        }
    w->recent = (w->recent + 1) % w->n_factors;
    w->factor[w->recent].dt = 0.0; /* until it is factored */
    fill_matrix(w, dt, w->factor[w->recent].lu);
    w->field->factorizations++;
    RG_TRY(rg_lu_factor(w->factor[w->recent].lu));
    memcpy(w->factor[w->recent].K, w->K, bytes);
    w->factor[w->recent].dt = dt;
    *out = w->factor[w->recent].lu;
    return RG_OK;
}

/* phi += dt b K Phi and g += dt b Phi^T (X^T f) of one stage, for all k columns; w->sizes: those
 * increments without signs. */
static void add_stage(rg_gauss_work *w, int q, double dt, int k, double *phi, double *g)
{
    const int m = w->field->m, s = w->gauss.s;
    const double *K = w->K + q * m * m, *X = w->X + q * m * m, *f = w->f + q * m;
    const double factor = dt * w->gauss.b[q];
    double *force = w->part, *size = force + m, *Phi = size + m, *product = Phi + m * k;

    for (int j = 0; j < m; j++) {
        force[j] = size[j] = 0.0;
        for (int i = 0; i < m; i++) {
            force[j] += f[i] * X[j * m + i];
            size[j] += fabs(f[i] * X[j * m + i]);
        }
    }
    for (int c = 0; c < k; c++) {
        memcpy(Phi + c * m, w->Phi + (c * s + q) * m, (size_t)m * sizeof *Phi);
        const double slope = rg_dot(m, force, Phi + c * m);
        g[c] += factor * slope;
        w->slope = fmax(w->slope, fabs(slope));
        for (int j = 0; j < m; j++)
            w->sizes[c] += fabs(factor * Phi[c * m + j]) * size[j];
    }
    rg_multiply(m, m, k, K, Phi, product);
    rg_add_multiple((int64_t)m * k, factor, product, phi);
}

static void keep_psi(const rg_gauss_work *w, int q, const double *Phi, double *psi)
{
    const int m = w->field->m;
    const double *X = w->X + q * m * m;

    memset(psi, 0, (size_t)m * sizeof *psi);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            psi[i] += X[j * m + i] * Phi[j];
}

rg_status rg_gauss_step(rg_gauss_work *w, double t, double dt, int k, const double *u,
                        const double *h, double *phi, double *g)
{
    const int m = w->field->m, s = w->gauss.s;

    const rg_lu *lu;

    RG_TRY(take_stages(w, t, dt));
    RG_TRY(take_factors(w, dt, &lu));
    if (w->field->is_varying) RG_TRY(rg_field_at(w->field, t + dt)); /* for P */
    for (int c = 0; c < k; c++) {
        for (int p = 0; p < s; p++)
            memcpy(w->Phi + (c * s + p) * m, u + c * m, (size_t)m * sizeof *u);
        w->sizes[c] = 0.0;
    }
    w->slope = 0.0;
    rg_lu_solve_all(lu, k, w->Phi);
    memmove(phi, u, (size_t)(m * k) * sizeof *u);
    memmove(g, h, (size_t)k * sizeof *h);
    for (int q = 0; q < s; q++)
        add_stage(w, q, dt, k, phi, g);
    w->forced = 0.0;
    for (int c = 0; c < k; c++) {
        w->forced = fmax(w->forced, w->sizes[c]);
        for (int q = 0; q < s && w->psi != NULL; q++)
            keep_psi(w, q, w->Phi + (c * s + q) * m, w->psi + (c * s + q) * m);
        if (w->field->is_varying) rg_field_project(w->field, phi + c * m);
    }
    return RG_OK;
}

bool rg_normalise(int m, int k, double *phi, double *g, double *T)
{
    if (!(rg_orthonormalize(m, k, phi, T) > rg_rank_floor(RG_NOISE_EXACT))) return false;
    rg_solve_transposed(k, T, g);
    return true;
}
