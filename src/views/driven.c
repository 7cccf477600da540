/* Which functions of time drive unknowns inside of functions with peaks; see driven.h.
 *
 * An equation moves with time where t stands in it, or an algebraic unknown that moves; its
 * algebraic unknowns move with it.  From functions with peaks of those that move the way goes back:
 * all algebraic unknowns of an equation with a wanted one are wanted.  Families count as wholes. */
#include "views/driven.h"

typedef struct { /* one equation, with the terms of its sums */
    bool moves, is_wanted;
    int64_t first, count; /* its uses */
} equation;

typedef struct { /* an algebraic unknown in an equation */
    int32_t family;
    bool is_peaked; /* below a function with peaks */
} use;

struct rg_driven {
    rg_context *ctx;
    const rg_problem *p;
    bool is_any;
    bool *is_algebraic, *moves, *is_wanted; /* per family */
    int64_t *first;                         /* per block: number of its first equation */
    int64_t n;
    equation *equations;
    int64_t n_uses, capacity;
    use *uses;
};

bool rg_driven_peaks(const rg_graph *g, const rg_graph_node *n)
{
    if (n->op == RG_OP_POW) return rg_graph_at(g, n->b)->op != RG_OP_CONST;
    return n->op == RG_OP_EXP || n->op == RG_OP_SINH || n->op == RG_OP_COSH || n->op == RG_OP_TANH
           || n->op == RG_OP_ERF;
}

/* ---- what stands in the equations ------------------------------------------------------------ */

enum { NEEDED = 1, PEAKED = 2 }; /* PEAKED: below a function with peaks */

typedef struct { /* a walk through the graph of one body */
    const rg_body *body;
    uint8_t *used;  /* per node; all 0 between two walks */
    rg_node *stack; /* each node comes twice at most */
    rg_node *seen;  /* nodes that are not 0 */
    int32_t depth, n_seen;
} walk;

static rg_status walk_begin(rg_driven *d, const rg_body *body, walk *w)
{
    const size_t size = (size_t)rg_graph_size(body->graph) + 1;

    *w = (walk){.body = body};
    w->used = rg_alloc(d->ctx, size, 1);
    w->stack = rg_alloc(d->ctx, 3 * size, sizeof *w->stack);
    if (w->used == NULL || w->stack == NULL) return RG_ERR_MEMORY;
    w->seen = w->stack + 2 * size;
    return RG_OK;
}

static void walk_end(rg_driven *d, walk *w)
{
    rg_free(d->ctx, w->used);
    rg_free(d->ctx, w->stack);
}

static void visit(walk *w, rg_node k, uint8_t how)
{
    if (k < 0 || (w->used[k] | how) == w->used[k]) return;
    if (w->used[k] == 0) w->seen[w->n_seen++] = k;
    w->used[k] |= how;
    w->stack[w->depth++] = k;
}

static rg_status add_output(rg_driven *d, equation *e, walk *w, int output, uint8_t how);

static rg_status add_part(rg_driven *d, equation *e, const rg_body *part, uint8_t how)
{
    walk w;
    rg_status status = walk_begin(d, part, &w);

    if (status == RG_OK) status = add_output(d, e, &w, 0, how);
    walk_end(d, &w);
    return status;
}

static rg_status add_leaf(rg_driven *d, equation *e, const rg_body *body, const rg_graph_node *n,
                          uint8_t how)
{
    if (n->op == RG_OP_TIME) e->moves = true;
    if (n->op == RG_OP_SUM)
        for (int i = 0; i < body->sums[n->a].n_parts; i++)
            RG_TRY(add_part(d, e, body->sums[n->a].parts[i], how));
    if (n->op != RG_OP_VAR || n->order > 0) return RG_OK;
    const int32_t family = body->slots[n->a].family;
    if (!d->is_algebraic[family]) return RG_OK;
    RG_TRY(rg_grow(d->ctx, &d->uses, d->n_uses, &d->capacity, sizeof *d->uses));
    d->uses[d->n_uses++] = (use){family, (how & PEAKED) != 0};
    return RG_OK;
}

static rg_status add_output(rg_driven *d, equation *e, walk *w, int output, uint8_t how)
{
    const rg_graph *graph = w->body->graph;
    rg_status status = RG_OK;

    visit(w, w->body->outputs[output], how);
    while (w->depth > 0 && status == RG_OK) {
        const rg_node k = w->stack[--w->depth];
        const rg_graph_node *n = rg_graph_at(graph, k);
        if (n->op < RG_OP_ADD) {
            status = add_leaf(d, e, w->body, n, w->used[k]);
            continue;
        }
        const bool peaks = rg_driven_peaks(graph, n);
        const uint8_t below = peaks ? NEEDED | PEAKED : w->used[k];
        visit(w, n->a, below);
        visit(w, n->b, below);
        visit(w, n->c, below);
        if (peaks && (n->depends & RG_DEP_TIME) && (n->depends & (RG_DEP_VAR | RG_DEP_SUM)))
            d->is_any = true;
    }
    for (int32_t k = 0; k < w->n_seen; k++)
        w->used[w->seen[k]] = 0;
    w->n_seen = w->depth = 0;
    return status;
}

