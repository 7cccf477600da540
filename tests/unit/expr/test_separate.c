/* Expressions as sums of products of functions of time and of the rest: what can be written so, and
 * that the sums have the values of the expressions. */
#include "expr/separate.h"
#include "random_expr.h"
#include "support/fault.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIME_LEAF = 0 };

/* random_graph() with time in place of one of the variables. */
static rg_node graph_of(const random_expr *e, int *at, rg_graph *g)
{
    const random_item *x = &e->items[(*at)++];
    rg_node arg[3] = {0, 0, 0};

    if (x->op == RG_OP_CONST) return rg_graph_const(g, x->value);
    if (x->op == RG_OP_VAR)
        return x->leaf == TIME_LEAF ? rg_graph_time(g) : rg_graph_var(g, x->leaf, 0);
    for (int k = 0; k < x->n_args; k++)
        arg[k] = graph_of(e, at, g);
    if (x->op == RG_OP_IF) return rg_graph_if(g, arg[0], arg[1], arg[2]);
    return x->n_args == 1 ? rg_graph_unary(g, (rg_op)x->op, arg[0])
                          : rg_graph_binary(g, (rg_op)x->op, arg[0], arg[1]);
}

/* The sum at a point, its size and the value of the expression. */
static double sum_of(rg_graph *g, const rg_separation *s, const double *point, double *size)
{
    double *memo = malloc(sizeof *memo * (size_t)rg_graph_size(g)), sum = 0.0;

    *size = 0.0;
    for (int k = 0; k < s->n; k++) {
        const double a = graph_value(g, s->a[k], point[TIME_LEAF], point, memo),
                     F = graph_value(g, s->F[k], point[TIME_LEAF], point, memo);
        sum += a * F;
        *size += fabs(a * F);
    }
    free(memo);
    return sum;
}

static int separated_without_mixing(rg_graph *g, const rg_separation *s)
{
    const unsigned rest = RG_DEP_VAR | RG_DEP_DATA | RG_DEP_SUM | RG_DEP_SEED;
    int mixed = 0;

    for (int k = 0; k < s->n; k++) {
        if (rg_graph_at(g, s->a[k])->depends & rest) mixed++;
        if (rg_graph_at(g, s->F[k])->depends & RG_DEP_TIME) mixed++;
    }
    return mixed;
}

static void test_random(void)
{
    int found = 0, compared = 0, wrong = 0, mixed = 0;

    for (int n = 0; n < 4000; n++) {
        random_expr e = {.size = 0};
        rg_context *ctx = NULL;
        rg_graph *g = NULL;
        rg_separation s;
        int at = 0;
        rg_context_create(&ctx);
        rg_graph_create(ctx, &g);
        random_make(&e, 4);
        const rg_node of = graph_of(&e, &at, g);
        CHECK_INT(rg_graph_separate(g, of, &s), RG_OK);
        const bool has_time = rg_graph_at(g, of)->depends & RG_DEP_TIME;
        if (s.n > 0 && has_time) found++;
        if (!has_time) CHECK_INT(s.n, 1);
        mixed += separated_without_mixing(g, &s);
        for (int k = 0; s.n > 0 && k < 10; k++) {
            double point[RANDOM_VARS], size;
            for (int v = 0; v < RANDOM_VARS; v++)
                point[v] = random_real(-2, 2);
            random_edge = false;
            at = 0;
            const double value = random_value(&e, &at, point), sum = sum_of(g, &s, point, &size);
            if (random_edge || !isfinite(size)) continue;
            compared++;
            if (!(fabs(sum - value) <= 1e-11 * (size + fabs(value)))) wrong++;
        }
        rg_graph_destroy(&g);
        rg_context_destroy(&ctx);
    }
    CHECK_INT(mixed, 0);
    CHECK_INT(wrong, 0);
    CHECK(found > 500);
    CHECK(compared > 5000);
}

/* ---- single expressions ---------------------------------------------------------------------- */
static rg_graph *G; /* of the expressions below */

static rg_node two(rg_op op, rg_node a, rg_node b)
{
    return rg_graph_binary(G, op, a, b);
}

static rg_node times(rg_node a, rg_node b)
{
    return two(RG_OP_MUL, a, b);
}

static rg_node plus(rg_node a, rg_node b)
{
    return two(RG_OP_ADD, a, b);
}

static rg_node number(double v)
{
    return rg_graph_const(G, v);
}

static int terms_of(rg_node of)
{
    rg_separation s;

    CHECK_INT(rg_graph_separate(G, of, &s), RG_OK);
    return s.n;
}

static void test_cases(void)
{
    rg_context *ctx = NULL;

    rg_context_create(&ctx);
    rg_graph_create(ctx, &G);
    const rg_node t = rg_graph_time(G), x = rg_graph_var(G, 0, 0), y = rg_graph_var(G, 1, 0),
                  fall = rg_graph_unary(G, RG_OP_EXP, rg_graph_unary(G, RG_OP_NEG, t)),
                  E = plus(number(1), fall), U = times(times(number(50), times(x, y)), E);

    CHECK_INT(terms_of(number(3)), 1);
    CHECK_INT(terms_of(x), 1);
    CHECK_INT(terms_of(t), 1);
    CHECK_INT(terms_of(plus(x, t)), 2);
    CHECK_INT(terms_of(times(rg_graph_unary(G, RG_OP_SIN, x), rg_graph_unary(G, RG_OP_COS, t))), 1);
    /* powers of the same function are one: exp(-t) x + E^2 (...), E times E and E^2 */
    const rg_node force = plus(plus(times(x, fall), times(U, times(y, E))),
                               times(plus(x, number(2)), two(RG_OP_POW, E, number(2))));
    CHECK_INT(terms_of(force), 2);
    /* a quotient, by one term */
    CHECK_INT(terms_of(two(RG_OP_DIV, plus(x, times(y, fall)), times(t, x))), 2);
    /* not separated: sums inside of functions, products of sums, five different functions */
    CHECK_INT(terms_of(rg_graph_unary(G, RG_OP_SIN, two(RG_OP_SUB, x, t))), 0);
    CHECK_INT(terms_of(two(RG_OP_POW, two(RG_OP_SUB, x, t), number(2))), 0);
    CHECK_INT(terms_of(times(plus(x, t), plus(y, t))), 0);
    CHECK_INT(terms_of(two(RG_OP_DIV, x, plus(x, t))), 0);
    rg_node many = x;
    for (int k = 1; k <= RG_SEPARATED; k++)
        many = plus(many, times(y, rg_graph_unary(G, RG_OP_SIN, times(number(k), t))));
    CHECK_INT(terms_of(many), 0);
    /* t/t is no 1: at 0 it is not defined */
    CHECK_INT(terms_of(two(RG_OP_DIV, times(x, t), times(y, t))), 0);
    rg_graph_destroy(&G);
    rg_context_destroy(&ctx);
}

static rg_status separate_sum(rg_context *ctx, void *user)
{
    rg_separation *s = user;
    rg_status status = rg_graph_create(ctx, &G);

    if (status == RG_OK) {
        const rg_node of = plus(rg_graph_var(G, 0, 0), rg_graph_time(G));
        status = of < 0 ? rg_graph_status(G) : rg_graph_separate(G, of, s);
    }
    rg_graph_destroy(&G);
    return status;
}

static void test_allocation(void)
{
    rg_separation s;

    CHECK(fault_run("a sum", separate_sum, &s) > 2);
    CHECK_INT(s.n, 2);
}

static const test_case cases[] = {
    {"random expressions",  test_random    },
    {"single expressions",  test_cases     },
    {"allocation failures", test_allocation},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
