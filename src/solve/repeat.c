/* An initial value problem behind rg_solve(): one run, and another one where the sizes of its
 * unknowns ask for other absolute tolerances (solve/sizes.h).
 *
 * A run that fails is tried once more in the same way. With atol = auto the sizes come from a
 * run before, without output. Where the second run fails, or has no certain digit where the
 * first one had some, the small values are of no size that could be computed: then the first run
 * is the result. */
#include "solve/run.h"

#include "base/tuning.h"
#include "problem/callback_doubt.h"
#include "solve/choose.h"

#include <math.h>

/* A run with units of its own; the caller owns them. */
typedef struct {
    rg_options options;
    rg_attempt attempt;
    rg_units *units; /* of the options */
} series;

static void take_next(const rg_problem *p, series *q)
{
    rg_units_destroy(p->ctx, &q->units);
    q->units = q->attempt.next;
    q->attempt.next = NULL;
    q->options.units = q->units;
}

/* auto: runs without output until the sizes are known; what fails will fail again below. */
static void find_sizes(const rg_problem *p, double t_end, series *q)
{
    const rg_request nothing = {.keep = RG_KEEP_LAST};

    for (int k = 0; k < RG_SIZE_REPEATS; k++) {
        rg_solution *s = NULL;
        const rg_status status = rg_run_once(p, t_end, &q->options, &nothing, &q->attempt, &s);
        rg_solution_destroy(&s);
        if (status < 0) rg_clear_error(p->ctx);
        if (status != RG_OK || q->attempt.next == NULL) break;
        take_next(p, q);
    }
}

static bool may_repeat(const rg_request *r, const rg_solution *s)
{
    return (r->output == NULL || r->may_repeat) && rg_solution_can_rewind(s);
}

static rg_status discard(rg_solution **s)
{
    const rg_status status = rg_solution_rewind(*s);

    rg_solution_destroy(s);
    return status;
}

/* The first run once more, as the result. */
static rg_status go_back(const rg_problem *p, double t_end, const rg_options *first,
                         const char *names, const rg_request *r, rg_solution **out)
{
    rg_attempt last = {.is_last = true};

    rg_clear_error(p->ctx);
    if (*out != NULL) RG_TRY(discard(out));
    snprintf(last.note, sizeof last.note,
             "some unknowns stay below 100 atol: their values are of the size of the error, and a "
             "run with atol by their size (%s) did not resolve them",
             names);
    return rg_run_once(p, t_end, first, r, &last, out);
}

/* has_failed: the first run, so there is nothing to go back to. */
static rg_status repeat(const rg_problem *p, double t_end, series *q, const rg_request *r,
                        bool has_failed, rg_solution **out)
{
    const rg_options first = q->options;
    const bool has_digits = !((*out)->estimate > RG_ESTIMATE_NO_DIGIT);
    const double most = RG_SIZE_STEPS * (double)((*out)->stats.steps + RG_SIZE_STEPS);
    char names[sizeof q->attempt.names];
    rg_status status = RG_OK;

    rg_clear_error(p->ctx);
    for (int k = 0; k < RG_SIZE_REPEATS && status == RG_OK && q->attempt.next != NULL; k++) {
        snprintf(names, sizeof names, "%s", q->attempt.names);
        snprintf(q->attempt.note, sizeof q->attempt.note,
                 "some unknowns stay below 100 atol: the run was repeated with atol by their size, "
                 "%s; --atol auto does so from the start",
                 names);
        take_next(p, q);
        q->options.max_steps = (int64_t)fmin((double)first.max_steps, most);
        RG_TRY(discard(out));
        status = rg_run_once(p, t_end, &q->options, r, &q->attempt, out);
    }
    const bool is_lost = status == RG_OK && has_digits && (*out)->estimate > RG_ESTIMATE_NO_DIGIT;
    const bool is_bad = is_lost || status == RG_ERR_CONVERGENCE || status == RG_ERR_INCONSISTENT;
    return is_bad && !has_failed ? go_back(p, t_end, &first, names, r, out) : status;
}

rg_status rg_run_solve(const rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                       rg_solution **out)
{
    const double begin = rg_seconds();
    series q = {.attempt.note = ""};

    RG_TRY(rg_default_options(p, o, &q.options));
    RG_TRY(rg_units_create(p, &q.options, &q.attempt.given));
    if (q.options.atol_is_auto) find_sizes(p, t_end, &q);
    rg_units_destroy(p->ctx, &q.attempt.next);
    rg_status status = rg_run_once(p, t_end, &q.options, r, &q.attempt, out);
    if (q.attempt.next != NULL && *out != NULL) {
        if (may_repeat(r, *out))
            status = repeat(p, t_end, &q, r, status != RG_OK, out);
        else if (status == RG_OK)
            status = rg_problem_warn((*out)->problem,
                                     "some unknowns stay below 100 atol, and what was written "
                                     "cannot be taken back: run again with --atol %s or --atol "
                                     "auto",
                                     q.attempt.names);
    }
    rg_units_destroy(p->ctx, &q.attempt.next);
    rg_units_destroy(p->ctx, &q.attempt.given);
    rg_units_destroy(p->ctx, &q.units);
    if (*out != NULL) (*out)->stats.seconds = rg_seconds() - begin;
    rg_callback_blame(p, status);
    return status;
}
