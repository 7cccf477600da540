/* Forces of constraints for methods that work on other views than the one with separate
 * constraints: the states of that view are found among those of the run, and
 *
 *     force = x' - f(x, t)      or      x'' - f(x, v, t)
 *
 * where derivatives are those that the equations have at the row: it stays bounded where
 * multipliers do not.  At a switch, and along one where f jumps, f may be that of the other side:
 * the force is f(x, t, y) - f(x, t, 0) there. */
#include "ivp/forces.h"

#include "ivp/method.h"
#include "problem/units.h"
#include "solution/torn.h"

#include "structure/analysis.h"
#include "views/semi/semi.h"

#include <math.h>
#include <string.h>

typedef struct { /* where the run has something: among its states, or among their derivatives */
    int64_t at;
    bool is_slope;
} place;

struct rg_force_columns {
    rg_context *ctx;
    rg_system *direct; /* the equations as written */
    rg_semi *view;
    rg_integrator *g;     /* the run's */
    const rg_system *run; /* its view */
    int n, order, n_y;
    place *from;   /* of x and v, then of the highest derivatives, multipliers, states of events */
    double *held;  /* those, among the states of `direct` */
    double *point; /* x, v */
    double *y;     /* multipliers */
    double *z;     /* a row, with the derivatives that the equations have there */
    double *near;  /* x, v beside the point; then four times n: forces there */
    rg_semi_values values;
    double *memory;
    bool *is_reached; /* per x; others feel no force */
};

/* ---- life ------------------------------------------------------------------------------------ */

static place find(const rg_system *run, int64_t unknown, int order)
{
    const int64_t at = rg_system_state(run, unknown, order);

    if (at >= 0 || order == 0) return (place){at, false};
    return (place){rg_system_state(run, unknown, order - 1), true};
}

typedef struct { /* what a state of the view is */
    int64_t unknown;
    int order;
} identity;

static void find_all(rg_force_columns *c, const identity *state)
{
    for (int r = 0; r < c->order; r++)
        for (int k = 0; k < c->n; k++) {
            const int64_t at = r == 0 ? rg_semi_x(c->view)[k] : rg_semi_v(c->view)[k];
            const identity *s = &state[at];
            c->from[r * c->n + k] = find(c->run, s->unknown, s->order);
            if (r < c->order - 1) continue;
            c->from[c->order * c->n + k] = find(c->run, s->unknown, s->order + 1);
        }
    place *rest = c->from + (c->order + 1) * c->n;
    for (int k = 0; k < c->n_y; k++)
        rest[k] = find(c->run, rg_semi_y_unknown(c->view, k), 0);
    for (int k = 0; k < rg_semi_held_count(c->view); k++)
        rest[c->n_y + k] = find(c->run, state[rg_semi_held_states(c->view)[k]].unknown, 0);
}

/* RG_RETRY: the run has not all of it. */
static rg_status connect(rg_force_columns *c, const rg_problem *p)
{
    identity *state = rg_alloc(c->ctx, (size_t)rg_system_size(c->direct) + 1, sizeof *state);

    if (state == NULL) return RG_ERR_MEMORY;
    for (int r = 0; r <= p->max_order; r++)
        for (int64_t j = 0; j < p->n; j++) {
            const int64_t at = rg_system_state(c->direct, j, r);
            if (at >= 0) state[at] = (identity){j, r};
        }
    find_all(c, state);
    rg_free(c->ctx, state);
    for (int k = 0; k < (c->order + 1) * c->n + c->n_y + rg_semi_held_count(c->view); k++)
        if (c->from[k].at < 0) return (rg_status)RG_RETRY;
    return RG_OK;
}

