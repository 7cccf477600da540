/* What a run tells beside its values. */
#ifndef RG_SOLVE_RUN_TELL_H
#define RG_SOLVE_RUN_TELL_H

#include "solution/solution.h"
#include "solve/solver.h"

/* Method and formulation: before the run, and once more behind it, where another method has taken
 * over. */
void rg_run_sign(const rg_solver *s, rg_solution *out);
/* Singular places, and warnings of what the run could not decide or see. */
rg_status rg_run_tell(const rg_solver *s, rg_solution *out);
/* The remedy of a run that failed, where it can say more than the method does. */
rg_status rg_run_tell_failure(const rg_solver *s, rg_status status);

typedef struct { /* rows in which an output has no finite value */
    int64_t rows;
    double t; /* of the first one */
    int64_t column;
    int64_t state; /* in it that is 0 within its tolerance, -1: none; and its value */
    double value;
} rg_undefined;
/* A row: out->point, out->value. */
void rg_undefined_look(rg_undefined *u, const rg_solver *s, const rg_solution *out, double t);
rg_status rg_undefined_tell(const rg_undefined *u, const rg_solver *s, const rg_solution *out);

typedef struct { /* rows in which an output jumps: the solution moves along a switch in it */
    int64_t rows;
    double t, jump; /* of the first one; the largest, beside the size of the value */
    int64_t column;
} rg_torn;
/* A row, as above. */
rg_status rg_torn_look(rg_torn *u, const rg_solver *s, const rg_solution *out, double t);
rg_status rg_torn_tell(const rg_torn *u, const rg_solver *s, rg_solution *out);

#endif
