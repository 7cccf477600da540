/* Fields on grids against the literature: the driven cavity (Ghia, Ghia, Shin 1982; extrema of
 * Botella, Peyret 1998), the warm wall (de Vahl Davis 1983), a front with dispersion (Ogata, Banks
 * 1961), layers in series and in parallel.  With the argument "long" also Re = 400 and 1000, and
 * the warm wall at 48 x 48. */
#include "base/base.h"
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static bool is_long;

/* The outputs of a model; false: it failed. */
static bool outputs(const char *text, const char *transport, double *out)
{
    rg_options o = rg_options_default();
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double a = 0, b = 0, times[1];
    const rg_request r = {.keep = RG_KEEP_ROWS, .n_times = 1, .times = times};

    bool ok =
        CHECK(rg_context_create(&ctx) == RG_OK) && rg_problem_from_text(ctx, text, &p) == RG_OK;
    if (ok) {
        rg_problem_options(p, &o);
        if (transport) strcpy(o.transport, transport);
        rg_problem_interval(p, &a, &b);
        times[0] = b;
        ok = rg_solve_request(p, b, &o, &r, &s) >= 0 && rg_solution_end_values(s, out) == RG_OK;
    }
    if (!ok) rg_error_print(rg_last_error(ctx), stdout);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return CHECK(ok);
}

/* ---- driven cavity --------------------------------------------------------------------------- */

typedef struct {
    int n;
    bool is_v[MOST];
    double at[MOST], value[MOST];
} profile;

static bool read_profile(int Re, profile *p)
{
    char path[64], line[200];

    snprintf(path, sizeof path, "tests/tables/ghia-re%d.csv", Re);
    FILE *file = fopen(path, "r");
    p->n = 0;
    if (!CHECK(file != NULL)) return false;
    while (p->n < MOST && fgets(line, sizeof line, file) != NULL) {
        const char *comma = strchr(line, ',');
        if ((line[0] != 'u' && line[0] != 'v') || comma == NULL) continue;
        p->is_v[p->n] = line[0] == 'v';
        p->n += sscanf(comma, ",%lf,%lf", &p->at[p->n], &p->value[p->n]) == 2;
    }
    fclose(file);
    return CHECK(p->n > 30);
}

/* The largest distance to the published profiles; extrema: of u at x = 1/2, v at y = 1/2. */
static double cavity(int Re, int N, double extrema[3])
{
    profile p;
    char text[6000];
    double value[MOST + 3], worst = 0;

    if (!read_profile(Re, &p)) return NAN;
    int used = snprintf(text, sizeof text,
                        "domain x = 0..1 cells %d, y = 0..1 cells %d\nvector u = (0, 0)\nfield p\n"
                        "u' + div(u*u) = lap(u)/%d - grad(p)\ndiv(u) = 0\n"
                        "boundary u(top) = (1, 0)\nover t = 0 .. 200\nsolve steady = 1e-5\n"
                        "output a = minimum(u[x], x = .5), b = maximum(u[y], y = .5), "
                        "c = minimum(u[y], y = .5)",
                        N, N, Re);
    for (int k = 0; k < p.n; k++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used,
                     p.is_v[k] ? ",\n  o%d = u[y](%g, .5)" : ",\n  o%d = u[x](.5, %g)", k, p.at[k]);
    snprintf(text + used, sizeof text - (size_t)used, "\n");
    if (!outputs(text, NULL, value)) return NAN;
    memcpy(extrema, value, 3 * sizeof *extrema);
    for (int k = 0; k < p.n; k++)
        worst = fmax(worst, fabs(value[3 + k] - p.value[k]));
    printf("    Re %d, %d x %d: %.4f from Ghia; %.5f, %.5f, %.5f\n", Re, N, N, worst, extrema[0],
           extrema[1], extrema[2]);
    return worst;
}

static void test_cavity(void)
{
    static const double exact[3] = {-0.21404, 0.17957, -0.25380},
                        fast[3] = {-0.38857, 0.37694, -0.52708};
    double coarse[3], fine[3];

    cavity(100, 16, coarse);
    CHECK(cavity(100, 32, fine) < 0.02);
    for (int k = 0; k < 3; k++) {
        CHECK(fabs(fine[k] - exact[k]) < 0.01);
        CHECK(fabs((4 * fine[k] - coarse[k]) / 3 - exact[k]) < 0.003); /* second order */
    }
    if (!is_long) return;
    CHECK(cavity(400, 64, fine) < 0.02);
    CHECK(cavity(1000, 128, fine) < 0.02);
    for (int k = 0; k < 3; k++)
        CHECK(fabs(fine[k] - fast[k]) < 0.01);
}

