/* Flow on grids: Example 4.1 of the thesis against its exact solution and against the measured
 * values of an independent code; the rivals; implicit viscosity against its operator. */
#include "pdae/flow/flow.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double mu;

static double A(double s)
{
    return s * s * (1 - s) * (1 - s);
}

static double B(double s)
{
    return s * (1 - s) * (1 - 2 * s);
}

static double A1(double s)
{
    return 2 * B(s);
}

static double B1(double s)
{
    return 1 - 6 * s + 6 * s * s;
}

static double A2(double s)
{
    return 2 * B1(s);
}

static double B2(double s)
{
    return 12 * s - 6;
}

/* Component c of the exact velocity, (4.74) with E = 1 + exp(-t). */
static double velocity(int c, double x, double y, double t)
{
    const double E = 1 + exp(-t);

    return c == 0 ? 50 * A(x) * B(y) * E : -50 * A(y) * B(x) * E;
}

static double pressure(double x, double y, double t)
{
    const double E = 1 + exp(-t);

    return (-x * (x / 2 + 2) - y * (y / 2 - 2) + 1.0 / 3) * E * E;
}

static double force_at(int c, double x, double y, double t)
{
    const double E = 1 + exp(-t), e = exp(-t), u = velocity(0, x, y, t), v = velocity(1, x, y, t);

    if (c == 0)
        return -50 * A(x) * B(y) * e + u * 50 * A1(x) * B(y) * E + v * 50 * A(x) * B1(y) * E
               - mu * 50 * (A2(x) * B(y) + A(x) * B2(y)) * E - (x + 2) * E * E;
    return 50 * A(y) * B(x) * e - u * 50 * A(y) * B1(x) * E - v * 50 * A1(y) * B(x) * E
           + mu * 50 * (A2(y) * B(x) + A(y) * B2(x)) * E - (y - 2) * E * E;
}

static void place(const rg_grid *g, int c, int i, int j, double *x, double *y)
{
    *x = c == 0 ? g->axis[0].edge[i] : g->axis[0].centre[i];
    *y = c == 1 ? g->axis[1].edge[j] : g->axis[1].centre[j];
}

static rg_status force(void *user, double t, int c, double *const *u, double *out)
{
    const rg_vector_space *s = user;

    (void)u;
    for (int j = s->first[c][1]; j < s->end[c][1]; j++)
        for (int i = s->first[c][0]; i < s->end[c][0]; i++) {
            double x, y;
            place(s->grid, c, i, j, &x, &y);
            out[rg_grid_at(s->grid, i, j, 0)] += force_at(c, x, y, t);
        }
    return RG_OK;
}

typedef struct { /* the end of a run */
    int n;
    double *u, *v, *p; /* n n numbers each, p with mean 0 */
    double drift;
} result;

static result run(int n, int steps, const rg_fluid_options *options)
{
    rg_context *ctx = NULL;
    rg_grid *g = NULL;
    rg_vector_space *s = NULL;
    rg_fluid *f = NULL;
    const rg_axis_spec spec[2] = {
        {.n = n, .b = 1.0},
        {.n = n, .b = 1.0}
    };
    const int side[RG_SIDES] = {0};
    const double k = 1.0 / steps;
    double moved, error;
    result r = {.n = n, .u = calloc(3 * (size_t)(n * n), sizeof(double)), .drift = NAN};

    r.v = r.u + n * n;
    r.p = r.v + n * n;
    rg_context_create(&ctx);
    rg_grid_create(ctx, 2, spec, &g);
    rg_vector_space_create(g, side, &s);
    const rg_fluid_data data = {
        .user = s, .duration = 1.0, .nu = mu, .convection = 1.0, .force = force};
    CHECK(rg_fluid_create(ctx, s, &data, options, &f) == RG_OK);
    for (int c = 0; c < 2; c++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double x, y;
                place(g, c, i, j, &x, &y);
                rg_fluid_velocity(f)[c][rg_grid_at(g, i, j, 0)] = velocity(c, x, y, 0.0);
            }
    CHECK(rg_fluid_start(f, 0.0, &moved) == RG_OK);
    for (int m = 0; m < steps; m++) {
        if (!CHECK(rg_fluid_step(f, m * k, k, &error) == RG_OK)) break;
        rg_fluid_accept(f, k);
    }
    CHECK(rg_fluid_drift(f, 1.0, &r.drift) == RG_OK);
    if (options->scheme != RG_FLUID_CN) CHECK(rg_fluid_update_pressure(f, 1.0) == RG_OK);
    const double *p = rg_fluid_pressure(f);
    double mean = 0.0;
    for (int j = 0, m = 0; j < n; j++)
        for (int i = 0; i < n; i++, m++) {
            const int64_t at = rg_grid_at(g, i, j, 0);
            r.u[m] = rg_fluid_velocity(f)[0][at];
            r.v[m] = rg_fluid_velocity(f)[1][at];
            r.p[m] = p[at];
            mean += p[at] / (n * n);
        }
    for (int m = 0; m < n * n; m++)
        r.p[m] -= mean;
    rg_fluid_destroy(&f);
    rg_vector_space_destroy(&s);
    rg_grid_destroy(&g);
    rg_context_destroy(&ctx);
    return r;
}

