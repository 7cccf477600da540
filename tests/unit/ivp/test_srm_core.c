/* The core of sequential regularization by itself: no integrator, no step.
 *
 *     x1' = -x1 + t + (1 + t) y,   x2' = x1 - 2 x2 + 3 y,   0 = x1 + x1 x2 - exp(-t)
 *
 * so that B = -(1 + t, 3), g = exp(-t) - x1 - x1 x2 or its negative: signs cancel in all that is
 * compared.  E = (GB)^-1, N (2.5):  y_s = y_{s-1} + E g/eps. */
#include "support/test.h"

#include "ivp/srm/core.h"
#include "linalg/small_lu.h"
#include "newton/consistent.h"
#include "support/options.h"

#include <math.h>

static const char text[] = "var x1 = 1, x2 = 0, y\n"
                           "x1' = -x1 + t + (1 + t)*y\n"
                           "x2' = x1 - 2*x2 + 3*y\n"
                           "0 = x1 + x1*x2 - exp(-t)\n"
                           "over t = 0 .. 1\n";

typedef struct {
    rg_context *ctx;
    rg_problem *p;
    rg_system *system;
    rg_srm_core *core;
} parts;

static bool open(parts *q, const char *method, const char *words)
{
    const rg_analysis *a;
    rg_options o = rg_options_default();

    *q = (parts){0};
    if (!CHECK_INT(rg_context_create(&q->ctx), RG_OK)) return false;
    options_from_words(q->ctx, &o, words);
    return CHECK_INT(rg_problem_from_text(q->ctx, text, &q->p), RG_OK)
           && CHECK_INT(rg_analysis_get(q->p, &a), RG_OK)
           && CHECK_INT(rg_system_create(q->p, a, RG_VIEW_DIRECT, &q->system), RG_OK)
           && CHECK_INT(rg_srm_core_create(q->system, rg_srm_method_find(method), &o, &q->core),
                        RG_OK);
}

static void close(parts *q)
{
    rg_srm_core_destroy(&q->core);
    rg_system_destroy(&q->system);
    rg_problem_destroy(&q->p);
    rg_context_destroy(&q->ctx);
}

static double constraint(double t, const double *z)
{
    return z[0] + z[0] * z[1] - exp(-t);
}

/* y of the model, from a constraint value: GB y = ..., the sign of g drops out of E g. */
static double correction(double t, const double *z)
{
    const double GB = (1.0 + z[1]) * (1.0 + t) + z[0] * 3.0;

    return -constraint(t, z) / GB;
}

/* The first iterate and the second one, which takes what the first carried. */
static void test_iterates(void)
{
    const double t = 0.3, z[2] = {0.9, 0.4}, eps = 0.01, y_0 = 0.7;
    parts q;

    if (open(&q, "srm", "variant=basic")) {
        double dz[2], carried, y, y_2, rho;
        rg_srm_core *c = q.core;
        CHECK_INT(c->n_z, 2);
        CHECK_INT(c->n_c, 1);
        CHECK_INT(rg_srm_core_measure(c, t, z, &rho), RG_OK);
        CHECK_NEAR(rho, 1.0, 1e-15); /* G B E = I */
        CHECK_NEAR(rg_srm_core_eps(c, 1e-6, 0.02, rho), 0.02, 1e-16);
        c->eps = eps;
        c->y0[0] = y_0;
        CHECK_INT(rg_srm_core_eval(c, t, z, NULL, dz, &carried, &y), RG_OK);
        const double expected = y_0 + correction(t, z) / eps;
        CHECK_NEAR(y, expected, 1e-12 * fabs(expected));
        CHECK_NEAR(carried, expected, 1e-12 * fabs(expected));
        CHECK_NEAR(dz[0], -z[0] + t + (1.0 + t) * expected, 1e-11 * fabs(expected));
        CHECK_NEAR(dz[1], z[0] - 2.0 * z[1] + 3.0 * expected, 1e-11 * fabs(expected));
        CHECK_INT(rg_srm_core_eval(c, t, z, &carried, dz, NULL, &y_2), RG_OK);
        CHECK_NEAR(y_2, expected + correction(t, z) / eps, 1e-11 * fabs(expected));
        CHECK_INT(c->evaluations, 2);
        CHECK(!c->has_hit);
    }
    close(&q);
}

/* dF/dz by differences against differences of another size, z as it was. */
static void test_jacobian(void)
{
    const double t = 0.3, scale[2] = {1.0, 2.0};
    double z[2] = {0.9, 0.4}, F[2], J[4], K[4], up[2], down[2];
    parts q;

    if (open(&q, "srm", "variant=basic")) {
        rg_srm_core *c = q.core;
        c->eps = 0.1;
        CHECK_INT(rg_srm_core_eval(c, t, z, NULL, F, NULL, NULL), RG_OK);
        CHECK_INT(rg_srm_core_jacobian(c, t, z, NULL, NULL, F, J), RG_OK);
        CHECK_INT(rg_srm_core_jacobian(c, t, z, NULL, scale, F, K), RG_OK);
        CHECK(z[0] == 0.9 && z[1] == 0.4);
        for (int j = 0; j < 2; j++) {
            const double kept = z[j], d = 1e-4;
            z[j] = kept + d;
            CHECK_INT(rg_srm_core_eval(c, t, z, NULL, up, NULL, NULL), RG_OK);
            z[j] = kept - d;
            CHECK_INT(rg_srm_core_eval(c, t, z, NULL, down, NULL, NULL), RG_OK);
            z[j] = kept;
            for (int i = 0; i < 2; i++) {
                CHECK_NEAR(J[2 * j + i], (up[i] - down[i]) / (2 * d), 1e-5);
                CHECK_NEAR(K[2 * j + i], (up[i] - down[i]) / (2 * d), 1e-4);
            }
        }
    }
    close(&q);
}

