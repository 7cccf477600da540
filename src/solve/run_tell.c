/* What a run tells beside its values: singular places, doubts, notes, and whose solution it is. */
#include "solve/run_tell.h"

#include "ivp/branch.h"
#include "ivp/method.h"
#include "ivp/passage/passage.h"
#include "ivp/radau/radau.h"
#include "ivp/relay/relay.h"
#include "solution/columns.h"
#include "solution/torn.h"
#include "solve/choose.h"
#include "solve/tuning.h"
#include "structure/cancel.h"

#include <float.h>
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

/* Touches of switches that are chance. */
static rg_status tell_grazed(const rg_solver *s)
{
    const rg_integrator *g = s->integrator;
    const rg_grazed *all = &g->grazed;
    const rg_graze *at = &all->worst;
    char name[128], more[40] = "";

    if (all->count == 0) return RG_OK;
    if (all->count > 1) snprintf(more, sizeof more, ", %lld times in all", (long long)all->count);
    if (rg_system_switch_name(g->system, at->function, name, sizeof name) == 0)
        snprintf(name, sizeof name, "an equation");
    return rg_problem_warn(
        s->problem,
        "at %s = %.6g the switch in %s comes within %.2g of its edge, less than the "
        "error of %.2g that is permitted%s: whether it is passed is chance, and "
        "changes the values by about %.1g; give a smaller --tol",
        rg_problem_time_name(s->problem), at->t, name, fabs(at->near), at->error, more,
        fmax(all->sum, all->row));
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

/* The unknown in an output that is nearest to 0 beside its atol, and not 0; -1: none is near. */
static int64_t find_near_zero(const rg_solver *s, const rg_solution *out, double t, int64_t column)
{
    const rg_pattern *p;
    const double *J;
    double least = RG_SIZE_SMALL;
    int64_t state = -1;

    if (rg_columns_jacobian(out->columns, t, out->point, &p, &J) != RG_OK) {
        rg_clear_error(s->ctx); /* out of memory for a remedy: the result is not in danger */
        return -1;
    }
    for (int64_t j = 0; j < s->n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const double part = fabs(out->point[j]) / rg_integrator_atol(s->integrator, j);
            if (p->row[e] != column || !(part > 0.0 && part < least)) continue;
            least = part;
            state = j;
        }
    return state;
}

void rg_undefined_look(rg_undefined *u, const rg_solver *s, const rg_solution *out, double t)
{
    const int64_t n = rg_columns_count(out->columns);
    int64_t column = 0;

    if (out->problem->n_outputs == 0) return;
    while (column < n && isfinite(out->value[column]))
        column++;
    if (column == n || u->rows++ > 0) return;
    u->t = t;
    u->column = column;
    u->state = find_near_zero(s, out, t, column);
    u->value = u->state >= 0 ? out->point[u->state] : 0.0;
}

/* Outputs such as log(x) of an x that is below 0 within the tolerance. */
rg_status rg_undefined_tell(const rg_undefined *u, const rg_solver *s, const rg_solution *out)
{
    const char *time = rg_problem_time_name(s->problem);
    char name[128], state[128], more[48] = "";

    if (u->rows == 0) return RG_OK;
    rg_solution_column_name(out, u->column, name, sizeof name);
    if (u->rows > 1)
        snprintf(more, sizeof more, ", the first of %lld such rows", (long long)u->rows);
    if (u->state < 0)
        return rg_problem_warn(s->problem,
                               "the output '%s' has no finite value at %s = %.6g%s: look at what "
                               "it divides by, or takes the root or logarithm of, there",
                               name, time, u->t, more);
    const double atol = rg_integrator_atol(s->integrator, u->state);
    rg_system_state_name(s->system, u->state, state, sizeof state);
    return rg_problem_warn(s->problem,
                           "the output '%s' has no finite value at %s = %.6g%s: '%s' is %.2g "
                           "there, which is 0 within its atol = %.2g; give --atol %s=%.1g",
                           name, time, u->t, more, state, u->value, atol, state,
                           s->options.rtol * fmin(fabs(u->value), atol));
}

/* The columns at the point, moved by `part` of the distance; z: 2 n numbers. */
static rg_status eval_moved(const rg_solver *s, const rg_solution *out, double t, double part,
                            double *z, double *values)
{
    for (int64_t k = 0; k < 2 * s->n; k++) {
        const double size = fabs(out->point[k]) + rg_integrator_unit(s->integrator, k % s->n);
        z[k] = out->point[k] + part * rg_torn_move(k) * size;
    }
    return rg_columns_eval(out->columns, t, z, values);
}

rg_status rg_torn_look(rg_torn *u, const rg_solver *s, const rg_solution *out, double t)
{
    const int64_t n = rg_columns_count(out->columns);

    if (out->problem->n_outputs == 0 || s->integrator->along == NULL) return RG_OK;
    double *z = rg_alloc(s->ctx, (size_t)(2 * s->n + 4 * n) + 1, sizeof *z), *v = z + 2 * s->n;
    rg_status status = z != NULL ? RG_OK : RG_ERR_MEMORY;
    for (int k = 0; k < 4 && status == RG_OK; k++)
        status = eval_moved(s, out, t, rg_torn_parts[k], z, v + k * n);
    for (int64_t c = 0; c < n && status == RG_OK; c++) {
        const double wide = fabs(v[c] - v[n + c]), narrow = fabs(v[2 * n + c] - v[3 * n + c]);
        if (!rg_is_torn(wide, narrow, out->value[c])) continue;
        if (u->rows++ == 0) {
            u->t = t;
            u->column = c;
        }
        u->jump = fmax(u->jump, wide / (1.0 + fabs(out->value[c])));
    }
    rg_free(s->ctx, z);
    return status;
}

rg_status rg_torn_tell(const rg_torn *u, const rg_solver *s, rg_solution *out)
{
    char name[128];

    if (u->rows == 0) return RG_OK;
    if (u->jump > out->estimate) out->estimate = u->jump;
    rg_solution_column_name(out, u->column, name, sizeof name);
    return rg_problem_warn(s->problem,
                           "the output '%s' contains a switch that the solution moves along at %s "
                           "= %.6g: it is the value of one side there, by chance; declare an "
                           "unknown with this equation, which has the value between them",
                           name, rg_problem_time_name(s->problem), u->t);
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
    RG_TRY(tell_grazed(s));
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

/* Above rounding: what is dependent up to that is taken for a combination. */
static bool is_hardly_independent(const rg_solver *s, const rg_analysis *a)
{
    return a->least_pivot > DBL_EPSILON * (double)s->base->n
           && rg_is_hardly_independent(a, &s->options);
}

rg_status rg_run_tell_failure(const rg_solver *s, rg_status status)
{
    const rg_integrator *g = s->integrator;
    const rg_analysis *a = rg_analysis_known(s->base);

    if (g == NULL || !g->method->is_radau) return status;
    const rg_radau_cause cause = rg_radau_of(g)->cause;
    if (cause != RADAU_VALUES && a != NULL && is_hardly_independent(s, a))
        return rg_remedy(s->ctx,
                         "some equations are dependent up to about %.0e of their size, which "
                         "magnifies rounding: leave one of them out, write their difference as an "
                         "equation of size 1, or give a larger tol",
                         a->least_pivot);
    if (!s->is_combined) return status;
    const bool is_singular = cause == RADAU_NEWTON || cause == RADAU_SINGULAR;
    return is_singular ? rg_cancel_tell(s->base) : status;
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
