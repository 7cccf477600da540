/* The mesh loop of sequential regularization for boundary values. */
#include "bvp/srm/run.h"

#include "bvp/srm/tuning.h"
#include "bvp/tuning.h"
#include "curve/mesh.h"

#include <math.h>
#include <string.h>

/* Two stages more (L (4.6): an even number of Gauss points is less accurate where h >> eps) and
 * half of eps; if the mesh must be displaced for it, a copy is. */
static rg_status second_solve(rg_bvp_srm_run *r, rg_bvp_srm_result *high)
{
    const size_t bytes = (size_t)(r->N + 1) * sizeof *r->t;
    double *const mesh = r->t, *copy = rg_alloc(r->f->ctx, bytes, 1);

    if (copy == NULL) return RG_ERR_MEMORY;
    memcpy(copy, mesh, bytes);
    r->t = copy;
    r->is_check = true;
    const rg_status status =
        rg_bvp_srm_run_mesh(r, &r->high, 0.5 * r->result->eps, r->result->curve, high);
    r->is_check = false;
    r->t = mesh;
    rg_free(r->f->ctx, copy);
    return status;
}

static void choose_rules(rg_bvp_srm_run *r)
{
    const double h = r->length / (double)r->N;

    if (r->f->is_scheme_auto)
        r->f->kind = h <= RG_BVP_SRM_GAUSS_MOST * r->result->eps / r->f->rate ? RG_RULE_GAUSS
                                                                              : RG_RULE_RADAU;
    rg_rule_init(r->f->kind, r->f->stages, &r->low);
    rg_rule_init(r->f->kind, r->f->stages + 2, &r->high);
}

/* For comparing outputs; without memory for it they are not. */
static void keep_second(rg_bvp_srm_run *r, rg_bvp_srm_result *high)
{
    rg_bvp_srm_result **second = &r->result->second;

    if (*second == NULL) *second = rg_alloc(r->f->ctx, 1, sizeof **second);
    if (*second == NULL) {
        rg_clear_error(r->f->ctx);
        rg_bvp_srm_result_drop(r->f->ctx, high);
        return;
    }
    rg_bvp_srm_result_drop(r->f->ctx, *second);
    **second = *high;
}

/* *worst: largest error in units of the tolerance; infinity: unknown. */
static rg_status solve_mesh(rg_bvp_srm_run *r, double *worst)
{
    rg_bvp_srm_result low = {.field = r->f, .nodes = r->nodes}, high = low;
    rg_bvp_srm_result *now = r->result;

    *worst = INFINITY;
    choose_rules(r);
    rg_status status = rg_bvp_srm_run_mesh(r, &r->low, r->result->eps, now->curve, &low);
    if (status != RG_OK) {
        rg_bvp_srm_result_drop(r->f->ctx, &low);
        return status;
    }
    rg_bvp_srm_result_drop(r->f->ctx, now);
    now->curve = low.curve;
    now->By = low.By;
    now->stage_By = low.stage_By;
    now->place = low.place;
    now->n_places = low.n_places;
    now->place_capacity = low.place_capacity;
    now->iterations = low.iterations;
    now->restarts = low.restarts;
    if (r->control->step > 0.0 && !r->control->with_estimate) return RG_OK;
    status = second_solve(r, &high);
    if (status == RG_OK)
        status = rg_bvp_srm_compare(r->control, now, &high, r->error, &now->estimate);
    keep_second(r, &high);
    rg_bvp_srm_field_set(r->f, r->result->eps, 1.0);
    if (status < 0) return status;
    if (status != RG_OK) return RG_OK; /* unknown: refine */
    *worst = 0.0;
    for (int64_t i = 0; i < r->N; i++)
        if (!(r->error[i] <= *worst)) {
            *worst = r->error[i];
            r->worst_t = r->t[i];
        }
    rg_log(r->f->ctx, 2, "srm: %lld intervals, estimated error %.3g of the tolerance",
           (long long)r->N, *worst);
    return RG_OK;
}

/* ---- meshes ---------------------------------------------------------------------------------- */

static rg_status replace_mesh(rg_bvp_srm_run *r, int64_t N, double *t)
{
    rg_free(r->f->ctx, r->t);
    rg_free(r->f->ctx, r->error);
    rg_free(r->f->ctx, r->is_halved);
    r->t = t;
    r->N = N;
    r->error = rg_alloc(r->f->ctx, (size_t)N + 1, sizeof *r->error);
    r->is_halved = rg_alloc(r->f->ctx, (size_t)N + 1, sizeof *r->is_halved);
    return r->error != NULL && r->is_halved != NULL ? RG_OK : RG_ERR_MEMORY;
}

