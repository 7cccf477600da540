/* The tape's compiler: expressions -> instructions, operands, registers.
 *
 * 1. The nodes below the outputs are listed, arguments first.
 * 2. Each becomes one instruction; numbers and products that only a sum uses join its instruction.
 * 3. They are put in order depth first, the argument that needs more registers first
 *    (Sethi-Ullman numbering, applied to the graph as if it were a tree); a register is given
 *    back at its last use. */
#ifndef RG_EXPR_TAPE_COMPILER_H
#define RG_EXPR_TAPE_COMPILER_H

#include "expr/graph_impl.h"
#include "expr/tape_impl.h"

typedef struct { /* a node on its way to an instruction */
    int32_t op, n_args;
    int32_t arg[3]; /* numbers in the list of nodes */
    double v;
    int32_t exponent;
    int32_t table, order; /* functions from tables */
    int32_t uses;         /* by instructions that are still to come */
    int32_t need;         /* registers needed to compute it */
    int32_t operand;      /* -1: not computed yet */
} rg_item;

typedef struct {
    rg_context *ctx;
    rg_graph *g;
    rg_tape *tape;
    int32_t count; /* items */
    rg_item *items;
    int32_t *stack, *free_registers;
    int64_t stack_size, code_size, table_size;
    int32_t n_free;
} rg_compiler;

static inline bool rg_is_input(int32_t op)
{
    return op == RG_OP_VAR || op == RG_OP_SUM || op == RG_OP_DATA || op == RG_OP_SEED;
}

/* Steps 1, 2 and 3. */
rg_status rg_compiler_list(rg_compiler *c, int n_outputs, const rg_node *outputs);
void rg_compiler_join(rg_compiler *c, int n_outputs, const rg_node *outputs);
rg_status rg_compiler_emit(rg_compiler *c, int n_outputs, const rg_node *outputs);
/* The arguments of x, the one with the greater need first. */
void rg_sort_args(const rg_compiler *c, const rg_item *x, int32_t sorted[3]);

#endif
