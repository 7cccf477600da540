/* Quasilinearization:  with X(t) the solution so far, moved onto the constraints, and y = y(X) from
 * them,
 *
 *     z' = H(X) + H_z (z - X) - B E (C(X) + C_z (z - X))/eps      and the linearized conditions
 *         L (4.1)
 *
 * gives z; then X := X + lambda (z - X).  Damping: |z - X| may not grow by more than
 * RG_BVP_SRM_PREPARE_GROWTH. */
#include "bvp/srm/prepare.h"

#include "bvp/srm/tuning.h"
#include "bvp/tuning.h"
#include "newton/project.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_bvp_srm_sweep *s;
    rg_bvp_srm_model model;
    double *X, *Z; /* N s n: the accepted reference, and what the linear problem gave */
    double *y, *y_before, *form, *weight; /* y_before: of the accepted step */
    bool has_y;
    uint8_t *is_good; /* per point: away from singular places */
    int64_t n_bad;    /* others */
    double
        near; /* the pivot that counts as near: an error d of X makes one of d/sqrt(pivot) in y */
    double distance; /* of Z from X in the accepted step */
    rg_projector *projector;
} preparation;

static rg_status take_memory(preparation *q)
{
    const rg_curve *it = q->s->it;
    const rg_bvp_form *form = q->s->nodes->conditions->form;
    rg_context *ctx = it->ctx;
    const size_t points = (size_t)(it->N * it->rule.s), n = (size_t)it->nx;

    q->model.X = rg_alloc(ctx, points * n + 1, sizeof(double));
    q->model.F = rg_alloc(ctx, points * n + 1, sizeof(double));
    q->model.M = rg_alloc(ctx, points * n * n + 1, sizeof(double));
    q->X = rg_alloc(ctx, points * n + 1, sizeof(double));
    q->Z = rg_alloc(ctx, points * n + 1, sizeof(double));
    q->y = rg_alloc(ctx, points * (size_t)q->s->field->n_y + 1, sizeof(double));
    q->y_before = rg_alloc(ctx, points * (size_t)q->s->field->n_y + 1, sizeof(double));
    q->is_good = rg_alloc(ctx, points + 1, sizeof *q->is_good);
    q->form = rg_alloc(ctx, (size_t)form->nz + 1, sizeof(double));
    q->weight = rg_alloc(ctx, (size_t)form->nz + 1, sizeof(double));
    if (!q->model.X || !q->model.F || !q->model.M || !q->X || !q->Z || !q->y || !q->y_before
        || !q->is_good || !q->form || !q->weight)
        return RG_ERR_MEMORY;
    if (form->n_invariants == 0) return RG_OK;
    return rg_projector_create(ctx, form->invariants.assembly, &q->projector);
}

static void release(preparation *q)
{
    double *const arrays[] = {q->model.X, q->model.F, q->model.M, q->X, q->Z, q->form, q->weight};

    rg_projector_destroy(&q->projector);
    rg_free(q->s->field->ctx, q->is_good);
    rg_free(q->s->field->ctx, q->y);
    rg_free(q->s->field->ctx, q->y_before);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(q->s->field->ctx, arrays[k]);
}

/* Sizes of z; what is zero so far has none, and differences are taken over the usual one. */
static void rescale(rg_bvp_srm_sweep *s)
{
    const rg_bvp_newton *n = &s->newton;

    rg_bvp_newton_scale(n, s->it, NULL);
    for (int k = 0; k < s->it->nx; k++)
        if (n->size[k] == 0.0) n->scale[k] = fmax(n->scale[k], n->control.floor);
}

/* Onto the (hidden) constraints by the least change; stays where that fails. */
static rg_status put_on_constraints(preparation *q, double t, double *z)
{
    const rg_bvp_srm_nodes *nodes = q->s->nodes;
    const rg_bvp_form *form = nodes->conditions->form;

    if (q->projector == NULL) return RG_OK;
    rg_bvp_srm_nodes_give(nodes, z, q->form);
    rg_bvp_srm_nodes_give(nodes, q->s->newton.scale, q->weight);
    const rg_status status = rg_projector_run(q->projector, t, q->weight, form->nx, q->form);
    if (status == RG_OK) rg_bvp_srm_nodes_take(nodes, q->form, q->form + form->nx, z);
    return status < 0 ? status : RG_OK;
}

