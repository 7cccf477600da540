/* Sequential regularization on one mesh: start, iterates, removal of the initial layer. */
#include "bvp/srm/run.h"

#include "bvp/srm/prepare.h"
#include "bvp/srm/tuning.h"
#include "bvp/tuning.h"
#include "curve/mesh.h"

#include <math.h>
#include <string.h>

/* z at t from the guess, or from a solution on another mesh. */
static rg_status look_up(rg_bvp_srm_run *r, const rg_curve *from, double t, double *z)
{
    const rg_bvp_form *form = r->c->form;

    if (from != NULL) {
        rg_curve_eval(from, rg_curve_find(from, t), t, z, NULL, NULL);
        return RG_OK;
    }
    double *x = r->form, *xp = x + form->nx, *w = xp + form->nx;
    RG_TRY(r->guess->eval(r->guess->user, t, x, xp, w));
    rg_bvp_srm_nodes_take(r->nodes, x, w, z);
    return RG_OK;
}

static rg_status fill_curve(rg_bvp_srm_run *r, const rg_curve *from, rg_curve *to)
{
    for (int64_t i = 0; i <= to->N; i++)
        RG_TRY(look_up(r, from, to->t[i], to->x + i * to->nx));
    for (int64_t i = 0; i < to->N; i++)
        for (int j = 0; j < to->rule.s; j++) {
            const double h = to->t[i + 1] - to->t[i], *z = to->x + i * to->nx;
            double *zp = rg_curve_slope(to, i, j);
            if (from != NULL)
                rg_curve_eval(from, rg_curve_find(from, to->t[i] + to->rule.c[j] * h),
                              to->t[i] + to->rule.c[j] * h, NULL, zp, NULL);
            for (int k = 0; k < to->nx && from == NULL; k++)
                zp[k] = (z[to->nx + k] - z[k]) / h;
        }
    return RG_OK;
}

double rg_bvp_srm_run_layer(const rg_bvp_srm_run *r, int iterations)
{
    return fmin(rg_bvp_srm_layer_width(r->f, iterations), RG_BVP_SRM_LAYER_MOST * r->length);
}

/* Does another iterate change nothing?  What is carried changes by 1/eps as much as x: the first
 * iterate is the last one only where it was known from the start. */
static bool is_settled(const rg_bvp_srm_run *r, const rg_bvp_srm_sweep *s, int k, double change,
                       double last)
{
    const double target = RG_BVP_SETTLED * r->control->rtol;

    if (k == 0) return s->is_seeded && change <= target * fmin(1.0, 10.0 * r->f->eps);
    return change <= target || (k > 2 && change > RG_BVP_SRM_STANDS_STILL * last);
}

/* L (3.3), (3.4): a given number of iterates, or until they stand still outside the layer. */
static rg_status iterate(rg_bvp_srm_run *r, rg_bvp_srm_sweep *s)
{
    const bool is_auto = r->control->iterations == 0;
    const int most = is_auto ? RG_BVP_SRM_MOST_ITERATIONS : r->control->iterations;
    double last = INFINITY;

    for (int k = 0; k < most; k++) {
        RG_TRY(rg_bvp_srm_sweep_next(s));
        const double from = r->f->has_layer ? rg_bvp_srm_run_layer(r, s->n_iterations) : 0.0;
        const double change = rg_bvp_srm_sweep_change(s, from);
        rg_log(r->f->ctx, 2, "srm: iterate %d changes by %.2g", s->n_iterations, change);
        if (is_auto && is_settled(r, s, k, change, last)) return RG_OK;
        last = change;
    }
    return RG_OK;
}

/* Restarts from a y_0 that has no layer; the part of the interval that is replaced is halved
 * each time. */
