/* The denominators as the equations of a problem of their own: every body (and every part of a sum)
 * of the model, with its denominators as outputs.  Bodies are borrowed from the model.
 *
 * With RG_POLES_ALL also the arguments a of functions that have a peak, or a flank, near a = 0 and
 * rest elsewhere, if they depend on unknowns:  exp(a) counts as  1/exp(-a),  tanh and erf as
 * 1/exp(a^2),  so do exp and cosh in denominators, where they outgrow the rest (if a is a square
 * already, as  1/exp(|a|));  atan counts as  1/(1 + a^2).  Where such a denominator dips, a step
 * may have gone over a peak of the coefficients.  (Those of time alone: views/pulses.h.) */
#include "views/poles.h"

#include "base/vector.h"
#include "views/system_impl.h"
#include "views/tuning.h"

#include <math.h>
#include <string.h>

struct rg_poles {
    rg_context *ctx;
    const rg_system *s;
    rg_poles_kind kind;
    rg_problem *auxiliary; /* its rows are all denominators found */
    int64_t block_capacity;
    int32_t *origin; /* per block: the block of the model that it stands in */
    int64_t origin_capacity;
    int64_t peak_capacity;
    rg_assembly *values;
    rg_assembly_work *work;
    double *z, *all;
    uint8_t *peak;    /* per row: what it stands for */
    int32_t *watched; /* of the kind that is asked for */
    int32_t *state;   /* the first algebraic unknown in them, or y'; -1: none */
    int64_t n;
};

enum { DENOMINATOR = 2, EXPONENT, SIGMOID, SQUARE, ARCUS }; /* what a node is; 1: used, 0: not */

/* ---- search ---------------------------------------------------------------------------------- */

/* The node that a node divides by, -1: none. */
static rg_node denominator(const rg_graph *graph, const rg_graph_node *n)
{
    if (n->op == RG_OP_DIV) return n->b;
    if (n->op != RG_OP_POW) return -1;
    const rg_graph_node *exponent = rg_graph_at(graph, n->b);
    return exponent->op == RG_OP_CONST && exponent->value < 0.0 ? n->a : -1;
}

/* A product vanishes with either factor, a power with its base: the nodes below that decide where
 * a node is 0, -1: none. */
static void find_factors(const rg_graph *graph, rg_node node, rg_node *first, rg_node *second)
{
    const rg_graph_node *n = rg_graph_at(graph, node);
    const bool is_power = n->op == RG_OP_POW && rg_graph_at(graph, n->b)->op == RG_OP_CONST;

    *first = *second = -1;
    if (n->op == RG_OP_NEG || n->op == RG_OP_ABS || n->op == RG_OP_DIV || is_power) *first = n->a;
    if (n->op == RG_OP_MUL) {
        *first = n->a;
        *second = n->b;
    }
}

static bool moves(rg_poles_kind kind, const rg_graph_node *n)
{
    const int with =
        kind == RG_POLES_ALL ? RG_DEP_VAR | RG_DEP_SUM | RG_DEP_TIME : RG_DEP_VAR | RG_DEP_SUM;
    return (n->depends & with) != 0;
}

/* The factors of a denominator instead of it: they change their signs where it vanishes; cosh does
 * not, and may overflow. */
static void mark_factors(const rg_graph *graph, rg_node node, uint8_t *used)
{
    const rg_graph_node *n = rg_graph_at(graph, node);
    rg_node below[2];

    if (n->op == RG_OP_COSH) {
        if (used[n->a] <= 1) used[n->a] = SIGMOID;
        return;
    }
    find_factors(graph, node, &below[0], &below[1]);
    if (below[0] < 0) used[node] = DENOMINATOR;
    for (int i = 0; i < 2; i++)
        if (below[i] >= 0 && used[below[i]] != DENOMINATOR
            && moves(RG_POLES_ALL, rg_graph_at(graph, below[i])))
            mark_factors(graph, below[i], used);
}

/* What is a term or a factor of a denominator too, if this node is one. */
static void mark_terms(const rg_graph_node *n, uint8_t *divides)
{
    const bool is_sum = n->op == RG_OP_ADD || n->op == RG_OP_SUB || n->op == RG_OP_MUL;
    const bool is_one = n->op == RG_OP_NEG || n->op == RG_OP_DIV || n->op == RG_OP_POW;

    if (is_sum || is_one) divides[n->a] = 1;
    if (is_sum) divides[n->b] = 1;
}

