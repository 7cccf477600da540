/* Where the argument of a table without an answer beyond its ends has come to one of them: for
 * messages of runs whose values are not finite. */
#ifndef RG_PROBLEM_TABLE_ENDS_H
#define RG_PROBLEM_TABLE_ENDS_H

#include "expr/table.h"
#include "problem/problem.h"

/* Derivative `order` of an unknown. */
typedef double rg_unknown_fn(void *user, int64_t unknown, int order);

typedef struct {
    const rg_table *table; /* NULL: none is at its end */
    double argument;
    int64_t row; /* the equation */
} rg_table_end;

/* The argument that lies farthest beyond an end, or nearest to one. */
rg_status rg_problem_table_end(const rg_problem *p, double t, rg_unknown_fn *value, void *user,
                               rg_table_end *out);

#endif
