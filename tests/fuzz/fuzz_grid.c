/* Any text with fields on a grid: read, a few steps on it and on half its cells.  Each may fail,
 * with message and remedy; what a run hands back can be read. */
#include "base/options.h"
#include "fuzz/fuzz_support.h"
#include "problem/problem.h"

enum { SIZE_MAX_SOLVED = 2000, STEPS = 4 }; /* larger grids are only read: speed finds more */

static void take_steps(rg_context *ctx, rg_problem *p)
{
    rg_options o = rg_options_default();
    rg_solution *s = NULL;
    double a, b;

    rg_problem_interval(p, &a, &b);
    rg_status status = rg_problem_options(p, &o);
    claim_error(ctx, status);
    if (status < 0) return;
    o.max_steps = STEPS;
    o.threads = 1;
    o.vtk[0] = o.fields[0] = o.svg[0] = o.png[0] = '\0'; /* no files */
    o.ranks = 0;
    status = rg_solve(p, b, &o, &s);
    claim_error(ctx, status);
    if (status >= 0) CLAIM(s != NULL);
    if (s != NULL) CLAIM(rg_solution_columns(s) > 0);
    rg_solution_destroy(&s);
}

static void look(rg_context *ctx, rg_problem *p)
{
    if (rg_problem_has_fields(p) && rg_problem_size(p) <= SIZE_MAX_SOLVED) take_steps(ctx, p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_model_text(data, size, look);
}
