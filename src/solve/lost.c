/* Digits that the rounding of algebraic equations takes away: see lost.h. */
#include "solve/lost.h"

#include "expr/graph.h"
#include "ivp/method.h"
#include "solve/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LEAVES = 16 }; /* unknowns in an equation; with more it is not looked at */

typedef struct { /* an equation, or one per iteration of a body */
    const rg_body *body;
    rg_graph *graph;
    rg_node of;
    int n; /* algebraic unknowns in it: their slots, and the derivatives by them */
    int32_t slot[LEAVES];
    rg_node slope[LEAVES];
} equation;

struct rg_lost {
    rg_context *ctx;
    int n_equations;
    equation *equations;
    int64_t n;       /* states */
    double *drift;   /* n: by how much those have driven a state that were not determined */
    double longest;  /* step so far */
    double most;     /* the largest part of an unknown that was lost in a row */
    double t;        /* where one was lost first; NaN: nowhere */
    int64_t unknown; /* ... and which state */
    double *Jy, *Jyp;
};

/* ---- life ------------------------------------------------------------------------------------ */

/* Are the factors of all algebraic unknowns expressions, and is there no derivative? */
static rg_status take(const rg_problem *p, equation *e, bool *is_watched)
{
    const unsigned other = RG_DEP_SUM | RG_DEP_SEED | RG_DEP_NODES | RG_DEP_KINK;
    rg_node leaves[LEAVES];
    const int32_t n = rg_graph_leaves(e->graph, e->of, LEAVES, leaves);

    *is_watched = false;
    if (n > LEAVES || (rg_graph_at(e->graph, e->of)->depends & other)) return RG_OK;
    for (int32_t k = 0; k < n; k++) {
        const rg_graph_node *leaf = rg_graph_at(e->graph, leaves[k]);
        const int32_t slot = leaf->a;
        const int64_t j = rg_map_at(&e->body->slots[slot].map, 0);
        if (leaf->order > 0) return RG_OK;
        if (p->order[j] > 0 || rg_variable_is_state(p, j)) continue;
        const rg_node slope = rg_graph_partial(e->graph, e->of, leaves[k]);
        RG_TRY(rg_graph_status(e->graph));
        if (!(rg_graph_at(e->graph, slope)->depends & (RG_DEP_VAR | RG_DEP_TIME))) return RG_OK;
        e->slot[e->n] = slot;
        e->slope[e->n++] = slope;
    }
    *is_watched = e->n > 0;
    return RG_OK;
}

static rg_status collect(rg_lost *l, const rg_problem *p)
{
    for (int b = 0; b < p->n_blocks; b++)
        for (int i = 0; i < p->blocks[b].body->n_outputs; i++) {
            const rg_body *body = p->blocks[b].body;
            equation *e = &l->equations[l->n_equations];
            bool is_watched;
            *e = (equation){.body = body, .of = body->outputs[i]};
            RG_TRY(rg_graph_copy(l->ctx, body->graph, &e->graph));
            const rg_status status = take(p, e, &is_watched);
            if (status == RG_OK && is_watched)
                l->n_equations++;
            else
                rg_graph_destroy(&e->graph);
            RG_TRY(status);
        }
    return RG_OK;
}

static rg_status fill(rg_lost *l, const rg_solver *s)
{
    const size_t entries = (size_t)rg_system_pattern(s->system)->start[s->n];
    size_t count = 1;

    for (int b = 0; b < s->problem->n_blocks; b++)
        count += (size_t)s->problem->blocks[b].body->n_outputs;
    l->ctx = s->ctx;
    l->n = s->n;
    l->equations = rg_alloc(s->ctx, count, sizeof *l->equations);
    l->drift = rg_alloc(s->ctx, (size_t)s->n + 2 * entries + 1, sizeof *l->drift);
    if (l->equations == NULL || l->drift == NULL) return RG_ERR_MEMORY;
    l->Jy = l->drift + s->n;
    l->Jyp = l->Jy + entries;
    rg_lost_forget(l);
    return collect(l, s->problem);
}

rg_status rg_lost_create(const rg_solver *s, rg_lost **out)
{
    *out = NULL;
    if (s->options.step > 0.0 || s->problem->order == NULL || s->n > RG_LOST_MOST) return RG_OK;
    rg_lost *l = rg_alloc(s->ctx, 1, sizeof *l);
    if (l == NULL) return RG_ERR_MEMORY;
    const rg_status status = fill(l, s);
    if (status == RG_OK && l->n_equations > 0)
        *out = l;
    else
        rg_lost_destroy(&l);
    return status;
}

void rg_lost_destroy(rg_lost **lost)
{
    rg_lost *l = *lost;

    if (l == NULL) return;
    for (int k = 0; k < l->n_equations; k++)
        rg_graph_destroy(&l->equations[k].graph);
    rg_free(l->ctx, l->equations);
    rg_free(l->ctx, l->drift);
    rg_free(l->ctx, l);
    *lost = NULL;
}

void rg_lost_forget(rg_lost *l)
{
    if (l == NULL) return;
    memset(l->drift, 0, (size_t)l->n * sizeof *l->drift);
    l->longest = l->most = 0.0;
    l->t = NAN;
    l->unknown = -1;
}

