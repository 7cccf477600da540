/* Messages of sequential regularization for boundary values that cannot go on. */
#include "bvp/srm/run.h"
#include "bvp/srm/tuning.h"
#include "bvp/tuning.h"
#include "solution/tuning.h"

#include <math.h>

static rg_status fail_singular(rg_context *ctx)
{
    rg_fail(
        ctx, RG_ERR_CONVERGENCE,
        "the boundary value problem is singular near this guess: its conditions do not determine "
        "a solution");
    return rg_remedy(ctx,
                     "look for a condition that follows from the others and the equations, or for "
                     "one that contradicts them; a nonlinear problem may only need another guess");
}

rg_status rg_bvp_srm_run_fail_newton(const rg_bvp_srm_run *r)
{
    char a[32];
    rg_context *ctx = r->f->ctx;

    if (r->result->conditioning > RG_CONDITIONING_LIMIT) return fail_singular(ctx);
    if (!isnan(r->f->hit)) {
        rg_fail(ctx, RG_ERR_CONVERGENCE,
                "G B cannot be inverted at %s = %s, so E = inverse does not exist there",
                rg_problem_time_name(r->f->p), rg_real_text(r->f->hit, a));
        rg_fail_time(ctx, r->f->hit);
        return rg_remedy(ctx, "give another --step, or --variant %s with --E shifted",
                         r->f->order == 1 ? "basic" : "stabilized");
    }
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "Newton's method found no solution of the regularized boundary value problem from this "
            "guess (%lld intervals, eps = %s)",
            (long long)r->N, rg_real_text(r->f->eps, a));
    return rg_remedy(ctx,
                     "give a better guess with '~' (it may depend on %s) or --guess, another "
                     "--eps, or take --method collocation",
                     rg_problem_time_name(r->f->p));
}

/* Is the largest error that of a singular place?  H1 and H2 (L section 1) are said not to hold
 * where it has no digit. */
static const char *pole_text(const rg_bvp_srm_run *r, double error)
{
    for (int64_t k = 0; k < r->result->n_places && error > RG_ESTIMATE_NO_DIGIT; k++)
        if (fabs(r->result->place[k].t - r->worst_t) <= RG_BVP_SRM_AT_PLACE * r->length)
            return ", where the constraints lose rank: B y has a pole there (hypothesis H1, P = B "
                   "(GB)^-1 G is bounded, or H2, B y is, does not hold)";
    return "";
}

rg_status rg_bvp_srm_run_fail_digit(const rg_bvp_srm_run *r)
{
    rg_context *ctx = r->f->ctx;

    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "the estimated error is %.1g of the solution near %s = %.6g: not one digit is "
            "certain%s",
            r->result->estimate, rg_problem_time_name(r->f->p), r->worst_t,
            pole_text(r, r->result->estimate));
    rg_fail_time(ctx, r->worst_t);
    return rg_remedy(ctx, "give a smaller --step or --eps, or leave them out; --accept-doubt takes "
                          "the result as it is");
}

rg_status rg_bvp_srm_run_fail_mesh(const rg_bvp_srm_run *r, double worst)
{
    char a[32], b[32];
    rg_context *ctx = r->f->ctx;

    if (r->result->conditioning > RG_CONDITIONING_LIMIT) return fail_singular(ctx);
    if (isinf(worst)) {
        rg_fail(ctx, RG_ERR_CONVERGENCE,
                "a solution was found, but no second one from which its error could be estimated");
        return rg_remedy(ctx, "give another --eps, or a --step and --no-estimate");
    }
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "the tolerance %s was not reached: the estimated error is still %.2g near %s = %.6g, "
            "with %lld intervals and eps = %s%s",
            rg_real_text(r->control->rtol, a), worst * r->control->rtol,
            rg_problem_time_name(r->f->p), r->worst_t, (long long)r->result->curve->N,
            rg_real_text(r->result->eps, b), pole_text(r, worst * r->control->rtol));
    rg_fail_time(ctx, r->worst_t);
    return rg_remedy(ctx,
                     "relax --tol, give a smaller --eps or more --iterations, or take --method "
                     "collocation");
}
