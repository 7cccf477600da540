/* The matrices of a step, factored side by side.
 *
 * Each has its own memory; what they share (Jacobians, the analysis of the pattern) is only read.
 * So the results are the same, with threads and without.  No thread outlives the call. */
#include "base/context.h"
#include "linalg/matrix_impl.h"
#include "linalg/tuning.h"

#include <pthread.h>
#include <unistd.h>

enum { MOST_TASKS = 8 };

typedef struct {
    rg_matrix *m;
    rg_status status;
    pthread_t thread;
    bool is_running;
} job;

static void *run(void *user)
{
    job *j = user;

    j->status = rg_matrix_compute(j->m);
    return NULL;
}

/* As if real; complex ones cost four times as much. */
static double work_of(const rg_matrix *m)
{
    double factor, solve;

    rg_matrix_work(m, &factor, &solve);
    return m->is_complex ? 4.0 * factor : factor;
}

static bool pays(const rg_matrix_task *tasks, int count)
{
    return count > 1 && !tasks[0].m->ctx->is_worker && work_of(tasks[count - 1].m) >= RG_THREAD_WORK
           && sysconf(_SC_NPROCESSORS_ONLN) > 1;
}

static rg_status prepare(const rg_matrix_task *tasks, int k, const double *Jy, const double *Jyp)
{
    const rg_matrix_task *t = &tasks[k];

    return rg_matrix_prepare(t->m, k > 0 ? tasks[0].m : NULL, t->re, t->im, Jy, Jyp);
}

rg_status rg_matrix_factor_all(int count, const rg_matrix_task *tasks, const double *Jy,
                               const double *Jyp)
{
    const bool in_threads = count <= MOST_TASKS && pays(tasks, count);
    job jobs[MOST_TASKS];
    rg_status status = RG_OK;

    if (!in_threads) {
        for (int k = 0; k < count && status == RG_OK; k++) {
            status = prepare(tasks, k, Jy, Jyp);
            if (status == RG_OK) status = rg_matrix_compute(tasks[k].m);
            status = rg_matrix_report(tasks[k].m, status);
        }
        return status;
    }
    for (int k = 0; k < count; k++) {
        RG_TRY(prepare(tasks, k, Jy, Jyp));
        jobs[k] = (job){.m = tasks[k].m};
    }
    for (int k = 1; k < count; k++) /* the first one, which is real, stays here */
        jobs[k].is_running = pthread_create(&jobs[k].thread, NULL, run, &jobs[k]) == 0;
    for (int k = 0; k < count; k++)
        if (!jobs[k].is_running) run(&jobs[k]);
    for (int k = 0; k < count; k++) {
        if (jobs[k].is_running) pthread_join(jobs[k].thread, NULL);
        if (status == RG_OK) status = rg_matrix_report(jobs[k].m, jobs[k].status);
    }
    return status;
}
