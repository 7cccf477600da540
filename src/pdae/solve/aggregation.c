/* Conjugate gradients with aggregation multigrid: K-cycles (at most two steps of flexible
 * conjugate gradients on every coarser level), one forward Gauss-Seidel sweep before and one
 * backward sweep after the coarse correction, piecewise constant prolongation. */
#include "pdae/solve/aggregation.h"
#include "pdae/solve/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void multiply(const rg_elliptic_rows *A, const double *x, double *out)
{
    for (int64_t i = 0; i < A->n; i++) {
        double sum = A->diagonal[i] * x[i];
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
            sum -= A->value[k] * x[A->col[k]];
        out[i] = sum;
    }
}

/* Forward sweep from x = 0. */
static void sweep_forward(const rg_aggregation_level *at, const double *restrict b, double *x)
{
    const rg_elliptic_rows *A = &at->A;
    const int64_t *start = A->start, *middle = A->middle;
    const int32_t *col = A->col;
    const double *value = A->value, *inverse = at->inverse;

    for (int64_t i = 0; i < A->n; i++) {
        double sum = b[i];
        for (int64_t k = start[i]; k < middle[i]; k++)
            sum += value[k] * x[col[k]];
        x[i] = sum * inverse[i];
    }
}

/* After a forward sweep from 0 the residual of row i is the part of its later columns; summed over
 * the groups. */
static void restrict_residual(const rg_elliptic_rows *A, const double *x, const int32_t *to,
                              double *coarse)
{
    for (int64_t i = 0; i < A->n; i++) {
        double sum = 0.0;
        for (int64_t k = A->middle[i]; k < A->start[i + 1]; k++)
            sum += A->value[k] * x[A->col[k]];
        coarse[to[i]] += sum;
    }
}

/* The part that no row of this sweep changes before it is read, columns before i, goes first: only
 * the rest waits for the row behind. */
static void sweep_backward(const rg_aggregation_level *at, const double *restrict b, double *x)
{
    const rg_elliptic_rows *A = &at->A;
    const int64_t *start = A->start, *middle = A->middle;
    const int32_t *col = A->col;
    const double *value = A->value, *inverse = at->inverse;

    for (int64_t i = A->n - 1; i >= 0; i--) {
        double sum = b[i], late = 0.0;
        for (int64_t k = start[i]; k < middle[i]; k++)
            sum += value[k] * x[col[k]];
        for (int64_t k = middle[i]; k < start[i + 1]; k++)
            late += value[k] * x[col[k]];
        x[i] = (sum + late) * inverse[i];
    }
}

static void factor_coarsest(const rg_aggregation_level *at, double *L)
{
    const int64_t n = at->A.n;

    memset(L, 0, (size_t)(n * n) * sizeof *L);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = at->A.start[i]; k < at->A.start[i + 1]; k++)
            L[i * n + at->A.col[k]] += at->A.value[k];
    rg_coarsest_factor(n, at->excess, L);
}

static void solve_level(rg_aggregation *h, int l, const double *b, double *x);

/* One multigrid cycle on level l. */
static void cycle(rg_aggregation *h, int l, const double *b, double *x)
{
    const rg_aggregation_level *fine = &h->level[l];
    rg_aggregation_level *coarse = &h->level[l + 1];

    sweep_forward(fine, b, x);
    memset(coarse->b, 0, (size_t)coarse->A.n * sizeof *coarse->b);
    restrict_residual(&fine->A, x, fine->to, coarse->b);
    solve_level(h, l + 1, coarse->b, coarse->x);
    for (int64_t i = 0; i < fine->A.n; i++)
        x[i] += coarse->x[fine->to[i]];
    sweep_backward(fine, b, x);
}

/* At most two steps of conjugate gradients that are preconditioned by a cycle; the second only
 * where the first has not divided the residual by 4. */
static void solve_level(rg_aggregation *h, int l, const double *b, double *x)
{
    rg_aggregation_level *at = &h->level[l];
    const int64_t n = at->A.n;

    if (l == h->n_levels - 1) {
        if (h->factor)
            rg_coarsest_solve(n, h->factor, b, x);
        else
            sweep_forward(at, b, x), sweep_backward(at, b, x);
        return;
    }
    cycle(h, l, b, at->c);
    multiply(&at->A, at->c, at->v);
    const double rho1 = rg_gradients_dot(n, at->c, at->v), alpha1 = rg_gradients_dot(n, at->c, b);
    const double step = rho1 > 0.0 ? alpha1 / rho1 : 0.0;
    for (int64_t i = 0; i < n; i++) {
        x[i] = step * at->c[i];
        at->r[i] = b[i] - step * at->v[i];
    }
    if (!(rho1 > 0.0)
        || rg_gradients_dot(n, at->r, at->r)
               <= RG_GRID_INNER_FALL * RG_GRID_INNER_FALL * rg_gradients_dot(n, b, b))
        return;
    cycle(h, l, at->r, at->d);
    multiply(&at->A, at->d, at->w);
    const double gamma = rg_gradients_dot(n, at->d, at->v),
                 beta = rg_gradients_dot(n, at->d, at->w),
                 alpha2 = rg_gradients_dot(n, at->d, at->r), rho2 = beta - gamma * gamma / rho1;
    if (!(rho2 > 0.0)) return;
    const double first = -gamma * alpha2 / (rho1 * rho2), second = alpha2 / rho2;
    for (int64_t i = 0; i < n; i++)
        x[i] += first * at->c[i] + second * at->d[i];
}