/* A square, but for constant factors? */
static bool is_square(const rg_graph *graph, rg_node node)
{
    const rg_graph_node *n = rg_graph_at(graph, node);

    while (n->op == RG_OP_NEG || n->op == RG_OP_DIV || (n->op == RG_OP_MUL && n->a != n->b)) {
        const bool is_first = moves(RG_POLES_ALL, rg_graph_at(graph, n->a));
        const bool is_second = n->op != RG_OP_NEG && moves(RG_POLES_ALL, rg_graph_at(graph, n->b));
        if (is_first == is_second) return false;
        n = rg_graph_at(graph, is_first ? n->a : n->b);
    }
    if (n->op == RG_OP_MUL) return true;
    return n->op == RG_OP_POW && rg_graph_at(graph, n->b)->op == RG_OP_CONST
           && rg_graph_at(graph, n->b)->value == 2.0;
}

/* What the argument of a function with a peak or a flank is. */
static uint8_t peak_of(const rg_graph *graph, const rg_graph_node *n, bool divides)
{
    if (n->op == RG_OP_TANH || n->op == RG_OP_ERF) return SIGMOID;
    if (n->op == RG_OP_ATAN) return ARCUS;
    if (n->op != RG_OP_EXP) return 0;
    if (!divides) return EXPONENT;
    return is_square(graph, n->a) ? SQUARE : SIGMOID;
}

static void mark_peak(const rg_graph *graph, const rg_graph_node *n, bool divides, uint8_t *used)
{
    const uint8_t kind = peak_of(graph, n, divides);

    if (kind > 0 && moves(RG_POLES_ALGEBRAIC, rg_graph_at(graph, n->a)) && used[n->a] <= 1)
        used[n->a] = kind;
}

/* Marks what the outputs need, and which nodes are denominators that move, or peaks.  divides: what
 * stands in denominators. */
static int32_t mark(rg_poles_kind kind, const rg_body *body, uint8_t *used, uint8_t *divides)
{
    const rg_graph *graph = body->graph;
    int32_t count = 0;

    for (int k = 0; k < body->n_outputs; k++)
        used[body->outputs[k]] = 1;
    for (rg_node k = rg_graph_size(graph) - 1; k >= 0; k--) {
        const rg_graph_node *n = rg_graph_at(graph, k);
        if (!used[k] || n->op < RG_OP_ADD) continue;
        const rg_node below[] = {n->a, n->b, n->c};
        for (int i = 0; i < 3; i++)
            if (below[i] >= 0 && used[below[i]] == 0) used[below[i]] = 1;
        const rg_node d = denominator(graph, n);
        if (d >= 0) divides[d] = 1;
        if (divides[k]) mark_terms(n, divides);
        if (d >= 0 && moves(kind, rg_graph_at(graph, d))) {
            if (kind == RG_POLES_ALL)
                mark_factors(graph, d, used);
            else
                used[d] = DENOMINATOR;
        }
        if (kind != RG_POLES_ALL) continue;
        mark_peak(graph, n, divides[k], used);
        if (n->op == RG_OP_TAN && moves(kind, n)) used[k] = DENOMINATOR;
    }
    for (rg_node k = 0; k < rg_graph_size(graph); k++)
        count += used[k] >= DENOMINATOR;
    return count;
}

/* The rows of a body, with what they stand for. */
static rg_status add_kinds(rg_poles *p, const rg_body *body, const uint8_t *used)
{
    for (int o = 0; o < body->n_outputs; o++)
        for (int64_t i = 0; i < body->count; i++) {
            RG_TRY(rg_grow(p->ctx, &p->peak, p->auxiliary->n_rows, &p->peak_capacity,
                           sizeof *p->peak));
            p->peak[p->auxiliary->n_rows++] = used[body->outputs[o]];
        }
    return RG_OK;
}

static rg_status add_block(rg_poles *p, const rg_body *body, const uint8_t *used, int32_t count,
                           int32_t origin)
{
    rg_problem *a = p->auxiliary;

    RG_TRY(rg_grow(p->ctx, &a->blocks, a->n_blocks, &p->block_capacity, sizeof *a->blocks));
    RG_TRY(rg_grow(p->ctx, &p->origin, a->n_blocks, &p->origin_capacity, sizeof *p->origin));
    rg_body *copy = rg_alloc(p->ctx, 1, sizeof *copy);
    if (copy == NULL) return RG_ERR_MEMORY;
    *copy = *body;
    copy->n_outputs = 0;
    copy->outputs = rg_alloc(p->ctx, (size_t)count, sizeof *copy->outputs);
    p->origin[a->n_blocks] = origin;
    a->blocks[a->n_blocks++] = (rg_block){copy, a->n_rows, NULL};
    if (copy->outputs == NULL) return RG_ERR_MEMORY;
    for (rg_node k = 0; k < rg_graph_size(body->graph); k++)
        if (used[k] >= DENOMINATOR) copy->outputs[copy->n_outputs++] = k;
    return add_kinds(p, copy, used);
}