/* Discrete L2 norms of the differences to the exact solution. */
static void errors(const result *r, double *eu, double *ep)
{
    const int n = r->n;
    const double h = 1.0 / n;
    double mean = 0.0;

    *eu = *ep = 0.0;
    for (int m = 0; m < n * n; m++)
        mean += pressure((m % n + 0.5) * h, (m / n + 0.5) * h, 1.0) / (n * n);
    for (int m = 0; m < n * n; m++) {
        const double x = m % n * h, y = m / n * h;
        const double du = r->u[m] - velocity(0, x, y + h / 2, 1.0),
                     dv = r->v[m] - velocity(1, x + h / 2, y, 1.0),
                     dp = r->p[m] + mean - pressure(x + h / 2, y + h / 2, 1.0);
        *eu += du * du + dv * dv;
        *ep += dp * dp;
    }
    *eu = sqrt(*eu) / n;
    *ep = sqrt(*ep) / n;
}

/* L2 difference of two velocities, largest difference of two pressures. */
static void differences(const result *a, const result *b, double *u, double *p)
{
    *u = *p = 0.0;
    for (int m = 0; m < a->n * a->n; m++) {
        *u += pow(a->u[m] - b->u[m], 2) + pow(a->v[m] - b->v[m], 2);
        *p = fmax(*p, fabs(a->p[m] - b->p[m]));
    }
    *u = sqrt(*u) / a->n;
}

static rg_fluid_options srm(rg_fluid_scheme scheme, int iterations, double eps)
{
    return (rg_fluid_options){.scheme = scheme,
                              .eps = eps,
                              .alpha1 = 1.0,
                              .alpha2 = 1.0,
                              .iterations = iterations,
                              .solver_tol = 1e-10};
}

/* Time errors of the scheme with implicit viscosity at 64^2, eps = 1e-8, measured with another code
 * (against 2048 steps of three iterations): all digits. */
static void implicit_viscosity_has_order_two_in_time(void)
{
    static const struct {
        int steps, iterations;
        double u, p;
    } row[] = {
        {16,  1, 2.33e-3, 1.6e-1},
        {64,  1, 1.38e-4, 8.9e-3},
        {256, 1, 8.56e-6, 5.2e-4},
        {16,  2, 3.24e-4, 8.9e-2},
        {64,  2, 1.07e-5, 3.3e-3},
        {64,  3, 4.03e-6, 1.7e-3}
    };
    rg_fluid_options o = srm(RG_FLUID_CN, 3, 1e-8);

    mu = 0.1;
    result fine = run(64, 2048, &o);
    double eu, ep;
    errors(&fine, &eu, &ep);
    CHECK_NEAR(eu, 4.36e-4, 0.005e-4);
    CHECK_NEAR(ep, 1.08e-4, 0.005e-4);
    for (size_t m = 0; m < sizeof row / sizeof *row; m++) {
        o.iterations = row[m].iterations;
        result r = run(64, row[m].steps, &o);
        double u, p;
        differences(&r, &fine, &u, &p);
        CHECK_NEAR(u, row[m].u, 0.005 * row[m].u);
        CHECK_NEAR(p, row[m].p, 0.035 * row[m].p);
        free(r.u);
    }
    free(fine.u);
}

