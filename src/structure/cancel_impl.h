/* Inside of cancel.h: one combination, from the rows that make it to the equation that replaces
 * one of them. */
#ifndef RG_STRUCTURE_CANCEL_IMPL_H
#define RG_STRUCTURE_CANCEL_IMPL_H

#include "structure/cancel.h"
#include "structure/sampler.h"

typedef struct rg_canceller {
    rg_context *ctx;
    rg_problem *q;   /* the problem so far */
    rg_graph *graph; /* of its scalar equations; they are in one body */
    rg_body *body;
    int64_t n, first_row;
    int least; /* d_j of the unknowns whose leading derivatives have to cancel */
    const int32_t *c, *d;
    double *J;           /* n x n, rows one after the other; scaled */
    double *basis, *mix; /* rows reduced; how they were made from those of J */
    double *scale;       /* 2 n */
    rg_sampler *at;      /* the problem so far at a point */
    int32_t *order;      /* rows, largest c first */
    int32_t *pivot;
    bool may_vanish;              /* a factor of an equation that was replaced varies */
    int count;                    /* equations in the combination: */
    int32_t rows[RG_CANCEL_MOST]; /* the last one is replaced */
    int32_t columns[RG_CANCEL_MOST];
    rg_node entry[RG_CANCEL_MOST][RG_CANCEL_MOST];   /* J of these rows and columns */
    rg_node w[RG_CANCEL_MOST], term[RG_CANCEL_MOST]; /* w_i F_i^(..) */
} rg_canceller;

/* Each returns RG_RETRY where the combination cannot be written. */

/* The equations of a combination: the first row of J, at a generic point, that depends on those
 * before it, with these. */
rg_status rg_cancel_find_rows(rg_canceller *k);
/* Row v of the basis minus multiples of those before it; its largest entry is left. */
double rg_cancel_reduce(rg_canceller *k, int64_t v);
/* The row that is replaced, and the columns, such that its factor stays away from 0; from those
 * that are there. */
rg_status rg_cancel_choose(rg_canceller *k);
/* Their factors w_i as expressions: minors of J. */
rg_status rg_cancel_find_factors(rg_canceller *k);
/* (1) of cancel.h in place of the last of the rows. */
rg_status rg_cancel_replace(rg_canceller *k);

#endif
