/* The constraint term -B y as it is added to x' (index 3: x''), and the multipliers in it. */
#include "ivp/srm/core.h"
#include "ivp/srm/tuning.h"

#include <math.h>
#include <string.h>

/* From y' and f: By stays bounded where y does not, so y itself is not used. */
rg_status rg_srm_core_force(rg_srm_core *c, double t, const double *y, const double *yp,
                            double *out)
{
    double *x = c->point;

    for (int r = 0; r < c->order; r++)
        for (int k = 0; k < c->n_x; k++)
            x[r * c->n_x + k] = y[rg_srm_state(c, r, k)];
    const rg_status status = rg_semi_eval(c->view, t, x, rg_srm_v(c, x), &c->space.v);
    if (status < 0) return status;
    for (int k = 0; k < c->n_x; k++)
        out[k] = status == RG_OK ? yp[rg_srm_state(c, c->order - 1, k)] - c->space.v.f[k] : NAN;
    return RG_OK;
}

/* With alpha = (1, 2 gamma, gamma^2) and gamma = 1/h, g = O(h^2) at a stage makes 2 gamma dg/dt +
 * gamma^2 g = O(1): that drives x back, and is no part of the multipliers. */
void rg_srm_hidden(rg_srm_core *c, srm_space *w, double *y)
{
    const int m = c->n_y;

    memcpy(w->S, w->GB, (size_t)(m * m) * sizeof *w->S);
    if (!rg_srm_inverse_factor(c, w->S, w->pivot_S)) return;
    memcpy(y, c->order == 1 ? w->v.g1 : w->v.g2, (size_t)m * sizeof *y);
    rg_srm_add_product(m, c->n_x, w->v.G, w->v.f, y);
    rg_srm_inverse_solve(c, w->S, w->pivot_S, y);
}

/* f, B, G at z, and y := d^level g/dt^level, for level = nu that at x^(nu) = 0; y := (G B)^-1 y,
 * for level = nu with G f in it. */
static rg_status solve_level(rg_srm_core *c, double t, const double *z, int level, double *y)
{
    srm_space *w = &c->space;
    const int n = c->n_x, m = c->n_y;

    c->evaluations++;
    RG_TRY(rg_semi_eval(c->view, t, z, rg_srm_v(c, z), &w->v));
    rg_srm_form_GB(c, w);
    memcpy(w->S, w->GB, (size_t)m * (size_t)m * sizeof *w->S);
    if (!rg_srm_inverse_factor(c, w->S, w->pivot_S)) return RG_RETRY;
    rg_semi_level(c->view, level, y);
    if (level == c->order) rg_srm_add_product(m, n, w->v.G, w->v.f, y);
    rg_srm_inverse_solve(c, w->S, w->pivot_S, y);
    for (int k = 0; k < m; k++)
        if (!isfinite(y[k])) return RG_RETRY;
    return RG_OK;
}

/* (G B) y = G f + d^nu g/dt^nu,      nu the order, the derivative taken at x^(nu) = 0. */
rg_status rg_srm_core_multipliers(rg_srm_core *c, double t, const double *z, double *y)
{
    return solve_level(c, t, z, c->order, y);
}

/* z moved onto the constraints, level by level, x^(r) -= B (G B)^-1 d^r g/dt^r: what is off there
 * is c(t) h(x) where they are singular at a zero of c, and its derivative c' h is as large as G. */
static rg_status project(rg_srm_core *c, double t, double *z)
{
    for (int r = 0; r < c->order; r++) {
        RG_TRY(solve_level(c, t, z, r, c->near));
        rg_semi_force(c->view, c->near, c->space.w);
        for (int k = 0; k < c->n_x; k++)
            z[r * c->n_x + k] -= c->space.w[k];
    }
    return RG_OK;
}

/* y' of a step with error control is the derivative of its polynomial, two orders below x and some
 * hundred tolerances off, and f - y' with it.  Where G B is regular B y comes from x alone instead:
 * that is bounded where y is not, if x meets the constraints. */
rg_status rg_srm_hidden_force(rg_srm_core *c, double t, const double *y, double *out)
{
    const int64_t evaluations = c->evaluations;
    const bool is_aside = c->is_aside;
    srm_sample pivots = {.p = 0.0};

    for (int r = 0; r < c->order; r++)
        for (int k = 0; k < c->n_x; k++)
            c->point[r * c->n_x + k] = y[rg_srm_state(c, r, k)];
    c->is_aside = true;
    rg_status status = project(c, t, c->point);
    if (status == RG_OK) status = rg_srm_core_multipliers(c, t, c->point, c->near);
    if (status == RG_OK) rg_srm_pivot_now(c, 0.0, &pivots);
    c->is_aside = is_aside;
    c->evaluations = evaluations;
    if (!(pivots.p > RG_SRM_FORCE)) return status < 0 ? status : RG_OK;
    rg_semi_force(c->view, c->near, out);
    for (int k = 0; k < c->n_x; k++)
        out[k] = 0.0 - out[k]; /* 0 stays 0 */
    return RG_OK;
}
