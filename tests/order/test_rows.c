/* Rows at chosen times against runs that end there: models with switches (tests/switches), with a
 * fixed step, with redundant constraints, with many unknowns and near singular positions.  A row is
 * to be as good as a step, so its error is at most twice that of the run ended there, up to a part
 * of the tolerance; the other run has other steps, so this is meant for nearly all of them.
 * Constraints hold at rows as at steps.
 *
 *     test_rows [NAME ...]      prints a line per model and tolerance, of these models only */
#include "base/options.h"
#include "regula.h"
#include "support/test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 13, COLUMNS = 64, PATH = 300, MODELS_SOLVED = 52 };
static const double SOME = 0.5; /* of the tolerance: errors below it are as good as none */
static const double REFERENCE = 1e-12;
static rg_context *ctx;
static int wanted;
static char **names;

typedef struct { /* what may differ from run to run */
    const char *method, *formulation;
    double tol, step;
    int columns; /* compared; 0: all */
} setting;

typedef struct {
    int64_t columns;
    double value[TIMES][COLUMNS];
} table;

static double time_of(double a, double b, int k)
{
    return a + (b - a) * (k + 0.7312 + 0.11 * sin(k)) / (TIMES + 0.5);
}

static void options_of(const setting *x, rg_options *o)
{
    *o = rg_options_default();
    o->rtol = o->atol = x->tol;
    o->step = x->step;
    if (x->method != NULL) snprintf(o->method, sizeof o->method, "%s", x->method);
    if (x->formulation != NULL)
        snprintf(o->formulation, sizeof o->formulation, "%s", x->formulation);
}

/* Rows at all times, or the end of a run to each of them. */
static bool solve_rows(const char *path, const setting *x, table *out)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o;
    double a, b, times[TIMES];
    bool is_done = rg_problem_from_file(ctx, path, &p) == RG_OK;

    options_of(x, &o);
    if (is_done) {
        rg_problem_interval(p, &a, &b);
        for (int k = 0; k < TIMES; k++)
            times[k] = time_of(a, b, k);
        is_done = rg_solve_at(p, b, &o, TIMES, times, &s) == RG_OK;
    }
    if (is_done) {
        out->columns = rg_solution_columns(s);
        is_done = out->columns <= COLUMNS && rg_solution_rows(s) == TIMES;
        for (int k = 0; k < TIMES && is_done; k++)
            is_done = rg_solution_values(s, k, out->value[k]) == RG_OK;
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return is_done;
}

