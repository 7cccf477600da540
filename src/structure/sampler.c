/* Sampling of equations near the start values; see sampler.h. */
#include "structure/sampler.h"

#include "base/random.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "structure/magnitudes.h"
#include "structure/tuning.h"

#include <math.h>

static rg_status create_tables(rg_sampler *s)
{
    rg_context *ctx = s->p->ctx;
    const int64_t n = s->p->n, n_rows = s->p->n_rows;

    s->rows = rg_alloc(ctx, (size_t)s->n_rows + 1, sizeof *s->rows);
    s->columns = rg_alloc(ctx, (size_t)s->n_columns + 1, sizeof *s->columns);
    s->row_tables = rg_alloc(ctx, (size_t)s->n_levels, sizeof *s->row_tables);
    s->column_tables = rg_alloc(ctx, (size_t)s->n_orders, sizeof *s->column_tables);
    if (!s->rows || !s->columns || !s->row_tables || !s->column_tables) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < s->n_rows; k++)
        s->rows[k] = (int32_t)k;
    for (int64_t k = 0; k < s->n_columns; k++)
        s->columns[k] = (int32_t)k;
    for (int k = 0; k < s->n_levels; k++)
        s->row_tables[k] = s->rows + k * n_rows;
    for (int k = 0; k < s->n_orders; k++)
        s->column_tables[k] = s->columns + k * n;
    return RG_OK;
}

static rg_status check_size(const rg_sampler *s)
{
    if (s->n_rows <= INT32_MAX && s->n_columns <= INT32_MAX) return RG_OK;
    rg_fail(s->p->ctx, RG_ERR_STRUCTURE, "%lld unknowns with %d derivatives are too many",
            (long long)s->p->n, s->n_orders - 1);
    return rg_remedy(s->p->ctx, "use fewer unknowns: at most %d values in all", INT32_MAX);
}

/* Boundary value problems are looked at inside: their ends may well be singular points, as in x
 * y'' + 2 y' = ... */
static double time_of(const rg_problem *p, double part)
{
    const double length = isfinite(p->b - p->a) ? p->b - p->a : 0.0;

    return p->a + (p->is_boundary ? RG_SAMPLE_INSIDE : part) * length;
}

static bool is_differenced(const rg_problem *p)
{
    return (p->residual != NULL || p->rhs != NULL) && p->jacobian == NULL;
}

static bool has_data(const rg_problem *p, int order)
{
    return order < p->start_orders && order <= RG_MAX_ORDER && p->start[order].kind != NULL;
}

/* By the values given and the equations.  Callbacks are not asked. */
static rg_status find_units(rg_sampler *s)
{
    const rg_problem *p = s->p;
    const rg_magnitudes m = {p,          s->n_rows, s->n_columns, s->n_orders, s->column_tables,
                             s->pattern, s->F,      s->J};
    rg_status status = RG_OK;

    for (int r = 0; r < s->n_orders; r++)
        for (int64_t j = 0; j < p->n; j++) {
            const bool is_given = has_data(p, r) && p->start[r].kind[j] != RG_START_NONE;
            s->z[r * p->n + j] = is_given ? p->start[r].value[j] : 0.0;
            s->unit[r * p->n + j] = p->n_blocks > 0 ? fabs(s->z[r * p->n + j]) : 0.0;
        }
    if (p->n_blocks > 0) {
        double *row = rg_alloc(p->ctx, (size_t)s->n_rows + 1, sizeof *row);
        if (row == NULL) return RG_ERR_MEMORY;
        status = rg_magnitudes_linearize(p, s->assembly, s->work, s->t, s->z, s->F, s->J);
        if (status == RG_OK) rg_magnitudes_find(&m, row, s->unit);
        rg_free(p->ctx, row);
    }
    for (int64_t k = 0; k < s->n_columns; k++)
        s->unit[k] = rg_magnitude_unit(s->unit[k]);
    return status < 0 ? status : RG_OK;
}

