/* The estimate of the global error.
 *
 * Two runs from the same start, with the tolerances tol and q tol, q = 1/3, have the values y and w
 * in a row.  If the errors follow the tolerance, e(q tol) = q^a e(tol) with a between 2/3 and 1,
 * then
 *
 *     y - w = (1 - q^a) e,      1 - q^a = 0.52 .. 0.67,
 *
 * a difference that is right in size even where a is not: unlike Richardson's extrapolation
 * from a looser run, whose factor q^-a - 1 multiplies every doubt about a.  The estimate is
 *
 *     max_i  3 |y_i - w_i| / (atol_i/rtol + |y_i|)
 *
 * over what is written (solution/columns.h) in all rows: chosen times, or steps of the first run
 * (solve/pairs.h); never below rounding, that of t included.  The factor covers components where
 * both runs err in the same way; chosen by experiment (bench/bench_estimate.c): at most 10 and at
 * least 1/100 of the estimate is to be the true error.  So that the runs do not take the same
 * steps, the second one begins with a part of the first step.  With a fixed step h it takes 3/4 h,
 * and 3/4 eps where a regularization parameter is given; then four of its steps meet three of the
 * first run.
 *
 * At a switch values may jump, and the runs do so at slightly different times: every row says
 * behind how many switches it lies, and rows between the two times of one switch are left out.
 * Behind a switch the second run begins with a part of the step as well, and it keeps to a part of
 * h_max, so that it never takes the steps of the first one.
 *
 * Threads: evaluation shares the problem and nothing else, so the second run goes beside the
 * first one, in a context of its own. Three things forbid that, and then it follows the first
 * one: functions of the caller, who has not been asked whether they may run twice at a time; an
 * allocator of the caller; a sweep, whose other runs have the other cores. */
#include "solve/estimate.h"

#include "base/context.h"
#include "bvp/tuning.h"
#include "ivp/layout.h"
#include "ivp/tuning.h"
#include "solve/estimate_impl.h"
#include "solve/tuning.h"

#include <math.h>

enum { MEET = 3 }; /* fixed step: so many steps of the first run end with one of the second */

void rg_second_run_row(rg_second_run *w, const rg_pair *row, const double *columns,
                       const double *forces)
{
    if (w != NULL && rg_pairs_wants(w->pairs, row->t))
        rg_pairs_offer(w->pairs, row, columns, w->n_columns, forces);
}

void rg_second_run_reach(rg_second_run *w, double t)
{
    if (w != NULL) rg_pairs_reach(w->pairs, t);
}

void rg_second_run_store_rows(rg_second_run *w, rg_store *s)
{
    bool is_there = w != NULL;

    RG_STORE(s, is_there);
    if (w != NULL && is_there) rg_pairs_store(w->pairs, s);
}

static void store(void *user, rg_store *s)
{
    rg_second_run *w = user;

    rg_pairs_store(w->pairs, s);
    RG_STORE(s, w->rounding);
    RG_STORE(s, w->worst);
    RG_STORE(s, w->t_lost);
    RG_STORE(s, w->force);
    rg_store_reals(s, w->unit, w->n_columns);
    rg_store_reals(s, w->most, 6 * w->n_columns);
    rg_store_reals(s, w->before, 2 * w->way.solver->n);
    rg_store_reals(s, w->needs, 2 * w->way.solver->n);
    rg_event_log_store(&w->way.events, w->way.solver->problem, s);
}

rg_status rg_second_run_take_up(rg_second_run *w)
{
    return w != NULL ? rg_integration_take_up(&w->way) : RG_OK;
}

static void *run(void *user)
{
    rg_second_run *w = user;

    if (!rg_integration_is_over(&w->way)) w->status = rg_integration_run(&w->way);
    if (w->status == RG_OK && w->way.keeper != NULL && rg_integration_is_over(&w->way))
        w->status = rg_integration_put_down(&w->way, true);
    return NULL;
}

