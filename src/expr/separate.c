/* Separates time from the rest.  Every node is a sum of at most RG_SEPARATED terms, each a product
 * of powers of functions of time and of a node without time:
 *
 *     a1^m1 a2^m2 ... F
 *
 * Terms with the same powers are joined.  Only what keeps the size of the terms is done: sums are
 * joined, and multiplied or divided by single terms. */
#include "expr/separate.h"

#include "expr/graph_impl.h"
#include "expr/ops.h"

#include <string.h>

enum { FACTORS = 4 };

typedef struct {
    int n;
    rg_node base[FACTORS]; /* rising */
    int power[FACTORS];
    rg_node rest; /* F */
} term;

typedef struct {
    int n; /* 0: it cannot be separated */
    term of[RG_SEPARATED];
} sum;

static bool is_time_only(const rg_graph_node *n)
{
    return !(n->depends & (RG_DEP_VAR | RG_DEP_DATA | RG_DEP_SUM | RG_DEP_SEED));
}

static bool has_same_powers(const term *a, const term *b)
{
    return a->n == b->n && memcmp(a->base, b->base, (size_t)a->n * sizeof *a->base) == 0
           && memcmp(a->power, b->power, (size_t)a->n * sizeof *a->power) == 0;
}

/* A factor base^power; false: there are too many, or it vanishes and with it its pole. */
static bool add_factor(term *to, rg_node base, int power)
{
    int k = 0;

    while (k < to->n && to->base[k] < base)
        k++;
    if (k < to->n && to->base[k] == base) return (to->power[k] += power) != 0;
    if (to->n == FACTORS) return false;
    for (int m = to->n++; m > k; m--) {
        to->base[m] = to->base[m - 1];
        to->power[m] = to->power[m - 1];
    }
    to->base[k] = base;
    to->power[k] = power;
    return true;
}

static bool add_term(rg_graph *g, sum *to, const term *t)
{
    for (int k = 0; k < to->n; k++)
        if (has_same_powers(&to->of[k], t)) {
            to->of[k].rest = rg_graph_binary(g, RG_OP_ADD, to->of[k].rest, t->rest);
            return true;
        }
    if (to->n == RG_SEPARATED) return false;
    to->of[to->n++] = *t;
    return true;
}

/* a + b or a - b */
static bool join(rg_graph *g, const sum *a, const sum *b, bool minus, sum *out)
{
    *out = *a;
    for (int k = 0; k < b->n; k++) {
        term t = b->of[k];
        if (minus) t.rest = rg_graph_unary(g, RG_OP_NEG, t.rest);
        if (!add_term(g, out, &t)) return false;
    }
    return true;
}

/* a b (or a/b), where b has one term. */
static bool scale(rg_graph *g, const sum *a, const sum *b, bool divide, sum *out)
{
    const term *by = &b->of[0];

    out->n = 0;
    if (b->n != 1) return false;
    for (int k = 0; k < a->n; k++) {
        term t = a->of[k];
        for (int m = 0; m < by->n; m++)
            if (!add_factor(&t, by->base[m], divide ? -by->power[m] : by->power[m])) return false;
        t.rest = rg_graph_binary(g, divide ? RG_OP_DIV : RG_OP_MUL, t.rest, by->rest);
        if (!add_term(g, out, &t)) return false;
    }
    return true;
}

/* a^n of one term, n a small integer. */
static bool raise(rg_graph *g, const sum *a, rg_node exponent, sum *out)
{
    const rg_graph_node *n = rg_graph_at(g, exponent);

    if (a->n != 1 || n->op != RG_OP_CONST || !rg_is_small_integer(n->value)) return false;
    const int power = (int)n->value;
    *out = *a;
    for (int m = 0; m < out->of[0].n; m++)
        out->of[0].power[m] *= power;
    out->of[0].rest = rg_graph_binary(g, RG_OP_POW, out->of[0].rest, exponent);
    return power != 0;
}

/* The node from its arguments; false: no rule holds. */
static bool combine(rg_graph *g, const rg_graph_node *n, const sum *a, const sum *b, sum *out)
{
    const sum zero = {.n = 0};

    if (a == NULL || a->n == 0) return false;
    switch (n->op) {
    case RG_OP_NEG:
        return join(g, &zero, a, true, out);
    case RG_OP_ADD:
    case RG_OP_SUB:
        return b->n > 0 && !is_time_only(n) && join(g, a, b, n->op == RG_OP_SUB, out);
    case RG_OP_MUL:
        return scale(g, a, b, false, out) || scale(g, b, a, false, out);
    case RG_OP_DIV:
        return scale(g, a, b, true, out);
    case RG_OP_POW:
        return raise(g, a, n->b, out);
    default:
        return false;
    }
}

static void separate(rg_graph *g, rg_node node, const sum *list, sum *out)
{
    const rg_graph_node n = *rg_graph_at(g, node); /* the nodes may move as others are made */
    const int arity = rg_op_arity((rg_op)n.op);

    *out = (sum){.n = 1, .of = {{.rest = node}}};
    if (!(n.depends & RG_DEP_TIME)) return;
    if (arity > 0
        && combine(g, &n, &list[g->memo[n.a]], arity > 1 ? &list[g->memo[n.b]] : NULL, out))
        return;
    *out = (sum){.n = 0};
    if (is_time_only(&n))
        *out = (sum){
            .n = 1, .of = {{.n = 1, .base = {node}, .power = {1}, .rest = rg_graph_const(g, 1.0)}}};
}

static rg_node product_of(rg_graph *g, const term *t)
{
    rg_node all = rg_graph_const(g, 1.0);

    for (int m = 0; m < t->n; m++) {
        const rg_node power = rg_graph_const(g, (double)t->power[m]);
        all = rg_graph_binary(g, RG_OP_MUL, all, rg_graph_binary(g, RG_OP_POW, t->base[m], power));
    }
    return all;
}

rg_status rg_graph_separate(rg_graph *g, rg_node of, rg_separation *out)
{
    const int32_t count = rg_graph_walk(g, 1, &of, 0);

    out->n = 0;
    if (count <= 0) return rg_graph_status(g);
    sum *list = rg_alloc(g->ctx, (size_t)count, sizeof *list);
    if (list == NULL) return RG_ERR_MEMORY;
    for (int32_t k = 0; k < count; k++) {
        g->memo[g->order[k]] = k;
        separate(g, g->order[k], list, &list[k]);
    }
    const sum *all = &list[count - 1];
    for (int k = 0; k < all->n; k++) {
        out->a[k] = product_of(g, &all->of[k]);
        out->F[k] = all->of[k].rest;
    }
    out->n = all->n;
    rg_free(g->ctx, list);
    return rg_graph_status(g);
}
