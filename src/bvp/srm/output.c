/* A solution by sequential regularization as points and steps, like those of an integrator. */
#include "bvp/srm/srm.h"

#include "bvp/outputs.h"
#include "bvp/srm/tuning.h"

#include "curve/writer.h"
#include "ivp/layout.h"
#include "ivp/srm/srm.h"
#include "linalg/powers.h"

#include "ivp/srm/srm_impl.h"

#include <math.h>
#include <string.h>

typedef struct {
    const rg_system *system;
    rg_system_work *work;
    rg_bvp_srm_result *result;
    rg_writer writer;
    int64_t n, interval; /* states; the interval that is being written */
    int degree;          /* of the stored polynomials */
    double *y, *yp, *z, *powers, *samples, *fitted;
    rg_bvp_srm_point at;
    rg_bvp_outputs outputs; /* beside those of the second result */
    double *w, *wp;
} output;

/* States and their derivatives from z, f, By and the multipliers:  x' = f - By  (index 3: x' = v,
 * v' = f - By).  y' of the multipliers is left alone. */
static void put_states(const output *o, const double *z, double *y, double *yp)
{
    const rg_semi *v = o->result->field->core->view;
    const int n = o->result->field->n_x;

    for (int k = 0; k < n; k++) {
        const double top = o->at.f[k] - o->at.By[k];
        const int64_t x = rg_semi_x(v)[k];
        y[x] = z[k];
        yp[x] = rg_semi_order(v) == 1 ? top : z[n + k];
        if (rg_semi_order(v) == 1) continue;
        y[rg_semi_v(v)[k]] = z[n + k];
        yp[rg_semi_v(v)[k]] = top;
    }
    for (int k = 0; k < o->result->field->n_y; k++)
        y[rg_semi_y(v)[k]] = o->at.y[k];
}

/* ---- polynomials of an interval -------------------------------------------------------------- */

/* Multipliers: through their values at the ends and the collocation points. */
static rg_status multiplier_powers(output *o, int64_t i)
{
    const rg_curve *c = o->result->curve;
    const int s = c->rule.s, n_y = o->result->field->n_y;
    const int64_t *state = rg_semi_y(o->result->field->core->view);
    const double h = c->t[i + 1] - c->t[i];
    double v[RG_RULE_MOST + 2];
    int points = 0;

    v[points++] = 0.0;
    for (int j = 0; j < s; j++)
        if (c->rule.c[j] < 1.0) v[points++] = c->rule.c[j];
    v[points++] = 1.0;
    for (int j = 0; j < points; j++) {
        const double t = j == 0 ? c->t[i] : j + 1 == points ? c->t[i + 1] : c->t[i] + v[j] * h;
        RG_TRY(rg_bvp_srm_result_eval(o->result, i, t, o->z, &o->at));
        memcpy(o->samples + j * n_y, o->at.y, (size_t)n_y * sizeof *o->samples);
    }
    rg_powers_fit(points, v, n_y, o->samples, o->fitted);
    for (int m = 0; m < points; m++)
        for (int k = 0; k < n_y; k++)
            o->powers[m * o->n + state[k]] = o->fitted[m * n_y + k];
    return RG_OK;
}

static rg_status interval_powers(output *o, int64_t i)
{
    const rg_curve *c = o->result->curve;
    const rg_semi *view = o->result->field->core->view;
    const int n = o->result->field->n_x;
    const double h = c->t[i + 1] - c->t[i];

    memset(o->powers, 0, (size_t)((o->degree + 1) * o->n) * sizeof *o->powers);
    for (int k = 0; k < c->nx; k++) {
        const int64_t state = k < n ? rg_semi_x(view)[k] : rg_semi_v(view)[k - n];
        o->powers[state] = c->x[i * c->nx + k];
        for (int j = 0; j < c->rule.s; j++)
            for (int m = 1; m <= c->rule.s; m++)
                o->powers[m * o->n + state] += h * c->rule.power[j][m] * rg_curve_slope(c, i, j)[k];
    }
    return multiplier_powers(o, i);
}

/* ---- points ---------------------------------------------------------------------------------- */

/* y' of the multipliers from their polynomial. */
static rg_status eval(void *user, double t, double *y, double *yp)
{
    output *o = user;
    const double *mesh = o->result->curve->t + o->interval, h = mesh[1] - mesh[0];

    rg_powers_eval(o->degree, o->n, o->powers, (t - mesh[0]) / h, h, NULL, yp);
    RG_TRY(rg_bvp_srm_result_eval(o->result, o->interval, t, o->z, &o->at));
    put_states(o, o->z, y, yp);
    return RG_OK;
}

