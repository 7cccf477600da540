/* Extrapolation methods: a simple scheme with n_1, n_2, ... substeps over a step H, extrapolated to
 * substeps of length 0 (Aitken, Neville):
 *
 *     T_j1: the scheme with h_j = H/n_j,    T_jk = T_j,k-1 + (T_j,k-1 - T_j-1,k-1)/(r^e - 1),
 *                                           r = n_j/n_j-k+1,  e: powers of h in its expansion
 *
 *     midpoint   half-explicit leapfrog on the view of views/semi/half.h, e = 2; n = 2, 4, 6, ...
 *     euler3     half-explicit Euler for q' = v, g = 0 at every substep, e = 1; n = 2, 3, 4, ...
 *     seulex     linearly implicit Euler on F(t, y, y') = 0 of index 0, 1, e = 1; n = 2, 3, 4, ...
 *
 * Order (column) and step are chosen for the least work per length.  The state begins with that of
 * half-explicit methods, whose projection, multipliers and dense output are used.
 * doc/methods/extrapolation.md. */
#ifndef RG_IVP_EXTRAPOLATION_EXTRAPOLATION_H
#define RG_IVP_EXTRAPOLATION_EXTRAPOLATION_H

#include "ivp/aside.h"
#include "ivp/half_explicit/half_explicit.h"
#include "linalg/matrix.h"

extern const rg_ivp_method rg_extrapolation_method;
rg_order_fn rg_order_extrapolation;
/* The highest index that the scheme takes as written. */
int rg_extrapolation_direct_index(const rg_options *o, int index);

enum { EXTRAPOLATION_MOST = 8 }; /* columns */

typedef struct { /* where a step begins */
    double t, H, t_end;
    const double *x, *f, *y; /* midpoint, euler3: X, X', multipliers; seulex: y, y' */
} rg_extrapolation_from;

typedef struct rg_extrapolation rg_extrapolation;
/* The scheme over the step with `count` substeps. */
typedef rg_status rg_extrapolation_fn(rg_integrator *g, const rg_extrapolation_from *from,
                                      int count, double *result);

struct rg_extrapolation {
    rg_half_explicit half; /* first: seulex uses its pace and part alone */
    rg_extrapolation_fn *scheme;
    bool is_half; /* midpoint, euler3 */
    int power;    /* e */
    int substeps[EXTRAPOLATION_MOST];
    double work[EXTRAPOLATION_MOST]; /* evaluations for columns 1 .. j + 1 */
    int size;                        /* numbers that are extrapolated */
    int column, fixed;               /* the one that is aimed at, from 1; 0: not fixed */
    int row_column;                  /* of the last step */
    int most;                        /* ... of which rounding leaves something */
    double error[EXTRAPOLATION_MOST];
    double magnified[EXTRAPOLATION_MOST]; /* errors of T_i1 in T_jj */
    double *arena, *T; /* T: the last row of the table, EXTRAPOLATION_MOST vectors */
    double *last, *before, *next, *difference;
    /* seulex */
    rg_matrix *matrix, *side[RG_ROWS_USERS]; /* of the run; of side steps, NULL: none yet */
    double *Jy, *Jyp, *y_new, *w_new, *right, *past, *weight;
    double *rounding; /* of T_i1; NULL: not looked at */
    double t_jacobian, h_past;
    bool has_jacobian;
    uint8_t *is_algebraic;
};

static inline rg_extrapolation *rg_extrapolation_of(const rg_integrator *g)
{
    return (rg_extrapolation *)g->state;
}

/* half.c, linear.c: the schemes */
rg_extrapolation_fn rg_extrapolation_midpoint, rg_extrapolation_euler3, rg_extrapolation_seulex;
/* linear.c: seulex: Jacobian at the start of a step; the step accepted */
rg_status rg_extrapolation_prepare(rg_integrator *g);
void rg_extrapolation_accept_seulex(rg_integrator *g);
/* table.c: columns 1 .. x->column, errors of each; the result in T[column - 1] */
rg_status rg_extrapolation_table(rg_integrator *g, const rg_extrapolation_from *from);
void rg_extrapolation_choose(rg_integrator *g);
/* T_j,k+1 = T_jk + factor (T_jk - T_j-1,k), j and k from 0 */
double rg_extrapolation_factor(const rg_extrapolation *x, int j, int k);
/* step.c */
rg_status rg_extrapolation_step(rg_integrator *g);
rg_status rg_extrapolation_rows(rg_integrator *g, int64_t count);
rg_status rg_extrapolation_row(rg_integrator *g, double t, double *y, double *yp);

#endif
