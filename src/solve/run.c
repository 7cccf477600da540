/* A whole run: prepare, step, hand every point to the solution. */
#include "solve/run.h"

#include "curve/writer.h"
#include "ivp/event/tuning.h"
#include "ivp/forces.h"
#include "ivp/layout.h"
#include "solution/columns.h"
#include "solve/dips.h"
#include "solve/estimate.h"
#include "solve/first_row.h"
#include "solve/integration.h"
#include "solve/lost.h"
#include "solve/run_tell.h"
#include "solve/sizes.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct { /* a run under way */
    rg_integration way;
    rg_second_run *second; /* NULL: nobody compares */
    rg_solution *solution;
    const rg_request *request;
    rg_writer writer;
    rg_sizes sizes;
    rg_dips dips;
    rg_undefined undefined;
    rg_torn torn;
    rg_lost *lost;      /* NULL: nothing can be */
    bool is_jump;       /* rows are behind an event */
    bool has_start;     /* the start has been put out, ... */
    double first_doubt; /* ... with values that are off by this */
    double *needs;      /* per state: what outputs ask for (solve/estimate.h) */
    uint8_t *counts;    /* per state: what is written depends on it; NULL: rows are chosen times */
    rg_force_columns *forces; /* of constraints, where they are written; NULL: none */
} run;

static rg_status find_drift(void *user, double t, const double *y, const double *yp, double *level)
{
    const rg_solver *s = ((const run *)user)->way.solver;

    return rg_system_drift(s->system, s->work, t, y, yp, level);
}

static rg_status row(void *user, double t, double *y, double *yp)
{
    const rg_solver *s = ((const run *)user)->way.solver;

    return rg_integrator_row(s->integrator, t, y, yp);
}

static rg_status rows(void *user, int64_t count)
{
    const rg_solver *s = ((const run *)user)->way.solver;

    return rg_integrator_rows(s->integrator, count);
}

/* The columns of a row, into solution->value; outputs without a value are noted. */
static rg_status look_at_row(run *r, double t, const double *y, const double *yp)
{
    rg_solution *s = r->solution;
    const size_t bytes = (size_t)s->n * sizeof *y;

    memcpy(s->point, y, bytes);
    memcpy(s->point + s->n, yp, bytes);
    RG_TRY(rg_columns_eval(s->columns, t, s->point, s->value));
    rg_undefined_look(&r->undefined, r->way.solver, s, t);
    return rg_torn_look(&r->torn, r->way.solver, s, t);
}

static rg_status seen(void *user, double t, const double *y, const double *yp)
{
    run *r = user;
    rg_pair row = {.t = t};

    rg_grazed_row(&r->way.solver->integrator->grazed, t);
    if (r->second == NULL && r->solution->problem->n_outputs == 0) return RG_OK;
    const double at = r->is_jump ? r->way.solver->integrator->t : t;
    row.n_switches = rg_integrator_switches(r->way.solver->integrator, at, &row.t_switch);
    RG_TRY(look_at_row(r, t, y, yp));
    rg_second_run_row(r->second, &row, r->solution->value, r->solution->force);
    return RG_OK;
}

/* Is the start a row? */
static bool starts_with_row(const run *r)
{
    return r->request->n_times == 0 || r->request->times[0] == r->way.solver->problem->a;
}

/* solver->y and yp still hold the start. */
static rg_status put_start(run *r)
{
    const rg_solver *s = r->way.solver;

    r->has_start = true;
    rg_sizes_take(&r->sizes, s->problem->a, s->y, s->yp, NULL);
    rg_dips_take(&r->dips, s->integrator, s->problem->a, s->y, s->yp);
    if (starts_with_row(r)) RG_TRY(look_at_row(r, s->problem->a, s->y, s->yp));
    return rg_writer_start(&r->writer, s->problem->a, s->y, s->yp);
}

