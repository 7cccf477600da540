/* Makes functions of the conditions and assignments of a model, and evaluates them. */
#include "views/conditions.h"

#include "base/vector.h"
#include "problem/assembly.h"
#include "views/system_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct { /* outputs of the events as the equations of a problem that borrows all else */
    rg_problem problem;
    rg_body *bodies;
    rg_span *spans;
    int64_t *first; /* per event: its first row, -1: it has none */
    rg_assembly *assembly;
    rg_assembly_work *work;
} part;

struct rg_conditions {
    rg_context *ctx;
    const rg_system *s;
    const rg_problem *p;
    part asked, given; /* conditions; values that are assigned */
    rg_switches switches;
    rg_assembly_work *functions;
    int64_t n_instances;
    rg_instance *instances;
    double *z;        /* y, y', room, branches */
    double *gradient; /* of the functions */
    double *rows;     /* of either part, or of the functions */
    double *moved;    /* callbacks: y near by, and the conditions there */
    bool is_linear;   /* all functions are, in y alone; then `gradient` is theirs for good */
};

/* ---- callbacks ------------------------------------------------------------------------------- */

/* The condition g > 0 has the function -g < 0. */
static rg_status fill_callbacks(rg_conditions *c)
{
    const size_t n = (size_t)c->p->n_events, m = (size_t)c->s->layout.n_states;

    c->instances = rg_alloc(c->ctx, n + 1, sizeof *c->instances);
    c->switches.kind = rg_alloc(c->ctx, n + 1, sizeof *c->switches.kind);
    c->switches.moves = rg_alloc(c->ctx, n + 1, sizeof *c->switches.moves);
    c->moved = rg_alloc(c->ctx, m + n + 1, sizeof *c->moved);
    if (c->instances == NULL || c->switches.kind == NULL || c->switches.moves == NULL
        || c->moved == NULL)
        return RG_ERR_MEMORY;
    c->switches.n = c->n_instances = (int64_t)n;
    for (int k = 0; k < c->p->n_events; k++) {
        c->switches.kind[k] = RG_SWITCH_LESS;
        c->switches.moves[k] = 1;
        c->instances[k] = (rg_instance){k, 0, k};
    }
    return RG_OK;
}

static rg_status check_callback(const rg_conditions *c, int result, const char *which, double t)
{
    if (result >= 0) return RG_OK;
    rg_fail(c->ctx, RG_ERR_CALLBACK, "the %s callback returned %d at t = %g", which, result, t);
    rg_fail_time(c->ctx, t);
    return rg_remedy(c->ctx, "return 0 where the run is to go on");
}

/* What cannot be evaluated is NaN. */
static rg_status call_event(const rg_conditions *c, double t, const double *y, double *values)
{
    const int result = c->p->event(t, y, values, c->p->user);

    for (int64_t k = 0; k < c->n_instances; k++)
        values[k] = result == 0 && isfinite(values[k]) ? -values[k] : NAN;
    return check_callback(c, result, "event", t);
}

/* rg_conditions_sizes() by difference quotients. */
static rg_status callback_sizes(rg_conditions *c, double t, const double *y, double unit,
                                double *sizes, double *terms)
{
    const int64_t n = c->s->layout.n_states, m = c->n_instances;
    double *there = c->moved + n, *here = terms;

    RG_TRY(call_event(c, t, y, here));
    memcpy(c->moved, y, (size_t)n * sizeof *y);
    for (int64_t k = 0; k < m; k++)
        sizes[k] = 0.0;
    for (int64_t i = 0; i < n; i++) {
        const double d = sqrt(DBL_EPSILON) * (fabs(y[i]) + unit);
        c->moved[i] = y[i] + d;
        RG_TRY(call_event(c, t, c->moved, there));
        c->moved[i] = y[i];
        for (int64_t k = 0; k < m; k++) {
            const double slope = fabs(there[k] - here[k]) / d;
            if (isfinite(slope)) sizes[k] += slope * (fabs(y[i]) + unit);
        }
    }
    memcpy(terms, sizes, (size_t)m * sizeof *sizes);
    return RG_OK;
}

/* What the callback has changed was assigned. */
static rg_status call_reset(rg_conditions *c, int event, double t, const double *y,
                            rg_assigned *out, int *n, bool *stops)
{
    const rg_problem *p = c->p;

    *n = 0;
    if (p->reset == NULL) return RG_OK;
    memcpy(c->moved, y, (size_t)c->s->layout.n_states * sizeof *y);
    const int result = p->reset(t, event, c->moved, p->user);
    RG_TRY(check_callback(c, result, "reset", t));
    *stops = result > 0;
    for (int64_t j = 0; j < p->n; j++)
        if (c->moved[j] != y[j]) out[(*n)++] = (rg_assigned){j, 0, c->moved[j], {0}};
    return RG_OK;
}

