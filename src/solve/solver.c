/* Life of a solver: analysis, choice of a method, start values, the form of the equations. */
#include "solve/solver.h"

#include "ivp/degenerate.h"
#include "ivp/relay/relay.h"
#include "ivp/switching/switching.h"
#include "ivp/used_up.h"
#include "problem/native.h"
#include "solve/tuning.h"
#include "solve/unwatched.h"
#include "structure/cancel.h"
#include "views/recover.h"

#include <math.h>
#include <string.h>

static rg_status take_memory(rg_solver *s)
{
    const int levels = rg_system_drift_levels(s->system);

    s->n = rg_system_size(s->system);
    s->y = rg_alloc(s->ctx, (size_t)s->n, sizeof *s->y);
    s->yp = rg_alloc(s->ctx, (size_t)s->n, sizeof *s->yp);
    s->level_max = rg_alloc(s->ctx, (size_t)levels, sizeof *s->level_max);
    if (s->y == NULL || s->yp == NULL || s->level_max == NULL) return RG_ERR_MEMORY;
    return rg_system_work_create(s->system, &s->work);
}

/* The form for passing singular points, for methods that can.  Combinations that hold with the
 * branches of the start do not with others: an ideal diode that blocks has no constraint. */
rg_status rg_solver_watch(rg_solver *s, const rg_analysis *a)
{
    const bool is_of_branch = !a->is_structural && rg_problem_has_switches(s->problem);

    if (!s->choice.method->can_be_watched || s->options.is_measured || is_of_branch) return RG_OK;
    return rg_stable_create(s->problem, a, s->system, &s->form);
}

/* Compiled kernels: what the assemblies of the run are to do, and whether it worked. */
static int native_mode(const char *word)
{
    if (strcmp(word, "on") == 0) return RG_NATIVE_ON;
    return strcmp(word, "off") == 0 ? RG_NATIVE_OFF : RG_NATIVE_AUTO;
}

static rg_status check_native(const rg_solver *s)
{
    const rg_problem *p = s->problem;
    char why[256];

    if (p->native_mode != RG_NATIVE_ON || p->native == NULL
        || !rg_native_failed(p->native, why, sizeof why))
        return RG_OK;
    return rg_problem_warn(s->problem, "--native on: kernels are interpreted (%s)", why);
}

/* An index from combinations of equations: the combinations in their place, where they can be
 * written and the method takes any formulation.  Start values are those of the model as written. */
static rg_status combine(const rg_solver *s, const rg_analysis **a, const rg_problem **solved)
{
    const rg_options *o = &s->options;
    const rg_method *m = rg_method_asked(s->base, o->method);
    const rg_problem *combined = NULL;

    *solved = s->base;
    if (s->base->is_boundary || (*a)->is_structural || (*a)->n_redundant > 0 || m == NULL
        || !m->has_formulation || strcmp(o->formulation, "direct") == 0)
        return RG_OK;
    RG_TRY(rg_cancel_get(s->base, &combined));
    if (combined == NULL) return RG_OK;
    *solved = combined;
    return rg_analysis_get(combined, a);
}

/* Method and view; `like`: its view, whatever other tolerances would choose, so that both runs have
 * the same states. */
static rg_status choose(rg_solver *s, const rg_solver *like, const rg_analysis *a)
{
    RG_TRY(rg_choose(s->base, a, &s->options, &s->choice));
    if (like != NULL) s->choice.view = like->choice.view;
    return RG_OK;
}

/* The handle of the run. */
static rg_status take_problem(rg_solver *s, const rg_solver *like, const rg_problem *solved,
                              const rg_analysis *a)
{
    RG_TRY(rg_problem_handle(s->ctx, solved, solved->study, &s->problem));
    s->problem->native_mode = native_mode(s->options.native);
    s->problem->holds_nodes = s->options.rtol < RG_TABLE_TIGHT || a->bends;
    s->is_combined = solved != s->base;
    s->may_vanish = s->is_combined ? s->base->study->may_vanish : like != NULL && like->may_vanish;
    if (!s->is_combined) return RG_OK;
    s->problem->study->consistent = s->base->study->consistent;
    return rg_study_take_warnings(s->problem->study, s->base->study);
}

