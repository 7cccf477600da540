/* The interpreter for single iterations: operand k is workspace[k]. */
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

/* Joined forms are rounded like the two operations they stand for (no fused multiply-add). */
void rg_tape_run_one(const rg_tape *tape, double t, double *r)
{
    const rg_instruction *end = tape->code + tape->length;

    for (const rg_instruction *i = tape->code; i < end; i++) {
        const double a = r[(uint32_t)i->a], b = r[(uint32_t)i->b];
        double *x = &r[(uint32_t)i->target];
        switch (i->op) {
        case I_COPY:
            *x = a;
            break;
        case RG_OP_CONST:
            *x = i->v;
            break;
        case RG_OP_TIME:
            *x = t;
            break;
        case RG_OP_ADD:
            *x = a + b;
            break;
        case RG_OP_SUB:
            *x = a - b;
            break;
        case RG_OP_MUL:
            *x = a * b;
            break;
        case RG_OP_DIV:
            *x = a / b;
            break;
        case RG_OP_NEG:
            *x = -a;
            break;
        case I_ADD_CONST:
            *x = a + i->v;
            break;
        case I_CONST_SUB:
            *x = i->v - a;
            break;
        case I_MUL_CONST:
            *x = i->v * a;
            break;
        case I_DIV_CONST:
            *x = a / i->v;
            break;
        case I_CONST_DIV:
            *x = i->v / a;
            break;
        case I_POW_INT:
            *x = rg_pow_int(a, i->c);
            break;
        case I_MUL_ADD:
            *x = a * b + r[(uint32_t)i->c];
            break;
        case I_MUL_SUB:
            *x = a * b - r[(uint32_t)i->c];
            break;
        case I_SUB_MUL:
            *x = r[(uint32_t)i->c] - a * b;
            break;
        case I_SCALE_ADD:
            *x = i->v * a + b;
            break;
        case I_SCALE_SUB:
            *x = i->v * a - b;
            break;
        case I_SUB_SCALE:
            *x = b - i->v * a;
            break;
        case I_MUL_ADD_CONST:
            *x = a * b + i->v;
            break;
        case I_CONST_SUB_MUL:
            *x = i->v - a * b;
            break;
        case RG_OP_IF:
            *x = a != 0 ? b : r[(uint32_t)i->c];
            break;
        default:
            *x = rg_op_value((rg_op)i->op, a, b, 0.0);
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
