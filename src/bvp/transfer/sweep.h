/* A sweep: the conditions of one place, transferred from there to one end of the interval.
 *
 * Nodes t_0, t_1, ... with u (m x k) and h (k) at each; values between nodes by a shorter step from
 * the node before, or, with an integrator, by its polynomials.  Variant 14
 * (Petry (14a), (14b)) keeps u^T u constant, variant 16 (Petry (16a), (16b) with the corrected
 * sign of w) keeps u^T u + h h^T. */
#ifndef RG_BVP_TRANSFER_SWEEP_H
#define RG_BVP_TRANSFER_SWEEP_H

#include "bvp/pulses.h"
#include "bvp/transfer/gauss.h"

#include <stdatomic.h>

/* regula.h calls many runs of a model a sweep; in this folder it is the way of conditions. */
#define rg_sweep     rg_transfer_sweep
#define rg_sweep_run rg_transfer_sweep_run

typedef enum { RG_SWEEP_GAUSS, RG_SWEEP_RADAU, RG_SWEEP_BDF } rg_sweep_scheme;

typedef struct {
    rg_sweep_scheme scheme;
    double rtol, atol;
    double length;         /* of the whole interval: the tolerance is spread over it */
    double step;           /* > 0: fixed step */
    double h_first, h_max; /* 0: chosen; no limit */
    bool has_kinks;        /* coefficients may jump: no order can be relied on */
    int64_t max_steps, n_breaks;
    const double *breaks; /* times that no step may cross */
    int64_t n_cells, n_tails;
    const double *cells;  /* from left to right: steps there are a few of them at most */
    const double *tails;  /* the same: structure that the order cannot be relied on for */
    rg_bvp_pulses pulses; /* not owned */
    int stages, variant;  /* stages 0: radau varies its order */
    bool is_judged;       /* local errors are kept, for the estimate: rg_sweep_judge() */
    bool may_be_riccati;  /* backward differentiation where phi grows much in Gauss steps */
    bool is_recorded;     /* for rg_sweep_replay(): variant 14, normalised, Gauss steps */
    bool is_normalised;   /* Petry (8c), (8d): the invariant is I; otherwise (8a), (8b) */
    /* integrators, u^T u = I at the start: made so again where values are taken, */
    bool is_renormalised;
    /* and a tenth of the tolerance is asked for                             */
    const rg_context *parent;      /* whose interruption ends the run, */
    const atomic_bool *is_stopped; /* as this does (NULL: nobody else has failed) */
} rg_sweep_options;

typedef struct rg_sweep_track rg_sweep_track;
typedef struct rg_riccati rg_riccati;

typedef struct {
    rg_context *ctx;
    rg_field *field;
    rg_gauss_work *gauss;  /* NULL: another scheme, */
    rg_sweep_track *track; /* which has this */
    rg_riccati *riccati;   /* NULL: never used */
    rg_sweep_options options;
    int m, k;
    double from, to;
    int64_t n, capacity; /* nodes */
    double *t, *u, *h;   /* capacity, x m k, x k */
    int *order;          /* of the step to the node; 0: a Gauss step */
    struct {
        double *du, *dh; /* local error of the step under way: m k, k */
        double noise;    /* rounding of it, relative to what is added up, ... */
        double added;    /* ... and in h, since times are rounded */
    } local;
    double share;    /* of the tolerance: the step under way is a part of this length */
    bool is_held;    /* ... and shorter than it could be, for the sake of a pulse */
    bool is_in_tail; /* the step under way is where coefficients have structure */
    struct {
        int64_t node;          /* the Gauss step tried last came from the one before it, */
        double dt, difference; /* and its size and error in h */
        bool is_noise;         /* seen in this sweep */
    } trial;
    double *judged;   /* sweep_judge.c: per node T, du, dh, noise */
    double *residual; /* and what came of them: per node RG_SWEEP_TRIALS + 1 vectors of k numbers */
    double *work;     /* room for three candidates and their factors */
    int64_t steps, rejected;
    double deviation;  /* largest |u^T u - u_0^T u_0| (variant 16: with h h^T) over the nodes */
    int sign;          /* of det G: the index is 1 as long as it does not change */
    double *start;     /* that matrix at the start, k x k */
    double *growth;    /* log of the growth of each column of phi so far, k */
    int n_marks;       /* sweep_growth.c: places from where perturbations are followed */
    double *E, *frame; /* their images; room */
    double *record;    /* sweep_replay.c */
    size_t record_capacity;
    double *first_factor; /* T of the normalisation at the start, k x k */
    double replay_error;  /* of h in the last replay, as a multiple of what is allowed */
    double trial_epsilon, trial_delta; /* of the step under way */
    double stretch;                    /* log of the growth of phi in the last step, at most */
    int n_stiff;                       /* Gauss steps in a row that had much of it */
    int64_t n_riccati;                 /* steps of backward differentiation in a row, */
    double riccati_t, riccati_dt;      /* from where, and the Gauss step there */
    double epsilon, delta; /* perturbations of (14a), (14b) that explain the errors of the steps */
    double amplification;  /* of errors of h on the way, at most */
} rg_sweep;

/* u (m x k) and h (k) at `from` as the conditions give them; RG_ERR_STRUCTURE: they are not
 * independent. */
rg_status rg_sweep_create(rg_field *field, const rg_sweep_options *o, double from, double to, int k,
                          const double *u, const double *h, rg_sweep **out);
void rg_sweep_destroy(rg_sweep **s);
/* Steps to the end, error per unit step. */
rg_status rg_sweep_run(rg_sweep *s);
/* h at all nodes for another f of the field and other right-hand sides of the conditions.
 * RG_RETRY: not finite. */
rg_status rg_sweep_replay(rg_sweep *s, const double *g);
/* u and h at a time between from and to; the residuals of rg_sweep_judge() (k numbers each, or
 * NULL).  Uses the workspace of the sweep. */
rg_status rg_sweep_eval(rg_sweep *s, double t, double *u, double *h, double *residual);

enum { RG_SWEEP_TRIALS = 4 };
/* y (m numbers) at a time, for rg_sweep_judge(). */
typedef rg_status rg_sweep_solution_fn(void *user, double t, const double **y);
/* The residual u^T y - h of the exact solution, from the local errors, and RG_SWEEP_TRIALS samples
 * of what rounding makes of it. */
rg_status rg_sweep_judge(rg_sweep *s, rg_sweep_solution_fn *solution, void *user);

#endif
