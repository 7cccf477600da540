/* Multipliers and highest derivatives from the hidden constraints, at exact states. */
#include "support/test.h"
#include "views/recover.h"
#include "views/system_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rg_context *ctx;

typedef struct {
    rg_problem *p;
    rg_system *s;
    rg_recovery *r;
    double *y, *yp;
} view;

static bool open_view(view *v, const char *text, rg_view_kind kind)
{
    const rg_analysis *a;

    memset(v, 0, sizeof *v);
    if (!CHECK_INT(rg_problem_from_text(ctx, text, &v->p), RG_OK)
        || !CHECK_INT(rg_analysis_get(v->p, &a), RG_OK)
        || !CHECK_INT(rg_system_create(v->p, a, kind, &v->s), RG_OK)
        || !CHECK_INT(rg_recovery_create(v->s, &v->r), RG_OK))
        return false;
    v->y = calloc((size_t)rg_system_size(v->s) + 1, sizeof *v->y);
    v->yp = calloc((size_t)rg_system_size(v->s) + 1, sizeof *v->yp);
    return v->y != NULL && v->yp != NULL;
}

static void close_view(view *v)
{
    free(v->y);
    free(v->yp);
    rg_recovery_destroy(&v->r);
    rg_system_destroy(&v->s);
    rg_problem_destroy(&v->p);
}

static rg_status recover(view *v, double t, rg_stats *stats)
{
    rg_options o = rg_options_default();

    o.rtol = o.atol = 1e-8;
    return rg_recovery_run(v->r, &o, false, t, v->y, v->yp, stats);
}

/* x1 = sin t, x2 = cos t, z = exp t; z enters other than linearly. */
static const char index2[] = "var x1 = 0, x2, z\n"
                             "x1' = x2 + z^3 - exp(3*t)\nx2' = -x1 + 2*(z - exp(t))\n"
                             "0 = x1 + 3*x2 - sin(t) - 3*cos(t)\nover t = 0 .. 1\n";

static void test_index2(void)
{
    view v;

    if (!open_view(&v, index2, RG_VIEW_DIRECT)) return;
    CHECK(v.r != NULL);
    for (int k = 0; k < 5 && v.r != NULL; k++) {
        rg_stats stats = {0};
        const double t = 0.1 + 0.001 * k;
        v.y[0] = sin(t);
        v.y[1] = cos(t);
        v.y[2] = 1.01 * exp(t);
        v.yp[0] = v.yp[1] = 0.3;
        CHECK_INT(recover(&v, t, &stats), RG_OK);
        CHECK_NEAR(v.y[2], exp(t), 1e-9);
        CHECK_NEAR(v.yp[0], cos(t), 1e-9);
        CHECK_NEAR(v.yp[1], -sin(t), 1e-9);
        CHECK_NEAR(v.y[0], sin(t), 1e-16);
        CHECK(stats.evaluations > 0 && stats.factorizations == (k == 0 ? 1 : 0));
    }
    close_view(&v);
}

/* A point of the pendulum in motion; the place of a multiplier. */
static int64_t set_pendulum(view *v, double angle, double speed, const char *multiplier)
{
    int64_t at_multiplier = -1;
    char name[32];

    for (int64_t k = 0; k < rg_system_size(v->s); k++) {
        const double p = sin(angle), q = -cos(angle);
        rg_system_state_name(v->s, k, name, sizeof name);
        const double at = strcmp(name, "p") == 0                              ? p
                          : strcmp(name, "q") == 0                            ? q
                          : strcmp(name, "u") == 0 || strcmp(name, "p'") == 0 ? -q * speed
                          : strcmp(name, "v") == 0 || strcmp(name, "q'") == 0 ? p * speed
                                                                              : 0.0;
        v->y[k] = at;
        if (strcmp(name, multiplier) == 0) at_multiplier = k;
        if (strcmp(name, "p") == 0) v->yp[k] = -q * speed;
        if (strcmp(name, "q") == 0) v->yp[k] = p * speed;
    }
    CHECK(at_multiplier >= 0);
    return at_multiplier;
}

/* lam = v^2 - q (unit length and mass, weight 1). */
static void check_pendulum(const char *text, rg_view_kind kind, const char *multiplier)
{
    const double angle = 0.7, speed = 1.3;
    view v;
    rg_stats stats = {0};

    if (!open_view(&v, text, kind)) return;
    const int64_t lam = set_pendulum(&v, angle, speed, multiplier);
    CHECK_INT(recover(&v, 0.0, &stats), RG_OK);
    if (lam >= 0) CHECK_NEAR(v.y[lam], speed * speed + cos(angle), 1e-9);
    close_view(&v);
}

