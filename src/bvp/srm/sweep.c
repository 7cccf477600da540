/* The iterates of sequential regularization on one mesh. */
#include "bvp/srm/sweep.h"
#include "bvp/srm/tuning.h"

#include <math.h>
#include <string.h>

/* Evaluations up to rg_srm_core's next one are at collocation point q, or (-1) anywhere. */
static void point_to(const rg_bvp_srm_sweep *s, int64_t q)
{
    rg_srm_core *c = s->field->core;

    c->record = q >= 0 && s->records != NULL ? s->records + (size_t)q * s->record_size : NULL;
    c->is_recorded = q >= 0 && s->records != NULL ? s->is_recorded + q : NULL;
}

/* Z' = F(t, Z; c):  K = dF/dz,  r = F - Z'. */
static rg_status stage(void *user, const rg_curve *it, int64_t q, double t, double *Z, bool is_new,
                       double *K, double *r)
{
    const rg_bvp_srm_sweep *s = user;
    const double *before = s->before != NULL ? s->before + q * it->n : NULL;
    const int n = it->nx;
    rg_status status = RG_OK;

    if (s->model != NULL) {
        const double *X = s->model->X + q * n;
        memcpy(K, s->model->M + q * n * n, (size_t)(n * n) * sizeof *K);
        memcpy(r, s->model->F + q * n, (size_t)n * sizeof *r);
        for (int c = 0; c < n; c++)
            for (int k = 0; k < n; k++)
                r[k] += K[c * n + k] * (Z[c] - X[c]);
    } else {
        point_to(s, q);
        status = is_new ? rg_bvp_srm_field_jacobian(s->field, t, Z, before, s->newton.scale, r, K)
                        : rg_bvp_srm_field_eval(s->field, t, Z, before, r, NULL);
        point_to(s, -1);
    }
    RG_TRY(status);
    s->linear->stats->jacobians += is_new;
    for (int k = 0; k < n; k++)
        r[k] -= it->Xp[q * n + k];
    return RG_OK;
}

static rg_status conditions(void *user, const rg_curve *it, bool is_new, double *B, double *beta)
{
    const rg_bvp_srm_sweep *s = user;

    RG_TRY(rg_bvp_srm_nodes_eval(s->nodes, it, s->newton.scale, beta, is_new ? B : NULL));
    for (int k = 0; k < it->nx; k++)
        beta[k] = -beta[k];
    return RG_OK;
}

static rg_status correct(void *user, const rg_curve *at, bool is_new, rg_curve *delta)
{
    return rg_condensed_correct(((rg_bvp_srm_sweep *)user)->linear, at, is_new, delta);
}

/* How large z would be if nothing cancelled in its derivative: the length of the interval times
 * |K| |Z|. */
static void find_natural(void *user, const rg_curve *at, double *u, double *natural)
{
    const rg_bvp_srm_sweep *s = user;
    const int n = at->nx;
    const double length = fabs(at->t[at->N] - at->t[0]);

    memset(natural, 0, 2 * (size_t)(n + at->n) * sizeof *natural);
    for (int64_t q = 0; q < at->N * at->rule.s; q++) {
        const double *K = s->linear->K + q * n * n;
        rg_curve_stage(at, q / at->rule.s, (int)(q % at->rule.s), u);
        for (int k = 0; k < n; k++) {
            double sum = 0.0;
            for (int c = 0; c < n; c++)
                sum += fabs(K[c * n + k] * u[c]);
            natural[k] = fmax(natural[k], length * sum);
        }
    }
}

static rg_status make_linear(rg_bvp_srm_sweep *s, rg_stats *stats)
{
    const rg_bvp_srm_field *f = s->field;

    for (int k = f->n_x; k < f->n_z; k++)
        s->order[k] = 1;
    return rg_condensed_create(
        &(rg_collocation_field){
            .user = s,
            .chains = {.n = f->n_z, .nx = f->n_z},
            .order = s->order,
            .n_given = f->n_z - f->order * f->n_y,
            .stage = stage,
            .conditions = conditions
    },
        s->it, stats, &s->linear);
}

