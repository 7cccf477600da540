/* Random expressions, built twice: as a graph, and as plain numbers by a naive evaluation. */
#ifndef RG_TESTS_RANDOM_EXPR_H
#define RG_TESTS_RANDOM_EXPR_H

#include "expr/graph_impl.h"

#include <math.h>
#include <stdint.h>

static uint64_t random_state = 88172645463325252u;

static inline uint32_t random_next(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 20) % below);
}

static inline double random_real(double low, double high)
{
    return low + (high - low) * (double)random_next(1u << 30) / (double)(1u << 30);
}

enum { RANDOM_VARS = 4 };

/* One expression in prefix form: operations, with the number of a variable or a constant at the
 * leaves. */
typedef struct {
    int op, n_args, leaf;
    double value;
} random_item;
typedef struct {
    random_item items[256];
    int size;
} random_expr;

static const int random_ops[] = {
    RG_OP_ADD,  RG_OP_SUB,   RG_OP_MUL,   RG_OP_DIV,  RG_OP_NEG,  RG_OP_POW,  RG_OP_SIN,
    RG_OP_COS,  RG_OP_TAN,   RG_OP_ATAN,  RG_OP_SINH, RG_OP_COSH, RG_OP_TANH, RG_OP_EXP,
    RG_OP_LOG,  RG_OP_SQRT,  RG_OP_ABS,   RG_OP_MIN,  RG_OP_MAX,  RG_OP_ERF,  RG_OP_ADD,
    RG_OP_SUB,  RG_OP_MUL,   RG_OP_ATAN2, RG_OP_IF,   RG_OP_ADD,  RG_OP_SUB,  RG_OP_MUL,
    RG_OP_ASIN, RG_OP_LOG10, RG_OP_MOD,   RG_OP_LT,   RG_OP_ADD,  RG_OP_MUL,  RG_OP_ACOS};

static inline void random_make(random_expr *e, int depth)
{
    static const double constants[] = {0, 1, -1, 2, 0.5, 3, -2, 1.7, 4};
    random_item *x = &e->items[e->size++];

    *x = (random_item){0};
    if (depth == 0 || e->size > 200 || random_next(6) == 0) {
        if (random_next(3) == 0) {
            x->op = RG_OP_CONST;
            x->value = constants[random_next(9)];
        } else {
            x->op = RG_OP_VAR;
            x->leaf = (int)random_next(RANDOM_VARS);
        }
        return;
    }
    x->op = random_ops[random_next(sizeof random_ops / sizeof *random_ops)];
    x->n_args = rg_op_arity((rg_op)x->op);
    for (int k = 0; k < x->n_args; k++)
        random_make(e, depth - 1);
}

/* Points where rounding or the sign of a zero decides, or where a function has an edge, prove
 * nothing. */
static inline bool random_is_edge(int op, const double *arg, double value)
{
    const double near = 1e-7;

    if (!isfinite(value)) return true;
    switch (op) {
    case RG_OP_SQRT:
    case RG_OP_ABS:
    case RG_OP_IF:
        return fabs(arg[0]) < near;
    case RG_OP_ASIN:
    case RG_OP_ACOS:
        return fabs(arg[0]) > 1 - near;
    case RG_OP_POW:
        return arg[0] < near;
    case RG_OP_ATAN2:
        return fabs(arg[0]) < near;
    case RG_OP_LT:
    case RG_OP_MIN:
    case RG_OP_MAX:
        return fabs(arg[0] - arg[1]) < near;
    case RG_OP_MOD:
        return fabs(value) < near || fabs(value - arg[1]) < near;
    default:
        return false;
    }
}

static bool random_edge; /* set by random_value */

static inline double random_value(const random_expr *e, int *at, const double *vars)
{
    const random_item *x = &e->items[(*at)++];
    double arg[3] = {0, 0, 0};

    if (x->op == RG_OP_CONST) return x->value;
    if (x->op == RG_OP_VAR) return vars[x->leaf];
    for (int k = 0; k < x->n_args; k++)
        arg[k] = random_value(e, at, vars);
    const double value = rg_op_value((rg_op)x->op, arg[0], arg[1], arg[2]);
    random_edge = random_edge || random_is_edge(x->op, arg, value);
    return value;
}

static inline rg_node random_graph(const random_expr *e, int *at, rg_graph *g)
{
    const random_item *x = &e->items[(*at)++];
    rg_node arg[3] = {0, 0, 0};

    if (x->op == RG_OP_CONST) return rg_graph_const(g, x->value);
    if (x->op == RG_OP_VAR) return rg_graph_var(g, x->leaf, 0);
    for (int k = 0; k < x->n_args; k++)
        arg[k] = random_graph(e, at, g);
    if (x->n_args == 1) return rg_graph_unary(g, (rg_op)x->op, arg[0]);
    if (x->n_args == 2) return rg_graph_binary(g, (rg_op)x->op, arg[0], arg[1]);
    return rg_graph_if(g, arg[0], arg[1], arg[2]);
}

/* Value of a graph node: VAR(slot, order) is vars[order*RANDOM_VARS + slot]. */
static inline double graph_value(const rg_graph *g, rg_node of, double t, const double *vars,
                                 double *memo)
{
    for (rg_node k = 0; k <= of; k++) {
        const rg_graph_node *n = rg_graph_at(g, k);
        const int arity = rg_op_arity((rg_op)n->op);
        if (n->op == RG_OP_CONST)
            memo[k] = n->value;
        else if (n->op == RG_OP_TIME)
            memo[k] = t;
        else if (n->op == RG_OP_VAR)
            memo[k] = vars[n->order * RANDOM_VARS + n->a];
        else
            memo[k] = rg_op_value((rg_op)n->op, memo[n->a], arity > 1 ? memo[n->b] : 0,
                                  arity > 2 ? memo[n->c] : 0);
    }
    return memo[of];
}

#endif