static void test_pendulum(void)
{
    static const char first[] = "var p = 1, q = 0, u = 0, v = 0, lam\n"
                                "p' = u\n0 = v - q'\nu' = -p*lam\nv' = -q*lam - 1\n"
                                "0 = p^2 + q^2 - 1\nover t = 0 .. 10\n";
    static const char second[] = "var p = 1, q = 0, p' = 0, q' = 0, lam\n"
                                 "p'' = -p*lam\nq'' = -q*lam - 1\n"
                                 "0 = p^2 + q^2 - 1\nover t = 0 .. 10\n";
    static const char speeds[] = "var p = 1, q = 0, u = 0, v = 0, lam\n"
                                 "p' = u\nq' = v\nu' = -p*lam\nv' = -q*lam - 1\n"
                                 "0 = p*u + q*v\nover t = 0 .. 10\n";

    check_pendulum(first, RG_VIEW_DIRECT, "lam");
    check_pendulum(first, RG_VIEW_STABILIZED, "lam");
    check_pendulum(first, RG_VIEW_REDUCED, "lam");
    check_pendulum(second, RG_VIEW_DIRECT, "lam");
    check_pendulum(second, RG_VIEW_STABILIZED, "lam");
    check_pendulum(speeds, RG_VIEW_DIRECT, "lam");
}

/* lam = u^2 + v^2 - q in two equal parts, as the circle stands there twice.  Of all changes along
 * the circle by a tolerance at most, speeds by (1 + 1.3)/1e8 and places by 2/1e8, none makes lam/2
 * differ by more than 1.3*2.3 + 1 tolerances. */
static void test_gain(void)
{
    static const char text[] = "var p = 1, q = 0, u = 0, v = 0, l1, l2\n"
                               "p' = u\nq' = v\nu' = -p*(l1 + l2)\nv' = -q*(l1 + l2) - 1\n"
                               "0 = p^2 + q^2 - 1\n0 = 2*p^2 + 2*q^2 - 2\nover t = 0 .. 10\n";
    const double angle = 0.7, speed = 1.3;
    view v;
    rg_stats stats = {0};

    if (!open_view(&v, text, RG_VIEW_REDUCED)) return;
    CHECK(isinf(rg_recovery_gain(v.r)));
    const int64_t l1 = set_pendulum(&v, angle, speed, "l1");
    CHECK_INT(recover(&v, 0.0, &stats), RG_OK);
    if (l1 >= 0) CHECK_NEAR(v.y[l1], 0.5 * (speed * speed + cos(angle)), 1e-9);
    CHECK(rg_recovery_gain(v.r) >= 1.0 && rg_recovery_gain(v.r) <= 1.3 * 2.3 + 1.0);
    close_view(&v);
}

/* Where the hidden constraint does not determine z, it stays. */
static void test_singular(void)
{
    static const char text[] = "var x = 0, z\nx' = (t - 0.5)*z\n0 = x - (t - 0.5)^2/2 + 1/8\n"
                               "over t = 0 .. 1\n";
    view v;
    rg_stats stats = {0};

    if (!open_view(&v, text, RG_VIEW_DIRECT)) return;
    v.y[0] = -0.125;
    v.y[1] = 1.5;
    CHECK_INT(recover(&v, 0.5, &stats), RG_OK);
    CHECK_NEAR(v.y[1], 1.5, 1e-16);
    v.y[0] = 0.005 - 0.125;
    CHECK_INT(recover(&v, 0.6, &stats), RG_OK);
    CHECK_NEAR(v.y[1], 1.0, 1e-9);
    close_view(&v);
}

/* Nothing to recover: no hidden constraints. */
static void test_none(void)
{
    view v;

    if (open_view(&v, "var x = 0, z\nx' = z\n0 = z + x\nover t = 0 .. 1\n", RG_VIEW_DIRECT))
        CHECK(v.r == NULL);
    close_view(&v);
}

int main(void)
{
    static const test_case cases[] = {
        {"index 2",           test_index2  },
        {"pendulum",          test_pendulum},
        {"gain",              test_gain    },
        {"singular position", test_singular},
        {"none",              test_none    },
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
