/* Assembly: chosen equations and derivatives of equations as one sparse system  F(t, z) = 0.
 *
 * Rows: pairs (equation, level): the level-th total time derivative of the equation.
 * Columns: pairs (unknown, order): the order-th derivative of the unknown, numbered by the caller.
 * Everything that evaluates equations is an assembly: the residual of an integrator (z = y, y'),
 * the derivative array of the index analysis, the start value problem, the drift of hidden
 * constraints. */
#ifndef RG_PROBLEM_ASSEMBLY_H
#define RG_PROBLEM_ASSEMBLY_H

#include "linalg/pattern.h"
#include "problem/problem.h"

typedef struct {
    int n_levels;              /* levels 0 .. n_levels-1                                         */
    int n_orders;              /* orders 0 .. n_orders-1                                         */
    int64_t n_columns;         /* size of z                                                      */
    const int32_t *const *row; /* [level][equation]: row of F, or -1: not wanted;         */
                               /* row[level] == NULL: none of that level                  */
    int64_t n_rows;
    const int32_t *const *column; /* [order][unknown]: place in z, or -1: must not occur     */
                                  /* (creation fails with RG_ERR_ARGUMENT if it does)        */
} rg_assembly_spec;

typedef struct rg_assembly rg_assembly;

/* with_jacobian false: residual only (pattern is NULL then).  Callback problems have level 0 and
 * orders 0, 1. */
rg_status rg_assembly_create(const rg_problem *p, const rg_assembly_spec *spec, bool with_jacobian,
                             rg_assembly **out);
/* The same with the Jacobian in part of the columns only, is_wanted[column]: the other entries are
 * neither computed nor in the pattern, unless they belong to a loop that has wanted ones too. */
rg_status rg_assembly_create_part(const rg_problem *p, const rg_assembly_spec *spec,
                                  const uint8_t *is_wanted, rg_assembly **out);
/* The same once more for another handle of its problem, p, in a context of its own: it borrows what
 * `from` has compiled, which must live longer.  Not of callback problems. */
rg_status rg_assembly_share(const rg_assembly *from, const rg_problem *p, rg_assembly **out);
void rg_assembly_destroy(rg_assembly **a);
const rg_pattern *rg_assembly_pattern(const rg_assembly *a);
/* Is the Jacobian the same at all points?  Callbacks: not known, so no. */
bool rg_assembly_is_linear(const rg_assembly *a);
/* Rows with their Jacobian in part of the columns: are they linear in these, all together?  false:
 * not known. */
bool rg_assembly_is_linear_there(const rg_assembly *a);
/* The same of all columns from this one on.  Branches may depend on them all the same. */
bool rg_assembly_is_linear_from(const rg_assembly *a, int64_t column);

/* A workspace per thread. */
typedef struct rg_assembly_work rg_assembly_work;
rg_status rg_assembly_work_create(const rg_assembly *a, rg_assembly_work **out);
void rg_assembly_work_destroy(rg_assembly_work **w);

/* RG_RETRY where a value is not finite or the callback says so; RG_ERR_CALLBACK if it aborts. */
rg_status rg_assembly_residual(const rg_assembly *a, rg_assembly_work *w, double t, const double *z,
                               double *F);
/* Values in pattern order; F may be NULL. */
rg_status rg_assembly_jacobian(const rg_assembly *a, rg_assembly_work *w, double t, const double *z,
                               double *F, double *J);
/* The same into an array of the workspace, where constant entries are filled once: asked for by
 * rg_assembly_work_keep(), only to be read, until the next call. */
rg_status rg_assembly_work_keep(const rg_assembly *a, rg_assembly_work *w);
rg_status rg_assembly_jacobian_kept(const rg_assembly *a, rg_assembly_work *w, double t,
                                    const double *z, double *F, const double **J);

#endif
