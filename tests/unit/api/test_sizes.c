/* Unknowns far below atol: the run is repeated with atol by their size, and says so. */
#include "regula.h"
#include "support/rows.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rg_context *ctx;

enum { ROWS = 21 };

typedef rows_result result;

static result solve(const char *text, const char *tol, const char *atol)
{
    return rows_solve(ctx, text, ROWS, atol != NULL ? "tol=%s atol=%s" : "tol=%s", tol, atol);
}

/* Largest difference of an unknown over all rows, beside its largest value. */
static double difference(const result *a, const result *b, int unknown)
{
    double e = 0.0, size = 0.0;

    for (int k = 0; k < ROWS; k++) {
        e = fmax(e, fabs(a->row[k][unknown] - b->row[k][unknown]));
        size = fmax(size, fabs(b->row[k][unknown]));
    }
    return e / size;
}

/* Nanoamperes that charge a capacitor through a diode: i is of 1e-9, u of 1. */
static const char circuit[] = "param R = 1e9, C = 1e-12, Is = 1e-15\n"
                              "var u = 0, i ~ 0, d ~ 0\n"
                              "C*u' = i - d\n"
                              "d = Is*(exp(u/0.026) - 1)\n"
                              "sin(6000*t) = R*i + u\n"
                              "over t = 0 .. 0.01\n";
/* Michaelis and Menten: an enzyme of 1e-9. */
static const char enzyme[] = "param k1 = 1e9, km1 = 1e2, k2 = 1e3\n"
                             "var S = 1e-6, E = 1e-9, C = 0, P = 0\n"
                             "S' = -k1*E*S + km1*C\n"
                             "E' = -k1*E*S + (km1 + k2)*C\n"
                             "C' = k1*E*S - (km1 + k2)*C\n"
                             "P' = k2*C\n"
                             "over t = 0 .. 20\n";

static void check_small(const char *text, int n, double tol)
{
    char number[32];

    snprintf(number, sizeof number, "%g", tol);
    const result a = solve(text, number, NULL), reference = solve(text, "1e-12", "auto");
    if (!CHECK(a.status == RG_OK && reference.status == RG_OK)) return;
    CHECK(a.warnings == 1 && strstr(a.warning, "repeated with atol by their size") != NULL);
    CHECK_INT(reference.warnings, 0);
    for (int j = 0; j < n; j++) {
        const double e = difference(&a, &reference, j);
        if (!CHECK(e <= 100.0 * tol && e <= 10.0 * a.estimate))
            printf("unknown %d, tol %g: error %g, estimate %g\n", j, tol, e, a.estimate);
    }
}

static void test_circuit(void)
{
    check_small(circuit, 3, 1e-4);
    check_small(circuit, 3, 1e-6);
    check_small(circuit, 3, 1e-9);
}

/* And no negative concentrations beyond the tolerance of their size. */
static void test_enzyme(void)
{
    static const double size[] = {1e-6, 1e-9, 1e-9, 1e-6};
    const result a = solve(enzyme, "1e-6", NULL);

    check_small(enzyme, 4, 1e-4);
    check_small(enzyme, 4, 1e-6);
    check_small(enzyme, 4, 1e-9);
    for (int k = 0; k < ROWS; k++)
        for (int j = 0; j < 4; j++)
            CHECK(a.row[k][j] >= -1e-6 * size[j]);
    const result given = solve(enzyme, "1e-6", "1e-6"); /* asked for: not repeated */
    CHECK_INT(given.warnings, 0);
}

