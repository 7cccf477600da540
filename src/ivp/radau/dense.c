#include "ivp/radau/radau.h"

/* Collocation polynomial of degree 3 through (0, y_n) and (c_i, y_n + Z_i):  p(s) = y_n + sum_k a_k s^k, a_k = sum_i P_ki Z_i. */
void rg_radau_dense(rg_integrator *g)
{
    const rg_radau *r = g->radau;
    const double *Z1 = r->Z[0], *Z2 = r->Z[1], *Z3 = r->Z[2];
    double *a = g->polynomial;

    for (int64_t i = 0; i < g->n; i++)
        a[i] = g->y[i];
    for (int k = 0; k < RADAU_STAGES; k++) {
        const double *P = rg_radau_P[k];
        a += g->n;
        for (int64_t i = 0; i < g->n; i++)
            a[i] = P[0] * Z1[i] + P[1] * Z2[i] + P[2] * Z3[i];
    }
}
