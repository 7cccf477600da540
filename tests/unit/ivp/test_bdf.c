/* IDA behind the integrator interface, on systems written in C.  Built without SUNDIALS only the
 * message is tested. */
#include "ivp/bdf/bdf.h"
#include "support/mock_system.h"
#include "support/test.h"

static rg_context *ctx;

typedef rg_status residual(double t, const double *y, const double *yp, double *F);

static rg_integrator *begin(rg_system *s, const rg_options *o, const rg_state *start, double t_end,
                            rg_status *status)
{
    rg_integrator *g = NULL;

    mock_init(s);
    rg_clear_error(ctx);
    *status = rg_integrator_create_with(&rg_bdf_method, s, o, start, t_end, &g);
    return g;
}

static rg_options tolerance(double tol)
{
    rg_options o = rg_options_default();

    o.rtol = o.atol = tol;
    return o;
}

/* ---- accuracy -------------------------------------------------------------------------------- */

static rg_status chemakzo_F(double t, const double *y, const double *yp, double *F)
{
    const double root = sqrt(fabs(y[1]));
    const double r1 = 18.7 * pow(y[0], 4) * root, r2 = 0.58 * y[2] * y[3];
    const double r3 = 0.58 / 34.4 * y[0] * y[4], r4 = 0.09 * y[0] * y[3] * y[3];
    const double r5 = 0.42 * y[5] * y[5] * root, inflow = 3.3 * (0.9 / 737.0 - y[1]);

    (void)t;
    F[0] = yp[0] + 2.0 * r1 - r2 + r3 + r4;
    F[1] = yp[1] + 0.5 * r1 + r4 + 0.5 * r5 - inflow;
    F[2] = yp[2] - r1 + r2 - r3;
    F[3] = yp[3] + r2 - r3 + 2.0 * r4;
    F[4] = yp[4] - r2 + r3 - r5;
    F[5] = 115.83 * y[0] * y[3] - y[5];
    return RG_OK;
}

/* Chemical Akzo Nobel, index 1: the steps of IDA by itself are 137 and 265 (test set, 1e-6 and
 * 1e-8); bdf asks it for a tenth of the tolerance. */
static void test_index_1(void)
{
    static const double y0[] = {0.444, 0.00123, 0.0, 0.007, 0.0, 115.83 * 0.444 * 0.007};
    static const double yp0[] = {-0.05097555, -0.0152335, 0.02548779, -3.9e-6, 0.0019099, 0.0};
    static const double reference[] = {0.1150794920661702,    0.1203831471567715e-2,
                                       0.1611562887407974,    0.3656156421249283e-3,
                                       0.1708010885264404e-1, 0.4873531310307455e-2};
    static const double tols[] = {1e-6, 1e-8};
    static const int most_steps[] = {240, 460};
    const rg_state start = {0.0, y0, yp0};

    for (int k = 0; k < 2; k++) {
        rg_system s = {.ctx = ctx, .n = 6, .F = chemakzo_F};
        const rg_options o = tolerance(tols[k]);
        rg_status status;
        rg_integrator *g = begin(&s, &o, &start, 180.0, &status);
        if (!CHECK_INT(status, RG_OK)) return;
        CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
        const rg_stats stats = rg_integrator_stats(g);
        for (int i = 0; i < 6; i++)
            CHECK_NEAR(rg_integrator_state(g).y[i], reference[i], 2.0 * tols[k]);
        CHECK(rg_integrator_state(g).t == 180.0);
        CHECK(stats.steps > 50 && stats.steps < most_steps[k]);
        CHECK(stats.evaluations >= stats.steps && stats.factorizations >= stats.jacobians);
        CHECK(stats.jacobians > 0 && stats.rejected > 0);
        CHECK(stats.rejected < stats.steps / 4); /* every attempt is counted once */
        rg_integrator_destroy(&g);
    }
}

/* ---- dense output, both directions, moving ends ---------------------------------------------- */

static rg_status oscillator_F(double t, const double *y, const double *yp, double *F)
{
    (void)t;
    F[0] = yp[0] - y[1];
    F[1] = yp[1] + y[0];
    return RG_OK;
}

