/* One problem in several threads: solvers that step, and whole solves at the same time. */
#include "base/options.h"
#include "support/test.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3 };

static const char model[] = "param w = 3\n"
                            "var x = 1, v = 0\n"
                            "var e\n"
                            "x' = v\n"
                            "v' = -w^2*x\n"
                            "e = w^2*x^2 + v^2\n"
                            "over t = 0 .. 5\n";

typedef struct {
    rg_context *ctx;
    rg_solver *solver;
    double t, end, y[3];
    rg_status status;
} job;

static void *walk(void *argument)
{
    job *j = argument;

    while (j->status >= 0 && j->t < j->end)
        j->status = rg_solver_step(j->solver, j->end, &j->t, j->y);
    return NULL;
}

static void test_threads(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    job jobs[THREADS] = {{0}};
    pthread_t threads[THREADS];

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx, model, &p) == RG_OK);
    for (int k = 0; k < THREADS; k++) {
        jobs[k].end = 3 + k;
        CHECK(rg_context_create(&jobs[k].ctx) == RG_OK);
        CHECK(rg_solver_create_in(jobs[k].ctx, p, NULL, &jobs[k].solver) == RG_OK);
    }
    for (int k = 0; k < THREADS; k++)
        CHECK(pthread_create(&threads[k], NULL, walk, &jobs[k]) == 0);
    for (int k = 0; k < THREADS; k++) {
        pthread_join(threads[k], NULL);
        CHECK(jobs[k].status == RG_OK);
        CHECK_NEAR(jobs[k].y[0], cos(3 * jobs[k].end), 1e-4);
        rg_solver_destroy(&jobs[k].solver);
        rg_context_destroy(&jobs[k].ctx);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* What goes wrong in the analysis of the problem is told in the context of the solver. */
static void test_message(void)
{
    rg_context *ctx = NULL, *other = NULL;
    rg_problem *p = NULL;
    rg_solver *s = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK && rg_context_create(&other) == RG_OK);
    CHECK(rg_problem_from_text(ctx, "var x = 1, y = 3\nx' = 0\ny = 2*x\nover t = 0 .. 1\n", &p)
          == RG_OK);
    CHECK(rg_solver_create_in(other, p, NULL, &s) == RG_ERR_INCONSISTENT);
    CHECK(s == NULL);
    CHECK(rg_last_error(other)->code == RG_ERR_INCONSISTENT);
    CHECK(rg_last_error(other)->message[0] != '\0' && rg_last_error(other)->remedy[0] != '\0');
    rg_problem_destroy(&p);
    rg_context_destroy(&other);
    rg_context_destroy(&ctx);
}

typedef struct {
    rg_problem *problem;
    const rg_options *options;
    rg_solution *solution;
    rg_status status;
} solve;

static void *solve_all(void *argument)
{
    const rg_request request = {.keep = RG_KEEP_STEPS, .estimate = 1};
    solve *v = argument;
    double a, b;

    rg_problem_interval(v->problem, &a, &b);
    v->status = rg_solve_request(v->problem, b, v->options, &request, &v->solution);
    return NULL;
}

