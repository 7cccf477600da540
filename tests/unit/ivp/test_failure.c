/* Runs that cannot go on: status, message, remedy, time, and the values reached. */
#include "ivp/integrator.h"
#include "ivp/method.h"
#include "ivp/radau/radau.h"
#include "support/mock_system.h"
#include "support/test.h"

static rg_context *ctx;

typedef rg_status residual(double t, const double *y, const double *yp, double *F);

typedef struct {
    rg_status status;
    double t, y;
    rg_stats stats;
} outcome;

static outcome run_with(const rg_ivp_method *method, residual *F, int n, double y0, double yp0,
                        const rg_options *o)
{
    rg_system s = {.ctx = ctx, .n = n, .F = F};
    const double y[2] = {y0, 0.0}, yp[2] = {yp0, 0.0};
    const rg_state start = {0.0, y, yp};
    rg_integrator *g = NULL;
    outcome end = {RG_OK, NAN, NAN, {0}};

    mock_init(&s);
    rg_clear_error(ctx);
    end.status = rg_integrator_create_with(method, &s, o, &start, 2.0, &g);
    if (end.status == RG_OK) {
        end.status = rg_integrate(g, NULL, NULL);
        end.t = rg_integrator_state(g).t;
        end.y = rg_integrator_state(g).y[0];
        end.stats = rg_integrator_stats(g);
    }
    rg_integrator_destroy(&g);
    return end;
}

static outcome run(residual *F, int n, double y0, double yp0, const rg_options *o)
{
    return run_with(&rg_radau_method, F, n, y0, yp0, o);
}

/* Message with the words, remedy, time. */
static void check_error(rg_status code, const char *words)
{
    const rg_error *e = rg_last_error(ctx);

    CHECK_INT(e->code, code);
    if (!CHECK(strstr(e->message, words) != NULL)) printf("message: %s\n", e->message);
    CHECK(e->remedy[0] != '\0');
    CHECK(isfinite(e->t));
}

/* y' = y^2, y = 1/(1 - t): a pole at 1 */
static rg_status pole_F(double t, const double *y, const double *yp, double *F)
{
    (void)t;
    F[0] = yp[0] - y[0] * y[0];
    return RG_OK;
}

static void test_pole(void)
{
    const rg_options o = rg_options_default();
    const outcome end = run(pole_F, 1, 1.0, 1.0, &o);

    CHECK_INT(end.status, RG_ERR_CONVERGENCE);
    CHECK_NEAR(end.t, 1.0, 1e-3);
    check_error(RG_ERR_CONVERGENCE, "equation 1");
}

/* From t = 1 on there are no values: as NaN with RG_OK, or as RG_RETRY. */
static rg_status nan_F(double t, const double *y, const double *yp, double *F)
{
    F[0] = t < 1.0 ? yp[0] - y[0] : NAN;
    return RG_OK;
}

static rg_status retry_F(double t, const double *y, const double *yp, double *F)
{
    F[0] = yp[0] - y[0];
    return t < 1.0 ? RG_OK : (rg_status)RG_RETRY;
}

static void test_not_finite(void)
{
    const rg_options o = rg_options_default();
    outcome end = run(nan_F, 1, 1.0, 1.0, &o);

    CHECK_INT(end.status, RG_ERR_CONVERGENCE);
    CHECK(end.t <= 1.0 && end.t > 0.99 && isfinite(end.y));
    check_error(RG_ERR_CONVERGENCE, "equation 1");
    end = run(retry_F, 1, 1.0, 1.0, &o);
    CHECK_INT(end.status, RG_ERR_CONVERGENCE);
    CHECK(end.t <= 1.0 && end.t > 0.99);
    CHECK_NEAR(end.y, exp(end.t), 1e-4);
    check_error(RG_ERR_CONVERGENCE, "not finite");
}

/* Nothing can be evaluated, not even at the start. */
static rg_status never_F(double t, const double *y, const double *yp, double *F)
{
    (void)t;
    (void)y;
    (void)yp;
    F[0] = NAN;
    return (rg_status)RG_RETRY;
}

static void test_never(void)
{
    const rg_options o = rg_options_default();
    const outcome end = run(never_F, 1, 1.0, 1.0, &o);

    CHECK_INT(end.status, RG_ERR_CONVERGENCE);
    CHECK(end.t == 0.0 && end.y == 1.0);
    check_error(RG_ERR_CONVERGENCE, "not finite");
}

/* A callback that aborts at t = 1/2: its own code and message go through. */
static rg_status abort_F(double t, const double *y, const double *yp, double *F)
{
    F[0] = yp[0] - y[0];
    return t < 0.5 ? RG_OK : rg_fail(ctx, RG_ERR_CALLBACK, "stop at %g", t);
}

static void test_abort(void)
{
    const rg_options o = rg_options_default();
    const outcome end = run(abort_F, 1, 1.0, 1.0, &o);

    CHECK_INT(end.status, RG_ERR_CALLBACK);
    CHECK(strstr(rg_last_error(ctx)->message, "stop at") != NULL);
}

