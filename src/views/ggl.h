/* The stabilized form of index 2 (Gear, Gupta, Leimkuhler), made from the model as written.
 *
 * Offsets c_i, d_j of the structural analysis; states (j, r), r < max(d_j, 1), and a multiplier mu
 * per lower constraint:
 *
 *     F_i^(k) = 0,                                            k = max(c_i - 1, 0)     equations
 *     (j,r)' = (j,r+1) - sum mu_ik dF_i^(k) / d(j,r),         r + 1 < d_j             chains
 *     F_i^(k) = 0,                                            k < c_i - 1             lower
 *                                                             constraints
 *
 * For  q' = v, M v' = f - G^T lambda, g(q) = 0  these are  q' = v - G^T mu, M v' = f - G^T lambda,
 * G v + g_t = 0, g = 0.  mu = 0: with A = dF_i^(k)/d(j,r) of all lower constraints, d/dt
 * F_i^(k) = F_i^(k+1) - (A A^T mu)_ik, and A has full rank wherever the system Jacobian of the
 * analysis has.  Rows: equations, chains, lower constraints. */
#ifndef RG_VIEWS_GGL_H
#define RG_VIEWS_GGL_H

#include "views/alias.h"
#include "views/states.h"

typedef struct {
    int64_t n_equations, n_chains, n_low;
    int32_t *equation;                 /* per row of an equation: its number in the model */
    int32_t *chain_state, *chain_next; /* (state)' = next - ... */
    int32_t *chain_of;                 /* per state: its chain, or -1 */
    int32_t *low_equation, *low_level; /* per lower constraint: F_i^(k) */
    int32_t *unknown, *order;          /* per state that is no multiplier */
    rg_assembly *low;                  /* lower constraints over z = (y, y') */
    /* places in the pattern of the view: entries of the equations; chains in y and y'; entries of
     * the lower constraints, as rows and as columns of the multipliers */
    int64_t *place, *chain_y, *chain_yp, *low_row, *low_mu;
} rg_ggl;

typedef struct {
    rg_assembly_work *low;
    double *G; /* values of the lower constraints */
} rg_ggl_work;

/* Fills the layout; mu of lower constraint e is state n_states - n_low + e. */
rg_status rg_ggl_layout(const rg_problem *p, const rg_analysis *a, rg_ggl *g, rg_states *l);
/* Assembly of the lower constraints; joins it with that of the equations in one pattern. */
rg_status rg_ggl_join(const rg_problem *p, const rg_states *l, const rg_pattern *equations,
                      rg_ggl *g, rg_pattern *out);
void rg_ggl_clear(rg_context *ctx, rg_ggl *g);

rg_status rg_ggl_work_init(rg_context *ctx, const rg_ggl *g, rg_ggl_work *w);
void rg_ggl_work_clear(rg_context *ctx, rg_ggl_work *w);
/* Chains and lower constraints: the rows behind the equations. */
rg_status rg_ggl_residual(const rg_ggl *g, const rg_states *l, rg_ggl_work *w, double t,
                          const double *z, double *F);
/* Jy, Jyp: zero where nothing has been added; J: values of the equations' assembly. */
rg_status rg_ggl_jacobian(const rg_ggl *g, const rg_states *l, rg_ggl_work *w, double t,
                          const double *z, const rg_pattern *equations, const double *J, double *Jy,
                          double *Jyp);

#endif
