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
#include "curve/tuning.h"
#include "ivp/layout.h"
#include "ivp/passage/passage.h"
#include "ivp/tuning.h"
#include "solution/number.h"
#include "solve/pairs.h"
#include "solve/tuning.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 4 }; /* columns in a message */
enum { MEET = 3 };  /* fixed step: so many steps of the first run end with one of the second */

struct rg_second_run {
    const rg_solver *first;
    rg_context *parent, *ctx;
    const rg_problem *problem; /* of the first run */
    rg_problem *second; /* the same for the second: what it would find out is known already */
    rg_solver *solver;
    double *unit;     /* columns: atol/rtol */
    bool *is_derived; /* columns: expressions of unknowns with an atol of their own */
    bool has_derived;
    rg_pairs *pairs;
    bool rows_are_steps;
    rg_layout *layout;
    rg_columns *columns; /* of the second run */
    int64_t n_columns;
    double *z;               /* y, y' of a row; of the end of the last step */
    double *before;          /* z at the end of the last step */
    double *moved, *derived; /* z near by, and its columns */
    double *theirs, *ours;   /* columns: of the first run, of the second */
    double *most;            /* the largest difference of every column */
    double rounding;         /* what that of t makes of a value, at most */
    double worst, t_lost;    /* the largest difference; from where on no digit is certain */
    pthread_t thread;
    bool has_thread;
    rg_status status;
    rg_event_log events;
    bool rough;        /* fixed step: rows between the steps are not as good as steps */
    rg_keeper *keeper; /* checkpoints of both runs; NULL: none */
};

/* ---- rows ------------------------------------------------------------------------------------ */

static double difference(const rg_second_run *w, int64_t k, double other)
{
    const double size = w->unit[k] + fabs(w->theirs[k]);

    return fabs(w->theirs[k] - other) / (size > 0.0 ? size : 1.0);
}

/* One run has passed a switch that the other one has still before it: the row lies between the two
 * times of that switch, and the runs are on different sides of it. */
static bool is_between(const rg_second_run *w, const rg_pair *row)
{
    const rg_integrator *g = w->solver->integrator;
    const double near = sqrt(g->options.rtol) * fabs(g->t_end - g->t_start);
    double t_switch;
    const bool is_same = rg_integrator_switches(g, row->t, &t_switch) == row->n_switches;

    return !is_same && (fabs(row->t - t_switch) <= near || fabs(row->t - row->t_switch) <= near);
}

/* What the units of the unknowns are in an expression P(y) of them,
 *
 *     sum_j |dP/dy_j| unit_j,
 *
 * from differences: y moved by small parts of the units, with equal and with changing signs. */
static void derive_units(rg_second_run *w, double t)
{
    const rg_integrator *g = w->solver->integrator;

    if (!w->has_derived || g->unit == NULL) return;
    for (int changes = 0; changes < 2; changes++) {
        memcpy(w->moved, w->z, 2 * (size_t)g->n * sizeof *w->z);
        for (int64_t i = 0; i < g->n; i++)
            w->moved[i] += (changes && i % 2 == 1 ? -1.0 : 1.0) * RG_ESTIMATE_MOVE * g->unit[i];
        if (rg_columns_eval(w->columns, t, w->moved, w->derived) != RG_OK) return;
        for (int64_t k = 0; k < w->n_columns; k++) {
            const double unit = fabs(w->derived[k] - w->ours[k]) / RG_ESTIMATE_MOVE;
            if (w->is_derived[k] && unit > w->unit[k]) w->unit[k] = unit;
        }
    }
}

/* The rounding of t alone changes a value by  eps |t| |y'|. */
static double rounding_of_time(rg_second_run *w, double t)
{
    const rg_integrator *g = w->solver->integrator;
    const double move = DBL_EPSILON * fabs(t) / RG_ESTIMATE_MOVE;
    double worst = 0.0;

    for (int64_t i = 0; i < g->n; i++) {
        const double slope = w->z[g->n + i];
        w->moved[i] = w->z[i] + (isfinite(slope) ? move * slope : 0.0);
        w->moved[g->n + i] = slope;
    }
    if (rg_columns_eval(w->columns, t, w->moved, w->derived) != RG_OK) return 0.0;
    for (int64_t k = 0; k < w->n_columns; k++) {
        const double size = w->unit[k] + fabs(w->ours[k]);
        const double e = RG_ESTIMATE_MOVE * fabs(w->derived[k] - w->ours[k]) / size;
        if (isfinite(e) && e > worst) worst = e;
    }
    return worst;
}

