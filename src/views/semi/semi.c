/* Makes and destroys a view with separate constraints: numbers its rows and columns. */
#include "views/semi/semi_impl.h"

/* Columns: x, v, the highest derivative, y, each name and order with a column of its own. */
static void number_columns(rg_semi *s, int32_t **column)
{
    int n = 0;

    for (int k = 0; k < s->n_x; k++) {
        const int32_t x = s->x_unknown[k], v = s->v_unknown[k];
        for (int r = 0; r <= s->order; r++, n++) {
            column[r][x] = n;
            s->slot[n] = r == 0 ? RG_SLOT_X : r < s->order ? RG_SLOT_V : RG_SLOT_TOP;
            s->place[n] = r > 0 && r < s->order ? (r - 1) * s->n_x + k : k;
        }
        for (int r = 0; v >= 0 && r < 2; r++, n++) {
            column[r][v] = n;
            s->slot[n] = r == 0 ? RG_SLOT_V : RG_SLOT_TOP;
            s->place[n] = k;
        }
    }
    for (int k = 0; k < s->n_y; k++, n++) {
        column[0][s->y_unknown[k]] = n;
        s->slot[n] = RG_SLOT_Y;
        s->place[n] = k;
    }
    for (int k = 0; k < s->n_held; k++)
        for (int r = 0; r <= s->order; r++, n++) {
            column[r][s->held_unknown[k]] = n;
            s->slot[n] = r == 0 ? RG_SLOT_HELD : RG_SLOT_ZERO;
            s->place[n] = k;
        }
    s->n_columns = n;
}

/* Rows: dynamics; then g, dg/dt, .. of levels 0 .. order, n_y each. */
static void number_rows(const rg_semi *s, int32_t **row)
{
    for (int k = 0; k < s->n_x; k++)
        row[0][s->dynamic[k]] = k;
    for (int level = 0; level <= s->order; level++)
        for (int k = 0; k < s->n_y; k++)
            row[level][s->constraint[k]] = s->n_x + level * s->n_y + k;
}

static int map_levels(const rg_semi *s)
{
    return s->order < 2 ? 3 : s->order + 1;
}

static rg_status make_rows(rg_semi *s, int32_t *map)
{
    const int64_t n = s->system->p->n;
    const int levels = map_levels(s);
    int32_t *row[RG_SEMI_MOST_ORDER + 2], *column[RG_SEMI_MOST_ORDER + 2];

    for (int64_t k = 0; k < 2 * levels * n; k++)
        map[k] = -1;
    for (int k = 0; k < levels; k++) {
        row[k] = map + k * n;
        column[k] = map + (levels + k) * n;
    }
    number_columns(s, column);
    number_rows(s, row);
    const int n_rows = s->n_x + (s->order + 1) * s->n_y;
    const rg_assembly_spec spec = {s->order + 1, levels,
                                   s->n_columns, (const int32_t *const *)row,
                                   n_rows,       (const int32_t *const *)column};
    RG_TRY(rg_assembly_create(s->system->p, &spec, true, &s->rows));
    RG_TRY(rg_assembly_work_create(s->rows, &s->work));
    return rg_assembly_work_keep(s->rows, s->work);
}

static rg_status take_memory(rg_semi *s)
{
    const size_t per_x = (size_t)(s->order < 4 ? 5 : s->order + 1);
    const size_t n = per_x * (size_t)(s->n_x + s->n_held) + (size_t)s->n_y + 1;
    const size_t n_rows = (size_t)(s->n_x + (s->order + 1) * s->n_y) + 1;

    s->slot = rg_alloc(s->ctx, n, sizeof *s->slot);
    s->place = rg_alloc(s->ctx, n, sizeof *s->place);
    s->z = rg_alloc(s->ctx, n, sizeof *s->z);
    s->F = rg_alloc(s->ctx, n_rows, sizeof *s->F);
    s->right = rg_alloc(s->ctx, n_rows, sizeof *s->right);
    if (s->slot == NULL || s->place == NULL || s->z == NULL || s->F == NULL || s->right == NULL)
        return RG_ERR_MEMORY;
    return RG_OK;
}

