/* What a run tells beside its values: singular places, doubts, notes, and whose solution it is. */
#include "solve/run_tell.h"

#include "ivp/branch.h"
#include "ivp/passage/passage.h"
#include "ivp/relay/relay.h"
#include "solution/columns.h"

#include <math.h>
#include <stdio.h>

/* What --accept-doubt has accepted: exit 0, but no certain solution. */
static rg_status tell_doubts(const rg_solver *s)
{
    char text[RG_DOUBT_LENGTH], more[40] = "";
    const int64_t count = rg_passage_accepted(s->integrator, text, sizeof text);

    if (count == 0) return RG_OK;
    if (count > 1) snprintf(more, sizeof more, " (and %lld more times)", (long long)(count - 1));
    return rg_problem_warn(s->problem,
                           "accepted in doubt: %s%s; from there on the result is one of several "
                           "possible ones, and the estimate of the error does not tell",
                           text, more);
}

static rg_status tell_sliding(const rg_solver *s)
{
    double t;
    const int64_t count = rg_integrator_sliding(s->integrator, &t);
    char more[40] = "";

    if (count == 0) return RG_OK;
    if (count > 1) snprintf(more, sizeof more, ", %lld times in all", (long long)count);
    return rg_problem_warn(s->problem,
                           "note: from %s = %.6g on the solution moves along a switch%s, between "
                           "its two sides (Filippov); --sliding refuse ends the run there",
                           rg_problem_time_name(s->problem), t, more);
}

static rg_status tell_poles(const rg_solver *s)
{
    double t;

    if (!rg_branch_has_jumped(s->integrator->branch, &t)) return RG_OK;
    return rg_problem_warn(s->problem,
                           "from %s = %.6g on the result is another solution of the equations, "
                           "behind a place where the way to it is closed; a smaller --atol shows "
                           "whether the first one goes on",
                           rg_problem_time_name(s->problem), t);
}

/* Outputs such as log(x) of an x that is below 0 within the tolerance. */
rg_status rg_run_tell_undefined(const rg_solver *s, const rg_solution *out)
{
    const int64_t n = rg_columns_count(out->columns);
    double *values = rg_alloc(s->problem->ctx, (size_t)n + 1, sizeof *values);

    if (values == NULL) return RG_ERR_MEMORY;
    rg_status status = rg_columns_eval(out->columns, out->t_last, out->last, values);
    for (int64_t k = 0; k < n && status == RG_OK; k++) {
        char name[128];
        if (isfinite(values[k])) continue;
        rg_solution_column_name(out, k, name, sizeof name);
        status =
            rg_problem_warn(s->problem, "the output '%s' has no finite value at the end, %s = %.6g",
                            name, rg_problem_time_name(s->problem), out->t_last);
        break;
    }
    rg_free(s->problem->ctx, values);
    return status;
}

rg_status rg_run_tell(const rg_solver *s, rg_solution *out)
{
    const rg_singular *passed;
    const rg_integrator *g = s->integrator;
    int64_t count = rg_passage_passed(g, &passed);

    RG_TRY(rg_solution_add_singular(out, count, passed));
    count = g->method->passed != NULL ? g->method->passed(g, &passed) : 0;
    RG_TRY(rg_solution_add_singular(out, count, passed));
    RG_TRY(tell_doubts(s));
    RG_TRY(tell_sliding(s));
    RG_TRY(tell_poles(s));
    double t;
    if (rg_passage_is_off(s->integrator, &t))
        RG_TRY(rg_problem_warn(s->problem,
                               "from %s = %.6g on the run was not watched for singular places: the "
                               "coefficients of its combined equations vary too much; with the "
                               "combination written as an equation it would be",
                               rg_problem_time_name(s->problem), t));
    if (rg_passage_is_unexamined(s->integrator))
        RG_TRY(rg_problem_warn(s->problem,
                               "the model is too large to examine whether its singular places are "
                               "exact: a near miss below the tolerance would not be seen; compare "
                               "with a smaller --tol"));
    return RG_OK;
}

/* Whose solution it is; behind the run once more, where another method has taken over. */
void rg_run_sign(const rg_solver *s, rg_solution *out)
{
    rg_method_sign(s->choice.method, &s->options, out);
    if (s->choice.method->has_formulation)
        snprintf(out->formulation, sizeof out->formulation, "%s",
                 rg_choice_formulation(&s->choice));
    if (!s->is_relay) return;
    const rg_relay_report told = rg_relay_tell(s->integrator);
    snprintf(out->method, sizeof out->method, "%s", told.first);
    const char *kind = !told.is_explicit         ? "few digits of index 0 or 1"
                       : s->structure.index == 0 ? "differential equations, not stiff"
                                                 : "mechanics with constraints on velocities, "
                                                   "not stiff";
    static const char *const reasons[] = {[RG_RELAY_GAVE_UP] = "the steps became too small",
                                          [RG_RELAY_STIFF] = "stiff",
                                          [RG_RELAY_LONG] = "many steps"};
    if (!told.has_changed)
        snprintf(out->why, sizeof out->why, "chosen: %s", kind);
    else
        snprintf(out->why, sizeof out->why, "chosen: %s at first; from %s = %.4g on %s: %s",
                 told.is_explicit ? "not stiff" : kind, rg_problem_time_name(s->problem), told.t,
                 s->choice.method->name, reasons[told.cause]);
}
