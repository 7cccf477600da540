/* Scales of the system Jacobian.
 *
 * With L_ij the largest |A_ij| so far, R and C are the least squares solution of
 *
 *     log L_ij + log R_i + log C_j = 0     for all L_ij > 0 that count
 *
 * (Curtis and Reid 1972), by turns for R and C.  There every entry has the same weight, and one
 * that is nearly 0, as the height of a link that is nearly level, moves the scales of all others:
 * in a chain of 60 links the signal becomes 1e-18, rounding that falls to zero anywhere.  Such
 * entries are left out: those below RG_RANK_SMALL_ENTRY of the largest ones of their row and of
 * their column where rows and columns have, by turns, the Euclidean norm 1 (Sinkhorn and Knopp
 * 1967, for the squares), in which small entries do not show.  These norms alone would make masses
 * small beside constraint gradients.  In the end the largest entry of every row, then of
 * every column, is made 1.  A change of units of equations and unknowns is a change of R and C, so
 * that the signal does not depend on them: with the largest entries of rows and columns alone, a
 * mechanism in millimetres has masses far below its constraint gradients, and the loss of a
 * constraint is hidden behind that. */
#include "ivp/passage/rank.h"
#include "ivp/passage/tuning.h"

#include <math.h>
#include <string.h>

/* log of the scaled entry e in column j; r->scaled holds that of the entry itself */
static double logarithm(const rg_passage_rank *r, int64_t e, int64_t j)
{
    return r->scaled[e] + r->row_scale[r->leading->pattern.row[e]] + r->column_scale[j];
}

/* Takes the largest logarithm of every row, or column, off its scale. */
static void turn_largest(rg_passage_rank *r, bool is_row)
{
    const rg_pattern *of = &r->leading->pattern;
    double *scale = is_row ? r->row_scale : r->column_scale, *most = r->sum;

    for (int64_t k = 0; k < r->n_all; k++)
        most[k] = -INFINITY;
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = of->start[j]; e < of->start[j + 1]; e++) {
            const int64_t k = is_row ? of->row[e] : j;
            if (r->inverse[e] == 0.0) continue;
            const double x = logarithm(r, e, j);
            if (x > most[k]) most[k] = x;
        }
    for (int64_t k = 0; k < r->n_all; k++)
        if (most[k] > -INFINITY) scale[k] -= most[k];
}

/* scale <- -sum/count; the largest change, or the one before if that is larger */
static double replace_means(int64_t n, const double *sum, const double *part, double *scale,
                            double most)
{
    for (int64_t k = 0; k < n; k++) {
        if (part[k] == 0.0) continue;
        const double mean = sum[k] * part[k], change = fabs(scale[k] + mean);
        scale[k] = -mean;
        if (change > most) most = change;
    }
    return most;
}

/* Makes the mean logarithm of every row 0, then of every column; of how many: 1/row_part, ...
 * Returns the largest change. */
static double turn_means(rg_passage_rank *r, const double *row_part, const double *column_part)
{
    const rg_pattern *p = &r->leading->pattern;
    const double *weight = r->inverse;
    double *sum = r->sum;

    memset(sum, 0, (size_t)r->n_all * sizeof *sum);
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            sum[p->row[e]] += weight[e] * (r->scaled[e] + r->column_scale[j]);
    const double most = replace_means(r->n_all, sum, row_part, r->row_scale, 0.0);
    for (int64_t j = 0; j < r->n_all; j++) {
        sum[j] = 0.0;
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            sum[j] += weight[e] * (r->scaled[e] + r->row_scale[p->row[e]]);
    }
    return replace_means(r->n_all, sum, column_part, r->column_scale, most);
}

/* Curtis and Reid; entries that count have the weight 1, the others 0, in `inverse`. */
static void settle_means(rg_passage_rank *r)
{
    const rg_pattern *p = &r->leading->pattern;
    double *row = r->sum + r->n_all, *column = row + r->n_all, change = INFINITY;

    memset(row, 0, 2 * (size_t)r->n_all * sizeof *row);
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            row[p->row[e]] += r->inverse[e];
            column[j] += r->inverse[e];
        }
    for (int64_t k = 0; k < 2 * r->n_all; k++)
        row[k] = row[k] > 0.0 ? 1.0 / row[k] : 0.0;
    for (int k = 0; k < RG_RANK_TURNS && change > RG_RANK_SETTLED; k++)
        change = turn_means(r, row, column);
}

/* scale <- 1/sum of every row (or column).  Returns whether that is far from what it was: only
 * which entries are small depends on it. */
static bool replace(int64_t n, const double *sum, double *scale)
{
    bool is_far = false;

    for (int64_t k = 0; k < n; k++) {
        if (!(sum[k] > 0.0)) continue;
        const double ratio = sum[k] * scale[k];
        if (ratio > RG_RANK_NORMS || ratio * RG_RANK_NORMS < 1.0) is_far = true;
        scale[k] = 1.0 / sum[k];
    }
    return is_far;
}

/* Factors of the squares, in `inverse`, for sums 1 of rows, then of columns. */
static bool turn_squares(rg_passage_rank *r, double *row, double *column)
{
    const rg_pattern *p = &r->leading->pattern;
    const double *square = r->inverse;
    double *sum = r->sum;

    memset(sum, 0, (size_t)r->n_all * sizeof *sum);
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            sum[p->row[e]] += square[e] * column[j];
    const bool is_far = replace(r->n_all, sum, row);
    for (int64_t j = 0; j < r->n_all; j++) {
        sum[j] = 0.0;
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            sum[j] += square[e] * row[p->row[e]];
    }
    return replace(r->n_all, sum, column) || is_far;
}

