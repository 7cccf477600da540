/* The derivative array  F_mu = (F, F', ..., F^(mu))  as a dense matrix at a point, and what its
 * ranks say.
 *
 * States: y_j^(r), r < m_j, with m_j the highest derivative written (at least 1).  The Jacobian of
 * F_mu has the columns N (states) and M (y_j^(m_j + k), k = 0..mu, sorted by k), so that the arrays
 * of fewer levels are its leading parts.  In first-order form the chain equations
 * (j,r)' = (j,r+1) drop out of it. */
#ifndef RG_STRUCTURE_ARRAY_H
#define RG_STRUCTURE_ARRAY_H

#include "structure/sampler.h"
#include "structure/signature.h"

typedef struct {
    rg_context *ctx;
    const rg_problem *p;
    rg_sampler *s;
    int mu;
    bool is_frozen; /* callbacks cannot be differentiated: d/dt of the Jacobians is left out */
    int64_t n, n_states, n_rows, n_columns;
    int32_t *m;           /* states of each unknown          */
    int64_t *first_state; /* of each unknown; n + 1          */
    int32_t *place;       /* of y_j^(r) among the columns, at r n + j; -1: does not occur */
    double *A;            /* n_rows x n_columns              */
    double *unit;         /* of the columns (rg_sampler)     */
} rg_array;

/* least: states of an unknown without derivative, 1 or 0. */
rg_status rg_array_create(const rg_problem *p, const rg_signature *s, int least, int mu,
                          rg_array **out);
void rg_array_destroy(rg_array **a);

/* z: the values of the last point, in the order of the columns. */
void rg_array_point(const rg_array *a, double *z);
/* F_mu, which is a->s->F, at (t, z), and with_jacobian A there, scaled by row and column (NULL: not
 * scaled).  RG_RETRY: not finite. */
rg_status rg_array_eval(rg_array *a, double t, const double *z, bool with_jacobian,
                        const double *row, const double *column);

typedef enum {
    RG_POINT_SOLVED,     /* F_mu = 0 there                                                  */
    RG_POINT_STATIONARY, /* |F_mu| cannot become smaller: the equations contradict each other */
    RG_POINT_GENERIC     /* no solution found: a point near the start values                */
} rg_point_kind;
/* A point near the start values on the solution set of F_mu = 0, and the array there.  t has the
 * offsets.  RG_RETRY: no point can be evaluated. */
rg_status rg_array_visit(rg_array *a, const rg_transversal *t, int draw, rg_point_kind *kind);

typedef struct {
    int64_t a;         /* algebraic constraints on the states            */
    int64_t d;         /* degrees of freedom                             */
    int64_t vanishing; /* combinations of the rows that vanish           */
} rg_ranks;
/* Ranks of the array with levels 0 .. mu at the last point. */
rg_status rg_array_ranks(const rg_array *a, int mu, rg_ranks *out);

/* Marks one written equation for each of the n_redundant combinations that vanish at level mu but
 * not before, and the unknowns that nothing determines then (n_redundant of them or more). */
rg_status rg_array_mark(const rg_array *a, int mu, int64_t n_redundant, uint8_t *is_redundant,
                        uint8_t *is_open);

#endif
