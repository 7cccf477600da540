/* Apart from fault.c: tests with a mock of the views must not link the solvers. */
#include "support/fault.h"

#include <stddef.h>

rg_status fault_solve_at(rg_context *ctx, void *text)
{
    const double times[] = {0, 0.3, 1};
    const rg_request request = {
        .keep = RG_KEEP_ROWS, .n_times = 3, .times = times, .csv = "/dev/null", .estimate = 0};
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_status status = rg_problem_from_text(ctx, text, &p);

    if (status >= 0) status = rg_solve_request(p, 1.0, NULL, &request, &s);
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return status;
}
