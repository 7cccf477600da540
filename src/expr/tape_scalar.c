/* The interpreter for single iterations: operand k is workspace[k].  What an operation computes
 * stands in ops.def. */
#include "expr/graph_impl.h"
#include "expr/ops.h"
#include "expr/tape_impl.h"

#include <math.h>

static void store(const rg_tape_target *target, int64_t k, double value)
{
    double *place = &target->values[rg_map_at(&target->map, k)];

    if (target->accumulate)
        *place += value;
    else
        *place = value;
}

static void load(const rg_tape *tape, const rg_tape_source *inputs, int64_t k, double *r)
{
    for (int32_t j = 0; j < tape->n_inputs; j++) {
        const int64_t place = rg_map_at(&inputs[j].map, k);
        r[j] = inputs[j].values != NULL ? inputs[j].values[place] : (double)place;
    }
}

#define A r[(uint32_t)i->a]
#define B r[(uint32_t)i->b]
#define C r[(uint32_t)i->c]
#define V i->v
#define T &tape->tables[i->table]->data
#define O i->order

void rg_tape_run_one(const rg_tape *tape, double t, double *r)
{
    const rg_instruction *end = tape->code + tape->length;

    for (const rg_instruction *i = tape->code; i < end; i++) {
        double *x = &r[(uint32_t)i->target];
        switch (i->op) {
        case RG_OP_CONST:
            *x = V;
            break;
        case RG_OP_TIME:
            *x = t;
            break;
        case I_POW_INT:
            *x = rg_pow_int(A, i->c);
            break;
#define RG_OPERATOR(id, name, arity, kink, value, derivative)                                      \
    case RG_OP_##id:                                                                               \
        *x = value;                                                                                \
        break;
#define RG_JOINED(id, arity, value)                                                                \
    case I_##id:                                                                                   \
        *x = value;                                                                                \
        break;
#include "expr/ops.def"
        default:
            *x = NAN;
            break;
        }
    }
}

bool rg_tape_run_scalar(const rg_tape *tape, double t, int64_t first, int64_t count,
                        const int32_t *iterations, const rg_tape_source *inputs,
                        const rg_tape_target *outputs, double *workspace)
{
    uint64_t carry = 0;

    for (int64_t k = first; k < first + count; k++) {
        load(tape, inputs, iterations != NULL ? iterations[k] : k, workspace);
        rg_tape_run_one(tape, t, workspace);
        for (int32_t o = 0; o < tape->n_outputs; o++) {
            const double value = workspace[tape->first_output + o];
            carry |= rg_exponent_carry(value);
            store(&outputs[o], k, value);
        }
    }
    return rg_is_all_finite(carry);
}
