/* Classes of points where constraints lose rank: zeros of several orders, only B or only C,
 * several, a circuit, a mechanism that loses five constraints at once.  Errors at the end and over
 * the steps: three times those of the algorithm when it was chosen (doc/methods/passage.md, section
 * 6).  Run from the top folder. */
#include "base/options.h"
#include "support/end.h"
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *model;
    rg_setting set[2];
    int n_set;
    double end; /* of the run; NAN: that of the model */
    int places;
    double reference; /* of the first output at the end */
    double error[3];  /* at 1e-4, 1e-6, 1e-8 */
} kind;

#define EXP_1 0.36787944117144233
#define E_1   2.7182818284590452

static const kind kinds[] = {
    {"vanish",            {{"p", 2}, {"q", 2}}, 2, NAN, 1, EXP_1,                {2.5e-6, 8.9e-9, 2.9e-11}},
    {"vanish",            {{"p", 2}, {"q", 1}}, 2, NAN, 1, EXP_1,                {2.5e-6, 8.9e-9, 2.9e-11}},
    {"vanish",            {{"p", 0}, {"q", 1}}, 2, NAN, 1, EXP_1,                {2.5e-6, 8.9e-9, 2.9e-11}},
    {"vanish",            {{"p", 1}, {"q", 0}}, 2, NAN, 1, EXP_1,                {2.5e-6, 8.9e-9, 2.9e-11}},
    {"three-zeros",       {{NULL, 0}},          0, NAN, 3, EXP_1,                {2.1e-6, 6.9e-9, 2.7e-11}},
    {"smooth-multiplier", {{NULL, 0}},          0, NAN, 1, E_1,                  {9.5e-6, 2.3e-8, 1.7e-10}},
    {"four-bar",          {{"N", 5}},           1, 3.0, 3, -0.42561128869337783, {9.0e-3, 3.0e-5, 1.2e-7} },
 /* not in the prototype: orders 4 and 3; a circuit in nF */
    {"vanish",            {{"p", 4}, {"q", 3}}, 2, NAN, 1, EXP_1,                {2.5e-6, 8.9e-9, 2.9e-11}},
    {"capacitor-loop",    {{NULL, 0}},          0, NAN, 1, 1.9353977749799915,   {3.3e-6, 3.3e-8, 3.3e-10}},
};

static void check_errors(const kind *c, const rg_problem *p, const rg_solution *s, double tol,
                         double bound)
{
    double values[8];

    if (!CHECK(rg_solution_columns(s) <= 8) || !CHECK(rg_solution_end_values(s, values) >= 0))
        return;
    const double error = fabs(values[0] - c->reference);
    printf("  %-18s %.0e  %2d places, error %.1e (%.0e)\n", c->model, tol, places_of(p, s), error,
           3 * bound);
    CHECK(error <= 3 * bound);
    CHECK_INT(places_of(p, s), c->places);
    for (int64_t j = 0; j < rg_problem_size(p); j++) {
        const double most = rg_solution_error(s, j);
        CHECK(isnan(most) || most <= 3 * bound);
    }
}

static void check_kind(rg_context *ctx, const kind *c, int which)
{
    const double tol = which == 0 ? 1e-4 : which == 1 ? 1e-6 : 1e-8;
    char path[128];
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double a, b;

    o.rtol = o.atol = tol;
    snprintf(path, sizeof path, "examples/singular/%s.rg", c->model);
    CHECK(rg_problem_from_file_with(ctx, path, c->n_set, c->set, &p) == RG_OK);
    rg_problem_interval(p, &a, &b);
    if (CHECK(rg_solve_with(p, isnan(c->end) ? b : c->end, &o, NULL, NULL, &s) == RG_OK))
        check_errors(c, p, s, tol, c->error[which]);
    else
        rg_error_print(rg_last_error(ctx), stdout);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_kinds(void)
{
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int which = 0; which < 3; which++)
            check_kind(ctx, &kinds[k], which);
    rg_context_destroy(&ctx);
}

