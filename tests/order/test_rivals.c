/* The rivals of sequential regularization: orders in their parameter eps, and limits that must
 * agree.
 *
 *     penalty, direct, parameterized      O(eps) in x                thesis (2.26)-(2.28)
 *     penalty, index 3                    x'' = f - B y, y = E (dg/dt + gamma g)/eps as an
 *                                         ordinary differential equation; O(eps) at fixed gamma,
 *                                         N (4.5)
 *     augmented-lagrangian                iterated to the end it is Baumgarte's method; after k
 *                                         repetitions at every evaluation the accelerations
 *                                         differ from that by (eps (eps I + GB)^-1)^k times what
 *                                         lambda changes in a step: O(eps^k)  thesis (2.13), (2.14)
 *     all by a scheme of order p: O(h^p) at fixed eps and gamma */
#include "regula.h"
#include "support/options.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char index_2[] = "examples/ivp/srm-nonlinear.rg",
                  index_3[] = "examples/ivp/robot-two-link.rg",
                  swing[] = "examples/ivp/pendulum.rg";

typedef struct {
    double end[3];
    rg_status status;
    char message[512];
} result;

/* model: a file, or the text of one. */
static bool run(const char *model, const char *text, double t_end, result *r)
{
    const bool is_text = strchr(model, '\n') != NULL;
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double y[16];

    bool ok = CHECK_INT(rg_context_create(&ctx), RG_OK)
              && CHECK_INT(is_text ? rg_problem_from_text(ctx, model, &p)
                                   : rg_problem_from_file(ctx, model, &p),
                           RG_OK)
              && options_from_words(ctx, &o, text);
    if (ok) {
        r->status = rg_solve(p, t_end, &o, &s);
        snprintf(r->message, sizeof r->message, "%s", rg_last_error(ctx)->message);
    }
    if (ok && r->status == RG_OK && CHECK_INT(rg_solution_eval(s, t_end, y, NULL), RG_OK))
        memcpy(r->end, y, sizeof r->end);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return ok;
}

static double distance(const double *a, const double *b)
{
    return fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1]));
}

/* Order of the distance to `limit` at the end, value halved twice; head: a format for the value. */
static void check_order(const char *model, const char *head, double value, const double *limit,
                        double order, double deviation)
{
    double error[3];
    char text[256];

    for (int k = 0; k < 3; k++) {
        result r = {0};
        snprintf(text, sizeof text, head, ldexp(value, -k));
        if (!run(model, text, 1.0, &r) || !CHECK_INT(r.status, RG_OK)) return;
        error[k] = distance(r.end, limit);
    }
    const double seen = log2(error[0] / error[2]) / 2.0;
    if (!CHECK(fabs(seen - order) < deviation && error[2] > 1e-13))
        printf("%s %s: order %.2f, theory %.0f, errors %.2e %.2e %.2e\n", model, head, seen, order,
               error[0], error[1], error[2]);
}

static void test_penalties(void)
{
    const double exact[] = {exp(-1.0), sin(1.0)};

    check_order(index_2, "method=penalty scheme=gauss3 step=0.0025 eps=%.17g", 0.02, exact, 1, 0.2);
    check_order(index_2, "method=penalty variant=parameterized scheme=gauss3 step=0.0025 eps=%.17g",
                0.02, exact, 1, 0.2);
    /* an oscillation of amplitude O(eps) whose phase at the end is accidental */
    check_order(index_2, "method=penalty variant=direct scheme=gauss3 step=0.001 eps=%.17g", 4e-3,
                exact, 1, 0.4);
}

/* The penalty of index 3 written out for the pendulum, in units of time of 1/T: alpha_1 = 0, y_0 =
 * 0, E = I in N (4.5). */
static void check_written_out(double T)
{
    static const char rest[] = "var p = 1, q = 0, u = 0, v = 0\n"
                               "p' = u\nq' = v\nu' = -p*y\nv' = -q*y - 9.81/T^2\n";
    char plain[512], written[512], text[256];
    result own = {0}, limit = {0};

    snprintf(plain, sizeof plain, "param T = %.17g\nvar y\n%s0 = p^2 + q^2 - 1\nover t = 0 .. %g\n",
             T, rest, T);
    snprintf(written, sizeof written,
             "param T = %.17g, eps = 0.02*T, gamma = 8/T\n"
             "let y = (2*(p*u + q*v) + gamma*(p^2 + q^2 - 1))/eps\n%sover t = 0 .. %g\n",
             T, rest, T);
    snprintf(text, sizeof text, "method=penalty scheme=gauss3 step=%.17g eps=%.17g gamma=%.17g",
             0.0025 * T, 0.02 * T, 8 / T);
    if (!run(plain, text, T, &own) || !run(written, "method=radau tol=1e-11", T, &limit)) return;
    CHECK_INT(own.status, RG_OK);
    CHECK_INT(limit.status, RG_OK);
    for (int k = 0; k < 2; k++) /* y is the first unknown of `plain` */
        CHECK_NEAR(own.end[k + 1], limit.end[k], 1e-8);
}

