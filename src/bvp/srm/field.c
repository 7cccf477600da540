/* The regularized equations as a field z' = F(t, z; c) for collocation. */
#include "bvp/srm/field.h"

#include "bvp/srm/tuning.h"
#include "ivp/srm/schemes.h"
#include "views/linear/linear.h"

#include <math.h>
#include <string.h>

/* ---- what the options say -------------------------------------------------------------------- */

static rg_status refuse_scheme(rg_context *ctx, const char *name)
{
    rg_fail(ctx, RG_ERR_METHOD,
            "the scheme '%s' steps from start values; boundary values are solved for on the whole "
            "interval at once",
            name);
    return rg_remedy(ctx, "leave --scheme out, or give midpoint, gauss1 to gauss3, backward-euler, "
                          "or radau1 to radau3");
}

/* Collocation at Gauss or Radau points (L section 4.1); auto: three of them, see solve.c. */
static rg_status choose_scheme(rg_bvp_srm_field *f, const rg_options *o, srm_scheme *s)
{
    f->is_scheme_auto = strcmp(o->scheme, "auto") == 0;
    if (!rg_srm_scheme_find(f->is_scheme_auto ? "gauss3" : o->scheme, s))
        return rg_srm_scheme_fail(f->ctx, o->scheme);
    if (!s->is_implicit || s->stepping != SRM_MESH) return refuse_scheme(f->ctx, o->scheme);
    f->kind = s->is_stiff ? RG_RULE_RADAU : RG_RULE_GAUSS;
    f->stages = s->stages;
    return RG_OK;
}

static rg_status refuse_order(rg_context *ctx, int order)
{
    rg_fail(ctx, RG_ERR_METHOD, "'srm' for boundary values is for index 2 and 3; this model has %d",
            order + 1);
    return rg_remedy(ctx, "take --method collocation, which solves any form");
}

static rg_status refuse_passes(rg_context *ctx, const char *variant)
{
    rg_fail(ctx, RG_ERR_METHOD,
            "the variant '%s' corrects the points of a mesh one after the other, from start values",
            variant);
    return rg_remedy(ctx, "leave --variant out for boundary values");
}

/* ---- create ---------------------------------------------------------------------------------- */

static rg_status fail_evaluation(const rg_bvp_srm_field *f)
{
    rg_fail(f->ctx, RG_ERR_CONVERGENCE,
            "the equations cannot be evaluated at the guess of the start, t = %g", f->p->a);
    rg_fail_time(f->ctx, f->p->a);
    return rg_remedy(f->ctx, "give a better guess, or take --method collocation");
}

/* The sign of E, the rate and eps from G B at the start.  y_0 is that of the guess; where none
 * is asked for and f is linear in y, 0 (L section 5, Example 1). */
static rg_status look_at_start(rg_bvp_srm_field *f, const rg_options *o, const srm_scheme *scheme,
                               const double *start, double interval)
{
    rg_srm_core *c = f->core;
    const double t = f->p->a;
    double rho, *z = rg_alloc(f->ctx, 2 * (size_t)c->n_z + 1, sizeof *z);

    if (z == NULL) return RG_ERR_MEMORY;
    rg_status status = rg_srm_core_start(c, o->y0, !c->variant.is_nonlinear, t, start, NULL, z);
    if (status == RG_OK) status = rg_srm_core_measure(c, t, z, &rho);
    if (status == RG_OK) {
        c->sense = f->direction = interval < 0.0 ? -1.0 : 1.0;
        c->eps = rg_srm_core_eps(c, o->rtol, rg_srm_scheme_step(scheme, o, fabs(interval)), rho);
        f->rate = c->variant.alpha[0] > 0.0 ? 1.0 : rg_srm_core_eps(c, o->rtol, 1.0, rho);
        status = rg_srm_core_eval(c, t, z, NULL, z + c->n_z, NULL, NULL);
    }
    rg_free(f->ctx, z);
    if (status != RG_RETRY) return status;
    return c->has_hit ? rg_srm_core_fail_start(c, t) : fail_evaluation(f);
}

static rg_status make_core(rg_bvp_srm_field *f, const rg_options *o, const double *start,
                           double t_end)
{
    srm_scheme scheme;

    RG_TRY(choose_scheme(f, o, &scheme));
    f->method = rg_srm_method_find(o->method);
    RG_TRY(rg_srm_core_create(f->system, f->method, o, &f->core));
    if (f->core->order > 2) return refuse_order(f->ctx, f->core->order);
    if (f->core->variant.passes > 0) return refuse_passes(f->ctx, f->core->variant.name);
    return look_at_start(f, o, &scheme, start, t_end - f->p->a);
}

