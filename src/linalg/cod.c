/* Complete orthogonal decomposition by Householder reflections. */
#include "linalg/cod.h"

#include "linalg/reflect.h"

#include <math.h>
#include <string.h>

struct rg_cod {
    rg_context *ctx;
    int n, rank;
    double *A;    /* n x n: set by the user, then factors */
    double *beta; /* of the reflectors in the columns: I - beta v v^T, v_k = 1 */
    double *zeta; /* of those in the rows, v = (1 in column k, 0, A[k][rank..n-1]) */
    double *size; /* workspace */
    int *pivot;   /* column k of A P is column pivot[k] of A */
    double ratio; /* see rg_cod_ratio */
};

rg_status rg_cod_create(rg_context *ctx, int n, rg_cod **out)
{
    rg_cod *c = *out = rg_alloc(ctx, 1, sizeof *c);
    const size_t size = (size_t)n + 1;

    if (c == NULL) return RG_ERR_MEMORY;
    c->ctx = ctx;
    c->n = n;
    c->A = rg_alloc(ctx, size * size, sizeof *c->A);
    c->beta = rg_alloc(ctx, size, sizeof *c->beta);
    c->zeta = rg_alloc(ctx, size, sizeof *c->zeta);
    c->size = rg_alloc(ctx, size, sizeof *c->size);
    c->pivot = rg_alloc(ctx, size, sizeof *c->pivot);
    if (c->A && c->beta && c->zeta && c->size && c->pivot) return RG_OK;
    rg_cod_destroy(out);
    return RG_ERR_MEMORY;
}

double *rg_cod_values(rg_cod *c)
{
    return c->A;
}

double rg_cod_ratio(const rg_cod *c)
{
    return c->ratio;
}

void rg_cod_destroy(rg_cod **cod)
{
    rg_cod *c = *cod;

    if (c == NULL) return;
    rg_free(c->ctx, c->A);
    rg_free(c->ctx, c->beta);
    rg_free(c->ctx, c->zeta);
    rg_free(c->ctx, c->size);
    rg_free(c->ctx, c->pivot);
    rg_free(c->ctx, c);
    *cod = NULL;
}

/* Sum of squares of rows k .. n-1. */
static double length2(int n, int k, const double *column)
{
    double sum = 0.0;

    for (int i = k; i < n; i++)
        sum += column[i] * column[i];
    return sum;
}

static void swap_columns(rg_cod *c, int j, int k)
{
    const int pivot = c->pivot[j];

    if (j == k) return;
    c->pivot[j] = c->pivot[k];
    c->pivot[k] = pivot;
    for (int i = 0; i < c->n; i++) {
        const double a = c->A[j * c->n + i];
        c->A[j * c->n + i] = c->A[k * c->n + i];
        c->A[k * c->n + i] = a;
    }
}

/* Step k of the elimination: the longest column first. */
static bool eliminate(rg_cod *c, int k)
{
    const int n = c->n;
    int best = k;

    for (int j = k; j < n; j++) {
        c->size[j] = length2(n, k, c->A + j * n);
        if (c->size[j] > c->size[best]) best = j;
    }
    const double length = sqrt(c->size[best]);
    if (!(length > 0.0) || !isfinite(length)) return false;
    swap_columns(c, best, k);
    double *column = c->A + k * n, scale;
    c->beta[k] = rg_reflector(length, &column[k], &scale);
    for (int i = k + 1; i < n; i++)
        column[i] *= scale;
    for (int j = k + 1; j < n; j++)
        rg_reflect(n - k, column + k, c->beta[k], c->A + j * n + k);
    return true;
}

/* Row k: (t_kk, right part) becomes (t_kk, 0); the rows above follow.  The reflector stays in
 * place of the right part. */
static void reflect_right(rg_cod *c, int k)
{
    const int n = c->n, r = c->rank;
    double *A = c->A, sum = A[k * n + k] * A[k * n + k], scale;

    for (int j = r; j < n; j++)
        sum += A[j * n + k] * A[j * n + k];
    c->zeta[k] = rg_reflector(sqrt(sum), &A[k * n + k], &scale);
    for (int j = r; j < n; j++)
        A[j * n + k] *= scale;
    for (int i = 0; i < k; i++) {
        double product = A[k * n + i];
        for (int j = r; j < n; j++)
            product += A[j * n + i] * A[j * n + k];
        product *= c->zeta[k];
        A[k * n + i] -= product;
        for (int j = r; j < n; j++)
            A[j * n + i] -= product * A[j * n + k];
    }
}

bool rg_cod_factor(rg_cod *c, int rank)
{
    c->rank = rank;
    for (int k = 0; k < c->n; k++)
        c->pivot[k] = k;
    for (int k = 0; k < rank; k++)
        if (!eliminate(c, k)) return false;
    c->ratio = rank == 0 ? 1.0 : fabs(c->A[(rank - 1) * c->n + rank - 1] / c->A[0]);
    for (int k = rank - 1; k >= 0 && rank < c->n; k--)
        reflect_right(c, k);
    return true;
}

/* y <- Z^T y, then x = P y. */
static void spread(const rg_cod *c, double *y, double *x)
{
    const int n = c->n;

    rg_reflect_rows(n, c->rank, c->A, n, c->zeta, y);
    for (int k = 0; k < n; k++)
        x[c->pivot[k]] = y[k];
}

void rg_cod_solve(const rg_cod *c, double *b, double *x)
{
    const int n = c->n, r = c->rank;
    double *y = c->size;

    for (int k = 0; k < r; k++)
        rg_reflect(n - k, c->A + k * n + k, c->beta[k], b + k);
    memcpy(y, b, (size_t)r * sizeof *y);
    for (int k = r - 1; k >= 0; k--) {
        y[k] /= c->A[k * n + k];
        for (int i = 0; i < k; i++)
            y[i] -= c->A[k * n + i] * y[k];
    }
    memset(y + r, 0, (size_t)(n - r) * sizeof *y);
    spread(c, y, x);
}

void rg_cod_left(const rg_cod *c, double *b)
{
    const int n = c->n, r = c->rank;

    for (int k = 0; k < r; k++)
        rg_reflect(n - k, c->A + k * n + k, c->beta[k], b + k);
    memset(b, 0, (size_t)r * sizeof *b);
    for (int k = r - 1; k >= 0; k--)
        rg_reflect(n - k, c->A + k * n + k, c->beta[k], b + k);
}

void rg_cod_null(const rg_cod *c, int k, double *x)
{
    double *y = c->size;

    memset(y, 0, (size_t)c->n * sizeof *y);
    y[c->rank + k] = 1.0;
    spread(c, y, x);
}
