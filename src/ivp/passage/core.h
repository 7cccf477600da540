/* What is left of a sparsity pattern when rows and columns with a single entry have been taken
 * away, again and again.
 *
 * A matrix is regular if and only if these entries are not 0 and the rest, the core, is regular. */
#ifndef RG_IVP_PASSAGE_CORE_H
#define RG_IVP_PASSAGE_CORE_H

#include "base/base.h"
#include "linalg/pattern.h"

typedef struct {
    rg_pattern pattern; /* n x n */
    int64_t *entry;     /* per entry of the core: which one of the whole pattern */
    int64_t n_single;
    int64_t *single; /* entries that were taken away as pivots */
} rg_core;

rg_status rg_core_init(rg_context *ctx, const rg_pattern *p, rg_core *out);
void rg_core_clear(rg_context *ctx, rg_core *c);

#endif
