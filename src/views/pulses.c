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
 * Functions that turn often, as exp(-1000 sin(pi t)^2) over many days, are looked at in windows
 * with a few turns each in the same way, too.
 *
 * Nobody has to look where all functions of time have nothing short in every one of
 * RG_PULSE_PARTS parts of the interval (resolved.h): exp, whose argument moves by 2 in one of
 * them at most, is no steeper than  2 RG_PULSE_PARTS R  per interval.  Where they have nothing short
 * in more parts, RG_PULSE_PER_PART cells for each of them are enough. */
#include "views/pulses.h"

#include "expr/tape.h"
#include "views/driven.h"
#include "views/rate.h"
#include "views/resolved.h"
#include "views/timed.h"
#include "views/tuning.h"

#include <math.h>
#include <stdlib.h>

enum { NOT_TIME = RG_DEP_VAR | RG_DEP_SUM | RG_DEP_SEED };

typedef struct {
    rg_context *ctx;
    double a, b; /* the interval, or a window of it */
    bool is_window;
    int cells; /* so many are enough for all functions */
    rg_resolved *resolved;
    const rg_driven *driven;
    rg_pulse *list;
    int64_t n, capacity;
} finder;

typedef struct { /* the functions of one body */
    const rg_body *body;
    int block;    /* its number */
    bool is_part; /* a part of one of the sums there */
    rg_node node[RG_PULSE_FUNCTIONS];
    bool has_kinks[RG_PULSE_FUNCTIONS];
    bool is_inside[RG_PULSE_FUNCTIONS]; /* of a function of unknowns, too */
    int n_nodes;
    int32_t iteration[RG_PULSE_FUNCTIONS];
    int n_iterations;
    rg_tape *tape;
    rg_tape_source *inputs;
    rg_tape_target *outputs;
    double *workspace;
    double *time;
    double *f;     /* (RG_PULSE_CELLS + 1) values of every function, one behind the other */
    double *fine;  /* the same of a closer look */
    double *range; /* of every function in the interval */
} sampler;

/* Is it clear without a look that there are none? */
static bool has_nothing_short(const finder *w, int parts)
{
    const double length = (w->b - w->a) / parts;
    bool is_so = rg_resolved_count(w->resolved) <= RG_PULSE_FUNCTIONS;

    for (int k = 0; k < parts && is_so; k++)
        is_so = rg_resolved_alone_between(w->resolved, w->a + k * length, w->a + (k + 1) * length);
    return is_so;
}

/* ---- functions of time ----------------------------------------------------------------------- */

static bool is_term(const rg_graph_node *n)
{
    return n->op == RG_OP_ADD || n->op == RG_OP_SUB || n->op == RG_OP_MUL || n->op == RG_OP_NEG
           || rg_op_kink((rg_op)n->op) != RG_KINK_NONE || n->op == RG_OP_INTERVAL;
}

/* Functions of time and of unknowns together that may be large at one time, 0 at others. */
static bool is_joint(const rg_graph *g, const rg_graph_node *n)
{
    return (n->depends & RG_DEP_TIME) && (n->depends & NOT_TIME) && rg_driven_peaks(g, n);
}

static void need(uint8_t *used, rg_node k, uint8_t how)
{
    if (k >= 0) used[k] |= how;
}

/* Nodes that the outputs need and that are functions of time; false: memory. */
static bool collect(finder *w, sampler *s)
{
    const rg_graph *graph = s->body->graph;
    const int32_t size = rg_graph_size(graph);
    uint8_t *used = rg_alloc(w->ctx, (size_t)size + 1, 1); /* 1, and 2: inside */
    bool has_data = false;

    if (used == NULL) return false;
    for (int k = 0; k < s->body->n_outputs; k++)
        used[s->body->outputs[k]] |=
            rg_driven_is_inside(w->driven, s->block, s->is_part ? -1 : k) ? 3 : 1;
    for (rg_node k = size - 1; k >= 0; k--) {
        const rg_graph_node *n = rg_graph_at(graph, k);
        if (!used[k] || n->op < RG_OP_ADD) continue;
        const uint8_t how = is_joint(graph, n) ? 3 : used[k];
        need(used, n->a, how);
        need(used, n->b, how);
        need(used, n->c, how);
        if (!(n->depends & RG_DEP_TIME) || (n->depends & NOT_TIME) || is_term(n)) continue;
        if (s->n_nodes == RG_PULSE_FUNCTIONS) continue;
        s->has_kinks[s->n_nodes] = (n->depends & RG_DEP_KINK) != 0;
        s->is_inside[s->n_nodes] = used[k] > 1;
        s->node[s->n_nodes++] = k;
        has_data = has_data || (n->depends & RG_DEP_DATA);
    }
    rg_free(w->ctx, used);
    const int64_t most = s->n_nodes > 0 ? RG_PULSE_FUNCTIONS / s->n_nodes : 0;
    const int64_t count = has_data ? s->body->count : 1;
    s->n_iterations = (int)(count < most ? count : most);
    for (int k = 0; k < s->n_iterations; k++)
        s->iteration[k] = (int32_t)(count * k / s->n_iterations);
    return true;
}

