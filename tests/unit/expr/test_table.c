/* Tables: values and derivatives of every kind against formulas of their own, ends, switches. */
#include "expr/table.h"
#include "expr/tape.h"
#include "support/fault.h"
#include "support/test.h"
#include "unit/expr/scipy.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { N = 7 };
static const double X[N] = {-1.0, 0.0, 0.25, 1.0, 2.5, 3.0, 5.0};
static const double Y[N] = {2.0, 1.0, 1.5, 1.5, -1.0, 0.5, 2.0};

static rg_context *ctx;

static rg_table *make(rg_table_kind kind, rg_beyond beyond, int n, const double *x, const double *y)
{
    const rg_table_spec spec = {"f", 0, n, kind, beyond, x, y};
    rg_table *t = NULL;

    CHECK_INT(rg_table_create(ctx, &spec, &t), RG_OK);
    return t;
}

static double value(const rg_table *t, int order, double x)
{
    return rg_table_piece(&t->data, order, x, rg_table_segment(&t->data, x));
}

static bool is_near(double a, double b, double tol)
{
    return fabs(a - b) <= tol * (1.0 + fabs(b));
}

/* ---- references written in another way ------------------------------------------------------- */

static int place(double x) /* by looking at all nodes */
{
    int k = 0;

    while (k + 2 < N && X[k + 1] <= x)
        k++;
    return k;
}

/* The cubic in the basis of Hermite on [0, 1]. */
static double hermite(int k, const double *slopes, double x)
{
    const double h = X[k + 1] - X[k], u = (x - X[k]) / h, v = 1.0 - u;

    return v * v * (1.0 + 2.0 * u) * Y[k] + u * u * (3.0 - 2.0 * u) * Y[k + 1]
           + h * u * v * v * slopes[k] - h * u * u * v * slopes[k + 1];
}

/* Slopes as PchipInterpolator of SciPy gives them for these data, worked out with fractions:
 * m = -1, 2, 0, -5/3, 3, 3/4; extrema and the flat segment have 0. */
static void pchip(double *d)
{
    const double first = ((2.0 * 1.0 + 0.25) * -1.0 - 1.0 * 2.0) / 1.25; /* -3.4: limited to -3 */

    d[0] = fabs(first) > 3.0 ? -3.0 : first;
    d[1] = d[2] = d[3] = d[4] = 0.0;
    d[5] = 7.5 / (4.5 / 3.0 + 3.0 / 0.75);               /* w = 2*2 + .5 and 2 + 2*.5 */
    d[6] = ((2.0 * 2.0 + 0.5) * 0.75 - 2.0 * 3.0) / 2.5; /* negative beside a rise: 0 */
    if (d[6] < 0.0) d[6] = 0.0;
}

static void test_monotone(void)
{
    rg_table *t = make(RG_TABLE_MONOTONE, RG_BEYOND_ERROR, N, X, Y);
    double d[N];

    pchip(d);
    for (int i = 0; i <= 600; i++) {
        const double x = -1.0 + 0.01 * i;
        CHECK(is_near(value(t, 0, x), hermite(place(x), d, x), 1e-14));
    }
    for (int k = 0; k < N; k++)
        CHECK(is_near(value(t, 1, X[k]), d[k], 1e-13));
    rg_table_destroy(&t);
    t = make(RG_TABLE_MONOTONE, RG_BEYOND_ERROR, 2, X, Y); /* two nodes: a line */
    CHECK(is_near(value(t, 0, -0.25), 1.25, 1e-15));
    CHECK(is_near(value(t, 2, -0.25), 0.0, 1e-15));
    rg_table_destroy(&t);
}

