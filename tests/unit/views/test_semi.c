/* The views with separate constraints: values against those worked out by hand, and models that
 * have no such form. */
#include "views/semi/semi.h"

#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    rg_context *ctx;
    rg_problem *p;
    rg_system *system;
    rg_semi *view;
} fixture;

typedef rg_status create_view(const rg_system *s, const char *method, rg_semi **out);

static rg_status open_with(fixture *x, const char *text, create_view *create)
{
    const rg_analysis *a;

    memset(x, 0, sizeof *x);
    if (!CHECK_INT(rg_context_create(&x->ctx), RG_OK)
        || !CHECK_INT(rg_problem_from_text(x->ctx, text, &x->p), RG_OK)
        || !CHECK_INT(rg_analysis_get(x->p, &a), RG_OK)
        || !CHECK_INT(rg_system_create(x->p, a, RG_VIEW_DIRECT, &x->system), RG_OK))
        return RG_ERR_ARGUMENT;
    return create(x->system, "srm", &x->view);
}

static rg_status open_view(fixture *x, const char *text)
{
    return open_with(x, text, rg_semi_create);
}

static void close_view(fixture *x)
{
    rg_semi_destroy(&x->view);
    rg_system_destroy(&x->system);
    rg_problem_destroy(&x->p);
    rg_context_destroy(&x->ctx);
}

typedef struct {
    double f[4], B[4], g[2], G[4], g1[2], g2[2];
} numbers;

static bool evaluate(rg_semi *view, double t, const double *x, const double *v, numbers *n)
{
    rg_semi_values values = {n->f, n->B, n->g, n->G, n->g1, n->g2};

    return CHECK_INT(rg_semi_eval(view, t, x, v, &values), RG_OK);
}

/* 2 x1' + x2' = t - x1 y,  x2' = x1 - 3 y,  0 = x1^2 x2 - t:  M = (2 1; 0 1), so f = ((t - x1)/2,
 * x1), B = ((x1 - 3)/2, 3). */
static void test_mass(void)
{
    fixture x;
    numbers n;
    const double at[2] = {1.5, 0.5};

    if (CHECK_INT(open_view(&x, "var x1 = 1, x2\nvar y\n2*x1' + x2' = t - x1*y\nx2' = x1 - 3*y\n"
                                "x1^2*x2 - t = 0\nover t = 1 .. 2\n"),
                  RG_OK)
        && evaluate(x.view, 2.0, at, NULL, &n)) {
        CHECK_INT(rg_semi_order(x.view), 1);
        CHECK_INT(rg_semi_size(x.view), 2);
        CHECK_INT(rg_semi_constraints(x.view), 1);
        CHECK_NEAR(n.f[0], 0.25, 1e-15);
        CHECK_NEAR(n.f[1], 1.5, 1e-15);
        CHECK_NEAR(n.B[0], -0.75, 1e-15);
        CHECK_NEAR(n.B[1], 3.0, 1e-15);
        CHECK_NEAR(n.g[0], 1.5 * 1.5 * 0.5 - 2.0, 1e-15);
        CHECK_NEAR(n.G[0], 1.5, 1e-15);
        CHECK_NEAR(n.G[1], 2.25, 1e-15);
        CHECK_NEAR(n.g1[0], -1.0, 1e-15); /* g_t */
    }
    close_view(&x);
}

/* m q'' = -q lambda - m g e_2, 0 = |q|^2 - 1 - t: B = q/m, G = 2 q^T, dg/dt = 2 q v - 1, d2g/dt2 =
 * 2 v v at q'' = 0. */
static void check_pendulum(const char *text)
{
    fixture x;
    numbers n;
    const double q[2] = {0.6, -0.8}, v[2] = {0.3, 0.5};

    if (CHECK_INT(open_view(&x, text), RG_OK) && evaluate(x.view, 0.0, q, v, &n)) {
        CHECK_INT(rg_semi_order(x.view), 2);
        CHECK_NEAR(n.f[0], 0.0, 1e-15);
        CHECK_NEAR(n.f[1], -9.81, 1e-14);
        CHECK_NEAR(n.B[0], 0.3, 1e-15);
        CHECK_NEAR(n.B[1], -0.4, 1e-15);
        CHECK_NEAR(n.G[0], 1.2, 1e-15);
        CHECK_NEAR(n.G[1], -1.6, 1e-15);
        CHECK_NEAR(n.g[0], 0.0, 1e-15);
        CHECK_NEAR(n.g1[0], 2.0 * (0.18 - 0.4) - 1.0, 1e-15);
        CHECK_NEAR(n.g2[0], 2.0 * (0.09 + 0.25), 1e-15);
    }
    close_view(&x);
}

