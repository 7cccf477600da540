/* What the files of the transfer share. */
#ifndef RG_BVP_TRANSFER_TRANSFER_IMPL_H
#define RG_BVP_TRANSFER_TRANSFER_IMPL_H

#include "bvp/transfer/rows.h"
#include "bvp/transfer/sweep.h"
#include "bvp/transfer/transfer.h"

typedef struct { /* the equations in one thread */
    rg_context *ctx;
    rg_context *own; /* NULL: that of the problem */
    rg_linear *linear;
    rg_field *field;
    const rg_transfer *transfer;
    double *A, *dA, *B; /* folded: m x m each, for the two halves */
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
    int m, size;      /* states; size of the carried system: m, or 2 m when folded */
    double a, b;      /* interval as given */
    double low, high; /* of the sweeps: folded, high is the middle */
    bool is_folded;
    rg_linearity linearity;
    rg_worker worker[2]; /* forwards, backwards */
    rg_transfer_rows *conditions;
    int n_groups, dropped;
    rg_group *groups;
    double *U, *V, *s, *H, *y; /* recovery */
    int64_t n_breaks;          /* where coefficients switch branch; folded: the mirrored ones too */
    double *breaks;
    int64_t n_mesh;
    double *mesh;
    double worst_condition;
};

rg_status rg_worker_init(rg_transfer *t, rg_context *ctx, rg_context *own, rg_worker *w);
void rg_worker_clear(rg_worker *w);
/* Groups of conditions by place, folded where a condition joins both ends; (E5) for each. */
rg_status rg_groups_create(rg_transfer *t);
void rg_groups_destroy(rg_transfer *t);

#endif