/* ---- creation -------------------------------------------------------------------------------- */

static bool is_timed(const rg_event *e)
{
    return e->every > 0.0;
}

/* Conditions are output 0 of the bodies, assigned values the others. */
static rg_status borrow(rg_conditions *c, bool asks, part *q)
{
    const rg_problem *p = c->p;
    const size_t n = (size_t)p->n_events + 1;

    q->problem = *p;
    q->problem.n_blocks = 0;
    q->problem.n_rows = 0;
    q->problem.native_mode = RG_NATIVE_OFF;
    q->problem.blocks = rg_alloc(c->ctx, n, sizeof *q->problem.blocks);
    q->bodies = rg_alloc(c->ctx, n, sizeof *q->bodies);
    q->first = rg_alloc(c->ctx, n, sizeof *q->first);
    if (q->problem.blocks == NULL || q->bodies == NULL || q->first == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < p->n_events; k++) {
        const rg_event *e = &p->events[k];
        rg_body *body = &q->bodies[k];
        *body = *e->body;
        body->n_outputs = asks ? (is_timed(e) ? 0 : 1) : e->n_assignments;
        if (!asks) body->outputs++;
        q->first[k] = q->problem.n_rows;
        if (body->n_outputs == 0) continue;
        q->problem.blocks[q->problem.n_blocks++] = (rg_block){body, q->problem.n_rows, NULL};
        q->problem.n_rows += body->n_outputs * body->count;
    }
    return RG_OK;
}

static rg_status assemble(rg_conditions *c, const rg_problem *p, part *q, int n_orders,
                          int64_t n_columns, int32_t *const *column)
{
    int32_t *row = rg_alloc(c->ctx, (size_t)p->n_rows + 1, sizeof *row);

    if (row == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < p->n_rows; k++)
        row[k] = (int32_t)k;
    const int32_t *rows[] = {row};
    const rg_assembly_spec spec = {1,    n_orders,  n_columns,
                                   rows, p->n_rows, (const int32_t *const *)column};
    rg_status status = rg_assembly_create(p, &spec, false, &q->assembly);
    rg_free(c->ctx, row);
    if (status == RG_OK) status = rg_assembly_work_create(q->assembly, &q->work);
    return status;
}

static rg_status list_instances(rg_conditions *c)
{
    int64_t n = 0, next = 0;

    for (int k = 0; k < c->p->n_events; k++)
        n += c->p->events[k].body->count;
    c->instances = rg_alloc(c->ctx, (size_t)n + 1, sizeof *c->instances);
    if (c->instances == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < c->p->n_events; k++)
        for (int64_t i = 0; i < c->p->events[k].body->count; i++) {
            const bool timed = is_timed(&c->p->events[k]);
            c->instances[c->n_instances++] = (rg_instance){k, i, timed ? -1 : next++};
        }
    return RG_OK;
}

/* A derivative that is no state of the system: told before the assembly stumbles over it. */
static rg_status check_orders(const rg_conditions *c)
{
    enum { LEAVES = 256 };
    const rg_states *l = &c->s->layout;
    rg_node leaves[LEAVES];
    char name[128];

    for (int k = 0; k < c->p->n_events; k++) {
        const rg_event *e = &c->p->events[k];
        for (int o = 0; o < e->body->n_outputs && e->body->count > 0; o++) {
            const int32_t n =
                rg_graph_leaves_once(c->ctx, e->body->graph, e->body->outputs[o], LEAVES, leaves);
            for (int32_t i = 0; i < n && i < LEAVES; i++) {
                const rg_graph_node *leaf = rg_graph_at(e->body->graph, leaves[i]);
                if (leaf->op != RG_OP_VAR) continue;
                const int64_t j = rg_map_at(&e->body->slots[leaf->a].map, 0);
                if (leaf->order < l->n_orders && l->column[leaf->order][j] >= 0) continue;
                rg_variable_name(c->p, j, leaf->order, name, sizeof name);
                rg_fail(c->ctx, RG_ERR_METHOD, "%s in an event is not part of the solution", name);
                if (c->p->source != NULL) rg_fail_at(c->ctx, c->p->source, e->span);
                return rg_remedy(c->ctx, "declare an unknown for it and give it an equation");
            }
        }
    }
    return RG_OK;
}

