/* Where coefficients and right-hand side have structure that steps could pass over.
 *
 * Layers of f and of the coefficients need not be near anything that error estimates see: a force
 * that is narrower than the step before it lies between all stages.  So the equations are looked at
 * in many places before the first step, closer and closer towards both ends, where layers are at
 * home.  A cell in which a value at its middle is off the chord is halved, again and again; where
 * that was needed, steps are not longer than a few cells.  Tails of layers matter too, where the
 * tolerance is small: there the order of the steps is not relied on.
 *
 * The look is taken once for a problem, in the units of the first transfer that asks; what it finds
 * holds for all tolerances. */
#include "bvp/transfer/transfer_impl.h"

#include "base/random.h"
#include "bvp/transfer/tuning.h"
#include "views/tuning.h"

#include <math.h>
#include <string.h>

enum { MOST_DEPTH = 40 };

typedef struct {
    rg_transfer *t;
    int n;            /* numbers of a sample */
    double *size;     /* n: largest values */
    double *sign;     /* PROJECTIONS vectors of m signs */
    double *q;        /* samples of the first look */
    double *deep;     /* (MOST_DEPTH + 2) samples */
    int64_t capacity; /* of the cells */
} look;

/* Sums over the rows of A and B with signs by chance, and f; rows are not scaled. */
static rg_status sample(look *w, double at, double *q)
{
    rg_field *e = w->t->worker[0].field;
    const int m = w->t->size;

    w->t->scene->samples++;
    e->t = NAN;
    RG_TRY(e->coefficients(e->user, at, e->A, e->dA, e->B, e->f));
    memset(q, 0, (size_t)w->n * sizeof *q);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            q[i] += w->sign[j] * e->A[j * m + i];
            q[m + i] += w->sign[j] * e->B[j * m + i];
        }
    memcpy(q + 2 * m, e->f, (size_t)m * sizeof *q);
    for (int c = 0; c < w->n; c++)
        if (!isfinite(q[c])) return RG_RETRY;
    return RG_OK;
}

/* How far `middle`, at x of the way from a to b, is off the chord, relative to largest values. */
static double distance(const look *w, const double *a, const double *b, const double *middle,
                       double x)
{
    double most = 0.0;

    for (int c = 0; c < w->n; c++)
        if (w->size[c] > 0.0)
            most = fmax(most, fabs(middle[c] - a[c] - x * (b[c] - a[c])) / w->size[c]);
    return most;
}

static rg_status keep_cell(look *w, double from, double to)
{
    rg_transfer_scene *s = w->t->scene;

    if (s->n_cells == w->capacity) {
        const int64_t more = w->capacity == 0 ? 256 : 2 * w->capacity;
        double *cells = rg_resize(w->t->ctx, s->cells, (size_t)(2 * more), sizeof *cells);
        if (cells == NULL) return RG_ERR_MEMORY;
        s->cells = cells;
        w->capacity = more;
    }
    s->cells[2 * s->n_cells] = from;
    s->cells[2 * s->n_cells++ + 1] = to;
    return RG_OK;
}

/* Halves the cell from a to b with the samples q_a and q_b until chords do, from left to right. */
static rg_status refine(look *w, double a, double b, const double *q_a, const double *q_b)
{
    double end[MOST_DEPTH + 2];
    int depth = 0;
    double *left = w->deep;

    memcpy(left, q_a, (size_t)w->n * sizeof *left);
    memcpy(w->deep + w->n, q_b, (size_t)w->n * sizeof *left);
    end[0] = b;
    while (depth >= 0) { /* end[0 .. depth]: right ends of the cells to come, the nearest last */
        const double *right = w->deep + (depth + 1) * w->n;
        double *middle = w->deep + (depth + 2) * w->n;
        const double half = 0.5 * (a + end[depth]);
        rg_status status = RG_RETRY;
        if (depth + 1 < MOST_DEPTH && w->t->scene->samples < RG_TRANSFER_FEATURE_SAMPLES && half > a
            && half < end[depth])
            status = sample(w, half, middle);
        if (status < 0) return status;
        if (status == RG_OK && distance(w, left, right, middle, 0.5) > RG_TRANSFER_FEATURE) {
            end[++depth] = half;
            continue;
        }
        RG_TRY(keep_cell(w, a, end[depth]));
        a = end[depth--];
        memcpy(left, right, (size_t)w->n * sizeof *left);
    }
    return RG_OK;
}

/* Times of the first look: equal distances, and halves of the first and the last of them. */
static int64_t choose_times(const rg_transfer *t, double *at)
{
    const int halvings = RG_TRANSFER_FEATURE_HALVINGS, cells = RG_TRANSFER_FEATURE_CELLS;
    const double length = t->high - t->low, cell = length / cells;
    int64_t n = 0;

    at[n++] = t->low;
    for (int k = halvings; k > 0; k--)
        at[n++] = t->low + ldexp(cell, -k);
    for (int k = 1; k < cells; k++)
        at[n++] = t->low + k * cell;
    for (int k = 1; k <= halvings; k++)
        at[n++] = t->high - ldexp(cell, -k);
    at[n++] = t->high;
    return n;
}

