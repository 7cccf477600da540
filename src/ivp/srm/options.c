/* What a run makes of its options: scheme, number of iterates, passes. */
#include "ivp/srm/srm_impl.h"

#include <string.h>

enum {
    MOST_FOR_RADAU = 60
}; /* differential unknowns: times the iterations they make a dense matrix */

/* Without a step: local error control by Radau, where the matrices of the stacked form stay
 * small; see parameters.c for figures. */
static const char *scheme_name(const rg_integrator *g)
{
    const rg_srm *b = rg_srm_of(g);
    const rg_options *o = &g->options;

    if (strcmp(o->scheme, "auto") != 0) return o->scheme;
    if (!b->method->is_sequential || o->step > 0.0 || b->passes > 0) return "rk4";
    return b->core->order * b->core->n_x <= MOST_FOR_RADAU ? "radau" : "dopri5";
}

static rg_status choose_scheme(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);

    if (!rg_srm_scheme_find(scheme_name(g), &b->scheme))
        return rg_srm_scheme_fail(g->ctx, g->options.scheme);
    if (b->scheme.stepping == SRM_MESH) return RG_OK;
    if (g->options.step > 0.0) {
        rg_fail(g->ctx, RG_ERR_METHOD, "the scheme '%s' chooses its steps; step = %g was given",
                b->scheme.name, g->options.step);
        return rg_remedy(g->ctx, "give --step 0, or take --scheme %s, which has a fixed step",
                         b->scheme.stepping == SRM_RADAU ? "radau3" : "rk4");
    }
    if (b->passes == 0) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "'%s' corrects the points of a fixed mesh; '%s' has none",
            g->method->name, b->scheme.name);
    return rg_remedy(g->ctx, "take --scheme rk4 with --step, or --method invariant");
}

/* Matrices of implicit schemes are full. */
static rg_status check_size(const rg_integrator *g)
{
    enum { MAX_SIZE = 2000 };
    const rg_srm *b = rg_srm_of(g);
    const bool is_stacked = b->scheme.stepping == SRM_RADAU;
    const int64_t n = is_stacked ? (int64_t)b->m * b->core->n_z : b->core->n_x;

    if (n <= MAX_SIZE || !b->scheme.is_implicit) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "with %s '%s' takes at most %d %s; here are %lld",
            is_stacked ? "the scheme radau" : "an implicit scheme", g->method->name, MAX_SIZE,
            is_stacked ? "differential equations, those of all iterates" : "differential unknowns",
            (long long)n);
    if (is_stacked && b->core->n_x <= MAX_SIZE)
        return rg_remedy(g->ctx, "give --scheme dopri5, or take --method radau");
    return rg_remedy(g->ctx, "give --scheme rk4 or heun, or take --method radau");
}

/* Who gives eps or the number of iterates means the papers' error O(eps^s) over the whole run. */
bool rg_srm_wants_windows(const rg_integrator *g)
{
    const rg_srm *b = rg_srm_of(g);
    const rg_options *o = &g->options;
    const bool is_open = strcmp(o->window, "auto") == 0;

    if (strcmp(o->window, "0") == 0 || (is_open && (o->eps > 0.0 || o->iterations > 0)))
        return false;
    return b->method->is_sequential && b->scheme.stepping == SRM_RADAU
           && rg_srm_window_fits(b->core);
}

rg_status rg_srm_choose_scheme(rg_integrator *g)
{
    rg_srm *b = rg_srm_of(g);
    const rg_options *o = &g->options;
    const srm_variant *v = &b->core->variant;

    b->passes = b->method->passes > 0 ? b->method->passes : v->passes;
    if (b->passes > 0 && o->passes > 0) b->passes = o->passes;
    RG_TRY(choose_scheme(g));
    b->m = o->iterations > 0 && b->method->is_sequential ? o->iterations
           : v->iterations > 0                           ? v->iterations
           : v->alpha[0] > 0.0                           ? 1
                                                         : b->scheme.iterations;
    return check_size(g);
}
