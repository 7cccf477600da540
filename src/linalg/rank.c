/* Numerical rank; see rank.h. */
#include "linalg/rank.h"

#include "linalg/dense.h"
#include "linalg/tuning.h"
#include "linalg/vectors.h"

#include <math.h>
#include <string.h>

double rg_rank_floor(double noise)
{
    return RG_RANK_FLOOR * noise;
}

static double doubt(double noise)
{
    return fmax(RG_RANK_DOUBT, rg_rank_floor(noise));
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
    for (int64_t i = 0; i < m; i++)
        row[i] = 1.0;
    for (int64_t j = 0; j < n; j++)
        column[j] = 1.0;
    rg_equilibrate_more(m, n, A, row, column);
}

void rg_equilibrate_more(int64_t m, int64_t n, double *A, double *row, double *column)
{
    for (int sweep = 0; sweep < RG_EQUILIBRATE_SWEEPS; sweep++) {
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

static void swap_lines(int64_t n, int64_t step, double *a, double *b)
{
    for (int64_t i = 0; i < n; i++) {
        const double x = a[i * step];
        a[i * step] = b[i * step];
        b[i * step] = x;
    }
}

static void swap_numbers(int32_t *number, int64_t a, int64_t b)
{
    if (number == NULL) return;
    const int32_t x = number[a];
    number[a] = number[b];
    number[b] = x;
}

/* Of column j the first of the largest entries, from row k on. */
static int32_t largest_in(int64_t n, int64_t k, const double *column)
{
    int64_t p = k;

    for (int64_t i = k + 1; i < n; i++)
        if (fabs(column[i]) > fabs(column[p])) p = i;
    return (int32_t)p;
}

/* Rows k and p have changed places, and columns that have a factor are new. */
static void eliminate_columns(int64_t n, int64_t k, int64_t p, double *A, int32_t *largest)
{
    for (int64_t j = k + 1; j < n; j++) {
        const double factor = A[j * n + k];
        if (factor != 0.0)
            rg_add_multiple(n - k - 1, -factor, A + k * n + k + 1, A + j * n + k + 1);
        if (largest == NULL || k + 1 == n) continue;
        if (factor != 0.0 || largest[j] == k || largest[j] == p)
            largest[j] = largest_in(n, k + 1, A + j * n);
    }
}

double rg_eliminate(int64_t n, int64_t k, double *A, int32_t *row, int32_t *column,
                    int32_t *largest)
{
    int64_t p = k, q = k;

    for (int64_t j = k; j < n; j++) {
        const int32_t i = largest != NULL && k > 0 ? largest[j] : largest_in(n, k, A + j * n);
        if (largest != NULL) largest[j] = i;
        if (j == k || fabs(A[j * n + i]) > fabs(A[q * n + p])) p = i, q = j;
    }
    const double pivot = A[q * n + p];
    if (!(fabs(pivot) > 0.0)) return 0.0;
    swap_lines(n, 1, A + k * n, A + q * n);
    swap_lines(n, n, A + k, A + p);
    swap_numbers(row, k, p);
    swap_numbers(column, k, q);
    swap_numbers(largest, k, q);
    for (int64_t i = k + 1; i < n; i++)
        A[k * n + i] /= pivot;
    eliminate_columns(n, k, p, A, largest);
    return fabs(pivot);
}

/* Smallest over largest pivot. */
static double pivot_ratio(int64_t n, double *A)
{
    double largest = 0.0, smallest = INFINITY;

    for (int64_t k = 0; k < n && smallest > 0.0; k++) {
        const double pivot = rg_eliminate(n, k, A, NULL, NULL, NULL);
        if (k == 0) largest = pivot;
        smallest = fmin(smallest, pivot);
    }
    return n == 0 ? 1.0 : smallest > 0.0 ? smallest / largest : 0.0;
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
    for (int k = 0; k < RG_BALANCE_ROUNDS * RG_BALANCE_TURNS; k++)
        level(n, A, k % 2 == 0, k < RG_BALANCE_TURNS ? 0.0 : RG_BALANCE_SMALL);
}

/* Complete pivoting settles the clear cases of small blocks without LAPACK; singular values the
 * others. */
rg_status rg_is_regular(rg_context *ctx, int64_t n, double *A, double noise, bool *is_regular,
                        double *least)
{
    const double clear = RG_RANK_CLEAR * doubt(noise);
    double *work = rg_alloc(ctx, (size_t)(n * n + 2 * n) + 1, sizeof *work), ratio = 1.0;
    rg_status status = RG_OK;
    int64_t rank = 0;

    *is_regular = false;
    if (work == NULL) return RG_ERR_MEMORY;
    rg_equilibrate(n, n, A, work, work + n);
    memcpy(work, A, (size_t)(n * n) * sizeof *work);
    if (n <= RG_RANK_SMALL) {
        ratio = pivot_ratio(n, work);
        if (ratio <= fmax(clear, least != NULL ? RG_BALANCE_LOOK : 0.0)) {
            memcpy(work, A, (size_t)(n * n) * sizeof *work);
            balance(n, work);
            const double balanced = pivot_ratio(n, work);
            if (balanced > clear) ratio = fmax(ratio, balanced);
        }
        *is_regular = ratio > (noise <= RG_NOISE_EXACT ? RG_RANK_PIVOT * noise : clear);
    } else {
        status = rg_rank_qr(ctx, n, n, A, clear, &rank, NULL);
        if (status == RG_OK && rank < n) {
            balance(n, work);
            status = rg_rank_qr(ctx, n, n, work, clear, &rank, NULL);
        }
        *is_regular = status == RG_OK && rank == n;
    }
    if (status == RG_OK && !*is_regular) {
        status = rg_svd(ctx, n, n, A, work, NULL, NULL);
        *is_regular = status == RG_OK && rg_rank_from_values(n, work, work[0], noise) == n;
        if (status == RG_OK && n > RG_RANK_SMALL) ratio = work[n - 1] / work[0];
    }
    if (least != NULL) *least = ratio;
    rg_free(ctx, work);
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}
