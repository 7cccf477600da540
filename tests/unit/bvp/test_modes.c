/* Eigenvalues of the linearized equations: two states by formula, more by LAPACK.  The conditioning
 * of a problem in other units of its conditions. */
#include "bvp/collocation/modes.h"
#include "support/test.h"

#include "structure/analysis.h"

#include <math.h>
#include <stdio.h>

static double pick(const double *v, int n, double wanted)
{
    double best = v[0];

    for (int k = 1; k < n; k++)
        if (fabs(v[k] - wanted) < fabs(best - wanted)) best = v[k];
    return best;
}

/* Real and imaginary parts at t = 0.5, x = 0 that must be among the eigenvalues. */
static void check(const char *text, int n, const double *re, const double *im)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;
    rg_bvp_form *f = NULL;
    rg_modes m = {0};
    const double zero[4] = {0};

    if (CHECK(rg_context_create(&ctx) >= 0) && CHECK(rg_problem_from_text(ctx, text, &p) >= 0)
        && CHECK(rg_analysis_get(p, &a) >= 0) && CHECK(rg_bvp_form_create(p, a, &f) >= 0)
        && CHECK_INT(rg_modes_init(f, &m), RG_OK) && CHECK_INT(f->nx, n)
        && CHECK_INT(rg_modes_at(&m, 0.5, zero, zero), RG_OK))
        for (int k = 0; k < n; k++) {
            CHECK_NEAR(pick(m.re, n, re[k]), re[k], 1e-12 * (1 + fabs(re[k])));
            CHECK_NEAR(pick(m.im, n, im[k]), im[k], 1e-12 * (1 + fabs(im[k])));
        }
    rg_modes_clear(&m);
    rg_bvp_form_destroy(&f);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* Eigenvalues are found again where the Jacobian is another one, and only there. */
static void check_again(const char *text, bool is_constant, double last)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;
    rg_bvp_form *f = NULL;
    rg_modes m = {0};
    const double zero[4] = {0};

    if (CHECK(rg_context_create(&ctx) >= 0) && CHECK(rg_problem_from_text(ctx, text, &p) >= 0)
        && CHECK(rg_analysis_get(p, &a) >= 0) && CHECK(rg_bvp_form_create(p, a, &f) >= 0)
        && CHECK_INT(rg_modes_init(f, &m), RG_OK)
        && CHECK_INT(rg_modes_at(&m, 0.5, zero, zero), RG_OK)) {
        CHECK_NEAR(pick(m.re, f->nx, -3.0), -3.0, 1e-12);
        m.re[0] = 77.0; /* a mark */
        CHECK_INT(rg_modes_at(&m, 1.0, zero, zero), RG_OK);
        CHECK((m.re[0] == 77.0) == is_constant);
        if (!is_constant) CHECK_NEAR(pick(m.re, f->nx, last), last, 1e-12);
    }
    rg_modes_clear(&m);
    rg_bvp_form_destroy(&f);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

#define ENDS "over t = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 0\n"

static void test_two_states(void)
{
    const double layer[] = {-1e8 - 1, 0}, none[] = {0, 0};
    const double fast[] = {-1e6, 1}, wave[] = {-3, -3}, phase[] = {4, -4};

    check("var y\n1e-8*y'' + (1 + 1e-8)*y' = 0\n" ENDS, 2, layer, none);
    check("var y\ny'' + (1e6 - 1)*y' - 1e6*y = 0\n" ENDS, 2, fast,
          none); /* 1 is not lost beside 1e6 */
    check("var y\ny'' + 6*y' + 25*y = 0\n" ENDS, 2, wave, phase);
}

static void test_again(void)
{
    check_again("var y\ny'' + 4*y' + 3*y = sin(t)\n" ENDS, true, 0.0);
    check_again("var y\ny'' + 4*y' + 6*(1 - t)*y = 0\n" ENDS, false, -4.0);
}

static void test_three_states(void)
{
    const double re[] = {-2, 0, 0}, im[] = {0, 3, -3};

    check("var y, z\nz' = -2*z\ny'' = -9*y + z\n" ENDS "boundary z(0) = 1\n", 3, re, im);
}

static double conditioning(const char *conditions)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    char text[256];
    double found = NAN;

    snprintf(text, sizeof text, "var y\ny'' = -4*y + 1\nover t = 0 .. 1\n%s", conditions);
    CHECK(rg_context_create(&ctx) >= 0 && rg_problem_from_text(ctx, text, &p) >= 0
          && rg_conditioning(p, NULL, &found) >= 0);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return found;
}

/* A factor of a condition changes nothing. */
static void test_conditioning(void)
{
    const double plain = conditioning("boundary y(0) = 0\nboundary y(1) = 1\n");

    CHECK(plain > 1.0 && plain < 10.0);
    CHECK_NEAR(conditioning("boundary 1e4*y(0) = 0\nboundary 1e-4*y(1) = 1e-4\n"), plain,
               1e-6 * plain);
}

static const test_case cases[] = {
    {"two_states",   test_two_states  },
    {"again",        test_again       },
    {"three_states", test_three_states},
    {"conditioning", test_conditioning}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
