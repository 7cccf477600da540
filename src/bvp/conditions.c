/* Boundary conditions as equations in the values of the solution at points: residual, Jacobian. */
#include "bvp/conditions.h"

#include "bvp/auxiliary.h"

#include <math.h>
#include <string.h>

/* A derivative that output `o` of a body reads and the solution has not got. */
static bool find_beyond(const rg_bvp_form *f, const rg_body *body, int o, char *name, int size)
{
    enum { LEAVES = 64 };
    rg_node leaf[LEAVES];
    const int32_t count = rg_graph_leaves_once(f->ctx, body->graph, body->outputs[o], LEAVES, leaf);

    for (int32_t k = 0; k < count && k < LEAVES; k++) {
        const rg_graph_node *n = rg_graph_at(body->graph, leaf[k]);
        if (n->op != RG_OP_VAR) continue;
        const int64_t j = rg_map_at(&body->slots[n->a].map, 0);
        if (n->order < f->n_orders && f->place[n->order][j] >= 0) continue;
        rg_variable_name(f->p, j, n->order, name, size);
        return true;
    }
    return false;
}

static rg_status refuse_order(const rg_bvp_conditions *c)
{
    const rg_problem *p = c->form->p;
    char name[80] = "a derivative that";
    rg_span at = {0, 0};

    for (int k = 0; k < p->n_conditions; k++)
        for (int o = 0; o < p->conditions[k].body->n_outputs && at.end == 0; o++)
            if (find_beyond(c->form, p->conditions[k].body, o, name, sizeof name))
                at = p->conditions[k].spans[o];
    rg_clear_error(c->ctx);
    rg_fail(c->ctx, RG_ERR_METHOD, "a boundary condition reads %s%s the solution has not got", name,
            at.end > 0 ? ", which" : "");
    if (p->source != NULL && at.end > 0) rg_fail_at(c->ctx, p->source, at);
    return rg_remedy(c->ctx, "declare an unknown for that derivative and give it an equation");
}

/* Columns: (x, w) of point after point. */
static rg_status make_lines(rg_bvp_conditions *c)
{
    const rg_bvp_form *f = c->form;
    int32_t **column = NULL, *row = NULL;
    const int n_orders = RG_MAX_ORDER + 1;
    rg_status status = RG_OK;

    row = rg_alloc(c->ctx, (size_t)c->n_lines + 1, sizeof *row);
    column = rg_alloc(c->ctx, (size_t)n_orders, sizeof *column);
    if (row == NULL || column == NULL) status = RG_ERR_MEMORY;
    for (int i = 0; i < c->n_lines && status == RG_OK; i++)
        row[i] = i;
    for (int r = 0; r < n_orders && status == RG_OK; r++) {
        column[r] = rg_alloc(c->ctx, (size_t)c->auxiliary->n + 1, sizeof **column);
        if (column[r] == NULL) status = RG_ERR_MEMORY;
        for (int64_t k = 0; k < c->auxiliary->n && status == RG_OK; k++) {
            const int32_t place = r < f->n_orders ? f->place[r][k % f->n] : -1;
            column[r][k] = place < 0 ? -1 : place + (int32_t)(k / f->n) * f->nz;
        }
    }
    if (status == RG_OK) {
        const int32_t *const rows[] = {row};
        const rg_assembly_spec spec = {1,    n_orders,   (int64_t)c->n_points * f->nz,
                                       rows, c->n_lines, (const int32_t *const *)column};
        status = rg_assembly_create(c->auxiliary, &spec, true, &c->lines);
        if (status == RG_ERR_ARGUMENT) status = refuse_order(c);
    }
    for (int r = 0; column != NULL && r < n_orders; r++)
        rg_free(c->ctx, column[r]);
    rg_free(c->ctx, column);
    rg_free(c->ctx, row);
    return status == RG_OK ? rg_assembly_work_create(c->lines, &c->work) : status;
}

