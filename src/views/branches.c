/* Branches of the equations while they are evaluated: held, or following the values. */
#include "views/system_impl.h"

#include "base/random.h"
#include "views/tuning.h"

#include <float.h>
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

    const size_t n = (size_t)s->switches.n, rows = (size_t)s->layout.n;
    w->values = rg_alloc(ctx, 3 * n + (rows > n ? rows : n) + 1, sizeof *w->values);
    w->gradient = rg_alloc(ctx, (size_t)z->start[z->n_columns] + 1, sizeof *w->gradient);
    if (w->values == NULL || w->gradient == NULL) return RG_ERR_MEMORY;
    w->size = w->values + n;
    w->kept = w->size + n;
    w->other = w->kept + n;
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

bool rg_system_held(const rg_system *s, const rg_system_work *w, double *branch)
{
    if (w->is_held)
        memcpy(branch, w->z + s->switches.first, (size_t)s->switches.n * sizeof *branch);
    return w->is_held;
}

void rg_system_join(rg_system_work *w, bool is_on)
{
    w->joins = is_on && w->s->switches.n > 0;
}

void rg_system_hold_as(const rg_system *s, rg_system_work *w, const rg_system_work *from)
{
    if (s->switches.n > 0) rg_system_hold(s, w, from->is_held ? from->z + s->switches.first : NULL);
}

/* sqrt(max(a, 0)) has no value where a < 0 and the branch a is held.  Results that have none with
 * the branches that are held take those of kinks that the values stand for, which join there. */
static rg_status join(const rg_system *s, rg_system_work *w, double t, bool by_all,
                      const rg_assembly *a, rg_assembly_work *work, double *F, int64_t count)
{
    const rg_switches *b = &s->switches;
    double *mu = w->z + b->first;
    const size_t bytes = (size_t)b->n * sizeof *mu;
    bool is_good = true;

    memcpy(w->kept, mu, bytes);
    rg_status status = rg_switches_follow(b, w->switches, t, w->z, w->other);
    for (int64_t k = 0; k < b->n && status >= 0; k++)
        if (b->jumps[k] || b->kind[k] == RG_SWITCH_FLOOR || !(by_all || b->moves[k] == 0))
            mu[k] = w->kept[k];
    if (status >= 0) status = rg_assembly_residual(a, work, t, w->z, w->other);
    memcpy(mu, w->kept, bytes);
    for (int64_t k = 0; k < count && status >= 0; k++) {
        if (!isfinite(F[k])) F[k] = w->other[k];
        if (isfinite(F[k])) continue;
        F[k] = NAN;
        is_good = false;
    }
    if (status < 0) return status;
    return is_good ? RG_OK : (rg_status)RG_RETRY;
}

/* if(t < c, sqrt(c - t), 1) has its values beside c, where rounding has taken t behind it. */
static rg_status take_beside(const rg_system *s, rg_system_work *w, double t, double *F)
{
    const double moment = RG_SWITCH_BESIDE * DBL_EPSILON * fmax(fabs(t), fabs(s->p->a));
    bool is_good = false;

    for (int side = -1; side <= 1 && !is_good; side += 2) {
        const rg_status status =
            rg_assembly_residual(s->equations, w->equations, t + side * moment, w->z, w->other);
        if (status < 0) return status;
        is_good = true;
        for (int64_t k = 0; k < s->layout.n; k++) {
            if (!isfinite(F[k])) F[k] = w->other[k];
            is_good = is_good && isfinite(F[k]);
        }
    }
    return is_good ? RG_OK : (rg_status)RG_RETRY;
}

/* Steps end at the zeros of functions of time, which rounding may have behind them. */
rg_status rg_branches_join(const rg_system *s, rg_system_work *w, double t, double *F)
{
    bool has_timed = false;

    for (int64_t k = 0; k < s->switches.n && !has_timed; k++)
        has_timed = s->switches.moves[k] == 0;
    if (!w->is_held || !(w->joins || has_timed)) return (rg_status)RG_RETRY;
    const rg_status status = join(s, w, t, w->joins, s->equations, w->equations, F, s->layout.n);
    return status == (rg_status)RG_RETRY && has_timed ? take_beside(s, w, t, F) : status;
}

static rg_status values_here(const rg_system *s, rg_system_work *w, double t, double *values)
{
    if (!w->is_held && s->switches.is_nested) RG_TRY(follow(s, w, t));
    const rg_status status = rg_assembly_residual(s->switches.values, w->switches, t, w->z, values);
    const bool is_open = status == (rg_status)RG_RETRY && w->is_held && s->switches.is_nested;
    if (!is_open) return status;
    return join(s, w, t, true, s->switches.values, w->switches, values, s->switches.n);
}

