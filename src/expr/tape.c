/* A tape from outside: its size, its inputs, and the choice between the two interpreters. */
#include "expr/tape_compiler.h"

enum { BATCH_DOUBLES = 8192, SMALLEST_BATCH = 8 }; /* a batch's registers stay in cache */

static rg_status compile(rg_compiler *c, int n_outputs, const rg_node *outputs)
{
    for (int o = 0; o < n_outputs; o++)
        if (outputs[o] < 0) return rg_graph_status(c->g);
    RG_TRY(rg_compiler_list(c, n_outputs, outputs));
    rg_compiler_join(c, n_outputs, outputs);
    return rg_compiler_emit(c, n_outputs, outputs);
}

/* ---- interface ------------------------------------------------------------------------------- */

rg_status rg_tape_create(rg_context *ctx, rg_graph *g, int n_outputs, const rg_node *outputs,
                         rg_tape **out)
{
    rg_compiler c = {.ctx = ctx, .g = g};
    rg_status status = RG_ERR_MEMORY;

    *out = NULL;
    c.tape = rg_alloc(ctx, 1, sizeof *c.tape);
    if (c.tape == NULL) goto done;
    c.tape->ctx = ctx;
    c.tape->n_outputs = n_outputs;
    if ((status = compile(&c, n_outputs, outputs)) != RG_OK) goto done;
    if ((status = rg_tape_find_moves(c.tape)) != RG_OK) goto done;
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
    rg_free(ctx, (*tape)->tables);
    rg_free(ctx, (*tape)->moves);
    rg_free(ctx, (*tape)->kept);
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

int rg_instruction_args(int32_t op)
{
    switch (op) {
    case I_POW_INT:
        return 1;
#define RG_OPERATOR(id, name, arity, kink, value, derivative)                                      \
    case RG_OP_##id:                                                                               \
        return (arity);
#define RG_JOINED(id, arity, value)                                                                \
    case I_##id:                                                                                   \
        return (arity);
#include "expr/ops.def"
    default:
        return 0;
    }
}

rg_status rg_tape_permute_inputs(rg_tape *tape, const int32_t *place)
{
    const int32_t n = tape->n_inputs;
    rg_tape_input *inputs = rg_alloc(tape->ctx, (size_t)n + 1, sizeof *inputs);

    if (inputs == NULL) return RG_ERR_MEMORY;
    for (int32_t k = 0; k < n; k++)
        inputs[place[k]] = tape->inputs[k];
    rg_free(tape->ctx, tape->inputs);
    tape->inputs = inputs;
    for (int64_t k = 0; k < tape->length; k++) {
        rg_instruction *i = &tape->code[k];
        if (i->a < n) i->a = place[i->a];
        if (i->b < n) i->b = place[i->b];
        if (rg_instruction_args(i->op) == 3 && i->c < n) i->c = place[i->c];
    }
    return RG_OK;
}

int rg_tape_output_count(const rg_tape *tape)
{
    return tape->n_outputs;
}

int64_t rg_tape_length(const rg_tape *tape)
{
    return tape->length;
}

/* One pointer per operand, one batch per input and register, one for the outputs, and those that
 * stay over the rows; see tape_batch.c, tape_rows.c. */
size_t rg_tape_workspace(const rg_tape *tape)
{
    return rg_tape_workspace_for(tape, INT64_MAX);
}

size_t rg_tape_workspace_for(const rg_tape *tape, int64_t most)
{
    const size_t arrays =
        most > RG_SCALAR_RUN ? (size_t)tape->first_output + 1 + (size_t)tape->n_kept : 0;
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
