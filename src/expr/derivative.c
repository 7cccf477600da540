/* Symbolic derivatives.  One pass over the nodes below the expression, arguments first; the rules
 * keep a derivative finite wherever the derivative of the function is finite.  They stand in
 * ops.def, or here where they do not fit into a row. */
#include "expr/graph_impl.h"
#include "expr/tuning.h"

#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846

static rg_node add(rg_graph *g, rg_node a, rg_node b)
{
    return rg_graph_binary(g, RG_OP_ADD, a, b);
}

static rg_node sub(rg_graph *g, rg_node a, rg_node b)
{
    return rg_graph_binary(g, RG_OP_SUB, a, b);
}

static rg_node mul(rg_graph *g, rg_node a, rg_node b)
{
    return rg_graph_binary(g, RG_OP_MUL, a, b);
}

static rg_node quotient(rg_graph *g, rg_node a, rg_node b)
{
    return rg_graph_binary(g, RG_OP_DIV, a, b);
}

static rg_node unary(rg_graph *g, rg_op op, rg_node a)
{
    return rg_graph_unary(g, op, a);
}

static rg_node neg(rg_graph *g, rg_node a)
{
    return rg_graph_unary(g, RG_OP_NEG, a);
}

static rg_node less_equal(rg_graph *g, rg_node a, rg_node b)
{
    return rg_graph_binary(g, RG_OP_LE, a, b);
}

static rg_node number(rg_graph *g, double value)
{
    return rg_graph_const(g, value);
}

static bool is_zero(const rg_graph *g, rg_node n)
{
    return n >= 0 && g->nodes[n].op == RG_OP_CONST && g->nodes[n].value == 0;
}

static rg_node power(rg_graph *g, rg_node a, rg_node b)
{
    return rg_graph_binary(g, RG_OP_POW, a, b);
}

/* Where the argument is piecewise (max(x, 0), if), its derivative can be 0 at a point where the
 * slope is not finite, as in sqrt(max(x, 0)): the product is 0 there. */
static rg_node guarded(rg_graph *g, rg_node argument, rg_node d, rg_node product)
{
    if (product < 0 || !(g->nodes[argument].depends & RG_DEP_KINK)) return product;
    const rg_node is_moving = rg_graph_binary(g, RG_OP_NE, d, number(g, 0));
    return rg_graph_if(g, is_moving, product, number(g, 0));
}

/* Can a node overflow though its arguments are moderate?  Looks a few levels down: 1 + exp(x),
 * cosh(x)^2. */
static bool can_overflow(const rg_graph *g, rg_node node, int depth)
{
    if (node < 0 || depth == 0) return false;
    const rg_graph_node *n = &g->nodes[node];

    switch ((rg_op)n->op) {
    case RG_OP_EXP:
    case RG_OP_SINH:
    case RG_OP_COSH:
        return true;
    case RG_OP_ADD:
    case RG_OP_SUB:
    case RG_OP_MUL:
        return can_overflow(g, n->a, depth - 1) || can_overflow(g, n->b, depth - 1);
    case RG_OP_NEG:
    case RG_OP_DIV:
    case RG_OP_POW:
        return can_overflow(g, n->a, depth - 1);
    default:
        return false;
    }
}

/* A function that tends to a number while its argument and the derivative d of that overflow, as
 * 1/(1 + exp(x)) does, has slope 0 there: not 0 times infinity. */
static rg_node settled(rg_graph *g, rg_node argument, rg_node d, rg_node product)
{
    if (product < 0 || d < 0 || !can_overflow(g, argument, RG_OVERFLOW_DEPTH)) return product;
    const rg_node is_lost =
        rg_graph_binary(g, RG_OP_LT, number(g, DBL_MAX), unary(g, RG_OP_ABS, d));
    return rg_graph_if(g, is_lost, number(g, 0), product);
}

/* (a/b)' = (a' - (a/b) b')/b */
static rg_node quotient_rule(rg_graph *g, rg_node node, rg_node b, rg_node da, rg_node db)
{
    return quotient(g, sub(g, da, settled(g, b, db, mul(g, node, db))), b);
}

/* (x^y)' = y x^(y-1) x' + x^y log(x) y'.
 * A constant exponent needs no logarithm.  y = 0 (first term) and x^y = 0 (second term, the limit
 * for x -> 0, y > 0) are set apart where only the run can tell. */
static rg_node pow_rule(rg_graph *g, rg_node node, rg_node x, rg_node y, rg_node dx, rg_node dy)
{
    rg_node result = number(g, 0);

    if (!is_zero(g, dx)) {
        rg_node slope = mul(g, y, power(g, x, sub(g, y, number(g, 1))));
        if (y >= 0 && g->nodes[y].op != RG_OP_CONST) {
            const rg_node is_flat = rg_graph_binary(g, RG_OP_EQ, y, number(g, 0));
            slope = rg_graph_if(g, is_flat, number(g, 0), slope);
        }
        result = guarded(g, x, dx, mul(g, slope, dx));
        const bool is_inverse = g->nodes[y].op == RG_OP_CONST && g->nodes[y].value < 0;
        if (is_inverse) result = settled(g, x, dx, result);
    }
    if (!is_zero(g, dy)) {
        rg_node growth = mul(g, node, unary(g, RG_OP_LOG, x));
        const bool is_positive = g->nodes[x].op == RG_OP_CONST && g->nodes[x].value > 0;
        if (!is_positive) {
            const rg_node is_flat = rg_graph_binary(g, RG_OP_EQ, node, number(g, 0));
            growth = rg_graph_if(g, is_flat, number(g, 0), growth);
        }
        result = add(g, result, guarded(g, y, dy, mul(g, growth, dy)));
    }
    return result;
}

