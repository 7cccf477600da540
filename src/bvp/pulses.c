/* Cuts meshes where functions of time have pulses; see pulses.h. */
#include "bvp/pulses.h"

#include "bvp/tuning.h"

#include <math.h>

rg_status rg_bvp_pulses_find(const rg_problem *p, double a, double b, rg_bvp_pulses *out)
{
    RG_TRY(rg_pulses_find(p, a, b, &out->list, &out->n));
    for (int64_t k = 0; k < out->n; k++)
        rg_log(p->ctx, 2, "pulse of a function of time: %g .. %g", out->list[k].from,
               out->list[k].to);
    return RG_OK;
}

void rg_bvp_pulses_clear(rg_context *ctx, rg_bvp_pulses *pulses)
{
    rg_free(ctx, pulses->list);
    *pulses = (rg_bvp_pulses){.n = 0};
}

double rg_bvp_pulses_intervals(const rg_bvp_pulses *pulses, double widths)
{
    double sum = 0.0;

    for (int64_t k = 0; k < pulses->n; k++)
        sum += (pulses->list[k].to - pulses->list[k].from) / (widths * pulses->list[k].width);
    return sum;
}

typedef struct {
    rg_context *ctx;
    double *t;
    int64_t n, capacity;
} points;

static rg_status add(points *out, double t)
{
    if (out->n > 0 && !(t > out->t[out->n - 1])) return RG_OK;
    RG_TRY(rg_grow(out->ctx, &out->t, out->n, &out->capacity, sizeof *out->t));
    out->t[out->n++] = t;
    return RG_OK;
}

/* The points of a pulse between the last one and `end`, which is not among them.  The middle is one
 * of them: what is symmetric about the middle of an interval may be hidden there. */
static rg_status add_pulse(points *out, const rg_pulse *pulse, double widths, double end)
{
    const double start = out->t[out->n - 1], h = widths * pulse->width;
    const double near = RG_BVP_PULSE_NEAR * h;
    double from = fmax(start, pulse->from), to = fmin(end, pulse->to);

    if (end - start <= h) return RG_OK;
    if (from - start < near) from = start;
    if (end - to < near) to = end;
    if (to - from < near) return RG_OK; /* a pulse that ends with the interval before, rounded */
    const double parts = 2.0 * ceil(0.5 * ((to - from) / h - RG_BVP_PULSE_NEAR));
    if (from > start) RG_TRY(add(out, from));
    for (double k = 1.0; k < parts; k++)
        RG_TRY(add(out, from + (to - from) * k / parts));
    return to < end ? add(out, to) : RG_OK;
}

static void reverse(int64_t N, double *t)
{
    for (int64_t i = 0; i < N - i; i++) {
        const double keep = t[i];
        t[i] = t[N - i];
        t[N - i] = keep;
    }
}

rg_status rg_bvp_pulses_cut(rg_context *ctx, const rg_bvp_pulses *pulses, double widths, int64_t *N,
                            double **t)
{
    const bool is_backwards = (*t)[*N] < (*t)[0];
    points out = {.ctx = ctx};
    int64_t first = 0;

    if (pulses->n == 0) return RG_OK;
    if (is_backwards) reverse(*N, *t);
    rg_status status = add(&out, (*t)[0]);
    for (int64_t i = 0; i < *N && status == RG_OK; i++) {
        const double end = (*t)[i + 1];
        while (first < pulses->n && pulses->list[first].to <= (*t)[i])
            first++;
        for (int64_t k = first; k < pulses->n && pulses->list[k].from < end && status == RG_OK; k++)
            status = add_pulse(&out, &pulses->list[k], widths, end);
        if (status == RG_OK) status = add(&out, end);
    }
    if (status != RG_OK) {
        rg_free(ctx, out.t);
        return status;
    }
    rg_free(ctx, *t);
    *t = out.t;
    *N = out.n - 1;
    if (is_backwards) reverse(*N, *t);
    return RG_OK;
}

/* The first one that is not passed at t in this direction; -1 or n: there is none. */
static int64_t next_pulse(const rg_bvp_pulses *pulses, double t, bool is_up)
{
    int64_t low = 0, high = pulses->n;

    while (low < high) {
        const int64_t middle = (low + high) / 2;
        const rg_pulse *p = &pulses->list[middle];
        if (is_up ? p->to > t : p->from >= t)
            high = middle;
        else
            low = middle + 1;
    }
    return is_up ? low : low - 1;
}

static double away(const rg_pulse *p, double t, bool is_up)
{
    return is_up ? p->from - t : t - p->to;
}

double rg_bvp_pulses_step(const rg_bvp_pulses *pulses, double widths, double t, double direction)
{
    const bool is_up = direction > 0.0;
    double most = INFINITY;

    for (int64_t k = next_pulse(pulses, t, is_up); k >= 0 && k < pulses->n; k += is_up ? 1 : -1) {
        const rg_pulse *p = &pulses->list[k];
        if (away(p, t, is_up) >= most) break;
        most = fmin(most, fmax(away(p, t, is_up), widths * p->width));
    }
    return most;
}

double rg_bvp_pulses_share(const rg_bvp_pulses *pulses, double t, double direction, double length)
{
    const bool is_up = direction > 0.0;
    const int64_t k = next_pulse(pulses, t, is_up);

    if (pulses->n == 0) return length;
    if (k < 0 || k >= pulses->n || away(&pulses->list[k], t, is_up) > 0.0) return 2.0 * length;
    return 2.0 * fmin(length, (double)pulses->n * (pulses->list[k].to - pulses->list[k].from));
}

rg_status rg_bvp_pulses_fold(rg_context *ctx, const rg_bvp_pulses *all, double low, double high,
                             rg_bvp_pulses *out)
{
    const double middle = 0.5 * (low + high);

    *out = (rg_bvp_pulses){.n = 0};
    if (all->n == 0) return RG_OK;
    out->list = rg_alloc(ctx, 2 * (size_t)all->n, sizeof *out->list);
    if (out->list == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < all->n; k++) {
        const rg_pulse p = all->list[k];
        if (p.from < middle) out->list[out->n++] = (rg_pulse){p.from, fmin(p.to, middle), p.width};
        if (p.to > middle)
            out->list[out->n++] =
                (rg_pulse){low + high - p.to, low + high - fmax(p.from, middle), p.width};
    }
    return rg_pulses_merge(ctx, &out->list, &out->n);
}