rg_status rg_system_switch_values(const rg_system *s, rg_system_work *w, double t, const double *y,
                                  const double *yp, double *values)
{
    rg_system_fill(w, y, yp);
    return values_here(s, w, t, values);
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

/* |ds| / RG_SWITCH_MOVE_PART where unknowns move by about that part of `by`, into moved[]. */
static rg_status move_by(const rg_system *s, rg_system_work *w, double t, const double *by,
                         int64_t count, double *moved, double *z)
{
    const rg_switches *b = &s->switches;
    const size_t bytes = (size_t)b->n_columns * sizeof *z;

    memcpy(z, w->z, bytes);
    memcpy(moved, w->values, (size_t)b->n * sizeof *moved);
    for (int64_t j = 0; j < count; j++) {
        const double part = 0.5 + rg_random(1, (uint64_t)j);
        const double side = copysign(part, rg_random(2, (uint64_t)j) - 0.5);
        w->z[j] += RG_SWITCH_MOVE_PART * side * fabs(by[j]);
    }
    const rg_status status = follow(s, w, t);
    memcpy(w->z, z, bytes);
    for (int64_t k = 0; k < b->n; k++) {
        const double d = fabs(w->values[k] - moved[k]) / RG_SWITCH_MOVE_PART;
        w->values[k] = moved[k];
        moved[k] = d;
    }
    return status < 0 ? status : RG_OK;
}

/* The slope of sqrt(max(a, 0)) - b says nothing where the branch a ends: it has no bound there.
 * Sizes that it makes are those of what a small change of the unknowns does. */
static rg_status bound_sizes(const rg_system *s, rg_system_work *w, double t, const double *unit,
                             double *sizes, double *spans)
{
    const rg_switches *b = &s->switches;
    const size_t n = (size_t)b->n, columns = (size_t)b->n_columns;
    double *memory = rg_alloc(s->p->ctx, 3 * n + columns + 1, sizeof *memory);

    if (memory == NULL) return RG_ERR_MEMORY;
    double *const by_size = memory, *const by_span = memory + n, *const z = memory + 3 * n;
    const int64_t n_states = s->layout.n_states;
    rg_status status = values_here(s, w, t, w->values);
    if (status >= 0) status = move_by(s, w, t, w->z, 2 * n_states, by_size, z);
    if (status >= 0) status = move_by(s, w, t, unit, n_states, by_span, z);
    for (int64_t k = 0; k < b->n && status >= 0; k++) {
        const bool is_known = isfinite(by_size[k]) && isfinite(by_span[k]);
        if (is_known && !(sizes[k] <= RG_SWITCH_STEEP * by_size[k])) sizes[k] = by_size[k];
        if (is_known && !(spans[k] <= RG_SWITCH_STEEP * by_span[k])) spans[k] = by_span[k];
    }
    rg_free(s->p->ctx, memory);
    return status < 0 ? status : RG_OK;
}

/* Are any of them many times what they were when that was looked at, and what they are sizes of? */
static bool has_grown(const rg_system *s, const rg_system_work *w, const double *sizes,
                      const double *spans)
{
    bool is_so = false;

    for (int64_t k = 0; k < s->switches.n; k++) {
        const double last = fmax(w->size[k], fabs(w->values[k]));
        is_so = is_so || (s->switches.nests[k] && !(sizes[k] + spans[k] <= RG_SWITCH_STEEP * last));
    }
    return is_so;
}

rg_status rg_system_switch_sizes(const rg_system *s, rg_system_work *w, double t, const double *y,
                                 const double *yp, const double *unit, double *sizes, double *spans)
{
    const rg_switches *b = &s->switches;
    const rg_pattern *z = rg_assembly_pattern(b->values);
    const int64_t n = s->layout.n_states;

    rg_system_fill(w, y, yp);
    const rg_status status =
        rg_assembly_jacobian(b->values, w->switches, t, w->z, w->values, w->gradient);
    if (status != RG_OK && (status < 0 || !b->is_nested)) return status;
    for (int64_t k = 0; k < b->n; k++)
        sizes[k] = spans[k] = 0.0;
    for (int64_t j = 0; j < 2 * n; j++)
        for (int64_t e = z->start[j]; e < z->start[j + 1]; e++) {
            sizes[z->row[e]] += fabs(w->gradient[e] * w->z[j]);
            if (j < n) spans[z->row[e]] += fabs(w->gradient[e]) * unit[j];
        }
    if (!b->is_nested) return RG_OK;
    if (!has_grown(s, w, sizes, spans)) return status;
    RG_TRY(bound_sizes(s, w, t, unit, sizes, spans));
    for (int64_t k = 0; k < b->n; k++)
        w->size[k] = sizes[k] + spans[k];
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
