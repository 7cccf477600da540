/* Error estimate: the same mesh with two stages more and half of eps.  Both errors, of the
 * discretization and of the regularization (eps^s), show in the difference, with their
 * propagation over the interval.
 *
 * A difference is judged beside  floor + |value|,  where the floor of an unknown is atol/rtol if
 * atol is given, and follows its largest value S otherwise, as that of collocation does
 * (bvp/collocation/estimate.c): units do not matter.  What has no digit is zero for all we know,
 * and has the size of a part of what it is made of: x that of the length of the interval times the
 * terms of its derivative, y that of the multipliers which balance |f|. */
#include "bvp/collocation/tuning.h"
#include "bvp/srm/srm.h"
#include "bvp/srm/tuning.h"
#include "bvp/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SAMPLES = 3 }; /* inside an interval and at its end */

typedef struct {
    const rg_bvp_srm_control *control;
    const rg_bvp_srm_result *result[2]; /* low, high */
    int n;                              /* z, then y */
    double *values;                     /* per sample: n of the low one, n of the high one */
    uint8_t *has_y;                     /* per sample */
    double *size, *terms, *work;        /* n; n; z, f, By, y */
} comparison;

static rg_status take_memory(comparison *c)
{
    const rg_bvp_srm_field *f = c->result[0]->field;
    const size_t n = (size_t)c->n, samples = (size_t)(SAMPLES * c->result[0]->curve->N + 1);

    c->values = rg_alloc(f->ctx, 2 * n * samples + 1, sizeof *c->values);
    c->has_y = rg_alloc(f->ctx, samples + 1, sizeof *c->has_y);
    c->size = rg_alloc(f->ctx, 4 * n + 2 * (size_t)f->n_x + 1, sizeof *c->size);
    if (c->values == NULL || c->has_y == NULL || c->size == NULL) return RG_ERR_MEMORY;
    c->terms = c->size + n;
    c->work = c->terms + n;
    return RG_OK;
}

static double time_of(const comparison *c, int64_t a)
{
    const rg_curve *it = c->result[0]->curve;
    const int64_t i = a / SAMPLES;
    const int k = (int)(a % SAMPLES);

    return k == 0 ? it->t[i] : it->t[i] + k * (it->t[i + 1] - it->t[i]) / SAMPLES;
}

/* What z' is made of: f and B y. */
static void note_terms(comparison *c, const double *z, const rg_bvp_srm_point *at)
{
    const rg_bvp_srm_field *f = c->result[0]->field;
    const int top = f->n_z - f->n_x;

    for (int k = 0; k < top; k++)
        c->terms[k] = fmax(c->terms[k], fabs(z[f->n_x + k]));
    for (int k = 0; k < f->n_x; k++)
        c->terms[top + k] = fmax(c->terms[top + k], fmax(fabs(at->f[k]), fabs(at->By[k])));
}

static rg_status look_at(comparison *c, int64_t a)
{
    const rg_bvp_srm_field *f = c->result[0]->field;
    const double t = time_of(c, a);
    double *z = c->work;
    rg_bvp_srm_point at = {.f = z + f->n_z};

    at.By = at.f + f->n_x;
    at.y = at.By + f->n_x;
    for (int which = 0; which < 2; which++) {
        const rg_bvp_srm_result *r = c->result[which];
        double *to = c->values + (2 * a + which) * c->n;
        RG_TRY(rg_bvp_srm_result_eval(r, rg_curve_find(r->curve, t), t, z, &at));
        memcpy(to, z, (size_t)f->n_z * sizeof *to);
        memcpy(to + f->n_z, at.y, (size_t)f->n_y * sizeof *to);
        note_terms(c, z, &at);
        if (which == 0) c->has_y[a] = at.pivot > RG_BVP_SRM_NEAR;
        if (which == 0) continue;
        for (int k = 0; k < c->n; k++)
            if (k < f->n_z || c->has_y[a]) c->size[k] = fmax(c->size[k], fabs(to[k]));
    }
    return RG_OK;
}

