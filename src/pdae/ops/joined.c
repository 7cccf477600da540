/* Tridiagonal systems along lines that go through the blocks of several ranks. */
#include "pdae/ops/joined.h"

#include "pdae/mesh/ranks.h"

#include <math.h>
#include <string.h>

rg_status rg_joined_create(const rg_grid *g, int d, int n, bool is_each, rg_joined *out)
{
    const size_t P = (size_t)g->parts[d], all = (size_t)(g->size / g->axis[d].n + 1),
                 lines = is_each ? all : 1, numbers = is_each ? 4 * all : 2 * all + 4;

    out->n = n;
    out->is_each = is_each;
    out->memory =
        rg_alloc(g->ctx, lines * (2 * (size_t)n + 4 * P) + (P + 1) * numbers + 4 * P * P + 4 * P,
                 sizeof *out->memory);
    if (out->memory == NULL) return RG_ERR_MEMORY;
    out->left = out->memory;
    out->right = out->left + lines * (size_t)n;
    out->inverse = out->right + lines * (size_t)n;
    out->own = out->inverse + lines * 4 * P;
    out->all = out->own + numbers;
    out->work = out->all + P * numbers;
    return RG_OK;
}

void rg_joined_free(const rg_grid *g, rg_joined *j)
{
    rg_free(g->ctx, j->memory);
    j->memory = NULL;
}

/* Row k of the inverse of A (n x n, destroyed): A^T x = e_k by elimination with pivots. */
static void row_of_inverse(int n, double *A, int k, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = i == k;
    for (int p = 0; p < n; p++) { /* entry (i, m) of A^T is A[m n + i] */
        int best = p;
        for (int i = p + 1; i < n; i++)
            if (fabs(A[p * n + i]) > fabs(A[p * n + best])) best = i;
        for (int m = 0; m < n && best != p; m++) {
            const double swap = A[m * n + p];
            A[m * n + p] = A[m * n + best];
            A[m * n + best] = swap;
        }
        const double kept = x[p];
        x[p] = x[best];
        x[best] = kept;
        for (int i = p + 1; i < n; i++) {
            const double by = A[p * n + i] / A[p * n + p];
            for (int m = p; by != 0.0 && m < n; m++)
                A[m * n + i] -= by * A[m * n + p];
            x[i] -= by * x[p];
        }
    }
    for (int p = n - 1; p >= 0; p--) {
        for (int m = p + 1; m < n; m++)
            x[p] -= A[m * n + p] * x[m];
        x[p] /= A[p * n + p];
    }
}

/* Unknowns in the order a_0, b_0, a_1, b_1, ...; ends[4 r]: left and right of rank r at its first
 * and at its last unknown. */
static void fill_matrix(int P, const double *ends, double *A)
{
    const int n = 2 * P;

    memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
    for (int r = 0; r < P; r++)
        for (int end = 0; end < 2; end++) {
            double *row = A + (2 * r + end) * n;
            row[2 * r + end] += 1.0;
            row[2 * ((r + P - 1) % P) + 1] -= ends[4 * r + 2 * end];
            row[2 * ((r + 1) % P)] -= ends[4 * r + 2 * end + 1];
        }
}

/* The two rows of the inverse that this rank needs; ends: as above. */
static void find_rows(const rg_grid *g, int d, const double *ends, double *A, double *inverse)
{
    const int P = g->parts[d], r = g->part[d];
    const int row[2] = {2 * ((r + P - 1) % P) + 1, 2 * ((r + 1) % P)};

    for (int side = 0; side < 2; side++) {
        fill_matrix(P, ends, A);
        row_of_inverse(2 * P, A, row[side], inverse + side * 2 * P);
    }
}

void rg_joined_factor(const rg_grid *g, int d, const int *from, const int *end, rg_joined *j)
{
    const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES, P = g->parts[d];
    const int64_t lines = j->is_each ? (int64_t)(end[e1] - from[e1]) * (end[e2] - from[e2]) : 1;
    double *ends = j->work, *A = ends + 4 * P;

    for (int64_t l = 0; l < lines; l++) {
        const double *left = j->left + l * j->n, *right = j->right + l * j->n;
        j->own[4 * l] = left[from[d]];
        j->own[4 * l + 1] = right[from[d]];
        j->own[4 * l + 2] = left[end[d] - 1];
        j->own[4 * l + 3] = right[end[d] - 1];
    }
    rg_ranks->gather(g, d, 4 * lines, j->own, j->all);
    for (int64_t l = 0; l < lines; l++) {
        for (int64_t r = 0; r < P; r++)
            memcpy(ends + 4 * r, j->all + 4 * (r * lines + l), 4 * sizeof *ends);
        find_rows(g, d, ends, A, j->inverse + l * 4 * P);
    }
}

void rg_joined_solve(const rg_grid *g, int d, const int *from, const int *end, rg_joined *j,
                     double *v)
{
    const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES, P = g->parts[d];
    const int64_t s = g->stride[d];
    int64_t n = 0, line = 0;

    for (int b = from[e2]; b < end[e2]; b++)
        for (int a = from[e1]; a < end[e1]; a++) {
            const double *x = v + g->origin + a * g->stride[e1] + b * g->stride[e2];
            j->own[n++] = x[from[d] * s];
            j->own[n++] = x[(end[d] - 1) * s];
        }
    rg_ranks->gather(g, d, n, j->own, j->all);
    for (int b = from[e2]; b < end[e2]; b++)
        for (int a = from[e1]; a < end[e1]; a++, line++) {
            const int64_t own = j->is_each ? line : 0;
            const double *left = j->left + own * j->n, *right = j->right + own * j->n,
                         *inverse = j->inverse + own * 4 * P;
            double *x = v + g->origin + a * g->stride[e1] + b * g->stride[e2], before = 0.0,
                   behind = 0.0;
            for (int r = 0; r < P; r++)
                for (int k = 0; k < 2; k++) {
                    const double y = j->all[(int64_t)r * n + 2 * line + k];
                    before += inverse[2 * r + k] * y;
                    behind += inverse[2 * P + 2 * r + k] * y;
                }
            for (int i = from[d]; i < end[d]; i++)
                x[i * s] += left[i] * before + right[i] * behind;
        }
}
