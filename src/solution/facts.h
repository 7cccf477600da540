/* What is known about a problem: what solvers fill in and reports write. */
#ifndef RG_SOLUTION_FACTS_H
#define RG_SOLUTION_FACTS_H

#include "solution/grid.h"
#include "solution/solution.h"

typedef struct { /* what is known; arrays belong to the problem */
    const rg_problem *problem;
    bool has_structure;
    rg_structure structure;
    int perturbation_index;        /* 0: not known */
    bool is_structural;            /* offsets tell all; otherwise the rank was found numerically */
    const int32_t *times;          /* per equation: how often it is differentiated */
    const uint8_t *redundant;      /* per equation, or NULL */
    const int32_t *variable_index; /* per unknown */
    int64_t largest_block;
    const int32_t *largest_unknowns; /* of the largest block, or NULL */
    /* the signature matrix by rows, and the block form; NULL: not known */
    const int64_t *sigma_start, *block_start;
    const int32_t *sigma_column, *row_order, *column_order;
    const int8_t *sigma_order;
    int64_t n_blocks;

    int start_orders;     /* consistent values of orders 0 .. start_orders-1; 0: none yet */
    double *const *start; /* [order][unknown] */
    const char *method;   /* the one that will run, or NULL */
    bool is_reduced;      /* on the reduced model */
    bool is_stabilized;   /* on the stabilized model */
    int64_t n_conditions; /* boundary conditions */
    bool has_grid;        /* fields on a grid: */
    rg_grid_facts grid;
} rg_facts;

#endif
