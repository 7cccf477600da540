/* What ops.def says of an operation, as functions: name, number of arguments, kink, value. */
#include "expr/ops.h"
#include "expr/graph_impl.h"
#include "expr/table.h"

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

static double value_of(rg_op op, const rg_table_data *T, int O, double A, double B, double C)
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

double rg_op_value(rg_op op, double a, double b, double c)
{
    return rg_op_is_table((int)op) ? NAN : value_of(op, NULL, 0, a, b, c);
}

double rg_op_table_value(rg_op op, const struct rg_table *table, int order, double a, double b)
{
    return value_of(op, &table->data, order, a, b, 0.0);
}
