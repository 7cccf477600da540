/* Which unknowns are x, v and y, and which equations are dynamics and constraints.
 *
 *     y            unknowns without a derivative anywhere
 *     constraints  equations without derivatives and without y
 *     dynamics     all others, less the definitions q' = v
 *
 * States of events, k' = 0, are none of these: they are held. */
#include "views/semi/semi_impl.h"

typedef struct { /* what the text says */
    const rg_signature *s;
    int64_t n;
    int8_t *order;    /* per unknown: highest derivative; HELD: a state of events */
    uint8_t *is_row;  /* per equation: is a constraint */
    int32_t *defines; /* per equation: the unknown q of q' = v, or -1 */
    int32_t *speed;   /* per unknown q: its v, or -1; per unknown v: -2 */
} sorting;

enum { HELD = -1 };

const char *rg_semi_other_method(const rg_semi *s)
{
    return s->system->p->is_boundary ? "collocation" : "radau";
}

static rg_status refuse(const rg_semi *v, const char *method, const char *what)
{
    rg_fail(v->ctx, RG_ERR_METHOD, "'%s' does not fit this model: %s", method, what);
    return rg_remedy(v->ctx, "take --method %s, which solves any form", rg_semi_other_method(v));
}

static rg_status refuse_row(const rg_semi *v, const char *method, int64_t row, const char *what)
{
    char name[128], text[320];

    rg_row_name(v->system->p, row, 0, name, sizeof name);
    snprintf(text, sizeof text, "%s %s", name, what);
    refuse(v, method, text);
    return rg_fail_at(v->ctx, v->system->p->source, rg_row_span(v->system->p, row));
}

static void find_orders(const rg_problem *p, sorting *q)
{
    for (int64_t i = 0; i < q->n; i++)
        for (int64_t e = q->s->start[i]; e < q->s->start[i + 1]; e++)
            if (q->s->order[e] > q->order[q->s->column[e]])
                q->order[q->s->column[e]] = q->s->order[e];
    for (int f = 0; f < p->n_families; f++)
        for (int64_t k = 0; k < p->families[f].count && p->families[f].is_state; k++)
            q->order[p->families[f].first + k] = HELD;
}

/* k' = 0 */
static bool is_held_row(const sorting *q, int64_t i)
{
    const int64_t e = q->s->start[i];

    return q->s->start[i + 1] == e + 1 && q->s->order[e] > 0 && q->order[q->s->column[e]] == HELD;
}

/* With second derivatives x'' a constraint of a half-explicit method may contain x'. */
static void find_constraints(const rg_semi *v, sorting *q)
{
    int lowest = 1;

    for (int64_t j = 0; j < q->n && v->is_half; j++)
        if (q->order[j] > lowest) lowest = q->order[j];
    for (int64_t i = 0; i < q->n; i++) {
        q->is_row[i] = !is_held_row(q, i);
        for (int64_t e = q->s->start[i]; e < q->s->start[i + 1]; e++) {
            if (q->s->order[e] >= lowest || q->order[q->s->column[e]] == 0) q->is_row[i] = 0;
            if (v->is_half && q->s->order[e] > 0) v->is_velocity[i] = 1;
        }
    }
}

/* An algebraic equation with y in it: part of the model has index 1. */
static rg_status check_counts(const rg_semi *v, const sorting *q, const char *method, int64_t n_y,
                              int64_t n_g)
{
    if (n_y == 0 && n_g == 0 && v->is_half && v->system->analysis->index == 0) return RG_OK;
    if (n_y == 0) return refuse(v, method, "it has no multiplier, an unknown without a derivative");
    if (n_g == n_y) return RG_OK;
    for (int64_t i = 0; i < q->n; i++) {
        bool is_algebraic = !q->is_row[i];
        for (int64_t e = q->s->start[i]; e < q->s->start[i + 1]; e++)
            if (q->s->order[e] > 0) is_algebraic = false;
        if (is_algebraic)
            return refuse_row(v, method, i,
                              "is no constraint 0 = g(x, t): it contains an unknown without a "
                              "derivative");
    }
    return refuse(v, method,
                  "it needs as many constraints 0 = g(x, t), without derivatives, as multipliers");
}

