/* Looks for pulses on a few thousand equal cells of the interval.  With f_k at their ends,
 * R = max f - min f, V = sum |f_k - f_k-1| and N cells,
 *
 *     a cell is steep        |f_k - f_k-1| N > RG_PULSE_STEEP R
 *     flanks                 runs of steep cells and of those beside them that are a quarter as
 *                            steep (RG_PULSE_STEEPEST), each with its tails on both sides: at
 *                            least RG_PULSE_TAIL times its own length, and as long as f moves
 *     pulses                 what the flanks cover, if f varies by less than RG_PULSE_REST V
 *                            outside, and they are less than RG_PULSE_MOST of the interval
 *
 * so that an oscillation, which every step meets, is none.  Functions: all nodes below an equation
 * that depend on time but on no unknown, except sums and products, whose terms are looked at one
 * by one, and the numbers of the pieces of tables.  Jumps and kinks are switches of time, which are
 * found elsewhere: where there are any, flanks of one or two cells are left out.
 *
 * A function that meets unknowns inside exp and its like, exp(sin(t) - u), in one equation or
 * through algebraic unknowns (driven.h), has a pulse about each of its maxima or minima, as wide as
 * u allows: every one of them is the end of a step.
 *
 * What is shorter than a cell is found by ranges (narrow.h), and looked at in windows of its own,
 * within which there may be windows again.
 *
 * Functions that turn often, as exp(-1000 sin(pi t)^2) over many days, are looked at in windows
 * with a few turns each in the same way, too.
 *
 * Nobody has to look where all functions of time have nothing short in every one of
 * RG_PULSE_PARTS parts of the interval (resolved.h): exp, whose argument moves by 2 in one of
 * them at most, is no steeper than  2 RG_PULSE_PARTS R  per interval.  Where they have nothing
 * short in more parts, RG_PULSE_PER_PART cells for each of them are enough. */
#include "views/pulses_impl.h"

#include "views/rate.h"
#include "views/timed.h"

#include <math.h>

/* Is it clear without a look that there are none? */
static bool has_nothing_short(const rg_pulse_finder *w, int parts)
{
    const double length = (w->b - w->a) / parts;
    bool is_so = rg_resolved_count(w->resolved) <= RG_PULSE_FUNCTIONS;

    for (int k = 0; k < parts && is_so; k++)
        is_so = rg_resolved_alone_between(w->resolved, w->a + k * length, w->a + (k + 1) * length);
    return is_so;
}

static rg_status look_at_body(rg_pulse_finder *w, const rg_body *body, int block, bool is_part);

/* The terms of sums are bodies too; their nesting is limited by the parser. */
static rg_status look_at_sums(rg_pulse_finder *w, const rg_body *body, int block)
{
    for (int32_t k = 0; k < body->n_sums; k++)
        for (int i = 0; i < body->sums[k].n_parts; i++)
            RG_TRY(look_at_body(w, body->sums[k].parts[i], block, true));
    return RG_OK;
}

static rg_status look_at_all(rg_pulse_finder *w, rg_pulse_sampler *s)
{
    rg_pulse_sample(s, w->a, w->b, w->cells, s->f);
    for (int i = 0; i < s->n_nodes * s->n_iterations; i++)
        RG_TRY(rg_pulse_look_at(w, s, i));
    return RG_OK;
}

static rg_status values_at(void *user, double t, double *values)
{
    rg_pulse_sampler *s = user;

    rg_pulse_sample(s, t, t, 0, s->fine);
    for (int i = 0; i < s->n_nodes * s->n_iterations; i++)
        values[i] = s->fine[(size_t)i * (RG_PULSE_CELLS + 1)];
    return RG_OK;
}

/* How many windows: RG_PULSE_TURNS turns of the function that turns most in each, 1 or 0: none. */
static rg_status count_windows(rg_pulse_finder *w, rg_pulse_sampler *s, double *windows)
{
    const int64_t n = (int64_t)s->n_nodes * s->n_iterations;
    rg_timed_function *list = rg_alloc(w->ctx, (size_t)n, sizeof *list);
    int64_t turns = 0;

    *windows = 0.0;
    if (list == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < n; k++)
        list[k].function = k;
    const rg_timed t = {w->ctx, values_at, NULL, s, n, n, list, w->a, w->b};
    const rg_status status = rg_timed_turns(&t, RG_PULSE_COUNTED, &turns);
    rg_free(w->ctx, list);
    if (status == RG_OK) *windows = ceil((double)turns / RG_PULSE_TURNS);
    if (*windows * RG_PULSE_CELLS * (double)n > RG_PULSE_WORK) *windows = 0.0;
    return status;
}

static rg_status find_narrow(rg_pulse_finder *w)
{
    const double cell = (w->b - w->a) / RG_PULSE_CELLS;

    w->narrow = NULL;
    w->n_narrow = 0;
    if (rg_resolved_count(w->resolved) > RG_PULSE_FUNCTIONS) return RG_OK;
    return rg_narrow_find(w->ctx, w->resolved, w->a, w->b, cell, &w->narrow, &w->n_narrow);
}

static rg_status look_at_narrow(rg_pulse_finder *w, rg_pulse_sampler *s, int depth);