/* ---- points and kept start values ------------------------------------------------------------ */

static int compare_real(double a, double b)
{
    return a < b ? -1 : a > b;
}

/* The points of the model and both ends, sorted along the interval; number[k]: place of the
 * model's point k. */
static rg_status sort_points(rg_bvp_conditions *c, double a, double b, int *number)
{
    const rg_problem *p = c->form->p;
    const double sign = b > a ? 1.0 : -1.0;
    char text[32];
    int n = 0;

    c->point = rg_alloc(c->ctx, (size_t)p->n_points + 2, sizeof *c->point);
    if (c->point == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < p->n_points + 2; k++) {
        const double t = k < p->n_points ? p->points[k] : k == p->n_points ? a : b;
        if (sign * t < sign * a || sign * t > sign * b) {
            rg_fail(c->ctx, RG_ERR_ARGUMENT,
                    "a boundary condition at %s = %s lies outside the interval",
                    rg_problem_time_name(p), rg_real_text(t, text));
            return rg_remedy(c->ctx, "let the interval cover all points of the conditions");
        }
        int at = 0;
        while (at < n && compare_real(sign * c->point[at], sign * t) < 0)
            at++;
        if (at < n && c->point[at] == t) continue;
        memmove(c->point + at + 1, c->point + at, (size_t)(n - at) * sizeof *c->point);
        c->point[at] = t;
        n++;
    }
    c->n_points = n;
    for (int k = 0; k < p->n_points; k++)
        for (int i = 0; i < n; i++)
            if (c->point[i] == p->points[k]) number[k] = i;
    return RG_OK;
}

static rg_status collect_kept(rg_bvp_conditions *c)
{
    const rg_bvp_form *f = c->form;
    const rg_problem *p = f->p;
    const size_t most = (size_t)p->n * (size_t)(p->start_orders + 1) + 1;
    int n = 0;

    c->kept_unknown = rg_alloc(c->ctx, most, sizeof *c->kept_unknown);
    c->kept_order = rg_alloc(c->ctx, most, sizeof *c->kept_order);
    c->kept_value = rg_alloc(c->ctx, most, sizeof *c->kept_value);
    if (!c->kept_unknown || !c->kept_order || !c->kept_value) return RG_ERR_MEMORY;
    for (int r = 0; r < p->start_orders; r++)
        for (int j = 0; p->start[r].kind != NULL && j < f->n; j++) {
            if (p->start[r].kind[j] != RG_START_KEPT) continue;
            if (r >= f->n_orders || f->place[r][j] < 0) {
                char name[80];
                rg_variable_name(p, j, r, name, sizeof name);
                rg_fail(c->ctx, RG_ERR_METHOD, "the solution has no %s to keep a start value of",
                        name);
                return rg_remedy(c->ctx, "leave that start value out");
            }
            c->kept_unknown[n] = j;
            c->kept_order[n] = r;
            c->kept_value[n++] = p->start[r].value[j];
        }
    c->n_rows = c->n_lines + n;
    return RG_OK;
}