/* The terms of sums are bodies too; their nesting is limited by the parser. */
static rg_status add_body(rg_poles *p, const rg_body *body, int32_t origin)
{
    const size_t size = (size_t)rg_graph_size(body->graph) + 1;
    uint8_t *used = rg_alloc(p->ctx, 2 * size, 1);

    if (used == NULL) return RG_ERR_MEMORY;
    const int32_t count = mark(p->kind, body, used, used + size);
    rg_status status = count > 0 ? add_block(p, body, used, count, origin) : RG_OK;
    rg_free(p->ctx, used);
    for (int32_t k = 0; k < body->n_sums && status == RG_OK; k++)
        for (int i = 0; i < body->sums[k].n_parts && status == RG_OK; i++)
            status = add_body(p, body->sums[k].parts[i], origin);
    return status;
}

/* ---- values ---------------------------------------------------------------------------------- */

static rg_status make_assembly(rg_poles *p)
{
    const rg_states *l = &p->s->layout;
    const int64_t rows = p->auxiliary->n_rows;
    int32_t *row = rg_alloc(p->ctx, (size_t)rows, sizeof *row);

    if (row == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < rows; k++)
        row[k] = (int32_t)k;
    const int32_t *levels[] = {row};
    const rg_assembly_spec spec = {1,      l->n_orders, 2 * l->n_states,
                                   levels, rows,        (const int32_t *const *)l->column};
    const rg_status status = rg_assembly_create(p->auxiliary, &spec, true, &p->values);
    rg_free(p->ctx, row);
    if (status != RG_OK) return status;
    p->z = rg_alloc(p->ctx, 2 * (size_t)l->n_states + RG_LANES, sizeof *p->z);
    p->all = rg_alloc(p->ctx, (size_t)rows, sizeof *p->all);
    if (p->z == NULL || p->all == NULL) return RG_ERR_MEMORY;
    return rg_assembly_work_create(p->values, &p->work);
}

/* Per column of z: may it change without a derivative, or is it one? */
static rg_status find_algebraic(const rg_poles *p, uint8_t *is_algebraic)
{
    const rg_pattern *pattern = rg_system_pattern(p->s);
    uint8_t *kinds = rg_alloc(p->ctx, (size_t)pattern->start[pattern->n_columns] + 1, 1);

    if (kinds == NULL) return RG_ERR_MEMORY;
    rg_system_entry_kinds(p->s, kinds);
    memset(is_algebraic, 1, 2 * (size_t)p->s->layout.n_states);
    for (int64_t j = 0; j < p->s->layout.n_states; j++)
        for (int64_t e = pattern->start[j]; e < pattern->start[j + 1]; e++)
            if (kinds[e] >= 2) is_algebraic[j] = 0;
    rg_free(p->ctx, kinds);
    return RG_OK;
}

static rg_status choose(rg_poles *p)
{
    const rg_pattern *z = rg_assembly_pattern(p->values);
    const size_t columns = 2 * (size_t)p->s->layout.n_states;
    const int64_t rows = p->auxiliary->n_rows;
    uint8_t *is_algebraic = rg_alloc(p->ctx, columns + 1, 1);

    p->watched = rg_alloc(p->ctx, (size_t)rows, sizeof *p->watched);
    p->state = rg_alloc(p->ctx, (size_t)rows, sizeof *p->state);
    rg_status status = is_algebraic == NULL || p->state == NULL || p->watched == NULL
                           ? RG_ERR_MEMORY
                           : find_algebraic(p, is_algebraic);
    for (int64_t k = 0; k < rows && status == RG_OK; k++)
        p->state[k] = -1;
    for (int64_t j = z->n_columns - 1; j >= 0 && status == RG_OK; j--)
        for (int64_t e = z->start[j]; e < z->start[j + 1] && is_algebraic[j]; e++)
            p->state[z->row[e]] = (int32_t)(j % p->s->layout.n_states);
    for (int64_t k = 0; k < rows && status == RG_OK; k++)
        if (p->state[k] >= 0 || p->kind == RG_POLES_ALL) p->watched[p->n++] = (int32_t)k;
    rg_free(p->ctx, is_algebraic);
    return status;
}

static rg_status fill(rg_poles *p)
{
    const rg_problem *model = p->s->p;

    if ((p->auxiliary = rg_alloc(p->ctx, 1, sizeof *p->auxiliary)) == NULL) return RG_ERR_MEMORY;
    p->auxiliary->ctx = p->ctx;
    p->auxiliary->source = model->source;
    p->auxiliary->n = model->n;
    p->auxiliary->n_families = model->n_families;
    p->auxiliary->families = model->families;
    for (int k = 0; k < model->n_blocks; k++)
        RG_TRY(add_body(p, model->blocks[k].body, k));
    if (p->auxiliary->n_rows == 0) return RG_OK;
    RG_TRY(make_assembly(p));
    return choose(p);
}