static rg_status make(rg_semi *s, const char *method)
{
    int32_t *map = NULL;

    RG_TRY(rg_semi_sort(s, method));
    RG_TRY(rg_semi_check_definitions(s, method));
    RG_TRY(take_memory(s));
    if ((map =
             rg_alloc(s->ctx, 2 * (size_t)map_levels(s) * (size_t)s->system->p->n + 1, sizeof *map))
        == NULL)
        return RG_ERR_MEMORY;
    rg_status status = make_rows(s, map);
    rg_free(s->ctx, map);
    RG_TRY(status);
    RG_TRY(rg_semi_make_parts(s));
    return rg_semi_check(s, method);
}

static rg_status create(const rg_system *system, const char *method, bool is_general, rg_semi **out)
{
    rg_semi *s = rg_alloc(system->p->ctx, 1, sizeof *s);

    *out = NULL;
    if (s == NULL) return RG_ERR_MEMORY;
    s->ctx = system->p->ctx;
    s->system = system;
    s->is_general = is_general;
    const rg_status status = make(s, method);
    if (status == RG_OK)
        *out = s;
    else
        rg_semi_destroy(&s);
    return status;
}

rg_status rg_semi_create(const rg_system *system, const char *method, rg_semi **out)
{
    return create(system, method, false, out);
}

rg_status rg_semi_create_general(const rg_system *system, const char *method, rg_semi **out)
{
    return create(system, method, true, out);
}

bool rg_semi_is_linear(const rg_semi *v)
{
    return v->is_linear;
}

void rg_semi_destroy(rg_semi **view)
{
    rg_semi *s = *view;

    if (s == NULL) return;
    void *const arrays[] = {
        s->x,       s->v,          s->y,          s->x_unknown,   s->v_unknown, s->y_unknown,
        s->dynamic, s->constraint, s->definition, s->slot,        s->place,     s->z,
        s->F,       s->right,      s->pair,       s->is_velocity, s->held,      s->held_unknown,
        s->change,  s->entries};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(s->ctx, arrays[k]);
    rg_semi_clear_parts(s);
    rg_assembly_work_destroy(&s->work);
    rg_assembly_destroy(&s->rows);
    rg_free(s->ctx, s);
    *view = NULL;
}

int rg_semi_order(const rg_semi *v)
{
    return v->order;
}

int rg_semi_size(const rg_semi *v)
{
    return v->n_x;
}

int rg_semi_constraints(const rg_semi *v)
{
    return v->n_y;
}

void rg_semi_hold(rg_semi *v, const double *y)
{
    v->held_in = y;
}

int rg_semi_held_count(const rg_semi *v)
{
    return v->n_held;
}

const int64_t *rg_semi_held_states(const rg_semi *v)
{
    return v->held;
}

double rg_semi_held(const rg_semi *v, int k)
{
    return v->held_in != NULL ? v->held_in[v->held[k]]
                              : v->system->p->start[0].value[v->held_unknown[k]];
}

const int64_t *rg_semi_x(const rg_semi *v)
{
    return v->x;
}

const int64_t *rg_semi_v(const rg_semi *v)
{
    return v->v;
}

const int64_t *rg_semi_y(const rg_semi *v)
{
    return v->y;
}

int64_t rg_semi_x_unknown(const rg_semi *v, int k)
{
    return v->x_unknown[k];
}

int64_t rg_semi_y_unknown(const rg_semi *v, int k)
{
    return v->y_unknown[k];
}

int64_t rg_semi_equation(const rg_semi *v, int k)
{
    return v->constraint[v->pair[k]];
}

void rg_semi_equation_name(const rg_semi *v, int k, char *buffer, int size)
{
    rg_row_name(v->system->p, rg_semi_equation(v, k), 0, buffer, size);
}

rg_status rg_semi_fail_at(const rg_semi *v, int k)
{
    const rg_problem *p = v->system->p;

    return rg_fail_at(v->ctx, p->source, rg_row_span(p, rg_semi_equation(v, k)));
}
