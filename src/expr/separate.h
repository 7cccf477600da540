/* Expressions as sums of products of a function of time and one of everything else:
 *
 *     f(t, x) = sum over k of a_k(t) F_k(x)
 *
 * Where f is wanted at the same points at many times, F is computed once. */
#ifndef RG_EXPR_SEPARATE_H
#define RG_EXPR_SEPARATE_H

#include "expr/graph.h"

enum { RG_SEPARATED = 4 }; /* terms at most */

typedef struct {
    int n; /* terms; 0: it is not such a sum, or has too many terms */
    rg_node a[RG_SEPARATED], F[RG_SEPARATED];
} rg_separation;

/* Products of two sums are not multiplied out: their terms may be much larger than the product. */
rg_status rg_graph_separate(rg_graph *g, rg_node of, rg_separation *out);

#endif
