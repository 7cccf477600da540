/* Absolute tolerances of single unknowns: in the model, by the option, with every method. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rg_context *ctx;

typedef struct {
    double y[16];
    double estimate, end;
    rg_status status;
} result;

/* Options as NAME=VALUE NAME=VALUE, split at blanks and the first '='. */
static void take_options(rg_options *o, const char *list)
{
    char item[128], *equals;
    int used;

    for (; sscanf(list, " %127s%n", item, &used) == 1; list += used) {
        equals = strchr(item, '=');
        *equals = '\0';
        CHECK_INT(rg_options_set(o, item, equals + 1), RG_OK);
    }
}

static result solve(const char *text, const char *options)
{
    result r = {.status = RG_ERR_ARGUMENT};
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    double a, b;

    if (!CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)) {
        printf("%s\n", rg_last_error(ctx)->message);
        return r;
    }
    CHECK_INT(rg_options_create(ctx, &o), RG_OK);
    CHECK_INT(rg_problem_options(p, o), RG_OK);
    take_options(o, options);
    rg_problem_interval(p, &a, &b);
    const rg_request request = {.keep = RG_KEEP_LAST, .estimate = 1};
    r.status = rg_solve_request(p, b, o, &request, &s);
    if (r.status == RG_OK) {
        CHECK_INT(rg_solution_end_values(s, r.y), RG_OK);
        r.estimate = rg_solution_estimate(s);
        r.end = rg_solution_estimate_end(s);
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    return r;
}

/* x is of size 1, y of 1e-9 with its own life: y' = -3 y + 1e-9 sin(60 t). */
#define SMALL                                                                                      \
    "x' = -x\n"                                                                                    \
    "y' = -3*y + 1e-9*sin(60*t)\n"                                                                 \
    "over t = 0 .. 2\n"

static double small_exact(void)
{
    const double t = 2.0, w = 60.0, d = 9.0 + w * w;

    return 1e-9 * ((1.0 + w / d) * exp(-3.0 * t) + (3.0 * sin(w * t) - w * cos(w * t)) / d);
}

static const char plain[] = "var x = 1, y = 1e-9\n" SMALL;
static const char own[] = "var x = 1, y = 1e-9 atol 1e-15\n" SMALL;
static const char guessed[] = "param a = 1e-15\nvar x = 1 atol 1e-6, y ~ 1e-9 atol a\n" SMALL;
static const char array[] = "var u[i=1..2] = if(i == 1, 1, 1e-9) atol if(i == 1, 1e-6, 1e-15)\n"
                            "u[1]' = -u[1]\n"
                            "u[2]' = -3*u[2] + 1e-9*sin(60*t)\n"
                            "over t = 0 .. 2\n";

static double error_of(const char *text, const char *options)
{
    const result r = solve(text, options);

    return r.status == RG_OK ? fabs(r.y[1] / small_exact() - 1.0) : INFINITY;
}

static void test_forms(void)
{
    CHECK(error_of(plain, "atol=1e-6") > 1e-2); /* as it is with one atol for all */
    CHECK(error_of(own, "") < 1e-5);
    CHECK(error_of(guessed, "") < 1e-5);
    CHECK(error_of(array, "") < 1e-5);
    CHECK(error_of(plain, "atol=y=1e-15") < 1e-5);
    CHECK(error_of(plain, "atol=1e-6,y=1e-15") < 1e-5);
    CHECK(error_of(plain, "atol=x=1e-6 atol=y=1e-15") < 1e-5);
    CHECK(error_of(array, "atol=u[2]=1e-15,u[1]=1e-9") < 1e-5);
    CHECK(error_of(own, "atol=y=1e-6") > 1e-2); /* the option wins */
}

/* The same digits of x and y with every method; and an estimate that counts y by its own size, in
 * units of atol/rtol + |y|: 1e-9 and 1e-11 at the end. */
