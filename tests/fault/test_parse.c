/* Every allocation of the parser may fail: no leak, and the message is there. */
#include "model/ast.h"
#include "support/fault.h"
#include "support/test.h"

static rg_status parse(rg_context *ctx, void *text)
{
    rg_source *source = NULL;
    rg_model *model = NULL;
    rg_status status = rg_source_from_text(ctx, "text", text, &source);

    if (status == RG_OK) status = rg_model_parse(ctx, &source, &model);
    CHECK(source == NULL || status != RG_OK);
    CHECK((status == RG_OK) == (model != NULL));
    rg_model_destroy(ctx, &model);
    rg_source_destroy(ctx, &source);
    return status;
}

static void test_statements(void)
{
    static char text[] = "title \"t\"\nparam a = 1, A[i=1..2] = (1, 2)\nlet r[i=1..2] = i\n"
                         "fun f(x, y) = x*y\nvar x = 1, x' ~ 2, u[i=1..3]\nover t = 0 .. 1\n"
                         "for i = 1..3 { u[i]' = sum(j=1..i, a*j); boundary u[i](0) = 1 }\n"
                         "exact x = sin(t)\noutput x, e = (x*t)'\nsolve tol = 1e-3\n"
                         "x' = 1+2+3+4+5+6+7+8+9+10+11+12+13+14+15+16+17+18+19+20\n";
    CHECK(fault_run("statements", parse, text) > 5);
}

/* Many statements: chunks of memory and the list of statements grow. */
static void test_growth(void)
{
    enum { LINES = 300 };
    static char text[LINES * 32];
    char *end = text;

    for (int k = 0; k < LINES; k++)
        end += sprintf(end, "x%d' = -x%d*2\n", k, k);
    CHECK(fault_run("growth", parse, text) > 10);
}

static const test_case cases[] = {
    {"statements", test_statements},
    {"growth",     test_growth    },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