/* Nobody else pays: unknowns that are 0, rounding of others, or multipliers that are 0. */
static void test_others(void)
{
    static const char *const texts[] = {
        "var x = 1, y = 0\nx' = -x\ny' = -3*y\nover t = 0 .. 1\n",
        /* a balanced bridge: i is the rounding of (a - b)/R, j = i */
        "var u = 0, a, b, i, j\nu' = 1 - u\na = u*0.3\nb = 3*u/10\ni = (a - b)*7\nj = i\n"
        "over t = 0 .. 1\n",
        "var p = 1, q = 0, v = 0, w ~ 0, lam ~ 1, mu ~ 0\n"
        "p' = v - mu*p\nq' = w - mu*q\nv' = -lam*p\nw' = -lam*q - 1\n"
        "p^2 + q^2 = 1\np*v + q*w = 0\nover t = 0 .. 1\n"};

    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const result a = solve(texts[k], "1e-6", NULL), b = solve(texts[k], "1e-6", "1e-6");
        CHECK_INT(a.status, RG_OK);
        if (!CHECK_INT(a.warnings, 0)) printf("%s\n", a.warning);
        CHECK_INT(a.steps, b.steps);
    }
}

/* The equation of a small unknown has nothing else in it, or nothing any more when the run ends: a
 * decay, a pulse that is over, a switch that has gone back. */
static void test_alone(void)
{
    static const struct {
        const char *text;
        int unknown;
    } cases[] = {
        {"var x = 1e-9\nx' = -x\nover t = 0 .. 3\n",                                        0},
        {"var x = 1e-9, z = 1e-8\nx' = -x\nz' = x - z\nover t = 0 .. 3\n",                  1},
        {"var x = 1e-30, v = 0\nx' = v\nv' = -x - v\nover t = 0 .. 3\n",                    0},
        {"var x = 0\nx' = -x + 1e-9*exp(-20*(t - 0.7)^2)\nover t = 0 .. 5\n",               0},
        {"var x = 1, u\nx' = -x\nu = 1e-9*x^40*exp(-20*(t - 0.7)^2)\nover t = 0 .. 5\n",    1},
        {"var x = 0\nx' = -x + if(t > 1 and t < 1.5, 1e-9, 0)\nover t = 0 .. 5\n",          0},
        {"var f = 0, u ~ 0\nf' = sin(t) - f + 1e9*u\n0 = min(f, 1e9*u)\nover t = 0 .. 9\n", 1},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const result a = solve(cases[k].text, "1e-6", NULL);
        const result reference = solve(cases[k].text, "1e-10", "auto");
        CHECK_INT(a.status, RG_OK);
        CHECK_INT(reference.status, RG_OK);
        CHECK_INT(a.warnings, 1);
        if (!CHECK(difference(&a, &reference, cases[k].unknown) < 1e-5))
            printf("%s: off by %g\n", cases[k].text, difference(&a, &reference, cases[k].unknown));
    }
}

/* auto: the size of every unknown, large ones too. */
static void test_auto(void)
{
    static const char text[] =
        "var x = 1e6, y = 0\nx' = -x\ny' = 1e-12*cos(9*t)\nover t = 0 .. 3\n";
    const result a = solve(text, "1e-6", "auto");

    CHECK_INT(a.status, RG_OK);
    CHECK_INT(a.warnings, 0);
    for (int k = 0; k < ROWS; k++) {
        const double t = 3.0 * k / (ROWS - 1.0);
        CHECK(fabs(a.row[k][0] - 1e6 * exp(-t)) <= 1e-5 * 1e6);
        CHECK(fabs(a.row[k][1] - 1e-12 * sin(9.0 * t) / 9.0) <= 1e-5 * 1e-12);
    }
}

/* An expression of small unknowns counts by what their tolerances are in it. */
static void test_outputs(void)
{
    static const char text[] = "var x = 1e-9, v = 0\nx' = v\nv' = -x\noutput x, E = x^2 + v^2\n"
                               "over t = 0 .. 9\n";
    const result a = solve(text, "1e-6", NULL);

    CHECK_INT(a.warnings, 1);
    CHECK(a.estimate > 1e-11 && a.estimate < 1e-4);
}

/* Sizes around the limit of 100 atol, and above, where the run is not repeated: the error in units
 * of atol/rtol + |y|, of 1, is within the estimate, whatever that leaves of the value. */
