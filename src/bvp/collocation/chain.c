/* Factors and solves the almost block diagonal system by orthogonal elimination. */
#include "bvp/collocation/chain.h"

#include "base/vector.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

rg_status rg_chain_create(rg_context *ctx, int m, int64_t N, int n_nodes, const int64_t *node,
                          rg_chain **out)
{
    rg_chain *c = rg_alloc(ctx, 1, sizeof *c);
    const size_t mm = (size_t)m * (size_t)m + 1, points = (size_t)N + 1;

    *out = NULL;
    if (c == NULL) return RG_ERR_MEMORY;
    *c = (rg_chain){.ctx = ctx, .m = m, .n_nodes = n_nodes, .N = N, .node = node};
    c->Gamma = rg_alloc(ctx, points * mm, sizeof *c->Gamma);
    c->B = rg_alloc(ctx, (size_t)n_nodes * mm, sizeof *c->B);
    c->scale = rg_alloc(ctx, (size_t)m + 1, sizeof *c->scale);
    c->V = rg_alloc(ctx, points * 2 * mm, sizeof *c->V);
    c->tau = rg_alloc(ctx, points * (size_t)m + 1, sizeof *c->tau);
    c->G = rg_alloc(ctx, points * mm, sizeof *c->G);
    c->H = rg_alloc(ctx, points * mm, sizeof *c->H);
    c->stack = rg_alloc(ctx, 6 * mm + 3 * (size_t)m, sizeof *c->stack);
    c->f = rg_alloc(ctx, (points + 1) * (size_t)m + 1, sizeof *c->f);
    c->b = rg_alloc(ctx, (size_t)n_nodes * (size_t)m + 1, sizeof *c->b);
    rg_status status = RG_ERR_MEMORY;
    if (c->Gamma && c->B && c->scale && c->V && c->tau && c->G && c->H && c->stack && c->f && c->b)
        status = rg_lu_create(ctx, (int64_t)n_nodes * m, false, &c->last);
    for (int k = 0; k < m && c->scale != NULL; k++)
        c->scale[k] = 1.0;
    if (status == RG_OK)
        *out = c;
    else
        rg_chain_destroy(&c);
    return status;
}

void rg_chain_destroy(rg_chain **chain)
{
    rg_chain *c = *chain;

    if (c == NULL) return;
    rg_context *ctx = c->ctx;
    rg_lu_destroy(&c->last);
    void *const arrays[] = {c->Gamma, c->B, c->scale, c->V, c->tau,
                            c->G,     c->H, c->stack, c->f, c->b};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    rg_free(ctx, c);
    *chain = NULL;
}

/* column <- (I - tau v v^T) column,  v = (1, V[k+1 .. 2m-1]) from row k on. */
static void reflect(int rows, int k, const double *v, double tau, double *column)
{
    double sum = column[k];

    for (int i = k + 1; i < rows; i++)
        sum += v[i] * column[i];
    sum *= tau;
    column[k] -= sum;
    for (int i = k + 1; i < rows; i++)
        column[i] -= sum * v[i];
}

static double length(int n, const double *v)
{
    double sum = 0.0, norm = 0.0;

    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    if (sum > 1e-200 && sum < 1e200) return sqrt(sum);
    for (int i = 0; i < n; i++) /* too small or too large to be squared */
        norm = hypot(norm, v[i]);
    return norm;
}

/* rows <- (I - tau v v^T) rows,  v = (1, v_1, ...): n rows of length `columns`, of which those
 * from `first` on; sum: workspace. */
RG_FOR_ALL_VECTORS
static void reflect_rows(int n, int columns, int first, const double *restrict v, double tau,
                         double *restrict rows, double *restrict sum)
{
    for (int j = first; j < columns; j++)
        sum[j] = rows[j];
    for (int i = 1; i < n; i++)
        for (int j = first; j < columns; j++)
            sum[j] += v[i] * rows[(int64_t)i * columns + j];
    for (int j = first; j < columns; j++)
        rows[j] -= sum[j] *= tau;
    for (int i = 1; i < n; i++)
        for (int j = first; j < columns; j++)
            rows[(int64_t)i * columns + j] -= v[i] * sum[j];
}

/* Householder QR of the first m columns of the stack, applied to all 3m.  V: column-major, R
 * with reflectors below. */
