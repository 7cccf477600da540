/* The linearized collocation equations of a large model with sparse Jacobians: one sparse matrix.
 *
 * Unknowns dx_i (mesh points), dw_ij (stages), dw at the nodes, mu_i (projection).  Stage values
 * follow from them: derivative r of an unknown whose highest is d has, with 1 = (1, .., 1),
 *
 *     dX_ij^(r) = sum_{q < d-r} h^q (A^q 1)_j dx_i^(r+q) + h^(d-r) sum_k (A^(d-r))_jk dw_ik     (1)
 *
 * and the same with b^T A^(q-1) in place of A^q at the end of the interval.  Equations:
 *
 *     Fx dX_ij + Fw dw_ij = -F_ij
 *     dx_{i+1} - dX_i(1) + Gx^T mu_{i+1} = x_i + h sum_k b_k X'_ik - x_{i+1},     Gx dx_{i+1} = -G
 *     Fx dx + Fw dw = -F  at the nodes,   the conditions,   Gx dx_0 = -G
 *
 * the same correction as condensed.h and project.c give.  (1) supposes that slopes of lower
 * derivatives are the stage values of the next ones: rg_large_tie().  Time and memory are those of
 * the sparse factors: about linear in intervals and unknowns where the Jacobian is banded. */
#ifndef RG_BVP_COLLOCATION_LARGE_H
#define RG_BVP_COLLOCATION_LARGE_H

#include "bvp/collocation/profile.h"
#include "bvp/conditions.h"

typedef struct {
    rg_context *ctx;
    rg_bvp_form *f;
    rg_bvp_conditions *c;
    int n, nx, nz, s, inv, n_nodes;
    int64_t N, size;
    int64_t n_entries;     /* that are filled in, ... */
    int64_t n_filled;      /* ... places that they share */
    int32_t *row, *column; /* of every entry, in the order of filling */
    int64_t *at;           /* its place in the matrix */
    int64_t next;          /* the entry that comes next */
    rg_sparse *matrix;
    int depth;                                       /* largest d */
    double (*power)[RG_RULE_MOST + 1][RG_RULE_MOST]; /* [q][j][k]: (A^q)_jk; row s: b^T A^(q-1) */
    double (*ones)[RG_RULE_MOST + 1];                /* [q][j]: times 1 */
    double *b;                                       /* right-hand side, then the solution */
    double *X, *F, *values, *z;
    double *terms;  /* n: how large w would be if nothing cancelled; n: terms of one point */
    int *condition; /* per row of the conditions: its number among those that are left */
    rg_stats *stats;
    bool has_factors, is_singular;
} rg_large;

/* Slopes of lower derivatives := stage values of the next ones, from x and w. */
void rg_large_tie(const rg_bvp_form *f, rg_curve *it);
rg_status rg_large_create(rg_bvp_form *f, rg_bvp_conditions *c, const rg_curve *it, rg_stats *stats,
                          rg_large **out);
void rg_large_destroy(rg_large **large);
/* The Newton correction at `it`, with new factors or (false) those at hand.  RG_RETRY: singular,
 * or cannot be evaluated. */
rg_status rg_large_correct(rg_large *l, const rg_curve *it, bool is_new, rg_curve *delta);
/* As rg_condensed_conditioning() and rg_condensed_noise().  All conditions are changed at once,
 * each by as much as it is made of, with signs at random: the sum of their answers, not the
 * largest one. */
double rg_large_conditioning(rg_large *l, const double *scale);
double rg_large_noise(rg_large *l, const rg_curve *it, const double *scale);
/* As rg_condensed_natural(); natural: nx states, n of w. */
void rg_large_natural(rg_large *l, const rg_curve *it, double *natural);

#endif
