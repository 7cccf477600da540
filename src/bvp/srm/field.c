#include "bvp/srm/field.h"

#include "ivp/srm/srm_impl.h"

#include <math.h>
#include <string.h>

/* ---- what the options say ----------------------------------------------------------------------- */

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
static rg_status choose_scheme(rg_srm_field *f, rg_options *o)
{
    f->is_scheme_auto = strcmp(o->scheme, "auto") == 0;
    if (f->is_scheme_auto) strcpy(o->scheme, "gauss3");
    const srm_scheme *s = rg_srm_scheme_find(o->scheme);
    if (s == NULL) return rg_srm_scheme_fail(f->ctx, o->scheme);
    if (!s->is_implicit || s->stepping != SRM_MESH) return refuse_scheme(f->ctx, o->scheme);
    f->kind = s->is_stiff ? RG_RULE_RADAU : RG_RULE_GAUSS;
    f->stages = s->stages;
    return RG_OK;
}

/* A remedy that names a method for initial values is of no use here. */
static rg_status advise(rg_context *ctx, rg_status status)
{
    if (status != RG_ERR_METHOD || strstr(rg_last_error(ctx)->remedy, "radau") == NULL)
        return status;
    return rg_remedy(ctx, "take --method collocation, which solves any form");
}

static rg_status refuse_order(rg_context *ctx, int order)
{
    rg_fail(ctx, RG_ERR_METHOD, "'srm' for boundary values is for index 2 and 3; this model has %d",
            order + 1);
    return rg_remedy(ctx, "take --method collocation, which solves any form");
}

/* ---- create -------------------------------------------------------------------------------------- */

/* |GBE| alpha_2 at the start, as ivp/srm found it: it sets eps = step * that where neither is given. */
static double natural_rate(const rg_integrator *g)
{
    const rg_srm *b = g->srm;

    return g->options.eps > 0.0 || !(b->h > 0.0) ? 1.0 : b->eps / b->h;
}

static rg_status make_integrator(rg_srm_field *f, const rg_options *o, const double *start,
                                 double t_end)
{
    rg_options options = *o;
    double *rest = rg_alloc(f->ctx, (size_t)rg_system_size(f->system) + 1, sizeof *rest);

    if (rest == NULL) return RG_ERR_MEMORY;
    const rg_state state = {f->p->a, start, rest};
    rg_status status = choose_scheme(f, &options);
    options.iterations = 1;
    if (strcmp(o->y0, "auto") == 0) strcpy(options.y0, "start"); /* the guess; see fill() */
    options.eps = 0.0;
    options.step = 0.0;
    if (status == RG_OK)
        status = advise(f->ctx, rg_integrator_create_with(&rg_srm_method, f->system, &options,
                                                          &state, t_end, &f->g));
    rg_free(f->ctx, rest);
    return status;
}

static rg_status fill(rg_srm_field *f, const rg_options *o, const double *start, double t_end)
{
    RG_TRY(make_integrator(f, o, start, t_end));
    const rg_srm *b = f->g->srm;
    if (b->order > 2) return refuse_order(f->ctx, b->order);
    if (strcmp(o->y0, "auto") == 0 && !b->variant.is_nonlinear) /* L section 5, Example 1 */
        memset(b->y0, 0, (size_t)b->n_y * sizeof *b->y0);
    f->n_x = b->n_x;
    f->n_y = b->n_y;
    f->n_z = b->n_z;
    f->n_c = b->n_c;
    f->order = b->order;
    f->rate = b->variant.alpha[0] > 0.0 ? 1.0 : natural_rate(f->g);
    f->carries_y = b->variant.carry == SRM_CARRY_Y;
    f->has_layer = b->variant.alpha[0] == 0.0 && b->variant.carry != SRM_CARRY_ZETA;
    f->eps = b->eps;
    f->hit = NAN;
    const size_t n = (size_t)f->n_x, m = (size_t)f->n_y;
    f->values = rg_alloc(f->ctx, 2 * (size_t)f->n_z + 2 * n + 2 * n * m + 5 * m + 2 * m * m + 1,
                         sizeof *f->values);
    f->pivot = rg_alloc(f->ctx, m + 1, sizeof *f->pivot);
    if (!rg_semi_is_linear(b->view)) {
        if ((f->y = rg_alloc(f->ctx, n + m + 1, sizeof *f->y)) == NULL) return RG_ERR_MEMORY;
        f->target = f->y + m;
        memcpy(f->y, b->y0, m * sizeof *f->y);
    }
    const size_t z = (size_t)f->n_z;
    f->columns = rg_alloc(f->ctx, (z + 1) * (z + (size_t)f->order * m) + 1, sizeof *f->columns);
    return f->values != NULL && f->pivot != NULL && f->columns != NULL ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_srm_field_create(const rg_problem *p, const rg_options *o, rg_system **system,
                              const double *start, double t_end, rg_srm_field **out)
{
    rg_srm_field *f = rg_alloc(p->ctx, 1, sizeof *f);

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
        rg_srm_field_destroy(&f);
    return status;
}

void rg_srm_field_destroy(rg_srm_field **field)
{
    rg_srm_field *f = *field;

    if (f == NULL) return;
    if (f->g != NULL) rg_integrator_destroy(&f->g);
    rg_system_destroy(&f->system);
    rg_free(f->ctx, f->y);
    rg_free(f->ctx, f->values);
    rg_free(f->ctx, f->columns);
    rg_free(f->ctx, f->pivot);
    rg_free(f->ctx, f);
    *field = NULL;
}

void rg_srm_field_set(rg_srm_field *f, double eps, double sense)
{
    f->eps = eps;
    f->g->srm->eps = eps;
    f->g->direction = sense * (f->g->t_end > f->g->t ? 1.0 : -1.0);
}

void rg_srm_field_forget(rg_srm_field *f)
{
    f->g->srm->largest = 0.0;
    f->hit = NAN;
}

/* ---- evaluation ---------------------------------------------------------------------------------- */

rg_status rg_srm_field_eval(rg_srm_field *f, double t, const double *z, const double *before,
                            double *dz, double *carried)
{
    const rg_status status = rg_srm_eval(f->g, t, z, before, dz, carried, NULL);

    if (status == RG_RETRY && f->g->srm->has_hit) f->hit = t;
    for (int k = 0; k < f->n_z && status == RG_OK; k++)
        if (!isfinite(dz[k])) return RG_RETRY;
    return status;
}

/* Forward differences; the field is linear in z for linear models, where they are exact up to rounding. */
rg_status rg_srm_field_jacobian(rg_srm_field *f, double t, double *z, const double *before,
                                const double *scale, double *dz, double *J)
{
    static const double DELTA =
        1e-6; /* over `scale`: above the root of the rounding unit, since terms g/eps lose digits */
    const int n = f->n_z;

    RG_TRY(rg_srm_field_eval(f, t, z, before, dz, NULL));
    for (int j = 0; j < n; j++) {
        const double old = z[j];
        z[j] = old + DELTA * scale[j];
        const double delta = z[j] - old;
        const rg_status status = rg_srm_field_eval(f, t, z, before, J + (int64_t)j * n, NULL);
        z[j] = old;
        RG_TRY(status);
        for (int i = 0; i < n; i++)
            J[(int64_t)j * n + i] = (J[(int64_t)j * n + i] - dz[i]) / delta;
    }
    return RG_OK;
}
