/* An initial value problem behind rg_solve(): one run, and another one where the sizes of its
 * unknowns ask for other absolute tolerances (solve/sizes.h).
 *
 * A run that fails is tried once more in the same way; where that fails too, sizes were not the
 * reason, and the first run is the result.  Units do not grow again to those of a run that failed.
 * One that fails in its first steps, or whose second run for the estimate does, may have an atol
 * below the rounding of large values: it is tried with atol by all sizes; so is one that fails
 * where large values pass 0.  With atol = auto the sizes come from a run before, without output.
 * Where a repetition fails, or has no certain digit where the first run had some, the small values
 * are of no size that could be computed: then the first run is the result.  But not where unknowns
 * grow from them by themselves: the digits of the first run are those of its errors. */
#include "bvp/tuning.h"
#include "solve/run.h"

#include "problem/callback_doubt.h"
#include "solve/choose.h"
#include "solve/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char cause[] = "some unknowns stay below 100 atol, grow by themselves from small "
                            "values, or have too few digits for an output";

/* A run with units of its own; the caller owns them. */
typedef struct {
    rg_options options;
    rg_attempt attempt;
    rg_units *units;  /* of the options */
    rg_units *first;  /* ... of the first run, where a repetition has others */
    bool is_complete; /* the last run */
    bool is_whole;    /* the units are sizes over a whole run, not those of its first steps */
    rg_keeper *keeper;
    int64_t most_steps; /* of a run behind the first one; 0: as the options say */
    char unresolved[sizeof((rg_attempt *)0)->names]; /* of a repetition that failed; "": none */
} series;

static void take_next(const rg_problem *p, series *q)
{
    rg_units_destroy(p->ctx, &q->units);
    q->units = q->attempt.next;
    q->attempt.next = NULL;
    q->options.units = q->units;
    q->is_whole = q->is_complete;
}

/* Where noise has ended a run units as large will not do. */
static rg_status note_failure(const rg_problem *p, series *q, const rg_outcome *x)
{
    q->is_complete = x->status == RG_OK;
    if (!q->is_whole || !x->is_noise || q->options.units == NULL) return RG_OK;
    rg_units_destroy(p->ctx, &q->attempt.failed);
    return rg_units_copy(p->ctx, q->options.units, &q->attempt.failed);
}

static bool may_repeat(const rg_request *r, const rg_solution *s)
{
    return (r->output == NULL || r->may_repeat) && rg_solution_can_rewind(s);
}

/* One run; or, where a solve is resumed behind it, what came of it. */
static rg_status attempt(const rg_problem *p, double t_end, series *q, const rg_request *r,
                         rg_outcome *x, rg_solution **out)
{
    rg_status replayed;

    q->attempt.keeper = q->keeper;
    if (rg_keeper_replay(q->keeper, p, x, &replayed)) {
        RG_TRY(replayed);
        q->attempt.next = x->next;
        snprintf(q->attempt.names, sizeof q->attempt.names, "%s", x->names);
        RG_TRY(note_failure(p, q, x));
        return x->status;
    }
    *x = (rg_outcome){.estimate = NAN};
    x->status = rg_run_once(p, t_end, &q->options, r, &q->attempt, out);
    x->is_noise = q->attempt.is_noise;
    x->has_grown = q->attempt.has_grown;
    RG_TRY(note_failure(p, q, x));
    x->next = q->attempt.next;
    snprintf(x->names, sizeof x->names, "%s", q->attempt.names);
    if (*out == NULL) return x->status;
    x->has_solution = true;
    x->can_repeat = may_repeat(r, *out);
    x->estimate = (*out)->estimate;
    x->steps = (*out)->stats.steps;
    const double early =
        fmax(RG_SIZE_EARLY * fabs(t_end - p->a), RG_SIZE_MOMENTS * DBL_EPSILON * fabs(p->a));
    x->is_early = x->status == RG_ERR_CONVERGENCE && fabs(rg_last_error(p->ctx)->t - p->a) <= early;
    x->passes_zero = q->attempt.passes_zero;
    return x->status;
}

/* It has failed, and atol by the sizes of large values may help. */
static bool wants_sizes(const rg_outcome *x)
{
    return x->is_early || x->passes_zero;
}

/* Another run follows: this one is over, and its rows are taken back. */
static rg_status discard(const rg_problem *p, series *q, rg_outcome *x, rg_solution **s)
{
    if (*s == NULL) return RG_OK; /* of a solve that is resumed */
    RG_TRY(rg_keeper_note(q->keeper, p, x));
    const rg_status status = rg_solution_rewind(*s);
    rg_solution_destroy(s);
    return status;
}

/* auto: runs without output until the sizes are known; what fails will fail again below.  A run
 * that fails at its start may have an atol that rounding does not allow: sizes then come from one
 * with a coarser atol. */
