/* The tape's compiler: expressions -> instructions, operands, registers.
 *
 * 1. The nodes below the outputs are listed, arguments first.
 * 2. Each becomes one instruction; numbers and products that only a sum uses join its instruction.
 * 3. They are put in order depth first, the argument that needs more registers first
 *    (Sethi-Ullman numbering, applied to the graph as if it were a tree); a register is given
 *    back at its last use. */
#include "expr/graph_impl.h"
#include "expr/ops.h"
#include "expr/tape_impl.h"

#include <math.h>

enum { BATCH_DOUBLES = 8192, SMALLEST_BATCH = 8 }; /* a batch's registers stay in cache */

typedef struct { /* a node on its way to an instruction */
    int32_t op, n_args;
    int32_t arg[3]; /* numbers in the list of nodes */
    double v;
    int32_t exponent;
    int32_t uses;    /* by instructions that are still to come */
    int32_t need;    /* registers needed to compute it */
    int32_t operand; /* -1: not computed yet */
} item;

typedef struct {
    rg_context *ctx;
    rg_graph *g;
    rg_tape *tape;
    int32_t count; /* items */
    item *items;
    int32_t *stack, *free_registers;
    int64_t stack_size, code_size;
    int32_t n_free;
} compiler;

/* ---- items ------------------------------------------------------------------------------------- */

static bool is_number(const compiler *c, int32_t k)
{
    return c->items[k].op == RG_OP_CONST;
}

static void set_form(item *x, int32_t op, int n_args, int32_t a, int32_t b, int32_t third)
{
    x->op = op;
    x->n_args = n_args;
    x->arg[0] = a;
    x->arg[1] = b;
    x->arg[2] = third;
}

/* A product that nothing else uses: a*b, or v*a after its own joining. */
static bool can_join(const compiler *c, int32_t k)
{
    return (c->items[k].op == RG_OP_MUL || c->items[k].op == I_MUL_CONST) && c->items[k].uses == 1;
}

/* x = p + sign q with p = v*a or a*b, or x = q - p. */
static void join_product(item *x, const item *p, int32_t q, rg_op op, bool product_first)
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

static void join_sum(compiler *c, item *x)
{
    const int32_t a = x->arg[0], b = x->arg[1];

    if (is_number(c, b)) { /* the graph writes x + c, never x - c */
        x->v = x->op == RG_OP_SUB ? -c->items[b].v : c->items[b].v;
        set_form(x, I_ADD_CONST, 1, a, -1, -1);
    } else if (is_number(c, a)) {
        x->v = c->items[a].v;
        set_form(x, x->op == RG_OP_SUB ? I_CONST_SUB : I_ADD_CONST, 1, b, -1, -1);
    } else if (can_join(c, b)) {
        join_product(x, &c->items[b], a, (rg_op)x->op, false);
    } else if (can_join(c, a)) {
        join_product(x, &c->items[a], b, (rg_op)x->op, true);
    }
}

static void join_product_number(compiler *c, item *x)
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

static void join(compiler *c, item *x)
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

