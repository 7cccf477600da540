/* Units are absolute tolerances of single unknowns, as the ratio atol/rtol, which stays the same
 * where a run changes its tolerance.  They come from the model (var x atol 1e-12), from the option
 * atol, or from the size that an unknown has in a run (solve/sizes.h). */
#ifndef RG_PROBLEM_UNITS_H
#define RG_PROBLEM_UNITS_H

#include "problem/problem.h"

typedef struct rg_units {
    const rg_family *families;      /* of the problem that they belong to */
    int64_t n;                      /* unknowns */
    double *unit[RG_MAX_ORDER + 1]; /* [order][unknown]; NaN: none; NULL: none at all */
} rg_units;

/* What model and options give; *out is NULL where that is one atol for all.  RG_ERR_ARGUMENT: a
 * name is none of the model. */
rg_status rg_units_create(const rg_problem *p, const rg_options *o, rg_units **out);
/* None at all. */
rg_status rg_units_create_empty(const rg_problem *p, rg_units **out);
rg_status rg_units_copy(rg_context *ctx, const rg_units *u, rg_units **out);
void rg_units_destroy(rg_context *ctx, rg_units **u);
rg_status rg_units_set(rg_context *ctx, rg_units *u, int64_t unknown, int order, double unit);
/* Of derivative `order`: its own, or that of the next lower one that has any; NaN: none. */
double rg_units_at(const rg_units *u, int64_t unknown, int order);

#endif
