/* Whole runs through the public interface. */
#include "base/options.h"
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const char decay[] = "var x = 1\n"
                            "var y\n"
                            "x' = -x\n"
                            "y = 2*x\n"
                            "over t = 0 .. 1\n"
                            "exact x = exp(-t)\n"
                            "exact y = 2*exp(-t)\n";

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

static void test_dense(void)
{
    double y[2], yp[2];

    if (load(decay) && CHECK(rg_solve(problem, 1, NULL, &solution) == RG_OK)) {
        for (double t = 0; t <= 1; t += 0.0625) {
            CHECK(rg_solution_eval(solution, t, y, yp) == RG_OK);
            CHECK_NEAR(y[0], exp(-t), 1e-5);
            CHECK_NEAR(y[1], 2 * exp(-t), 1e-5);
            CHECK_NEAR(yp[0], -exp(-t), 1e-3);
        }
        CHECK(rg_solution_eval(solution, 1.5, y, NULL) == RG_ERR_ARGUMENT);
        CHECK(rg_last_error(ctx)->remedy[0] != '\0');
        CHECK(rg_solution_has_exact(solution));
        CHECK_NEAR(rg_solution_error(solution, 0), 0, 1e-5);
        CHECK(rg_solution_stats(solution).steps + 1 == rg_solution_rows(solution));
        CHECK_TEXT(rg_solution_method(solution), "radau");
    }
    unload();
}

static void test_backwards(void)
{
    double y[2];

    if (load("var x = 1\nx' = -x\nover t = 1 .. 0\n")
        && CHECK(rg_solve(problem, 0, NULL, &solution) == RG_OK)) {
        CHECK(rg_solution_eval(solution, 0.5, y, NULL) == RG_OK);
        CHECK_NEAR(y[0], exp(0.5), 1e-5);
        CHECK_NEAR(rg_solution_end(solution), 0, 0);
    }
    unload();
}

static void test_times(void)
{
    const double times[] = {0, 0.25, 0.25, 1}, wrong[] = {0.5, 0.25};
    double values[2];

    if (load(decay) && CHECK(rg_solve_at(problem, 1, NULL, 4, times, &solution) == RG_OK)) {
        CHECK_INT(rg_solution_rows(solution), 4);
        for (int k = 0; k < 4; k++) {
            CHECK_NEAR(rg_solution_time(solution, k), times[k], 0);
            CHECK(rg_solution_values(solution, k, values) == RG_OK);
            CHECK_NEAR(values[0], exp(-times[k]), 1e-5);
        }
        CHECK(rg_solution_values(solution, 4, values) == RG_ERR_ARGUMENT);
        rg_solution_destroy(&solution);
        CHECK(rg_solve_at(problem, 1, NULL, 2, wrong, &solution) == RG_ERR_ARGUMENT);
        CHECK(solution == NULL);
    }
    unload();
}

static int stop_at_third(double t, const double *y, const double *yp, void *user)
{
    (void)t;
    (void)y;
    (void)yp;
    return ++*(int *)user == 3;
}

static void test_stopped(void)
{
    int calls = 0;

    if (load(decay)) {
        CHECK(rg_solve_with(problem, 1, NULL, stop_at_third, &calls, &solution) == RG_STOPPED);
        CHECK_INT(calls, 3);
        CHECK(solution != NULL && rg_solution_stats(solution).steps == 2);
        CHECK(solution != NULL && rg_solution_end(solution) < 1);
    }
    unload();
}

/* x' = x^2 ends at t = 1: what was computed is handed back. */
static void test_partial(void)
{
    double x;

    if (load("var x = 1\nx' = x^2\nover t = 0 .. 2\n")) {
        CHECK(rg_solve(problem, 2, NULL, &solution) == RG_ERR_CONVERGENCE);
        CHECK(rg_last_error(ctx)->remedy[0] != '\0');
        if (CHECK(solution != NULL)) {
            CHECK(rg_solution_end(solution) > 0.9 && rg_solution_end(solution) < 1.1);
            CHECK(rg_solution_eval(solution, 0.5, &x, NULL) == RG_OK);
            CHECK_NEAR(x, 2, 1e-4);
        }
    }
    unload();
}

static void test_outputs(void)
{
    double values[3];
    char name[16];

    if (load("var u[i=1..3] = i\nfor i = 1..3 { u[i]' = 0 }\nover t = 0 .. 1\n"
             "output u[2], total = sum(i=1..3, u[i]), slope = u[1]'\n")
        && CHECK(rg_solve(problem, 1, NULL, &solution) == RG_OK)) {
        CHECK_INT(rg_solution_columns(solution), 3);
        rg_solution_column_name(solution, 0, name, sizeof name);
        CHECK_TEXT(name, "u[2]");
        CHECK(rg_solution_end_values(solution, values) == RG_OK);
        CHECK_NEAR(values[0], 2, 1e-12);
        CHECK_NEAR(values[1], 6, 1e-12);
        CHECK_NEAR(values[2], 0, 1e-12);
    }
    unload();
}