/* Space and time together, k proportional to h: order 2 in u and p. */
static void second_order_in_space(void)
{
    const rg_fluid_options o = srm(RG_FLUID_SSPRK3, 1, 1e-6);
    double eu[3], ep[3];

    mu = 0.001;
    for (int m = 0; m < 3; m++) {
        result r = run(16 << m, 32 << m, &o);
        errors(&r, &eu[m], &ep[m]);
        free(r.u);
    }
    CHECK_NEAR(log2(eu[1] / eu[2]), 2.0, 0.1);
    CHECK_NEAR(log2(ep[1] / ep[2]), 2.0, 0.1);
}

/* Explicit schemes on a fixed grid: orders 1, 2, 3 of the velocity. */
static void explicit_schemes_have_their_orders(void)
{
    const rg_fluid_scheme scheme[] = {RG_FLUID_EULER, RG_FLUID_HEUN, RG_FLUID_SSPRK3};

    mu = 0.001;
    rg_fluid_options o = srm(RG_FLUID_SSPRK3, 1, 1e-6);
    result fine = run(16, 1024, &o);
    for (int m = 0; m < 3; m++) {
        double u[2], p[2];
        o.scheme = scheme[m];
        for (int half = 0; half < 2; half++) {
            result r = run(16, 64 << half, &o);
            differences(&r, &fine, &u[half], &p[half]);
            free(r.u);
        }
        CHECK_NEAR(log2(u[0] / u[1]), m + 1.0, 0.15);
        CHECK_NEAR(log2(p[0] / p[1]), m + 1.0, 0.25);
    }
    free(fine.u);
}

/* O(eps^s): with eps = 0.1 and 0.05 the difference to the constrained solution falls with order s.
 * */
static void iterations_raise_the_order_in_eps(void)
{
    mu = 0.1;
    rg_fluid_options o = srm(RG_FLUID_HEUN, 1, 1e-10);
    result exact = run(16, 256, &o);
    for (int s = 1; s <= 3; s++) {
        double u[2], p;
        for (int half = 0; half < 2; half++) {
            o = srm(RG_FLUID_HEUN, s, half ? 0.01 : 0.02);
            result r = run(16, 256, &o);
            differences(&r, &exact, &u[half], &p);
            free(r.u);
        }
        CHECK_NEAR(log2(u[0] / u[1]), s, 0.2);
    }
    free(exact.u);
}

/* (4.3) is the limit of one iteration: gamma = alpha2/alpha1. */
static void baumgarte_is_the_limit(void)
{
    double u, p;

    mu = 0.1;
    rg_fluid_options o = srm(RG_FLUID_HEUN, 1, 1e-10);
    result a = run(16, 256, &o);
    o.method = RG_FLUID_BAUMGARTE;
    o.gamma = 1.0;
    result b = run(16, 256, &o);
    differences(&a, &b, &u, &p);
    CHECK_NEAR(u, 0.0, 1e-8);
    CHECK_NEAR(p, 0.0, 1e-8);
    free(a.u);
    free(b.u);
}

/* The rivals with implicit viscosity converge to the same flow. */
static void rivals_converge(void)
{
    const rg_fluid_method method[] = {RG_FLUID_PROJECTION, RG_FLUID_PENALTY, RG_FLUID_BAUMGARTE,
                                      RG_FLUID_COMPRESSIBILITY};

    mu = 0.1;
    for (int m = 0; m < 4; m++) {
        rg_fluid_options o = srm(RG_FLUID_CN, 1, method[m] == RG_FLUID_PENALTY ? 1e-6 : 1e-4);
        double eu, ep;
        o.method = method[m];
        o.gamma = 1.0;
        /* Without the old pressure the step is of first order. */
        result r = run(32, method[m] == RG_FLUID_PENALTY ? 2048 : 256, &o);
        errors(&r, &eu, &ep);
        if (!CHECK_NEAR(eu, 1.74e-3, 0.3e-3)) printf("rival %d\n", m); /* the error in space */
        free(r.u);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"implicit viscosity has order two in time", implicit_viscosity_has_order_two_in_time},
        {"second order in space",                    second_order_in_space                   },
        {"explicit schemes have their orders",       explicit_schemes_have_their_orders      },
        {"iterations raise the order in eps",        iterations_raise_the_order_in_eps       },
        {"baumgarte is the limit",                   baumgarte_is_the_limit                  },
        {"rivals converge",                          rivals_converge                         },
    };
    return test_main(cases, sizeof cases / sizeof *cases);
}
