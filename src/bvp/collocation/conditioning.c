/* Columns of the fundamental solution, normalized by the conditions: the conditioning constant of a
 * linear boundary value problem (AMR95), with rows and states scaled by what they are made of.
 *
 * Only the user's conditions are changed, the invariants at the start hold: that is the essential
 * underlying problem of a higher index, u' = (RA + R')Su + f with conditions in u (thesis, (2.22)),
 * whose stability constant for |beta_1| (Assumption 2.3) this measures, in the
 * states x = Su + ... in place of u. */
#include "bvp/collocation/condensed.h"

#include "base/random.h"
#include "bvp/collocation/tuning.h"
#include "bvp/dense_block.h"

#include <math.h>
#include <string.h>

/* The unknowns themselves count: a derivative that is large in a layer, where the solution has
 * none, is not what the user asked for. */
static double largest(const rg_condensed *l, const double *scale, const double *u)
{
    double worst = 0.0;

    for (int64_t q = 0; q < (l->N + 1) * l->nx; q++)
        if (l->field.order[q % l->nx] == 0 && !(fabs(u[q]) / scale[q % l->nx] <= worst))
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
        worst = fmax(worst, size * largest(l, scale, u));
    }
    return worst;
}

/* The other half of the stability constant: |u| <= K (|f| + |beta|).  Every equation of the chain
 * is wrong by a unit in the last place, of its terms or of the scale; with signs at random, more
 * than once, the chain answers to that. */
double rg_condensed_noise(rg_condensed *l, const rg_curve *it, const double *scale,
                          rg_rounding kind, double *u)
{
    const int nx = l->nx;
    double worst = 0.0;

    if (!l->has_factors) return l->is_singular ? INFINITY : NAN;
    memset(l->beta, 0, (size_t)nx * sizeof *l->beta);
    for (int trial = 0; trial < RG_NOISE_TRIALS; trial++) {
        for (int64_t q = 0; q < l->N * nx; q++) {
            const double here = fmax(fabs(it->x[q]), fabs(it->x[q + nx]));
            const double size = kind == RG_ROUNDING_FACTORS ? scale[q % nx] : here;
            l->gamma[q] = 0x1p-53 * rg_random_sign((uint64_t)trial, (uint64_t)q) * size;
        }
        rg_chain_solve(l->chain, l->gamma, l->beta, u);
        worst = fmax(worst, largest(l, scale, u));
    }
    return worst;
}

/* One unit in the last place of the unknowns, and of t along their slopes, as derivatives see it: a
 * mode of rate K answers with K times that.  Slopes of layers do not count, since these come with
 * the equations, not with t.  Relative to their own values, and to what the unknown could make of
 * them over the whole; at: the number of the largest in (N + 1) nx. */
double rg_condensed_slopes(rg_condensed *l, const rg_curve *it, const double *scale, double *u,
                           int64_t *at)
{
    const int nx = l->nx;
    const double length = fabs(it->t[l->N] - it->t[0]);
    double worst = 0.0;

    *at = 0;
    if (!l->has_factors) return 0.0;
    for (int64_t q = 0; q < l->N * nx; q++) {
        const int64_t i = q / nx;
        const int k = (int)(q % nx), order = l->field.order[k];
        const double slope = fmin(fabs((it->x[q + nx] - it->x[q]) / (it->t[i + 1] - it->t[i])),
                                  scale[k - order] / pow(length, order + 1));
        const double size = fmax(fabs(it->x[q]), fabs(it->x[q + nx])) + slope * fabs(it->t[i]);
        l->gamma[q] = 0x1p-53 * rg_random_sign(0, (uint64_t)q) * size;
    }
    memset(l->beta, 0, (size_t)nx * sizeof *l->beta);
    rg_chain_solve(l->chain, l->gamma, l->beta, u);
    for (int64_t q = 0; q < (l->N + 1) * nx; q++) {
        const int k = (int)(q % nx), order = l->field.order[k];
        const double weight =
            fabs(it->x[q]) + fmin(scale[k], scale[k - order] / pow(length, order));
        if (order == 0 || !(fabs(u[q]) > worst * weight)) continue;
        worst = fabs(u[q]) / weight;
        *at = q;
    }
    return worst;
}

/* The largest term of w, of chain c in interval i. */
static double largest_term(const rg_condensed *l, const double *terms, int64_t i, int c)
{
    double most = 0.0;

    for (int64_t q = i * l->s; q < (i + 1) * l->s; q++)
        most = fmax(most, terms[q * 2 * l->n + l->stages.row[c]]);
    return most;
}

/* V of interval i where w is wrong by its terms at all stages:  V = S^-1 terms.  A mode that is
 * much faster than the interval answers with terms/K to that, not with h terms. */
static void answer_stages(rg_condensed *l, const double *terms, int64_t i)
{
    const int q = l->stages.n_chains, size = l->stages.size;

    for (int k = 0; k < size; k++)
        l->V[k] = terms[(i * l->s + k / q) * 2 * l->n + l->stages.row[k % q]];
    rg_block_solve(size, l->S + i * size * size, l->stage_pivot + i * size, 1, l->V);
}

/* The largest one of chain c, not above its own terms. */
static double largest_answer(const rg_condensed *l, const double *terms, int64_t i, int c)
{
    double most = 0.0;

    for (int k = c; k < l->stages.size; k += l->stages.n_chains)
        most = fmax(most, fabs(l->V[k]));
    return fmin(most, largest_term(l, terms, i, c));
}

void rg_condensed_natural(rg_condensed *l, const rg_curve *it, const double *terms, double *u,
                          double *natural)
{
    const int nx = l->nx;

    memset(natural, 0, (size_t)nx * sizeof *natural);
    if (!l->has_factors) return;
    for (int64_t q = 0; q < l->N * nx; q++) {
        const int k = (int)(q % nx), c = l->stages.chain[k];
        const int64_t i = q / nx;
        double size = fmax(fabs(it->x[q]), fabs(it->x[q + nx]));
        if (k == 0) answer_stages(l, terms, i);
        if (l->stages.last[c] == k)
            size += fabs(it->t[i + 1] - it->t[i]) * largest_answer(l, terms, i, c);
        l->gamma[q] = rg_random_sign(0, (uint64_t)q) * size;
    }
    memset(l->beta, 0, (size_t)nx * sizeof *l->beta);
    rg_chain_solve(l->chain, l->gamma, l->beta, u);
    for (int64_t q = 0; q < (l->N + 1) * nx; q++)
        natural[q % nx] = fmax(natural[q % nx], fabs(u[q]));
}

void rg_condensed_bound(rg_condensed *l, const rg_curve *it, const double *terms, double *natural)
{
    for (int k = l->nx - 1; k >= 0; k--) {
        const int c = l->stages.chain[k];
        l->X[k] = 0.0;
        for (int64_t i = 0; i < l->N; i++)
            l->X[k] += fabs(it->t[i + 1] - it->t[i])
                       * (l->stages.last[c] == k ? largest_term(l, terms, i, c) : l->X[k + 1]);
        natural[k] = fmin(natural[k], l->X[k]);
    }
}
