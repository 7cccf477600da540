/* Where Newton's method finds no solution from the guess, a small parameter is the usual reason:
 * layers that the guess does not have.  With a value of order 1 the problem is easy, and its
 * solution leads to the one wanted, step by step (continuation.c).  What is found in this way
 * passes the same tests as any other solution. */
#include "bvp/continuation.h"
#include "bvp/tuning.h"

#include <math.h>

static double far_from_one(double value)
{
    return value != 0.0 && isfinite(value) ? fabs(log10(fabs(value))) : 0.0;
}

/* Numbers of the parameters that are furthest from 1. */
static int list_candidates(const rg_problem *p, int *list)
{
    int n = 0;

    for (int k = 0; k < p->n_parameters; k++) {
        const double size = fabs(p->parameters[k].value), far = far_from_one(size);
        if (!(far > 0.0) || (size > RG_RESCUE_SMALL && size < 1.0 / RG_RESCUE_SMALL)) continue;
        int at = n < RG_RESCUE_CANDIDATES ? n++ : RG_RESCUE_CANDIDATES;
        for (; at > 0 && far_from_one(p->parameters[list[at - 1]].value) < far; at--)
            if (at < RG_RESCUE_CANDIDATES) list[at] = list[at - 1];
        if (at < RG_RESCUE_CANDIDATES) list[at] = k;
    }
    return n;
}

static bool has_constants(const rg_bvp_form *f)
{
    for (int j = 0; j < f->n; j++)
        if (rg_bvp_form_is_constant(f, j)) return true;
    return false;
}

/* A solution for c->from, and not a trivial one. */
static rg_status begin(rg_course *c)
{
    bool is_trivial = false;

    rg_clear_error(c->p->ctx);
    RG_TRY(rg_course_begin(c));
    if (!c->has_constants) return RG_OK;
    RG_TRY(rg_boundary_is_trivial(c->now, c->control.rtol, c->result.solution, &is_trivial));
    if (!is_trivial) return RG_OK;
    rg_collocation_clear(&c->result);
    return RG_ERR_CONVERGENCE;
}

/* Guesses of unknown constants belong to the value that is asked for: the period of van der Pol's
 * orbit is about 1.6 mu.  As they are, then in proportion to the parameter or to its inverse. */
static rg_status begin_scaled(rg_course *c, double ratio)
{
    c->constants = 0.0;
    rg_status status = begin(c);
    for (int k = 0; k < 2 && status == RG_ERR_CONVERGENCE && c->has_constants; k++) {
        c->constants = k == 0 ? ratio : 1.0 / ratio;
        status = begin(c);
    }
    return status;
}

/* From 1, 0.1, 0.01 (or 1, 10, 100), whatever can be solved first, and is not as good as the value
 * itself. */
static rg_status try_parameter(rg_course *c, const char *name, double value)
{
    const double factor = fabs(value) < 1.0 ? 0.1 : 10.0;
    const int64_t n = c->p->n;
    double from = value < 0.0 ? -1.0 : 1.0;
    rg_status status = RG_ERR_CONVERGENCE;

    for (int k = 0; k < RG_RESCUE_STARTS && status == RG_ERR_CONVERGENCE; k++, from *= factor) {
        if (k > 0 && far_from_one(value / from) < far_from_one(RG_RESCUE_SMALL)) break;
        if (k > 0 && far_from_one(from) > far_from_one(value)) break; /* beyond it */
        rg_course_set(c, name, from, value);
        rg_log(c->p->ctx, 1, "no solution from the guess: continuation from %s = %g", name, from);
        status = begin_scaled(c, from / value);
        if (c->p->study->stand_in != NULL && c->p->study->stand_in->n != n)
            return RG_ERR_CONVERGENCE; /* a size, not a number */
    }
    return status == RG_OK ? rg_course_follow(c, RG_RESCUE_LEAST, RG_RESCUE_ATTEMPTS) : status;
}

/* Models that cannot be made or solved with another value of a parameter are no failure of their
 * own. */
static bool is_harmless(rg_status status)
{
    return status < 0 && status != RG_ERR_MEMORY && status != RG_ERR_INTERRUPTED;
}

static rg_status give_up(rg_course *c, const rg_error *error, rg_boundary **b)
{
    rg_clear_error(c->p->ctx);
    rg_boundary_destroy(c->p->ctx, b);
    RG_TRY(rg_boundary_create(c->p, c->t_end, c->path, b));
    rg_fail(c->p->ctx, error->code, "%s", error->message);
    if (!isnan(error->t)) rg_fail_time(c->p->ctx, error->t);
    return rg_remedy(c->p->ctx, "%s", error->remedy);
}

static rg_status tell(rg_course *c, double from)
{
    char a[32], b[32];

    return rg_problem_warn(
        c->p,
        "from the guess alone no solution was found: this one was reached from %s = %s by "
        "continuation to %s, in %d steps",
        c->name, rg_real_text(from, a), rg_real_text(c->to, b), c->attempts);
}

rg_status rg_boundary_rescue(rg_problem *p, double t_end, const char *path,
                             const rg_collocation_control *control, rg_boundary **b,
                             rg_collocation_result *result)
{
    const rg_error error = *rg_last_error(p->ctx);
    int list[RG_RESCUE_CANDIDATES];
    rg_course c = {.p = p, .a = p->a, .b = p->b, .t_end = t_end, .path = path, .control = *control};
    rg_status status = RG_ERR_CONVERGENCE;
    const int n = p->model_rebuild != NULL ? list_candidates(p, list) : 0;

    if (n == 0) return error.code;
    c.has_constants = has_constants((*b)->form);
    rg_boundary_destroy(p->ctx, b);
    for (int k = 0; k < n && is_harmless(status); k++) {
        rg_collocation_clear(&c.earlier);
        rg_collocation_clear(&c.result);
        status = try_parameter(&c, p->parameters[list[k]].name, p->parameters[list[k]].value);
    }
    rg_collocation_clear(&c.earlier);
    *b = c.now;
    if (status == RG_OK) {
        rg_collocation_clear(result);
        *result = c.result;
        c.total.steps = c.result.stats.steps;
        result->stats = c.total;
        RG_TRY(rg_study_take_warnings(p->study, p->study->stand_in->study));
        return tell(&c, c.from);
    }
    rg_collocation_clear(&c.result);
    return is_harmless(status) ? give_up(&c, &error, b) : status;
}
