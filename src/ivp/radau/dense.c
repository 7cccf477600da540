#include "ivp/radau/radau.h"

#include <string.h>

/* P has entries of 400 for s = 5, 3e4 for s = 7, and the a_k rounding errors to match.  What is lost at the end of the step,
 *     d = Z_s - p(1),   e = h Y'_s - p'(1),
 * goes into a_2 and a_3:  (3 d - e) x^2 + (e - 2 d) x^3  has value d and slope e at 1, and neither at 0. */
static void mend_end(rg_integrator *g, double *const *a)
{
    const rg_radau *r = g->radau;
    const int s = r->table->s;
    const double *Zs = r->Z[s - 1];

    rg_stages_combine(s, r->table->inverse + s * (s - 1), g->n, r->Z, r->error); /* h Y'_s */
    for (int64_t i = 0; i < g->n; i++) {
        double d = Zs[i], e = r->error[i];
        for (int k = s - 1; k >= 0; k--) {
            d -= a[k][i];
            e -= (k + 1) * a[k][i];
        }
        a[1][i] += 3.0 * d - e;
        a[2][i] += e - 2.0 * d;
    }
}

/* Collocation polynomial of degree s through (0, y_n) and (c_i, y_n + Z_i):  p(x) = y_n + sum_k a_k x^k, a_k = sum_i P_ki Z_i. */
void rg_radau_dense(rg_integrator *g)
{
    const rg_radau *r = g->radau;
    double *a[RADAU_MOST];

    g->degree = r->table->s; /* there is room: rg_radau_set_stages */
    for (int k = 0; k < g->degree; k++)
        a[k] = g->polynomial + (k + 1) * g->n;
    memcpy(g->polynomial, g->y, (size_t)g->n * sizeof *g->y);
    rg_stages_transform(g->degree, r->table->P, g->n, r->Z, a);
    if (g->degree > 3) mend_end(g, a);
}
