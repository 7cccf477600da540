/* Is the estimate of boundary value problems true?  All shipped models with exact solutions,
 * tolerances 1e-3 .. 1e-10, and those with layers for widths 1e-3 .. 1e-8, tolerances 1e-3 .. 1e-8:
 * the true error beside the estimate, in the same norm, max |e| / (atol/rtol + |y|)  over unknowns
 * and over four times in every interval of the mesh.  Run from the top folder. Prints the table of
 * the manual; exit status 1 when fewer than 95 of 100 runs have a true error of at most 10 times
 * and at least one hundredth of the estimate. */
#include "problem/problem.h"
#include "solution/solution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOLERANCES = 8, PARTS = 4, MOST_EXACT = 16 };
static const double LOW = 0.01, HIGH = 10.0; /* of true error / estimate */
static const double ROUNDING = 1e-13;        /* estimates below: both are rounding */

static const char *const models[] = {
    "bratu",           "bratu-upper", "cash-01",   "cash-02",    "cash-03",    "cash-04",
    "cash-05",         "cash-06",     "cash-07",   "cash-08",    "cash-09",    "cash-10",
    "cash-11",         "cash-12",     "cash-13",   "cash-14",    "cash-16",    "cash-17",
    "cash-18",         "cash-20",     "cash-21",   "eigenvalue", "index2-end", "index2-mixed",
    "index2-singular", "three-point", "two-branch"};

static const char *const layers[] = {
    "cash-01", "cash-02", "cash-03", "cash-04", "cash-05", "cash-06", "cash-07", "cash-08",
    "cash-09", "cash-10", "cash-11", "cash-12", "cash-13", "cash-14", "cash-17", "cash-18"};

typedef struct {
    bool is_silent;
    int runs, good, low, high, failed;
} tally;

/* Four times in every interval of a solution, and its end. */
static double *inner_times(const rg_solution *s, int64_t *n)
{
    const int64_t rows = rg_solution_rows(s);
    double *t = malloc(sizeof *t * (size_t)(PARTS * rows));

    if (t == NULL) abort();
    *n = 0;
    for (int64_t k = 0; k + 1 < rows; k++) {
        const double a = rg_solution_time(s, k), b = rg_solution_time(s, k + 1);
        for (int j = 0; j < PARTS; j++)
            t[(*n)++] = a + (b - a) * j / PARTS;
    }
    t[(*n)++] = rg_solution_time(s, rows - 1);
    return t;
}

static double true_error(const rg_problem *p, const rg_solution *s)
{
    double error[MOST_EXACT], worst = 0, *y = malloc(sizeof *y * (size_t)(p->n + 1));
    char name[64];

    if (y == NULL || s->n_exact > MOST_EXACT) abort();
    for (int64_t row = 0; row < rg_solution_rows(s); row++) {
        const double t = rg_solution_time(s, row);
        if (rg_exact_errors(s, t, rg_solution_row_point(s, row), error) != RG_OK
            || rg_solution_eval(s, t, y, NULL) < 0)
            abort();
        for (int64_t k = 0; k < s->n_exact; k++) {
            rg_exact_name(s, k, name, sizeof name);
            const int64_t j = rg_problem_find(p, name);
            if (j >= 0) worst = fmax(worst, error[k] / (1 + fabs(y[j])));
        }
    }
    free(y);
    return worst;
}

static void run(rg_problem *p, double tol, tally *t)
{
    rg_options o = rg_options_default();
    rg_solution *s = NULL, *fine = NULL;
    double a, b, *times = NULL;
    int64_t n = 0;

    o.rtol = o.atol = tol;
    rg_problem_interval(p, &a, &b);
    t->runs++;
    if (rg_solve(p, b, &o, &s) >= 0) times = inner_times(s, &n);
    if (s != NULL && times != NULL && rg_solve_at(p, b, &o, n, times, &fine) >= 0) {
        const double truth = true_error(p, fine), claim = rg_solution_estimate(fine);
        if (truth > HIGH * claim && truth > ROUNDING)
            t->high++;
        else if (truth < LOW * claim && claim > ROUNDING)
            t->low++;
        else
            t->good++;
        if (!t->is_silent) printf(" %.0e %.0e |", truth, claim);
    } else {
        t->failed++;
        if (!t->is_silent) printf(" fails |");
    }
    fflush(stdout);
    free(times);
    rg_solution_destroy(&s);
    rg_solution_destroy(&fine);
}

static rg_problem *open_model(rg_context *ctx, const char *name, int n_settings, double eps)
{
    char path[256];
    rg_problem *p = NULL;
    const rg_setting setting = {"eps", eps};

    snprintf(path, sizeof path, "examples/bvp/%s.rg", name);
    if (rg_problem_from_file_with(ctx, path, n_settings, &setting, &p) >= 0) return p;
    fprintf(stderr, "run from the top folder\n");
    exit(EXIT_FAILURE);
}

/* True: the target is met. */
static bool sum_up(const char *what, const tally *t)
{
    const bool is_met = 100 * t->good >= 95 * t->runs;

    printf("\n%d runs: %d good, %d with a true error above 10 times the estimate, %d below one "
           "hundredth, %d failed\n",
           t->runs, t->good, t->high, t->low, t->failed);
    printf("target %s: estimates of boundary value problems%s true in 95 of 100 runs: %d of %d\n",
           is_met ? "met" : "missed", what, t->good, t->runs);
    return is_met;
}

static bool run_models(rg_context *ctx)
{
    tally t = {0};

    printf("| model |");
    for (int k = 0; k < TOLERANCES; k++)
        printf(" 1e-%02d |", 3 + k);
    printf("\n|---|---|---|---|---|---|---|---|---|\n");
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        rg_problem *p = open_model(ctx, models[m], 0, 0);
        printf("| %s |", models[m]);
        for (int k = 0; k < TOLERANCES; k++)
            run(p, pow(10, -3 - k), &t);
        printf("\n");
        rg_problem_destroy(&p);
    }
    return sum_up("", &t);
}

static bool run_layers(rg_context *ctx)
{
    tally t = {.is_silent = true};

    for (size_t m = 0; m < sizeof layers / sizeof *layers; m++)
        for (int e = 3; e <= 8; e++) {
            rg_problem *p = open_model(ctx, layers[m], 1, pow(10, -e));
            for (int k = 3; k <= 8; k++)
                run(p, pow(10, -k), &t);
            rg_problem_destroy(&p);
        }
    return sum_up(" with layers", &t);
}

int main(void)
{
    rg_context *ctx = NULL;

    if (rg_context_create(&ctx) < 0) return EXIT_FAILURE;
    const bool is_met = run_models(ctx), is_met_too = run_layers(ctx);
    rg_context_destroy(&ctx);
    return is_met && is_met_too ? EXIT_SUCCESS : EXIT_FAILURE;
}
