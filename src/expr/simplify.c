/* Nodes are simplified as they are made.  Rules only remove operations: none introduces a pole or
 * an overflow that the expression as written has not (0*x = 0 removes one, and is meant to). */
#include "expr/simplify.h"

#include "expr/table.h"
#include "expr/tuning.h"

#include <math.h>

/* ---- products -------------------------------------------------------------------------------- */

static bool is_moderate(double c)
{
    return fabs(c) <= RG_SIMPLIFY_MODERATE && fabs(c) >= 1 / RG_SIMPLIFY_MODERATE;
}

static rg_node number_times(rg_graph *g, double c, rg_node b)
{
    if (b < 0) return -1;
    const rg_graph_node y = *at(g, b);

    if (c == 0) return rg_graph_const(g, 0);
    if (c == 1) return b;
    if (y.op == RG_OP_NEG) return number_times(g, -c, y.a);
    if ((y.op == RG_OP_MUL || y.op == RG_OP_DIV) && is_number(g, y.a)) {
        const double folded = c * at(g, y.a)->value;
        if (isnormal(folded))
            return rg_graph_binary(g, (rg_op)y.op, rg_graph_const(g, folded), y.b);
    }
    if (c == -1) return rg_simplify_neg(g, b);
    return raw(g, RG_OP_MUL, rg_graph_const(g, c), b);
}

static rg_node make_mul(rg_graph *g, rg_node a, rg_node b)
{
    if (is_number(g, a)) return number_times(g, at(g, a)->value, b);
    if (is_number(g, b)) return number_times(g, at(g, b)->value, a);
    const term x = term_of(g, a), y = term_of(g, b);
    const double factor = x.factor * y.factor;
    if ((x.base != a || y.base != b) && is_moderate(x.factor) && is_moderate(y.factor)
        && is_moderate(factor))
        return number_times(g, factor, make_mul(g, x.base, y.base));
    return ordered(g, RG_OP_MUL, a, b);
}

static bool has_exact_inverse(double c)
{
    int exponent;
    return isnormal(c) && isnormal(1 / c) && fabs(frexp(c, &exponent)) == 0.5;
}

static rg_node make_div(rg_graph *g, rg_node a, rg_node b)
{
    if (is_const(g, a, 0) && !is_const(g, b, 0)) return a;
    if (is_const(g, b, 1)) return a;
    if (is_const(g, b, -1)) return rg_simplify_neg(g, a);
    if (is_number(g, b) && has_exact_inverse(at(g, b)->value))
        return number_times(g, 1 / at(g, b)->value, a);
    const term x = term_of(g, a);
    if (x.base != a && is_moderate(x.factor))
        return number_times(g, x.factor, make_div(g, x.base, b));
    if (is_op(g, b, RG_OP_NEG)) return rg_simplify_neg(g, make_div(g, a, at(g, b)->a));
    return raw(g, RG_OP_DIV, a, b);
}

