/* The functions whose signs tell the branches of switches: their place in z, their values, and the
 * branches that follow from them. */
#include "views/switches.h"

#include "base/vector.h"
#include "views/hold.h"

#include <math.h>
#include <string.h>

enum { NESTING = 20 }; /* branches in branches, at most */

/* mu is behind z = (y, y') and some room; its derivatives are one number, 0. */
static rg_status make_columns(const rg_states *l, rg_switches *s)
{
    rg_context *ctx = s->auxiliary->ctx;
    const int64_t zero = 2 * l->n_states + RG_LANES + s->n;

    s->first = 2 * l->n_states + RG_LANES;
    s->n_columns = zero + 1;
    s->n_orders = l->n_orders;
    if ((s->column = rg_alloc(ctx, (size_t)l->n_orders, sizeof *s->column)) == NULL)
        return RG_ERR_MEMORY;
    for (int r = 0; r < l->n_orders; r++) {
        s->column[r] = rg_alloc(ctx, (size_t)(l->n + s->n) + 1, sizeof **s->column);
        if (s->column[r] == NULL) return RG_ERR_MEMORY;
        memcpy(s->column[r], l->column[r], (size_t)l->n * sizeof **s->column);
        for (int64_t k = 0; k < s->n; k++)
            s->column[r][l->n + k] = (int32_t)(r == 0 ? s->first + k : zero);
    }
    return RG_OK;
}

/* A function moves with unknowns, or with the branch of one that does. */
static void find_moves(rg_switches *s, const rg_pattern *z)
{
    bool has_changed = true;

    for (int64_t e = 0; e < z->start[s->first]; e++)
        s->moves[z->row[e]] = 1;
    while (has_changed) {
        has_changed = false;
        for (int64_t k = 0; k < s->n; k++)
            for (int64_t e = z->start[s->first + k]; e < z->start[s->first + k + 1]; e++) {
                if (!s->moves[k] || s->moves[z->row[e]]) continue;
                s->moves[z->row[e]] = 1;
                has_changed = true;
            }
    }
}

static rg_status make_assembly(rg_switches *s)
{
    rg_problem *auxiliary = s->auxiliary;
    int32_t *row = rg_alloc(auxiliary->ctx, (size_t)auxiliary->n_rows + 1, sizeof *row);

    if (row == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < auxiliary->n_rows; k++)
        row[k] = (int32_t)k;
    const int32_t *rows[] = {row};
    const rg_assembly_spec spec = {1,    s->n_orders,       s->n_columns,
                                   rows, auxiliary->n_rows, (const int32_t *const *)s->column};
    const rg_status status = rg_assembly_create(auxiliary, &spec, true, &s->values);
    rg_free(auxiliary->ctx, row);
    if (status != RG_OK) return status;
    const rg_pattern *z = rg_assembly_pattern(s->values);
    s->is_nested = z->start[s->first + s->n] > z->start[s->first];
    s->moves = rg_alloc(auxiliary->ctx, (size_t)s->n + 1, 1);
    s->nests = rg_alloc(auxiliary->ctx, (size_t)s->n + 1, 1);
    if (s->moves == NULL || s->nests == NULL) return RG_ERR_MEMORY;
    for (int64_t e = z->start[s->first]; e < z->start[s->first + s->n]; e++)
        s->nests[z->row[e]] = 1;
    find_moves(s, z);
    return RG_OK;
}

bool rg_switches_in_constraints(const rg_problem *p, const rg_analysis *a)
{
    for (int k = 0; k < p->n_blocks; k++) {
        const rg_block *block = &p->blocks[k];
        if (!rg_body_has_switches(block->body)) continue;
        for (int o = 0; o < block->body->n_outputs; o++) {
            const rg_node node = block->body->outputs[o];
            if (!(rg_graph_at(block->body->graph, node)->depends & (RG_DEP_KINK | RG_DEP_SUM)))
                continue;
            for (int64_t i = 0; i < block->body->count; i++)
                if (a->c[block->first_row + o * block->body->count + i] > 0) return true;
        }
    }
    return false;
}

rg_status rg_switches_init(const rg_problem *p, const rg_states *l, rg_switches *out)
{
    memset(out, 0, sizeof *out);
    if (!rg_problem_has_switches(p)) return RG_OK;
    RG_TRY(rg_switches_hold(p, out));
    if (out->n == 0) return RG_OK;
    RG_TRY(make_columns(l, out));
    return make_assembly(out);
}

void rg_switches_clear(rg_context *ctx, rg_switches *s)
{
    rg_assembly_destroy(&s->values);
    rg_switches_release(ctx, s);
    for (int r = 0; s->column != NULL && r < s->n_orders; r++)
        rg_free(ctx, s->column[r]);
    rg_free(ctx, s->column);
    rg_free(ctx, s->moves);
    rg_free(ctx, s->nests);
    memset(s, 0, sizeof *s);
}

double rg_switch_mode(const rg_switches *s, int64_t k, double value)
{
    switch (s->kind[k]) {
    case RG_SWITCH_FLOOR:
        return floor(value);
    case RG_SWITCH_LESS:
        return value < 0.0 ? -1.0 : 1.0;
    case RG_SWITCH_LESS_EQUAL:
        return value <= 0.0 ? -1.0 : 1.0;
    default:
        return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0;
    }
}

rg_status rg_switches_follow_in(const rg_switches *s, const rg_switches_in *in, double t,
                                double *values)
{
    double *mu = in->z + in->first;
    bool has_changed = true;
    rg_status status = RG_OK;

    for (int round = 0; has_changed && round < (s->is_nested ? NESTING : 1); round++) {
        status = rg_assembly_residual(in->values, in->work, t, in->z, values);
        if (status < 0) return status;
        has_changed = false;
        for (int64_t k = 0; k < s->n; k++) {
            /* one that has no value may have one with other branches in it */
            const double mode = isfinite(values[k]) ? rg_switch_mode(s, k, values[k]) : mu[k];
            if (mode == mu[k]) continue;
            mu[k] = mode;
            has_changed = true;
        }
    }
    return status;
}

rg_status rg_switches_follow(const rg_switches *s, rg_assembly_work *w, double t, double *z,
                             double *values)
{
    const rg_switches_in in = {s->values, w, z, s->first};

    return rg_switches_follow_in(s, &in, t, values);
}
