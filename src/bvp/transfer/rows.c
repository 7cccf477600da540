/* Conditions are evaluated like equations: their bodies become the blocks of a borrowed problem
 * that has one copy of all unknowns per point, and an assembly gives values and coefficients. */
#include "bvp/transfer/rows.h"

#include "linalg/dense.h"
#include "problem/assembly.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_context *ctx;
    const rg_problem *p;
    const rg_states *states;
    rg_problem borrowed;
    int32_t *row, **column;
    rg_assembly *assembly;
    rg_assembly_work *work;
    double *z, *J;
    const rg_transfer_curve *frozen, *now;
} evaluator;

/* ---- bodies with shifted slots --------------------------------------------------------------- */

static void free_body(rg_context *ctx, rg_body *body)
{
    for (int32_t k = 0; body->slots != NULL && k < body->n_slots; k++)
        rg_free(ctx, body->slots[k].map.list);
    for (int32_t k = 0; body->sums != NULL && k < body->n_sums; k++) {
        for (int i = 0; body->sums[k].parts != NULL && i < body->sums[k].n_parts; i++) {
            if (body->sums[k].parts[i] != NULL) free_body(ctx, body->sums[k].parts[i]);
            rg_free(ctx, body->sums[k].parts[i]);
        }
        rg_free(ctx, body->sums[k].parts);
    }
    rg_free(ctx, body->slots);
    rg_free(ctx, body->sums);
}

/* The unknowns of point number i follow those of the points before it. */
static rg_status shift_slot(const evaluator *e, const rg_body *body, int32_t k, rg_slot *slot)
{
    const int64_t shift = (slot->point > 0 ? slot->point : 0) * e->p->n;
    const rg_map *from = &body->slots[k].map;

    slot->map.base += shift;
    if (from->list == NULL) return RG_OK;
    slot->map.list = rg_alloc(e->ctx, (size_t)body->count + 1, sizeof *slot->map.list);
    if (slot->map.list == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < body->count; i++)
        slot->map.list[i] = (int32_t)(from->list[i] + shift);
    return RG_OK;
}

static rg_status copy_body(const evaluator *e, const rg_body *body, rg_body *out);

static rg_status copy_sum(const evaluator *e, const rg_sum *sum, rg_sum *out)
{
    out->n_parts = sum->n_parts;
    out->parts = rg_alloc(e->ctx, (size_t)sum->n_parts + 1, sizeof(rg_body *));
    if (out->parts == NULL) return RG_ERR_MEMORY;
    for (int i = 0; i < sum->n_parts; i++) {
        if ((out->parts[i] = rg_alloc(e->ctx, 1, sizeof(rg_body))) == NULL) return RG_ERR_MEMORY;
        RG_TRY(copy_body(e, sum->parts[i], out->parts[i]));
    }
    return RG_OK;
}

static rg_status copy_body(const evaluator *e, const rg_body *body, rg_body *out)
{
    *out = *body;
    out->sums = NULL;
    out->slots = rg_alloc(e->ctx, (size_t)body->n_slots + 1, sizeof *out->slots);
    if (out->slots == NULL) return RG_ERR_MEMORY;
    for (int32_t k = 0; k < body->n_slots; k++) {
        out->slots[k] = body->slots[k];
        out->slots[k].map.list = NULL;
    }
    for (int32_t k = 0; k < body->n_slots; k++)
        RG_TRY(shift_slot(e, body, k, &out->slots[k]));
    out->sums = rg_alloc(e->ctx, (size_t)body->n_sums + 1, sizeof *out->sums);
    if (out->sums == NULL) return RG_ERR_MEMORY;
    for (int32_t k = 0; k < body->n_sums; k++)
        RG_TRY(copy_sum(e, &body->sums[k], &out->sums[k]));
    return RG_OK;
}

static rg_status borrow(evaluator *e)
{
    const int n = e->p->n_conditions;

    e->borrowed = *e->p;
    e->borrowed.n = e->p->n * e->p->n_points;
    e->borrowed.n_blocks = n;
    e->borrowed.n_rows = 0;
    e->borrowed.blocks = rg_alloc(e->ctx, (size_t)n + 1, sizeof(rg_block));
    if (e->borrowed.blocks == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < n; k++) {
        rg_body *body = rg_alloc(e->ctx, 1, sizeof *body);
        if (body == NULL) return RG_ERR_MEMORY;
        e->borrowed.blocks[k] = (rg_block){body, e->borrowed.n_rows, e->p->conditions[k].spans};
        RG_TRY(copy_body(e, e->p->conditions[k].body, body));
        e->borrowed.n_rows += body->count * body->n_outputs;
    }
    return RG_OK;
}

