/* One-sided Jacobi rotations; see jacobi.h. */
#include "linalg/jacobi.h"

#include "linalg/orthonormal.h"
#include "linalg/reflect.h"
#include "linalg/tuning.h"
#include "linalg/vectors.h"

#include <string.h>

static void swap(int64_t m, double *x, double *y)
{
    for (int64_t i = 0; i < m; i++) {
        const double a = x[i];
        x[i] = y[i];
        y[i] = a;
    }
}

/* The square of a column's length after a rotation; anew where little is left of it. */
static double changed(int64_t m, const double *x, double before, double change)
{
    const double now = before + change;

    return now > RG_JACOBI_LEFT * before ? now : rg_dot(m, x, x);
}

/* Makes columns p < q orthogonal, the longer one first; false: they were so, and stay where they
 * are, since who changes places has to be looked at beside all others again.  squares: of their
 * lengths. */
static bool rotate_pair(int64_t m, int64_t n, double *A, double *V, double *squares, int64_t p,
                        int64_t q)
{
    double *x = A + p * m, *y = A + q * m;
    const int64_t least = squares[q] > squares[p] ? p : q;
    const double xx = fmax(squares[p], squares[q]), yy = squares[least];

    if (yy < DBL_MIN / DBL_EPSILON) { /* dependent: what is left of it has no square */
        memset(A + least * m, 0, (size_t)m * sizeof *A);
        squares[least] = 0.0;
        return false;
    }
    const double xy = rg_dot(m, x, y);
    if (fabs(xy) <= (double)m * DBL_EPSILON * sqrt(xx) * sqrt(yy)) return false;
    if (least == p) {
        swap(m, x, y);
        if (V != NULL) swap(n, V + p * n, V + q * n);
    }
    const double zeta = (yy - xx) / (2.0 * xy);
    const double t = (zeta > 0.0 ? 1.0 : -1.0) / (fabs(zeta) + hypot(1.0, zeta));
    const double c = 1.0 / sqrt(1.0 + t * t), s = c * t;
    rg_rotate(m, c, s, x, y);
    if (V != NULL) rg_rotate(n, c, s, V + p * n, V + q * n);
    squares[p] = changed(m, x, xx, -t * xy);
    squares[q] = changed(m, y, yy, t * xy);
    return true;
}

/* The largest entry becomes 1, so that no square leaves the range of the numbers; 0: all are 0. */
static double scale(int64_t count, double *A)
{
    double most = 0.0;

    for (int64_t k = 0; k < count; k++)
        most = fmax(most, fabs(A[k]));
    for (int64_t k = 0; k < count && most > 0.0; k++)
        A[k] /= most;
    return most;
}

/* What rotations left in order except for rounding. */
static void sort(int64_t m, int64_t n, double *A, double *s, double *V)
{
    for (int64_t j = 1; j < n; j++)
        for (int64_t k = j; k > 0 && s[k] > s[k - 1]; k--) {
            swap(1, s + k, s + k - 1);
            swap(m, A + k * m, A + (k - 1) * m);
            if (V != NULL) swap(n, V + k * n, V + (k - 1) * n);
        }
}

rg_status rg_jacobi(int64_t m, int64_t n, double *A, double *s, double *V)
{
    const double size = scale(m * n, A);
    bool moves = size > 0.0;

    for (int64_t k = 0; V != NULL && k < n * n; k++)
        V[k] = k % (n + 1) == 0 ? 1.0 : 0.0;
    for (int sweep = 0; moves && sweep < RG_JACOBI_SWEEPS; sweep++) {
        moves = false;
        for (int64_t j = 0; j < n; j++)
            s[j] = rg_dot(m, A + j * m, A + j * m);
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++)
                if (rotate_pair(m, n, A, V, s, p, q)) moves = true;
    }
    for (int64_t j = 0; j < n; j++)
        s[j] = size * rg_length(m, A + j * m);
    sort(m, n, A, s, V);
    return moves ? (rg_status)RG_RETRY : RG_OK;
}

/* The unit vector that the first k columns of U leave most of, made orthogonal to them. */
static void add_unit(int64_t m, int64_t k, double *U)
{
    double most = -1.0;
    int64_t best = 0;

    for (int64_t i = 0; i < m; i++) {
        double left = 1.0;
        for (int64_t j = 0; j < k; j++)
            left -= U[j * m + i] * U[j * m + i];
        if (left > most) {
            most = left;
            best = i;
        }
    }
    memset(U + k * m, 0, (size_t)m * sizeof *U);
    U[k * m + best] = 1.0;
    rg_orthogonalize(m, k, U, U + k * m, NULL);
}

void rg_jacobi_vectors(int64_t m, int64_t n, const double *A, const double *s, double *U)
{
    for (int64_t j = 0; j < m; j++) {
        const double length = j < n && s[j] > 0.0 ? rg_length(m, A + j * m) : 0.0;
        if (!(length > 0.0)) {
            add_unit(m, j, U);
            continue;
        }
        for (int64_t i = 0; i < m; i++)
            U[j * m + i] = A[j * m + i] / length;
        rg_orthogonalize(m, j, U, U + j * m, NULL);
    }
}
