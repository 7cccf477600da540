/* Singular positions: the shipped models pass theirs on the right branch, models that must not be passed are reported.
 *
 * Errors at the end against exact or reference solutions; allowed is three times what the algorithm had when it was chosen
 * (doc/methods/passage.md, section 6: largest error over the mesh).  Run from the top folder. */
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *model, *column;
    double reference;
    int places;
    double error[3]; /* at 1e-4, 1e-6, 1e-8; 0: not run */
} passage;

static const passage passages[] = {
    {"both-vanish",          "x2",   0.84147098480789651, 1,  {2.5e-6, 8.9e-9, 2.9e-11}},
    {"bounded-multiplier",   "x1",   0.47942553860420301, 1,  {1.6e-6, 7.0e-9, 3.1e-11}},
    {"unbounded-multiplier", "x1",   -1.0,                1,  {1.4e-6, 6.4e-9, 2.6e-11}},
    {"autonomous",           "x1",   5.6043715246835603,  2,  {7.1e-6, 3.5e-8, 1.2e-10}},
    {"curved-cross",         "q1",   -0.7246938043004,    10, {2.3e-4, 7.8e-7, 2.7e-9} },
    {"slider-crank-swing",   "phi1", 4.3013322089333490,  9,  {7.2e-4, 2.9e-6, 1.0e-8} },
    {"slider-crank-turn",    "phi1", 67.910073820595086,  22, {7.7e-2, 3.1e-4, 0}      },
    {"four-bar",             "x[0]", 0.328458111541,      10, {9.4e-2, 3.3e-4, 1.1e-6} },
};

static double end_value(const rg_solution *s, const char *column)
{
    char name[64];
    double value = NAN, *values = malloc(sizeof *values * (size_t)rg_solution_columns(s));

    if (!CHECK(values != NULL) || !CHECK(rg_solution_end_values(s, values) >= 0)) return NAN;
    for (int64_t k = 0; k < rg_solution_columns(s); k++) {
        rg_solution_column_name(s, k, name, sizeof name);
        if (strcmp(name, column) == 0) value = values[k];
    }
    free(values);
    return value;
}

/* One object of the report has one "lost" for each place. */
static int places_of(const rg_problem *p, const rg_solution *s)
{
    char line[8192];
    int count = 0;
    FILE *file = tmpfile();

    if (!CHECK(file != NULL)) return -1;
    rg_report_solution_json("", p, s, NULL, file);
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL)
        for (const char *at = line; (at = strstr(at, "\"lost\"")) != NULL; at++)
            count++;
    fclose(file);
    return count;
}

static rg_status run(rg_context *ctx, const char *path, double tol, double end, int accept_doubt,
                     rg_problem **p, rg_solution **s)
{
    rg_options o = rg_options_default();
    double a, b;

    if (!CHECK(rg_problem_from_file(ctx, path, p) >= 0)) {
        rg_error_print(rg_last_error(ctx), stdout);
        return RG_ERR_SYNTAX;
    }
    o.rtol = o.atol = tol;
    o.accept_doubt = accept_doubt;
    rg_problem_interval(*p, &a, &b);
    return rg_solve_with(*p, isnan(end) ? b : end, &o, NULL, NULL, s);
}