/* The second equation says nothing. */
static rg_status singular_F(double t, const double *y, const double *yp, double *F)
{
    (void)t;
    F[0] = yp[0] - y[0];
    F[1] = 0.0;
    return RG_OK;
}

static void test_singular(void)
{
    const rg_options o = rg_options_default();
    const outcome end = run(singular_F, 2, 1.0, 1.0, &o);

    CHECK_INT(end.status, RG_ERR_CONVERGENCE);
    check_error(RG_ERR_CONVERGENCE, "singular");
}

/* Overshooting iterates leave the range of the root, a smaller step helps: y' = -sqrt(y), y = (1 -
 * t/2)^2 */
static rg_status root_F(double t, const double *y, const double *yp, double *F)
{
    (void)t;
    if (y[0] < 0.0) return (rg_status)RG_RETRY;
    F[0] = yp[0] + sqrt(y[0]) - 0.01;
    return RG_OK;
}

static void test_recovers(void)
{
    rg_options o = rg_options_default();
    o.h_first = 1.9;
    const outcome end = run(root_F, 1, 1.0, -0.99, &o);

    CHECK_INT(end.status, RG_OK);
    CHECK(end.stats.rejected > 0 && end.y > 0.0 && end.y < 0.01);
}

static void test_limits(void)
{
    rg_options o = rg_options_default();

    o.max_steps = 5;
    outcome end = run(pole_F, 1, 1.0, 1.0, &o);
    CHECK_INT(end.status, RG_ERR_CONVERGENCE);
    CHECK_INT(end.stats.steps + end.stats.rejected, 5);
    check_error(RG_ERR_CONVERGENCE, "max_steps");
    o = rg_options_default();
    o.step = 0.3; /* the step over the pole has no solution near */
    end = run(pole_F, 1, 1.0, 1.0, &o);
    CHECK_INT(end.status, RG_ERR_CONVERGENCE);
    check_error(RG_ERR_CONVERGENCE, "t = 0.");
    o = rg_options_default();
    o.rtol = 0.0;
    CHECK_INT(run(pole_F, 1, 1.0, 1.0, &o).status, RG_ERR_ARGUMENT);
    o = rg_options_default();
    o.h_max = -1.0;
    CHECK_INT(run(pole_F, 1, 1.0, 1.0, &o).status, RG_ERR_ARGUMENT);
    o = rg_options_default();
    CHECK_INT(run(pole_F, 1, NAN, 1.0, &o).status, RG_ERR_ARGUMENT);
}

/* Interrupted from inside a callback. */
static rg_status interrupt_F(double t, const double *y, const double *yp, double *F)
{
    if (t > 0.5) rg_context_interrupt(ctx);
    F[0] = yp[0] - y[0];
    return RG_OK;
}

static void test_interrupt(void)
{
    const rg_options o = rg_options_default();
    const outcome end = run(interrupt_F, 1, 1.0, 1.0, &o);

    CHECK_INT(end.status, RG_ERR_INTERRUPTED);
    CHECK(end.t < 2.0);
    check_error(RG_ERR_INTERRUPTED, "interrupted");
}

/* Methods that call a run done that is not, and steps that are none. */
static rg_status short_step(rg_integrator *g)
{
    const rg_status status = rg_radau_method.step(g);

    g->t_end = g->t;
    return status;
}

static rg_status no_step(rg_integrator *g)
{
    g->t_previous = g->t;
    return RG_OK;
}

static rg_status long_step(rg_integrator *g)
{
    g->t_previous = g->t;
    g->t = 3.0;
    return RG_OK;
}

static void test_astray(void)
{
    const rg_options o = rg_options_default();
    rg_ivp_method m = rg_radau_method;

    m.step = short_step;
    const outcome end = run_with(&m, pole_F, 1, 1.0, 1.0, &o);
    CHECK_INT(end.status, RG_ERR_CONVERGENCE);
    CHECK(end.t > 0.0 && end.t < 2.0);
    check_error(RG_ERR_CONVERGENCE, "the run ended at");
    m.step = no_step;
    CHECK_INT(run_with(&m, pole_F, 1, 1.0, 1.0, &o).status, RG_ERR_CONVERGENCE);
    check_error(RG_ERR_CONVERGENCE, "a step ended at t = 0,");
    m.step = long_step;
    CHECK_INT(run_with(&m, pole_F, 1, 1.0, 1.0, &o).status, RG_ERR_CONVERGENCE);
    check_error(RG_ERR_CONVERGENCE, "a step ended at t = 3,");
}

static const test_case cases[] = {
    {"pole",       test_pole      },
    {"not finite", test_not_finite},
    {"never",      test_never     },
    {"abort",      test_abort     },
    {"singular",   test_singular  },
    {"recovers",   test_recovers  },
    {"limits",     test_limits    },
    {"interrupt",  test_interrupt },
    {"astray",     test_astray    },
};

int main(void)
{
    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
