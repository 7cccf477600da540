/* A trial step: the equations of a short Radau IIA step from where the run stands, with other
 * branches.  It needs E y_n of its start only, E = F_y', so its values are those behind a jump:
 * what E holds is kept, all else is computed. */
#include "ivp/radau/radau.h"

#include "base/random.h"
#include "ivp/radau/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Relative to the size of the unknowns, at the start or at the end of the step: a current of 1e12
 * that is 0 before it has no more digits than its rounding leaves. */
static void weigh(rg_integrator *g, const double *y)
{
    rg_radau *r = rg_radau_of(g);

    for (int64_t i = 0; i < g->n; i++) {
        const double unit = rg_integrator_unit(g, i);
        r->weight[i] = 1.0 / ((unit > 0.0 ? unit : 1e-3) + fmax(fabs(g->y[i]), fabs(y[i])));
    }
    r->has_weights = false;
}

/* Newton's matrix at the end of the step. */
static rg_status linearize(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const double t = g->t + r->h;

    rg_radau_last_stage(g);
    weigh(g, r->Y);
    g->stats.jacobians++;
    RG_TRY(rg_system_jacobian(g->system, g->work, t, r->Y, r->Yp, r->Jy, r->Jyp));
    if (r->n_pins > 0 && !r->has_pins) RG_TRY(rg_radau_find_pins(g));
    return rg_radau_factor(g);
}

/* Half way back to the last stages that were defined. */
static void go_back(rg_integrator *g, const double *W)
{
    rg_radau *r = rg_radau_of(g);
    const int64_t count = r->table->s * r->blocks * RG_LANES;

    for (int64_t k = 0; k < count; k++)
        r->W[k] = 0.5 * (r->W[k] + W[k]);
    rg_stages_transform(r->table->s, r->T, r->blocks, r->W, r->Z);
}

/* One iteration from W; where values are not defined, from half way between W and the last one:
 * then *is_whole is false. */
static rg_status advance(rg_integrator *g, double *W, bool has_last, double *size, bool *is_whole)
{
    rg_radau *r = rg_radau_of(g);
    rg_status status = (rg_status)RG_RETRY;

    *is_whole = true;
    for (int k = 0; k <= (has_last ? RG_TRIAL_HALVINGS : 0) && status == (rg_status)RG_RETRY; k++) {
        if (k > 0) {
            go_back(g, W);
            *is_whole = false;
        }
        status = linearize(g);
        if (status != RG_OK) continue;
        status = rg_radau_residuals(g);
    }
    if (status != RG_OK) return status;
    memcpy(W, r->W, (size_t)(r->table->s * r->blocks * RG_LANES) * sizeof *W);
    *size = rg_radau_update(g);
    return isfinite(*size) ? RG_OK : (rg_status)RG_RETRY;
}

/* The last update is small; where it leaves the domain it is not taken. */
static rg_status stay_defined(rg_integrator *g, const double *W)
{
    rg_radau *r = rg_radau_of(g);
    const rg_status status = rg_radau_residuals(g);

    if (status != (rg_status)RG_RETRY) return status;
    memcpy(r->W, W, (size_t)(r->table->s * r->blocks * RG_LANES) * sizeof *W);
    rg_stages_transform(r->table->s, r->T, r->blocks, r->W, r->Z);
    return RG_OK;
}

static rg_status iterate(rg_integrator *g, double *W, bool *is_defined)
{
    double previous = INFINITY, size;
    bool is_whole;
    int idle = 0;

    *is_defined = false; /* where it begins */
    for (int k = 0; k < RG_TRIAL_ITERATIONS; k++) {
        RG_TRY(advance(g, W, k > 0, &size, &is_whole));
        *is_defined = true;
        if (size <= RG_TRIAL_GOOD) return stay_defined(g, W);
        const bool is_small = is_whole && size < RG_TRIAL_ALLOWED;
        idle = is_small && size > RG_TRIAL_PROGRESS * previous ? idle + 1 : 0;
        if (idle >= RG_TRIAL_SETTLED) return stay_defined(g, W);
        previous = size;
    }
    return (rg_status)RG_RETRY;
}

/* From the slopes of the start, or from rest. */
static void predict(rg_integrator *g, bool with_slopes)
{
    rg_radau *r = rg_radau_of(g);
    const int s = r->table->s;

    memset(r->Z, 0, (size_t)(s * r->blocks * RG_LANES) * sizeof *r->Z);
    for (int i = 0; i < s && with_slopes; i++)
        for (int64_t k = 0; k < g->n; k++)
            rg_radau_stage(r, r->Z, i)[k] = r->table->c[i] * r->h * g->yp[k];
    rg_stages_transform(s, r->T_inverse, r->blocks, r->Z, r->W);
}

/* From beside the start, where that is the edge of a domain (sqrt(0) has no slope). */
static void predict_beside(rg_integrator *g, int draw)
{
    rg_radau *r = rg_radau_of(g);
    const int s = r->table->s;

    memset(r->Z, 0, (size_t)(s * r->blocks * RG_LANES) * sizeof *r->Z);
    for (int64_t k = 0; k < g->n; k++) {
        const double move =
            (rg_random((uint64_t)draw, (uint64_t)k) - 0.5) * RG_TRIAL_BESIDE / r->weight[k];
        for (int i = 0; i < s; i++)
            rg_radau_stage(r, r->Z, i)[k] = move;
    }
    rg_stages_transform(s, r->T_inverse, r->blocks, r->Z, r->W);
}

static rg_status iterate_from_anywhere(rg_integrator *g, double *W)
{
    bool is_defined;

    predict(g, true);
    rg_status status = iterate(g, W, &is_defined);
    if (status != (rg_status)RG_RETRY) return status;
    predict(g, false);
    status = iterate(g, W, &is_defined);
    for (int draw = 0; draw < RG_TRIAL_DRAWS && status == (rg_status)RG_RETRY && !is_defined;
         draw++) {
        predict_beside(g, draw);
        status = iterate(g, W, &is_defined);
    }
    return status;
}

rg_status rg_radau_trial(rg_integrator *g, int stages, double h, double *Y, double *Yp)
{
    rg_radau *r = rg_radau_of(g);

    RG_TRY(rg_radau_set_stages(g, stages));
    const int s = r->table->s;
    double *W = rg_alloc(g->ctx, (size_t)(s * r->blocks * RG_LANES) + 1, sizeof *W);
    if (W == NULL) return RG_ERR_MEMORY;
    r->h = h;
    r->is_last = false;
    r->has_jacobian = false;
    weigh(g, g->y);
    const rg_status status = iterate_from_anywhere(g, W);
    rg_free(g->ctx, W);
    r->h_factored = 0.0;
    if (status != RG_OK) return status;
    rg_stages_transform(s, r->inverse_A, r->blocks, r->Z, r->F);
    for (int i = 0; i < s; i++)
        for (int64_t k = 0; k < g->n; k++) {
            Y[i * g->n + k] = g->y[k] + rg_radau_stage(r, r->Z, i)[k];
            Yp[i * g->n + k] = rg_radau_stage(r, r->F, i)[k] / h;
        }
    return RG_OK;
}
