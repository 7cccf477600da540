/* Scales of the system Jacobian.
 *
 * With L_ij the largest |A_ij| so far, R and C are the least squares solution of
 *
 *     log L_ij + log R_i + log C_j = 0     for all L_ij > 0
 *
 * (Curtis and Reid 1972), by turns for R and C; entries that turn out below SMALL are left out and
 * the rest is solved again; in the end the largest entry of every row, then of every column, is
 * made 1.  A change of units of equations and unknowns is a change of R and C, so that the signal
 * does not depend on them: with the largest entries of rows and columns alone, a mechanism in
 * millimetres has masses far below its constraint gradients, and the loss of a constraint is
 * hidden behind that. */
#include "ivp/passage/rank.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 3, TURNS = 15 };
static const double STRETCH = 1.2; /* growth of an entry that makes the scales worthless */
static const double SMALL = 1e-3;  /* a scaled entry that does not count */
static const double SETTLED =
    0.01; /* change of a logarithm after which no further turn is worth it */

/* log of the scaled entry e in column j; r->scaled holds that of the entry itself */
static double logarithm(const rg_rank *r, int64_t e, int64_t j)
{
    return r->scaled[e] + r->row_scale[r->leading->pattern.row[e]] + r->column_scale[j];
}

/* Entries that count get the weight 1, in `inverse`.  false: the same as before. */
static bool choose(rg_rank *r, bool is_first)
{
    const rg_pattern *p = &r->leading->pattern;
    const double small = log(SMALL);
    bool is_other = is_first;

    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const double weight =
                r->largest[e] > 0.0 && (is_first || logarithm(r, e, j) > small) ? 1.0 : 0.0;
            if (weight != r->inverse[e]) is_other = true;
            r->inverse[e] = weight;
        }
    return is_other;
}

/* Takes the mean of the logarithms in every row (or column) off its scale; or their maximum.
 * Returns the largest change. */
static double turn(rg_rank *r, bool is_row, bool is_mean)
{
    double most = 0.0;
    const rg_pattern *p = &r->leading->pattern;
    double *scale = is_row ? r->row_scale : r->column_scale, *sum = r->sum, *count = sum + r->n_all;

    memset(sum, 0, 2 * (size_t)r->n_all * sizeof *sum);
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const int64_t k = is_row ? p->row[e] : j;
            if (r->inverse[e] == 0.0) continue;
            const double x = logarithm(r, e, j);
            sum[k] = is_mean ? sum[k] + x : count[k] == 0.0 ? x : fmax(sum[k], x);
            count[k] += 1.0;
        }
    for (int64_t k = 0; k < r->n_all; k++) {
        const double change = count[k] == 0.0 ? 0.0 : is_mean ? sum[k] / count[k] : sum[k];
        scale[k] -= change;
        most = fmax(most, fabs(change));
    }
    return most;
}

/* From the scales of before on: those of the first call are 0. */
static void balance(rg_rank *r)
{
    const rg_pattern *p = &r->leading->pattern;

    for (int64_t e = 0; e < r->entries; e++)
        r->scaled[e] = r->largest[e] > 0.0 ? log(r->largest[e]) : 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        double change = INFINITY;
        if (!choose(r, round == 0 && !r->has_scales) && round > 0) break;
        for (int k = 0; k < TURNS && change > SETTLED; k++)
            change = fmax(turn(r, true, true), turn(r, false, true));
    }
    turn(r, true, false);
    turn(r, false, false);
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            r->inverse[e] = exp(r->row_scale[p->row[e]] + r->column_scale[j]);
}

void rg_rank_note_scales(rg_rank *r)
{
    const rg_pattern *p = &r->leading->pattern;
    bool is_larger = !r->has_scales;

    for (int64_t e = 0; e < r->entries; e++) {
        const double size = fabs(r->A[e]);
        if (!(size > r->largest[e]) || !isfinite(size)) continue;
        r->largest[e] = size;
        r->row_largest[p->row[e]] = fmax(r->row_largest[p->row[e]], size);
        if (size * r->inverse[e] > STRETCH) is_larger = true;
    }
    if (!is_larger) return;
    balance(r);
    r->has_scales = r->is_rescaled = true;
}
