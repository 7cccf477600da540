/* By everywhere, and the places where the constraints lose rank. */
#include "bvp/srm/srm.h"
#include "bvp/srm/tuning.h"

#include <math.h>
#include <string.h>

/* In a collocation point the iterate satisfies  x' = f - By  (index 3: v'), so By = f - Z'. */
static rg_status stage_forces(rg_bvp_srm_result *r, double *z, rg_bvp_srm_point *at)
{
    const rg_curve *c = r->curve;
    const rg_bvp_srm_field *f = r->field;

    for (int64_t i = 0; i < c->N; i++)
        for (int j = 0; j < c->rule.s; j++) {
            const double *top = rg_curve_slope(c, i, j) + c->nx - f->n_x;
            const double t = rg_curve_stage(c, i, j, z);
            memset(at->By, 0, (size_t)f->n_x * sizeof *at->By);
            RG_TRY(rg_bvp_srm_field_recover(r->field, t, z, at));
            for (int k = 0; k < f->n_x; k++)
                r->stage_By[(i * c->rule.s + j) * f->n_x + k] = at->f[k] - top[k];
        }
    return RG_OK;
}

/* By at mesh point q from the collocation points of both intervals beside it. */
static void interpolate_mesh(rg_bvp_srm_result *r, int64_t q)
{
    const rg_curve *c = r->curve;
    const int n = r->field->n_x, s = c->rule.s;
    const int64_t first = q > 0 ? (q - 1) * s : 0, last = q < c->N ? (q + 1) * s : q * s;
    double *to = r->By + q * n;

    memset(to, 0, (size_t)n * sizeof *to);
    for (int64_t a = first; a < last; a++) {
        double l = 1.0;
        const double ta = c->t[a / s] + c->rule.c[a % s] * (c->t[a / s + 1] - c->t[a / s]);
        for (int64_t b = first; b < last; b++) {
            const double tb = c->t[b / s] + c->rule.c[b % s] * (c->t[b / s + 1] - c->t[b / s]);
            if (b != a) l *= (c->t[q] - tb) / (ta - tb);
        }
        for (int k = 0; k < n; k++)
            to[k] += l * r->stage_By[a * n + k];
    }
}

static rg_status mesh_forces(rg_bvp_srm_result *r, rg_bvp_srm_point *at)
{
    const rg_curve *c = r->curve;
    const int n = r->field->n_x;

    for (int64_t q = 0; q <= c->N; q++) {
        const rg_status status = rg_bvp_srm_field_exact(r->field, c->t[q], c->x + q * c->nx, at);
        if (status < 0) return status;
        if (status == RG_OK && at->pivot > RG_BVP_SRM_NEAR)
            memcpy(r->By + q * n, at->By, (size_t)n * sizeof *r->By);
        else
            interpolate_mesh(r, q);
    }
    return RG_OK;
}

/* ---- singular places ------------------------------------------------------------------------- */

/* Three points in a row with the smallest pivot p in the middle are a passage where +-sqrt p, with
 * the sign changed on one side, lies on a line (ivp/srm/singular.c). */
static bool is_passage(const double *t, const double *p, double *zero)
{
    double best = RG_BVP_SRM_STRAIGHT;

    for (int k = 0; k < 2; k++) {
        double y[3];
        for (int i = 0; i < 3; i++)
            y[i] = (i <= k ? -1.0 : 1.0) * sqrt(p[i]);
        const double middle = y[0] + (y[2] - y[0]) / (t[2] - t[0]) * (t[1] - t[0]);
        const double miss = fabs(middle - y[1]) / (y[2] - y[0]);
        if (!(miss <= best)) continue;
        best = miss;
        *zero = t[k] - y[k] * (t[k + 1] - t[k]) / (y[k + 1] - y[k]);
    }
    return best < RG_BVP_SRM_STRAIGHT;
}

