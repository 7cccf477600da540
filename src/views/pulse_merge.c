/* Pulses that meet, or lie within each other, as a list in which none do. */
#include "views/pulses.h"
#include "views/tuning.h"

#include <math.h>
#include <stdlib.h>

static int by_start(const void *a, const void *b)
{
    const rg_pulse *x = a, *y = b;

    return x->from < y->from ? -1 : x->from > y->from;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* From one end of a pulse to the next: `width` is that of the narrowest pulse there, 0: none.
 * is_parted: by a turn, which has no width. */
static void add_piece(rg_pulse *out, int64_t *n, double from, double to, double width,
                      bool *is_parted)
{
    rg_pulse *last = *n > 0 ? &out[*n - 1] : NULL;
    const bool meets = last != NULL && last->to == from;

    if (!(width > 0.0) || (meets && from == to)) return;
    const bool is_like =
        meets && last->width <= RG_PULSE_NESTED * width && width <= RG_PULSE_NESTED * last->width;
    if (is_like && !*is_parted) {
        last->to = to;
        last->width = fmin(last->width, width);
        return;
    }
    if (from < to) *is_parted = false;
    out[(*n)++] = (rg_pulse){from, to, width};
}

/* The width of the narrowest pulse that has begun, up to the next end; those that have ended are
 * taken out. */
static double narrowest(rg_pulse *open, int64_t *n_open, double to)
{
    double width = INFINITY;
    int64_t kept = 0;

    for (int64_t i = 0; i < *n_open; i++) {
        if (open[i].to < to) continue;
        width = fmin(width, open[i].width);
        open[kept++] = open[i];
    }
    *n_open = kept;
    return kept > 0 ? width : 0.0;
}

rg_status rg_pulses_merge(rg_context *ctx, rg_pulse **list, int64_t *count)
{
    const size_t n = (size_t)*count;
    rg_pulse *const in = *list;
    int64_t next = 0, n_open = 0, n_out = 0;
    bool is_parted = false;

    if (n < 2) return RG_OK;
    double *end = rg_alloc(ctx, 2 * n, sizeof *end);
    rg_pulse *out = rg_alloc(ctx, 3 * n, sizeof *out), *open = out + 2 * n;
    if (end == NULL || out == NULL) {
        rg_free(ctx, end);
        rg_free(ctx, out);
        return RG_ERR_MEMORY;
    }
    qsort(in, n, sizeof *in, by_start);
    for (size_t k = 0; k < n; k++) {
        end[2 * k] = in[k].from;
        end[2 * k + 1] = in[k].to;
    }
    qsort(end, 2 * n, sizeof *end, by_value);
    for (size_t k = 0; k + 1 < 2 * n; k++) {
        for (; next < *count && in[next].from <= end[k]; next++) {
            is_parted |= in[next].from == in[next].to;
            open[n_open++] = in[next];
        }
        add_piece(out, &n_out, end[k], end[k + 1], narrowest(open, &n_open, end[k + 1]),
                  &is_parted);
    }
    rg_free(ctx, in);
    rg_free(ctx, end);
    *list = out;
    *count = n_out;
    return RG_OK;
}
