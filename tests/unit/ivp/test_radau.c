/* The integrator on small systems: accuracy, ends, dense output. */
#include "support/circle.h"
#include "support/test.h"

static rg_context *ctx;

static double circle_error(const rg_integrator *g)
{
    const rg_state x = rg_integrator_state(g);
    return fmax(fabs(x.y[0] - sin(x.t)), fabs(x.y[1] - cos(x.t)));
}

/* The error follows the tolerance.  h^(s+1) ~ rtol' ~ tol^((s+1)/(2s)) and an error ~ h^(2s-1) make
 * tol^(1 - 1/(2s)): from 1e-4 to 1e-10 five powers of ten for s = 3, 5.4 for s = 5.  When the order
 * rises on the way, the error falls faster. */
static void check_tolerance(int stages, double low, double high)
{
    double error[7];

    for (int k = 0; k < 7; k++) {
        rg_system s = {0};
        rg_integrator *g = circle_start(ctx, &s, pow(10.0, -4 - k), 0.0, 10.0, stages);
        if (g == NULL) return;
        CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
        CHECK(rg_integrator_state(g).t == 10.0);
        error[k] = circle_error(g);
        CHECK(error[k] < 20.0 * pow(10.0, -4 - k));
        rg_integrator_destroy(&g);
    }
    const double powers = log10(error[0] / error[6]);
    if (!CHECK(powers > low && powers < high)) printf("%d stages: %g powers\n", stages, powers);
}

static void test_tolerance(void)
{
    check_tolerance(3, 4.5, 5.5);
    check_tolerance(5, 4.9, 5.9);
    check_tolerance(0, 4.9, 7.5);
}

/* One stage: y_{n+1} = y_n + h y'_{n+1}.  The tolerance is kept per step, so the error at the end
 * is tol times the steps. */
static void test_one_stage(void)
{
    rg_system s = {0};
    rg_integrator *g = circle_start(ctx, &s, 1e-4, 0.0, 1.0, 1);

    if (g == NULL) return;
    CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
    CHECK(circle_error(g) < 1e-4 * (double)rg_integrator_stats(g).steps);
    rg_integrator_destroy(&g);
}

/* Fixed stages stay; without them the order rises on a smooth problem at a tight tolerance, and at
 * a loose one it costs no more than the fewest stages. */
static void test_order(void)
{
    static const struct {
        int stages;
        double tol;
        int low, high; /* degree at the end */
    } run[] = {
        {3, 1e-10, 3, 3},
        {5, 1e-4,  5, 5},
        {7, 1e-4,  7, 7},
        {3, 1e-2,  3, 3},
        {0, 1e-2,  3, 5},
        {0, 1e-10, 5, 7}
    };
    int64_t evaluations[sizeof run / sizeof *run];

    for (size_t k = 0; k < sizeof run / sizeof *run; k++) {
        rg_system s = {0};
        rg_integrator *g = circle_start(ctx, &s, run[k].tol, 0.0, 50.0, run[k].stages);
        if (g == NULL) return;
        CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
        const int degree = rg_integrator_degree(g);
        if (!CHECK(degree >= run[k].low && degree <= run[k].high))
            printf("tol %g: %d stages at the end\n", run[k].tol, degree);
        evaluations[k] = rg_integrator_stats(g).evaluations;
        rg_integrator_destroy(&g);
    }
    CHECK(evaluations[4] <= evaluations[3]);
}

/* A number of stages that there is not. */
static void test_refused(void)
{
    rg_system s = {.ctx = ctx, .n = 2, .F = circle_F};
    rg_options o = rg_options_default();
    const double y[2] = {0.0, 1.0}, yp[2] = {1.0, 0.0};
    const rg_state start = {0.0, y, yp};
    rg_integrator *g = NULL;

    mock_init(&s);
    o.stages = 4;
    CHECK_INT(rg_integrator_create(&s, &o, &start, 1.0, &g), RG_ERR_METHOD);
    CHECK(g == NULL && rg_last_error(ctx)->remedy[0] != '\0');
}

/* atol = 0 and a component that starts at 0 */
static void test_relative(void)
{
    rg_system s = {.ctx = ctx, .n = 2, .F = circle_F};
    rg_options o = rg_options_default();
    const double y[2] = {0.0, 1.0}, yp[2] = {1.0, 0.0};
    const rg_state start = {0.0, y, yp};
    rg_integrator *g = NULL;

    mock_init(&s);
    o.rtol = 1e-6;
    o.atol = 0.0;
    if (!CHECK_INT(rg_integrator_create(&s, &o, &start, 1.0, &g), RG_OK)) return;
    CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
    CHECK(circle_error(g) < 1e-6);
    rg_integrator_destroy(&g);
}