static rg_status take_memory(rg_force_columns *c)
{
    const size_t n = (size_t)c->n, m = (size_t)c->n_y, held = (size_t)rg_semi_held_count(c->view);
    const size_t row = 2 * (size_t)rg_system_size(c->run);

    c->from = rg_alloc(c->ctx, 3 * n + m + held, sizeof *c->from);
    c->memory = rg_alloc(c->ctx, 9 * n + 4 * m + row, sizeof *c->memory);
    c->held = rg_alloc(c->ctx, (size_t)rg_system_size(c->direct) + 1, sizeof *c->held);
    c->is_reached = rg_alloc(c->ctx, 2 * n + 1, sizeof *c->is_reached);
    if (c->from == NULL || c->memory == NULL || c->held == NULL || c->is_reached == NULL)
        return RG_ERR_MEMORY;
    rg_semi_hold(c->view, c->held);
    c->point = c->memory;
    c->values = (rg_semi_values){.f = c->memory + 2 * n,
                                 .g = c->memory + 3 * n,
                                 .g1 = c->memory + 3 * n + m,
                                 .g2 = c->memory + 3 * n + 2 * m};
    c->y = c->memory + 3 * n + 3 * m;
    c->near = c->y + m;
    c->z = c->near + 6 * n;
    return RG_OK;
}

/* RG_RETRY: the model has no such form. */
static rg_status fill(rg_force_columns *c, const rg_problem *p, const rg_analysis *a)
{
    RG_TRY(rg_system_create(p, a, RG_VIEW_DIRECT, &c->direct));
    const rg_status status = rg_semi_create(c->direct, "radau", &c->view);
    if (status == RG_ERR_MEMORY) return status;
    if (status != RG_OK) {
        rg_clear_error(c->ctx);
        return (rg_status)RG_RETRY;
    }
    c->order = rg_semi_order(c->view);
    c->n = rg_semi_size(c->view);
    c->n_y = rg_semi_constraints(c->view);
    if (c->order > 2) return (rg_status)RG_RETRY;
    RG_TRY(take_memory(c));
    rg_semi_mark_reached(c->view, c->is_reached);
    return connect(c, p);
}

void rg_force_columns_destroy(rg_force_columns **columns)
{
    rg_force_columns *c = *columns;

    if (c == NULL) return;
    rg_semi_destroy(&c->view);
    rg_system_destroy(&c->direct);
    rg_free(c->ctx, c->from);
    rg_free(c->ctx, c->memory);
    rg_free(c->ctx, c->held);
    rg_free(c->ctx, c->is_reached);
    rg_free(c->ctx, c);
    *columns = NULL;
}

/* ---- columns --------------------------------------------------------------------------------- */

static int name(void *user, int64_t k, char *buffer, int size)
{
    const rg_force_columns *c = user;
    const int64_t *states = c->order == 1 ? rg_semi_x(c->view) : rg_semi_v(c->view);

    return rg_system_state_name(c->direct, states[k], buffer, size);
}

static double value_of(const rg_force_columns *c, const double *z, const place *from)
{
    return z[from->at + (from->is_slope ? rg_system_size(c->run) : 0)];
}

/* f(x, t, y), or without multipliers f(x, t, 0), at the point moved by `part` of a small distance.
 * RG_RETRY: it has no value there. */
static rg_status eval_moved(rg_force_columns *c, double t, double part, const double *y)
{
    const int n = c->n;

    for (int k = 0; k < c->order * n; k++)
        c->near[k] = c->point[k] + part * rg_torn_move(k) * (1.0 + fabs(c->point[k]));
    return y != NULL ? rg_semi_eval_at(c->view, t, c->near, c->near + n, y, &c->values)
                     : rg_semi_eval(c->view, t, c->near, c->near + n, &c->values);
}

/* Four values of component k: is it torn between them? */
static bool is_torn(const double *v, int n, int k)
{
    return rg_is_torn(fabs(v[k] - v[n + k]), fabs(v[2 * n + k] - v[3 * n + k]), v[k]);
}

/* Components whose f jumps have the force f(x, t, y) - f(x, t, 0); NaN if that jumps, too. */
static rg_status mend_torn(rg_force_columns *c, double t, double *out)
{
    const int n = c->n;
    double *v = c->near + 2 * n;
    rg_status status = RG_OK;

    for (int i = 0; i < 4 && status == RG_OK; i++) {
        status = eval_moved(c, t, rg_torn_parts[i], NULL);
        for (int k = 0; k < n && status == RG_OK; k++)
            v[i * n + k] = c->values.f[k];
    }
    for (int k = 0; k < n && status == RG_OK; k++)
        if (is_torn(v, n, k)) out[k] = NAN;
    for (int i = 0; i < 4 && status == RG_OK; i++) {
        status = eval_moved(c, t, rg_torn_parts[i], c->y);
        for (int k = 0; k < n && status == RG_OK; k++)
            v[i * n + k] = c->values.f[k] - v[i * n + k];
    }
    for (int k = 0; k < n && status == RG_OK; k++)
        if (isnan(out[k]) && !is_torn(v, n, k)) out[k] = 0.5 * (v[2 * n + k] + v[3 * n + k]);
    return status < 0 ? status : RG_OK;
}

