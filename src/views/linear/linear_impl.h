/* What the files of the linear view share. */
#ifndef RG_VIEWS_LINEAR_LINEAR_IMPL_H
#define RG_VIEWS_LINEAR_LINEAR_IMPL_H

#include "linalg/lu.h"
#include "problem/assembly.h"
#include "views/linear/linear.h"

struct rg_linear {
    rg_context *ctx;
    rg_problem *p; /* a handle for this context */
    rg_states states;
    bool is_varying;
    int32_t *row;        /* identity */
    int32_t **column;    /* of dF/dt: [order][unknown], z = (y, y', y'') */
    rg_assembly *F, *dF; /* equations; their total derivatives */
    rg_assembly_work *F_work, *dF_work;
    double *z, *J, *dJ, *residual; /* z: 3 m */
    double *A, *B, *N, *U, *V, *s; /* for the slopes: m x m each, s: 2 m */
    double *A_last;                /* of which */
    int32_t *held;                 /* so many rows are not zero, */
    int64_t n_held, rank;          /* of this rank, */
    double *scale;                 /* equilibrated by this (2 m); their singular vectors are in U */
    double *row_scale;             /* of the matrix for the slope, with that of columns */
    bool has_rank;
    rg_lu *lu;
};

/* Entries of the columns first .. first + m of a sparse matrix, into a dense m x m one. */
void rg_linear_spread(const rg_pattern *pattern, const double *J, int64_t first, int64_t m,
                      double *dense);

#endif
