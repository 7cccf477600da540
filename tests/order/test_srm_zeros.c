/* Unbounded multipliers: linear problems of index 2 in which C B has a simple, a double, and
 * several zeros.  By and x are smooth, y is infinite there.  Away from the initial layer x is good
 * to 1e-8, and every zero is reported with its time and the rank that is lost. */
#include "solution/solution.h"
#include "support/options.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LAYER = 0.1, WANTED = 1e-8;

typedef struct {
    double largest;
} watch;

static int note(double t, const double *y, const double *yp, void *user)
{
    watch *w = user;

    (void)yp;
    if (t < LAYER) return 0;
    w->largest = fmax(w->largest, fmax(fabs(y[0] - exp(-t)), fabs(y[1] - sin(t))));
    return 0;
}

typedef struct {
    const char *model;
    double both;     /* of srm-several-zeros.rg; negative: not set */
    int n, lost[3];  /* zeros of C B: rank that is lost */
    double zeros[3]; /* ... and where */
} zero_case;

static rg_status open_model(rg_context *ctx, const zero_case *c, rg_problem **p)
{
    const rg_setting both = {"both", c->both};

    if (strchr(c->model, '\n') != NULL) return rg_problem_from_text(ctx, c->model, p);
    return rg_problem_from_file_with(ctx, c->model, c->both >= 0.0 ? 1 : 0, &both, p);
}

static void check_case(const zero_case *c, const char *text)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    watch w = {0.0};

    if (CHECK_INT(rg_context_create(&ctx), RG_OK) && CHECK_INT(open_model(ctx, c, &p), RG_OK)
        && options_from_words(ctx, &o, text)
        && CHECK_INT(rg_solve_with(p, 1.0, &o, note, &w, &s), RG_OK)) {
        if (!CHECK(w.largest < WANTED)) printf("%s, %s: error %.2e\n", c->model, text, w.largest);
        if (!CHECK_INT(s->n_singular, c->n)) printf("%s, %s\n", c->model, text);
        for (int k = 0; k < c->n && k < s->n_singular; k++) {
            CHECK_NEAR(s->singular[k].t, c->zeros[k], 1e-7);
            if (!CHECK_INT(s->singular[k].lost, c->lost[k])) printf("%s, %s\n", c->model, text);
        }
    } else if (ctx != NULL) {
        printf("%s, %s: %s\n", c->model, text, rg_last_error(ctx)->message);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* Both multipliers become infinite at t = 1/2, and all of C B vanishes. */
static const char together[] =
    "var x1 = 1, x2 = 0, x3 = 1\nvar y1, y2\n"
    "x1' = -x1 + x2 - sin(t) + x3 - cos(t)\nx2' = (1 - 2*t)*y1\nx3' = (1 - 2*t)*(t*y1 + y2)\n"
    "0 = (1 - 2*t)*(x1 + x2 - exp(-t) - sin(t))\n0 = x3 - cos(t)\nover t = 0 .. 1\n";

static const zero_case cases[] = {
    {"examples/srm/srm-singular-b.rg",    -1, 1, {1},       {0.5}                  }, /* simple */
    {"examples/srm/srm-singular.rg",      -1, 1, {1},       {0.5}                  }, /* double */
    {"examples/srm/srm-several-zeros.rg", 0,  3, {1, 1, 1}, {1.0 / 6, 0.5, 5.0 / 6}},
    {"examples/srm/srm-several-zeros.rg", 1,  3, {1, 1, 1}, {1.0 / 6, 0.5, 5.0 / 6}},
    {"examples/srm/srm-two-zeros.rg",     -1, 2, {1, 1},    {1.0 / 3, 2.0 / 3}     },
    {together,                            -1, 1, {2},       {0.5}                  },
};
enum { N_CASES = sizeof cases / sizeof *cases };

static void test_chosen_steps(void)
{
    for (int k = 0; k < N_CASES; k++)
        check_case(&cases[k], "method=srm tol=1e-9");
}

/* 200 steps of 1/200: t = 1/2 is a mesh point, and is moved. */
static void test_fixed_steps(void)
{
    for (int k = 0; k < N_CASES; k++)
        check_case(&cases[k], "method=srm scheme=radau3 step=0.005 eps=1e-3 iterations=4");
}

static void test_pair(void)
{
    check_case(&cases[2], "method=srm scheme=dopri5 tol=1e-10 eps=1e-3 iterations=5");
    check_case(&cases[4], "method=srm scheme=dopri5 tol=1e-10 eps=1e-3 iterations=5");
}

/* x' = A x + q - B y, 0 = C (x - (exp(-t), sin(2 t))) with C = B^T = c(t) (1, 2) and a bounded y:
 * beside the zeros of c, where only B y is seen in x, y of every row is as good as x, from the
 * hidden constraint. */
static void check_rows(const char *c, const char *y, double (*exact)(double), double factor,
                       double tol)
{
    char text[1024], words[64];
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options o = rg_options_default();
    rg_solution *s = NULL;
    const rg_request r = {.keep = RG_KEEP_ROWS, .estimate = true};

    snprintf(text, sizeof text,
             "var x[i=1..2] = 2 - i\nvar y\nlet c = %s, e = exp(-t), d = sin(2*t)\n"
             "x[1]' = -x[1] + x[2] - d + c*(%s) - %g*c*y\n"
             "x[2]' = -x[2] + d + 2*cos(2*t) + 2*c*(%s) - %g*2*c*y\n"
             "0 = %g*(c*(x[1] - e) + 2*c*(x[2] - d))\nover t = 0 .. 1\n",
             c, y, factor, y, factor, factor);
    snprintf(words, sizeof words, "method=srm tol=%g", tol);
    if (CHECK_INT(rg_context_create(&ctx), RG_OK)
        && CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)
        && options_from_words(ctx, &o, words)
        && CHECK_INT(rg_solve_request(p, 1.0, &o, &r, &s), RG_OK)) {
        double worst = 0.0, values[3];
        CHECK(rg_solution_rows(s) > 5);
        for (int64_t k = 0; k < rg_solution_rows(s); k++) {
            CHECK(rg_solution_values(s, k, values) >= 0);
            const double e = exact(rg_solution_time(s, k));
            worst = fmax(worst, fabs(factor * values[2] - e) / (1.0 + fabs(e)));
        }
        if (!CHECK(worst <= 10.0 * tol)) printf("c = %s, tol %g: y off by %.1e\n", c, tol, worst);
    } else if (ctx != NULL) {
        rg_error_print(rg_last_error(ctx), stdout);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static double linear(double t)
{
    return 1.0 + t;
}

static void test_rows(void)
{
    static const double tols[] = {1e-4, 1e-6, 1e-8};

    for (size_t k = 0; k < sizeof tols / sizeof *tols; k++) {
        check_rows("t - 0.5", "cos(t)", cos, 1.0, tols[k]);
        check_rows("t - 0.5", "cos(t)", cos, 1e6, tols[k]);
        check_rows("(t - 0.3)*(t - 0.7)", "1 + t", linear, 1.0, tols[k]);
        check_rows("sin(6*t + 1)", "exp(t)", exp, 1.0, tols[k]);
        check_rows("t - 1", "exp(t)", exp, 1.0, tols[k]);
    }
}

int main(void)
{
    static const test_case all[] = {
        {"chosen steps", test_chosen_steps},
        {"rows",         test_rows        },
        {"fixed steps",  test_fixed_steps },
        {"pair",         test_pair        }
    };

    return test_main(all, sizeof all / sizeof *all);
}
