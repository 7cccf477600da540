/* Columns of the fundamental solution, normalized by the conditions: the conditioning constant of a linear boundary value
 * problem (AMR95), with rows and states scaled by what they are made of.
 *
 * Only the user's conditions are changed, the invariants at the start hold: that is the essential underlying problem of a
 * higher index, u' = (RA + R')Su + f with conditions in u (thesis, (2.22)), whose stability constant for |beta_1|
 * (Assumption 2.3) this measures, in the states x = Su + ... in place of u. */
#include "bvp/collocation/condensed.h"

#include <math.h>
#include <string.h>

double rg_condensed_conditioning(rg_condensed *l, const double *scale, double *u)
{
    const int nx = l->nx;
    double worst = 0.0;

    if (!l->has_factors) return l->is_singular ? INFINITY : NAN;
    memset(l->gamma, 0, (size_t)(l->N * nx) * sizeof *l->gamma);
    for (int i = 0; i < nx - l->f->n_invariants; i++) {
        double size = 0.0;
        memset(l->beta, 0, (size_t)nx * sizeof *l->beta);
        l->beta[i] = 1.0;
        for (int k = 0; k < l->n_nodes; k++)
            for (int j = 0; j < nx; j++)
                size += fabs(l->chain->B[((int64_t)k * nx + j) * nx + i]) * scale[j];
        rg_chain_solve(l->chain, l->gamma, l->beta, u);
        for (int64_t q = 0; q < (l->N + 1) * nx; q++)
            worst = fmax(worst, size * fabs(u[q]) / scale[q % nx]);
    }
    return worst;
}