static const char *const middles[] = {
    "param a = %g\nvar x = a, v = 0\nx' = v\nv' = -9*x\nover t = 0 .. 6\n",
    "param a = %g\nvar x = a, v = 0\nx' = v\nv' = 5*(1 - (2*x/a)^2)*v - x\nover t = 0 .. 6\n",
    "param a = %g\nvar x = a, v = 0.5*a\nx' = x*(1.5 - v/a)\nv' = v*(x/a - 1)\nover t = 0 .. 10\n",
    "param a = %g\nvar x = a, v\nx' = -3*x + a*cos(20*t)\nv = x*exp(x/a)\nover t = 0 .. 4\n"};

static void check_middle(const char *form, double a, double tol)
{
    char text[512], number[32];

    snprintf(text, sizeof text, form, a);
    snprintf(number, sizeof number, "%g", tol);
    const result r = solve(text, number, NULL), reference = solve(text, "1e-12", "auto");
    if (!CHECK(r.status == RG_OK && reference.status == RG_OK)) return;
    for (int j = 0; j < 2; j++)
        for (int k = 0; k < ROWS; k++) {
            const double unit = r.warnings > 0 ? a : 1.0, y = reference.row[k][j];
            const double e = fabs(r.row[k][j] - y) / (unit + fabs(y));
            if (!CHECK(e <= 100.0 * tol && e <= 10.0 * r.estimate))
                printf("size %g, tol %g, unknown %d: error %g, estimate %g, %d warnings\n", a, tol,
                       j, e, r.estimate, r.warnings);
        }
}

static void test_middle(void)
{
    static const double parts[] = {30.0, 101.0, 300.0, 1e3, 1e4};
    static const double tols[] = {1e-4, 1e-6, 1e-8};

    for (size_t m = 0; m < sizeof middles / sizeof *middles; m++)
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            for (size_t i = 0; i < sizeof tols / sizeof *tols; i++)
                if (test_takes((int)(m + k + i)))
                    check_middle(middles[m], parts[k] * tols[i], tols[i]);
}

/* Decaying chemistry (E5 of the stiff test set of Enright, Hull and Lindberg): y2 and y3 fall from
 * 1e-10 to 1e-14, and below 0 they explode.  atol by their largest values ends the run in some of
 * these, and atol by what they have at the start does not; that is the result. */
static void test_decay(void)
{
    static const char text[] = "var y1 = 1.76e-3, y2 = 0, y3 = 0, y4 = 0\n"
                               "y1' = -7.89e-10*y1 - 1.1e7*y1*y3\n"
                               "y2' = 7.89e-10*y1 - 1.13e9*y2*y3\n"
                               "y3' = 7.89e-10*y1 - 1.1e7*y1*y3 + 1.13e3*y4 - 1.13e9*y2*y3\n"
                               "y4' = 1.1e7*y1*y3 - 1.13e3*y4\nover t = 0 .. 1e11\n";
    static const char *const tols[] = {"1e-3", "1e-4", "1e-5", "3e-6", "1e-6", "2e-7", "1e-7"};
    const double largest = 1.5e-10, late = 5e-18; /* y2 on its way, and from the second row on */

    for (size_t i = 0; i < sizeof tols / sizeof *tols; i++)
        for (int is_auto = 0; is_auto < 2; is_auto++) {
            const result r = solve(text, tols[i], is_auto ? "auto" : NULL);
            if (!CHECK_INT(r.status, RG_OK)) printf("tol %s, auto %d\n", tols[i], is_auto);
            for (int k = 1; k < ROWS; k++)
                CHECK(fabs(r.row[k][1]) < late + 10.0 * strtod(tols[i], NULL) * largest);
        }
}

int main(void)
{
    static const test_case cases[] = {
        {"circuit", test_circuit},
        {"enzyme",  test_enzyme },
        {"others",  test_others },
        {"alone",   test_alone  },
        {"auto",    test_auto   },
        {"outputs", test_outputs},
        {"middle",  test_middle },
        {"decay",   test_decay  },
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