/* q' = v: two entries, q' and v, at all times. */
static void find_definitions(const rg_problem *p, sorting *q)
{
    for (int64_t i = 0; i < q->n; i++) {
        const int64_t e = q->s->start[i];
        q->defines[i] = -1;
        if (q->s->start[i + 1] - e != 2) continue;
        const int a = q->s->order[e] == 1 ? 0 : 1;
        const int32_t position = q->s->column[e + a], speed = q->s->column[e + 1 - a];
        if (q->s->order[e + a] != 1 || q->s->order[e + 1 - a] != 0) continue;
        if (q->order[position] != 1 || q->order[speed] != 1) continue;
        if (q->speed[position] != -1 || q->speed[speed] != -1) continue;
        if (rg_semi_has_time(p, i)) continue;
        q->speed[position] = speed;
        q->speed[speed] = -2;
        q->defines[i] = position;
    }
}

/* Constraints of index 3 may name positions only, and every differential unknown is a position
 * or a speed. */
static rg_status check_positions(const rg_semi *v, const sorting *q, const char *method)
{
    char name[128], text[320];

    for (int64_t j = 0; j < q->n; j++) {
        if (q->order[j] <= 0 || q->speed[j] != -1) continue;
        rg_variable_name(v->system->p, j, 0, name, sizeof name);
        snprintf(text, sizeof text,
                 "of index 3 it needs q' = v for every position; '%s' is neither q nor v", name);
        return refuse(v, method, text);
    }
    for (int64_t i = 0; i < q->n; i++)
        for (int64_t e = q->s->start[i]; q->is_row[i] && e < q->s->start[i + 1]; e++) {
            if (q->speed[q->s->column[e]] >= 0 || q->order[q->s->column[e]] == HELD) continue;
            if (!v->is_half) return refuse_row(v, method, i, "is a constraint on a velocity");
            v->is_velocity[i] = 1;
        }
    return RG_OK;
}

static rg_status find_form(rg_semi *v, sorting *q, const char *method)
{
    const int index = v->system->analysis->index;
    int low = 99, high = 0;
    char text[240];

    for (int64_t j = 0; j < q->n; j++) {
        if (q->order[j] <= 0) continue;
        if (q->order[j] < low) low = q->order[j];
        if (q->order[j] > high) high = q->order[j];
    }
    v->order = index - 1;
    for (int64_t i = 0; i < q->n; i++)
        q->defines[i] = -1;
    if (v->is_half && low == high && (index == 0 || (index == 2 && low == 2))) {
        v->order = low;
        if (low <= 2) return RG_OK;
    }
    if (low == 1 && high == 1 && index == 2) return RG_OK;
    if (low == 2 && high == 2 && index == 3) return RG_OK;
    if (low == high && low == index - 1 && v->is_general && low <= RG_SEMI_MOST_ORDER) return RG_OK;
    if (low == 1 && high == 1 && index == 3) {
        find_definitions(v->system->p, q);
        return check_positions(v, q, method);
    }
    snprintf(
        text, sizeof text,
        "it needs x' = f - B y (index 2)%s x'' = f - B y (index 3)%s for all x; this model has "
        "index %d and derivatives of order %d%s",
        v->is_general ? "," : " or", v->is_general ? ", x''' = f - B y (index 4), ..." : "", index,
        low, low == high ? "" : " and higher");
    return refuse(v, method, text);
}

static rg_status take_lists(rg_semi *v, const sorting *q)
{
    int n_x = 0, n_y = 0, n_row = 0, n_g = 0, n_definition = 0;
    const rg_states *l = &v->system->layout;

    for (int64_t j = 0; j < q->n; j++) {
        const int32_t u = (int32_t)j, speed = q->speed[j];
        if (q->order[j] == HELD) {
            v->held_unknown[v->n_held] = u;
            v->held[v->n_held++] = rg_states_find(l, u, 0);
        } else if (q->order[j] == 0) {
            v->y_unknown[n_y] = u;
            v->y[n_y++] = rg_states_find(l, u, 0);
        } else if (speed != -2) {
            v->x_unknown[n_x] = u;
            v->v_unknown[n_x] = speed;
            v->x[n_x] = rg_states_find(l, u, 0);
            n_x++;
        }
    }
    for (int64_t i = 0; i < q->n; i++) {
        if (q->is_row[i]) v->constraint[n_g++] = (int32_t)i;
        if (q->defines[i] >= 0) v->definition[n_definition++] = (int32_t)i;
        if (!q->is_row[i] && q->defines[i] < 0 && !is_held_row(q, i))
            v->dynamic[n_row++] = (int32_t)i;
    }
    for (int k = 0; k < n_x; k++)
        for (int r = 1; r < v->order; r++)
            v->v[(r - 1) * n_x + k] = v->v_unknown[k] >= 0 ? rg_states_find(l, v->v_unknown[k], 0)
                                                           : rg_states_find(l, v->x_unknown[k], r);
    v->n_x = n_x;
    v->n_y = n_y;
    v->n_definitions = n_definition;
    return n_row == n_x ? RG_OK : RG_ERR_METHOD;
}

