/* A boundary value problem for one set of parameter values: form, guess, conditions, on the branch
 * that the guess is on. */
#include "bvp/boundary.h"

#include "bvp/branch.h"
#include "bvp/wellposed.h"

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
