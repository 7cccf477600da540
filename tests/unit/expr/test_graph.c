/* Expression graphs: simplification, sharing, derivatives. */
#include "expr/graph.h"
#include "random_expr.h"
#include "support/fault.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static rg_context *ctx;
static rg_graph *g;
static rg_node x, y, f;

static void open_graph(void)
{
    rg_context_create(&ctx);
    rg_graph_create(ctx, &g);
    x = rg_graph_var(g, 0, 0);
    y = rg_graph_var(g, 1, 0);
    f = rg_graph_var(g, 2, 0);
}

static void close_graph(void)
{
    rg_graph_destroy(&g);
    rg_context_destroy(&ctx);
}

static rg_node two(rg_op op, rg_node a, rg_node b)
{
    return rg_graph_binary(g, op, a, b);
}

static rg_node one(rg_op op, rg_node a)
{
    return rg_graph_unary(g, op, a);
}

static rg_node c(double value)
{
    return rg_graph_const(g, value);
}

static void test_sharing(void)
{
    open_graph();
    CHECK_INT(two(RG_OP_ADD, x, y), two(RG_OP_ADD, y, x));
    CHECK_INT(two(RG_OP_MUL, x, y), two(RG_OP_MUL, y, x));
    CHECK_INT(two(RG_OP_SUB, x, y), one(RG_OP_NEG, two(RG_OP_SUB, y, x)));
    CHECK_INT(one(RG_OP_SIN, x), one(RG_OP_SIN, x));
    CHECK(rg_graph_var(g, 0, 0) != rg_graph_var(g, 0, 1));
    CHECK_INT(c(0.0), c(-0.0));
    close_graph();
}

/* 0 and 1 are one node each, in a copy too, and a copy does not tell the original of its own. */
static void test_constants(void)
{
    rg_graph *copy = NULL;

    open_graph();
    const rg_node zero = c(0.0);
    CHECK_INT(rg_graph_at(g, zero)->op, RG_OP_CONST);
    CHECK_INT(c(-0.0), zero);
    const int32_t size = rg_graph_size(g);
    CHECK_INT(rg_graph_copy(ctx, g, &copy), RG_OK);
    CHECK_INT(rg_graph_const(copy, 0.0), zero);
    CHECK_INT(rg_graph_size(copy), size);
    rg_graph_var(copy, 3, 0);
    const rg_node theirs = rg_graph_const(copy, 1.0), ours = c(1.0);
    CHECK(rg_graph_at(copy, theirs)->value == 1.0);
    CHECK_INT(ours, size);
    CHECK(rg_graph_at(g, ours)->value == 1.0);
    CHECK_INT(c(1.0), ours);
    CHECK_INT(rg_graph_const(copy, 1.0), theirs);
    CHECK(c(2.0) != ours && c(2.0) == c(2.0));
    rg_graph_destroy(&copy);
    close_graph();
}

static void test_rules(void)
{
    open_graph();
    CHECK_INT(two(RG_OP_ADD, x, c(0)), x);
    CHECK_INT(two(RG_OP_ADD, c(0), x), x);
    CHECK_INT(two(RG_OP_SUB, x, c(0)), x);
    CHECK_INT(two(RG_OP_SUB, c(0), x), one(RG_OP_NEG, x));
    CHECK_INT(two(RG_OP_MUL, x, c(0)), c(0));
    CHECK_INT(two(RG_OP_MUL, x, c(1)), x);
    CHECK_INT(two(RG_OP_MUL, x, c(-1)), one(RG_OP_NEG, x));
    CHECK_INT(two(RG_OP_DIV, c(0), x), c(0));
    CHECK_INT(two(RG_OP_DIV, x, c(1)), x);
    CHECK_INT(two(RG_OP_DIV, x, c(4)), two(RG_OP_MUL, c(0.25), x));
    CHECK_INT(rg_graph_at(g, two(RG_OP_DIV, x, c(3)))->op, RG_OP_DIV);
    CHECK_INT(two(RG_OP_POW, x, c(0)), c(1));
    CHECK_INT(two(RG_OP_POW, x, c(1)), x);
    CHECK_INT(two(RG_OP_POW, x, c(2)), two(RG_OP_MUL, x, x));
    CHECK_INT(one(RG_OP_NEG, one(RG_OP_NEG, x)), x);
    CHECK_INT(two(RG_OP_SUB, x, x), c(0));
    CHECK_INT(two(RG_OP_ADD, x, x), two(RG_OP_MUL, c(2), x));
    CHECK_INT(two(RG_OP_ADD, x, one(RG_OP_NEG, y)), two(RG_OP_SUB, x, y));
    CHECK_INT(two(RG_OP_MUL, two(RG_OP_MUL, c(3), x), c(2)), two(RG_OP_MUL, c(6), x));
    CHECK_INT(two(RG_OP_MIN, x, x), x);
    CHECK_INT(rg_graph_if(g, c(1), x, y), x);
    CHECK_INT(rg_graph_if(g, c(0), x, y), y);
    CHECK_INT(rg_graph_if(g, two(RG_OP_LT, x, y), f, f), f);
    CHECK_INT(two(RG_OP_AND, c(0), x), c(0));
    close_graph();
}