static void test_pendulum(void)
{
    check_pendulum("param m = 2, g = 9.81\nvar p = 1, q, p', q' = 0\nvar lambda\n"
                   "m*p'' = -p*lambda\nm*q'' = -q*lambda - m*g\np^2 + q^2 - 1 - t = 0\n"
                   "over t = 0 .. 1\n");
    check_pendulum("param m = 2, g = 9.81\nvar p = 1, q, u, v = 0\nvar lambda\n"
                   "p' = u\nv = q'\nm*u' = -p*lambda\nm*v' = -q*lambda - m*g\n"
                   "p^2 + q^2 - 1 - t = 0\nover t = 0 .. 1\n");
}

/* Multipliers are declared in another order than the constraints are written: constraint k is the
 * one whose gradient is column k of dF/dy.  Products without the full matrices give the same as
 * these. */
static void test_pairs(void)
{
    fixture x;
    double f[4], B[8], g[2], G[8], g1[2], g2[2], w[4], u[2];
    const double q[4] = {0.6, -0.8, 1.5, 0.3}, v[4] = {0}, y[2] = {0.7, -0.4};
    rg_semi_values values = {f, B, g, G, g1, g2}, lean = {f, NULL, g, NULL, g1, g2};

    if (CHECK_INT(open_view(&x, "var a = 0, b = 1, c = 1, d = 1, a' = 0, c' = 0\nvar m, l\n"
                                "2*a'' + c'' = -2*a*l\nb'' = -2*b*l - (b - d)*m\n"
                                "3*c'' = -m\nd'' = (b - d)*m\n"
                                "a^2 + b^2 - 1 = 0\n(b - d)^2/2 + c - 1 = 0\n"
                                "over t = 0 .. 1\n"),
                  RG_OK)
        && CHECK_INT(rg_semi_eval(x.view, 0.0, q, v, &values), RG_OK)) {
        CHECK_NEAR(g[0], 1.1 * 1.1 / 2 + 0.5, 1e-15); /* of m */
        CHECK_NEAR(g[1], 0.0, 1e-15);                 /* of l */
        CHECK_NEAR(G[1], 1.2, 1e-15);
        CHECK_NEAR(G[2 * 2], 1.0, 1e-15);
        CHECK_INT(rg_semi_eval(x.view, 0.0, q, v, &lean), RG_OK);
        rg_semi_force(x.view, y, w);
        for (int i = 0; i < 4; i++)
            CHECK_NEAR(w[i], B[i] * y[0] + B[4 + i] * y[1], 1e-15);
        rg_semi_gradient(x.view, w, u);
        for (int k = 0; k < 2; k++)
            CHECK_NEAR(u[k], G[k] * w[0] + G[2 + k] * w[1] + G[4 + k] * w[2] + G[6 + k] * w[3],
                       1e-15);
    }
    close_view(&x);
}

/* 2 x1' = t - y^3, x2' = x1 - sin(y): f at y, B = -df/dy.  Without leave this is refused; nonlinear
 * in x' it always is. */
static void test_nonlinear(void)
{
    static const char bent[] = "var x1 = 1, x2 = 0\nvar y ~ 1\n2*x1' = t - y^3\nx2' = x1 - sin(y)\n"
                               "x1 + x2 - 1 = 0\nover t = 0 .. 1\n";
    fixture x;
    numbers n;
    const double at[2] = {1.5, 0.5}, y = 0.5;
    rg_semi_values values = {n.f, n.B, n.g, n.G, n.g1, n.g2};

    CHECK_INT(open_view(&x, bent), RG_ERR_METHOD);
    close_view(&x);
    if (CHECK_INT(open_with(&x, bent, rg_semi_create_general), RG_OK)
        && CHECK_INT(rg_semi_eval_at(x.view, 2.0, at, NULL, &y, &values), RG_OK)) {
        CHECK(!rg_semi_is_linear(x.view));
        CHECK_NEAR(n.f[0], (2.0 - 0.125) / 2.0, 1e-15);
        CHECK_NEAR(n.f[1], 1.5 - sin(0.5), 1e-15);
        CHECK_NEAR(n.B[0], 0.375, 1e-15);
        CHECK_NEAR(n.B[1], cos(0.5), 1e-15);
    }
    close_view(&x);
    CHECK_INT(open_with(&x,
                        "var x1 = 1, x2 = 0\nvar y ~ 1\nx1' + x1'^3 = t - y\nx2' = x1 - y\n"
                        "x1 + x2 - 1 = 0\nover t = 0 .. 1\n",
                        rg_semi_create_general),
              RG_ERR_METHOD);
    close_view(&x);
}