/* Lists the nodes as items, with the number of uses in the graph. */
static rg_status make_items(compiler *c, int n_outputs, const rg_node *outputs)
{
    rg_graph *g = c->g;

    c->count = rg_graph_walk(g, n_outputs, outputs, 0);
    if (c->count < 0) return rg_graph_status(g);
    c->items = rg_alloc(c->ctx, (size_t)c->count + 1, sizeof *c->items);
    if (c->items == NULL) return RG_ERR_MEMORY;
    for (int32_t k = 0; k < c->count; k++) {
        const rg_graph_node *n = &g->nodes[g->order[k]];
        item *x = &c->items[k];
        const int32_t args[3] = {n->a, n->b, n->c};
        g->memo[g->order[k]] = k;
        x->op = n->op;
        x->v = n->value;
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

/* ---- inputs ------------------------------------------------------------------------------------ */

static bool is_input(int32_t op)
{
    return op == RG_OP_VAR || op == RG_OP_SUM || op == RG_OP_DATA || op == RG_OP_SEED;
}

static rg_status make_inputs(compiler *c)
{
    rg_tape *tape = c->tape;

    for (int32_t k = 0; k < c->count; k++)
        if (is_input(c->items[k].op)) tape->n_inputs++;
    tape->inputs = rg_alloc(c->ctx, (size_t)tape->n_inputs + 1, sizeof *tape->inputs);
    if (tape->inputs == NULL) return RG_ERR_MEMORY;
    int32_t next = 0;
    for (int32_t k = 0; k < c->count; k++) {
        if (!is_input(c->items[k].op)) continue;
        const rg_graph_node *n = &c->g->nodes[c->g->order[k]];
        tape->inputs[next] = (rg_tape_input){(rg_op)n->op, n->a, n->order};
        c->items[k].operand = next++;
    }
    return RG_OK;
}

/* ---- order and registers ----------------------------------------------------------------------- */

/* The arguments, the one with the greater need first. */
static void sort_args(const compiler *c, const item *x, int32_t sorted[3])
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

static void set_need(compiler *c, item *x)
{
    int32_t sorted[3];

    sort_args(c, x, sorted);
    x->need = is_input(x->op) ? 0 : 1;
    for (int j = 0; j < x->n_args; j++) {
        const int32_t need = c->items[sorted[j]].need + j;
        if (need > x->need) x->need = need;
    }
}

/* Joins, then counts the uses by instructions that will be emitted; absorbed items keep 0. */
static void join_items(compiler *c, int n_outputs, const rg_node *outputs)
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
        const item *x = &c->items[k];
        if (x->uses == 0) continue;
        for (int j = 0; j < x->n_args; j++)
            c->items[x->arg[j]].uses++;
    }
}

static rg_instruction *next_instruction(compiler *c)
{
    rg_tape *tape = c->tape;

    if (rg_grow(c->ctx, &tape->code, tape->length, &c->code_size, sizeof *tape->code) != RG_OK)
        return NULL;
    return &tape->code[tape->length++];
}

static void release(compiler *c, int32_t k)
{
    item *x = &c->items[k];

    if (--x->uses == 0 && x->operand >= c->tape->n_inputs)
        c->free_registers[c->n_free++] = x->operand;
}

static int32_t next_register(compiler *c)
{
    if (c->n_free > 0) return c->free_registers[--c->n_free];
    return c->tape->n_inputs + c->tape->n_registers++;
}

/* `output` >= 0: the root of that output.  Outputs get their operands when the registers are counted;
 * until then output o is -1 - o. */
static rg_status emit(compiler *c, item *x, int output)
{
    rg_instruction *i = next_instruction(c);

    if (i == NULL) return RG_ERR_MEMORY;
    i->op = x->op;
    i->a = x->n_args > 0 ? c->items[x->arg[0]].operand : 0;
    i->b = x->n_args > 1 ? c->items[x->arg[1]].operand : 0;
    i->v = x->v;
    if (x->n_args > 2) i->c = c->items[x->arg[2]].operand;
    if (x->op == I_POW_INT) i->c = x->exponent;
    for (int j = 0; j < x->n_args; j++)
        release(c, x->arg[j]);
    if (output >= 0 && x->uses == 1) {
        i->target = -1 - output;
        return RG_OK;
    }
    x->operand = next_register(c);
    i->target = x->operand;
    return RG_OK;
}

static rg_status room_on_stack(compiler *c, int64_t depth)
{
    while (depth + 4 > c->stack_size)
        RG_TRY(rg_grow(c->ctx, &c->stack, c->stack_size, &c->stack_size, sizeof *c->stack));
    return RG_OK;
}

static rg_status emit_tree(compiler *c, int32_t root, int output)
{
    int64_t depth = 0;

    RG_TRY(room_on_stack(c, depth));
    c->stack[depth++] = root;
    while (depth > 0) {
        const int32_t top = c->stack[--depth], k = top < 0 ? ~top : top;
        item *x = &c->items[k];
        if (x->operand >= 0) continue;
        if (top < 0) {
            RG_TRY(emit(c, x, k == root ? output : -1));
            continue;
        }
        int32_t sorted[3];
        sort_args(c, x, sorted);
        RG_TRY(room_on_stack(c, depth));
        c->stack[depth++] = ~top;
        for (int j = x->n_args; j-- > 0;)
            c->stack[depth++] = sorted[j];
    }
    return RG_OK;
}

