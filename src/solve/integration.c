/* A solver on its way, from pause to pause: see integration.h. */
#include "solve/integration.h"

bool rg_integration_is_over(const rg_integration *i)
{
    return rg_integrator_is_done(i->solver->integrator) || i->events.stop != NULL;
}

rg_status rg_integration_take_up(rg_integration *i)
{
    rg_store *s = rg_keeper_store(i->keeper, i->stage);

    rg_store_open(s);
    i->store(i->sinks.user, s);
    RG_TRY(s->status);
    RG_TRY(rg_solver_renew(i->solver, i->t_end, s));
    return i->renewed != NULL ? i->renewed(i->sinks.user) : RG_OK;
}

rg_status rg_integration_put_down(rg_integration *i, bool is_end)
{
    rg_store *s = rg_keeper_store(i->keeper, i->stage);

    rg_store_empty(s);
    i->store(i->sinks.user, s);
    rg_solver_save(i->solver, s);
    RG_TRY(s->status);
    return rg_keeper_offer(i->keeper, i->stage, is_end);
}

rg_status rg_integration_run(rg_integration *i)
{
    for (;;) {
        const rg_status status =
            rg_event_integrate(i->solver->integrator, i->solver->problem, &i->sinks, &i->events);
        if (status != RG_PAUSED) return status;
        RG_TRY(rg_integration_put_down(i, false));
        RG_TRY(rg_integration_take_up(i));
    }
}
