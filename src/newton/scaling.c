/* Row and column scales of a step's matrix. */
#include "newton/step.h"
#include "newton/tuning.h"
#include "structure/magnitudes.h"

#include <math.h>

/* Largest entry of every row, in units of the columns, among those up to the order that the
 * undifferentiated row has: an entry may be 0 in a row (x of x^2 + y^2 = 1 at x = 0) and not in
 * its derivatives, so that entries of different columns are compared. */
static void row_maxima(const rg_start_system *s, const double *most, double *largest)
{
    const rg_pattern *pattern = s->pattern;

    for (int64_t i = 0; i < s->n_rows; i++)
        largest[i] = 0;
    for (int64_t j = 0; j < s->n_columns; j++) {
        const double unit = rg_magnitude_unit(s->floors[j] / RG_FLOOR_PART);
        for (int64_t e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            const int32_t i = pattern->row[e];
            if (s->order[j] > most[s->row[0][s->equation[i]]]) continue;
            largest[i] = fmax(largest[i], fabs(s->J[e]) * unit);
        }
    }
}

/* The derivative of a row holds its entries once more, one order higher, and their time
 * derivatives.  The sizes of the latter over those of the former are the rates of the model;
 * their geometric mean (where above 1) is taken. */
static double rate_of(const rg_start_system *s, double *work)
{
    const rg_pattern *pattern = s->pattern;
    double *most = work, *largest = work + s->n_rows, sum = 0;
    int64_t count = 0;

    if (s->n_levels == 1) return 1;
    for (int64_t i = 0; i < s->n_rows; i++)
        most[i] = 0;
    for (int64_t j = 0; j < s->n_columns; j++) {
        for (int64_t e = pattern->start[j]; e < pattern->start[j + 1]; e++)
            most[pattern->row[e]] = fmax(most[pattern->row[e]], s->order[j]);
    }
    row_maxima(s, most, largest);
    for (int64_t i = 0; i < s->n_rows; i++) {
        const double base = largest[s->row[0][s->equation[i]]];
        if (s->level[i] == 0 || !(largest[i] > base) || !(base > 0)) continue;
        sum += log(largest[i] / base) / s->level[i];
        count++;
    }
    const double length = fabs(s->p->b - s->p->a);
    return count > 0 ? exp(sum / (double)count) : length > 1 && isfinite(length) ? 1 / length : 1;
}

/* That of a column without data: derivatives are larger by the rate. */
static double free_scale(const rg_start_system *s, int64_t column, double rate)
{
    double scale = 0;

    for (int r = 0; r <= s->order[column]; r++)
        scale = fmax(scale * rate, s->scale[s->column[r][s->unknown[column]]]);
    return scale;
}

/* R_i <- R_i / (largest R_i |J_ij| C_j in the row), or its square root */
static void scale_rows(const rg_start_system *s, int64_t n, const int32_t *column, const double *C,
                       double *R, double *largest, bool whole)
{
    for (int64_t i = 0; i < s->n_rows; i++)
        largest[i] = 0;
    for (int64_t k = 0; k < n; k++) {
        for (int64_t e = s->pattern->start[column[k]]; e < s->pattern->start[column[k] + 1]; e++)
            largest[s->pattern->row[e]] = fmax(largest[s->pattern->row[e]], fabs(s->J[e]) * C[k]);
    }
    for (int64_t i = 0; i < s->n_rows; i++) {
        const double size = R[i] * largest[i];
        R[i] = size > 0 ? R[i] / (whole ? size : sqrt(size)) : 0;
    }
}

/* Returns the least of these factors, below 1. */
static double scale_columns(const rg_start_system *s, int64_t n, const int32_t *column,
                            const double *R, double *C)
{
    double least = 1;

    for (int64_t k = 0; k < n; k++) {
        double largest = 0;
        if (s->role[column[k]] == RG_START_GUESS) continue; /* its scale is the metric */
        for (int64_t e = s->pattern->start[column[k]]; e < s->pattern->start[column[k] + 1]; e++)
            largest = fmax(largest, fabs(s->J[e]) * R[s->pattern->row[e]]);
        const double size = C[k] * largest;
        if (!(size > 0)) continue;
        C[k] /= sqrt(size);
        least = fmin(least, sqrt(size));
    }
    return least;
}

void rg_newton_step_scale(const rg_start_system *s, int64_t n, const int32_t *column, double *R,
                          double *C, double *work)
{
    const double rate = rate_of(s, work);

    for (int64_t i = 0; i < s->n_rows; i++)
        R[i] = pow(rate, -s->level[i]);
    for (int64_t k = 0; k < n; k++) {
        const int32_t j = column[k];
        C[k] = s->role[j] == RG_START_GUESS ? s->scale[j] : free_scale(s, j, rate);
    }
    for (int sweep = 0; sweep < RG_SCALING_SWEEPS_MOST; sweep++) {
        scale_rows(s, n, column, C, R, work, false);
        const double least = scale_columns(s, n, column, R, C);
        if (sweep + 1 >= RG_SCALING_SWEEPS && least > RG_SCALING_LEFT) break;
    }
    scale_rows(s, n, column, C, R, work, true);
}
