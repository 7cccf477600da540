/* What the two runs of an estimate say about the result: its size, warnings, doubts, refusals. */
#include "base/context.h"
#include "bvp/tuning.h"
#include "ivp/method.h"
#include "ivp/passage/passage.h"
#include "ivp/tuning.h"
#include "solution/number.h"
#include "solve/estimate_impl.h"
#include "solve/tuning.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 4 }; /* columns in a message */

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

    if (name_lost(w, s, lost, sizeof lost, &rest))
        status = rg_problem_warn(w->problem,
                                 "the estimated error of %s is as large as the values near "
                                 "%s = %.4g: not one digit of them is certain there, the equations "
                                 "may hardly determine them; that of the others is %s",
                                 lost, name, t, rg_short_text(rest, 1, number));
    else if (w->is_end_lost && !isnan(w->t_lost))
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

void rg_second_run_warn_of_end(const rg_second_run *w, double t)
{
    if (rg_problem_warn(w->problem,
                        "an event or a switch lies at the end, %s = %.10g, or just beside it: "
                        "whether it has happened there is chance, and what it changes is not in "
                        "the estimate; end the run a little before or behind it",
                        rg_problem_time_name(w->problem), t)
        < 0)
        rg_clear_error(w->problem->ctx);
}

static void warn_of_force(const rg_second_run *w)
{
    char name[128], number[40];

    w->forces.name(w->forces.user, w->force.column, name, sizeof name);
    if (rg_problem_warn(w->problem,
                        "the estimated error of 'force(%s)' is as large as its value near %s = "
                        "%.4g; that of the unknowns is %s",
                        name, rg_problem_time_name(w->problem), w->force.t,
                        rg_short_text(RG_ESTIMATE_ROWS * w->worst, 1, number))
        < 0)
        rg_clear_error(w->problem->ctx);
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
    rg_fail_time(ctx, rg_integrator_state(w->way.solver->integrator).t);
    return rg_remedy(ctx, "try a smaller --tol; --accept-doubt takes the result as it is");
}

/* Do both runs have the same events?  One of them may just miss the end of the interval. */
static bool has_same_events(const rg_second_run *w, const rg_event_log *first)
{
    const rg_integrator *g = w->way.solver->integrator;
    const double near = sqrt(g->options.rtol) * fabs(g->t_end - g->t_start);
    const rg_event_log *second = &w->way.events,
                       *more = first->total > second->total ? first : second;
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
                            (long long)first->total, (long long)w->way.events.total)
            < 0)
            rg_clear_error(ctx);
        return RG_OK;
    }
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "the events are in doubt: %lld of them, and %lld or others at a smaller tolerance",
            (long long)first->total, (long long)w->way.events.total);
    rg_fail_time(ctx, rg_integrator_state(w->way.solver->integrator).t);
    return rg_remedy(ctx, "try a smaller --tol; --accept-doubt takes the result as it is");
}

/* Sequential regularization and its rivals can go over what is no solution and come back behind it:
 * has an unknown that is differentiated no digit in some row?  Multipliers may have none beside a
 * singular position. */
static bool loses_state(const rg_second_run *w)
{
    int64_t unknown;
    int order;

    for (int64_t k = 0; k < w->n_columns && w->first->choice.method->steps_by_scheme; k++) {
        if (RG_ESTIMATE_ROWS * w->most[k] <= RG_ESTIMATE_NO_DIGIT) continue;
        if (!rg_column_unknown(w->problem, k, &unknown, &order)) continue;
        if (order < rg_variable_order(w->problem, unknown)) return true;
    }
    return false;
}

/* Has an output no digit in some row because an unknown in it has too large an atol?  What the end
 * has then is chance, and there is something to do. */
static bool loses_output(const rg_second_run *w)
{
    for (int64_t k = 0; k < w->n_columns; k++)
        if (w->is_output[k] && RG_ESTIMATE_ROWS * w->most[k] > RG_ESTIMATE_NO_DIGIT)
            return rg_second_run_coarse(w) >= 0;
    return false;
}

/* An end without a certain digit is no result.  A method that keeps invariants over long times may
 * lose the phase. */
static bool must_refuse(const rg_second_run *w)
{
    const rg_options *o = &w->first->options;

    return !w->first->choice.method->keeps_invariants && !o->accept_doubt
           && (w->is_end_lost || loses_state(w) || loses_output(w));
}

static rg_status advise(const rg_second_run *w)
{
    const rg_options *o = &w->first->options;
    const bool keeps_tolerance = !w->first->choice.method->steps_by_scheme && o->step == 0.0;
    const int64_t j = rg_second_run_coarse(w);
    char state[128];

    if (!keeps_tolerance)
        return rg_remedy(w->parent, "leave --step, --eps and --window out, or give smaller ones; "
                                    "--accept-doubt takes the result as it is");
    if (j < 0)
        return rg_remedy(w->parent,
                         "give a smaller --tol, or end the run before that time with --to; "
                         "--accept-doubt takes the result as it is");
    rg_system_state_name(w->way.solver->system, j, state, sizeof state);
    return rg_remedy(w->parent, "give --atol %s=%.1g; --accept-doubt takes the result as it is",
                     state, o->rtol * w->needs[j] / RG_SIZE_OTHER);
}

