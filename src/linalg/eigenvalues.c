/* Eigenvalues: balanced by powers of 2, reduced to Hessenberg form by reflectors, then the implicit
 * double shift QR iteration.  Golub, Van Loan, Matrix Computations (1996), 7.4.3, 7.5.2. */
#include "linalg/eigenvalues.h"

#include "linalg/reflect.h"
#include "linalg/tuning.h"

/* Row and column i of similar sizes: D^-1 A D with powers of 2.  False: nothing was scaled. */
static bool balance(int n, double *A, int i)
{
    double row = 0.0, column = 0.0;
    int exponent;

    for (int k = 0; k < n; k++) {
        if (k == i) continue;
        row += fabs(A[k * n + i]);
        column += fabs(A[i * n + k]);
    }
    if (!(row > 0.0) || !(column > 0.0)) return false;
    frexp(sqrt(row / column), &exponent);
    const double d = ldexp(1.0, exponent > 0 ? exponent - 1 : exponent);
    if (!isfinite(d) || !(d > 0.0) || d * column + row / d >= RG_EIGEN_BALANCED * (row + column))
        return false;
    for (int k = 0; k < n; k++)
        A[i * n + k] *= d;
    for (int k = 0; k < n; k++)
        A[k * n + i] /= d;
    return true;
}

/* Column k: entries below the subdiagonal are reflected away, from both sides. */
static void reduce_column(int n, double *A, int k, double *v)
{
    const int m = n - k - 1;
    double alpha = A[k * n + k + 1], scale;

    for (int i = 0; i < m; i++)
        v[i] = A[k * n + k + 1 + i];
    const double length = rg_length(m, v);
    if (length == fabs(alpha)) return;
    const double beta = rg_reflector(length, &alpha, &scale);
    for (int i = 1; i < m; i++) {
        v[i] *= scale;
        A[k * n + k + 1 + i] = 0.0;
    }
    A[k * n + k + 1] = alpha;
    for (int j = k + 1; j < n; j++)
        rg_reflect(m, v, beta, A + j * n + k + 1);
    for (int i = 0; i < n; i++) {
        double sum = A[(k + 1) * n + i];
        for (int j = 1; j < m; j++)
            sum += A[(k + 1 + j) * n + i] * v[j];
        sum *= beta;
        A[(k + 1) * n + i] -= sum;
        for (int j = 1; j < m; j++)
            A[(k + 1 + j) * n + i] -= sum * v[j];
    }
}

/* mu of [a b; c d]:  m +- sqrt(m^2 - det), m half the trace. */
static void two_values(double a, double b, double c, double d, double *re, double *im)
{
    const double half = 0.5 * (a + d), off = 0.5 * (a - d), square = off * off + b * c;

    im[0] = square < 0.0 ? sqrt(-square) : 0.0;
    im[1] = -im[0];
    re[0] = re[1] = half;
    if (!(square > 0.0)) return;
    re[0] = half >= 0.0 ? half + sqrt(square) : half - sqrt(square);
    re[1] = re[0] != 0.0 ? (a * d - b * c) / re[0] : 0.0;
}

/* First row of the block that ends in row p: above it a subdiagonal entry is rounding. */
static int block_start(int n, double *A, int p, double norm)
{
    for (int l = p; l > 0; l--) {
        double size = fabs(A[(l - 1) * n + l - 1]) + fabs(A[l * n + l]);
        if (!(size > 0.0)) size = norm;
        if (fabs(A[(l - 1) * n + l]) > DBL_EPSILON * size) continue;
        A[(l - 1) * n + l] = 0.0;
        return l;
    }
    return 0;
}

/* Reflects rows and columns k .. k+count-1 (2 or 3 of them) of the block l .. p so that
 * (x, y, z) becomes (., 0, 0). */
static void chase(int n, double *A, int l, int p, int k, int count, double *v)
{
    double scale;
    const double length = rg_length(count, v);
    const int last = k + 3 < p ? k + 3 : p;

    if (v[1] == 0.0 && (count < 3 || v[2] == 0.0)) return;
    const double beta = rg_reflector(length, &v[0], &scale);
    for (int i = 1; i < count; i++)
        v[i] *= scale;
    for (int j = k > l ? k - 1 : l; j <= p; j++)
        rg_reflect(count, v, beta, A + j * n + k);
    for (int i = l; i <= last; i++) {
        double sum = A[k * n + i];
        for (int j = 1; j < count; j++)
            sum += A[(k + j) * n + i] * v[j];
        sum *= beta;
        A[k * n + i] -= sum;
        for (int j = 1; j < count; j++)
            A[(k + j) * n + i] -= sum * v[j];
    }
}

/* One double shift step on rows l .. p, p >= l + 2; the shifts are the eigenvalues of the last two
 * rows, or others now and then, so that no cycle goes on. */
static void step(int n, double *A, int l, int p, int turn)
{
    const double *a = A + (p - 1) * n, *b = A + p * n;
    double sum = a[p - 1] + b[p], product = a[p - 1] * b[p] - b[p - 1] * a[p];
    double v[3];

    if (turn % RG_EIGEN_EXCEPTION == 0) {
        const double other = fabs(a[p]) + fabs(A[(p - 2) * n + p - 1]);
        sum = 1.5 * other;
        product = other * other;
    }
    const double *c = A + l * n, *d = A + (l + 1) * n;
    v[0] = (c[l] * c[l] - sum * c[l] + product) + d[l] * c[l + 1];
    v[1] = c[l + 1] * (c[l] + d[l + 1] - sum);
    v[2] = c[l + 1] * d[l + 2];
    for (int k = l; k < p; k++) {
        const int count = k < p - 1 ? 3 : 2;
        chase(n, A, l, p, k, count, v);
        if (k > l)
            for (int i = 1; i < count; i++)
                A[(k - 1) * n + k + i] = 0.0;
        for (int i = 0; i < 3 && k + 1 + i <= p; i++)
            v[i] = A[k * n + k + 1 + i];
    }
}

static double sum_of_sizes(int n, const double *A)
{
    double sum = 0.0;

    for (int k = 0; k < n * n; k++)
        sum += fabs(A[k]);
    return sum;
}

bool rg_eigenvalues(int n, double *A, double *re, double *im)
{
    bool is_scaled = n > 0;

    if (n == 2) { /* most often; no scaling changes it */
        two_values(A[0], A[2], A[1], A[3], re, im);
        return true;
    }
    for (int sweep = 0; is_scaled && sweep < RG_EIGEN_BALANCES; sweep++) {
        is_scaled = false;
        for (int i = 0; i < n; i++)
            is_scaled = balance(n, A, i) || is_scaled;
    }
    for (int k = 0; k + 2 < n; k++)
        reduce_column(n, A, k, re);
    const double norm = sum_of_sizes(n, A);
    for (int p = n - 1, turn = 1; p >= 0; turn++) {
        const int l = block_start(n, A, p, norm);
        if (l == p) {
            re[p] = A[p * n + p];
            im[p] = 0.0;
        } else if (l == p - 1) {
            two_values(A[l * n + l], A[p * n + l], A[l * n + p], A[p * n + p], re + l, im + l);
        } else {
            if (turn > RG_EIGEN_TURNS) return false;
            step(n, A, l, p, turn);
            continue;
        }
        p = l - 1;
        turn = 0;
    }
    return true;
}
