/* One boundary value problem by regula: the call of rg_solve() alone, without parsing.
 *
 *     bench_bvp [-k SECONDS] [-s NAME=VALUE] [-o NAME=VALUE] [-t TOL,TOL,...] MODEL
 *
 * Per tolerance it solves again and again for SECONDS and keeps the shortest processor time.
 * Prints a line per tolerance,
 *
 *     status tolerance milliseconds intervals meshes kilobytes error estimate VALUE ...
 *
 * error: against `exact`, largest |e| / (1 + |y|) over 201 times that are dense at the ends; the
 * values are those of the first unknown there. Without arguments: Bratu's problem. */
#include "base/options.h"
#include "regula.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SETTINGS = 8, MOST_RUNS = 1000, TIMES = 201, MOST_UNKNOWNS = 4096 };

typedef struct {
    const char *model, *tolerances;
    rg_setting settings[MOST_SETTINGS];
    int n_settings;
    rg_options options;
    double budget;
} job;

static double processor_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* VmHWM: ru_maxrss would count what the caller had before it started this program. */
static long peak_kilobytes(void)
{
    char line[256];
    long found = 0;
    FILE *status = fopen("/proc/self/status", "r");

    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0) found = atol(line + 6);
    if (status != NULL) fclose(status);
    return found;
}

/* The error of every unknown relative to 1 + its value at each time, as far as |e| alone is known:
 * its largest value. */
static double true_error(const rg_problem *p, const rg_solution *s, const double *times)
{
    static double y[MOST_UNKNOWNS], size[MOST_UNKNOWNS];
    double worst = NAN;

    memset(size, 0, sizeof size);
    if (rg_problem_size(p) > MOST_UNKNOWNS) return NAN;
    for (int k = 0; k < TIMES; k++) {
        if (rg_solution_eval(s, times[k], y, NULL) < 0) return NAN;
        for (int64_t j = 0; j < rg_problem_size(p); j++)
            size[j] = fmax(size[j], fabs(y[j]));
    }
    for (int64_t j = 0; j < rg_problem_size(p); j++) {
        const double error = rg_solution_error(s, j) / (1 + size[j]);
        if (!isnan(error) && !(error <= worst)) worst = error;
    }
    return worst;
}

static void print_values(const rg_problem *p, const rg_solution *s, const double *times)
{
    static double y[MOST_UNKNOWNS];

    for (int k = 0; k < TIMES && rg_problem_size(p) <= MOST_UNKNOWNS; k++)
        if (rg_solution_eval(s, times[k], y, NULL) >= 0) printf(" %.16g", y[0]);
}

static void run(rg_problem *p, job *j, double tol)
{
    const double pi = 3.14159265358979323846;
    double times[TIMES], a, b, best = INFINITY;
    rg_solution *s = NULL;

    rg_problem_interval(p, &a, &b);
    for (int k = 0; k < TIMES; k++)
        times[k] = k == TIMES - 1 ? b : a + (b - a) * 0.5 * (1.0 - cos(pi * k / (TIMES - 1)));
    j->options.rtol = j->options.atol = tol;
    const double begin = processor_seconds();
    for (int k = 0; k < MOST_RUNS && (k == 0 || processor_seconds() - begin < j->budget); k++) {
        rg_solution_destroy(&s);
        const double start = processor_seconds();
        const rg_status status = rg_solve(p, b, &j->options, &s);
        best = fmin(best, processor_seconds() - start);
        if (status >= 0) continue;
        printf("failed %g\n", tol);
        rg_solution_destroy(&s);
        return;
    }
    const rg_stats stats = rg_solution_stats(s);
    const double estimate = rg_solution_estimate(s);
    rg_solution_destroy(&s);
    if (rg_solve_at(p, b, &j->options, TIMES, times, &s) >= 0) {
        printf("ok %g %.6g %lld %lld %ld %.3g %.3g", tol, 1e3 * best, (long long)stats.steps,
               (long long)stats.rejected + 1, peak_kilobytes(), true_error(p, s, times), estimate);
        print_values(p, s, times);
        printf("\n");
    }
    rg_solution_destroy(&s);
}

static bool read_setting(char *text, job *j)
{
    char *equal = strchr(text, '=');

    if (equal == NULL || j->n_settings == MOST_SETTINGS) return false;
    *equal = '\0';
    j->settings[j->n_settings++] = (rg_setting){text, atof(equal + 1)};
    return true;
}

static bool read_option(rg_context *ctx, char *text, job *j)
{
    char *equal = strchr(text, '=');

    if (equal == NULL) return false;
    *equal = '\0';
    return rg_options_assign(ctx, &j->options, text, equal + 1) >= 0;
}

static bool read_arguments(rg_context *ctx, int argc, char **argv, job *j)
{
    for (int k = 1; k < argc; k++) {
        const char *flag = argv[k];
        if (flag[0] != '-') {
            j->model = flag;
            continue;
        }
        if (k + 1 == argc) return false;
        char *value = argv[++k];
        bool is_good = true;
        switch (flag[1]) {
        case 'k':
            j->budget = atof(value);
            break;
        case 't':
            j->tolerances = value;
            break;
        case 's':
            is_good = read_setting(value, j);
            break;
        case 'o':
            is_good = read_option(ctx, value, j);
            break;
        default:
            return false;
        }
        if (!is_good) return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    job j = {.model = "examples/bvp/bratu.rg", .tolerances = "1e-6", .budget = 0.1};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    char *end;

    j.options = rg_options_default();
    if (rg_context_create(&ctx) < 0) return EXIT_FAILURE;
    bool is_good = read_arguments(ctx, argc, argv, &j);
    is_good = is_good && rg_problem_from_file_with(ctx, j.model, j.n_settings, j.settings, &p) >= 0;
    for (const char *at = j.tolerances; is_good && *at != '\0'; at = *end == ',' ? end + 1 : end) {
        const double tol = strtod(at, &end);
        if (end == at) break;
        run(p, &j, tol);
        fflush(stdout);
    }
    if (!is_good) rg_error_print(rg_last_error(ctx), stderr);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
