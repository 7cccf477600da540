/* What is decided from the options and the form of the model: variant, scheme, E, weights, iterations. */
#include "ivp/srm/srm_impl.h"

#include <string.h>

/* differential unknowns: times the iterations they make a dense matrix; full matrices G B unless asked for */
enum { MOST_FOR_RADAU = 60, MOST_FOR_FULL = 500 };

static bool is_word(const char *option, const char *word)
{
    return strcmp(option, word) == 0;
}

/* Large models: E = I, for an evaluation with full matrices takes a time of the third power of their size. */
static const srm_variant *default_variant(const rg_srm *b)
{
    const bool is_linear = rg_semi_is_linear(b->view);

    if (is_linear && b->order <= 2 && b->n_x > MOST_FOR_FULL)
        return rg_srm_variant_find(b->order == 1 ? "simple" : "multibody");
    return rg_srm_variant_default(b->order, is_linear);
}

static rg_status choose_variant(rg_integrator *g)
{
    rg_srm *b = g->srm;
    const rg_options *o = &g->options;
    const bool is_linear = rg_semi_is_linear(b->view);
    const srm_variant *v =
        is_word(o->variant, "auto") ? default_variant(b) : rg_srm_variant_find(o->variant);

    if (v == NULL) return rg_srm_variant_fail(g->ctx, o->variant);
    const bool fits = v->order == b->order || (b->order > 2 && v->kind == SRM_STABILIZED);
    if (!fits) return rg_srm_variant_misfit(g->ctx, v, b->order);
    if (!is_linear && !v->is_nonlinear) return rg_srm_variant_bent(g->ctx, v);
    b->variant = *v;
    return RG_OK;
}

static rg_status choose_E(rg_integrator *g)
{
    rg_srm *b = g->srm;
    const char *name = g->options.E;
    static const char *const names[] = {"identity", "inverse", "transpose", "shifted"};

    if (g->method != &rg_srm_method && g->method != &rg_penalty_method)
        return RG_OK; /* as published */
    for (int k = 0; k < 4; k++)
        if (is_word(name, names[k])) b->variant.E = (srm_E)k;
    if (!b->variant.only_inverse || is_word(name, "auto") || is_word(name, "inverse")) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "the variant '%s', %s, is made with E = inverse, not %s",
            b->variant.name, b->variant.equations, name);
    return rg_remedy(g->ctx, "leave --E out, or take --variant %s",
                     b->order == 1 ? "basic" : "stabilized");
}

void rg_srm_take_alphas(rg_srm *b, const rg_options *o)
{
    const double given[3] = {o->alpha1, o->alpha2, o->alpha3};

    for (int k = 0; k < 3; k++)
        if (given[k] >= 0.0) b->variant.alpha[k] = given[k];
}

/* N after (4.5): alpha_1 = alpha_2 = 0 is not allowed; nor are stabilized forms with other weights. */
static rg_status check_alphas(rg_integrator *g)
{
    const srm_variant *v = &g->srm->variant;
    const rg_options *o = &g->options;
    const bool is_free = v->kind == SRM_FIRST || v->kind == SRM_SECOND;

    if (v->is_nonlinear && v->alpha[0] > 0.0) {
        rg_fail(g->ctx, RG_ERR_METHOD,
                "alpha1 > 0 needs equations that are linear in the multipliers: the variant '%s' "
                "has alpha1 = 0",
                v->name);
        return rg_remedy(g->ctx, "leave alpha1 out");
    }
    if (!is_free && (o->alpha1 > 0.0 || o->alpha2 >= 0.0 || o->alpha3 >= 0.0)) {
        rg_fail(g->ctx, RG_ERR_METHOD, "the variant '%s', %s, has no alpha1, alpha2, alpha3",
                v->name, v->equations);
        return rg_remedy(g->ctx, "leave them out, or take --variant %s",
                         v->order == 1 ? "basic" : "second-order");
    }
    if (!is_free || v->alpha[1] > 0.0 || (v->kind == SRM_FIRST && v->alpha[0] > 0.0)
        || (v->kind == SRM_SECOND && v->alpha[0] > 0.0 && v->alpha[2] > 0.0))
        return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "alpha2 = 0 leaves the constraint to drift or to oscillate");
    return rg_remedy(g->ctx, "give alpha2 greater than 0");
}

/* Without a step: local error control by Radau, where the matrices of the stacked form stay small; see settle.c for figures. */
static const char *scheme_name(const rg_integrator *g)
{
    const rg_srm *b = g->srm;
    const rg_options *o = &g->options;

    if (!is_word(o->scheme, "auto")) return o->scheme;
    if (g->method != &rg_srm_method || o->step > 0.0) return "rk4";
    return b->order * b->n_x <= MOST_FOR_RADAU ? "radau" : "dopri5";
}

static rg_status choose_scheme(rg_integrator *g)
{
    rg_srm *b = g->srm;

    b->scheme = rg_srm_scheme_find(scheme_name(g));
    if (b->scheme == NULL) return rg_srm_scheme_fail(g->ctx, g->options.scheme);
    if (b->scheme->stepping == SRM_MESH) return RG_OK;
    if (g->options.step > 0.0) {
        rg_fail(g->ctx, RG_ERR_METHOD, "the scheme '%s' chooses its steps; step = %g was given",
                b->scheme->name, g->options.step);
        return rg_remedy(g->ctx, "give --step 0, or take --scheme %s, which has a fixed step",
                         b->scheme->stepping == SRM_RADAU ? "radau3" : "rk4");
    }
    if (g->method != &rg_post_method) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "'%s' corrects the points of a fixed mesh; '%s' has none",
            g->method->name, b->scheme->name);
    return rg_remedy(g->ctx, "take --scheme rk4 with --step, or --method invariant");
}

rg_status rg_srm_choose(rg_integrator *g)
{
    rg_srm *b = g->srm;
    const rg_options *o = &g->options;

    if (g->method == &rg_srm_method)
        RG_TRY(choose_variant(g));
    else
        RG_TRY(rg_srm_rival(g));
    RG_TRY(choose_scheme(g));
    RG_TRY(choose_E(g));
    rg_srm_take_alphas(b, o);
    b->is_lean = b->variant.E == SRM_E_IDENTITY && b->variant.alpha[0] == 0.0
                 && (b->variant.kind == SRM_FIRST || b->variant.kind == SRM_SECOND
                     || b->variant.kind == SRM_STABILIZED)
                 && (g->method == &rg_srm_method);
    b->delta = o->delta;
    b->repeats = g->method == &rg_augmented_method ? o->iterations : 0;
    b->passes = g->method == &rg_post_method ? (o->passes > 0 ? o->passes : 2) : 0;
    if (g->method == &rg_srm_method) RG_TRY(check_alphas(g));
    b->m = o->iterations > 0 && g->method == &rg_srm_method ? o->iterations
           : b->variant.iterations > 0                      ? b->variant.iterations
           : b->variant.alpha[0] > 0.0                      ? 1
                                                            : b->scheme->iterations;
    return RG_OK;
}
