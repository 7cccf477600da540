/* Sweeps through the public interface: which runs there are, rows that do not depend on the number
 * of threads and are those of single runs, random values, start values, callbacks, interrupts. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char model[] = "param k = 1, c = 0, T = 2\n"
                            "var x = 1, v = 0\n"
                            "x' = v\nv' = -k*x - c*v\n"
                            "over t = 0 .. T\n";

static rg_context *ctx;
static rg_problem *problem;
static rg_sweep_table *table;

static bool load(const char *text)
{
    return CHECK(rg_context_create(&ctx) == RG_OK)
           && CHECK(rg_problem_from_text(ctx, text, &problem) == RG_OK)
           && CHECK(rg_sweep_table_create(ctx, &table) == RG_OK);
}

static void unload(void)
{
    rg_sweep_table_destroy(&table);
    rg_problem_destroy(&problem);
    rg_context_destroy(&ctx);
}

static rg_status sweep(rg_sweep s, const char *a, const char *b)
{
    const char *const over[] = {a, b};

    s.over = over;
    s.n_over = b != NULL ? 2 : 1;
    rg_sweep_table_destroy(&table);
    CHECK(rg_sweep_table_create(ctx, &table) == RG_OK);
    return rg_sweep_run(problem, &s, rg_sweep_table_take, table);
}

static rg_sweep_row row_of(int64_t k)
{
    rg_sweep_row row = {.run = -1};

    CHECK(rg_sweep_table_row(table, k, &row) == RG_OK);
    return row;
}

/* The last one varies fastest; runs count from 1. */
static void test_grid(void)
{
    if (load(model) && CHECK(sweep((rg_sweep){0}, "k=1,2", "c=0..1:3") == RG_OK)
        && CHECK_INT(rg_sweep_table_count(table), 6)) {
        const rg_sweep_row row = row_of(4);
        CHECK_INT(row.run, 5);
        CHECK_INT(row.n_set, 2);
        CHECK_TEXT(row.set_names[1], "c");
        CHECK(row.set[0] == 2 && row.set[1] == 0.5);
        CHECK_TEXT(row.names[0], "x");
    }
    unload();
}

static void test_zip(void)
{
    const rg_sweep s = {.zip = 1};

    if (load(model) && CHECK(sweep(s, "k=1,2,3", "c=0..1:3") == RG_OK)
        && CHECK_INT(rg_sweep_table_count(table), 3))
        CHECK(row_of(1).set[0] == 2 && row_of(1).set[1] == 0.5);
    CHECK(sweep(s, "k=1,2", "c=0..1:3") == RG_ERR_ARGUMENT);
    unload();
}

/* A row has the bits of the single run, and does not know how many threads there are. */
static void test_bits(void)
{
    double by_one[8][3];

    if (!load(model)) return unload();
    for (int jobs = 1; jobs <= 5; jobs += 2) {
        CHECK(sweep((rg_sweep){.jobs = jobs, .estimate = 1}, "k=1..8:8", NULL) == RG_OK);
        for (int k = 0; k < 8; k++) {
            const rg_sweep_row row = row_of(k);
            const double now[3] = {row.values[0], row.values[1], row.estimate};
            CHECK(jobs == 1 || memcmp(now, by_one[k], sizeof now) == 0);
            memcpy(by_one[k], now, sizeof now);
        }
    }
    rg_solution *s = NULL;
    double values[2];
    CHECK(rg_problem_set_parameter(problem, "k", 3) == RG_OK);
    CHECK(rg_solve_rows(problem, 2, NULL, RG_KEEP_LAST, 0, NULL, 1, &s) == RG_OK);
    CHECK(rg_solution_end_values(s, values) == RG_OK);
    CHECK(memcmp(values, by_one[2], sizeof values) == 0);
    CHECK(rg_solution_estimate(s) == by_one[2][2]);
    rg_solution_destroy(&s);
    unload();
}

/* The generator is fixed: these bits hold on every machine.  Mean and deviation within four
 * standard errors. */
static void test_random(void)
{
    double sum = 0, squares = 0, low = 1, high = 0;
    const int n = 1000;

    if (!load("param a = 1, b = 1\nvar x = 1\nx' = 0\nover t = 0 .. 1\n")) return unload();
    CHECK(sweep((rg_sweep){.jobs = 2}, "a=normal(2,0.5):1000", "b=uniform(-1,3):1000") == RG_OK);
    if (!CHECK_INT(rg_sweep_table_count(table), n)) return unload();
    for (int k = 0; k < n; k++) {
        const double a = row_of(k).set[0], b = row_of(k).set[1];
        sum += a;
        squares += (a - 2) * (a - 2);
        low = fmin(low, b);
        high = fmax(high, b);
    }
    CHECK_NEAR(sum / n, 2, 4 * 0.5 / sqrt(n));
    CHECK_NEAR(sqrt(squares / n), 0.5, 4 * 0.5 / sqrt(2.0 * n));
    CHECK(low >= -1 && low < -0.99 && high < 3 && high > 2.99);
    CHECK(row_of(0).set[0] == 2.0578199789469056);
    CHECK(row_of(0).set[1] == -0.68191210940465563);
    CHECK(row_of(999).set[0] == 2.1172051341181892);
    const double first = row_of(0).set[0];
    CHECK(sweep((rg_sweep){.seed = 2}, "a=normal(2,0.5):3", NULL) == RG_OK);
    CHECK(row_of(0).set[0] != first);
    unload();
}

