/* Order conditions of the explicit, half-explicit and Rosenbrock coefficients, by rooted trees and
 * by the conditions of algebraic components. */
#include "support/test.h"

#include "linalg/tableau.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 8 };
typedef double matrix[MOST][MOST];

/* Rooted trees up to order 5: a node is a bracket around its branches. */
static const char *const trees[] = {
    "()",         "(())",       "(()())",     "((()))",     "(()()())",   "(()(()))",
    "((()()))",   "(((())))",   "(()()()())", "(()()(()))", "((())(()))", "(()(()()))",
    "(()((())))", "((()()()))", "((()(())))", "(((()())))", "((((()))))"};
enum { TREES = sizeof trees / sizeof *trees };

static int order_of(const char *tree)
{
    return (int)strlen(tree) / 2;
}

/* The end of the tree that begins here. */
static const char *behind(const char *tree)
{
    int depth = 0;

    do
        depth += *tree++ == '(' ? 1 : -1;
    while (depth > 0);
    return tree;
}

/* The density: number of nodes times the densities of the branches. */
static double density(const char *tree)
{
    const char *end = behind(tree);
    double value = (double)(end - tree) / 2.0;

    for (const char *t = tree + 1; t < end - 1; t = behind(t))
        value *= density(t);
    return value;
}

/* phi_i = prod over branches of sum_j A_ij phi_j; with one branch B in place of A (Rosenbrock). */
static void weigh(int s, matrix A, matrix B, const char *tree, double *phi)
{
    const char *end = behind(tree);
    int branches = 0;
    double below[MOST];

    for (const char *t = tree + 1; t < end - 1; t = behind(t))
        branches++;
    for (int i = 0; i < s; i++)
        phi[i] = 1.0;
    for (const char *t = tree + 1; t < end - 1; t = behind(t)) {
        weigh(s, A, B, t, below);
        for (int i = 0; i < s; i++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++)
                sum += (branches == 1 ? B : A)[i][j] * below[j];
            phi[i] *= sum;
        }
    }
}

static double dot(int s, const double *a, const double *b)
{
    double sum = 0.0;

    for (int i = 0; i < s; i++)
        sum += a[i] * b[i];
    return sum;
}

/* sum b_i phi_i = x^order/density for all trees up to the order. */
static void check_trees(int s, matrix A, matrix B, const double *b, int order, double x)
{
    double phi[MOST];

    for (int k = 0; k < TREES; k++) {
        if (order_of(trees[k]) > order) continue;
        weigh(s, A, B, trees[k], phi);
        CHECK_NEAR(dot(s, b, phi), pow(x, order_of(trees[k])) / density(trees[k]), 1e-13);
    }
}

static void take(const rg_tableau *t, matrix A)
{
    memset(A, 0, sizeof(matrix));
    for (int i = 0; i < t->s; i++)
        for (int j = 0; j < t->s; j++)
            A[i][j] = t->A[i][j];
    for (int j = 0; j < t->s; j++)
        A[t->s][j] = t->b[j]; /* the last stage, f(y_{n+1}) */
}

static void test_explicit(void)
{
    matrix A;

    for (int order = RG_TABLEAU_LEAST_ORDER; order <= RG_TABLEAU_MOST_ORDER; order++) {
        const rg_tableau *t = rg_tableau_explicit(order);
        take(t, A);
        for (int i = 0; i < t->s; i++) {
            double sum = 0.0;
            for (int j = 0; j < t->s; j++)
                sum += A[i][j];
            CHECK_NEAR(sum, t->c[i], 1e-14);
        }
        check_trees(t->s, A, A, t->b, order, 1.0);
    }
    const rg_tableau *t = rg_tableau_explicit(5);
    check_trees(t->s + 1, A, A, t->embedded, 4, 1.0);
}

