/* The polynomial of an accepted step of Radau IIA, for output between the steps. */
#include "ivp/radau/radau.h"

#include <string.h>

/* P has entries of 400 for s = 5, 3e4 for s = 7, and the a_k rounding errors to match.  What is
 * lost at the end of the step,
 *     d = Z_s - p(1),   e = h Y'_s - p'(1),
 * goes into a_2 and a_3:  (3 d - e) x^2 + (e - 2 d) x^3  has value d and slope e at 1, and
 * neither at 0. */
RG_FOR_QUADS static void mend_end(const rg_radau *r, double *a)
{
    const int s = r->table->s;
    const int64_t blocks = r->blocks;
    const rg_quad *Zs = (const rg_quad *)rg_radau_stage(r, r->Z, s - 1);
    rg_quad *of = (rg_quad *)a;

    rg_stages_combine(s, r->table->inverse + s * (s - 1), blocks, r->Z, blocks * RG_LANES,
                      r->error); /* h Y'_s */
    for (int64_t b = 0; b < blocks; b++, of++) {
        rg_quad d = Zs[b], e = ((const rg_quad *)r->error)[b];
        for (int k = s - 1; k >= 0; k--) {
            d -= of[k * blocks];
            e -= (double)(k + 1) * of[k * blocks];
        }
        of[blocks] += 3.0 * d - e;
        of[2 * blocks] += e - 2.0 * d;
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
    if (g->degree > 3) mend_end(r, r->F);
    memcpy(g->polynomial, g->y, bytes);
    for (int k = 0; k < g->degree; k++)
        memcpy(g->polynomial + (k + 1) * g->n, rg_radau_stage(r, r->F, k), bytes);
}