/* A row of the first run, in w->theirs, beside w->z. */
static void compare_row(rg_second_run *w, double t)
{
    double worst = 0.0;

    if (rg_columns_eval(w->columns, t, w->z, w->ours) != RG_OK) return;
    derive_units(w, t);
    w->rounding = fmax(w->rounding, rounding_of_time(w, t));
    for (int64_t k = 0; k < w->n_columns; k++) {
        const double e = difference(w, k, w->ours[k]);
        if (!isfinite(e)) continue;
        worst = fmax(worst, e);
        w->most[k] = fmax(w->most[k], e);
    }
    w->worst = fmax(w->worst, worst);
    if (isnan(w->t_lost) && RG_ESTIMATE_ROWS * worst > RG_ESTIMATE_NO_DIGIT) w->t_lost = t;
}

/* Between the steps of a supervisor there is only a polynomial, not as good as steps are. */
static bool is_comparable(const rg_second_run *w, const rg_integrator *g, double t)
{
    const double from = g->t_previous, sign = g->direction;
    const bool is_rough = g->method->row == NULL && (g->supervisor != NULL || w->rough);

    if (sign * t < sign * from) return false;
    return !(w->rows_are_steps && is_rough) || fabs(t - g->t) <= RG_MESH_SLACK * fabs(g->t - from);
}

/* The end of the last step as it would be put out, into w->z. */
static rg_status take_result(rg_second_run *w)
{
    rg_integrator *g = w->solver->integrator;
    const size_t bytes = (size_t)g->n * sizeof *g->y;
    rg_state now;

    RG_TRY(rg_integrator_result(g, &now));
    memcpy(w->z, now.y, bytes);
    memcpy(w->z + g->n, now.yp, bytes);
    return RG_OK;
}

/* The end of the last step, or the values behind an event there. */
static rg_status remember(const rg_integrator *g, void *user)
{
    rg_second_run *w = user;

    memcpy(w->before, g->y, (size_t)g->n * sizeof *g->y);
    memcpy(w->before + g->n, g->yp, (size_t)g->n * sizeof *g->yp);
    return RG_OK;
}

/* The rows of the first run that lie in the last step.  The first run, or the user, has ended it
 * all: so does the second. */
static rg_status look(const rg_integrator *now, void *user)
{
    rg_second_run *w = user;
    rg_integrator *g = w->solver->integrator;
    rg_pair row;

    RG_TRY(remember(now, w));
    while (rg_pairs_take(w->pairs, g->t, &row, w->theirs)) {
        const double t = row.t;
        if (!is_comparable(w, g, t) || is_between(w, &row)) continue;
        if (fabs(t - g->t) <= RG_ESTIMATE_ROUNDING * fabs(t))
            RG_TRY(take_result(w));
        else
            RG_TRY(rg_integrator_row(g, t, w->z, w->z + g->n));
        compare_row(w, t);
    }
    return rg_interrupted(w->parent) ? RG_STOPPED : RG_OK;
}

void rg_second_run_row(rg_second_run *w, const rg_solution *s, const rg_pair *row, const double *y,
                       const double *yp)
{
    const size_t bytes = (size_t)s->n * sizeof *y;

    if (w == NULL || !rg_pairs_wants(w->pairs)) return;
    memcpy(s->point, y, bytes);
    memcpy(s->point + s->n, yp, bytes);
    if (rg_columns_eval(s->columns, row->t, s->point, s->value) != RG_OK) return;
    rg_pairs_offer(w->pairs, row, s->value);
}

void rg_second_run_reach(rg_second_run *w, double t)
{
    if (w != NULL) rg_pairs_reach(w->pairs, t);
}

/* ---- the second run -------------------------------------------------------------------------- */

