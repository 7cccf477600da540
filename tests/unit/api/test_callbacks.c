/* Problems from C functions: residual, mass matrix, Jacobians, patterns, failures of the callback.
 * */
#include "regula.h"
#include "support/test.h"

#include <math.h>

/* x' = -z, z = x: index 1. */
static int residual(double t, const double *y, const double *yp, double *F, void *user)
{
    (void)t;
    (void)user;
    F[0] = yp[0] + y[1];
    F[1] = y[1] - y[0];
    return 0;
}

/* J = dF/dy + shift dF/dy', column-major. */
static int dense_jacobian(double t, const double *y, const double *yp, double shift, double *J,
                          void *user)
{
    (void)t;
    (void)y;
    (void)yp;
    ++*(int *)user;
    J[0] = shift;
    J[1] = -1;
    J[2] = 1;
    J[3] = 1;
    return 0;
}

static int rhs(double t, const double *y, double *f, void *user)
{
    (void)t;
    (void)user;
    f[0] = -y[1];
    f[1] = y[1] - y[0];
    return 0;
}

static int aborting(double t, const double *y, const double *yp, double *F, void *user)
{
    F[0] = F[1] = 0;
    return t > 0.5 ? -1 : residual(t, y, yp, F, user);
}

/* Solves from (1, unknown) to t = 1; the status, and x, z at the time reached.  A failure has a
 * message. */
static rg_status run(rg_context *ctx, rg_problem *p, double *y, double *t)
{
    const double start[2] = {1, NAN};
    rg_solution *s = NULL;

    CHECK(rg_problem_set_initial(p, 0, start, NULL) == RG_OK);
    const rg_status status = rg_solve(p, 1, NULL, &s);
    CHECK(status >= 0 || rg_last_error(ctx)->message[0] != '\0');
    CHECK(status >= 0 || rg_last_error(ctx)->remedy[0] != '\0');
    *t = s != NULL ? rg_solution_end(s) : NAN;
    if (s != NULL) CHECK(rg_solution_eval(s, *t, y, NULL) == RG_OK);
    rg_solution_destroy(&s);
    return status;
}

static void check_solved(rg_context *ctx, rg_problem *p)
{
    double y[2] = {0}, t;

    if (!CHECK(run(ctx, p, y, &t) == RG_OK)) {
        CHECK_TEXT(rg_last_error(ctx)->message, "");
        return;
    }
    CHECK_NEAR(t, 1, 0);
    CHECK_NEAR(y[0], exp(-1), 1e-5);
    CHECK_NEAR(y[1], exp(-1), 1e-5);
}

static void test_differences(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_create(ctx, 2, residual, NULL, &p) == RG_OK);
    check_solved(ctx, p);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_jacobian(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    int calls = 0;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_create(ctx, 2, residual, &calls, &p) == RG_OK);
    CHECK(rg_problem_set_jacobian(p, dense_jacobian) == RG_OK);
    check_solved(ctx, p);
    CHECK(calls > 0);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_pattern(void)
{
    const int64_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1}, wrong[] = {1, 0, 0, 1};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_create(ctx, 2, residual, NULL, &p) == RG_OK);
    CHECK(rg_problem_set_pattern(p, start, wrong) == RG_ERR_ARGUMENT);
    CHECK(rg_problem_set_pattern(p, start, row) == RG_OK);
    check_solved(ctx, p);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_mass(void)
{
    const double M[4] = {1, 0, 0, 0};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_create_mass(ctx, 2, M, rhs, NULL, &p) == RG_OK);
    check_solved(ctx, p);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_abort(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    double y[2], t;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_create(ctx, 2, aborting, NULL, &p) == RG_OK);
    CHECK(run(ctx, p, y, &t) == RG_ERR_CALLBACK);
    CHECK(t >= 0 && t <= 0.5);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_refused(void)
{
    const int index[2] = {1, 4};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_create(ctx, 0, residual, NULL, &p) == RG_ERR_ARGUMENT);
    CHECK(rg_problem_create(ctx, 2, NULL, NULL, &p) == RG_ERR_ARGUMENT);
    CHECK(rg_problem_create(ctx, 2, residual, NULL, &p) == RG_OK);
    CHECK(rg_problem_set_indices(p, index) == RG_ERR_ARGUMENT);
    CHECK(rg_problem_set_parameter(p, "a", 1) == RG_ERR_ARGUMENT);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"difference quotients", test_differences},
    {"dense Jacobian",       test_jacobian   },
    {"pattern",              test_pattern    },
    {"mass matrix",          test_mass       },
    {"callback aborts",      test_abort      },
    {"refused",              test_refused    }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