static void destroy(rg_second_run **second)
{
    rg_second_run *w = *second;

    if (w == NULL) return;
    rg_force_columns_destroy(&w->force_columns);
    rg_columns_destroy(&w->columns);
    rg_layout_destroy(&w->layout);
    rg_pairs_destroy(&w->pairs);
    if (w->ctx != NULL) rg_free(w->ctx, w->z);
    if (w->ctx != NULL) rg_free(w->ctx, w->is_output);
    if (w->ctx != NULL) rg_event_log_clear(w->ctx, &w->way.events);
    rg_solver_destroy(&w->way.solver);
    rg_problem_destroy(&w->second);
    rg_context_destroy(&w->ctx);
    rg_free(w->parent, w);
    *second = NULL;
}

/* Waits for the thread. */
static void stop(rg_second_run *w)
{
    rg_context_interrupt(w->ctx);
    rg_pairs_finish(w->pairs, 0);
    if (w->has_thread) pthread_join(w->thread, NULL);
    w->has_thread = false;
}

void rg_second_run_drop(rg_second_run **second)
{
    if (*second != NULL) stop(*second);
    destroy(second);
}

static rg_options second_options(const rg_options *first)
{
    rg_options o = *first;
    const double q = fmax(RG_ESTIMATE_TOLERANCE, fmin(1.0, RG_ESTIMATE_RTOL_LEAST / o.rtol));

    o.rtol *= q;
    o.atol *= q; /* the ratios of single unknowns stay */
    o.h_first *= RG_ESTIMATE_FIRST_PART;
    o.step *= RG_ESTIMATE_STEP;
    o.h_max *= RG_ESTIMATE_STEP;
    o.eps *= RG_ESTIMATE_STEP;
    o.max_steps *= 2;
    return o;
}

/* Those that the first run writes. */
static rg_status prepare_forces(rg_second_run *w, const rg_solution *s)
{
    rg_solver *own = w->way.solver;

    if (s->forces.n == 0 || s->csv == NULL) return RG_OK;
    if (own->integrator->method->forces != NULL) {
        own->integrator->method->forces(own->integrator, &w->forces);
        return RG_OK;
    }
    return rg_force_columns_create(own->integrator, own->problem, &w->forces, &w->force_columns);
}

static rg_status prepare_rows(rg_second_run *w, const rg_solution *s, double t_end, int64_t n_times)
{
    const rg_options *o = &w->first->options;
    const size_t n = (size_t)w->way.solver->n, columns = (size_t)rg_solution_columns(s);

    RG_TRY(prepare_forces(w, s));
    const size_t forces = (size_t)w->forces.n;

    w->n_columns = (int64_t)columns;
    w->rows_are_steps = n_times == 0;
    w->rough = o->step > 0.0;
    const rg_integrator *g = w->way.solver->integrator;
    w->meets = w->rows_are_steps && !w->rough && g->supervisor != NULL && !g->method->is_dense
               && !rg_integrator_has_rows(g);
    for (size_t j = 0; j < 2 * n; j++)
        w->needs[j] = INFINITY;
    w->z = rg_alloc(w->ctx, 6 * n + 10 * columns + 2 * forces + 1, sizeof *w->z);
    w->is_output = rg_alloc(w->ctx, 4 * columns + 1, sizeof *w->is_output);
    if (w->z == NULL || w->is_output == NULL) return RG_ERR_MEMORY;
    w->is_derived = w->is_output + columns;
    w->is_missed = w->is_derived + columns;
    w->is_doubtful = w->is_missed + columns;
    w->before = w->z + 2 * n;
    w->moved = w->before + 2 * n;
    w->theirs = w->moved + 2 * n;
    w->our_forces = w->theirs + columns + forces;
    w->ours = w->our_forces + forces;
    w->unit = w->ours + columns;
    w->derived = w->unit + columns;
    w->most = w->derived + columns;
    w->t_most = w->most + columns;
    w->largest = w->t_most + columns;
    w->off = w->largest + columns;
    w->terms = w->off + columns;
    w->solid = w->terms + columns;
    rg_second_run_units(w, s);
    w->t_lost = NAN;
    RG_TRY(rg_system_layout(w->way.solver->system, w->way.solver->problem->n, &w->layout));
    RG_TRY(rg_columns_create(w->way.solver->problem, w->layout, &w->columns));
    return rg_pairs_create(w->ctx, w->n_columns + w->forces.n, n_times,
                           w->rough && n_times == 0 ? MEET : 1, t_end - w->problem->a, &w->pairs);
}

