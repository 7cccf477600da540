/* The Abramov transfer for linear boundary value problems of index 1:  A(t) y' + B(t) y = f(t).
 *
 * Conditions are carried through the interval: psi^T A y = h holds at every t.  All of them
 * together, with the constraints, give y(t) wherever it is wanted.  Separated conditions at two or
 * more points, and conditions that join both ends (by folding the interval).  Source: Petry;
 * formulas and where we differ: doc/methods/transfer.md. */
#ifndef RG_BVP_TRANSFER_TRANSFER_H
#define RG_BVP_TRANSFER_TRANSFER_H

#include "bvp/method.h"
#include "bvp/pulses.h"
#include "structure/analysis.h"
#include "views/linear/linear.h"

typedef struct rg_transfer rg_transfer;

/* The method of the table; with r->estimate a second run estimates the error.  method.c */
rg_bvp_solve_fn rg_transfer_solve;

enum { RG_NEWTON_LOG = 60 };

typedef struct { /* quasilinearization; is_used false: the model is linear */
    bool is_used, is_full;
    int integrations; /* of psi */
    int corrections;  /* of h alone */
    int pieces;       /* of the curve */
    int n_log;        /* corrections of y, one after the other, as multiples of the tolerance */
    struct {
        double correction, damping;
        bool is_psi; /* psi was integrated for it */
    } log[RG_NEWTON_LOG];
} rg_transfer_newton;

typedef struct {   /* Petry, Theorem 5.1 */
    bool is_valid; /* false: perturbations are too large for it, or not known */
    double bound;  /* of |y~ - y| / max(1, |y~|) */
    double kappa_2, kappa_3, kappa_4, kappa_5, gamma;
    double epsilon, delta;         /* largest perturbations of (14a) and (14b) */
    double sum_epsilon, sum_delta; /* over all sweeps */
    double size;                   /* |y~| */
    double green, norm_A;          /* on the way: |F^-T| |u|, |A|_inf */
} rg_transfer_bound;

typedef struct {
    double deviation; /* of the invariants, relative */
    double condition; /* largest cond(R) of the joined conditions, over the points asked for */
    double index_condition, index_t; /* largest condition of G = A + B Q, and where */
    int forward, backward;           /* conditions carried in either direction */
    int growing;                     /* ... with solutions that grow away from them */
    double growth;                   /* errors are multiplied by this factor on the way, at most */
    bool has_dichotomy;              /* two-point conditions that are not folded: */
    int at_start, at_end;            /* conditions there */
    int up, down; /* solutions that grow, or decay, from start to end by more than a factor 100 */
    int wrong_start; /* conditions at the start that are about growing solutions, */
    int wrong_end;   /* at the end about decaying ones */
    int dropped;     /* conditions that the constraints imply */
    bool is_folded;
    rg_transfer_newton newton;
    rg_stats stats;
} rg_transfer_report;

typedef struct {     /* what all transfers of a problem share, whatever their tolerance */
    double *unit;    /* of the states; NULL: 1 */
    bool is_looked;  /* features.c: coefficients and f are known at */
    int64_t n_times; /* these times; */
    double *times;   /* how far they are off the chord between times k - 1 and k, */
    double *off;     /* relative to their largest values (behind the times) */
    int64_t n_cells; /* where steps are short, from left to right, */
    double *cells;   /* the two ends of each */
    int64_t samples; /* evaluations for all this */
    bool has_pulses; /* pulses of functions of time are known: */
    rg_bvp_pulses pulses;
} rg_transfer_scene;

/* Reads the model, on the interval from its start to t_end: RG_ERR_METHOD where it is not
 * linear, or not of index 1. */
rg_status rg_transfer_create(rg_problem *p, const rg_analysis *a, double t_end, const rg_options *o,
                             rg_transfer **out);
/* The same in a scene, which outlives it; what is not known there yet and is needed is found. */
rg_status rg_transfer_create_in(rg_problem *p, const rg_analysis *a, double t_end,
                                const rg_options *o, rg_transfer_scene *scene, rg_transfer **out);
void rg_transfer_scene_clear(rg_context *ctx, rg_transfer_scene *scene);
void rg_transfer_destroy(rg_transfer **t);
/* Carries all conditions, forwards and backwards in two threads. */
rg_status rg_transfer_run(rg_transfer *t);
const rg_states *rg_transfer_states(const rg_transfer *t);
/* y and y' (all states; yp may be NULL) at a time inside the interval. */
rg_status rg_transfer_eval(rg_transfer *t, double at, double *y, double *yp);
/* The nodes of all sweeps, from the start of the interval to its end; valid until the transfer
 * is destroyed. */
rg_status rg_transfer_mesh(rg_transfer *t, int64_t *n, const double **times);
rg_transfer_report rg_transfer_facts(const rg_transfer *t);
/* After a run; evaluates the solution at some places. */
rg_status rg_transfer_bound_find(rg_transfer *t, rg_transfer_bound *out);

#endif
