/* Combinations of equations against the derivative array: two routes to the same index. */
#include "structure/build.h"
#include "structure/combine.h"
#include "support/test.h"
#include "unit/structure/models.h"

#include <stdio.h>
#include <stdlib.h>

static void check_same(const char *text)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;
    rg_analysis b = {0};
    bool is_found = false;
    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK && rg_analysis_get(p, &a) == RG_OK);
    const size_t n = (size_t)p->n;
    CHECK(rg_signature_build(p, &b.signature) == RG_OK);
    b.c = calloc(n, sizeof *b.c);
    b.d = calloc(n, sizeof *b.d);
    b.variable_index = calloc(n, sizeof *b.variable_index);
    CHECK(rg_combine(p, &b, &is_found) == RG_OK);
    CHECK(is_found && !a->is_structural);
    CHECK_INT(b.index, a->index);
    CHECK_INT(b.dof, a->dof);
    for (size_t j = 0; j < n; j++) {
        CHECK_INT(b.variable_index[j], a->variable_index[j]);
        CHECK(b.c[j] <= a->c[j] && b.d[j] <= a->d[j]);
    }
    free(b.c), free(b.d), free(b.variable_index);
    rg_signature_clear(ctx, &b.signature);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_small(void)
{
    check_same(transistor_amplifier);
    check_same(ring_modulator_cs0);
    check_same(cancelling);
    check_same(cancelling_moving);
}

/* A ladder of N transistors, 3 unknowns each: the two nodes of a capacitor, and the emitter. */
static const char ladder[] =
    "var a[k=1..N] = 0, b[k=1..N] ~ 3, e[k=1..N] ~ 3\n"
    "fun g(u) = 1e-6*(exp(u/0.026) - 1)\n"
    "for k = 1..N {\n"
    "  1e-6*(b[k]' - a[k]') = if(k == 1, (a[1] - 0.1*sin(t))/1000,\n"
    "                            (a[k] - 6)/9000 + 0.99*g(b[k-1] - e[k-1]))\n"
    "  1e-6*(a[k]' - b[k]') = b[k]/9000 + (b[k] - 6)/9000 + 0.01*g(b[k] - e[k])\n"
    "  -2e-6*e[k]' = e[k]/9000 - g(b[k] - e[k])\n"
    "}\nover t = 0 .. 1\n";

static void test_ladder(void)
{
    char text[2048];
    snprintf(text, sizeof text, "param N = 4\n%s", ladder);
    check_same(text);
    snprintf(text, sizeof text, "param N = 2000\n%s", ladder);
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;
    CHECK(rg_context_create(&ctx) == RG_OK);
    if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK && rg_analysis_get(p, &a) == RG_OK)) {
        CHECK_INT(a->index, 1);
        CHECK_INT(a->dof, 4000);
        CHECK(!a->is_structural && rg_problem_warning_count(p) == 0);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* The combination moves with the solution, much or hardly: not found, and said so. */
static void check_moving(const char *factor)
{
    char text[512];
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;
    snprintf(text, sizeof text,
             "param N = 300\nvar x[i=1..N] ~ 1, y[i=1..N] ~ 1\nfor i = 1..N {\n"
             "x[i]' + cos(x[i])*y[i]' = 1\n%s*x[i]' + %s*cos(x[i])*y[i]' = x[i]\n}\n"
             "over t = 0 .. 1\n",
             factor, factor);
    CHECK(rg_context_create(&ctx) == RG_OK);
    if (CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK && rg_analysis_get(p, &a) == RG_OK)) {
        CHECK(!a->is_structural);
        CHECK_INT(rg_problem_warning_count(p), 1);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

static void test_moving(void)
{
    check_moving("y[i]");
    check_moving("(2 + 1e-4*y[i])");
}

static const test_case cases[] = {
    {"small",  test_small },
    {"ladder", test_ladder},
    {"moving", test_moving}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
