/* A run from the start of the interval to its end, behind rg_solve(). */
#ifndef RG_SOLVE_RUN_H
#define RG_SOLVE_RUN_H

#include "problem/units.h"
#include "solution/solution.h"
#include "solve/keeper.h"

/* An initial value problem; the request has been checked.  *out is NULL before, and holds what was
 * computed afterwards, also after a failure. */
rg_status rg_run_solve(const rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                       rg_solution **out);

/* One run of these. */
typedef struct {
    rg_units *given;   /* by model and options; NULL: none */
    bool is_last;      /* nobody asks for the units that follow */
    char note[512];    /* a warning of the run; "": none */
    rg_keeper *keeper; /* its checkpoints; NULL: none */
    rg_units *failed;  /* of a run before that failed: units as large will fail again; NULL: none */
    bool passes_zero;  /* afterwards: it has failed, perhaps because large values pass 0, */
    bool is_noise;     /* ... by noise: values are far above their units, or its second run has */
    bool has_grown;    /* afterwards: an unknown has grown by itself from values of few digits */
    rg_units *next;    /* afterwards: what the sizes of the unknowns ask for; NULL: nothing */
    char names[256];   /* of these unknowns, with values of atol */
} rg_attempt;
rg_status rg_run_once(const rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                      rg_attempt *a, rg_solution **out);

#endif
