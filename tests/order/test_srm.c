/* Orders of sequential regularization, from the shipped models.
 *
 *     iterates, eps halved:      x_s - x = O(eps^s), away from an initial layer     L Theorem 3.1,
 *                                                                    N Theorems 2.2 and 4.1
 *     schemes, h halved:         O(h^p) against the exact-in-time iterate           L (4.4), (4.8)
 *
 * with singular points (L Example 2, N Examples 6.2 and 6.3) and without (N Examples 6.1 and 6.4);
 * equations that are not linear in the multipliers (thesis 7.2), and order 3 (thesis (2.15)). */
#include "regula.h"
#include "support/options.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double DEVIATION = 0.2;

typedef struct { /* the largest error behind the initial layer */
    void (*exact)(double t, double *x);
    double largest;
} watch;

static const double LAYER = 0.4;

static double distance(const double *a, const double *b)
{
    return fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1]));
}

static int note(double t, const double *y, const double *yp, void *user)
{
    watch *w = user;
    double exact[2];

    (void)yp;
    if (w == NULL || t < LAYER) return 0;
    w->exact(t, exact);
    w->largest = fmax(w->largest, distance(y, exact));
    return 0;
}

/* The end values of the first `count` unknowns; w, or NULL, sees the mesh points. */
static bool run(const char *model, const char *text, double t_end, int count, double *end, watch *w)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double y[16];

    bool ok = CHECK_INT(rg_context_create(&ctx), RG_OK)
              && CHECK_INT(rg_problem_from_file(ctx, model, &p), RG_OK)
              && options_from_words(ctx, &o, text);
    ok = ok && CHECK_INT(rg_solve_with(p, t_end, &o, note, w, &s), RG_OK)
         && CHECK_INT(rg_solution_eval(s, t_end, y, NULL), RG_OK);
    for (int k = 0; ok && k < count; k++)
        end[k] = y[k];
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return ok;
}

typedef struct {
    const char *model, *variant;
    double eps;
    void (*exact)(double t, double *x);
} eps_case;

static void decay(double t, double *x)
{
    x[0] = exp(-t);
    x[1] = sin(t);
}

static void origin(double t, double *x)
{
    x[0] = t - 0.5;
    x[1] = t * t - 0.25;
}

static void line(double t, double *x)
{
    x[0] = 1.0 - 2.0 * t;
    x[1] = sin(t);
}

static void circle(double t, double *x)
{
    x[0] = sin(t);
    x[1] = cos(t);
}

static void robot(double t, double *x)
{
    x[0] = sin(t);
    x[1] = -2.0 * sin(t);
}

/* Three iterates, eps halved twice; gauss3 with a step of 1/400 adds nothing that is seen. */
static void check_eps(const eps_case *c)
{
    double x[2], error[3];
    char text[256];

    for (int s = 1; s <= 3; s++) {
        for (int k = 0; k < 3; k++) {
            snprintf(text, sizeof text,
                     "method=srm variant=%s scheme=gauss3 step=0.0025 eps=%.17g iterations=%d",
                     c->variant, ldexp(c->eps, -k), s);
            watch w = {c->exact, 0.0};
            if (!run(c->model, text, 1.0, 2, x, &w)) return;
            error[k] = w.largest;
        }
        const double order = log2(error[0] / error[2]) / 2.0;
        if (!CHECK(order > s - DEVIATION && order < s + 1.5))
            printf("%s, %s, iterate %d: order %.2f in eps, errors %.2e %.2e %.2e\n", c->model,
                   c->variant, s, order, error[0], error[1], error[2]);
    }
}

static void test_eps(void)
{
    static const eps_case cases[] = {
        {"examples/ivp/srm-nonlinear.rg",   "basic",               0.02,  decay },
        {"examples/ivp/srm-nonlinear.rg",   "simple",              0.01,  decay },
        {"examples/ivp/srm-nonlinear.rg",   "linear-y-rate",       0.02,  decay },
        {"examples/srm/srm-singular.rg",    "linear-by",           0.02,  decay },
        {"examples/srm/srm-singular.rg",    "singular",            0.02,  decay },
        {"examples/srm/srm-bounded.rg",     "singular",            0.02,  origin},
        {"examples/srm/srm-unbounded.rg",   "singular",            0.02,  line  },
        {"examples/ivp/robot-two-link.rg",  "multibody",           0.01,  robot },
        {"examples/ivp/robot-two-link.rg",  "stabilized",          0.005, robot },
        {"examples/ivp/robot-two-link.rg",  "stabilized-singular", 0.005, robot },
        {"examples/ivp/robot-two-link.rg",  "second-order",        0.02,  robot },
        {"examples/srm/srm-order-three.rg", "stabilized",          0.01,  circle},
        {"examples/srm/srm-order-three.rg", "stabilized-singular", 0.01,  circle},
        {"examples/srm/srm-nonlinear-y.rg", "nonlinear",           0.02,  decay },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_eps(&cases[k]);
}

/* Iterate 2 with eps = 0.1 is a smooth function of t: h halved twice against the same iterate by
 * gauss3 with a small step. The mesh with an odd number of steps keeps away from t = 1/2. */
static void check_scheme(const char *model, const char *variant, const char *scheme, double order,
                         int n)
{
    double reference[2], x[2], error[3];
    char text[256];
    const char *head = "method=srm variant=%s scheme=%s step=%.17g eps=0.1 iterations=2";

    snprintf(text, sizeof text, head, variant, "gauss3", 1.0 / 405);
    if (!run(model, text, 1.0, 2, reference, NULL)) return;
    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text, head, variant, scheme, 1.0 / (n << k));
        if (!run(model, text, 1.0, 2, x, NULL)) return;
        error[k] = distance(x, reference);
    }
    const double seen = log2(error[0] / error[2]) / 2.0;
    if (!CHECK(seen > order - DEVIATION && error[2] > 1e-13))
        printf("%s, %s: order %.2f in h, theory %.0f, errors %.2e %.2e %.2e\n", model, scheme, seen,
               order, error[0], error[1], error[2]);
}