static rg_status find_written(run *r)
{
    const rg_solver *s = r->way.solver;
    const int64_t n = s->problem->n;
    uint8_t *is_written;

    if (r->request->n_times > 0) return RG_OK;
    r->counts = rg_alloc(s->ctx, (size_t)(s->n + n) + 1, sizeof *r->counts);
    if (r->counts == NULL) return RG_ERR_MEMORY;
    is_written = r->counts + s->n;
    rg_written_unknowns(s->problem, is_written);
    for (int order = 0; order <= RG_MAX_ORDER; order++)
        for (int64_t j = 0; j < n; j++) {
            const int64_t at = is_written[j] ? rg_system_state(s->system, j, order) : -1;
            if (at >= 0) r->counts[at] = 1;
        }
    return RG_OK;
}

/* Looks at the polynomial of a step, of every one at first, later of a few. */
static rg_status look_between(run *r, const rg_integrator *g)
{
    rg_integrator *own = r->way.solver->integrator;
    rg_between *b = &r->solution->between;
    const int64_t k = g->stats.steps;
    double d;
    int64_t state;

    if (r->counts == NULL || (k > RG_BETWEEN_ALL && k % RG_BETWEEN_EVERY != 0)) return RG_OK;
    RG_TRY(rg_integrator_between(own, r->counts, &d, &state));
    if (state < 0) return RG_OK;
    const double pieces = pow(fmax(d, 1.0), 1.0 / (g->degree + 1.0));
    b->points += 2.0 * pieces * (k > RG_BETWEEN_ALL ? RG_BETWEEN_EVERY : 1);
    if (!(d > b->off)) return RG_OK;
    b->off = d;
    rg_system_state_name(r->way.solver->system, state, b->name, sizeof b->name);
    return RG_OK;
}

/* Is there a row in the step up to t? */
static bool has_row(const run *r, double t)
{
    const rg_request *q = r->request;
    const int64_t k = r->writer.next_time;

    if (q->n_times == 0) return true;
    return k < q->n_times && (q->times[k] - t) * r->way.solver->integrator->direction <= 0.0;
}

static rg_status put_step(const rg_integrator *g, void *user)
{
    run *r = user;
    rg_state now = rg_integrator_state(g);

    const bool is_row = rg_integrator_is_done(g) || rg_writer_wants(&r->writer, now.t);
    if (is_row) RG_TRY(rg_integrator_result(r->way.solver->integrator, &now));
    const rg_solution_step step = {.t0 = rg_integrator_step_start(g),
                                   .t1 = now.t,
                                   .y = now.y,
                                   .yp = now.yp,
                                   .degree = rg_integrator_degree(g),
                                   .coefficients = rg_integrator_polynomial(g)};

    if (!r->has_start) {
        RG_TRY(rg_first_row_complete(r->way.solver, &step, starts_with_row(r), &r->first_doubt));
        RG_TRY(put_start(r));
    }
    rg_sizes_take(&r->sizes, now.t, now.y, now.yp, is_row ? NULL : rg_integrator_recovery(g));
    rg_dips_take(&r->dips, r->way.solver->integrator, now.t, now.y, now.yp);
    r->writer.holds_end = g->is_at_event;
    r->writer.near = RG_EVENT_PART * fabs(step.t1 - step.t0);
    RG_TRY(look_between(r, g));
    RG_TRY(rg_lost_look(r->lost, r->way.solver, step.t0, &now, has_row(r, now.t)));
    const rg_status status = rg_writer_step(&r->writer, &step);
    if (!g->is_at_event) rg_second_run_reach(r->second, now.t); /* else a row may follow there */
    return status;
}

