/* rg_comparison: rows of several methods for one problem.  solve/compare.c fills it, reports
 * read it. */
#ifndef RG_SOLUTION_COMPARISON_H
#define RG_SOLUTION_COMPARISON_H

#include "problem/problem.h"

struct rg_comparison {
    rg_context *ctx;
    const rg_problem *problem;
    int n_wanted, n_rows; /* rows asked for, and made */
    rg_compare_row *row;  /* n_wanted */
    double *errors;       /* n_wanted rows with one entry per unknown, NaN: not known */
    char against[32];     /* "exact", "nothing" or a method */
};

/* Room for so many rows; errors are NaN. */
rg_status rg_comparison_create(const rg_problem *p, int n_wanted, rg_comparison **out);

#endif