void rg_lost_store(rg_lost *l, rg_store *s)
{
    if (l == NULL) return;
    rg_store_reals(s, l->drift, l->n);
    RG_STORE(s, l->longest);
    RG_STORE(s, l->most);
    RG_STORE(s, l->t);
    RG_STORE(s, l->unknown);
}

/* ---- a step ---------------------------------------------------------------------------------- */

typedef struct {
    const rg_solver *s;
    const rg_body *body;
    int64_t iteration;
    const rg_state *now;
} point;

static double value_of(const void *user, const rg_graph_node *leaf)
{
    const point *at = user;

    if (leaf->op == RG_OP_TIME) return at->now->t;
    if (leaf->op == RG_OP_DATA) {
        const rg_data *d = &at->body->data[leaf->a];
        return d->values[rg_map_at(&d->map, at->iteration)];
    }
    if (leaf->op != RG_OP_VAR) return NAN;
    const int64_t j = rg_map_at(&at->body->slots[leaf->a].map, at->iteration);
    const int64_t state = rg_system_state(at->s->system, j, 0);
    return state >= 0 ? at->now->y[state] : NAN;
}

/* The part of its size that an equation leaves open of the unknown that it determines best; 1: all
 * of it, NaN: cannot be told. */
static rg_status find_part(const equation *e, const point *at, int64_t *state, double *part)
{
    double factor = 0.0, value, rounding;

    *part = NAN;
    *state = -1;
    for (int k = 0; k < e->n; k++) {
        const int64_t j = rg_map_at(&e->body->slots[e->slot[k]].map, at->iteration);
        const int64_t x = rg_system_state(at->s->system, j, 0);
        if (x < 0) return RG_OK;
        RG_TRY(rg_graph_weigh(e->graph, e->slope[k], value_of, at, &value, &rounding));
        const double size = rg_integrator_unit(at->s->integrator, x) + fabs(at->now->y[x]);
        if (*state >= 0 && !(fabs(value) * size > factor)) continue;
        factor = fabs(value) * size;
        *state = x;
    }
    RG_TRY(rg_graph_weigh(e->graph, e->of, value_of, at, &value, &rounding));
    if (isfinite(rounding)) *part = fmin(DBL_EPSILON * rounding / factor, 1.0);
    return RG_OK;
}

/* What a state is off by, times the step, in the states whose derivatives it drives. */
static rg_status add_drift(rg_lost *l, const rg_solver *s, const rg_state *now, int64_t state,
                           double off)
{
    const rg_pattern *p = rg_system_pattern(s->system);
    const rg_status status =
        rg_system_jacobian(s->system, s->work, now->t, now->y, now->yp, l->Jy, l->Jyp);

    if (status != RG_OK) return status < 0 ? status : RG_OK;
    for (int64_t k = p->start[state]; k < p->start[state + 1]; k++)
        for (int64_t j = 0; j < l->n && l->Jy[k] != 0.0; j++)
            for (int64_t q = p->start[j]; q < p->start[j + 1]; q++)
                if (p->row[q] == p->row[k] && l->Jyp[q] != 0.0)
                    l->drift[j] += fabs(l->Jy[k] / l->Jyp[q]) * off;
    return RG_OK;
}

rg_status rg_lost_look(rg_lost *l, const rg_solver *s, double t0, const rg_state *now, bool has_row)
{
    if (l == NULL) return RG_OK;
    const double h = fabs(now->t - t0);
    l->longest = fmax(l->longest, h);
    if (h > RG_LOST_STEP * l->longest) return RG_OK;
    for (int k = 0; k < l->n_equations; k++)
        for (int64_t i = 0; i < l->equations[k].body->count; i++) {
            const point at = {s, l->equations[k].body, i, now};
            int64_t x;
            double part;
            RG_TRY(find_part(&l->equations[k], &at, &x, &part));
            if (!(part > s->options.rtol)) continue;
            const double size = rg_integrator_unit(s->integrator, x) + fabs(now->y[x]);
            RG_TRY(add_drift(l, s, now, x, h * part * size));
            if (l->unknown < 0) {
                l->unknown = x;
                l->t = now->t;
            }
            if (has_row) l->most = fmax(l->most, part);
        }
    return RG_OK;
}

rg_status rg_lost_tell(const rg_lost *l, const rg_solver *s, rg_solution *out)
{
    const rg_state end = rg_integrator_state(s->integrator);
    char name[128];

    if (l == NULL || l->unknown < 0) return RG_OK;
    double driven = 0.0;
    for (int64_t j = 0; j < l->n; j++)
        driven =
            fmax(driven, l->drift[j] / (rg_integrator_unit(s->integrator, j) + fabs(end.y[j])));
    const double most = fmax(l->most, driven);
    if (driven > out->estimate_end) out->estimate_end = driven;
    if (!(most > fmax(s->options.rtol, isnan(out->estimate) ? 0.0 : out->estimate))) return RG_OK;
    if (!isnan(out->estimate)) out->estimate = most;
    rg_system_state_name(s->system, l->unknown, name, sizeof name);
    return rg_problem_warn(s->problem,
                           "near %s = %.6g the factor of '%s' in its equation passes 0, and the "
                           "rounding of the other terms decides its value: what follows from it is "
                           "off by %.1g; write the equation without the factor, or take a larger "
                           "tol",
                           rg_problem_time_name(s->problem), l->t, name, most);
}