static rg_status find_sizes(const rg_problem *p, double t_end, series *q)
{
    const rg_request nothing = {.keep = RG_KEEP_LAST};
    const double atol = q->options.atol;

    for (int k = 0; k < RG_SIZE_REPEATS; k++) {
        rg_solution *s = NULL;
        rg_outcome x;
        char names[sizeof q->attempt.names];
        memcpy(names, q->attempt.names, sizeof names);
        const rg_status status = attempt(p, t_end, q, &nothing, &x, &s);
        if (status == RG_ERR_INTERRUPTED || status == RG_ERR_MEMORY) {
            rg_solution_destroy(&s);
            return status;
        }
        if (status < 0) rg_clear_error(p->ctx);
        const rg_status noted = discard(p, q, &x, &s);
        rg_solution_destroy(&s);
        if (noted != RG_OK) return noted;
        const bool is_coarse = q->options.atol > atol;
        q->options.atol = wants_sizes(&x) && !is_coarse ? RG_SIZE_COARSE * atol : atol;
        if (q->options.atol > atol) {
            rg_units_destroy(p->ctx, &q->attempt.next);
            continue;
        }
        if (q->attempt.next == NULL) memcpy(q->attempt.names, names, sizeof names);
        if ((status != RG_OK && !x.is_noise) || q->attempt.next == NULL) break;
        take_next(p, q);
    }
    q->options.atol = atol;
    return RG_OK;
}

/* The first run once more, as the result. */
static rg_status go_back(const rg_problem *p, double t_end, const rg_options *first, series *q,
                         rg_outcome *x, const rg_request *r, rg_solution **out)
{
    rg_attempt last = {.is_last = true, .keeper = q->keeper};

    rg_clear_error(p->ctx);
    RG_TRY(discard(p, q, x, out));
    if (q->unresolved[0] != '\0')
        snprintf(last.note, sizeof last.note,
                 "%s: their values are of the size of the error, and a run with atol by their size "
                 "(%s) did not resolve them",
                 cause, q->unresolved);
    return rg_run_once(p, t_end, first, r, &last, out);
}

static rg_status coarsen(const rg_problem *p, double t_end, series *q, const rg_request *r,
                         rg_outcome *x, rg_solution **out);

/* A repetition with smaller atol failed in its first steps: what is large may be the reason. */
static rg_status coarsen_first(const rg_problem *p, double t_end, const rg_options *first,
                               series *q, const rg_request *r, rg_outcome *x, rg_solution **out)
{
    rg_units_destroy(p->ctx, &q->attempt.next);
    rg_units_destroy(p->ctx, &q->units);
    q->units = q->first;
    q->first = NULL;
    q->options = *first;
    return coarsen(p, t_end, q, r, x, out);
}

static bool may_coarsen(const rg_options *o)
{
    return !o->atol_is_given && !o->atol_is_auto;
}

/* Runs behind the first one, x, may take this many steps: with atol by small sizes they would crawl
 * where rounding does not allow it. */
static int64_t most_steps(const rg_options *o, const rg_outcome *x)
{
    const double most = RG_SIZE_STEPS * (double)(x->steps + RG_SIZE_STEPS);

    return (int64_t)fmin((double)o->max_steps, most);
}

/* x: of the first run. */
static rg_status repeat(const rg_problem *p, double t_end, series *q, const rg_request *r,
                        rg_outcome *x, rg_solution **out)
{
    rg_options first = q->options;
    bool has_digits = !x->has_grown && !(x->estimate > RG_ESTIMATE_NO_DIGIT);
    const bool has_failed = x->status != RG_OK;
    char names[sizeof q->attempt.names];
    rg_status status = RG_OK;

    q->most_steps = most_steps(&first, x);
    q->first = q->units; /* a run may go back to them */
    q->units = NULL;
    for (int k = 0; k < RG_SIZE_REPEATS && q->attempt.next != NULL; k++) {
        if (status != RG_OK && status != RG_ERR_CONVERGENCE) break;
        rg_clear_error(p->ctx);
        snprintf(names, sizeof names, "%s", q->attempt.names);
        snprintf(q->attempt.note, sizeof q->attempt.note,
                 "%s: the run was repeated with atol by their size, %s%s", cause, names,
                 q->options.atol_is_auto ? "" : "; --atol auto does so from the start");
        RG_TRY(discard(p, q, x, out));
        take_next(p, q);
        q->options.max_steps = q->most_steps;
        status = attempt(p, t_end, q, r, x, out);
        has_digits = has_digits && !x->has_grown; /* what the first run has not seen */
        /* what is no noise smaller units may get past by chance */
        if (q->is_whole && status == RG_ERR_CONVERGENCE && k > 0 && !x->is_noise) break;
    }
    const bool is_lost = status == RG_OK && has_digits && x->estimate > RG_ESTIMATE_NO_DIGIT;
    const bool is_bad = is_lost || status == RG_ERR_CONVERGENCE || status == RG_ERR_INCONSISTENT;
    if (!is_bad || (has_failed && is_lost)) return status;
    if (!has_failed) memcpy(q->unresolved, names, sizeof names);
    if (wants_sizes(x) && x->can_repeat && may_coarsen(&first))
        return coarsen_first(p, t_end, &first, q, r, x, out);
    return go_back(p, t_end, &first, q, x, r, out);
}

