#include "api/boundary.h"

#include "api/boundary_srm.h"
#include "api/cache.h"
#include "api/continuation.h"
#include "api/transfer.h"
#include "bvp/branch.h"
#include "bvp/least.h"
#include "bvp/posed.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_STAGES = 4 };

void rg_boundary_destroy(rg_context *ctx, rg_boundary **boundary)
{
    rg_boundary *b = *boundary;

    if (b == NULL) return;
    rg_guess_destroy(&b->guess);
    rg_bvp_conditions_destroy(&b->conditions);
    rg_bvp_form_destroy(&b->form);
    rg_free(ctx, b);
    *boundary = NULL;
}

static rg_status make_form(rg_problem *p, double t_end, const char *path, rg_boundary *b)
{
    const rg_analysis *a;

    b->problem = p;
    RG_TRY(rg_analysis_get(p, &a));
    RG_TRY(rg_bvp_form_create(p, a, &b->form));
    return rg_guess_create(b->form, p->a, t_end, path, &b->guess);
}

/* On the branch of products that the guess is on. */
static rg_status fill(rg_problem *p, double t_end, const char *path, rg_boundary *b)
{
    rg_problem *branch;

    RG_TRY(make_form(p, t_end, path, b));
    RG_TRY(rg_branch_choose(p, b->form, b->guess, p->a, t_end, &branch));
    rg_study_take_stand_in(p->study, &branch);
    if (p->study->stand_in != NULL) {
        rg_guess_destroy(&b->guess);
        rg_bvp_form_destroy(&b->form);
        RG_TRY(make_form(p->study->stand_in, t_end, path, b));
        RG_TRY(rg_study_take_warnings(p->study, p->study->stand_in->study));
    }
    RG_TRY(rg_bvp_conditions_create(b->form, p->a, t_end, &b->conditions));
    RG_TRY(rg_guess_use_conditions(b->guess, b->conditions));
    const rg_profile guess = {rg_guess_profile, b->guess};
    return rg_bvp_conditions_check(p, b->form, b->conditions, &guess);
}

rg_status rg_boundary_create(rg_problem *p, double t_end, const char *path, rg_boundary **out)
{
    rg_boundary *b = rg_alloc(p->ctx, 1, sizeof *b);

    *out = NULL;
    if (b == NULL) return RG_ERR_MEMORY;
    const rg_status status = fill(p, t_end, path, b);
    if (status == RG_OK)
        *out = b;
    else
        rg_boundary_destroy(p->ctx, &b);
    return status;
}

static rg_status read_control(const rg_problem *p, const rg_options *o, rg_collocation_control *c)
{
    enum { MOST_INTERVALS = 100000 };

    *c = (rg_collocation_control){.rtol = o->rtol,
                                  .atol = o->atol,
                                  .kind = RG_RULE_GAUSS,
                                  .stages = o->stages > 0 ? o->stages : DEFAULT_STAGES,
                                  .max_newton = o->max_newton,
                                  .step = o->step};
    c->max_intervals = o->max_steps < MOST_INTERVALS ? o->max_steps : MOST_INTERVALS;
    if (strcmp(o->nodes, "radau") == 0) c->kind = RG_RULE_RADAU;
    if (strcmp(o->nodes, "lobatto") == 0) c->kind = RG_RULE_LOBATTO;
    if (c->kind == RG_RULE_LOBATTO && c->stages < 2) {
        rg_fail(p->ctx, RG_ERR_METHOD, "Lobatto points need two stages at least");
        return rg_remedy(p->ctx, "give --stages from 2 to 7, or other --nodes");
    }
    return RG_OK;
}

