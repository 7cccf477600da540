#include "ivp/radau/radau.h"

#include <string.h>

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
}