static rg_status fill(rg_bvp_conditions *c, double a, double b)
{
    const rg_bvp_form *f = c->form;
    int *number = rg_alloc(c->ctx, (size_t)f->p->n_points + 1, sizeof *number);

    if (number == NULL) return RG_ERR_MEMORY;
    rg_status status = sort_points(c, a, b, number);
    if (status == RG_OK) status = rg_bvp_auxiliary_create(f->p, c->n_points, number, &c->auxiliary);
    if (status == RG_OK) c->n_lines = (int)c->auxiliary->n_rows;
    rg_free(c->ctx, number);
    if (status == RG_OK) status = make_lines(c);
    if (status == RG_OK) status = collect_kept(c);
    if (status != RG_OK) return status;
    const size_t entries = (size_t)rg_assembly_pattern(c->lines)->start[c->n_points * f->nz];
    c->is_dropped = rg_alloc(c->ctx, (size_t)c->n_rows + 1, 1);
    c->J = rg_alloc(c->ctx, entries + 1, sizeof *c->J);
    return c->is_dropped != NULL && c->J != NULL ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_bvp_conditions_create(const rg_bvp_form *f, double a, double b,
                                   rg_bvp_conditions **out)
{
    rg_bvp_conditions *c = rg_alloc(f->ctx, 1, sizeof *c);

    *out = NULL;
    if (c == NULL) return RG_ERR_MEMORY;
    c->ctx = f->ctx;
    c->form = f;
    const rg_status status = fill(c, a, b);
    if (status == RG_OK)
        *out = c;
    else
        rg_bvp_conditions_destroy(&c);
    return status;
}

void rg_bvp_conditions_destroy(rg_bvp_conditions **conditions)
{
    rg_bvp_conditions *c = *conditions;

    if (c == NULL) return;
    rg_context *ctx = c->ctx;
    rg_assembly_work_destroy(&c->work);
    rg_assembly_destroy(&c->lines);
    rg_bvp_auxiliary_destroy(&c->auxiliary);
    void *const arrays[] = {c->point,      c->kept_unknown, c->kept_order,
                            c->kept_value, c->is_dropped,   c->J};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    rg_free(ctx, c);
    *conditions = NULL;
}

int rg_bvp_conditions_count(const rg_bvp_conditions *c)
{
    int n = 0;

    for (int i = 0; i < c->n_rows; i++)
        n += !c->is_dropped[i];
    return n;
}

rg_status rg_bvp_conditions_eval(rg_bvp_conditions *c, const double *z, double *values, double *J)
{
    const rg_bvp_form *f = c->form;
    const int columns = c->n_points * f->nz;
    const rg_pattern *pattern = rg_assembly_pattern(c->lines);

    if (J == NULL)
        RG_TRY(rg_assembly_residual(c->lines, c->work, 0.0, z, values));
    else
        RG_TRY(rg_assembly_jacobian(c->lines, c->work, 0.0, z, values, c->J));
    if (J != NULL) {
        memset(J, 0, (size_t)c->n_rows * (size_t)columns * sizeof *J);
        for (int j = 0; j < columns; j++)
            for (int64_t e = pattern->start[j]; e < pattern->start[j + 1]; e++)
                J[(int64_t)pattern->row[e] * columns + j] = c->J[e];
    }
    for (int i = c->n_lines; i < c->n_rows; i++) {
        const int k = i - c->n_lines, place = f->place[c->kept_order[k]][c->kept_unknown[k]];
        values[i] = z[place] - c->kept_value[k];
        if (J != NULL) J[(int64_t)i * columns + place] = 1.0;
    }
    return RG_OK;
}

bool rg_bvp_condition_span(const rg_bvp_conditions *c, int row, rg_span *out)
{
    const rg_problem *p = c->form->p;

    for (int k = 0; k < p->n_conditions; k++) {
        const rg_body *body = p->conditions[k].body;
        const int64_t i = row - p->conditions[k].first_row;
        if (i < 0 || i >= body->count * body->n_outputs) continue;
        *out = p->conditions[k].spans[i / body->count];
        return p->source != NULL;
    }
    return false;
}

int rg_bvp_condition_name(const rg_bvp_conditions *c, int row, char *buffer, int size)
{
    const rg_problem *p = c->form->p;
    rg_span span;
    char name[80], number[32];
    int line, column;

    if (rg_bvp_condition_span(c, row, &span)) {
        rg_source_place(p->source, span.start, &line, &column);
        return snprintf(buffer, (size_t)size, "the condition in line %d", line);
    }
    const int k = row - c->n_lines;
    rg_variable_name(p, c->kept_unknown[k], c->kept_order[k], name, sizeof name);
    return snprintf(buffer, (size_t)size, "%s = %s at the start", name,
                    rg_real_text(c->kept_value[k], number));
}
