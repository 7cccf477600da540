/* Flanks and pulses of one function of time, from its values; see pulses.c. */
#include "views/pulses_impl.h"

#include <math.h>

typedef struct {
    int from, to; /* cells */
    int length;   /* of the flank */
} flank;

/* The end of the tail of a flank from cell k on, in the direction `step`. */
static int tail_end(const double *f, int cells, double flat, int k, int step, int length)
{
    for (int i = 0; i <= RG_PULSE_LONG_TAIL * length; i++, k += step) {
        if (k < 0 || k >= cells) return k;
        if (i > RG_PULSE_TAIL * length && fabs(f[k + 1] - f[k]) <= flat) return k;
    }
    return k;
}

static double change(const double *f, int cell)
{
    return fabs(f[cell + 1] - f[cell]);
}

/* Flanks of f, widened; how many, at most `most`. */
static int find_flanks(const double *f, int cells, double range, flank *flanks, int most)
{
    const double steep = RG_PULSE_STEEP * range / cells, flat = RG_SAME * range;
    int n = 0;

    for (int k = 0; k < cells && n < most; k++) {
        double steepest = change(f, k);
        int from = k, end = k + 1;
        if (!(steepest > steep)) continue;
        for (; end < cells && change(f, end) > steep; end++)
            steepest = fmax(steepest, change(f, end));
        const double least = RG_PULSE_STEEPEST * steepest;
        while (from > 0 && change(f, from - 1) > least)
            from--;
        while (end < cells && change(f, end) > least)
            end++;
        const int length = end - from;
        flanks[n++] = (flank){tail_end(f, cells, flat, from - 1, -1, length) + 1,
                              tail_end(f, cells, flat, end, 1, length), length};
        k = end;
    }
    return n;
}

/* Flanks that meet become one. */
static int join(flank *flanks, int n)
{
    int kept = 0;

    for (int k = 0; k < n; k++) {
        flank now = flanks[k];
        while (kept > 0 && flanks[kept - 1].to >= now.from) {
            const flank *last = &flanks[--kept];
            if (last->from < now.from) now.from = last->from;
            if (last->to > now.to) now.to = last->to;
            if (last->length < now.length) now.length = last->length;
        }
        flanks[kept++] = now;
    }
    return kept;
}

/* Does f hardly vary outside, in most of the interval? */
static bool is_pulse(const double *f, int cells, const flank *flanks, int n)
{
    double all = 0.0, inside = 0.0;
    int covered = 0;

    for (int k = 0; k < cells; k++)
        all += fabs(f[k + 1] - f[k]);
    for (int i = 0; i < n; i++) {
        covered += flanks[i].to - flanks[i].from;
        for (int k = flanks[i].from; k < flanks[i].to; k++)
            inside += fabs(f[k + 1] - f[k]);
    }
    return all - inside < RG_PULSE_REST * all && covered < RG_PULSE_MOST * cells;
}

/* The length of the flanks in values that are close together. */
static double width_of(const double *f, double cell)
{
    double most = 0.0;
    int steep = 0;

    for (int k = 0; k < RG_PULSE_FINE; k++)
        most = fmax(most, change(f, k));
    for (int k = 0; k < RG_PULSE_FINE; k++)
        steep += change(f, k) > RG_PULSE_STEEPEST * most;
    return cell * (steep > 0 ? steep : 1);
}

static rg_status add_pulse(rg_pulse_finder *w, double from, double to, double width)
{
    RG_TRY(rg_grow(w->ctx, &w->list, w->n, &w->capacity, sizeof *w->list));
    w->list[w->n++] = (rg_pulse){from, to, width};
    return RG_OK;
}

