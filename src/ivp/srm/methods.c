/* Sequential regularization and its rivals as rows: what each of them makes of the same core.
 *
 *     baumgarte             N (2.5), (4.5) in the limit eps = 0,
 *                           alpha = (1, gamma) or (1, 2 gamma, gamma^2)
 *     penalty               its variants are a table of their own
 *     augmented-lagrangian  the same alphas as baumgarte, E = I, y iterated at every evaluation
 *     park-chiou            the multipliers are solved for, too; the source derives it for index 2
 *     invariant, post-stabilization     the reduced equations with corrections */
#include "ivp/srm/core.h"
#include "ivp/srm/srm.h"

#include <string.h>

/* L: linear paper, N: nonlinear paper; see srm.h.  The linear paper writes x' = Ax + By + q
 * where N has x' = f - By: the view takes B from the equations, so both are the same iteration. */
/* clang-format off */
static const srm_variant sequential[] = {
    {"linear-y", "L (3.3),(3.4)", "carries y; regular points only unless E = transpose",
     1, SRM_FIRST, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_INVERSE, 0, false, 0, SRM_D_FORCE},
    {"linear-by", "L (3.3),(3.8)", "carries By, E = (GB)^-1: passes singular points where B = B(t)",
     1, SRM_FIRST, SRM_CARRY_BY, false, true, {0, 1, 0}, SRM_E_INVERSE, 0, false, 0, SRM_D_FORCE},
    {"linear-y-rate", "L (3.3),(3.15)", "with the rate of the constraint, alpha1 (g)': not stiff",
     1, SRM_FIRST, SRM_CARRY_Y, false, false, {1, 1, 0}, SRM_E_INVERSE, 0, false, 0, SRM_D_FORCE},
    {"linear-by-rate", "L (3.3),(3.16)", "the same, carrying By",
     1, SRM_FIRST, SRM_CARRY_BY, false, true, {1, 1, 0}, SRM_E_INVERSE, 0, false, 0, SRM_D_FORCE},
    {"basic", "N (2.4),(2.5)", "alpha1 = 0 or with the rate of the constraint, alpha1 = 1",
     1, SRM_FIRST, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_INVERSE, 0, false, 0, SRM_D_FORCE},
    {"one-step", "N (2.12)", "one iteration with alpha1 = 1 and a tiny eps: not stiff",
     1, SRM_FIRST, SRM_CARRY_Y, false, false, {1, 1, 0}, SRM_E_IDENTITY, 1, false, 0, SRM_D_FORCE},
    {"simple", "N (2.15)", "E = I: nothing is inverted; GB must be positive definite",
     1, SRM_FIRST, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_IDENTITY, 0, false, 0, SRM_D_FORCE},
    {"singular", "N (3.2)", "carries By through P = B (GB)^-1 G: passes singular points",
     1, SRM_FIRST, SRM_CARRY_BY, true, true, {0, 1, 0}, SRM_E_INVERSE, 0, false, 0, SRM_D_FORCE},
    {"second-order", "N (4.4),(4.5)", "penalty with alpha1 g'' + alpha2 g' + alpha3 g",
     2, SRM_SECOND, SRM_CARRY_Y, false, false, {1, 2, 1}, SRM_E_INVERSE, 0, false, 0, SRM_D_FORCE},
    {"invariant", "N (4.12)", "the invariants g, g' of the reduced equations, D = G^T, E = I",
     2, SRM_INVARIANT, SRM_CARRY_ZETA, false, true, {0, 1, 0}, SRM_E_INVERSE, 0, false, 0, SRM_D_FORCE},
    {"invariant-full", "N (4.11),(2.5)",
     "the same, D = diag(B, B), E = (HD)^-1: g and g' decay with the rate 1/eps",
     2, SRM_INVARIANT_FULL, SRM_CARRY_ZETA, false, true, {0, 1, 0}, SRM_E_INVERSE, 0, false, 0, SRM_D_FORCE},
    {"invariant-gradient", "N (4.11),(2.5)", "the same with D = diag(G^T, G^T)",
     2, SRM_INVARIANT_FULL, SRM_CARRY_ZETA, false, true, {0, 1, 0}, SRM_E_INVERSE, 0, false, 0,
     SRM_D_GRADIENT},
    {"invariant-jacobian", "N (4.11),(2.5)", "the same with D = H^T, H the derivative of (g, g')",
     2, SRM_INVARIANT_FULL, SRM_CARRY_ZETA, false, true, {0, 1, 0}, SRM_E_INVERSE, 0, false, 0,
     SRM_D_JACOBIAN},
    {"stabilized", "N (4.14)-(4.16)", "no second derivatives of g",
     2, SRM_STABILIZED, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_INVERSE, 0, false, 0, SRM_D_FORCE},
    {"stabilized-singular", "N (4.23)", "the same, carrying By through P: passes singular points",
     2, SRM_STABILIZED, SRM_CARRY_BY, true, true, {0, 1, 0}, SRM_E_INVERSE, 0, false, 0, SRM_D_FORCE},
    {"multibody", "N (5.3),(5.4)", "B = M^-1 G^T, E = I: G M^-1 G^T is not inverted",
     2, SRM_STABILIZED, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_IDENTITY, 0, false, 0, SRM_D_FORCE},
    {"multibody-singular", "N (5.5),(5.6)",
     "B = M^-1 G^T, carries M^-1 G^T lambda: passes singular points",
     2, SRM_STABILIZED, SRM_CARRY_BY, true, true, {0, 1, 0}, SRM_E_INVERSE, 0, false, 0, SRM_D_FORCE},
    {"post-stabilized", "N (2.4),(2.5),(5.2)",
     "alpha = (1, 0): not stiff; every mesh point is corrected after the step",
     1, SRM_FIRST, SRM_CARRY_Y, false, true, {1, 0, 0}, SRM_E_INVERSE, 1, false, 2, SRM_D_FORCE},
    {"second-order-post", "N (4.4),(4.5),(5.2)",
     "alpha = (1, 0, 0), the same",
     2, SRM_SECOND, SRM_CARRY_Y, false, true, {1, 0, 0}, SRM_E_INVERSE, 1, false, 2, SRM_D_FORCE},
    {"nonlinear", "thesis 7.2",
     "x' = f(x, y, t) with any dependence on y; f_y and E at the iterate before",
     1, SRM_FIRST, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_INVERSE, 0, true, 0, SRM_D_FORCE},
    {"nonlinear-stabilized", "thesis 7.2",
     "x'' = f(x, x', y, t), as by friction that follows from y",
     2, SRM_STABILIZED, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_INVERSE, 0, true, 0, SRM_D_FORCE},
};
static const srm_variant penalties[] = {
    {"plain", "thesis (2.27); N (4.5)",
     "the first iterate of srm from y = 0; index 3: alpha = (0, 1, gamma), stiff",
     0, SRM_FIRST, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_IDENTITY, 1, false, 0, SRM_D_FORCE},
    {"direct", "thesis (2.26)", "eps y' = g: undamped oscillations instead of a layer",
     1, SRM_DIRECT, SRM_CARRY_Y, false, false, {0, 1, 0}, SRM_E_IDENTITY, 1, false, 0, SRM_D_FORCE},
    {"parameterized", "thesis (2.28)", "0 = g + eps G x', E = (GB)^-1",
     1, SRM_PARAMETERIZED, SRM_CARRY_Y, false, true, {1, 1, 0}, SRM_E_INVERSE, 1, false, 0, SRM_D_FORCE},
};
static const srm_variant baumgarte[] = {
    {"baumgarte", "N (4.3)", "",
     0, SRM_FIRST, SRM_CARRY_Y, false, false, {1, 1, 1}, SRM_E_INVERSE, 1, false, 0, SRM_D_FORCE},
};
static const srm_variant augmented[] = {
    {"augmented-lagrangian", "thesis (2.13),(2.14)", "",
     0, SRM_AUGMENTED, SRM_CARRY_Y, false, false, {1, 1, 1}, SRM_E_IDENTITY, 1, false, 0, SRM_D_FORCE},
};
static const srm_variant park_chiou[] = {
    {"park-chiou", "L (3.5a),(3.7)", "",
     1, SRM_COUPLED, SRM_CARRY_Y, false, false, {0, 1, 1}, SRM_E_IDENTITY, 1, false, 0, SRM_D_FORCE},
};
static const srm_variant underlying[] = {
    {"underlying", "N (4.10),(5.2)", "",
     0, SRM_UNDERLYING, SRM_CARRY_Y, false, false, {1, 1, 1}, SRM_E_INVERSE, 1, false, 0, SRM_D_FORCE},
};
static const srm_variant invariants[] = {
    {"blocks", "N (4.10),(5.2)", "F = diag(B (GB)^-1, B (GB)^-1), without second derivatives of g",
     0, SRM_UNDERLYING, SRM_CARRY_Y, false, false, {1, 1, 1}, SRM_E_INVERSE, 1, false, 0, SRM_D_FORCE},
    {"full", "N (4.10)",
     "F = D (HD)^-1, D = diag(B, B): g and g' decay with the rate gamma",
     0, SRM_UNDERLYING_FULL, SRM_CARRY_Y, false, false, {1, 1, 1}, SRM_E_INVERSE, 1, false, 0, SRM_D_FORCE},
    {"gradient", "N (4.10)", "the same with D = diag(G^T, G^T)",
     0, SRM_UNDERLYING_FULL, SRM_CARRY_Y, false, false, {1, 1, 1}, SRM_E_INVERSE, 1, false, 0,
     SRM_D_GRADIENT},
    {"jacobian", "N (4.10)", "the same with D = H^T, H the derivative of (g, g')",
     0, SRM_UNDERLYING_FULL, SRM_CARRY_Y, false, false, {1, 1, 1}, SRM_E_INVERSE, 1, false, 0,
     SRM_D_JACOBIAN},
};