/* Is atol below what rounding makes of values of these sizes,  eps |y|,  or of their slopes,
 * eps |t| |y|/L  over an interval of the length L? */
static bool is_below_rounding(const rg_problem *p, double t_end, double atol, const rg_units *u)
{
    const double times = 1.0 + fabs(p->a) / fabs(t_end - p->a);

    for (int64_t j = 0; u != NULL && u->unit[0] != NULL && j < u->n; j++)
        if (RG_SIZE_ROUNDED * DBL_EPSILON * times * u->unit[0][j] > atol) return true;
    return false;
}

/* The run with atol by all sizes. */
static rg_status run_by_size(const rg_problem *p, double t_end, const rg_options *first, series *q,
                             rg_outcome *x, const rg_request *r, rg_solution **out)
{
    snprintf(
        q->attempt.note, sizeof q->attempt.note,
        "atol = %.3g is %s: the run was repeated with atol by their size, %s; --atol auto does "
        "so from the start",
        first->atol,
        is_below_rounding(p, t_end, first->atol, q->units)
            ? "below the rounding of some unknowns"
            : "far below the tolerance of large values that pass 0",
        q->attempt.names);
    const rg_status status = attempt(p, t_end, q, r, x, out);
    const bool is_other = status == RG_OK && q->attempt.next != NULL;
    if (!is_other && status != RG_ERR_CONVERGENCE && status != RG_ERR_INCONSISTENT) return status;
    return go_back(p, t_end, first, q, x, r, out);
}

/* A run has failed in its first steps (x: of the last one): perhaps atol asks for more than
 * rounding allows, as where values of 1e12 begin at 0. */
static rg_status coarsen(const rg_problem *p, double t_end, series *q, const rg_request *r,
                         rg_outcome *x, rg_solution **out)
{
    const rg_options first = q->options;
    const bool passes_zero = x->passes_zero;
    rg_units *next = q->attempt.next;

    q->attempt.next = NULL;
    q->first = q->units;
    q->units = NULL;
    q->options.atol_is_auto = true;
    if (q->most_steps > 0) q->options.max_steps = q->most_steps;
    rg_clear_error(p->ctx);
    rg_status status = discard(p, q, x, out);
    if (status == RG_OK) status = find_sizes(p, t_end, q);
    rg_units_destroy(p->ctx, &q->attempt.next);
    q->options.atol_is_auto = false;
    q->options.max_steps = first.max_steps;
    const bool is_other =
        passes_zero ? q->units != NULL : is_below_rounding(p, t_end, first.atol, q->units);
    if (status == RG_OK && is_other) {
        rg_units_destroy(p->ctx, &next);
        return run_by_size(p, t_end, &first, q, x, r, out);
    }
    rg_units_destroy(p->ctx, &q->units);
    q->units = q->first;
    q->first = NULL;
    q->options = first;
    q->attempt.next = next;
    RG_TRY(status);
    if (next != NULL) return repeat(p, t_end, q, r, x, out);
    return go_back(p, t_end, &first, q, x, r, out);
}

static rg_status solve(const rg_problem *p, double t_end, series *q, const rg_request *r,
                       rg_solution **out)
{
    rg_outcome x;

    if (q->options.atol_is_auto) RG_TRY(find_sizes(p, t_end, q));
    rg_units_destroy(p->ctx, &q->attempt.next);
    const rg_status status = attempt(p, t_end, q, r, &x, out);
    if (wants_sizes(&x) && x.can_repeat && may_coarsen(&q->options))
        return coarsen(p, t_end, q, r, &x, out);
    if (q->attempt.next == NULL || !x.has_solution) return status;
    if (x.can_repeat) return repeat(p, t_end, q, r, &x, out);
    if (status != RG_OK) return status;
    return rg_problem_warn(
        (*out)->problem,
        "some unknowns stay below 100 atol, grow by themselves from small values, "
        "or have too few digits for an output, and what was written cannot be "
        "taken back: run again with --atol %s or --atol auto",
        q->attempt.names);
}

rg_status rg_run_solve(const rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                       rg_solution **out)
{
    const double begin = rg_seconds();
    series q = {.attempt.note = ""};

    RG_TRY(rg_default_options(p, o, &q.options));
    RG_TRY(rg_units_create(p, &q.options, &q.attempt.given));
    rg_status status = rg_keeper_open(p, t_end, &q.options, r, &q.keeper);
    if (status == RG_OK) status = solve(p, t_end, &q, r, out);
    rg_units_destroy(p->ctx, &q.attempt.next);
    rg_units_destroy(p->ctx, &q.attempt.given);
    rg_units_destroy(p->ctx, &q.attempt.failed);
    rg_units_destroy(p->ctx, &q.units);
    rg_units_destroy(p->ctx, &q.first);
    rg_keeper_close(&q.keeper);
    if (*out != NULL) (*out)->stats.seconds = rg_seconds() - begin;
    rg_callback_blame(p, status);
    return status;
}
