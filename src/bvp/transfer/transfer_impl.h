/* What the files of the transfer share. */
#ifndef RG_BVP_TRANSFER_TRANSFER_IMPL_H
#define RG_BVP_TRANSFER_TRANSFER_IMPL_H

#include "bvp/transfer/rows.h"
#include "bvp/transfer/sweep.h"
#include "bvp/transfer/transfer.h"
#include "linalg/lu.h"

typedef struct rg_quasi rg_quasi;

typedef struct { /* the equations in one thread */
    rg_context *ctx;
    rg_context *own; /* NULL: that of the problem */
    rg_linear *linear;
    rg_field *field;
    const rg_transfer *transfer;
    double *A, *dA, *B; /* folded: m x m each, for the two halves */
    double *y;          /* not linear: 3 m, a point of a curve */
} rg_worker;

typedef struct { /* conditions C y(t) = g of one place */
    double t;
    int k;
    double *C;                    /* column i: the coefficients of condition i, size x k */
    double *g;                    /* k */
    rg_sweep *forward, *backward; /* NULL: the place is that end of the interval */
} rg_group;

struct rg_transfer {
    rg_context *ctx;
    rg_problem *problem;
    rg_options options;
    bool has_units;   /* given; then the tolerance is rtol in them */
    double *unit;     /* of the unknowns (m): y = unit times what is carried; 1 if not linear */
    int m, size;      /* states; size of the carried system: m, or 2 m when folded */
    double a, b;      /* interval as given */
    double low, high; /* of the sweeps: folded, high is the middle */
    bool is_folded, has_warned;
    rg_linearity linearity;
    rg_worker worker[2]; /* forwards, backwards */
    rg_transfer_rows *conditions;
    int n_groups, dropped;
    rg_group *groups;
    atomic_bool is_stopped;    /* one direction has failed: the other need not go on */
    double *U, *V, *s, *H, *y; /* recovery; V: the factors of U */
    int64_t n_breaks;          /* where no step may cross; folded: the mirrored ones too */
    double *breaks;
    rg_bvp_pulses pulses;          /* for the sweeps; the list is owned where they are folded */
    rg_transfer_scene *scene, own; /* given, or the own one */
    int64_t
        n_tails;   /* features.c: where the order of steps is not relied on, from left to right, */
    double *tails; /* the two ends of each */
    int64_t n_kinks; /* where coefficients switch branch, in the whole interval */
    double *kinks;
    int64_t n_mesh;
    double *mesh;
    double *known; /* y in its units and |U^+| at the nodes, once computed (else NaN); or NULL */
    double worst_condition, worst_inverse; /* largest cond(U), 1/(smallest singular value), */
    double told_inverse; /* ... looked for where |U^+| in the Frobenius norm is above this */
    rg_stats past;       /* of sweeps that are gone */
    /* not linear: quasi.c */
    rg_transfer_curve *frozen, *now; /* A and B are of `frozen`, F of `now`; NULL: linear */
    rg_quasi *quasi;
};

/* worker.c: the equations in a thread, with or without a context of its own; then, with frozen, now
 * and is_folded known, the field.  rg_worker_model: the coefficients of the model, not folded,
 * for rg_coefficients_fn. */
rg_status rg_worker_open(rg_transfer *t, rg_context *ctx, rg_context *own, rg_worker *w);
rg_status rg_worker_start(rg_worker *w);
void rg_worker_clear(rg_worker *w);
rg_status rg_worker_model(void *user, double t, double *A, double *dA, double *B, double *f);
/* Groups of conditions by place, folded where a condition joins both ends; (E5) for each. */
rg_status rg_groups_create(rg_transfer *t);
void rg_groups_destroy(rg_transfer *t);
/* The same conditions with other right-hand sides: g of all groups anew, sweeps untouched. */
rg_status rg_groups_refresh(rg_transfer *t);

/* transfer.c: conditions, fields and sweeps for the linear problem of the curves; what they
 * have, is given back. */
rg_status rg_transfer_build(rg_transfer *t);
void rg_transfer_unbuild(rg_transfer *t);
rg_status rg_transfer_carry(rg_transfer *t);
/* (14b) alone, after `now` has changed.  RG_RETRY: F cannot be evaluated along it. */
rg_status rg_transfer_recarry(rg_transfer *t);

/* features.c: the cells of the scene, unless they are known, and the tails, of a linear model whose
 * steps are chosen. */
rg_status rg_transfer_find_features(rg_transfer *t);

/* build.c: sweeps keep their local errors (linear, steps chosen, variant 14, normalised). */
bool rg_transfer_is_judged(const rg_transfer *t);
/* recover.c: y in its units (t->size numbers) at a time of the sweeps. */
rg_status rg_transfer_point(rg_transfer *t, double time, const double **y);
/* The same with what residuals make of it, after rg_sweep_judge() of all sweeps: errors of the
 * method and by rounding.  R: room for (2 size) (RG_SWEEP_TRIALS + 1) + size numbers. */
rg_status rg_transfer_error(rg_transfer *t, double time, double *R, const double **y,
                            double *method, double *rounding);

/* quasi.c */
rg_status rg_quasi_create(rg_transfer *t, const rg_analysis *a);
void rg_quasi_destroy(rg_transfer *t);
rg_status rg_quasi_run(rg_transfer *t);
void rg_quasi_facts(const rg_transfer *t, rg_transfer_newton *out);

#endif
