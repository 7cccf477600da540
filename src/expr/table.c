/* Tables: their memory, the buckets that find a segment, and the expression of a call. */
#include "expr/table.h"

#include "expr/graph_impl.h"
#include "expr/tuning.h"

#include <float.h>
#include <string.h>

const char *rg_table_kind_word(rg_table_kind kind)
{
    static const char *const words[] = {"linear", "monotone", "smooth", "steps"};
    return words[kind];
}

const char *rg_beyond_word(rg_beyond beyond)
{
    static const char *const words[] = {"error", "hold", "repeat"};
    return words[beyond];
}

int rg_table_derivatives(rg_table_kind kind)
{
    static const int counts[] = {1, 2, 3, 0};
    return counts[kind];
}

static int degree_of(rg_table_kind kind)
{
    return kind == RG_TABLE_STEPS ? 0 : kind == RG_TABLE_LINEAR ? 1 : 3;
}

/* Kinds whose nodes are switches know what lies beyond the ends.  For the others `hold` and
 * `repeat` are operations on the argument, whose switches are those of min, max and mod; but a
 * periodic spline has none. */
static bool is_switched(rg_table_kind kind)
{
    return kind == RG_TABLE_LINEAR || kind == RG_TABLE_STEPS;
}

/* first[b]: the last node in a bucket before b (node 0 where there is none). */
static void fill_buckets(const rg_table_data *d, int *first)
{
    int k = 0;

    for (int b = 0; b <= d->buckets; b++) {
        while (k + 1 < d->n && rg_table_bucket(d, d->x[k + 1]) < b)
            k++;
        first[b] = k;
    }
}

static void set_data(const rg_table_spec *spec, rg_table_data *d)
{
    const double low = spec->x[0], high = spec->x[spec->n - 1];
    const bool knows_ends = is_switched(spec->kind);
    const bool repeats = spec->beyond == RG_BEYOND_REPEAT;

    d->n = spec->n;
    d->degree = degree_of(spec->kind);
    d->buckets = spec->n;
    d->steps = spec->kind == RG_TABLE_STEPS;
    d->holds = knows_ends && spec->beyond == RG_BEYOND_HOLD;
    d->low = low;
    d->high = high;
    d->margin = RG_TABLE_MARGIN * DBL_EPSILON * fmax(fabs(low), fabs(high));
    d->scale = d->buckets / (high - low);
    d->extends = !knows_ends && spec->beyond != RG_BEYOND_ERROR;
    d->period = repeats && (knows_ends || spec->kind == RG_TABLE_SMOOTH) ? high - low : 0.0;
}

