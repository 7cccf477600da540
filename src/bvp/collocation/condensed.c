#include "bvp/collocation/condensed.h"

#include "bvp/dense_block.h"

#include <string.h>

/* Stage or node number q: r = -Fw^-1 F, and with is_new also the factors and K = -Fw^-1 Fx. */
static rg_status eliminate_w(rg_condensed *l, int64_t q, double t, const double *X, const double *w,
                             bool is_new)
{
    const int n = l->n, nx = l->nx;
    double *Fw = l->Fw + q * n * n, *K = l->K + q * n * nx, *r = l->r + q * n;
    int *pivot = l->pivot + q * n;

    l->stats->evaluations++;
    if (is_new) {
        l->stats->jacobians++;
        RG_TRY(rg_bvp_form_jacobian(l->f, t, X, w, r, K, Fw));
        if (!rg_block_factor(n, Fw, pivot)) return RG_RETRY;
        rg_block_solve(n, Fw, pivot, nx, K);
        for (int k = 0; k < n * nx; k++)
            K[k] = -K[k];
    } else {
        RG_TRY(rg_bvp_form_residual(l->f, t, X, w, r));
    }
    rg_block_solve(n, Fw, pivot, 1, r);
    for (int k = 0; k < n; k++)
        r[k] = -r[k];
    return RG_OK;
}

/* M of one stage (nx x nx, column-major), from K and the chain. */
static void derivative_rows(const rg_condensed *l, int64_t q, double *M)
{
    const int nx = l->nx, n = l->n;
    const double *K = l->K + q * n * nx;

    for (int j = 0; j < nx; j++)
        for (int k = 0; k < nx; k++) {
            const int next = l->f->next[k];
            M[j * nx + k] = next >= 0 ? (next == j ? 1.0 : 0.0) : K[j * n + l->f->unknown[k]];
        }
}

/* m of one stage: what x' of the iterate lacks. */
static void derivative_miss(const rg_condensed *l, int64_t q, const double *X, const double *Xp,
                            double *m)
{
    for (int k = 0; k < l->nx; k++) {
        const int next = l->f->next[k];
        m[k] = next >= 0 ? X[next] - Xp[k] : l->r[q * l->n + l->f->unknown[k]];
    }
}

/* I - h (a_jk M_j), and M_j below each other as right-hand sides. */
static void fill_stages(rg_condensed *l, int64_t i, const rg_rule *rule, double h)
{
    const int nx = l->nx, s = l->s, size = s * nx;
    double *S = l->S + i * size * size, *U = l->U + i * size * nx;

    for (int k = 0; k < s; k++)
        for (int jc = 0; jc < nx; jc++) {
            double *column = S + (int64_t)(k * nx + jc) * size;
            for (int j = 0; j < s; j++)
                for (int row = 0; row < nx; row++)
                    column[j * nx + row] =
                        -h * rule->A[j][k] * l->M[(int64_t)j * nx * nx + jc * nx + row];
            column[k * nx + jc] += 1.0;
        }
    for (int jc = 0; jc < nx; jc++)
        for (int j = 0; j < s; j++)
            for (int row = 0; row < nx; row++)
                U[(int64_t)jc * size + j * nx + row] = l->M[(int64_t)j * nx * nx + jc * nx + row];
}

/* Gamma = I + h sum_j b_j U_j */
static void fill_gamma(rg_condensed *l, int64_t i, const rg_rule *rule, double h)
{
    const int nx = l->nx, size = l->s * nx;
    const double *U = l->U + i * size * nx;
    double *Gamma = l->chain->Gamma + i * nx * nx;

    for (int c = 0; c < nx; c++)
        for (int k = 0; k < nx; k++) {
            double sum = c == k ? 1.0 : 0.0;
            for (int j = 0; j < l->s; j++)
                sum += h * rule->b[j] * U[(int64_t)c * size + j * nx + k];
            Gamma[c * nx + k] = sum;
        }
}

