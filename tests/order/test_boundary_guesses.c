/* Nonlinear boundary value problems from poor guesses: published ones with constant guesses, free
 * periods guessed wrong by factors, guesses at which the linearized problem is singular, orbits
 * that are run through several times, and the rest state, which is no periodic solution. */
#include "support/test.h"

#include "regula.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* value: of the first unknown at the start; NaN: refused, and then `text` is part of the message,
 * otherwise of a warning. */
typedef struct {
    const char *name, *model, *text;
    double value;
} row;

#define ORBIT                                                                                      \
    "x' = T*v\nv' = T*(mu*(1 - x^2)*v - x)\nover t = 0 .. 1\n"                                     \
    "boundary x(0) = x(1)\nboundary v(0) = v(1)\nboundary v(0) = 0\n"
/* y(0) = 0, y(1) = 0, y'(0) = 1: at rest as far as the guess knows. */
#define STRING(guess)                                                                              \
    "param k ~ " guess "\nvar y, v\ny' = v\nv' = -k*(1 + t^2)*y\nover t = 0 .. 1\n"                \
    "boundary y(0) = 0\nboundary v(0) = 1\nboundary y(1) = 0\n"
#define STRING_UNITS                                                                               \
    "param k ~ 9e6\nvar y, v\ny' = v\nv' = -k*(1 + (t/1e-3)^2)*y\nover t = 0 .. 1e-3\n"            \
    "boundary y(0) = 0\nboundary v(0) = 1\nboundary y(1e-3) = 0\n"
#define CIRCLE "var x ~ 2*cos(2*pi*t), v ~ -2*sin(2*pi*t)\n"

