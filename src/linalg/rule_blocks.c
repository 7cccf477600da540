/* The inverse of the matrix of any implicit Runge-Kutta method, brought to blocks of one and two
 * rows.
 *
 * The eigenvalues are the zeros of the characteristic polynomial (Faddeev, LeVerrier), the
 * eigenvectors come from two inverse iterations.  What is made here only has to be good enough for
 * a simplified Newton iteration: the inverse itself decides what it converges to. */
#include "linalg/rule_impl.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST = RG_RULE_MOST_ODD };

typedef long double complex number;

/* x <- M^-1 x by elimination with partial pivoting; M is overwritten. */
static void solve(int m, number M[MOST][MOST], number *x)
{
    for (int k = 0; k < m; k++) {
        int p = k;
        for (int i = k + 1; i < m; i++)
            if (cabsl(M[i][k]) > cabsl(M[p][k])) p = i;
        for (int j = 0; j < m; j++) {
            const number swap = M[k][j];
            M[k][j] = M[p][j];
            M[p][j] = swap;
        }
        const number swap = x[k];
        x[k] = x[p];
        x[p] = swap;
        for (int i = k + 1; i < m; i++) {
            const number factor = M[i][k] / M[k][k];
            for (int j = k; j < m; j++)
                M[i][j] -= factor * M[k][j];
            x[i] -= factor * x[k];
        }
    }
    for (int k = m - 1; k >= 0; k--) {
        for (int j = k + 1; j < m; j++)
            x[k] -= M[k][j] * x[j];
        x[k] /= M[k][k];
    }
}

static void invert(int m, long double X[MOST][MOST], long double out[MOST][MOST])
{
    for (int j = 0; j < m; j++) {
        number M[MOST][MOST] = {{0}}, x[MOST] = {0};
        for (int i = 0; i < m; i++)
            for (int k = 0; k < m; k++)
                M[i][k] = X[i][k];
        x[j] = 1.0L;
        solve(m, M, x);
        for (int i = 0; i < m; i++)
            out[i][j] = creall(x[i]);
    }
}

/* det(lambda - B) = sum_k p[k] lambda^(m-k):
 *     M_1 = I,  p_k = -tr(B M_k)/k,  M_{k+1} = B M_k + p_k I */
static void characteristic(int m, long double B[MOST][MOST], long double *p)
{
    long double M[MOST][MOST] = {{0}}, next[MOST][MOST];

    p[0] = 1.0L;
    for (int i = 0; i < m; i++)
        M[i][i] = 1.0L;
    for (int k = 1; k <= m; k++) {
        long double trace = 0.0L;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++) {
                next[i][j] = 0.0L;
                for (int l = 0; l < m; l++)
                    next[i][j] += B[i][l] * M[l][j];
                if (i == j) trace += next[i][j];
            }
        p[k] = -trace / k;
        memcpy(M, next, sizeof M);
        for (int i = 0; i < m; i++)
            M[i][i] += p[k];
    }
}

/* (B - lambda) x = 0 from two inverse iterations; the largest entry is 1 at the end. */
static void eigenvector(int m, long double B[MOST][MOST], number lambda, number *x)
{
    const long double shift = 1e-14L;
    number M[MOST][MOST];

    for (int i = 0; i < m; i++)
        x[i] = 1.0L + 0.1L * i;
    for (int n = 0; n < 2; n++) {
        int largest = 0;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                M[i][j] = B[i][j] - (i == j ? lambda * (1.0L + shift) : 0.0L);
        solve(m, M, x);
        for (int i = 1; i < m; i++)
            if (cabsl(x[i]) > cabsl(x[largest])) largest = i;
        const number scale = x[largest];
        for (int i = 0; i < m; i++)
            x[i] /= scale;
    }
}

/* Columns of T, from `column` on, and the numbers of the block. */
static void add_block(int m, long double B[MOST][MOST], number lambda, int column,
                      long double T[MOST][MOST])
{
    number z[MOST];
    const bool is_real = column == 0 && m % 2 == 1;

    eigenvector(m, B, is_real ? creall(lambda) : lambda, z);
    for (int i = 0; i < m; i++) { /* u - i v:  B (u - i v) = (alpha + i beta)(u - i v) */
        T[i][column] = creall(z[i]);
        if (!is_real) T[i][column + 1] = -cimagl(z[i]);
    }
}

void rg_rule_blocks_init(const rg_rule *r, int first, rg_rule_blocks *out)
{
    const int m = r->s - first;
    long double A[MOST][MOST] = {{0}}, B[MOST][MOST], T[MOST][MOST] = {{0}}, p[MOST + 1];
    number lambda[MOST];

    *out = (rg_rule_blocks){.m = m};
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            A[i][j] = r->A[i + first][j + first];
    invert(m, A, B);
    for (int i = 0; i < m * m; i++)
        out->inverse[i] = (double)B[i / m][i % m];
    out->gamma = out->inverse[0];
    if (r->kind == RG_RULE_SDIRK) return;
    characteristic(m, B, p);
    rg_rule_zeros(m, p, lambda);
    if (m % 2 == 1) {
        out->gamma = (double)creall(lambda[0]);
        add_block(m, B, lambda[0], 0, T);
    }
    for (int k = 0; k < m / 2; k++) {
        const number zero = lambda[k + m % 2];
        out->alpha[k] = (double)creall(zero);
        out->beta[k] = (double)cimagl(zero);
        add_block(m, B, zero, 2 * k + m % 2, T);
    }
    for (int i = 0; i < m * m; i++)
        out->T[i] = (double)T[i / m][i % m];
    invert(m, T, B);
    for (int i = 0; i < m * m; i++)
        out->T_inverse[i] = (double)B[i / m][i % m];
}
