/* Every allocation of the analysis may fail: no leak, no crash, and the message is there. */
#include "structure/analysis.h"
#include "support/fault.h"
#include "support/test.h"
#include "unit/structure/models.h"

static rg_status analyze(rg_context *ctx, void *text)
{
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;
    rg_status status = rg_problem_from_text(ctx, text, &p);

    if (status == RG_OK) status = rg_analysis_get(p, &a);
    CHECK((status == RG_OK) == (a != NULL));
    rg_problem_destroy(&p);
    return status;
}

static void run(const char *name, const char *model)
{
    static char text[4096];

    snprintf(text, sizeof text, "%s", model);
    CHECK(fault_run(name, analyze, text) > 20);
}

static void test_structural(void)
{
    run("pendulum", pendulum_3);
}

static void test_array(void)
{
    run("cancelling", cancelling);
}

static void test_redundant(void)
{
    run("double constraint", double_constraint);
}

static void test_sums(void)
{
    run("sums", "param N = 4\nvar x[i=1..N] = i, s\ns = sum(i=1..N, j=1..i, x[i]*x[j]')\n"
                "for i = 1..N { x[i]' = sum(k=1..i, x[k]) }\nover t = 0 .. 1\n");
}

/* Just too large for a derivative array: equations are combined. */
static void test_combine(void)
{
    run("combine", "param N = 201\nvar x[i=1..N] ~ 1, y[i=1..N] ~ 1\nfor i = 1..N {\n"
                   "x[i]' + y[i]' = x[i]\nx[i]' + y[i]' + x[i] - y[i] = sin(t)\n}\n"
                   "over t = 0 .. 1\n");
}

/* Equations that are divided by a factor, or not. */
static void test_divide(void)
{
    run("divide", "var x = 1, y[i=1..2], z\nx' = 1\nz^3 = x^3\nfor i = 1..2 {\n"
                  "x^2*y[i] = x*sin(i*t)*x*z\n}\nover t = 0 .. 1\n");
}

static const test_case cases[] = {
    {"divide",     test_divide    },
    {"structural", test_structural},
    {"array",      test_array     },
    {"redundant",  test_redundant },
    {"sums",       test_sums      },
    {"combine",    test_combine   }
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