/* ---- warm wall ------------------------------------------------------------------------------- */

static void warm_wall(int N, const double *expected, double tolerance)
{
    char text[1000];
    double value[3];

    snprintf(text, sizeof text,
             "domain x = 0..1 cells %d, y = 0..1 cells %d\nvector u = (0, 0)\n"
             "field p, T = .5 - x\nu' + div(u*u) = .71*lap(u) - grad(p) + (0, 7100*T)\n"
             "div(u) = 0\nT' + div(u*T) = lap(T)\nboundary T(left) = .5, T(right) = -.5\n"
             "over t = 0 .. .4\noutput Nu = 1 + integral(u[x]*T), "
             "umax = maximum(u[x], x = .5), vmax = maximum(u[y], y = .5)\n",
             N, N);
    if (!outputs(text, "central", value)) return;
    printf("    %d x %d: %.4f, %.3f, %.3f\n", N, N, value[0], value[1], value[2]);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(value[k] / expected[k], 1, tolerance);
}

static void test_warm_wall(void)
{
    static const double stored[3] = {2.3357, 16.056, 19.558}, /* these equations at 16 x 16 */
        literature[3] = {2.2448, 16.180, 19.629};

    warm_wall(16, stored, 1e-3);
    if (is_long) warm_wall(48, literature, 0.01);
}

/* ---- a front --------------------------------------------------------------------------------- */

static void test_front(void)
{
    static const double exact[5] = {0.9921061, 0.8950834, 0.5440653, 0.1527942, 0.0155798},
                        bound[2] = {1.55e-2, 3.55e-3}; /* two digits: 1.5e-2, 3.5e-3 */
    double last = INFINITY;

    for (int k = 0; k < (is_long ? 3 : 2); k++) {
        char text[600];
        double value[5], worst = 0;
        snprintf(text, sizeof text,
                 "domain x = 0..2 cells %d, y = 0..1 cells 2 periodic\nfield p, c = 0\nvector u\n"
                 "u = -grad(p)\ndiv(u) = 0\nc' + div(u*c) = .02*lap(c)\n"
                 "boundary u[x](left) = 1, p(right) = 0, c(left) = 1\nover t = 0 .. .8\n"
                 "output a = c(.4, .5), b = c(.6, .5), d = c(.8, .5), e = c(1, .5), "
                 "f = c(1.2, .5)\n",
                 50 << k);
        if (!outputs(text, NULL, value)) return;
        for (int i = 0; i < 5; i++)
            worst = fmax(worst, fabs(value[i] - exact[i]));
        printf("    %d cells: %.2e\n", 50 << k, worst);
        CHECK(k < 2 ? worst <= bound[k] : worst < last / 3);
        last = worst;
    }
}

/* ---- layers ---------------------------------------------------------------------------------- */

static void test_layers(void)
{
    static const char *const K[] = {"if(x < .5, 1, 10)", "if(y < .5, 1, 10)"};
    static const double exact[] = {1 / 0.55, 5.5}; /* harmonic and arithmetic mean */

    for (int k = 0; k < 2; k++) {
        char text[400];
        double q;
        snprintf(text, sizeof text,
                 "domain x = 0..1 cells 10, y = 0..1 cells 10\nfield p\nvector u\n"
                 "u/(%s) = -grad(p)\ndiv(u) = 0\nboundary p(left) = 1, p(right) = 0\n"
                 "output q = integral(u[x], right)\n",
                 K[k]);
        if (outputs(text, NULL, &q)) CHECK_NEAR(q / exact[k], 1, 1e-12);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"cavity",    test_cavity   },
        {"warm wall", test_warm_wall},
        {"front",     test_front    },
        {"layers",    test_layers   }
    };

    is_long = argc > 1 && strcmp(argv[1], "long") == 0;
    return test_main(cases, sizeof cases / sizeof *cases);
}
