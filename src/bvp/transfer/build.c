/* The linear problem at hand: conditions sorted, fields and sweeps made, conditions carried,
 * forwards and backwards in two threads. */
#include "bvp/transfer/transfer_impl.h"

#include "base/context.h"
#include "bvp/transfer/tuning.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

static rg_sweep_scheme scheme_of(const rg_options *o)
{
    if (strcmp(o->scheme, "radau") == 0) return RG_SWEEP_RADAU;
    return strcmp(o->scheme, "bdf") == 0 ? RG_SWEEP_BDF : RG_SWEEP_GAUSS;
}

/* A second context, for the second thread; without one (an allocator of the caller's) both share
 * the first. */
static rg_status add_worker(rg_transfer *t)
{
    rg_worker *w = &t->worker[1];
    rg_context *own = w->own;
    rg_status status = RG_OK;

    if (w->linear == NULL) {
        if (t->ctx->allocate == rg_default_realloc) RG_TRY(rg_context_create(&own));
        w->own = own;
        status = rg_worker_open(t, own != NULL ? own : t->ctx, own, w);
    }
    if (status == RG_OK) status = rg_worker_start(w);
    if (status != RG_OK && own != NULL) {
        const rg_error *e = rg_last_error(own);
        rg_fail(t->ctx, e->code, "%s", e->message);
        rg_remedy(t->ctx, "%s", e->remedy);
    }
    return status;
}

bool rg_transfer_is_judged(const rg_transfer *t)
{
    const rg_options *o = &t->options;

    return t->quasi == NULL && o->step == 0.0 && scheme_of(o) == RG_SWEEP_GAUSS
           && strcmp(o->variant, "16") != 0 && strcmp(o->initial, "8ab") != 0;
}

/* The smallest |g|/|C| of the conditions, at most 1, in the units of the unknowns: a solution that
 * grows by powers of ten from there is carried with relative errors. */
static double least_data(const rg_transfer *t)
{
    double least = 1.0;

    for (int k = 0; k < t->n_groups; k++)
        for (int i = 0; i < t->groups[k].k; i++) {
            double length = 0.0;
            for (int j = 0; j < t->size; j++)
                length = hypot(length, t->groups[k].C[i * t->size + j]);
            const double size = fabs(t->groups[k].g[i]) / length;
            if (size > 0.0) least = fmin(least, size);
        }
    return least;
}

static rg_status add_sweeps(rg_transfer *t)
{
    const rg_options *o = &t->options;
    const rg_sweep_scheme scheme = scheme_of(o);
    const int stages =
        o->stages == 0 && scheme == RG_SWEEP_GAUSS ? RG_TRANSFER_DEFAULT_STAGES : o->stages;
    const bool is_judged = rg_transfer_is_judged(t);
    rg_sweep_options options = {.scheme = scheme,
                                .rtol = o->rtol,
                                .atol = t->has_units ? o->rtol * least_data(t) : o->atol,
                                .length = t->high - t->low,
                                .step = o->step,
                                .h_first = o->h_first,
                                .h_max = o->h_max,
                                .has_kinks = t->linearity.has_kinks,
                                .n_breaks = t->n_breaks,
                                .breaks = t->breaks,
                                .n_cells = is_judged ? t->scene->n_cells : 0,
                                .cells = t->scene->cells,
                                .n_tails = t->n_tails,
                                .tails = t->tails,
                                .pulses = t->pulses,
                                .max_steps = o->max_steps,
                                .stages = stages,
                                .variant = strcmp(o->variant, "16") == 0 ? 16 : 14,
                                .is_judged = is_judged,
                                .may_be_riccati = is_judged && strcmp(o->scheme, "auto") == 0,
                                .is_recorded = t->quasi != NULL,
                                .is_normalised = t->quasi != NULL || strcmp(o->initial, "8ab") != 0,
                                .parent = t->ctx,
                                .is_stopped = &t->is_stopped};

    options.is_renormalised = options.is_normalised && strcmp(o->variant, "auto") == 0;
    for (int k = 0; k < t->n_groups; k++) {
        rg_group *g = &t->groups[k];
        if (g->k == 0) continue;
        if (g->t < t->high)
            RG_TRY(rg_sweep_create(t->worker[0].field, &options, g->t, t->high, g->k, g->C, g->g,
                                   &g->forward));
        if (g->t > t->low)
            RG_TRY(rg_sweep_create(t->worker[1].field, &options, g->t, t->low, g->k, g->C, g->g,
                                   &g->backward));
    }
    return RG_OK;
}

/* Kinks, or the points of the curves, which have the kinks among them, and pulses; folded: mirrored
 * too. */
static rg_status find_breaks(rg_transfer *t)
{
    const double *from = t->now != NULL ? t->now->point : t->kinks;
    const int64_t n = t->now != NULL ? rg_transfer_curve_points(t->now) : t->n_kinks;

    t->pulses = t->scene->pulses;
    if (t->is_folded)
        RG_TRY(rg_bvp_pulses_fold(t->ctx, &t->scene->pulses, fmin(t->a, t->b), fmax(t->a, t->b),
                                  &t->pulses));
    if (n == 0) return RG_OK;
    if ((t->breaks = rg_alloc(t->ctx, 2 * (size_t)n, sizeof *t->breaks)) == NULL)
        return RG_ERR_MEMORY;
    memcpy(t->breaks, from, (size_t)n * sizeof *from);
    for (int64_t k = 0; k < n && t->is_folded; k++)
        t->breaks[n + k] = t->a + t->b - from[k];
    t->n_breaks = t->is_folded ? 2 * n : n;
    return RG_OK;
}

