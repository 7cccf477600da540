/* Equations, their derivatives and exact Jacobians at chosen points: what the numerical part of the
 * analysis looks at.
 *
 * z holds y_j^(r) at r*n + j; row i of level k is k*n_rows + i. */
#ifndef RG_STRUCTURE_SAMPLER_H
#define RG_STRUCTURE_SAMPLER_H

#include "problem/assembly.h"

typedef struct {
    const rg_problem *p;
    int n_levels, n_orders;
    int64_t n_rows, n_columns;
    int32_t *rows, *columns; /* tables of the assembly */
    const int32_t **row_tables, **column_tables;
    rg_assembly *assembly;
    rg_assembly_work *work;
    const rg_pattern *pattern;
    double *z, *F, *J; /* J in pattern order */
    double *unit;      /* per column: what a value that is not known is moved by */
    double t;
    double noise; /* relative error of J: exact derivatives or difference quotients */
} rg_sampler;

rg_status rg_sampler_create(const rg_problem *p, int n_levels, int n_orders, rg_sampler **out);
void rg_sampler_destroy(rg_sampler **s);
/* F and J at (t, z).  RG_RETRY where something is not finite. */
rg_status rg_sampler_eval(rg_sampler *s);

/* Which values a perturbation moves. */
typedef enum { RG_MOVE_NONE, RG_MOVE_OPEN, RG_MOVE_ALL } rg_move; /* open: not to be kept */
/* z: start values (0 where nothing is known), moved at random by about `size`, relative to values
 * that are not 0; with RG_MOVE_ALL the time moves as well, by about size/100 of the interval into
 * it: a rank may be lost at the start time only.  `draw` numbers the point: the same number gives
 * the same point.  Then F and J there; where they cannot be evaluated, smaller moves are tried,
 * and positive ones.  RG_RETRY: nowhere. */
rg_status rg_sampler_visit(rg_sampler *s, rg_move move, double size, int draw);

#endif