static rg_status refuse(const rg_second_run *w, const rg_solution *s)
{
    const double t = isnan(w->t_lost) ? s->t_last : w->t_lost;
    const char *from = isnan(w->t_lost) ? "at t = " : "after t = ";
    char lost[400], number[40];
    double rest;
    rg_context *ctx = w->parent;

    const bool is_named = name_lost(w, s, lost, sizeof lost, &rest);
    if (!w->is_end_lost)
        rg_fail(ctx, RG_ERR_CONVERGENCE,
                "the estimated error of %s over the run is %.1g of the values: not one digit is "
                "certain near t = %.4g",
                is_named ? lost : "all unknowns", s->estimate, t);
    else if (is_named)
        rg_fail(ctx, RG_ERR_CONVERGENCE,
                "the estimated error of %s at the end is %.1g of the values: not one digit is "
                "certain %s%.4g; that of the others is %s",
                lost, s->estimate_end, from, t, rg_short_text(rest, 1, number));
    else
        rg_fail(ctx, RG_ERR_CONVERGENCE,
                "the estimated error at the end is %.1g of the solution: not one digit is certain "
                "%s%.4g",
                s->estimate_end, from, t);
    rg_fail_time(ctx, s->t_last);
    return advise(w);
}

static rg_status compare(rg_second_run *w, rg_solution *s)
{
    char text[256];

    const rg_options *o = &w->first->options;
    s->estimate_ratio = o->units == NULL ? o->atol / o->rtol : NAN;
    const double end = rg_second_run_at_end(w, s);
    double small_end;
    if (!isnan(end)) {
        const double rested = rg_integrator_rested(w->way.solver->integrator);
        const double rows = RG_ESTIMATE_ROWS * fmax(fmax(w->worst, w->force.worst), rested);
        const double small = RG_ESTIMATE_ROWS * rg_second_run_small(w, &small_end);
        const rg_grazed *grazed = &w->first->integrator->grazed;
        const double least = fmax(grazed->sum, 4.0 * DBL_EPSILON);
        const double rounded = rg_integrator_rounded(w->way.solver->integrator);
        const double more = fmax(fmax(w->rounding, rounded), grazed->row);
        s->estimate_end = fmax(RG_ESTIMATE_ROWS * fmax(fmax(end, small_end), w->force.end), least);
        s->estimate = fmax(s->estimate_end, fmax(rows, more));
        if (small >= s->estimate) s->estimate_ratio = -2.0;
        s->estimate = fmax(s->estimate, small);
    }
    if (!rg_passage_agree(w->first->integrator, w->way.solver->integrator, end, text, sizeof text))
        return doubt(w, text);
    if (must_refuse(w)) return refuse(w, s);
    if (RG_ESTIMATE_ROWS * w->force.worst > RG_ESTIMATE_NO_DIGIT)
        warn_of_force(w);
    else if (s->estimate > RG_ESTIMATE_NO_DIGIT)
        warn_of_size(w, s);
    else
        rg_second_run_warn_of_outputs(w, s);
    return RG_OK;
}

/* No estimate, and so no result: with a smaller tolerance the equations cannot be solved.  With a
 * fixed step nothing else has tested it at all: the error of a step is not estimated, and what its
 * Newton iteration ended on need not be near the solution. */
static rg_status fail(const rg_second_run *w)
{
    const rg_options *o = &w->first->options;
    const char *reason = rg_last_error(w->ctx)->message;
    rg_context *ctx = w->parent;

    if (w->status != RG_ERR_CONVERGENCE || o->accept_doubt) {
        rg_second_run_warn(w->problem, reason);
        return RG_OK;
    }
    if (o->step > 0.0)
        rg_fail(ctx, RG_ERR_CONVERGENCE,
                "nothing confirms the result with the step %.4g: a run with %g of it failed (%s)",
                o->step, RG_ESTIMATE_STEP, reason);
    else
        rg_fail(ctx, RG_ERR_CONVERGENCE,
                "nothing confirms the result: a run with a smaller tolerance failed (%s)", reason);
    rg_fail_time(ctx, rg_integrator_state(w->way.solver->integrator).t);
    if (o->step > 0.0)
        return rg_remedy(ctx, "give a smaller --step, or take --method radau; --accept-doubt takes "
                              "the result as it is");
    return rg_remedy(ctx, "look at the equations near that time, or give another --tol; "
                          "--accept-doubt takes the result as it is");
}

void rg_second_run_warn(const rg_problem *p, const char *reason)
{
    if (rg_problem_warn(p, "no estimate of the error: the second run that it needs failed (%s)",
                        reason)
        < 0)
        rg_clear_error(p->ctx); /* out of memory for a warning: the result is not in danger */
}

rg_status rg_second_run_judge(rg_second_run *w, const rg_event_log *first, rg_solution *s)
{
    if (w->status == RG_OK && rg_integration_is_over(&w->way)) {
        if (!has_same_events(w, first)) return doubt_events(w, first);
        w->is_stopped = first->stop != NULL && w->way.events.stop != NULL;
        return compare(w, s);
    }
    if (rg_passage_is_doubtful(w->way.solver->integrator))
        return doubt(w, rg_last_error(w->ctx)->message);
    return rg_interrupted(w->parent) ? RG_OK : fail(w);
}
