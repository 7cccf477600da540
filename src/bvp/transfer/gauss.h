/* Gauss steps for the linear equation  phi' = K(t) phi,  g' = (X phi)^T f,  and their
 * normalisation. */
#ifndef RG_BVP_TRANSFER_GAUSS_H
#define RG_BVP_TRANSFER_GAUSS_H

#include "bvp/transfer/field.h"
#include "linalg/rule.h"

enum { RG_GAUSS_STAGES_MAX = 4 };

typedef struct { /* a workspace per thread */
    rg_context *ctx;
    rg_field *field;
    rg_rule gauss;     /* nodes of s stages: order 2 s */
    double *K, *X, *f; /* per stage: m x m, m x m, m */
    double *Phi;       /* s m, of all columns */
    double *part;      /* room for one stage, */
    double *sizes;     /* and per column: the size of what f has added so far */
    double forced;     /* of the last step: what f adds to a component of g, without signs, */
    double slope;      /* and to its derivative at a stage */
    /* NULL, or where a step puts X_q Phi_q: m numbers per stage, stage after stage, column after
     * column */
    double *psi;
    struct {
        rg_lu *lu;     /* s m: the matrix of a step */
        double *K, dt; /* that it was made from; dt 0: none */
    } factor[2];       /* a step and its half come again and again where K is constant */
    int n_factors;     /* 1 where they are large */
    int recent;        /* used last */
} rg_gauss_work;

/* For steps of at most so many columns. */
rg_status rg_gauss_work_create(rg_field *field, int stages, int columns, rg_gauss_work **out);
void rg_gauss_work_destroy(rg_gauss_work **w);

/* One step from t to t + dt of k columns: u (m x k), h (k) give phi and g, not normalised.
 * RG_RETRY: take a smaller step. */
rg_status rg_gauss_step(rg_gauss_work *w, double t, double dt, int k, const double *u,
                        const double *h, double *phi, double *g);

/* phi = u T with u^T u = I, T upper triangular (k x k); h = T^-T g.  In place.  False: the
 * columns are dependent. */
bool rg_normalise(int m, int k, double *phi, double *g, double *T);

#endif
