/* Columns, rows and data of the start value problem. */
#include "newton/start.h"

#include "problem/units.h"

#include <math.h>
#include <string.h>

static bool has_callbacks(const rg_problem *p)
{
    return p->residual != NULL || p->rhs != NULL;
}

/* Callback problems cannot be differentiated: level 0, orders 0 and 1. */
static int highest_order(const rg_start_system *s, const rg_analysis *a, int extra, int64_t j)
{
    return has_callbacks(s->p) ? 1 : a->d[j] + extra;
}

/* Conditions at the start come behind the equations; they hold there only and are not
 * differentiated. */
static int highest_level(const rg_start_system *s, const rg_analysis *a, int extra, int64_t i)
{
    return has_callbacks(s->p) || i >= a->signature.n_rows ? 0 : a->c[i] + extra;
}

static int start_kind(const rg_problem *p, int order, int64_t j)
{
    if (order >= p->start_orders || order > RG_MAX_ORDER) return RG_START_NONE;
    return p->start[order].kind == NULL ? RG_START_NONE : p->start[order].kind[j];
}

/* A kept value of a derivative above d_j can be checked only if all equations are differentiated
 * further. */
static int extra_levels(const rg_problem *p, const rg_analysis *a)
{
    int extra = 0;

    if (has_callbacks(p)) return 0;
    for (int r = 1; r < p->start_orders; r++) {
        for (int64_t j = 0; j < p->n && p->start[r].kind != NULL; j++) {
            const int above = r - a->d[j];
            if (p->start[r].kind[j] == RG_START_KEPT && above > extra) extra = above;
        }
    }
    return extra;
}

static int64_t number_columns(rg_start_system *s, const rg_analysis *a, int extra)
{
    int64_t n = 0;

    for (int r = 0; r < s->n_orders; r++) {
        for (int64_t j = 0; j < s->p->n; j++)
            s->column[r][j] = r <= highest_order(s, a, extra, j) ? (int32_t)n++ : -1;
    }
    return n;
}

static int64_t number_rows(rg_start_system *s, const rg_analysis *a, int extra)
{
    int64_t n = 0;

    for (int k = 0; k < s->n_levels; k++) {
        for (int64_t i = 0; i < s->p->n_rows; i++)
            s->row[k][i] = k <= highest_level(s, a, extra, i) ? (int32_t)n++ : -1;
    }
    return n;
}

static rg_status create_tables(rg_start_system *s, const rg_analysis *a, int extra)
{
    const size_t n = (size_t)s->p->n, m = (size_t)s->p->n_rows;

    for (int64_t j = 0; j < s->p->n; j++) {
        const int top = highest_order(s, a, extra, j) + 1;
        if (top > s->n_orders) s->n_orders = top;
    }
    for (int64_t i = 0; i < s->p->n_rows; i++) {
        const int top = highest_level(s, a, extra, i) + 1;
        if (top > s->n_levels) s->n_levels = top;
    }
    s->column = rg_alloc(s->ctx, (size_t)s->n_orders, sizeof *s->column);
    s->row = rg_alloc(s->ctx, (size_t)s->n_levels, sizeof *s->row);
    if (s->column == NULL || s->row == NULL) return RG_ERR_MEMORY;
    for (int r = 0; r < s->n_orders; r++) {
        s->column[r] = rg_alloc(s->ctx, n, sizeof **s->column);
        if (s->column[r] == NULL) return RG_ERR_MEMORY;
    }
    for (int k = 0; k < s->n_levels; k++) {
        s->row[k] = rg_alloc(s->ctx, m, sizeof **s->row);
        if (s->row[k] == NULL) return RG_ERR_MEMORY;
    }
    return RG_OK;
}

static rg_status create_arrays(rg_start_system *s)
{
    const size_t n = (size_t)s->n_columns, m = (size_t)s->n_rows;
    rg_context *ctx = s->ctx;

    s->unknown = rg_alloc(ctx, n, sizeof *s->unknown);
    s->order = rg_alloc(ctx, n, sizeof *s->order);
    s->below = rg_alloc(ctx, n, sizeof *s->below);
    s->given = rg_alloc(ctx, n, sizeof *s->given);
    s->role = rg_alloc(ctx, n, sizeof *s->role);
    s->place = rg_alloc(ctx, n, sizeof *s->place);
    s->given_value = rg_alloc(ctx, n, sizeof *s->given_value);
    s->scale = rg_alloc(ctx, n, sizeof *s->scale);
    s->z = rg_alloc(ctx, n, sizeof *s->z);
    s->equation = rg_alloc(ctx, m, sizeof *s->equation);
    s->level = rg_alloc(ctx, m, sizeof *s->level);
    s->rank = rg_alloc(ctx, m, sizeof *s->rank);
    s->F = rg_alloc(ctx, m, sizeof *s->F);
    s->size = rg_alloc(ctx, m, sizeof *s->size);
    s->floors = rg_alloc(ctx, n, sizeof *s->floors);
    const bool ok = s->unknown != NULL && s->order != NULL && s->below != NULL && s->given != NULL
                    && s->role != NULL && s->place != NULL && s->given_value != NULL
                    && s->scale != NULL && s->z != NULL && s->equation != NULL && s->level != NULL
                    && s->rank != NULL && s->F != NULL && s->size != NULL && s->floors != NULL;
    return ok ? RG_OK : RG_ERR_MEMORY;
}

