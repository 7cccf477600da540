/* Which variant of a method is taken, with which E and weights: what the options and the form of
 * the model say. */
#include "ivp/srm/core.h"

#include <string.h>

enum { MOST_FOR_FULL = 500, MOST_NAMES = 32 }; /* full matrices G B unless asked for; variants */

static const char *const E_names[] = {"identity", "inverse", "transpose", "shifted"};

const char *rg_srm_E_name(const srm_variant *v)
{
    return E_names[v->kind == SRM_INVARIANT ? SRM_E_IDENTITY : v->E];
}

static const srm_variant *find(const srm_method *m, const char *name)
{
    for (int k = 0; k < m->n_variants; k++)
        if (strcmp(m->variants[k].name, name) == 0) return &m->variants[k];
    return NULL;
}

/* srm: the variants that pass singular points, right everywhere and no dearer than the others
 * for small n_y.  Large models: E = I, for an evaluation with full matrices takes a time of the
 * third power of their size. */
static const srm_variant *default_variant(const srm_method *m, const rg_semi *view)
{
    const int order = rg_semi_order(view);

    if (!m->is_sequential) return &m->variants[0];
    if (!rg_semi_is_linear(view)) return find(m, order == 1 ? "nonlinear" : "nonlinear-stabilized");
    if (order <= 2 && rg_semi_size(view) > MOST_FOR_FULL)
        return find(m, order == 1 ? "simple" : "multibody");
    return find(m, order == 1   ? "singular"
                   : order == 2 ? "multibody-singular"
                                : "stabilized-singular");
}

static rg_status fail_name(rg_context *ctx, const srm_method *m, const char *name)
{
    const char *names[MOST_NAMES];

    for (int k = 0; k < m->n_variants; k++)
        names[k] = m->variants[k].name;
    const char *nearest = rg_nearest_word(name, m->n_variants, names);
    rg_fail(ctx, RG_ERR_ARGUMENT, "'%s' has no variant '%s'", m->name, name);
    if (nearest != NULL) return rg_remedy(ctx, "did you mean '%s'?", nearest);
    return rg_remedy(ctx, "'regula methods %s' lists the variants; 'auto' chooses one", m->name);
}

static rg_status fail_order(rg_context *ctx, const srm_method *m, const srm_variant *v, int order)
{
    if (!m->is_sequential) { /* what the sources derive for index 2 only */
        rg_fail(ctx, RG_ERR_METHOD, "'%s', %s, is derived for index 2; this model has index 3",
                v->name, v->equations);
        return rg_remedy(ctx,
                         "take --method penalty without a variant, --method augmented-lagrangian "
                         "or --method srm");
    }
    rg_fail(ctx, RG_ERR_METHOD, "the variant '%s', %s, is for index %d; this model has index %d",
            v->name, v->equations, v->order + 1, order + 1);
    return rg_remedy(ctx, "leave --variant out, or take '%s'",
                     order == 1   ? "singular' or 'basic"
                     : order == 2 ? "multibody-singular' or 'multibody"
                                  : "stabilized-singular' or 'stabilized");
}

static rg_status fail_linear(rg_context *ctx, const srm_variant *v)
{
    rg_fail(ctx, RG_ERR_METHOD,
            "the variant '%s', %s, is for equations that are linear in the multipliers; these are "
            "not",
            v->name, v->equations);
    return rg_remedy(ctx, "leave --variant out, or take '%s'",
                     v->order == 1 ? "nonlinear" : "nonlinear-stabilized");
}

static rg_status choose_E(rg_context *ctx, const srm_method *method, const char *name,
                          srm_variant *v)
{
    if (!method->has_E) return RG_OK; /* as published */
    for (int k = 0; k < 4; k++)
        if (strcmp(name, E_names[k]) == 0) v->E = (srm_E)k;
    if (!v->only_inverse || strcmp(name, "auto") == 0 || strcmp(name, "inverse") == 0) return RG_OK;
    rg_fail(ctx, RG_ERR_METHOD, "the variant '%s', %s, is made with E = inverse, not %s", v->name,
            v->equations, name);
    return rg_remedy(ctx, "leave --E out, or take --variant %s",
                     v->order == 1 ? "basic" : "stabilized");
}

void rg_srm_take_alphas(srm_variant *v, const rg_options *o)
{
    const double given[3] = {o->alpha1, o->alpha2, o->alpha3};

    for (int k = 0; k < 3; k++)
        if (given[k] >= 0.0) v->alpha[k] = given[k];
}

/* N after (4.5): alpha_1 = alpha_2 = 0 is not allowed; nor are stabilized forms with other
 * weights. */
static rg_status check_alphas(rg_context *ctx, const rg_options *o, const srm_variant *v)
{
    const bool is_free = v->kind == SRM_FIRST || v->kind == SRM_SECOND;

    if (v->is_nonlinear && v->alpha[0] > 0.0) {
        rg_fail(ctx, RG_ERR_METHOD,
                "alpha1 > 0 needs equations that are linear in the multipliers: the variant '%s' "
                "has alpha1 = 0",
                v->name);
        return rg_remedy(ctx, "leave alpha1 out");
    }
    if (!is_free && (o->alpha1 > 0.0 || o->alpha2 >= 0.0 || o->alpha3 >= 0.0)) {
        rg_fail(ctx, RG_ERR_METHOD, "the variant '%s', %s, has no alpha1, alpha2, alpha3", v->name,
                v->equations);
        return rg_remedy(ctx, "leave them out, or take --variant %s",
                         v->order == 1 ? "basic" : "second-order");
    }
    if (!is_free || v->passes > 0 || v->alpha[1] > 0.0
        || (v->kind == SRM_FIRST && v->alpha[0] > 0.0)
        || (v->kind == SRM_SECOND && v->alpha[0] > 0.0 && v->alpha[2] > 0.0))
        return RG_OK;
    rg_fail(ctx, RG_ERR_METHOD, "alpha2 = 0 leaves the constraint to drift or to oscillate");
    return rg_remedy(ctx, "give alpha2 greater than 0");
}

rg_status rg_srm_variant_choose(rg_context *ctx, const srm_method *method, const rg_semi *view,
                                const rg_options *o, srm_variant *out)
{
    const int order = rg_semi_order(view);
    const bool is_free = method->n_variants > 1 && strcmp(o->variant, "auto") != 0;
    const srm_variant *v = is_free ? find(method, o->variant) : default_variant(method, view);

    if (v == NULL) return fail_name(ctx, method, o->variant);
    const bool fits =
        v->order == 0 || v->order == order || (order > 2 && v->kind == SRM_STABILIZED);
    if (!fits) return fail_order(ctx, method, v, order);
    if (!rg_semi_is_linear(view) && !v->is_nonlinear) return fail_linear(ctx, v);
    *out = *v;
    if (v->order == 0 && v->kind == SRM_FIRST && order == 2) {
        out->kind = SRM_SECOND;
        out->alpha[0] = method->is_from_zero ? 0.0 : 1.0; /* with gamma: parameters.c */
    }
    RG_TRY(choose_E(ctx, method, o->E, out));
    rg_srm_take_alphas(out, o);
    return method->is_sequential ? check_alphas(ctx, o, out) : RG_OK;
}
