/* Scales of the system Jacobian.
 *
 * With L_ij the largest |A_ij| so far, R and C are the least squares solution of
 *
 *     log L_ij + log R_i + log C_j = 0     for all L_ij > 0
 *
 * (Curtis and Reid 1972), by turns for R and C.  Entries that turn out below RG_RANK_SMALL_ENTRY of
 * the largest ones of their row and of their column are left out and the rest is solved again,
 * those that are furthest off first: an entry that is nearly 0, as the height of a link that is
 * nearly level, moves the scales of all others.  In the end the largest entry of every row, then of
 * every column, is made 1.  A change of units of equations and unknowns is a change of R and C, so
 * that the signal does not depend on them: with the largest entries of rows and columns alone, a
 * mechanism in millimetres has masses far below its constraint gradients, and the loss of a
 * constraint is hidden behind that. */
#include "ivp/passage/rank.h"

#include "base/tuning.h"

#include <math.h>
#include <string.h>

/* log of the scaled entry e in column j; r->scaled holds that of the entry itself */
static double logarithm(const rg_rank *r, int64_t e, int64_t j)
{
    return r->scaled[e] + r->row_scale[r->leading->pattern.row[e]] + r->column_scale[j];
}

/* The largest logarithms of rows and columns, in sum. */
static void find_largest(rg_rank *r)
{
    const rg_pattern *p = &r->leading->pattern;

    for (int64_t k = 0; k < 2 * r->n_all; k++)
        r->sum[k] = -INFINITY;
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            double *row = &r->sum[p->row[e]], *column = &r->sum[r->n_all + j];
            if (r->inverse[e] == 0.0) continue;
            *row = fmax(*row, logarithm(r, e, j));
            *column = fmax(*column, logarithm(r, e, j));
        }
}

/* log of the scaled entry beside the largest ones of its row and of its column */
static double beside(const rg_rank *r, int64_t e, int64_t j)
{
    return logarithm(r, e, j) - fmin(r->sum[r->leading->pattern.row[e]], r->sum[r->n_all + j]);
}

/* Entries that count have the weight 1, in `inverse`.  Takes it from those that are furthest
 * below the others; false: there is none. */
static bool leave_out(rg_rank *r)
{
    const rg_pattern *p = &r->leading->pattern;
    double least = 0.0;

    find_largest(r);
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            if (r->inverse[e] > 0.0) least = fmin(least, beside(r, e, j));
    const double limit = fmin(log(RG_RANK_SMALL_ENTRY), RG_RANK_FURTHEST * least);
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            if (r->inverse[e] > 0.0 && beside(r, e, j) <= limit) r->inverse[e] = 0.0;
    return least <= log(RG_RANK_SMALL_ENTRY);
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

    for (int64_t e = 0; e < r->entries; e++) {
        r->scaled[e] = r->largest[e] > 0.0 ? log(r->largest[e]) : 0.0;
        r->inverse[e] = r->largest[e] > 0.0 ? 1.0 : 0.0;
        r->at_scales[e] = r->largest[e];
    }
    for (int round = 0; round < RG_RANK_ROUNDS; round++) {
        double change = INFINITY;
        for (int k = 0; k < RG_RANK_TURNS && change > RG_RANK_SETTLED; k++)
            change = fmax(turn(r, true, true), turn(r, false, true));
        if (!leave_out(r)) break;
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
        const double scaled = size * r->inverse[e];
        if (scaled > RG_RANK_STRETCH
            || (scaled > RG_RANK_SMALL_ENTRY && size > RG_RANK_GROWN * r->at_scales[e]))
            is_larger = true;
    }
    if (!is_larger) return;
    balance(r);
    r->has_scales = r->is_rescaled = true;
}
