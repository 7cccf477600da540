/* Is the estimate of the global error true?  All models with known solutions,
 * tolerances 1e-3 .. 1e-9: the true error over 101 chosen times beside the
 * estimate, in the same norm,  max_i |e_i| / (atol/rtol + |y_i|)  over what is
 * written.
 *
 * True is what a run with the tolerance 1e-12 says at these times; its end is
 * that of the references, as tests/order/test_reference.c checks.
 * tests/reference/runs.csv says which models and which atol/rtol. Run from the
 * top folder.  Prints the table of the manual; exit status 1 when fewer than 95
 * of 100 runs have a true error of at most 10 times and at least one hundredth
 * of the estimate.  A model is left after a run of more than SLOW seconds. */
#include "base/options.h"
#include "regula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512, TOLERANCES = 7, ROWS = 101 };
static const double SLOW = 5.0, REFERENCE = 1e-12;
static const double LOW = 0.01, HIGH = 10.0; /* of true error / estimate */
static const double ROUNDING = 1e-15;        /* true errors below are as good as none */

typedef struct {
    int runs, good, low, high, missing, refused;
} tally;

/* The values of all columns at ROWS times, row by row; NULL: the run fails. */
static double *values_of(rg_problem *p, double tol, double ratio, int estimate, rg_solution **s)
{
    rg_options o = rg_options_default();
    double a, b, times[ROWS], *values = NULL;

    o.rtol = tol;
    o.atol = tol * ratio;
    o.atol_is_given = true; /* the norm stays as it is */
    rg_problem_interval(p, &a, &b);
    for (int k = 0; k < ROWS; k++)
        times[k] = k == ROWS - 1 ? b : a + (b - a) * (k + 1) / ROWS;
    const rg_request r = {
        .keep = RG_KEEP_ROWS, .n_times = ROWS, .times = times, .estimate = estimate};
    if (rg_solve_request(p, b, &o, &r, s) != RG_OK) return NULL;
    const int64_t n = rg_solution_columns(*s);
    values = malloc(sizeof *values * ROWS * (size_t)n);
    if (values == NULL || rg_solution_rows_into(*s, 0, n, values) != RG_OK) abort();
    return values;
}

/* The largest |y - w|/(ratio + |w|) of all numbers. */
static double largest_error(int64_t count, const double *y, const double *w, double ratio)
{
    double worst = 0.0;

    for (int64_t k = 0; k < count; k++) {
        const double e = fabs(y[k] - w[k]) / (ratio + fabs(w[k]));
        if (e > worst) worst = e;
    }
    return worst;
}

static void count(tally *t, double truth, double claim)
{
    t->runs++;
    if (isnan(claim))
        t->missing++;
    else if (truth > HIGH * claim)
        t->high++;
    else if (truth < LOW * claim && claim > ROUNDING)
        t->low++;
    else
        t->good++;
}

/* One cell of the table; returns the seconds it took. */
static double run(rg_problem *p, const double *reference, double tol, double ratio, tally *t)
{
    rg_solution *s = NULL;
    double seconds = 0, *values = values_of(p, tol, ratio, 1, &s);

    if (values != NULL) {
        const double truth = largest_error(ROWS * rg_solution_columns(s), values, reference, ratio);
        const double claim = rg_solution_estimate(s);
        count(t, truth, claim);
        printf(" %.0e %.0e |", truth, claim);
        seconds = rg_solution_stats(s).seconds;
    } else {
        t->refused++;
        printf(" refused |");
    }
    fflush(stdout);
    free(values);
    rg_solution_destroy(&s);
    return seconds;
}

static void run_model(rg_context *ctx, const char *model, double ratio, tally *t)
{
    char path[LINE + 16];
    rg_problem *p = NULL;
    double seconds = 0;

    snprintf(path, sizeof path, "examples/%s", model);
    if (rg_problem_from_file(ctx, path, &p) < 0) abort();
    rg_solution *s = NULL;
    double *reference = values_of(p, REFERENCE, ratio, 0, &s);
    rg_solution_destroy(&s);
    const char *name = strchr(model, '/') + 1; /* ivp/NAME.rg */
    printf("| %.*s |", (int)strlen(name) - 3, name);
    for (int k = 0; k < TOLERANCES; k++)
        if (seconds <= SLOW && reference != NULL)
            seconds = run(p, reference, pow(10, -3 - k), ratio, t);
        else
            printf(" |");
    printf("\n");
    free(reference);
    rg_problem_destroy(&p);
}

int main(void)
{
    char line[LINE];
    rg_context *ctx = NULL;
    tally t = {0};
    FILE *file = fopen("tests/reference/runs.csv", "r");

    if (file == NULL || rg_context_create(&ctx) < 0 || fgets(line, sizeof line, file) == NULL) {
        fprintf(stderr, "run from the top folder\n");
        return EXIT_FAILURE;
    }
    printf("| model |");
    for (int k = 0; k < TOLERANCES; k++)
        printf(" 1e-%02d |", 3 + k);
    printf("\n|---|---|---|---|---|---|---|---|\n");
    while (fgets(line, sizeof line, file) != NULL) {
        char model[LINE];
        double ratio;
        if (sscanf(line, "%[^,],%*[^,],%*[^,],%lf", model, &ratio) == 2)
            run_model(ctx, model, ratio, &t);
    }
    printf("\n%d runs: %d good, %d with a true error above 10 times the "
           "estimate, %d below one "
           "hundredth, %d without an estimate; %d refused for their estimate or failed\n",
           t.runs, t.good, t.high, t.low, t.missing, t.refused);
    fclose(file);
    rg_context_destroy(&ctx);
    return 100 * t.good >= 95 * t.runs ? EXIT_SUCCESS : EXIT_FAILURE;
}