static rg_status fill(rg_bvp_srm_field *f, const rg_options *o, const double *start, double t_end)
{
    RG_TRY(make_core(f, o, start, t_end));
    const rg_srm_core *c = f->core;
    rg_linearity linearity = {0};
    if (f->p->n_blocks > 0) RG_TRY(rg_linearity_find(f->p, &linearity));
    f->is_linear = linearity.is_linear;
    f->n_x = c->n_x;
    f->n_y = c->n_y;
    f->n_z = c->n_z;
    f->n_c = c->n_c;
    f->order = c->order;
    f->carries_y = c->variant.carry == SRM_CARRY_Y;
    f->has_layer = c->variant.alpha[0] == 0.0 && c->variant.carry != SRM_CARRY_ZETA;
    f->eps = c->eps;
    if (f->method->has_no_eps) {
        f->has_layer = false;
        f->eps = o->gamma > 0.0 ? 1.0 / o->gamma : RG_BVP_SRM_DEFAULT_EPS * fabs(t_end - f->p->a);
        rg_bvp_srm_field_set(f, f->eps, 1.0);
    }
    f->hit = NAN;
    const size_t n = (size_t)f->n_x, m = (size_t)f->n_y;
    f->values = rg_alloc(f->ctx, 2 * (size_t)f->n_z + 2 * n + 2 * n * m + 5 * m + 2 * m * m + 1,
                         sizeof *f->values);
    f->pivot = rg_alloc(f->ctx, m + 1, sizeof *f->pivot);
    if (!rg_semi_is_linear(c->view)) {
        if ((f->y = rg_alloc(f->ctx, n + m + 1, sizeof *f->y)) == NULL) return RG_ERR_MEMORY;
        f->target = f->y + m;
        memcpy(f->y, c->y0, m * sizeof *f->y);
    }
    const size_t z = (size_t)f->n_z;
    f->columns = rg_alloc(f->ctx, (z + 1) * (z + (size_t)f->order * m) + 1, sizeof *f->columns);
    f->slopes = rg_alloc(f->ctx, rg_bvp_srm_slopes_size(f) + 1, sizeof *f->slopes);
    return f->values && f->pivot && f->columns && f->slopes ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_bvp_srm_field_create(const rg_problem *p, const rg_options *o, rg_system **system,
                                  const double *start, double t_end, rg_bvp_srm_field **out)
{
    rg_bvp_srm_field *f = rg_alloc(p->ctx, 1, sizeof *f);

    *out = NULL;
    if (f == NULL) return RG_ERR_MEMORY;
    f->ctx = p->ctx;
    f->p = p;
    f->system = *system;
    *system = NULL;
    const rg_status status = fill(f, o, start, t_end);
    if (status == RG_OK)
        *out = f;
    else
        rg_bvp_srm_field_destroy(&f);
    return status;
}

void rg_bvp_srm_field_destroy(rg_bvp_srm_field **field)
{
    rg_bvp_srm_field *f = *field;

    if (f == NULL) return;
    rg_srm_core_destroy(&f->core);
    rg_system_destroy(&f->system);
    rg_free(f->ctx, f->y);
    rg_free(f->ctx, f->values);
    rg_free(f->ctx, f->columns);
    rg_free(f->ctx, f->slopes);
    rg_free(f->ctx, f->pivot);
    rg_free(f->ctx, f);
    *field = NULL;
}

/* Baumgarte, L (2.10), N (4.3): the limit eps = 0 of the iteration, with alpha = (1, 1/eps) or
 * (1, 2/eps, 1/eps^2), gamma = 1/eps. */
void rg_bvp_srm_field_set(rg_bvp_srm_field *f, double eps, double sense)
{
    rg_srm_core *c = f->core;

    f->eps = eps;
    c->eps = f->method->has_no_eps ? 0.0 : eps;
    c->sense = sense * f->direction;
    if (!f->method->has_no_eps) return;
    c->gamma = 1.0 / eps;
    c->variant.alpha[0] = 1.0;
    c->variant.alpha[1] = c->order == 1 ? c->gamma : 2.0 * c->gamma;
    c->variant.alpha[2] = c->gamma * c->gamma;
}

void rg_bvp_srm_field_forget(rg_bvp_srm_field *f)
{
    f->core->largest = 0.0;
    f->hit = NAN;
}

/* ---- evaluation
 * ---------------------------------------------------------------------------------- */

/* Notes a singular GB; values that are not finite are no values. */
static rg_status check(rg_bvp_srm_field *f, double t, rg_status status, int n, const double *values)
{
    if (status == RG_RETRY && f->core->has_hit) f->hit = t;
    for (int k = 0; k < n && status == RG_OK; k++)
        if (!isfinite(values[k])) return RG_RETRY;
    return status;
}

rg_status rg_bvp_srm_field_eval(rg_bvp_srm_field *f, double t, const double *z,
                                const double *before, double *dz, double *carried)
{
    const rg_status status = rg_srm_core_eval(f->core, t, z, before, dz, carried, NULL);

    return check(f, t, status, f->n_z, dz);
}

rg_status rg_bvp_srm_field_jacobian(rg_bvp_srm_field *f, double t, double *z, const double *before,
                                    const double *scale, double *dz, double *J)
{
    RG_TRY(rg_bvp_srm_field_eval(f, t, z, before, dz, NULL));
    rg_status status = rg_bvp_srm_field_slope(f, t, z, before != NULL, J);
    if (status == (rg_status)RG_RETRY)
        status = rg_srm_core_jacobian(f->core, t, z, before, scale, dz, J);
    return check(f, t, status, f->n_z * f->n_z, J);
}
