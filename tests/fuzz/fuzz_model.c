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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_structure structure;
    char *text = malloc(size + 1);

    CLAIM(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    CLAIM(rg_context_create_with(fuzz_realloc, NULL, &ctx) == RG_OK);
    rg_status status = rg_problem_from_text(ctx, text, &p);
    claim_error(ctx, status);
    CLAIM((status < 0) == (p == NULL));
    if (p != NULL && rg_problem_size(p) <= SIZE_MAX_SOLVED) {
        status = rg_analyze(p, &structure);
        claim_error(ctx, status);
        if (status >= 0) CLAIM(structure.unknowns <= rg_problem_size(p));
        if (status >= 0) take_steps(ctx, p);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    free(text);
    return 0;
}
