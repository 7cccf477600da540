/* Does the regularization enforce the constraints?
 *
 * With E = I a constraint decays at the rate of its own part of G B over eps: one that is small
 * beside the others, or written in small units, is left alone where eps suits the large ones.  Two
 * such runs agree, so their difference does not tell.  Every constraint must hold,
 *
 *     max |g_i| <= RG_SRM_LOOSE max sum_k |dg_i/dx_k| max |x_k|,
 *
 * largest values over the run, of which a few places are looked at: the quotient is how far x is
 * from it, relative to its size, and a bound of the error from below. */
#include "ivp/srm/srm_impl.h"
#include "ivp/srm/tuning.h"

#include <math.h>

static rg_status fail(const rg_integrator *g, int k, double distance)
{
    const rg_srm *b = rg_srm_of(g);
    char name[128];

    rg_semi_equation_name(b->core->view, k, name, sizeof name);
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "%s does not hold: its unknowns are off by %.1g of their size, for E = %s does not "
            "enforce it with eps = %.3g",
            name, distance, rg_srm_E_name(&b->core->variant), b->core->eps);
    rg_fail_time(g->ctx, g->t);
    rg_semi_fail_at(b->core->view, k);
    return rg_remedy(g->ctx, "leave --variant, --E and --eps out, or write the constraints in "
                             "units of one size; --accept-doubt takes the result as it is");
}

/* g and the sizes here. */
static rg_status look(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);
    rg_srm_core *c = b->core;
    double *z = b->stage, *g_now = c->space.r, *size = c->space.u;

    for (int r = 0; r < c->order; r++)
        for (int k = 0; k < c->n_x; k++)
            z[r * c->n_x + k] = g->y[rg_srm_state(c, r, k)];
    const rg_status status = rg_semi_eval(c->view, g->t, z, rg_srm_v(c, z), &c->space.v);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    rg_semi_level(c->view, 0, g_now);
    rg_semi_gradient_size(c->view, b->reach, size);
    for (int k = 0; k < c->n_y; k++) {
        b->miss[k] = fmax(b->miss[k], fabs(g_now[k]));
        b->room[k] = fmax(b->room[k], size[k]);
    }
    return RG_OK;
}

static rg_status check_weak(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);
    const int64_t *y = rg_semi_y(b->core->view);

    for (int k = 0; k < b->core->n_y; k++)
        b->samples[k] = g->y[y[k]];
    return rg_srm_weak_check(b->core, g->t, b->stage, b->samples, RG_SRM_LOOSE);
}

/* Which of RG_SRM_LOOKS parts of the interval. */
static int part(const rg_integrator *g, double t)
{
    return (int)(RG_SRM_LOOKS * (t - g->t_start) / (g->t_end - g->t_start));
}

rg_status rg_srm_check_enforced(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);

    for (int k = 0; k < b->core->n_x; k++)
        b->reach[k] = fmax(b->reach[k], fabs(g->y[rg_srm_state(b->core, 0, k)]));
    if (g->options.accept_doubt || (g->t != g->t_end && part(g, g->t) == part(g, g->t_previous)))
        return RG_OK;
    RG_TRY(look(g));
    if (g->options.eps == 0.0) RG_TRY(check_weak(g));
    for (int k = 0; k < b->core->n_y && g->t == g->t_end; k++)
        if (b->miss[k] > RG_SRM_LOOSE * b->room[k] && b->room[k] > 0.0)
            return fail(g, k, b->miss[k] / b->room[k]);
    return RG_OK;
}