/* Known solutions: y', y'' by differentiating the system. */
static void check_derivatives(const char *text, const double *x0, const double *x1,
                              const double *x2, double y, double y1, double y2)
{
    const double *const x[3] = {x0, x1, x2};
    double out[2];
    fixture f;

    if (CHECK_INT(open_with(&f, text, rg_semi_create_general), RG_OK)
        && CHECK_INT(rg_semi_derivatives(f.view, 0.0, x, &y, 2, out), RG_OK)) {
        CHECK_NEAR(out[0], y1, 1e-13);
        CHECK_NEAR(out[1], y2, 1e-13);
    }
    close_view(&f);
}

static void test_derivatives(void)
{
    const double x0[] = {1, 0}, x1[] = {-1, 1}, q0[] = {0, 0}, q1[] = {1, 1}, q2[] = {0, 0},
                 big[] = {0, 0, 0}, one[] = {1, 1, 1};

    /* x = (e^-t, sin t), y = e^t: N Example 6.1 */
    check_derivatives("var x1 = 1, x2 = 0\nvar y\n"
                      "x1' = 1 - exp(-t) - x1*y\nx2' = cos(t) + exp(t)*sin(t) - x2*y\n"
                      "0 = (x1^2 + x2^2 - exp(-2*t) - sin(t)^2)/2\nover t = 0 .. 1\n",
                      x0, x1, NULL, 1, 1, 1);
    /* q = (sin t, sin t), y = e^(2t): M = (2 1; 1 2), y enters as y^2 */
    check_derivatives("var q1 = 0, q2 = 0, q1' = 1, q2' = 1\nvar y ~ 1\n"
                      "2*q1'' + q2'' = -3*sin(t) + y^2 - exp(4*t)\n"
                      "q1'' + 2*q2'' = -3*sin(t) + q1 - q2\n0 = q1 + q2^3 - sin(t) - sin(t)^3\n"
                      "over t = 0 .. 1\n",
                      q0, q1, q2, 1, 2, 4);
    /* the same kind with q' = v written out, three positions */
    check_derivatives("var a = 0, b = 0, c = 0, u = 1, v = 1, w = 1\nvar y\n"
                      "a' = u\nb' = v\nc' = w\nu' = -sin(t) - y + cos(3*t)\nv' = -sin(t)\n"
                      "w' = -sin(t) - a*y + sin(t)*cos(3*t)\n0 = a + b*c - sin(t) - sin(t)^2\n"
                      "over t = 0 .. 1\n",
                      big, one, big, 1, 0, -9);
}

static void test_misfits(void)
{
    static const struct {
        const char *text, *message;
    } models[] = {
        {"var x = 1\nx' = -x\nover t = 0 .. 1\n",                                              "no multiplier"            },
        {"var x = 1, z\nx' = -z\n0 = z - x\nover t = 0 .. 1\n",                                "no constraint 0 = g(x, t)"},
        {"var x = 1, w = 1\nvar y\nx' = -y^3\nw' = y + x\n0 = x - exp(-t)\nover t = 0 .. 1\n",
         "not linear"                                                                                                     },
        {"var q = 0, v = 0\nvar y\nq' = 2*v\nv' = -y\n0 = q - t^2\nover t = 0 .. 1\n",         "q' = v"                   },
    };

    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        fixture x;
        CHECK_INT(open_view(&x, models[k].text), RG_ERR_METHOD);
        CHECK(x.view == NULL);
        if (!CHECK(strstr(rg_last_error(x.ctx)->message, models[k].message) != NULL))
            test_text(rg_last_error(x.ctx)->message, models[k].message, __FILE__, __LINE__,
                      "message");
        CHECK(strstr(rg_last_error(x.ctx)->remedy, "radau") != NULL);
        close_view(&x);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"mass",        test_mass       },
        {"pendulum",    test_pendulum   },
        {"pairs",       test_pairs      },
        {"derivatives", test_derivatives},
        {"nonlinear",   test_nonlinear  },
        {"misfits",     test_misfits    }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
