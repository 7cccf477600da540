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

static rg_status add_body(rg_driven *d, equation *e, const rg_body *body, int output, bool peaked);

static rg_status add_leaf(rg_driven *d, equation *e, const rg_body *body, const rg_graph_node *n,
                          bool is_peaked)
{
    if (n->op == RG_OP_TIME) e->moves = true;
    if (n->op == RG_OP_SUM)
        for (int i = 0; i < body->sums[n->a].n_parts; i++)
            RG_TRY(add_body(d, e, body->sums[n->a].parts[i], 0, is_peaked));
    if (n->op != RG_OP_VAR || n->order > 0) return RG_OK;
    const int32_t family = body->slots[n->a].family;
    if (!d->is_algebraic[family]) return RG_OK;
    RG_TRY(rg_grow(d->ctx, &d->uses, d->n_uses, &d->capacity, sizeof *d->uses));
    d->uses[d->n_uses++] = (use){family, is_peaked};
    return RG_OK;
}

/* One output of a body: 1 for what it needs, 2 for what is below a function with peaks. */
static rg_status add_body(rg_driven *d, equation *e, const rg_body *body, int output, bool peaked)
{
    const rg_node top = body->outputs[output];
    uint8_t *used = rg_alloc(d->ctx, (size_t)top + 1, 1);
    rg_status status = RG_OK;

    if (used == NULL) return RG_ERR_MEMORY;
    used[top] = peaked ? 3 : 1;
    for (rg_node k = top; k >= 0 && status == RG_OK; k--) {
        const rg_graph_node *n = rg_graph_at(body->graph, k);
        if (used[k] && n->op < RG_OP_ADD) status = add_leaf(d, e, body, n, used[k] > 1);
        if (!used[k] || n->op < RG_OP_ADD) continue;
        const bool is_below = rg_driven_peaks(body->graph, n);
        const rg_node arguments[3] = {n->a, n->b, n->c};
        for (int i = 0; i < 3; i++)
            if (arguments[i] >= 0) used[arguments[i]] |= is_below ? 3 : used[k];
        d->is_any =
            d->is_any
            || (is_below && (n->depends & RG_DEP_TIME) && (n->depends & (RG_DEP_VAR | RG_DEP_SUM)));
    }
    rg_free(d->ctx, used);
    return status;
}

static rg_status add_equations(rg_driven *d)
{
    int64_t n = 0;

    for (int k = 0; k < d->p->n_blocks; k++)
        for (int i = 0; i < d->p->blocks[k].body->n_outputs; i++) {
            equation *e = &d->equations[n++];
            e->first = d->n_uses;
            RG_TRY(add_body(d, e, d->p->blocks[k].body, i, false));
            e->count = d->n_uses - e->first;
        }
    return RG_OK;
}

/* ---- from equation to equation --------------------------------------------------------------- */

/* Marks spread: an equation with a marked unknown marks all of its unknowns that may be marked. */
static void spread(rg_driven *d, bool *family, const bool *may, bool (*begins)(const equation *))
{
    bool changes = true;

    while (changes) {
        changes = false;
        for (int64_t k = 0; k < d->n; k++) {
            const equation *e = &d->equations[k];
            const use *of = d->uses + e->first;
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