/* Three wires in one point: with speed the bead goes straight on. */
static void test_three_wires(void)
{
    rg_context *ctx = NULL;
    const rg_setting fast[] = {
        {"v", 2.0}
    };

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double values[2];
    CHECK(rg_problem_from_file_with(ctx, "tests/singular/three-wires.rg", 1, fast, &p) == RG_OK);
    CHECK(rg_solve_with(p, 2.0, NULL, NULL, NULL, &s) == RG_OK);
    CHECK(rg_solution_end_values(s, values) >= 0 && fabs(values[0] + 2.0) < 1e-9);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* Where time alone decides, coming near the point is no doubt. */
static void test_start_before(void)
{
    rg_context *ctx = NULL;
    rg_options o = rg_options_default();

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (double tol = 1e-3; tol > 1e-9; tol *= 0.1) {
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        double values[2];

        o.rtol = o.atol = tol;
        CHECK(rg_problem_from_file(ctx, "tests/singular/start-just-before.rg", &p) == RG_OK);
        if (!CHECK(rg_solve_with(p, 1.0, &o, NULL, NULL, &s) == RG_OK))
            rg_error_print(rg_last_error(ctx), stdout);
        CHECK(rg_solution_end_values(s, values) >= 0 && fabs(values[0] - EXP_1) < 0.1 * tol);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

/* The run up to the first point is repeated: its first step has none before it that could show a
 * turn. */
static void test_fast(void)
{
    rg_context *ctx = NULL;
    const rg_request request = {.keep = RG_KEEP_LAST, .estimate = 1};
    rg_options o = rg_options_default();

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (double tol = 1e-3; tol > 1e-5; tol *= 0.3) {
        rg_problem *p = NULL;
        rg_solution *s = NULL;

        o.rtol = o.atol = tol;
        CHECK(rg_problem_from_file(ctx, "tests/singular/parallelogram-fast.rg", &p) == RG_OK);
        if (!CHECK(rg_solve_request(p, 2.0, &o, &request, &s) == RG_OK))
            rg_error_print(rg_last_error(ctx), stdout);
        CHECK_INT(places_of(p, s), 19);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

/* Friction by |lambda| has a kink on the point itself: the run is cut there, and the point is
 * reported once. */
static void test_once(void)
{
    rg_context *ctx = NULL;
    rg_options o = rg_options_default();

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (double tol = 1e-3; tol > 1e-9; tol *= 0.1) {
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        double values[2];

        o.rtol = o.atol = tol;
        CHECK(rg_problem_from_file(ctx, "tests/singular/cross-friction.rg", &p) == RG_OK);
        CHECK(rg_solve_with(p, 3.0, &o, NULL, NULL, &s) == RG_OK);
        CHECK(rg_solution_end_values(s, values) >= 0 && fabs(values[0] + 4.55) < 1e-2 * tol);
        CHECK_INT(places_of(p, s), 1);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

/* Beside the point rounding is magnified above tight tolerances: that is no reason to stop. */
static void test_tight(void)
{
    rg_context *ctx = NULL;
    rg_options o = rg_options_default();

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (double tol = 1e-9; tol > 1e-13; tol *= 0.1) {
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        double values[4];

        o.rtol = o.atol = tol;
        CHECK(rg_problem_from_file(ctx, "tests/singular/antiparallelogram.rg", &p) == RG_OK);
        if (!CHECK(rg_solve_with(p, 2.0, &o, NULL, NULL, &s) == RG_OK))
            rg_error_print(rg_last_error(ctx), stdout);
        CHECK(rg_solution_end_values(s, values) >= 0 && fabs(values[0] - 2.950113579298) < 2e-9);
        CHECK_INT(places_of(p, s), 1);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

/* The output begins again when the first point is met: it must be that of one run. */
static void test_rows(void)
{
    char path[64];
    const rg_request request = {.keep = RG_KEEP_STEPS, .csv = path};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double y[16], x1, t, last = -1.0;
    char line[512];
    int rows = 0;

    CHECK(rg_context_create(&ctx) == RG_OK);
    snprintf(path, sizeof path, "/tmp/regula-rows-%p.csv", (void *)ctx);
    CHECK(rg_problem_from_file(ctx, "examples/singular/both-vanish.rg", &p) == RG_OK);
    CHECK(rg_solve_request(p, 1.0, NULL, &request, &s) == RG_OK);
    for (int k = 0; k <= 20; k++)
        CHECK(rg_solution_eval(s, k / 20.0, y, NULL) == RG_OK
              && fabs(y[0] - exp(-k / 20.0)) < 1e-5);
    FILE *file = fopen(path, "r");
    if (!CHECK(file != NULL)) return;
    CHECK(fgets(line, sizeof line, file) != NULL && strncmp(line, "t,x1,x2", 7) == 0);
    for (; fgets(line, sizeof line, file) != NULL; last = t, rows++) {
        if (!CHECK_INT(sscanf(line, "%lf,%lf", &t, &x1), 2)) break;
        CHECK(t > last && fabs(x1 - exp(-t)) < 1e-7);
    }
    CHECK_NEAR(last, 1.0, 0);
    CHECK_INT(rows, rg_solution_stats(s).steps + 1);
    fclose(file);
    remove(path);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* Several points in one step, at loose tolerances: every one is reported. */
static void test_often(void)
{
    const struct {
        rg_setting set;
        int places;
    } runs[] = {
        {{"w", 40},  21 },
        {{"w", 400}, 216}
    };
    rg_context *ctx = NULL;
    rg_options o = rg_options_default();

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (int k = 0; k < 2; k++)
        for (double tol = 1e-3; tol > 1e-9; tol *= 0.1) {
            rg_problem *p = NULL;
            rg_solution *s = NULL;
            double values[2];

            o.rtol = o.atol = tol;
            CHECK(rg_problem_from_file_with(ctx, "tests/singular/often.rg", 1, &runs[k].set, &p)
                  == RG_OK);
            CHECK(rg_solve_with(p, 1.7, &o, NULL, NULL, &s) == RG_OK);
            CHECK(rg_solution_end_values(s, values) >= 0
                  && fabs(values[0] - exp(-1.7)) < 0.1 * tol);
            CHECK_INT(places_of(p, s), runs[k].places);
            rg_solution_destroy(&s);
            rg_problem_destroy(&p);
        }
    rg_context_destroy(&ctx);
}

/* Conductances that become small, but not zero: no place, and the steps of the passage do not go on
 * for ever. */
static void test_dips(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();

    o.rtol = o.atol = 5e-4;
    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_file(ctx, "examples/ivp/ringmod-cs0.rg", &p) == RG_OK);
    CHECK(rg_solve_with(p, 2e-4, &o, NULL, NULL, &s) == RG_OK);
    CHECK_INT(places_of(p, s), 0);
    bool told = false; /* beside what is said of unknowns far below atol */
    for (int k = 0; k < rg_solution_warning_count(s); k++)
        told = told || strstr(rg_solution_warning(s, k), "not watched") != NULL;
    CHECK(told);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"kinds",        test_kinds       },
    {"three_wires",  test_three_wires },
    {"start_before", test_start_before},
    {"fast",         test_fast        },
    {"once",         test_once        },
    {"tight",        test_tight       },
    {"rows",         test_rows        },
    {"dips",         test_dips        },
    {"often",        test_often       }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