/* A spline is the only function with these properties. */
static void check_spline(const rg_table *t, int n, const double *x, const double *y,
                         bool is_periodic)
{
    const double e = 1e-9;

    for (int k = 0; k < n; k++)
        CHECK(is_near(value(t, 0, x[k]), is_periodic && k == n - 1 ? y[0] : y[k], 1e-13));
    for (int k = 1; k + 1 < n; k++)
        for (int order = 0; order < 3; order++) {
            const double left = rg_table_piece(&t->data, order, x[k], k - 1);
            CHECK(is_near(left, value(t, order, x[k]), 1e-12));
        }
    for (int order = 1; order < 3 && is_periodic; order++)
        CHECK(is_near(value(t, order, x[0]), value(t, order, x[n - 1] - e), 1e-6));
    if (is_periodic) return;
    CHECK(fabs(value(t, 2, x[0])) <= 1e-13);
    CHECK(fabs(value(t, 2, x[n - 1])) <= 1e-12);
}

static void test_smooth(void)
{
    double closed[N];

    for (int n = 2; n <= N; n++) {
        rg_table *t = make(RG_TABLE_SMOOTH, RG_BEYOND_ERROR, n, X, Y);
        check_spline(t, n, X, Y, false);
        rg_table_destroy(&t);
        for (int k = 0; k < n; k++)
            closed[k] = k == n - 1 ? Y[0] : Y[k];
        t = make(RG_TABLE_SMOOTH, RG_BEYOND_REPEAT, n, X, closed);
        check_spline(t, n, X, closed, true);
        const double period = X[n - 1] - X[0];
        CHECK(is_near(value(t, 0, 0.1 + 3 * period), value(t, 0, 0.1), 1e-12));
        CHECK(is_near(value(t, 1, 0.1 - 5 * period), value(t, 1, 0.1), 1e-12));
        rg_table_destroy(&t);
    }
}

