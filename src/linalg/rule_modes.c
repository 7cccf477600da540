/* The inverse of the matrix of a collocation method, brought to blocks of one and two rows.
 *
 * A^-1 z = lambda z says: the polynomial p of degree s with p(0) = 0, p(c_i) = z_i satisfies p' -
 * lambda p = 0 in the nodes, so it is a multiple of M = prod (x - c_i) everywhere.  Solved for p,
 * up to a factor:
 *
 *     p(x) = sum_k M^(k)(x) lambda^-k,   k = 0 .. s,      p(0) = 0:  the equation for lambda,
 * z_i = p(c_i).
 *
 * All of it in long double: T^-1 is a hundred times larger than T with seven stages. */
#include "linalg/rule_impl.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST = RG_RULE_MOST_ODD };

/* derivative[k] = M^(k)(x): Horner's scheme, factor by factor */
static void nodal(int s, const long double *c, long double x, long double *derivative)
{
    memset(derivative, 0, (MOST + 1) * sizeof *derivative);
    derivative[0] = 1.0L;
    for (int i = 0; i < s; i++)
        for (int k = i + 1; k >= 0; k--)
            derivative[k] =
                derivative[k] * (x - c[i]) + (k > 0 ? (long double)k * derivative[k - 1] : 0.0L);
}

/* sum_k m[k] lambda^(s-k) */
static long double complex characteristic(int s, const long double *m, long double complex lambda)
{
    long double complex sum = 0.0L;

    for (int k = 0; k <= s; k++)
        sum = sum * lambda + m[k];
    return sum;
}

/* All zeros at once by Durand-Kerner's iteration; it ends quadratically, so a small change is the
 * last one.  The zeros are simple, of size s to 2s. */
static void find_zeros(int s, const long double *m, long double complex *zero)
{
    enum { ITERATIONS = 100 }; /* about 20 are needed with seven stages */
    const long double small = 1e-12L;
    long double change = 1.0L;

    for (int i = 0; i < s; i++)
        zero[i] = 1.5L * s * cexpl(2.0L * I * (i + 0.3L));
    for (int n = 0; n < ITERATIONS && change > small; n++) {
        change = 0.0L;
        for (int i = 0; i < s; i++) {
            long double complex product = m[0];
            for (int j = 0; j < s; j++)
                if (j != i) product *= zero[i] - zero[j];
            product = characteristic(s, m, zero[i]) / product;
            zero[i] -= product;
            change = fmaxl(change, cabsl(product));
        }
    }
}

/* Those with imaginary part >= 0, which rises: the real one first. */
static void sort_zeros(int s, long double complex *zero)
{
    int n = 0;

    for (int i = 0; i < s; i++)
        if (cimagl(zero[i]) > -0.1L) zero[n++] = zero[i];
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && cimagl(zero[j]) < cimagl(zero[j - 1]); j--) {
            const long double complex swap = zero[j];
            zero[j] = zero[j - 1];
            zero[j - 1] = swap;
        }
}

/* z_i = sum_{k > 0} M^(k)(c_i) lambda^-k, times a factor that makes the last one 1 */
static void eigenvector(int s, const long double *c, long double complex lambda,
                        long double complex *z)
{
    long double m[MOST + 1];

    for (int i = 0; i < s; i++) {
        nodal(s, c, c[i], m);
        z[i] = 0.0L;
        for (int k = s; k > 0; k--)
            z[i] = (z[i] + m[k]) / lambda;
    }
    for (int i = 0; i < s - 1; i++)
        z[i] /= z[s - 1];
    z[s - 1] = 1.0L;
}

/* X <- X^-1 by Gauss-Jordan elimination in place; swaps of rows become swaps of columns of the
 * inverse. */
