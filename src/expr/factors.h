/* Factors of an expression whose zeros are asked for, as far as they can be seen:
 *
 *     f a - f b,  a^n          f (a - b),  a       common factors of all terms, powers
 *     c a^n + d b^n, n odd     a + (d/c)^(1/n) b   (no other real zeros)
 *
 * Powers are whole numbers.  A product of sums is not written out, so x^2 - y^2 has one factor. */
#ifndef RG_EXPR_FACTORS_H
#define RG_EXPR_FACTORS_H

#include "expr/graph.h"

enum { RG_FACTORS_MOST = 16 }; /* in a product, terms of a sum */

/* Could rg_graph_factors() find something?  Makes no nodes. */
bool rg_graph_may_factor(const rg_graph *g, rg_node of);
/* Their number; `of` is 0 where one of them is, and only there.  One: `of` itself, or what is left
 * of it.  Different ones, at most RG_FACTORS_MOST. */
int rg_graph_factors(rg_graph *g, rg_node of, rg_node *factors);

#endif
