/* Events are found by few looks at their conditions, and where they are: smooth functions by
 * interpolation, such as jump by halving. */
#include "ivp/bdf/bdf.h"
#include "regula.h"
#include "support/end.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LOOKS = 3.0; /* per event, over all smooth functions */

static void listen(int level, const char *text, void *user)
{
    const char *number = strstr(text, "event at") == text ? strchr(text, ',') : NULL;
    long long *looks = user;

    (void)level;
    if (number != NULL) CHECK(sscanf(number, ", %lld looks", looks) == 1);
}

/* The sum of the times of all events, their number, and the looks of the first run. */
static double run(const char *text, const char *method, double *count, long long *looks)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_options *o = NULL;
    rg_solution *s = NULL;
    double a, b, sum = NAN;

    *looks = -1;
    CHECK(rg_context_create(&ctx) == RG_OK);
    rg_context_set_log(ctx, listen, 2, looks);
    CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK);
    CHECK(rg_options_create(ctx, &o) == RG_OK);
    CHECK(rg_options_set(o, "method", method) == RG_OK);
    CHECK(rg_options_set(o, "tol", "1e-10") == RG_OK);
    rg_problem_interval(p, &a, &b);
    CHECK(rg_solve(p, b, o, &s) == RG_OK);
    if (s != NULL) {
        sum = end_value(s, "s");
        *count = end_value(s, "n");
    }
    rg_solution_destroy(&s);
    rg_options_destroy(&o);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return sum;
}

#define COUNTS "{ n = n + 1; s = s + t }\n"
#define HEAD   "state n = 0, s = 0\nvar x = 0, v = 1\nx' = v\nv' = -x\nover t = 0 .. 40\n"

typedef struct {
    const char *name, *text;
    double first, period; /* of the events */
    bool jumps;
    bool is_rate; /* of a slope, which not every polynomial has as closely */
} example;

/* x = sin(t) */
static const example examples[] = {
    {"linear",  HEAD "when x > 0.5 " COUNTS,                        0.52359877559829887, 2.0,                      false, false},
    {"steep",   HEAD "when exp(20*x) > 20 " COUNTS,                 0.1503524481051975,  2.0,                      false, false},
    {"flat",    HEAD "when x^3 + 1e-3*x > 0.001 " COUNTS,           0.09681913431226563, 2.0,                      false, false},
    {"rate",    HEAD "when x' < 0 " COUNTS,                         1.5707963267948966,  2.0,                      false, true },
    {"two",     HEAD "when x > 0.5 and v > 0 " COUNTS,              0.52359877559829887, 2.0,                      false, false},
    {"squares", HEAD "when x^2 > 0.25 " COUNTS,                     0.52359877559829887, 1.0,                      false, false},
    {"jump",    HEAD "when if(x > 0.5, 2, -1)*(2 + v) > 0 " COUNTS, 0.52359877559829887, 2.0,                      true,
     false                                                                                                                     },
    {"time",    HEAD "when mod(t, 3) > 1.5 " COUNTS,                1.5,                 3.0 / 3.1415926535897931, true,  false},
};

static void test_example(const example *e, const char *method, double *events, double *all)
{
    const double pi = 3.14159265358979323846;
    double count = NAN, sum = 0.0;
    long long looks;

    const double found = run(e->text, method, &count, &looks);
    int n = 0;
    for (double t = e->first; t < 40; t += e->period * pi, n++)
        sum += t;
    printf("%s, %s: %d events, %.2f looks for each, error %.2g\n", e->name, method, n,
           (double)looks / n, fabs(found - sum) / n);
    CHECK(count == n);
    CHECK(fabs(found - sum) <= 1e-8 * n);
    if (e->jumps) return;
    *events += n;
    *all += (double)looks;
}

static void test_method(const char *method, bool has_rates)
{
    double events = 0.0, looks = 0.0;

    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++)
        if (test_takes((int)k) && (has_rates || !examples[k].is_rate))
            test_example(&examples[k], method, &events, &looks);
    CHECK(looks <= LOOKS * events);
}

static void test_radau(void)
{
    test_method("radau", true);
}

static void test_bdf(void)
{
    if (!test_skips(!rg_bdf_is_available(), "built without SUNDIALS")) test_method("bdf", true);
}

static void test_gauss(void)
{
    test_method("gauss", false);
}

static void test_dopri(void)
{
    test_method("dopri", false);
}

static const test_case cases[] = {
    {"radau", test_radau},
    {"bdf",   test_bdf  },
    {"gauss", test_gauss},
    {"dopri", test_dopri},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