/* Start values, and an interval that depends on what is swept. */
static void test_start(void)
{
    if (load(model) && CHECK(sweep((rg_sweep){0}, "start(x)=1,2", "T=1,3") == RG_OK)) {
        CHECK_NEAR(row_of(0).values[0], cos(1), 1e-5);
        CHECK_NEAR(row_of(3).values[0], 2 * cos(3), 2e-5);
        CHECK(row_of(3).t == 3);
    }
    const double to = 1, times[2] = {0.5, 1};
    CHECK(sweep((rg_sweep){.to = &to}, "T=1,3", NULL) == RG_OK);
    CHECK(row_of(1).t == 1);
    CHECK(sweep((rg_sweep){.n_times = 2, .times = times}, "k=1,4", NULL) == RG_OK);
    CHECK_TEXT(row_of(1).names[2], "x(1)");
    CHECK_NEAR(row_of(1).values[0], cos(2 * 0.5), 1e-5);
    CHECK_NEAR(row_of(1).values[2], cos(2 * 1.0), 1e-5);
    unload();
}

/* A failed run is a row; statistics are those of the others. */
static void test_failure(void)
{
    char *json = NULL;

    if (load("param a = 1\nvar x = 1\nx' = a*x^2\nover t = 0 .. 2\n")
        && CHECK(sweep((rg_sweep){0}, "a=-1,1,-2", NULL) == RG_OK)) {
        CHECK_INT(rg_sweep_table_failed(table), 1);
        CHECK(row_of(1).status < 0 && row_of(1).message[0] != '\0' && isnan(row_of(1).values[0]));
        CHECK(rg_report_sweep_json_text("m", table, NULL, &json) == RG_OK);
        CHECK(strstr(json, "\"ok\": 2, \"failed\": 1") != NULL);
        const char *mean = strstr(json, "\"mean\": ");
        if (CHECK(mean != NULL)) CHECK_NEAR(strtod(mean + 8, NULL), (1.0 / 3 + 1.0 / 5) / 2, 1e-6);
        rg_free_text(&json);
    }
    unload();
}

static int residual(double t, const double *y, const double *yp, double *F, void *user)
{
    (void)t;
    (void)user;
    F[0] = yp[0] + y[0];
    return 0;
}

static void test_callbacks(void)
{
    const double y[1] = {1};

    if (CHECK(rg_context_create(&ctx) == RG_OK)
        && CHECK(rg_problem_create(ctx, 1, residual, NULL, &problem) == RG_OK)
        && CHECK(rg_problem_set_initial(problem, 0, y, NULL) == RG_OK)) {
        CHECK(sweep((rg_sweep){.jobs = 2}, "start(y[1])=1,2,3", NULL) == RG_OK);
        CHECK_NEAR(row_of(2).values[0], 3 * exp(-1), 1e-5);
        CHECK(sweep((rg_sweep){0}, "a=1", NULL) == RG_OK); /* rows that say so */
        CHECK(row_of(0).status == RG_ERR_ARGUMENT);
    }
    unload();
}

static void test_mistakes(void)
{
    static const char *const bad[] = {"k",
                                      "k=",
                                      "=1",
                                      "k=1,,2",
                                      "k=1..2",
                                      "k=1..2:0",
                                      "k=1..2:x",
                                      "k=-1..1:3:log",
                                      "k=1..2:1",
                                      "q=1",
                                      "start(q)=1",
                                      "k=normal(1):3",
                                      "k=normal(1,2)",
                                      "k=uniform(2,1):3",
                                      "@no-such-file.csv",
                                      "k=0..1:1e9",
                                      "k=1..2:3:lin"};

    if (!load(model)) return unload();
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        if (!CHECK(sweep((rg_sweep){0}, bad[k], NULL) == RG_ERR_ARGUMENT)) puts(bad[k]);
    CHECK(sweep((rg_sweep){0}, "k=1", "k=2") == RG_ERR_ARGUMENT);
    CHECK(sweep((rg_sweep){0}, "k=0..1:32000", "c=0..1:32000") == RG_ERR_ARGUMENT);
    CHECK(sweep((rg_sweep){0}, "k=normal(0,1):3", "c=normal(0,1):4") == RG_ERR_ARGUMENT);
    CHECK(sweep((rg_sweep){.task = 3, .n_tasks = 2}, "k=1", NULL) == RG_ERR_ARGUMENT);
    CHECK(sweep((rg_sweep){.resume = 1}, "k=1", NULL) == RG_ERR_ARGUMENT);
    CHECK(rg_sweep_run(NULL, NULL, NULL, NULL) == RG_ERR_ARGUMENT);
    CHECK(rg_sweep_run(problem, NULL, NULL, NULL) == RG_ERR_ARGUMENT);
    CHECK(rg_sweep_table_count(NULL) == 0 && rg_sweep_table_failed(NULL) == 0);
    unload();
}

static int stop_soon(const rg_sweep_row *row, void *user)
{
    (void)user;
    if (row->run == 3) rg_context_interrupt(ctx);
    return row->run == 5;
}

static void test_ends(void)
{
    const char *const over[] = {"k=1..1000:1000"};
    const rg_sweep s = {.n_over = 1, .over = over, .jobs = 2};

    if (load(model)) CHECK(rg_sweep_run(problem, &s, stop_soon, NULL) == RG_ERR_INTERRUPTED);
    unload();
}

static const test_case cases[] = {
    {"grid",      test_grid     },
    {"zip",       test_zip      },
    {"bits",      test_bits     },
    {"random",    test_random   },
    {"start",     test_start    },
    {"failure",   test_failure  },
    {"callbacks", test_callbacks},
    {"mistakes",  test_mistakes },
    {"ends",      test_ends     },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
