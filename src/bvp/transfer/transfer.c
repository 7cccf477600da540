/* The driver: read the model, sort the conditions, carry them, answer questions. */
#include "bvp/transfer/transfer_impl.h"

#include "base/context.h"
#include "bvp/transfer/tuning.h"
#include "views/breaks.h"

#include <math.h>
#include <string.h>

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
    if (p->n > RG_TRANSFER_MOST_STATES) {
        rg_fail(p->ctx, RG_ERR_METHOD, "'transfer' takes at most %d unknowns; this model has %lld",
                RG_TRANSFER_MOST_STATES, (long long)p->n);
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

/* Linear, or made linear again and again. */
static rg_status check_linear(rg_transfer *t)
{
    const rg_options *o = &t->options;

    if (strcmp(o->newton, "none") == 0)
        return rg_linearity_require(
            t->problem, "transfer",
            "give --newton modified or full to linearize it again and again, or take "
            "--method collocation",
            &t->linearity);
    RG_TRY(rg_linearity_find(t->problem, &t->linearity));
    if (t->linearity.is_linear) return RG_OK;
    if (strcmp(o->variant, "16") != 0 && strcmp(o->scheme, "radau") != 0
        && strcmp(o->scheme, "bdf") != 0)
        return RG_OK;
    rg_fail(t->ctx, RG_ERR_METHOD,
            "models that are not linear are carried by Gauss steps in variant 14 only");
    return rg_remedy(t->ctx, "leave --variant and --scheme out");
}

/* A linear model switches by functions of t alone. */
static rg_status find_kinks(rg_transfer *t, const rg_states *states)
{
    const double low = fmin(t->a, t->b), high = fmax(t->a, t->b);
    rg_switches switches;

    if (!t->linearity.has_kinks) return RG_OK;
    rg_status status = rg_switches_init(t->problem, states, &switches);
    if (status == RG_OK)
        status = rg_breaks_find(t->problem, &switches, low, high, &t->n_kinks, &t->kinks);
    rg_switches_clear(t->ctx, &switches);
    return status;
}

/* Once for a problem. */
static rg_status find_pulses(const rg_transfer *t)
{
    rg_transfer_scene *s = t->scene;

    if (s->has_pulses || t->options.step > 0.0) return RG_OK;
    s->has_pulses = true;
    return rg_bvp_pulses_find(t->problem, t->a, t->b, &s->pulses);
}

static rg_status set_up(rg_transfer *t, const rg_analysis *a)
{
    const double *unit = t->scene->unit;

    RG_TRY(check_linear(t));
    RG_TRY(rg_worker_open(t, t->ctx, NULL, &t->worker[0]));
    const rg_states *states = rg_linear_states(t->worker[0].linear);
    t->m = t->size = (int)states->n_states;
    if ((t->unit = rg_alloc(t->ctx, (size_t)t->m + 1, sizeof *t->unit)) == NULL)
        return RG_ERR_MEMORY;
    t->has_units = unit != NULL;
    for (int j = 0; j < t->m; j++)
        t->unit[j] = unit != NULL ? unit[j] : 1.0;
    RG_TRY(find_kinks(t, states));
    RG_TRY(find_pulses(t));
    if (!t->linearity.is_linear) RG_TRY(rg_quasi_create(t, a));
    return rg_transfer_build(t);
}

rg_status rg_transfer_create(rg_problem *p, const rg_analysis *a, double t_end, const rg_options *o,
                             rg_transfer **out)
{
    return rg_transfer_create_in(p, a, t_end, o, NULL, out);
}

rg_status rg_transfer_create_in(rg_problem *p, const rg_analysis *a, double t_end,
                                const rg_options *o, rg_transfer_scene *scene, rg_transfer **out)
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
    t->worker[0].ctx = p->ctx;
    t->scene = scene != NULL ? scene : &t->own;
    status = set_up(t, a);
    if (status != RG_OK)
        rg_transfer_destroy(&t);
    else
        *out = t;
    return status;
}

void rg_transfer_scene_clear(rg_context *ctx, rg_transfer_scene *scene)
{
    rg_free(ctx, scene->unit);
    rg_free(ctx, scene->times);
    rg_free(ctx, scene->cells);
    rg_bvp_pulses_clear(ctx, &scene->pulses);
    *scene = (rg_transfer_scene){.unit = NULL};
}

void rg_transfer_destroy(rg_transfer **transfer)
{
    rg_transfer *t = *transfer;

    if (t == NULL) return;
    rg_transfer_unbuild(t);
    rg_worker_clear(&t->worker[1]);
    rg_worker_clear(&t->worker[0]);
    rg_quasi_destroy(t);
    rg_free(t->ctx, t->kinks);
    rg_free(t->ctx, t->unit);
    rg_transfer_scene_clear(t->ctx, &t->own);
    rg_free(t->ctx, t);
    *transfer = NULL;
}

const rg_states *rg_transfer_states(const rg_transfer *t)
{
    return rg_linear_states(t->worker[0].linear);
}

rg_status rg_transfer_run(rg_transfer *t)
{
    return t->quasi != NULL ? rg_quasi_run(t) : rg_transfer_carry(t);
}
