/* What can be asked of the library, a problem and a solution beyond single values: names,
 * parameters, whole columns, singular places, warnings, and reports as texts. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const char decay[] = "title \"decay\"\n"
                            "param k = 2, twice = 2*k, c = 0.5\n"
                            "var x = 1\n"
                            "var y\n"
                            "x' = -k*x\n"
                            "y = c*twice*x\n"
                            "over t = 0 .. 1\n"
                            "output y, x, s = x + y\n";

static rg_context *ctx;
static rg_problem *problem;
static rg_solution *solution;

static bool load(const char *text)
{
    return CHECK(rg_context_create(&ctx) == RG_OK)
           && CHECK(rg_problem_from_text(ctx, text, &problem) == RG_OK);
}

static void unload(void)
{
    rg_solution_destroy(&solution);
    rg_problem_destroy(&problem);
    rg_context_destroy(&ctx);
}

static void test_names(void)
{
    CHECK_TEXT(rg_version(), RG_VERSION);
    CHECK_TEXT(rg_status_name(RG_OK), "ok");
    CHECK_TEXT(rg_status_name(RG_STOPPED), "stopped");
    CHECK_TEXT(rg_status_name(RG_ERR_ARGUMENT), "argument");
    CHECK_TEXT(rg_status_name(RG_ERR_INCONSISTENT), "inconsistent");
    CHECK_TEXT(rg_status_name(RG_ERR_METHOD), "method");
    CHECK_TEXT(rg_status_name(RG_ERR_INTERRUPTED), "interrupted");
    CHECK_TEXT(rg_status_name((rg_status)-11), "unknown");
    CHECK_TEXT(rg_status_name((rg_status)2), "unknown");
}

static void test_parameters(void)
{
    if (load(decay)) {
        CHECK_INT(rg_problem_parameter_count(problem), 2); /* `twice` follows from k */
        CHECK_TEXT(rg_problem_parameter(problem, 0).name, "k");
        CHECK_TEXT(rg_problem_parameter(problem, 1).name, "c");
        CHECK_NEAR(rg_problem_parameter(problem, 1).value, 0.5, 0);
        CHECK(rg_problem_set_parameter(problem, "c", 0.25) == RG_OK);
        CHECK_NEAR(rg_problem_parameter(problem, 1).value, 0.25, 0);
        CHECK_TEXT(rg_problem_parameter(problem, 2).name, "");
        CHECK(isnan(rg_problem_parameter(problem, -1).value));
    }
    unload();
}

static void test_rows(void)
{
    enum { ROWS = 3 };
    const double times[ROWS] = {0, 0.5, 1};
    double t[ROWS], all[3 * ROWS], two[2 * ROWS], one[ROWS], row[3];

    if (load(decay) && CHECK(rg_solve_at(problem, 1, NULL, ROWS, times, &solution) == RG_OK)
        && CHECK_INT(rg_solution_rows(solution), ROWS)) {
        CHECK(rg_solution_times_into(solution, t) == RG_OK);
        CHECK(rg_solution_rows_into(solution, 0, 3, all) == RG_OK);
        CHECK(rg_solution_rows_into(solution, 1, 2, two) == RG_OK);
        CHECK(rg_solution_column_into(solution, 2, one) == RG_OK);
        for (int r = 0; r < ROWS; r++) {
            CHECK_NEAR(t[r], times[r], 0);
            CHECK(rg_solution_values(solution, r, row) == RG_OK);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(all[3 * r + k], row[k], 0);
            CHECK_NEAR(two[2 * r], row[1], 0);
            CHECK_NEAR(two[2 * r + 1], row[2], 0);
            CHECK_NEAR(one[r], row[2], 0);
        }
        one[0] = -7;
        CHECK(rg_solution_column_into(solution, 3, one) == RG_ERR_ARGUMENT);
        CHECK(rg_last_error(ctx)->remedy[0] != '\0');
        CHECK(rg_solution_column_into(solution, -1, one) == RG_ERR_ARGUMENT);
        CHECK(rg_solution_rows_into(solution, 2, 2, one) == RG_ERR_ARGUMENT);
        CHECK(rg_solution_rows_into(solution, 0, -1, one) == RG_ERR_ARGUMENT);
        CHECK(rg_solution_rows_into(solution, 3, 0, one) == RG_OK);
        CHECK_NEAR(one[0], -7, 0);
    }
    unload();
}

