/* Finds the times at which functions of time change their branch; see timed.h.
 *
 * All functions are looked at in N + 1 samples, one in each of N equal cells at a place that looks
 * like chance, so that no period fits the samples: what is faster than they are turns up and down
 * from one to the next.  A function with more than RG_TIMED_TURNS N turns is not resolved, and N
 * grows.  What is nothing but rounding errors turns as well, however closely it is looked at: that
 * is no reason.
 *
 * Between two samples on different branches the change is found by halving (crossings.h), then the
 * next one behind it.  Between two on the same branch the function may have been beyond its zero:
 * where three samples in a row show it nearest to zero, by golden section.
 *
 * The nodes of a table in time itself are known. */
#include "views/timed.h"

#include "base/random.h"
#include "expr/table.h"
#include "views/crossings.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double GOLDEN = 0.6180339887498949; /* (sqrt(5) - 1)/2 */

typedef struct {             /* one function from sample to sample */
    double known, before, v; /* its branch; the last two values */
    int direction;           /* of its last change, ... */
    double extreme, largest; /* ... where that began to turn; of all values */
    int64_t turns;
    bool is_noise;
} follower;

typedef struct {
    const rg_timed *w;
    double *values, *sample; /* of all functions: anywhere, at the sample */
    follower *followers;
    double **times; /* NULL: turns are counted, nothing else */
    int64_t *n, *size, n_before;
} search;

/* ---- one function ---------------------------------------------------------------------------- */

static double value_at(search *s, int64_t k, double t)
{
    if (s->w->values(s->w->user, t, s->values) != RG_OK) return NAN;
    return s->values[s->w->list[k].function];
}

static double mode_of(const search *s, int64_t k, double v)
{
    return isnan(v) || s->times == NULL ? NAN : s->w->mode(s->w->user, s->w->list[k].function, v);
}

static double mode_at(search *s, int64_t k, double t)
{
    return mode_of(s, k, value_at(s, k, t));
}

static rg_status add(search *s, double t)
{
    RG_TRY(rg_grow(s->w->ctx, s->times, *s->n, s->size, sizeof **s->times));
    (*s->times)[(*s->n)++] = t;
    return RG_OK;
}

typedef struct { /* a branch that ends */
    search *s;
    int64_t k;
    double known;
} branch;

static rg_status has_ended(void *user, double t, bool *is_before)
{
    const branch *b = user;

    *is_before = mode_at(b->s, b->k, t) != b->known; /* its edge belongs to what follows */
    return RG_OK;
}

/* The change of mode from `known` at *left to another one at `right`; *left becomes its time. */
static rg_status add_change(search *s, int64_t k, double *left, double right, double known)
{
    RG_TRY(rg_crossing_narrow(has_ended, &(branch){s, k, known}, left, &right));
    *left = right;
    return add(s, right);
}

/* All changes between two samples: whole numbers are passed one after the other, and an edge that
 * is met exactly may be followed by either side. */
static rg_status add_changes(search *s, int64_t k, double left, double right, double known)
{
    const double mode = mode_at(s, k, right);
    const bool is_whole = s->w->list[k].is_whole;

    for (int i = 0; known != mode && !isnan(known); i++) {
        RG_TRY(add_change(s, k, &left, right, known));
        if (left == right || (!is_whole && i == RG_CROSSINGS_BETWEEN)) return RG_OK;
        known = mode_at(s, k, left);
    }
    return RG_OK;
}

/* Where the function is nearest to zero between two times; where it has crossed, at once. */
static double nearest(search *s, int64_t k, double left, double right, double sign)
{
    double a = right - GOLDEN * (right - left), b = left + GOLDEN * (right - left);
    double at_a = sign * value_at(s, k, a), at_b = sign * value_at(s, k, b);

    for (int i = 0; i < RG_TIMED_SECTIONS; i++) {
        if (at_a < 0.0) return a;
        if (at_b < 0.0) return b;
        if (at_a < at_b) {
            right = b;
            b = a;
            at_b = at_a;
            a = right - GOLDEN * (right - left);
            at_a = sign * value_at(s, k, a);
        } else {
            left = a;
            a = b;
            at_a = at_b;
            b = left + GOLDEN * (right - left);
            at_b = sign * value_at(s, k, b);
        }
    }
    return at_a < at_b ? a : b;
}

/* Between `left` and `right`, with v between `before` and `next`: did the function cross zero and
 * come back? */
