/* Nodes are simplified as they are made.  Rules only remove operations: none introduces a pole or
 * an overflow that the expression as written has not (0*x = 0 removes one, and is meant to). */
#include "expr/graph_impl.h"
#include "expr/ops.h"

#include <math.h>

/* Factors in this range may move past other factors: products then overflow no earlier than before, but
 * for values within six decimal orders of the largest number. */
static const double moderate = 1e6;

/* How far a chain of sums is searched for a term that cancels. */
enum { CANCEL_DEPTH = 12 };

/* ---- looking at nodes -------------------------------------------------------------------------- */

static const rg_graph_node *at(const rg_graph *g, rg_node n)
{
    return &g->nodes[n];
}

static bool is_op(const rg_graph *g, rg_node n, rg_op op)
{
    return g->nodes[n].op == op;
}

static bool is_const(const rg_graph *g, rg_node n, double value)
{
    return is_op(g, n, RG_OP_CONST) && at(g, n)->value == value;
}

static bool is_number(const rg_graph *g, rg_node n)
{
    return is_op(g, n, RG_OP_CONST);
}

static bool is_truth(const rg_graph *g, rg_node n)
{
    const int op = at(g, n)->op;
    return (op >= RG_OP_LT && op <= RG_OP_NOT) || is_const(g, n, 0) || is_const(g, n, 1);
}

static rg_node raw(rg_graph *g, rg_op op, rg_node a, rg_node b)
{
    return rg_graph_intern(g, op, 0, (int32_t[]){a, b, -1}, 0.0);
}

static rg_node ordered(rg_graph *g, rg_op op, rg_node a, rg_node b)
{
    return a <= b ? raw(g, op, a, b) : raw(g, op, b, a);
}

/* c * x with the number written as a factor, c x -> (c, x), -x -> (-1, x). */
typedef struct {
    double factor;
    rg_node base;
} term;

static term term_of(const rg_graph *g, rg_node n)
{
    const rg_graph_node *x = at(g, n);
    if (x->op == RG_OP_NEG) return (term){-1.0, x->a};
    if (x->op == RG_OP_MUL && is_number(g, x->a)) return (term){at(g, x->a)->value, x->b};
    return (term){1.0, n};
}

static rg_node scaled(rg_graph *g, double factor, rg_node base)
{
    return rg_graph_binary(g, RG_OP_MUL, rg_graph_const(g, factor), base);
}

/* ---- sums -------------------------------------------------------------------------------------- */

static rg_node make_neg(rg_graph *g, rg_node a)
{
    if (a < 0) return -1;
    const rg_graph_node x = *at(g, a);

    if (x.op == RG_OP_CONST) return rg_graph_const(g, -x.value);
    if (x.op == RG_OP_NEG) return x.a;
    if (x.op == RG_OP_SUB) return raw(g, RG_OP_SUB, x.b, x.a);
    if (x.op == RG_OP_ADD && is_number(g, x.b))
        return raw(g, RG_OP_SUB, rg_graph_const(g, -at(g, x.b)->value), x.a);
    if (x.op == RG_OP_MUL && is_number(g, x.a)) return scaled(g, -at(g, x.a)->value, x.b);
    if (x.op == RG_OP_DIV && is_number(g, x.a))
        return raw(g, RG_OP_DIV, rg_graph_const(g, -at(g, x.a)->value), x.b);
    return raw(g, RG_OP_NEG, a, -1);
}

/* Searches the chain of sums below n for sign * t; on success *rest is n without that term.
 * The chain is followed on both sides for one step and then along its longer, second argument. */
static bool take_term(rg_graph *g, rg_node n, term t, int depth, rg_node *rest)
{
    const rg_graph_node x = *at(g, n);

    if (depth == 0 || (x.op != RG_OP_ADD && x.op != RG_OP_SUB)) return false;
    const double sign = x.op == RG_OP_SUB ? -1.0 : 1.0;
    const term left = term_of(g, x.a), right = term_of(g, x.b);
    if (left.base == t.base && left.factor == t.factor) {
        *rest = x.op == RG_OP_SUB ? make_neg(g, x.b) : x.b;
        return *rest >= 0;
    }
    if (right.base == t.base && sign * right.factor == t.factor) {
        *rest = x.a;
        return true;
    }
    rg_node inner;
    if (take_term(g, x.a, t, depth - 1, &inner)) {
        *rest = rg_graph_binary(g, (rg_op)x.op, inner, x.b);
        return *rest >= 0;
    }
    const term inside = {sign * t.factor, t.base};
    if (take_term(g, x.b, inside, depth / 2, &inner)) {
        *rest = rg_graph_binary(g, (rg_op)x.op, x.a, inner);
        return *rest >= 0;
    }
    return false;
}

