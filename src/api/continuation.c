/* Continuation: solutions for NAME = A, ..., B, each the guess of the next.
 *
 * The way from A to B is s in [0, 1], geometric where B/A is above RATIO or below 1/RATIO.  Steps double after an easy
 * solve and are halved after a failure; on the way a loose tolerance will do. */
#include "api/boundary.h"

#include "api/cache.h"

#include <math.h>
#include <string.h>

#define RATIO      10.0
#define FIRST_STEP 0.2
#define LEAST_STEP 1e-5
#define LOOSE      1e-3 /* tolerance on the way */
enum { EASY = 5 };      /* Newton iterations that allow larger steps */

typedef struct {
    char name[64];
    double from, to;
    bool is_geometric;
} route;

static rg_status read_route(rg_context *ctx, const char *text, route *out)
{
    const char *equal = strchr(text, '='), *dots = equal != NULL ? strstr(equal, "..") : NULL;
    char number[64];
    bool is_good = equal != NULL && dots != NULL && equal > text
                   && (size_t)(equal - text) < sizeof out->name
                   && (size_t)(dots - equal) < sizeof number;

    if (is_good) {
        memcpy(out->name, text, (size_t)(equal - text));
        out->name[equal - text] = '\0';
        memcpy(number, equal + 1, (size_t)(dots - equal - 1));
        number[dots - equal - 1] = '\0';
        is_good = rg_parse_real(number, &out->from) && rg_parse_real(dots + 2, &out->to);
    }
    if (!is_good) {
        rg_fail(ctx, RG_ERR_ARGUMENT, "--continue %s is not of the form NAME=A..B", text);
        return rg_remedy(ctx, "write --continue NAME=A..B, as in --continue eps=1..1e-6");
    }
    const double ratio = out->from != 0.0 ? out->to / out->from : 0.0;
    out->is_geometric = ratio > RATIO || (ratio > 0.0 && ratio < 1.0 / RATIO);
    return RG_OK;
}

/* An unknown constant has no value to prescribe. */
static rg_status check_known(const rg_problem *p, const char *name)
{
    for (int k = 0; k < p->n_families; k++)
        if (p->families[k].is_constant && strcmp(p->families[k].name, name) == 0) {
            rg_fail(p->ctx, RG_ERR_ARGUMENT,
                    "--continue: '%s' is an unknown constant, which the solution determines", name);
            return rg_remedy(p->ctx,
                             "write 'param %s = VALUE' to prescribe it, and leave out one "
                             "boundary condition",
                             name);
        }
    return RG_OK;
}

static double value_at(const route *r, double s)
{
    if (s == 1.0) return r->to;
    return r->is_geometric ? r->from * pow(r->to / r->from, s) : r->from + s * (r->to - r->from);
}

typedef struct {
    rg_problem *p;
    route way;
    double a, b, t_end;
    const char *path;
    rg_collocation_control control;
    rg_boundary *now;
    rg_collocation_result result;
    rg_stats total;
} course;

static rg_status set_value(course *c, double value)
{
    rg_problem_forget(c->p);
    RG_TRY(c->p->model_rebuild(c->p, c->way.name, value));
    rg_problem_move(c->p, c->a, c->b); /* as --from and --to have set them */
    return RG_OK;
}

/* One parameter value, from the solution before.  A failure leaves that one in place. */
static rg_status solve_at(course *c, double s)
{
    rg_boundary *next = NULL;
    rg_collocation_result result = {0};
    const rg_iterate *past = c->result.solution;

    rg_boundary_destroy(c->p->ctx, &c->now); /* it reads the problem as it was */
    RG_TRY(set_value(c, value_at(&c->way, s)));
    RG_TRY(rg_boundary_create(c->p, c->t_end, past == NULL ? c->path : "", &next));
    const rg_profile guess = {rg_guess_profile, next->guess},
                     before = {rg_iterate_profile, c->result.solution};
    rg_collocation_control control = c->control;
    if (s < 1.0) {
        const double ratio = control.atol / control.rtol;
        control.rtol = fmax(control.rtol, LOOSE);
        control.atol = ratio * control.rtol;
    }
    const rg_status status = rg_collocation_run(next->form, next->conditions, &control,
                                                past != NULL ? &before : &guess, past, &result);
    c->total.evaluations += result.stats.evaluations;
    c->total.jacobians += result.stats.jacobians;
    c->total.factorizations += result.stats.factorizations;
    c->total.rejected += result.stats.rejected + (s < 1.0);
    c->now = next;
    if (status == RG_OK || (past == NULL && result.solution != NULL)) {
        rg_collocation_clear(&c->result);
        c->result = result;
    } else {
        rg_collocation_clear(&result);
    }
    return status;
}

/* The model goes back to the last value that worked: the solution in hand belongs to it. */
static rg_status fail_way(course *c, double reached)
{
    char a[32], b[32];
    const rg_error error = *rg_last_error(c->p->ctx);

    rg_clear_error(c->p->ctx);
    rg_boundary_destroy(c->p->ctx, &c->now);
    RG_TRY(set_value(c, value_at(&c->way, reached)));
    RG_TRY(rg_boundary_create(c->p, c->t_end, "", &c->now));
    rg_fail(c->p->ctx, RG_ERR_CONVERGENCE, "continuation stopped at %s = %s on the way to %s: %s",
            c->way.name, rg_real_text(value_at(&c->way, reached), a), rg_real_text(c->way.to, b),
            error.message);
    return rg_remedy(c->p->ctx, "the solution may end or turn there; try a value up to %s", a);
}

static rg_status follow(course *c)
{
    double s = 0.0, step = FIRST_STEP;
    char text[32];

    RG_TRY(solve_at(c, 0.0));
    while (s < 1.0) {
        const double next = s + step < 1.0 - 1e-9 ? s + step : 1.0;
        rg_log(c->p->ctx, 2, "continuation: %s = %s", c->way.name,
               rg_real_text(value_at(&c->way, next), text));
        const rg_status status = solve_at(c, next);
        if (status == RG_OK) {
            s = next;
            if (c->result.n_newton <= EASY) step *= 2.0;
            continue;
        }
        if (status != RG_ERR_CONVERGENCE) return status;
        step = 0.5 * (next - s);
        if (step < LEAST_STEP) return fail_way(c, s);
        rg_clear_error(c->p->ctx);
    }
    return RG_OK;
}

rg_status rg_boundary_continue(rg_problem *p, double t_end, const char *text, const char *path,
                               const rg_collocation_control *control, rg_boundary **b,
                               rg_collocation_result *result)
{
    course c = {.p = p, .a = p->a, .b = p->b, .t_end = t_end, .path = path, .control = *control};

    RG_TRY(read_route(p->ctx, text, &c.way));
    RG_TRY(check_known(p, c.way.name));
    const rg_status status = follow(&c);
    *b = c.now;
    *result = c.result;
    c.total.steps = c.result.stats.steps;
    result->stats = c.total;
    if (status != RG_OK && status != RG_ERR_CONVERGENCE) rg_collocation_clear(result);
    return status;
}