/* Tails, from left to right, with as much again on both sides: errors are not seen at the flat end
 * of a layer either.  Those that meet become one. */
static void widen_tails(rg_transfer *t)
{
    int64_t n = 0;

    for (int64_t k = 0; k < t->n_tails; k++) {
        const double length = t->tails[2 * k + 1] - t->tails[2 * k];
        double from = fmax(t->tails[2 * k] - length, t->low);
        double to = fmin(t->tails[2 * k + 1] + length, t->high);
        while (n > 0 && t->tails[2 * n - 1] >= from) {
            n--;
            from = fmin(from, t->tails[2 * n]);
            to = fmax(to, t->tails[2 * n + 1]);
        }
        t->tails[2 * n] = from;
        t->tails[2 * n++ + 1] = to;
    }
    t->n_tails = n;
}

static void add_tail(rg_transfer *t, double from, double to)
{
    if (t->n_tails == 0 || t->tails[2 * t->n_tails - 1] < from) t->tails[2 * t->n_tails++] = from;
    t->tails[2 * t->n_tails - 1] = to;
}

static rg_status look_around(look *w)
{
    rg_transfer_scene *s = w->t->scene;
    const int64_t n = choose_times(w->t, s->times);
    const int m = w->t->size;
    double before = 0.0;

    for (int64_t k = 0; k < n; k++) {
        double *q = w->q + k * w->n;
        const rg_status status = sample(w, s->times[k], q);
        if (status < 0) return status;
        if (status != RG_OK) return RG_RETRY; /* a pole: sweeps will find it */
        for (int c = 0; c < w->n; c++)
            w->size[c] = fmax(w->size[c], fabs(q[c]));
    }
    for (int i = 0; i < m; i++) { /* rounding of what is 0 has no structure */
        const double row = w->size[i] / (w->t->high - w->t->low);
        const double most = fmax(row, fmax(w->size[m + i], w->size[2 * m + i]));
        for (int c = i; c < w->n; c += m)
            w->size[c] = fmax(w->size[c], RG_TRANSFER_NO_SIZE * most);
    }
    for (int64_t k = 1; k < n; k++) {
        const double *q = w->q + k * w->n, *t = s->times + k;
        const double now =
            k + 1 < n ? distance(w, q - w->n, q + w->n, q, (t[0] - t[-1]) / (t[1] - t[-1])) : 0.0;
        s->off[k] = fmax(before, now);
        if (s->off[k] > RG_TRANSFER_FEATURE) RG_TRY(refine(w, t[-1], t[0], q - w->n, q));
        before = now;
    }
    s->n_times = n;
    return RG_OK;
}

static rg_status look_once(rg_transfer *t)
{
    const size_t most = RG_TRANSFER_FEATURE_CELLS + 2 * RG_TRANSFER_FEATURE_HALVINGS + 1;
    rg_transfer_scene *s = t->scene;
    look w = {.t = t, .n = 3 * t->size};
    const size_t n = (size_t)w.n, m = (size_t)t->size;

    s->is_looked = true;
    s->times = rg_alloc(t->ctx, 2 * most, sizeof *s->times);
    w.q = rg_alloc(t->ctx, most * n + n * (MOST_DEPTH + 3) + m, sizeof *w.q);
    if (s->times == NULL || w.q == NULL) {
        rg_free(t->ctx, w.q);
        return RG_ERR_MEMORY;
    }
    s->off = s->times + most;
    w.deep = w.q + most * n;
    w.size = w.deep + n * (MOST_DEPTH + 2);
    w.sign = w.size + n;
    memset(w.size, 0, n * sizeof *w.size);
    for (size_t k = 0; k < m; k++)
        w.sign[k] = rg_random_sign(1, (uint64_t)k);
    const rg_status status = look_around(&w);
    rg_free(t->ctx, w.q);
    return status < 0 ? status : RG_OK;
}

rg_status rg_transfer_find_features(rg_transfer *t)
{
    const double tail = fmin(RG_TRANSFER_FEATURE, sqrt(t->options.rtol));
    const rg_transfer_scene *s = t->scene;

    if (!rg_transfer_is_judged(t) || t->linearity.has_kinks) return RG_OK;
    if (!s->is_looked) RG_TRY(look_once(t));
    if ((t->tails = rg_alloc(t->ctx, 2 * (size_t)s->n_times + 1, sizeof *t->tails)) == NULL)
        return RG_ERR_MEMORY;
    for (int64_t k = 1; k < s->n_times; k++)
        if (s->off[k] > tail) add_tail(t, s->times[k - 1], s->times[k]);
    widen_tails(t);
    return RG_OK;
}
