/* A crew: one loop at a time.  Its units are taken in chunks from a common counter; a thread that
 * wakes up while the loop is open takes part, and only those that do are waited for. */
#define _GNU_SOURCE /* sched_getaffinity(): the cores that a cluster gives to this job */
#include "base/crew.h"

#include "base/context.h"
#include "base/tuning.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { CHUNKS = 4 }; /* of every thread: what the last one to end keeps the others waiting */

typedef struct {
    rg_crew *crew;
    pthread_t thread;
    int number;
} member;

struct rg_crew {
    int n; /* threads, that of the caller included */
    member hands[RG_CREW_MOST];
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    atomic_flag is_taken;      /* by a loop                                             */
    atomic_uint round;         /* loops so far                                          */
    atomic_int active;         /* threads in the open loop, without the caller          */
    atomic_int_least64_t next; /* unit of it that nobody has taken                   */
    bool is_open, is_over;     /* these and the next ones: under the lock               */
    int64_t units, chunk;
    rg_crew_work *work;
    void *user;
};

static int count_cores(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
}

/* Units of the open loop until none is left. */
static void take_units(rg_crew *c, int number)
{
    const int64_t n = c->units, chunk = c->chunk;

    for (;;) {
        const int64_t from = atomic_fetch_add(&c->next, chunk);
        if (from >= n) return;
        c->work(c->user, number, from, from + chunk < n ? from + chunk : n);
    }
}

/* Waits for a loop that is not `last`; looks a little before it sleeps, for loops follow each
 * other.  The lock is held behind it. */
static void wait_for_loop(rg_crew *c, unsigned last)
{
    for (int k = 0; k < RG_CREW_LOOKS && atomic_load(&c->round) == last; k++)
        continue;
    pthread_mutex_lock(&c->lock);
    while (atomic_load(&c->round) == last && !c->is_over)
        pthread_cond_wait(&c->begin, &c->lock);
}

static void *serve(void *user)
{
    const member *h = user;
    rg_crew *c = h->crew;
    unsigned last = 0;

    for (;;) {
        wait_for_loop(c, last);
        last = atomic_load(&c->round);
        const bool is_over = c->is_over, is_open = c->is_open;
        if (is_open) atomic_fetch_add(&c->active, 1);
        pthread_mutex_unlock(&c->lock);
        if (is_over) return NULL;
        if (!is_open) continue;
        take_units(c, h->number);
        pthread_mutex_lock(&c->lock);
        if (atomic_fetch_sub(&c->active, 1) == 1) pthread_cond_signal(&c->end);
        pthread_mutex_unlock(&c->lock);
    }
}

static void run_shared(rg_crew *c, int64_t n, rg_crew_work *work, void *user)
{
    pthread_mutex_lock(&c->lock);
    c->units = n;
    c->chunk = (n + CHUNKS * c->n - 1) / (CHUNKS * c->n);
    c->work = work;
    c->user = user;
    c->is_open = true;
    atomic_store(&c->next, 0);
    atomic_fetch_add(&c->round, 1);
    pthread_cond_broadcast(&c->begin);
    pthread_mutex_unlock(&c->lock);
    take_units(c, 0);
    for (int k = 0; k < RG_CREW_LOOKS && atomic_load(&c->active) > 0; k++)
        continue;
    pthread_mutex_lock(&c->lock);
    c->is_open = false;
    while (atomic_load(&c->active) > 0)
        pthread_cond_wait(&c->end, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

int rg_crew_hands(const rg_context *ctx)
{
    return ctx->crew != NULL ? ctx->crew->n : 1;
}

bool rg_crew_shares(const rg_context *ctx, int64_t numbers)
{
    return ctx->crew != NULL && numbers >= RG_CREW_NUMBERS;
}

void rg_crew_run(rg_context *ctx, int64_t n, int64_t numbers, rg_crew_work *work, void *user)
{
    rg_crew *c = ctx->crew;

    if (n <= 0) return;
    if (n == 1 || !rg_crew_shares(ctx, n * numbers) || atomic_flag_test_and_set(&c->is_taken)) {
        work(user, 0, 0, n);
        return;
    }
    run_shared(c, n, work, user);
    atomic_flag_clear(&c->is_taken);
}

enum { WAVE = 1024 }; /* units whose parts are kept until they are added */

typedef struct {
    rg_crew_part *part;
    void *user;
    int64_t first;
    double of[WAVE][RG_CREW_SUMS];
} wave;

static void make_parts(void *user, int hand, int64_t from, int64_t end)
{
    wave *w = user;

    (void)hand;
    for (int64_t u = from; u < end; u++)
        w->part(w->user, w->first + u, w->of[u]);
}

void rg_crew_sum(rg_context *ctx, int64_t n, int64_t numbers, rg_crew_part *part, void *user,
                 double total[RG_CREW_SUMS])
{
    wave w; /* its parts are written before they are read */

    w.part = part;
    w.user = user;
    for (int k = 0; k < RG_CREW_SUMS; k++)
        total[k] = 0.0;
    for (w.first = 0; w.first < n; w.first += WAVE) {
        const int64_t count = n - w.first < WAVE ? n - w.first : WAVE;
        rg_crew_run(ctx, count, numbers, make_parts, &w);
        for (int64_t u = 0; u < count; u++)
            for (int k = 0; k < RG_CREW_SUMS; k++)
                total[k] += w.of[u][k];
    }
}

static rg_status create(rg_context *ctx, int threads)
{
    rg_crew *c = rg_alloc(ctx, 1, sizeof *c);
    sigset_t all, own;

    if (c == NULL) return RG_ERR_MEMORY;
    c->n = 1;
    atomic_flag_clear(&c->is_taken);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->begin, NULL);
    pthread_cond_init(&c->end, NULL);
    ctx->crew = c;
    sigfillset(&all); /* signals are the caller's */
    pthread_sigmask(SIG_SETMASK, &all, &own);
    for (int k = 1; k < threads; k++) {
        c->hands[k] = (member){.crew = c, .number = k};
        if (pthread_create(&c->hands[k].thread, NULL, serve, &c->hands[k]) != 0) break;
        c->n++; /* read by this thread only */
    }
    pthread_sigmask(SIG_SETMASK, &own, NULL);
    return RG_OK;
}

rg_status rg_crew_set(rg_context *ctx, int threads)
{
    if (threads <= 0) threads = count_cores();
    if (threads > RG_CREW_MOST) threads = RG_CREW_MOST;
    if (ctx->is_worker) threads = 1;
    if (threads == rg_crew_hands(ctx)) return RG_OK;
    rg_crew_end(ctx);
    return threads > 1 ? create(ctx, threads) : RG_OK;
}

void rg_crew_end(rg_context *ctx)
{
    rg_crew *c = ctx->crew;

    if (c == NULL) return;
    pthread_mutex_lock(&c->lock);
    c->is_over = true;
    pthread_cond_broadcast(&c->begin);
    pthread_mutex_unlock(&c->lock);
    for (int k = 1; k < c->n; k++)
        pthread_join(c->hands[k].thread, NULL);
    pthread_cond_destroy(&c->begin);
    pthread_cond_destroy(&c->end);
    pthread_mutex_destroy(&c->lock);
    rg_free(ctx, c);
    ctx->crew = NULL;
}