/* A row beside the second result; not near places where multipliers need not exist. */
static rg_status compare(void *user, double t, const double *y, const double *yp)
{
    output *o = user;
    const rg_bvp_srm_result *second = o->result->second;

    memcpy(o->wp, yp, (size_t)o->n * sizeof *yp); /* of the multipliers */
    RG_TRY(rg_bvp_srm_result_eval(second, rg_curve_find(second->curve, t), t, o->z, &o->at));
    if (!(o->at.pivot > RG_BVP_SRM_NEAR)) return RG_OK;
    put_states(o, o->z, o->w, o->wp);
    return rg_bvp_outputs_look(&o->outputs, t, y, yp, o->w, o->wp);
}

static rg_status find_drift(void *user, double t, const double *y, const double *yp, double *level)
{
    const output *o = user;

    return rg_system_drift(o->system, o->work, t, y, yp, level);
}

static rg_status put_interval(output *o, int64_t i)
{
    const double *t = o->result->curve->t;

    o->interval = i;
    RG_TRY(interval_powers(o, i));
    if (i == 0) {
        RG_TRY(eval(o, t[0], o->y, o->yp));
        RG_TRY(rg_writer_start(&o->writer, t[0], o->y, o->yp));
    }
    RG_TRY(eval(o, t[i + 1], o->y, o->yp));
    const rg_solution_step step = {.t0 = t[i],
                                   .t1 = t[i + 1],
                                   .y = o->y,
                                   .yp = o->yp,
                                   .degree = o->degree,
                                   .coefficients = o->powers};
    return rg_writer_step(&o->writer, &step);
}

/* ---- all ------------------------------------------------------------------------------------- */

static rg_status take_memory(output *o)
{
    const rg_bvp_srm_field *f = o->result->field;
    const size_t n = (size_t)o->n, n_x = (size_t)f->n_x, n_y = (size_t)f->n_y;
    const size_t samples = n_y * (RG_RULE_MOST + 2);
    const size_t size[] = {
        n, n, (size_t)f->n_z, (size_t)(o->degree + 1) * n, n_x, n_x, n_y, samples, samples, n, n};
    double **const array[] = {&o->y,    &o->yp,      &o->z,      &o->powers, &o->at.f, &o->at.By,
                              &o->at.y, &o->samples, &o->fitted, &o->w,      &o->wp};

    for (size_t k = 0; k < sizeof size / sizeof *size; k++)
        if ((*array[k] = rg_alloc(f->ctx, size[k] + 1, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    return rg_system_work_create(o->system, &o->work);
}

static void release(output *o)
{
    double *const array[] = {o->y,    o->yp,      o->z,      o->powers, o->at.f, o->at.By,
                             o->at.y, o->samples, o->fitted, o->w,      o->wp};

    rg_system_work_destroy(&o->work);
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        rg_free(o->result->field->ctx, array[k]);
}

static rg_status make_solution(output *o, rg_problem *p, const rg_request *r, rg_solution **out)
{
    const rg_curve *c = o->result->curve;
    rg_layout *layout = NULL;

    RG_TRY(rg_system_layout(o->system, p->n, &layout));
    o->writer = (rg_writer){.user = o, .eval = eval, .drift = find_drift};
    RG_TRY(rg_writer_open(&o->writer, p, &layout, rg_system_drift_levels(o->system), r, out));
    (*out)->stats = o->result->stats;
    (*out)->estimate = o->result->estimate;
    (*out)->iterations = o->result->iterations;
    (*out)->force_at = c->rule.c[c->rule.s - 1];
    RG_TRY(rg_srm_core_attach(o->result->field->core, *out));
    snprintf((*out)->detail, sizeof(*out)->detail, "%s", o->result->choice);
    if (o->result->warning[0] != '\0') RG_TRY(rg_problem_warn(p, "%s", o->result->warning));
    return RG_OK;
}

rg_status rg_bvp_srm_boundary_write(rg_problem *p, rg_bvp_srm_result *result,
                                    const rg_options *options, const rg_request *r,
                                    rg_solution **out)
{
    const rg_curve *c = result->curve;
    output o = {.result = result};

    o.system = result->field->system;
    o.n = rg_system_size(o.system);
    o.degree = c->rule.s + 1;
    rg_status status = take_memory(&o);
    if (status == RG_OK) status = make_solution(&o, p, r, out);
    if (status == RG_OK && result->second != NULL && result->second->curve != NULL)
        status = rg_bvp_outputs_init(*out, options, NULL, 0.0, &o.outputs);
    if (o.outputs.z != NULL) o.writer.seen = compare;
    for (int64_t i = 0; i < c->N && status == RG_OK; i++)
        status = put_interval(&o, i);
    status = rg_writer_close(&o.writer, status, result->n_places, result->place);
    if (status == RG_OK) status = rg_bvp_outputs_judge(&o.outputs, 1.0, options, *out);
    rg_bvp_outputs_clear(&o.outputs);
    release(&o);
    return status;
}