static void triangulate(rg_chain *c, double *V, double *tau)
{
    const int m = c->m, rows = 2 * m, columns = 3 * m;
    double *sum = c->stack + (int64_t)rows * columns;

    for (int k = 0; k < m; k++) {
        double *v = V + (int64_t)k * rows, *row = c->stack + (int64_t)k * columns;
        for (int i = 0; i < rows; i++)
            v[i] = c->stack[(int64_t)i * columns + k];
        const double norm = length(rows - k, v + k);
        const double alpha = v[k] > 0.0 ? -norm : norm;
        tau[k] = norm > 0.0 ? (alpha - v[k]) / alpha : 0.0;
        const double scale = norm > 0.0 ? 1.0 / (v[k] - alpha) : 0.0;
        for (int i = k + 1; i < rows; i++)
            v[i] *= scale;
        if (norm > 0.0) v[k] = alpha;
        reflect_rows(rows - k, columns, k + 1, v + k, tau[k], row, sum);
    }
}

/* [ B  A  0 ; -Gamma_q  0  I ], row by row: the relation so far (A u_left + B u_q = f) over the
 * next interval. */
static void fill_stack(rg_chain *c, int64_t q, const double *A, const double *B)
{
    const int m = c->m, columns = 3 * m;
    const double *Gamma = c->Gamma + q * m * m;

    for (int i = 0; i < m; i++) {
        double *top = c->stack + (int64_t)i * columns, *bottom = top + (int64_t)m * columns;
        for (int j = 0; j < m; j++) {
            top[j] = B[j * m + i];
            top[m + j] = A[j * m + i];
            top[2 * m + j] = 0.0;
            bottom[j] = -Gamma[j * m + i] * (c->scale[j] / c->scale[i]);
            bottom[m + j] = bottom[2 * m + j] = 0.0;
        }
        bottom[2 * m + i] = 1.0;
    }
}

/* Eliminates the mesh points between two nodes; A, B: the relation that remains between these. */
static void eliminate(rg_chain *c, int64_t from, int64_t to, double *A, double *B)
{
    const int m = c->m, rows = 2 * m;

    memset(B, 0, (size_t)(m * m) * sizeof *B);
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < m; i++)
            A[j * m + i] = -c->Gamma[(from * m + j) * m + i] * (c->scale[j] / c->scale[i]);
        B[j * m + j] = 1.0;
    }
    for (int64_t q = from + 1; q < to; q++) {
        fill_stack(c, q, A, B);
        triangulate(c, c->V + q * rows * m, c->tau + q * m);
        for (int i = 0; i < m; i++) {
            const double *top = c->stack + (int64_t)i * 3 * m + m,
                         *bottom = top + (int64_t)m * 3 * m;
            for (int j = 0; j < m; j++) {
                c->G[q * m * m + j * m + i] = top[j];
                c->H[q * m * m + j * m + i] = top[m + j];
                A[j * m + i] = bottom[j];
                B[j * m + i] = bottom[m + j];
            }
        }
    }
}

/* The equations of the nodes: what elimination leaves, then the conditions. */
static void reduce(rg_chain *c, double *M)
{
    const int m = c->m, size = m * c->n_nodes;
    double *A = c->V, *B = c->V + m * m; /* mesh point 0 needs no reflectors */

    memset(M, 0, (size_t)size * (size_t)size * sizeof *M);
    for (int s = 0; s + 1 < c->n_nodes; s++) {
        eliminate(c, c->node[s], c->node[s + 1], A, B);
        for (int j = 0; j < m; j++)
            for (int i = 0; i < m; i++) {
                M[(int64_t)(s * m + j) * size + s * m + i] = A[j * m + i];
                M[(int64_t)((s + 1) * m + j) * size + s * m + i] = B[j * m + i];
            }
    }
    for (int j = 0; j < size; j++)
        for (int i = 0; i < m; i++)
            M[(int64_t)j * size + size - m + i] = c->B[j * m + i] * c->scale[j % m];
}

rg_status rg_chain_factor(rg_chain *c)
{
    reduce(c, rg_lu_values(c->last));
    return rg_lu_factor(c->last);
}

