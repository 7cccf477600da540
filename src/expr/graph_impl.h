/* Inside of the expression graph, shared by the files of this folder only. */
#ifndef RG_EXPR_GRAPH_IMPL_H
#define RG_EXPR_GRAPH_IMPL_H

#include "expr/graph.h"

struct rg_graph {
    rg_context *ctx;
    rg_status status;
    int32_t size, capacity;
    rg_graph_node *nodes; /* arguments always have smaller numbers than the node that uses them */
    int32_t *table;       /* open addressing, node + 1; 0: free */
    uint32_t table_size;  /* a power of two */
    int32_t known[2];     /* the constants 0 and 1, node + 1; 0: not asked for yet */

    /* Scratch of the walks; grown before a walk, nodes made later are not part of it. */
    uint32_t epoch, *stamp;
    int32_t *memo;  /* per node: meaning belongs to the walk's user */
    int32_t *order; /* result of rg_graph_walk */
    int32_t *stack;
    int32_t scratch;    /* nodes that stamp, memo and order have room for */
    int64_t stack_size; /* entries that stack has room for */
};

/* The node, found or added.  Negative when memory or the limit ran out. */
rg_node rg_graph_intern(rg_graph *g, rg_op op, int order, const int32_t args[3], double value);
rg_node rg_graph_intern_table(rg_graph *g, rg_op op, int order, const int32_t args[3],
                              const struct rg_table *table);
/* Lists the nodes below the roots whose `depends` meets mask (mask 0: all), arguments before users,
 * in g->order; returns how many, or -1.  The memo of the listed nodes is free to use afterwards. */
int32_t rg_graph_walk(rg_graph *g, int n_roots, const rg_node *roots, unsigned mask);

/* Derivative of a node from those of its arguments; linear in d. */
rg_node rg_graph_apply_rule(rg_graph *g, rg_node node, const rg_node d[3]);
/* The same where the arguments have theirs in g->memo; those outside the mask have none. */
rg_node rg_graph_slope(rg_graph *g, rg_node node, unsigned mask);

/* How many arguments an operation has. */
int rg_op_arity(rg_op op);
/* The value of an operation on numbers, and of one from a table. */
double rg_op_value(rg_op op, double a, double b, double c);
double rg_op_table_value(rg_op op, const struct rg_table *table, int order, double a, double b);

#endif