/* The functions with the time as data, the last of its slots, so that one run takes all times. */
static rg_status take_time(finder *w, sampler *s, rg_graph **out)
{
    const rg_graph *from = s->body->graph;
    const int32_t size = s->node[0] + 1; /* the first is the last in the graph */
    rg_node *new = rg_alloc(w->ctx, (size_t)size, sizeof *new);

    if (new == NULL) return RG_ERR_MEMORY;
    rg_status status = rg_graph_create(w->ctx, out);
    for (rg_node k = 0; k < size && status == RG_OK; k++) {
        const rg_graph_node *n = rg_graph_at(from, k);
        const rg_node arguments[3] = {n->a >= 0 ? new[n->a] : -1, n->b >= 0 ? new[n->b] : -1,
                                      n->c >= 0 ? new[n->c] : -1};
        new[k] = (n->depends & NOT_TIME) ? rg_graph_const(*out, 0.0) /* not used */
                 : n->op == RG_OP_CONST  ? rg_graph_const(*out, n->value)
                 : n->op == RG_OP_TIME   ? rg_graph_data(*out, s->body->n_data)
                 : n->op == RG_OP_DATA   ? rg_graph_data(*out, n->a)
                                         : rg_graph_again(*out, n, arguments);
        status = rg_graph_status(*out);
    }
    for (int k = 0; k < s->n_nodes; k++)
        s->node[k] = new[s->node[k]];
    rg_free(w->ctx, new);
    return status;
}

static rg_status make_tape(finder *w, sampler *s)
{
    const size_t points = RG_PULSE_CELLS + 1;
    const size_t functions = (size_t)(s->n_nodes * s->n_iterations);
    rg_graph *graph = NULL;

    rg_status status = take_time(w, s, &graph);
    if (status == RG_OK) status = rg_tape_create(w->ctx, graph, s->n_nodes, s->node, &s->tape);
    rg_graph_destroy(&graph);
    RG_TRY(status);
    s->inputs = rg_alloc(w->ctx, (size_t)rg_tape_input_count(s->tape) + 1, sizeof *s->inputs);
    s->outputs = rg_alloc(w->ctx, (size_t)s->n_nodes, sizeof *s->outputs);
    s->workspace = rg_alloc(w->ctx, rg_tape_workspace(s->tape) + 1, sizeof *s->workspace);
    s->time = rg_alloc(w->ctx, points, sizeof *s->time);
    s->f = rg_alloc(w->ctx, 2 * functions * points + functions, sizeof *s->f);
    if (s->inputs == NULL || s->outputs == NULL || s->workspace == NULL || s->time == NULL
        || s->f == NULL)
        return RG_ERR_MEMORY;
    s->fine = s->f + functions * points;
    s->range = s->fine + functions * points;
    return RG_OK;
}

/* What the tape reads in one iteration: the times, and data that do not change with them. */
static void set_inputs(sampler *s, int32_t iteration)
{
    for (int k = 0; k < rg_tape_input_count(s->tape); k++) {
        const int32_t slot = rg_tape_input_at(s->tape, k).slot;
        if (slot == s->body->n_data) {
            s->inputs[k] = (rg_tape_source){
                s->time, {0, 1, NULL}
            };
            continue;
        }
        const rg_data *data = &s->body->data[slot];
        s->inputs[k] = (rg_tape_source){
            data->values, {rg_map_at(&data->map, iteration), 0, NULL}
        };
    }
}

