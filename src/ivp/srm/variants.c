#include "ivp/srm/srm_impl.h"

#include <string.h>

/* L: linear paper, N: nonlinear paper; see srm.h.  The linear paper writes x' = Ax + By + q where N has x' = f - By: the view
 * takes B from the equations, so both are the same iteration. */
/* clang-format off */
static const srm_variant variant_table[] = {
    {"linear-y", "L (3.3),(3.4)", "carries y; regular points only unless E = transpose",
     1, SRM_FIRST, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_INVERSE, 0, false},
    {"linear-by", "L (3.3),(3.8)", "carries By, E = (GB)^-1: passes singular points where B = B(t)",
     1, SRM_FIRST, SRM_CARRY_BY, false, true, {0, 1, 0}, SRM_E_INVERSE, 0, false},
    {"linear-y-rate", "L (3.3),(3.15)", "with the rate of the constraint, alpha1 (g)': not stiff",
     1, SRM_FIRST, SRM_CARRY_Y, false, false, {1, 1, 0}, SRM_E_INVERSE, 0, false},
    {"linear-by-rate", "L (3.3),(3.16)", "the same, carrying By",
     1, SRM_FIRST, SRM_CARRY_BY, false, true, {1, 1, 0}, SRM_E_INVERSE, 0, false},
    {"basic", "N (2.4),(2.5)", "alpha1 = 0 or with the rate of the constraint, alpha1 = 1",
     1, SRM_FIRST, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_INVERSE, 0, false},
    {"one-step", "N (2.12)", "one iteration with alpha1 = 1 and a tiny eps: not stiff",
     1, SRM_FIRST, SRM_CARRY_Y, false, false, {1, 1, 0}, SRM_E_IDENTITY, 1, false},
    {"simple", "N (2.15)", "E = I: nothing is inverted; GB must be positive definite",
     1, SRM_FIRST, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_IDENTITY, 0, false},
    {"singular", "N (3.2)", "carries By through P = B (GB)^-1 G: passes singular points",
     1, SRM_FIRST, SRM_CARRY_BY, true, true, {0, 1, 0}, SRM_E_INVERSE, 0, false},
    {"second-order", "N (4.4),(4.5)", "penalty with alpha1 g'' + alpha2 g' + alpha3 g",
     2, SRM_SECOND, SRM_CARRY_Y, false, false, {1, 2, 1}, SRM_E_INVERSE, 0, false},
    {"invariant", "N (4.12)", "the invariants g, g' of the reduced equations, D = G^T, E = I",
     2, SRM_INVARIANT, SRM_CARRY_ZETA, false, true, {0, 1, 0}, SRM_E_INVERSE, 0, false},
    {"stabilized", "N (4.14)-(4.16)", "no second derivatives of g",
     2, SRM_STABILIZED, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_INVERSE, 0, false},
    {"stabilized-singular", "N (4.23)", "the same, carrying By through P: passes singular points",
     2, SRM_STABILIZED, SRM_CARRY_BY, true, true, {0, 1, 0}, SRM_E_INVERSE, 0, false},
    {"multibody", "N (5.3),(5.4)", "B = M^-1 G^T, E = I: G M^-1 G^T is not inverted",
     2, SRM_STABILIZED, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_IDENTITY, 0, false},
    {"multibody-singular", "N (5.5),(5.6)", "B = M^-1 G^T, carries M^-1 G^T lambda: passes singular points",
     2, SRM_STABILIZED, SRM_CARRY_BY, true, true, {0, 1, 0}, SRM_E_INVERSE, 0, false},
    {"nonlinear", "thesis 7.2", "x' = f(x, y, t) with any dependence on y; f_y and E at the iterate before",
     1, SRM_FIRST, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_INVERSE, 0, true},
    {"nonlinear-stabilized", "thesis 7.2", "x'' = f(x, x', y, t), as by friction that follows from y",
     2, SRM_STABILIZED, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_INVERSE, 0, true},
};
/* clang-format on */
enum { N_VARIANTS = sizeof variant_table / sizeof *variant_table };

int rg_srm_row_count(void)
{
    return N_VARIANTS;
}

rg_srm_row rg_srm_row_at(int k)
{
    const srm_variant *v = &variant_table[k >= 0 && k < N_VARIANTS ? k : 0];

    return (rg_srm_row){v->name, v->equations, v->text, v->order + 1};
}

const srm_variant *rg_srm_variant_find(const char *name)
{
    for (int k = 0; k < N_VARIANTS; k++)
        if (strcmp(variant_table[k].name, name) == 0) return &variant_table[k];
    return NULL;
}

/* The variants that pass singular points: right everywhere, and no dearer than the others for small n_y. */
const srm_variant *rg_srm_variant_default(int order, bool is_linear)
{
    if (!is_linear) return rg_srm_variant_find(order == 1 ? "nonlinear" : "nonlinear-stabilized");
    return rg_srm_variant_find(order == 1   ? "singular"
                               : order == 2 ? "multibody-singular"
                                            : "stabilized-singular");
}

rg_status rg_srm_variant_fail(rg_context *ctx, const char *name)
{
    const char *names[N_VARIANTS];

    for (int k = 0; k < N_VARIANTS; k++)
        names[k] = variant_table[k].name;
    const char *nearest = rg_nearest_word(name, N_VARIANTS, names);
    rg_fail(ctx, RG_ERR_ARGUMENT, "'srm' has no variant '%s'", name);
    if (nearest != NULL) return rg_remedy(ctx, "did you mean '%s'?", nearest);
    return rg_remedy(ctx, "'regula methods srm' lists the variants; 'auto' chooses one");
}

rg_status rg_srm_variant_misfit(rg_context *ctx, const srm_variant *v, int order)
{
    rg_fail(ctx, RG_ERR_METHOD, "the variant '%s', %s, is for index %d; this model has index %d",
            v->name, v->equations, v->order + 1, order + 1);
    return rg_remedy(ctx, "leave --variant out, or take '%s'",
                     order == 1   ? "singular' or 'basic"
                     : order == 2 ? "multibody-singular' or 'multibody"
                                  : "stabilized-singular' or 'stabilized");
}

rg_status rg_srm_variant_bent(rg_context *ctx, const srm_variant *v)
{
    rg_fail(ctx, RG_ERR_METHOD,
            "the variant '%s', %s, is for equations that are linear in the multipliers; these are "
            "not",
            v->name, v->equations);
    return rg_remedy(ctx, "leave --variant out, or take '%s'",
                     rg_srm_variant_default(v->order, false)->name);
}