/* terms of y: what (GB)^-1 G makes of f with changed signs, in a few samples. */
static rg_status find_forces(comparison *c)
{
    enum { PLACES = 9 };
    const rg_bvp_srm_field *f = c->result[0]->field;
    const int64_t last = SAMPLES * c->result[0]->curve->N;
    double *z = c->work;
    rg_bvp_srm_point at = {.f = z + f->n_z};

    at.By = at.f + f->n_x;
    at.y = at.By + f->n_x;
    for (int place = 0; place < PLACES; place++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const int64_t a = last * place / (PLACES - 1);
            memcpy(z, c->values + 2 * a * c->n, (size_t)f->n_z * sizeof *z);
            for (int k = 0; k < f->n_x; k++)
                at.By[k] = (k % 2 == 0 ? 1.0 : sign) * c->terms[f->n_z - f->n_x + k];
            if (c->has_y[a])
                RG_TRY(rg_bvp_srm_field_recover(c->result[0]->field, time_of(c, a), z, &at));
            for (int k = 0; k < f->n_y && c->has_y[a]; k++)
                if (isfinite(at.y[k]))
                    c->terms[f->n_z + k] = fmax(c->terms[f->n_z + k], fabs(at.y[k]));
        }
    return RG_OK;
}

/* Is there a digit in component k? */
static bool is_known(const comparison *c, int k)
{
    const rg_curve *it = c->result[0]->curve;
    const int n_z = c->result[0]->field->n_z;
    double most = 0.0;

    for (int64_t a = 0; a <= SAMPLES * it->N; a++) {
        const double *low = c->values + 2 * a * c->n + k;
        if (k < n_z || c->has_y[a]) most = fmax(most, fabs(low[0] - low[c->n]));
    }
    return most <= RG_NO_DIGIT * c->size[k]
           && c->size[k] > RG_ZERO_NOISE * DBL_EPSILON * c->terms[k];
}

/* size := the floor of every weight. */
static rg_status find_floors(comparison *c)
{
    const int n_z = c->result[0]->field->n_z;
    const rg_curve *it = c->result[0]->curve;
    const double length = fabs(it->t[it->N] - it->t[0]);
    const double ratio = c->control->atol / c->control->rtol;
    const bool is_given = c->control->atol != c->control->rtol;

    RG_TRY(find_forces(c));
    for (int k = 0; k < n_z; k++)
        c->terms[k] *= length;
    for (int k = 0; k < c->n; k++) {
        const double S = is_known(c, k) ? c->size[k] : fmax(c->size[k], RG_ZERO_PART * c->terms[k]);
        c->size[k] = fmax(is_given ? ratio : fmin(S, 1.0), RG_CROSSING_PART * S);
        if (!(c->size[k] > 0.0)) c->size[k] = 1.0;
    }
    return RG_OK;
}

/* The largest error at sample a, relative to the weight. */
static double find_error(const comparison *c, int64_t a)
{
    const double *low = c->values + 2 * a * c->n, *high = low + c->n;
    const int n_z = c->result[0]->field->n_z;
    double worst = 0.0;

    for (int k = 0; k < c->n; k++) {
        const double e = fabs(low[k] - high[k]) / (c->size[k] + fabs(high[k]));
        if ((k < n_z || c->has_y[a]) && !(e <= worst)) worst = e;
    }
    return worst;
}

rg_status rg_bvp_srm_compare(const rg_bvp_srm_control *control, const rg_bvp_srm_result *low,
                             const rg_bvp_srm_result *high, double *error, double *estimate)
{
    const int64_t N = low->curve->N;
    comparison c = {
        .control = control, .result = {low, high}
    };

    c.n = low->field->n_z + low->field->n_y;
    rg_status status = take_memory(&c);
    for (int64_t a = 0; a <= SAMPLES * N && status == RG_OK; a++)
        status = look_at(&c, a);
    if (status == RG_OK) status = find_floors(&c);
    *estimate = 0.0;
    for (int64_t i = 0; i < N && status == RG_OK; i++) {
        double worst = 0.0;
        for (int k = 0; k <= SAMPLES; k++) {
            const double e = find_error(&c, SAMPLES * i + k);
            if (!(e <= worst)) worst = e;
        }
        error[i] = worst / control->rtol;
        if (!(worst <= *estimate)) *estimate = worst;
    }
    rg_free(low->field->ctx, c.values);
    rg_free(low->field->ctx, c.has_y);
    rg_free(low->field->ctx, c.size);
    return status;
}