void rg_second_run_store_rows(rg_second_run *w, rg_store *s)
{
    bool is_there = w != NULL;

    RG_STORE(s, is_there);
    if (w != NULL && is_there) rg_pairs_store(w->pairs, s);
}

static void store(rg_second_run *w, rg_store *s)
{
    rg_pairs_store(w->pairs, s);
    RG_STORE(s, w->rounding);
    RG_STORE(s, w->worst);
    RG_STORE(s, w->t_lost);
    rg_store_reals(s, w->unit, w->n_columns);
    rg_store_reals(s, w->before, 2 * w->solver->n);
    rg_event_log_store(&w->events, w->solver->problem, s);
}

rg_status rg_second_run_take_up(rg_second_run *w)
{
    if (w == NULL) return RG_OK;
    rg_store *s = rg_keeper_store(w->keeper, RG_STAGE_SECOND);
    const double t_end = w->solver->integrator->t_end;

    s->ctx = w->parent;
    rg_store_open(s);
    store(w, s);
    RG_TRY(s->status);
    return rg_solver_renew(w->solver, t_end, s);
}

static rg_status put_down(rg_second_run *w, bool is_end)
{
    rg_store *s = rg_keeper_store(w->keeper, RG_STAGE_SECOND);

    rg_store_empty(s);
    store(w, s);
    rg_solver_save(w->solver, s);
    RG_TRY(s->status);
    return rg_keeper_offer(w->keeper, RG_STAGE_SECOND, is_end);
}

static bool is_over(const rg_second_run *w)
{
    return rg_integrator_is_done(w->solver->integrator) || w->events.stop != NULL;
}

/* With checkpoints, from pause to pause. */
static rg_status integrate(rg_second_run *w)
{
    const rg_event_sinks sinks = {look, remember, w};

    while (!is_over(w)) {
        const rg_status status =
            rg_event_integrate(w->solver->integrator, w->solver->problem, &sinks, &w->events);
        if (status != RG_PAUSED) return status;
        RG_TRY(put_down(w, false));
        RG_TRY(rg_second_run_take_up(w));
    }
    return RG_OK;
}

static void *run(void *user)
{
    rg_second_run *w = user;

    w->status = integrate(w);
    if (w->status == RG_OK && w->keeper != NULL && is_over(w)) w->status = put_down(w, true);
    return NULL;
}

static void destroy(rg_second_run **second)
{
    rg_second_run *w = *second;

    if (w == NULL) return;
    rg_columns_destroy(&w->columns);
    rg_layout_destroy(&w->layout);
    rg_pairs_destroy(&w->pairs);
    if (w->ctx != NULL) rg_free(w->ctx, w->z);
    if (w->ctx != NULL) rg_free(w->ctx, w->is_derived);
    if (w->ctx != NULL) rg_event_log_clear(w->ctx, &w->events);
    rg_solver_destroy(&w->solver);
    rg_problem_destroy(&w->second);
    rg_context_destroy(&w->ctx);
    rg_free(w->parent, w);
    *second = NULL;
}

