/* Branches of the equations while they are evaluated: held, or following the values. */
#include "views/system_impl.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

bool rg_system_can_hold(const rg_system *s)
{
    return s->switches.n > 0 && s->kind != RG_VIEW_STABILIZED;
}

int64_t rg_system_switch_count(const rg_system *s)
{
    return s->switches.n;
}

rg_status rg_branches_work(const rg_system *s, rg_system_work *w)
{
    const rg_pattern *z = rg_assembly_pattern(s->switches.values);
    rg_context *ctx = s->p->ctx;

    w->values = rg_alloc(ctx, (size_t)s->switches.n + 1, sizeof *w->values);
    w->gradient = rg_alloc(ctx, (size_t)z->start[z->n_columns] + 1, sizeof *w->gradient);
    if (w->values == NULL || w->gradient == NULL) return RG_ERR_MEMORY;
    return rg_assembly_work_create(s->switches.values, &w->switches);
}

/* The values that the branches in z follow. */
static rg_status follow(const rg_system *s, rg_system_work *w, double t)
{
    return rg_switches_follow(&s->switches, w->switches, t, w->z, w->values);
}

rg_status rg_branches_follow(const rg_system *s, rg_system_work *w, double t)
{
    return w->is_held || !rg_system_can_hold(s) ? RG_OK : follow(s, w, t);
}

rg_switch_nature rg_system_switch_nature(const rg_system *s, int64_t k)
{
    return (rg_switch_nature){s->switches.kind[k] == RG_SWITCH_FLOOR, s->switches.jumps[k] != 0,
                              s->switches.moves[k] == 0, s->switches.nodes[k]};
}

void rg_system_hold(const rg_system *s, rg_system_work *w, const double *branch)
{
    w->is_held = branch != NULL;
    if (branch != NULL)
        memcpy(w->z + s->switches.first, branch, (size_t)s->switches.n * sizeof *branch);
}

bool rg_system_is_held(const rg_system_work *w)
{
    return w->is_held;
}

void rg_system_hold_as(const rg_system *s, rg_system_work *w, const rg_system_work *from)
{
    if (s->switches.n > 0) rg_system_hold(s, w, from->is_held ? from->z + s->switches.first : NULL);
}

rg_status rg_system_switch_values(const rg_system *s, rg_system_work *w, double t, const double *y,
                                  const double *yp, double *values)
{
    rg_system_fill(w, y, yp);
    if (!w->is_held && s->switches.is_nested) RG_TRY(follow(s, w, t));
    return rg_assembly_residual(s->switches.values, w->switches, t, w->z, values);
}

double rg_system_switch_mode(const rg_system *s, int64_t k, double value)
{
    return rg_switch_mode(&s->switches, k, value);
}

/* 0 stands for an edge: whole numbers are moved by 1/2. */
rg_status rg_system_switch_modes(const rg_system *s, rg_system_work *w, double t, const double *y,
                                 const double *yp, double *mode)
{
    RG_TRY(rg_system_switch_values(s, w, t, y, yp, mode));
    for (int64_t k = 0; k < s->switches.n; k++)
        mode[k] = rg_switch_mode(&s->switches, k, mode[k])
                  + (s->switches.kind[k] == RG_SWITCH_FLOOR ? 0.5 : 0.0);
    return RG_OK;
}

rg_status rg_system_switch_sizes(const rg_system *s, rg_system_work *w, double t, const double *y,
                                 const double *yp, const double *unit, double *sizes, double *spans)
{
    const rg_switches *b = &s->switches;
    const rg_pattern *z = rg_assembly_pattern(b->values);
    const int64_t n = s->layout.n_states;

    rg_system_fill(w, y, yp);
    RG_TRY(rg_assembly_jacobian(b->values, w->switches, t, w->z, w->values, w->gradient));
    for (int64_t k = 0; k < b->n; k++)
        sizes[k] = spans[k] = 0.0;
    for (int64_t j = 0; j < 2 * n; j++)
        for (int64_t e = z->start[j]; e < z->start[j + 1]; e++) {
            sizes[z->row[e]] += fabs(w->gradient[e] * w->z[j]);
            if (j < n) spans[z->row[e]] += fabs(w->gradient[e]) * unit[j];
        }
    return RG_OK;
}

rg_status rg_system_switch_prints(const rg_system *s, rg_system_work *w, double t, const double *y,
                                  const double *yp, double *prints)
{
    const rg_switches *b = &s->switches;
    const rg_pattern *z = rg_assembly_pattern(b->values);

    rg_system_fill(w, y, yp);
    RG_TRY(rg_assembly_jacobian(b->values, w->switches, t, w->z, w->values, w->gradient));
    for (int64_t k = 0; k < b->n; k++)
        prints[k] = 0.0;
    for (int64_t j = 0; j < 2 * s->layout.n_states; j++)
        for (int64_t e = z->start[j]; e < z->start[j + 1]; e++) {
            const double part = w->gradient[e] / w->values[z->row[e]];
            if (w->gradient[e] == 0.0) continue;
            prints[z->row[e]] += (0.5 + rg_random(part < 0.0, (uint64_t)j)) * log(fabs(part));
        }
    return RG_OK;
}

/* Does the branch in this slot occur in an output of the body? */
static bool occurs(const rg_problem *p, const rg_body *body, int output, int32_t slot)
{
    enum { MOST = 1000 };
    rg_node leaf[MOST];
    const int32_t n = rg_graph_leaves_once(p->ctx, body->graph, body->outputs[output], MOST, leaf);

    for (int32_t i = 0; i < n && i < MOST; i++) {
        const rg_graph_node *node = rg_graph_at(body->graph, leaf[i]);
        if (node->op == RG_OP_VAR && node->a == slot) return true;
    }
    return false;
}

/* Of several equations with this switch a constraint is named. */
static int64_t row_of_switch(const rg_switches *s, const rg_problem *p, const int32_t *c, int64_t k)
{
    const rg_problem *auxiliary = s->auxiliary, *held = s->held;
    int64_t found = -1;
    int b = auxiliary->n_blocks - 1;

    while (b > 0 && k < auxiliary->blocks[b].first_row)
        b--;
    const int64_t count = auxiliary->blocks[b].body->count, at = k - auxiliary->blocks[b].first_row;
    for (int j = 0; j < held->n_blocks; j++) {
        const rg_body *body = held->blocks[j].body;
        if (body->graph != auxiliary->blocks[b].body->graph || count == 0) continue;
        const int32_t slot = p->blocks[j].body->n_slots + (int32_t)(at / count);
        for (int o = 0; o < body->n_outputs; o++) {
            const int64_t row = held->blocks[j].first_row + o * count + at % count;
            const bool is_better = found < 0 || (c != NULL && c[row] > c[found]);
            if (is_better && occurs(p, body, o, slot)) found = row;
        }
    }
    return found;
}

int rg_switches_name(const rg_switches *s, const rg_problem *p, const int32_t *c, int64_t k,
                     char *buffer, int size)
{
    const int64_t row = row_of_switch(s, p, c, k);

    if (row >= 0) return rg_row_name(p, row, 0, buffer, size);
    if (size > 0) buffer[0] = '\0';
    return 0;
}

int rg_system_switch_name(const rg_system *s, int64_t k, char *buffer, int size)
{
    return rg_switches_name(&s->switches, s->p, s->analysis->c, k, buffer, size);
}
