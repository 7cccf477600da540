/* Rows at chosen times change nothing in the steps of a run: steps, rejected steps and the values
 * at the end are the same to the last bit with 101 rows, with 7 or 333, and with none, in models
 * with switches, which are looked for in rows as well, and by all methods.  (Where no atol is
 * given, unknowns that stay small make a run be repeated, with sizes that are those of rows, too;
 * so one is given.)
 *
 *     test_rows_steps [NAME ...]      these models only */
#include "regula.h"
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 101, MOST_ROWS = 333, COLUMNS = 300, PATH = 300 };
static rg_context *ctx;
static int wanted;
static char **names;

typedef struct {
    rg_status status;
    int64_t columns, steps, rejected;
    double t, end[COLUMNS];
} outcome;

static bool is_asked_for(const char *name)
{
    bool is_so = wanted == 0;

    for (int k = 0; k < wanted; k++)
        is_so = is_so || strstr(name, names[k]) != NULL;
    return is_so;
}

/* To `end` at most. */
static outcome run(const char *path, const char *method, const char *tol, double end, int n_rows)
{
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    outcome out = {.status = rg_problem_from_file(ctx, path, &p)};
    double a, b, times[MOST_ROWS];

    if (out.status == RG_OK) out.status = rg_options_create(ctx, &o);
    if (out.status == RG_OK) out.status = rg_options_set(o, "tol", tol);
    if (out.status == RG_OK) out.status = rg_options_set(o, "atol", tol);
    if (out.status == RG_OK) out.status = rg_options_set(o, "method", method);
    if (out.status == RG_OK) {
        rg_problem_interval(p, &a, &b);
        if (b > end) b = end;
        for (int k = 0; k < n_rows; k++)
            times[k] = k == n_rows - 1 ? b : a + (b - a) * k / (n_rows - 1);
        const rg_keep keep = n_rows > 0 ? RG_KEEP_ROWS : RG_KEEP_LAST;
        out.status = rg_solve_rows(p, b, o, keep, n_rows, times, 0, &s);
    }
    if (s != NULL) {
        const rg_stats stats = rg_solution_stats(s);
        out.steps = stats.steps;
        out.rejected = stats.rejected;
        out.t = rg_solution_end(s);
        out.columns = rg_solution_columns(s);
        if (CHECK(out.columns <= COLUMNS)) (void)rg_solution_end_values(s, out.end);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return out;
}

static void compare_with(const outcome *x, const char *path, const char *method, const char *tol,
                         double end, int n_rows)
{
    const outcome y = run(path, method, tol, end, n_rows);

    const bool is_same = x->status == y.status && x->steps == y.steps && x->rejected == y.rejected
                         && x->t == y.t && memcmp(x->end, y.end, sizeof x->end) == 0;
    if (!CHECK(is_same))
        printf("%s, %s, %s: %lld + %lld steps to %.17g, with %d rows %lld + %lld to %.17g\n", path,
               method, tol, (long long)x->steps, (long long)x->rejected, x->t, n_rows,
               (long long)y.steps, (long long)y.rejected, y.t);
}

static bool compare(const char *path, const char *method, const char *tol, double end)
{
    const outcome x = run(path, method, tol, end, 0);

    compare_with(&x, path, method, tol, end, ROWS);
    return x.status == RG_OK;
}

static void compare_folder(const char *folder, double end)
{
    static const char *const tols[] = {"1e-4", "1e-6", "1e-9"};
    DIR *directory = opendir(folder);
    int count = 0;

    if (!CHECK(directory != NULL)) return;
    for (struct dirent *e; (e = readdir(directory)) != NULL;) {
        char path[PATH];
        snprintf(path, sizeof path, "%s/%.200s", folder, e->d_name);
        if (strstr(path, ".rg") == NULL || !is_asked_for(e->d_name)) continue;
        for (int k = 0; k < 3; k++)
            if (test_takes(count++)) (void)compare(path, "auto", tols[k], end);
    }
    closedir(directory);
    CHECK(count > 0 || wanted > 0);
}

static void test_switches(void)
{
    compare_folder("tests/switches", 1e9);
}

/* Looks for switches in rows at most steps, and multipliers of rows from hidden constraints. */
static void test_drag(void)
{
    static const char *const paths[] = {"tests/rows/drag.rg", "tests/rows/drag-twice.rg"};
    static const char *const tols[] = {"1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9"};
    static const int counts[] = {7, ROWS, MOST_ROWS};

    for (int k = 0; k < 14; k++) {
        const char *path = paths[k / 7], *tol = tols[k % 7];
        if (!is_asked_for(path) || !test_takes(k)) continue;
        const outcome x = run(path, "auto", tol, 1e9, 0);
        CHECK(x.status == RG_OK);
        for (int i = 0; i < 3; i++)
            compare_with(&x, path, "auto", tol, 1e9, counts[i]);
    }
}

/* The wheelset a part of its way. */
static void test_testset(void)
{
    static const char *const tols[] = {"1e-4", "1e-6", "1e-8"};

    for (int k = 0; k < 3; k++) {
        if (!test_takes(k)) continue;
        if (is_asked_for("wheelset"))
            (void)compare("tests/testset/wheelset.rg", "auto", tols[k], 0.6);
        if (is_asked_for("pump")) (void)compare("tests/testset/pump.rg", "auto", tols[k], 1e9);
        if (is_asked_for("pipes")) (void)compare("tests/testset/pipes.rg", "auto", tols[k], 1e9);
    }
}

static void test_events(void)
{
    compare_folder("examples/events", 1e9);
}

static void test_methods(void)
{
    static const char *const models[] = {"pendulum-ggl", "pendulum-index2", "knife-edge",
                                         "implicit-ode", "lc-circuit",      "caraxis"};
    static const char *const methods[] = {
        "half-explicit", "dopri",     "extrapolation", "gauss", "sdirk",
        "lobatto3a",     "lobatto3c", "rosenbrock",    "bdf",   "baumgarte"};
    enum { MODELS = sizeof models / sizeof *models, METHODS = sizeof methods / sizeof *methods };
    int solved = 0;

    for (int k = 0; k < MODELS * METHODS; k++) {
        char path[PATH];
        snprintf(path, sizeof path, "examples/ivp/%s.rg", models[k / METHODS]);
        if (is_asked_for(path)) solved += compare(path, methods[k % METHODS], "1e-5", 1e9);
    }
    CHECK(solved >= MODELS * METHODS / 2 || wanted > 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"switches", test_switches},
        {"test set", test_testset },
        {"drag",     test_drag    },
        {"events",   test_events  },
        {"methods",  test_methods }
    };

    wanted = argc - 1;
    names = argv + 1;
    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
