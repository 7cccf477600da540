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
 * Without the v_i:  W_i = omega_i w_n + (1/h) sum b_ij u_j,  where
 *
 *     omega_i = 1 - sum a_ij omega_j,     b_ik = a_ik/gamma - sum a_ij (b_jk + c_jk),
 *
 * and the same with m_j in place of a_ij for w_{n+1}.
 *
 * Where F = M y' - f with constant M, the W_i cancel: M may be singular then, and known to be so
 * (rg_system_has_mass()) the right-hand side is  -F(t_i, Y_i, -sum (c_ij/h) u_j) - gamma_i h F_t.
 * Otherwise F_y' must have full rank in the unknowns that have a derivative (structural index 1).
 * doc/methods/rosenbrock.md. */
#ifndef RG_IVP_ROSENBROCK_ROSENBROCK_H
#define RG_IVP_ROSENBROCK_ROSENBROCK_H

#include "ivp/aside.h"
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
    rg_matrix *side[RG_ROWS_USERS]; /* those of side steps; NULL: none yet */
    rg_rate *rate;
    double *arena;
    double *Jy, *Jyp, *Ft; /* at t_jacobian */
    double t_jacobian;
    bool has_jacobian; /* at the point y_n */
    bool has_mass;     /* F = M y' - f */
    int64_t stride;    /* of vectors: n, padded */
    double *U;         /* -u_i; zeros behind the s-th */
    double *Y, *W, *p, *right, *sum;
    double *slope;  /* of the last polynomial at its end */
    double *before; /* w_n of the last step */
    double *error, *weight;
    uint8_t *is_algebraic;
    /* of stages, and of the end */
    double omega[RG_ROSENBROCK_MOST + 1], B[RG_ROSENBROCK_MOST + 1][RG_ROSENBROCK_MOST];
    /* a_ij, and -b_ij or, with a mass matrix, c_ij, side by side as a stage takes them; the part
     * of w_n */
    double stage[RG_ROSENBROCK_MOST][RG_ROSENBROCK_MOST][2], part[RG_ROSENBROCK_MOST];
    double end[RG_ROSENBROCK_MOST][5]; /* the same of the end: m, b, e, d_0, d_1 */
} rg_rosenbrock;

static inline rg_rosenbrock *rg_rosenbrock_of(const rg_integrator *g)
{
    return (rg_rosenbrock *)g->state;
}

/* step.c */
rg_status rg_rosenbrock_step(rg_integrator *g);
rg_status rg_rosenbrock_rows(rg_integrator *g, int64_t count);
rg_status rg_rosenbrock_row(rg_integrator *g, double t, double *y, double *yp);
/* kernels.c: blocks of four, so up to three numbers behind the n-th are read and written.
 * Y_i and W_i or, with a mass matrix, -sum (c_ij/h) u_j: W may begin right behind the n-th number
 * of Y; sum <- W_i + sum (c_ij/h) u_j without one; Y, W, error, p and sum = q of the end. */
void rg_rosenbrock_point(const rg_rosenbrock *r, int i, const double *y, const double *yp,
                         double *Y, double *W);
void rg_rosenbrock_slope(const rg_rosenbrock *r, int i, const double *yp);
void rg_rosenbrock_end(const rg_rosenbrock *r, const double *y, const double *yp);
/* |h y' - (end - y + p)| in the norm of the weights, which end in zeros: h times the jump of the
 * slope at the begin of the step */
typedef struct {
    const double *y, *yp, *end;
    double h;
} rg_rosenbrock_ends;
double rg_rosenbrock_jump(int64_t n, const rg_rosenbrock_ends *e, const double *p,
                          const double *weight);
/* y(s) = y + s (end - y) + s (1 - s) (p + s q) in powers of s: a, n numbers each */
void rg_rosenbrock_dense(int64_t n, const double *y, const double *end, const double *p,
                         const double *q, double *a);

#endif