static rg_status add_equations(rg_driven *d)
{
    rg_status status = RG_OK;
    int64_t n = 0;

    for (int k = 0; k < d->p->n_blocks && status == RG_OK; k++) {
        const rg_body *body = d->p->blocks[k].body;
        walk w;
        status = walk_begin(d, body, &w);
        for (int i = 0; i < body->n_outputs && status == RG_OK; i++) {
            equation *e = &d->equations[n++];
            e->first = d->n_uses;
            status = add_output(d, e, &w, i, NEEDED);
            e->count = d->n_uses - e->first;
        }
        walk_end(d, &w);
    }
    return status;
}

/* ---- from equation to equation --------------------------------------------------------------- */

/* Marks spread: an equation with a marked unknown marks all of its unknowns that may be marked. */
static void spread(rg_driven *d, bool *family, const bool *may, bool (*begins)(const equation *))
{
    bool changes = true;

    for (int pass = 0; changes; pass++) {
        changes = false;
        for (int64_t k = 0; k < d->n; k++) {
            const equation *e = &d->equations[pass % 2 == 0 ? k : d->n - 1 - k];
            const use *of = e->count > 0 ? d->uses + e->first : NULL;
            bool is_marked = begins != NULL && begins(e);
            for (int64_t i = 0; i < e->count && !is_marked; i++)
                is_marked = family[of[i].family];
            for (int64_t i = 0; i < e->count && is_marked; i++) {
                changes = changes || (may[of[i].family] && !family[of[i].family]);
                family[of[i].family] = may[of[i].family];
            }
        }
    }
}

static bool has_time(const equation *e)
{
    return e->moves;
}

static void follow(rg_driven *d)
{
    spread(d, d->moves, d->is_algebraic, has_time);
    for (int64_t i = 0; i < d->n_uses; i++)
        if (d->uses[i].is_peaked && d->moves[d->uses[i].family])
            d->is_any = d->is_wanted[d->uses[i].family] = true;
    spread(d, d->is_wanted, d->moves, NULL);
    for (int64_t k = 0; k < d->n; k++)
        for (int64_t i = 0; i < d->equations[k].count; i++)
            if (d->is_wanted[d->uses[d->equations[k].first + i].family])
                d->equations[k].is_wanted = true;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static rg_status allocate(rg_driven *d)
{
    const rg_problem *p = d->p;
    const size_t families = (size_t)p->n_families + 1;

    d->is_algebraic = rg_alloc(d->ctx, 3 * families, sizeof *d->is_algebraic);
    d->first = rg_alloc(d->ctx, (size_t)p->n_blocks + 1, sizeof *d->first);
    if (d->is_algebraic == NULL || d->first == NULL) return RG_ERR_MEMORY;
    d->moves = d->is_algebraic + families;
    d->is_wanted = d->moves + families;
    for (int k = 0; k < p->n_families; k++) {
        const rg_family *f = &p->families[k];
        for (int64_t j = f->first; j < f->first + f->count && !d->is_algebraic[k]; j++)
            d->is_algebraic[k] = !f->is_constant && (p->order == NULL || p->order[j] == 0);
    }
    for (int k = 0; k < p->n_blocks; k++) {
        d->first[k] = d->n;
        d->n += p->blocks[k].body->n_outputs;
    }
    d->equations = rg_alloc(d->ctx, (size_t)d->n + 1, sizeof *d->equations);
    return d->equations == NULL ? RG_ERR_MEMORY : RG_OK;
}

rg_status rg_driven_create(const rg_problem *p, rg_driven **out)
{
    rg_driven *d = *out = rg_alloc(p->ctx, 1, sizeof *d);

    if (d == NULL) return RG_ERR_MEMORY;
    d->ctx = p->ctx;
    d->p = p;
    rg_status status = allocate(d);
    if (status == RG_OK) status = add_equations(d);
    if (status == RG_OK)
        follow(d);
    else
        rg_driven_destroy(out);
    return status;
}

void rg_driven_destroy(rg_driven **driven)
{
    rg_driven *d = *driven;

    if (d == NULL) return;
    rg_free(d->ctx, d->is_algebraic);
    rg_free(d->ctx, d->first);
    rg_free(d->ctx, d->equations);
    rg_free(d->ctx, d->uses);
    rg_free(d->ctx, d);
    *driven = NULL;
}

bool rg_driven_any(const rg_driven *d)
{
    return d->is_any;
}

bool rg_driven_is_inside(const rg_driven *d, int block, int output)
{
    const equation *e = d->equations + d->first[block];

    if (output >= 0) return e[output].is_wanted;
    for (int k = 0; k < d->p->blocks[block].body->n_outputs; k++)
        if (e[k].is_wanted) return true;
    return false;
}
