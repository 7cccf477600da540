/* What does a singular position cost?  The models of examples/singular by radau, which passes them
 * on the stabilized form, and by srm, at tolerances 1e-4, 1e-6 and 1e-8: error at the end in one
 * unknown, estimate of the error (all unknowns), evaluations of the equations, and those per
 * position.  Then twenty mechanisms (tests/support/mechanisms.h) by both: branch, error, estimate,
 * cost. bench/watch measures what looking out for such positions costs.
 *
 *     bench_passage [quick]          quick: 1e-6 only
 *
 * Run from the top folder.  "fails" is an answer: the method said so. */
#include "base/options.h"
#include "regula.h"
#include "support/mechanisms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 8192 };

typedef struct {
    const char *model, *column;
    double reference;
} job;

static const job jobs[] = {
    {"both-vanish",          "x2",   0.84147098480789651},
    {"bounded-multiplier",   "x1",   0.47942553860420301},
    {"unbounded-multiplier", "x1",   -1.0               },
    {"autonomous",           "x1",   5.6043715246835603 },
    {"implicit",             "x1",   0.84147098480789651},
    {"stiff",                "x1",   0.54030230586813972},
    {"three-close",          "x1",   0.54030230586813972},
    {"curved-cross",         "q1",   -0.7246938043004   },
    {"slider-crank-swing",   "phi1", 4.3013322089333490 },
    {"slider-crank-turn",    "phi1", 67.910073820595086 },
    {"four-bar",             "x[0]", 0.328458111541     }
};

static double end_value(const rg_solution *s, const char *column)
{
    char name[64];
    double value = NAN, *values = malloc(sizeof *values * (size_t)rg_solution_columns(s));

    if (values == NULL || rg_solution_end_values(s, values) < 0) abort();
    for (int64_t k = 0; k < rg_solution_columns(s); k++) {
        rg_solution_column_name(s, k, name, sizeof name);
        if (strcmp(name, column) == 0) value = values[k];
    }
    free(values);
    return value;
}

/* One object of the report has one "lost" for each position. */
static int count_places(const rg_problem *p, const rg_solution *s)
{
    char line[LINE];
    int count = 0;
    FILE *file = tmpfile();

    if (file == NULL) abort();
    rg_report_solution_json("", p, s, NULL, file);
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL)
        for (const char *at = line; (at = strstr(at, "\"lost\"")) != NULL; at++)
            count++;
    fclose(file);
    return count;
}

static void run(rg_context *ctx, const job *j, const char *method, double tol)
{
    char path[128];
    rg_options o = rg_options_default();
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double a, b;

    snprintf(path, sizeof path, "examples/singular/%s.rg", j->model);
    if (rg_problem_from_file(ctx, path, &p) < 0) abort();
    rg_problem_interval(p, &a, &b);
    rg_options_assign(ctx, &o, "method", method);
    o.rtol = o.atol = tol;
    const rg_request r = {.keep = RG_KEEP_LAST, .estimate = strcmp(method, "radau") == 0};
    if (rg_solve_request(p, b, &o, &r, &s) == RG_OK) {
        const rg_stats stats = rg_solution_stats(s);
        const int places = count_places(p, s);
        printf(" %.0e", fabs(end_value(s, j->column) - j->reference));
        if (r.estimate) printf(" (%.0e)", rg_solution_estimate(s));
        printf(", %lld, %d, %lld |", (long long)stats.evaluations, places,
               places > 0 ? (long long)stats.evaluations / places : 0LL);
    } else {
        printf(" fails |");
    }
    fflush(stdout);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

/* The largest error of the outputs at the end; NaN: there is none. */
static double mechanism_error(const mechanism *m, const rg_solution *s)
{
    double values[MECHANISM_VALUES], most = 0.0;

    if (rg_solution_columns(s) > MECHANISM_VALUES || rg_solution_end_values(s, values) < 0)
        return NAN;
    for (int k = 0; k < m->n; k++)
        most = fmax(most, fabs(values[k] - m->value[k]));
    return most;
}

/* On another branch errors are of the size of the motion.  Returns whether the run ended on the
 * right one, with all its places, and with an error of at most ten estimates. */
static bool run_mechanism(rg_context *ctx, const mechanism *m, const char *method, double tol)
{
    char path[128];
    rg_options o = rg_options_default();
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    const rg_request r = {.keep = RG_KEEP_LAST, .estimate = true};
    bool is_good = false;

    snprintf(path, sizeof path, "%s.rg", m->model);
    if (rg_problem_from_file(ctx, path, &p) < 0) abort();
    rg_options_assign(ctx, &o, "method", method);
    o.rtol = o.atol = tol;
    if (rg_solve_request(p, m->end, &o, &r, &s) == RG_OK) {
        const double error = mechanism_error(m, s);
        const int places = count_places(p, s);
        printf(" %s, %.0e (%.0e), %lld, %d of %d |", error < 0.5 ? "right" : "wrong", error,
               rg_solution_estimate(s), (long long)rg_solution_stats(s).evaluations, places,
               m->places);
        is_good = error < 0.5 && places == m->places && error <= 10.0 * rg_solution_estimate(s);
    } else {
        printf(" fails |");
    }
    fflush(stdout);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return is_good;
}

static void run_mechanisms(rg_context *ctx, int is_quick)
{
    int runs = 0, good = 0;

    printf("\nmechanisms: branch, error (estimate), evaluations, positions\n\n");
    printf("| mechanism | tol | radau | srm |\n|---|---|---|---|\n");
    for (int k = 0; k < N_MECHANISMS; k++)
        for (int e = is_quick ? 6 : 4; e <= (is_quick ? 6 : 8); e += 2) {
            printf("| %s | 1e-%d |", strrchr(mechanisms[k].model, '/') + 1, e);
            good += run_mechanism(ctx, &mechanisms[k], "radau", pow(10.0, -e));
            good += run_mechanism(ctx, &mechanisms[k], "srm", pow(10.0, -e));
            runs += 2;
            printf("\n");
        }
    printf("\ntarget %s: right branch, all positions and a true estimate in %d of %d runs\n",
           good == runs ? "met" : "missed", good, runs);
}

int main(int argc, char **argv)
{
    const int is_quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    rg_context *ctx = NULL;

    if (rg_context_create(&ctx) < 0) return EXIT_FAILURE;
    printf("error (estimate), evaluations, positions, evaluations per position\n\n");
    printf("| model | tol | radau | srm |\n|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++)
        for (int e = is_quick ? 6 : 4; e <= (is_quick ? 6 : 8); e += 2) {
            printf("| %s | 1e-%d |", jobs[k].model, e);
            run(ctx, &jobs[k], "radau", pow(10.0, -e));
            run(ctx, &jobs[k], "srm", pow(10.0, -e));
            printf("\n");
        }
    run_mechanisms(ctx, is_quick);
    rg_context_destroy(&ctx);
    return EXIT_SUCCESS;
}