static void test_cancellation(void)
{
    open_graph();
    const rg_node cx = two(RG_OP_MUL, c(3.7), x), xy = two(RG_OP_MUL, x, y);
    CHECK_INT(two(RG_OP_ADD, two(RG_OP_SUB, cx, cx), f), f);
    CHECK_INT(two(RG_OP_SUB, two(RG_OP_ADD, cx, f), cx), f);
    CHECK_INT(two(RG_OP_SUB, two(RG_OP_ADD, f, cx), cx), f);
    CHECK_INT(two(RG_OP_ADD, two(RG_OP_SUB, f, cx), cx), f);
    CHECK_INT(two(RG_OP_ADD, cx, two(RG_OP_SUB, f, cx)), f);
    CHECK_INT(two(RG_OP_SUB, cx, two(RG_OP_ADD, f, cx)), one(RG_OP_NEG, f));
    CHECK_INT(two(RG_OP_SUB, two(RG_OP_ADD, two(RG_OP_ADD, xy, y), f), two(RG_OP_MUL, y, x)),
              two(RG_OP_ADD, y, f));
    CHECK_INT(two(RG_OP_SUB, two(RG_OP_ADD, x, c(3)), c(3)), x);
    close_graph();
}

/* (t - 1.6e9) - 0.1 has the digits of 0.1 near t = 1.6e9; alike numbers are joined. */
static void test_numbers(void)
{
    static const double large[] = {1.6e9, 86400.0, -1e6, 17.0};

    open_graph();
    for (int k = 0; k < 4; k++) {
        const rg_node from = two(RG_OP_SUB, x, c(large[k])), to = two(RG_OP_SUB, c(large[k]), x);
        CHECK_INT(rg_graph_at(g, two(RG_OP_SUB, from, c(0.1)))->a, from);
        CHECK_INT(rg_graph_at(g, two(RG_OP_ADD, to, c(0.1)))->a, to);
        CHECK_INT(two(RG_OP_ADD, from, c(large[k])), x);
        CHECK_INT(rg_graph_at(g, two(RG_OP_SUB, from, c(0.25 * large[k])))->a, x);
    }
    CHECK_INT(rg_graph_at(g, two(RG_OP_ADD, two(RG_OP_SUB, x, c(1024)), c(0.5)))->a, x);
    close_graph();
}

/* What has no finite value stays as written. */
static void test_poles(void)
{
    open_graph();
    CHECK_INT(rg_graph_at(g, two(RG_OP_DIV, c(1), c(0)))->op, RG_OP_DIV);
    CHECK_INT(rg_graph_at(g, one(RG_OP_LOG, c(-1)))->op, RG_OP_LOG);
    CHECK_INT(rg_graph_at(g, two(RG_OP_DIV, c(0), c(0)))->op, RG_OP_DIV);
    const rg_node tiny = two(RG_OP_MUL, c(1e-200), two(RG_OP_MUL, c(1e-200), x));
    double vars[RANDOM_VARS] = {1e300}, memo[64];
    CHECK_NEAR(graph_value(g, tiny, 0, vars, memo), 1e-100, 1e-112);
    close_graph();
}