static bool is_same_number(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

/* Times, values, estimate and warnings: all bits. */
static void check_same(const rg_solution *x, const rg_solution *y)
{
    const int64_t rows = rg_solution_rows(x), columns = rg_solution_columns(x);
    double *values = malloc(2 * (size_t)columns * sizeof *values);

    if (values == NULL || !CHECK(rows > 0 && rg_solution_rows(y) == rows)) {
        free(values);
        return;
    }
    for (int64_t i = 0; i < rows; i++) {
        CHECK(is_same_number(rg_solution_time(x, i), rg_solution_time(y, i)));
        CHECK(rg_solution_values(x, i, values) == RG_OK);
        CHECK(rg_solution_values(y, i, values + columns) == RG_OK);
        CHECK(memcmp(values, values + columns, (size_t)columns * sizeof *values) == 0);
    }
    CHECK(is_same_number(rg_solution_estimate(x), rg_solution_estimate(y)));
    if (CHECK_INT(rg_solution_warning_count(y), rg_solution_warning_count(x)))
        for (int k = 0; k < rg_solution_warning_count(x); k++)
            CHECK_TEXT(rg_solution_warning(y, k), rg_solution_warning(x, k));
    free(values);
}

/* A text, or the name of a file. */
static rg_status open_model(rg_context *ctx, const char *text, rg_problem **p)
{
    return strchr(text, '\n') != NULL ? rg_problem_from_text(ctx, text, p)
                                      : rg_problem_from_file(ctx, text, p);
}

/* Alone, and then in THREADS threads at a time, none of which has been analysed before. */
static void check_limited(const char *text, const char *native, int max_steps)
{
    rg_context *ctx[THREADS + 1] = {NULL};
    rg_problem *p[THREADS + 1] = {NULL};
    solve v[THREADS + 1] = {{0}};
    pthread_t threads[THREADS];
    rg_options o = rg_options_default();

    strcpy(o.native, native);
    if (max_steps > 0) o.max_steps = max_steps;
    for (int k = 0; k <= THREADS; k++)
        CHECK(rg_context_create(&ctx[k]) == RG_OK);
    CHECK(open_model(ctx[THREADS], text, &p[THREADS]) == RG_OK);
    CHECK(open_model(ctx[0], text, &p[0]) == RG_OK);
    for (int k = 1; k < THREADS; k++)
        CHECK(rg_problem_share(ctx[k], p[0], &p[k]) == RG_OK);
    for (int k = 0; k <= THREADS; k++)
        v[k] = (solve){.problem = p[k], .options = &o};
    solve_all(&v[THREADS]);
    CHECK_INT(v[THREADS].status, RG_OK);
    for (int k = 0; k < THREADS; k++)
        CHECK(pthread_create(&threads[k], NULL, solve_all, &v[k]) == 0);
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    for (int k = 0; k < THREADS; k++)
        if (CHECK_INT(v[k].status, RG_OK)) check_same(v[THREADS].solution, v[k].solution);
    for (int k = THREADS; k >= 0; k--) {
        rg_solution_destroy(&v[k].solution);
        if (k > 0) rg_problem_destroy(&p[k]);
    }
    rg_problem_destroy(&p[0]);
    for (int k = 0; k <= THREADS; k++)
        rg_context_destroy(&ctx[k]);
}

static void check_model(const char *text, const char *native)
{
    check_limited(text, native, 0);
}

static void test_index_1(void)
{
    check_model(model, "off");
}

static void test_native(void)
{
    check_model(model, "on");
}

/* Index 3, through positions in which a constraint loses its gradient. */
static void test_passage(void)
{
    check_model("tests/singular/cross-friction.rg", "off");
}

/* Behind every switch equations are compiled again. */
static void test_switches(void)
{
    check_model("var x = 0, v = 1, f\nx' = v\nv' = -f\n"
                "f = if(x < 0.1, 3*x, 3*x + 40*(x - 0.1))\nover t = 0 .. 8\n",
                "off");
}

/* A product, of which the guess chooses a factor, and a parameter that continuation follows. */
static void test_boundary(void)
{
    check_model("var x ~ 0, y ~ 0\nx'' = x + y\n0 = y*(y - 1)\n"
                "over t = 0 .. 1\nboundary x(0) = 1\nboundary x(1) = 0\n",
                "off");
    check_limited("param eps = 1e-3\nvar y ~ 0\neps*y'' + y*y' = y\nover x = 0 .. 1\n"
                  "boundary y(0) = -1/2\nboundary y(1) = 3/2\n",
                  "off", 100); /* more intervals do not help without a continuation */
}

/* A handle that is shared cannot be changed; what is found out through it is its own. */
static void test_handle(void)
{
    rg_context *ctx = NULL, *other = NULL;
    rg_problem *p = NULL, *q = NULL;
    rg_structure structure;

    CHECK(rg_context_create(&ctx) == RG_OK && rg_context_create(&other) == RG_OK);
    CHECK(rg_problem_from_text(ctx, model, &p) == RG_OK);
    CHECK(rg_problem_share(other, p, &q) == RG_OK);
    CHECK(rg_problem_set_interval(q, 0, 2) == RG_ERR_ARGUMENT);
    CHECK(rg_problem_set_parameter(q, "w", 2) == RG_ERR_ARGUMENT);
    CHECK(rg_last_error(other)->remedy[0] != '\0' && rg_last_error(ctx)->code == RG_OK);
    CHECK(rg_analyze(q, &structure) == RG_OK && structure.index == 1);
    CHECK_INT(rg_problem_variable_index(q, 2), 1);
    CHECK_INT(rg_problem_variable_index(p, 2), 0);
    rg_problem_destroy(&q);
    CHECK(rg_analyze(p, &structure) == RG_OK && structure.index == 1);
    rg_problem_destroy(&p);
    rg_context_destroy(&other);
    rg_context_destroy(&ctx);
}

/* The warnings of a run are those of its solution, each once however often the problem is solved.
 */
static void test_warnings(void)
{
    static const char product[] = "var x ~ 0, y ~ 0\nx'' = x + y\n0 = y*(y - 1)\n"
                                  "over t = 0 .. 1\nboundary x(0) = 1\nboundary x(1) = 0\n";
    rg_context *ctx = NULL;
    rg_problem *p = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx, product, &p) == RG_OK);
    for (int k = 0; k < 2; k++) {
        rg_solution *s = NULL;
        CHECK(rg_solve(p, 1, NULL, &s) == RG_OK);
        CHECK_INT(rg_solution_warning_count(s), 1);
        CHECK(strstr(rg_solution_warning(s, 0), "is a product") != NULL);
        CHECK_INT(rg_problem_warning_count(p), 0);
        rg_solution_destroy(&s);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"threads",  test_threads },
    {"message",  test_message },
    {"index 1",  test_index_1 },
    {"native",   test_native  },
    {"passage",  test_passage },
    {"switches", test_switches},
    {"boundary", test_boundary},
    {"handle",   test_handle  },
    {"warnings", test_warnings}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
