/* The hierarchy of matrices made by pairwise aggregation. */
#ifndef RG_PDAE_SOLVE_AGGREGATION_H
#define RG_PDAE_SOLVE_AGGREGATION_H

#include "pdae/solve/gradients.h"

enum { RG_AGGREGATION_LEVELS = 40 };

typedef struct {
    rg_elliptic_rows A;
    double *inverse;           /* 1/(diagonal + couplings to other pieces), see aggregation.c   */
    int64_t *inside;           /* of every piece: rows that have none, from and to               */
    double *excess;            /* row sums: what is on the diagonal beyond the couplings         */
    int32_t *to;               /* the coarse unknown of every row; NULL on the coarsest level    */
    double *work;              /* a vector                                                       */
    double *b, *x;             /* right-hand side and solution (not on the finest level)         */
    double *c, *v, *r, *d, *w; /* of the inner conjugate gradients                             */
} rg_aggregation_level;

typedef struct {
    rg_context *ctx;
    int n_levels;
    rg_aggregation_level level[RG_AGGREGATION_LEVELS];
    double *factor; /* of the coarsest matrix, full */
    rg_gradients outer;
} rg_aggregation;

/* Makes the next coarser level from level l; *made is false when that would not get smaller. */
rg_status rg_aggregation_coarsen(rg_context *ctx, rg_aggregation *h, int l, bool *made);

#endif