static rg_status find_places(rg_bvp_srm_result *r, double *z, rg_bvp_srm_point *at)
{
    const rg_curve *c = r->curve;
    double t[3] = {0}, p[3] = {0}, zero = 0.0;
    int lost[3] = {0};

    for (int64_t a = 0; a < c->N * c->rule.s; a++) {
        for (int k = 0; k < 2; k++) {
            t[k] = t[k + 1];
            p[k] = p[k + 1];
            lost[k] = lost[k + 1];
        }
        t[2] = rg_curve_stage(c, a / c->rule.s, (int)(a % c->rule.s), z);
        memcpy(at->By, r->stage_By + a * r->field->n_x, (size_t)r->field->n_x * sizeof *at->By);
        RG_TRY(rg_bvp_srm_field_recover(r->field, t[2], z, at));
        p[2] = at->pivot;
        lost[2] = at->lost;
        if (a < 2 || !(p[1] <= RG_BVP_SRM_DIP && p[1] <= p[0] && p[1] < p[2])) continue;
        if (!is_passage(t, p, &zero)) continue;
        RG_TRY(
            rg_grow(r->field->ctx, &r->place, r->n_places, &r->place_capacity, sizeof *r->place));
        r->place[r->n_places++] = (rg_singular){.t = zero, .lost = lost[1] > 0 ? lost[1] : 1};
    }
    return RG_OK;
}

rg_status rg_bvp_srm_result_complete(rg_bvp_srm_result *r)
{
    rg_context *ctx = r->field->ctx;
    const rg_curve *c = r->curve;
    const size_t n = (size_t)r->field->n_x;
    double *z = rg_alloc(ctx, (size_t)c->nx + 1, sizeof *z);

    r->By = rg_alloc(ctx, (size_t)(c->N + 1) * n + 1, sizeof *r->By);
    r->stage_By = rg_alloc(ctx, (size_t)c->N * (size_t)c->rule.s * n + 1, sizeof *r->stage_By);
    rg_status status = z != NULL && r->By != NULL && r->stage_By != NULL ? RG_OK : RG_ERR_MEMORY;
    rg_bvp_srm_field_forget(
        r->field); /* pivots of the solution count, not those on the way to it */
    if (status == RG_OK) status = stage_forces(r, z, &r->nodes->at);
    if (status == RG_OK) status = mesh_forces(r, &r->nodes->at);
    if (status == RG_OK) status = find_places(r, z, &r->nodes->at);
    rg_free(ctx, z);
    return status;
}

/* ---- between mesh points --------------------------------------------------------------------- */

rg_status rg_bvp_srm_result_eval(const rg_bvp_srm_result *r, int64_t i, double t, double *z,
                                 rg_bvp_srm_point *out)
{
    const rg_curve *c = r->curve;
    const int n = r->field->n_x, s = c->rule.s, last = c->rule.c[s - 1] < 1.0 ? s + 1 : s;
    const double h = c->t[i + 1] - c->t[i], v = (t - c->t[i]) / h;

    if (v == 0.0 || t == c->t[i + 1]) {
        const int64_t q = v == 0.0 ? i : i + 1;
        memcpy(z, c->x + q * c->nx, (size_t)c->nx * sizeof *z);
        memcpy(out->By, r->By + q * n, (size_t)n * sizeof *out->By);
        return rg_bvp_srm_field_recover(r->field, t, z, out);
    }
    rg_curve_eval(c, i, t, z, NULL, NULL);
    memset(out->By, 0, (size_t)n * sizeof *out->By);
    for (int a = 0; a <= last; a++) { /* points 0, c_1 .. c_s, (1) */
        const double va = a == 0 ? 0.0 : a <= s ? c->rule.c[a - 1] : 1.0;
        double l = 1.0;
        for (int b = 0; b <= last; b++) {
            const double vb = b == 0 ? 0.0 : b <= s ? c->rule.c[b - 1] : 1.0;
            if (b != a) l *= (v - vb) / (va - vb);
        }
        const double *By = a == 0   ? r->By + i * n
                           : a <= s ? r->stage_By + (i * s + a - 1) * n
                                    : r->By + (i + 1) * n;
        for (int k = 0; k < n; k++)
            out->By[k] += l * By[k];
    }
    return rg_bvp_srm_field_recover(r->field, t, z, out);
}
