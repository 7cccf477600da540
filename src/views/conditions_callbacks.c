/* Conditions and assignments of events that are given as callbacks. */
#include "views/conditions_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

rg_status rg_conditions_fill_callbacks(rg_conditions *c)
{
    const size_t n = (size_t)c->p->n_events, m = (size_t)c->s->layout.n_states;

    c->instances = rg_alloc(c->ctx, n + 1, sizeof *c->instances);
    c->switches.kind = rg_alloc(c->ctx, n + 1, sizeof *c->switches.kind);
    c->switches.moves = rg_alloc(c->ctx, n + 1, sizeof *c->switches.moves);
    c->moved = rg_alloc(c->ctx, m + n + 1, sizeof *c->moved);
    if (c->instances == NULL || c->switches.kind == NULL || c->switches.moves == NULL
        || c->moved == NULL)
        return RG_ERR_MEMORY;
    c->switches.n = c->n_instances = (int64_t)n;
    for (int k = 0; k < c->p->n_events; k++) {
        c->switches.kind[k] = RG_SWITCH_LESS;
        c->switches.moves[k] = 1;
        c->instances[k] = (rg_instance){k, 0, k};
    }
    return RG_OK;
}

static rg_status check_callback(const rg_conditions *c, int result, const char *which, double t)
{
    if (result >= 0) return RG_OK;
    rg_fail(c->ctx, RG_ERR_CALLBACK, "the %s callback returned %d at t = %.10g", which, result, t);
    rg_fail_time(c->ctx, t);
    return rg_remedy(c->ctx, "return 0 where the run is to go on");
}

rg_status rg_conditions_call_event(const rg_conditions *c, double t, const double *y,
                                   double *values)
{
    const int result = c->p->event(t, y, values, c->p->user);

    for (int64_t k = 0; k < c->n_instances; k++)
        values[k] = result == 0 && isfinite(values[k]) ? -values[k] : NAN;
    return check_callback(c, result, "event", t);
}

rg_status rg_conditions_callback_sizes(rg_conditions *c, double t, const double *y,
                                       const double *unit, double *sizes, double *terms)
{
    const int64_t n = c->s->layout.n_states, m = c->n_instances;
    double *there = c->moved + n, *here = terms;

    RG_TRY(rg_conditions_call_event(c, t, y, here));
    memcpy(c->moved, y, (size_t)n * sizeof *y);
    for (int64_t k = 0; k < m; k++)
        sizes[k] = 0.0;
    for (int64_t i = 0; i < n; i++) {
        const double d = sqrt(DBL_EPSILON) * (fabs(y[i]) + unit[i]);
        c->moved[i] = y[i] + d;
        RG_TRY(rg_conditions_call_event(c, t, c->moved, there));
        c->moved[i] = y[i];
        for (int64_t k = 0; k < m; k++) {
            const double slope = fabs(there[k] - here[k]) / d;
            if (isfinite(slope)) sizes[k] += slope * (fabs(y[i]) + unit[i]);
        }
    }
    memcpy(terms, sizes, (size_t)m * sizeof *sizes);
    return RG_OK;
}

rg_status rg_conditions_call_reset(rg_conditions *c, int event, double t, const double *y,
                                   rg_assigned *out, int *n, bool *stops)
{
    const rg_problem *p = c->p;

    *n = 0;
    if (p->reset == NULL) return RG_OK;
    memcpy(c->moved, y, (size_t)c->s->layout.n_states * sizeof *y);
    const int result = p->reset(t, event, c->moved, p->user);
    RG_TRY(check_callback(c, result, "reset", t));
    *stops = result > 0;
    for (int64_t j = 0; j < p->n; j++)
        if (c->moved[j] != y[j]) out[(*n)++] = (rg_assigned){j, 0, c->moved[j], {0}};
    return RG_OK;
}
