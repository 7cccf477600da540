/* A function of one argument from a table: nodes x[0] < x[1] < ... with the values y[k].
 *
 *     linear    continuous, kinks at the nodes
 *     monotone  continuous derivative, no overshoot: piecewise cubic with limited slopes
 *     smooth    continuous second derivative: cubic spline, natural or periodic
 *     steps     the value of the last node at or below the argument
 *
 * How it is evaluated stands in ops.def, which generated code shares.  A table never changes, so
 * threads share it; graphs and tapes borrow it from the problem. */
#ifndef RG_EXPR_TABLE_H
#define RG_EXPR_TABLE_H

#include "expr/graph.h"
#include "expr/ops.h"

typedef enum {
    RG_TABLE_LINEAR,
    RG_TABLE_MONOTONE,
    RG_TABLE_SMOOTH,
    RG_TABLE_STEPS,
    RG_TABLE_KINDS
} rg_table_kind;
typedef enum { RG_BEYOND_ERROR, RG_BEYOND_HOLD, RG_BEYOND_REPEAT, RG_BEYOND_COUNT } rg_beyond;

typedef struct rg_table {
    rg_context *ctx;
    char *name; /* owned */
    int number; /* of the table in its model: names it in generated code */
    rg_table_kind kind;
    rg_beyond beyond;
    bool jumps;         /* the value itself jumps at some node */
    uint64_t grid;      /* equal for tables whose segments are the same */
    rg_table_data data; /* its arrays are owned */
} rg_table;

/* The words of the language. */
const char *rg_table_kind_word(rg_table_kind kind);
const char *rg_beyond_word(rg_beyond beyond);
/* Derivatives that exist between the nodes and are integrable over them: those that a constraint
 * may be differentiated. */
int rg_table_derivatives(rg_table_kind kind);

/* At least two nodes, rising and finite; a smooth table that repeats ends with the value that it
 * begins with (the caller has looked). */
typedef struct {
    const char *name;
    int number, n;
    rg_table_kind kind;
    rg_beyond beyond;
    const double *x, *y;
} rg_table_spec;
rg_status rg_table_create(rg_context *ctx, const rg_table_spec *spec, rg_table **out);
void rg_table_destroy(rg_table **table);
/* The polynomials of all segments (table_pieces.c). */
rg_status rg_table_pieces(rg_context *ctx, const rg_table_spec *spec, double *c);

/* A table below a node that has no derivatives for `more` of that node: its polynomials have them,
 * but they leave out what the nodes do.  NULL: there is none. */
const rg_table *rg_table_rough(const rg_graph *g, rg_node of, int more);
/* The kinds that have n derivatives, as words for messages. */
const char *rg_table_kinds_with(int n);

/* f(a), with the switches that the kind needs. */
rg_node rg_table_node(rg_graph *g, const rg_table *table, rg_node a);

#endif
