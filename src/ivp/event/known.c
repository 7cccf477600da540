/* Conditions on time alone: nothing integrates sin(50 t) > 0.9, and a step of a slow model would
 * pass over it.  The times are found before the run, and are ends of steps. */
#include "ivp/event/tuning.h"
#include "ivp/event/watch.h"

#include "ivp/tuning.h"
#include "views/crossings.h"
#include "views/tuning.h"

#include <math.h>

static bool has_timed(const rg_watch *w)
{
    for (int64_t k = 0; k < w->n_functions; k++)
        if (rg_conditions_is_timed(w->c, k)) return true;
    return false;
}

/* Branches of the functions of time at t, the last known ones where a value is not defined. */
static rg_status take_modes(rg_watch *w, double t, double *mode)
{
    RG_TRY(rg_conditions_values(w->c, t, w->y, w->yp, w->values));
    for (int64_t k = 0; k < w->n_functions; k++)
        if (rg_conditions_is_timed(w->c, k) && !isnan(w->values[k]))
            mode[k] = rg_conditions_mode(w->c, k, w->values[k]);
    return RG_OK;
}

static rg_status has_changed(void *user, double t, bool *is_before)
{
    rg_watch *w = user;

    *is_before = false;
    RG_TRY(rg_conditions_values(w->c, t, w->y, w->yp, w->values));
    for (int64_t k = 0; k < w->n_functions && !*is_before; k++)
        *is_before = rg_conditions_is_timed(w->c, k) && !isnan(w->values[k])
                     && rg_conditions_mode(w->c, k, w->values[k]) != w->around[0][k];
    return RG_OK;
}

static rg_status find_between(rg_watch *w, double left, double to)
{
    bool is_before = false;

    RG_TRY(has_changed(w, to, &is_before));
    for (int k = 0; k < RG_CROSSINGS_BETWEEN && is_before; k++) {
        double right = to;
        RG_TRY(rg_crossing_narrow(has_changed, w, &left, &right));
        RG_TRY(rg_grow(w->ctx, &w->known, w->n_known, &w->known_capacity, sizeof *w->known));
        w->known[w->n_known++] = left = right;
        RG_TRY(take_modes(w, right, w->around[0]));
        RG_TRY(has_changed(w, to, &is_before));
    }
    return take_modes(w, to, w->around[0]);
}

rg_status rg_watch_find_known(rg_watch *w)
{
    const double t0 = w->g->t, span = w->t_final - t0;
    const double most = RG_TIMED_WORK / (double)(w->n_functions + 1);
    const int n = (int)fmax(fmin(RG_TIMED_SAMPLES, most), RG_TIMED_LEAST);
    double left = t0;

    if (!has_timed(w)) return RG_OK;
    RG_TRY(take_modes(w, t0, w->around[0]));
    for (int i = 1; i <= n; i++) {
        const double to = i == n ? w->t_final : t0 + span * i / n;
        RG_TRY(find_between(w, left, to));
        left = to;
    }
    return RG_OK;
}
