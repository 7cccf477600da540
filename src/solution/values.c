/* An output is evaluated like an equation: the bodies become the blocks of a borrowed problem, and
 * an assembly runs them.  Sums, loops and batches then come for free. */
#include "solution/values.h"

#include "problem/assembly.h"

struct rg_values {
    rg_context *ctx;
    rg_problem
        borrowed; /* a view of the problem with the values as its equations; owns only blocks */
    rg_span *spans;
    int32_t *row;
    const rg_layout *layout;
    rg_assembly *assembly;
    rg_assembly_work *work;
    rg_assembly *slopes; /* the same with derivatives; NULL: nobody has asked */
    rg_assembly_work *slopes_work;
};

static rg_status borrow_blocks(rg_values *v, const rg_problem *p, int n, const rg_value *list)
{
    v->borrowed = *p;
    v->borrowed.blocks = rg_alloc(v->ctx, (size_t)n, sizeof(rg_block));
    v->borrowed.n_blocks = n;
    v->borrowed.n_rows = 0;
    v->spans = rg_alloc(v->ctx, (size_t)n, sizeof *v->spans);
    if (v->borrowed.blocks == NULL || v->spans == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < n; k++) {
        v->spans[k] = list[k].span;
        v->borrowed.blocks[k] = (rg_block){list[k].body, v->borrowed.n_rows, &v->spans[k]};
        v->borrowed.n_rows += list[k].body->count;
    }
    v->row = rg_alloc(v->ctx, (size_t)v->borrowed.n_rows, sizeof *v->row);
    if (v->row == NULL && v->borrowed.n_rows > 0) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < v->borrowed.n_rows; i++)
        v->row[i] = (int32_t)i;
    return RG_OK;
}

/* The first value that reads a derivative the layout has not got; NULL: none in plain sight. */
static const rg_value *find_beyond(const rg_problem *p, int n, const rg_value *list,
                                   const rg_layout *layout, int64_t *variable, int *order)
{
    enum { LEAVES = 256 };
    rg_node leaves[LEAVES];

    for (int k = 0; k < n; k++) {
        const rg_body *body = list[k].body;
        const int32_t found =
            rg_graph_leaves_once(p->ctx, body->graph, body->outputs[0], LEAVES, leaves);
        for (int32_t i = 0; i < found && i < LEAVES; i++) {
            const rg_graph_node *leaf = rg_graph_at(body->graph, leaves[i]);
            if (leaf->op != RG_OP_VAR || body->count == 0) continue;
            *variable = rg_map_at(&body->slots[leaf->a].map, 0);
            *order = leaf->order;
            if (rg_layout_at(layout, *variable, *order) < 0) return &list[k];
        }
    }
    return NULL;
}

static rg_status refuse(const rg_problem *p, int n, const rg_value *list, const rg_layout *layout)
{
    char name[128] = "a derivative";
    int64_t variable;
    int order;

    rg_clear_error(p->ctx);
    const rg_value *value = find_beyond(p, n, list, layout, &variable, &order);
    if (value != NULL) rg_variable_name(p, variable, order, name, sizeof name);
    rg_fail(p->ctx, RG_ERR_METHOD, "the value of %s is not part of the solution", name);
    if (value != NULL && p->source != NULL) rg_fail_at(p->ctx, p->source, value->span);
    return rg_remedy(p->ctx, "declare an unknown for it and give it an equation");
}

static rg_status assemble(const rg_values *v, bool with_jacobian, rg_assembly **out)
{
    const int32_t *const rows[] = {v->row};
    const rg_assembly_spec spec = {.n_levels = 1,
                                   .n_orders = v->layout->n_orders,
                                   .n_columns = 2 * v->layout->n_states,
                                   .row = rows,
                                   .n_rows = v->borrowed.n_rows,
                                   .column = (const int32_t *const *)v->layout->place};

    return rg_assembly_create(&v->borrowed, &spec, with_jacobian, out);
}

rg_status rg_values_create(const rg_problem *p, int n, const rg_value *list,
                           const rg_layout *layout, rg_values **out)
{
    rg_values *v = rg_alloc(p->ctx, 1, sizeof *v);
    rg_status status;

    *out = NULL;
    if (v == NULL) return RG_ERR_MEMORY;
    v->ctx = p->ctx;
    v->layout = layout;
    if ((status = borrow_blocks(v, p, n, list)) != RG_OK) goto failed;
    status = assemble(v, false, &v->assembly);
    if (status == RG_ERR_ARGUMENT) status = refuse(p, n, list, layout);
    if (status == RG_OK) status = rg_assembly_work_create(v->assembly, &v->work);
    if (status != RG_OK) goto failed;
    *out = v;
    return RG_OK;
failed:
    rg_values_destroy(&v);
    return status;
}

void rg_values_destroy(rg_values **values)
{
    rg_values *v = *values;

    if (v == NULL) return;
    rg_assembly_work_destroy(&v->work);
    rg_assembly_destroy(&v->assembly);
    rg_assembly_work_destroy(&v->slopes_work);
    rg_assembly_destroy(&v->slopes);
    rg_free(v->ctx, v->borrowed.blocks);
    rg_free(v->ctx, v->spans);
    rg_free(v->ctx, v->row);
    rg_free(v->ctx, v);
    *values = NULL;
}

int64_t rg_values_count(const rg_values *values)
{
    return values->borrowed.n_rows;
}

rg_status rg_values_eval(const rg_values *values, double t, const double *z, double *out)
{
    const rg_status status = rg_assembly_residual(values->assembly, values->work, t, z, out);

    return (int)status == RG_RETRY ? RG_OK : status; /* not finite: written as such */
}

rg_status rg_values_jacobian(rg_values *values, double t, const double *z,
                             const rg_pattern **pattern, const double **J)
{
    if (values->slopes == NULL) RG_TRY(assemble(values, true, &values->slopes));
    if (values->slopes_work == NULL) {
        RG_TRY(rg_assembly_work_create(values->slopes, &values->slopes_work));
        RG_TRY(rg_assembly_work_keep(values->slopes, values->slopes_work));
    }
    *pattern = rg_assembly_pattern(values->slopes);
    const rg_status status =
        rg_assembly_jacobian_kept(values->slopes, values->slopes_work, t, z, NULL, J);
    return (int)status == RG_RETRY ? RG_OK : status;
}
