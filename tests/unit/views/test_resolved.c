/* Which functions of time an interval resolves; what is not known is not resolved. */
#include "support/test.h"
#include "views/resolved.h"

#include <stdio.h>

typedef struct {
    const char *equation;
    double a, b;
    bool is_resolved;
} example;

static bool is_resolved(rg_context *ctx, const example *e)
{
    char text[400];
    rg_problem *p = NULL;
    rg_resolved *r = NULL;
    bool found = !e->is_resolved;

    snprintf(text, sizeof text,
             "param c = 0.3\nparam w = 1e-3\nvar y\n%s\nboundary y(0) = 0\nboundary y(1) = 1\n"
             "over t = 0 .. 1\n",
             e->equation);
    if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
        && CHECK(rg_resolved_create(p, &r) == RG_OK))
        found = rg_resolved_between(r, e->a, e->b);
    rg_resolved_destroy(&r);
    rg_problem_destroy(&p);
    return found;
}

static const example examples[] = {
    {"y'' = exp(y) + y'",                          0.0,   1.0,   true },
    {"y'' = y + cos(3*t)",                         0.0,   0.6,   true },
    {"y'' = y + cos(3*t)",                         0.6,   0.0,   true },
    {"y'' = y + cos(3*t)",                         0.0,   0.8,   false},
    {"y'' = y + exp(-((t - c)/w)^2)",              0.2,   0.4,   false},
    {"y'' = y + exp(-((t - c)/w)^2)",              0.299, 0.301, true },
    {"y'' = y + exp(-((t - c)/w)^2)",              0.5,   0.9,   true }, /* 0 in all of it */
    {"y'' = y*exp(-((t - c)/w)*((t - c)/w))",      0.2,   0.4,   false},
    {"y'' = y + 1/(1 + ((t - c)/w)^2)",            0.2,   0.4,   false},
    {"y'' = y + 1/(1 + ((t - c)/w)^2)",            0.299, 0.301, true },
    {"y'' = y/(1 + t) + sqrt(2 + t) + log(3 + t)", 0.0,   1.0,   true },
    {"y'' = y/(t - c)",                            0.0,   1.0,   false},
    {"y'' = y + tanh((t - c)/w)",                  0.2,   0.4,   false},
    {"y'' = y + tanh((t - c)/w)",                  0.5,   0.9,   true },
    {"y'' = y + t^3*y' - 5*t^2",                   0.0,   1.0,   true },
    {"y'' = y + t^40",                             0.0,   1.0,   false},
    {"y'' = y + (1 + t)^40",                       0.0,   0.04,  true },
    {"y'' = y + abs(t - c)",                       0.0,   1.0,   false},
    {"y'' = y + abs(t - c)",                       0.4,   1.0,   true },
    {"y'' = y + if(t < c, 1, 2)",                  0.0,   1.0,   false},
    {"y'' = y + if(t < c, 1, 2)",                  0.0,   0.2,   true },
    {"y'' = y + max(t, c)",                        0.4,   1.0,   true },
    {"y'' = y + max(t, c)",                        0.0,   1.0,   false},
    {"y'' = y + exp(-((t - y)/w)^2)",              0.0,   1e-9,  false}, /* y is not known */
    {"y'' = (y - t)^2",                            0.0,   1.0,   true },
    {"y'' = y + 1/cosh((t - c)/w)^2",              0.2,   0.4,   false},
    {"y'' = y + 1/cosh((t - c)*1e6)^2",            0.4,   0.9,   true }, /* 0 in all of it */
    {"y'' = y + sqrt(exp(-((t - c)*1e3)^2))",      0.4,   0.9,   true },
    {"y'' = y + 2^(-((t - c)*1e3)^2)",             0.4,   0.9,   true },
    {"y'' = y + 2^t",                              0.0,   0.9,   true },
    {"y'' = y + 2^(-((t - c)/w)^2)",               0.2,   0.4,   false},
};

static void test_examples(void)
{
    rg_context *ctx = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        const example *e = &examples[k];
        if (!CHECK(is_resolved(ctx, e) == e->is_resolved))
            printf("  %s from %g to %g\n", e->equation, e->a, e->b);
    }
    rg_context_destroy(&ctx);
}

/* Array elements have data of their own; sums with time in their terms are not followed. */
static void test_arrays(void)
{
    static const char head[] = "param n = 3\nvar y[i=1..n]\n", tail[] = "over t = 0 .. 1\n";
    static const struct {
        const char *equations;
        double b;
        bool is_resolved;
    } list[] = {
        {"for i=1..n {\ny[i]' = sin(i*t)\n}\n",              0.6, true },
        {"for i=1..n {\ny[i]' = sin(i*t)\n}\n",              0.9, false}, /* i = 3 */
        {"for i=1..n {\ny[i]' = sum(k=1..n, y[k]) + t\n}\n", 1.0, true },
        {"for i=1..n {\ny[i]' = sum(k=1..n, y[k]*t)\n}\n",   1.0, false},
    };
    rg_context *ctx = NULL;
    char text[400];

    CHECK(rg_context_create(&ctx) == RG_OK);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        rg_problem *p = NULL;
        rg_resolved *r = NULL;
        snprintf(text, sizeof text, "%s%sfor i=1..n {\nstart y[i] = 0\n}\n%s", head,
                 list[k].equations, tail);
        if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
            && CHECK(rg_resolved_create(p, &r) == RG_OK))
            CHECK(rg_resolved_between(r, 0.0, list[k].b) == list[k].is_resolved);
        else
            rg_error_print(rg_last_error(ctx), stdout);
        rg_resolved_destroy(&r);
        rg_problem_destroy(&p);
    }
    rg_context_destroy(&ctx);
}

int main(void)
{
    static const test_case cases[] = {
        {"examples", test_examples},
        {"arrays",   test_arrays  },
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
