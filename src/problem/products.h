/* Equations that are products, and the problem with a factor in place of one.
 *
 *     0 = A(t, y, y') B(t, y, y')      is      A = 0  or  B = 0
 *
 * The problem that has A in place of the product is another one, with an index of its own; the
 * first stays as it is. */
#ifndef RG_PROBLEM_PRODUCTS_H
#define RG_PROBLEM_PRODUCTS_H

#include "problem/problem.h"

enum { RG_MOST_FACTORS = 16 };

typedef struct { /* one equation */
    const rg_body *body;
    int64_t first_row;
    int block, output;
    int n;
    bool has_power;
    rg_node node[RG_MOST_FACTORS]; /* the factors with unknowns, each once */
} rg_product;

/* Output o of block k.  False: not a product of several factors with unknowns, nor a power
 * of one. */
bool rg_product_read(const rg_problem *p, int k, int o, rg_product *out);
bool rg_problem_has_products(const rg_problem *p);
/* The problem with factor `which` in place of the product.  *out: what was made by an earlier call
 * from the same problem, or NULL; p must live longer. */
rg_status rg_problem_take_factor(const rg_problem *p, const rg_product *product, int which,
                                 rg_problem **out);

/* The problem with a body of its own in one block, to be changed; *graph belongs to it. */
rg_status rg_problem_own_body(const rg_problem *p, int block, rg_problem **out, rg_graph **graph);

#endif
