/* Consistent start values: all hidden constraints met to rounding. */
#ifndef RG_NEWTON_CONSISTENT_H
#define RG_NEWTON_CONSISTENT_H

#include "structure/analysis.h"

typedef struct rg_consistent {
    int n_orders;       /* max d + 1 */
    double **value;     /* [order][unknown], NaN where the order is above d_j */
    bool **is_computed; /* [order][unknown]: was not given */
    double residual;    /* largest scaled residual left */
} rg_consistent;

/* Kept values stay; guesses and missing ones are computed with the least change.  Warnings go to
 * its study (repaired values, values taken as 0, dropped data).  RG_ERR_INCONSISTENT names the
 * violated equation. */
rg_status rg_consistent_create(const rg_problem *p, const rg_analysis *a, double t0,
                               rg_consistent **out);
void rg_consistent_destroy(rg_context *ctx, rg_consistent **c);

/* The same again and again, for events of a run: the data of p may be other ones each time, but not
 * for derivatives above those that the analysis has.  Velocities of mechanical systems that are
 * guesses change by impulses along the gradients of the constraints (newton/impulse.c). */
typedef struct rg_start_system rg_start_system;
rg_status rg_consistent_open(const rg_problem *p, const rg_analysis *a, rg_start_system **out);
/* The first equation whose part in the analysis is another one with the last values; -1: none. */
int64_t rg_consistent_changed(rg_start_system *s, const rg_analysis *a);
rg_status rg_consistent_again(rg_start_system *s, const rg_analysis *a, double t, bool has_impulses,
                              rg_consistent **out);
void rg_consistent_close(rg_start_system **s);

/* The data as they were given, 0 where there are none: nothing is computed. */
rg_status rg_consistent_given(const rg_problem *p, const rg_analysis *a, rg_consistent **out);

/* Those of the study of the problem: computed once; RG_ERR_METHOD for boundary value problems. */
rg_status rg_start_get(const rg_problem *p, const rg_analysis *a, const rg_consistent **out);
/* The same without computing anything: NULL where nothing is known. */
const rg_consistent *rg_start_known(const rg_problem *p);

#endif
