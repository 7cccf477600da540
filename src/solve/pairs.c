/* Rows of a run on their way to the second run: see pairs.h. */
#include "solve/pairs.h"
#include "solve/tuning.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

struct rg_pairs {
    rg_context *ctx;
    int64_t n_columns, n_times;
    int64_t capacity, room; /* rows in all, and by their numbers */
    int every;
    double direction;
    int64_t offered, due; /* rows so far; the next one that is kept, or ... */
    double t_due;         /* ... the first from this time on, in the direction of the run */
    double t_distance;
    int64_t count, next; /* kept; the next one to be taken */
    rg_pair *row;
    double *values;
    double reached; /* in the direction of the run */
    bool is_done;
    int64_t steps; /* of the first run, when it is over */
    pthread_mutex_t mutex;
    pthread_cond_t moved;
};

rg_status rg_pairs_create(rg_context *ctx, int64_t n_columns, int64_t n_times, int every,
                          double length, rg_pairs **out)
{
    rg_pairs *p = *out = rg_alloc(ctx, 1, sizeof *p);

    if (p == NULL) return RG_ERR_MEMORY;
    p->ctx = ctx;
    p->n_columns = n_columns;
    p->n_times = n_times;
    p->every = every;
    p->direction = length < 0.0 ? -1.0 : 1.0;
    p->reached = -INFINITY;
    p->t_due = INFINITY;
    p->room = (int64_t)fmax(RG_PAIRS_LEAST,
                            fmin(RG_PAIRS_MOST, RG_PAIRS_NUMBERS / (double)(n_columns + 1)));
    if (n_times > 0 && n_times < p->room) p->room = n_times;
    const int64_t more = n_times == 0 && every == 1 ? p->room / RG_PAIRS_LONG : 0;
    p->capacity = p->room + (more > 0 ? more + 1 : 0);
    p->t_distance = more > 0 ? fabs(length) / (double)more : INFINITY;
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->moved, NULL);
    p->row = rg_resize(ctx, NULL, (size_t)p->capacity + 1, sizeof *p->row); /* not zeroed */
    p->values = rg_resize(ctx, NULL, (size_t)(p->capacity * n_columns) + 1, sizeof *p->values);
    if (p->row != NULL && p->values != NULL) return RG_OK;
    rg_pairs_destroy(out);
    return RG_ERR_MEMORY;
}

void rg_pairs_destroy(rg_pairs **pairs)
{
    rg_pairs *p = *pairs;

    if (p == NULL) return;
    pthread_mutex_destroy(&p->mutex);
    pthread_cond_destroy(&p->moved);
    rg_free(p->ctx, p->row);
    rg_free(p->ctx, p->values);
    rg_free(p->ctx, p);
    *pairs = NULL;
}

/* Chosen times: evenly.  Steps: the distance grows with their number, so that there is room for
 * any number of them; behind a long one there is always a row. */
static int64_t distance(const rg_pairs *p)
{
    if (p->n_times > 0) return (p->n_times + p->room - 1) / p->room;
    return p->every * (1 + p->offered / (p->every * (p->room / RG_PAIRS_PART)));
}

bool rg_pairs_wants(rg_pairs *p, double t)
{
    p->offered++;
    if (p->count == p->capacity) return false;
    if (p->offered < p->due && p->direction * t < p->t_due) return false;
    if (p->due == 0 && p->every > 1 && p->offered < p->every) return false;
    p->due = p->offered + distance(p);
    if (isfinite(p->t_distance)) p->t_due = p->direction * t + p->t_distance;
    return true;
}

void rg_pairs_offer(rg_pairs *p, const rg_pair *row, const double *values, int64_t n_values,
                    const double *more)
{
    double *const to = p->values + p->count * p->n_columns;
    const size_t n_more = (size_t)(p->n_columns - n_values);

    pthread_mutex_lock(&p->mutex);
    p->row[p->count] = *row;
    memcpy(to, values, (size_t)n_values * sizeof *to);
    if (n_more > 0) memcpy(to + n_values, more, n_more * sizeof *to);
    p->count++;
    pthread_mutex_unlock(&p->mutex);
}

void rg_pairs_reach(rg_pairs *p, double t)
{
    pthread_mutex_lock(&p->mutex);
    p->reached = p->direction * t;
    pthread_cond_signal(&p->moved);
    pthread_mutex_unlock(&p->mutex);
}

int64_t rg_pairs_steps(rg_pairs *p)
{
    pthread_mutex_lock(&p->mutex);
    const int64_t steps = p->steps;
    pthread_mutex_unlock(&p->mutex);
    return steps;
}

void rg_pairs_finish(rg_pairs *p, int64_t steps)
{
    pthread_mutex_lock(&p->mutex);
    p->is_done = true;
    p->steps = steps;
    pthread_cond_signal(&p->moved);
    pthread_mutex_unlock(&p->mutex);
}

bool rg_pairs_take(rg_pairs *p, double t1, double t0, rg_pair *row, double *values)
{
    const double sign = p->direction, end = sign * t1;

    pthread_mutex_lock(&p->mutex);
    while (!p->is_done && p->reached < end)
        pthread_cond_wait(&p->moved, &p->mutex);
    const rg_pair *r = p->next < p->count ? &p->row[p->next] : NULL;
    const bool is_there = r != NULL && sign * r->t <= end
                          && !(sign * r->t > sign * t0 && sign * r->t_switch >= sign * r->t);
    if (is_there) {
        *row = p->row[p->next];
        memcpy(values, p->values + p->next * p->n_columns, (size_t)p->n_columns * sizeof *values);
        p->next++;
    }
    pthread_mutex_unlock(&p->mutex);
    return is_there;
}

double rg_pairs_next(rg_pairs *p, double t1)
{
    double t = NAN;

    pthread_mutex_lock(&p->mutex);
    for (int64_t k = p->next; isnan(t); k++) {
        while (!p->is_done && k >= p->count)
            pthread_cond_wait(&p->moved, &p->mutex);
        if (k >= p->count) break;
        if (p->direction * p->row[k].t > p->direction * t1) t = p->row[k].t;
    }
    pthread_mutex_unlock(&p->mutex);
    return t;
}

void rg_pairs_store(rg_pairs *p, rg_store *s)
{
    RG_STORE(s, p->offered);
    RG_STORE(s, p->due);
    RG_STORE(s, p->t_due);
    RG_STORE(s, p->count);
    RG_STORE(s, p->next);
    RG_STORE(s, p->reached);
    RG_STORE(s, p->is_done);
    if (s->status != RG_OK || p->count > p->capacity) return;
    rg_store_bytes(s, p->row, (size_t)p->count * sizeof *p->row);
    rg_store_reals(s, p->values, p->count * p->n_columns);
}