static rg_status take_memory(rg_conditions *c)
{
    const rg_pattern *z = c->switches.n > 0 ? rg_assembly_pattern(c->switches.values) : NULL;
    const int64_t size = 2 * c->s->layout.n_states + RG_LANES;
    const int64_t rows = c->asked.problem.n_rows + c->given.problem.n_rows + c->switches.n + 1;
    const int64_t entries = z != NULL ? z->start[z->n_columns] : 0;

    c->z = rg_alloc(c->ctx, (size_t)(c->switches.n_columns > size ? c->switches.n_columns : size),
                    sizeof *c->z);
    c->rows = rg_alloc(c->ctx, (size_t)rows, sizeof *c->rows);
    c->gradient = rg_alloc(c->ctx, (size_t)entries + 1, sizeof *c->gradient);
    return c->z != NULL && c->rows != NULL && c->gradient != NULL ? RG_OK : RG_ERR_MEMORY;
}

/* Nothing but sums of unknowns with constant factors: a Jacobian that is constant does not say that
 * of steps, or of time. */
static bool has_plain_terms(const rg_problem *functions)
{
    const int other = RG_DEP_TIME | RG_DEP_SUM | RG_DEP_KINK | RG_DEP_NODES;

    for (int k = 0; k < functions->n_blocks; k++) {
        const rg_body *body = functions->blocks[k].body;
        for (rg_node i = 0; i < rg_graph_size(body->graph); i++)
            if (rg_op_is_table(rg_graph_at(body->graph, i)->op)) return false;
        for (int o = 0; o < body->n_outputs; o++)
            if (rg_graph_at(body->graph, body->outputs[o])->depends & other) return false;
    }
    return true;
}

static rg_status find_linear(rg_conditions *c)
{
    const rg_switches *b = &c->switches;
    const int64_t n = c->s->layout.n_states;

    if (b->n == 0 || b->is_nested || !rg_assembly_is_linear(b->values)
        || !has_plain_terms(b->auxiliary))
        return RG_OK;
    const rg_pattern *z = rg_assembly_pattern(b->values);
    if (z->start[n] != z->start[z->n_columns]) return RG_OK; /* rates */
    const rg_status status =
        rg_assembly_jacobian(b->values, c->functions, c->p->a, c->z, c->rows, c->gradient);
    c->is_linear = status == RG_OK;
    return status < 0 ? status : RG_OK;
}

static rg_status fill(rg_conditions *c)
{
    const rg_states *l = &c->s->layout;
    const int64_t n = 2 * l->n_states;

    RG_TRY(check_orders(c));
    RG_TRY(borrow(c, true, &c->asked));
    RG_TRY(borrow(c, false, &c->given));
    RG_TRY(list_instances(c));
    RG_TRY(rg_switches_init(&c->asked.problem, l, &c->switches));
    const rg_switches *b = &c->switches;
    if (b->n > 0) {
        RG_TRY(rg_assembly_work_create(b->values, &c->functions));
        RG_TRY(assemble(c, b->held, &c->asked, b->n_orders, b->n_columns, b->column));
    } else {
        RG_TRY(assemble(c, &c->asked.problem, &c->asked, l->n_orders, n, l->column));
    }
    RG_TRY(assemble(c, &c->given.problem, &c->given, l->n_orders, n, l->column));
    RG_TRY(take_memory(c));
    return find_linear(c);
}

rg_status rg_conditions_create(const rg_system *s, rg_conditions **out)
{
    rg_context *ctx = rg_system_context(s);
    rg_conditions *c = rg_alloc(ctx, 1, sizeof *c);

    *out = NULL;
    if (c == NULL) return RG_ERR_MEMORY;
    c->ctx = ctx;
    c->s = s;
    c->p = s->p;
    const rg_status status = c->p->event != NULL ? fill_callbacks(c) : fill(c);
    if (status == RG_OK)
        *out = c;
    else
        rg_conditions_destroy(&c);
    return status;
}

static void clear_part(rg_context *ctx, part *q)
{
    rg_assembly_work_destroy(&q->work);
    rg_assembly_destroy(&q->assembly);
    rg_free(ctx, q->problem.blocks);
    rg_free(ctx, q->bodies);
    rg_free(ctx, q->first);
}