/* An output is written by the instruction that computes it, unless others need the value too. */
static rg_status emit_output(compiler *c, int32_t k, int output)
{
    RG_TRY(emit_tree(c, k, output));
    if (c->items[k].operand < 0) return RG_OK;
    rg_instruction *i = next_instruction(c);
    if (i == NULL) return RG_ERR_MEMORY;
    *i = (rg_instruction){.op = I_COPY, .a = c->items[k].operand, .target = -1 - output};
    release(c, k);
    return RG_OK;
}

static rg_status emit_outputs(compiler *c, int n_outputs, const rg_node *outputs)
{
    rg_tape *tape = c->tape;

    c->free_registers = rg_alloc(c->ctx, (size_t)c->count + 1, sizeof *c->free_registers);
    if (c->free_registers == NULL) return RG_ERR_MEMORY;
    for (int o = 0; o < n_outputs; o++)
        RG_TRY(emit_output(c, c->g->memo[outputs[o]], o));
    tape->first_output = tape->n_inputs + tape->n_registers;
    for (int64_t k = 0; k < tape->length; k++)
        if (tape->code[k].target < 0)
            tape->code[k].target = tape->first_output - 1 - tape->code[k].target;
    return RG_OK;
}

static rg_status compile(compiler *c, int n_outputs, const rg_node *outputs)
{
    for (int o = 0; o < n_outputs; o++)
        if (outputs[o] < 0) return rg_graph_status(c->g);
    RG_TRY(make_items(c, n_outputs, outputs));
    RG_TRY(make_inputs(c));
    join_items(c, n_outputs, outputs);
    return emit_outputs(c, n_outputs, outputs);
}

/* ---- interface --------------------------------------------------------------------------------- */

rg_status rg_tape_create(rg_context *ctx, rg_graph *g, int n_outputs, const rg_node *outputs,
                         rg_tape **out)
{
    compiler c = {.ctx = ctx, .g = g};
    rg_status status = RG_ERR_MEMORY;

    *out = NULL;
    c.tape = rg_alloc(ctx, 1, sizeof *c.tape);
    if (c.tape == NULL) goto done;
    c.tape->ctx = ctx;
    c.tape->n_outputs = n_outputs;
    if ((status = compile(&c, n_outputs, outputs)) != RG_OK) goto done;
    const int64_t operands = (int64_t)c.tape->n_inputs + c.tape->n_registers;
    c.tape->width = RG_BATCH;
    while (c.tape->width > SMALLEST_BATCH && operands * c.tape->width > BATCH_DOUBLES)
        c.tape->width /= 2;
    *out = c.tape;
    c.tape = NULL;
done:
    rg_tape_destroy(&c.tape);
    rg_free(ctx, c.items);
    rg_free(ctx, c.stack);
    rg_free(ctx, c.free_registers);
    return status;
}

void rg_tape_destroy(rg_tape **tape)
{
    if (*tape == NULL) return;
    rg_context *ctx = (*tape)->ctx;
    rg_free(ctx, (*tape)->inputs);
    rg_free(ctx, (*tape)->code);
    rg_free(ctx, *tape);
    *tape = NULL;
}

int rg_tape_input_count(const rg_tape *tape)
{
    return tape->n_inputs;
}

rg_tape_input rg_tape_input_at(const rg_tape *tape, int k)
{
    return tape->inputs[k];
}

int rg_tape_output_count(const rg_tape *tape)
{
    return tape->n_outputs;
}

int64_t rg_tape_length(const rg_tape *tape)
{
    return tape->length;
}

/* One pointer per operand, one batch per input and register, one for the outputs; see tape_batch.c. */
size_t rg_tape_workspace(const rg_tape *tape)
{
    const size_t arrays = (size_t)tape->first_output + 1;
    return (size_t)tape->first_output + (size_t)tape->n_outputs + arrays * (size_t)tape->width;
}

int64_t rg_tape_results(const rg_tape *tape)
{
    return tape->first_output;
}

bool rg_tape_run(const rg_tape *tape, double t, int64_t first, int64_t count,
                 const int32_t *iterations, const rg_tape_source *inputs,
                 const rg_tape_target *outputs, double *workspace)
{
    if (count <= RG_SCALAR_RUN)
        return rg_tape_run_scalar(tape, t, first, count, iterations, inputs, outputs, workspace);
    return rg_tape_run_batch(tape, t, first, count, iterations, inputs, outputs, workspace);
}