/* All functions at cells + 1 times; what is not finite becomes what was before it. */
static void sample(sampler *s, double a, double b, int cells, double *f)
{
    for (int k = 0; k <= cells; k++)
        s->time[k] = cells > 0 ? a + (b - a) * k / cells : a;
    for (int i = 0; i < s->n_iterations; i++) {
        set_inputs(s, s->iteration[i]);
        for (int o = 0; o < s->n_nodes; o++)
            s->outputs[o] = (rg_tape_target){
                .values = f,
                .map = {(int64_t)(o * s->n_iterations + i) * (RG_PULSE_CELLS + 1), 1, NULL}
            };
        if (rg_tape_run(s->tape, a, 0, cells + 1, NULL, s->inputs, s->outputs, s->workspace))
            continue;
        for (int o = 0; o < s->n_nodes; o++) {
            double *value = f + s->outputs[o].map.base;
            for (int k = 0; k <= cells; k++)
                if (!isfinite(value[k])) value[k] = k > 0 ? value[k - 1] : 0.0;
        }
    }
}

/* ---- one function ---------------------------------------------------------------------------- */

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

/* The length of the flanks of function i between two times: narrow ones are looked at closely. */
static double width_of(sampler *s, int i, double from, double to)
{
    const double *f = s->fine + (size_t)i * (RG_PULSE_CELLS + 1);
    double most = 0.0;
    int steep = 0;

    sample(s, from, to, RG_PULSE_FINE, s->fine);
    for (int k = 0; k < RG_PULSE_FINE; k++)
        most = fmax(most, fabs(f[k + 1] - f[k]));
    for (int k = 0; k < RG_PULSE_FINE; k++)
        steep += fabs(f[k + 1] - f[k]) > RG_PULSE_STEEPEST * most;
    return (to - from) * (steep > 0 ? steep : 1) / RG_PULSE_FINE;
}

static rg_status add_pulses(finder *w, sampler *s, int i, const flank *flanks, int n)
{
    const double cell = (w->b - w->a) / w->cells;

    for (int k = 0; k < n; k++) {
        if (s->has_kinks[i / s->n_iterations] && flanks[k].length <= 2) continue;
        RG_TRY(rg_grow(w->ctx, &w->list, w->n, &w->capacity, sizeof *w->list));
        rg_pulse *p = &w->list[w->n++];
        *p = (rg_pulse){w->a + cell * flanks[k].from, w->a + cell * flanks[k].to,
                        cell * flanks[k].length};
        if (flanks[k].length <= RG_PULSE_NARROW)
            p->width = fmin(p->width, width_of(s, i, p->from, p->to));
    }
    return RG_OK;
}

/* Maxima and minima, where they are that many that the cells tell them. */
static rg_status add_turns(finder *w, const double *f, double range)
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

static rg_status look_at(finder *w, sampler *s, int i)
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

/* ---- all of them ----------------------------------------------------------------------------- */

static rg_status look_at_body(finder *w, const rg_body *body, int block, bool is_part);

/* The terms of sums are bodies too; their nesting is limited by the parser. */
static rg_status look_at_sums(finder *w, const rg_body *body, int block)
{
    for (int32_t k = 0; k < body->n_sums; k++)
        for (int i = 0; i < body->sums[k].n_parts; i++)
            RG_TRY(look_at_body(w, body->sums[k].parts[i], block, true));
    return RG_OK;
}

static rg_status look_at_all(finder *w, sampler *s)
{
    sample(s, w->a, w->b, w->cells, s->f);
    for (int i = 0; i < s->n_nodes * s->n_iterations; i++)
        RG_TRY(look_at(w, s, i));
    return RG_OK;
}

static rg_status values_at(void *user, double t, double *values)
{
    sampler *s = user;

    sample(s, t, t, 0, s->fine);
    for (int i = 0; i < s->n_nodes * s->n_iterations; i++)
        values[i] = s->fine[(size_t)i * (RG_PULSE_CELLS + 1)];
    return RG_OK;
}

/* How many windows: RG_PULSE_TURNS turns of the function that turns most in each, 1 or 0: none. */
static rg_status count_windows(finder *w, sampler *s, double *windows)
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