static uint64_t grid_of(const rg_table_data *d)
{
    const int flags[3] = {d->holds, d->steps, d->period > 0};
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (int k = 0; k < 3; k++)
        h = (h ^ (uint64_t)flags[k]) * UINT64_C(0x100000001b3);
    for (int k = 0; k < d->n; k++) {
        uint64_t bits;
        memcpy(&bits, &d->x[k], sizeof bits);
        h = (h ^ bits ^ bits >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return h;
}

static rg_status fill(rg_table *t, const rg_table_spec *spec)
{
    rg_table_data *d = &t->data;
    const size_t n = (size_t)spec->n;
    const bool repeats = spec->beyond == RG_BEYOND_REPEAT;

    set_data(spec, d);
    double *x = rg_alloc(t->ctx, n, sizeof *x);
    double *c = rg_alloc(t->ctx, n * (size_t)(d->degree + 1), sizeof *c);
    int *first = rg_alloc(t->ctx, n + 1, sizeof *first);
    d->x = x;
    d->c = c;
    d->first = first;
    t->name = rg_copy_text(t->ctx, spec->name, strlen(spec->name));
    if (x == NULL || c == NULL || first == NULL || t->name == NULL) return RG_ERR_MEMORY;
    t->number = spec->number;
    t->kind = spec->kind;
    t->beyond = spec->beyond;
    t->jumps = d->steps || (repeats && spec->y[0] != spec->y[n - 1]);
    memcpy(x, spec->x, n * sizeof *x);
    fill_buckets(d, first);
    t->grid = grid_of(d);
    return rg_table_pieces(t->ctx, spec, c);
}

rg_status rg_table_create(rg_context *ctx, const rg_table_spec *spec, rg_table **out)
{
    rg_table *t = *out = rg_alloc(ctx, 1, sizeof *t);

    if (t == NULL) return RG_ERR_MEMORY;
    t->ctx = ctx;
    const rg_status status = fill(t, spec);
    if (status != RG_OK) rg_table_destroy(out);
    return status;
}

void rg_table_destroy(rg_table **table)
{
    if (*table == NULL) return;
    rg_context *ctx = (*table)->ctx;
    rg_free(ctx, (void *)(uintptr_t)(*table)->data.x);
    rg_free(ctx, (void *)(uintptr_t)(*table)->data.c);
    rg_free(ctx, (void *)(uintptr_t)(*table)->data.first);
    rg_free(ctx, (*table)->name);
    rg_free(ctx, *table);
    *table = NULL;
}

/* ---- derivatives ----------------------------------------------------------------------------- */

/* Users have larger numbers than their arguments: those below the node are marked on the way
 * down.  Without memory nothing is found; the caller meets that again. */
const rg_table *rg_table_rough(const rg_graph *g, rg_node of, int more)
{
    enum { MOVES = RG_DEP_VAR | RG_DEP_TIME | RG_DEP_SUM };
    const rg_table *found = NULL;
    uint8_t *below = rg_alloc(g->ctx, (size_t)of + 1, 1);

    if (below == NULL) return NULL;
    below[of] = 1;
    for (rg_node k = of; k >= 0 && found == NULL; k--) {
        const rg_graph_node *n = rg_graph_at(g, k);
        const int32_t args[3] = {n->a, n->b, n->c};
        if (!below[k]) continue;
        for (int i = 0; i < rg_op_arity((rg_op)n->op); i++)
            below[args[i]] = 1;
        if (n->op == RG_OP_PIECE && (n->depends & MOVES)
            && n->order + more > rg_table_derivatives(n->table->kind))
            found = n->table;
    }
    rg_free(g->ctx, below);
    return found;
}

const char *rg_table_kinds_with(int n)
{
    return n <= 1   ? "'linear', 'monotone' or 'smooth'"
           : n == 2 ? "'smooth' or 'monotone'"
           : n == 3 ? "'smooth'"
                    : "a formula";
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The argument that a table without a rule of its own beyond the ends looks at:
 * min(max(a, low), high), or low + mod(a - low, high - low). */
static rg_node inside(rg_graph *g, const rg_table *t, rg_node a)
{
    const rg_node low = rg_graph_const(g, t->data.low), high = rg_graph_const(g, t->data.high);

    if (t->beyond == RG_BEYOND_HOLD)
        return rg_graph_binary(g, RG_OP_MIN, rg_graph_binary(g, RG_OP_MAX, a, low), high);
    const rg_node length = rg_graph_const(g, t->data.high - t->data.low);
    const rg_node turned =
        rg_graph_binary(g, RG_OP_MOD, rg_graph_binary(g, RG_OP_SUB, a, low), length);
    return rg_graph_binary(g, RG_OP_ADD, turned, low);
}

rg_node rg_table_node(rg_graph *g, const rg_table *table, rg_node a)
{
    const bool knows_ends = is_switched(table->kind);

    if (!knows_ends && table->beyond != RG_BEYOND_ERROR && !(table->data.period > 0))
        a = inside(g, table, a);
    const rg_op op = knows_ends ? RG_OP_SEGMENT : RG_OP_INTERVAL;
    return rg_graph_table(g, RG_OP_PIECE, 0, table, a, rg_graph_table(g, op, 0, table, a, -1));
}