static void test_depends(void)
{
    open_graph();
    const rg_node data = rg_graph_data(g, 0), time = rg_graph_time(g);
    CHECK_INT(rg_graph_at(g, two(RG_OP_ADD, x, data))->depends, RG_DEP_VAR | RG_DEP_DATA);
    CHECK_INT(rg_graph_at(g, one(RG_OP_ABS, time))->depends, RG_DEP_TIME | RG_DEP_KINK);
    CHECK_INT(rg_graph_at(g, one(RG_OP_ABS, data))->depends, RG_DEP_DATA);
    CHECK_INT(rg_graph_at(g, rg_graph_if(g, data, x, y))->depends, RG_DEP_DATA | RG_DEP_VAR);
    CHECK(rg_graph_at(g, rg_graph_if(g, x, data, time))->depends & RG_DEP_KINK);
    close_graph();
}

/* 1/(1 + exp(x)) and its like rest where their denominators overflow, and keep second derivatives
 * elsewhere. */
static void test_overflow(void)
{
    double vars[3 * RANDOM_VARS] = {0}, memo[256];

    open_graph();
    const rg_node high = two(RG_OP_ADD, c(1), two(RG_OP_MUL, y, one(RG_OP_EXP, x)));
    const rg_node shape[] = {
        two(RG_OP_DIV, c(1), two(RG_OP_POW, high, c(2))),
        two(RG_OP_DIV, y, high),
        two(RG_OP_POW, one(RG_OP_COSH, x), c(-2)),
        two(RG_OP_DIV, c(1), two(RG_OP_POW, one(RG_OP_COSH, x), c(2))),
    };
    vars[0] = 1e4;
    vars[1] = 2;
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++)
        CHECK_NEAR(graph_value(g, rg_graph_partial(g, shape[k], x), 0, vars, memo), 0, 0);
    vars[0] = vars[1] = 0; /* y/(1 + y exp(x)): second derivative by y is -2 exp(x) */
    const rg_node twice = rg_graph_partial(g, rg_graph_partial(g, shape[1], y), y);
    CHECK_NEAR(graph_value(g, twice, 0, vars, memo), -2, 1e-15);
    /* what is not finite stays so */
    vars[0] = 1e4;
    CHECK(!isfinite(graph_value(g, rg_graph_partial(g, one(RG_OP_EXP, x), x), 0, vars, memo)));
    close_graph();
}

/* Where a derivative is finite, its expression is finite. */
static void test_finite_derivatives(void)
{
    double vars[3 * RANDOM_VARS] = {0}, memo[256];

    open_graph();
    const rg_node cube = rg_graph_partial(g, two(RG_OP_POW, x, c(3)), x);
    CHECK_NEAR(graph_value(g, cube, 0, vars, memo), 0, 0);
    const rg_node half = rg_graph_partial(g, two(RG_OP_POW, x, c(1.5)), x);
    CHECK_NEAR(graph_value(g, half, 0, vars, memo), 0, 0);
    const rg_node by_data = rg_graph_partial(g, two(RG_OP_POW, x, y), x); /* x^0 at 0 */
    CHECK_NEAR(graph_value(g, by_data, 0, vars, memo), 0, 0);
    vars[1] = 2; /* y: 0^y log 0 -> 0 */
    const rg_node growth = rg_graph_partial(g, two(RG_OP_POW, x, y), y);
    CHECK_NEAR(graph_value(g, growth, 0, vars, memo), 0, 0);
    const rg_node safe = rg_graph_if(g, two(RG_OP_LT, c(0), x), one(RG_OP_SQRT, x), c(0));
    CHECK_NEAR(graph_value(g, rg_graph_partial(g, safe, x), 0, vars, memo), 0, 0);
    vars[0] = -1; /* sqrt(max(x, 0)), max(x, 0)^0.7: 0/0 behind the edge */
    const rg_node edge = two(RG_OP_MAX, x, c(0));
    CHECK_NEAR(graph_value(g, rg_graph_partial(g, one(RG_OP_SQRT, edge), x), 0, vars, memo), 0, 0);
    CHECK_NEAR(graph_value(g, rg_graph_partial(g, two(RG_OP_POW, edge, c(0.7)), x), 0, vars, memo),
               0, 0);
    CHECK_INT(rg_graph_partial(g, one(RG_OP_SIGN, x), x), c(0));
    CHECK_INT(rg_graph_partial(g, two(RG_OP_MOD, x, c(3)), x), c(1));
    close_graph();
}

