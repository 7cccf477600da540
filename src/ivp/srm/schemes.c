/* One-step schemes with a fixed step.  Explicit: forward Euler, Heun (the explicit trapezoidal rule, which reproduces the
 * printed tables of N section 6), the classical fourth order method.  Implicit: collocation at k Gauss or Radau points; k = 1
 * gives the midpoint rule and backward Euler (L section 4).  The last two rows choose their steps, on the stacked form (pair.c,
 * stack_radau.c). */
#include "ivp/srm/schemes.h"

#include <math.h>
#include <string.h>

#define S6  2.4494897427831780982 /* sqrt 6 */
#define S3  1.7320508075688772935 /* sqrt 3 */
#define S15 3.8729833462074168852 /* sqrt 15 */

/* clang-format off */
static const srm_scheme scheme_table[] = {
    {"forward-euler", SRM_MESH, 1, 1, 1, false, false, 2.0, {0}, {{0}}, {1}},
    {"backward-euler", SRM_MESH, 1, 1, 1, true, true, 0, {1}, {{1}}, {1}},
    {"midpoint", SRM_MESH, 2, 1, 2, true, false, 0, {0.5}, {{0.5}}, {1}},
    {"heun", SRM_MESH, 2, 2, 2, false, false, 2.0, {0, 1}, {{0}, {1}}, {0.5, 0.5}},
    {"rk4", SRM_MESH, 4, 4, 4, false, false, 2.785, {0, 0.5, 0.5, 1},
     {{0}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
    {"gauss1", SRM_MESH, 2, 1, 2, true, false, 0, {0.5}, {{0.5}}, {1}},
    {"gauss2", SRM_MESH, 4, 2, 4, true, false, 0, {0.5 - S3 / 6, 0.5 + S3 / 6},
     {{0.25, 0.25 - S3 / 6}, {0.25 + S3 / 6, 0.25}}, {0.5, 0.5}},
    {"gauss3", SRM_MESH, 6, 3, 6, true, false, 0, {0.5 - S15 / 10, 0.5, 0.5 + S15 / 10},
     {{5.0 / 36, 2.0 / 9 - S15 / 15, 5.0 / 36 - S15 / 30},
      {5.0 / 36 + S15 / 24, 2.0 / 9, 5.0 / 36 - S15 / 24},
      {5.0 / 36 + S15 / 30, 2.0 / 9 + S15 / 15, 5.0 / 36}}, {5.0 / 18, 4.0 / 9, 5.0 / 18}},
    {"radau1", SRM_MESH, 1, 1, 1, true, true, 0, {1}, {{1}}, {1}},
    {"radau2", SRM_MESH, 3, 2, 3, true, true, 0, {1.0 / 3, 1},
     {{5.0 / 12, -1.0 / 12}, {0.75, 0.25}}, {0.75, 0.25}},
    {"radau3", SRM_MESH, 5, 3, 5, true, true, 0, {(4 - S6) / 10, (4 + S6) / 10, 1},
     {{(88 - 7 * S6) / 360, (296 - 169 * S6) / 1800, (-2 + 3 * S6) / 225},
      {(296 + 169 * S6) / 1800, (88 + 7 * S6) / 360, (-2 - 3 * S6) / 225},
      {(16 - S6) / 36, (16 + S6) / 36, 1.0 / 9}}, {(16 - S6) / 36, (16 + S6) / 36, 1.0 / 9}},
    {.name = "dopri5", .order = 5, .iterations = 4, .limit = 3.3, .stepping = SRM_PAIR},
    {.name = "radau", .order = 5, .iterations = 3, .is_implicit = true, .stepping = SRM_RADAU},
};
/* clang-format on */
enum { N_SCHEMES = sizeof scheme_table / sizeof *scheme_table };

const srm_scheme *rg_srm_scheme_find(const char *name)
{
    for (int k = 0; k < N_SCHEMES; k++)
        if (strcmp(scheme_table[k].name, name) == 0) return &scheme_table[k];
    return NULL;
}

double rg_srm_scheme_step(const srm_scheme *s, const rg_options *o, double interval)
{
    double h = interval / SRM_STEPS * pow(o->rtol / SRM_TOL, 1.0 / s->order);

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