/* The conditions of the model as rows, with what the curves say where it is not linear. */
static rg_status make_rows(rg_transfer *t)
{
    rg_transfer_rows_destroy(&t->conditions);
    RG_TRY(rg_transfer_rows_create(t->problem, rg_linear_states(t->worker[0].linear), t->frozen,
                                   t->now, &t->conditions));
    rg_transfer_rows_scale(t->conditions, t->unit);
    return rg_transfer_rows_resolve(t->conditions, t->problem, rg_worker_model, &t->worker[0]);
}

rg_status rg_transfer_build(rg_transfer *t)
{
    RG_TRY(make_rows(t));
    RG_TRY(rg_groups_create(t));
    const size_t n = (size_t)t->size;
    t->U = rg_alloc(t->ctx, n * (n + 1), sizeof *t->U);
    t->V = rg_alloc(t->ctx, 4 * n * n, sizeof *t->V);
    t->s = rg_alloc(t->ctx, n + 1, sizeof *t->s);
    t->H = rg_alloc(t->ctx, n + 1, sizeof *t->H);
    if (t->U == NULL || t->V == NULL || t->s == NULL || t->H == NULL) return RG_ERR_MEMORY;
    RG_TRY(add_worker(t));
    RG_TRY(find_breaks(t));
    RG_TRY(rg_transfer_find_features(t));
    return add_sweeps(t);
}

void rg_transfer_unbuild(rg_transfer *t)
{
    double **const all[] = {&t->U,    &t->V,      &t->s,     &t->H,    &t->y,
                            &t->mesh, &t->breaks, &t->tails, &t->known};

    t->past = rg_transfer_facts(t).stats;
    rg_groups_destroy(t);
    rg_field_destroy(&t->worker[0].field);
    rg_field_destroy(&t->worker[1].field);
    rg_transfer_rows_destroy(&t->conditions);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        rg_free(t->ctx, *all[k]);
        *all[k] = NULL;
    }
    if (t->is_folded) rg_free(t->ctx, t->pulses.list);
    t->pulses = (rg_bvp_pulses){.n = 0};
    t->n_mesh = t->n_breaks = t->n_tails = 0;
    t->worst_condition = t->told_inverse = 0.0;
}

/* ---- the run --------------------------------------------------------------------------------- */

typedef struct {
    rg_transfer *t;
    bool is_backward, is_replay;
    rg_status status;
} direction;

static void *run_direction(void *user)
{
    direction *d = user;

    for (int k = 0; k < d->t->n_groups && d->status == RG_OK; k++) {
        const rg_group *group = &d->t->groups[k];
        rg_sweep *s = d->is_backward ? group->backward : group->forward;
        if (s != NULL) d->status = d->is_replay ? rg_sweep_replay(s, group->g) : rg_sweep_run(s);
    }
    if (d->status < 0) atomic_store(&d->t->is_stopped, true);
    return NULL;
}

/* A failure of the second thread, told again in the context of the problem. */
static void pass_error(const rg_transfer *t)
{
    const rg_error *e = t->worker[1].own != NULL ? rg_last_error(t->worker[1].own) : NULL;

    if (e == NULL || e->code >= 0 || rg_last_error(t->ctx)->code < 0) return;
    rg_fail(t->ctx, e->code, "%s", e->message);
    if (!isnan(e->t)) rg_fail_time(t->ctx, e->t);
    rg_remedy(t->ctx, "%s", e->remedy);
}

static rg_status run_both(rg_transfer *t, bool is_replay)
{
    direction forward = {t, false, is_replay, RG_OK}, backward = {t, true, is_replay, RG_OK};
    pthread_t thread;

    atomic_store(&t->is_stopped, false);
    const bool is_beside =
        t->worker[1].own != NULL && pthread_create(&thread, NULL, run_direction, &backward) == 0;
    run_direction(&forward);
    if (is_beside)
        pthread_join(thread, NULL);
    else if (forward.status == RG_OK)
        run_direction(&backward);
    /* the one that failed first speaks */
    const bool is_later = forward.status == RG_ERR_INTERRUPTED && backward.status < 0
                          && backward.status != RG_ERR_INTERRUPTED;
    if (is_later) rg_clear_error(t->ctx);
    if (forward.status != RG_OK && !is_later) return forward.status;
    if (backward.status < 0) pass_error(t);
    return backward.status;
}

rg_status rg_transfer_carry(rg_transfer *t)
{
    return run_both(t, false);
}

rg_status rg_transfer_recarry(rg_transfer *t)
{
    RG_TRY(make_rows(t));
    RG_TRY(rg_groups_refresh(t));
    return run_both(t, true);
}