static void test_total(void)
{
    open_graph();
    const rg_node time = rg_graph_time(g), xp = rg_graph_var(g, 0, 1), xpp = rg_graph_var(g, 0, 2);
    CHECK_INT(rg_graph_total(g, time), c(1));
    CHECK_INT(rg_graph_total(g, rg_graph_data(g, 0)), c(0));
    CHECK_INT(rg_graph_total(g, rg_graph_sum(g, 1, 2)), rg_graph_sum(g, 1, 3));
    CHECK_INT(rg_graph_total(g, two(RG_OP_MUL, x, time)),
              two(RG_OP_ADD, x, two(RG_OP_MUL, time, xp)));
    const rg_node xx = two(RG_OP_MUL, x, x);
    const rg_node second = rg_graph_total(g, rg_graph_total(g, xx)); /* 2 x'^2 + 2 x x'' */
    double vars[3 * RANDOM_VARS] = {3}, memo[64];
    vars[RANDOM_VARS] = 5;
    vars[2 * RANDOM_VARS] = 7;
    CHECK_NEAR(graph_value(g, second, 0, vars, memo), 2 * 25 + 2 * 21, 1e-13);
    CHECK_INT(rg_graph_partial(g, second, xpp), two(RG_OP_MUL, c(2), x));
    close_graph();
}

/* Simplified against naive values; partial derivatives against central differences. */
static void check_random(const random_expr *e)
{
    double vars[RANDOM_VARS];
    int at = 0, at_naive = 0;
    const rg_node node = random_graph(e, &at, g);
    double *memo = malloc(20000 * sizeof *memo);

    for (int k = 0; k < RANDOM_VARS; k++)
        vars[k] = random_real(-2, 2);
    random_edge = false;
    const double naive = random_value(e, &at_naive, vars);
    const double value = graph_value(g, node, 0, vars, memo);
    const bool is_usable = !random_edge && isfinite(naive);
    if (is_usable) CHECK_NEAR(value, naive, 1e-9 * (1 + fabs(naive)));
    for (int v = 0; v < RANDOM_VARS && is_usable && fabs(naive) < 1e3; v++) {
        const rg_node d = rg_graph_partial(g, node, rg_graph_var(g, v, 0));
        double q[5];
        const double h = 1e-4, middle = vars[v];
        for (int k = 0; k < 5; k++) {
            vars[v] = middle + (k - 2) * h;
            q[k] = (at_naive = 0, random_value(e, &at_naive, vars));
        }
        vars[v] = middle;
        const double wide = (q[4] - q[0]) / (4 * h), narrow = (q[3] - q[1]) / (2 * h);
        if (!isfinite(wide) || fabs(wide - narrow) > 1e-6 * (1 + fabs(narrow))) continue;
        const double limit = (4 * narrow - wide) / 3;
        const double right = (q[3] - q[2]) / h; /* no kink between the points */
        if (fabs(right - narrow) > 1e-2 * (1 + fabs(narrow))) continue;
        CHECK_NEAR(graph_value(g, d, 0, vars, memo), limit, 1e-5 * (1 + fabs(limit)));
    }
    free(memo);
}

static void test_random(void)
{
    for (int n = 0; n < 800; n++) {
        random_expr e = {.size = 0};
        open_graph();
        random_make(&e, 5);
        check_random(&e);
        close_graph();
    }
}

