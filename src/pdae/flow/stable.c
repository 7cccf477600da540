/* How long a step of the flow may be.
 *
 *     convection      k sum |u|/h <= cfl
 *     explicit parts  k (sum 2 nu/h^2 + lambda/2) <= 1 on the real axis (ssprk3: 1.25),
 *         lambda = alpha2 L/(eps + alpha1 L),     L = sum 4/h^2 >= all eigenvalues of D D^T:
 *         D u decays with this rate by (4.2); alpha1 = 0 is Remark 4.6 of the thesis
 *     compressibility u' = -grad p, eps p' = -D u: waves of frequency w = sqrt(L/eps) that
 *         viscosity damps with nu L; ssprk3 k w <= 1.5, heun grows by (k w)^4/8 per step, euler by
 *         (k w)^2/2 */
#include "base/vector.h"
#include "pdae/flow/flow_impl.h"
#include "pdae/mesh/block.h"

#include <math.h>

/* sum 4/h^2 */
static double largest_mode(const rg_fluid *f)
{
    const rg_grid *g = f->grid->whole ? f->grid->whole : f->grid;
    double sum = 0.0;

    for (int d = 0; d < g->dims; d++) {
        double narrowest = g->axis[d].width[0];
        for (int i = 1; i < g->axis[d].n; i++)
            narrowest = fmin(narrowest, g->axis[d].width[i]);
        sum += 4.0 / (narrowest * narrowest);
    }
    return sum;
}

/* lambda */
static double decay(const rg_fluid *f)
{
    const rg_fluid_options *o = &f->options;
    const double L = largest_mode(f) / f->mean_m;

    switch (o->method) {
    case RG_FLUID_BAUMGARTE:
        return o->gamma;
    case RG_FLUID_PENALTY:
        return o->alpha2 * L / rg_fluid_eps(f);
    case RG_FLUID_SRM:
        return o->alpha2 * L / (rg_fluid_eps(f) + o->alpha1 * L);
    default:
        return 0.0;
    }
}

static double wave_limit(const rg_fluid *f)
{
    const double L = largest_mode(f), w = sqrt(L / (rg_fluid_eps(f) * f->mean_m)),
                 damps = f->nu * L;

    switch (f->options.scheme) {
    case RG_FLUID_SSPRK3:
        return 1.5 / w;
    case RG_FLUID_HEUN:
        return fmin(1.0 / w, cbrt(4.0 * damps / (w * w)) / cbrt(w * w));
    default:
        return fmin(1.0 / w, damps / (w * w));
    }
}

double rg_fluid_explicit_limit(const rg_fluid *f)
{
    const double rate = 0.5 * (f->nu * largest_mode(f) + decay(f));
    const double most = f->options.scheme == RG_FLUID_SSPRK3 ? 1.25 : 1.0;
    double limit = INFINITY;

    if (f->options.scheme == RG_FLUID_CN) return limit;
    if (rate > 0.0) limit = most / rate;
    if (f->options.method == RG_FLUID_COMPRESSIBILITY) limit = fmin(limit, wave_limit(f));
    return limit;
}

double rg_fluid_limit(const rg_fluid *f, double cfl, double part)
{
    const double speed = rg_fluid_speed(f) / cfl,
                 spread = 1.0 / (part * rg_fluid_explicit_limit(f));
    const bool adds =
        f->options.carry != RG_CARRY_CENTRAL; /* upwind differences are diffusion too */
    const double both = adds ? speed + spread : fmax(speed, spread);

    return both > 0.0 ? 1.0 / both : INFINITY;
}

/* Steps of regularized equations without a linear system follow eps, which must be chosen for that;
 * nothing is regularized where both alphas are 0. */
rg_status rg_fluid_check_options(rg_context *ctx, const rg_fluid_options *o)
{
    const bool is_stiff = o->method == RG_FLUID_PENALTY || o->method == RG_FLUID_COMPRESSIBILITY
                          || (o->method == RG_FLUID_SRM && o->alpha1 == 0.0);

    if (o->method == RG_FLUID_SRM && o->alpha1 == 0.0 && o->alpha2 == 0.0) {
        rg_fail(ctx, RG_ERR_ARGUMENT, "alpha1 and alpha2 are both 0: nothing keeps the constraint");
        return rg_remedy(ctx, "leave --alpha2 at 1");
    }
    if (o->scheme == RG_FLUID_CN || o->eps > 0.0 || !is_stiff) return RG_OK;
    rg_fail(ctx, RG_ERR_ARGUMENT,
            "an explicit scheme without a linear system needs a given eps: it sets the steps");
    return rg_remedy(ctx, "give --eps, as in --eps 1e-3, or take --scheme cn");
}

enum { ENDS = 8 }; /* largest numbers side by side */

RG_INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

/* sum |u|/h of a cell, the faster one of two faces across every axis. */
RG_INLINE double cell_speed(int dims, double *const *u, const rg_grid *g, int64_t at,
                            const double *over)
{
    double sum = 0.0;

    for (int c = 0; c < dims; c++)
        sum += larger(fabs(u[c][at]), fabs(u[c][at + g->stride[c]])) * over[c];
    return sum;
}

/* The largest of a row, dims a constant; over: 1/h along the other axes. */
RG_INLINE double speed_of(int dims, double *const *u, const rg_grid *g, int64_t row,
                          const double *over)
{
    const int n = g->axis[0].n;
    double m[ENDS] = {0.0};
    int i = 0;

    for (; i + ENDS <= n; i += ENDS) {
        RG_ROLL
        for (int q = 0; q < ENDS; q++) {
            const double of[RG_AXES] = {g->axis[0].over[i + q], over[1], over[2]};
            m[q] = larger(cell_speed(dims, u, g, row + i + q, of), m[q]);
        }
    }
    for (; i < n; i++) {
        const double of[RG_AXES] = {g->axis[0].over[i], over[1], over[2]};
        m[0] = larger(cell_speed(dims, u, g, row + i, of), m[0]);
    }
    for (int q = 1; q < ENDS; q++)
        m[0] = larger(m[q], m[0]);
    return m[0];
}

RG_FOR_ALL_VECTORS
static double row_speed(double *const *u, const rg_grid *g, int64_t row, const double *over)
{
    return g->dims == 1   ? speed_of(1, u, g, row, over)
           : g->dims == 2 ? speed_of(2, u, g, row, over)
                          : speed_of(3, u, g, row, over);
}

double rg_fluid_speed(const rg_fluid *f)
{
    const rg_grid *g = f->grid;
    double most = 0.0;

    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++) {
            const double over[RG_AXES] = {0.0, g->axis[1].over[j], g->axis[2].over[k]};
            most = fmax(most, row_speed(rg_fluid_velocity(f), g, rg_grid_at(g, 0, j, k), over));
        }
    rg_grid_most(g, 1, &most);
    return most;
}
