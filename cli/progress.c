/* A line on the terminal for work over a second. */
#include "cli.h"

#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* After a second, and then not too often. */
static bool is_due(cli_progress *p)
{
    const double first_after = 1, then_every = 0.2, time = now();

    if (!p->is_on || time - p->begin < first_after || time - p->last < then_every) return false;
    p->last = time;
    p->is_shown = true;
    return true;
}

/* What a solver says about its way: parameter values of a continuation; of boundary values also
 * meshes and iterations. */
static void show_log(int level, const char *text, void *progress)
{
    (void)level;
    if (!is_due(progress)) return;
    fprintf(stderr, "\r%s \033[K", text);
    fflush(stderr);
}

void cli_progress_init(cli_progress *p, const cli_args *args, const rg_problem *problem)
{
    *p = (cli_progress){.ctx = args->ctx,
                        .file = args->file != NULL ? args->file : "",
                        .is_boundary = rg_problem_is_boundary(problem),
                        .is_on = !args->quiet && !args->verbose && isatty(STDERR_FILENO),
                        .begin = now()};
    snprintf(p->time_name, sizeof p->time_name, "%s", rg_problem_time_name(problem));
    rg_problem_interval(problem, &p->a, &p->b);
    if (p->is_on) rg_context_set_log(p->ctx, show_log, rg_problem_is_boundary(problem) ? 2 : 1, p);
}

/* As long as it has gone on like that. */
static void show_rest(double part, double spent)
{
    const double rest = part > 0.0 ? spent * (1.0 - part) / part : -1.0;

    if (rest < 0.0)
        fprintf(stderr, "%.0f s \033[K", spent);
    else if (rest < 6000.0)
        fprintf(stderr, "%.0f s, %.0f s to go \033[K", spent, rest);
    else
        fprintf(stderr, "%.0f s, %.1f h to go \033[K", spent, rest / 3600.0);
    fflush(stderr);
}

int cli_progress_step(double t, const double *y, const double *yp, void *progress)
{
    cli_progress *p = progress;

    (void)y;
    (void)yp;
    atomic_store_explicit(&p->t, t, memory_order_relaxed);
    atomic_store_explicit(&p->steps, p->steps + 1, memory_order_release);
    if (!is_due(p)) return 0;
    const double spent = p->last - p->begin, part = (t - p->a) / (p->b - p->a);
    fprintf(stderr, "\r%s = %.6g, %.0f %% after %lld steps, %.3g per second, ", p->time_name, t,
            100 * part, (long long)p->steps, (double)p->steps / spent);
    show_rest(part, spent);
    return 0;
}

void cli_progress_runs(cli_progress *p, int64_t done, int64_t runs)
{
    p->runs = runs;
    p->done = done;
    if (!is_due(p)) return;
    const double rate = (double)done / (p->last - p->begin);
    fprintf(stderr, "\r%lld of %lld runs, %.3g per second, %.0f s to go \033[K", (long long)done,
            (long long)runs, rate, (double)(runs - done) / rate);
    fflush(stderr);
}

void cli_progress_clear(cli_progress *p)
{
    if (p->is_on) rg_context_set_log(p->ctx, NULL, 0, NULL);
    if (p->is_shown) fputs("\r\033[K", stderr);
    p->is_shown = false;
}