static void test_schemes(void)
{
    static const struct {
        const char *name;
        double order;
        int n;
    } schemes[] = {
        {"forward-euler",  1, 100},
        {"backward-euler", 1, 100},
        {"midpoint",       2, 30 },
        {"heun",           2, 60 },
        {"rk4",            4, 30 },
        {"gauss1",         2, 30 },
        {"gauss2",         4, 20 },
        {"gauss3",         6, 6  },
        {"radau1",         1, 100},
        {"radau2",         3, 30 },
        {"radau3",         5, 14 },
    };

    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        check_scheme("examples/ivp/srm-nonlinear.rg", "basic", schemes[k].name, schemes[k].order,
                     schemes[k].n);
        check_scheme("examples/ivp/robot-two-link.rg", "multibody-singular", schemes[k].name,
                     schemes[k].order, schemes[k].n);
        /* through t = 1/2, where B and C vanish, and where B alone does: an odd number of steps at
         * first, a moved mesh point later */
        check_scheme("examples/srm/srm-singular.rg", "linear-by", schemes[k].name, schemes[k].order,
                     schemes[k].n | 1);
        check_scheme("examples/srm/srm-singular-b.rg", "singular", schemes[k].name,
                     schemes[k].order, schemes[k].n | 1);
    }
}

/* L Theorem 3.1 and N (2.14): from y_0 = y(0) there is no layer in the first iterate; from y_0 = 0
 * the multiplier is off by its own size at t << eps, and x by O(eps). */
static void test_layer(void)
{
    double from_zero[3], from_start[3];
    const char *model = "examples/ivp/srm-nonlinear.rg";

    if (!run(model,
             "method=srm variant=basic scheme=gauss3 step=1e-4 eps=0.02 iterations=1 y0=zero",
             0.002, 3, from_zero, NULL)
        || !run(model,
                "method=srm variant=basic scheme=gauss3 step=1e-4 eps=0.02 iterations=1 y0=start",
                0.002, 3, from_start, NULL))
        return;
    CHECK_NEAR(from_zero[2], 1.0 - exp(-0.1), 0.01); /* y(0) (1 - e^(-t/eps)) */
    CHECK_NEAR(from_start[2], exp(0.002), 0.01);
}

/* thesis 7.2, dry friction: with the invariant C = (x'^2 + g/2) (1 + 4 x^2) e^(2 mu atan(2 x)) of
 * coulomb-friction.rg x' = sqrt(C e^(-2 mu atan(2 x))/(1 + 4 x^2) - g/2) is an equation of its own,
 * here by the classical method. */
static double slope(double x)
{
    const double g = 9.81, mu = 0.2, C = (4.0 + g / 2.0) * 5.0 * exp(2.0 * mu * atan(-2.0));

    return sqrt(C * exp(-2.0 * mu * atan(2.0 * x)) / (1.0 + 4.0 * x * x) - g / 2.0);
}

static double sliding(double t)
{
    const int n = 2000;
    const double h = t / n;
    double x = -1.0;

    for (int k = 0; k < n; k++) {
        const double k1 = slope(x), k2 = slope(x + 0.5 * h * k1), k3 = slope(x + 0.5 * h * k2),
                     k4 = slope(x + h * k3);
        x += h * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
    }
    return x;
}

static void test_friction(void)
{
    const char *model = "examples/srm/coulomb-friction.rg";
    const double exact = sliding(0.6);
    double x[2], error[3];
    char text[256];

    for (int s = 1; s <= 3; s++) {
        for (int k = 0; k < 3; k++) {
            snprintf(text, sizeof text,
                     "method=srm scheme=gauss3 step=0.0025 eps=%.17g iterations=%d",
                     ldexp(0.01, -k), s);
            if (!run(model, text, 0.6, 2, x, NULL)) return;
            error[k] = fabs(x[0] - exact);
        }
        const double order = log2(error[0] / error[2]) / 2.0;
        if (!CHECK(order > s - DEVIATION && order < s + 1.5))
            printf("friction, iterate %d: order %.2f in eps, errors %.2e %.2e %.2e\n", s, order,
                   error[0], error[1], error[2]);
    }
    if (run(model, "method=srm tol=1e-8", 0.6, 2, x, NULL)) CHECK_NEAR(x[0], exact, 5e-8);
}

int main(void)
{
    static const test_case cases[] = {
        {"eps",      test_eps     },
        {"schemes",  test_schemes },
        {"layer",    test_layer   },
        {"friction", test_friction}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
