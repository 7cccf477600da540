/* Factors of expressions: common ones of all terms, powers, odd roots; and none where there are
 * other zeros. */
#include "expr/factors.h"
#include "support/test.h"

#include <stdio.h>

static rg_context *ctx;
static rg_graph *g;
static rg_node x, y, t;

static void open_graph(void)
{
    rg_context_create(&ctx);
    rg_graph_create(ctx, &g);
    x = rg_graph_var(g, 0, 0);
    y = rg_graph_var(g, 1, 0);
    t = rg_graph_time(g);
}

static void close_graph(void)
{
    CHECK_INT(rg_graph_status(g), RG_OK);
    rg_graph_destroy(&g);
    rg_context_destroy(&ctx);
}

static rg_node two(rg_op op, rg_node a, rg_node b)
{
    return rg_graph_binary(g, op, a, b);
}

static rg_node power(rg_node a, int n)
{
    return two(RG_OP_POW, a, rg_graph_const(g, n));
}

static rg_node times(double number, rg_node a)
{
    return two(RG_OP_MUL, rg_graph_const(g, number), a);
}

/* The factors of an expression are these, in any order. */
static void check(rg_node of, int n, const rg_node *expected)
{
    rg_node factors[RG_FACTORS_MOST];
    const int found = rg_graph_factors(g, of, factors);

    if (!CHECK_INT(found, n)) return;
    CHECK_INT(rg_graph_may_factor(g, of), n > 1 || factors[0] != of);
    for (int k = 0; k < n; k++) {
        bool is_there = false;
        for (int i = 0; i < n; i++)
            is_there = is_there || factors[i] == expected[k];
        CHECK(is_there);
    }
}

static void test_common(void)
{
    open_graph();
    const rg_node rest = two(RG_OP_SUB, y, t), x5 = power(x, 5);
    check(two(RG_OP_SUB, two(RG_OP_MUL, x5, y), two(RG_OP_MUL, x5, t)), 2, (rg_node[]){x, rest});
    check(two(RG_OP_MUL, power(x, 2), rest), 2, (rg_node[]){x, rest});
    check(two(RG_OP_SUB, two(RG_OP_MUL, x5, y), two(RG_OP_MUL, power(x, 4), t)), 2,
          (rg_node[]){x, two(RG_OP_SUB, two(RG_OP_MUL, x, y), t)});
    const rg_node below = two(RG_OP_ADD, x, rg_graph_const(g, 2.0)); /* x y - x t/(x + 2) */
    const rg_node quotient = two(RG_OP_DIV, t, below);
    check(two(RG_OP_SUB, two(RG_OP_MUL, x, y), two(RG_OP_DIV, two(RG_OP_MUL, x, t), below)), 2,
          (rg_node[]){x, two(RG_OP_SUB, y, quotient)});
    close_graph();
}

static void test_roots(void)
{
    open_graph();
    const rg_node difference = two(RG_OP_SUB, y, x);
    check(power(difference, 4), 1, (rg_node[]){difference});
    check(two(RG_OP_SUB, power(y, 3), power(x, 3)), 1, (rg_node[]){difference});
    check(two(RG_OP_SUB, power(y, 6), power(x, 6)), 1,
          (rg_node[]){two(RG_OP_SUB, power(y, 2), power(x, 2))});
    check(two(RG_OP_ADD, power(y, 3), times(8.0, power(x, 3))), 1,
          (rg_node[]){two(RG_OP_ADD, y, times(2.0, x))});
    check(two(RG_OP_SUB, two(RG_OP_MUL, t, power(y, 5)), two(RG_OP_MUL, t, power(x, 5))), 2,
          (rg_node[]){t, difference});
    close_graph();
}

/* Even powers, a number beside a power, different powers, denominators, plain sums. */
static void test_none(void)
{
    open_graph();
    const rg_node models[] = {
        two(RG_OP_SUB, power(y, 2), power(x, 2)),
        two(RG_OP_SUB, power(y, 3), rg_graph_const(g, 8.0)),
        two(RG_OP_SUB, power(y, 3), power(x, 2)),
        two(RG_OP_SUB, two(RG_OP_ADD, power(y, 3), power(t, 3)), power(x, 3)),
        two(RG_OP_DIV, two(RG_OP_MUL, x, y), t),
        two(RG_OP_SUB, times(2.0, y), times(2.0, x)),
        times(-3.0, y),
        two(RG_OP_SUB, power(y, 3), x),
    };

    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        check(models[k], 1, &models[k]);
    close_graph();
}

int main(void)
{
    static const test_case cases[] = {
        {"common factors", test_common},
        {"roots",          test_roots },
        {"none",           test_none  },
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