/* The interval, and where functions turn often, windows of it with a few turns each. */
static rg_status look_at_functions(finder *w, sampler *s)
{
    const double a = w->a, length = w->b - w->a;
    rg_status status = RG_OK;
    double windows;

    if (!collect(w, s)) return RG_ERR_MEMORY;
    if (s->n_nodes == 0 || s->n_iterations == 0) return RG_OK;
    RG_TRY(make_tape(w, s));
    RG_TRY(look_at_all(w, s));
    if (w->cells < RG_PULSE_CELLS) return RG_OK; /* nothing turns often */
    RG_TRY(count_windows(w, s, &windows));
    if (windows <= 1.0) return RG_OK;
    finder window = *w;
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

static rg_status look_at_body(finder *w, const rg_body *body, int block, bool is_part)
{
    sampler *s = rg_alloc(w->ctx, 1, sizeof *s);

    if (s == NULL) return RG_ERR_MEMORY;
    s->body = body;
    s->block = block;
    s->is_part = is_part;
    rg_status status = look_at_functions(w, s);
    rg_tape_destroy(&s->tape);
    rg_free(w->ctx, s->inputs);
    rg_free(w->ctx, s->outputs);
    rg_free(w->ctx, s->workspace);
    rg_free(w->ctx, s->time);
    rg_free(w->ctx, s->f);
    rg_free(w->ctx, s);
    return status == RG_OK ? look_at_sums(w, body, block) : status;
}

static int by_start(const void *a, const void *b)
{
    const rg_pulse *x = a, *y = b;

    return x->from < y->from ? -1 : x->from > y->from;
}

/* What overlaps becomes one.  A turn within a pulse parts it, and says nothing about its width. */
static void merge(finder *w)
{
    int64_t kept = 0;

    if (w->n > 1) qsort(w->list, (size_t)w->n, sizeof *w->list, by_start);
    for (int64_t k = 0; k < w->n; k++) {
        const rg_pulse now = w->list[k];
        rg_pulse *last = kept > 0 ? &w->list[kept - 1] : NULL;
        const bool is_turn = now.from == now.to;
        if (last == NULL || last->to < now.from) {
            w->list[kept++] = now;
        } else if (is_turn && last->from < now.from && now.from < last->to) {
            w->list[kept++] = (rg_pulse){now.from, last->to, last->width};
            last->to = now.from;
        } else if (!is_turn) {
            last->width = last->from < last->to ? fmin(last->width, now.width) : now.width;
            last->to = fmax(last->to, now.to);
        }
    }
    w->n = kept;
}

/* 0: it is clear without a look that there are none. */
static int count_cells(const finder *w)
{
    const int most = RG_PULSE_CELLS / RG_PULSE_PER_PART;
    int parts = RG_PULSE_PARTS;

    if (rg_driven_any(w->driven)) return RG_PULSE_CELLS;
    if (has_nothing_short(w, parts)) return 0;
    for (parts = RG_PULSE_FEW_PARTS; parts < most; parts *= RG_PULSE_MORE_PARTS)
        if (has_nothing_short(w, parts)) return parts * RG_PULSE_PER_PART;
    return RG_PULSE_CELLS;
}

rg_status rg_pulses_find(const rg_problem *p, double a, double b, rg_pulse **out, int64_t *n)
{
    finder w = {.ctx = p->ctx, .a = fmin(a, b), .b = fmax(a, b)};
    rg_driven *driven = NULL;

    *out = NULL;
    *n = 0;
    if (rg_rate_is_autonomous(p)) return RG_OK;
    RG_TRY(rg_driven_create(p, &driven));
    w.driven = driven;
    rg_status status = rg_resolved_create(p, &w.resolved);
    if (status == RG_OK && p->n_blocks > 0 && w.b > w.a) w.cells = count_cells(&w);
    rg_log(p->ctx, 3, "pulses of functions of time: looked for in %d cells", w.cells);
    for (int k = 0; k < p->n_blocks && status == RG_OK && w.cells > 0; k++)
        status = look_at_body(&w, p->blocks[k].body, k, false);
    rg_resolved_destroy(&w.resolved);
    rg_driven_destroy(&driven);
    if (status != RG_OK) {
        rg_free(p->ctx, w.list);
        return status;
    }
    merge(&w);
    *out = w.list;
    *n = w.n;
    return RG_OK;
}