/* Sinkhorn and Knopp, for the squares. */
static void settle_squares(rg_passage_rank *r)
{
    const rg_pattern *p = &r->leading->pattern;
    double *row = r->sum + r->n_all, *column = row + r->n_all;

    for (int64_t k = 0; k < 2 * r->n_all; k++)
        row[k] = 1.0;
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            if (r->inverse[e] > 0.0) r->inverse[e] = exp(2.0 * logarithm(r, e, j));
    for (int k = 0; k < RG_RANK_TURNS && turn_squares(r, row, column); k++)
        continue;
    for (int64_t k = 0; k < r->n_all; k++) {
        r->row_scale[k] += 0.5 * log(row[k]);
        r->column_scale[k] += 0.5 * log(column[k]);
    }
    for (int64_t e = 0; e < r->entries; e++)
        r->inverse[e] = r->largest[e] > 0.0 ? 1.0 : 0.0;
}

/* Entries that count have the weight 1, in `inverse`.  Takes it from those that are small beside
 * the largest ones of their row and of their column. */
static void leave_out(rg_passage_rank *r)
{
    const rg_pattern *p = &r->leading->pattern;
    double *row = r->sum, *column = row + r->n_all;
    const double small = log(RG_RANK_SMALL_ENTRY);

    for (int64_t k = 0; k < 2 * r->n_all; k++)
        r->sum[k] = -INFINITY;
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            if (r->inverse[e] == 0.0) continue;
            const double x = logarithm(r, e, j);
            if (x > row[p->row[e]]) row[p->row[e]] = x;
            if (x > column[j]) column[j] = x;
        }
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const double limit = fmin(row[p->row[e]], column[j]) + small;
            if (r->inverse[e] > 0.0 && logarithm(r, e, j) <= limit) r->inverse[e] = 0.0;
        }
}

static void keep(const rg_passage_rank *r, double *scales)
{
    const size_t bytes = (size_t)r->n_all * sizeof *scales;

    memcpy(scales, r->row_scale, bytes);
    memcpy(scales + r->n_all, r->column_scale, bytes);
}

static void go_on_from(rg_passage_rank *r, const double *scales)
{
    const size_t bytes = (size_t)r->n_all * sizeof *scales;

    memcpy(r->row_scale, scales, bytes);
    memcpy(r->column_scale, scales + r->n_all, bytes);
}

/* Each iteration goes on from where it was the last time: little has changed since. */
static void balance(rg_passage_rank *r)
{
    const rg_pattern *p = &r->leading->pattern;

    for (int64_t e = 0; e < r->entries; e++) {
        r->scaled[e] = r->largest[e] > 0.0 ? log(r->largest[e]) : 0.0;
        r->inverse[e] = r->largest[e] > 0.0 ? 1.0 : 0.0;
        r->at_scales[e] = r->largest[e];
    }
    if (!r->has_scales) {
        turn_largest(r, true);
        turn_largest(r, false);
    } else {
        go_on_from(r, r->squares);
    }
    settle_squares(r);
    keep(r, r->squares);
    leave_out(r);
    if (r->has_scales) go_on_from(r, r->means);
    settle_means(r);
    keep(r, r->means);
    turn_largest(r, true);
    turn_largest(r, false);
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            r->inverse[e] = exp(r->row_scale[p->row[e]] + r->column_scale[j]);
}

/* An entry that is small here for another reason has not grown by more than the branch adds. */
static double largest_behind(double largest, double old, double now)
{
    const double grown = largest + fabs(now - old);

    return isfinite(old) && old > 0.0 ? fmax(now, fmin(largest * (now / old), grown)) : now;
}

bool rg_passage_rank_turn(rg_passage_rank *r)
{
    const rg_pattern *p = &r->leading->pattern;
    bool is_any = false;

    for (int64_t e = 0; e < r->entries; e++) {
        const double now = fabs(r->A[e]), old = fabs(r->scaled[e]);
        if (now == old || !isfinite(now)) continue;
        r->largest[e] = largest_behind(r->largest[e], old, now);
        is_any = true;
    }
    if (!is_any || !r->has_scales) return false;
    memset(r->row_largest, 0, (size_t)r->n_all * sizeof *r->row_largest);
    for (int64_t e = 0; e < r->entries; e++)
        r->row_largest[p->row[e]] = fmax(r->row_largest[p->row[e]], r->largest[e]);
    balance(r);
    r->is_rescaled = true;
    return true;
}

void rg_passage_rank_note_scales(rg_passage_rank *r)
{
    const rg_pattern *p = &r->leading->pattern;
    bool is_larger = !r->has_scales;

    for (int64_t e = 0; e < r->entries; e++) {
        const double size = fabs(r->A[e]);
        if (!(size > r->largest[e]) || !isfinite(size)) continue;
        r->largest[e] = size;
        if (size > r->row_largest[p->row[e]]) r->row_largest[p->row[e]] = size;
        const double scaled = size * r->inverse[e];
        if (scaled > RG_RANK_STRETCH
            || (scaled > RG_RANK_SMALL_ENTRY && size > RG_RANK_GROWN * r->at_scales[e]))
            is_larger = true;
    }
    if (!is_larger) return;
    balance(r);
    r->has_scales = r->is_rescaled = true;
}