static rg_status look_closer(search *s, int64_t k, double left, double right, double next)
{
    const double v = s->followers[k].v, before = s->followers[k].before;
    const double sign = v > 0.0 ? 1.0 : -1.0;
    const bool is_low = sign * v <= sign * before && sign * v <= sign * next
                        && (v != before || v != next) && sign * next > 0.0 && sign * before > 0.0;

    if (s->w->list[k].is_whole || !is_low) return RG_OK;
    const double at = nearest(s, k, left, right, sign);
    if (!(sign * value_at(s, k, at) < 0.0)) return RG_OK;
    RG_TRY(add_changes(s, k, left, at, mode_at(s, k, left)));
    return add_changes(s, k, at, right, mode_at(s, k, at));
}

/* Changes below rounding are none. */
static void count_turn(follower *f, double next)
{
    if (isnan(f->extreme)) f->extreme = next;
    f->largest = fmax(f->largest, fabs(next));
    const double change = next - f->extreme;
    const int direction = change > 0.0 ? 1 : -1;
    if (isnan(next)
        || (direction != f->direction && fabs(change) <= RG_TIMED_ROUNDING * f->largest))
        return;
    if (direction * f->direction < 0) f->turns++;
    f->direction = direction;
    f->extreme = next;
}

/* From the sample at `left`, and the one before at `earlier`, to the next. */
static rg_status go_on(search *s, int64_t k, double earlier, double left, double right, double next)
{
    follower *f = &s->followers[k];

    count_turn(f, next);
    if (s->times == NULL) {
        f->v = next;
        return RG_OK;
    }
    const double mode = mode_of(s, k, next);
    if (isnan(f->known)) f->known = mode;
    if (mode != f->known && !isnan(mode)) {
        RG_TRY(add_changes(s, k, left, right, f->known));
        f->known = mode;
    } else {
        RG_TRY(look_closer(s, k, earlier, right, next));
    }
    f->before = f->v;
    f->v = next;
    return RG_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Does it turn in the smallest parts, too?  Then it is no function that could be resolved. */
static bool is_noise(search *s, int64_t k)
{
    const rg_timed *w = s->w;
    const double h = RG_TIMED_FINE * DBL_EPSILON * fmax(fabs(w->a), fabs(w->b));
    const double step = copysign(h, w->b - w->a);
    int smooth = 0;

    for (int i = 0; i < RG_TIMED_PLACES; i++) {
        follower f = {.extreme = NAN};
        const double t = w->a + (w->b - w->a) * (0.1 + 0.8 * i / RG_TIMED_PLACES);
        for (int l = 0; l < RG_TIMED_VALUES; l++)
            count_turn(&f, value_at(s, k, t + step * l));
        smooth += f.turns <= 1;
    }
    return smooth < RG_TIMED_PLACES / 2;
}

static void begin(search *s)
{
    const rg_timed *w = s->w;
    const bool is_defined = w->values(w->user, w->a, s->sample) == RG_OK;

    for (int64_t k = 0; k < w->n; k++) {
        const double v = is_defined ? s->sample[w->list[k].function] : NAN;
        const bool noise = s->followers[k].is_noise;
        s->followers[k] = (follower){
            .known = mode_of(s, k, v), .before = NAN, .v = v, .extreme = v, .is_noise = noise};
    }
}

/* The sample of cell i: the first and the last one are the ends. */
static double sample_at(const rg_timed *w, int64_t i, int64_t cells)
{
    const double chance = fabs(rg_random((uint64_t)cells, (uint64_t)i)); /* 0 .. 1 */

    if (i == cells) return w->b;
    return w->a + (w->b - w->a) * ((double)i - RG_TIMED_JITTER * chance) / (double)cells;
}

/* RG_RETRY: function *worst is not resolved by so many cells. */
static rg_status pass(search *s, int64_t cells, int64_t *worst)
{
    const rg_timed *w = s->w;
    const double most = RG_TIMED_TURNS * (double)cells;
    double earlier = w->a, left = w->a;

    if (s->n != NULL) *s->n = s->n_before;
    begin(s);
    for (int64_t i = 1; i <= cells; i++) {
        const double right = sample_at(w, i, cells);
        const bool is_defined = w->values(w->user, right, s->sample) == RG_OK;
        for (int64_t k = 0; k < w->n; k++) {
            if (w->list[k].clock != NULL) continue;
            const double next = is_defined ? s->sample[w->list[k].function] : NAN;
            RG_TRY(go_on(s, k, earlier, left, right, next));
            if ((double)s->followers[k].turns <= most || s->followers[k].is_noise) continue;
            *worst = k;
            return RG_RETRY;
        }
        earlier = left;
        left = right;
    }
    return RG_OK;
}

static rg_status run(search *s, int64_t least, int64_t *fastest)
{
    const double work = RG_TIMED_WORK / (double)(s->w->n_values + 1);
    const double most = fmax(work, RG_TIMED_ANYWAY); /* a run has some steps per turn, too */
    int64_t cells = (int64_t)fmin((double)least, fmax(work, RG_TIMED_LEAST));
    rg_status status;

    while ((status = pass(s, cells, fastest)) == (rg_status)RG_RETRY) {
        if (is_noise(s, *fastest))
            s->followers[*fastest].is_noise = true;
        else if ((double)cells >= most)
            break;
        else
            cells = (int64_t)fmin(4.0 * (double)cells, ceil(most));
    }
    return status;
}

/* All nodes of a table between the ends, in every period of one that repeats. */
static rg_status add_nodes(search *s, const rg_table_data *d)
{
    const double low = fmin(s->w->a, s->w->b), high = fmax(s->w->a, s->w->b);
    double turn = d->period > 0.0 ? floor((low - d->low) / d->period) * d->period : 0.0;

    for (; turn + d->low <= high; turn += d->period) {
        for (int k = d->period > 0.0 ? 1 : 0; k < d->n; k++) {
            const double t = turn + d->x[k];
            if (t > high) return RG_OK;
            if (t >= low) RG_TRY(add(s, t));
        }
        if (!(d->period > 0.0) || turn + d->period == turn) return RG_OK;
    }
    return RG_OK;
}

static rg_status add_known(search *s, int64_t *n_open)
{
    *n_open = s->w->n;
    for (int64_t k = 0; k < s->w->n; k++) {
        if (s->w->list[k].clock == NULL) continue;
        (*n_open)--;
        RG_TRY(add_nodes(s, &s->w->list[k].clock->data));
    }
    s->n_before = *s->n;
    return RG_OK;
}

static rg_status take_memory(search *s)
{
    s->values = rg_alloc(s->w->ctx, 2 * (size_t)s->w->n_values + 1, sizeof *s->values);
    s->followers = rg_alloc(s->w->ctx, (size_t)s->w->n + 1, sizeof *s->followers);
    if (s->values == NULL || s->followers == NULL) return RG_ERR_MEMORY;
    s->sample = s->values + s->w->n_values;
    return RG_OK;
}

static void clear(search *s)
{
    rg_free(s->w->ctx, s->values);
    rg_free(s->w->ctx, s->followers);
}

rg_status rg_timed_find(const rg_timed *w, double **times, int64_t *n, int64_t *size,
                        int64_t *fastest)
{
    search s = {.w = w, .times = times, .n = n, .size = size};
    rg_status status = take_memory(&s);
    int64_t n_open = 0;

    if (status == RG_OK) status = add_known(&s, &n_open);
    if (status == RG_OK && n_open > 0 && w->a != w->b) status = run(&s, RG_TIMED_SAMPLES, fastest);
    clear(&s);
    return status;
}

rg_status rg_timed_turns(const rg_timed *w, int64_t least_samples, int64_t *turns)
{
    search s = {.w = w};
    int64_t fastest;
    rg_status status = take_memory(&s);

    *turns = 0;
    if (status == RG_OK && w->n > 0 && w->a != w->b) status = run(&s, least_samples, &fastest);
    for (int64_t k = 0; k < w->n && status == RG_OK; k++)
        if (!s.followers[k].is_noise && s.followers[k].turns > *turns)
            *turns = s.followers[k].turns;
    if (status > 0) *turns = -1;
    clear(&s);
    return status < 0 ? status : RG_OK;
}

static int by_time(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static int backwards(const void *a, const void *b)
{
    return by_time(b, a);
}

void rg_timed_sort(double *times, int64_t *n, bool is_backwards, double least)
{
    int64_t kept = 0;

    if (*n == 0) return;
    qsort(times, (size_t)*n, sizeof *times, is_backwards ? backwards : by_time);
    for (int64_t k = 0; k < *n; k++)
        if (kept == 0 || fabs(times[k] - times[kept - 1]) > least) times[kept++] = times[k];
    *n = kept;
}