static void test_methods(void)
{
    static const char *const methods[] = {
        "method=radau",     "method=radau stages=4", "method=gauss", "method=lobatto3a",
        "method=lobatto3c", "method=sdirk",          "method=bdf"};

    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        const result r = solve(own, methods[k]);
        if (r.status == RG_ERR_METHOD) continue; /* built without */
        if (!CHECK_INT(r.status, RG_OK)) printf("%s\n", methods[k]);
        const double error = fabs(r.y[1] / small_exact() - 1.0);
        if (!CHECK(error < 1e-3)) printf("%s: %g\n", methods[k], error);
        const double counted = fabs(r.y[1] - small_exact()) / (1e-9 + fabs(small_exact()));
        if (!CHECK(counted <= 10.0 * r.end && counted >= r.end / 1000.0)
            || !CHECK(r.end <= r.estimate))
            printf("%s: %g, estimate %g, %g\n", methods[k], counted, r.estimate, r.end);
    }
}

/* x^2 + y^2 = r^2 on a circle of 1e-9: velocities by their own atol or that of the positions. */
static const char pendulum[] = "param r = 1e-9\n"
                               "var p = 0.8*r atol 1e-15, p' ~ 0 atol 1e-15\n"
                               "var q = -0.6*r atol 1e-15, q' = 0\n"
                               "var lam ~ 1\n"
                               "p'' = -lam*p\n"
                               "q'' = -lam*q - r\n"
                               "p^2 + q^2 = r^2\n"
                               "over t = 0 .. 3\n";
static const char pendulum_large[] = "var p = 0.8, p' ~ 0, q = -0.6, q' = 0, lam ~ 1\n"
                                     "p'' = -lam*p\n"
                                     "q'' = -lam*q - 1\n"
                                     "p^2 + q^2 = 1\n"
                                     "over t = 0 .. 3\n";

static void test_higher_index(void)
{
    static const char *const forms[] = {"formulation=projected",   "formulation=ggl",
                                        "formulation=direct",      "method=srm",
                                        "method=srm scheme=radau", "method=srm scheme=dopri5"};

    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        const result a = solve(pendulum, forms[k]), b = solve(pendulum_large, forms[k]);
        if (!CHECK(a.status == RG_OK && b.status == RG_OK)) {
            printf("%s: %s\n", forms[k], rg_last_error(ctx)->message);
            continue;
        }
        for (int i = 0; i < 2; i++)
            if (!CHECK(fabs(1e9 * a.y[i] - b.y[i]) < 1e-4))
                printf("%s: %.12g, %.12g\n", forms[k], 1e9 * a.y[i], b.y[i]);
    }
}

/* --tol changes the model's own values in proportion; --rtol and a plain atol do not. */
static void test_scaled(void)
{
    const double loose = error_of(own, "tol=1e-3"), tight = error_of(own, "tol=1e-9");

    CHECK(loose > 1e-7 && loose < 1e-1);
    CHECK(tight < 1e-8);
    CHECK(error_of(own, "atol=1e-4") < 1e-5);
}

static void check_refused(const char *text, const char *options, rg_status expected,
                          const char *message)
{
    CHECK_INT(solve(text, options).status, expected);
    const rg_error *e = rg_last_error(ctx);
    if (!CHECK(strstr(e->message, message) != NULL && e->remedy[0] != '\0'))
        printf("%s\n%s\n", e->message, e->remedy);
}

static void test_refused(void)
{
    static const char edges[] = "var x, y atol 1e-9\nx' = y\ny' = -x\n"
                                "boundary x(0) = 0, x(1) = 1\nover t = 0 .. 1\n";
    static const char plain_edges[] = "var x, y\nx' = y\ny' = -x\n"
                                      "boundary x(0) = 0, x(1) = 1\nover t = 0 .. 1\n";

    check_refused(plain, "atol=z=1e-9", RG_ERR_ARGUMENT, "atol names 'z'");
    check_refused(plain, "atol=y'=1e-9", RG_ERR_ARGUMENT, "no higher derivative");
    check_refused(array, "atol=u[3]=1e-9", RG_ERR_ARGUMENT, "atol names 'u[3]'");
    check_refused(edges, "", RG_ERR_METHOD, "one atol for all");
    CHECK_INT(rg_last_error(ctx)->line, 1);
    check_refused(plain_edges, "atol=x=1e-9", RG_ERR_METHOD, "one atol for all");
    check_refused(plain_edges, "atol=auto", RG_ERR_METHOD, "one atol for all");
}

int main(void)
{
    static const test_case cases[] = {
        {"forms",        test_forms       },
        {"methods",      test_methods     },
        {"higher index", test_higher_index},
        {"scaled",       test_scaled      },
        {"refused",      test_refused     },
    };

    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
