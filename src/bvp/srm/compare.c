/* Error estimate: the same mesh with two stages more and half of eps.  Both errors, of the
 * discretization and of the regularization (eps^s), show in the difference, with their
 * propagation over the interval. */
#include "bvp/srm/srm.h"
#include "bvp/srm/tuning.h"

#include <math.h>

typedef struct {
    const rg_srm_control *control;
    double error, estimate;
} comparison;

static void look_at(comparison *c, int n, const double *low, const double *high)
{
    for (int k = 0; k < n; k++) {
        const double e = fabs(low[k] - high[k]), size = fabs(high[k]);
        const double relative = e / (c->control->atol / c->control->rtol + size + 1e-300);
        const double units = e / (c->control->atol + c->control->rtol * size + 1e-300);
        if (!(units <= c->error)) c->error = units;
        if (!(relative <= c->estimate)) c->estimate = relative;
    }
}

rg_status rg_srm_compare(const rg_srm_control *control, const rg_srm_result *low,
                         const rg_srm_result *high, double *error, double *estimate)
{
    enum { SAMPLES = 3 }; /* inside an interval and at its end */
    const rg_srm_field *f = low->field;
    const size_t size = (size_t)(f->n_z + 2 * f->n_x + f->n_y);
    comparison c = {.control = control};
    double *work = rg_alloc(f->ctx, 2 * size + 1, sizeof *work);
    rg_status status = RG_OK;

    if (work == NULL) return RG_ERR_MEMORY;
    double *z[2] = {work, work + size};
    rg_srm_point at[2];

    for (int k = 0; k < 2; k++) {
        at[k].f = z[k] + f->n_z;
        at[k].By = at[k].f + f->n_x;
        at[k].y = at[k].By + f->n_x;
    }
    for (int64_t i = 0; i < low->curve->N && status == RG_OK; i++) {
        const double *t = low->curve->t + i;
        c.error = 0.0;
        for (int k = i == 0 ? 0 : 1; k <= SAMPLES && status == RG_OK; k++) {
            const double now = k == SAMPLES ? t[1] : t[0] + k * (t[1] - t[0]) / SAMPLES;
            status = rg_srm_result_eval(low, i, now, z[0], &at[0]);
            if (status == RG_OK)
                status =
                    rg_srm_result_eval(high, rg_curve_find(high->curve, now), now, z[1], &at[1]);
            if (status == RG_OK) look_at(&c, f->n_z, z[0], z[1]);
            if (status == RG_OK && at[0].pivot > RG_BVP_SRM_NEAR)
                look_at(&c, f->n_y, at[0].y, at[1].y);
        }
        error[i] = c.error;
    }
    *estimate = c.estimate;
    rg_free(f->ctx, work);
    return status;
}
