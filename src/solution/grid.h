/* What reports say about fields on a grid, filled by src/pdae and by runs on grids. */
#ifndef RG_SOLUTION_GRID_H
#define RG_SOLUTION_GRID_H

#include "base/base.h"

enum { RG_GRID_TEXT = 96, RG_GRID_LINES = 24 };

typedef struct { /* of one scalar that is carried: amounts in the domain and through its sides */
    char name[RG_GRID_TEXT];
    double start, in, out, end, defect;
} rg_grid_balance;

typedef struct { /* error of one field against its exact solution, over the output times */
    char name[RG_GRID_TEXT];
    double largest, l2;
} rg_grid_error;

typedef struct {
    int dims;
    int64_t cells[3];
    char axis[3][RG_GRID_TEXT];
    double narrowest[3], widest[3]; /* cells */
    int64_t unknowns, dof;
    int index;
    bool is_steady; /* one solve, no time */
    int n_forms;
    char form[RG_GRID_LINES][RG_GRID_TEXT];         /* "momentum", "transport", ... */
    char equation[RG_GRID_LINES][2 * RG_GRID_TEXT]; /* the same with field and line, for the eye */
    int n_solvers;
    char solver[RG_GRID_LINES][RG_GRID_TEXT]; /* of the linear systems of a run */
    int64_t iterations;                       /* of these; -1: direct, or not known */
    double cell_reynolds;                     /* NaN: not known */
    int n_balances, n_errors;
    rg_grid_balance balance[RG_GRID_LINES];
    rg_grid_error error[RG_GRID_LINES];
    double memory;           /* bytes that a run needs, expected */
    double seconds_per_step; /* expected from a few steps on a smaller grid; NaN: not known */
    char trouble[4 * RG_GRID_TEXT]; /* why the method of the model cannot run; "": it can */
    double drift;                   /* largest |div u - q|; NaN: no constraint */
    bool has_extrapolated;          /* values of outputs from this grid and a coarser one */
    double *extrapolated;           /* one per column, NULL: none */
} rg_grid_facts;

#endif
