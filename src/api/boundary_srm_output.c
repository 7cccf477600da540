/* A solution by sequential regularization as points and steps, like those of an integrator. */
#include "api/boundary_srm.h"
#include "api/cache.h"
#include "api/regularize.h"

#include "ivp/srm/srm_impl.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_solver solver; /* what the parts for initial values need of one: system and integrator */
    rg_srm_result *result;
    rg_solution *solution;
    const rg_request *request;
    int64_t n, next_time; /* states; the first chosen time that has not been written */
    int degree;           /* of the stored polynomials */
    double sign;
    double *y, *yp, *z, *powers, *level, *samples;
    rg_srm_point at;
} output;

/* States and their derivatives from z, f, By and the multipliers:  x' = f - By  (index 3: x' = v, v' = f - By).  y' of the
 * multipliers is left alone. */
static void put_states(const output *o, const double *z)
{
    const rg_semi *v = o->result->field->g->srm->view;
    const int n = o->result->field->n_x;

    for (int k = 0; k < n; k++) {
        const double top = o->at.f[k] - o->at.By[k];
        const int64_t x = rg_semi_x(v)[k];
        o->y[x] = z[k];
        o->yp[x] = rg_semi_order(v) == 1 ? top : z[n + k];
        if (rg_semi_order(v) == 1) continue;
        o->y[rg_semi_v(v)[k]] = z[n + k];
        o->yp[rg_semi_v(v)[k]] = top;
    }
    for (int k = 0; k < o->result->field->n_y; k++)
        o->y[rg_semi_y(v)[k]] = o->at.y[k];
}

/* ---- polynomials of an interval ------------------------------------------------------------------ */

/* Values at the ends and the collocation points -> powers of v: multipliers. */
static void fit_multiplier(const output *o, int64_t state, int points, const double *v,
                           const double *value)
{
    double p[RG_RULE_MOST + 2];

    for (int j = 0; j < points; j++) {
        int degree = 0;
        p[0] = 1.0;
        for (int k = 0; k < points; k++) {
            if (k == j) continue;
            const double factor = 1.0 / (v[j] - v[k]);
            for (int m = ++degree; m >= 0; m--)
                p[m] = factor * ((m > 0 ? p[m - 1] : 0.0) - v[k] * (m < degree ? p[m] : 0.0));
        }
        for (int m = 0; m < points; m++)
            o->powers[m * o->n + state] += value[j] * p[m];
    }
}

static rg_status multiplier_powers(output *o, int64_t i)
{
    const rg_curve *c = o->result->curve;
    const int s = c->rule.s, n_y = o->result->field->n_y;
    const double h = c->t[i + 1] - c->t[i];
    double v[RG_RULE_MOST + 2];
    int points = 0;

    v[points++] = 0.0;
    for (int j = 0; j < s; j++)
        if (c->rule.c[j] < 1.0) v[points++] = c->rule.c[j];
    v[points++] = 1.0;
    for (int j = 0; j < points; j++) {
        const double t = j == 0 ? c->t[i] : j + 1 == points ? c->t[i + 1] : c->t[i] + v[j] * h;
        RG_TRY(rg_srm_result_eval(o->result, i, t, o->z, &o->at));
        for (int k = 0; k < n_y; k++)
            o->samples[k * (RG_RULE_MOST + 2) + j] = o->at.y[k];
    }
    for (int k = 0; k < n_y; k++)
        fit_multiplier(o, rg_semi_y(o->result->field->g->srm->view)[k], points, v,
                       o->samples + k * (RG_RULE_MOST + 2));
    return RG_OK;
}