static double exact_error(const rg_integrator *g, double t)
{
    double y[2], yp[2];

    rg_integrator_eval(g, t, y, yp);
    return fmax(fmax(fabs(y[0] - sin(t)), fabs(y[1] - cos(t))), 0.01 * fabs(yp[0] - cos(t)));
}

/* Neighbouring polynomials meet in the accepted points, and are as good in between. */
static void run_dense(double t_end)
{
    static const double y0[] = {0.0, 1.0}, yp0[] = {1.0, 0.0};
    const rg_state start = {0.0, y0, yp0};
    rg_system s = {.ctx = ctx, .n = 2, .F = oscillator_F};
    const rg_options o = tolerance(1e-7);
    double before[2] = {0.0, 1.0}, y[2], worst = 0.0;
    rg_status status;

    rg_integrator *g = begin(&s, &o, &start, t_end, &status);
    if (!CHECK_INT(status, RG_OK)) return;
    while (!rg_integrator_is_done(g)) {
        if (!CHECK_INT(rg_integrator_step(g), RG_OK)) break;
        const rg_state now = rg_integrator_state(g);
        const double t0 = rg_integrator_step_start(g);
        rg_integrator_eval(g, t0, y, NULL);
        CHECK(y[0] == before[0] && y[1] == before[1]);
        rg_integrator_eval(g, now.t, y, NULL);
        CHECK_NEAR(y[0], now.y[0], 1e-14);
        for (int k = 0; k <= 4; k++)
            worst = fmax(worst, exact_error(g, t0 + 0.25 * k * (now.t - t0)));
        memcpy(before, now.y, sizeof before);
    }
    CHECK(worst < 1e-5);
    CHECK(rg_integrator_state(g).t == t_end);
    rg_integrator_destroy(&g);
}

static void test_dense(void)
{
    run_dense(5.0);
    run_dense(-5.0);
}

static void test_moving_end(void)
{
    static const double y0[] = {0.0, 1.0}, yp0[] = {1.0, 0.0};
    const rg_state start = {0.0, y0, yp0};
    rg_system s = {.ctx = ctx, .n = 2, .F = oscillator_F};
    const rg_options o = tolerance(1e-7);
    rg_status status;

    rg_integrator *g = begin(&s, &o, &start, 1.0, &status);
    if (!CHECK_INT(status, RG_OK)) return;
    for (int k = 1; k <= 3; k++) {
        CHECK_INT(rg_integrator_set_end(g, k), RG_OK);
        CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
        CHECK(rg_integrator_state(g).t == k);
        CHECK_NEAR(rg_integrator_state(g).y[0], sin(k), 1e-5);
    }
    CHECK_INT(rg_integrator_set_end(g, nextafter(3.0, 4.0)), RG_OK); /* one rounding further */
    CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
    CHECK_NEAR(rg_integrator_state(g).y[0], sin(3.0), 1e-5);
    const rg_state back = {0.0, y0, yp0};
    CHECK_INT(rg_integrator_restart(g, &back, 0.0), RG_OK);
    CHECK_INT(rg_integrate(g, NULL, NULL), RG_OK);
    CHECK_NEAR(rg_integrator_state(g).y[0], sin(3.0), 1e-5);
    rg_integrator_destroy(&g);
}

/* ---- projection ------------------------------------------------------------------------------ */

/* Onto the circle: y <- y/|y|, a least change. */
static rg_status to_circle(double t, const double *weight, double *y, double *yp)
{
    const double r = sqrt(y[0] * y[0] + y[1] * y[1]);

    (void)t, (void)weight, (void)yp;
    y[0] /= r;
    y[1] /= r;
    return RG_OK;
}

