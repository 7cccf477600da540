/* Numerical rank; see rank.h. */
#include "structure/rank.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* Chosen by experiment (tests/unit/structure/test_rank.c): relative singular values above DOUBT
 * are never taken as zero. */
#define RANK_DOUBT  1e-6
#define DOUBT_RATIO 100.0 /* at least this many times the noise */
#define CLEAR_RATIO 10.0  /* pivots this much larger than DOUBT need no singular values */

static double doubt(double noise)
{
    return fmax(RANK_DOUBT, DOUBT_RATIO * noise);
}

static double power_of_two(double x)
{
    int exponent;

    if (!(x > 0.0) || !isfinite(x)) return 1.0;
    frexp(x, &exponent);
    return ldexp(1.0, -exponent / 2);
}

/* Ruiz's iteration: divide rows and columns by the roots of their largest entries. */
void rg_equilibrate(int64_t m, int64_t n, double *A, double *row, double *column)
{
    enum { SWEEPS = 8 };

    for (int64_t i = 0; i < m; i++)
        row[i] = 1.0;
    for (int64_t j = 0; j < n; j++)
        column[j] = 1.0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool is_changed = false;
        for (int64_t j = 0; j < n; j++) {
            double largest = 0.0;
            for (int64_t i = 0; i < m; i++)
                largest = fmax(largest, fabs(A[j * m + i]));
            const double f = power_of_two(largest);
            if (f == 1.0) continue;
            is_changed = true;
            column[j] *= f;
            for (int64_t i = 0; i < m; i++)
                A[j * m + i] *= f;
        }
        for (int64_t i = 0; i < m; i++) {
            double largest = 0.0;
            for (int64_t j = 0; j < n; j++)
                largest = fmax(largest, fabs(A[j * m + i]));
            const double f = power_of_two(largest);
            if (f == 1.0) continue;
            is_changed = true;
            row[i] *= f;
            for (int64_t j = 0; j < n; j++)
                A[j * m + i] *= f;
        }
        if (!is_changed) break;
    }
}

int64_t rg_rank_from_values(int64_t n, const double *s, double size, double noise)
{
    const double floor = noise * size;
    int64_t rank = n;
    double widest = 0.0;

    if (n == 0 || !(size > 0.0)) return 0;
    for (int64_t k = n; k >= 0; k--) { /* is the rank k? */
        const double below = k < n ? fmax(s[k], floor) : floor;
        const double above = k > 0 ? fmax(s[k - 1], floor) : fmax(size, s[0]);
        if (below > doubt(noise) * size) break;
        if (above / below > widest) {
            widest = above / below;
            rank = k;
        }
    }
    return rank;
}

/* Gaussian elimination with complete pivoting: smallest over largest pivot. */
static double pivot_ratio(int64_t n, double *A)
{
    double largest = 0.0, smallest = INFINITY;

    for (int64_t k = 0; k < n; k++) {
        int64_t row = k, column = k;
        for (int64_t j = k; j < n; j++)
            for (int64_t i = k; i < n; i++)
                if (fabs(A[j * n + i]) > fabs(A[column * n + row])) row = i, column = j;
        const double pivot = A[column * n + row];
        if (k == 0) largest = fabs(pivot);
        smallest = fmin(smallest, fabs(pivot));
        if (pivot == 0.0) return 0.0;
        for (int64_t i = 0; i < n; i++) {
            const double a = A[column * n + i];
            A[column * n + i] = A[k * n + i];
            A[k * n + i] = a;
        }
        for (int64_t j = k; j < n; j++) {
            const double a = A[j * n + row];
            A[j * n + row] = A[j * n + k];
            A[j * n + k] = a;
        }
        for (int64_t j = k + 1; j < n; j++)
            for (int64_t i = k + 1; i < n; i++)
                A[j * n + i] -= A[k * n + i] / pivot * A[j * n + k];
    }
    return n == 0 ? 1.0 : smallest / largest;
}

/* Takes the mean logarithm of the entries above `least` in every row, or column, off them. */
static void level(int64_t n, double *A, bool is_row, double least)
{
    const int64_t along = is_row ? n : 1, across = is_row ? 1 : n;

    for (int64_t k = 0; k < n; k++) {
        double sum = 0.0;
        int count = 0;
        for (int64_t l = 0; l < n; l++) {
            const double x = fabs(A[k * across + l * along]);
            if (!(x > least)) continue;
            sum += log(x);
            count++;
        }
        if (count == 0) continue;
        const double f = exp(-sum / count);
        for (int64_t l = 0; l < n; l++)
            A[k * across + l * along] *= f;
    }
}

/* Rows and columns scaled so that all entries are near 1 in the sense of least squares of their
 * logarithms (Curtis and Reid 1972); what is small all the same is then left out.  Units can be
 * taken off in this way: of (C, A^T; A, 0) with capacitances C of 1e-9 and an incidence matrix
 * A, equilibration leaves 1e-9 beside 1. */
static void balance(int64_t n, double *A)
{
    enum { ROUNDS = 3, TURNS = 8 };

    for (int k = 0; k < ROUNDS * TURNS; k++)
        level(n, A, k % 2 == 0, k < TURNS ? 0.0 : 1e-3);
}

/* Complete pivoting settles the clear cases of small blocks without LAPACK; singular values the
 * others. */
rg_status rg_is_regular(rg_context *ctx, int64_t n, double *A, double noise, bool *is_regular)
{
    enum { SMALL = 40 };
    const double clear = CLEAR_RATIO * doubt(noise);
    double *work = rg_alloc(ctx, (size_t)(n * n + 2 * n) + 1, sizeof *work);
    rg_status status = RG_OK;
    int64_t rank = 0;

    *is_regular = false;
    if (work == NULL) return RG_ERR_MEMORY;
    rg_equilibrate(n, n, A, work, work + n);
    memcpy(work, A, (size_t)(n * n) * sizeof *work);
    if (n <= SMALL) {
        double ratio = pivot_ratio(n, work);
        if (ratio <= clear) {
            memcpy(work, A, (size_t)(n * n) * sizeof *work);
            balance(n, work);
            const double balanced = pivot_ratio(n, work);
            if (balanced > clear) ratio = balanced;
        }
        *is_regular = ratio > clear;
        if (ratio <= 0.1 * noise) goto done; /* singular without a doubt */
    } else {
        status = rg_rank_qr(ctx, n, n, A, clear, &rank, NULL);
        *is_regular = status == RG_OK && rank == n;
    }
    if (status == RG_OK && !*is_regular) {
        status = rg_svd(ctx, n, n, A, work, NULL, NULL);
        *is_regular = status == RG_OK && rg_rank_from_values(n, work, work[0], noise) == n;
    }
done:
    rg_free(ctx, work);
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}