/* One of a few cells is looked at closely: its flanks may be a small part of it. */
static rg_status add_narrow(rg_pulse_finder *w, rg_pulse_sampler *s, int i, const rg_pulse *p)
{
    const double *f = s->fine + (size_t)i * (RG_PULSE_CELLS + 1);
    const double cell = (p->to - p->from) / RG_PULSE_FINE;
    flank flanks[RG_PULSE_FINE];
    double low = INFINITY, high = -INFINITY;

    rg_pulse_sample(s, p->from, p->to, RG_PULSE_FINE, s->fine);
    for (int k = 0; k <= RG_PULSE_FINE; k++) {
        low = fmin(low, f[k]);
        high = fmax(high, f[k]);
    }
    const double width = fmin(p->width, width_of(f, cell));
    int n = find_flanks(f, RG_PULSE_FINE, high - low, flanks, RG_PULSE_FINE);
    n = join(flanks, n);
    if (!is_pulse(f, RG_PULSE_FINE, flanks, n)) return add_pulse(w, p->from, p->to, width);
    for (int k = 0; k < n; k++)
        RG_TRY(add_pulse(w, p->from + cell * flanks[k].from, p->from + cell * flanks[k].to, width));
    return RG_OK;
}

static rg_status add_pulses(rg_pulse_finder *w, rg_pulse_sampler *s, int i, const flank *flanks,
                            int n)
{
    const double cell = (w->b - w->a) / w->cells;

    for (int k = 0; k < n; k++) {
        if (s->has_kinks[i / s->n_iterations] && flanks[k].length <= 2) continue;
        const rg_pulse p = {w->a + cell * flanks[k].from, w->a + cell * flanks[k].to,
                            cell * flanks[k].length};
        RG_TRY(flanks[k].length <= RG_PULSE_NARROW ? add_narrow(w, s, i, &p)
                                                   : add_pulse(w, p.from, p.to, p.width));
    }
    return RG_OK;
}

/* Maxima and minima, where they are that many that the cells tell them. */
static rg_status add_turns(rg_pulse_finder *w, const double *f, double range)
{
    const double cell = (w->b - w->a) / w->cells, least = RG_SAME * range;
    int64_t before = w->n;
    int last = 0;

    for (int k = 0; k < w->cells && w->n - before < w->cells / RG_PULSE_TURN; k++) {
        const double d = f[k + 1] - f[k];
        const int now = fabs(d) <= least ? 0 : d > 0.0 ? 1 : -1;
        if (now != 0 && last != 0 && now != last) {
            RG_TRY(rg_grow(w->ctx, &w->list, w->n, &w->capacity, sizeof *w->list));
            w->list[w->n++] = (rg_pulse){w->a + cell * k, w->a + cell * k, cell};
        }
        if (now != 0) last = now;
    }
    if (w->n - before >= w->cells / RG_PULSE_TURN) w->n = before; /* not resolved */
    return RG_OK;
}

rg_status rg_pulse_look_at(rg_pulse_finder *w, rg_pulse_sampler *s, int i)
{
    const double *f = s->f + (size_t)i * (RG_PULSE_CELLS + 1);
    double low = f[0], high = f[0];

    for (int k = 1; k <= w->cells; k++) {
        low = f[k] < low ? f[k] : low;
        high = f[k] > high ? f[k] : high;
    }
    if (!w->is_window || high - low > s->range[i]) s->range[i] = high - low;
    const double range = s->range[i];
    if (high - low < RG_PULSE_QUIET * range) return RG_OK;
    if (!(range > RG_ROUNDING_PART * fmax(fabs(low), fabs(high)))) return RG_OK;
    if (s->is_inside[i / s->n_iterations] && !w->is_window) RG_TRY(add_turns(w, f, range));
    const int most = w->cells / 2;
    flank *flanks = rg_alloc(w->ctx, (size_t)most, sizeof *flanks);
    if (flanks == NULL) return RG_ERR_MEMORY;
    int n = find_flanks(f, w->cells, range, flanks, most);
    n = join(flanks, n);
    const rg_status status =
        is_pulse(f, w->cells, flanks, n) ? add_pulses(w, s, i, flanks, n) : RG_OK;
    rg_free(w->ctx, flanks);
    return status;
}
