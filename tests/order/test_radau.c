/* Observed orders of the Radau IIA methods with 1, 3, 5 and 7 stages at fixed step, h halved
 * several times, as far down as rounding allows.
 *
 * Theory for s stages (HLR89, section 2, summary of convergence results): ODE 2s-1; index 1: y
 * 2s-1, z 2s-1; index 2: y 2s-1, z s; index 3: y 2s-2, z s, u s-1. */
#include "ivp/integrator.h"
#include "support/mock_system.h"
#include "support/test.h"

static const double DEVIATION = 0.2;

typedef struct {
    const char *name;
    int n;
    int index[4];
    double order[4];
    rg_status (*F)(double t, const double *y, const double *yp, double *F);
    void (*exact)(double t, double *y);
    double t_end, h;
    int stages, refinements;
} order_case;

/* y' from central differences of the exact solution: good to 1e-9, used for the first prediction
 * only. */
static void derivative(const order_case *c, double t, double *yp)
{
    double high[4], low[4];

    c->exact(t + 1e-5, high);
    c->exact(t - 1e-5, low);
    for (int i = 0; i < c->n; i++)
        yp[i] = (high[i] - low[i]) / 2e-5;
}

/* Errors at the end, per component. */
static bool run(rg_context *ctx, const order_case *c, double h, double *error)
{
    rg_system system = {.ctx = ctx, .n = c->n, .F = c->F};
    rg_options o = rg_options_default();
    rg_integrator *g = NULL;
    double y[4], yp[4], exact[4];

    memcpy(system.index, c->index, sizeof c->index);
    mock_init(&system);
    c->exact(0.0, y);
    derivative(c, 0.0, yp);
    const rg_state start = {0.0, y, yp};
    o.step = h;
    o.stages = c->stages;
    bool ok = CHECK_INT(rg_integrator_create(&system, &o, &start, c->t_end, &g), RG_OK)
              && CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
    if (ok) {
        const rg_state end = rg_integrator_state(g);
        CHECK(end.t == c->t_end);
        CHECK_INT(rg_integrator_stats(g).steps, lround(fabs(c->t_end) / h));
        c->exact(end.t, exact);
        for (int i = 0; i < c->n; i++)
            error[i] = fabs(end.y[i] - exact[i]);
    }
    rg_integrator_destroy(&g);
    return ok;
}

/* The mean order over m refinements: log2(e_0/e_m)/m. */
static void check_case(const order_case *c)
{
    enum { MOST = 4 };
    const int m = c->refinements;
    rg_context *ctx = NULL;
    double error[MOST + 1][4];

    if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
    bool ok = true;
    for (int k = 0; ok && k <= m; k++)
        ok = run(ctx, c, ldexp(c->h, -k), error[k]);
    for (int i = 0; ok && i < c->n; i++) {
        const double order = log2(error[0][i] / error[m][i]) / m;
        if (c->order[i] == 0.0) continue;
        if (!CHECK(order > c->order[i] - DEVIATION && error[0][i] > 1e-14))
            printf("%s, %d stages, component %d: order %.2f, theory %.0f, errors %.2e .. %.2e\n",
                   c->name, c->stages, i, order, c->order[i], error[0][i], error[m][i]);
    }
    rg_context_destroy(&ctx);
}

/* ---- ODE: y1' = y2, y2' = -y1 + (y1^2 + y2^2 - 1) y1;  y = (sin t, cos t) */
static rg_status ode_F(double t, const double *y, const double *yp, double *F)
{
    (void)t;
    F[0] = yp[0] - y[1];
    F[1] = yp[1] + y[0] - (y[0] * y[0] + y[1] * y[1] - 1.0) * y[0];
    return RG_OK;
}

static void ode_exact(double t, double *y)
{
    y[0] = sin(t);
    y[1] = cos(t);
}

/* ---- index 1: y' = z y, 0 = z - cos t + (y^2 - e^(2 sin t))/10;  y = e^(sin t), z = cos t */
static rg_status index1_F(double t, const double *y, const double *yp, double *F)
{
    F[0] = yp[0] - y[1] * y[0];
    F[1] = y[1] - cos(t) + 0.1 * (y[0] * y[0] - exp(2.0 * sin(t)));
    return RG_OK;
}

static void index1_exact(double t, double *y)
{
    y[0] = exp(sin(t));
    y[1] = cos(t);
}

/* ---- index 1, not semi-explicit:  y1' + y2' = 2 y1 z,  (y2')^3 + y2' + y2 = cos^3 t + cos t + sin
 * t,
 *      0 = z^3 + y1 y2 - (their values);   y = (e^t, sin t), z = (e^t + cos t)/(2 e^t) */
