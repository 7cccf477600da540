/* The initial layer of sequential regularization.  Where M derivatives of y_0 agree with those of y
 * at the start (H4; M = -1: not even the value), L Theorem 3.1 and N Theorem 2.2 say, p_s = 0 for s
 * <= M + 1,
 *
 *     x_s - x = O(eps^s) + O(eps^(M+2) p_s(t/eps) e^(-t/eps)),
 *     By_s - By = O(eps^s) + O(eps^(M+1) p_s(t/eps) e^(-t/eps)).
 *
 * So the largest error over the whole interval has the order min(s, M + 2) in x, and in y s for s
 * <= M + 1, M + 1 above; behind the layer it has the order s whatever y_0 is.  y_0: zero, start,
 * start1, start2 are M = -1, 0, 1, 2. */
#include "regula.h"
#include "support/options.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const iterates[] = {"zero", "start", "start1", "start2"};
static const double DEVIATION =
    0.25; /* eps = 0.02, 0.01, 0.005: not all of the asymptotics is there */
static const double LAYER = 0.5;

typedef struct { /* largest errors: of x everywhere, behind the layer; of y everywhere */
    void (*exact)(double t, double *x);
    double x, behind, y;
} watch;

static int note(double t, const double *y, const double *yp, void *user)
{
    watch *w = user;
    double exact[3];

    (void)yp;
    w->exact(t, exact);
    const double error = fmax(fabs(y[0] - exact[0]), fabs(y[1] - exact[1]));
    w->x = fmax(w->x, error);
    if (t >= LAYER) w->behind = fmax(w->behind, error);
    if (t > 0.0) w->y = fmax(w->y, fabs(y[2] - exact[2]));
    return 0;
}

static bool run(const char *model, const char *text, double t_end, watch *w)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();

    bool ok = CHECK_INT(rg_context_create(&ctx), RG_OK)
              && CHECK_INT(rg_problem_from_file(ctx, model, &p), RG_OK)
              && options_from_words(ctx, &o, text);
    ok = ok && CHECK_INT(rg_solve_with(p, t_end, &o, note, w, &s), RG_OK);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return ok;
}

typedef struct {
    const char *model, *variant;
    void (*exact)(double t, double *x);
    bool has_y; /* y is bounded */
    double eps;
} layer_case;

static double order_of(const double *error)
{
    return log2(error[0] / error[2]) / 2.0;
}

static void report(const layer_case *c, int M, int s, const char *what, const double *error)
{
    printf("%s, %s, y0 = %s, iterate %d: %s, order %.2f, errors %.2e %.2e %.2e\n", c->model,
           c->variant, iterates[M + 1], s, what, order_of(error), error[0], error[1], error[2]);
}

static void check(const layer_case *c, int M, int s)
{
    double x[3], behind[3], y[3];
    char text[256];

    for (int k = 0; k < 3; k++) {
        watch w = {c->exact, 0.0, 0.0, 0.0};
        snprintf(text, sizeof text,
                 "method=srm variant=%s scheme=gauss3 step=%.17g eps=%.17g iterations=%d y0=%s",
                 c->variant, 1.0 / 801, ldexp(c->eps, -k), s, iterates[M + 1]);
        if (!run(c->model, text, 1.0, &w)) return;
        x[k] = w.x;
        behind[k] = w.behind;
        y[k] = w.y;
    }
    const int order_x = s < M + 2 ? s : M + 2, order_y = s <= M + 1 ? s : M + 1;
    if (!CHECK(order_of(x) > order_x - DEVIATION && order_of(x) < order_x + 0.9))
        report(c, M, s, "x everywhere", x);
    if (!CHECK(order_of(behind) > s - DEVIATION)) report(c, M, s, "x behind the layer", behind);
    if (c->has_y && !CHECK(order_of(y) > order_y - DEVIATION && order_of(y) < order_y + 0.9))
        report(c, M, s, "y everywhere", y);
}

static void decay(double t, double *x)
{
    x[0] = exp(-t);
    x[1] = sin(t);
    x[2] = exp(t);
}

static void robot(double t, double *x)
{
    x[0] = sin(t);
    x[1] = -2.0 * sin(t);
    x[2] = cos(t);
}

static void test_regular(void)
{
    const layer_case c = {"examples/ivp/srm-nonlinear.rg", "basic", decay, true, 0.02};

    for (int M = -1; M <= 2; M++)
        for (int s = 1; s <= 3; s++)
            check(&c, M, s);
}

/* Through t = 1/2, where B and C vanish and y is infinite. */
static void test_singular(void)
{
    const layer_case c = {"examples/srm/srm-singular.rg", "linear-by", decay, false, 0.02};

    for (int M = -1; M <= 2; M++)
        for (int s = 1; s <= 3; s++)
            check(&c, M, s);
}

/* N Theorem 4.1: no layer for s <= M + 1. */
static void test_second_order(void)
{
    const layer_case c = {"examples/ivp/robot-two-link.rg", "stabilized", robot, false, 0.01};

    for (int M = 0; M <= 2; M++)
        for (int s = 1; s <= M + 1; s++)
            check(&c, M, s);
}

int main(void)
{
    static const test_case cases[] = {
        {"regular",      test_regular     },
        {"singular",     test_singular    },
        {"second order", test_second_order}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
