/* The state of a run for its checkpoints. */
#include "ivp/pause.h"

#include "ivp/branch.h"
#include "ivp/degenerate.h"
#include "ivp/tuning.h"
#include "ivp/used_up.h"

#include <math.h>
#include <string.h>

void rg_pause_init(rg_context *ctx, rg_pause *p)
{
    *p = (rg_pause){0};
    rg_store_init(ctx, &p->switching);
    rg_store_init(ctx, &p->events);
}

void rg_pause_clear(rg_pause *p)
{
    rg_store_clear(&p->switching);
    rg_store_clear(&p->events);
}

bool rg_pause_is_due(const rg_integrator *g)
{
    rg_pause *p = g->pause;

    if (p == NULL) return false;
    const int64_t every = g->method->is_slow_to_start ? RG_PAUSE_SLOW_STEPS : RG_PAUSE_STEPS;
    if (g->stats.steps < p->from) p->from = g->stats.steps; /* the run has begun again */
    return !p->is_held && g->stats.steps - p->from >= every && g->taker == NULL
           && (g->supervisor == NULL || g->supervisor->is_calm(g));
}

/* Size of the first step behind a pause. */
static double next_step(const rg_integrator *g)
{
    return g->options.step > 0.0 ? g->options.step : fabs(g->t - g->t_previous);
}

static void store_counts(rg_integrator *g, rg_store *s)
{
    RG_STORE(s, g->stats);
    RG_STORE(s, g->recovered);
    RG_STORE(s, g->n_sliding);
    RG_STORE(s, g->t_sliding);
    RG_STORE(s, g->n_switches);
    RG_STORE(s, g->rested);
    RG_STORE(s, g->grazed);
    RG_STORE(s, g->rounded);
    RG_STORE(s, g->t_switch);
    RG_STORE(s, g->t_switches);
}

/* A multistep method begins with y' as it is: consistent values, as behind an event.  Where there
 * are none, the values are those of the last step. */
static rg_status make_consistent(rg_integrator *g)
{
    const size_t bytes = (size_t)g->n * sizeof *g->y;
    double *y = rg_alloc(g->ctx, 2 * (size_t)g->n + 1, sizeof *y);

    if (y == NULL) return RG_ERR_MEMORY;
    memcpy(y, g->y, bytes);
    memcpy(y + g->n, g->yp, bytes);
    const rg_status status = rg_system_restart(g->system, g->t, y, y + g->n);
    if (status == RG_OK) {
        memcpy(g->y, y, bytes);
        memcpy(g->yp, y + g->n, bytes);
    } else if (status < 0) {
        rg_clear_error(g->ctx);
    }
    rg_free(g->ctx, y);
    return status == RG_ERR_MEMORY ? status : RG_OK;
}

/* Making anew is no work of the run. */
static rg_status restart(rg_integrator *g, double h)
{
    const rg_stats stats = g->stats;

    if (g->method->is_slow_to_start && !rg_integrator_is_done(g)) RG_TRY(make_consistent(g));
    const rg_state from = rg_integrator_state(g);
    const rg_status status = rg_integrator_restart(g, &from, h);
    g->stats = stats;
    return status;
}

static void check_supervisor(rg_integrator *g, rg_store *s)
{
    bool is_there = g->supervisor != NULL;

    RG_STORE(s, is_there);
    if (is_there == (g->supervisor != NULL) || s->status != RG_OK) return;
    rg_fail(g->ctx, RG_ERR_ARGUMENT, "the state of the run in the checkpoint is not of this model");
    s->status = rg_remedy(g->ctx, "begin anew, without --resume");
}

rg_status rg_integrator_store(rg_integrator *g, rg_store *s)
{
    double h = next_step(g);

    RG_STORE(s, g->t);
    rg_store_reals(s, g->y, g->n);
    rg_store_reals(s, g->yp, g->n);
    RG_STORE(s, h);
    RG_STORE(s, g->first_part);
    store_counts(g, s);
    const rg_stats stats = g->stats, recovered = g->recovered;
    check_supervisor(g, s);
    if (g->supervisor != NULL) g->supervisor->store_method(g, s);
    if (s->is_reading && s->status == RG_OK) s->status = restart(g, h);
    RG_STORE(s, g->t_pulse);
    if (g->branch != NULL) rg_branch_store(g->branch, s);
    if (g->degenerate != NULL) rg_degenerate_store(g->degenerate, s);
    if (g->used_up != NULL) rg_used_up_store(g->used_up, g->n, s);
    if (g->method->store != NULL && s->status == RG_OK) g->method->store(g, s, h);
    if (g->supervisor != NULL && s->status == RG_OK) g->supervisor->store(g, s, h);
    g->stats = stats;
    g->recovered = recovered;
    if (g->pause == NULL) return s->status;
    g->pause->from = stats.steps;
    rg_store_inner(s, &g->pause->switching);
    rg_store_inner(s, &g->pause->events);
    g->pause->has_state = s->is_reading;
    return s->status;
}
