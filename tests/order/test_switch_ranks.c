/* A resistance that a switch in time changes, beside a capacitor at a source, which makes the model
 * one of index 2: what the branches multiply is small on one of them, and no rank is lost. */
#include "regula.h"
#include "support/rows.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

static rg_context *ctx;
enum { PHASES = 6 };
static const double C = 4e-4, HALF = 3e-4;

/* j R = u, on and off by turns */
static const char *const circuit =
    "param on = %.17g, off = %.17g, w = 1340\n"
    "var u = 0, j, e, i\ne = 165*sin(w*t)\n%s\ni + 3.7e-3*e' = 0\n4e-4*u' = 10 - j\n"
    "over t = 0 .. 1.75e-3\noutput u, j, i\n";
static const char *const writings[] = {"u = j*if(mod(t, 6e-4) < 3e-4, on, off)",
                                       "j = u/if(mod(t, 6e-4) < 3e-4, on, off)",
                                       "if(mod(t, 6e-4) < 3e-4, u - on*j, u/off - j) = 0"};

/* Largest error of a row, relative to 1 + |value|. */
static double error_of(const rows_result *r, double on, double off)
{
    double worst = 0.0;

    for (int k = 1; k < r->n_rows; k++) {
        const double t = 1.75e-3 * k / (r->n_rows - 1);
        double u = 0.0, R = on;
        for (int p = 0; p < PHASES && t > p * HALF; p++) {
            R = p % 2 == 0 ? on : off;
            u = 10.0 * R + (u - 10.0 * R) * exp(-fmin(t - p * HALF, HALF) / (R * C));
        }
        const double value[] = {u, u / R, -3.7e-3 * 165.0 * 1340.0 * cos(1340.0 * t)};
        for (int c = 0; c < 3; c++)
            worst = fmax(worst, fabs(r->row[k][c] - value[c]) / (1.0 + fabs(value[c])));
    }
    return worst;
}

static void test_resistances(void)
{
    static const double ratio[] = {3.0, 30.0, 1e3, 1e6, 1e-2, 1e-5};

    for (int k = 0; k < 6 * 3 * 4; k++) {
        const double on = 0.06 * fmax(1.0, 1.0 / ratio[k / 12]), off = on * ratio[k / 12];
        const double tol = pow(10.0, -3 - 2 * (k % 4));
        char text[500];
        snprintf(text, sizeof text, circuit, on, off, writings[k / 4 % 3]);
        const rows_result r = rows_solve(ctx, text, 24, "tol=%g", tol);
        if (!CHECK_INT(r.status, RG_OK) || !CHECK(error_of(&r, on, off) <= 10.0 * tol))
            printf("    %g and %g, %s, tol %g: error %.2g, %s\n", on, off, writings[k / 4 % 3], tol,
                   error_of(&r, on, off) / tol, r.message);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"resistances", test_resistances}
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
