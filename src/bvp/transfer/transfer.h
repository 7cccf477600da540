/* The Abramov transfer for linear boundary value problems of index 1:  A(t) y' + B(t) y = f(t).
 *
 * Conditions are carried through the interval: psi^T A y = h holds at every t.  All of them together, with the constraints,
 * give y(t) wherever it is wanted.  Separated conditions at two or more points, and conditions that join both ends (by
 * folding the interval).  Source: Petry; formulas and where we differ: doc/methods/transfer.md. */
#ifndef RG_BVP_TRANSFER_TRANSFER_H
#define RG_BVP_TRANSFER_TRANSFER_H

#include "structure/analysis.h"
#include "views/linear/linear.h"

typedef struct rg_transfer rg_transfer;

typedef struct {
    double deviation; /* of the invariants, relative */
    double condition; /* largest cond(R) of the joined conditions, over the points asked for */
    double index_condition, index_t; /* largest condition of G = A + B Q, and where */
    int forward, backward;           /* conditions carried in either direction */
    int growing;                     /* ... with solutions that grow away from them */
    double growth;                   /* by this factor, at most */
    int dropped;                     /* conditions that the constraints imply */
    bool is_folded;
    rg_stats stats;
} rg_transfer_report;

/* Reads the model, on the interval from its start to t_end: RG_ERR_METHOD where it is not linear, or not of index 1. */
rg_status rg_transfer_create(rg_problem *p, const rg_analysis *a, double t_end, const rg_options *o,
                             rg_transfer **out);
void rg_transfer_destroy(rg_transfer **t);
/* Carries all conditions, forwards and backwards in two threads. */
rg_status rg_transfer_run(rg_transfer *t);
const rg_states *rg_transfer_states(const rg_transfer *t);
/* y and y' (all states; yp may be NULL) at a time inside the interval. */
rg_status rg_transfer_eval(rg_transfer *t, double at, double *y, double *yp);
/* The nodes of all sweeps, from the start of the interval to its end; valid until the transfer is destroyed. */
rg_status rg_transfer_mesh(rg_transfer *t, int64_t *n, const double **times);
rg_transfer_report rg_transfer_facts(const rg_transfer *t);

#endif
