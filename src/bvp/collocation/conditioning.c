/* Columns of the fundamental solution, normalized by the conditions: the conditioning constant of a
 * linear boundary value problem (AMR95), with rows and states scaled by what they are made of.
 *
 * Only the user's conditions are changed, the invariants at the start hold: that is the essential
 * underlying problem of a higher index, u' = (RA + R')Su + f with conditions in u (thesis, (2.22)),
 * whose stability constant for |beta_1| (Assumption 2.3) this measures, in the
 * states x = Su + ... in place of u. */
#include "bvp/collocation/condensed.h"

#include "base/tuning.h"

#include <math.h>
#include <string.h>

/* The unknowns themselves count: a derivative that is large in a layer, where the solution has
 * none, is not what the user asked for. */
static double largest(const rg_condensed *l, const double *scale, bool has_derivatives,
                      const double *u)
{
    double worst = 0.0;

    for (int64_t q = 0; q < (l->N + 1) * l->nx; q++)
        if ((has_derivatives || l->field.order[q % l->nx] == 0)
            && !(fabs(u[q]) / scale[q % l->nx] <= worst))
            worst = fabs(u[q]) / scale[q % l->nx];
    return worst;
}

double rg_condensed_conditioning(rg_condensed *l, const double *scale, double *u)
{
    const int nx = l->nx;
    double worst = 0.0;

    if (!l->has_factors) return l->is_singular ? INFINITY : NAN;
    for (int i = 0; i < l->field.n_given; i++) {
        double size = 0.0;
        memset(l->beta, 0, (size_t)nx * sizeof *l->beta);
        l->beta[i] = 1.0;
        for (int k = 0; k < l->n_nodes; k++)
            for (int j = 0; j < nx; j++)
                size += fabs(l->chain->B[((int64_t)k * nx + j) * nx + i]) * scale[j];
        rg_chain_solve(l->chain, NULL, l->beta, u);
        worst = fmax(worst, size * largest(l, scale, false, u));
    }
    return worst;
}

/* A sign that looks random, for entry k. */
static double stir(int64_t k, int trial)
{
    const double v = 0.6180339887498949 * (double)(k + 1) * (7.3 + trial);
    return v - floor(v) < 0.5 ? -1.0 : 1.0;
}

/* The other half of the stability constant: |u| <= K (|f| + |beta|).  Every equation of the chain
 * is wrong by a unit in the last place, of its terms or of the scale; with signs at random the
 * chain answers to that. */
double rg_condensed_noise(rg_condensed *l, const rg_curve *it, const double *scale,
                          rg_rounding kind, double *u)
{
    const int nx = l->nx, trials = kind == RG_ROUNDING_FACTORS ? RG_NOISE_TRIALS : 1;
    double worst = 0.0;

    if (!l->has_factors) return l->is_singular ? INFINITY : NAN;
    memset(l->beta, 0, (size_t)nx * sizeof *l->beta);
    for (int trial = 0; trial < trials; trial++) {
        for (int64_t q = 0; q < l->N * nx; q++) {
            const double here = fmax(fabs(it->x[q]), fabs(it->x[q + nx]));
            const double size = kind == RG_ROUNDING_FACTORS ? scale[q % nx] : here;
            l->gamma[q] = 0x1p-53 * stir(q, trial) * size;
        }
        rg_chain_solve(l->chain, l->gamma, l->beta, u);
        worst = fmax(worst, largest(l, scale, kind == RG_ROUNDING_STATES, u));
    }
    return worst;
}
