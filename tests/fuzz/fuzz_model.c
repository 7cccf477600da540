/* Any model text: read, analyse, find start values, and take a few steps.  Each may fail, with
 * message and remedy. */
#include "base/options.h"
#include "fuzz/fuzz_support.h"
#include "problem/problem.h"

/* larger models are only read: speed finds more */
enum { SIZE_MAX_SOLVED = 30, STEPS = 3, STEPS_EVENTS = 40 };

static void take_steps(rg_context *ctx, rg_problem *p)
{
    rg_options o = rg_options_default();
    rg_solver *solver = NULL;
    double a, b, t, y[SIZE_MAX_SOLVED];

    rg_problem_interval(p, &a, &b);
    rg_status status = rg_problem_options(p, &o);
    claim_error(ctx, status);
    if (status < 0) return;
    status = rg_solver_create(p, &o, &solver);
    claim_error(ctx, status);
    const int most = p->n_events > 0 ? STEPS_EVENTS : STEPS;
    for (int k = 0; k < most && status == RG_OK; k++) {
        status = rg_solver_step(solver, b, &t, y);
        claim_error(ctx, status);
    }
    rg_solver_destroy(&solver);
}

static void look(rg_context *ctx, rg_problem *p)
{
    rg_structure structure;

    if (rg_problem_size(p) > SIZE_MAX_SOLVED) return;
    const rg_status status = rg_analyze(p, &structure);
    claim_error(ctx, status);
    if (status < 0) return;
    CLAIM(structure.unknowns <= rg_problem_size(p));
    take_steps(ctx, p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_model_text(data, size, look);
}