/* Every point handed out lies on the circle, and so do both ends of the dense output. */
static void test_projection(void)
{
    static const double y0[] = {0.0, 1.0}, yp0[] = {1.0, 0.0};
    const rg_state start = {0.0, y0, yp0};
    rg_system s = {.ctx = ctx, .n = 2, .F = oscillator_F, .project = to_circle};
    const rg_options o = tolerance(1e-6);
    rg_status status;
    double y[2];

    rg_integrator *g = begin(&s, &o, &start, 200.0, &status); /* long enough to start again */
    if (!CHECK_INT(status, RG_OK)) return;
    while (!rg_integrator_is_done(g)) {
        if (!CHECK_INT(rg_integrator_step(g), RG_OK)) break;
        const rg_state now = rg_integrator_state(g);
        CHECK_NEAR(hypot(now.y[0], now.y[1]), 1.0, 1e-14);
        rg_integrator_eval(g, rg_integrator_step_start(g), y, NULL);
        CHECK_NEAR(hypot(y[0], y[1]), 1.0, 1e-14);
    }
    CHECK_NEAR(rg_integrator_state(g).y[0], sin(200.0), 5e-3);
    rg_integrator_destroy(&g);
}

/* ---- what cannot go on ----------------------------------------------------------------------- */

static rg_status pole_F(double t, const double *y, const double *yp, double *F)
{
    (void)t;
    F[0] = yp[0] - y[0] * y[0]; /* y = 1/(1 - t) */
    return RG_OK;
}

static rg_status nan_F(double t, const double *y, const double *yp, double *F)
{
    F[0] = t < 1.0 ? yp[0] - y[0] : NAN;
    return RG_OK;
}

static rg_status abort_F(double t, const double *y, const double *yp, double *F)
{
    F[0] = yp[0] - y[0];
    if (t < 1.0) return RG_OK;
    rg_fail(ctx, RG_ERR_CALLBACK, "no more");
    return rg_remedy(ctx, "stop asking");
}

static void run_failure(residual *F, const rg_options *o, rg_status code, const char *words)
{
    static const double one[] = {1.0};
    const rg_state start = {0.0, one, one};
    rg_system s = {.ctx = ctx, .n = 1, .F = F};
    rg_status status;

    rg_integrator *g = begin(&s, o, &start, 2.0, &status);
    if (status == RG_OK) status = rg_integrate(g, NULL, NULL);
    CHECK_INT(status, code);
    if (g != NULL) CHECK(rg_integrator_state(g).t < 1.01 && isfinite(rg_integrator_state(g).y[0]));
    const rg_error *e = rg_last_error(ctx);
    CHECK_INT(e->code, code);
    if (!CHECK(strstr(e->message, words) != NULL)) printf("message: %s\n", e->message);
    CHECK(e->remedy[0] != '\0');
    rg_integrator_destroy(&g);
}

static void test_failures(void)
{
    rg_options o = tolerance(1e-6);

    run_failure(pole_F, &o, RG_ERR_CONVERGENCE, "equation 1");
    run_failure(nan_F, &o, RG_ERR_CONVERGENCE, "not finite");
    run_failure(abort_F, &o, RG_ERR_CALLBACK, "no more");
    o.max_steps = 7;
    run_failure(pole_F, &o, RG_ERR_CONVERGENCE, "max_steps = 7");
    o = tolerance(1e-6);
    o.step = 0.1;
    run_failure(pole_F, &o, RG_ERR_METHOD, "step = 0.1");
}

static void test_missing(void)
{
    const rg_options o = tolerance(1e-6);

    run_failure(pole_F, &o, RG_ERR_METHOD, "built without SUNDIALS");
    CHECK(strstr(rg_last_error(ctx)->remedy, "libsundials-dev") != NULL);
}

static const test_case cases[] = {
    {"index 1",      test_index_1   },
    {"dense output", test_dense     },
    {"moving end",   test_moving_end},
    {"projection",   test_projection},
    {"failures",     test_failures  },
};
static const test_case missing[] = {
    {"says what is missing", test_missing}
};

int main(void)
{
    if (rg_context_create(&ctx) < 0) return 1;
    if (!rg_bdf_is_available()) printf("skipped, built without SUNDIALS: accuracy of bdf\n");
    const int result = rg_bdf_is_available() ? test_main(cases, sizeof cases / sizeof *cases)
                                             : test_main(missing, 1);
    rg_context_destroy(&ctx);
    return result;
}
