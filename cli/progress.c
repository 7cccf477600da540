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

void cli_progress_init(cli_progress *p, const cli_args *args, const rg_problem *problem)
{
    *p = (cli_progress){.is_on = !args->quiet && !args->verbose && isatty(STDERR_FILENO),
                        .begin = now(),
                        .time_name = rg_problem_time_name(problem)};
    rg_problem_interval(problem, &p->a, &p->b);
}

int cli_progress_step(double t, const double *y, const double *yp, void *progress)
{
    const double first_after = 1, then_every = 0.2;
    cli_progress *p = progress;

    (void)y;
    (void)yp;
    p->steps++;
    if (!p->is_on) return 0;
    const double time = now();
    if (time - p->begin < first_after || time - p->last < then_every) return 0;
    p->last = time;
    p->is_shown = true;
    fprintf(stderr, "\r%s = %.6g, %.0f %% after %lld steps and %.0f s \033[K", p->time_name, t,
            100 * (t - p->a) / (p->b - p->a), (long long)p->steps, time - p->begin);
    fflush(stderr);
    return 0;
}

void cli_progress_clear(cli_progress *p)
{
    if (p->is_shown) fputs("\r\033[K", stderr);
    p->is_shown = false;
}