static rg_status remove_layer(rg_bvp_srm_run *r, rg_bvp_srm_sweep *s, int *restarts)
{
    double width = rg_bvp_srm_run_layer(r, s->n_iterations);

    *restarts = 0;
    if (!r->f->has_layer || r->control->layer == RG_LAYER_KEEP || s->is_seeded) return RG_OK;
    const bool is_back = r->control->layer == RG_LAYER_BACK;
    if (is_back && r->control->iterations > 0) { /* as in L Table 5.2 */
        *restarts = 1;
        return rg_bvp_srm_layer_back(s, s->n_iterations, true, true);
    }
    for (int k = 0; k < RG_BVP_SRM_RESTARTS; k++, width *= 0.5) {
        const int m = s->n_iterations;
        RG_TRY(is_back ? rg_bvp_srm_layer_back(s, m, k == 0, false)
                       : rg_bvp_srm_layer_fit(s, width));
        s->n_iterations = m;
        RG_TRY(rg_bvp_srm_sweep_next(s));
        const double change = rg_bvp_srm_sweep_change(s, 0.0);
        rg_log(r->f->ctx, 2, "srm: restart %d changes by %.2g", k + 1, change);
        for (int i = 1; i < RG_BVP_SRM_RESTART_ITERATIONS; i++)
            RG_TRY(rg_bvp_srm_sweep_next(s));
        s->n_iterations = m;
        *restarts = k + 1;
        if (r->control->iterations == 0 && change <= RG_BVP_SETTLED * r->control->rtol) break;
    }
    return RG_OK;
}

static void note_conditioning(rg_bvp_srm_run *r, rg_bvp_srm_sweep *s)
{
    const double value = rg_condensed_conditioning(s->linear, s->newton.scale, s->newton.D->x);

    if (!isnan(value)) r->result->conditioning = value;
}

/* Newton's method for the first iterate, from the guess: a linear model takes one correction. */
static rg_status start_straight(rg_bvp_srm_run *r, rg_bvp_srm_sweep *s)
{
    enum { FEW = 6 };
    const int most = s->newton.control.most;

    s->newton.control.most = most < FEW ? most : FEW;
    const rg_status status = rg_bvp_srm_sweep_solve(s);
    s->newton.control.most = most;
    note_conditioning(r, s);
    return status;
}

static void set_control(const rg_bvp_srm_run *r, double eps, rg_bvp_srm_sweep *s)
{
    const rg_bvp_srm_control *q = r->control;
    rg_newton_control *c = &s->newton.control;

    c->floor = q->atol / q->rtol + 1e-300;
    c->tol = fmax(1e-3 * q->rtol * fmin(1.0, 10.0 * eps), 1e-14);
    c->most = q->max_newton > 0 ? q->max_newton : RG_BVP_SRM_NEWTON_MOST;
    s->near_enough = q->is_y0_given ? 0.0 : RG_BVP_SETTLED * q->rtol;
}

/* A quasilinearized solution from the guess with fewer intervals: most of its steps are far from
 * the end.  RG_RETRY: there is none. */
static rg_status prepare_coarse(rg_bvp_srm_run *r, const rg_rule *rule, rg_curve **out)
{
    rg_bvp_srm_sweep *s = NULL;
    double *t = NULL;
    int64_t N = r->N / RG_BVP_SRM_COARSE;

    if (r->control->step > 0.0 || N < RG_BVP_SRM_COARSE) return RG_RETRY;
    RG_TRY(rg_mesh_uniform(r->f->ctx, r->c->n_points, r->c->point, N, 3, &N, &t));
    rg_status status = rg_curve_create(r->f->ctx, rule, r->f->n_c, r->f->n_z, N, t, r->c->n_points,
                                       r->c->point, out);
    if (status == RG_OK) status = fill_curve(r, NULL, *out);
    if (status == RG_OK)
        status = rg_bvp_srm_sweep_create(r->f, r->nodes, *out, &r->result->stats, &s);
    if (status == RG_OK) {
        set_control(r, r->f->eps, s);
        s->near_enough = INFINITY; /* whatever they are: to begin with */
        status = rg_bvp_srm_prepare(s, NULL, RG_BVP_SRM_NEAR);
    }
    rg_bvp_srm_sweep_destroy(&s);
    rg_free(r->f->ctx, t);
    if (status != RG_OK) rg_curve_destroy(out);
    rg_bvp_srm_field_forget(r->f);
    return status;
}

/* A nonlinear model: from a quasilinearized solution, which comes from farther away. */
static rg_status start_prepared(rg_bvp_srm_run *r, rg_bvp_srm_sweep *s)
{
    rg_curve *coarse = NULL;
    rg_status status = prepare_coarse(r, &s->it->rule, &coarse);

    if (status < 0) return status;
    status = fill_curve(r, coarse, s->it);
    if (status == RG_OK) status = rg_bvp_srm_prepare(s, coarse, RG_BVP_SRM_NEAR);
    rg_curve_destroy(&coarse);
    r->is_far = status == RG_OK;
    return status;
}