rg_status rg_poles_create(const rg_system *s, rg_poles_kind kind, rg_poles **out)
{
    *out = NULL;
    if (s->slide != NULL || s->p->n_blocks == 0) return RG_OK;
    rg_poles *p = rg_alloc(s->p->ctx, 1, sizeof *p);
    if (p == NULL) return RG_ERR_MEMORY;
    p->ctx = s->p->ctx;
    p->s = s;
    p->kind = kind;
    const rg_status status = fill(p);
    if (status == RG_OK && p->n > 0)
        *out = p;
    else
        rg_poles_destroy(&p);
    return status;
}

void rg_poles_destroy(rg_poles **poles)
{
    rg_poles *p = *poles;

    if (p == NULL) return;
    rg_assembly_work_destroy(&p->work);
    rg_assembly_destroy(&p->values);
    for (int k = 0; p->auxiliary != NULL && k < p->auxiliary->n_blocks; k++) {
        rg_free(p->ctx, p->auxiliary->blocks[k].body->outputs);
        rg_free(p->ctx, p->auxiliary->blocks[k].body);
    }
    if (p->auxiliary != NULL) rg_free(p->ctx, p->auxiliary->blocks);
    rg_free(p->ctx, p->auxiliary);
    rg_free(p->ctx, p->origin);
    rg_free(p->ctx, p->peak);
    rg_free(p->ctx, p->z);
    rg_free(p->ctx, p->all);
    rg_free(p->ctx, p->watched);
    rg_free(p->ctx, p->state);
    rg_free(p->ctx, p);
    *poles = NULL;
}

int64_t rg_poles_count(const rg_poles *p)
{
    return p->n;
}

/* exp(u), from RG_POLES_STEEP on as straight line: finite, and not 0 while exp(-u) is finite. */
static double rise(double u)
{
    return u <= RG_POLES_STEEP ? exp(u) : exp(RG_POLES_STEEP) * (1.0 + u - RG_POLES_STEEP);
}

static double value_of(uint8_t kind, double a)
{
    if (!isfinite(a)) return NAN;
    if (kind == EXPONENT) return rise(-a);
    if (kind == SIGMOID) return rise(a * a);
    if (kind == SQUARE) return rise(fabs(a));
    return kind == ARCUS ? 1.0 + a * a : a;
}

rg_status rg_poles_values(rg_poles *p, double t, const double *y, const double *yp, double *values)
{
    const size_t n = (size_t)p->s->layout.n_states;

    memcpy(p->z, y, n * sizeof *y);
    memcpy(p->z + n, yp, n * sizeof *yp);
    const rg_status status = rg_assembly_residual(p->values, p->work, t, p->z, p->all);
    if (status < 0) return status;
    for (int64_t k = 0; k < p->n; k++)
        values[k] = value_of(p->peak[p->watched[k]], p->all[p->watched[k]]);
    return RG_OK;
}

/* Does an output of a graph need a node? */
static bool needs(rg_context *ctx, const rg_graph *graph, rg_node output, rg_node node)
{
    uint8_t *used = rg_alloc(ctx, (size_t)output + 1, 1);

    if (used == NULL || node > output) {
        rg_free(ctx, used);
        return false;
    }
    used[output] = 1;
    for (rg_node k = output; k > node; k--) {
        const rg_graph_node *n = rg_graph_at(graph, k);
        const rg_node below[] = {n->a, n->b, n->c};
        for (int i = 0; i < 3 && used[k] && n->op >= RG_OP_ADD; i++)
            if (below[i] >= 0) used[below[i]] = 1;
    }
    const bool is_used = used[node];
    rg_free(ctx, used);
    return is_used;
}

int rg_poles_name(const rg_poles *p, int64_t k, char *buffer, int size)
{
    const rg_block *blocks = p->auxiliary->blocks;
    int b = p->auxiliary->n_blocks - 1;

    while (b > 0 && p->watched[k] < blocks[b].first_row)
        b--;
    const rg_body *body = blocks[b].body;
    const rg_block *in = &p->s->p->blocks[p->origin[b]];
    const int64_t at = p->watched[k] - blocks[b].first_row;
    int64_t row = in->first_row; /* of a sum: the first equation of its block */
    for (int o = 0; o < in->body->n_outputs && in->body->graph == body->graph; o++)
        if (needs(p->ctx, body->graph, in->body->outputs[o], body->outputs[at / body->count])) {
            row = in->first_row + o * body->count + at % body->count;
            break;
        }
    return rg_row_name(p->s->p, row, 0, buffer, size);
}

bool rg_poles_is_peak(const rg_poles *p, int64_t k)
{
    return p->peak[p->watched[k]] != DENOMINATOR;
}

int64_t rg_poles_state(const rg_poles *p, int64_t k)
{
    return p->state[p->watched[k]];
}