/* Waits for the thread. */
static void stop(rg_second_run *w)
{
    rg_context_interrupt(w->ctx);
    rg_pairs_finish(w->pairs);
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

static void warn(const rg_problem *p, const char *reason)
{
    if (rg_problem_warn(p, "no estimate of the error: the second run that it needs failed (%s)",
                        reason)
        < 0)
        rg_clear_error(p->ctx); /* out of memory for a warning: the result is not in danger */
}

static void find_units(rg_second_run *w, const rg_solution *s)
{
    const rg_options *o = &w->first->options;
    int64_t variable;
    int order;

    rg_column_units(s->problem, o, w->unit);
    for (int64_t k = 0; k < w->n_columns && o->units != NULL; k++) {
        w->is_derived[k] =
            w->unit[k] != o->atol / o->rtol && !rg_column_unknown(s->problem, k, &variable, &order);
        if (w->is_derived[k]) w->unit[k] = 0.0;
        w->has_derived = w->has_derived || w->is_derived[k];
    }
}

static rg_status prepare_rows(rg_second_run *w, const rg_solution *s, int64_t n_times)
{
    const rg_options *o = &w->first->options;
    const size_t n = (size_t)w->solver->n, columns = (size_t)rg_solution_columns(s);

    w->n_columns = (int64_t)columns;
    w->rows_are_steps = n_times == 0;
    w->rough = o->step > 0.0;
    w->z = rg_alloc(w->ctx, 6 * n + 5 * columns + 1, sizeof *w->z);
    w->is_derived = rg_alloc(w->ctx, columns + 1, sizeof *w->is_derived);
    if (w->z == NULL || w->is_derived == NULL) return RG_ERR_MEMORY;
    w->before = w->z + 2 * n;
    w->moved = w->before + 2 * n;
    w->theirs = w->moved + 2 * n;
    w->ours = w->theirs + columns;
    w->unit = w->ours + columns;
    w->derived = w->unit + columns;
    w->most = w->derived + columns;
    find_units(w, s);
    w->t_lost = NAN;
    RG_TRY(rg_system_layout(w->solver->system, w->solver->problem->n, &w->layout));
    RG_TRY(rg_columns_create(w->solver->problem, w->layout, &w->columns));
    return rg_pairs_create(w->ctx, w->n_columns, n_times, w->rough && n_times == 0 ? MEET : 1,
                           w->solver->integrator->direction, &w->pairs);
}

static rg_status prepare(rg_second_run *w, const rg_solver *first, double t_end,
                         const rg_solution *s, int64_t n_times)
{
    const rg_options o = second_options(&first->options);

    RG_TRY(rg_context_create_with(w->parent->allocate, w->parent->allocate_user, &w->ctx));
    RG_TRY(rg_problem_handle(w->ctx, first->problem, first->problem->study, &w->second));
    RG_TRY(rg_solver_prepare(w->second, &o, &w->solver));
    if (w->keeper != NULL) RG_TRY(rg_solver_pauses(w->solver));
    RG_TRY(rg_solver_begin(w->solver, t_end));
    w->solver->integrator->first_part = RG_ESTIMATE_FIRST_PART;
    return prepare_rows(w, s, n_times);
}

static bool is_safe_beside(const rg_second_run *w)
{
    const rg_problem *p = w->problem;

    return p->n_blocks > 0 && p->residual == NULL && p->rhs == NULL
           && w->parent->allocate == rg_default_realloc && !w->parent->is_worker
           && w->keeper == NULL;
}

void rg_second_run_start(const rg_solver *first, double t_end, const rg_solution *s,
                         int64_t n_times, rg_keeper *keeper, rg_second_run **out)
{
    rg_second_run *w = rg_alloc(first->ctx, 1, sizeof *w);

    *out = w;
    if (w != NULL) {
        w->first = first;
        w->parent = first->ctx;
        w->problem = first->problem;
        w->keeper = keeper;
        if (prepare(w, first, t_end, s, n_times) != RG_OK) destroy(out);
    }
    if (*out == NULL) {
        warn(first->problem, "it cannot be prepared");
        rg_clear_error(first->ctx);
        return;
    }
    if (is_safe_beside(w)) w->has_thread = pthread_create(&w->thread, NULL, run, w) == 0;
}

/* max_i |y_i - w_i| / (unit_i + |y_i|) over the columns at the end; NaN where none can be
 * compared. */
static double difference_at_end(rg_second_run *w, const rg_solution *s)
{
    double worst = NAN;

    if (rg_columns_eval(s->columns, s->t_last, s->last, w->theirs) != RG_OK
        || take_result(w) != RG_OK
        || rg_columns_eval(w->columns, s->t_last, w->z, w->ours) != RG_OK)
        return NAN;
    memcpy(w->z, w->before, 2 * (size_t)w->solver->n * sizeof *w->z);
    derive_units(w, s->t_last);
    w->rounding = fmax(w->rounding, rounding_of_time(w, s->t_last));
    for (int64_t k = 0; k < w->n_columns; k++) {
        const double e = difference(w, k, w->ours[k]);
        if (isfinite(e) && !(e <= worst)) worst = e;
    }
    return worst;
}

/* The columns without a certain digit, where there are others: '*rest' is the estimate of those. */
static bool name_lost(const rg_second_run *w, const rg_solution *s, char *text, size_t size,
                      double *rest)
{
    int64_t count = 0;

    *rest = 0.0;
    text[0] = '\0';
    for (int64_t k = 0; k < w->n_columns; k++) {
        const double e = RG_ESTIMATE_ROWS * w->most[k];
        const size_t used = strlen(text);
        char name[64];
        if (e <= RG_ESTIMATE_NO_DIGIT) {
            *rest = fmax(*rest, e);
        } else if (++count <= NAMED) {
            rg_solution_column_name(s, k, name, sizeof name);
            snprintf(text + used, size - used, "%s'%s'", used > 0 ? ", " : "", name);
        }
    }
    if (count > NAMED)
        snprintf(text + strlen(text), size - strlen(text), " and %lld more",
                 (long long)(count - NAMED));
    return count > 0 && count < w->n_columns && *rest < RG_ESTIMATE_NO_DIGIT;
}

static void warn_of_size(const rg_second_run *w, const rg_solution *s)
{
    const char *name = rg_problem_time_name(w->problem);
    const double t = isnan(w->t_lost) ? s->t_last : w->t_lost;
    char lost[400], number[40];
    double rest;
    rg_status status = RG_OK;

    if (!(s->estimate > RG_ESTIMATE_NO_DIGIT)) return;
    if (name_lost(w, s, lost, sizeof lost, &rest))
        status = rg_problem_warn(w->problem,
                                 "the estimated error of %s is as large as the values near "
                                 "%s = %.4g: not one digit of them is certain there, the equations "
                                 "may hardly determine them; that of the others is %s",
                                 lost, name, t, rg_short_text(rest, 1, number));
    else if (s->estimate_end > RG_ESTIMATE_NO_DIGIT && !isnan(w->t_lost))
        status = rg_problem_warn(w->problem,
                                 "the estimated error is as large as the solution: not one digit "
                                 "is certain after %s = %.4g; try a smaller tolerance or another "
                                 "method",
                                 name, w->t_lost);
    else
        status = rg_problem_warn(w->problem,
                                 "the estimated error is as large as the solution near %s = %.4g: "
                                 "not one digit is certain there; try a smaller tolerance or "
                                 "another method",
                                 name, t);
    if (status < 0) rg_clear_error(w->problem->ctx);
}

/* Both runs are complete, but a singular position was not decided. */
static rg_status doubt(const rg_second_run *w, const char *what)
{
    rg_context *ctx = w->parent;

    if (w->first->options.accept_doubt) {
        if (rg_problem_warn(w->problem, "%s", what) < 0) rg_clear_error(ctx);
        return RG_OK;
    }
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "the way through singular positions is in doubt: %s: a bifurcation", what);
    rg_fail_time(ctx, rg_integrator_state(w->solver->integrator).t);
    return rg_remedy(ctx, "try a smaller --tol; --accept-doubt takes the result as it is");
}

