/* One initial value problem by regula, the integration alone: no parsing, no analysis, no start
 * values.
 *
 *     bench_ivp [-r RTOL] [-a ATOL] [-k SECONDS] [-1] [-u] [-s NAME=VALUE] [-o NAME=VALUE]
 *               [-v NAMES] MODEL
 *
 * Solves again and again for SECONDS and keeps the shortest processor time; -1: once (for
 * callgrind, which counts inside bench_integrate); -u: nobody watches for singular positions on the
 * way.  Without arguments: the pendulum.  Prints one line,
 *
 *     status n steps rejected evaluations jacobians factorizations milliseconds kilobytes
 *     NAME=VALUE ...
 *
 * with the values of NAMES (separated by blanks) at the end, or of all unknowns. */
#include "solve/solver.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MOST_SETTINGS = 8, MOST_RUNS = 1000 };

typedef struct {
    const char *model, *names;
    rg_setting settings[MOST_SETTINGS];
    int n_settings;
    rg_options options;
    double budget;
    bool once, unwatched;
} job;

static double processor_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What is measured: memory of the method, and all steps. */
rg_status bench_integrate(rg_solver *s, double t_end, bool watched);
rg_status __attribute__((noinline)) bench_integrate(rg_solver *s, double t_end, bool watched)
{
    const rg_state start = {s->problem->a, s->y, s->yp};

    if (watched)
        RG_TRY(rg_solver_begin(s, t_end));
    else
        RG_TRY(rg_integrator_create_with(s->choice.method->ivp, s->system, &s->options, &start,
                                         t_end, &s->integrator));
    return rg_integrate(s->integrator, NULL, NULL);
}

static void print_value(const rg_problem *p, const double *y, int64_t i, const char *wanted)
{
    char name[64], word[66];

    rg_problem_name(p, i, name, sizeof name);
    if (wanted != NULL) {
        char list[512];
        snprintf(word, sizeof word, " %s ", name);
        snprintf(list, sizeof list, " %s ", wanted);
        if (strstr(list, word) == NULL) return;
    }
    printf(" %s=%.17g", name, y[i]);
}

static void print_result(const rg_solver *s, rg_status status, double best, const char *names)
{
    const rg_stats c = rg_integrator_stats(s->integrator);
    const rg_state end = rg_integrator_state(s->integrator);
    struct rusage use;

    getrusage(RUSAGE_SELF, &use);
    printf("%s %lld %lld %lld %lld %lld %lld %.6g %ld", status == RG_OK ? "ok" : "failed",
           (long long)s->n, (long long)c.steps, (long long)c.rejected, (long long)c.evaluations,
           (long long)c.jacobians, (long long)c.factorizations, 1e3 * best, use.ru_maxrss);
    for (int64_t i = 0; i < s->problem->n; i++)
        print_value(s->problem, end.y, i, names);
    printf("\n");
}

static rg_status run(rg_problem *p, const job *j)
{
    double a, b, best = 1e300, spent = 0.0;
    rg_status status = RG_OK;

    rg_problem_interval(p, &a, &b);
    for (int k = 0; k < MOST_RUNS; k++) {
        rg_solver *s = NULL;
        if ((status = rg_solver_create(p, &j->options, &s)) != RG_OK) return status;
        const double begin = processor_seconds();
        status = bench_integrate(s, b, !j->unwatched);
        const double took = processor_seconds() - begin;
        best = took < best ? took : best;
        spent += took;
        const bool is_last = j->once || spent >= j->budget || status != RG_OK || k == MOST_RUNS - 1;
        if (is_last && s->integrator != NULL) print_result(s, status, best, j->names);
        rg_solver_destroy(&s);
        if (is_last) break;
    }
    return status;
}

/* NAME=VALUE: the value, behind the name, which then ends there. */
static char *split(char *text)
{
    char *equals = strchr(text, '=');

    if (equals == NULL) return text + strlen(text);
    *equals = '\0';
    return equals + 1;
}

static rg_status read_flag(rg_context *ctx, char flag, char *text, job *j)
{
    if (flag == 'r') return rg_options_assign(ctx, &j->options, "rtol", text);
    if (flag == 'a') return rg_options_assign(ctx, &j->options, "atol", text);
    if (flag == 'k') j->budget = atof(text);
    if (flag == 'v') j->names = text;
    if (flag == 's' && j->n_settings < MOST_SETTINGS) {
        const char *value = split(text);
        j->settings[j->n_settings++] = (rg_setting){text, atof(value)};
    }
    if (flag == 'o') { /* an option of a later version is not an error here */
        const char *value = split(text);
        if (rg_options_assign(ctx, &j->options, text, value) != RG_OK) rg_clear_error(ctx);
    }
    return RG_OK;
}

int main(int argc, char **argv)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    job j = {.model = "examples/ivp/pendulum.rg", .options = rg_options_default(), .budget = 0.2};
    rg_status status;

    if (rg_context_create(&ctx) != RG_OK) return 1;
    status = RG_OK;
    for (int k = 1; k < argc && status == RG_OK; k++) {
        if (strcmp(argv[k], "-1") == 0)
            j.once = true;
        else if (strcmp(argv[k], "-u") == 0)
            j.unwatched = true;
        else if (argv[k][0] == '-' && k + 1 < argc)
            status = read_flag(ctx, argv[k][1], argv[k + 1], &j), k++;
        else
            j.model = argv[k];
    }
    if (status == RG_OK)
        status = rg_problem_from_file_with(ctx, j.model, j.n_settings, j.settings, &p);
    if (status == RG_OK) status = run(p, &j);
    if (status != RG_OK) rg_error_print(rg_last_error(ctx), stderr);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return status == RG_OK ? 0 : 1;
}
