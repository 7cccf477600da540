/* The size of G B at the start, and whether E = I fits it.
 *
 * Power iteration u := A u/|A u| on A = G B gives its largest eigenvalue rho (approached from below: SAFETY) and its sign; the same
 * on rho I - sign A leads to the smallest eigenvalue of sign A, whose Rayleigh quotient (u, sign A u)/(u, u) is negative when E = I
 * does not make G B E positive definite (N Theorem 2.2).  Only products with G and B are needed. */
#include "ivp/srm/srm_impl.h"

#include <math.h>

enum { ROUNDS = 60 };
static const double SAFETY = 1.1, INDEFINITE = 1e-8; /* relative */

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;

    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Largest |A u|/|u| of u := shift u - sign A u, and the Rayleigh quotient of A with the largest modulus (shift = 0) or the least
 * value of sign A. */
typedef struct {
    double largest, quotient, least;
} spectrum;

static spectrum iterate(rg_srm *b, double shift, double sign)
{
    double *u = b->space.u, *Au = b->space.r, *w = b->space.w;
    const int m = b->n_y;
    spectrum s = {0.0, 0.0, INFINITY};

    for (int k = 0; k < m; k++)
        u[k] = 1.0 + 0.5 * sin(1.0 + 2.4 * k * (k + 1.0)); /* no symmetry */
    for (int round = 0; round < ROUNDS; round++) {
        const double size = sqrt(dot(m, u, u));
        if (!(size > 0.0)) break; /* the iteration has ended exactly, or A = 0 */
        for (int k = 0; k < m; k++)
            u[k] /= size;
        rg_semi_force(b->view, u, w);
        rg_semi_gradient(b->view, w, Au);
        s.largest = fmax(s.largest, sqrt(dot(m, Au, Au)));
        s.quotient = dot(m, u, Au);
        s.least = fmin(s.least, sign * s.quotient);
        for (int k = 0; k < m; k++)
            u[k] = shift == 0.0 ? Au[k] : shift * u[k] - sign * Au[k];
    }
    return s;
}

rg_status rg_srm_spectrum(rg_integrator *g, double *rho)
{
    rg_srm *b = g->srm;
    const spectrum large = iterate(b, 0.0, 1.0);

    *rho = large.largest * (b->n_y > 1 ? SAFETY : 1.0);
    b->sign = large.quotient < 0.0 ? -1.0 : 1.0;
    const spectrum small = iterate(b, large.largest, b->sign);
    if (!(small.least < -INDEFINITE * large.largest)) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD,
            "E = identity needs a definite matrix G B; at the start it is indefinite");
    return rg_remedy(g->ctx, "give --E inverse or --E transpose, or leave --variant out");
}
