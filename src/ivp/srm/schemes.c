/* One-step schemes with a fixed step.  Explicit: forward Euler, Heun (the explicit trapezoidal
 * rule, which reproduces the printed tables of N section 6), the classical fourth order method.
 * Implicit: collocation at k Gauss or Radau points; k = 1 gives the midpoint rule and backward
 * Euler (L section 4).  The last two rows choose their steps, on the stacked form (pair.c,
 * stack_radau.c). */
#include "ivp/srm/schemes.h"

#include "ivp/srm/tuning.h"
#include "linalg/rule.h"

#include <math.h>
#include <string.h>

/* clang-format off */
#define GAUSS .is_implicit = true
#define RADAU .is_implicit = true, .is_stiff = true
static const srm_scheme scheme_table[] = {
    {"forward-euler", SRM_MESH, 1, 1, 1, false, false, 2.0, {0}, {{0}}, {1}},
    {"heun", SRM_MESH, 2, 2, 2, false, false, 2.0, {0, 1}, {{0}, {1}}, {0.5, 0.5}},
    {"rk4", SRM_MESH, 4, 4, 4, false, false, 2.785, {0, 0.5, 0.5, 1},
     {{0}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
    /* the coefficients of these come from linalg/rule.h */
    {.name = "backward-euler", .order = 1, .stages = 1, .iterations = 1, RADAU},
    {.name = "midpoint", .order = 2, .stages = 1, .iterations = 2, GAUSS},
    {.name = "gauss1", .order = 2, .stages = 1, .iterations = 2, GAUSS},
    {.name = "gauss2", .order = 4, .stages = 2, .iterations = 4, GAUSS},
    {.name = "gauss3", .order = 6, .stages = 3, .iterations = 6, GAUSS},
    {.name = "radau1", .order = 1, .stages = 1, .iterations = 1, RADAU},
    {.name = "radau2", .order = 3, .stages = 2, .iterations = 3, RADAU},
    {.name = "radau3", .order = 5, .stages = 3, .iterations = 5, RADAU},
    {.name = "dopri5", .order = 5, .iterations = 4, .limit = 3.3, .stepping = SRM_PAIR},
    {.name = "radau", .order = 5, .iterations = 3, .is_implicit = true, .stepping = SRM_RADAU},
};
/* clang-format on */
enum { N_SCHEMES = sizeof scheme_table / sizeof *scheme_table };

static void take_rule(srm_scheme *s)
{
    rg_rule rule;

    rg_rule_init(s->is_stiff ? RG_RULE_RADAU : RG_RULE_GAUSS, s->stages, &rule);
    for (int i = 0; i < s->stages; i++) {
        s->c[i] = rule.c[i];
        s->b[i] = rule.b[i];
        memcpy(s->A[i], rule.A[i], (size_t)s->stages * sizeof *s->A[i]);
    }
}

bool rg_srm_scheme_find(const char *name, srm_scheme *out)
{
    for (int k = 0; k < N_SCHEMES; k++) {
        if (strcmp(scheme_table[k].name, name) != 0) continue;
        *out = scheme_table[k];
        if (out->is_implicit && out->stepping == SRM_MESH) take_rule(out);
        return true;
    }
    return false;
}

double rg_srm_scheme_step(const srm_scheme *s, const rg_options *o, double interval)
{
    double h = interval / RG_SRM_STEPS * pow(o->rtol / RG_SRM_TOL, 1.0 / s->order);

    h = fmin(h, interval / 10.0);
    return o->h_max > 0.0 ? fmin(h, o->h_max) : h;
}

rg_status rg_srm_scheme_fail(rg_context *ctx, const char *name)
{
    const char *names[N_SCHEMES];

    for (int k = 0; k < N_SCHEMES; k++)
        names[k] = scheme_table[k].name;
    const char *nearest = rg_nearest_word(name, N_SCHEMES, names);
    rg_fail(ctx, RG_ERR_ARGUMENT, "unknown scheme '%s'", name);
    if (nearest != NULL) return rg_remedy(ctx, "did you mean '%s'?", nearest);
    return rg_remedy(ctx,
                     "give forward-euler, heun, rk4, backward-euler, midpoint, gauss1 to gauss3 "
                     "or radau1 to radau3 with --step, or dopri5 or radau without");
}
