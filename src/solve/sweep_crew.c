/* The runs of a sweep, side by side.
 *
 * Worker threads take the runs one after the other; each has a context of its own and a handle of
 * the problem, of which only constant data are shared.  The caller's thread hands the rows on in
 * their order.  Nothing that a run computes depends on the other ones: not on their number, not on
 * the number of workers, not on when they end.  So kernels that a compiler would bring at some time
 * (--native auto) stay away, and no worker starts threads.  What was computed ahead of a run that
 * takes longer waits in a window of fixed length, which bounds the memory. */
#define _GNU_SOURCE /* sched_getaffinity(): the cores that a cluster gives to this job */
#include "solve/sweep.h"

#include "base/context.h"
#include "solve/tuning.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

enum { MOST_JOBS = 1024 };

struct crew;
typedef struct {
    struct crew *crew;
    rg_context *ctx;
    rg_problem *handle;
    pthread_t thread;
    bool is_running;
} worker;

typedef struct crew {
    const rg_sweep_job *job;
    const rg_sweep_result *old; /* rows that are there already; NULL: none */
    int64_t count, next, handed;
    int64_t window;
    rg_sweep_result *slots; /* run k of the task in slots[k % window] */
    bool *is_done;
    bool is_over; /* nobody waits for rows any more */
    rg_status failed;
    rg_error error; /* what ended the sweep */
    pthread_mutex_t mutex;
    pthread_cond_t done, room;
    int n_workers;
    worker *workers;
} crew;

/* ---- workers --------------------------------------------------------------------------------- */

/* The next run of the task that is not there yet; -1: there is none. */
static int64_t take_run(crew *c)
{
    int64_t k = -1;

    pthread_mutex_lock(&c->mutex);
    while (k < 0 && !c->is_over && c->next < c->count) {
        if (c->old != NULL && c->old[c->next].run != 0)
            c->next++;
        else if (c->next - c->handed >= c->window)
            pthread_cond_wait(&c->room, &c->mutex);
        else
            k = c->next++;
    }
    pthread_mutex_unlock(&c->mutex);
    return k;
}

static void finish_run(crew *c, worker *w, int64_t k, rg_status status)
{
    pthread_mutex_lock(&c->mutex);
    c->is_done[k % c->window] = true;
    if (status != RG_OK && c->failed == RG_OK && !c->is_over) {
        c->failed = status;
        c->error = *rg_last_error(w->ctx);
    }
    pthread_cond_signal(&c->done);
    pthread_mutex_unlock(&c->mutex);
}

static void *work(void *user)
{
    worker *w = user;
    crew *c = w->crew;
    int64_t k;

    while ((k = take_run(c)) >= 0) {
        rg_sweep_result *slot = &c->slots[k % c->window];
        const rg_status status =
            rg_sweep_one(c->job, w->handle, rg_sweep_plan_run(&c->job->plan, k), slot);
        finish_run(c, w, k, status);
    }
    return NULL;
}

/* The cores that this process may use. */
static int count_cores(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
}

/* Functions and an allocator of the caller's are not called by two threads unless he says so. */
static int count_workers(const crew *c)
{
    const rg_problem *p = c->job->p;
    const bool is_own = p->residual == NULL && p->rhs == NULL;
    int jobs = c->job->given->jobs;

    if (jobs <= 0) jobs = is_own ? count_cores() : 1;
    if (p->ctx->allocate != rg_default_realloc) jobs = 1;
    if (jobs > c->count) jobs = (int)c->count;
    return jobs < 1 ? 1 : jobs > MOST_JOBS ? MOST_JOBS : jobs;
}

static rg_status create_workers(crew *c)
{
    const rg_problem *p = c->job->p;

    c->workers = rg_alloc(p->ctx, (size_t)c->n_workers, sizeof *c->workers);
    if (c->workers == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < c->n_workers; k++) {
        worker *w = &c->workers[k];
        w->crew = c;
        if (rg_context_create_beside(p->ctx, &w->ctx) != RG_OK)
            return rg_fail(p->ctx, RG_ERR_MEMORY, "out of memory");
        w->ctx->is_worker = true;
        rg_take_inputs(w->ctx, p->ctx);
        if (rg_problem_handle(w->ctx, p, NULL, &w->handle) != RG_OK)
            return rg_fail(p->ctx, RG_ERR_MEMORY, "out of memory");
    }
    return RG_OK;
}

static rg_status create_slots(crew *c)
{
    rg_context *ctx = c->job->p->ctx;
    const double most = RG_SWEEP_NUMBERS / (double)(c->job->n_values + 1);

    c->window = (int64_t)fmin(fmax(most, 4.0 * c->n_workers), RG_SWEEP_WINDOW);
    c->slots = rg_alloc(ctx, (size_t)c->window, sizeof *c->slots);
    c->is_done = rg_alloc(ctx, (size_t)c->window, sizeof *c->is_done);
    if (c->slots == NULL || c->is_done == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < c->window; k++) {
        c->slots[k].values = rg_alloc(ctx, (size_t)c->job->n_values + 1, sizeof(double));
        if (c->slots[k].values == NULL) return RG_ERR_MEMORY;
    }
    return RG_OK;
}

