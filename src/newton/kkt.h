/* Pattern of the least-change problem  [ D  A^T ; A  -mu I ]  for chosen columns A of a sparse
 * matrix. */
#ifndef RG_NEWTON_KKT_H
#define RG_NEWTON_KKT_H

#include "base/base.h"
#include "linalg/pattern.h"

typedef struct {
    int64_t n, m; /* columns and rows of A                                                      */
    rg_pattern
        pattern; /* (n + m) square                                                             */
    int64_t
        *diagonal;  /* place of the k-th diagonal entry                                           */
    int64_t *below; /* e-th entry of A, column after column: its place in the lower left part ... */
    int64_t *right; /* ... and in the upper right part                                            */
} rg_kkt;

/* column: n numbers, or NULL for 0 .. n-1. */
rg_status rg_kkt_init(rg_context *ctx, const rg_pattern *A, int64_t n, const int32_t *column,
                      rg_kkt *kkt);
void rg_kkt_clear(rg_context *ctx, rg_kkt *kkt);

#endif