static void test_steps_by_hand(void)
{
    rg_solver *solver = NULL;
    double t = 0, y[2];

    if (load(decay) && CHECK(rg_solver_create(problem, NULL, &solver) == RG_OK)) {
        while (t < 1 && CHECK(rg_solver_step(solver, 1, &t, y) == RG_OK)) {
        }
        CHECK_NEAR(t, 1, 0);
        CHECK_NEAR(y[0], exp(-1), 1e-5);
        CHECK(rg_solver_eval(solver, t, y, NULL) == RG_OK);
        CHECK_NEAR(y[1], 2 * exp(-1), 1e-5);
        CHECK(rg_solver_row(solver, 0.99, y, NULL) == RG_OK);
        CHECK_NEAR(y[0], exp(-0.99), 1e-6);
        CHECK_NEAR(y[1], 2 * y[0], 1e-9);
        CHECK(rg_solver_step(solver, 0, &t, y) == RG_ERR_ARGUMENT); /* back again */
    }
    rg_solver_destroy(&solver);
    unload();
}

/* The slope of an algebraic unknown, z = sin(200 t), at rows anywhere in a step; just behind its
 * start, too, where 1/(t - t_n) of what is left of an iteration would be all of it. */
static void test_slopes(void)
{
    static const double parts[] = {1e-12, 1e-9, 1e-6, 1e-3, 0.01, 0.1, 0.5, 0.9};
    rg_solver *solver = NULL;
    double t = 0, y[2], yp[2], worst = 0;

    if (load("var x = 0, z\nx' = cos(t)\nz + z^3 + x = sin(200*t) + sin(200*t)^3 + sin(t)\n"
             "over t = 0 .. 1\n")
        && CHECK(rg_solver_create(problem, NULL, &solver) == RG_OK)) {
        while (t < 1) {
            const double before = t;
            if (!CHECK(rg_solver_step(solver, 1, &t, y) == RG_OK)) break;
            for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
                const double at = before + parts[k] * (t - before);
                CHECK(rg_solver_row(solver, at, y, yp) == RG_OK);
                CHECK_NEAR(y[1], sin(200 * at), 1e-6);
                worst = fmax(worst, fabs(yp[1] / 200 - cos(200 * at)));
            }
        }
        CHECK(worst < 0.02);
    }
    rg_solver_destroy(&solver);
    unload();
}

/* Other parameters, another interval, other start values: the same problem. */
static void test_changed(void)
{
    const double start[1] = {5};
    double x;

    if (load("param a = 1\nvar x = a\nx' = -a*x\nover t = 0 .. 1\n")) {
        CHECK(rg_solve(problem, 1, NULL, &solution) == RG_OK);
        rg_solution_destroy(&solution);
        CHECK(rg_problem_set_parameter(problem, "a", 2) == RG_OK);
        CHECK(rg_problem_set_parameter(problem, "b", 2) == RG_ERR_ARGUMENT);
        CHECK(rg_solve(problem, 1, NULL, &solution) == RG_OK);
        CHECK(rg_solution_eval(solution, 1, &x, NULL) == RG_OK);
        CHECK_NEAR(x, 2 * exp(-2), 1e-5);
        rg_solution_destroy(&solution);
        CHECK(rg_problem_set_interval(problem, 1, 3) == RG_OK);
        CHECK(rg_problem_set_initial(problem, 1, start, NULL) == RG_OK);
        CHECK_INT(rg_problem_start(problem, 0, 0, &x), RG_START_KEPT);
        CHECK_NEAR(x, 5, 0);
        CHECK(rg_solve(problem, 2, NULL, &solution) == RG_OK);
        CHECK(rg_solution_eval(solution, 2, &x, NULL) == RG_OK);
        CHECK_NEAR(x, 5 * exp(-2), 1e-5);
    }
    unload();
}

static void test_refused(void)
{
    rg_options o = rg_options_default();

    if (load(decay)) {
        CHECK(rg_solve(problem, 0, NULL, &solution) == RG_ERR_ARGUMENT);
        CHECK(rg_solve(problem, INFINITY, NULL, &solution) == RG_ERR_ARGUMENT);
        strcpy(o.method, "radaau");
        CHECK(rg_solve(problem, 1, &o, &solution) == RG_ERR_ARGUMENT);
        CHECK_TEXT(rg_last_error(ctx)->remedy, "did you mean 'radau'?");
        strcpy(o.method, "radau");
        o.stages = 8;
        CHECK(rg_solve(problem, 1, &o, &solution) == RG_ERR_METHOD);
        CHECK(rg_problem_set_interval(problem, 1, 1) == RG_ERR_ARGUMENT);
        CHECK(rg_solve(problem, 1, NULL, NULL) == RG_ERR_ARGUMENT);
        CHECK(rg_solve(NULL, 1, NULL, &solution) == RG_ERR_ARGUMENT);
    }
    unload();
}

static const test_case cases[] = {
    {"dense output",            test_dense        },
    {"backwards",               test_backwards    },
    {"chosen times",            test_times        },
    {"stopped by the callback", test_stopped      },
    {"partial result",          test_partial      },
    {"outputs",                 test_outputs      },
    {"steps by hand",           test_steps_by_hand},
    {"slopes of rows",          test_slopes       },
    {"changed",                 test_changed      },
    {"refused",                 test_refused      }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
