/* Pulses of the equations' functions of time, which no step may pass over: found at the start. */
#include "ivp/integrator.h"

#include "ivp/method.h"
#include "ivp/tuning.h"
#include "views/tuning.h"

rg_status rg_integrator_mind_pulses(rg_integrator *g, const rg_problem *p, double t_end)
{
    if (g->options.step > 0.0) return RG_OK;
    RG_TRY(rg_pulses_find(p, g->t, t_end, &g->pulses, &g->n_pulses));
    g->has_pulses = true;
    for (int64_t k = 0; k < g->n_pulses; k++)
        rg_log(g->ctx, 2, "pulse of a function of time: %g .. %g", g->pulses[k].from,
               g->pulses[k].to);
    return RG_OK;
}

const rg_pulse *rg_integrator_next_pulse(const rg_integrator *g)
{
    const rg_pulse *next = NULL;

    for (int64_t k = 0; k < g->n_pulses; k++) {
        const rg_pulse *p = &g->pulses[g->direction > 0.0 ? k : g->n_pulses - 1 - k];
        if (g->direction > 0.0 ? p->to > g->t : p->from < g->t) {
            next = p;
            break;
        }
    }
    return next;
}

/* The one before p, or behind it, where that touches p; else NULL. */
static const rg_pulse *touching(const rg_integrator *g, const rg_pulse *p, bool is_behind)
{
    const bool is_above = is_behind == (g->direction > 0.0);
    const rg_pulse *q = is_above ? p + 1 : p - 1;

    if (q < g->pulses || q >= g->pulses + g->n_pulses) return NULL;
    return (is_above ? q->from == p->to : q->to == p->from) ? q : NULL;
}

bool rg_integrator_pulse_goes_on(const rg_integrator *g, const rg_pulse *p, double *end)
{
    const rg_pulse *before = touching(g, p, false);

    if (touching(g, p, true) != NULL) *end = g->direction > 0.0 ? p->to : p->from;
    return before != NULL && before->width <= RG_PULSE_NESTED * p->width;
}

double rg_integrator_pulse_begin(const rg_integrator *g, const rg_pulse *p)
{
    const bool is_up = g->direction > 0.0;
    const rg_pulse *last = is_up ? p - 1 : p + 1;
    const double begin = is_up ? p->from : p->to;

    if (g->first_part <= 0.0 || last < g->pulses || last >= g->pulses + g->n_pulses) return begin;
    const double end = is_up ? last->to : last->from;
    const double between = end + RG_PULSE_BETWEEN * (begin - end);
    return (between - g->t) * g->direction > 0.0 ? between : begin;
}
