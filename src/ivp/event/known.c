/* Conditions on time alone: their times are found before the run, and are ends of steps. */
#include "ivp/event/watch.h"

#include "ivp/event/tuning.h"
#include "views/timed.h"
#include "views/tuning.h"

#include <float.h>
#include <math.h>

static rg_status values_at(void *user, double t, double *values)
{
    rg_watch *w = user;

    return rg_conditions_values(w->c, t, w->y, w->yp, values);
}

static double mode_of(void *user, int64_t k, double value)
{
    const rg_watch *w = user;

    return rg_conditions_mode(w->c, k, value);
}

static rg_status fail_fast(const rg_watch *w)
{
    rg_fail(w->ctx, RG_ERR_CONVERGENCE,
            "a condition of 'when' on time turns too often between t = %.10g and %.10g: not all "
            "of its events can be found",
            w->g->t, w->t_final);
    return rg_remedy(w->ctx, "give a shorter interval (--to), or write 'every'");
}

static rg_status find(rg_watch *w, rg_timed_function *list)
{
    const double t0 = w->g->t;
    rg_timed s = {w->ctx, values_at, mode_of, w, w->n_functions, 0, list, t0, w->t_final};
    int64_t size = w->known_capacity, fastest;

    for (int64_t k = 0; k < w->n_functions; k++)
        if (rg_conditions_is_timed(w->c, k))
            list[s.n++] = (rg_timed_function){k, rg_conditions_is_whole(w->c, k), NULL};
    if (s.n == 0) return RG_OK;
    const rg_status status = rg_timed_find(&s, &w->known, &w->n_known, &size, &fastest);
    w->known_capacity = size;
    rg_timed_sort(w->known, &w->n_known, w->t_final < t0, 0.0);
    return status > 0 ? fail_fast(w) : status;
}

rg_status rg_watch_find_known(rg_watch *w)
{
    rg_timed_function *list = rg_alloc(w->ctx, (size_t)w->n_functions + 1, sizeof *list);

    if (list == NULL) return RG_ERR_MEMORY;
    const rg_status status = find(w, list);
    rg_free(w->ctx, list);
    return status;
}