/* a + c for a number c; (x + c1) + c -> x + (c1 + c), (c1 - x) + c -> (c1 + c) - x, -x + c -> c - x. */
static rg_node plus_number(rg_graph *g, rg_node a, double c)
{
    if (a < 0) return -1;
    const rg_graph_node x = *at(g, a);
    const term t = term_of(g, a);

    if (c == 0) return a;
    if (x.op == RG_OP_ADD && is_number(g, x.b)) {
        const double folded = at(g, x.b)->value + c;
        if (isfinite(folded)) return plus_number(g, x.a, folded);
    }
    if (x.op == RG_OP_SUB && is_number(g, x.a)) {
        const double folded = at(g, x.a)->value + c;
        if (folded == 0) return make_neg(g, x.b);
        if (isfinite(folded)) return raw(g, RG_OP_SUB, rg_graph_const(g, folded), x.b);
    }
    if (t.factor < 0) return raw(g, RG_OP_SUB, rg_graph_const(g, c), scaled(g, -t.factor, t.base));
    return raw(g, RG_OP_ADD, a, rg_graph_const(g, c));
}

/* x + y for terms that share nothing: the sign of a negative factor becomes a subtraction. */
static rg_node join(rg_graph *g, term x, term y)
{
    const rg_node a = scaled(g, fabs(x.factor), x.base), b = scaled(g, fabs(y.factor), y.base);

    if (y.factor >= 0 && x.factor >= 0) return ordered(g, RG_OP_ADD, a, b);
    if (y.factor < 0 && x.factor >= 0) return raw(g, RG_OP_SUB, a, b);
    if (y.factor >= 0) return raw(g, RG_OP_SUB, b, a);
    return make_neg(g, ordered(g, RG_OP_ADD, a, b));
}

/* a + sign b: equal terms joined, numbers folded, terms that cancel removed. */
static rg_node make_sum(rg_graph *g, rg_node a, rg_node b, double sign)
{
    if (is_const(g, a, 0)) return sign < 0 ? make_neg(g, b) : b;
    if (is_number(g, b)) return plus_number(g, a, sign * at(g, b)->value);
    const term x = term_of(g, a);
    term y = term_of(g, b);
    y.factor *= sign;
    if (is_number(g, a)) {
        if (y.factor > 0) return plus_number(g, scaled(g, y.factor, y.base), at(g, a)->value);
        return raw(g, RG_OP_SUB, a, scaled(g, -y.factor, y.base));
    }
    if (x.base == y.base) {
        const double factor = x.factor + y.factor;
        if (isfinite(factor)) return scaled(g, factor, x.base);
    }
    rg_node rest;
    if (take_term(g, a, (term){-y.factor, y.base}, CANCEL_DEPTH, &rest)) return rest;
    if (take_term(g, b, (term){-sign * x.factor, x.base}, CANCEL_DEPTH, &rest))
        return sign < 0 ? make_neg(g, rest) : rest;
    return g->status == RG_OK ? join(g, x, y) : -1;
}

/* ---- products ---------------------------------------------------------------------------------- */

static bool is_moderate(double c)
{
    return fabs(c) <= moderate && fabs(c) >= 1 / moderate;
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
    if (c == -1) return make_neg(g, b);
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
    if (is_const(g, b, -1)) return make_neg(g, a);
    if (is_number(g, b) && has_exact_inverse(at(g, b)->value))
        return number_times(g, 1 / at(g, b)->value, a);
    const term x = term_of(g, a);
    if (x.base != a && is_moderate(x.factor))
        return number_times(g, x.factor, make_div(g, x.base, b));
    if (is_op(g, b, RG_OP_NEG)) return make_neg(g, make_div(g, a, at(g, b)->a));
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

/* ---- the rest ---------------------------------------------------------------------------------- */

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
    if (op == RG_OP_NEG) return make_neg(g, a);
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
        return make_sum(g, a, b, 1.0);
    case RG_OP_SUB:
        return make_sum(g, a, b, -1.0);
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
