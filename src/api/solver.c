/* Public functions for taking the steps of a run one by one. */
#include "solve/solver.h"
#include "base/tuning.h"

#include "api/entry.h"
#include "problem/callback_doubt.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Nobody but the problem can be asked for the warnings of a solver that is stepped by hand. */
static rg_status tell_warnings(const rg_solver *s)
{
    return rg_study_take_warnings(s->base->study, s->problem->study);
}

rg_status rg_solver_create(const rg_problem *p, const rg_options *o, rg_solver **out)
{
    RG_TRY(rg_enter(p != NULL ? p->ctx : NULL, out != NULL, "rg_solver_create"));
    RG_TRY(rg_solver_prepare(p, o, out));
    const rg_status status = tell_warnings(*out);
    if (status != RG_OK) rg_solver_destroy(out);
    return status;
}

rg_status rg_solver_create_in(rg_context *ctx, const rg_problem *p, const rg_options *o,
                              rg_solver **out)
{
    rg_problem *shared = NULL;

    RG_TRY(rg_enter(ctx, p != NULL && out != NULL, "rg_solver_create"));
    *out = NULL;
    RG_TRY(rg_problem_handle(ctx, p, NULL, &shared));
    const rg_status status = rg_solver_prepare(shared, o, out);
    if (status == RG_OK)
        (*out)->shared = shared;
    else
        rg_problem_destroy(&shared);
    return status;
}

static rg_status check_limit(rg_solver *s, double t_limit)
{
    if (isfinite(t_limit)) return RG_OK;
    rg_fail(s->ctx, RG_ERR_ARGUMENT, "the limit of a step is not a finite number");
    return rg_remedy(s->ctx, "give the time to step towards");
}

static rg_status copy_state(const rg_solver *s, double *t, double *y)
{
    const size_t bytes = (size_t)s->problem->n * sizeof *y;

    if (s->integrator == NULL) {
        *t = s->problem->a;
        if (y != NULL) memcpy(y, s->y, bytes);
        return RG_OK;
    }
    rg_state now = rg_integrator_state(s->integrator);
    const rg_status status = y != NULL ? rg_integrator_result(s->integrator, &now) : RG_OK;
    *t = now.t;
    if (y != NULL) memcpy(y, now.y, bytes);
    return status;
}

static rg_status set_limit(rg_solver *s, double t_limit)
{
    RG_TRY(s->integrator == NULL ? rg_solver_begin(s, t_limit)
                                 : rg_integrator_set_end(s->integrator, t_limit));
    if (s->events != NULL || s->stepper != NULL) return RG_OK;
    if (s->problem->n_events == 0) return rg_stepper_create(s->integrator, &s->stepper);
    return rg_event_run_create(s->integrator, s->problem, &s->events);
}

rg_status rg_solver_step(rg_solver *s, double t_limit, double *t, double *y)
{
    RG_TRY(rg_enter(s != NULL ? s->ctx : NULL, t != NULL, "rg_solver_step"));
    rg_status status = check_limit(s, t_limit);
    if (status == RG_OK) status = set_limit(s, t_limit);
    if (status == RG_OK) status = tell_warnings(s);
    if (status == RG_OK)
        status = s->events != NULL ? rg_event_run_step(s->events, t_limit)
                                   : rg_stepper_step(s->stepper, NULL, NULL);
    const rg_status copied = copy_state(s, t, y);
    rg_callback_blame(s->base, status);
    return status != RG_OK ? status : copied;
}

/* Is there a step, and so something between its ends? */
static rg_status check_step(const rg_solver *s, double t, const char *name)
{
    char number[3][32];

    RG_TRY(rg_enter(s != NULL ? s->ctx : NULL, true, name));
    if (s->integrator == NULL) {
        rg_fail(s->ctx, RG_ERR_ARGUMENT, "no step has been taken yet");
        return rg_remedy(s->ctx, "call rg_solver_step() before");
    }
    const double from = rg_integrator_step_start(s->integrator);
    const double to = rg_integrator_state(s->integrator).t;
    const double slack = RG_SAME * fabs(to - from) + 4.0 * DBL_EPSILON * fabs(t);
    if (t >= fmin(from, to) - slack && t <= fmax(from, to) + slack) return RG_OK;
    rg_fail(s->ctx, RG_ERR_ARGUMENT, "%s = %s lies outside the last step, %s .. %s",
            rg_problem_time_name(s->problem), rg_real_text(t, number[0]),
            rg_real_text(from, number[1]), rg_real_text(to, number[2]));
    return rg_remedy(s->ctx, "ask for a time inside it; rg_solve() keeps all steps");
}

static void copy_out(const rg_solver *s, double *y, double *yp)
{
    const size_t bytes = (size_t)s->problem->n * sizeof *y;

    if (y != NULL) memcpy(y, s->y, bytes);
    if (yp != NULL) memcpy(yp, s->yp, bytes);
}

rg_status rg_solver_eval(const rg_solver *s, double t, double *y, double *yp)
{
    RG_TRY(check_step(s, t, "rg_solver_eval"));
    rg_integrator_eval(s->integrator, t, s->y, s->yp);
    copy_out(s, y, yp);
    return RG_OK;
}

rg_status rg_solver_row(rg_solver *s, double t, double *y, double *yp)
{
    RG_TRY(check_step(s, t, "rg_solver_row"));
    RG_TRY(s->events != NULL    ? rg_event_run_row(s->events, t, s->y, s->yp)
           : s->stepper != NULL ? rg_stepper_row(s->stepper, t, s->y, s->yp)
                                : rg_integrator_row(s->integrator, t, s->y, s->yp));
    copy_out(s, y, yp);
    return RG_OK;
}