/* Behind an event. */
static rg_status put_jump(const rg_integrator *g, void *user)
{
    run *r = user;
    const rg_state now = rg_integrator_state(g);

    if (!r->has_start) RG_TRY(put_start(r));
    rg_sizes_take(&r->sizes, now.t, now.y, now.yp, NULL);
    rg_dips_jump(&r->dips, r->way.solver->integrator, now.t, now.y, now.yp);
    r->is_jump = true;
    const rg_status status = rg_writer_jump(&r->writer, now.t, now.y, now.yp);
    r->is_jump = false;
    rg_second_run_reach(r->second, now.t);
    return status;
}

static rg_status take_events(run *r)
{
    const rg_event_log *log = &r->way.events;

    if (log->stop != NULL)
        snprintf(r->solution->message, sizeof r->solution->message, "stopped by '%s' at %s = %.10g",
                 log->stop, rg_problem_time_name(r->way.solver->problem), r->solution->t_last);
    return rg_solution_add_events(r->solution, log->total, log->n_notes, log->note);
}

static void start_second(run *r)
{
    rg_second_run_start(r->way.solver, r->way.t_end, r->solution, r->request->n_times,
                        r->way.keeper, r->needs, &r->second);
}

/* The run begins again, and with it the one beside it. */
static rg_status forget(const rg_state *start, void *user)
{
    run *r = user;
    const size_t bytes = (size_t)r->way.solver->n * sizeof *start->y;

    if (r->way.keeper != NULL)
        RG_TRY(rg_keeper_forget(r->way.keeper)); /* before its rows are gone */
    memcpy(r->way.solver->y, start->y, bytes);
    memcpy(r->way.solver->yp, start->yp, bytes);
    rg_solver_mark_unknown(r->way.solver);
    r->has_start = false;
    rg_sizes_forget(&r->sizes);
    rg_dips_forget(&r->dips);
    r->undefined = (rg_undefined){0};
    r->torn = (rg_torn){0};
    rg_lost_forget(r->lost);
    RG_TRY(rg_writer_rewind(&r->writer));
    if (r->second == NULL) return RG_OK;
    rg_second_run_drop(&r->second);
    start_second(r);
    return RG_OK;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

/* What the run has beside its solver. */
static void store(void *user, rg_store *s)
{
    run *r = user;
    int64_t size = 0;
    uint64_t hash = 0;

    if (!s->is_reading && r->solution->csv != NULL && s->status == RG_OK)
        s->status = rg_csv_mark(r->solution->csv, &size, &hash);
    RG_STORE(s, size); /* first: see open_rows() */
    RG_STORE(s, hash);
    rg_solution_store(r->solution, s);
    RG_STORE(s, r->writer.next_time);
    RG_STORE(s, r->has_start);
    rg_sizes_store(&r->sizes, s);
    rg_dips_store(&r->dips, s);
    RG_STORE(s, r->undefined);
    RG_STORE(s, r->torn);
    rg_lost_store(r->lost, s);
    RG_STORE(s, r->first_doubt);
    rg_event_log_store(&r->way.events, r->way.solver->problem, s);
    rg_second_run_store_rows(r->second, s);
}

/* The CSV file, with the rows that a checkpoint has seen. */
static rg_status open_rows(run *r, rg_stage stage)
{
    int64_t size = 0;
    uint64_t hash = 0;

    if (r->way.keeper == NULL || r->request->csv == NULL) return RG_OK;
    if (stage != RG_STAGE_NONE) {
        rg_store *s = rg_keeper_store(r->way.keeper, RG_STAGE_RUN);
        RG_STORE(s, size);
        RG_STORE(s, hash);
        s->at = 0;
    }
    return rg_solution_open_csv(r->solution, r->request->csv, size, hash);
}

static void set_rewind(run *r)
{
    const bool may_repeat = r->request->output == NULL || r->request->may_repeat;

    if (r->way.solver->problem->n_events == 0 && may_repeat && rg_solution_can_rewind(r->solution))
        rg_integrator_set_rewind(r->way.solver->integrator, forget, r);
}

static rg_status renewed(void *user)
{
    run *r = user;

    RG_TRY(rg_solver_attach(r->way.solver, r->solution));
    set_rewind(r);
    return RG_OK;
}

/* Solution and integrator exist from here on: whatever happens, what was computed is handed
 * back. */
static rg_status execute(run *r, rg_stage stage)
{
    rg_solver_mark_unknown(r->way.solver);
    set_rewind(r);
    if (stage != RG_STAGE_NONE) RG_TRY(rg_integration_take_up(&r->way));
    const bool is_over = stage != RG_STAGE_NONE && rg_integration_is_over(&r->way);
    rg_status status = is_over ? RG_OK : rg_integration_run(&r->way);
    const rg_status started = r->has_start ? RG_OK : put_start(r);
    if (status == RG_OK && r->way.keeper != NULL && stage != RG_STAGE_SECOND)
        status = rg_integration_put_down(&r->way, true);
    rg_status noted = rg_run_tell(r->way.solver, r->solution);
    if (noted == RG_OK) noted = rg_dips_judge(&r->dips, r->way.solver);
    rg_run_sign(r->way.solver, r->solution);
    if (status == RG_OK) status = started;
    if (status == RG_OK) status = noted;
    const int64_t n_times = r->request->n_times;
    if (status == RG_OK && n_times > 0 && r->request->times[n_times - 1] != r->solution->t_last)
        status = look_at_row(r, r->solution->t_last, r->solution->last,
                             r->solution->last + r->solution->n);
    const rg_status told = take_events(r);
    if (status == RG_OK) status = told;
    RG_TRY(rg_writer_close(&r->writer, status, 0, NULL));
    return rg_undefined_tell(&r->undefined, r->way.solver, r->solution);
}

/* Beside what the model asks for there is nothing else. */
static rg_status write_forces(run *r, rg_solution *out)
{
    const rg_solver *s = r->way.solver;
    rg_forces forces;

    if (out->csv == NULL || s->problem->n_outputs > 0) return RG_OK;
    RG_TRY(rg_force_columns_create(s->integrator, s->problem, &forces, &r->forces));
    return r->forces != NULL ? rg_solution_set_forces(out, &forces) : RG_OK;
}

static rg_status create_solution(run *r, rg_solution **out)
{
    rg_layout *layout = NULL;
    const rg_solver *s = r->way.solver;

    RG_TRY(rg_system_layout(s->system, s->problem->n, &layout));
    r->writer =
        (rg_writer){.user = r, .eval = row, .rows = rows, .seen = seen, .drift = find_drift};
    RG_TRY(rg_writer_open(&r->writer, s->problem, &layout, rg_system_drift_levels(s->system),
                          r->request, out));
    rg_run_sign(s, *out);
    (*out)->structure = s->structure;
    r->solution = *out;
    const rg_integrator *g = s->integrator;
    if (g->method->attach != NULL || !s->choice.method->has_formulation)
        return rg_solver_attach(r->way.solver, *out);
    return write_forces(r, *out);
}

/* Everything before the first step. */
static rg_status prepare(run *r, const rg_problem *p, const rg_options *o, const rg_attempt *a,
                         rg_stage stage, rg_solution **out)
{
    RG_TRY(rg_solver_prepare(p, o, &r->way.solver));
    if (a->keeper != NULL) RG_TRY(rg_solver_pauses(r->way.solver));
    RG_TRY(rg_solver_begin(r->way.solver, r->way.t_end));
    RG_TRY(create_solution(r, out));
    RG_TRY(open_rows(r, stage));
    RG_TRY(find_written(r));
    RG_TRY(rg_sizes_init(p->ctx, r->way.solver->n, &r->sizes));
    RG_TRY(rg_dips_init(p->ctx, r->way.solver->n, r->way.t_end - p->a, &r->dips));
    RG_TRY(rg_lost_create(r->way.solver, &r->lost));
    r->needs = rg_alloc(p->ctx, 2 * (size_t)r->way.solver->n + 1, sizeof *r->needs);
    if (r->needs == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < 2 * r->way.solver->n; i++)
        r->needs[i] = INFINITY;
    if (a->note[0] != '\0') RG_TRY(rg_problem_warn(r->way.solver->problem, "%s", a->note));
    if (r->request->estimate) start_second(r);
    return RG_OK;
}

rg_status rg_run_once(const rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                      rg_attempt *a, rg_solution **out)
{
    const double begin = rg_seconds();
    run now = {.request = r};
    a->passes_zero = a->is_noise = a->has_grown = false;
    const rg_stage stage = a->keeper != NULL ? rg_keeper_resumes(a->keeper) : RG_STAGE_NONE;
    rg_status status;

    now.way = (rg_integration){
        .t_end = t_end,
        .sinks = {put_step, put_jump, &now},
        .keeper = a->keeper,
        .stage = RG_STAGE_RUN,
        .store = store,
        .renewed = renewed
    };
    if ((status = prepare(&now, p, o, a, stage, out)) != RG_OK) goto done;
    status = execute(&now, stage);
    if (status == RG_ERR_CONVERGENCE) status = rg_run_tell_failure(now.way.solver, status);
    if (stage == RG_STAGE_SECOND && status == RG_OK) status = rg_second_run_take_up(now.second);
    const bool is_complete = status == RG_OK;
    const rg_status compared =
        rg_second_run_finish(&now.second, is_complete, &now.way.events, *out);
    if (status == RG_OK) status = compared;
    if (now.first_doubt > (*out)->estimate) (*out)->estimate = now.first_doubt;
    if (status == RG_OK) status = rg_torn_tell(&now.torn, now.way.solver, *out);
    if (status == RG_OK) status = rg_lost_tell(now.lost, now.way.solver, *out);
    if (status == RG_OK) status = rg_dips_tell(&now.dips, now.way.solver);
    (*out)->stats = rg_integrator_stats(now.way.solver->integrator);
    (*out)->stats.seconds = rg_seconds() - begin;
    if ((status == RG_OK || status == RG_ERR_CONVERGENCE) && !a->is_last) {
        a->has_grown = rg_dips_is_any(&now.dips);
        a->passes_zero = status != RG_OK && !(is_complete && rg_last_error(p->ctx)->t == t_end)
                         && rg_sizes_pass_zero(&now.sizes, now.way.solver->integrator, is_complete);
        a->is_noise =
            status != RG_OK && (is_complete || rg_sizes_have_exploded(&now.sizes, now.way.solver));
        if (status != RG_OK) rg_sizes_go_back(&now.sizes);
        now.sizes.counts_all = status != RG_OK;
        const rg_status sized = rg_sizes_units(&now.sizes, &now.dips, now.needs, now.way.solver,
                                               (rg_sizes_known){a->given, a->failed}, &a->next,
                                               a->names, sizeof a->names);
        if (status == RG_OK) status = sized;
    }
done:
    if (status == RG_ERR_INTERRUPTED && a->keeper != NULL) rg_keeper_interrupt(a->keeper);
    rg_sizes_clear(p->ctx, &now.sizes);
    rg_dips_clear(p->ctx, &now.dips);
    rg_lost_destroy(&now.lost);
    rg_event_log_clear(p->ctx, &now.way.events);
    status = rg_writer_close(&now.writer, status, 0, NULL);
    rg_force_columns_destroy(&now.forces);
    rg_free(p->ctx, now.counts);
    rg_free(p->ctx, now.needs);
    if (now.way.solver != NULL && *out != NULL)
        rg_solution_take_problem(*out, &now.way.solver->problem);
    else if (now.way.solver
             != NULL) /* no solution that could tell them; the run has failed anyway */
        (void)rg_study_take_warnings(p->study, now.way.solver->problem->study);
    rg_solver_destroy(&now.way.solver);
    return status;
}