static rg_status make_records(rg_bvp_srm_sweep *s)
{
    const rg_bvp_srm_field *f = s->field;
    const size_t points = (size_t)(s->it->N * s->it->rule.s);

    if (!f->is_linear || !rg_srm_can_record(f->core)) return RG_OK;
    s->record_size = rg_srm_record_size(f->core);
    s->records = rg_alloc(f->ctx, points * s->record_size + 1, sizeof *s->records);
    s->is_recorded = rg_alloc(f->ctx, points + 1, sizeof *s->is_recorded);
    return s->records != NULL && s->is_recorded != NULL ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_bvp_srm_sweep_create(rg_bvp_srm_field *f, rg_bvp_srm_nodes *nodes, rg_curve *it,
                                  rg_stats *stats, rg_bvp_srm_sweep **out)
{
    rg_bvp_srm_sweep *s = rg_alloc(f->ctx, 1, sizeof *s);

    *out = NULL;
    if (s == NULL) return RG_ERR_MEMORY;
    *s = (rg_bvp_srm_sweep){.field = f, .nodes = nodes, .it = it};
    s->newton.user = s;
    s->newton.correct = correct;
    s->newton.find_natural = find_natural;
    s->past = rg_alloc(f->ctx, (size_t)(it->N + 1) * (size_t)it->nx + 1, sizeof *s->past);
    s->carried = rg_alloc(f->ctx, (size_t)(it->n + it->nx) + 1, sizeof *s->carried);
    s->order = rg_alloc(f->ctx, (size_t)f->n_z + 1, sizeof *s->order);
    rg_status status = s->past && s->carried && s->order ? RG_OK : RG_ERR_MEMORY;
    if (status == RG_OK) status = make_records(s);
    if (status == RG_OK) status = make_linear(s, stats);
    if (status == RG_OK) status = rg_bvp_newton_init(&s->newton, it);
    if (status == RG_OK)
        *out = s;
    else
        rg_bvp_srm_sweep_destroy(&s);
    return status;
}

void rg_bvp_srm_sweep_destroy(rg_bvp_srm_sweep **sweep)
{
    rg_bvp_srm_sweep *s = *sweep;

    if (s == NULL) return;
    rg_context *ctx = s->field->ctx;
    rg_condensed_destroy(&s->linear);
    rg_bvp_newton_clear(&s->newton);
    rg_free(ctx, s->past);
    rg_free(ctx, s->carried);
    rg_free(ctx, s->order);
    rg_free(ctx, s->records);
    rg_free(ctx, s->is_recorded);
    rg_free(ctx, s);
    *sweep = NULL;
}

rg_status rg_bvp_srm_sweep_seed(rg_bvp_srm_sweep *s)
{
    rg_curve *it = s->it;
    double *Z = s->linear->X;
    const rg_bvp_srm_point *at = &s->nodes->at;
    const int k = it->rule.s;

    if (!s->field->has_layer) return RG_OK;
    uint8_t *is_good = rg_alloc(it->ctx, (size_t)(it->N * k) + 1, sizeof *is_good);
    rg_status status = is_good != NULL ? RG_OK : RG_ERR_MEMORY;
    for (int64_t a = 0; a < it->N * k && status >= RG_OK; a++) {
        const double t = rg_curve_stage(it, a / k, (int)(a % k), Z);
        status = rg_bvp_srm_field_exact(s->field, t, Z, &s->nodes->at);
        s->field->core->evaluations++;
        is_good[a] = status == RG_OK && at->pivot > RG_BVP_SRM_NEAREST;
        if (is_good[a])
            memcpy(it->w + a * it->n, s->field->carries_y ? at->y : at->By,
                   (size_t)it->n * sizeof *it->w);
    }
    if (status >= RG_OK) rg_curve_bridge(it, it->n, is_good, it->w);
    rg_free(it->ctx, is_good);
    s->has_c = s->is_seeded = status >= RG_OK;
    return status < 0 ? status : RG_OK;
}

/* c_ij := what this iterate carries, L (4.3). */
static rg_status hand_over(rg_bvp_srm_sweep *s)
{
    rg_curve *it = s->it;
    double *Z = s->linear->X, *F = s->carried + it->n;

    for (int64_t i = 0; i < it->N; i++)
        for (int j = 0; j < it->rule.s; j++) {
            double *c = rg_curve_w(it, i, j);
            const double t = rg_curve_stage(it, i, j, Z);
            point_to(s, i * it->rule.s + j);
            const rg_status status =
                rg_bvp_srm_field_eval(s->field, t, Z, s->has_c ? c : NULL, F, s->carried);
            point_to(s, -1);
            RG_TRY(status);
            memcpy(c, s->carried, (size_t)it->n * sizeof *c);
        }
    s->has_c = true;
    s->is_due = false;
    return RG_OK;
}

rg_status rg_bvp_srm_sweep_solve(rg_bvp_srm_sweep *s)
{
    s->before = s->has_c ? s->it->w : NULL;
    return rg_bvp_newton_solve(&s->newton, s->linear->has_factors, s->it);
}

rg_status rg_bvp_srm_sweep_next(rg_bvp_srm_sweep *s)
{
    rg_curve *it = s->it;

    memcpy(s->past, it->x, (size_t)(it->N + 1) * (size_t)it->nx * sizeof *s->past);
    if (s->is_due) RG_TRY(hand_over(s));
    RG_TRY(rg_bvp_srm_sweep_solve(s));
    s->is_due = s->is_seeded; /* without a layer to remove only another iterate asks for it */
    if (!s->is_due) RG_TRY(hand_over(s));
    s->n_iterations++;
    return RG_OK;
}

double rg_bvp_srm_sweep_change(const rg_bvp_srm_sweep *s, double from)
{
    const rg_curve *it = s->it;
    double change = 0.0;

    for (int64_t i = 0; i <= it->N; i++) {
        if (fabs(it->t[i] - it->t[0]) < from) continue;
        for (int k = 0; k < it->nx; k++) {
            const int64_t at = i * it->nx + k;
            change = fmax(change, fabs(it->x[at] - s->past[at]) / s->newton.scale[k]);
        }
    }
    return change;
}
