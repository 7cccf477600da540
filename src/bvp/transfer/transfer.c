/* The driver: read the model, sort the conditions, carry them, answer questions. */
#include "bvp/transfer/transfer_impl.h"

#include "base/context.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_STAGES = 4, MOST_STATES = 1000 }; /* matrices are dense */

static rg_status check_fit(const rg_problem *p, const rg_analysis *a)
{
    if (p->n_blocks == 0) {
        rg_fail(p->ctx, RG_ERR_METHOD,
                "'transfer' needs a model from text, to see that it is linear");
        return rg_remedy(p->ctx, "write the model as text");
    }
    if (!p->is_boundary) {
        rg_fail(p->ctx, RG_ERR_METHOD,
                "'transfer' solves boundary value problems; all data of this "
                "model is at the start");
        return rg_remedy(p->ctx, "leave --method out, or take --method radau");
    }
    if (p->n > MOST_STATES) {
        rg_fail(p->ctx, RG_ERR_METHOD, "'transfer' takes at most %d unknowns; this model has %lld",
                MOST_STATES, (long long)p->n);
        return rg_remedy(p->ctx, "take --method collocation");
    }
    if (a->index <= 1 && a->n_redundant == 0) return RG_OK;
    rg_fail(p->ctx, RG_ERR_METHOD, "'transfer' solves problems of index 1; this model has index %d",
            a->index);
    return rg_remedy(p->ctx, "take --method collocation, or differentiate the constraints");
}

static rg_status check_options(const rg_problem *p, const rg_options *o)
{
    const char *v = o->variant, *scheme = o->scheme;

    if (strcmp(v, "auto") != 0 && strcmp(v, "14") != 0 && strcmp(v, "16") != 0) {
        rg_fail(p->ctx, RG_ERR_METHOD, "'transfer' has no variant '%s'", v);
        return rg_remedy(p->ctx, "give --variant 14 or 16");
    }
    if (strcmp(scheme, "bdf") == 0 && o->step > 0.0) {
        rg_fail(p->ctx, RG_ERR_METHOD, "'bdf' chooses its steps itself; no fixed step can be kept");
        return rg_remedy(p->ctx, "leave --step out, or take --scheme gauss or radau");
    }
    if (strcmp(scheme, "gauss") == 0 || strcmp(scheme, "auto") == 0) {
        if (o->stages <= RG_GAUSS_STAGES_MAX) return RG_OK;
        rg_fail(p->ctx, RG_ERR_METHOD, "the Gauss steps of 'transfer' have 1 to 4 stages, not %d",
                o->stages);
        return rg_remedy(p->ctx, "give --stages from 1 to 4");
    }
    if (strcmp(scheme, "radau") == 0 || strcmp(scheme, "bdf") == 0) return RG_OK;
    rg_fail(p->ctx, RG_ERR_METHOD, "'transfer' has no scheme '%s'", scheme);
    return rg_remedy(p->ctx, "give --scheme gauss, radau or bdf");
}

static rg_sweep_scheme scheme_of(const rg_options *o)
{
    if (strcmp(o->scheme, "radau") == 0) return RG_SWEEP_RADAU;
    return strcmp(o->scheme, "bdf") == 0 ? RG_SWEEP_BDF : RG_SWEEP_GAUSS;
}

static rg_status set_up(rg_transfer *t)
{
    rg_problem view = *t->problem;

    RG_TRY(rg_linearity_require(t->problem, "transfer", &t->linearity));
    RG_TRY(rg_linear_create(&view, t->linearity.is_varying, &t->worker[0].linear));
    t->m = t->size = (int)rg_linear_states(t->worker[0].linear)->n_states;
    RG_TRY(
        rg_transfer_rows_create(t->problem, rg_linear_states(t->worker[0].linear), &t->conditions));
    RG_TRY(rg_transfer_rows_resolve(t->conditions, t->problem, t->worker[0].linear));
    RG_TRY(rg_groups_create(t));
    const size_t n = (size_t)t->size;
    t->U = rg_alloc(t->ctx, n * (n + 1), sizeof *t->U);
    t->V = rg_alloc(t->ctx, 2 * n * n, sizeof *t->V);
    t->s = rg_alloc(t->ctx, n + 1, sizeof *t->s);
    t->H = rg_alloc(t->ctx, n + 1, sizeof *t->H);
    return t->U == NULL || t->V == NULL || t->s == NULL || t->H == NULL ? RG_ERR_MEMORY : RG_OK;
}

/* A second context, for the second thread; without one (an allocator of the caller's) both share the first. */
static rg_status add_worker(rg_transfer *t)
{
    rg_context *own = NULL;

    if (t->ctx->allocate == rg_default_realloc) RG_TRY(rg_context_create(&own));
    t->worker[1].own = own;
    const rg_status status = rg_worker_init(t, own != NULL ? own : t->ctx, own, &t->worker[1]);
    if (status != RG_OK && own != NULL) {
        const rg_error *e = rg_last_error(own);
        rg_fail(t->ctx, e->code, "%s", e->message);
        rg_remedy(t->ctx, "%s", e->remedy);
    }
    return status;
}

