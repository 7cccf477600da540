/* A comparison has rows of several methods for one problem.  solve/compare.c fills it, reports
 * read it. */
#ifndef RG_SOLUTION_COMPARISON_H
#define RG_SOLUTION_COMPARISON_H

#include "problem/problem.h"

enum { RG_COMPARE_COLUMNS = 8 };

struct rg_comparison {
    rg_context *ctx;
    const rg_problem *problem;
    int n_wanted, n_rows; /* rows asked for, and made */
    rg_compare_row *row;  /* n_wanted */
    double *errors;       /* n_wanted rows with one entry per unknown, NaN: not known */
    char against[32];     /* "exact", "nothing" or a method */
    bool has_table; /* points are what was asked for; row by row, time by time, iterates last */
    int64_t n_points, point_capacity;
    rg_compare_point *points;
    int n_columns, column[RG_COMPARE_COLUMNS]; /* of the table: numbers of rg_compare_columns */
};

/* Names of the columns that a table may have. */
enum { RG_COLUMN_ERROR, RG_COLUMN_BY, RG_COLUMN_G, RG_COLUMN_RATE, RG_COLUMN_ITERATIONS };
extern const char *const rg_compare_columns[RG_COMPARE_COLUMNS];

/* Room for so many rows; errors are NaN. */
rg_status rg_comparison_create(const rg_problem *p, int n_wanted, rg_comparison **out);

#endif