/* Where the slider crank is stretched, its constraints lose rank; and a run that has no such
 * place. */
static void test_singular(void)
{
    rg_singular place = {.t = -7};

    if (CHECK(rg_context_create(&ctx) == RG_OK)
        && CHECK(rg_problem_from_file(ctx, "examples/singular/slider-crank-swing.rg", &problem)
                 == RG_OK)
        && CHECK(rg_solve(problem, 2, NULL, &solution) >= 0)
        && CHECK_INT(rg_solution_singular_count(solution), 1)) {
        CHECK(rg_solution_singular(solution, 0, &place) == RG_OK);
        CHECK_NEAR(place.t, 1.074144019, 1e-4);
        CHECK_INT(place.lost, 1);
        CHECK(place.constraints[0] != '\0');
        place.t = -7;
        CHECK(rg_solution_singular(solution, 1, &place) == RG_ERR_ARGUMENT);
        CHECK(rg_last_error(ctx)->message[0] != '\0');
        CHECK_NEAR(place.t, -7, 0);
    }
    unload();
    if (load(decay) && CHECK(rg_solve(problem, 1, NULL, &solution) >= 0)) {
        CHECK_INT(rg_solution_singular_count(solution), 0);
        CHECK_INT(rg_solution_warning_count(solution), 0);
        CHECK_TEXT(rg_solution_warning(solution, 0), "");
    }
    unload();
}

/* A degree of freedom that nothing determines: 0 is taken, and the solution says so. */
static void test_warnings(void)
{
    if (load("var x\nx' = -x\nover t = 0 .. 1\n")
        && CHECK(rg_solve(problem, 1, NULL, &solution) >= 0)
        && CHECK(rg_solution_warning_count(solution) > 0)) {
        CHECK(strstr(rg_solution_warning(solution, 0), "x") != NULL);
        CHECK_TEXT(rg_solution_warning(solution, -1), "");
    }
    unload();
}

/* Texts are those of the files. */
static void compare_with_file(const char *text, FILE *file)
{
    char stored[4096];

    rewind(file);
    const size_t length = fread(stored, 1, sizeof stored - 1, file);
    stored[length] = '\0';
    CHECK_TEXT(text, stored);
    fclose(file);
}

static void test_texts(void)
{
    char *text = NULL;
    rg_structure found;

    if (load(decay) && CHECK(rg_analyze(problem, &found) == RG_OK)
        && CHECK(rg_solve(problem, 1, NULL, &solution) == RG_OK)) {
        FILE *file = tmpfile();
        rg_report_check(problem, file);
        CHECK(rg_report_check_text(problem, &text) == RG_OK);
        compare_with_file(text, file);
        rg_free_text(&text);
        CHECK(text == NULL);
        file = tmpfile();
        rg_report_solution(solution, file);
        CHECK(rg_report_solution_text(solution, &text) == RG_OK);
        compare_with_file(text, file);
        rg_free_text(&text);
        file = tmpfile();
        rg_report_solution_json("m.rg", problem, solution, NULL, file);
        CHECK(rg_report_solution_json_text("m.rg", problem, solution, NULL, &text) == RG_OK);
        compare_with_file(text, file);
        rg_free_text(&text);
        file = tmpfile();
        rg_report_check_json("m.rg", problem, NULL, file);
        CHECK(rg_report_check_json_text("m.rg", problem, NULL, &text) == RG_OK);
        compare_with_file(text, file);
        rg_free_text(&text);
        CHECK(rg_report_solution_json_text("m.rg", NULL, NULL, NULL, &text) == RG_OK);
        CHECK(strstr(text, "\"status\": \"ok\"") != NULL);
        rg_free_text(&text);
        CHECK(rg_report_solution_text(NULL, &text) == RG_ERR_ARGUMENT);
        CHECK(rg_report_check_text(problem, NULL) == RG_ERR_ARGUMENT);
        rg_free_text(NULL);
    }
    unload();
}

static const test_case cases[] = {
    {"names",      test_names     },
    {"parameters", test_parameters},
    {"rows",       test_rows      },
    {"singular",   test_singular  },
    {"warnings",   test_warnings  },
    {"texts",      test_texts     },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
