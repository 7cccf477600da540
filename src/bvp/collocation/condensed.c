#include "bvp/collocation/condensed.h"

#include "bvp/dense_block.h"

#include <math.h>
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

/* X at stage j of interval i: inside chains it is the derivative of the state before. */
static void fill_states(const rg_condensed *l, const rg_curve *it, int64_t i, int j)
{
    const int nx = l->nx;
    const double h = it->t[i + 1] - it->t[i], *Xp = rg_curve_slope(it, i, 0);

    for (int x = 0; x < nx; x++) {
        double sum = 0.0;
        if (l->f->order[x] > 0) {
            l->X[x] = Xp[j * nx + x - 1];
            continue;
        }
        for (int k = 0; k < l->s; k++)
            sum += it->rule.A[j][k] * Xp[k * nx + x];
        l->X[x] = it->x[i * nx + x] + h * sum;
    }
}

static rg_status condense(rg_condensed *l, const rg_curve *it, int64_t i, bool is_new)
{
    const int n = l->n, nx = l->nx, s = l->s, q = l->stages.n_chains, size = l->stages.size;
    const double h = it->t[i + 1] - it->t[i];
    double *g = l->g + i * size, *gamma = l->gamma + i * nx;
    double *S = l->S + i * size * size, *U = l->U + i * size * nx;
    int *pivot = l->stage_pivot + i * size;

    for (int j = 0; j < s; j++) {
        const double *r = l->r + (i * s + j) * n;
        fill_states(l, it, i, j);
        RG_TRY(eliminate_w(l, i * s + j, it->t[i] + it->rule.c[j] * h, l->X, rg_curve_w(it, i, j),
                           is_new));
        for (int c = 0; c < q; c++)
            g[j * q + c] = r[l->stages.row[c]];
    }
    if (is_new) {
        rg_stages_fill(&l->stages, h, l->K + i * s * n * nx, S, U);
        if (!rg_block_factor(size, S, pivot)) return RG_RETRY;
        rg_block_solve(size, S, pivot, nx, U);
        rg_stages_gamma(&l->stages, h, U, l->chain->Gamma + i * nx * nx);
    }
    rg_block_solve(size, S, pivot, 1, g);
    for (int k = 0; k < nx; k++)
        gamma[k] = it->x[i * nx + k] - it->x[(i + 1) * nx + k] + rg_curve_growth(it, i, k);
    rg_stages_end(&l->stages, h, g, gamma);
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

static rg_status fold_conditions(rg_condensed *l, const rg_curve *it, bool is_new)
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

/* V = U dx + g, and from there all corrections of interval i.  The highest derivatives are V, the algebraic unknowns follow. */
static void expand_interval(rg_condensed *l, int64_t i, double h, rg_curve *d)
{
    rg_stages *stages = &l->stages;
    const int n = l->n, nx = l->nx, s = l->s, q = stages->n_chains, size = stages->size;
    const double *U = l->U + i * size * nx, *dx = d->x + i * nx;

    memcpy(l->V, l->g + i * size, (size_t)size * sizeof *l->V);
    for (int c = 0; c < nx; c++)
        for (int k = 0; k < size; k++)
            l->V[k] += U[(int64_t)c * size + k] * dx[c];
    rg_stages_unroll(stages, h, dx, l->V, rg_curve_slope(d, i, 0));
    for (int j = 0; j < s; j++) {
        double *dw = rg_curve_w(d, i, j);
        if (n > q) expand_w(l, i * s + j, stages->dX + j * nx, dw);
        for (int c = 0; c < q; c++)
            dw[stages->row[c]] = l->V[j * q + c];
    }
}

static void expand(rg_condensed *l, const rg_curve *it, rg_curve *d)
{
    for (int64_t i = 0; i < l->N; i++)
        expand_interval(l, i, it->t[i + 1] - it->t[i], d);
    for (int k = 0; k < l->n_nodes; k++)
        expand_w(l, l->N * l->s + k, d->x + it->node[k] * l->nx, d->wn + k * l->n);
}

/* Units of the chain: derivatives in a layer are larger than the unknowns by powers of 1/eps, and reflections mix them. */
static void set_units(rg_condensed *l, const rg_curve *it)
{
    for (int k = 0; k < l->nx; k++) {
        double most = 0.0;
        for (int64_t i = 0; i <= it->N; i++)
            most = fmax(most, fabs(it->x[i * l->nx + k]));
        l->chain->scale[k] = most > 0.0 && isfinite(most) ? exp2(round(log2(most))) : 1.0;
    }
}

rg_status rg_condensed_correct(rg_condensed *l, const rg_curve *it, bool is_new, rg_curve *delta)
{
    if (l->large != NULL) return rg_large_correct(l->large, it, is_new, delta);
    if (is_new) l->has_factors = l->is_singular = false;
    for (int64_t i = 0; i < l->N; i++)
        RG_TRY(condense(l, it, i, is_new));
    RG_TRY(fold_conditions(l, it, is_new));
    if (is_new) {
        l->stats->factorizations++;
        set_units(l, it);
        const rg_status status = rg_chain_factor(l->chain);
        l->has_factors = status == RG_OK;
        l->is_singular = status == (rg_status)RG_RETRY;
        if (status != RG_OK) return status;
    }
    rg_chain_solve(l->chain, l->gamma, l->beta, delta->x);
    expand(l, it, delta);
    return RG_OK;
}