/* A long sum and a nest of many functions: no recursion.  A call for each of them would need more
 * than the stack of 256 KB that is left to it. */
static void test_deep(void)
{
    enum { DEPTH = 20000 };
    struct rlimit usual, small;

    CHECK(getrlimit(RLIMIT_STACK, &usual) == 0);
    small = usual;
    small.rlim_cur = 1 << 18;
    CHECK(setrlimit(RLIMIT_STACK, &small) == 0);
    open_graph();
    rg_node sum = c(0), nest = x;
    for (int k = 0; k < DEPTH; k++) {
        sum = two(RG_OP_ADD, sum, two(RG_OP_MUL, rg_graph_var(g, k, 0), rg_graph_var(g, k + 1, 0)));
        nest = one(RG_OP_SIN, nest);
    }
    CHECK(rg_graph_partial(g, sum, rg_graph_var(g, 500, 0)) >= 0);
    CHECK_INT(rg_graph_partial(g, sum, rg_graph_var(g, 5, 0)),
              two(RG_OP_ADD, rg_graph_var(g, 4, 0), rg_graph_var(g, 6, 0)));
    rg_node *leaves = malloc((DEPTH + 1) * sizeof *leaves);
    rg_node *partials = malloc((DEPTH + 1) * sizeof *partials);
    CHECK_INT(rg_graph_leaves(g, sum, DEPTH + 1, leaves), DEPTH + 1);
    CHECK_INT(rg_graph_gradient(g, sum, DEPTH + 1, leaves, partials), RG_OK);
    CHECK_INT(partials[DEPTH], rg_graph_var(g, DEPTH - 1, 0));
    free(leaves);
    free(partials);
    CHECK(rg_graph_total(g, nest) >= 0);
    CHECK_INT(rg_graph_leaves(g, sum, 0, NULL), DEPTH + 1);
    CHECK_INT(rg_graph_status(g), RG_OK);
    close_graph();
    CHECK(setrlimit(RLIMIT_STACK, &usual) == 0);
}

/* All partial derivatives in one pass from the top agree with those one by one. */
static void test_gradient(void)
{
    enum { LEAVES = 40 };
    rg_node leaves[LEAVES], partials[LEAVES];
    double vars[LEAVES], *memo = malloc(20000 * sizeof *memo);

    open_graph();
    rg_node sum = rg_graph_time(g);
    for (int k = 0; k < LEAVES; k++) {
        const rg_node v = rg_graph_var(g, k % RANDOM_VARS, k / RANDOM_VARS);
        const rg_node w = rg_graph_var(g, (k + 1) % RANDOM_VARS, (k + 1) % LEAVES / RANDOM_VARS);
        const rg_node square = two(RG_OP_ADD, c(1), two(RG_OP_MUL, v, v));
        const rg_node term = two(RG_OP_POW, square, one(RG_OP_SIN, w));
        sum = two(k % 3 ? RG_OP_ADD : RG_OP_MUL, two(RG_OP_DIV, sum, square), term);
        vars[k] = random_real(-1, 1);
    }
    CHECK_INT(rg_graph_leaves(g, sum, LEAVES, leaves), LEAVES);
    CHECK_INT(rg_graph_gradient(g, sum, LEAVES, leaves, partials), RG_OK);
    for (int k = 0; k < LEAVES; k++) {
        const double all = graph_value(g, partials[k], 0.3, vars, memo);
        const double alone = graph_value(g, rg_graph_partial(g, sum, leaves[k]), 0.3, vars, memo);
        CHECK_NEAR(all, alone, 1e-11 * (1 + fabs(alone)));
    }
    close_graph();
    free(memo);
}

/* The largest of many products, as a tree of max: n leaves in 3 n nodes, each below few of them. */
static rg_node largest(rg_graph *h, int n, rg_node *leaves)
{
    rg_node *terms = malloc((size_t)n * sizeof *terms);
    int left = n;

    for (int k = 0; k < n; k++) {
        leaves[k] = rg_graph_var(h, k, 0);
        terms[k] = rg_graph_binary(h, RG_OP_MUL, leaves[k], rg_graph_const(h, k + 2));
    }
    for (; left > 1; left = (left + 1) / 2)
        for (int k = 0; k < left; k += 2)
            terms[k / 2] =
                k + 1 < left ? rg_graph_binary(h, RG_OP_MAX, terms[k], terms[k + 1]) : terms[k];
    const rg_node all = terms[0];
    free(terms);
    return all;
}

