/* What a table of a comparison shows of one run: compare.c makes the runs. */
#ifndef RG_SOLVE_COMPARE_TABLE_H
#define RG_SOLVE_COMPARE_TABLE_H

#include "solution/comparison.h"
#include "solution/solution.h"

/* The model as x' = f - B y, 0 = g, for forces and residuals. */
typedef struct rg_compare_view rg_compare_view;

/* *out NULL without a failure: the model is not of that form. */
rg_status rg_compare_view_create(const rg_problem *p, rg_compare_view **out);
void rg_compare_view_destroy(rg_compare_view **view);

typedef struct {
    int row, iteration;           /* of the comparison; of the iterates of a run, or 0 */
    const rg_solution *solution;  /* with RG_KEEP_STEPS */
    const rg_solution *reference; /* likewise; NULL: the exact solution of the model, or none */
    bool is_fixed;                /* a fixed step: values of mesh points */
} rg_compare_spot;

/* At a time, or the largest over all mesh points behind the start.  v NULL: unknowns only. */
rg_status rg_compare_measure(rg_compare_view *v, const rg_compare_spot *spot, double at,
                             rg_compare_point *out);
rg_status rg_compare_measure_all(rg_compare_view *v, const rg_compare_spot *spot,
                                 rg_compare_point *out);

#endif