static void check_passage(rg_context *ctx, const passage *c, int which)
{
    const double tol = which == 0 ? 1e-4 : which == 1 ? 1e-6 : 1e-8;
    char path[128];
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    snprintf(path, sizeof path, "examples/singular/%s.rg", c->model);
    if (CHECK(run(ctx, path, tol, NAN, 0, &p, &s) == RG_OK)) {
        const double error = fabs(end_value(s, c->column) - c->reference);
        const rg_stats stats = rg_solution_stats(s);
        const int places = places_of(p, s);
        printf("  %-22s %.0e  %2d places, %5lld evaluations, error %.1e (%.0e)\n", c->model, tol,
               places, (long long)stats.evaluations, error, 3 * c->error[which]);
        CHECK(error <= 3 * c->error[which]);
        CHECK_INT(places, c->places);
    } else {
        rg_error_print(rg_last_error(ctx), stdout);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_passages(void)
{
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t k = 0; k < sizeof passages / sizeof *passages; k++)
        for (int which = 0; which < 3; which++)
            if (passages[k].error[which] > 0) check_passage(ctx, &passages[k], which);
    rg_context_destroy(&ctx);
}

/* Output exactly at singular times, and a run that ends on one: from dense output. */
static void test_on_the_point(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    const double times[] = {0.25, 0.5, 0.75};

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_file(ctx, "examples/singular/both-vanish.rg", &p) == RG_OK);
    CHECK(rg_solve_at(p, 1, NULL, 3, times, &s) == RG_OK);
    CHECK(rg_solution_error(s, 0) < 1e-5 && rg_solution_error(s, 1) < 1e-5);
    rg_solution_destroy(&s);
    CHECK(rg_solve_with(p, 0.5, NULL, NULL, NULL, &s) == RG_OK);
    CHECK(fabs(end_value(s, "x1") - exp(-0.5)) < 1e-5);
    CHECK(fabs(end_value(s, "x2") - sin(0.5)) < 1e-5);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* ---- what must be reported */

typedef struct {
    const char *model;
    double tol;
    const char *message;
} refusal;

static const refusal refusals[] = {
    {"arrives-at-rest",         1e-4, "bifurcation"                          },
    {"arrives-at-rest",         1e-8, "bifurcation"                          },
    {"arrives-slowly",          1e-4, "bifurcation"                          },
    {"slow-slider-crank",       1e-4, "bifurcation"                          },
    {"touching-wires",          1e-6, "bifurcation"                          },
    {"long-coupler",            1e-4, "singular position without reaching it"},
    {"short-crank",             1e-6, "singular position without reaching it"},
    {"forced-pole",             1e-4, "pole"                                 },
    {"forced-pole",             1e-8, "pole"                                 },
    {"constraint-out-of-reach", 1e-3, "pole"                                 },
    {"constraint-out-of-reach", 1e-6, "pole"                                 },
    {"impasse",                 1e-6, "does not converge"                    },
    {"pole",                    1e-6, "below rounding"                       },
};

static void check_refusal(rg_context *ctx, const refusal *c)
{
    char path[128];
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    snprintf(path, sizeof path, "tests/singular/%s.rg", c->model);
    const rg_status status = run(ctx, path, c->tol, NAN, 0, &p, &s);
    const rg_error *error = rg_last_error(ctx);
    if (!CHECK(status == RG_ERR_CONVERGENCE) || !CHECK(strstr(error->message, c->message) != NULL))
        printf("    %s, %.0e: %s\n", c->model, c->tol, error->message);
    CHECK(error->remedy[0] != '\0' && isfinite(error->t));
    CHECK(s != NULL && rg_solution_end(s) > 0); /* what was computed is there */
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_refusals(void)
{
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++)
        check_refusal(ctx, &refusals[k]);
    rg_context_destroy(&ctx);
}

/* A near miss is followed where the tolerance resolves it, and passed over when the user says so. */
static void test_near_miss(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(run(ctx, "tests/singular/long-coupler.rg", 1e-8, NAN, 0, &p, &s) == RG_OK);
    const double turned = end_value(s, "y1");
    CHECK_INT(places_of(p, s), 0);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    CHECK(run(ctx, "tests/singular/long-coupler.rg", 1e-4, NAN, 1, &p, &s) == RG_OK);
    CHECK(places_of(p, s) >= 1);
    CHECK(fabs(end_value(s, "y1") - turned) > 0.1);              /* another motion */
    CHECK(fabs(end_value(s, "y1") - end_value(s, "y0")) < 1e-2); /* the parallelogram */
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"passages",     test_passages    },
    {"on_the_point", test_on_the_point},
    {"refusals",     test_refusals    },
    {"near_miss",    test_near_miss   }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