/* z = (y(t_1), y'(t_1), y(t_2), ...) */
static rg_status number_columns(evaluator *e)
{
    const rg_states *s = e->states;
    const int64_t n = e->p->n, m = s->n_states;

    e->column = rg_alloc(e->ctx, (size_t)s->n_orders, sizeof *e->column);
    if (e->column == NULL) return RG_ERR_MEMORY;
    for (int r = 0; r < s->n_orders; r++) {
        e->column[r] = rg_alloc(e->ctx, (size_t)e->borrowed.n + 1, sizeof **e->column);
        if (e->column[r] == NULL) return RG_ERR_MEMORY;
        for (int64_t j = 0; j < e->borrowed.n; j++) {
            const int32_t place = s->column[r][j % n];
            e->column[r][j] = place < 0 ? -1 : (int32_t)(place + j / n * 2 * m);
        }
    }
    e->row = rg_alloc(e->ctx, (size_t)e->borrowed.n_rows + 1, sizeof *e->row);
    if (e->row == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < e->borrowed.n_rows; i++)
        e->row[i] = (int32_t)i;
    return RG_OK;
}

static rg_status assemble(evaluator *e)
{
    const rg_states *s = e->states;
    const int64_t n_columns = 2 * s->n_states * e->p->n_points;

    RG_TRY(borrow(e));
    RG_TRY(number_columns(e));
    const int32_t *const rows[] = {e->row};
    const rg_assembly_spec spec = {1,    s->n_orders,        n_columns,
                                   rows, e->borrowed.n_rows, (const int32_t *const *)e->column};
    rg_status status = rg_assembly_create(&e->borrowed, &spec, true, &e->assembly);
    if (status == RG_ERR_ARGUMENT) {
        rg_clear_error(e->ctx);
        rg_fail(e->ctx, RG_ERR_METHOD,
                "a boundary condition names a derivative above those in the equations");
        rg_fail_at(e->ctx, e->p->source, e->p->conditions[0].spans[0]);
        return rg_remedy(e->ctx, "write the condition with lower derivatives");
    }
    if (status == RG_OK) status = rg_assembly_work_create(e->assembly, &e->work);
    if (status != RG_OK) return status;
    const rg_pattern *pattern = rg_assembly_pattern(e->assembly);
    e->z = rg_alloc(e->ctx, (size_t)n_columns + 1, sizeof *e->z);
    e->J = rg_alloc(e->ctx, (size_t)pattern->start[n_columns] + 1, sizeof *e->J);
    return e->z == NULL || e->J == NULL ? RG_ERR_MEMORY : RG_OK;
}