#define ROWS(table) .variants = (table), .n_variants = sizeof(table) / sizeof *(table)
static const srm_method method_table[] = {
    {.name = "srm", ROWS(sequential), .is_sequential = true, .has_E = true,
     .shown = SRM_SHOWS_VARIANT | SRM_SHOWS_EPS | SRM_SHOWS_ITERATIONS | SRM_SHOWS_E},
    {.name = "penalty", ROWS(penalties), .has_E = true, .is_from_zero = true, .has_gamma = true,
     .shown = SRM_SHOWS_VARIANT | SRM_SHOWS_EPS | SRM_SHOWS_E},
    {.name = "baumgarte", ROWS(baumgarte), .has_no_eps = true, .has_gamma = true,
     .shown = SRM_SHOWS_GAMMA},
    {.name = "augmented-lagrangian", ROWS(augmented), .has_gamma = true, .repeats = true,
     .shown = SRM_SHOWS_EPS | SRM_SHOWS_GAMMA},
    {.name = "park-chiou", ROWS(park_chiou), .shown = SRM_SHOWS_EPS | SRM_SHOWS_E},
    {.name = "invariant", ROWS(invariants), .shown = SRM_SHOWS_VARIANT | SRM_SHOWS_GAMMA},
    {.name = "post-stabilization", ROWS(underlying), .passes = 2, .shown = SRM_SHOWS_PASSES},
};
/* clang-format on */

const srm_method *rg_srm_method_find(const char *name)
{
    for (size_t k = 0; k < sizeof method_table / sizeof *method_table; k++)
        if (strcmp(method_table[k].name, name) == 0) return &method_table[k];
    return NULL;
}

int rg_srm_row_count(const char *method)
{
    const srm_method *m = rg_srm_method_find(method);

    return m != NULL && m->n_variants > 1 ? m->n_variants : 0;
}

rg_variant_info rg_srm_row_at(const char *method, int k)
{
    const srm_variant *v = &rg_srm_method_find(method)->variants[k];

    return (rg_variant_info){v->name, v->equations, v->text, v->order == 0 ? 0 : v->order + 1};
}