static rg_status prepare(rg_second_run *w, const rg_solver *first, double t_end,
                         const rg_solution *s, int64_t n_times)
{
    const rg_options o = second_options(&first->options);

    RG_TRY(rg_context_create_beside(w->parent, &w->ctx));
    RG_TRY(rg_problem_handle(w->ctx, first->problem, first->problem->study, &w->second));
    RG_TRY(rg_solver_prepare_like(first, w->second, &o, &w->way.solver));
    if (w->way.keeper != NULL) RG_TRY(rg_solver_pauses(w->way.solver));
    RG_TRY(rg_solver_begin(w->way.solver, t_end));
    w->way.solver->integrator->first_part = RG_ESTIMATE_FIRST_PART;
    return prepare_rows(w, s, t_end, n_times);
}

static bool is_safe_beside(const rg_second_run *w)
{
    const rg_problem *p = w->problem;

    return p->n_blocks > 0 && p->residual == NULL && p->rhs == NULL
           && w->parent->allocate == rg_default_realloc && !w->parent->is_worker
           && w->way.keeper == NULL;
}

void rg_second_run_start(const rg_solver *first, double t_end, const rg_solution *s,
                         int64_t n_times, rg_keeper *keeper, double *needs, rg_second_run **out)
{
    rg_second_run *w = rg_alloc(first->ctx, 1, sizeof *w);

    *out = w;
    if (w != NULL) {
        w->first = first;
        w->parent = first->ctx;
        w->problem = first->problem;
        w->needs = needs;
        w->way = (rg_integration){
            .t_end = t_end,
            .sinks = {rg_second_run_look, rg_second_run_jump, w},
            .keeper = keeper,
            .stage = RG_STAGE_SECOND,
            .store = store
        };
        if (prepare(w, first, t_end, s, n_times) != RG_OK) destroy(out);
    }
    if (*out == NULL) {
        rg_second_run_warn(first->problem, "it cannot be prepared");
        rg_clear_error(first->ctx);
        return;
    }
    if (is_safe_beside(w)) w->has_thread = pthread_create(&w->thread, NULL, run, w) == 0;
}

static int64_t steps_of(const rg_solver *s)
{
    const rg_stats stats = rg_integrator_stats(s->integrator);

    return stats.steps + stats.rejected;
}

/* Two runs with tolerances that differ by a factor 3 take steps of about the same number. */
rg_status rg_second_run_crawls(rg_second_run *w)
{
    const int64_t first = rg_pairs_steps(w->pairs), steps = steps_of(w->way.solver);
    const double t = rg_integrator_state(w->way.solver->integrator).t;

    if (first == 0 || (double)steps <= RG_SIZE_STEPS * ((double)first + RG_SIZE_STEPS))
        return RG_OK;
    rg_fail(w->ctx, RG_ERR_CONVERGENCE, "it took %lld steps to t = %.10g, the first run %lld",
            (long long)steps, t, (long long)first);
    rg_fail_time(w->ctx, t);
    return RG_ERR_CONVERGENCE;
}

static void forget_needs(rg_second_run *w)
{
    for (int64_t j = 0; w->needs != NULL && j < 2 * w->way.solver->n; j++)
        w->needs[j] = INFINITY;
}

rg_status rg_second_run_finish(rg_second_run **second, bool is_complete, const rg_event_log *events,
                               rg_solution *s)
{
    rg_second_run *w = *second;
    rg_status status = RG_OK;

    if (w == NULL) return RG_OK;
    if (!is_complete) stop(w);
    rg_pairs_finish(w->pairs, is_complete ? steps_of(w->first) : 0);
    if (w->has_thread)
        pthread_join(w->thread, NULL);
    else if (is_complete)
        run(w);
    if (is_complete && w->status == RG_OK) w->status = rg_second_run_crawls(w);
    if (is_complete) status = rg_second_run_judge(w, events, s);
    if (!is_complete) forget_needs(w); /* how far it came is chance */
    destroy(second);
    return status;
}
