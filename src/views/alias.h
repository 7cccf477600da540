/* Definitions such as  p' = u  in a model whose index is lowered: p' is another name for the
 * state u. */
#ifndef RG_VIEWS_ALIAS_H
#define RG_VIEWS_ALIAS_H

#include "structure/analysis.h"

typedef struct {     /* per unknown j: (j, order + k) is (unknown, k), k = 0 .. count-1 */
    int32_t unknown; /* -1: none */
    int32_t order, count;
} rg_alias;

typedef struct {
    rg_alias *of;        /* per unknown */
    uint8_t *is_alias;   /* per equation: it only names a derivative */
    int64_t n_equations; /* of that kind */
} rg_aliases;

/* Equations (j, r) = (l, 0) with r >= 1 and d_j = c_i + r: with them go the states (j, r ..
 * d_j - 1). */
rg_status rg_aliases_init(const rg_problem *p, const rg_analysis *a, rg_aliases *out);
void rg_aliases_clear(rg_context *ctx, rg_aliases *s);
/* What (unknown, order) is another name of; itself if it is none. */
void rg_aliases_resolve(const rg_aliases *s, int64_t *unknown, int *order);

#endif