/* X := X + lambda (Z - X), moved onto the constraints. */
static rg_status move(preparation *q, double lambda)
{
    const rg_curve *it = q->s->it;
    const int n = it->nx;

    for (int64_t a = 0; a < it->N * it->rule.s; a++) {
        double *X = q->model.X + a * n;
        for (int k = 0; k < n; k++)
            X[k] = q->X[a * n + k] + lambda * (q->Z[a * n + k] - q->X[a * n + k]);
        RG_TRY(put_on_constraints(q, rg_curve_time(it, a), X));
    }
    return RG_OK;
}

/* Those that another curve carries. */
static void take_multipliers(preparation *q, const rg_curve *from)
{
    const rg_curve *it = q->s->it;
    const int m = q->s->field->n_y;

    for (int64_t a = 0; a < it->N * it->rule.s; a++) {
        const double t = rg_curve_time(it, a);
        rg_curve_eval(from, rg_curve_find(from, t), t, q->s->linear->X, NULL, q->y_before + a * m);
    }
    q->has_y = true;
}

/* The multipliers from which the iteration begins. */
static rg_status first_multipliers(preparation *q)
{
    const rg_curve *it = q->s->it;
    rg_bvp_srm_field *f = q->s->field;
    const rg_bvp_srm_point *at = &q->s->nodes->at;

    for (int64_t a = 0; a < it->N * it->rule.s; a++) {
        const rg_status status = rg_bvp_srm_field_exact(f, rg_curve_time(it, a),
                                                        q->model.X + a * it->nx, &q->s->nodes->at);
        f->core->evaluations++;
        if (status < 0) return status;
        q->is_good[a] = status == RG_OK && at->pivot > q->near;
        for (int k = 0; k < f->n_y; k++)
            q->y[a * f->n_y + k] = q->is_good[a] ? at->y[k] : 0.0;
    }
    rg_curve_bridge(it, f->n_y, q->is_good, q->y);
    return RG_OK;
}

/* The point a, at the multipliers at hand, which move (is_balanced) or not. */
static rg_status linearize_point(preparation *q, int64_t a, bool is_balanced)
{
    const rg_curve *it = q->s->it;
    const int n = it->nx;
    rg_bvp_srm_field *f = q->s->field;

    return rg_bvp_srm_field_linearize(f, rg_curve_time(it, a), q->model.X + a * n,
                                      q->s->newton.scale, q->y + a * f->n_y, is_balanced,
                                      q->model.F + a * n, q->model.M + a * n * n, &q->s->nodes->at);
}

/* The iterates carry By, which is known along with y: f is linear in it. */
static bool carries_By(const rg_bvp_srm_field *f)
{
    return f->core->variant.carry == SRM_CARRY_BY && f->y == NULL;
}

/* Newton's method for x and y at once: y follows the hidden constraint as x the others.  Near
 * singular places y is interpolated. */
static rg_status linearize(preparation *q, double lambda)
{
    const rg_curve *it = q->s->it;
    const rg_bvp_srm_field *f = q->s->field;
    const int64_t points = it->N * it->rule.s;

    q->n_bad = 0;
    RG_TRY(move(q, lambda));
    memcpy(q->y, q->y_before, (size_t)(points * f->n_y) * sizeof *q->y);
    if (!q->has_y) RG_TRY(first_multipliers(q));
    q->has_y = true;
    for (int64_t a = 0; a < points; a++) {
        const rg_status status = linearize_point(q, a, true);
        if (status < 0) return status;
        q->is_good[a] = status == RG_OK && q->s->nodes->at.pivot > q->near;
        q->n_bad += !q->is_good[a];
        if (q->is_good[a] && carries_By(f))
            memcpy(it->w + a * it->n, q->s->nodes->at.By, (size_t)it->n * sizeof *it->w);
    }
    rg_curve_bridge(it, f->n_y, q->is_good, q->y);
    if (carries_By(f)) rg_curve_bridge(it, it->n, q->is_good, it->w);
    for (int64_t a = 0; a < points; a++)
        if (!q->is_good[a]) RG_TRY(linearize_point(q, a, false));
    return RG_OK;
}