rg_status rg_sampler_create(const rg_problem *p, int n_levels, int n_orders, rg_sampler **out)
{
    rg_context *ctx = p->ctx;
    rg_sampler *s = *out = rg_alloc(ctx, 1, sizeof *s);

    if (s == NULL) return RG_ERR_MEMORY;
    s->p = p;
    s->noise = is_differenced(p) ? RG_NOISE_DIFFERENCES : RG_NOISE_EXACT;
    s->n_levels = n_levels;
    s->n_orders = n_orders;
    s->n_rows = n_levels * p->n_rows;
    s->n_columns = n_orders * p->n;
    RG_TRY(check_size(s));
    RG_TRY(create_tables(s));
    const rg_assembly_spec spec = {.n_levels = n_levels,
                                   .n_orders = n_orders,
                                   .n_columns = s->n_columns,
                                   .row = s->row_tables,
                                   .n_rows = s->n_rows,
                                   .column = s->column_tables};
    RG_TRY(rg_assembly_create(p, &spec, true, &s->assembly));
    RG_TRY(rg_assembly_work_create(s->assembly, &s->work));
    s->pattern = rg_assembly_pattern(s->assembly);
    s->t = time_of(p, 0.0);
    s->z = rg_alloc(ctx, (size_t)s->n_columns + 1, sizeof *s->z);
    s->F = rg_alloc(ctx, (size_t)s->n_rows + 1, sizeof *s->F);
    s->J = rg_alloc(ctx, (size_t)s->pattern->start[s->n_columns] + 1, sizeof *s->J);
    s->unit = rg_alloc(ctx, (size_t)s->n_columns + 1, sizeof *s->unit);
    if (s->z == NULL || s->F == NULL || s->J == NULL || s->unit == NULL) return RG_ERR_MEMORY;
    return find_units(s);
}

void rg_sampler_destroy(rg_sampler **s)
{
    if (*s == NULL) return;
    rg_context *ctx = (*s)->p->ctx;
    void *owned[] = {(*s)->rows, (*s)->columns, (*s)->row_tables, (*s)->column_tables,
                     (*s)->z,    (*s)->F,       (*s)->J,          (*s)->unit};

    rg_assembly_work_destroy(&(*s)->work);
    rg_assembly_destroy(&(*s)->assembly);
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(ctx, owned[k]);
    rg_free(ctx, *s);
    *s = NULL;
}

rg_status rg_sampler_eval(rg_sampler *s)
{
    return rg_assembly_jacobian(s->assembly, s->work, s->t, s->z, s->F, s->J);
}

/* Number k of draw `draw` in [-1, 1], away from 0. */
static double draw_number(int draw, int64_t k)
{
    const double u = rg_random((uint64_t)draw, (uint64_t)k);

    return u < 0.5 ? -0.3 - 1.4 * u : 0.3 + 1.4 * (u - 0.5);
}

/* What a value of zero is moved by: 1, or the largest of the given values of its order, if these
 * are all smaller.  Lengths of 1e-3 would else be put beside others of 0.1. */
static double size_of_zero(const rg_problem *p, int order)
{
    double largest = 0.0;

    for (int64_t j = 0; j < p->n; j++)
        if (p->start[order].kind[j] != RG_START_NONE)
            largest = fmax(largest, fabs(p->start[order].value[j]));
    return largest > 0.0 ? fmin(largest, 1.0) : 1.0;
}

static void set_point(rg_sampler *s, rg_move move, double size, int draw, bool upward)
{
    const rg_problem *p = s->p;
    const double later = RG_SAMPLE_LATER * size * fabs(draw_number(draw, 0));

    s->t = time_of(p, move == RG_MOVE_ALL ? later : 0.0);
    for (int r = 0; r < s->n_orders; r++) {
        const bool is_given = has_data(p, r);
        const double beside = is_given ? size_of_zero(p, r) : 1.0;
        for (int64_t j = 0; j < p->n; j++) {
            const int kind = is_given ? p->start[r].kind[j] : RG_START_NONE;
            const double value = kind != RG_START_NONE ? p->start[r].value[j] : 0.0;
            double change = draw_number(draw, r * p->n + j) * size;
            if (upward) change = fabs(change);
            const double unit = s->unit[r * p->n + j];
            if (value != 0.0)
                change *= fabs(value);
            else
                change *= kind != RG_START_NONE && unit <= 1.0 ? fmin(beside, unit) : unit;
            if (move == RG_MOVE_NONE || (move == RG_MOVE_OPEN && kind == RG_START_KEPT)) change = 0;
            s->z[r * p->n + j] = value + change;
        }
    }
}

rg_status rg_sampler_visit(rg_sampler *s, rg_move move, double size, int draw)
{
    rg_status status = (rg_status)RG_RETRY;

    for (int k = 0; k < RG_SAMPLE_TRIES && status == (rg_status)RG_RETRY; k++) {
        set_point(s, move, size, draw + 100 * k, k % 2 == 1);
        status = rg_sampler_eval(s);
        if (k % 2 == 1) size *= RG_SAMPLE_NEARER;
        if (move == RG_MOVE_NONE) break;
    }
    return status;
}
