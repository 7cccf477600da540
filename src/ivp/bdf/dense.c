/* The polynomial of an accepted step of IDA, joined to the points that were handed out. */
#include "ivp/bdf/bdf_impl.h"

#include <string.h>

/* p(t) = IDA's interpolant of order k, with derivatives p^(j)(t_0) by IDAGetDky; s = (t - t_0)/h:
 *
 *     p(t) = sum_j a_j s^j,   a_j = h^j/j! p^(j)(t_0),  j = 0 .. k;   a_j = 0 from there to the
 *                             degree promised.
 *
 * On entry a_0 is the y at t_0 that was handed out; it stays. */
void rg_bdf_derivatives(rg_integrator *g)
{
    rg_bdf *b = rg_bdf_of(g);
    const double h = g->t - g->t_previous;
    double factor = 1.0;
    int order = 0;

    memset(g->polynomial + g->n, 0, (size_t)(BDF_MAX_ORDER * g->n) * sizeof(double));
    if (IDAGetLastOrder(b->ida, &order) != IDA_SUCCESS || order > BDF_MAX_ORDER) order = 0;
    for (int j = 1; j <= order; j++) {
        factor *= h / j;
        if (IDAGetDky(b->ida, g->t_previous, j, b->dky_vector) != IDA_SUCCESS) break;
        for (int64_t i = 0; i < g->n; i++)
            g->polynomial[j * g->n + i] = factor * b->dky[i];
    }
}

/* p interpolates what IDA computed; the ends that are handed out may be projected.  So that the
 * pieces join, a straight line is added:  (y_0 - p(t_0)) (1 - s) + (y_1 - p(t_1)) s. */
void rg_bdf_join(rg_integrator *g)
{
    double *a = g->polynomial;
    const int64_t n = g->n;

    for (int64_t i = 0; i < n; i++) {
        double end = a[i];
        for (int j = 1; j <= BDF_MAX_ORDER; j++)
            end += a[j * n + i];
        a[n + i] += g->y[i] - end;
    }
}
