/* Second half of compiling a tape: orders the items, gives out registers, writes instructions. */
#include "expr/tape_compiler.h"

static rg_instruction *next_instruction(rg_compiler *c)
{
    rg_tape *tape = c->tape;

    if (rg_grow(c->ctx, &tape->code, tape->length, &c->code_size, sizeof *tape->code) != RG_OK)
        return NULL;
    return &tape->code[tape->length++];
}

static void release(rg_compiler *c, int32_t k)
{
    rg_item *x = &c->items[k];

    if (--x->uses == 0 && x->operand >= c->tape->n_inputs)
        c->free_registers[c->n_free++] = x->operand;
}

static int32_t next_register(rg_compiler *c)
{
    if (c->n_free > 0) return c->free_registers[--c->n_free];
    return c->tape->n_inputs + c->tape->n_registers++;
}

/* `output` >= 0: the root of that output.  Outputs get their operands when the registers are
 * counted; until then output o is -1 - o. */
static rg_status emit(rg_compiler *c, rg_item *x, int output)
{
    rg_instruction *i = next_instruction(c);

    if (i == NULL) return RG_ERR_MEMORY;
    i->op = x->op;
    i->a = x->n_args > 0 ? c->items[x->arg[0]].operand : 0;
    i->b = x->n_args > 1 ? c->items[x->arg[1]].operand : 0;
    i->v = x->v;
    if (x->n_args > 2) i->c = c->items[x->arg[2]].operand;
    if (x->op == I_POW_INT) i->c = x->exponent;
    if (rg_op_is_table(x->op)) {
        i->table = x->table;
        i->order = x->order;
    }
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

static rg_status room_on_stack(rg_compiler *c, int64_t depth)
{
    while (depth + 4 > c->stack_size)
        RG_TRY(rg_grow(c->ctx, &c->stack, c->stack_size, &c->stack_size, sizeof *c->stack));
    return RG_OK;
}

static rg_status emit_tree(rg_compiler *c, int32_t root, int output)
{
    int64_t depth = 0;

    RG_TRY(room_on_stack(c, depth));
    c->stack[depth++] = root;
    while (depth > 0) {
        const int32_t top = c->stack[--depth], k = top < 0 ? ~top : top;
        rg_item *x = &c->items[k];
        if (x->operand >= 0) continue;
        if (top < 0) {
            RG_TRY(emit(c, x, k == root ? output : -1));
            continue;
        }
        int32_t sorted[3];
        rg_sort_args(c, x, sorted);
        RG_TRY(room_on_stack(c, depth));
        c->stack[depth++] = ~top;
        for (int j = x->n_args; j-- > 0;)
            c->stack[depth++] = sorted[j];
    }
    return RG_OK;
}

/* An output is written by the instruction that computes it, unless others need the value too. */
static rg_status emit_output(rg_compiler *c, int32_t k, int output)
{
    RG_TRY(emit_tree(c, k, output));
    if (c->items[k].operand < 0) return RG_OK;
    rg_instruction *i = next_instruction(c);
    if (i == NULL) return RG_ERR_MEMORY;
    *i = (rg_instruction){.op = I_COPY, .a = c->items[k].operand, .target = -1 - output};
    release(c, k);
    return RG_OK;
}

rg_status rg_compiler_emit(rg_compiler *c, int n_outputs, const rg_node *outputs)
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
