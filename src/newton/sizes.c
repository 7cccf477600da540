/* Sizes of the columns of the start value problem, from the values given and the equations alone,
 * so that the units of unknowns, equations and time do not matter.
 *
 * With J and F at the given values g the size of a row and of a column is
 *
 *     S_i = max(|F_i|, max_j |J_ij| u_j),                                                     (1)
 *     u_j = |g_j|,  or at least u / |b - a|^r of an unknown of size u for derivative r;       (2)
 *
 * a value that is rounding in every row (|J_ij g_j| far below S_i: cos(pi/2) beside 1) is no size,
 * and a column without a size has that of the smallest term it can be:
 *
 *     u_j = min_i S_i / |J_ij|.                                                               (3)
 *
 * What no row tells has the size of the largest value given, or 1. */
#include "newton/start.h"

#include "newton/tuning.h"
#include "problem/units.h"

#include <math.h>

typedef struct {
    rg_start_system *s;
    double *row;    /* (1) */
    double *column; /* (2), (3); 0: not known */
} sizes;

static double entry(const rg_start_system *s, int64_t k)
{
    return isfinite(s->J[k]) ? fabs(s->J[k]) : 0;
}

static void row_sizes(const sizes *z)
{
    const rg_start_system *s = z->s;

    for (int64_t i = 0; i < s->n_rows; i++)
        z->row[i] = isfinite(s->F[i]) ? fabs(s->F[i]) : 0;
    for (int64_t j = 0; j < s->n_columns; j++)
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++)
            z->row[s->pattern->row[k]] =
                fmax(z->row[s->pattern->row[k]], entry(s, k) * z->column[j]);
}

/* (2) for the derivatives of an unknown that are not given */
static void follow_derivatives(const sizes *z)
{
    const rg_start_system *s = z->s;
    const double length = fabs(s->p->b - s->p->a);

    if (!(length > 0 && isfinite(length))) return;
    for (int r = 1; r < s->n_orders; r++)
        for (int64_t j = 0; j < s->p->n; j++) {
            const int32_t c = s->column[r][j];
            if (c < 0) continue;
            z->column[c] = fmax(z->column[c], z->column[s->column[r - 1][j]] / length);
        }
}

static bool is_noise(const sizes *z, int64_t j)
{
    const rg_start_system *s = z->s;
    bool has_row = false;

    for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++) {
        const double term = entry(s, k) * z->column[j];
        if (term > RG_START_TINY * z->row[s->pattern->row[k]]) return false;
        has_row = has_row || entry(s, k) > 0;
    }
    return has_row;
}

static void drop_noise(const sizes *z)
{
    for (int64_t j = 0; j < z->s->n_columns; j++)
        if (z->column[j] > 0 && is_noise(z, j)) z->column[j] = 0;
}

/* (3); true: some column has got a size */
static bool spread(const sizes *z)
{
    const rg_start_system *s = z->s;
    bool has_more = false;

    for (int64_t j = 0; j < s->n_columns; j++) {
        double least = INFINITY;
        if (z->column[j] > 0) continue;
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++) {
            const double size = z->row[s->pattern->row[k]];
            if (size > 0 && entry(s, k) > 0) least = fmin(least, size / entry(s, k));
        }
        if (!isfinite(least)) continue;
        z->column[j] = least;
        has_more = true;
    }
    return has_more;
}

static rg_status find_sizes(sizes *z)
{
    rg_start_system *s = z->s;
    bool has_more = true;

    for (int64_t j = 0; j < s->n_columns; j++)
        z->column[j] = fabs(s->given_value[j]);
    const rg_status status =
        rg_assembly_jacobian(s->assembly, s->work, s->t, s->given_value, s->F, s->J);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    row_sizes(z);
    drop_noise(z);
    follow_derivatives(z);
    for (int k = 0; k < RG_SCALING_SWEEPS && has_more; k++) {
        row_sizes(z);
        has_more = spread(z);
        follow_derivatives(z);
    }
    return RG_OK;
}

/* ---- scales: units of change of guesses ------------------------------------------------------ */

static double change_scale(double size)
{
    if (size > RG_START_LARGE_VALUE) return size / RG_START_LARGE_VALUE;
    return size > 0 && size < RG_START_SMALL_VALUE ? size / RG_START_SMALL_VALUE : 1;
}

/* One derivative of an array.  A guess changes in units of its size; one that is 0, or noise beside
 * the others, in units of the size of its array. */
static void array_scales(const sizes *z, const rg_family *f, const int32_t *column)
{
    rg_start_system *s = z->s;
    double array = 0;

    for (int64_t j = f->first; j < f->first + f->count; j++)
        if (column[j] >= 0) array = fmax(array, fabs(s->given_value[column[j]]));
    for (int64_t j = f->first; j < f->first + f->count; j++) {
        const int32_t c = column[j];
        if (c < 0) continue;
        const double size = fmax(fabs(s->given_value[c]), RG_START_ARRAY_PART * array);
        s->scale[c] = change_scale(size > RG_START_TINY * z->column[c] ? size : z->column[c]);
    }
}

/* ---- floors: what counts as 0 in the sizes of rows ------------------------------------------- */

static void fill_floors(const sizes *z)
{
    rg_start_system *s = z->s;
    const rg_problem *p = s->p;
    double largest = 0;

    for (int64_t j = 0; j < s->n_columns; j++)
        largest = fmax(largest, fabs(s->given_value[j]));
    for (int64_t j = 0; j < s->n_columns; j++) {
        const int order = s->order[j];
        const double known = p->units != NULL ? rg_units_at(p->units, s->unknown[j], order) : NAN;
        double size = largest > 0 ? largest : 1;
        if (z->column[j] > 0) size = fmin(size, z->column[j]);
        if (known > 0) size = fmin(size, known * pow(fabs(p->b - p->a), -order));
        s->floors[j] = RG_FLOOR_PART * size;
    }
}

rg_status rg_start_fill_sizes(rg_start_system *s)
{
    sizes z = {.s = s,
               .row = rg_alloc(s->ctx, (size_t)s->n_rows + 1, sizeof *z.row),
               .column = rg_alloc(s->ctx, (size_t)s->n_columns + 1, sizeof *z.column)};
    rg_status status = RG_ERR_MEMORY;

    if (z.row != NULL && z.column != NULL) status = find_sizes(&z);
    if (status == RG_OK) fill_floors(&z);
    for (int64_t j = 0; j < s->n_columns && status == RG_OK; j++)
        s->scale[j] = change_scale(fabs(s->given_value[j])); /* callbacks have no arrays */
    for (int f = 0; f < s->p->n_families && status == RG_OK; f++)
        for (int r = 0; r < s->n_orders; r++)
            array_scales(&z, &s->p->families[f], s->column[r]);
    rg_free(s->ctx, z.row);
    rg_free(s->ctx, z.column);
    return status;
}