/* Orders below the highest one written are states: of this element, for others of its array may
 * be algebraic.  Callback problems have order 1 throughout. */
static void mark_places(rg_start_system *s, const rg_analysis *a)
{
    const rg_signature *written = &a->signature;

    for (int64_t j = 0; j < s->p->n; j++)
        s->place[s->column[0][j]] = has_callbacks(s->p) ? RG_PLACE_STATE : RG_PLACE_ALGEBRAIC;
    for (int64_t e = 0; e < written->start[written->n_rows] && !has_callbacks(s->p); e++)
        for (int r = 0; r < written->order[e]; r++)
            s->place[s->column[r][written->column[e]]] = RG_PLACE_STATE;
}

static void fill_columns(rg_start_system *s, const rg_analysis *a, int extra)
{
    for (int r = 0; r < s->n_orders; r++) {
        for (int64_t j = 0; j < s->p->n; j++) {
            const int32_t k = s->column[r][j];
            if (k < 0) continue;
            s->unknown[k] = (int32_t)j;
            s->order[k] = (uint8_t)r;
            s->below[k] = (uint8_t)(highest_order(s, a, extra, j) - r);
            s->given[k] = (uint8_t)start_kind(s->p, r, j);
            s->role[k] = s->given[k];
            s->given_value[k] = s->given[k] != RG_START_NONE ? s->p->start[r].value[j] : 0.0;
            s->z[k] = s->given_value[k];
        }
    }
    mark_places(s, a);
}

static void fill_rows(rg_start_system *s, const rg_analysis *a)
{
    for (int k = 0; k < s->n_levels; k++) {
        for (int64_t i = 0; i < s->p->n_rows; i++) {
            const int32_t row = s->row[k][i];
            if (row < 0) continue;
            s->equation[row] = (int32_t)i;
            s->level[row] = (uint8_t)k;
            s->rank[row] = (uint8_t)highest_level(s, a, 0, i);
        }
    }
}

static rg_status create_assembly(rg_start_system *s)
{
    const rg_assembly_spec spec = {
        .n_levels = s->n_levels,
        .n_orders = s->n_orders,
        .n_columns = s->n_columns,
        .row = (const int32_t *const *)s->row,
        .n_rows = s->n_rows,
        .column = (const int32_t *const *)s->column,
    };

    RG_TRY(rg_assembly_create(s->p, &spec, true, &s->assembly));
    RG_TRY(rg_assembly_work_create(s->assembly, &s->work));
    s->pattern = rg_assembly_pattern(s->assembly);
    s->J = rg_alloc(s->ctx, (size_t)s->pattern->start[s->n_columns], sizeof *s->J);
    return s->J != NULL ? RG_OK : RG_ERR_MEMORY;
}

static rg_status check_size(const rg_start_system *s)
{
    if (s->n_columns < INT32_MAX && s->n_rows < INT32_MAX) return RG_OK;
    rg_fail(s->ctx, RG_ERR_STRUCTURE, "the start value problem has %lld unknowns, more than 2^31",
            (long long)s->n_columns);
    return rg_remedy(s->ctx, "use a coarser grid");
}

rg_status rg_start_system_create(const rg_problem *p, const rg_analysis *a, double t,
                                 rg_start_system **out)
{
    rg_start_system *s = rg_alloc(p->ctx, 1, sizeof *s);
    const int extra = extra_levels(p, a);
    rg_status status;

    *out = NULL;
    if (s == NULL) return RG_ERR_MEMORY;
    s->ctx = p->ctx;
    s->p = p;
    s->t = t;
    s->is_degenerate = a->n_redundant > 0 || a->is_singular_start;
    s->is_singular = a->is_singular_start;
    s->conflict = -1;
    s->stage = RG_STAGE_ALL;
    if ((status = create_tables(s, a, extra)) != RG_OK) goto failed;
    s->n_columns = number_columns(s, a, extra);
    s->n_rows = number_rows(s, a, extra);
    if ((status = check_size(s)) != RG_OK) goto failed;
    if ((status = create_arrays(s)) != RG_OK) goto failed;
    fill_columns(s, a, extra);
    fill_rows(s, a);
    if ((status = create_assembly(s)) != RG_OK) goto failed;
    if ((status = rg_start_fill_sizes(s)) != RG_OK) goto failed;
    *out = s;
    return RG_OK;
failed:
    rg_start_system_destroy(&s);
    return status;
}

rg_status rg_start_system_reload(rg_start_system *s, const rg_analysis *a, double t)
{
    s->t = t;
    s->conflict = -1;
    fill_columns(s, a, 0);
    return rg_start_fill_sizes(s);
}

void rg_start_system_destroy(rg_start_system **system)
{
    rg_start_system *s = *system;

    if (s == NULL) return;
    for (int r = 0; s->column != NULL && r < s->n_orders; r++)
        rg_free(s->ctx, s->column[r]);
    for (int k = 0; s->row != NULL && k < s->n_levels; k++)
        rg_free(s->ctx, s->row[k]);
    void *const owned[] = {s->column,   s->row,         s->unknown, s->order, s->given, s->role,
                           s->place,    s->given_value, s->scale,   s->z,     s->F,     s->floors,
                           s->equation, s->level,       s->rank,    s->J,     s->size,  s->below};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(s->ctx, owned[k]);
    rg_assembly_work_destroy(&s->work);
    rg_assembly_destroy(&s->assembly);
    rg_free(s->ctx, s);
    *system = NULL;
}