static rg_status take_memory(rg_semi *v, sorting *q)
{
    const size_t n = (size_t)q->n + 1;
    rg_context *ctx = v->ctx;

    q->order = rg_alloc(ctx, n, sizeof *q->order);
    q->is_row = rg_alloc(ctx, n, sizeof *q->is_row);
    q->defines = rg_alloc(ctx, n, sizeof *q->defines);
    q->speed = rg_alloc(ctx, n, sizeof *q->speed);
    v->is_velocity = rg_alloc(ctx, n, sizeof *v->is_velocity);
    v->x = rg_alloc(ctx, n, sizeof *v->x);
    v->y = rg_alloc(ctx, n, sizeof *v->y);
    v->x_unknown = rg_alloc(ctx, n, sizeof *v->x_unknown);
    v->v_unknown = rg_alloc(ctx, n, sizeof *v->v_unknown);
    v->y_unknown = rg_alloc(ctx, n, sizeof *v->y_unknown);
    v->dynamic = rg_alloc(ctx, n, sizeof *v->dynamic);
    v->constraint = rg_alloc(ctx, n, sizeof *v->constraint);
    v->definition = rg_alloc(ctx, n, sizeof *v->definition);
    v->held = rg_alloc(ctx, n, sizeof *v->held);
    v->held_unknown = rg_alloc(ctx, n, sizeof *v->held_unknown);
    const bool has_all = q->order != NULL && q->is_row != NULL && q->defines != NULL
                         && q->speed != NULL && v->x != NULL && v->y != NULL && v->x_unknown != NULL
                         && v->v_unknown != NULL && v->y_unknown != NULL && v->dynamic != NULL
                         && v->constraint != NULL && v->definition != NULL && v->is_velocity != NULL
                         && v->held != NULL && v->held_unknown != NULL;
    return has_all ? RG_OK : RG_ERR_MEMORY;
}

static rg_status sort(rg_semi *v, sorting *q, const char *method)
{
    int64_t n_y = 0, n_g = 0;

    RG_TRY(take_memory(v, q));
    find_orders(v->system->p, q);
    find_constraints(v, q);
    for (int64_t j = 0; j < q->n; j++) {
        n_y += q->order[j] == 0;
        n_g += q->is_row[j];
        q->speed[j] = -1;
    }
    RG_TRY(check_counts(v, q, method, n_y, n_g));
    RG_TRY(find_form(v, q, method));
    v->v = rg_alloc(v->ctx, (size_t)q->n * (size_t)v->order + 1, sizeof *v->v);
    if (v->v == NULL) return RG_ERR_MEMORY;
    if (take_lists(v, q) == RG_OK) return RG_OK;
    return refuse(v, method, "its differential equations are not one for each x");
}

rg_status rg_semi_sort(rg_semi *v, const char *method)
{
    const rg_problem *p = v->system->p;
    sorting q = {.s = &v->system->analysis->signature, .n = p->n};

    if (p->n_blocks == 0)
        return refuse(v, method, "its equations are callbacks, which cannot be taken apart");
    if (v->system->analysis->index > 3 && !v->is_general) {
        rg_fail(v->ctx, RG_ERR_METHOD, "'%s' is for index 2 and 3; this model has index %d", method,
                v->system->analysis->index);
        return rg_remedy(v->ctx, "take --method %s, or --method srm for x^(n) = f - B y",
                         rg_semi_other_method(v));
    }
    if (v->system->kind != RG_VIEW_DIRECT) {
        rg_fail(v->ctx, RG_ERR_METHOD, "'%s' works on the model as written, not on a reduced form",
                method);
        return rg_remedy(v->ctx, "leave --formulation out, or take --method %s",
                         rg_semi_other_method(v));
    }
    if (v->system->n_redundant > 0 && (v->is_half || p->is_boundary))
        return refuse(v, method, "some of its equations follow from the others");
    const rg_status status = sort(v, &q, method);
    rg_free(v->ctx, q.order);
    rg_free(v->ctx, q.is_row);
    rg_free(v->ctx, q.defines);
    rg_free(v->ctx, q.speed);
    return status;
}
