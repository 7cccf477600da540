/* --method bdf: every allocation of ours may fail, and the residual at any call; IDA in between
 * must pass it on. */
#include "ivp/bdf/bdf.h"
#include "support/fault.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char pendulum[] = "var p = 1, q = 0, u = 0, v = 0, lam\n"
                               "p' = u\nq' = v\nu' = -p*lam\nv' = -q*lam - 1\n"
                               "0 = p^2 + q^2 - 1\nover t = 0 .. 0.1\n";

static rg_options bdf(void)
{
    rg_options o = rg_options_default();

    strcpy(o.method, "bdf");
    return o;
}

/* Reduced view, with projection. */
static rg_status solve_reduced(rg_context *ctx, void *nothing)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    const rg_options o = bdf();
    (void)nothing;
    rg_status status = rg_problem_from_text(ctx, pendulum, &p);

    if (status >= 0) status = rg_solve(p, 0.1, &o, &s);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}

static void test_memory(void)
{
    CHECK(fault_run("bdf", solve_reduced, NULL) > 0);
}

typedef struct {
    int64_t call, fail_at;
    int result; /* what the failing call returns; 0: it gives NaN */
} trouble;

static int residual(double t, const double *y, const double *yp, double *F, void *user)
{
    trouble *now = user;

    F[0] = yp[0] + y[1];
    F[1] = y[1] - y[0] * cos(t);
    if (++now->call != now->fail_at) return 0;
    F[0] = NAN;
    return now->result;
}

/* One failing evaluation: a smaller step gets over it, except for an abort. */
static bool run(rg_context *ctx, trouble *now)
{
    const double y[2] = {1, NAN}, yp[2] = {-1, NAN};
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    const rg_options o = bdf();
    rg_status status = rg_problem_create(ctx, 2, residual, now, &p);

    if (status == RG_OK) status = rg_problem_set_initial(p, 0, y, yp);
    if (status == RG_OK) status = rg_solve(p, 1.0, &o, &s);
    const bool was_met = now->call >= now->fail_at;
    if (status < 0) {
        const rg_error *e = rg_last_error(ctx);
        CHECK(was_met);
        CHECK(e->code == status && e->message[0] != '\0' && e->remedy[0] != '\0');
    } else {
        double end[2];
        CHECK(now->result >= 0 || !was_met);
        CHECK(rg_solution_eval(s, 1.0, end, NULL) == RG_OK);
        CHECK_NEAR(end[0], exp(-sin(1.0)), 1e-4);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return was_met;
}

static void test_residual(void)
{
    static const int results[] = {1, -1, 0};
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) == RG_OK)) return;
    for (int r = 0; r < 3; r++)
        for (int64_t k = 1;; k += 1 + k / 10) {
            trouble now = {0, k, results[r]};
            if (!run(ctx, &now)) break;
        }
    rg_context_destroy(&ctx);
}

static void test_missing(void)
{
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) == RG_OK)) return;
    CHECK_INT(solve_reduced(ctx, NULL), RG_ERR_METHOD);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"memory",   test_memory  },
    {"residual", test_residual},
};
static const test_case missing[] = {
    {"says what is missing", test_missing}
};

int main(void)
{
    if (!rg_bdf_is_available()) {
        printf("skipped, built without SUNDIALS: faults under bdf\n");
        return test_main(missing, 1);
    }
    return test_main(cases, sizeof cases / sizeof *cases);
}
