/* Start values of shipped models against published numbers or a second route.  Runs from the top of
 * the tree. */
#include "newton/consistent.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    rg_context *ctx;
    rg_problem *p;
    rg_consistent *c;
} example;

static bool open_example(example *x, const char *path)
{
    const rg_analysis *a = NULL;

    *x = (example){0};
    const bool ok = CHECK_INT(rg_context_create(&x->ctx), RG_OK)
                    && CHECK_INT(rg_problem_from_file(x->ctx, path, &x->p), RG_OK)
                    && CHECK_INT(rg_analysis_get(x->p, &a), RG_OK)
                    && CHECK_INT(rg_consistent_create(x->p, a, x->p->a, &x->c), RG_OK);
    if (!ok) printf("    %s: %s\n", path, rg_last_error(x->ctx)->message);
    return ok;
}

static void close_example(example *x)
{
    rg_consistent_destroy(x->ctx, &x->c);
    rg_problem_destroy(&x->p);
    rg_context_destroy(&x->ctx);
}

static double value_of(const example *x, const char *name)
{
    char text[64];

    for (int r = 0; r < x->c->n_orders; r++) {
        for (int64_t j = 0; j < x->p->n; j++) {
            rg_variable_name(x->p, j, r, text, sizeof text);
            if (strcmp(text, name) == 0) return x->c->value[r][j];
        }
    }
    return NAN;
}

/* Published: Test Set for IVP Solvers, problem Andrews. */
static void test_andrews(void)
{
    example x;

    if (open_example(&x, "examples/ivp/andrews.rg")) {
        CHECK_NEAR(value_of(&x, "bt''"), 14222.4439199541138705911625887, 1e-9);
        CHECK_NEAR(value_of(&x, "th''"), -10666.8329399655854029433719415, 1e-9);
        CHECK_NEAR(value_of(&x, "lam1"), 98.5668703962410896057654982170, 1e-11);
        CHECK_NEAR(value_of(&x, "lam2"), -6.12268834425566265503114393122, 1e-11);
        CHECK_NEAR(value_of(&x, "lam6"), 0, 1e-9);
        CHECK_INT(x.p->study->n_warnings, 0);
    }
    close_example(&x);
}

/* y1' = y2' = a, by hand:  (a - Ue')/R0 + 2 a/R + (1 - alpha) beta/UF (a - y3') = 0,  y3' = -3/(C2
 * R). */
static void test_transistor(void)
{
    example x;

    if (open_example(&x, "examples/ivp/transistor-amplifier.rg")) {
        const double pi = acos(-1), g = 0.01 * 1e-6 / 0.026, y3 = -3 / (2e-6 * 9000);
        const double a = (20 * pi / 1000 + g * y3) / (1 / 1000. + 2 / 9000. + g);
        CHECK_NEAR(value_of(&x, "y1'"), a, 1e-10);
        CHECK_NEAR(value_of(&x, "y2'"), a, 1e-10);
        CHECK_NEAR(value_of(&x, "y3'"), y3, 1e-11);
        CHECK(value_of(&x, "y4") == 6 && value_of(&x, "y8") == 0);
        CHECK_INT(x.p->study->n_warnings, 0);
    }
    close_example(&x);
}

/* At 0 all currents vanish; y3', -y4', -y5', y6' share the slope of the source 2 sin(2e4 pi t). */
static void test_ring_modulator(void)
{
    example x;

    if (open_example(&x, "examples/ivp/ringmod-cs0.rg")) {
        CHECK_NEAR(value_of(&x, "y3"), 0, 1e-15);
        CHECK_NEAR(value_of(&x, "y3'"), 2e4 * acos(-1), 1e-6);
        CHECK_NEAR(value_of(&x, "y4'"), -2e4 * acos(-1), 1e-6);
        CHECK(x.c->residual < 1e-10);
    }
    close_example(&x);
}

/* Data printed with ten digits. */
static void test_slider_crank(void)
{
    example x;

    if (open_example(&x, "examples/ivp/slider-crank.rg")) {
        CHECK(x.c->residual < 1e-13);
        CHECK_INT(x.p->study->n_warnings, 1);
        CHECK(x.p->study->n_warnings == 1
              && strstr(x.p->study->warnings[0], "changed by up to") != NULL);
    }
    close_example(&x);
}

/* One redundant constraint: no contradiction, and the given values stay as they are. */
static void test_bricard(void)
{
    example x;

    if (open_example(&x, "examples/ivp/bricard.rg")) {
        CHECK(x.c->residual < 1e-10);
        CHECK(value_of(&x, "p[2,2]") == -1 && value_of(&x, "p[1,3]") == 0);
    }
    close_example(&x);
}

static void test_others(void)
{
    static const char *const names[] = {"caraxis", "fekete", "robertson", "knife-edge", "governor"};
    char path[64];
    example x;

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "examples/ivp/%s.rg", names[k]);
        if (open_example(&x, path)) {
            CHECK(x.c->residual < 1e-14);
            CHECK_INT(x.p->study->n_warnings, 0);
        }
        close_example(&x);
    }
}

static const test_case cases[] = {
    {"andrews",        test_andrews       },
    {"transistor",     test_transistor    },
    {"ring_modulator", test_ring_modulator},
    {"slider_crank",   test_slider_crank  },
    {"bricard",        test_bricard       },
    {"others",         test_others        },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