static bool solve_ends(const char *path, const setting *x, table *out)
{
    rg_options o;
    bool is_done = true;

    options_of(x, &o);
    for (int k = 0; k < TIMES && is_done; k++) {
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        double a, b;
        is_done = rg_problem_from_file(ctx, path, &p) == RG_OK;
        if (is_done) rg_problem_interval(p, &a, &b);
        is_done = is_done && rg_solve(p, time_of(a, b, k), &o, &s) == RG_OK
                  && rg_solution_end_values(s, out->value[k]) == RG_OK;
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    return is_done;
}

static double error_of(const table *x, const table *exact, int columns, int k)
{
    const int64_t n = columns > 0 ? columns : exact->columns;
    double worst = 0.0;

    for (int64_t i = 0; i < n; i++) {
        const double y = exact->value[k][i], e = fabs(x->value[k][i] - y) / (1.0 + fabs(y));
        if (!(e <= worst)) worst = e;
    }
    return worst;
}

typedef struct {
    int count, good;
    double worst; /* error beside the error of the run ended there */
} tally;

/* One model with one setting. */
static void compare(const char *path, const setting *x, tally *t)
{
    static table rows, ends, exact;
    static char known[2 * PATH]; /* whose reference it is */
    char wanted_now[2 * PATH];
    const setting tight = {.tol = REFERENCE, .method = x->method, .formulation = x->formulation};
    double worst = 0.0, most_rows = 0.0, most_ends = 0.0;
    const char *name = strrchr(path, '/') + 1;

    snprintf(wanted_now, sizeof wanted_now, "%s %s %s", path, x->method ? x->method : "",
             x->formulation ? x->formulation : "");
    if (strcmp(known, wanted_now) != 0 && !solve_rows(path, &tight, &exact)) {
        printf("%-24s no reference: %s\n", name, rg_last_error(ctx)->message);
        return;
    }
    memcpy(known, wanted_now, sizeof known);
    if (!CHECK(solve_rows(path, x, &rows)) || !CHECK(solve_ends(path, x, &ends))) {
        printf("%-24s %8.1e: %s\n", name, x->tol, rg_last_error(ctx)->message);
        return;
    }
    const double some = x->step > 0.0 ? 1e-10 : SOME * x->tol;
    for (int k = 0; k < TIMES; k++) {
        const double row = error_of(&rows, &exact, x->columns, k);
        const double end = error_of(&ends, &exact, x->columns, k);
        const double ratio = row / (2.0 * end + some);
        t->count++;
        t->good += ratio <= 1.0;
        worst = fmax(worst, ratio);
        most_rows = fmax(most_rows, row);
        most_ends = fmax(most_ends, end);
    }
    t->worst = fmax(t->worst, worst);
    if (wanted > 0 || worst > 1.0)
        printf("%-24s %8.1e: rows %8.1e, ends %8.1e; row/(2 end + some) %8.2g\n", name, x->tol,
               most_rows, most_ends, worst);
}

static void judge(const char *what, const tally *t, int expected)
{
    printf("%s: %d of %d rows as good as ends of runs, worst %.2g\n", what, t->good, t->count,
           t->worst);
    CHECK(wanted > 0 || t->count == expected * TIMES);
    CHECK(t->good >= 0.95 * t->count);
    CHECK(t->worst <= 10.0);
}

static bool is_asked_for(const char *name)
{
    bool is_found = wanted == 0;

    for (int k = 0; k < wanted; k++)
        is_found = is_found || strncmp(names[1 + k], name, strlen(names[1 + k])) == 0;
    return is_found;
}

static bool is_refused(const char *path)
{
    char line[200];
    bool is_so = false;
    FILE *file = fopen(path, "r");

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        is_so = is_so || strstr(line, "# @refuse 1") != NULL;
    if (file != NULL) fclose(file);
    return is_so;
}

static void test_switches(void)
{
    static const double tolerance[] = {1e-4, 1e-6, 1e-9};
    tally t = {0};
    DIR *directory = opendir("tests/switches");

    if (!CHECK(directory != NULL)) return;
    for (struct dirent *e; (e = readdir(directory)) != NULL;) {
        char path[PATH];
        snprintf(path, sizeof path, "tests/switches/%.200s", e->d_name);
        if (strstr(path, ".rg") == NULL || !is_asked_for(e->d_name) || is_refused(path)) continue;
        for (int k = 0; k < 3; k++)
            compare(path, &(setting){.tol = tolerance[k]}, &t);
    }
    closedir(directory);
    judge("switches", &t, MODELS_SOLVED * 3);
}

/* A run with a fixed step that ends at a row takes a shorter last step: the row is the same. */
static void test_fixed(void)
{
    static const struct {
        const char *name;
        int steps;
    } models[] = {
        {"pendulum-index1.rg",       60},
        {"pendulum-index2.rg",       60},
        {"pendulum-second-order.rg", 60},
        {"lc-circuit.rg",            40},
        {"implicit-ode.rg",          20},
        {"chemakzo.rg",              40}
    };
    tally t = {0};

    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        char path[PATH];
        rg_problem *p = NULL;
        double a = 0.0, b = 1.0;
        snprintf(path, sizeof path, "examples/ivp/%s", models[k].name);
        if (!is_asked_for(models[k].name)) continue;
        if (CHECK(rg_problem_from_file(ctx, path, &p) == RG_OK)) rg_problem_interval(p, &a, &b);
        rg_problem_destroy(&p);
        compare(path, &(setting){.method = "radau", .tol = 1e-6, .step = (b - a) / models[k].steps},
                &t);
    }
    judge("fixed step", &t, 6);
}

static void test_redundant(void)
{
    static const double tolerance[] = {1e-4, 1e-6, 1e-8};
    static const int columns[] = {4, 6}; /* without forces, which lose digits at steps too */
    static const char *const paths[] = {"tests/rows/twice.rg", "tests/rows/cranks.rg"};
    tally t = {0};

    for (int k = 0; k < 6; k++)
        if (is_asked_for(strrchr(paths[k / 3], '/') + 1))
            compare(paths[k / 3], &(setting){.tol = tolerance[k % 3], .columns = columns[k / 3]},
                    &t);
    judge("redundant", &t, 6);
}

/* Factorizations are dear: rows by the factors of the step. */
static void test_large(void)
{
    static const double tolerance[] = {1e-3, 1e-4, 1e-6, 1e-8};
    static const char *const paths[] = {"examples/ivp/brus2d.rg", "tests/rows/carry.rg",
                                        "tests/rows/radicals.rg", "tests/rows/waves.rg"};
    tally t = {0};

    for (int k = 0; k < 16; k++)
        if (is_asked_for(strrchr(paths[k / 4], '/') + 1))
            compare(paths[k / 4], &(setting){.tol = tolerance[k % 4]}, &t);
    judge("large", &t, 16);
}