/* Features in a window that are shorter than its cells, too. */
static rg_status look_closer(rg_pulse_finder *window, rg_pulse_sampler *s, int depth)
{
    rg_status status = find_narrow(window);

    if (status == RG_OK) status = look_at_narrow(window, s, depth);
    rg_free(window->ctx, window->narrow);
    return status;
}

/* Features that are shorter than a cell, each in a window of its own, where they are not. */
static rg_status look_at_narrow(rg_pulse_finder *w, rg_pulse_sampler *s, int depth)
{
    rg_pulse_finder window = *w;
    rg_status status = RG_OK;

    window.is_window = true;
    for (int64_t k = 0; k < w->n_narrow && status == RG_OK; k++) {
        const rg_narrow *now = &w->narrow[k];
        const double length = now->to - now->from;
        if (length > RG_PULSE_MOST * (w->b - w->a)) continue;
        window.a = fmax(w->a, now->from - length);
        window.b = fmin(w->b, now->to + length);
        status = look_at_all(&window, s);
        const bool is_short = RG_NARROW_SHORT * now->shortest * RG_PULSE_CELLS < length;
        if (status == RG_OK && is_short && depth > 0) status = look_closer(&window, s, depth - 1);
    }
    w->list = window.list;
    w->n = window.n;
    w->capacity = window.capacity;
    return status;
}

/* The interval, narrow features, and where functions turn often, windows with a few turns each. */
static rg_status look_at_functions(rg_pulse_finder *w, rg_pulse_sampler *s)
{
    const double a = w->a, length = w->b - w->a;
    rg_status status = RG_OK;
    double windows;

    RG_TRY(rg_pulse_functions(w, s));
    if (s->n_nodes == 0 || s->n_iterations == 0) return RG_OK;
    RG_TRY(look_at_all(w, s));
    if (w->cells < RG_PULSE_CELLS) return RG_OK; /* nothing is narrow or turns often */
    RG_TRY(look_at_narrow(w, s, RG_PULSE_DEPTH));
    RG_TRY(count_windows(w, s, &windows));
    if (windows <= 1.0) return RG_OK;
    rg_pulse_finder window = *w;
    window.is_window = true;
    for (double k = 0.0; k < windows && status == RG_OK; k++) {
        window.a = a + length * k / windows;
        window.b = a + length * (k + 1.0) / windows;
        if (!has_nothing_short(&window, RG_PULSE_WINDOW_PARTS)) status = look_at_all(&window, s);
    }
    w->list = window.list;
    w->n = window.n;
    w->capacity = window.capacity;
    return status;
}

static rg_status look_at_body(rg_pulse_finder *w, const rg_body *body, int block, bool is_part)
{
    rg_pulse_sampler *s = rg_alloc(w->ctx, 1, sizeof *s);

    if (s == NULL) return RG_ERR_MEMORY;
    s->body = body;
    s->block = block;
    s->is_part = is_part;
    rg_status status = look_at_functions(w, s);
    rg_pulse_sampler_clear(w->ctx, s);
    rg_free(w->ctx, s);
    return status == RG_OK ? look_at_sums(w, body, block) : status;
}

/* 0: it is clear without a look that there are none. */
static int count_cells(const rg_pulse_finder *w)
{
    const int most = RG_PULSE_CELLS / RG_PULSE_PER_PART;

    if (rg_driven_any(w->driven)) return RG_PULSE_CELLS;
    if (has_nothing_short(w, RG_PULSE_PARTS)) return 0;
    for (int parts = RG_PULSE_FEW_PARTS; parts < most; parts *= RG_PULSE_MORE_PARTS)
        if (has_nothing_short(w, parts)) return parts * RG_PULSE_PER_PART;
    return RG_PULSE_CELLS;
}

rg_status rg_pulses_find(const rg_problem *p, double a, double b, rg_pulse **out, int64_t *n)
{
    rg_pulse_finder w = {.ctx = p->ctx, .a = fmin(a, b), .b = fmax(a, b)};
    rg_driven *driven = NULL;

    *out = NULL;
    *n = 0;
    if (rg_rate_is_autonomous(p)) return RG_OK;
    RG_TRY(rg_driven_create(p, &driven));
    w.driven = driven;
    rg_status status = rg_resolved_create(p, &w.resolved);
    if (status == RG_OK && p->n_blocks > 0 && w.b > w.a) w.cells = count_cells(&w);
    rg_log(p->ctx, 3, "pulses of functions of time: looked for in %d cells", w.cells);
    if (status == RG_OK && w.cells == RG_PULSE_CELLS) status = find_narrow(&w);
    for (int k = 0; k < p->n_blocks && status == RG_OK && w.cells > 0; k++)
        status = look_at_body(&w, p->blocks[k].body, k, false);
    rg_free(p->ctx, w.narrow);
    rg_resolved_destroy(&w.resolved);
    rg_driven_destroy(&driven);
    if (status == RG_OK) status = rg_pulses_merge(w.ctx, &w.list, &w.n);
    if (status != RG_OK) {
        rg_free(p->ctx, w.list);
        return status;
    }
    *out = w.list;
    *n = w.n;
    return RG_OK;
}