/* Partial derivatives of what is not smooth agree with those one by one; of many they take no
 * longer than their number says: minutes, were each of them a pass over all nodes. */
static void test_gradient_of_kinks(void)
{
    enum { LEAVES = 40, MANY = 30000 };
    rg_node *leaves = malloc(MANY * sizeof *leaves), *partials = malloc(MANY * sizeof *partials);
    double vars[LEAVES], *memo = malloc(20000 * sizeof *memo);

    open_graph();
    rg_node all = largest(g, LEAVES, leaves);
    all = two(RG_OP_MUL, all, leaves[3]);
    CHECK_INT(rg_graph_gradient(g, all, LEAVES, leaves, partials), RG_OK);
    for (int at = 0; at < 10; at++) {
        for (int k = 0; k < LEAVES; k++)
            vars[k] = random_real(-1, 1);
        for (int k = 0; k < LEAVES; k++) {
            const rg_node alone = rg_graph_partial(g, all, leaves[k]);
            CHECK_NEAR(graph_value(g, partials[k], 0.3, vars, memo),
                       graph_value(g, alone, 0.3, vars, memo), 1e-15);
        }
    }
    close_graph();
    open_graph();
    CHECK_INT(rg_graph_gradient(g, largest(g, MANY, leaves), MANY, leaves, partials), RG_OK);
    close_graph();
    free(leaves);
    free(partials);
    free(memo);
}

/* ---- the n-th allocation fails --------------------------------------------------------------- */

static rg_status build_something(rg_context *context)
{
    rg_graph *h = NULL;
    rg_status status = rg_graph_create(context, &h);

    if (status != RG_OK) return status;
    rg_node sum = rg_graph_time(h);
    for (int k = 0; k < 200; k++)
        sum =
            rg_graph_binary(h, RG_OP_ADD, rg_graph_unary(h, RG_OP_SIN, sum), rg_graph_var(h, k, 0));
    sum = rg_graph_total(h, sum);
    sum = rg_graph_partial(h, sum, rg_graph_var(h, 3, 1));
    rg_node leaves[20], partials[20];
    const rg_node all = largest(h, 20, leaves);
    if (all >= 0) rg_graph_gradient(h, all, 20, leaves, partials);
    status = rg_graph_status(h);
    if (status == RG_OK && sum < 0) status = RG_ERR_ARGUMENT;
    rg_graph_destroy(&h);
    return status;
}

static void test_allocation(void)
{
    for (int n = 0; n < 1000; n++) {
        int left = 1000000;
        rg_context *context = NULL;
        rg_context_create_with(fault_exhausted, &left, &context);
        left = n;
        const rg_status status = build_something(context);
        left = 1000000;
        if (status != RG_OK) {
            CHECK_INT(status, RG_ERR_MEMORY);
            CHECK(rg_last_error(context)->message[0] != '\0');
        }
        rg_context_destroy(&context);
        if (status == RG_OK) {
            CHECK(n > 5);
            return;
        }
    }
    CHECK(false);
}

static const test_case cases[] = {
    {"sharing",             test_sharing           },
    {"constants",           test_constants         },
    {"rules",               test_rules             },
    {"numbers",             test_numbers           },
    {"cancellation",        test_cancellation      },
    {"poles",               test_poles             },
    {"depends",             test_depends           },
    {"overflow",            test_overflow          },
    {"finite derivatives",  test_finite_derivatives},
    {"total derivatives",   test_total             },
    {"random expressions",  test_random            },
    {"gradient",            test_gradient          },
    {"gradient of kinks",   test_gradient_of_kinks },
    {"deep expressions",    test_deep              },
    {"allocation failures", test_allocation        },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
