/* The rivals of sequential regularization as rows of the same engine.
 *
 *     baumgarte             N (2.5), (4.5) in the limit eps = 0, alpha = (1, gamma) or (1, 2 gamma, gamma^2)
 *     penalty               its variants are a table of their own
 *     augmented-lagrangian  the same alphas as baumgarte, E = I, y iterated at every evaluation
 *     park-chiou            the multipliers are solved for, too; the source derives it for index 2
 *     invariant, post-stabilization     the reduced equations with corrections */
#include "ivp/srm/srm_impl.h"

#include <string.h>

/* clang-format off */
static const srm_variant penalty_table[] = {
    {"plain", "thesis (2.27)", "the first iterate of srm from y = 0",
     0, SRM_FIRST, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_IDENTITY, 1, false},
    {"direct", "thesis (2.26)", "eps y' = g: undamped oscillations instead of a layer",
     1, SRM_DIRECT, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_IDENTITY, 1, false},
    {"parameterized", "thesis (2.28)", "0 = g + eps G x', E = (GB)^-1",
     1, SRM_PARAMETERIZED, SRM_CARRY_Y, false, true, {1, 1, 0}, SRM_E_INVERSE, 1, false},
};
/* clang-format on */
enum { N_PENALTIES = sizeof penalty_table / sizeof *penalty_table };

int rg_penalty_row_count(void)
{
    return N_PENALTIES;
}

rg_srm_row rg_penalty_row_at(int k)
{
    const srm_variant *v = &penalty_table[k >= 0 && k < N_PENALTIES ? k : 0];

    return (rg_srm_row){v->name, v->equations, v->text, v->order == 0 ? 0 : v->order + 1};
}

static rg_status fail_name(rg_context *ctx, const char *name)
{
    const char *names[N_PENALTIES];

    for (int k = 0; k < N_PENALTIES; k++)
        names[k] = penalty_table[k].name;
    const char *nearest = rg_nearest_word(name, N_PENALTIES, names);
    rg_fail(ctx, RG_ERR_ARGUMENT, "'penalty' has no variant '%s'", name);
    if (nearest != NULL) return rg_remedy(ctx, "did you mean '%s'?", nearest);
    return rg_remedy(ctx, "give plain, direct or parameterized");
}

/* What the sources derive for index 2 only. */
static rg_status fail_index(rg_context *ctx, const char *name, const char *equations)
{
    rg_fail(ctx, RG_ERR_METHOD, "'%s', %s, is derived for index 2; this model has index 3", name,
            equations);
    return rg_remedy(ctx, "take --method penalty without a variant, --method augmented-lagrangian "
                          "or --method srm");
}

static rg_status choose_penalty(rg_integrator *g)
{
    rg_srm *b = g->srm;
    const char *name = g->options.variant;
    const srm_variant *v = strcmp(name, "auto") == 0 ? &penalty_table[0] : NULL;

    for (int k = 0; k < N_PENALTIES; k++)
        if (strcmp(penalty_table[k].name, name) == 0) v = &penalty_table[k];
    if (v == NULL) return fail_name(g->ctx, name);
    if (v->order == 1 && b->order == 2) return fail_index(g->ctx, v->name, v->equations);
    b->variant = *v;
    if (b->order == 1) return RG_OK;
    b->variant.kind = SRM_SECOND;
    b->variant.alpha[0] = 1.0; /* with gamma: take_gamma() */
    return RG_OK;
}

rg_status rg_srm_rival(rg_integrator *g)
{
    rg_srm *b = g->srm;
    const rg_ivp_method *m = g->method;
    srm_variant *v = &b->variant;

    if (m == &rg_penalty_method) return choose_penalty(g);
    *v = (srm_variant){
        .name = m->name,
        .equations = "N (4.10),(5.2)",
        .kind = SRM_UNDERLYING,
        .carry = SRM_CARRY_Y,
        .E = SRM_E_INVERSE,
        .alpha = {1, 1, 1},
        .iterations = 1
    };
    if (m == &rg_baumgarte_method) {
        v->equations = "N (4.3)";
        v->kind = b->order == 1 ? SRM_FIRST : SRM_SECOND;
    } else if (m == &rg_augmented_method) {
        v->equations = "thesis (2.13),(2.14)";
        v->kind = SRM_AUGMENTED;
        v->E = SRM_E_IDENTITY;
    } else if (m == &rg_park_chiou_method) {
        v->equations = "L (3.5a),(3.7)";
        v->kind = SRM_COUPLED;
        v->E = SRM_E_IDENTITY;
        v->alpha[0] = 0.0;
    }
    v->order = b->order;
    if (m == &rg_park_chiou_method && b->order == 2)
        return fail_index(g->ctx, v->name, v->equations);
    return RG_OK;
}