/* One thread at least; more where the system has them. */
static rg_status start_workers(crew *c)
{
    int running = 0;

    for (int k = 0; k < c->n_workers; k++) {
        worker *w = &c->workers[k];
        w->is_running = pthread_create(&w->thread, NULL, work, w) == 0;
        running += w->is_running;
    }
    if (running > 0) return RG_OK;
    rg_fail(c->job->p->ctx, RG_ERR_MEMORY, "the system has no thread left");
    return rg_remedy(c->job->p->ctx, "end other programs, or raise the limit of processes");
}

static void end_workers(crew *c)
{
    pthread_mutex_lock(&c->mutex);
    c->is_over = true;
    pthread_cond_broadcast(&c->room);
    pthread_mutex_unlock(&c->mutex);
    for (int k = 0; c->workers != NULL && k < c->n_workers; k++) {
        worker *w = &c->workers[k];
        if (w->ctx != NULL && c->handed < c->count) rg_context_interrupt(w->ctx);
        if (w->is_running) pthread_join(w->thread, NULL);
        rg_problem_destroy(&w->handle);
        rg_context_destroy(&w->ctx);
    }
}

static void clear_crew(crew *c)
{
    rg_context *ctx = c->job->p->ctx;

    for (int64_t k = 0; c->slots != NULL && k < c->window; k++)
        rg_free(ctx, c->slots[k].values);
    rg_free(ctx, c->slots);
    rg_free(ctx, c->is_done);
    rg_free(ctx, c->workers);
    pthread_mutex_destroy(&c->mutex);
    pthread_cond_destroy(&c->done);
    pthread_cond_destroy(&c->room);
}

/* Whoever waits is not concerned when somebody sets the clock. */
static void init_steady(pthread_cond_t *condition)
{
    pthread_condattr_t kind;

    pthread_condattr_init(&kind);
    pthread_condattr_setclock(&kind, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &kind);
    pthread_condattr_destroy(&kind);
}

/* ---- rows, in the thread of the caller ------------------------------------------------------- */

/* Waits for run k; looks up now and then whether somebody wants to end it. */
static rg_status wait_for(crew *c, int64_t k)
{
    rg_context *ctx = c->job->p->ctx;
    const bool *is_done = &c->is_done[k % c->window];
    bool is_interrupted = rg_interrupted(ctx);

    pthread_mutex_lock(&c->mutex);
    while (!*is_done && c->failed == RG_OK && !is_interrupted) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += 20 * 1000 * 1000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&c->done, &c->mutex, &until);
        is_interrupted = rg_interrupted(ctx);
    }
    const bool is_there = *is_done && c->slots[k % c->window].status != RG_ERR_MEMORY
                          && c->slots[k % c->window].status != RG_ERR_INTERRUPTED;
    const bool has_failed = c->failed != RG_OK;
    pthread_mutex_unlock(&c->mutex);
    if (is_there && !is_interrupted) return RG_OK;
    if (has_failed && !is_interrupted) return rg_fail_again(ctx, &c->error);
    rg_fail(ctx, RG_ERR_INTERRUPTED, "interrupted after %lld of %lld runs", (long long)k,
            (long long)c->count);
    return rg_remedy(ctx, c->job->given->csv != NULL ? "--resume goes on with them"
                                                     : "run again to go on");
}

static int hand_on(const rg_sweep_job *job, int64_t count, const double *set,
                   const rg_sweep_result *r, rg_sweep_row_fn *row, void *user)
{
    const rg_sweep_row now = {.run = r->run,
                              .runs = count,
                              .n_set = job->plan.n_lists,
                              .set_names = job->set_names,
                              .set = set,
                              .status = r->status,
                              .message = r->message,
                              .remedy = r->remedy,
                              .t = r->t,
                              .n_values = job->n_values,
                              .names = job->names,
                              .values = r->values,
                              .estimate = r->estimate};

    return row != NULL ? row(&now, user) : 0;
}

static rg_status deliver(crew *c, rg_sweep_file *file, double *set, rg_sweep_row_fn *row,
                         void *user)
{
    const rg_sweep_job *job = c->job;

    for (int64_t k = 0; k < c->count; k++) {
        const bool is_old = c->old != NULL && c->old[k].run != 0;
        const rg_sweep_result *r = is_old ? &c->old[k] : &c->slots[k % c->window];
        if (!is_old) RG_TRY(wait_for(c, k));
        rg_sweep_plan_values(&job->plan, r->run, set);
        if (!is_old) RG_TRY(rg_sweep_file_write(file, set, r));
        const int ended = hand_on(job, c->count, set, r, row, user);
        pthread_mutex_lock(&c->mutex);
        c->is_done[k % c->window] = false;
        c->handed = k + 1;
        pthread_cond_broadcast(&c->room);
        pthread_mutex_unlock(&c->mutex);
        if (ended != 0) return RG_STOPPED;
    }
    return RG_OK;
}

rg_status rg_sweep_crew(const rg_sweep_job *job, rg_sweep_file *file, double *set,
                        rg_sweep_row_fn *row, void *user)
{
    crew c = {.job = job, .old = file->old, .count = rg_sweep_plan_count(&job->plan)};

    pthread_mutex_init(&c.mutex, NULL);
    init_steady(&c.done);
    pthread_cond_init(&c.room, NULL);
    c.n_workers = count_workers(&c);
    rg_status status = create_slots(&c);
    if (status == RG_OK) status = create_workers(&c);
    if (status == RG_OK) status = start_workers(&c);
    if (status == RG_OK) status = deliver(&c, file, set, row, user);
    end_workers(&c);
    clear_crew(&c);
    return status;
}
