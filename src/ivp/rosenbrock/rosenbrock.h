/* Rosenbrock methods on F(t, y, y') = 0 of index 0 and 1: linearly implicit, no iteration.
 *
 * With w = y' as one more unknown the equations are  y' = w, 0 = F(t, y, w),  and the method for
 * M y' = f (linalg/tableau.h) needs only the matrix of the other implicit methods:
 *
 *     (F_y'/(h gamma) + F_y) u_i = -F(t_i, Y_i, W_i) - gamma_i h F_t
 *                                  + F_y' (W_i + sum (c_ij/h) u_j)
 *     v_i = u_i/(h gamma) - W_i - sum (c_ij/h) u_j
 *     Y_i = y_n + sum a_ij u_j,     W_i = w_n + sum a_ij v_j,     j < i
 *
 * Where F = M y' - f with constant M, the W_i cancel: M may be singular then.  Otherwise F_y' must
 * have full rank in the unknowns that have a derivative (structural index 1).
 * doc/methods/rosenbrock.md. */
#ifndef RG_IVP_ROSENBROCK_ROSENBROCK_H
#define RG_IVP_ROSENBROCK_ROSENBROCK_H

#include "ivp/irk/theory.h"
#include "ivp/pace.h"
#include "linalg/matrix.h"
#include "linalg/tableau.h"
#include "views/rate.h"

extern const rg_ivp_method rg_rosenbrock_method;
rg_order_fn rg_order_rosenbrock;

typedef struct {
    rg_pace pace;
    const rg_rosenbrock_tableau *tableau;
    rg_matrix *matrix;
    rg_rate *rate;
    double *arena;
    double *Jy, *Jyp, *Ft; /* at t_jacobian */
    double t_jacobian;
    bool has_jacobian; /* at the point y_n */
    double *U, *V;     /* u_i, v_i: s vectors each */
    double *Y, *W, *right, *sum;
    double *error, *weight;
    uint8_t *is_algebraic;
} rg_rosenbrock;

static inline rg_rosenbrock *rg_rosenbrock_of(const rg_integrator *g)
{
    return (rg_rosenbrock *)g->state;
}

/* step.c */
rg_status rg_rosenbrock_step(rg_integrator *g);

#endif