static rg_status interval_powers(output *o, int64_t i)
{
    const rg_curve *c = o->result->curve;
    const rg_semi *view = o->result->field->g->srm->view;
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

/* y' of the multipliers from their polynomial. */
static void multiplier_rates(const output *o, double v, double h)
{
    const int64_t *state = rg_semi_y(o->result->field->g->srm->view);

    for (int k = 0; k < o->result->field->n_y; k++) {
        double rate = 0.0;
        for (int m = o->degree; m >= 1; m--)
            rate = rate * v + m * o->powers[m * o->n + state[k]];
        o->yp[state[k]] = rate / h;
    }
}

/* ---- points -------------------------------------------------------------------------------------- */

static rg_status put_point(output *o, int64_t i, double t)
{
    const double *mesh = o->result->curve->t + i, h = mesh[1] - mesh[0];

    RG_TRY(rg_srm_result_eval(o->result, i, t, o->z, &o->at));
    put_states(o, o->z);
    multiplier_rates(o, (t - mesh[0]) / h, h);
    return RG_OK;
}

static rg_status note_point(output *o, double t)
{
    const rg_request *q = o->request;

    if (rg_system_drift_levels(o->solver.system) > 0) {
        const rg_status status =
            rg_system_drift(o->solver.system, o->result->field->g->work, t, o->y, o->yp, o->level);
        if (status < 0) return status;
        if (status == RG_OK) rg_solution_take_drift(o->solution, o->level);
    }
    return q->output != NULL && q->output(t, o->y, o->yp, q->user) != 0 ? RG_STOPPED : RG_OK;
}

static rg_status put_interval(output *o, int64_t i)
{
    const double *t = o->result->curve->t;
    const rg_request *q = o->request;

    RG_TRY(interval_powers(o, i));
    if (i == 0) {
        RG_TRY(put_point(o, 0, t[0]));
        RG_TRY(rg_solution_start(o->solution, t[0], o->y, o->yp));
        RG_TRY(note_point(o, t[0]));
    }
    RG_TRY(put_point(o, i, t[i + 1]));
    const rg_step step = {.t0 = t[i],
                          .t1 = t[i + 1],
                          .y = o->y,
                          .yp = o->yp,
                          .degree = o->degree,
                          .coefficients = o->powers};
    RG_TRY(rg_solution_accept(o->solution, &step));
    RG_TRY(note_point(o, t[i + 1]));
    for (; o->next_time < q->n_times; o->next_time++) {
        const double at = q->times[o->next_time];
        if (o->sign * at > o->sign * t[i + 1]) break;
        RG_TRY(put_point(o, i, at));
        RG_TRY(rg_solution_point(o->solution, at, o->y, o->yp));
    }
    return RG_OK;
}

/* ---- all ----------------------------------------------------------------------------------------- */

static rg_status take_memory(output *o)
{
    const rg_srm_field *f = o->result->field;
    const size_t n = (size_t)o->n, n_x = (size_t)f->n_x, n_y = (size_t)f->n_y;
    const size_t levels = (size_t)rg_system_drift_levels(o->solver.system);
    const size_t size[] = {n,   n,   (size_t)f->n_z, (size_t)(o->degree + 1) * n, n_x,
                           n_x, n_y, levels,         n_y * (RG_RULE_MOST + 2)};
    double **const array[] = {&o->y,     &o->yp,   &o->z,     &o->powers, &o->at.f,
                              &o->at.By, &o->at.y, &o->level, &o->samples};

    for (size_t k = 0; k < sizeof size / sizeof *size; k++)
        if ((*array[k] = rg_alloc(f->ctx, size[k] + 1, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    return RG_OK;
}

static void release(output *o)
{
    double *const array[] = {o->y,     o->yp,   o->z,     o->powers, o->at.f,
                             o->at.By, o->at.y, o->level, o->samples};

    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        rg_free(o->result->field->ctx, array[k]);
}

static rg_status make_solution(output *o, rg_problem *p, const rg_analysis *a, rg_solution **out)
{
    rg_layout *layout = NULL;

    RG_TRY(rg_solver_layout(&o->solver, &layout));
    RG_TRY(
        rg_solution_create(p, &layout, rg_system_drift_levels(o->solver.system), o->request, out));
    o->solution = *out;
    strcpy((*out)->method, "srm");
    (*out)->structure = rg_structure_of(p, a);
    (*out)->stats = o->result->stats;
    (*out)->estimate = o->result->estimate;
    RG_TRY(rg_regularize_attach(&o->solver, *out));
    snprintf((*out)->detail, sizeof(*out)->detail, "%s", o->result->choice);
    if (o->result->warning[0] != '\0') RG_TRY(rg_problem_warn(p, "%s", o->result->warning));
    return RG_OK;
}

rg_status rg_boundary_srm_write(rg_problem *p, const rg_analysis *a, rg_srm_result *result,
                                const rg_request *r, rg_solution **out)
{
    const rg_curve *c = result->curve;
    output o = {.result = result, .request = r, .sign = c->t[c->N] > c->t[0] ? 1.0 : -1.0};

    o.solver = (rg_solver){.ctx = p->ctx, .problem = p, .system = result->field->system};
    o.solver.integrator = result->field->g;
    o.solver.n = o.n = rg_system_size(o.solver.system);
    o.degree = c->rule.s + 1;
    rg_status status = take_memory(&o);
    if (status == RG_OK) status = make_solution(&o, p, a, out);
    for (int64_t i = 0; i < c->N && status == RG_OK; i++)
        status = put_interval(&o, i);
    for (int64_t k = 0; k < result->n_places && *out != NULL && status >= RG_OK; k++) {
        const rg_status added =
            rg_solution_add_singular(*out, result->place[k].t, result->place[k].lost);
        if (added < 0) status = added;
    }
    if (*out != NULL) {
        const rg_status closed = rg_solution_finish(*out);
        if (status == RG_OK) status = closed;
    }
    release(&o);
    return status;
}