/* Factors of all stages are kept: (s n_z)^2 numbers for every interval. */
static rg_status check_size(const rg_bvp_srm_run *r, int64_t N)
{
    const double block = (r->f->stages + 2.0) * r->f->n_z;

    if (block * block * (double)N <= RG_BVP_SRM_MOST) return RG_OK;
    rg_fail(r->f->ctx, RG_ERR_METHOD,
            "'srm' keeps full matrices of %.0f rows for each of %lld intervals here: too many",
            block, (long long)N);
    return rg_remedy(r->f->ctx, "take --method collocation, or fewer unknowns");
}

static rg_status first_mesh(rg_bvp_srm_run *r)
{
    const double step = r->control->step;
    double *t = NULL;
    const int first = r->f->is_linear ? RG_BVP_SRM_FIRST_INTERVALS : RG_BVP_SRM_FIRST_NONLINEAR;
    int64_t N = step > 0.0 ? (int64_t)ceil(r->length / step - 1e-9) : first;

    if (N > r->control->max_intervals) {
        rg_fail(r->f->ctx, RG_ERR_CONVERGENCE, "step = %g needs %lld intervals; %lld are allowed",
                step, (long long)N, (long long)r->control->max_intervals);
        return rg_remedy(r->f->ctx, "give a larger --step, or raise --max-steps");
    }
    RG_TRY(check_size(r, N));
    RG_TRY(rg_mesh_uniform(r->f->ctx, r->c->n_points, r->c->point, N < 1 ? 1 : N,
                           step > 0.0 ? 1 : 3, &N, &t));
    return replace_mesh(r, N, t);
}

/* Which intervals to halve: those with errors above the target and two on each side; all, where
 * these are many or nothing is known.  Returns how many. */
static int64_t choose_halves(rg_bvp_srm_run *r, bool is_known)
{
    enum { BESIDE = 2 };
    int64_t count = 0, bad = 0;

    for (int64_t i = 0; i < r->N; i++)
        bad += !(r->error[i] <= RG_BVP_SRM_TARGET);
    const bool is_all = !is_known || 4 * bad > r->N;
    for (int64_t i = 0; i < r->N; i++) {
        r->is_halved[i] = is_all;
        for (int64_t k = i - BESIDE; k <= i + BESIDE; k++)
            if (k >= 0 && k < r->N && !(r->error[k] <= RG_BVP_SRM_TARGET)) r->is_halved[i] = 1;
        count += r->is_halved[i];
    }
    return count;
}

/* Intervals are only halved, so that neighbours are equal nearly everywhere: where eps << h, Gauss
 * points need that for their order (L (4.6), "an additional condition on the mesh"). */
static rg_status refine(rg_bvp_srm_run *r, bool is_known)
{
    const int64_t more = choose_halves(r, is_known);
    double *t = rg_alloc(r->f->ctx, (size_t)(r->N + more) + 1, sizeof *t);
    int64_t N = 0;

    if (t == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < r->N; i++) {
        t[N++] = r->t[i];
        if (r->is_halved[i]) t[N++] = r->t[i] + 0.5 * (r->t[i + 1] - r->t[i]);
    }
    t[N] = r->t[r->N];
    for (int64_t i = 0; i < N; i++)
        if (t[i + 1] == t[i]) { /* nothing fits between neighbouring numbers */
            rg_free(r->f->ctx, t);
            return RG_RETRY;
        }
    return replace_mesh(r, N, t);
}