static rg_status condense(rg_condensed *l, const rg_iterate *it, int64_t i, bool is_new)
{
    const int nx = l->nx, s = l->s, size = s * nx;
    const double h = it->t[i + 1] - it->t[i];
    double *g = l->g + i * size;
    double *S = l->S + i * size * size, *U = l->U + i * size * nx;

    for (int j = 0; j < s; j++) {
        const int64_t q = i * s + j;
        rg_iterate_stage(it, i, j, l->X);
        RG_TRY(eliminate_w(l, q, it->t[i] + it->rule.c[j] * h, l->X, rg_stage_w(it, i, j), is_new));
        derivative_miss(l, q, l->X, rg_stage_slope(it, i, j), g + j * nx);
        if (is_new) derivative_rows(l, q, l->M + (int64_t)j * nx * nx);
    }
    if (is_new) {
        fill_stages(l, i, &it->rule, h);
        if (!rg_block_factor(size, S, l->stages + i * size)) return RG_RETRY;
        rg_block_solve(size, S, l->stages + i * size, nx, U);
        fill_gamma(l, i, &it->rule, h);
    }
    rg_block_solve(size, S, l->stages + i * size, 1, g);
    for (int k = 0; k < nx; k++) { /* gamma = rho + h sum b_j g_j */
        double sum = it->x[i * nx + k] - it->x[(i + 1) * nx + k];
        for (int j = 0; j < s; j++)
            sum += h * it->rule.b[j] * (rg_stage_slope(it, i, j)[k] + g[j * nx + k]);
        l->gamma[i * nx + k] = sum;
    }
    return rg_condensed_project(l, it, i, is_new);
}

/* ---- conditions --------------------------------------------------------------------------------- */

/* Row `to` of the chain's B and beta from row `from` of the conditions:  c + c_x dx + c_w (K dx + r) = 0. */
static void fold_row(rg_condensed *l, int from, int to, bool is_new)
{
    const int n = l->n, nx = l->nx, nz = n + nx;
    const int64_t first = l->N * l->s;
    double beta = l->values[from];

    for (int k = 0; k < l->n_nodes; k++) {
        const double *row = l->J + ((int64_t)from * l->n_nodes + k) * nz;
        const double *r = l->r + (first + k) * n, *K = l->K + (first + k) * n * nx;
        for (int j = 0; j < n; j++)
            beta += row[nx + j] * r[j];
        for (int j = 0; is_new && j < nx; j++) {
            double sum = row[j];
            for (int i = 0; i < n; i++)
                if (row[nx + i] != 0.0) sum += row[nx + i] * K[j * n + i];
            l->chain->B[((int64_t)k * nx + j) * nx + to] = sum;
        }
    }
    l->beta[to] = -beta;
}

/* Node k, where w is not determined: as long as no condition reads it there, it does not matter. */
static rg_status leave_w(rg_condensed *l, int k)
{
    const int n = l->n, nx = l->nx, nz = n + nx;
    const int64_t q = l->N * l->s + k;

    RG_TRY(rg_bvp_conditions_eval(l->c, l->z, l->values, l->J));
    for (int i = 0; i < l->c->n_rows; i++)
        for (int j = nx; j < nz && !l->c->is_dropped[i]; j++)
            if (l->J[((int64_t)i * l->n_nodes + k) * nz + j] != 0.0) return RG_RETRY;
    memset(l->K + q * n * nx, 0, (size_t)(n * nx) * sizeof(double));
    memset(l->r + q * n, 0, (size_t)n * sizeof(double));
    l->is_left[k] = true;
    return RG_OK;
}