/* The largest residuals of the constraints, at steps or at rows; how many, -1: the run fails. */
static int drift_of(const rg_problem *p, const setting *x, bool has_rows, double *drift)
{
    enum { ROWS = 101, LEVELS = 4 };
    rg_solution *s = NULL;
    rg_options o;
    double a, b, times[ROWS];

    options_of(x, &o);
    rg_problem_interval(p, &a, &b);
    for (int k = 0; k < ROWS; k++)
        times[k] = k == ROWS - 1 ? b : a + (b - a) * (k + 1) / ROWS;
    const rg_request request = {
        .keep = RG_KEEP_ROWS, .n_times = has_rows ? ROWS : 0, .times = has_rows ? times : NULL};
    int levels = -1;
    if (rg_solve_request(p, b, &o, &request, &s) == RG_OK) levels = rg_solution_drift_levels(s);
    for (int k = 0; k < levels && k < LEVELS; k++)
        drift[k] = rg_solution_drift(s, k);
    rg_solution_destroy(&s);
    return levels;
}

static void compare_drift(const char *name, const setting *x)
{
    char path[PATH];
    double steps[4] = {0}, rows[4] = {0};
    rg_problem *p = NULL;

    snprintf(path, sizeof path, "examples/ivp/%s", name);
    if (!CHECK(rg_problem_from_file(ctx, path, &p) == RG_OK)) return;
    const int levels = drift_of(p, x, false, steps);
    CHECK(levels > 0 && drift_of(p, x, true, rows) == levels);
    for (int k = 0; k < levels; k++)
        if (!CHECK(rows[k] <= 1.1 * steps[k] + 1e-12))
            printf("    %s, %s, %g, level %d: %.3g at steps, %.3g at rows\n", name, x->formulation,
                   x->tol, k, steps[k], rows[k]);
    rg_problem_destroy(&p);
}

static void test_constraints(void)
{
    static const double tolerance[] = {1e-4, 1e-6, 1e-9};
    static const char *const formulations[] = {"auto", "direct", "ggl", "projected"};
    static const char *const models[] = {"pendulum-index2.rg", "pendulum.rg", "knife-edge.rg",
                                         "rolling-disc.rg", "slider-crank.rg"};

    for (int k = 0; k < 60; k++)
        if (is_asked_for(models[k / 12]))
            compare_drift(models[k / 12], &(setting){.method = "radau",
                                                     .formulation = formulations[k / 3 % 4],
                                                     .tol = tolerance[k % 3]});
}

/* Signals that turn many times within a step: every row is right, and costs a side step at most.
 * Pieces of the step were taken as they came once four of them had been split: 73 tolerances at
 * 1e-6, 190 at 1e-9, and 2.6e6 evaluations for 501 rows of the fastest. */
static void test_signals(void)
{
    enum { ROWS = 1001 };
    static const double tolerance[] = {1e-3, 1e-6, 1e-9}, speed[] = {20, 314.159, 2e4, 2e5};
    static const int counts[] = {51, 201, 1001};
    double times[ROWS];

    for (int k = 0; k < 36; k++) {
        const int rows = counts[k / 3 % 3];
        const double tol = tolerance[k % 3], a = 10.0;
        char text[PATH];
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        rg_options o;

        snprintf(text, sizeof text,
                 "var x = 1, y\nx' = -0.1*x\ny = %g*sin(%.17g*t)\n"
                 "over t = 0 .. 1\nexact y = %g*sin(%.17g*t), x = exp(-0.1*t)\n",
                 a, speed[k / 9], a, speed[k / 9]);
        options_of(&(setting){.tol = tol}, &o);
        for (int i = 0; i < rows; i++)
            times[i] = i == rows - 1 ? 1.0 : i / (rows - 1.0);
        const rg_request request = {.keep = RG_KEEP_ROWS, .n_times = rows, .times = times};
        if (!CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)) return;
        CHECK(rg_solve_request(p, 1.0, &o, &request, &s) == RG_OK);
        const int64_t evaluations = rg_solution_stats(s).evaluations;
        const double error = rg_solution_error(s, 1);
        if (!CHECK(error <= 0.5 * tol * (1.0 + a) && evaluations <= 4000 + 8 * rows))
            printf("    %g, %g, %d rows: %.3g tol, %lld evaluations\n", speed[k / 9], tol, rows,
                   error / tol, (long long)evaluations);
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"switches",    test_switches   },
        {"fixed",       test_fixed      },
        {"redundant",   test_redundant  },
        {"large",       test_large      },
        {"constraints", test_constraints},
        {"signals",     test_signals    }
    };

    wanted = argc - 1;
    names = argv;
    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