/* Solves it: `it` moves; *distance: |Z - X| over the scale of each component. */
static rg_status solve(preparation *q, double *distance)
{
    rg_bvp_newton *newton = &q->s->newton;
    rg_condensed *linear = q->s->linear;
    rg_curve *it = q->s->it;
    const int n = it->nx, s = it->rule.s;

    q->s->model = &q->model;
    const rg_status status = rg_condensed_correct(linear, it, true, newton->D);
    q->s->model = NULL;
    linear->has_factors = false;
    RG_TRY(status);
    rg_curve_add(it, 1.0, newton->D, it);
    rescale(q->s);
    *distance = 0.0;
    for (int64_t a = 0; a < it->N * s; a++) {
        rg_curve_stage(it, a / s, (int)(a % s), linear->X);
        for (int k = 0; k < n; k++) {
            const double miss = linear->X[k] - q->model.X[a * n + k];
            if (!(fabs(miss) / newton->scale[k] <= *distance))
                *distance = fabs(miss) / newton->scale[k];
        }
    }
    return isfinite(*distance) ? RG_OK : RG_RETRY;
}

/* X and Z of the accepted step. */
static void accept(preparation *q)
{
    const rg_curve *it = q->s->it;
    const int n = it->nx, s = it->rule.s;

    memcpy(q->X, q->model.X, (size_t)(it->N * s * n) * sizeof *q->X);
    memcpy(q->y_before, q->y, (size_t)(it->N * s * q->s->field->n_y) * sizeof *q->y);
    for (int64_t a = 0; a < it->N * s; a++)
        rg_curve_stage(it, a / s, (int)(a % s), q->Z + a * n);
}

static rg_status iterate(preparation *q)
{
    double last = INFINITY, distance = INFINITY, lambda = 1.0;
    int64_t bad = 0; /* points near singular places in the step before */
    rg_context *ctx = q->s->field->ctx;

    for (int k = 0; k < q->s->newton.control.most; k++) {
        RG_TRY(rg_newton_poll(ctx));
        rg_status status = linearize(q, lambda);
        if (status == RG_OK) status = solve(q, &distance);
        if (status < 0) return status;
        rg_log(ctx, 2, "srm: quasilinearization %d, factor %.3g: distance %.3g", k, lambda,
               status == RG_OK ? distance : INFINITY);
        if (status == RG_OK && distance <= RG_BVP_SRM_PREPARE_GROWTH * last) {
            accept(q);
            q->distance = distance;
            const double near =
                fmax(fmin(RG_BVP_SRM_NEAR, 100.0 * distance * distance), RG_BVP_SRM_NEAREST);
            const bool is_same = near >= q->near || q->n_bad == 0; /* y would come out the same */
            const bool stands_still = distance > RG_BVP_SRM_STANDS_STILL * last && q->n_bad == bad;
            if (is_same
                && (distance <= RG_BVP_SRM_PREPARE_NEAR
                    || (distance <= RG_BVP_SRM_PREPARE_GOOD && stands_still)))
                return RG_OK;
            bad = q->n_bad;
            last = distance;
            q->near = near;
            lambda = fmin(1.0, 2.0 * lambda);
            continue;
        }
        if (last <= RG_BVP_SRM_PREPARE_GOOD && status == RG_OK) return RG_OK;
        lambda *= 0.5;
        if (lambda < RG_BVP_DAMPING_LEAST || isinf(last)) return RG_RETRY;
    }
    return RG_RETRY;
}

/* What the first iterate is to carry: the multipliers of the last step, where X and Z are as good
 * as the same. */
static void seed(preparation *q)
{
    rg_bvp_srm_sweep *s = q->s;
    const size_t count = (size_t)(s->it->N * s->it->rule.s * s->it->n);

    if (!(q->distance <= s->near_enough) || !s->field->has_layer) return;
    if (!s->field->carries_y && !carries_By(s->field)) return;
    if (s->field->carries_y) memcpy(s->it->w, q->y, count * sizeof *s->it->w);
    s->has_c = s->is_seeded = true;
}

rg_status rg_bvp_srm_prepare(rg_bvp_srm_sweep *s, const rg_curve *from, double near)
{
    preparation q = {.s = s, .near = near, .distance = INFINITY};
    rg_curve *it = s->it;
    rg_status status = take_memory(&q);

    if (status == RG_OK) {
        rescale(s);
        for (int64_t a = 0; a < it->N * it->rule.s; a++)
            rg_curve_stage(it, a / it->rule.s, (int)(a % it->rule.s), q.model.X + a * it->nx);
        accept(&q);
        if (from != NULL && s->field->carries_y) take_multipliers(&q, from);
        status = iterate(&q);
    }
    if (status == RG_OK) seed(&q);
    release(&q);
    return status;
}