/* Do both runs have the same events?  One of them may just miss the end of the interval. */
static bool has_same_events(const rg_second_run *w, const rg_event_log *first)
{
    const rg_integrator *g = w->solver->integrator;
    const double near = sqrt(g->options.rtol) * fabs(g->t_end - g->t_start);
    const rg_event_log *second = &w->events, *more = first->total > second->total ? first : second;
    const int64_t least = first->total > second->total ? second->total : first->total;

    for (int64_t k = 0; k < first->n_notes && k < second->n_notes; k++)
        if (first->note[k].event != second->note[k].event
            && fabs(first->note[k].t - second->note[k].t) > near)
            return false;
    for (int64_t k = least; k < more->total && k < more->n_notes; k++)
        if (fabs(more->note[k].t - g->t_end) > near) return false;
    return more->total - least <= 1 || more->total <= more->n_notes;
}

/* The runs differ in what happens: not by their tolerances alone. */
static rg_status doubt_events(const rg_second_run *w, const rg_event_log *first)
{
    rg_context *ctx = w->parent;

    if (w->first->options.accept_doubt) {
        if (rg_problem_warn(w->problem,
                            "%lld events, but %lld at a smaller tolerance: accepted in doubt",
                            (long long)first->total, (long long)w->events.total)
            < 0)
            rg_clear_error(ctx);
        return RG_OK;
    }
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "the events are in doubt: %lld of them, and %lld or others at a smaller tolerance",
            (long long)first->total, (long long)w->events.total);
    rg_fail_time(ctx, rg_integrator_state(w->solver->integrator).t);
    return rg_remedy(ctx, "try a smaller --tol; --accept-doubt takes the result as it is");
}