static rg_node make_pow(rg_graph *g, rg_node a, rg_node b)
{
    if (is_const(g, b, 0) || is_const(g, a, 1)) return rg_graph_const(g, 1);
    if (is_const(g, b, 1)) return a;
    if (is_const(g, b, 2)) return make_mul(g, a, a);
    if (is_const(g, b, -1)) return make_div(g, rg_graph_const(g, 1), a);
    if (is_const(g, b, 0.5)) return rg_graph_unary(g, RG_OP_SQRT, a);
    return raw(g, RG_OP_POW, a, b);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static rg_node make_same(rg_graph *g, rg_op op, rg_node a, rg_node b)
{
    if (a == b) {
        switch (op) {
        case RG_OP_MIN:
        case RG_OP_MAX:
            return a;
        case RG_OP_LT:
        case RG_OP_NE:
            return rg_graph_const(g, 0);
        case RG_OP_LE:
        case RG_OP_EQ:
            return rg_graph_const(g, 1);
        default:
            break;
        }
    }
    return raw(g, op, a, b);
}

/* and, or: a constant argument decides, or leaves the other one. */
static rg_node make_logic(rg_graph *g, rg_op op, rg_node a, rg_node b)
{
    if (is_number(g, b)) {
        const rg_node swap = a;
        a = b;
        b = swap;
    }
    if (is_number(g, a)) {
        const bool is_true = at(g, a)->value != 0;
        if (is_true == (op == RG_OP_OR)) return rg_graph_const(g, is_true);
        return is_truth(g, b) ? b : make_same(g, RG_OP_NE, b, rg_graph_const(g, 0));
    }
    if (a == b && is_truth(g, a)) return a;
    return ordered(g, op, a, b);
}

static bool fold(rg_graph *g, rg_op op, rg_node a, rg_node b, double *value)
{
    if (!is_number(g, a) || (b >= 0 && !is_number(g, b))) return false;
    *value = rg_op_value(op, at(g, a)->value, b >= 0 ? at(g, b)->value : 0.0, 0.0);
    return isfinite(*value);
}

rg_node rg_graph_unary(rg_graph *g, rg_op op, rg_node a)
{
    double value;

    if (a < 0) return -1;
    if (fold(g, op, a, -1, &value)) return rg_graph_const(g, value);
    const rg_graph_node x = *at(g, a);
    if (op == RG_OP_NEG) return rg_simplify_neg(g, a);
    if (op == RG_OP_ABS && x.op == RG_OP_NEG) return rg_graph_unary(g, op, x.a);
    if (op == RG_OP_ABS && (x.op == RG_OP_ABS || x.op == RG_OP_SQRT || x.op == RG_OP_EXP)) return a;
    if (op == RG_OP_NOT && x.op == RG_OP_NOT && is_truth(g, x.a)) return x.a;
    return raw(g, op, a, -1);
}

rg_node rg_graph_binary(rg_graph *g, rg_op op, rg_node a, rg_node b)
{
    double value;

    if (a < 0 || b < 0) return -1;
    if (fold(g, op, a, b, &value)) return rg_graph_const(g, value);
    switch (op) {
    case RG_OP_ADD:
        return rg_simplify_sum(g, a, b, 1.0);
    case RG_OP_SUB:
        return rg_simplify_sum(g, a, b, -1.0);
    case RG_OP_MUL:
        return make_mul(g, a, b);
    case RG_OP_DIV:
        return make_div(g, a, b);
    case RG_OP_POW:
        return make_pow(g, a, b);
    case RG_OP_AND:
    case RG_OP_OR:
        return make_logic(g, op, a, b);
    default:
        return make_same(g, op, a, b);
    }
}

rg_node rg_graph_if(rg_graph *g, rg_node condition, rg_node then, rg_node otherwise)
{
    if (condition < 0 || then < 0 || otherwise < 0) return -1;
    if (is_number(g, condition)) return at(g, condition)->value != 0 ? then : otherwise;
    if (then == otherwise) return then;
    if (is_op(g, condition, RG_OP_NOT)) return rg_graph_if(g, at(g, condition)->a, otherwise, then);
    return rg_graph_intern(g, RG_OP_IF, 0, (int32_t[]){condition, then, otherwise}, 0.0);
}

rg_node rg_graph_blend(rg_graph *g, rg_node weight, rg_node one, rg_node zero)
{
    if (weight < 0 || one < 0 || zero < 0) return -1;
    if (is_const(g, weight, 1) || one == zero) return one;
    if (is_const(g, weight, 0)) return zero;
    return rg_graph_intern(g, RG_OP_BLEND, 0, (int32_t[]){weight, one, zero}, 0.0);
}

rg_node rg_graph_table(rg_graph *g, rg_op op, int order, const rg_table *table, rg_node a,
                       rg_node b)
{
    if (a < 0 || (op == RG_OP_PIECE && b < 0)) return -1;
    if (op == RG_OP_PIECE && order > table->data.degree) return rg_graph_const(g, 0);
    if (op == RG_OP_POSITION && order > 1) return rg_graph_const(g, 0);
    if (is_number(g, a) && (b < 0 || is_number(g, b))) {
        const double segment = b < 0 ? 0.0 : at(g, b)->value;
        const double value = rg_op_table_value(op, table, order, at(g, a)->value, segment);
        if (isfinite(value)) return rg_graph_const(g, value);
    }
    return rg_graph_intern_table(g, op, order, (int32_t[]){a, b, -1}, table);
}

rg_node rg_graph_again(rg_graph *g, const rg_graph_node *n, const rg_node arguments[3])
{
    const rg_op op = (rg_op)n->op;
    const rg_node a = arguments[0], b = arguments[1];

    if (rg_op_is_table(n->op)) return rg_graph_table(g, op, n->order, n->table, a, b);
    if (op == RG_OP_IF) return rg_graph_if(g, a, b, arguments[2]);
    if (op == RG_OP_BLEND) return rg_graph_blend(g, a, b, arguments[2]);
    return n->b < 0 ? rg_graph_unary(g, op, a) : rg_graph_binary(g, op, a, b);
}