/* With the sizes of unknowns from a run before start values are judged by these: what is small
 * beside all others is not taken as 0.  What cannot be found so stays as it was. */
static rg_status start_by_sizes(rg_solver *s)
{
    rg_consistent *fresh = NULL;
    rg_problem sized = *s->base;
    const rg_analysis *a;

    RG_TRY(rg_analysis_get(s->base, &a));
    sized.study = NULL; /* warnings have been given */
    sized.units = s->units;
    const rg_status status = rg_consistent_create(&sized, a, sized.a, &fresh);
    if (status == RG_OK) rg_system_start(s->system, fresh, s->y, s->yp);
    rg_consistent_destroy(s->ctx, &fresh);
    if (status == RG_OK || status == RG_ERR_MEMORY) return status;
    rg_clear_error(s->ctx);
    return RG_OK;
}

/* Redundant constraints: at the start, as later, the multipliers of least norm, unless the model
 * says something about them. */
static rg_status take_least(rg_solver *s, const rg_analysis *a)
{
    const rg_start *data = &s->problem->start[0];
    const rg_analysis *offsets = rg_analysis_reducible(a);

    if (a->n_redundant == 0 || offsets == NULL) return RG_OK;
    for (int64_t j = 0; j < s->problem->n && data->kind != NULL; j++)
        if (offsets->d[j] == 0 && data->kind[j] != RG_START_NONE) return RG_OK;
    return rg_recovery_start(s->system, &s->options, s->problem->a, s->y, s->yp);
}

/* Analysis, choice, consistent start values, view. */
static rg_status set_up(rg_solver *s, const rg_solver *like)
{
    static const char *const names[] = {[RG_VIEW_DIRECT] = "model as written",
                                        [RG_VIEW_REDUCED] = "reduced model",
                                        [RG_VIEW_STABILIZED] = "stabilized model"};
    const rg_analysis *a, *written;
    const rg_consistent *start;
    const rg_problem *solved;

    RG_TRY(rg_analysis_get(s->base, &written));
    s->structure = rg_structure_of(s->base, written);
    a = written;
    RG_TRY(combine(s, &a, &solved));
    if (!s->base->is_boundary) RG_TRY(choose(s, like, a));
    rg_log(s->ctx, 2, "analysis: index %d, %lld degrees of freedom, %lld blocks", a->index,
           (long long)a->dof, (long long)s->structure.blocks);
    RG_TRY(rg_switching_start(s->base, written, &start));
    rg_log(s->ctx, 2, "method: %s, on the %s", s->choice.method->name, names[s->choice.view]);
    RG_TRY(take_problem(s, like, solved, a));
    if (s->may_vanish) s->choice.may_relay = false; /* Radau IIA passes factors that vanish */
    RG_TRY(rg_system_create_like(like != NULL ? like->system : NULL, s->problem, a, s->choice.view,
                                 &s->system));
    RG_TRY(rg_solver_watch(s, a));
    RG_TRY(take_memory(s));
    RG_TRY(check_native(s));
    rg_system_start(s->system, start, s->y, s->yp);
    if (s->has_sizes && rg_system_switch_count(s->system) == 0) RG_TRY(start_by_sizes(s));
    if (!s->base->is_boundary) RG_TRY(take_least(s, a));
    return rg_warn_unwatched(s, a);
}

/* Those of a run before, or what model and options say. */
static rg_status take_units(rg_solver *s)
{
    const rg_units *known = s->options.units;

    RG_TRY(known != NULL ? rg_units_copy(s->ctx, known, &s->units)
                         : rg_units_create(s->base, &s->options, &s->units));
    s->options.units = s->units;
    s->has_sizes = known != NULL;
    return RG_OK;
}

rg_status rg_solver_prepare(const rg_problem *p, const rg_options *o, rg_solver **out)
{
    return rg_solver_prepare_like(NULL, p, o, out);
}

rg_status rg_solver_prepare_like(const rg_solver *like, const rg_problem *p, const rg_options *o,
                                 rg_solver **out)
{
    rg_solver *s = rg_alloc(p->ctx, 1, sizeof *s);

    *out = NULL;
    if (s == NULL) return RG_ERR_MEMORY;
    s->ctx = p->ctx;
    s->base = p;
    rg_status status = rg_default_options(p, o, &s->options);
    if (status == RG_OK) status = take_units(s);
    if (status == RG_OK) status = set_up(s, like);
    if (status == RG_OK)
        *out = s;
    else
        rg_solver_destroy(&s);
    return status;
}

