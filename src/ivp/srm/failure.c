/* Messages of runs that cannot go on. */
#include "ivp/srm/srm_impl.h"

rg_status rg_srm_fail_step(rg_integrator *g, double h)
{
    const rg_srm *b = rg_srm_of(g);
    const int broken = rg_srm_broken(g);

    if (broken != 0) return rg_srm_fail_broken(g, broken);
    if (b->scheme.is_implicit)
        rg_fail(g->ctx, RG_ERR_CONVERGENCE,
                "stopped at t = %.10g: the stages of %s cannot be computed with the step %.3g",
                g->t, b->scheme.name, h);
    else
        rg_fail(g->ctx, RG_ERR_CONVERGENCE,
                "stopped at t = %.10g: values grow beyond all bounds or cannot be evaluated", g->t);
    rg_fail_time(g->ctx, g->t);
    if (b->warning[0] != '\0') return rg_remedy(g->ctx, "%s", b->warning);
    return rg_remedy(g->ctx, "give a smaller step, or take --method radau");
}

rg_status rg_srm_core_fail_start(const rg_srm_core *c, double t)
{
    rg_fail(c->ctx, RG_ERR_METHOD,
            "stopped at t = %.10g: G B is singular at the start, so E = inverse does not exist", t);
    rg_fail_time(c->ctx, t);
    return rg_remedy(c->ctx, "give --variant %s with --E transpose or --E shifted",
                     c->order == 1 ? "basic" : "stabilized");
}

rg_status rg_srm_fail_singular(rg_integrator *g, double t)
{
    const int broken = rg_srm_broken(g);

    if (broken != 0) return rg_srm_fail_broken(g, broken);
    if (g->stats.steps == 0 && t == g->t) return rg_srm_core_fail_start(rg_srm_of(g)->core, t);
    if (rg_srm_of(g)->warning[0] != '\0') /* unstable: the values mean nothing */
        return rg_srm_fail_step(g, t - g->t);
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "stopped at t = %.10g: G B is singular here, so E = inverse does not exist", t);
    rg_fail_time(g->ctx, t);
    return rg_remedy(g->ctx, "give another step, or another end; or --variant %s with --E shifted",
                     rg_srm_of(g)->core->order == 1 ? "basic" : "stabilized");
}

rg_status rg_srm_fail_steps(rg_integrator *g)
{
    rg_fail(g->ctx, RG_ERR_CONVERGENCE, "stopped at t = %.10g after %lld steps, the limit", g->t,
            (long long)g->stats.steps);
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(g->ctx, "give a larger max_steps, or a larger %s",
                     rg_srm_of(g)->scheme.stepping == SRM_MESH ? "step" : "tol");
}
