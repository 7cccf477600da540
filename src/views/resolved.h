/* Can functions of time in the equations do something in an interval that is much shorter than
 * the interval?
 *
 * Ranges of all functions of time are followed through the expressions, from that of t on (interval
 * arithmetic).  A function of the language has no short features where its argument changes little:
 *
 *     exp, sin, tanh, ...    by RG_RESOLVED_CHANGE at most
 *     1/v, sqrt, log, v^p    v keeps its sign, and |p| log(max/min |v|) is as small
 *     v^p, p = 0, 1, ...     v anything, up to the degree RG_RESOLVED_DEGREE
 *
 * and sums and products have those of their terms.  What is not known (tables, branches that are
 * not decided, functions of time and unknowns together, callbacks) counts as not resolved: then
 * somebody has to look.  Unknowns themselves are not looked at. */
#ifndef RG_VIEWS_RESOLVED_H
#define RG_VIEWS_RESOLVED_H

#include "problem/problem.h"

typedef struct rg_resolved rg_resolved;

rg_status rg_resolved_create(const rg_problem *p, rg_resolved **out);
void rg_resolved_destroy(rg_resolved **r);
/* From a to b, in either order: true where there are no short features. */
bool rg_resolved_between(rg_resolved *r, double a, double b);
/* The same of functions of time alone, whatever they meet in the equations. */
bool rg_resolved_alone_between(rg_resolved *r, double a, double b);
/* The same of functions of time alone, with those that are not known told apart: tables, and jumps
 * that the interval does not decide.  abs, min and max have their range on both branches. */
typedef enum { RG_RESOLVED, RG_RESOLVED_UNKNOWN, RG_RESOLVED_NOT } rg_resolved_kind;
rg_resolved_kind rg_resolved_look(rg_resolved *r, double a, double b);
/* How many ranges of t one of these follows: 1 per iteration of a body. */
int64_t rg_resolved_count(const rg_resolved *r);

#endif
