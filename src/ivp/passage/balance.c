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
static double logarithm(const rg_rank *r, int64_t e, int64_t j)
{
    return r->scaled[e] + r->row_scale[r->leading->pattern.row[e]] + r->column_scale[j];
}

/* One logarithm more of a row or column: the largest so far, and the sum of exp(p (x - largest));
 * for p = 0 their number and sum. */
static void gather(double p, double x, double *first, double *second)
{
    if (p == 0.0) {
        *first += 1.0;
        *second += x;
    } else if (x > *first) {
        *second = 1.0 + *second * exp(p * (*first - x));
        *first = x;
    } else {
        *second += exp(p * (x - *first));
    }
}

static double norm(double p, double first, double second)
{
    if (second == 0.0 && !(first > 0.0)) return 0.0;
    return p == 0.0 ? second / first : isinf(p) ? first : first + log(second) / p;
}

/* Takes the logarithm of the p-norm of every row (or column) off its scale: of the largest entry
 * for p infinite, the mean of the logarithms for p = 0.  Returns the largest change. */
static double turn(rg_rank *r, bool is_row, double p)
{
    const rg_pattern *of = &r->leading->pattern;
    double *scale = is_row ? r->row_scale : r->column_scale, most = 0.0;
    double *first = r->sum, *second = first + r->n_all;

    for (int64_t k = 0; k < r->n_all; k++) {
        first[k] = p == 0.0 ? 0.0 : -INFINITY;
        second[k] = 0.0;
    }
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = of->start[j]; e < of->start[j + 1]; e++) {
            const int64_t k = is_row ? of->row[e] : j;
            if (r->inverse[e] > 0.0) gather(p, logarithm(r, e, j), &first[k], &second[k]);
        }
    for (int64_t k = 0; k < r->n_all; k++) {
        const double change = norm(p, first[k], second[k]);
        scale[k] -= change;
        most = fmax(most, fabs(change));
    }
    return most;
}

static void settle(rg_rank *r, double p)
{
    double change = INFINITY;

    for (int k = 0; k < RG_RANK_TURNS && change > RG_RANK_SETTLED; k++)
        change = fmax(turn(r, true, p), turn(r, false, p));
}

/* Entries that count have the weight 1, in `inverse`.  Takes it from those that are small beside
 * the largest ones of their row and of their column. */
static void leave_out(rg_rank *r)
{
    const rg_pattern *p = &r->leading->pattern;
    double *row = r->sum, *column = row + r->n_all;

    for (int64_t k = 0; k < 2 * r->n_all; k++)
        r->sum[k] = -INFINITY;
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            if (r->inverse[e] == 0.0) continue;
            row[p->row[e]] = fmax(row[p->row[e]], logarithm(r, e, j));
            column[j] = fmax(column[j], logarithm(r, e, j));
        }
    for (int64_t j = 0; j < r->n_all; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const double limit = fmin(row[p->row[e]], column[j]) + log(RG_RANK_SMALL_ENTRY);
            if (r->inverse[e] > 0.0 && logarithm(r, e, j) <= limit) r->inverse[e] = 0.0;
        }
}

/* From the scales of before on. */
static void balance(rg_rank *r)
{
    const rg_pattern *p = &r->leading->pattern;

    for (int64_t e = 0; e < r->entries; e++) {
        r->scaled[e] = r->largest[e] > 0.0 ? log(r->largest[e]) : 0.0;
        r->inverse[e] = r->largest[e] > 0.0 ? 1.0 : 0.0;
        r->at_scales[e] = r->largest[e];
    }
    if (!r->has_scales) settle(r, 0.0);
    settle(r, 2.0);
    leave_out(r);
    settle(r, 0.0);
    turn(r, true, INFINITY);
    turn(r, false, INFINITY);
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