static void test_dense(void)
{
    matrix A;
    double power[RG_TABLEAU_MOST][4], b[MOST];

    take(rg_tableau_explicit(5), A);
    rg_tableau_dense(power);
    for (double x = 0.1; x < 1.05; x += 0.15) {
        for (int i = 0; i < RG_TABLEAU_MOST; i++)
            b[i] = x * (power[i][0] + x * (power[i][1] + x * (power[i][2] + x * power[i][3])));
        check_trees(RG_TABLEAU_MOST, A, A, b, 4, x);
    }
}

/* out = inverse of the m x m part, by Gauss elimination without pivoting (triangular here). */
static void invert_lower(int m, matrix L, matrix out)
{
    memset(out, 0, sizeof(matrix));
    for (int j = 0; j < m; j++)
        for (int i = j; i < m; i++) {
            double sum = i == j;
            for (int k = j; k < i; k++)
                sum -= L[i][k] * out[k][j];
            out[i][j] = sum / L[i][i];
        }
}

/* Half-explicit methods where the constraint stands at the next stage.  With W the inverse of the
 * matrix of stages 2 .. s + 1, W c^k stands for a derivative: conditions are those of integrals,
 * e.g.  sum b_i c_i (W c^2)_i = int t d(t^2)/dt = 2/3.  Brasey, Hairer (1993). */
static void test_half_explicit(void)
{
    for (int order = 2; order <= 4; order++) {
        const rg_tableau *t = rg_tableau_explicit(order);
        const int s = t->s;
        matrix A, L, W;
        double slope[5][MOST], v[MOST];
        take(t, A);
        memset(L, 0, sizeof L);
        for (int i = 0; i < s; i++)
            for (int j = 0; j <= i; j++)
                L[i][j] = A[i + 1][j];
        invert_lower(s, L, W);
        for (int k = 1; k <= 4; k++)
            for (int i = 0; i < s; i++) {
                slope[k][i] = 0.0;
                for (int j = 0; j < s; j++)
                    slope[k][i] += W[i][j] * pow(j + 1 < s ? t->c[j + 1] : 1.0, k);
            }
        /* c^p (W c^2)^q (W c^r)^u, total degree p + q + (r - 1) u + 1 <= order */
        for (int p = 0; p < order; p++)
            for (int q = 0; q < order; q++)
                for (int r = 3; r <= (order > 3 ? order : 3); r++)
                    for (int u = 0; u < 2; u++) {
                        const int degree = p + q + (r - 1) * u + 1;
                        if (degree > order || (u == 0 && r > 3)) continue;
                        for (int i = 0; i < s; i++)
                            v[i] = pow(t->c[i], p) * pow(slope[2][i], q) * pow(slope[r][i], u);
                        CHECK_NEAR(dot(s, t->b, v), pow(2.0, q) * pow(r, u) / degree, 1e-13);
                    }
    }
}

/* PHEM56: the points of the constraint have the nodes cbar and stage order 2 at least. */
static void test_partitioned(void)
{
    const rg_tableau *t = rg_tableau_explicit(5);

    for (int i = 1; i < t->s; i++) {
        double sum = 0.0, moment = 0.0;
        for (int j = 0; j <= i; j++) {
            sum += t->Abar[i][j];
            moment += t->Abar[i][j] * t->c[j];
        }
        CHECK_NEAR(sum, t->cbar[i], 1e-14);
        CHECK_NEAR(moment, 0.5 * t->cbar[i] * t->cbar[i], 1e-14);
        CHECK(fabs(t->Abar[i][i]) > 0.05); /* it is divided by */
    }
    for (int j = 0; j < t->s; j++)
        CHECK_NEAR(t->Abar[t->s - 1][j], t->b[j], 0.0);
}

