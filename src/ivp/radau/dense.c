/* The polynomial of an accepted step of Radau IIA, for output between the steps. */
#include "ivp/radau/radau.h"

#include <string.h>

/* P has entries of 400 for s = 5, 3e4 for s = 7, and the a_k rounding errors to match.  What is
 * lost at the end of the step,
 *     d = Z_s - p(1),   e = h Y'_s - p'(1),
 * goes into a_2 and a_3:  (3 d - e) x^2 + (e - 2 d) x^3  has value d and slope e at 1, and
 * neither at 0. */
static void mend_end(rg_integrator *g, double *a)
{
    const rg_radau *r = rg_radau_of(g);
    const int s = r->table->s;
    const int64_t ld = r->blocks * RG_LANES;
    const double *Zs = rg_radau_stage(r, r->Z, s - 1);

    rg_stages_combine(s, r->table->inverse + s * (s - 1), r->blocks, r->Z, ld,
                      r->error); /* h Y'_s */
    for (int64_t i = 0; i < g->n; i++, a++) {
        double d = Zs[i], e = r->error[i];
        for (int k = s - 1; k >= 0; k--) {
            d -= a[k * ld];
            e -= (k + 1) * a[k * ld];
        }
        a[ld] += 3.0 * d - e;
        a[2 * ld] += e - 2.0 * d;
    }
}

/* Collocation polynomial of degree s through (0, y_n) and (c_i, y_n + Z_i):  p(x) = y_n + sum_k
 * a_k x^k, a_k = sum_i P_ki Z_i. */
void rg_radau_dense(rg_integrator *g)
{
    const rg_radau *r = rg_radau_of(g);
    const size_t bytes = (size_t)g->n * sizeof *g->y;

    g->degree = r->table->s; /* there is room: rg_radau_set_stages */
    rg_stages_transform(g->degree, r->P, r->blocks, r->Z, r->F);
    if (g->degree > 3) mend_end(g, r->F);
    memcpy(g->polynomial, g->y, bytes);
    for (int k = 0; k < g->degree; k++)
        memcpy(g->polynomial + (k + 1) * g->n, rg_radau_stage(r, r->F, k), bytes);
}