/* Regularization and fixed steps keep to no tolerance: an end without a certain digit is no result.
 * A method that keeps invariants over long times may lose the phase. */
static bool must_refuse(const rg_second_run *w, const rg_solution *s)
{
    const rg_options *o = &w->first->options;
    const rg_method *m = w->first->choice.method;
    const bool keeps_tolerance = !m->passes_singular && (o->step == 0.0 || m->keeps_invariants);

    return !keeps_tolerance && !o->accept_doubt && s->estimate_end > RG_ESTIMATE_NO_DIGIT;
}

static rg_status refuse(const rg_second_run *w, const rg_solution *s)
{
    rg_context *ctx = w->parent;

    rg_fail(
        ctx, RG_ERR_CONVERGENCE,
        "the estimated error at the end is %.1g of the solution: not one digit is certain%s%.4g",
        s->estimate_end,
        isnan(w->t_lost) ? " at t = " : " after t = ", isnan(w->t_lost) ? s->t_last : w->t_lost);
    rg_fail_time(ctx, s->t_last);
    return rg_remedy(ctx, "leave --step, --eps and --window out, or give smaller ones; "
                          "--accept-doubt takes the result as it is");
}

static rg_status compare(rg_second_run *w, rg_solution *s)
{
    char text[256];

    const rg_options *o = &w->first->options;
    s->estimate_ratio = o->units == NULL ? o->atol / o->rtol : NAN;
    const double end = difference_at_end(w, s);
    if (!isnan(end)) {
        s->estimate_end = fmax(RG_ESTIMATE_ROWS * end, RG_ESTIMATE_ROUNDING);
        s->estimate = fmax(s->estimate_end, fmax(RG_ESTIMATE_ROWS * w->worst, w->rounding));
    }
    if (!rg_passage_agree(w->first->integrator, w->solver->integrator, end, text, sizeof text))
        return doubt(w, text);
    if (must_refuse(w, s)) return refuse(w, s);
    warn_of_size(w, s);
    return RG_OK;
}

/* No estimate.  With a fixed step nothing else has tested the result: the error of a step is not
 * estimated, and what its Newton iteration ended on need not be near the solution. */
static rg_status fail(const rg_second_run *w)
{
    const rg_options *o = &w->first->options;
    const char *reason = rg_last_error(w->ctx)->message;
    rg_context *ctx = w->parent;

    if (w->status != RG_ERR_CONVERGENCE || o->step == 0.0 || o->accept_doubt) {
        warn(w->problem, reason);
        return RG_OK;
    }
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "nothing confirms the result with the step %.4g: a run with %g of it failed (%s)",
            o->step, RG_ESTIMATE_STEP, reason);
    rg_fail_time(ctx, rg_integrator_state(w->solver->integrator).t);
    return rg_remedy(ctx, "give a smaller --step, or take --method radau; --accept-doubt takes the "
                          "result as it is");
}

rg_status rg_second_run_finish(rg_second_run **second, bool is_complete, const rg_event_log *events,
                               rg_solution *s)
{
    rg_second_run *w = *second;
    rg_status status = RG_OK;

    if (w == NULL) return RG_OK;
    if (!is_complete) stop(w);
    rg_pairs_finish(w->pairs);
    if (w->has_thread)
        pthread_join(w->thread, NULL);
    else if (is_complete)
        run(w);
    const bool is_done =
        w->status == RG_OK
        && (rg_integrator_is_done(w->solver->integrator) || w->events.stop != NULL);
    if (is_complete && is_done && !has_same_events(w, events))
        status = doubt_events(w, events);
    else if (is_complete && is_done)
        status = compare(w, s);
    else if (is_complete && rg_passage_is_doubtful(w->solver->integrator))
        status = doubt(w, rg_last_error(w->ctx)->message);
    else if (is_complete && !rg_interrupted(w->parent))
        status = fail(w);
    destroy(second);
    return status;
}
