/* The coefficients of  A(t) y' + B(t) y = f(t)  at one time, and what the transfer needs of them.
 *
 * Source: Petry, On the stability of the Abramov transfer for differential-algebraic equations of
 * index 1.  With u = A^T psi and the orthogonal projectors Q = I - A^+ A, P = I - Q, equation (4*)
 * gives Q (B - A')^T psi = 0, so that
 *
 *     (A^T + Q (B - A')^T) psi = P u,     psi = X u,     K = B^T X,                            (E1)
 *     G = A + B Q,     Q_s = Q G^-1 B,     P_s = I - Q_s.
 *
 * Neither A^+, A^T+, P_*s nor P' is needed.  For semi-explicit systems (Remark 4.5) Q is diagonal
 * and (E1) is the simple form by itself.  Rows are divided by their largest entry of A/L and B
 * first: D(t) from the left changes neither u nor Q.  L, the length of the interval, makes the unit
 * of time irrelevant; for the same reason it stands in G = A/L + B Q, which changes P G^-1 by the
 * factor L and Q G^-1 not at all, and in (A^T/L + Q (B - A')^T) psi = P u/L. */
#ifndef RG_BVP_TRANSFER_FIELD_H
#define RG_BVP_TRANSFER_FIELD_H

#include "linalg/lu.h"

/* Column-major m x m matrices (dA may be NULL) and f (m).  RG_RETRY: cannot be evaluated here. */
typedef rg_status rg_coefficients_fn(void *user, double t, double *A, double *dA, double *B,
                                     double *f);

typedef struct {
    rg_context *ctx;
    int m, rank;
    double length;   /* of the interval */
    bool is_varying; /* A depends on t */
    bool is_fixed; /* coefficients at a time are always the same: those of the last one are kept */
    bool is_plain; /* A is constant and regular: so is the index, 0 */
    double t;      /* of the coefficients; NaN: somebody else has used their place */
    rg_coefficients_fn *coefficients;
    void *user;
    double *A, *dA, *B, *f; /* at the time asked for last, rows scaled */
    double *Q, *X, *K;      /* m x m */
    double *s, *V, *scale;  /* singular values and right vectors of A; row factors */
    double *work, *column;  /* m x m, m */
    double *plain;          /* is_plain: A^-T of the rows as they are, from the first X on */
    double *last; /* A, A', B of the evaluation before: what was computed from equal ones is kept */
    bool has_Q, has_X, has_G, has_plain;
    double *inverse;     /* G^-1, from rg_field_decouple() */
    rg_lu *adjoint, *lu; /* of the matrix of (E1), of G */
    int sign;            /* of det G, from rg_field_decouple() */
    int64_t evaluations, factorizations;
    double condition, worst_condition, worst_t; /* of G: at the last place, the largest so far */
    double good_t;                              /* where the rank was right */
} rg_field;

/* Takes the rank of A at t.  is_fixed: `coefficients` gives the same at the same time as long as
 * the field lives.  RG_ERR_METHOD: the index is not 1 there. */
rg_status rg_field_create(rg_context *ctx, int m, bool is_varying, bool is_fixed, double length,
                          rg_coefficients_fn *coefficients, void *user, double t, rg_field **out);
void rg_field_destroy(rg_field **field);

/* f at t, rows scaled as in all other calls; Q, X and K are then of another time. */
rg_status rg_field_force(rg_field *w, double t);
/* A, B, f, Q at t. */
rg_status rg_field_at(rg_field *w, double t);
/* The same with X and K.  RG_RETRY: (E1) is singular. */
rg_status rg_field_transfer(rg_field *w, double t);
/* The same with G factored; fails with RG_ERR_METHOD, naming t, where its condition says that
 * the index is not 1. */
rg_status rg_field_decouple(rg_field *w, double t);
/* The index alone: nothing is to be looked at where it cannot change. */
rg_status rg_field_check_index(rg_field *w, double t);
/* det G has opposite signs at t_0 and t_1: finds the place between them and fails with
 * RG_ERR_METHOD, naming it. */
rg_status rg_field_locate(rg_field *w, double t_0, double t_1);
/* After rg_field_decouple():  x <- Q G^-1 x. */
void rg_field_algebraic(const rg_field *w, double *x);
/* x <- P x */
void rg_field_project(const rg_field *w, double *x);

#endif
