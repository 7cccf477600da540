/* Boundary value problems whose constraint is a product, as written: the guess says which factor
 * vanishes.
 *
 * Ascher and Spiteri (1994):  x1' = (eps + x2 - sin t) y + cos t,  x2' = cos t,  x3' = y,  0 = (x1
 * - sin t)(y - exp t), x1(0) = 0, x3(0) = 1, x2(1) = sin 1:  x1 = sin t, x3 = 1, y = 0 (index 2) or
 * x1 = sin t + eps (exp t - 1), x3 = y = exp t (index 1). */
#include "base/options.h"
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL                                                                                      \
    "param eps = %s\n"                                                                             \
    "var x1 ~ %s, x2 ~ sin(t), x3 ~ 1, y ~ %s\n"                                                   \
    "x1' = (eps + x2 - sin(t))*y + cos(t)\nx2' = cos(t)\nx3' = y\n%s\nover t = 0 .. 1\n"           \
    "boundary x1(0) = 0\nboundary x3(0) = 1\nboundary x2(1) = sin(1)\n"

static const char PRODUCT[] = "0 = (x1 - sin(t))*(y - exp(t))";

typedef struct {
    const char *eps, *x1, *y, *equation;
    int index; /* of the branch; 0: refused */
    double tol;
} model;

static const model models[] = {
    {"1e-4", "sin(t)",     "0",      PRODUCT,                               2, 1e-6},
    {"1",    "sin(t)",     "0",      PRODUCT,                               2, 1e-6},
    {"1e-4", "sin(t)",     "t",      PRODUCT,                               2, 1e-9},
    {"1e-4", "t",          "1+t",    PRODUCT,                               1, 1e-6},
    {"1",    "sin(t) + t", "1",      PRODUCT,                               1, 1e-6},
    {"1",    "t^2",        "0",      PRODUCT,                               1, 1e-9},
    {"1",    "sin(t)",     "0",      "-(x1 - sin(t))*(y - exp(t))/2 = 0",   2, 1e-6},
    {"1",    "sin(t)",     "0",      "(x1 - sin(t))^3*(1 + t) = 0",         2, 1e-6},
    {"1",    "sin(t)",     "0",      "x1*(y-exp(t)) = sin(t)*(y - exp(t))", 0, 1e-6}, /* not a product */
    {"1",    "sin(t)",     "exp(t)", PRODUCT,                               0, 1e-6}, /* both vanish */
};

/* Largest error over 100 points on branch `index`. */
static double error_of(const rg_solution *s, int index, double eps)
{
    double worst = 0.0, z[4];

    for (int k = 0; k <= 100; k++) {
        const double t = k / 100.0, e = exp(t);
        CHECK(rg_solution_eval(s, t, z, NULL) >= 0);
        const double x1 = index == 2 ? sin(t) : sin(t) + eps * (e - 1);
        worst = fmax(worst, fmax(fabs(z[0] - x1), fabs(z[1] - sin(t))));
        worst = fmax(
            worst, fmax(fabs(z[2] - (index == 2 ? 1.0 : e)), fabs(z[3] - (index == 2 ? 0.0 : e))));
    }
    return worst;
}

static bool has_warning(const rg_solution *s, const char *text)
{
    for (int k = 0; k < rg_solution_warning_count(s); k++)
        if (strstr(rg_solution_warning(s, k), text) != NULL) return true;
    return false;
}

static void check_model(rg_context *ctx, const model *m)
{
    char text[512];
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_structure structure;
    rg_options o = rg_options_default();

    snprintf(text, sizeof text, MODEL, m->eps, m->x1, m->y, m->equation);
    o.rtol = o.atol = m->tol;
    if (!CHECK(rg_problem_from_text(ctx, text, &p) >= 0)) return;
    const rg_status status = rg_solve(p, 1.0, &o, &s);
    if (m->index == 0) {
        CHECK(status < 0 && strstr(rg_last_error(ctx)->remedy, "factor") != NULL);
    } else if (CHECK(status >= 0) && CHECK(rg_analyze(p, &structure) >= 0)) {
        const double error = error_of(s, m->index, atof(m->eps));
        printf("  %s, x1 ~ %s, y ~ %s, tol %.0e: index %d, error %.1e\n", m->equation, m->x1, m->y,
               m->tol, structure.index, error);
        CHECK(error <= 3 * m->tol);
        CHECK_INT(structure.index, m->index);
        CHECK(has_warning(s, m->index == 2 ? "factor with 'x1' vanishes along the guess"
                                           : "its factor with 'y' vanishes"));
    } else {
        rg_error_print(rg_last_error(ctx), stdout);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

/* A solution file is a guess on its own branch, and one problem serves both. */
static void check_files(rg_context *ctx)
{
    char path[2][64];
    const model *from[] = {&models[3], &models[0]};
    char text[512];
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();

    for (int k = 0; k < 2; k++) {
        snprintf(path[k], sizeof path[k], "/tmp/regula-branch-%d-%p.csv", k, (void *)ctx);
        snprintf(text, sizeof text, MODEL, "1e-4", from[k]->x1, from[k]->y, PRODUCT);
        CHECK(rg_problem_from_text(ctx, text, &p) >= 0 && rg_solve(p, 1.0, &o, &s) >= 0
              && rg_solution_write_csv(s, path[k]) >= 0);
        rg_solution_destroy(&s);
        if (k == 0) rg_problem_destroy(&p);
    }
    for (int k = 0; k < 4; k++) { /* p, whose own guess is on branch 2 */
        snprintf(o.guess, sizeof o.guess, "%s", path[k % 2]);
        if (CHECK(rg_solve(p, 1.0, &o, &s) >= 0)) CHECK(error_of(s, k % 2 + 1, 1e-4) <= 3e-6);
        rg_solution_destroy(&s);
    }
    rg_problem_destroy(&p);
    remove(path[0]);
    remove(path[1]);
}

static void test_models(void)
{
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        check_model(ctx, &models[k]);
    rg_context_destroy(&ctx);
}

static void test_files(void)
{
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    check_files(ctx);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"models", test_models},
    {"files",  test_files }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