static void clear(evaluator *e)
{
    rg_assembly_work_destroy(&e->work);
    rg_assembly_destroy(&e->assembly);
    for (int k = 0; e->borrowed.blocks != NULL && k < e->borrowed.n_blocks; k++) {
        if (e->borrowed.blocks[k].body != NULL) free_body(e->ctx, e->borrowed.blocks[k].body);
        rg_free(e->ctx, e->borrowed.blocks[k].body);
    }
    rg_free(e->ctx, e->borrowed.blocks);
    for (int r = 0; e->column != NULL && r < e->states->n_orders; r++)
        rg_free(e->ctx, e->column[r]);
    rg_free(e->ctx, e->column);
    rg_free(e->ctx, e->row);
    rg_free(e->ctx, e->z);
    rg_free(e->ctx, e->J);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int64_t count_kept(const rg_problem *p)
{
    int64_t count = 0;

    for (int r = 0; r < p->start_orders; r++)
        for (int64_t j = 0; p->start[r].kind != NULL && j < p->n; j++)
            count += p->start[r].kind[j] == RG_START_KEPT;
    return count;
}

static int point_of(const rg_transfer_rows *c, double t)
{
    for (int k = 0; k < c->n_points; k++)
        if (c->point[k] == t) return k;
    return -1;
}

/* Values given with `=`: y_j^(r)(a) = value. */
static void add_kept(rg_transfer_rows *c, const rg_problem *p, const rg_states *s, int row)
{
    const int64_t width = 2 * (int64_t)c->m * c->n_points;
    const int start = point_of(c, p->a);

    for (int r = 0; r < p->start_orders && r < s->n_orders; r++)
        for (int64_t j = 0; p->start[r].kind != NULL && j < p->n; j++) {
            if (p->start[r].kind[j] != RG_START_KEPT || s->column[r][j] < 0) continue;
            c->row[row * width + (int64_t)start * 2 * c->m + s->column[r][j]] = 1.0;
            c->g[row++] = p->start[r].value[j];
        }
    c->n_rows = row;
}

/* z of a curve at all points. */
static void look_at(const evaluator *e, const rg_transfer_curve *curve)
{
    const int64_t m = e->states->n_states;

    for (int k = 0; curve != NULL && k < e->p->n_points; k++)
        rg_transfer_curve_eval(curve, e->p->points[k], e->z + 2 * k * m, e->z + (2 * k + 1) * m,
                               NULL);
}

/* Coefficients and right-hand sides of the `boundary` lines. */
static rg_status add_lines(rg_transfer_rows *c, evaluator *e)
{
    const int64_t width = 2 * (int64_t)c->m * c->n_points;
    const rg_pattern *pattern = rg_assembly_pattern(e->assembly);

    look_at(e, e->frozen);
    RG_TRY(rg_assembly_jacobian(e->assembly, e->work, e->p->a, e->z, c->g, e->J));
    look_at(e, e->now);
    if (e->now != e->frozen)
        RG_TRY(rg_assembly_residual(e->assembly, e->work, e->p->a, e->z, c->g));
    for (int64_t i = 0; i < e->borrowed.n_rows; i++)
        c->g[i] = -c->g[i];
    for (int64_t j = 0; j < pattern->n_columns; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            c->row[pattern->row[k] * width + j] = e->J[k];
            c->g[pattern->row[k]] += e->J[k] * e->z[j];
        }
    return RG_OK;
}

static void take_spans(rg_transfer_rows *c, const evaluator *e)
{
    for (int k = 0; k < e->borrowed.n_blocks; k++) {
        const rg_block *block = &e->borrowed.blocks[k];
        for (int o = 0; o < block->body->n_outputs; o++)
            for (int64_t i = 0; i < block->body->count; i++)
                c->span[block->first_row + o * block->body->count + i] = block->spans[o];
    }
}

/* A line without a finite value, or with a coefficient that is not finite. */
static rg_status fail_undefined(const rg_transfer_rows *c, const evaluator *e)
{
    const rg_pattern *pattern = rg_assembly_pattern(e->assembly);
    int64_t row = -1;

    for (int64_t i = 0; i < e->borrowed.n_rows && row < 0; i++)
        if (!isfinite(c->g[i])) row = i;
    for (int64_t k = 0; k < pattern->start[pattern->n_columns] && row < 0; k++)
        if (!isfinite(e->J[k])) row = pattern->row[k];
    rg_fail(c->ctx, RG_ERR_INCONSISTENT, "a boundary condition has no finite value");
    if (row >= 0 && c->span[row].end > c->span[row].start)
        rg_fail_at(c->ctx, e->p->source, c->span[row]);
    return rg_remedy(c->ctx, "look for a division by 0 or the logarithm of 0 there");
}

static rg_status take_memory(rg_transfer_rows *c, const rg_problem *p, const evaluator *e)
{
    const int64_t rows = e->borrowed.n_rows + count_kept(p) + 1;
    bool has_start = false;

    c->point = rg_alloc(c->ctx, (size_t)p->n_points + 1, sizeof *c->point);
    if (c->point == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < p->n_points; k++) {
        c->point[k] = p->points[k];
        has_start = has_start || p->points[k] == p->a;
    }
    c->n_points = p->n_points;
    if (!has_start) c->point[c->n_points++] = p->a;
    c->row =
        rg_alloc(c->ctx, (size_t)rows * 2 * (size_t)c->m * (size_t)c->n_points, sizeof *c->row);
    c->g = rg_alloc(c->ctx, (size_t)rows, sizeof *c->g);
    c->span = rg_alloc(c->ctx, (size_t)rows, sizeof *c->span);
    return c->row == NULL || c->g == NULL || c->span == NULL ? RG_ERR_MEMORY : RG_OK;
}

rg_status rg_transfer_rows_create(const rg_problem *p, const rg_states *states,
                                  const rg_transfer_curve *frozen, const rg_transfer_curve *now,
                                  rg_transfer_rows **out)
{
    evaluator e = {.ctx = p->ctx, .p = p, .states = states, .frozen = frozen, .now = now};
    rg_transfer_rows *c = rg_alloc(p->ctx, 1, sizeof *c);
    rg_status status;

    *out = NULL;
    if (c == NULL) return RG_ERR_MEMORY;
    c->ctx = p->ctx;
    c->m = (int)states->n_states;
    status = assemble(&e);
    if (status == RG_OK) status = take_memory(c, p, &e);
    if (status == RG_OK) take_spans(c, &e);
    if (status == RG_OK) status = add_lines(c, &e);
    if (status == RG_RETRY) status = fail_undefined(c, &e);
    if (status == RG_OK) {
        add_kept(c, p, states, (int)e.borrowed.n_rows);
        *out = c;
        c = NULL;
    }
    clear(&e);
    rg_transfer_rows_destroy(&c);
    return status;
}

void rg_transfer_rows_destroy(rg_transfer_rows **conditions)
{
    rg_transfer_rows *c = *conditions;

    if (c == NULL) return;
    rg_free(c->ctx, c->point);
    rg_free(c->ctx, c->row);
    rg_free(c->ctx, c->g);
    rg_free(c->ctx, c->span);
    rg_free(c->ctx, c);
    *conditions = NULL;
}

void rg_transfer_rows_scale(rg_transfer_rows *c, const double *unit)
{
    for (int64_t k = 0; k < (int64_t)c->n_rows * c->n_points * 2 * c->m; k++)
        c->row[k] *= unit[k % c->m];
}
