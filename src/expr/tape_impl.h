/* Inside of the tape: instructions, and what compiler and interpreters share.
 *
 * An operand is a number: inputs first, then registers, then outputs.  Operation codes are
 * those of the graph, whole powers, and the joined instructions of ops.def. */
#ifndef RG_EXPR_TAPE_IMPL_H
#define RG_EXPR_TAPE_IMPL_H

#include "expr/table.h"
#include "expr/tape.h"

#include <string.h>

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
    /* Of every instruction (tape_rows.c): along and across what it moves; after rg_tape_split()
     * the array in which its values stay over the rows, or -1. */
    uint8_t *moves;
    int32_t *kept, n_kept;
};

enum { RG_BATCH = 128, RG_SCALAR_RUN = 3 }; /* up to RG_SCALAR_RUN iterations run one by one */

/* Iterations first .. first+count-1 one by one, and in batches. */
bool rg_tape_run_scalar(const rg_tape *tape, double t, int64_t first, int64_t count,
                        const int32_t *iterations, const rg_tape_source *inputs,
                        const rg_tape_target *outputs, double *workspace);
bool rg_tape_run_batch(const rg_tape *tape, double t, int64_t first, int64_t count,
                       const int32_t *iterations, const rg_tape_source *inputs,
                       const rg_tape_target *outputs, double *workspace);

/* What the runs of batches and of rows share (tape_batch.c): points the inputs and outputs to their
 * numbers; runs instructions from .. end - 1, with the numbers of a single one `into` an array
 * unless that is NULL, and returns the carry of rg_exponent_carry(). */
void rg_batch_load(const rg_tape *tape, int64_t first, int n, const int32_t *iterations,
                   const rg_tape_source *inputs, double *workspace);
void rg_batch_aim(const rg_tape *tape, int64_t first, const rg_tape_target *outputs,
                  double *workspace);
uint64_t rg_batch_run(const rg_tape *tape, int64_t from, int64_t end, double t, int64_t first,
                      int count, const rg_tape_target *outputs, double *workspace, double *into);
void rg_batch_store(const rg_tape_target *target, int64_t first, int n, const double *x);

/* The arrays of inputs and registers lie behind the pointers, then the one that outputs share. */
static inline double *rg_batch_array(const rg_tape *tape, double *workspace, int64_t k)
{
    return workspace + tape->first_output + tape->n_outputs + k * tape->width;
}

/* x[from .. end-1] = x[0] */
static inline void rg_spread(int from, int end, double *x)
{
    const double value = x[0];

    for (int k = from; k < end; k++)
        x[k] = value;
}

static inline void rg_batch_point(double *workspace, int32_t operand, const double *to)
{
    memcpy(&workspace[operand], &to, sizeof to);
}

rg_status rg_tape_find_moves(rg_tape *tape); /* where every input moves both ways */

int rg_instruction_args(int32_t op); /* how many of a, b, c are operands */

#endif