static rg_status adapt(rg_bvp_srm_run *r)
{
    double worst = INFINITY, known = INFINITY;
    int idle = 0;

    for (int k = 0; k < RG_BVP_SRM_MESHES; k++) {
        r->result->stats.steps = r->N;
        r->result->stats.rejected = k;
        rg_status status = solve_mesh(r, &worst);
        if (status < 0) return status;
        if (status == RG_OK && (worst <= 1.0 || r->control->step > 0.0)) return RG_OK;
        if (status != RG_OK && (r->control->step > 0.0 || k + 1 >= RG_BVP_SRM_FAILURES)) break;
        idle = worst > RG_BVP_SRM_STANDS_STILL * known
                   ? idle + 1
                   : 0; /* what is left comes from eps, not from the mesh */
        if (idle > 0 && r->control->eps == 0.0 && r->f->has_layer)
            r->result->eps = fmax(RG_BVP_SRM_LESS_EPS * r->result->eps,
                                  RG_BVP_SRM_LEAST_EPS * r->length * r->f->rate);
        if (isfinite(worst)) known = worst;
        if (idle > 2 || 2 * r->N > r->control->max_intervals) break;
        status = refine(r, isfinite(worst));
        if (status < 0) return status;
        if (status != RG_OK) break;
    }
    return r->result->curve != NULL ? rg_bvp_srm_run_fail_mesh(r, known)
                                    : rg_bvp_srm_run_fail_newton(r);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void describe(const rg_bvp_srm_run *r)
{
    const srm_variant *v = &r->f->core->variant;
    rg_bvp_srm_result *q = r->result;
    char layer[64] = "";

    if (q->restarts > 0 && r->control->layer == RG_LAYER_BACK)
        snprintf(layer, sizeof layer, ", %s",
                 r->control->iterations > 0 ? "then as many from the end back"
                                            : "layer removed by shooting back");
    else if (q->restarts > 0)
        snprintf(layer, sizeof layer, ", layer removed in %d restart%s", q->restarts,
                 q->restarts == 1 ? "" : "s");
    if (r->f->method->has_no_eps) {
        snprintf(q->choice, sizeof q->choice, "%s%d, gamma %.4g",
                 r->low.kind == RG_RULE_GAUSS ? "gauss" : "radau", r->low.s, 1.0 / q->eps);
        return;
    }
    snprintf(q->choice, sizeof q->choice, "variant %s: %s%d, eps %.4g, %d iteration%s%s, E = %s",
             v->name, r->low.kind == RG_RULE_GAUSS ? "gauss" : "radau", r->low.s, q->eps,
             q->iterations, q->iterations == 1 ? "" : "s", layer, rg_srm_E_name(v));
    const double width = rg_bvp_srm_layer_width(r->f, q->iterations);
    if (r->f->has_layer && width > rg_bvp_srm_run_layer(r, q->iterations))
        snprintf(q->warning, sizeof q->warning,
                 "eps = %.3g is large: the initial layer, about %.3g, takes much of the interval; "
                 "give --eps %.1g or less",
                 q->eps, width, RG_BVP_SRM_DEFAULT_EPS * r->length * r->f->rate);
}

rg_status rg_bvp_srm_solve_boundary(rg_bvp_srm_field **field, rg_bvp_conditions *c,
                                    const rg_bvp_srm_control *control, const rg_profile *guess,
                                    rg_bvp_srm_result *result)
{
    rg_bvp_srm_run r = {.f = *field, .c = c, .control = control, .guess = guess, .result = result};
    rg_context *ctx = r.f->ctx;

    memset(result, 0, sizeof *result);
    result->field = *field;
    *field = NULL;
    result->estimate = NAN;
    r.length = fabs(c->point[c->n_points - 1] - c->point[0]);
    result->eps = control->eps > 0.0 ? control->eps
                  : r.f->has_layer   ? RG_BVP_SRM_DEFAULT_EPS * r.length * r.f->rate
                                     : r.f->eps;
    r.form = rg_alloc(ctx, (size_t)(c->form->nz + c->form->nx) + 1, sizeof *r.form);
    rg_status status = r.form != NULL ? RG_OK : RG_ERR_MEMORY;
    if (status == RG_OK) status = rg_bvp_srm_nodes_create(r.f, c, &result->nodes);
    r.nodes = result->nodes;
    if (status == RG_OK) status = first_mesh(&r);
    if (status == RG_OK) {
        status = adapt(&r);
        if (status == RG_OK && result->estimate > RG_ESTIMATE_NO_DIGIT && !control->accepts_doubt)
            status = rg_bvp_srm_run_fail_digit(&r);
        describe(&r);
    }
    result->stats.evaluations = r.f->core->evaluations;
    if (result->curve != NULL) result->stats.steps = result->curve->N;
    rg_free(ctx, r.form);
    rg_free(ctx, r.t);
    rg_free(ctx, r.error);
    rg_free(ctx, r.is_halved);
    return status;
}

void rg_bvp_srm_result_clear(rg_bvp_srm_result *r)
{
    if (r->field == NULL) return;
    rg_bvp_srm_result_drop(r->field->ctx, r);
    if (r->second != NULL) rg_bvp_srm_result_drop(r->field->ctx, r->second);
    rg_free(r->field->ctx, r->second);
    rg_bvp_srm_nodes_destroy(&r->nodes);
    rg_bvp_srm_field_destroy(&r->field);
}
