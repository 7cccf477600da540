/* The size of G B E at the start, and the eps that suits it.
 *
 * Whether E = I fits G B: power iteration u := A u/|A u| on A = G B gives its largest eigenvalue
 * rho (approached from below: RG_SPECTRUM_SAFETY) and its sign; the same on rho I - sign A leads to
 * the smallest eigenvalue of sign A, whose Rayleigh quotient (u, sign A u)/(u, u) is negative when
 * E = I does not make G B E positive definite (N Theorem 2.2).  Only products with G and B are
 * needed. */
#include "ivp/srm/core.h"

#include "ivp/srm/tuning.h"
#include "linalg/vectors.h"
#include "views/tuning.h"

#include <math.h>

/* Largest |A u|/|u| of u := shift u - sign A u, and the Rayleigh quotient of A with the largest
 * modulus (shift = 0) or the least value of sign A. */
typedef struct {
    double largest, quotient, least;
} spectrum;

static spectrum iterate(rg_srm_core *c, double shift, double sign)
{
    double *u = c->space.u, *Au = c->space.r, *w = c->space.w;
    const int m = c->n_y;
    spectrum s = {0.0, 0.0, INFINITY};

    for (int k = 0; k < m; k++)
        u[k] = 1.0 + 0.5 * sin(1.0 + 2.4 * k * (k + 1.0)); /* no symmetry */
    for (int round = 0; round < RG_SPECTRUM_ROUNDS; round++) {
        const double size = sqrt(rg_dot(m, u, u));
        if (!(size > 0.0)) break; /* the iteration has ended exactly, or A = 0 */
        for (int k = 0; k < m; k++)
            u[k] /= size;
        rg_semi_force(c->view, u, w);
        rg_semi_gradient(c->view, w, Au);
        s.largest = fmax(s.largest, sqrt(rg_dot(m, Au, Au)));
        s.quotient = rg_dot(m, u, Au);
        s.least = fmin(s.least, sign * s.quotient);
        for (int k = 0; k < m; k++)
            u[k] = shift == 0.0 ? Au[k] : shift * u[k] - sign * Au[k];
    }
    return s;
}

static rg_status check_identity(rg_srm_core *c, double *rho)
{
    const spectrum large = iterate(c, 0.0, 1.0);

    *rho = large.largest * (c->n_y > 1 ? RG_SPECTRUM_SAFETY : 1.0);
    c->sign = large.quotient < 0.0 ? -1.0 : 1.0;
    const spectrum small = iterate(c, large.largest, c->sign);
    if (!(small.least < -RG_ROUNDING_PART * large.largest)) return RG_OK;
    rg_fail(c->ctx, RG_ERR_METHOD,
            "E = identity needs a definite matrix G B; at the start it is indefinite");
    return rg_remedy(c->ctx, "give --E inverse or --E transpose, or leave --variant out");
}

/* max row sum of |A| */
static double row_sum(int n, const double *A)
{
    double largest = 0.0;

    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += fabs(A[j * n + i]);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* E shifted: the sign that fits the trace of G B. */
static void choose_sign(rg_srm_core *c)
{
    double trace = 0.0;

    for (int k = 0; k < c->n_y; k++)
        trace += c->space.GB[k * c->n_y + k];
    c->sign = trace < 0.0 ? -1.0 : 1.0;
}

/* The size of G B E at the start, E other than I: the stiffness is that over eps. */
static double stiffness(const rg_srm_core *c)
{
    const srm_space *w = &c->space;
    const double size = row_sum(c->n_y, w->GB);

    if (c->variant.kind == SRM_INVARIANT) {
        double sum = 0.0;
        for (int k = 0; k < c->n_x * c->n_y; k++)
            sum += w->v.G[k] * w->v.G[k];
        return sum;
    }
    return c->variant.E == SRM_E_TRANSPOSE ? size * size : 1.0;
}

rg_status rg_srm_core_measure(rg_srm_core *c, double t, const double *z, double *rho)
{
    RG_TRY(rg_semi_eval_at(c->view, t, z, rg_srm_v(c, z), c->variant.is_nonlinear ? c->y0 : NULL,
                           &c->space.v));
    if (c->variant.E == SRM_E_IDENTITY) return check_identity(c, rho);
    rg_srm_form_GB(c, &c->space);
    choose_sign(c);
    *rho = stiffness(c);
    return RG_OK;
}

/* The penalty of thesis (2.26) oscillates with the frequency sqrt(|GB|/eps): RG_SRM_OSCILLATION
 * makes that 1/(2 tau). */
double rg_srm_core_eps(const rg_srm_core *c, double rtol, double tau, double rho)
{
    const double size = rho > 0.0 ? rho : 1.0;

    if (c->variant.kind == SRM_DIRECT) return RG_SRM_OSCILLATION * tau * tau * size;
    if (c->variant.kind == SRM_PARAMETERIZED) return tau;
    if (c->variant.alpha[0] > 0.0) return RG_SRM_SMALL_EPS * rtol;
    return tau * size * fmax(c->variant.alpha[1], 1e-300);
}
