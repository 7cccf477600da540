/* The two backends behind linalg/sparse.h.  All statuses without a message. */
#ifndef RG_LINALG_SPARSE_IMPL_H
#define RG_LINALG_SPARSE_IMPL_H

#include "linalg/sparse.h"
#include "linalg/sparse_lu.h"
#include "linalg/sparse_plan.h"

struct rg_sparse {
    rg_context *ctx;
    rg_sparse_plan *plan;
    int n;
    bool is_complex;
    bool is_first;                   /* with this plan: others start with its pivots */
    bool is_refactored;              /* with old pivots */
    bool is_checked;                 /* a solution with these factors was */
    bool is_limited;                 /* KLU stops where its factors fill: another may do better */
    bool is_overfull;                /* they did, or have too many entries for 32 bits */
    double *values;                  /* in pattern order */
    double *A;                       /* in the order of the plan */
    double *x, *b, *r, *w;           /* solution, right-hand side, residual, workspace */
    double multiplications, entries; /* of a factorization and of its factors */
    klu_common common;
    rg_sparse_lu lu;          /* factors here, or in one of the following */
    klu_l_common common_long; /* where the plan is one of 64 bits */
    klu_l_numeric *klu_long;
    void *umfpack;       /* many conditions and ends, or more than 2^31 entries */
    int64_t *umfpack_wi; /* n */
    double *umfpack_w;
};

void rg_klu_init(rg_sparse *s);
/* may_refactor: with old pivots, if there are any. */
rg_status rg_klu_compute(rg_sparse *s, bool may_refactor);
/* What a factorization with the pivots costs. */
void rg_klu_note_work(rg_sparse *s);

/* The same with 64 bits. */
void rg_klu_long_init(rg_sparse *s);
void rg_klu_long_free(rg_sparse *s);
rg_status rg_klu_long_compute(rg_sparse *s, bool may_refactor);
void rg_klu_long_solve(rg_sparse *s, double *x);

rg_status rg_umfpack_init(rg_sparse *s);
void rg_umfpack_free(rg_sparse *s);
rg_status rg_umfpack_compute(rg_sparse *s);
void rg_umfpack_solve(rg_sparse *s, const double *b, double *x);

#endif
