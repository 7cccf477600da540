/* Looking at nodes, and what the files of the simplifier share. */
#ifndef RG_EXPR_SIMPLIFY_H
#define RG_EXPR_SIMPLIFY_H

#include "expr/graph_impl.h"

/* -a, and a + sign b, simplified (simplify_sum.c). */
rg_node rg_simplify_neg(rg_graph *g, rg_node a);
rg_node rg_simplify_sum(rg_graph *g, rg_node a, rg_node b, double sign);

static inline const rg_graph_node *at(const rg_graph *g, rg_node n)
{
    return &g->nodes[n];
}

static inline bool is_op(const rg_graph *g, rg_node n, rg_op op)
{
    return g->nodes[n].op == op;
}

static inline bool is_const(const rg_graph *g, rg_node n, double value)
{
    return is_op(g, n, RG_OP_CONST) && at(g, n)->value == value;
}

static inline bool is_number(const rg_graph *g, rg_node n)
{
    return is_op(g, n, RG_OP_CONST);
}

static inline bool is_truth(const rg_graph *g, rg_node n)
{
    const int op = at(g, n)->op;
    return rg_op_is_truth(op) || is_const(g, n, 0) || is_const(g, n, 1);
}

static inline rg_node raw(rg_graph *g, rg_op op, rg_node a, rg_node b)
{
    return rg_graph_intern(g, op, 0, (int32_t[]){a, b, -1}, 0.0);
}

static inline rg_node ordered(rg_graph *g, rg_op op, rg_node a, rg_node b)
{
    return a <= b ? raw(g, op, a, b) : raw(g, op, b, a);
}

/* c * x with the number written as a factor, c x -> (c, x), -x -> (-1, x). */
typedef struct {
    double factor;
    rg_node base;
} term;

static inline term term_of(const rg_graph *g, rg_node n)
{
    const rg_graph_node *x = at(g, n);
    if (x->op == RG_OP_NEG) return (term){-1.0, x->a};
    if (x->op == RG_OP_MUL && is_number(g, x->a)) return (term){at(g, x->a)->value, x->b};
    return (term){1.0, n};
}

static inline rg_node scaled(rg_graph *g, double factor, rg_node base)
{
    return rg_graph_binary(g, RG_OP_MUL, rg_graph_const(g, factor), base);
}

#endif
