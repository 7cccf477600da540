/* Is the estimate of the global error true?  All models with known solutions, tolerances 1e-3 .. 1e-10: the true
 * error at the end beside the estimate, in the same norm,  max_i |e_i| / (atol/rtol + |y_i|)  over the values known.
 *
 * tests/reference/runs.csv says which models and which atol/rtol, values.csv the end values of those without `exact`.
 * Run from the top folder.  Prints the table of the manual; exit status 1 when fewer than 95 of 100 runs have a true error
 * of at most 10 times and at least one hundredth of the estimate.  A model is left after a run of more than SLOW seconds. */
#include "base/options.h"
#include "regula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512, TOLERANCES = 8 };
static const double SLOW = 5.0;
static const double LOW = 0.01, HIGH = 10.0; /* of true error / estimate */
static const double ROUNDING = 1e-15;        /* true errors below are as good as none */

typedef struct {
    int runs, good, low, high, missing;
} tally;

/* max over the published end values of `model`; NaN without any. */
static double error_of_values(const char *model, const rg_solution *s, double ratio)
{
    char line[LINE], name[LINE];
    double worst = NAN, *ours = malloc(sizeof *ours * (size_t)rg_solution_columns(s));
    FILE *file = fopen("tests/reference/values.csv", "r");

    if (file == NULL || ours == NULL || rg_solution_end_values(s, ours) < 0) abort();
    while (fgets(line, sizeof line, file) != NULL) {
        const size_t length = strlen(model);
        if (strncmp(line, model, length) != 0 || line[length] != ',') continue;
        char *at = line + length + 1;
        const int quoted = *at == '"';
        const size_t end = strcspn(at + quoted, quoted ? "\"" : ",");
        const double theirs = strtod(at + quoted + end + quoted + 1, NULL);
        at[quoted + end] = '\0';
        for (int64_t k = 0; k < rg_solution_columns(s); k++) {
            rg_solution_column_name(s, k, name, sizeof name);
            if (strcmp(name, at + quoted) != 0) continue;
            const double e = fabs(ours[k] - theirs) / (ratio + fabs(theirs));
            if (!(e <= worst)) worst = e;
        }
    }
    fclose(file);
    free(ours);
    return worst;
}

/* max over the unknowns with an exact solution, at the end; NaN without any. */
static double error_of_exact(const rg_problem *p, const rg_solution *s, double ratio)
{
    const int64_t n = rg_problem_size(p);
    double worst = NAN, *y = malloc(sizeof *y * (size_t)n);

    if (y == NULL || rg_solution_eval(s, rg_solution_end(s), y, NULL) < 0) abort();
    for (int64_t i = 0; i < n; i++) {
        const double e = rg_solution_error(s, i) / (ratio + fabs(y[i]));
        if (!isnan(e) && !(e <= worst)) worst = e;
    }
    free(y);
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
static double run(const char *model, rg_problem *p, double tol, double ratio, tally *t)
{
    rg_options o = rg_options_default();
    rg_solution *s = NULL;
    double a, b, seconds = 0;

    o.rtol = tol;
    o.atol = tol * ratio;
    rg_problem_interval(p, &a, &b);
    const rg_request r = {.keep = RG_KEEP_ROWS, .n_times = 1, .times = &b, .estimate = 1};
    if (rg_solve_request(p, b, &o, &r, &s) == RG_OK) {
        const double truth = fmax(error_of_exact(p, s, ratio), error_of_values(model, s, ratio));
        const double claim = rg_solution_estimate(s);
        count(t, truth, claim);
        printf(" %.0e %.0e |", truth, claim);
        seconds = rg_solution_stats(s).seconds;
    } else {
        printf(" fails |");
    }
    fflush(stdout);
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
    printf("| %.*s |", (int)(strlen(model) - 7), model + 4); /* ivp/NAME.rg */
    for (int k = 0; k < TOLERANCES; k++)
        if (seconds <= SLOW)
            seconds = run(model, p, pow(10, -3 - k), ratio, t);
        else
            printf(" |");
    printf("\n");
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
    printf("\n|---|---|---|---|---|---|---|---|---|\n");
    while (fgets(line, sizeof line, file) != NULL) {
        char model[LINE];
        double ratio;
        if (sscanf(line, "%[^,],%*[^,],%*[^,],%lf", model, &ratio) == 2)
            run_model(ctx, model, ratio, &t);
    }
    printf("\n%d runs: %d good, %d with a true error above 10 times the estimate, %d below one "
           "hundredth, %d without an estimate\n",
           t.runs, t.good, t.high, t.low, t.missing);
    fclose(file);
    rg_context_destroy(&ctx);
    return 100 * t.good >= 95 * t.runs ? EXIT_SUCCESS : EXIT_FAILURE;
}
