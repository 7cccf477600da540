/* Sizes of the columns of the start value problem (structure/magnitudes.h).  What no row tells has
 * the size of the largest value given, or 1. */
#include "newton/start.h"

#include "newton/tuning.h"
#include "problem/units.h"
#include "structure/magnitudes.h"
#include "structure/tuning.h"

#include <math.h>

typedef struct {
    rg_start_system *s;
    double *row, *column; /* column: 0, not known */
} sizes;

static double largest_of(const sizes *z, const rg_family *f, const int32_t *column)
{
    double largest = 0;

    for (int64_t j = f->first; j < f->first + f->count; j++)
        if (column[j] >= 0) largest = fmax(largest, fabs(z->s->given_value[column[j]]));
    return largest;
}

/* A value that is small beside others of its array may be noise, or have another unit: the rows
 * tell. */
static void doubt_array(const sizes *z, const rg_family *f, const int32_t *column)
{
    const double array = largest_of(z, f, column);

    for (int64_t j = f->first; j < f->first + f->count; j++)
        if (column[j] >= 0 && z->column[column[j]] < RG_START_ARRAY_PART * array)
            z->column[column[j]] = 0;
}

static rg_status find_sizes(sizes *z)
{
    rg_start_system *s = z->s;
    const rg_magnitudes m = {
        s->p,       s->n_rows, s->n_columns, s->n_orders, (const int32_t *const *)s->column,
        s->pattern, s->F,      s->J};

    for (int64_t j = 0; j < s->n_columns; j++)
        z->column[j] = fabs(s->given_value[j]);
    const rg_status status =
        rg_magnitudes_linearize(s->p, s->assembly, s->work, s->t, s->given_value, s->F, s->J);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    for (int f = 0; f < s->p->n_families; f++)
        for (int r = 0; r < s->n_orders; r++)
            doubt_array(z, &s->p->families[f], s->column[r]);
    rg_magnitudes_find(&m, z->row, z->column);
    for (int64_t j = 0; j < s->n_columns; j++)
        if (z->column[j] == 0) z->column[j] = fabs(s->given_value[j]);
    return RG_OK;
}

/* ---- scales: units of change of guesses ------------------------------------------------------ */

/* One derivative of an array.  A guess changes in units of its size; one that is 0, or noise beside
 * the others, in units of the size of its array, or of the size that the rows tell if that is
 * smaller: elements may have units of their own. */
static void array_scales(const sizes *z, const rg_family *f, const int32_t *column)
{
    rg_start_system *s = z->s;
    const double array = largest_of(z, f, column);

    for (int64_t j = f->first; j < f->first + f->count; j++) {
        const int32_t c = column[j];
        if (c < 0) continue;
        const double others = fmin(array, z->column[c] > 0 ? z->column[c] : array);
        const double size = fmax(fabs(s->given_value[c]), RG_START_ARRAY_PART * others);
        s->scale[c] = rg_magnitude_unit(size > RG_START_TINY * z->column[c] ? size : z->column[c]);
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
        s->scale[j] = rg_magnitude_unit(fabs(s->given_value[j])); /* callbacks have no arrays */
    for (int f = 0; f < s->p->n_families && status == RG_OK; f++)
        for (int r = 0; r < s->n_orders; r++)
            array_scales(&z, &s->p->families[f], s->column[r]);
    rg_free(s->ctx, z.row);
    rg_free(s->ctx, z.column);
    return status;
}
