/* Sums and differences: numbers folded, equal terms joined, terms that cancel removed. */
#include "expr/simplify.h"
#include "expr/tuning.h"

#include <math.h>

/* How far a chain of sums is searched for a term that cancels. */
enum { CANCEL_DEPTH = 12 };

rg_node rg_simplify_neg(rg_graph *g, rg_node a)
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
        *rest = x.op == RG_OP_SUB ? rg_simplify_neg(g, x.b) : x.b;
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

/* c1 + c for (x + c1) + c: where x is near -c1 the sum written out has the digits of c, and a
 * rounded number has those of c1 alone: (t - 1.6e9) - 0.1. */
static bool folds(double c1, double c, double *folded)
{
    const double sum = c1 + c, large = fmax(fabs(c1), fabs(c)), small = fmin(fabs(c1), fabs(c));

    *folded = sum;
    return isfinite(sum)
           && (large <= RG_SIMPLIFY_ALIKE * small || (sum - c1 == c && sum - c == c1));
}

/* a + c for a number c; (x + c1) + c -> x + (c1 + c), (c1 - x) + c -> (c1 + c) - x, -x + c -> c
 * - x. */
static rg_node plus_number(rg_graph *g, rg_node a, double c)
{
    if (a < 0) return -1;
    const rg_graph_node x = *at(g, a);
    const term t = term_of(g, a);

    double folded;
    if (c == 0) return a;
    if (x.op == RG_OP_ADD && is_number(g, x.b) && folds(at(g, x.b)->value, c, &folded))
        return plus_number(g, x.a, folded);
    if (x.op == RG_OP_SUB && is_number(g, x.a) && folds(at(g, x.a)->value, c, &folded))
        return folded == 0 ? rg_simplify_neg(g, x.b)
                           : raw(g, RG_OP_SUB, rg_graph_const(g, folded), x.b);
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
    return rg_simplify_neg(g, ordered(g, RG_OP_ADD, a, b));
}

/* a + sign b: equal terms joined, numbers folded, terms that cancel removed. */
rg_node rg_simplify_sum(rg_graph *g, rg_node a, rg_node b, double sign)
{
    if (is_const(g, a, 0)) return sign < 0 ? rg_simplify_neg(g, b) : b;
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
        return sign < 0 ? rg_simplify_neg(g, rest) : rest;
    return g->status == RG_OK ? join(g, x, y) : -1;
}
