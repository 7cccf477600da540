/* One residual evaluation goes wrong, the k-th, for every k of a run: asked to retry, not a number,
 * or an abort. */
#include "ivp/integrator.h"
#include "support/mock_system.h"
#include "support/test.h"

static rg_context *ctx;

typedef enum { FAULT_RETRY, FAULT_NAN, FAULT_ABORT } fault_kind;

static int64_t calls, fault_at;
static fault_kind fault;

/* The pendulum, index 3. */
static rg_status pendulum_F(double t, const double *y, const double *yp, double *F)
{
    (void)t;
    F[0] = yp[0] - y[2];
    F[1] = yp[1] - y[3];
    F[2] = yp[2] + y[0] * y[4];
    F[3] = yp[3] + y[1] * y[4] + 1.0;
    F[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
    if (++calls != fault_at) return RG_OK;
    if (fault == FAULT_NAN) F[2] = NAN;
    if (fault == FAULT_ABORT) {
        rg_fail(ctx, RG_ERR_CALLBACK, "call %lld aborts", (long long)calls);
        return rg_remedy(ctx, "none");
    }
    return fault == FAULT_RETRY ? (rg_status)RG_RETRY : RG_OK;
}

static void pendulum_J(double t, const double *y, const double *yp, double *Jy, double *Jyp)
{
    (void)t;
    (void)yp;
    for (int i = 0; i < 4; i++)
        Jyp[6 * i] = 1.0;
    Jy[2 * 5 + 0] = Jy[3 * 5 + 1] = -1.0;
    Jy[0 * 5 + 2] = Jy[1 * 5 + 3] = y[4];
    Jy[4 * 5 + 2] = y[0];
    Jy[4 * 5 + 3] = y[1];
    Jy[0 * 5 + 4] = 2.0 * y[0];
    Jy[1 * 5 + 4] = 2.0 * y[1];
}

static rg_status run(double *y_end)
{
    rg_system s = {
        .ctx = ctx, .n = 5, .F = pendulum_F, .J = pendulum_J, .index = {1, 1, 2, 2, 3}
    };
    const rg_options o = rg_options_default();
    const double y[5] = {1.0, 0.0, 0.0, 0.0, 0.0}, yp[5] = {0.0, 0.0, 0.0, -1.0, 0.0};
    const rg_state start = {0.0, y, yp};
    rg_integrator *g = NULL;

    mock_init(&s);
    rg_clear_error(ctx);
    calls = 0;
    rg_status status = rg_integrator_create(&s, &o, &start, 1.0, &g);
    if (status == RG_OK) status = rg_integrate(g, NULL, NULL);
    if (status == RG_OK) memcpy(y_end, rg_integrator_state(g).y, sizeof y);
    rg_integrator_destroy(&g);
    return status;
}

/* A single failed evaluation costs a smaller step, nothing else. */
static void check_recovery(fault_kind kind)
{
    double right[5], y[5];

    fault = kind;
    fault_at = 0;
    if (!CHECK_INT(run(right), RG_OK)) return;
    const int64_t total = calls;
    for (int64_t k = 1; k <= total; k++) {
        fault_at = k;
        if (!CHECK_INT(run(y), RG_OK)) continue;
        CHECK(fabs(y[0] - right[0]) < 1e-4 && fabs(y[4] - right[4]) < 1e-1);
    }
}

static void test_retry(void)
{
    check_recovery(FAULT_RETRY);
}

static void test_nan(void)
{
    check_recovery(FAULT_NAN);
}

static void test_abort(void)
{
    double y[5];
    rg_status status = RG_ERR_CALLBACK;

    fault = FAULT_ABORT;
    for (fault_at = 1; status == RG_ERR_CALLBACK && fault_at < 100000; fault_at++) {
        status = run(y);
        if (status == RG_OK) break;
        CHECK_INT(status, RG_ERR_CALLBACK);
        CHECK(rg_last_error(ctx)->message[0] != '\0' && rg_last_error(ctx)->remedy[0] != '\0');
    }
    CHECK_INT(status, RG_OK);
    CHECK(fault_at > 50);
}

static const test_case cases[] = {
    {"retry", test_retry},
    {"nan",   test_nan  },
    {"abort", test_abort},
};

int main(void)
{
    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
