/* Orders and drift of the formulations that are made from the model as written, on the pendulum of
 * index 3.
 *
 * Radau IIA with s stages (HLR89, section 2): stabilized form, index 2: positions and velocities
 * 2s-1, multiplier s; reduced form, index 1, with projection: all 2s-1.  Reference: the angle, an
 * ordinary differential equation. */
#include "base/options.h"
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 5, MOST = 5 };
static const double DEVIATION = 0.2;
static rg_context *ctx;

static const char pendulum[] = "var p = 1, q = 0, u = 0, v = 0, lam\n"
                               "p' = u\nq' = v\nu' = -p*lam\nv' = -q*lam - 1\n"
                               "0 = p^2 + q^2 - 1\nover t = 0 .. 10\n";

/* p = sin a, q = -cos a, (u, v) = a' (cos a, sin a), lam = a'^2 + cos a */
static void from_angle(double a, double w, double *y)
{
    y[0] = sin(a);
    y[1] = -cos(a);
    y[2] = w * cos(a);
    y[3] = w * sin(a);
    y[4] = w * w + cos(a);
}

static bool solve(const char *text, double t_end, const rg_options *o, rg_solution **s,
                  rg_problem **p)
{
    return CHECK_INT(rg_problem_from_text(ctx, text, p), RG_OK)
           && CHECK_INT(rg_solve(*p, t_end, o, s), RG_OK);
}

static void exact(double t, double *y)
{
    rg_options o = rg_options_default();
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double a[2] = {0, 0};

    o.rtol = o.atol = 1e-13;
    if (solve("var a = pi/2, w = 0\na' = w\nw' = -sin(a)\nover t = 0 .. 1\n", t, &o, &s, &p))
        rg_solution_eval(s, t, a, NULL);
    from_angle(a[0], a[1], y);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

typedef struct {
    const char *formulation;
    int stages;
    double t_end, t, h; /* errors at t, h halved m times */
    int m;
    double order[N];
} order_case;

static bool run(const order_case *c, double h, double *y)
{
    rg_options o = rg_options_default();
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    o.step = h;
    o.stages = c->stages;
    strcpy(o.formulation, c->formulation);
    const bool ok = solve(pendulum, c->t_end, &o, &s, &p)
                    && CHECK_INT(rg_solution_eval(s, c->t, y, NULL), RG_OK)
                    && CHECK(rg_solution_drift(s, 0) < 1e-13 && rg_solution_drift(s, 1) < 1e-13);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return ok;
}

static void check_order(const order_case *c)
{
    double reference[N], y[N], error[MOST + 1][N];

    exact(c->t, reference);
    for (int k = 0; k <= c->m; k++) {
        if (!run(c, ldexp(c->h, -k), y)) return;
        for (int i = 0; i < N; i++)
            error[k][i] = fabs(y[i] - reference[i]);
    }
    for (int i = 0; i < N; i++) {
        const double order = log2(error[0][i] / error[c->m][i]) / c->m;
        if (c->order[i] == 0.0) continue;
        if (!CHECK(order > c->order[i] - DEVIATION && error[0][i] > 1e-14))
            printf("%s, %d stages, component %d: order %.2f, theory %.0f, errors %.2e .. %.2e\n",
                   c->formulation, c->stages, i, order, c->order[i], error[0][i], error[c->m][i]);
    }
}

static void test_stabilized(void)
{
    check_order(&(order_case){
        "ggl", 3, 10.0, 10.0, 0.25, 3, {5, 5, 5, 5, 3}
    });
    check_order(&(order_case){
        "ggl", 5, 10.0, 10.0, 0.5, 2, {9, 9, 9, 9, 5}
    });
}

static void test_projected(void)
{
    check_order(&(order_case){
        "projected", 3, 10.0, 10.0, 0.25, 3, {5, 5, 5, 5, 5}
    });
    check_order(&(order_case){
        "projected", 5, 10.0, 10.0, 0.5, 2, {9, 9, 9, 9, 9}
    });
}

/* Between the points: the polynomial of degree s has order s + 1 where the step starts right, and
 * its end is the projected point; the projection must not show. */
static void test_dense_output(void)
{
    check_order(&(order_case){
        "projected", 3, 6.0, 5.07, 0.25, 3, {3.5, 3.5, 3, 3, 3}
    });
    check_order(&(order_case){
        "ggl", 3, 6.0, 5.07, 0.25, 3, {3, 3, 3, 3, 2}
    });
}

/* Some 400 swings: neither level grows, and the energy falls slowly. */
static void test_long_run(void)
{
    static const char *const formulations[] = {"ggl", "projected"};

    for (int k = 0; k < 2; k++) {
        rg_options o = rg_options_default();
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        double y[N];
        o.rtol = o.atol = 1e-6;
        strcpy(o.formulation, formulations[k]);
        if (solve(pendulum, 1000.0, &o, &s, &p)) {
            rg_solution_eval(s, 1000.0, y, NULL);
            CHECK(rg_solution_drift(s, 0) < 1e-14);
            CHECK(rg_solution_drift(s, 1) < 1e-14);
            CHECK_NEAR((y[2] * y[2] + y[3] * y[3]) / 2 + y[1], 0.0, 1e-3);
        }
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"stabilized",   test_stabilized  },
        {"projected",    test_projected   },
        {"dense output", test_dense_output},
        {"long run",     test_long_run    }
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