static rg_status implicit_F(double t, const double *y, const double *yp, double *F)
{
    const double e = exp(t), z = (e + cos(t)) / (2.0 * e);

    F[0] = yp[0] + yp[1] - 2.0 * y[0] * y[2];
    F[1] = yp[1] * yp[1] * yp[1] + yp[1] - pow(cos(t), 3.0) - cos(t) + y[1] - sin(t);
    F[2] = y[2] * y[2] * y[2] - z * z * z + y[1] * y[0] - e * sin(t);
    return RG_OK;
}

static void implicit_exact(double t, double *y)
{
    y[0] = exp(t);
    y[1] = sin(t);
    y[2] = (exp(t) + cos(t)) / (2.0 * exp(t));
}

/* ---- index 2, nonlinear in z:  y1' = y1 y2^2 z^2, y2' = y1^2 y2^2 - 3 y2^2 z, 0 = y1^2 y2 - 1;
 *      y = (e^t, e^(-2t)), z = e^(2t) */
static rg_status index2_F(double t, const double *y, const double *yp, double *F)
{
    (void)t;
    F[0] = yp[0] - y[0] * y[1] * y[1] * y[2] * y[2];
    F[1] = yp[1] - y[0] * y[0] * y[1] * y[1] + 3.0 * y[1] * y[1] * y[2];
    F[2] = y[0] * y[0] * y[1] - 1.0;
    return RG_OK;
}

static void index2_exact(double t, double *y)
{
    y[0] = exp(t);
    y[1] = exp(-2.0 * t);
    y[2] = exp(2.0 * t);
}

/* ---- index 3, s = t + 1:  y1' = z + y2 - cos s, y2' = -y1 z / cos s, z' = u (1 + y1^2) + y2 z,
 *      0 = y1 - sin s + (y2 - cos s) y1 / 20;   y = (sin s, cos s), z = cos s, 
 *      u = -(sin s + cos^2 s)/(1 + sin^2 s) */
static rg_status index3_F(double t, const double *y, const double *yp, double *F)
{
    const double s = t + 1.0;

    F[0] = yp[0] - y[2] - y[1] + cos(s);
    F[1] = yp[1] + y[0] * y[2] / cos(s);
    F[2] = yp[2] - y[3] * (1.0 + y[0] * y[0]) - y[1] * y[2];
    F[3] = y[0] - sin(s) + 0.05 * (y[1] - cos(s)) * y[0];
    return RG_OK;
}

static void index3_exact(double t, double *y)
{
    const double s = t + 1.0;

    y[0] = sin(s);
    y[1] = cos(s);
    y[2] = cos(s);
    y[3] = (-sin(s) - cos(s) * cos(s)) / (1.0 + sin(s) * sin(s));
}

/* ---- index 2, mild enough for long steps, w = 3:  y1' = w y2 + (z - q)(1 + y2/10),
 *      y2' = -w y1 - (z^2 - q^2)/10,
 *      0 = y1 + y1 y2/10 - (its value);   y = (sin wt, cos wt), z = q = cos 2t */
static rg_status wave2_F(double t, const double *y, const double *yp, double *F)
{
    const double w = 3.0, q = cos(2.0 * t);

    F[0] = yp[0] - w * y[1] - (y[2] - q) * (1.0 + 0.1 * y[1]);
    F[1] = yp[1] + w * y[0] + 0.1 * (y[2] * y[2] - q * q);
    F[2] = y[0] + 0.1 * y[0] * y[1] - sin(w * t) * (1.0 + 0.1 * cos(w * t));
    return RG_OK;
}

static void wave2_exact(double t, double *y)
{
    y[0] = sin(3.0 * t);
    y[1] = cos(3.0 * t);
    y[2] = cos(2.0 * t);
}

/* ---- index 3, the same, w = 2:  y1' = z - (y2 - cos wt)/5, y2' = -w y1 - 3/10 (z - w cos wt) y2,
 *      z' = u (1 + y1^2/10) + y2 z/5,  0 = y1 + (y2 - cos wt) y1/10 - sin wt;
 *      y = (sin wt, cos wt), z = w cos wt, u = (-w^2 sin wt - w cos^2 wt/5)/(1 + sin^2 wt/10) */
static rg_status wave3_F(double t, const double *y, const double *yp, double *F)
{
    const double w = 2.0, c = cos(w * t);

    F[0] = yp[0] - y[2] + 0.2 * (y[1] - c);
    F[1] = yp[1] + w * y[0] + 0.3 * (y[2] - w * c) * y[1];
    F[2] = yp[2] - y[3] * (1.0 + 0.1 * y[0] * y[0]) - 0.2 * y[1] * y[2];
    F[3] = y[0] + 0.1 * (y[1] - c) * y[0] - sin(w * t);
    return RG_OK;
}

static void wave3_exact(double t, double *y)
{
    const double w = 2.0, s = sin(w * t), c = cos(w * t);

    y[0] = s;
    y[1] = c;
    y[2] = w * c;
    y[3] = (-w * w * s - 0.2 * w * c * c) / (1.0 + 0.1 * s * s);
}

