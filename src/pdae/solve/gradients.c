/* Flexible conjugate gradients: each direction is conjugate to the one before, so that the
 * preconditioner need not be the same matrix in every iteration. */
#include "pdae/solve/gradients.h"

#include "base/vector.h"
#include "pdae/solve/tuning.h"

#include <string.h>

enum { SUMS = 2 * RG_LANES };

RG_FOR_ALL_VECTORS
double rg_gradients_dot(int64_t n, const double *a, const double *b)
{
    rg_quad low = {0.0}, high = {0.0};
    int64_t i = 0;

    for (; i + SUMS <= n; i += SUMS) {
        low += RG_FOUR(a + i) * RG_FOUR(b + i);
        high += RG_FOUR(a + i + RG_LANES) * RG_FOUR(b + i + RG_LANES);
    }
    for (int k = 0; i < n; i++, k++) {
        if (k < RG_LANES)
            low[k] += a[i] * b[i];
        else
            high[k - RG_LANES] += a[i] * b[i];
    }
    return ((low[0] + low[1]) + (low[2] + low[3])) + ((high[0] + high[1]) + (high[2] + high[3]));
}

/* y <- x + a y */
RG_FOR_ALL_VECTORS
static void follow(int64_t n, const double *restrict x, double a, double *restrict y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] + a * y[i];
}

/* y <- y + a x */
RG_FOR_ALL_VECTORS
static void add(int64_t n, double a, const double *restrict x, double *restrict y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

/* Only up to a constant: what rounding has left in the sum of r goes to the rows where it matters
 * least, those with large diagonals; z has mean 0. */
static void balance(const rg_gradients *g)
{
    const double *d = g->diagonal;
    double sum = 0.0, of_d = 0.0;

    for (int64_t i = 0; i < g->n; i++)
        sum += g->r[i], of_d += d[i];
    if (of_d > 0.0) add(g->n, -sum / of_d, d, g->r);
}

static void remove_mean(const rg_gradients *g)
{
    double sum = 0.0;
    int64_t cells = 0;

    for (int64_t i = 0; i < g->n; i++)
        if (g->diagonal[i] > 0.0) sum += g->z[i], cells++;
    if (cells == 0) return;
    for (int64_t i = 0; i < g->n; i++)
        g->z[i] -= sum / (double)cells;
}

rg_status rg_gradients_create(rg_context *ctx, int64_t n, rg_gradients *out)
{
    out->n = n;
    out->memory = rg_alloc(ctx, 4 * (size_t)n, sizeof *out->memory);
    if (out->memory == NULL) return RG_ERR_MEMORY;
    out->p = out->memory;
    out->q = out->p + n;
    out->z = out->q + n;
    out->r = out->z + n;
    return RG_OK;
}

void rg_gradients_free(rg_context *ctx, rg_gradients *g)
{
    rg_free(ctx, g->memory);
    g->memory = NULL;
}

/* p <- z + beta p with p A p_old = 0: beta = -z A p_old/(p_old A p_old). */
rg_status rg_gradients_solve(rg_elliptic *e, rg_gradients *g, const double *b, double *x)
{
    const int64_t n = g->n;
    const double size = rg_gradients_dot(n, b, b), target = e->options.tol * e->options.tol * size;
    double over = 0.0;

    g->has_converged = true;
    if (!(size > 0.0)) {
        memset(x, 0, (size_t)n * sizeof *x);
        return RG_OK;
    }
    g->multiply(g->of, x, g->q);
    for (int64_t i = 0; i < n; i++)
        g->r[i] = b[i] - g->q[i];
    for (int step = 0;; step++) {
        g->has_converged = !(rg_gradients_dot(n, g->r, g->r) > target);
        if (g->has_converged || step == (g->most > 0 ? g->most : RG_GRID_ITERATIONS)) break;
        if (rg_interrupted(e->ctx)) return rg_fail(e->ctx, RG_ERR_INTERRUPTED, "interrupted");
        if (e->singular) balance(g);
        g->precondition(g->of, g->r, g->z);
        if (e->singular) remove_mean(g);
        const double zr = rg_gradients_dot(n, g->z, g->r);
        follow(n, g->z, step == 0 ? 0.0 : -over * rg_gradients_dot(n, g->z, g->q), g->p);
        g->multiply(g->of, g->p, g->q);
        const double pq = rg_gradients_dot(n, g->p, g->q);
        if (!(pq > 0.0)) break;
        add(n, zr / pq, g->p, x);
        add(n, -zr / pq, g->q, g->r);
        over = 1.0 / pq;
        e->iterations++;
    }
    return RG_OK;
}

/* Without any subtraction (Grassmann, Taksar, Heyman 1985): couplings and row sums stay positive,
 * the pivot is the row sum plus the couplings that are left.  Every entry is right to rounding
 * whatever the contrast.  A pivot of 0 is the constant that nothing fixes.  Row j of L keeps
 * c(j, k)/pivot behind the diagonal, the pivot on it. */
void rg_coarsest_factor(int64_t n, const double *excess, double *L)
{
    double *sum = L + n * n;

    memcpy(sum, excess, (size_t)n * sizeof *sum);
    for (int64_t j = 0; j < n; j++) {
        double *row = L + j * n, pivot = sum[j];
        for (int64_t k = j + 1; k < n; k++)
            pivot += row[k];
        row[j] = pivot;
        for (int64_t i = j + 1; pivot > 0.0 && i < n; i++) {
            const double m = row[i] / pivot;
            for (int64_t k = j + 1; m > 0.0 && k < n; k++)
                if (k != i) L[i * n + k] += m * row[k];
            sum[i] += m * sum[j];
        }
        for (int64_t k = j + 1; pivot > 0.0 && k < n; k++)
            row[k] /= pivot;
    }
}

void rg_coarsest_solve(int64_t n, const double *L, const double *b, double *x)
{
    memcpy(x, b, (size_t)n * sizeof *x);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = j + 1; k < n; k++)
            x[k] += L[j * n + k] * x[j];
    for (int64_t j = n - 1; j >= 0; j--) {
        x[j] = L[j * n + j] > 0.0 ? x[j] / L[j * n + j] : 0.0;
        for (int64_t k = j + 1; k < n; k++)
            x[j] += L[j * n + k] * x[k];
    }
}
