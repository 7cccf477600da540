#include "expr/ops.h"
#include "expr/graph_impl.h"

int rg_op_arity(rg_op op)
{
    switch (op) {
    case RG_OP_CONST:
    case RG_OP_TIME:
    case RG_OP_VAR:
    case RG_OP_SUM:
    case RG_OP_DATA:
    case RG_OP_SEED:
        return 0;
    case RG_OP_ADD:
    case RG_OP_SUB:
    case RG_OP_MUL:
    case RG_OP_DIV:
    case RG_OP_POW:
    case RG_OP_ATAN2:
    case RG_OP_MIN:
    case RG_OP_MAX:
    case RG_OP_MOD:
    case RG_OP_LT:
    case RG_OP_LE:
    case RG_OP_EQ:
    case RG_OP_NE:
    case RG_OP_AND:
    case RG_OP_OR:
        return 2;
    case RG_OP_IF:
        return 3;
    default:
        return 1;
    }
}

/* A table in the form of a switch: longer than a function should be, and simpler than anything shorter. */
double rg_op_value(rg_op op, double a, double b, double c)
{
    switch (op) {
    case RG_OP_ADD:
        return a + b;
    case RG_OP_SUB:
        return a - b;
    case RG_OP_MUL:
        return a * b;
    case RG_OP_DIV:
        return a / b;
    case RG_OP_NEG:
        return -a;
    case RG_OP_POW:
        return rg_pow(a, b);
    case RG_OP_SIN:
        return sin(a);
    case RG_OP_COS:
        return cos(a);
    case RG_OP_TAN:
        return tan(a);
    case RG_OP_ASIN:
        return asin(a);
    case RG_OP_ACOS:
        return acos(a);
    case RG_OP_ATAN:
        return atan(a);
    case RG_OP_ATAN2:
        return atan2(a, b);
    case RG_OP_SINH:
        return sinh(a);
    case RG_OP_COSH:
        return cosh(a);
    case RG_OP_TANH:
        return tanh(a);
    case RG_OP_EXP:
        return exp(a);
    case RG_OP_LOG:
        return log(a);
    case RG_OP_LOG10:
        return log10(a);
    case RG_OP_SQRT:
        return sqrt(a);
    case RG_OP_ABS:
        return fabs(a);
    case RG_OP_SIGN:
        return rg_sign(a);
    case RG_OP_MIN:
        return rg_min(a, b);
    case RG_OP_MAX:
        return rg_max(a, b);
    case RG_OP_ERF:
        return erf(a);
    case RG_OP_MOD:
        return rg_mod(a, b);
    case RG_OP_LT:
        return a < b;
    case RG_OP_LE:
        return a <= b;
    case RG_OP_EQ:
        return a == b;
    case RG_OP_NE:
        return a != b;
    case RG_OP_AND:
        return a != 0 && b != 0;
    case RG_OP_OR:
        return a != 0 || b != 0;
    case RG_OP_NOT:
        return a == 0;
    case RG_OP_IF:
        return a != 0 ? b : c;
    default:
        return NAN;
    }
}