static void test_ode(void)
{
    check_case(&(order_case){
        "ODE", 2, {1, 1},
          {5, 5},
          ode_F, ode_exact, 2.0, 0.25, 3, 4
    });
}

static void test_index1(void)
{
    check_case(&(order_case){
        "index 1", 2, {1, 1},
          {5, 5},
          index1_F, index1_exact, 2.0, 0.25, 3, 4
    });
}

static void test_implicit(void)
{
    check_case(&(order_case){
        "implicit", 3, {1, 1, 1},
          {5, 5, 5},
          implicit_F, implicit_exact, 1.0, 0.25, 3, 4
    });
}

static void test_index2(void)
{
    check_case(&(order_case){
        "index 2", 3, {1, 1, 2},
          {5, 5, 3},
          index2_F, index2_exact, 1.0, 0.1, 3, 4
    });
}

static void test_index3(void)
{
    check_case(&(order_case){
        "index 3", 4, {1, 1, 2, 3},
          {4, 4, 3, 2},
          index3_F, index3_exact, 0.4, 0.1, 3, 4
    });
}

static void test_backward(void)
{
    check_case(&(order_case){
        "ODE backward", 2, {1, 1},
          {5, 5},
          ode_F, ode_exact, -2.0, 0.25, 3, 4
    });
    check_case(&(order_case){
        "index 2 backward", 3, {1, 1, 2},
          {5, 5, 3},
          index2_F, index2_exact, -0.5, 0.05, 3, 3
    });
}

static void test_one(void)
{
    check_case(&(order_case){
        "ODE", 2, {1, 1},
          {1, 1},
          ode_F, ode_exact, 1.0, 1.0 / 32.0, 1, 4
    });
    check_case(&(order_case){
        "index 2", 3, {1, 1, 2},
          {1, 1, 1},
          index2_F, index2_exact, 0.5, 1.0 / 64.0, 1, 4
    });
}

/* Differential and algebraic components need different steps: where the ones show their order, the
 * others are at rounding level or not there yet.  Order 0: not looked at. */
static void test_five(void)
{
    check_case(&(order_case){
        "ODE", 2, {1, 1},
          {9, 9},
          ode_F, ode_exact, 4.0, 1.0, 5, 2
    });
    check_case(&(order_case){
        "index 1", 2, {1, 1},
          {9, 9},
          index1_F, index1_exact, 2.0, 1.0, 5, 2
    });
    check_case(&(order_case){
        "index 2", 3, {1, 1, 2},
          {9, 9, 0},
          wave2_F, wave2_exact, 4.0, 1.0, 5, 3
    });
    check_case(&(order_case){
        "index 2", 3, {1, 1, 2},
          {0, 0, 5},
          wave2_F, wave2_exact, 4.0, 0.5, 5, 3
    });
    check_case(&(order_case){
        "index 3", 4, {1, 1, 2, 3},
          {8, 8, 0, 0},
          wave3_F, wave3_exact, 4.0, 1.0, 5, 2
    });
    check_case(&(order_case){
        "index 3", 4, {1, 1, 2, 3},
          {0, 0, 5, 4},
          wave3_F, wave3_exact, 4.0, 0.5, 5, 3
    });
}

static void test_seven(void)
{
    check_case(&(order_case){
        "ODE", 2, {1,  1 },
          {13, 13},
          ode_F, ode_exact, 4.0, 2.0, 7, 1
    });
    check_case(&(order_case){
        "index 1", 2, {1,  1 },
          {13, 13},
          index1_F, index1_exact, 2.0, 1.0, 7, 1
    });
    check_case(&(order_case){
        "index 2", 3, {1,  1,  2},
          {13, 13, 0},
          wave2_F, wave2_exact, 4.0, 2.0, 7, 2
    });
    check_case(&(order_case){
        "index 2", 3, {1, 1, 2},
          {0, 0, 7},
          wave2_F, wave2_exact, 4.0, 0.5, 7, 3
    });
    check_case(&(order_case){
        "index 3", 4, {1,  1,  2, 3},
          {12, 12, 0, 0},
          wave3_F, wave3_exact, 4.0, 2.0, 7, 2
    });
    check_case(&(order_case){
        "index 3", 4, {1, 1, 2, 3},
          {0, 0, 7, 6},
          wave3_F, wave3_exact, 4.0, 0.5, 7, 2
    });
}

static const test_case cases[] = {
    {"ode",      test_ode     },
    {"index 1",  test_index1  },
    {"implicit", test_implicit},
    {"index 2",  test_index2  },
    {"index 3",  test_index3  },
    {"backward", test_backward},
    {"1 stage",  test_one     },
    {"5 stages", test_five    },
    {"7 stages", test_seven   },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