/* x' - f, in c->z; NaN: f has no value there. */
static rg_status by_slopes(rg_force_columns *c, double t, double *out)
{
    const int n = c->n;
    const rg_status status = rg_semi_eval(c->view, t, c->point, c->point + n, &c->values);

    if (status < 0) return status;
    for (int k = 0; k < n; k++)
        out[k] =
            status == RG_OK ? value_of(c, c->z, &c->from[c->order * n + k]) - c->values.f[k] : NAN;
    return status == RG_OK && c->g->along != NULL ? mend_torn(c, t, out) : RG_OK;
}

/* f(x, t, y) - f(x, t, 0), the same on both sides of a switch in f. */
static rg_status by_multipliers(rg_force_columns *c, double t, double *out)
{
    const int n = c->n;
    rg_status status = rg_semi_eval(c->view, t, c->point, c->point + n, &c->values);

    memcpy(out, c->values.f, (size_t)n * sizeof *out);
    if (status == RG_OK)
        status = rg_semi_eval_at(c->view, t, c->point, c->point + n, c->y, &c->values);
    if (status < 0) return status;
    for (int k = 0; k < n; k++)
        out[k] = status == RG_OK ? c->values.f[k] - out[k] : NAN;
    return RG_OK;
}

static rg_status eval(void *user, double t, const double *z, double *out)
{
    rg_force_columns *c = user;
    const int n = c->n;
    const int64_t size = rg_system_size(c->run);
    const place *rest = c->from + (c->order + 1) * n;

    memcpy(c->z, z, 2 * (size_t)size * sizeof *z);
    RG_TRY(rg_integrator_slopes(c->g, t, c->z, c->z + size));
    for (int k = 0; k < c->order * n; k++)
        c->point[k] = value_of(c, c->z, &c->from[k]);
    for (int k = 0; k < c->n_y; k++)
        c->y[k] = value_of(c, z, &rest[k]);
    for (int k = 0; k < rg_semi_held_count(c->view); k++)
        c->held[rg_semi_held_states(c->view)[k]] = value_of(c, z, &rest[c->n_y + k]);
    RG_TRY(rg_integrator_meets_switch(c->g, t) ? by_multipliers(c, t, out) : by_slopes(c, t, out));
    for (int k = 0; k < n; k++)
        if (!c->is_reached[k] && !isnan(out[k])) out[k] = 0.0;
    return RG_OK;
}

double rg_force_columns_unit(const rg_force_columns *c, const rg_options *o, int64_t k)
{
    const rg_units *u = o->units;
    const double ratio = o->atol / o->rtol;
    const double unit =
        u != NULL ? rg_units_at(u, rg_semi_x_unknown(c->view, (int)k), c->order) : ratio;

    return isnan(unit) ? ratio : unit;
}

rg_status rg_force_columns_create(rg_integrator *g, const rg_problem *p, rg_forces *forces,
                                  rg_force_columns **out)
{
    const rg_analysis *a;

    *out = NULL;
    *forces = (rg_forces){0};
    RG_TRY(rg_analysis_get(p, &a));
    if (a->index != 2 && a->index != 3) return RG_OK;
    rg_force_columns *c = rg_alloc(p->ctx, 1, sizeof *c);
    if (c == NULL) return RG_ERR_MEMORY;
    c->ctx = p->ctx;
    c->g = g;
    c->run = g->system;
    const rg_status status = fill(c, p, a);
    if (status == RG_OK) {
        *out = c;
        *forces = (rg_forces){c->n, c, name, eval};
    } else {
        rg_force_columns_destroy(&c);
    }
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}
