/* E = I where constraints are nearly dependent.
 *
 * A direction in which G B is small, lambda beside the largest eigenvalue rho, converges by the
 * factor 1/(1 + h lambda/eps) from iterate to iterate: with two constraints that are nearly the
 * same it does not, though x hardly moves from one iterate to the next.  What the iteration stands
 * for tells, by products with unit vectors and one factorization of G B:
 *
 *     |B (GB)^-1 g|,          how far x is from the constraints, beside |x|,
 *     y - (GB)^-1 (G f + g_nu),    how far y is from the multipliers of the hidden constraint.
 *
 * Near a singular place, where the smallest pivot of G B has fallen, neither is looked at. */
#include "ivp/srm/core.h"

#include "ivp/srm/tuning.h"
#include "linalg/small_lu.h"

#include <math.h>
#include <string.h>

rg_status rg_srm_weak_init(rg_srm_core *c)
{
    const size_t m = (size_t)c->n_y, n = (size_t)c->n_x;

    if (c->variant.E != SRM_E_IDENTITY || c->variant.is_nonlinear || m > RG_WEAK_MOST
        || rg_srm_has_y(&c->variant)) /* y oscillates */
        return RG_OK;
    c->weak = rg_alloc(c->ctx, m * m + 2 * m + 2 * n, sizeof *c->weak);
    return c->weak != NULL ? RG_OK : RG_ERR_MEMORY;
}

/* G B in A, column by column. */
static void form(rg_srm_core *c, double *A, double *e, double *w)
{
    const int m = c->n_y;

    for (int k = 0; k < m; k++) {
        memset(e, 0, (size_t)m * sizeof *e);
        e[k] = 1.0;
        rg_semi_force(c->view, e, w);
        rg_semi_gradient(c->view, w, A + k * m);
    }
}

static bool is_usual(rg_srm_core *c, const double *A)
{
    double small = INFINITY;

    if (c->n_redundant > 0) return true;
    for (int k = 0; k < c->n_y; k++)
        small = fmin(small, rg_small_lu_pivot(c->n_y, A, k));
    c->largest_weak = fmax(c->largest_weak, small);
    return small > RG_WEAK_USUAL * c->largest_weak;
}

/* Largest |x| and |y| so far. */
static void note_sizes(rg_srm_core *c, const double *z, const double *y)
{
    for (int k = 0; k < c->n_x; k++)
        c->size_x = fmax(c->size_x, fabs(z[k]));
    for (int k = 0; k < c->n_y; k++)
        c->size_y = fmax(c->size_y, fabs(y[k]));
}

static rg_status fail(rg_srm_core *c, double t, double x_off, double y_off, int worst)
{
    char name[128];

    rg_semi_equation_name(c->view, worst, name, sizeof name);
    rg_fail(c->ctx, RG_ERR_CONVERGENCE,
            "E = identity does not enforce %s, which nearly follows from the other constraints: at "
            "t = %.10g x is off by %.1g of its size, the multipliers are by %.1g",
            name, t, x_off, y_off);
    rg_fail_time(c->ctx, t);
    rg_semi_fail_at(c->view, worst);
    return rg_remedy(c->ctx, "leave --variant and --E out; --accept-doubt takes the result as it "
                             "is");
}

/* x, y beside their largest values so far. */
static rg_status measure(rg_srm_core *c, double t, const double *z, const double *y, double *x_off,
                         double *y_off, int *worst)
{
    const int m = c->n_y, n = c->n_x;
    double *A = c->weak, *r = A + m * m, *e = r + m, *w = e + m, *f = w + n;

    const rg_status status = rg_semi_eval(c->view, t, z, rg_srm_v(c, z), &c->space.v);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    memcpy(f, c->space.v.f, (size_t)n * sizeof *f);
    note_sizes(c, z, y);
    form(c, A, e, w);
    rg_srm_note_units(c, A);
    if (!rg_srm_inverse_factor(c, A, c->space.pivot_S) || !is_usual(c, A)) return RG_OK;
    rg_semi_level(c->view, 0, r);
    rg_srm_inverse_solve(c, A, c->space.pivot_S, r);
    rg_semi_force(c->view, r, w);
    for (int k = 0; k < n; k++)
        *x_off = fmax(*x_off, fabs(w[k]) / c->size_x);
    rg_semi_gradient(c->view, f, r);
    rg_semi_level(c->view, c->order, e);
    for (int k = 0; k < m; k++)
        r[k] += e[k];
    rg_srm_inverse_solve(c, A, c->space.pivot_S, r);
    for (int k = 0; k < m; k++) {
        const double off = fabs(y[k] - r[k]) / fmax(c->size_y, fabs(r[k]));
        if (off > *y_off) *worst = k;
        *y_off = fmax(*y_off, off);
    }
    return RG_OK;
}

rg_status rg_srm_weak_check(rg_srm_core *c, double t, const double *z, const double *y,
                            double allowed)
{
    double x_off = 0.0, y_off = 0.0;
    int worst = 0;

    if (c->weak == NULL) return RG_OK;
    RG_TRY(measure(c, t, z, y, &x_off, &y_off, &worst));
    return x_off > allowed || y_off > RG_SRM_LOOSE ? fail(c, t, x_off, y_off, worst) : RG_OK;
}
