/* A solver at the pauses of a run with checkpoints (ivp/pause.h). */
#include "solve/solver.h"

#include <string.h>

rg_status rg_solver_pauses(rg_solver *s)
{
    const size_t n = (size_t)s->n;

    s->pause = rg_alloc(s->ctx, 1, sizeof *s->pause);
    s->start = rg_alloc(s->ctx, 2 * n + 1, sizeof *s->start);
    if (s->pause == NULL || s->start == NULL) return RG_ERR_MEMORY;
    rg_pause_init(s->ctx, s->pause);
    memcpy(s->start, s->y, n * sizeof *s->start);
    memcpy(s->start + n, s->yp, n * sizeof *s->start);
    return RG_OK;
}

static void store(rg_solver *s, rg_store *to)
{
    rg_store_reals(to, s->y, s->n);
    rg_store_reals(to, s->yp, s->n);
    if (to->status == RG_OK) (void)rg_integrator_store(s->integrator, to);
    rg_study_store_warnings(s->problem->study, to); /* what is made anew warns anew */
}

void rg_solver_save(rg_solver *s, rg_store *to)
{
    store(s, to);
}

rg_status rg_solver_renew(rg_solver *s, double t_end, rg_store *from)
{
    const rg_analysis *a;

    rg_integrator_destroy(&s->integrator);
    rg_stable_destroy(&s->form);
    s->is_relay = false;
    RG_TRY(rg_analysis_get(s->problem, &a));
    RG_TRY(rg_solver_watch(s, a));
    RG_TRY(rg_solver_begin(s, t_end));
    store(s, from);
    return from->status;
}