/* The same reflections on the right-hand side; returns what is left for the two nodes in `f`. */
static void carry(rg_chain *c, const double *gamma, int64_t from, int64_t to, double *f)
{
    const int m = c->m, rows = 2 * m;
    double *column = c->stack;

    for (int i = 0; i < m; i++)
        f[i] = gamma[from * m + i] / c->scale[i];
    for (int64_t q = from + 1; q < to; q++) {
        memcpy(column, f, (size_t)m * sizeof *f);
        for (int i = 0; i < m; i++)
            column[m + i] = gamma[q * m + i] / c->scale[i];
        for (int k = 0; k < m; k++)
            reflect(rows, k, c->V + (q * rows * m + (int64_t)k * rows), c->tau[q * m + k], column);
        memcpy(c->f + q * m, column, (size_t)m * sizeof *f);
        memcpy(f, column + m, (size_t)m * sizeof *f);
    }
}

/* R u_q = f_q - G u_left - H u_{q+1} */
RG_FOR_ALL_VECTORS
static void substitute(rg_chain *c, int64_t from, int64_t q, double *u)
{
    const int m = c->m, rows = 2 * m;
    double *x = u + q * m;

    memcpy(x, c->f + q * m, (size_t)m * sizeof *x);
    for (int j = 0; j < m; j++) {
        const double left = u[from * m + j], right = u[(q + 1) * m + j];
        for (int i = 0; i < m; i++)
            x[i] -= c->G[q * m * m + j * m + i] * left + c->H[q * m * m + j * m + i] * right;
    }
    for (int k = m - 1; k >= 0; k--) {
        const double *R = c->V + (q * rows * m + (int64_t)k * rows);
        x[k] /= R[k];
        for (int i = 0; i < k; i++)
            x[i] -= R[i] * x[k];
    }
}

/* u from its values at the nodes, in c->b. */
static void expand(rg_chain *c, double *u)
{
    const int m = c->m;

    for (int s = 0; s < c->n_nodes; s++)
        memcpy(u + c->node[s] * m, c->b + s * m, (size_t)m * sizeof *u);
    for (int s = 0; s + 1 < c->n_nodes; s++)
        for (int64_t q = c->node[s + 1] - 1; q > c->node[s]; q--)
            substitute(c, c->node[s], q, u);
    for (int64_t q = 0; q <= c->N; q++)
        for (int i = 0; i < m; i++)
            u[q * m + i] *= c->scale[i];
}

void rg_chain_solve(rg_chain *c, const double *gamma, const double *beta, double *u)
{
    const int m = c->m;

    for (int s = 0; s + 1 < c->n_nodes && gamma != NULL; s++)
        carry(c, gamma, c->node[s], c->node[s + 1], c->b + s * m);
    if (gamma == NULL) {
        memset(c->f, 0, (size_t)((c->N + 1) * m) * sizeof *c->f);
        memset(c->b, 0, (size_t)(c->n_nodes * m) * sizeof *c->b);
    }
    memcpy(c->b + (c->n_nodes - 1) * m, beta, (size_t)m * sizeof *beta);
    rg_lu_solve(c->last, c->b, NULL);
    expand(c, u);
}

rg_status rg_chain_weakest(rg_chain *c, double *sigma, double *u, double *left, double *rest)
{
    const int m = c->m, size = m * c->n_nodes;
    const size_t square = (size_t)size * (size_t)size;
    double *M = rg_lu_values(c->last), *s = rg_alloc(c->ctx, 2 * square + (size_t)size, sizeof *s);

    if (s == NULL) return RG_ERR_MEMORY;
    double *U = s + size, *V = U + square;
    reduce(c, M);
    for (int i = size - m; i < size; i++) {
        double sum = 0.0;
        for (int j = 0; j < size; j++)
            sum = hypot(sum, M[(int64_t)j * size + i]);
        for (int j = 0; j < size && sum > 0.0; j++)
            M[(int64_t)j * size + i] /= sum;
    }
    const rg_status status = rg_svd(c->ctx, size, size, M, s, U, V);
    if (status == RG_OK) {
        *sigma = s[size - 1];
        *rest = length(size - m, U + (size - 1) * (int64_t)size);
        memcpy(left, U + size * (int64_t)size - m, (size_t)m * sizeof *left);
        memcpy(c->b, V + (size - 1) * (int64_t)size, (size_t)size * sizeof *c->b);
        memset(c->f, 0, (size_t)((c->N + 1) * m) * sizeof *c->f);
        expand(c, u);
    }
    rg_free(c->ctx, s);
    return status;
}
