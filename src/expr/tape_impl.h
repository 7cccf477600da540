/* Inside of the tape: instructions, and what compiler and interpreters share.
 *
 * An operand is a number: inputs first, then registers, then outputs.  Operation codes are
 * those of the graph, whole powers, and the joined instructions of ops.def. */
#ifndef RG_EXPR_TAPE_IMPL_H
#define RG_EXPR_TAPE_IMPL_H

#include "expr/table.h"
#include "expr/tape.h"

enum {
    I_POW_INT = RG_OP_COUNT, /* a to the power c, a small integer */
#define RG_JOINED(id, ...) I_##id,
#include "expr/ops.def"
    I_COUNT
};

typedef struct {
    int32_t op, target, a, b;
    union {
        double v;
        int32_t c; /* third operand, or exponent */
        struct {
            int32_t table, order; /* functions from tables: which one, and its derivative */
        };
    };
} rg_instruction;

struct rg_tape {
    rg_context *ctx;
    int32_t n_inputs, n_outputs, n_registers, first_output;
    int width; /* iterations per batch */
    int64_t length;
    rg_tape_input *inputs;
    rg_instruction *code;
    int32_t n_tables;
    const rg_table **tables; /* borrowed from the problem */
};

enum { RG_BATCH = 128, RG_SCALAR_RUN = 3 }; /* up to RG_SCALAR_RUN iterations run one by one */

/* Iterations first .. first+count-1 one by one, and in batches. */
bool rg_tape_run_scalar(const rg_tape *tape, double t, int64_t first, int64_t count,
                        const int32_t *iterations, const rg_tape_source *inputs,
                        const rg_tape_target *outputs, double *workspace);
bool rg_tape_run_batch(const rg_tape *tape, double t, int64_t first, int64_t count,
                       const int32_t *iterations, const rg_tape_source *inputs,
                       const rg_tape_target *outputs, double *workspace);

#endif
