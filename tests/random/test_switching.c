/* Random systems with switches, as tests of what is found behind them:
 *
 *     complementarity   x' = A x + B w,  0 = min(w, C x + D w + b(t)),   D + D^T positive definite,
 *                       three states and three pairs; every other system has a jump in b
 *     relays            x' = A x + R sign(S x + c(t)) + a(t), three states, two relays, of which
 *                       most slide now and then
 *
 * A run with the tolerance 1e-6 agrees at 61 times with one of 1e-10, and its estimate is true. */
#include "base/random.h"
#include "regula.h"
#include "support/rows.h"
#include "support/test.h"
#include "support/text.h"

#include <math.h>
#include <stdio.h>

enum { SYSTEMS = 24, TIMES = 61, SIZE = 3, RELAYS = 2, TEXT = 4096 };
static const double TOL = 1e-6, TIGHT = 1e-10, LIMIT = 30.0;
static rg_context *ctx;
static uint64_t seed, drawn;
static char text[TEXT];

static double between(double low, double high)
{
    return low + (high - low) * rg_random(seed, drawn++);
}

#define put(...) text_put(text, sizeof text, __VA_ARGS__)

static void put_product(const double *row, int n, char name)
{
    for (int j = 0; j < n; j++)
        put(" + (%.9g)*%c%d", row[j], name, j);
}

static void make_complementarity(void)
{
    double M[SIZE][SIZE], row[SIZE];

    put("var x0 = %.6g, x1 = %.6g, x2 = %.6g, w0, w1, w2\nover t = 0 .. 6\n", between(-1, 1),
        between(-1, 1), between(-1, 1));
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++)
            row[j] = between(-1, 1) - (i == j ? 1.0 : 0.0);
        put("x%d' = 0", i);
        put_product(row, SIZE, 'x');
        for (int j = 0; j < SIZE; j++)
            row[j] = between(-1, 1);
        put_product(row, SIZE, 'w');
        put("\n");
        for (int j = 0; j < SIZE; j++)
            M[i][j] = between(-1, 1);
    }
    const double skew = between(-0.5, 0.5);
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++)
            row[j] = between(-1, 1);
        put("0 = min(w%d, 0", i);
        put_product(row, SIZE, 'x');
        for (int j = 0; j < SIZE; j++) {
            row[j] = i == j ? 0.5 : skew * (i < j ? 1.0 : -1.0);
            for (int k = 0; k < SIZE; k++)
                row[j] += M[i][k] * M[j][k];
        }
        put_product(row, SIZE, 'w');
        put(" + %.6g*sin(%.6g*t + %.6g)", between(1, 2), between(1, 4), between(0, 6));
        if (i == 0 && seed % 2 == 1) put(" + if(t < %.6g, 0, %.6g)", between(1, 5), between(-2, 2));
        put(")\n");
    }
}

static void make_relays(void)
{
    double S[RELAYS][SIZE], w[RELAYS], c[RELAYS], row[SIZE];

    put("var x0 = %.4g, x1 = 0, x2 = %.4g\nover t = 0 .. 8\n", between(-1, 1), between(-1, 1));
    for (int k = 0; k < RELAYS; k++) {
        for (int j = 0; j < SIZE; j++)
            S[k][j] = between(-1, 1);
        c[k] = between(0, 0.5);
        w[k] = between(0.5, 3);
    }
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++)
            row[j] = between(-1, 1) - (i == j ? 1.5 : 0.0);
        put("x%d' = 0", i);
        put_product(row, SIZE, 'x');
        for (int k = 0; k < RELAYS; k++) {
            put(" + (%.9g)*sign(%.6g*sin(%.6g*t)", -S[k][i] * between(0.5, 2) + between(-0.3, 0.3),
                c[k], w[k]);
            put_product(S[k], SIZE, 'x');
            put(")");
        }
        put(" + %.4g*sin(%.4g*t)\n", between(0, 1), between(0.5, 4));
    }
}

static rows_result run(double tol)
{
    const rows_result r = rows_solve(ctx, text, TIMES, "tol=%g atol=%g", tol, tol);

    if (!CHECK_INT(r.status, RG_OK)) printf("%s\n%s", r.message, text);
    return r;
}

static void compare(void (*make)(void))
{
    double most = 0.0;

    for (seed = 1; seed <= SYSTEMS; seed++) {
        double worst = 0.0;
        drawn = 0;
        text[0] = '\0';
        make();
        const rows_result loose = run(TOL), tight = run(TIGHT);
        if (loose.status != RG_OK || tight.status != RG_OK) continue;
        for (int k = 0; k < TIMES; k++)
            for (int64_t i = 0; i < tight.n_columns; i++) {
                const double exact = tight.row[k][i];
                worst = fmax(worst, fabs(loose.row[k][i] - exact) / (1.0 + fabs(exact)));
            }
        if (!CHECK(worst <= LIMIT * TOL) || !CHECK(worst <= 10.0 * loose.estimate + 1e-9))
            printf("seed %d: error %.2g, estimate %.2g\n%s", (int)seed, worst, loose.estimate,
                   text);
        most = fmax(most, worst);
    }
    printf("largest error %.2g\n", most);
}

static void test_complementarity(void)
{
    compare(make_complementarity);
}

static void test_relays(void)
{
    compare(make_relays);
}

int main(void)
{
    static const test_case cases[] = {
        {"complementarity", test_complementarity},
        {"relays",          test_relays         },
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