static void destroy(rg_elliptic *e, void *state)
{
    rg_aggregation *h = state;

    for (int l = 0; l < RG_AGGREGATION_LEVELS; l++) {
        rg_elliptic_rows_free(e->ctx, &h->level[l].A);
        rg_free(e->ctx, h->level[l].excess);
        rg_free(e->ctx, h->level[l].inverse);
        rg_free(e->ctx, h->level[l].to);
        rg_free(e->ctx, h->level[l].b);
    }
    rg_free(e->ctx, h->factor);
    rg_gradients_free(e->ctx, &h->outer);
    rg_free(e->ctx, h);
}

static void multiply_top(void *state, double *x, double *out)
{
    const rg_aggregation *h = state;

    multiply(&h->level[0].A, x, out);
}

static void precondition(void *state, double *r, double *z)
{
    rg_aggregation *h = state;
    const rg_elliptic_rows *A = &h->level[0].A;

    if (h->n_levels == 1 && h->factor)
        rg_coarsest_solve(A->n, h->factor, r, z);
    else if (h->n_levels == 1)
        sweep_forward(&h->level[0], r, z), sweep_backward(&h->level[0], r, z);
    else
        cycle(h, 0, r, z);
}

static rg_status invert_diagonals(rg_context *ctx, rg_aggregation *h)
{
    for (int l = 0; l < h->n_levels; l++) {
        rg_aggregation_level *at = &h->level[l];
        at->inverse = rg_alloc(ctx, (size_t)at->A.n, sizeof *at->inverse);
        if (at->inverse == NULL) return RG_ERR_MEMORY;
        for (int64_t i = 0; i < at->A.n; i++)
            at->inverse[i] = at->A.diagonal[i] > 0.0 ? 1.0 / at->A.diagonal[i] : 0.0;
    }
    return RG_OK;
}

static rg_status make_vectors(rg_context *ctx, rg_aggregation *h)
{
    RG_TRY(invert_diagonals(ctx, h));
    RG_TRY(rg_gradients_create(ctx, h->level[0].A.n, &h->outer));
    h->outer.of = h;
    h->outer.multiply = multiply_top;
    h->outer.precondition = precondition;
    h->outer.diagonal = h->level[0].A.diagonal;
    for (int l = 1; l < h->n_levels; l++) {
        rg_aggregation_level *at = &h->level[l];
        const size_t m = (size_t)at->A.n;
        at->b = rg_alloc(ctx, 7 * m, sizeof *at->b);
        if (at->b == NULL) return RG_ERR_MEMORY;
        double **vector[] = {&at->x, &at->c, &at->v, &at->r, &at->d, &at->w};
        for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
            *vector[k] = at->b + (k + 1) * m;
    }
    return RG_OK;
}

static rg_status create(rg_elliptic *e, void **state)
{
    rg_aggregation *h = rg_alloc(e->ctx, 1, sizeof *h);
    rg_aggregation_level *top;
    bool made = true;

    if (h == NULL) return RG_ERR_MEMORY;
    *state = h;
    top = &h->level[0];
    RG_TRY(rg_elliptic_rows_create(e, &top->A));
    top->excess = rg_alloc(e->ctx, (size_t)e->n, sizeof *top->excess);
    if (top->excess == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < e->n; i++) {
        double sum = top->A.diagonal[i];
        for (int64_t k = top->A.start[i]; k < top->A.start[i + 1]; k++)
            sum -= top->A.value[k];
        top->excess[i] = sum > 8.0 * DBL_EPSILON * top->A.diagonal[i] ? sum : 0.0;
    }
    h->n_levels = 1;
    while (made && h->level[h->n_levels - 1].A.n > RG_GRID_COARSEST
           && h->n_levels < RG_AGGREGATION_LEVELS) {
        RG_TRY(rg_aggregation_coarsen(e->ctx, h, h->n_levels - 1, &made));
        h->n_levels += made;
    }
    const int64_t last = h->level[h->n_levels - 1].A.n;
    if (last <= 10 * RG_GRID_COARSEST) {
        h->factor = rg_alloc(e->ctx, (size_t)(last * (last + 1)), sizeof *h->factor);
        if (h->factor == NULL) return RG_ERR_MEMORY;
        factor_coarsest(&h->level[h->n_levels - 1], h->factor);
    }
    return make_vectors(e->ctx, h);
}

static rg_status solve(rg_elliptic *e, void *state, const double *b, double *x)
{
    rg_aggregation *h = state;

    return rg_gradients_solve(e, &h->outer, b, x);
}

const rg_elliptic_method rg_elliptic_aggregation = {.name = "aggregation",
                                                    .next = &rg_elliptic_direct,
                                                    .create = create,
                                                    .solve = solve,
                                                    .destroy = destroy};
