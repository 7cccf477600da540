/* First half of compiling a tape: lists the nodes of the expressions as items, and joins pairs of
 * operations into one instruction where ops.def has it. */
#include "expr/ops.h"
#include "expr/tape_compiler.h"

/* ---- items ----------------------------------------------------------------------------------- */

static bool is_number(const rg_compiler *c, int32_t k)
{
    return c->items[k].op == RG_OP_CONST;
}

static void set_form(rg_item *x, int32_t op, int n_args, int32_t a, int32_t b, int32_t third)
{
    x->op = op;
    x->n_args = n_args;
    x->arg[0] = a;
    x->arg[1] = b;
    x->arg[2] = third;
}

/* A product that nothing else uses: a*b, or v*a after its own joining. */
static bool can_join(const rg_compiler *c, int32_t k)
{
    return (c->items[k].op == RG_OP_MUL || c->items[k].op == I_MUL_CONST) && c->items[k].uses == 1;
}

/* x = p + sign q with p = v*a or a*b, or x = q - p. */
static void join_product(rg_item *x, const rg_item *p, int32_t q, rg_op op, bool product_first)
{
    if (p->op == I_MUL_CONST) {
        const int32_t form = op == RG_OP_ADD ? I_SCALE_ADD
                             : product_first ? I_SCALE_SUB
                                             : I_SUB_SCALE;
        set_form(x, form, 2, p->arg[0], q, -1);
        x->v = p->v;
    } else {
        const int32_t form = op == RG_OP_ADD ? I_MUL_ADD : product_first ? I_MUL_SUB : I_SUB_MUL;
        set_form(x, form, 3, p->arg[0], p->arg[1], q);
    }
}

/* x = v + k or v - k */
static void join_number(rg_compiler *c, rg_item *x, double v, int32_t k, bool is_minus)
{
    const rg_item *p = &c->items[k];

    x->v = v;
    if (p->op == RG_OP_MUL && p->uses == 1)
        set_form(x, is_minus ? I_CONST_SUB_MUL : I_MUL_ADD_CONST, 2, p->arg[0], p->arg[1], -1);
    else
        set_form(x, is_minus ? I_CONST_SUB : I_ADD_CONST, 1, k, -1, -1);
}

static void join_sum(rg_compiler *c, rg_item *x)
{
    const int32_t a = x->arg[0], b = x->arg[1];

    if (is_number(c, b))
        join_number(c, x, x->op == RG_OP_SUB ? -c->items[b].v : c->items[b].v, a, false);
    else if (is_number(c, a))
        join_number(c, x, c->items[a].v, b, x->op == RG_OP_SUB);
    else if (can_join(c, b))
        join_product(x, &c->items[b], a, (rg_op)x->op, false);
    else if (can_join(c, a))
        join_product(x, &c->items[a], b, (rg_op)x->op, true);
}

static void join_product_number(rg_compiler *c, rg_item *x)
{
    const int32_t a = x->arg[0], b = x->arg[1];

    if (is_number(c, a)) {
        x->v = c->items[a].v;
        set_form(x, x->op == RG_OP_MUL ? I_MUL_CONST : I_CONST_DIV, 1, b, -1, -1);
    } else if (is_number(c, b)) {
        x->v = c->items[b].v;
        set_form(x, x->op == RG_OP_MUL ? I_MUL_CONST : I_DIV_CONST, 1, a, -1, -1);
    }
}

static void join(rg_compiler *c, rg_item *x)
{
    switch (x->op) {
    case RG_OP_ADD:
    case RG_OP_SUB:
        join_sum(c, x);
        break;
    case RG_OP_MUL:
    case RG_OP_DIV:
        join_product_number(c, x);
        break;
    case RG_OP_POW:
        if (is_number(c, x->arg[1]) && rg_is_small_integer(c->items[x->arg[1]].v)) {
            x->exponent = (int32_t)c->items[x->arg[1]].v;
            set_form(x, I_POW_INT, 1, x->arg[0], -1, -1);
        }
        break;
    default:
        break;
    }
}