static void test_index_3(void)
{
    result limit = {0};

    check_written_out(1.0);
    check_written_out(1e-6);
    check_written_out(1e3);
    if (!run(swing, "method=radau tol=1e-12", 1.0, &limit)) return;
    check_order(swing, "method=penalty gamma=20 scheme=gauss3 step=0.0025 eps=%.17g", 2e-3,
                limit.end, 1, 0.2);
    /* where gamma is not given the decay is no oscillation, and faster for small eps */
    check_order(swing, "method=penalty scheme=gauss3 step=0.0025 eps=%.17g", 0.04, limit.end, 2,
                0.3);
}

static void test_augmented(void)
{
    static const char head_2[] =
        "method=augmented-lagrangian gamma=10 step=0.01 iterations=2 eps=%.17g";
    static const char head_1[] =
        "method=augmented-lagrangian gamma=10 step=0.01 iterations=1 eps=%.17g";
    static const char *const models[] = {index_2, swing};

    for (int k = 0; k < 2; k++) {
        result baumgarte = {0}, all = {0};
        if (!run(models[k], "method=baumgarte gamma=10 step=0.01", 1.0, &baumgarte)
            || !run(models[k],
                    "method=augmented-lagrangian gamma=10 step=0.01 eps=0.05 delta=1e-13", 1.0,
                    &all))
            return;
        CHECK_NEAR(distance(all.end, baumgarte.end), 0.0, 1e-11);
        check_order(models[k], head_1, 0.05, baumgarte.end, 1, 0.25);
        check_order(models[k], head_2, 0.05, baumgarte.end, 2, 0.25);
    }
}

static void test_steps(void)
{
    static const char *const heads[] = {
        "method=augmented-lagrangian gamma=5 eps=1e-3 delta=1e-14 scheme=rk4 step=%.17g",
        "method=penalty variant=parameterized eps=0.1 scheme=rk4 step=%.17g",
        "method=penalty variant=direct eps=0.01 scheme=rk4 step=%.17g",
        "method=srm variant=basic y0=zero iterations=3 eps=0.1 scheme=rk4 step=%.17g",
    };
    static const char *const limits[] = {
        "method=augmented-lagrangian gamma=5 eps=1e-3 delta=1e-14 scheme=gauss3 step=0.0025",
        "method=penalty variant=parameterized eps=0.1 scheme=gauss3 step=0.0025",
        "method=penalty variant=direct eps=0.01 scheme=gauss3 step=0.0025",
        "method=srm variant=basic y0=zero iterations=3 eps=0.1 scheme=gauss3 step=0.0025",
    };

    for (int k = 0; k < 4; k++) {
        result limit = {0};
        if (!run(index_2, limits[k], 1.0, &limit)) return;
        check_order(index_2, heads[k], 0.025, limit.end, 4, 0.4);
    }
}

/* alpha_2 = 0, and corrections by N (5.2) after every step: O(h^p) and no drift. */
static void test_post_stabilized(void)
{
    const double exact[] = {exp(-1.0), sin(1.0)};
    result limit = {0};

    check_order(index_2, "method=srm variant=post-stabilized eps=1e-12 scheme=rk4 step=%.17g", 0.1,
                exact, 4, 0.5);
    if (!run(index_3, "method=radau tol=1e-12", 1.0, &limit)) return;
    check_order(index_3, "method=srm variant=second-order-post eps=1e-12 scheme=rk4 step=%.17g",
                0.05, limit.end, 4, 0.5);
}

/* N (4.10), (4.11) with (HD)^-1: O(h^p), whatever gamma and eps are, since zeta = 0 is exact. */
static void test_invariants(void)
{
    static const char *const heads[] = {
        "method=invariant variant=full gamma=10 scheme=rk4 step=%.17g",
        "method=srm variant=invariant-full eps=0.1 iterations=2 scheme=rk4 step=%.17g",
        "method=invariant variant=gradient gamma=10 scheme=rk4 step=%.17g",
        "method=invariant variant=jacobian gamma=10 scheme=rk4 step=%.17g",
        "method=srm variant=invariant-gradient eps=0.1 iterations=2 scheme=rk4 step=%.17g",
        "method=srm variant=invariant-jacobian eps=0.1 iterations=2 scheme=rk4 step=%.17g",
    };
    result limit = {0};

    if (!run(swing, "method=radau tol=1e-12", 1.0, &limit)) return;
    for (int k = 0; k < 6; k++)
        check_order(swing, heads[k], 0.02, limit.end, 4, 0.5);
}

static void test_refused(void)
{
    static const char *const options[] = {"method=park-chiou", "method=penalty variant=direct",
                                          "method=penalty variant=parameterized"};

    for (int k = 0; k < 3; k++) {
        result r = {0};
        if (!run(index_3, options[k], 1.0, &r)) return;
        CHECK_INT(r.status, RG_ERR_METHOD);
        CHECK(strstr(r.message, "index 2") != NULL);
    }
    result r = {0};
    if (!run(index_2, "method=penalty variant=dirct", 1.0, &r)) return;
    CHECK_INT(r.status, RG_ERR_ARGUMENT);
    CHECK(strstr(r.message, "'penalty' has no variant 'dirct'") != NULL);
}

int main(void)
{
    static const test_case cases[] = {
        {"penalties",       test_penalties      },
        {"index 3",         test_index_3        },
        {"augmented",       test_augmented      },
        {"steps",           test_steps          },
        {"post-stabilized", test_post_stabilized},
        {"invariants",      test_invariants     },
        {"refused",         test_refused        }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