/* alpha = A Gamma, b = m Gamma, Gamma^-1 = 1/gamma - C */
static void take_rosenbrock(const rg_rosenbrock_tableau *r, matrix alpha, matrix beta, matrix W)
{
    matrix inverse = {{0}}, Gamma;

    for (int i = 0; i < r->s; i++)
        for (int j = 0; j <= i; j++)
            inverse[i][j] = i == j ? 1.0 / r->gamma : -r->C[i][j];
    invert_lower(r->s, inverse, Gamma);
    memset(alpha, 0, sizeof(matrix));
    memset(beta, 0, sizeof(matrix));
    for (int i = 0; i < r->s; i++)
        for (int j = 0; j < r->s; j++) {
            for (int k = 0; k < r->s; k++)
                alpha[i][j] += r->A[i][k] * Gamma[k][j];
            beta[i][j] = alpha[i][j] + Gamma[i][j];
        }
    invert_lower(r->s, beta, W);
    for (int i = 0; i < r->s; i++) {
        double row = 0.0, rate = 0.0;
        for (int j = 0; j < r->s; j++) {
            row += alpha[i][j];
            rate += Gamma[i][j];
        }
        CHECK_NEAR(row, r->alpha[i], 1e-12);
        CHECK_NEAR(rate, r->rate[i], 1e-12);
    }
}

static void weights(const rg_rosenbrock_tableau *r, const double *m, double *b)
{
    double inverse[MOST][MOST] = {{0}}; /* b Gamma^-1 = m, from the last column on */

    for (int i = 0; i < r->s; i++)
        for (int j = 0; j <= i; j++)
            inverse[i][j] = i == j ? 1.0 / r->gamma : -r->C[i][j];
    for (int j = r->s - 1; j >= 0; j--) {
        b[j] = m[j];
        for (int i = j + 1; i < r->s; i++)
            b[j] -= b[i] * inverse[i][j];
        b[j] /= inverse[j][j];
    }
}

/* Differential part: trees; algebraic part: HW96 VI.4, sum b_i w_ij alpha_j^2 = 1, .. */
static void test_rosenbrock(void)
{
    const rg_rosenbrock_tableau *r = rg_tableau_rodas();
    const int s = r->s;
    matrix alpha, beta, W;
    double b[MOST], lower[MOST], m[MOST] = {0}, square[MOST], cube[MOST], mixed[MOST], hidden[MOST];

    take_rosenbrock(r, alpha, beta, W);
    weights(r, r->m, b);
    for (int i = 0; i < s; i++)
        m[i] = r->m[i] - r->e[i];
    weights(r, m, lower);
    for (int k = 0; k < 2; k++) /* order 4, and the embedded one of order 3 */
        check_trees(s, alpha, beta, k == 0 ? b : lower, 4 - k, 1.0);
    for (int i = 0; i < s; i++) {
        square[i] = cube[i] = mixed[i] = hidden[i] = 0.0;
        for (int j = 0; j < s; j++) {
            double inner = 0.0;
            for (int k = 0; k < s; k++) {
                double row = 0.0;
                for (int l = 0; l < s; l++)
                    row += beta[k][l];
                inner += alpha[j][k] * row;
            }
            square[i] += W[i][j] * pow(r->alpha[j], 2);
            cube[i] += W[i][j] * pow(r->alpha[j], 3);
            mixed[i] += W[i][j] * r->alpha[j] * inner;
        }
    }
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            hidden[i] += r->alpha[i] * alpha[i][j] * square[j];
    CHECK_NEAR(dot(s, b, square), 1.0, 1e-12);
    CHECK_NEAR(dot(s, lower, square), 1.0, 1e-12);
    CHECK_NEAR(dot(s, b, cube), 1.0, 1e-12);
    CHECK_NEAR(dot(s, b, mixed), 0.5, 1e-12);
    CHECK_NEAR(dot(s, b, hidden), 0.25, 1e-12);
    for (double x = 0.2; x < 1.0; x += 0.3) { /* dense output of order 3 */
        for (int i = 0; i < s; i++)
            m[i] = x * (r->m[i] + (1.0 - x) * (r->d[0][i] + x * r->d[1][i]));
        weights(r, m, lower);
        check_trees(s, alpha, beta, lower, 3, x);
    }
}

static const test_case cases[] = {
    {"explicit",      test_explicit     },
    {"dense output",  test_dense        },
    {"half-explicit", test_half_explicit},
    {"partitioned",   test_partitioned  },
    {"rosenbrock",    test_rosenbrock   }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