static void invert(int s, long double X[MOST][MOST])
{
    int pivot[MOST];

    for (int k = 0; k < s; k++) {
        pivot[k] = k;
        for (int i = k + 1; i < s; i++)
            if (fabsl(X[i][k]) > fabsl(X[pivot[k]][k])) pivot[k] = i;
        for (int j = 0; j < s; j++) {
            const long double swap = X[k][j];
            X[k][j] = X[pivot[k]][j];
            X[pivot[k]][j] = swap;
        }
        const long double inverse = 1.0L / X[k][k];
        X[k][k] = 1.0L;
        for (int j = 0; j < s; j++)
            X[k][j] *= inverse;
        for (int i = 0; i < s; i++) {
            const long double factor = X[i][k];
            if (i == k) continue;
            X[i][k] = 0.0L;
            for (int j = 0; j < s; j++)
                X[i][j] -= factor * X[k][j];
        }
    }
    for (int k = s - 1; k >= 0; k--)
        for (int i = 0; i < s; i++) {
            const long double swap = X[i][k];
            X[i][k] = X[i][pivot[k]];
            X[i][pivot[k]] = swap;
        }
}

/* Nodes x_0 = 0, x_i = c_i, l_j = x/c_j prod_{k != j} (x - c_k)/(c_j - c_k):  l_j'(c_i) for A^-1,
 * the coefficients for P. */
static void set_polynomials(const long double *c, rg_rule_modes *out)
{
    const int s = out->s;
    long double factor[MOST], m[MOST + 1];

    for (int j = 0; j < s; j++) { /* c_j M'(c_j) */
        nodal(s, c, c[j], m);
        factor[j] = c[j] * m[1];
    }
    for (int j = 0; j < s; j++) {
        long double p[MOST + 1] = {0}, sum = 1.0L / c[j];
        for (int i = 0; i < s; i++) {
            if (i == j) continue;
            sum += 1.0L / (c[j] - c[i]);
            out->inverse[i * s + j] = (double)(factor[i] / factor[j] / (c[i] - c[j]));
        }
        out->inverse[j * s + j] = (double)sum;
        p[0] = 1.0L / factor[j];
        for (int i = 0, degree = 0; i < s; i++) {
            if (i == j) continue;
            degree++;
            for (int k = degree; k >= 0; k--)
                p[k] = (k > 0 ? p[k - 1] : 0.0L) - c[i] * p[k];
        }
        for (int k = 0; k < s; k++)
            out->P[k * s + j] = (double)p[k];
    }
}

void rg_rule_zeros(int s, const long double *m, long double complex *zero)
{
    find_zeros(s, m, zero);
    sort_zeros(s, zero);
}

void rg_rule_modes_init(rg_rule_kind kind, int s, rg_rule_modes *out)
{
    long double c[MOST] = {0}, m[MOST + 1], T[MOST][MOST], length = 0.0L;
    long double complex lambda[MOST], z[MOST];

    *out = (rg_rule_modes){.s = s};
    rg_rule_points(kind, s, c);
    for (int i = 0; i < s; i++)
        out->c[i] = (double)c[i];
    set_polynomials(c, out);
    nodal(s, c, 0.0L, m);
    rg_rule_zeros(s, m, lambda);
    out->gamma = (double)creall(lambda[0]);
    eigenvector(s, c, creall(lambda[0]), z);
    for (int i = 0; i < s; i++)
        length += creall(z[i]) * creall(z[i]);
    for (int i = 0; i < s; i++)
        T[i][0] = creall(z[i]) / sqrtl(length);
    for (int k = 0; k < s / 2; k++) { /* u - i v:  A^-1 (u - i v) = (alpha + i beta)(u - i v) */
        out->alpha[k] = (double)creall(lambda[k + 1]);
        out->beta[k] = (double)cimagl(lambda[k + 1]);
        eigenvector(s, c, lambda[k + 1], z);
        for (int i = 0; i < s; i++) {
            T[i][2 * k + 1] = creall(z[i]);
            T[i][2 * k + 2] = -cimagl(z[i]);
        }
    }
    for (int i = 0; i < s * s; i++)
        out->T[i] = (double)T[i / s][i % s];
    invert(s, T);
    for (int i = 0; i < s * s; i++)
        out->T_inverse[i] = (double)T[i / s][i % s];
}