static const row rows[] = {
    {"Falkner-Skan",
     "var h ~ 1, f ~ 0, g ~ 0\nf' = g\ng' = h\nh' = -f*h - 0.5*(1 - g^2)\nover t = 0 .. 6\n"
     "boundary f(0) = 0\nboundary g(0) = 0\nboundary g(6) = 1\n",                                                             "without it",                                          0.92768004  },
    {"Falkner-Skan, beta = 1",
     "var h ~ 1, f ~ 0, g ~ 0\nf' = g\ng' = h\nh' = -f*h - (1 - g^2)\nover t = 0 .. 6\n"
     "boundary f(0) = 0\nboundary g(0) = 0\nboundary g(6) = 1\n",                                                             "at t = 6 'f' is -2.34028 in this one and about 5.35", 0.9959304158},
    {"Falkner-Skan, beta = 1, short",
     "var h ~ 1, f ~ 0, g ~ 0\nf' = g\ng' = h\nh' = -f*h - 1*(1 - g^2)\nover t = 0 .. 5\n"
     "boundary f(0) = 0\nboundary g(0) = 0\nboundary g(5) = 1\n",                                                             "more than one solution",                              0.850370976 },
    {"Falkner-Skan, beta = 2, short",
     "var h ~ 1, f ~ 0, g ~ 0\nf' = g\ng' = h\nh' = -f*h - 2*(1 - g^2)\nover t = 0 .. 5\n"
     "boundary f(0) = 0\nboundary g(0) = 0\nboundary g(5) = 1\n",                                                             "more than one solution",                              1.52527827  },
    {"backwards",
     "param T ~ 0.01\nvar x ~ cos(2*pi*t), y ~ sin(2*pi*t)\n"
     "x' = T*(y + x*(1 - x^2 - y^2))\ny' = T*(-x + y*(1 - x^2 - y^2))\nover t = 0 .. 1\n"
     "boundary x(0) = x(1)\nboundary y(0) = y(1)\nboundary x(0) = 0.5\n",                                                     "backwards",                                           -6.28318531 },
    {"double root at 0",
     "param T ~ 0.3\nvar x ~ 0, v ~ 0\nx' = T*v\nv' = T*2\nover t = 0 .. 1\n"
     "boundary x(0) = 0\nboundary v(0) = 0\nboundary x(1) = 0\n",                                                             "'T' went towards 0",                                  NAN         },
    {"double root at 0, units",
     "param T ~ 1e-3\nvar x ~ 0, v ~ 0\nx' = T*v\nv' = T*2e6\nover t = 0 .. 1\n"
     "boundary x(0) = 0\nboundary v(0) = 0\nboundary x(1) = 0\n",                                                             "'T' went to 0",                                       NAN         },
    {"end time 0",
     "param T ~ 1\nvar x, v\nx' = T*v\nv' = -T*x\nover t = 0 .. 1\n"
     "boundary x(0) = 1\nboundary v(0) = 0\nboundary v(1) = 0\n",                                                             "'T' went to 0",                                       NAN         },
    {"period 0, Lorenz",
     "param T ~ 1\nvar x ~ 10*cos(2*pi*t), y ~ 10*sin(2*pi*t), z ~ 25\n"
     "x' = T*10*(y - x)\ny' = T*(x*(28 - z) - y)\nz' = T*(x*y - 8/3*z)\nover t = 0 .. 1\n"
     "boundary x(0) = x(1)\nboundary y(0) = y(1)\nboundary z(0) = z(1)\nboundary z(0) = 27\n",                                "'T' went to 0",                                       NAN         },
    {"nerve impulse",
     "param T ~ 2*pi\nvar y1 ~ sin(2*pi*t), y2 ~ cos(2*pi*t)\n"
     "y1' = T*3*(y1 + y2 - y1^3/3 - 1.3)\ny2' = -T*(y1 - 0.7 + 0.8*y2)/3\nover t = 0 .. 1\n"
     "boundary y1(0) = y1(1)\nboundary y2(0) = y2(1)\n"
     "boundary -T(0)*(y1(0) - 0.7 + 0.8*y2(0))/3 = 1\n",                                                                      "times the guess",                                     10.7108085  },
    {"hanging cable",
     "param q ~ 1\nvar y, s\ns' = sqrt(1 + y'^2)\ny'' = q*sqrt(1 + y'^2)\nover x = 0 .. 1\n"
     "boundary y(0) = 0\nboundary y(1) = 0\nboundary s(0) = 0\nboundary s(1) = 2\n",                                          "along the direction",                                 4.35463797  },
    {"orbit",                         "param mu = 3\nparam T ~ 6.5\n" CIRCLE ORBIT,                                           "",                                                    8.8590955   },
    {"stiff orbit",                   "param mu = 10\nparam T ~ 6.5\n" CIRCLE ORBIT,                                          "continuation",                                        19.0783696  },
    {"orbit, mu = 30",                "param mu = 30\nparam T ~ 57\n" CIRCLE ORBIT,                                           "continuation",                                        50.5436865  },
    {"orbit, mu = 100",               "param mu = 100\nparam T ~ 160\n" CIRCLE ORBIT,                                         "continuation",                                        162.837071  },
    {"orbit, mu = 1000",              "param mu = 1000\nparam T ~ 1900\n" CIRCLE ORBIT,                                       "continuation",
     1614.401126                                                                                                                                                                                 },
    {"three turns",                   "param mu = 1\nparam T ~ 20\n" CIRCLE ORBIT,                                            "3 times",                                             6.66328686  },
    {"three stiff turns",             "param mu = 10\nparam T ~ 19\n" CIRCLE ORBIT,                                           "3 times",                                             19.0783696  },
    {"orbit from rest",               "param mu = 1\nparam T ~ 6\nvar x ~ 0, v ~ 0\n" ORBIT,                                  "waves",                                               6.66328686  },
    {"eigenvalue",                    STRING("9"),                                                                            "waves",                                               7.64288046  },
    {"eigenvalue 2",                  STRING("40"),                                                                           "waves",                                               30.1457675  },
    {"eigenvalue 3",                  STRING("90"),                                                                           "waves",                                               67.6040175  },
    {"eigenvalue, ms",                STRING_UNITS,                                                                           "waves",                                               7.64288046e6},
    {"rest",                          "param mu = 1\nparam T ~ 6.5\nvar x ~ 0.01*cos(2*pi*t), v ~ -0.01*sin(2*pi*t)\n" ORBIT,
     "'T' can have any value",                                                                                                                                                       NAN         },
};