static rg_status add_sweeps(rg_transfer *t)
{
    const rg_options *o = &t->options;
    const rg_sweep_scheme scheme = scheme_of(o);
    const int stages = o->stages == 0 && scheme == RG_SWEEP_GAUSS ? DEFAULT_STAGES : o->stages;
    const rg_sweep_options options = {.scheme = scheme,
                                      .rtol = o->rtol,
                                      .atol = o->atol,
                                      .length = t->high - t->low,
                                      .step = o->step,
                                      .h_first = o->h_first,
                                      .h_max = o->h_max,
                                      .has_kinks = t->linearity.has_kinks,
                                      .n_breaks = t->n_breaks,
                                      .breaks = t->breaks,
                                      .max_steps = o->max_steps,
                                      .stages = stages,
                                      .variant = strcmp(o->variant, "16") == 0 ? 16 : 14,
                                      .is_normalised = strcmp(o->initial, "8ab") != 0,
                                      .parent = t->ctx};

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

static rg_status find_breaks(rg_transfer *t)
{
    const double low = fmin(t->a, t->b), high = fmax(t->a, t->b);

    if (!t->linearity.has_kinks) return RG_OK;
    RG_TRY(rg_linear_breaks(t->problem, rg_linear_states(t->worker[0].linear), low, high,
                            &t->n_breaks, &t->breaks));
    if (!t->is_folded || t->n_breaks == 0) return RG_OK;
    double *both = rg_resize(t->ctx, t->breaks, 2 * (size_t)t->n_breaks, sizeof *both);
    if (both == NULL) return RG_ERR_MEMORY;
    t->breaks = both;
    for (int64_t k = 0; k < t->n_breaks; k++)
        both[t->n_breaks + k] = t->a + t->b - both[k];
    t->n_breaks *= 2;
    return RG_OK;
}

rg_status rg_transfer_create(rg_problem *p, const rg_analysis *a, double t_end, const rg_options *o,
                             rg_transfer **out)
{
    rg_transfer *t;
    rg_status status;

    *out = NULL;
    RG_TRY(check_fit(p, a));
    RG_TRY(check_options(p, o));
    if ((t = rg_alloc(p->ctx, 1, sizeof *t)) == NULL) return RG_ERR_MEMORY;
    t->ctx = p->ctx;
    t->problem = p;
    t->options = *o;
    t->a = p->a;
    t->b = t_end;
    t->low = fmin(p->a, t_end);
    t->high = fmax(p->a, t_end);
    t->worker[0].ctx = p->ctx;
    status = set_up(t);
    if (status == RG_OK) status = add_worker(t);
    if (status == RG_OK) status = find_breaks(t);
    if (status == RG_OK) status = add_sweeps(t);
    if (status != RG_OK)
        rg_transfer_destroy(&t);
    else
        *out = t;
    return status;
}

void rg_transfer_destroy(rg_transfer **transfer)
{
    rg_transfer *t = *transfer;

    if (t == NULL) return;
    rg_groups_destroy(t);
    rg_worker_clear(&t->worker[1]);
    rg_worker_clear(&t->worker[0]);
    rg_transfer_rows_destroy(&t->conditions);
    rg_free(t->ctx, t->U);
    rg_free(t->ctx, t->V);
    rg_free(t->ctx, t->s);
    rg_free(t->ctx, t->H);
    rg_free(t->ctx, t->y);
    rg_free(t->ctx, t->mesh);
    rg_free(t->ctx, t->breaks);
    rg_free(t->ctx, t);
    *transfer = NULL;
}

/* ---- the run ----------------------------------------------------------------------------------- */

typedef struct {
    rg_transfer *t;
    bool is_backward;
    rg_status status;
} direction;

static void *run_direction(void *user)
{
    direction *d = user;

    for (int k = 0; k < d->t->n_groups && d->status == RG_OK; k++) {
        rg_sweep *s = d->is_backward ? d->t->groups[k].backward : d->t->groups[k].forward;
        if (s != NULL) d->status = rg_sweep_run(s);
    }
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

rg_status rg_transfer_run(rg_transfer *t)
{
    direction forward = {t, false, RG_OK}, backward = {t, true, RG_OK};
    pthread_t thread;

    const bool is_beside =
        t->worker[1].own != NULL && pthread_create(&thread, NULL, run_direction, &backward) == 0;
    run_direction(&forward);
    if (is_beside)
        pthread_join(thread, NULL);
    else if (forward.status == RG_OK)
        run_direction(&backward);
    if (forward.status != RG_OK) return forward.status;
    if (backward.status != RG_OK) pass_error(t);
    return backward.status;
}

const rg_states *rg_transfer_states(const rg_transfer *t)
{
    return rg_linear_states(t->worker[0].linear);
}