/* Projections converge quadratically; multipliers keep x' + ... on the hidden constraint. */
static void test_projection(void)
{
    const double t = 0.2;
    double z[2] = {0.85, 0.05}, y;
    parts q;

    if (open(&q, "srm", "variant=basic")) {
        double before = fabs(constraint(t, z));
        for (int k = 0; k < 4; k++) {
            CHECK_INT(rg_srm_core_project(q.core, t, z), RG_OK);
            const double now = fabs(constraint(t, z));
            CHECK(now <= before * before + 1e-15);
            before = now;
        }
        CHECK_INT(rg_srm_core_multipliers(q.core, t, z, &y), RG_OK);
        const double x1p = -z[0] + t + (1.0 + t) * y, x2p = z[0] - 2.0 * z[1] + 3.0 * y;
        CHECK_NEAR((1.0 + z[1]) * x1p + z[0] * x2p + exp(-t), 0.0, 1e-13);
    }
    close(&q);
}

/* z and y_0 from states of the system; a singular GB is told apart from what cannot be evaluated.
 * */
static void test_start(void)
{
    const double states[3] = {1.0, 0.5, 2.0}, singular[2] = {0.0, -1.0};
    double z[2], dz[2];
    parts q;

    if (open(&q, "srm", "variant=basic")) {
        rg_srm_core *c = q.core;
        c->eps = 0.1;
        CHECK_INT(rg_srm_core_start(c, "auto", false, 0.0, states, NULL, z), RG_OK);
        CHECK(z[0] == 1.0 && z[1] == 0.5 && c->y0[0] == 2.0 && c->near[0] == 2.0);
        CHECK_INT(rg_srm_core_start(c, "auto", true, 0.0, states, NULL, z), RG_OK);
        CHECK(c->y0[0] == 0.0);
        CHECK_INT(rg_srm_core_start(c, "start", true, 0.0, states, NULL, z), RG_OK);
        CHECK(c->y0[0] == 2.0);
        CHECK_INT(rg_srm_core_eval(c, 0.0, singular, NULL, dz, NULL, NULL), RG_RETRY);
        CHECK(c->has_hit);
    }
    close(&q);
}

/* Every method has its row; one that needs another form says so. */
static void test_methods(void)
{
    static const char *const names[] = {
        "srm",        "penalty",   "baumgarte",         "augmented-lagrangian",
        "park-chiou", "invariant", "post-stabilization"};

    for (int k = 0; k < 7; k++) {
        parts q;
        const double z[3] = {0.9, 0.4, 0.1};
        double dz[3], y;
        if (open(&q, names[k], "")) {
            rg_srm_core *c = q.core;
            c->eps = 0.1;
            CHECK_INT(rg_srm_core_eval(c, 0.3, z, NULL, dz, NULL, &y), RG_OK);
            CHECK(isfinite(dz[0]) && isfinite(dz[1]) && isfinite(y));
        }
        close(&q);
    }
    CHECK(rg_srm_method_find("radau") == NULL);
}

/* G B of one constraint has no rounding from an elimination: factors that B and G have in common
 * may be as small as rounding each, and G B as its square, and cancel in B (GB)^-1 G.  Two
 * constraints of which one is lost by elimination are singular from rounding on. */
static void test_one_constraint(void)
{
    const double one[] = {1.0, 1e-30, 1e-33}, two[] = {1e-14, 1e-16};

    for (int k = 0; k < 3; k++) {
        rg_srm_core c = {.n_y = 1, .largest = 1.0};
        double A[] = {one[k]};
        int pivot;
        CHECK(rg_small_lu_factor(1, A, &pivot));
        CHECK_INT(rg_srm_inverse_is_regular(&c, A), one[k] > 1e-32);
    }
    for (int k = 0; k < 2; k++) {
        rg_srm_core c = {.n_y = 2};
        double A[] = {1.0, 0.0, 0.0, two[k]};
        int pivot[2];
        CHECK(rg_small_lu_factor(2, A, pivot));
        CHECK_INT(rg_srm_inverse_is_regular(&c, A), two[k] > 1e-15);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"iterates",       test_iterates      },
        {"jacobian",       test_jacobian      },
        {"projection",     test_projection    },
        {"start",          test_start         },
        {"methods",        test_methods       },
        {"one constraint", test_one_constraint},
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