/* The number of a table in the list of the tape. */
static rg_status list_table(rg_compiler *c, const rg_table *table, int32_t *number)
{
    rg_tape *tape = c->tape;
    int32_t k = 0;

    while (k < tape->n_tables && tape->tables[k] != table)
        k++;
    *number = k;
    if (k < tape->n_tables) return RG_OK;
    RG_TRY(rg_grow(c->ctx, &tape->tables, k, &c->table_size, sizeof *tape->tables));
    tape->tables[tape->n_tables++] = table;
    return RG_OK;
}

/* Lists the nodes as items, with the number of uses in the graph. */
static rg_status make_items(rg_compiler *c, int n_outputs, const rg_node *outputs)
{
    rg_graph *g = c->g;

    c->count = rg_graph_walk(g, n_outputs, outputs, 0);
    if (c->count < 0) return rg_graph_status(g);
    c->items = rg_alloc(c->ctx, (size_t)c->count + 1, sizeof *c->items);
    if (c->items == NULL) return RG_ERR_MEMORY;
    for (int32_t k = 0; k < c->count; k++) {
        const rg_graph_node *n = &g->nodes[g->order[k]];
        rg_item *x = &c->items[k];
        const int32_t args[3] = {n->a, n->b, n->c};
        g->memo[g->order[k]] = k;
        x->op = n->op;
        if (rg_op_is_table(n->op)) {
            x->order = n->order;
            RG_TRY(list_table(c, n->table, &x->table));
        } else {
            x->v = n->value;
        }
        x->operand = -1;
        x->n_args = rg_op_arity((rg_op)n->op);
        for (int j = 0; j < x->n_args; j++) {
            x->arg[j] = g->memo[args[j]];
            c->items[x->arg[j]].uses++;
        }
    }
    for (int o = 0; o < n_outputs; o++)
        c->items[g->memo[outputs[o]]].uses++;
    return RG_OK;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static rg_status make_inputs(rg_compiler *c)
{
    rg_tape *tape = c->tape;

    for (int32_t k = 0; k < c->count; k++)
        if (rg_is_input(c->items[k].op)) tape->n_inputs++;
    tape->inputs = rg_alloc(c->ctx, (size_t)tape->n_inputs + 1, sizeof *tape->inputs);
    if (tape->inputs == NULL) return RG_ERR_MEMORY;
    int32_t next = 0;
    for (int32_t k = 0; k < c->count; k++) {
        if (!rg_is_input(c->items[k].op)) continue;
        const rg_graph_node *n = &c->g->nodes[c->g->order[k]];
        tape->inputs[next] = (rg_tape_input){(rg_op)n->op, n->a, n->order};
        c->items[k].operand = next++;
    }
    return RG_OK;
}

/* ---- needs ----------------------------------------------------------------------------------- */

void rg_sort_args(const rg_compiler *c, const rg_item *x, int32_t sorted[3])
{
    for (int j = 0; j < x->n_args; j++) {
        int at = j;
        while (at > 0 && c->items[sorted[at - 1]].need < c->items[x->arg[j]].need) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        sorted[at] = x->arg[j];
    }
}

static void set_need(rg_compiler *c, rg_item *x)
{
    int32_t sorted[3];

    rg_sort_args(c, x, sorted);
    x->need = rg_is_input(x->op) ? 0 : 1;
    for (int j = 0; j < x->n_args; j++) {
        const int32_t need = c->items[sorted[j]].need + j;
        if (need > x->need) x->need = need;
    }
}

/* Joins, then counts the uses by instructions that will be emitted; absorbed items keep 0. */
void rg_compiler_join(rg_compiler *c, int n_outputs, const rg_node *outputs)
{
    for (int32_t k = 0; k < c->count; k++)
        join(c, &c->items[k]);
    for (int32_t k = 0; k < c->count; k++) {
        c->items[k].uses = 0;
        set_need(c, &c->items[k]);
    }
    for (int o = 0; o < n_outputs; o++)
        c->items[c->g->memo[outputs[o]]].uses++;
    for (int32_t k = c->count; k-- > 0;) { /* users come after their arguments */
        const rg_item *x = &c->items[k];
        if (x->uses == 0) continue;
        for (int j = 0; j < x->n_args; j++)
            c->items[x->arg[j]].uses++;
    }
}

rg_status rg_compiler_list(rg_compiler *c, int n_outputs, const rg_node *outputs)
{
    RG_TRY(make_items(c, n_outputs, outputs));
    return make_inputs(c);
}
