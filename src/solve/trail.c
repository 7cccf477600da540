/* Points of a run: see trail.h. */
#include "solve/trail.h"

#include "solve/tuning.h"

#include <string.h>

rg_status rg_trail_init(rg_context *ctx, int64_t n, rg_trail *out)
{
    const size_t points = RG_TRAIL_POINTS, size = (size_t)n;

    *out = (rg_trail){.every = 1};
    if (n == 0 || n > RG_TRAIL_STATES) return RG_OK;
    out->t = rg_alloc(ctx, points + 2 * size * (points + 1), sizeof *out->t);
    out->begins = rg_alloc(ctx, points + size, sizeof *out->begins);
    if (out->t == NULL || out->begins == NULL) return RG_ERR_MEMORY;
    out->n = n;
    out->y = out->t + points;
    out->before = out->y + 2 * size * points;
    out->was_low = out->begins + points;
    return RG_OK;
}

void rg_trail_clear(rg_context *ctx, rg_trail *x)
{
    rg_free(ctx, x->t);
    rg_free(ctx, x->begins);
    *x = (rg_trail){0};
}

void rg_trail_forget(rg_trail *x)
{
    x->count = x->left_out = 0;
    x->every = 1;
    x->is_low = x->has_before = x->is_kept = false;
    if (x->n > 0) memset(x->was_low, 0, (size_t)x->n);
}

void rg_trail_store(rg_trail *x, rg_store *s)
{
    if (x->n == 0) return;
    RG_STORE(s, x->count);
    RG_STORE(s, x->every);
    RG_STORE(s, x->left_out);
    RG_STORE(s, x->is_low);
    RG_STORE(s, x->has_before);
    RG_STORE(s, x->is_kept);
    RG_STORE(s, x->t_before);
    rg_store_reals(s, x->t, RG_TRAIL_POINTS + 2 * x->n * (RG_TRAIL_POINTS + 1));
    for (int64_t k = 0; k < RG_TRAIL_POINTS + x->n; k++)
        RG_STORE(s, x->begins[k]);
}

static double *point(const rg_trail *x, int64_t k)
{
    return x->y + 2 * x->n * k;
}

/* The first beginning in the second half.  What was missed before counts less: what has come to
 * values that count since then was followed. */
static int64_t find_recent(const rg_trail *x)
{
    int64_t k = x->count / 2;

    while (k < x->count && !x->begins[k])
        k++;
    return k;
}

/* Every second one goes, but for beginnings; where those are too many, the older half. */
static void thin(rg_trail *x)
{
    const size_t bytes = 2 * (size_t)x->n * sizeof *x->y;
    int64_t begun = 0, count = 0;

    for (int64_t k = 0; k < x->count; k++)
        begun += x->begins[k];
    const bool is_many = RG_TRAIL_DIP * begun > x->count;
    for (int64_t k = is_many ? find_recent(x) : 0; k < x->count; k++) {
        if (!is_many && k % 2 == 1 && !x->begins[k]) continue;
        x->t[count] = x->t[k];
        x->begins[count] = x->begins[k];
        if (count < k) memcpy(point(x, count), point(x, k), bytes);
        count++;
    }
    x->count = count;
    if (!is_many && x->every <= INT64_MAX / 2) x->every *= 2;
}

static void keep(rg_trail *x, bool begins)
{
    if (x->count == RG_TRAIL_POINTS) thin(x);
    x->t[x->count] = x->t_before;
    x->begins[x->count] = begins;
    memcpy(point(x, x->count++), x->before, 2 * (size_t)x->n * sizeof *x->y);
    x->left_out = 0;
    x->is_kept = true;
}

void rg_trail_end(rg_trail *x)
{
    if (x->is_low && !x->is_kept) keep(x, false);
    x->is_low = x->has_before = false;
}

void rg_trail_take(rg_trail *x, double t, const double *y, const double *yp, bool is_low,
                   bool rises)
{
    const size_t bytes = (size_t)x->n * sizeof *y;
    const bool begins = (is_low || rises) && !x->is_low;
    const bool ends = x->is_low && (!is_low || rises);

    if (x->n == 0) return;
    if ((begins || ends) && x->has_before && !x->is_kept) keep(x, begins);
    const bool has_before = x->has_before;
    x->t_before = t;
    memcpy(x->before, y, bytes);
    memcpy(x->before + x->n, yp, bytes);
    x->has_before = true;
    x->is_kept = false;
    x->is_low = is_low;
    if (begins || rises || (is_low && ++x->left_out >= x->every)) keep(x, !has_before);
}
