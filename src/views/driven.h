/* Functions of time that reach, through algebraic unknowns, a function with narrow peaks:
 *
 *     vs = 2*sin(t),    ud = vs - v,    i = exp(ud/0.025) - 1
 *
 * is exp of time and a state, as if it were written in one equation. */
#ifndef RG_VIEWS_DRIVEN_H
#define RG_VIEWS_DRIVEN_H

#include "expr/graph.h"
#include "problem/problem.h"

typedef struct rg_driven rg_driven;

/* May the function be large at one time and 0 at others while its arguments move slowly? */
bool rg_driven_peaks(const rg_graph *g, const rg_graph_node *n);

rg_status rg_driven_create(const rg_problem *p, rg_driven **out);
void rg_driven_destroy(rg_driven **d);
/* Does time meet unknowns in a function with peaks anywhere? */
bool rg_driven_any(const rg_driven *d);
/* Do functions of time in this equation drive unknowns inside of one?  output -1: in any equation
 * of the block. */
bool rg_driven_is_inside(const rg_driven *d, int block, int output);

#endif
