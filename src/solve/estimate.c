/* The estimate of the global error.
 *
 * Two runs from the same start, with the tolerances tol and q tol, q = 1/3, end in y and w.  If
 * the errors follow the tolerance, e(q tol) = q^a e(tol) with a between 2/3 and 1, then
 *
 *     y - w = (1 - q^a) e,      1 - q^a = 0.52 .. 0.67,
 *
 * a difference that is right in size even where a is not: unlike Richardson's extrapolation
 * from a looser run, whose factor q^-a - 1 multiplies every doubt about a.  The estimate is
 *
 *     max_i  5 |y_i - w_i| / (atol/rtol + |y_i|)
 *
 * over what is written (solution/columns.h), never below rounding.  The factor covers components
 * where both runs err in the same way; chosen by experiment (bench/bench_estimate.c): at most
 * 10 and at least 1/100 of the estimate is to be the true error.  With a fixed step h the
 * second run takes 3/4 h, and 3/4 eps where a regularization parameter is given.
 *
 * Threads: evaluation shares the problem and nothing else, so the second run goes beside the
 * first one, in a context of its own. Two things forbid that, and then it follows the first
 * one: functions of the caller, who has not been asked whether they may run twice at a time; an
 * allocator of the caller. */
#include "solve/estimate.h"

#include "base/context.h"
#include "base/tuning.h"
#include "ivp/passage/passage.h"

#include <float.h>
#include <math.h>
#include <pthread.h>

struct rg_twin {
    const rg_solver *first;
    rg_context *parent, *ctx;
    const rg_problem *problem; /* of the first run */
    rg_problem *second; /* the same for the second: what it would find out is known already */
    rg_solver *solver;
    double ratio; /* atol/rtol */
    pthread_t thread;
    bool has_thread;
    rg_status status;
};

/* The first run, or the user, has ended it all: so does the second. */
static rg_status watch(const rg_integrator *g, void *user)
{
    const rg_twin *w = user;

    (void)g;
    return rg_interrupted(w->parent) ? RG_STOPPED : RG_OK;
}

static void *run(void *user)
{
    rg_twin *w = user;

    w->status = rg_integrate(w->solver->integrator, watch, w);
    return NULL;
}

static void destroy(rg_twin **twin)
{
    rg_twin *w = *twin;

    if (w == NULL) return;
    rg_solver_destroy(&w->solver);
    rg_problem_destroy(&w->second);
    rg_context_destroy(&w->ctx);
    rg_free(w->parent, w);
    *twin = NULL;
}

static rg_options second_options(const rg_options *first)
{
    rg_options o = *first;
    const double q = fmax(RG_ESTIMATE_TOLERANCE, fmin(1.0, RG_ESTIMATE_RTOL_LEAST / o.rtol));

    o.rtol *= q;
    o.atol *= q;
    o.step *= RG_ESTIMATE_STEP;
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

static rg_status prepare(rg_twin *w, const rg_solver *first, double t_end)
{
    const rg_options o = second_options(&first->options);

    RG_TRY(rg_context_create_with(w->parent->allocate, w->parent->allocate_user, &w->ctx));
    RG_TRY(rg_problem_handle(w->ctx, first->problem, first->problem->study, &w->second));
    RG_TRY(rg_solver_prepare(w->second, &o, &w->solver));
    return rg_solver_begin(w->solver, t_end);
}

static bool is_safe_beside(const rg_twin *w)
{
    const rg_problem *p = w->problem;

    return p->n_blocks > 0 && p->residual == NULL && p->rhs == NULL
           && w->parent->allocate == rg_default_realloc;
}

void rg_twin_start(const rg_solver *first, double t_end, rg_twin **out)
{
    rg_twin *w = rg_alloc(first->ctx, 1, sizeof *w);
    const rg_options *o = &first->options;

    *out = w;
    if (w != NULL) {
        w->first = first;
        w->parent = first->ctx;
        w->problem = first->problem;
        w->ratio = o->atol / o->rtol;
        if (prepare(w, first, t_end) != RG_OK) destroy(out);
    }
    if (*out == NULL) {
        warn(first->problem, "it cannot be prepared");
        rg_clear_error(first->ctx);
        return;
    }
    if (is_safe_beside(w)) w->has_thread = pthread_create(&w->thread, NULL, run, w) == 0;
}

/* max_i |y_i - w_i| / (ratio + |y_i|) over the columns; NaN where none can be compared. */
static double largest_difference(const rg_twin *w, const rg_solution *s, double *other)
{
    const int64_t n = s->n;
    const rg_state end = rg_integrator_state(w->solver->integrator);
    double worst = NAN;

    for (int64_t i = 0; i < n; i++) {
        s->point[i] = end.y[i];
        s->point[n + i] = end.yp[i];
    }
    if (rg_columns_eval(s->columns, s->t_last, s->last, s->value) != RG_OK
        || rg_columns_eval(s->columns, s->t_last, s->point, other) != RG_OK)
        return NAN;
    for (int64_t k = 0; k < rg_solution_columns(s); k++) {
        const double size = w->ratio + fabs(s->value[k]);
        const double e = fabs(s->value[k] - other[k]) / (size > 0.0 ? size : 1.0);
        if (isfinite(e) && !(e <= worst)) worst = e;
    }
    return worst;
}

static void warn_of_size(const rg_twin *w, const rg_solution *s)
{
    if (!(s->estimate > RG_ESTIMATE_NO_DIGIT)) return;
    if (rg_problem_warn(w->problem,
                        "the estimated error is as large as the solution: not one digit of the "
                        "values at the end is certain; try a smaller tolerance or another method")
        < 0)
        rg_clear_error(w->problem->ctx);
}

/* Both runs are complete, but a singular position was not decided. */
static rg_status doubt(const rg_twin *w, const char *what)
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

static rg_status compare(const rg_twin *w, rg_solution *s)
{
    double *other = rg_alloc(s->ctx, (size_t)rg_solution_columns(s) + 1, sizeof *other);
    char text[256];

    if (other == NULL) {
        rg_clear_error(s->ctx);
        return RG_OK;
    }
    s->estimate_ratio = w->ratio;
    const double difference = largest_difference(w, s, other);
    if (!isnan(difference))
        s->estimate = fmax(RG_ESTIMATE_SAFETY * difference, RG_ESTIMATE_ROUNDING);
    rg_free(s->ctx, other);
    if (!rg_passage_agree(w->first->integrator, w->solver->integrator, difference, text,
                          sizeof text))
        return doubt(w, text);
    warn_of_size(w, s);
    return RG_OK;
}

rg_status rg_twin_finish(rg_twin **twin, bool is_complete, rg_solution *s)
{
    rg_twin *w = *twin;
    rg_status status = RG_OK;

    if (w == NULL) return RG_OK;
    if (!is_complete) rg_context_interrupt(w->ctx);
    if (w->has_thread)
        pthread_join(w->thread, NULL);
    else if (is_complete)
        run(w);
    if (is_complete && w->status == RG_OK && rg_integrator_is_done(w->solver->integrator))
        status = compare(w, s);
    else if (is_complete && rg_passage_is_doubtful(w->solver->integrator))
        status = doubt(w, rg_last_error(w->ctx)->message);
    else if (is_complete && !rg_interrupted(w->parent))
        warn(w->problem, rg_last_error(w->ctx)->message);
    destroy(twin);
    return status;
}
