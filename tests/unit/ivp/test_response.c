/* What a defect of the polynomial of a step does to it (ivp/radau/response.c): the scalar equation
 * y' = z y + (phi' - z phi) with phi = x^(s + k), whose polynomial p of a step of length 1 is off
 * by phi - p, for z in the left half plane. */
#include "ivp/radau/response.h"
#include "linalg/small_lu.h"
#include "support/test.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { MOST = RG_RULE_MOST_ODD };
static rg_context *ctx;

typedef struct {
    const rg_rule_modes *m;
    rg_rule_modes more;
    rg_response r;
} step;

static double complex phi(int degree, double complex z, double x) /* phi' - z phi */
{
    return degree * pow(x, degree - 1) - z * pow(x, degree);
}

/* Coefficients of x, x^2, .. of p: (A^-1 - z) P = phi' - z phi at the stages. */
static void polynomial(const rg_rule_modes *m, int degree, double complex z, double complex *a)
{
    const int s = m->s;
    double A[4 * MOST * MOST] = {0}, b[2 * MOST];
    int pivot[2 * MOST];

    for (int j = 0; j < s; j++) {
        for (int i = 0; i < s; i++)
            A[2 * s * j + i] = A[2 * s * (s + j) + s + i] =
                m->inverse[s * i + j] - (i == j ? creal(z) : 0.0);
        A[2 * s * (s + j) + j] = cimag(z);
        A[2 * s * j + s + j] = -cimag(z);
        b[j] = creal(phi(degree, z, m->c[j]));
        b[s + j] = cimag(phi(degree, z, m->c[j]));
    }
    CHECK(rg_small_lu_factor(2 * s, A, pivot));
    rg_small_lu_solve(2 * s, A, pivot, b);
    for (int k = 0; k < s; k++) {
        a[k] = 0.0;
        for (int i = 0; i < s; i++)
            a[k] += m->P[s * k + i] * (b[i] + I * b[s + i]);
    }
}

/* sum_k g_k(node i) / (lambda_k - z) */
static double complex response(const step *x, int l, double complex z, int i)
{
    double complex sum = 0.0, power = 1.0;
    int k = 0;

    for (; k < x->r.powers; k++) {
        power /= x->m->gamma - z;
        sum += x->r.weight[l][k][i] * power;
    }
    for (int p = 0; p < x->m->s / 2; p++, k += 2) {
        const double complex u = 1.0 / (x->m->alpha[p] + I * x->m->beta[p] - z);
        const double complex v = 1.0 / (x->m->alpha[p] - I * x->m->beta[p] - z);
        sum += x->r.weight[l][k][i] * (u + v) + x->r.weight[l][k + 1][i] * I * (u - v);
    }
    return sum;
}

/* How much of phi - p is left, beside its largest value. */
static double left_of(const step *x, int degree, double complex z)
{
    double complex a[MOST];
    double largest = 0.0, left = 0.0;

    polynomial(x->m, degree, z, a);
    for (int i = 0; i < x->more.s; i++) {
        const double c = x->more.c[i];
        double complex e = pow(c, degree);
        for (int k = 0; k < x->m->s; k++)
            e -= a[k] * pow(c, k + 1);
        largest = fmax(largest, cabs(e));
        for (int l = 0; l < x->r.between; l++) {
            double complex F = -phi(degree, z, x->r.x[l]);
            for (int k = 0; k < x->m->s; k++)
                F += a[k] * ((k + 1) * pow(x->r.x[l], k) - z * pow(x->r.x[l], k + 1));
            e += response(x, l, z, i) * F;
        }
        left = fmax(left, cabs(e));
    }
    return left / largest;
}

static bool begin(step *x, int s, rg_response_kind kind)
{
    x->m = rg_rule_radau(s);
    rg_rule_modes_init(RG_RULE_RADAU, s + 4, &x->more);
    return CHECK(rg_response_init(ctx, x->m, &x->more, kind, &x->r) == RG_OK);
}

/* Errors of all orders up to that of the places, and of one beyond it; more powers of the real
 * factors leave less of them. */
static void check_polynomials(int s, rg_response_kind kind, double most, double most_turned)
{
    static const double axis[] = {0.0, 0.3, 1.0, 5.0, 20.0, 100.0, 1e4};
    static const double turned[] = {0.5, 1.0, 2.0};
    step x;

    if (!begin(&x, s, kind)) return;
    for (int degree = s + 1; degree <= s + x.r.between; degree++) {
        double worst = 0.0, worst_turned = 0.0;
        for (int k = 0; k < 7; k++)
            worst = fmax(worst, left_of(&x, degree, -axis[k]));
        for (int k = 0; k < 3; k++)
            worst_turned = fmax(worst_turned, left_of(&x, degree, I * turned[k]));
        if (!CHECK(worst <= most) || !CHECK(worst_turned <= most_turned)
            || !CHECK(left_of(&x, degree, -1e12) <= 1e-6))
            printf("    %d stages, degree %d: %.2g, imaginary axis %.2g, infinity %.2g\n", s,
                   degree, worst, worst_turned, left_of(&x, degree, -1e12));
    }
}

static void test_polynomials(void)
{
    for (int s = 3; s <= 7; s += 2) {
        check_polynomials(s, RG_RESPONSE_FIRST, 0.14, 0.14);
        check_polynomials(s, RG_RESPONSE_FINE, s == 3 ? 0.1 : 0.05, s == 3 ? 0.06 : 0.035);
    }
}

/* An algebraic unknown, z -> infinity: the response is minus the defect at its own place and none
 * at the others, at stages as between them. */
static void test_places(void)
{
    for (int s = 3; s <= 7; s += 2)
        for (int kind = 0; kind < RG_RESPONSE_KINDS; kind++) {
            step x;
            if (!begin(&x, s, (rg_response_kind)kind)) return;
            for (int l = 0; l < x.r.places; l++)
                for (int k = 0; k < x.r.places; k++) {
                    double complex at = 0.0; /* the polynomial through 0 and the nodes, at x_k */
                    for (int i = 0; i < x.more.s; i++) {
                        double g = x.r.x[k] / x.more.c[i];
                        for (int j = 0; j < x.more.s; j++)
                            if (j != i) g *= (x.r.x[k] - x.more.c[j]) / (x.more.c[i] - x.more.c[j]);
                        at += g * 1e12 * response(&x, l, -1e12, i);
                    }
                    CHECK_NEAR(creal(at), k == l ? 1.0 : 0.0, 1e-6);
                }
        }
}

int main(void)
{
    static const test_case cases[] = {
        {"polynomials", test_polynomials},
        {"places",      test_places     }
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