static void test_linear_and_steps(void)
{
    rg_table *line = make(RG_TABLE_LINEAR, RG_BEYOND_HOLD, N, X, Y);
    rg_table *steps = make(RG_TABLE_STEPS, RG_BEYOND_HOLD, N, X, Y);

    for (int i = 0; i <= 600; i++) {
        const double x = -1.0 + 0.01 * i;
        const int k = place(x);
        const double u = (x - X[k]) / (X[k + 1] - X[k]);
        CHECK(is_near(value(line, 0, x), Y[k] + u * (Y[k + 1] - Y[k]), 1e-14));
        CHECK(value(steps, 0, x) == (x >= X[N - 1] ? Y[N - 1] : Y[k]));
    }
    CHECK(value(line, 0, -7.0) == 2.0 && value(line, 1, -7.0) == 0.0);
    CHECK(value(line, 0, 9.0) == 2.0 && value(line, 1, 9.0) == 0.0);
    CHECK(value(steps, 0, -7.0) == 2.0 && value(steps, 0, 9.0) == 2.0);
    CHECK(value(steps, 0, nextafter(0.0, -1.0)) == 2.0 && value(steps, 0, 0.0) == 1.0);
    rg_table_destroy(&line);
    rg_table_destroy(&steps);
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void test_beyond(void)
{
    for (int kind = 0; kind < RG_TABLE_KINDS; kind++) {
        rg_table *t = make((rg_table_kind)kind, RG_BEYOND_ERROR, N, X, Y);
        CHECK(isnan(value(t, 0, -1.0 - 1e-10)) && isnan(value(t, 0, 5.0 + 1e-10)));
        CHECK(isfinite(value(t, 0, -1.0 - 4 * DBL_EPSILON)));
        CHECK(isfinite(value(t, 0, 5.0 + 8 * DBL_EPSILON)));
        CHECK(value(t, 0, 5.0) == 2.0 || is_near(value(t, 0, 5.0), 2.0, 1e-14));
        CHECK(isnan(value(t, 0, NAN)) && isnan(value(t, 0, INFINITY)));
        rg_table_destroy(&t);
    }
    rg_table *t = make(RG_TABLE_LINEAR, RG_BEYOND_REPEAT, N, X, Y);
    CHECK(is_near(value(t, 0, 0.5 + 6.0 * 7), value(t, 0, 0.5), 1e-13));
    CHECK(is_near(value(t, 0, 0.5 - 6.0 * 7), value(t, 0, 0.5), 1e-13));
    CHECK(value(t, 0, 5.0) == Y[0]);
    rg_table_destroy(&t);
}

/* The whole part of the position is the segment, it rises, and its slope is that of differences. */
static void test_position(void)
{
    static const rg_beyond beyonds[] = {RG_BEYOND_ERROR, RG_BEYOND_HOLD, RG_BEYOND_REPEAT};

    for (int b = 0; b < 3; b++) {
        rg_table *t = make(RG_TABLE_LINEAR, beyonds[b], N, X, Y);
        double last = -INFINITY;
        for (int i = 0; i <= 4000; i++) {
            const double x = -20.0 + 0.01 * i + 1e-3, e = 1e-6;
            const double p = rg_table_position(&t->data, 0, x);
            CHECK(p > last && floor(p) == rg_table_segment(&t->data, x));
            last = p;
            const double slope =
                (rg_table_position(&t->data, 0, x + e) - rg_table_position(&t->data, 0, x - e))
                / (2 * e);
            CHECK(is_near(rg_table_position(&t->data, 1, x), slope, 1e-6));
        }
        for (int k = 0; k + 1 < N; k++) {
            const double below = nextafter(X[k + 1], -100.0);
            CHECK(floor(rg_table_position(&t->data, 0, X[k])) == k);
            CHECK(floor(rg_table_position(&t->data, 0, below)) == k || b == 0);
        }
        rg_table_destroy(&t);
    }
}

/* Buckets find what a search through all nodes finds, for nodes of any spacing. */
static void test_find(void)
{
    enum { MANY = 500 };
    double x[MANY], y[MANY];

    for (int k = 0; k < MANY; k++) {
        x[k] = k < 250 ? pow(1.1, k) : x[k - 1] + (k % 7 == 0 ? 1e9 : 1e-3 * x[249]);
        y[k] = k;
    }
    rg_table *t = make(RG_TABLE_STEPS, RG_BEYOND_HOLD, MANY, x, y);
    for (int k = 0; k < MANY; k++) {
        CHECK(value(t, 0, x[k]) == k);
        if (k > 0) CHECK(value(t, 0, nextafter(x[k], 0.0)) == k - 1);
        if (k > 0) CHECK(value(t, 0, 0.5 * (x[k] + x[k - 1])) == k - 1);
    }
    rg_table_destroy(&t);
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* Symbolic derivatives against differences, through tapes of one and of many iterations. */
static void test_derivatives(void)
{
    for (int kind = 0; kind < RG_TABLE_KINDS; kind++)
        for (int beyond = 0; beyond < RG_BEYOND_COUNT; beyond++) {
            double y[N];
            rg_graph *g;
            rg_tape *tape;
            for (int k = 0; k < N; k++)
                y[k] = Y[k];
            rg_table *t = make((rg_table_kind)kind, (rg_beyond)beyond, N, X, y);
            CHECK_INT(rg_graph_create(ctx, &g), RG_OK);
            const rg_node x = rg_graph_var(g, 0, 0);
            const rg_node inner = rg_graph_binary(g, RG_OP_MUL, x, x);
            rg_node out[4] = {rg_table_node(g, t, inner)};
            for (int k = 1; k < 4; k++)
                out[k] = rg_graph_partial(g, out[k - 1], x);
            CHECK_INT(rg_tape_create(ctx, g, 4, out, &tape), RG_OK);
            double *work = calloc(rg_tape_workspace(tape), sizeof *work), in[5], value_of[4][5];
            for (int i = 0; i < 200; i++) {
                const double at = 0.011 * i + 0.0003, e = 1e-5;
                for (int j = 0; j < 5; j++)
                    in[j] = at + (j - 2) * e;
                const rg_tape_source from = {
                    in, {0, 1, NULL}
                };
                rg_tape_target to[4];
                for (int k = 0; k < 4; k++)
                    to[k] = (rg_tape_target){
                        value_of[k], {0, 1, NULL},
                         false
                    };
                CHECK(rg_tape_run(tape, 0.0, 0, 5, NULL, &from, to, work));
                work[0] = in[2];
                rg_tape_run_one(tape, 0.0, work);
                for (int k = 0; k < 4; k++)
                    CHECK(work[rg_tape_results(tape) + k] == value_of[k][2]);
                bool is_inside = true; /* no node between the points */
                for (int k = 0; k < N; k++)
                    is_inside = is_inside && (in[0] * in[0] > X[k] || in[4] * in[4] < X[k]);
                for (int k = 1; k < 4 && is_inside; k++)
                    CHECK(is_near(value_of[k][2],
                                  (value_of[k - 1][3] - value_of[k - 1][1]) / (2 * e), 1e-6));
            }
            free(work);
            rg_tape_destroy(&tape);
            rg_graph_destroy(&g);
            rg_table_destroy(&t);
        }
}

static void test_nodes(void)
{
    rg_table *line = make(RG_TABLE_LINEAR, RG_BEYOND_ERROR, N, X, Y);
    rg_table *curve = make(RG_TABLE_MONOTONE, RG_BEYOND_ERROR, N, X, Y);
    rg_graph *g;

    CHECK_INT(rg_graph_create(ctx, &g), RG_OK);
    const rg_node x = rg_graph_var(g, 0, 0);
    CHECK(rg_graph_at(g, rg_table_node(g, line, x))->depends & RG_DEP_KINK);
    CHECK(!(rg_graph_at(g, rg_table_node(g, curve, x))->depends & RG_DEP_KINK));
    CHECK_INT(rg_table_node(g, line, x), rg_table_node(g, line, x));
    CHECK(rg_table_node(g, line, x) != rg_table_node(g, curve, x));
    const rg_node number = rg_table_node(g, line, rg_graph_const(g, 0.125));
    CHECK(rg_graph_at(g, number)->op == RG_OP_CONST && rg_graph_at(g, number)->value == 1.25);
    rg_graph_destroy(&g);
    rg_table_destroy(&line);
    rg_table_destroy(&curve);
}

/* ---- SciPy ----------------------------------------------------------------------------------- */

/* Second derivatives jump at the nodes of `monotone`. */
static void compare_set(const scipy_set *s)
{
    static const rg_table_kind kind[] = {RG_TABLE_MONOTONE, RG_TABLE_SMOOTH, RG_TABLE_SMOOTH};
    const rg_beyond beyond = s->kind == SCIPY_PERIODIC ? RG_BEYOND_REPEAT : RG_BEYOND_HOLD;
    rg_table *t = make(kind[s->kind], beyond, s->n, s->x, s->y);
    double size = 0.0, least = s->x[1] - s->x[0];

    for (int k = 0; k < s->n; k++)
        size = fmax(size, fabs(s->y[k]));
    for (int k = 1; k < s->n; k++)
        least = fmin(least, s->x[k] - s->x[k - 1]);
    for (int i = 0; i < SCIPY_PLACES; i++)
        for (int order = 0; order < 3; order++) {
            const double *at = s->at[i], tol = 2e-14 * size / pow(least, order);
            bool is_node = false;
            for (int k = 0; k < s->n; k++)
                is_node = is_node || at[0] == s->x[k];
            if (order == 2 && is_node) continue;
            const double x = at[0] == s->x[s->n - 1] ? nextafter(at[0], at[0] - 1.0) : at[0];
            CHECK_NEAR(value(t, order, x), at[1 + order], tol);
        }
    rg_table_destroy(&t);
}

static void test_scipy(void)
{
    for (size_t k = 0; k < sizeof scipy_sets / sizeof *scipy_sets; k++)
        compare_set(&scipy_sets[k]);
}

static const test_case cases[] = {
    {"monotone",         test_monotone        },
    {"scipy",            test_scipy           },
    {"smooth",           test_smooth          },
    {"linear and steps", test_linear_and_steps},
    {"beyond the ends",  test_beyond          },
    {"position",         test_position        },
    {"find",             test_find            },
    {"derivatives",      test_derivatives     },
    {"nodes",            test_nodes           },
};

int main(void)
{
    rg_context_create(&ctx);
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
