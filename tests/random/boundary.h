/* Random boundary value problems with known solutions, as model texts.
 *
 * In the time s = (t - t0)/T, 0 <= s <= 1, the unknowns are u_i = U_i e_i(s), with
 *
 *     e_i(s) = a_i + b_i sin(w_i s + p_i) + c_i exp(-g_i s) + d_i exp(-g_i (1 - s)),
 *
 * and functions of time complete the equations to
 *
 *     second order   e_i'' = k_i^2 e_i + sum_j C_ij e_j + D_i e_i' + q_i
 *     first order    e'    = A(s) e + q,      A = V diag(rates of both signs) V^-1 + a
 *                                             part that turns
 *     index 1        the same with  0 = z_i + sum_j Z_ij e_j + q_i  and the z_i in the equations
 *     nonlinear      e_i'' = k_i^2 e_i + f_i(e, e') + q_i,  f_i of one of several forms
 *
 * Conditions at both ends are values, slopes or combinations of them.  Every number comes from the
 * seed; units of unknowns, of time and factors of rows change nothing but the text. */
#ifndef RG_TESTS_RANDOM_BOUNDARY_H
#define RG_TESTS_RANDOM_BOUNDARY_H

#include <stdint.h>

typedef enum {
    BOUNDARY_SECOND,
    BOUNDARY_FIRST,
    BOUNDARY_INDEX1,
    BOUNDARY_NONLINEAR,
    BOUNDARY_KINDS
} boundary_kind;

enum { BOUNDARY_MOST = 6, BOUNDARY_TEXT = 1 << 15 };

typedef struct {
    boundary_kind kind;
    uint64_t seed;
    double rate;  /* the largest k_i or rate, 1 or more; per length of the interval */
    double units; /* unknown i is measured in U_i = units^(random in -1 .. 1), rows likewise */
    double time;  /* length of the interval */
    double t0;    /* its start */
} boundary_request;

typedef struct {
    int n, order; /* unknowns; 2: u_i' is printed, too.  The last n_rest ones are algebraic. */
    int n_rest;
    double T, t0, unit[BOUNDARY_MOST];
    double a[BOUNDARY_MOST], b[BOUNDARY_MOST], w[BOUNDARY_MOST], p[BOUNDARY_MOST];
    double c[BOUNDARY_MOST], d[BOUNDARY_MOST], g[BOUNDARY_MOST];
    char text[BOUNDARY_TEXT];
} boundary_model;

void boundary_model_make(const boundary_request *r, boundary_model *m);
/* Unknown i and its derivatives with respect to t, in its unit. */
double boundary_model_exact(const boundary_model *m, int i, int order, double t);

#endif