static void test_backward(void)
{
    rg_system s = {0};
    rg_integrator *g = circle_start(ctx, &s, 1e-8, 3.0, -2.0, 0);

    if (g == NULL) return;
    CHECK_INT(rg_integrator_step(g), RG_OK);
    CHECK(rg_integrator_state(g).t < 3.0);
    CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
    CHECK(rg_integrator_state(g).t == -2.0);
    CHECK(circle_error(g) < 1e-6);
    rg_integrator_destroy(&g);
}

/* y and y' inside each step; the polynomial joins the ends of the step. */
static rg_status check_dense(const rg_integrator *g, void *user)
{
    const rg_state x = rg_integrator_state(g);
    const double t0 = rg_integrator_step_start(g), *a = rg_integrator_polynomial(g);
    double y[2], yp[2];

    for (int k = 0; k <= 4; k++) {
        const double t = t0 + 0.25 * k * (x.t - t0);
        rg_integrator_eval(g, t, y, yp);
        CHECK_NEAR(y[0], sin(t), 1e-4);
        CHECK_NEAR(y[1], cos(t), 1e-4);
        CHECK_NEAR(yp[0], cos(t), 1e-2);
    }
    rg_integrator_eval(g, x.t, y, NULL);
    rg_integrator_eval(g, x.t, NULL, yp);
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(y[i], x.y[i], 1e-14);
        CHECK_NEAR(yp[i], x.yp[i], 1e-12);
        double sum = 0.0;
        for (int k = rg_integrator_degree(g); k >= 0; k--)
            sum += a[2 * k + i];
        CHECK_NEAR(sum, x.y[i], 1e-14);
    }
    ++*(int *)user;
    return RG_OK;
}

static void test_dense(void)
{
    for (int stages = 0; stages <= 7; stages += stages == 0 ? 3 : 2) {
        rg_system s = {0};
        rg_integrator *g = circle_start(ctx, &s, stages > 3 ? 1e-8 : 1e-6, 0.0, 5.0, stages);
        int calls = 0;
        if (g == NULL) return;
        CHECK_INT(rg_integrator_degree(g), stages > 0 ? stages : 3);
        CHECK_INT(rg_integrate(g, check_dense, &calls), RG_OK);
        CHECK_INT(calls, rg_integrator_stats(g).steps);
        rg_integrator_destroy(&g);
    }
}

static rg_status stop_sink(const rg_integrator *g, void *user)
{
    (void)user;
    return rg_integrator_state(g).t > 1.0 ? RG_STOPPED : RG_OK;
}

/* Ends: an empty interval, a sink that stops, ends set one after the other, an end behind. */
static void test_ends(void)
{
    rg_system s = {0};
    rg_integrator *g = circle_start(ctx, &s, 1e-6, 1.0, 1.0, 0);

    if (g == NULL) return;
    CHECK(rg_integrator_is_done(g));
    CHECK_INT(rg_integrator_step(g), RG_OK);
    CHECK_INT(rg_integrator_stats(g).steps, 0);
    CHECK_INT(rg_integrator_set_end(g, 5.0), RG_OK);
    CHECK_INT(rg_integrate(g, stop_sink, NULL), RG_STOPPED);
    const double reached = rg_integrator_state(g).t;
    CHECK(reached > 1.0 && reached < 5.0);
    CHECK_INT(rg_integrator_set_end(g, 0.0), RG_ERR_ARGUMENT);
    CHECK(rg_last_error(ctx)->remedy[0] != '\0');
    for (int k = 1; k <= 100; k++) { /* ends that cut steps short do not ruin the step size */
        CHECK_INT(rg_integrator_set_end(g, reached + 0.01 * k), RG_OK);
        CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
    }
    CHECK(rg_integrator_stats(g).steps < 120);
    CHECK_INT(rg_integrator_set_end(g, nextafter(rg_integrator_state(g).t, 9.0)), RG_OK);
    CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK); /* one unit in the last place */
    CHECK(circle_error(g) < 1e-5);
    rg_integrator_destroy(&g);
}

/* Prothero and Robinson: y' = lambda (y - cos t) - sin t, lambda = -1e8, from the solution and from
 * beside it. */
