/* Every allocation of a comparison may fail: no crash, no leak, message and remedy set. */
#include "regula.h"
#include "support/fault.h"
#include "support/test.h"

static rg_status compare(rg_context *ctx, void *nothing)
{
    rg_problem *p = NULL;
    rg_comparison *c = NULL;

    (void)nothing;
    rg_status status = rg_problem_from_text(ctx, "var x = 1\nx' = -x\nover t = 0 .. 0.1\n", &p);
    if (status >= 0) status = rg_compare(p, 0.1, NULL, "radau:tol=1e-3", &c);
    if (status >= 0) status = rg_comparison_write_csv(c, "/dev/null");
    rg_comparison_destroy(&c);
    rg_problem_destroy(&p);
    return status;
}

static void test_compare(void)
{
    CHECK(fault_run("compare", compare, NULL) > 20);
}

static const test_case cases[] = {
    {"compare", test_compare},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
