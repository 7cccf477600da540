/* States that are 0 together by themselves:  y = y' = 0  solves the equations that determine them,
 * whatever the others are.  What they grow to they owe to themselves, and so do their errors. */
#ifndef RG_SOLVE_CLOSED_H
#define RG_SOLVE_CLOSED_H

#include "linalg/pattern.h"
#include "solve/solver.h"
#include "solve/trail.h"

typedef struct {
    const rg_pattern *p;
    int64_t n;        /* states */
    double *Jy, *Jyp; /* at the end of the run */
    double *y, *yp, *F;
    double *own;                  /* per row: the largest term of the states in question */
    uint8_t *is_dynamic, *drives; /* per row: it has a derivative, and a state in question */
    uint8_t *is_in, *is_so;       /* per state: in question; for the caller */
    uint8_t *is_taken;            /* per row: it has one of a batch */
    /* points of the run, and the time of the one to which each state has risen by a step; NULL:
     * nothing is known of them */
    const rg_trail *trail;
    const double *t_rise;
    /* per state: what moves it less than a value of this size of its own does is no more than an
     * error; NULL: nothing may move it */
    const double *noise;
} rg_closed;

/* is_there: the equations can be looked at where the run ends. */
rg_status rg_closed_create(const rg_solver *s, rg_closed *q, bool *is_there);
void rg_closed_clear(rg_context *ctx, rg_closed *q);
/* Leaves those in question that are 0 together by themselves, wherever the others are, and where
 * they were when these rose; is_closed:
 * they are, and one of them moves; not where too many had to be left out one after the other.  Who
 * is 0 alone is never left out. */
rg_status rg_closed_reduce(const rg_solver *s, const rg_closed *q, bool *is_closed);
/* Adds to is_so those that are 0 by themselves alone, of the ones in left, which is used up. */
rg_status rg_closed_alone(const rg_solver *s, const rg_closed *q, uint8_t *left);
bool rg_closed_is_any(const rg_closed *q);               /* in question */
bool rg_closed_moves(const rg_closed *q, int64_t state); /* has it a derivative? */

#endif
