/* The stages of the start value iteration: damped Newton, Levenberg-Marquardt, homotopy.
 *
 * Each works on s->z in place.  RG_OK: no further progress is possible, F = 0 to rounding or least
 * squares (then rg_start_miss tells); RG_RETRY: gave up, s->z holds the best point; < 0: failed
 * for good, message set. */
#ifndef RG_NEWTON_ITERATE_H
#define RG_NEWTON_ITERATE_H

#include "newton/step.h"

typedef struct {
    rg_start_system *s;
    rg_newton_step *step;
    double *d, *z, *F; /* step, trial point and its residual */
    double *bar;       /* simplified step                    */
    double *last;      /* the step before                    */
    double *F0;        /* homotopy: residual at its start    */
    int evaluations;
} rg_iteration;

rg_status rg_iteration_create(rg_start_system *s, bool basic, rg_iteration **out);
void rg_iteration_destroy(rg_iteration **it);

rg_status rg_newton_damped(rg_iteration *it);
rg_status rg_newton_marquardt(rg_iteration *it);
rg_status rg_newton_homotopy(rg_iteration *it);
/* Up to three further full steps while the residual falls: to rounding. */
rg_status rg_newton_polish(rg_iteration *it);
/* From a solution: moves along F = 0 until the guesses are as near to their given values as they
 * can be. */
rg_status rg_newton_least_change(rg_iteration *it);

/* max_j |d_j| / (|z_j| + floor) */
double rg_iteration_change(const rg_iteration *it, const double *d);
/* Linearizes at s->z and factors; RG_RETRY when either fails. */
rg_status rg_iteration_prepare(rg_iteration *it, double lambda);

#endif
