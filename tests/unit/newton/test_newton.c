/* Newton's method over given operations: damping, its growth, old factors, and points without
 * values. */
#include "support/test.h"

#include "newton/iterated.h"
#include "newton/newton.h"

#include <math.h>

typedef struct {
    double (*f)(double z);
    double slope; /* the factors: f' by differences where they were made */
    int n_new, n_old;
} equation;

static rg_status correct(void *user, const void *z, bool is_new, void *d)
{
    equation *e = user;
    const double x = *(const double *)z, value = e->f(x), h = 1e-7 * (1.0 + fabs(x));

    if (is_new) e->slope = (e->f(x + h) - value) / h;
    *(is_new ? &e->n_new : &e->n_old) += 1;
    *(double *)d = -value / e->slope;
    return isfinite(value) ? RG_OK : (rg_status)RG_RETRY;
}

static void add(const void *z, double factor, const void *d, void *to)
{
    *(double *)to = *(const double *)z + factor * *(const double *)d;
}

static void rescale(void *user, const void *z)
{
    (void)user, (void)z;
}

static double size(const void *user, const void *d, double factor, const void *e)
{
    (void)user;
    return fabs(*(const double *)d - (e != NULL ? factor * *(const double *)e : 0.0));
}

static rg_status solve(equation *e, double start, bool has_factors, double *z)
{
    static const rg_newton_system system = {
        .correct = correct, .add = add, .rescale = rescale, .size = size};
    double value[4] = {start};
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return RG_ERR_MEMORY;
    rg_newton n = {.ctx = ctx, .system = &system, .user = e, .tol = 1e-12, .most = 60};
    n.has_factors = has_factors;
    n.z = value;
    n.trial = value + 1;
    n.D = value + 2;
    n.Db = value + 3;
    const rg_status status = rg_newton_solve(&n);
    *z = *(double *)n.z;
    rg_context_destroy(&ctx);
    return status;
}

static double root(double z)
{
    return sqrt(z) - 0.1;
}

static double cube(double z)
{
    return z * z * z - 8.0;
}

static double none(double z)
{
    return 1.0 + z * z;
}

/* Full steps from 10 run away for the first; the second has no values behind the full step. */
static void test_damping(void)
{
    equation far = {.f = atan}, edge = {.f = root};
    double z;

    CHECK_INT(solve(&far, 10.0, false, &z), RG_OK);
    CHECK_NEAR(z, 0.0, 1e-12);
    CHECK(far.n_new <= 12);
    CHECK_INT(solve(&edge, 4.0, false, &z), RG_OK);
    CHECK_NEAR(z, 0.01, 1e-12);
}

/* Near the solution factors of another point do; far from it new ones are made. */
static void test_old_factors(void)
{
    equation near = {.f = cube, .slope = 12.1}, far = {.f = cube, .slope = 1.0};
    double z;

    CHECK_INT(solve(&near, 2.001, true, &z), RG_OK);
    CHECK_NEAR(z, 2.0, 1e-10);
    CHECK_INT(near.n_new, 0);
    CHECK_INT(solve(&far, 5.0, true, &z), RG_OK);
    CHECK_NEAR(z, 2.0, 1e-10);
    CHECK(far.n_new > 0);
}

static void test_no_solution(void)
{
    equation e = {.f = none};
    double z;

    CHECK_INT(solve(&e, 3.0, false, &z), RG_RETRY);
}

/* An iteration to rounding goes on while its updates are halved, and as long as they are not small;
 * when they are rounding it is over, whatever the one before was. */
static void test_iterated(void)
{
    CHECK(rg_is_iterated(1e-15, 1e-8));
    CHECK(rg_is_iterated(1e-15, INFINITY));
    CHECK(!rg_is_iterated(1e-12, 1e-11) && rg_is_iterated(1e-12, 1.5e-12));
    CHECK(!rg_is_iterated(1e-10, 3e-10) && rg_is_iterated(1e-10, 1.1e-10));
    CHECK(!rg_is_iterated(1e-7, 1.1e-7) && !rg_is_iterated(1e-12, INFINITY));
    CHECK(rg_is_nearly_iterated(1e-10) && !rg_is_nearly_iterated(1e-7));
    CHECK(!rg_is_iterated(NAN, 1.0) && !rg_is_nearly_iterated(NAN));
}

static const test_case cases[] = {
    {"damping",     test_damping    },
    {"old factors", test_old_factors},
    {"no solution", test_no_solution},
    {"iterated",    test_iterated   }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