void rg_solver_destroy(rg_solver **solver)
{
    rg_solver *s = solver == NULL ? NULL : *solver;

    if (s == NULL) return;
    rg_event_run_destroy(&s->events);
    rg_stepper_destroy(&s->stepper);
    rg_integrator_destroy(&s->integrator);
    rg_stable_destroy(&s->form);
    rg_system_work_destroy(&s->work);
    rg_system_destroy(&s->system);
    rg_units_destroy(s->ctx, &s->units);
    rg_free(s->ctx, s->y);
    rg_free(s->ctx, s->yp);
    rg_free(s->ctx, s->level_max);
    rg_free(s->ctx, s->start);
    if (s->pause != NULL) rg_pause_clear(s->pause);
    rg_free(s->ctx, s->pause);
    rg_problem_destroy(&s->problem);
    rg_problem_destroy(&s->shared);
    rg_free(s->ctx, s);
    *solver = NULL;
}

/* Another method at first, where that is worth it. */
static rg_status try_relay(rg_solver *s, const rg_state *start, double t_end)
{
    if (!s->choice.may_relay || rg_system_switch_count(s->system) > 0) return RG_OK;
    const rg_status status = rg_integrator_create_with(&rg_relay_method, s->system, &s->options,
                                                       start, t_end, &s->integrator);
    s->is_relay = status == RG_OK;
    if (s->is_relay) rg_log(s->ctx, 2, "method: %s begins", rg_relay_tell(s->integrator).first);
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}

rg_status rg_solver_begin(rg_solver *s, double t_end)
{
    const double *y = s->start != NULL ? s->start : s->y;
    const rg_state start = {s->problem->a, y, s->start != NULL ? y + s->n : s->yp};
    const rg_method *m = s->choice.method;
    const bool is_even = s->options.stages > 0 && s->options.stages % 2 == 0;
    const rg_analysis *a;

    RG_TRY(try_relay(s, &start, t_end));
    if (!s->is_relay)
        RG_TRY(rg_integrator_create_with(is_even && m->ivp_even != NULL ? m->ivp_even : m->ivp,
                                         s->system, &s->options, &start, t_end, &s->integrator));
    s->integrator->pause = s->pause;
    s->integrator->is_combined = s->may_vanish;
    const double from = s->problem->a, to = s->problem->b;
    RG_TRY(rg_integrator_mind_pulses(s->integrator, s->problem,
                                     (to - t_end) * (t_end - from) > 0.0 ? to : t_end));
    RG_TRY(rg_integrator_mind_poles(s->integrator));
    if (s->integrator->method->begin != NULL)
        RG_TRY(s->integrator->method->begin(s->integrator, s->problem));
    RG_TRY(rg_passage_attach(s->integrator, &s->form));
    RG_TRY(rg_degenerate_create(s->integrator, &s->integrator->degenerate));
    RG_TRY(rg_used_up_create(s->integrator, &s->integrator->used_up));
    if (m->has_formulation && s->options.step == 0.0) RG_TRY(rg_integrator_recovers(s->integrator));
    RG_TRY(rg_analysis_get(s->problem, &a));
    return s->choice.method->can_be_watched ? rg_warn_unwatched(s, a) : RG_OK;
}

rg_status rg_solver_attach(rg_solver *s, rg_solution *solution)
{
    const rg_ivp_method *m = s->integrator->method;

    return m->attach != NULL ? m->attach(s->integrator, s->problem, solution) : RG_OK;
}

void rg_solver_mark_unknown(rg_solver *s)
{
    const rg_consistent *c = rg_start_known(s->problem);

    for (int r = 0; c != NULL && r <= RG_MAX_ORDER; r++)
        for (int64_t j = 0; j < s->problem->n; j++) {
            const int64_t state = rg_system_state(s->system, j, r);
            if (state >= 0 && (r + 1 >= c->n_orders || isnan(c->value[r + 1][j])))
                s->yp[state] = NAN;
        }
}
