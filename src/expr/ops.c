/* What ops.def says of an operation, as functions: name, number of arguments, kink, value. */
#include "expr/ops.h"
#include "expr/graph_impl.h"

static const struct {
    const char *name;
    uint8_t arity, kink;
} operations[RG_OP_COUNT] = {
#define RG_OPERATOR(id, name, arity, kink, value, derivative)                                      \
    [RG_OP_##id] = {name, arity, RG_KINK_##kink},
#include "expr/ops.def"
};

const char *rg_op_name(rg_op op)
{
    return operations[op].name;
}

int rg_op_arity(rg_op op)
{
    return operations[op].arity;
}

rg_kink rg_op_kink(rg_op op)
{
    return (rg_kink)operations[op].kink;
}

double rg_op_value(rg_op op, double A, double B, double C)
{
    switch (op) {
#define RG_OPERATOR(id, name, arity, kink, value, derivative)                                      \
    case RG_OP_##id:                                                                               \
        return value;
#include "expr/ops.def"
    default:
        return NAN;
    }
}
