/* Viscosity and storage of a flow that vary in space, time or with fields.
 *
 * The equation divided by m is u' = (-w div(u u) + f + div(nu grad u) - grad p)/m.  Implicit is
 * nu0 lap u with one number nu0; the rest of the viscous term is extrapolated with the others.  On
 * the fastest modes the step then has the characteristic equation z^2 + (1 + 3 r) z - r = 0 with
 * r = nu/(m nu0) - 1, and stays bounded for -1 <= r <= 0: so nu0 is the largest nu/m. */
#include "pdae/flow/flow_impl.h"

#include "pdae/flow/rows.h"
#include "pdae/flow/tuning.h"
#include "pdae/mesh/block.h"

#include <math.h>

void rg_fluid_gradient(const rg_fluid *f, int c, const double *p, const double *outside,
                       double scale, double *out)
{
    const rg_vector_space *s = f->space;

    rg_vector_gradient(s, c, p, outside, scale, out);
    for (int k = s->first[c][2]; f->data.storage && k < s->end[c][2]; k++)
        for (int j = s->first[c][1]; j < s->end[c][1]; j++)
            for (int i = s->first[c][0]; i < s->end[c][0]; i++) {
                const int64_t at = rg_grid_at(s->grid, i, j, k);
                out[at] *= f->over_mid[c][at];
            }
}

void rg_fluid_add_gradient(const rg_fluid *f, int c, const double *p, const double *outside,
                           double scale, const double *base, double *out)
{
    const rg_vector_space *s = f->space;

    if (f->data.storage == NULL) {
        rg_vector_add_gradient(s, c, p, outside, scale, base, out);
        return;
    }
    double *const part = f->spare; /* base may be out */
    rg_fluid_gradient(f, c, p, outside, scale, part);
    rg_rows_sum_of(s, c, base, part, out);
}

/* m in the middle of the step, on a line with the step before; where it stays, it is that one. */
static void extrapolate_storage(rg_fluid *f, double k)
{
    const double far =
        f->options.scheme == RG_FLUID_CN && f->k_old > 0.0 ? 0.5 * k / f->k_old : 0.0;

    for (int c = 0; c < f->grid->dims; c++)
        for (int64_t at = 0; at < f->grid->size; at++) {
            const double over = f->over_m[c][at], before = f->over_before[c][at];
            f->over_mid[c][at] = over;
            if (!(over > 0.0 && before > 0.0)) continue;
            const double m = 1.0 / over, mid = m + far * (m - 1.0 / before);
            if (mid > 0.0) f->over_mid[c][at] = 1.0 / mid;
        }
}

/* 1/m on the unknown faces; the mean of m. */
static rg_status invert_storage(rg_fluid *f, double t, double sum[2])
{
    const rg_vector_space *s = f->space;

    for (int c = 0; c < f->grid->dims; c++)
        for (int k = s->first[c][2]; k < s->end[c][2]; k++)
            for (int j = s->first[c][1]; j < s->end[c][1]; j++)
                for (int i = s->first[c][0]; i < s->end[c][0]; i++) {
                    const int64_t at = rg_grid_at(f->grid, i, j, k);
                    if (s->fixed[c] && s->fixed[c][at]) continue;
                    const double m = f->over_m[c][at];
                    if (!(m > 0.0 && isfinite(m))) {
                        rg_fail(f->ctx, RG_ERR_INCONSISTENT,
                                "the factor of the time derivative is not positive and finite at "
                                "face (%d, %d, %d) across axis %d",
                                i + 1 + f->grid->axis[0].from, j + 1 + f->grid->axis[1].from,
                                k + 1 + f->grid->axis[2].from, c + 1);
                        rg_remedy(f->ctx, "make it positive everywhere");
                        return rg_fail_time(f->ctx, t);
                    }
                    sum[0] += m;
                    sum[1] += 1.0;
                    f->over_m[c][at] = 1.0 / m;
                }
    return RG_OK;
}

/* The same of time t; what follows from it. */
static rg_status take_storage(rg_fluid *f, double t, double step)
{
    double sum[2] = {0.0, 0.0};

    for (int c = 0; c < f->grid->dims; c++) { /* of the step before, unless this one is repeated */
        double *swap = f->over_before[c];
        if (t == f->storage_time) break;
        f->over_before[c] = f->over_m[c];
        f->over_m[c] = swap;
    }
    f->storage_time = t;
    RG_TRY(f->data.storage(f->data.user, t, f->over_m));
    RG_TRY(rg_grid_agree(f->grid, invert_storage(f, t, sum)));
    rg_grid_sum(f->grid, 2, sum);
    if (sum[1] > 0.0) f->mean_m = sum[0] / sum[1];
    extrapolate_storage(f, step);
    rg_vector_transmissibility(f->space, f->over_mid, f->T);
    if (f->solver) f->iterations += rg_elliptic_iterations(f->solver);
    rg_elliptic_destroy(&f->solver);
    return RG_OK;
}

/* The largest nu/m of the terms of component c. */
static double largest(const rg_fluid *f, int c)
{
    const rg_vector_space *s = f->space;
    const int dims = f->grid->dims;
    double most = 0.0;

    for (int d = 0; d < dims; d++) {
        const double *nu = f->viscosity[c * dims + d];
        const int64_t step = f->grid->stride[d], low = d == c ? -step : 0, high = d == c ? 0 : step;
        for (int k = s->first[c][2]; k < s->end[c][2]; k++)
            for (int j = s->first[c][1]; j < s->end[c][1]; j++)
                for (int i = s->first[c][0]; i < s->end[c][0]; i++) {
                    const int64_t at = rg_grid_at(f->grid, i, j, k);
                    if (s->fixed[c] && s->fixed[c][at]) continue;
                    const double of = nu ? fmax(nu[at + low], nu[at + high]) : f->data.nu;
                    most = fmax(most, of * (f->over_m[c] ? f->over_m[c][at] : 1.0));
                }
    }
    return most;
}

rg_status rg_fluid_coefficients(rg_fluid *f, double t, double k)
{
    const bool first = f->nu == 0.0;
    double most = 0.0;

    if (!f->data.viscosity && !f->data.storage) {
        f->nu = f->data.nu;
        return RG_OK;
    }
    if (f->data.storage && (f->mean_m == 0.0 || f->data.storage_moves))
        RG_TRY(take_storage(f, t, k));
    if (f->data.viscosity) RG_TRY(f->data.viscosity(f->data.user, t, f->viscosity));
    for (int c = 0; c < f->grid->dims; c++)
        most = fmax(most, largest(f, c));
    rg_grid_most(f->grid, 1, &most);
    if (most <= f->nu && most >= RG_GRID_VISCOSITY_FALL * f->nu) return RG_OK;
    f->nu = first ? most : RG_GRID_VISCOSITY_RISE * most;
    f->k_old = f->k_older = 0.0; /* the extrapolated terms of the step before had another rest */
    return RG_OK;
}
