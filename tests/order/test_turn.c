/* Motions with an energy near the critical one, E = E_c (1 + e), that reach a singular position at
 * rest for e = 0: above, they pass it slowly, below, they turn back shortly before it.  Whatever a
 * run reports as solved must be the motion that the reduced equation with one coordinate has; what
 * the tolerance does not decide must be reported, on both sides alike; what it does decide must
 * not. */
#include "base/options.h"
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the reduced equations  u'' = a(u, u') */

static double crank_force(double u, double v)
{
    const double s = sin(u), c = cos(u);

    return (-4 * s * c * v * v - 9.81 * c) / (4.0 / 3 + 4 * s * s);
}

static double hill_force(double u, double v)
{
    (void)v;
    return u - u * u * u;
}

static double slope_force(double u, double v)
{
    (void)u;
    (void)v;
    return 0.5;
}

static double curved_force(double u, double v) /* on q2 = a(u):  (1 + a'^2) u'' + a' a'' u'^2 */
{
    const double a1 = 0.52 * cos(1.3 * u) + 0.4 * u, a2 = 0.4 - 0.676 * sin(1.3 * u);

    return (u - u * u * u - a1 * a2 * v * v) / (1 + a1 * a1);
}

static double bar_force(double u, double v)
{
    (void)v;
    return 1.2 * 9.81 * sin(u);
}

typedef struct {
    const char *model;
    double end, u, v; /* u' at the start for e = 0 */
    double (*force)(double u, double v);
    double doubtful, clear; /* up to, and from this |e|/tol on, at every tolerance */
} family;

static const double QUARTER = 0.78539816339744831;

/* The classical Runge-Kutta method, in steps of 1/1000. */
static double reference(const family *f, double e)
{
    const int n = (int)(1000 * f->end);
    const double h = f->end / n;
    double u = f->u, v = f->v * sqrt(1 + e);

    for (int i = 0; i < n; i++) {
        const double k1 = v, l1 = f->force(u, v);
        const double k2 = v + h / 2 * l1, l2 = f->force(u + h / 2 * k1, k2);
        const double k3 = v + h / 2 * l2, l3 = f->force(u + h / 2 * k2, k3);
        const double k4 = v + h * l3, l4 = f->force(u + h * k3, k4);
        u += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        v += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    return strcmp(f->model, "four-bar-hill") == 0 ? sin(u) : u; /* its first column is y[0] */
}

static void check_energy(rg_context *ctx, const family *f, double tol, double ratio, double h_max)
{
    const double e = ratio * tol;
    rg_options o = rg_options_default();
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    char path[128];
    double value[4] = {NAN};

    snprintf(path, sizeof path, "tests/singular/%s.rg", f->model);
    o.rtol = o.atol = tol;
    o.h_max = h_max;
    if (!CHECK(rg_problem_from_file(ctx, path, &p) == RG_OK)) return;
    CHECK(rg_problem_set_parameter(p, "e", e) == RG_OK);
    const rg_status status = rg_solve_with(p, f->end, &o, NULL, NULL, &s);
    if (status < 0) {
        CHECK(strstr(rg_last_error(ctx)->message, "bifurcation") != NULL);
        CHECK(s != NULL && rg_solution_end(s) > 0.0);
    } else {
        CHECK(rg_solution_end_values(s, value) == RG_OK);
        CHECK(fabs(value[0] - reference(f, e)) < (fabs(ratio) < f->clear ? 0.5 : 0.1));
    }
    if (!CHECK(fabs(ratio) > f->doubtful || status == RG_ERR_CONVERGENCE)
        || !CHECK(fabs(ratio) < f->clear || status == RG_OK))
        printf("    %s, tol %.0e, e %+.0e, h_max %g: %s\n", f->model, tol, e, h_max,
               status < 0 ? rg_last_error(ctx)->message : "solved");
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void check_family(const family *f)
{
    static const double ratios[] = {1e-2, 0.1, 1.0, 50.0};
    rg_context *ctx = NULL;
    int member = 0;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (double tol = 1e-4; tol > 1e-9; tol *= 1e-2, member++)
        for (size_t k = 0; k < sizeof ratios / sizeof *ratios; k++)
            for (int sign = -1; sign <= 1; sign += 2) {
                if (test_takes(member++)) check_energy(ctx, f, tol, sign * ratios[k], 0.0);
                if (test_takes(member++)) check_energy(ctx, f, tol, sign * ratios[k], 0.11);
            }
    rg_context_destroy(&ctx);
}

static void test_slider_crank(void)
{
    const double v = sqrt(19.62 * (1 - sin(QUARTER)) / (4.0 / 3 + 2));

    check_family(&(family){"crank-energy", 11, QUARTER, v, crank_force, 0.1, 50});
}

static void test_hill(void)
{
    check_family(&(family){"wire-hill", 25, 1, -sqrt(0.5), hill_force, 0.1, 50});
}

static void test_slope(void)
{
    check_family(&(family){"wire-slope", 4, 1, -1, slope_force, 0.1, 50});
}

static void test_curved(void)
{
    const double b = 0.52 * cos(1.3) + 0.4;

    check_family(&(family){"curved-hill", 25, 1, -sqrt(0.5 / (1 + b * b)), curved_force, 0.1, 50});
}

static void test_four_bar(void)
{
    const double v = -sqrt(12 * 9.81 / 5 * (1 - cos(QUARTER)));

    check_family(&(family){"four-bar-hill", 6, QUARTER, v, bar_force, 0.1, 50});
}

typedef struct { /* what the log says about turns */
    int count;
    double tau;
} turns;

static void note_turn(int level, const char *text, void *user)
{
    turns *n = user;
    const char *tau = strstr(text, "tau ");

    (void)level;
    if (strncmp(text, "turn at", 7) != 0 || tau == NULL) return;
    n->count++;
    n->tau = strtod(tau + 4, NULL);
}

/* q1 = d + s^2/2 + k s^3/6, s = t - 1: at the turn the force is 1, in the middle of a step that
 * began where it had the other sign.  The speed that was missing there is sqrt(d); the largest one,
 * 1/(2k), is known from mesh points only, to a factor of 2.  One look at the turn is enough. */
static void test_jerk(void)
{
    const double d = 3e-3, k = 1.9;
    double value[2] = {NAN, NAN};
    turns n = {0, 0.0};
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_context_set_log(ctx, note_turn, 2, &n);
    CHECK(rg_problem_from_file(ctx, "tests/singular/wire-jerk.rg", &p) == RG_OK);
    if (CHECK(rg_solve_with(p, 2.0, NULL, NULL, NULL, &s) == RG_OK))
        CHECK(rg_solution_end_values(s, value) == RG_OK);
    else
        rg_error_print(rg_last_error(ctx), stdout);
    CHECK_NEAR(value[0], d + 0.5 + k / 6, 1e-6);
    CHECK_INT(n.count, 1);
    CHECK(n.tau > sqrt(d) * 2 * k / 2 && n.tau < sqrt(d) * 2 * k * 2);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* The constraint keeps its rank, but at t = 4.703 and 4.721 the multiplier z loses its effect on
 * it: x = sin s, y = exp(-s) goes through, and beside it are motions that turn back there, y off by
 * up to its own size.  Errors decide: in these units two runs at 1e-8 both turned back, y off by
 * 1e-4 of its largest value with estimates of 2e-8. */
static void check_effect(rg_context *ctx, double X, double Y, double Z, double T, double tol)
{
    static const char *const format = "param X = %.17g, Y = %.17g, Z = %.17g, T = %.17g\n"
                                      "var x = 0, y ~ 3/Y, z ~ -5/Z\n"
                                      "over t = 0 .. 6*T\n"
                                      "X*T*x' = cos(t/T) + (Z*z - cos(2*t/T) - 2)*X*x*Y*y\n"
                                      "Y*T*y' = -exp(-t/T) + (Z*z - cos(2*t/T) - 2)*(1 + (X*x)^2)\n"
                                      "Y*y*(1 + X*x) = exp(-t/T)*(1 + sin(t/T))\n";
    rg_options o = rg_options_default();
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    char text[1024];
    double y[3];

    snprintf(text, sizeof text, format, X, Y, Z, T);
    o.rtol = o.atol = tol;
    const rg_request r = {.keep = RG_KEEP_ROWS, .estimate = 1};
    if (!CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)) return;
    if (rg_solve_request(p, 6.0 * T, &o, &r, &s) == RG_OK) {
        double worst = 0.0;
        for (int64_t k = 0; k < rg_solution_rows(s); k++) {
            const double t = rg_solution_time(s, k) / T;
            CHECK(rg_solution_eval(s, rg_solution_time(s, k), y, NULL) == RG_OK);
            worst = fmax(worst, fmax(fabs(X * y[0] - sin(t)), fabs(Y * y[1] - exp(-t))));
        }
        if (!CHECK(worst <= 10.0 * fmax(tol, rg_solution_estimate(s))))
            printf("X %g, Y %g, Z %g, T %g, %g: error %.2g, estimate %.2g\n", X, Y, Z, T, tol,
                   worst, rg_solution_estimate(s));
    } else {
        const char *message = rg_last_error(ctx)->message;
        CHECK(strstr(message, "bifurcation") != NULL || strstr(message, "lose rank") != NULL);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_effect(void)
{
    static const double units[][4] = {
        {1e-6,  1e-9,  1e12,  1e6 },
        {1e-9,  1e-12, 1e-12, 1e-6},
        {1e-6,  1e-6,  1,     1e-6},
        {1e-6,  1e-9,  1e-9,  1   },
        {1e-12, 1e-6,  1e3,   1e-3},
        {1e-12, 1e6,   1e6,   1e3 },
        {1,     1,     1,     1   }
    };
    static const double tols[] = {1e-4, 1e-6, 1e-8};
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        for (size_t e = 0; e < sizeof tols / sizeof *tols; e++)
            check_effect(ctx, units[k][0], units[k][1], units[k][2], units[k][3], tols[e]);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"effect",       test_effect      },
    {"jerk",         test_jerk        },
    {"slider_crank", test_slider_crank},
    {"hill",         test_hill        },
    {"slope",        test_slope       },
    {"curved",       test_curved      },
    {"four_bar",     test_four_bar    }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
