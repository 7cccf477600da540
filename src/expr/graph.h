/* Expression graph: hash-consed nodes, simplified as they are made; partial and total derivatives.
 *
 * A graph belongs to one body (a scalar group, the body of a `for`, or the term of a sum).  Leaves:
 *   CONST            a number
 *   TIME             the independent variable
 *   VAR(slot, order) derivative `order` of the unknown that slot points at in the current iteration
 *   SUM(sum, order)  derivative `order` of the value of the body's sum number `sum`
 *   DATA(slot)       a number that differs from iteration to iteration (loop index, array
 *                    parameter)
 *   SEED(slot)       a factor given per iteration (chain rule through sums); see problem/assembly
 * Nothing else depends on the iteration, so one graph serves the whole index range. */
#ifndef RG_EXPR_GRAPH_H
#define RG_EXPR_GRAPH_H

#include "base/base.h"

/* A number of a node; negative: an allocation failed (the graph remembers: rg_graph_status). */
typedef int32_t rg_node;

typedef enum {
    RG_OP_CONST,
    RG_OP_TIME,
    RG_OP_VAR,
    RG_OP_SUM,
    RG_OP_DATA,
    RG_OP_SEED,
#define RG_OPERATOR(id, ...) RG_OP_##id,
#include "expr/ops.def" /* from RG_OP_ADD on; > and >= are < and <=, arguments swapped */
    RG_OP_COUNT
} rg_op;

typedef enum {                     /* where an operation with arguments a and b is not smooth */
               RG_KINK_NONE,       /* smooth wherever it is finite                            */
               RG_KINK_SIGN,       /* where a changes its sign                                */
               RG_KINK_EQUAL,      /* where a - b changes its sign                            */
               RG_KINK_LESS,       /* where a < b changes                                     */
               RG_KINK_LESS_EQUAL, /* where a <= b changes                                    */
               RG_KINK_FLOOR,      /* where a/b passes a whole number                         */
               RG_KINK_LOGIC,      /* where the comparisons below it change                   */
               RG_KINK_CONDITION   /* where the condition a changes between zero and not zero */
} rg_kink;

rg_kink rg_op_kink(rg_op op);
/* The name of a function of the language, or what an operator makes ("a product"). */
const char *rg_op_name(rg_op op);
/* Is the value of an operation true (1) or false (0)? */
static inline bool rg_op_is_truth(int op)
{
    return op >= RG_OP_LT && op <= RG_OP_NOT;
}

/* A function from a table (expr/table.h)? */
static inline bool rg_op_is_table(int op)
{
    return op >= RG_OP_PIECE && op <= RG_OP_POSITION;
}

typedef struct {
    uint8_t op;      /* rg_op */
    uint8_t depends; /* RG_DEP_*, union over the subgraph */
    int16_t order;   /* VAR, SUM, tables: order of the derivative */
    int32_t a, b, c; /* arguments, or a = slot / sum number; -1: none */
    union {
        double value;                 /* CONST */
        const struct rg_table *table; /* functions from tables; the problem's */
    };
} rg_graph_node;

enum {
    RG_DEP_VAR = 1,
    RG_DEP_TIME = 2,
    RG_DEP_DATA = 4,
    RG_DEP_SUM = 8,
    RG_DEP_SEED = 16,
    RG_DEP_KINK = 32, /* abs sign min max mod if of something that moves */
    RG_DEP_NODES = 64 /* a table of time whose nodes are no switches */
};

typedef struct rg_graph rg_graph;

rg_status rg_graph_create(rg_context *ctx, rg_graph **out);
/* The same nodes with the same numbers.  The graphs of a problem are constant: who derives, walks
 * or compiles works on a copy of its own, so that several threads can do so at the same time. */
rg_status rg_graph_copy(rg_context *ctx, const rg_graph *from, rg_graph **out);
void rg_graph_destroy(rg_graph **g);
/* RG_OK, RG_ERR_MEMORY or RG_ERR_STRUCTURE (more than RG_GRAPH_LIMIT nodes), message set. */
enum { RG_GRAPH_LIMIT = 20 * 1000 * 1000 };
rg_status rg_graph_status(const rg_graph *g);
int32_t rg_graph_size(const rg_graph *g);
const rg_graph_node *rg_graph_at(const rg_graph *g, rg_node node);

rg_node rg_graph_const(rg_graph *g, double value);
rg_node rg_graph_time(rg_graph *g);
rg_node rg_graph_var(rg_graph *g, int32_t slot, int order);
rg_node rg_graph_sum(rg_graph *g, int32_t sum, int order);
rg_node rg_graph_data(rg_graph *g, int32_t slot);
rg_node rg_graph_seed(rg_graph *g, int32_t slot);
/* Simplified: constants folded (only if the result is finite), 0*x, 1*x, x+0, x-x, x^1, x^0, --x,
 * if with constant condition or equal branches; never introduces a pole that the original has
 * not. */
rg_node rg_graph_unary(rg_graph *g, rg_op op, rg_node a);
rg_node rg_graph_binary(rg_graph *g, rg_op op, rg_node a, rg_node b);
rg_node rg_graph_if(rg_graph *g, rg_node condition, rg_node then, rg_node otherwise);
/* weight * one + (1 - weight) * zero; where the weight is 1 or 0 the other one may be undefined. */
rg_node rg_graph_blend(rg_graph *g, rg_node weight, rg_node one, rg_node zero);

/* Operation PIECE, SEGMENT, INTERVAL or POSITION of a table (ops.def), derivative `order`; b is
 * the segment of PIECE, else -1. */
rg_node rg_graph_table(rg_graph *g, rg_op op, int order, const struct rg_table *table, rg_node a,
                       rg_node b);
/* The operation of a node that is none of the leaves, on other arguments. */
rg_node rg_graph_again(rg_graph *g, const rg_graph_node *n, const rg_node arguments[3]);

/* Partial derivative with respect to the leaf `leaf` (a VAR or SUM node). */
rg_node rg_graph_partial(rg_graph *g, rg_node of, rg_node leaf);
/* The same for n leaves at once, all of them below `of` (as rg_graph_leaves lists them). */
rg_status rg_graph_gradient(rg_graph *g, rg_node of, int32_t n, const rg_node *leaves,
                            rg_node *partials);
/* Total derivative: VAR and SUM raise their order, TIME has derivative 1, DATA 0. */
rg_node rg_graph_total(rg_graph *g, rg_node of);
/* The value of a node, and its rounding in units of eps; leaf: the value of a leaf that is no
 * number, exact. */
typedef double rg_leaf_value_fn(const void *user, const rg_graph_node *leaf);
rg_status rg_graph_weigh(rg_graph *g, rg_node of, rg_leaf_value_fn *leaf, const void *user,
                         double *value, double *rounding);
/* VAR and SUM leaves below a node, in a stable order.  Fills at most `limit`, returns how many
 * there are. */
int32_t rg_graph_leaves(rg_graph *g, rg_node of, int32_t limit, rg_node *leaves);
/* The same on a copy of the graph, for messages: 0 where memory runs out. */
int32_t rg_graph_leaves_once(rg_context *ctx, const rg_graph *g, rg_node of, int32_t limit,
                             rg_node *leaves);

#endif