static rg_status fold_conditions(rg_condensed *l, const rg_iterate *it, bool is_new)
{
    const int n = l->n, nx = l->nx, nz = n + nx, inv = l->f->n_invariants;
    int to = 0;

    for (int k = 0; k < l->n_nodes; k++) {
        memcpy(l->z + k * nz, it->x + it->node[k] * nx, (size_t)nx * sizeof(double));
        memcpy(l->z + k * nz + nx, it->wn + k * n, (size_t)n * sizeof(double));
    }
    for (int k = 0; k < l->n_nodes; k++) {
        const double *x = l->z + k * nz, *w = x + nx;
        if (is_new) l->is_left[k] = false;
        if (l->is_left[k]) continue;
        const rg_status status = eliminate_w(l, l->N * l->s + k, it->t[it->node[k]], x, w, is_new);
        if (status < 0) return status;
        if (status != RG_OK) RG_TRY(leave_w(l, k));
    }
    RG_TRY(rg_bvp_conditions_eval(l->c, l->z, l->values, l->J));
    RG_TRY(rg_bvp_form_invariants(l->f, it->t[0], it->x, l->G, l->Gx));
    if (is_new) memset(l->chain->B, 0, (size_t)(l->n_nodes * nx * nx) * sizeof(double));
    for (int i = 0; i < l->c->n_rows; i++)
        if (!l->c->is_dropped[i]) fold_row(l, i, to++, is_new);
    for (int i = 0; i < inv; i++, to++) {
        l->beta[to] = -l->G[i];
        for (int j = 0; is_new && j < nx; j++)
            l->chain->B[(int64_t)j * nx + to] = l->Gx[j * inv + i];
    }
    return RG_OK;
}

/* ---- solution ----------------------------------------------------------------------------------- */

/* dw = K dX + r */
static void expand_w(const rg_condensed *l, int64_t q, const double *dX, double *dw)
{
    const int n = l->n;
    const double *K = l->K + q * n * l->nx;

    memcpy(dw, l->r + q * n, (size_t)n * sizeof *dw);
    for (int j = 0; j < l->nx; j++)
        for (int i = 0; i < n; i++)
            dw[i] += K[j * n + i] * dX[j];
}

static void expand(rg_condensed *l, const rg_iterate *it, rg_iterate *d)
{
    const int nx = l->nx, s = l->s, size = s * nx;

    for (int64_t i = 0; i < l->N; i++) {
        const double *U = l->U + i * size * nx, *dx = d->x + i * nx;
        double *dXp = d->Xp + i * size;
        memcpy(dXp, l->g + i * size, (size_t)size * sizeof *dXp);
        for (int c = 0; c < nx; c++)
            for (int k = 0; k < size; k++)
                dXp[k] += U[(int64_t)c * size + k] * dx[c];
        for (int j = 0; j < s; j++) {
            rg_iterate_stage(d, i, j, l->X);
            expand_w(l, i * s + j, l->X, rg_stage_w(d, i, j));
        }
    }
    for (int k = 0; k < l->n_nodes; k++)
        expand_w(l, l->N * s + k, d->x + it->node[k] * nx, d->wn + k * l->n);
}

static rg_status correct(rg_condensed *l, const rg_iterate *it, rg_iterate *delta, bool is_new)
{
    if (is_new) l->has_factors = l->is_singular = false;
    for (int64_t i = 0; i < l->N; i++)
        RG_TRY(condense(l, it, i, is_new));
    RG_TRY(fold_conditions(l, it, is_new));
    if (is_new) {
        l->stats->factorizations++;
        const rg_status status = rg_chain_factor(l->chain);
        l->has_factors = status == RG_OK;
        l->is_singular = status == (rg_status)RG_RETRY;
        if (status != RG_OK) return status;
    }
    rg_chain_solve(l->chain, l->gamma, l->beta, delta->x);
    expand(l, it, delta);
    return RG_OK;
}

rg_status rg_condensed_newton(rg_condensed *l, const rg_iterate *it, rg_iterate *delta)
{
    return correct(l, it, delta, true);
}

rg_status rg_condensed_simplified(rg_condensed *l, const rg_iterate *it, rg_iterate *delta)
{
    return correct(l, it, delta, false);
}
