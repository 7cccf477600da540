/* LU factors of small real matrices, in place and without memory of their own. */
#include "linalg/small_lu.h"

#include "base/vector.h"

#include <math.h>

static void swap(double *a, double *b)
{
    const double c = *a;
    *a = *b;
    *b = c;
}

static int find_pivot(int n, int k, const double *a)
{
    int p = k;
    double largest = fabs(a[k]);

    for (int i = k + 1; i < n; i++)
        if (fabs(a[i]) > largest) largest = fabs(a[p = i]);
    return p;
}

RG_INLINE bool factor(int n, double *A, int *pivot)
{
    for (int k = 0; k < n; k++) {
        double *restrict l = A + (long)k * n;
        const int p = pivot[k] = find_pivot(n, k, l);
        if (p != k) swap(l + k, l + p);
        const double inverse = 1.0 / l[k];
        if (!(fabs(inverse) < INFINITY)) return false;
        l[k] = inverse;
        for (int i = k + 1; i < n; i++)
            l[i] *= inverse;
        for (int j = k + 1; j < n; j++) {
            double *restrict a = A + (long)j * n;
            if (p != k) swap(a + k, a + p);
            const double u = a[k];
            if (u == 0.0) continue;
            for (int i = k + 1; i < n; i++)
                a[i] -= l[i] * u;
        }
    }
    return true;
}

enum { FEW = 8 }; /* rows too few for vectors */

RG_FOR_QUADS static bool factor_by_vectors(int n, double *A, int *pivot)
{
    return factor(n, A, pivot);
}

bool rg_small_lu_factor(int n, double *A, int *pivot)
{
    return n < FEW ? factor(n, A, pivot) : factor_by_vectors(n, A, pivot);
}

void rg_small_lu_solve(int n, const double *A, const int *pivot, double *restrict b)
{
    for (int k = 0; k < n; k++) { /* b = L^-1 P b */
        const double *restrict l = A + (long)k * n;
        if (pivot[k] != k) swap(b + k, b + pivot[k]);
        const double x = b[k];
        if (x == 0.0) continue;
        for (int i = k + 1; i < n; i++)
            b[i] -= l[i] * x;
    }
    for (int k = n - 1; k >= 0; k--) { /* b = U^-1 b */
        const double *restrict u = A + (long)k * n;
        const double x = b[k] *= u[k];
        for (int i = 0; i < k; i++)
            b[i] -= u[i] * x;
    }
}