static rg_status stiff_F(double t, const double *y, const double *yp, double *F)
{
    F[0] = yp[0] + 1e8 * (y[0] - cos(t)) + sin(t);
    return RG_OK;
}

static void test_stiff(void)
{
    for (int beside = 0; beside < 2; beside++) {
        rg_system s = {.ctx = ctx, .n = 1, .F = stiff_F};
        rg_options o = rg_options_default();
        rg_integrator *g = NULL;
        const double y = 1.0 + beside, yp = beside ? -1e8 : 0.0;
        const rg_state start = {0.0, &y, &yp};
        mock_init(&s);
        o.rtol = o.atol = 1e-6;
        if (!CHECK_INT(rg_integrator_create(&s, &o, &start, 10.0, &g), RG_OK)) return;
        CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
        CHECK_NEAR(rg_integrator_state(g).y[0], cos(10.0), 1e-6);
        CHECK(rg_integrator_stats(g).steps < 100);
        rg_integrator_destroy(&g);
    }
}

/* y1' = -y2, y2' = y1 kept on the unit circle by hand. */
static rg_status circle_project(double t, const double *weight, double *y, double *yp)
{
    const double r = hypot(y[0], y[1]);

    (void)t;
    (void)yp;
    CHECK(weight[0] > 0.0 && weight[1] > 0.0);
    y[0] /= r;
    y[1] /= r;
    return RG_OK;
}

static rg_status check_radius(const rg_integrator *g, void *user)
{
    const rg_state x = rg_integrator_state(g);
    double y[2];

    (void)user;
    CHECK_NEAR(hypot(x.y[0], x.y[1]), 1.0, 1e-15);
    rg_integrator_eval(g, x.t, y, NULL); /* dense output ends at the projected point */
    CHECK_NEAR(y[0], x.y[0], 1e-14);
    return RG_OK;
}

static void test_projection(void)
{
    rg_system s = {.project = circle_project};
    rg_integrator *g = circle_start(ctx, &s, 1e-4, 0.0, 20.0, 0);

    if (g == NULL) return;
    CHECK_INT(rg_integrate(g, check_radius, NULL), RG_OK);
    CHECK(circle_error(g) < 1e-2);
    rg_integrator_destroy(&g);
}

/* The pendulum with its constraint written twice: of all multipliers that do the work, those of
 * least norm. Unknowns p, q, u, v, lambda, mu; u' = -p (lambda + 2 mu). */
static rg_status twice_F(double t, const double *y, const double *yp, double *F)
{
    const double force = y[4] + 2.0 * y[5];

    (void)t;
    F[0] = yp[0] - y[2];
    F[1] = yp[1] - y[3];
    F[2] = yp[2] + y[0] * force;
    F[3] = yp[3] + y[1] * force + 1.0;
    F[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    F[5] = 2.0 * F[4];
    return RG_OK;
}

static void test_redundant(void)
{
    rg_system s = {
        .ctx = ctx, .n = 6, .F = twice_F, .redundant = 1, .index = {1, 1, 2, 2, 3, 3}
    };
    rg_options o = rg_options_default();
    const double y[6] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0}, yp[6] = {0.0, 0.0, 0.0, -1.0, 0.0, 0.0};
    const rg_state start = {0.0, y, yp};
    rg_integrator *g = NULL;

    mock_init(&s);
    o.rtol = o.atol = 1e-8;
    if (!CHECK_INT(rg_integrator_create(&s, &o, &start, 10.0, &g), RG_OK)) return;
    CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
    const rg_state end = rg_integrator_state(g);
    CHECK_NEAR(end.y[0], -8.1158644619130383e-1, 1e-6); /* closed form */
    CHECK_NEAR(end.y[1], -5.8423235134539570e-1, 1e-6);
    CHECK_NEAR(end.y[4] + 2.0 * end.y[5], 1.7526970540361871, 1e-3);
    CHECK_NEAR(end.y[5], 2.0 * end.y[4], 1e-7); /* least norm; Jacobians by differences */
    rg_integrator_destroy(&g);
}

static const test_case cases[] = {
    {"tolerance",    test_tolerance },
    {"one stage",    test_one_stage },
    {"order",        test_order     },
    {"refused",      test_refused   },
    {"relative",     test_relative  },
    {"backward",     test_backward  },
    {"dense output", test_dense     },
    {"ends",         test_ends      },
    {"stiff",        test_stiff     },
    {"projection",   test_projection},
    {"redundant",    test_redundant },
};

int main(void)
{
    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