void rg_conditions_destroy(rg_conditions **conditions)
{
    rg_conditions *c = *conditions;

    if (c == NULL) return;
    clear_part(c->ctx, &c->asked);
    clear_part(c->ctx, &c->given);
    rg_assembly_work_destroy(&c->functions);
    rg_switches_clear(c->ctx, &c->switches);
    rg_free(c->ctx, c->instances);
    rg_free(c->ctx, c->z);
    rg_free(c->ctx, c->rows);
    rg_free(c->ctx, c->gradient);
    rg_free(c->ctx, c->moved);
    rg_free(c->ctx, c);
    *conditions = NULL;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

int64_t rg_conditions_instances(const rg_conditions *c)
{
    return c->n_instances;
}

rg_instance rg_conditions_instance(const rg_conditions *c, int64_t k)
{
    return c->instances[k];
}

int64_t rg_conditions_functions(const rg_conditions *c)
{
    return c->switches.n;
}

static void set_point(rg_conditions *c, const double *y, const double *yp)
{
    const size_t n = (size_t)c->s->layout.n_states;

    memcpy(c->z, y, n * sizeof *y);
    memcpy(c->z + n, yp, n * sizeof *yp);
}

rg_status rg_conditions_values(rg_conditions *c, double t, const double *y, const double *yp,
                               double *values)
{
    if (c->switches.n == 0) return RG_OK;
    if (c->p->event != NULL) return call_event(c, t, y, values);
    set_point(c, y, yp);
    const rg_status status = rg_switches_follow(&c->switches, c->functions, t, c->z, values);
    if (status < 0) return status;
    for (int64_t k = 0; k < c->switches.n; k++)
        if (!isfinite(values[k])) values[k] = NAN;
    return RG_OK;
}

bool rg_conditions_is_linear(const rg_conditions *c)
{
    return c->is_linear;
}

/* f(y) = f(y_0) + sum ds/dy_j (y_j - y_0j). */
rg_status rg_conditions_along(rg_conditions *c, int degree, const double *a, double *out)
{
    const int64_t n = c->s->layout.n_states, m = c->switches.n;
    const rg_pattern *z = rg_assembly_pattern(c->switches.values);

    memset(c->z + n, 0, (size_t)n * sizeof *c->z);
    memcpy(c->z, a, (size_t)n * sizeof *c->z);
    const rg_status status = rg_switches_follow(&c->switches, c->functions, c->p->a, c->z, out);
    if (status != RG_OK) return status;
    memset(out + m, 0, (size_t)(degree * m) * sizeof *out);
    for (int64_t j = 0; j < n; j++)
        for (int64_t e = z->start[j]; e < z->start[j + 1]; e++)
            for (int k = 1; k <= degree; k++)
                out[k * m + z->row[e]] += c->gradient[e] * a[k * n + j];
    return RG_OK;
}

double rg_conditions_mode(const rg_conditions *c, int64_t k, double value)
{
    const double mode = rg_switch_mode(&c->switches, k, value);

    if (c->switches.kind[k] == RG_SWITCH_FLOOR) return mode + 0.5;
    return mode != 0.0 ? mode : 1.0;
}

static void add_sizes(const rg_conditions *c, const rg_pattern *z, double unit, double rate,
                      double *sizes)
{
    const int64_t n = c->s->layout.n_states;

    for (int64_t k = 0; k < c->switches.n; k++)
        sizes[k] = 0.0;
    for (int64_t j = 0; j < 2 * n; j++) {
        const double more = j < n ? unit : rate > 0.0 ? rate * (fabs(c->z[j - n]) + unit) : 0.0;
        const double x = fabs(c->z[j]) + more;
        for (int64_t e = z->start[j]; e < z->start[j + 1]; e++)
            if (c->gradient[e] != 0.0) sizes[z->row[e]] += fabs(c->gradient[e]) * x;
    }
}

rg_status rg_conditions_sizes(rg_conditions *c, double t, const double *y, const double *yp,
                              double unit, double rate, double *sizes, double *terms)
{
    const rg_switches *b = &c->switches;

    if (b->n == 0) return RG_OK;
    if (c->p->event != NULL) return callback_sizes(c, t, y, unit, sizes, terms);
    const rg_pattern *z = rg_assembly_pattern(b->values);
    set_point(c, y, yp);
    RG_TRY(rg_assembly_jacobian(b->values, c->functions, t, c->z, c->rows, c->gradient));
    add_sizes(c, z, 0.0, 0.0, terms);
    for (int f = 0; f < c->p->n_families; f++) /* states are exact */
        for (int64_t i = 0; i < c->p->families[f].count && c->p->families[f].is_state; i++)
            for (int64_t j = c->p->families[f].first + i, e = z->start[j]; e < z->start[j + 1]; e++)
                c->gradient[e] = 0.0;
    add_sizes(c, z, unit, rate, sizes);
    return RG_OK;
}

bool rg_conditions_is_timed(const rg_conditions *c, int64_t k)
{
    return !c->switches.moves[k];
}

bool rg_conditions_is_whole(const rg_conditions *c, int64_t k)
{
    return c->switches.kind[k] == RG_SWITCH_FLOOR;
}

bool rg_conditions_has_rates(const rg_conditions *c, int64_t k)
{
    const int64_t n = c->s->layout.n_states;

    if (c->p->event != NULL) return false;
    const rg_pattern *z = rg_assembly_pattern(c->switches.values);
    for (int64_t e = z->start[n]; e < z->start[2 * n]; e++)
        if (z->row[e] == k) return true;
    return false;
}

void rg_conditions_concerned(const rg_conditions *c, const uint8_t *marked, uint8_t *concerned)
{
    if (c->switches.n == 0) return;
    memset(concerned, 0, (size_t)c->switches.n);
    if (c->p->event != NULL) { /* it may be any of them */
        const bool is_any = memchr(marked, 1, (size_t)c->s->layout.n_states) != NULL;
        memset(concerned, is_any, (size_t)c->switches.n);
        return;
    }
    const rg_pattern *z = rg_assembly_pattern(c->switches.values);
    for (int64_t j = 0; j < c->s->layout.n_states; j++)
        for (int64_t e = z->start[j]; marked[j] && e < z->start[j + 1]; e++)
            concerned[z->row[e]] = 1;
}

bool rg_conditions_share(const rg_conditions *c, int64_t k, int64_t l)
{
    const int64_t n = c->s->layout.n_states;

    if (c->p->event != NULL) return true; /* nothing is known of them */
    const rg_pattern *z = rg_assembly_pattern(c->switches.values);
    for (int64_t j = 0; j < 2 * n; j++) {
        bool has_first = false, has_second = false;
        for (int64_t e = z->start[j]; e < z->start[j + 1]; e++) {
            has_first = has_first || z->row[e] == k;
            has_second = has_second || z->row[e] == l;
        }
        const bool is_state = j % n < c->p->n && rg_variable_is_state(c->p, j % n);
        if (has_first && has_second && !is_state) return true;
    }
    return false;
}

rg_status rg_conditions_truth(rg_conditions *c, double t, const double *y, const double *yp,
                              const double *mode, double *truth)
{
    const rg_switches *b = &c->switches;

    for (int64_t k = 0; k < c->n_instances && c->p->event != NULL; k++)
        truth[k] = mode[k] < 0.0;
    if (c->p->event != NULL) return RG_OK;
    set_point(c, y, yp);
    for (int64_t k = 0; k < b->n; k++)
        c->z[b->first + k] = b->kind[k] == RG_SWITCH_FLOOR ? mode[k] - 0.5 : mode[k];
    const rg_status status =
        rg_assembly_residual(c->asked.assembly, c->asked.work, t, c->z, c->rows);
    if (status < 0) return status;
    for (int64_t k = 0; k < c->n_instances; k++) {
        const int64_t row = c->instances[k].condition;
        truth[k] = row >= 0 && c->rows[row] > 0.5 ? 1.0 : 0.0;
    }
    return RG_OK;
}

int rg_conditions_assigned_most(const rg_conditions *c, int64_t instance)
{
    return c->p->event != NULL ? (int)c->p->n
                               : c->p->events[c->instances[instance].event].n_assignments;
}

rg_status rg_conditions_assigned(rg_conditions *c, int64_t instance, double t, const double *y,
                                 const double *yp, rg_assigned *out, int *n, bool *stops)
{
    const rg_instance *i = &c->instances[instance];
    const rg_event *e = &c->p->events[i->event];

    *stops = false;
    if (c->p->event != NULL) return call_reset(c, i->event, t, y, out, n, stops);
    *n = e->n_assignments;
    if (e->n_assignments == 0) return RG_OK;
    set_point(c, y, yp);
    const rg_status status =
        rg_assembly_residual(c->given.assembly, c->given.work, t, c->z, c->rows);
    if (status < 0) return status;
    for (int k = 0; k < e->n_assignments; k++) {
        const rg_assignment *a = &e->assignments[k];
        const int64_t row = c->given.first[i->event] + k * e->body->count + i->iteration;
        out[k] = (rg_assigned){rg_map_at(&e->body->slots[a->slot].map, i->iteration), a->order,
                               c->rows[row], a->span};
    }
    return RG_OK;
}
