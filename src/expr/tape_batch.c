/* The interpreter for batches: every operand is an array of up to `width` numbers.
 *
 * The workspace holds one pointer per operand, then one array per input and register, and one that
 * the outputs share.  Inputs and outputs that lie side by side are read and written where they are;
 * other inputs are gathered into their array first, other outputs are spread from the shared array
 * as soon as they are computed.  A target may be the array of an argument: the loops go element
 * by element, so that is safe. */
#include "base/vector.h"
#include "expr/graph_impl.h"
#include "expr/ops.h"
#include "expr/tape_impl.h"

#include <math.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
#define ELEMENTWISE _Pragma("GCC ivdep")
#else
#define ELEMENTWISE
#endif

static double *get_pointer(const double *workspace, int32_t operand)
{
    double *pointer;
    memcpy(&pointer, &workspace[operand], sizeof pointer);
    return pointer;
}

/* ---- inputs and outputs ---------------------------------------------------------------------- */

/* Elements at place(first), place(first+1), ...: copied to x. */
static void gather(const rg_tape_source *s, int64_t first, int n, const int32_t *iterations,
                   double *x)
{
    if (iterations == NULL && s->map.list != NULL && s->values != NULL) {
        const int32_t *list = s->map.list + first;
        for (int k = 0; k < n; k++)
            x[k] = s->values[list[k]];
        return;
    }
    for (int k = 0; k < n; k++) {
        const int64_t place =
            rg_map_at(&s->map, iterations != NULL ? iterations[first + k] : first + k);
        x[k] = s->values != NULL ? s->values[place] : (double)place;
    }
}

/* Do n elements lie side by side?  Then *place is the first. */
static bool is_run(const rg_map *map, int64_t first, int n, int64_t *place)
{
    if (map->list == NULL) {
        *place = map->base + first;
        return map->stride == 1;
    }
    const int32_t *list = map->list + first;
    *place = list[0];
    if (list[n - 1] != list[0] + n - 1) return false;
    int differ = 0;
    for (int k = 0; k < n; k++)
        differ |= list[k] ^ (list[0] + k);
    return differ == 0;
}

RG_FOR_ALL_VECTORS
void rg_batch_load(const rg_tape *tape, int64_t first, int n, const int32_t *iterations,
                   const rg_tape_source *inputs, double *workspace)
{
    for (int32_t j = 0; j < tape->n_inputs; j++) {
        const rg_tape_source *s = &inputs[j];
        int64_t place;
        if (iterations == NULL && s->values != NULL && is_run(&s->map, first, n, &place)) {
            rg_batch_point(workspace, j, s->values + place);
        } else {
            double *x = rg_batch_array(tape, workspace, j);
            gather(s, first, n, iterations, x);
            rg_batch_point(workspace, j, x);
        }
    }
}

static bool is_direct(const rg_tape_target *target)
{
    return !target->accumulate && target->map.list == NULL && target->map.stride == 1;
}

void rg_batch_aim(const rg_tape *tape, int64_t first, const rg_tape_target *outputs,
                  double *workspace)
{
    double *shared = rg_batch_array(tape, workspace, tape->first_output);

    for (int32_t o = 0; o < tape->n_outputs; o++) {
        double *place =
            is_direct(&outputs[o]) ? outputs[o].values + outputs[o].map.base + first : shared;
        rg_batch_point(workspace, tape->first_output + o, place);
    }
}

static void store_add(const rg_tape_target *target, int64_t first, int n, const double *x)
{
    for (int k = 0; k < n; k++)
        target->values[rg_map_at(&target->map, first + k)] += x[k];
}

void rg_batch_store(const rg_tape_target *target, int64_t first, int n, const double *x)
{
    if (target->accumulate) {
        store_add(target, first, n, x);
    } else if (target->map.list != NULL) {
        const int32_t *list = target->map.list + first;
        for (int k = 0; k < n; k++)
            target->values[list[k]] = x[k];
    } else {
        const int64_t stride = target->map.stride;
        double *place = target->values + target->map.base + stride * first;
        for (int k = 0; k < n; k++)
            place[stride * k] = x[k];
    }
}

/* ---- instructions ---------------------------------------------------------------------------- */

#define A a[k]
#define B b[k]
#define C c[k]
#define V v
#define T table
#define O order
#define EACH(expression)                                                                           \
    do {                                                                                           \
        ELEMENTWISE for (int k = 0; k < n; k++) x[k] = (expression);                               \
    } while (0)

#define EACH_OF(arity, expression)                                                                 \
    do {                                                                                           \
        c = (arity) == 3 ? get_pointer(workspace, i->c) : NULL;                                    \
        EACH(expression);                                                                          \
    } while (0)

/* All operands as arrays; what does not move is computed once and spread.  Returns the carry of
 * rg_exponent_carry() over the outputs. */
RG_FOR_ALL_VECTORS
uint64_t rg_batch_run(const rg_tape *tape, int64_t from, int64_t end, double t, int64_t first,
                      int count, const rg_tape_target *outputs, double *workspace, double *into)
{
    const double *shared = rg_batch_array(tape, workspace, tape->first_output);
    uint64_t carry = 0;

    for (int64_t q = from; q < end; q++) {
        const rg_instruction *i = &tape->code[q];
        const int n = tape->moves[q] != 0 ? count : 1;
        double *x = into != NULL ? into : get_pointer(workspace, i->target);
        const double *a = get_pointer(workspace, i->a), *b = get_pointer(workspace, i->b);
        const double *c;
        const double v = i->v;
        const bool is_table = rg_op_is_table(i->op);
        const rg_table_data *table = is_table ? &tape->tables[i->table]->data : NULL;
        const int order = is_table ? i->order : 0;
        switch (i->op) {
        case RG_OP_CONST:
            EACH(V);
            break;
        case RG_OP_TIME:
            EACH(t);
            break;
        case I_POW_INT:
            if (i->c == 3)
                EACH(A * (A * A));
            else
                EACH(rg_pow_int(A, i->c));
            break;
#define RG_OPERATOR(id, name, arity, kink, value, derivative)                                      \
    case RG_OP_##id:                                                                               \
        EACH_OF(arity, value);                                                                     \
        break;
#define RG_JOINED(id, arity, value)                                                                \
    case I_##id:                                                                                   \
        EACH_OF(arity, value);                                                                     \
        break;
#include "expr/ops.def"
        default:
            EACH(NAN);
            break;
        }
        rg_spread(n, count, x);
        if (i->target < tape->first_output) continue;
        for (int k = 0; k < count; k++)
            carry |= rg_exponent_carry(x[k]);
        if (x == shared) rg_batch_store(&outputs[i->target - tape->first_output], first, count, x);
    }
    return carry;
}

bool rg_tape_run_batch(const rg_tape *tape, double t, int64_t first, int64_t count,
                       const int32_t *iterations, const rg_tape_source *inputs,
                       const rg_tape_target *outputs, double *workspace)
{
    uint64_t carry = 0;

    for (int32_t j = tape->n_inputs; j < tape->first_output; j++)
        rg_batch_point(workspace, j, rg_batch_array(tape, workspace, j));
    for (int64_t k = first; k < first + count; k += tape->width) {
        const int64_t left = first + count - k;
        const int n = left < tape->width ? (int)left : tape->width;
        rg_batch_load(tape, k, n, iterations, inputs, workspace);
        rg_batch_aim(tape, k, outputs, workspace);
        carry |= rg_batch_run(tape, 0, tape->length, t, k, n, outputs, workspace, NULL);
    }
    return rg_is_all_finite(carry);
}