/* erf'(a) = 2/sqrt(pi) exp(-a^2) */
static rg_node bell_curve(rg_graph *g, rg_node a)
{
    return mul(g, number(g, 2 / sqrt(PI)), unary(g, RG_OP_EXP, neg(g, mul(g, a, a))));
}

/* atan2(y, x)' = (x y' - y x') / (x^2 + y^2) */
static rg_node atan2_rule(rg_graph *g, rg_node y, rg_node x, rg_node dy, rg_node dx)
{
    const rg_node top = sub(g, mul(g, x, dy), mul(g, y, dx));
    return quotient(g, top, add(g, mul(g, x, x), mul(g, y, y)));
}

/* mod(x, y)' = x' - floor(x/y) y',  floor(x/y) = (x - mod(x, y))/y */
static rg_node mod_rule(rg_graph *g, rg_node node, rg_node x, rg_node y, rg_node dx, rg_node dy)
{
    if (is_zero(g, dy)) return dx;
    return sub(g, dx, mul(g, quotient(g, sub(g, x, node), y), dy));
}

/* The weight moves the value by the difference of the branches where it is strictly between 0 and
 * 1. */
static rg_node blend_rule(rg_graph *g, rg_node w, rg_node a, rg_node b, rg_node dw, rg_node da,
                          rg_node db)
{
    const rg_node branches = rg_graph_blend(g, w, da, db);

    if (is_zero(g, dw)) return branches;
    const rg_node inside = mul(g, w, sub(g, number(g, 1), w));
    const rg_node is_between = rg_graph_binary(g, RG_OP_NE, inside, number(g, 0));
    return add(g, mul(g, dw, rg_graph_if(g, is_between, sub(g, a, b), number(g, 0))), branches);
}

/* Another derivative of the same table in the same segment. */
static rg_node table_rule(rg_graph *g, rg_node node, rg_node da)
{
    const rg_graph_node n = g->nodes[node];

    if (is_zero(g, da)) return da;
    return mul(g, rg_graph_table(g, (rg_op)n.op, n.order + 1, n.table, n.a, n.b), da);
}

#define TIMES(slope)  mul(g, slope, da)
#define OVER(divisor) guarded(g, a, da, quotient(g, da, divisor))

rg_node rg_graph_apply_rule(rg_graph *g, rg_node y, const rg_node d[3])
{
    const rg_graph_node n = g->nodes[y];
    const rg_node a = n.a, b = n.b, da = d[0], db = d[1], dc = d[2];
    const rg_node one = number(g, 1);

    switch ((rg_op)n.op) {
#define RG_OPERATOR(id, name, arity, kink, value, derivative)                                      \
    case RG_OP_##id:                                                                               \
        return derivative;
#include "expr/ops.def"
    default:
        return number(g, 0);
    }
}

rg_node rg_graph_slope(rg_graph *g, rg_node node, unsigned mask)
{
    const rg_graph_node n = g->nodes[node];
    const int32_t args[3] = {n.a, n.b, n.c};
    rg_node d[3] = {-1, -1, -1};
    const int arity = rg_op_arity((rg_op)n.op);
    bool is_constant = true;

    for (int k = 0; k < arity; k++) {
        d[k] = g->nodes[args[k]].depends & mask ? g->memo[args[k]] : number(g, 0);
        is_constant = is_constant && (is_zero(g, d[k]) || (n.op == RG_OP_IF && k == 0));
    }
    return is_constant ? number(g, 0) : rg_graph_apply_rule(g, node, d);
}

static rg_node leaf_total(rg_graph *g, rg_node node)
{
    const rg_graph_node n = g->nodes[node];

    switch ((rg_op)n.op) {
    case RG_OP_TIME:
        return number(g, 1);
    case RG_OP_VAR:
        return rg_graph_var(g, n.a, n.order + 1);
    case RG_OP_SUM:
        return rg_graph_sum(g, n.a, n.order + 1);
    default:
        return number(g, 0);
    }
}

/* leaf < 0: total derivative */
static rg_node derive(rg_graph *g, rg_node of, rg_node leaf, unsigned mask)
{
    if (of < 0) return -1;
    if (!(g->nodes[of].depends & mask)) return number(g, 0);
    const int32_t count = rg_graph_walk(g, 1, &of, mask);
    if (count < 0) return -1;
    for (int32_t k = 0; k < count; k++) {
        const rg_node node = g->order[k];
        rg_node d;
        if (rg_op_arity((rg_op)g->nodes[node].op) > 0)
            d = rg_graph_slope(g, node, mask);
        else
            d = leaf < 0 ? leaf_total(g, node) : number(g, node == leaf ? 1.0 : 0.0);
        if (d < 0) return -1;
        g->memo[node] = d;
    }
    return g->memo[of];
}

rg_node rg_graph_partial(rg_graph *g, rg_node of, rg_node leaf)
{
    if (leaf < 0) return -1;
    return derive(g, of, leaf, g->nodes[leaf].depends);
}

rg_node rg_graph_total(rg_graph *g, rg_node of)
{
    return derive(g, of, -1, RG_DEP_VAR | RG_DEP_SUM | RG_DEP_TIME);
}
