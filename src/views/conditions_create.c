/* Makes functions of the conditions and assignments of a model. */
#include "views/conditions_impl.h"

#include "base/vector.h"

static bool is_timed(const rg_event *e)
{
    return e->every > 0.0;
}

/* Conditions are output 0 of the bodies, assigned values the others. */
static rg_status borrow(rg_conditions *c, bool asks, rg_conditions_part *q)
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

static rg_status assemble(rg_conditions *c, const rg_problem *p, rg_conditions_part *q,
                          int n_orders, int64_t n_columns, int32_t *const *column)
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
    const rg_status status = c->p->event != NULL ? rg_conditions_fill_callbacks(c) : fill(c);
    if (status == RG_OK)
        *out = c;
    else
        rg_conditions_destroy(&c);
    return status;
}

static void clear_part(rg_context *ctx, rg_conditions_part *q)
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