rg_status rg_boundary_collocate(rg_problem *p, double t_end, const rg_options *o, rg_boundary **b,
                                rg_collocation_result *result)
{
    rg_collocation_control control;

    RG_TRY(read_control(p, o, &control));
    if (o->continuation[0] != '\0')
        return rg_boundary_continue(p, t_end, o->continuation, o->guess, &control, b, result);
    RG_TRY(rg_boundary_create(p, t_end, o->guess, b));
    const rg_profile guess = {rg_guess_profile, (*b)->guess};
    rg_status status =
        rg_collocation_run((*b)->form, (*b)->conditions, &control, &guess, NULL, result);
    if (status == RG_ERR_CONVERGENCE && result->solution == NULL)
        RG_TRY(rg_bvp_conditions_blame(p, (*b)->form, (*b)->conditions, &guess));
    if (status == RG_ERR_CONVERGENCE && result->n_failed > 0 && control.step == 0.0)
        status = rg_boundary_rescue(p, t_end, o->guess, &control, b, result);
    if (status != RG_OK) return status;
    return rg_bvp_conditions_hold((*b)->conditions, result->solution, o->rtol, o->atol);
}

rg_status rg_boundary_warn_equations(rg_problem *p, double amplification)
{
    return rg_problem_warn(p,
                           "the equations hardly determine this solution: relative changes in them "
                           "are amplified by %.0e",
                           amplification);
}

static rg_status solve_by_collocation(rg_problem *p, double t_end, const rg_options *options,
                                      const rg_request *r, rg_solution **out)
{
    rg_boundary *b = NULL;
    rg_collocation_result result = {0};

    rg_status status = rg_boundary_collocate(p, t_end, options, &b, &result);
    if (status == RG_OK && !result.is_unresolved && !(result.conditioning <= RG_CONDITIONING_LIMIT))
        status = rg_problem_warn(
            p,
            "the conditions hardly determine this solution: relative changes in them "
            "are amplified by %.0e; there may be others",
            result.conditioning);
    if (status == RG_OK && result.conditioning <= RG_CONDITIONING_LIMIT
        && result.amplification > RG_CONDITIONING_LIMIT)
        status = rg_boundary_warn_equations(p, result.amplification);
    if (status == RG_OK && result.is_unresolved)
        status = rg_problem_warn(
            p, "the linearized equations oscillate too fast for the mesh: whether the conditions "
               "determine this solution was not found out; raise --max-steps");
    if (status == RG_OK) status = rg_branch_tell(p, b->form, result.solution);
    if (b != NULL && result.solution != NULL) {
        const rg_status written = rg_boundary_write(b->problem, b, &result, r, out);
        if (status == RG_OK) status = written;
        if (*out != NULL) (*out)->estimate_ratio = options->atol / options->rtol;
    }
    rg_collocation_clear(&result);
    rg_boundary_destroy(p->ctx, &b);
    return status;
}

rg_status rg_boundary_solve(const rg_problem *p, double t_end, const rg_options *o,
                            const rg_request *r, rg_solution **out)
{
    const double begin = rg_seconds();
    rg_options options;
    rg_choice choice;
    const rg_analysis *a;

    rg_problem *run;

    RG_TRY(rg_default_options(p, o, &options));
    RG_TRY(rg_analysis_get(p, &a));
    RG_TRY(rg_choose(p, a, &options, &choice));
    RG_TRY(rg_problem_handle(p->ctx, p, p->study, &run));
    rg_status status = strcmp(choice.method->name, "transfer") == 0
                           ? rg_transfer_solve(run, t_end, &options, r, out)
                       : strcmp(choice.method->name, "srm") == 0
                           ? rg_boundary_srm_solve(run, t_end, &options, r, out)
                           : solve_by_collocation(run, t_end, &options, r, out);
    if (*out != NULL) {
        (*out)->stats.seconds = rg_seconds() - begin;
        const rg_status told = rg_study_take_warnings(run->study, (*out)->problem->study);
        if (status == RG_OK) status = told; /* a stand-in has warnings of its own */
        rg_solution_take_problem(*out, &run);
    } else { /* no solution that could tell them; the run has failed anyway */
        (void)rg_study_take_warnings(p->study, run->study);
    }
    rg_problem_destroy(&run);
    return status;
}
