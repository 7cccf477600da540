/* The Riccati form of a sweep and its chart, for its steps (sweep_riccati.c, with the formulas) and
 * for what lies between them (sweep_chart.c). */
#ifndef RG_BVP_TRANSFER_SWEEP_RICCATI_IMPL_H
#define RG_BVP_TRANSFER_SWEEP_RICCATI_IMPL_H

#include "bvp/transfer/sweep_riccati.h"
#include "linalg/dense.h"
#include "linalg/schur.h"

enum { RG_RICCATI_MOST_ORDER = 5, RG_RICCATI_PAST = RG_RICCATI_MOST_ORDER + 2 };
enum { RG_SUBSPACE_DOUBLINGS = 20 };

typedef struct rg_subspace rg_subspace;

struct rg_riccati {
    rg_schur *schur;
    rg_subspace *subspace;
    rg_lu *lu;                 /* k x k */
    double *N, *phi, *Kphi;    /* m x m, m x k, m x k */
    double *V, *square;        /* k x k each */
    double *Y, *h;             /* of RG_RICCATI_PAST nodes, in the chart: m x k, k each */
    double t[RG_RICCATI_PAST]; /* their times, the last node first */
    double *Y_far, *h_far;     /* extrapolated */
    double *row;               /* k */
    double *rows;              /* k x m */
    int n_past, order, tried;  /* nodes in the chart; order of the next step, of that tried last */
    int steady;                /* steps since order or size changed */
    int64_t first;             /* node from which on the coefficients are smooth */
    double error[RG_RICCATI_PAST]; /* had the order been 1, 2, ... */
    double mu;                     /* decay rate of the step tried last */
    double forced;                 /* what f adds to a component of h there, without signs */
};

/* Y (m x k) = x X^-1 and h <- X^-T h for X = U^T x: x in the chart of U. */
rg_status rg_riccati_into_chart(const rg_sweep *s, const double *U, const double *x, double *Y,
                                double *h);
/* Nodes `last`, last - 1, ... from w->first on, at most `most`, in the chart of node `centre`; Y
 * without U. */
void rg_riccati_take_past(const rg_sweep *s, int64_t last, int64_t centre, int most);
/* Weights of the polynomial through t_0 .. t_{n-1} at `at`. */
void rg_riccati_weights(int n, const double *t, double at, double *weight);
/* sum_j weight_j Y_j and the same of h. */
void rg_riccati_combine(const rg_sweep *s, int n, const double *weight, double *Y, double *h);
/* K phi, V = U^T K phi. */
void rg_riccati_apply_K(const rg_sweep *s, const double *U);
/* sweep_subspace.c: phi of the step to t_{n+1}, where K is of, from `predicted` = phi - U (m x k).
 * RG_RETRY: not found, or not known to be the dominant subspace. */
rg_status rg_subspace_create(rg_sweep *s);
void rg_subspace_destroy(rg_sweep *s);
void rg_subspace_forget(rg_sweep *s); /* the nodes are others now */
rg_status rg_subspace_find(rg_sweep *s, double dt, double a_0, const double *Yb,
                           const double *predicted);
/* From phi and h in the chart to the next node: u, h, T, and the local errors in its basis. */
rg_status rg_riccati_leave_chart(rg_sweep *s, double dt, rg_candidate *v);

#endif