static bool has_warning(const rg_solution *s, const char *text)
{
    for (int k = 0; k < rg_solution_warning_count(s); k++)
        if (strstr(rg_solution_warning(s, k), text) != NULL) return true;
    return text[0] == '\0';
}

static void check_row(rg_context *ctx, const row *r, const char *model)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    double a, b, y[4] = {0}, yp[4];

    if (!CHECK(rg_problem_from_text(ctx, model, &p) >= 0)) return;
    rg_problem_interval(p, &a, &b);
    const rg_status status = rg_solve(p, b, NULL, &s);
    if (isnan(r->value)) {
        CHECK(status == RG_ERR_CONVERGENCE);
        if (!CHECK(strstr(rg_last_error(ctx)->message, r->text) != NULL))
            printf("    %s: %s\n", r->name, rg_last_error(ctx)->message);
    } else if (CHECK(status >= 0)) {
        CHECK(rg_solution_eval(s, a, y, yp) >= 0);
        if (!CHECK(fabs(y[0] - r->value) <= 3e-6 * (1.0 + fabs(r->value)))
            || !CHECK(has_warning(s, r->text)))
            printf("    %s: %.10g\n", r->name, y[0]);
    } else {
        printf("    %s: %s\n", r->name, rg_last_error(ctx)->message);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
}

static void test_guesses(void)
{
    rg_context *ctx = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (test_takes((int)k)) check_row(ctx, &rows[k], rows[k].model);
    rg_context_destroy(&ctx);
}

/* The same unknown constants as variables, T' = 0. */
static void test_variables(void)
{
    rg_context *ctx = NULL;
    char model[1000];

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *constant = strstr(rows[k].model, "param T ~");
        if (constant == NULL || !test_takes((int)k)) continue;
        const char *line = strchr(constant, '\n');
        snprintf(model, sizeof model, "%.*svar%.*s\nT' = 0%s", (int)(constant - rows[k].model),
                 rows[k].model, (int)(line - constant) - 5, constant + 5, line);
        check_row(ctx, &rows[k], model);
    }
    rg_context_destroy(&ctx);
}

/* One solution, however far away the guess is: no second one is told. */
static void test_unique(void)
{
    static const char *const models[] = {
        "var y ~ 3*x\ny'' = 5*sinh(5*y)\n",  "var y ~ 20*x\ny'' = exp(y)\n",
        "var y ~ 10\ny'' = y^5 + y\n",       "var y ~ -8*x\ny'' = 100*y^3 + y\n",
        "var y ~ 30\ny'' = 10*atan(y)\n",    "var y ~ 100*sin(3*x)\ny'' = y^3 - cos(x)\n",
        "var y ~ -30\ny'' = exp(3*y) - 1\n", "var y ~ 50\n0.01*y'' = y^3 + y - x\n",
        "var y ~ 6\ny'' = (1 + y^2)*y\n",    "var y ~ 4\ny'' = y^7\n",
    };
    rg_context *ctx = NULL;
    char text[200];

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        snprintf(text, sizeof text, "%sover x = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 1\n",
                 models[k]);
        CHECK(rg_problem_from_text(ctx, text, &p) >= 0);
        if (CHECK(rg_solve(p, 1.0, NULL, &s) >= 0))
            CHECK(!has_warning(s, "more than one solution"));
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

/* A guess that is larger by powers of ten does not make a solution constant. */
static void test_huge_guess(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;

    if (!CHECK(rg_context_create(&ctx) >= 0)) return;
    CHECK(rg_problem_from_text(ctx,
                               "var y ~ 1e6*sin(40*x)\ny'' = exp(y)\nover x = 0 .. 1\n"
                               "boundary y(0) = 0\nboundary y(1) = 0\n",
                               &p)
          >= 0);
    if (CHECK(rg_solve(p, 1.0, NULL, &s) >= 0)) {
        CHECK(has_warning(s, "without it"));
        CHECK(!has_warning(s, "constant"));
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"guesses",    test_guesses   },
    {"variables",  test_variables },
    {"unique",     test_unique    },
    {"huge guess", test_huge_guess},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