/* The first iterate; where one way fails the other one is tried, from the guess again. */
static rg_status start(rg_bvp_srm_run *r, rg_bvp_srm_sweep *s)
{
    const bool is_linear = r->f->is_linear;
    const rg_status status = is_linear ? start_straight(r, s) : start_prepared(r, s);

    if (status != RG_RETRY) return status;
    const double hit = r->f->hit; /* on the way, or a collocation point at a singular time */
    RG_TRY(fill_curve(r, NULL, s->it));
    s->linear->has_factors = false;
    rg_bvp_srm_field_forget(r->f);
    const rg_status again = is_linear ? start_prepared(r, s) : start_straight(r, s);
    if (again == RG_RETRY) r->f->hit = hit;
    return again;
}

/* The comparison of a solution that has no initial layer: one quasilinearization from it is as good
 * as all iterates are.  RG_RETRY: not here; s->it is what it was. */
static rg_status check(rg_bvp_srm_run *r, rg_bvp_srm_sweep *s, const rg_curve *from)
{
    if (!r->is_check || !r->is_far || !r->f->has_layer || r->control->is_y0_given) return RG_RETRY;
    const rg_status status = rg_bvp_srm_prepare(s, from, RG_BVP_SRM_NEAREST);
    if (status < 0 || (status == RG_OK && s->is_seeded)) return status;
    rg_bvp_srm_field_forget(r->f);
    s->linear->has_factors = false;
    RG_TRY(fill_curve(r, from, s->it));
    return RG_RETRY;
}

/* Iterates until they stand still, without an initial layer in the end. */
static rg_status iterate_all(rg_bvp_srm_run *r, rg_bvp_srm_sweep *s, rg_bvp_srm_result *out)
{
    if (r->is_far && !r->control->is_y0_given && !s->is_seeded) RG_TRY(rg_bvp_srm_sweep_seed(s));
    RG_TRY(iterate(r, s));
    note_conditioning(r, s);
    out->iterations = s->n_iterations;
    return remove_layer(r, s, &out->restarts);
}

/* All iterates with `rule` and `eps` on the mesh of the run, from a curve or (NULL) the guess. */
static rg_status attempt(rg_bvp_srm_run *r, const rg_rule *rule, double eps, const rg_curve *from,
                         rg_bvp_srm_result *out)
{
    rg_bvp_srm_sweep *s = NULL;

    rg_bvp_srm_field_set(r->f, eps, 1.0);
    rg_bvp_srm_field_forget(r->f);
    RG_TRY(rg_curve_create(r->f->ctx, rule, r->f->n_c, r->f->n_z, r->N, r->t, r->c->n_points,
                           r->c->point, &out->curve));
    rg_status status = fill_curve(r, from, out->curve);
    if (status == RG_OK)
        status = rg_bvp_srm_sweep_create(r->f, r->nodes, out->curve, &r->result->stats, &s);
    if (status == RG_OK) {
        set_control(r, eps, s);
        status = from == NULL ? start(r, s) : RG_OK;
    }
    const bool is_started = status == RG_OK;
    if (status == RG_OK) status = check(r, s, from);
    if (status == RG_RETRY && is_started) status = iterate_all(r, s, out);
    rg_bvp_srm_sweep_destroy(&s);
    out->eps = eps;
    if (status == RG_OK) status = rg_bvp_srm_result_complete(out);
    if (status != RG_OK) rg_curve_destroy(&out->curve);
    return status;
}

void rg_bvp_srm_result_drop(rg_context *ctx, rg_bvp_srm_result *r)
{
    rg_curve_destroy(&r->curve);
    rg_free(ctx, r->By);
    rg_free(ctx, r->stage_By);
    rg_free(ctx, r->place);
    r->By = r->stage_By = NULL;
    r->place = NULL;
    r->n_places = r->place_capacity = 0;
}

rg_status rg_bvp_srm_run_mesh(rg_bvp_srm_run *r, const rg_rule *rule, double eps,
                              const rg_curve *from, rg_bvp_srm_result *out)
{
    rg_status status = RG_RETRY;

    for (int k = 0; k < RG_BVP_SRM_TRIES && status == RG_RETRY; k++) {
        rg_bvp_srm_result_drop(r->f->ctx, out);
        status = attempt(r, rule, eps, from, out);
        if (status != RG_RETRY || isnan(r->f->hit)) break;
        rg_log(r->f->ctx, 2, "srm: mesh displaced near %.10g", r->f->hit);
        if (!rg_bvp_srm_mesh_displace(r->N, r->t, r->c->n_points, r->c->point, r->f->hit)) break;
    }
    return status;
}
