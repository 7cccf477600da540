/* Sequential regularization on chains with closed loops: time and memory per step over the number
 * of links, with E = I, beside Radau IIA on the reduced model; then evaluations at comparable
 * errors, SRM beside the automatic passage with Radau, and for boundary values beside collocation.
 *
 * Every run of the first table is a process of its own, so that its largest memory is known.  Time
 * per step of SRM: processor time of two runs with different numbers of steps, subtracted.  Run
 * from the top folder: bench_srm [quick]. */
#include "base/options.h"
#include "regula.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    double milliseconds; /* per step */
    double t, error;     /* reached; against the reference */
    long kilobytes;
    int64_t steps, evaluations;
    int is_done;
} outcome;

static double processor_time(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static rg_status set_options(rg_context *ctx, rg_options *o, const char *text)
{
    char copy[256], *rest = copy;
    rg_status status = RG_OK;

    snprintf(copy, sizeof copy, "%s", text);
    for (char *word; status >= 0 && (word = strtok_r(rest, " ", &rest)) != NULL;) {
        char *value = strchr(word, '=');
        *value = '\0';
        status = rg_options_assign(ctx, o, word, value + 1);
    }
    return status;
}

typedef struct { /* the first two values are compared with x, y at the end */
    const char *path, *parameter;
    int n;
    const char *options;
    double t_end;
    const char *first, *second;
    double x, y;
} task;

static double value_of(const rg_problem *p, const double *y, const char *name)
{
    char buffer[64];

    for (int64_t i = 0; i < rg_problem_size(p); i++)
        if (rg_problem_name(p, i, buffer, sizeof buffer) > 0 && strcmp(buffer, name) == 0)
            return y[i];
    return NAN;
}

static outcome run(const task *c, double t_end)
{
    outcome out = {NAN, NAN, NAN, 0, 0, 0, 0};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    const rg_request request = {.keep = RG_KEEP_ROWS, .n_times = 1, .times = &t_end};

    if (rg_context_create(&ctx) < 0) return out;
    rg_status status = rg_problem_from_file(ctx, c->path, &p);
    if (status >= 0 && c->parameter != NULL)
        status = rg_problem_set_parameter(p, c->parameter, c->n);
    if (status >= 0) status = set_options(ctx, &o, c->options);
    const double begin = processor_time();
    if (status >= 0) status = rg_solve_request(p, t_end, &o, &request, &s);
    out.milliseconds = 1e3 * (processor_time() - begin);
    if (status >= 0) {
        double *y = malloc(sizeof *y * (size_t)rg_problem_size(p));
        out.steps = rg_solution_stats(s).steps;
        out.evaluations = rg_solution_stats(s).evaluations;
        if (y != NULL && c->first != NULL && rg_solution_eval(s, t_end, y, NULL) >= 0)
            out.error =
                fmax(fabs(value_of(p, y, c->first) - c->x), fabs(value_of(p, y, c->second) - c->y));
        free(y);
        out.is_done = 1;
    } else {
        printf("    %s: %s\n", c->options, rg_last_error(ctx)->message);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return out;
}

/* The least time of a few runs. */
static outcome run_best(const task *c, double t_end)
{
    outcome best = run(c, t_end);

    for (int k = 1; k < 4 && c->n < 100000; k++) {
        const outcome again = run(c, t_end);
        if (again.milliseconds < best.milliseconds) best = again;
    }
    return best;
}

/* In a process of its own; runs to t_end and to a quarter of that give the time per step. */
static outcome run_apart(const task *c)
{
    outcome out = {0};
    int ends[2];
    struct rusage use;

    fflush(stdout);
    if (pipe(ends) != 0) return out;
    const pid_t child = fork();
    if (child == 0) {
        const outcome some = run_best(c, c->t_end / 4), all = run_best(c, c->t_end);
        out = all;
        out.is_done = some.is_done && all.is_done && all.steps > some.steps;
        out.milliseconds =
            (all.milliseconds - some.milliseconds) / (double)(all.steps - some.steps);
        getrusage(RUSAGE_SELF, &use);
        out.kilobytes = use.ru_maxrss;
        const ssize_t written = write(ends[1], &out, sizeof out);
        fflush(stdout);
        _exit(written == (ssize_t)sizeof out ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &out, sizeof out) != (ssize_t)sizeof out) out.is_done = 0;
    close(ends[0]);
    if (child > 0) waitpid(child, NULL, 0);
    return out;
}

static void judge(const char *what, double ratio)
{
    printf("target %s: %s per link, 1e3 links to the largest number: factor %.2f (at most 2)\n",
           ratio <= 2 ? "met" : "missed", what, ratio);
}

/* Time and memory per link are to be constant; those of small models have much that does not depend
 * on n. */
static void grow(const char *path, const char *parameter, const char *options, double t_end,
                 int largest)
{
    outcome from = {0}, to = {0};

    printf("%s, %s, to t = %g\n", path, options, t_end);
    for (int n = 100; n <= largest; n *= 10) {
        const task c = {path, parameter, n, options, t_end, NULL, NULL, 0, 0};
        to = run_apart(&c);
        if (n == 1000) from = to;
        if (!to.is_done) {
            printf("  n = %6d: failed\n", n);
            continue;
        }
        printf(
            "  n = %6d: %4lld steps, %6lld evaluations, %9.3f ms per step, %6.0f ns per step and "
            "link, %7.1f MB, %6.0f bytes per link\n",
            n, (long long)to.steps, (long long)to.evaluations, to.milliseconds,
            1e6 * to.milliseconds / n, 1.024e-3 * (double)to.kilobytes,
            1024.0 * (double)to.kilobytes / n);
    }
    if (from.is_done && to.is_done) {
        const double ratio = largest / 1000.0;
        judge("time per step", to.milliseconds / from.milliseconds / ratio);
        judge("memory", (double)to.kilobytes / (double)from.kilobytes / ratio);
    }
    puts("");
}

/* Errors and evaluations of several settings. */
static void compare(const char *title, const task *c, int count, const char *const *options)
{
    printf("%s, t = %g\n", title, c->t_end);
    for (int k = 0; k < count; k++) {
        task one = *c;
        one.options = options[k];
        const outcome r = run(&one, c->t_end);
        if (r.is_done)
            printf("  %-62s error %8.1e  %8lld evaluations  %6lld steps\n", options[k], r.error,
                   (long long)r.evaluations, (long long)r.steps);
    }
    puts("");
}

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static void compare_all(void)
{
    static const char *const both[] = {
        "method=radau tol=1e-4",
        "method=radau tol=1e-6",
        "method=radau tol=1e-8",
        "method=srm tol=1e-4",
        "method=srm tol=1e-6",
        "method=srm tol=1e-8",
        "method=srm scheme=rk4 step=0.005",
        "method=srm scheme=heun step=1e-4 eps=1e-4 iterations=2",
    };
    static const char *const chains[] = {
        "method=radau tol=1e-4",
        "method=radau tol=1e-6",
        "method=radau tol=1e-8",
        "method=srm variant=multibody tol=1e-4",
        "method=srm variant=multibody tol=1e-6",
        "method=srm variant=multibody scheme=rk4 step=1e-3",
        "method=srm variant=multibody scheme=rk4 step=2.5e-4",
    };
    static const char *const regular[] = {
        "method=radau tol=1e-4",
        "method=radau tol=1e-6",
        "method=radau tol=1e-8",
        "method=srm tol=1e-4",
        "method=srm tol=1e-6",
        "method=srm tol=1e-8",
        "method=srm variant=multibody scheme=rk4 step=1e-3",
        "method=srm variant=multibody scheme=rk4 step=2.5e-4",
    };
    const task crank = {"examples/srm/slider-crank-singular.rg",
                        NULL,
                        0,
                        NULL,
                        10,
                        "phi1",
                        "phi1",
                        4.373977343268912,
                        4.373977343268912};
    const task robot = {
        "examples/ivp/robot-two-link.rg", NULL, 0, NULL, 1, "a", "b", sin(1.0), -2 * sin(1.0)};
    const task chain = {"examples/srm/closed-chain.rg",
                        "n",
                        100,
                        NULL,
                        0.5,
                        "x[1]",
                        "y[1]",
                        0.0275142517730,
                        -0.9996214113100};
    const task bars = {"examples/singular/four-bar.rg",
                       NULL,
                       0,
                       NULL,
                       1,
                       "x[0]",
                       "y[0]",
                       -0.195020301949,
                       -0.980799205662};

    compare("slider crank through its singular positions", &crank, COUNT(both), both);
    compare("two-link robot, regular", &robot, COUNT(regular), regular);
    compare("closed chain of 100 rods", &chain, COUNT(chains), chains);
    compare("two four-bar windows, two singular positions", &bars, COUNT(both), both);
}

static void compare_boundary(void)
{
    static const char *const both[] = {
        "method=collocation tol=1e-4", "method=collocation tol=1e-6", "method=collocation tol=1e-8",
        "method=srm tol=1e-4",         "method=srm tol=1e-6",         "method=srm tol=1e-8",
    };
    const task linear = {
        "examples/srm/srm-boundary.rg", NULL, 0, NULL, 1, "x1", "x2", exp(-1.0), sin(1.0)};
    const task nonlinear = {"examples/srm/srm-boundary-nonlinear.rg",
                            NULL,
                            0,
                            NULL,
                            1,
                            "p",
                            "l",
                            cos(11.0 / 12.0),
                            0.5625};

    compare("boundary values, index 2, a singular place", &linear, COUNT(both), both);
    compare("boundary values, index 3, not linear in the multiplier", &nonlinear, COUNT(both),
            both);
}

int main(int argc, char **argv)
{
    const int steps = 20;
    const int largest = argc > 1 && strcmp(argv[1], "quick") == 0 ? 10000 : 100000;

    grow("examples/srm/closed-chain.rg", "n",
         "method=srm variant=multibody scheme=rk4 step=1e-3 native=off", steps * 1e-3, largest);
    grow("examples/singular/four-bar.rg", "N",
         "method=srm variant=multibody scheme=rk4 step=1e-3 native=off", steps * 1e-3, largest);
    grow("examples/srm/closed-chain.rg", "n", "method=radau tol=1e-6 native=off", 0.5, largest);
    grow("examples/singular/four-bar.rg", "N", "method=radau tol=1e-6 native=off", 0.5, largest);
    compare_all();
    compare_boundary();
    return 0;
}
