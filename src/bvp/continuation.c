/* Continuation: solutions for NAME = A, ..., B, each the guess of the next.
 *
 * The way from A to B is s in [0, 1], geometric where B/A is above 10 or below 1/10.  Steps
 * double after an easy solve and are halved after a failure; on the way a loose tolerance will
 * do, and B itself is first solved like that. */
#include "bvp/continuation.h"

#include "bvp/collocation/predict.h"
#include "bvp/tuning.h"

#include <math.h>
#include <string.h>

static double value_at(const rg_course *c, double s)
{
    if (s == 1.0) return c->to;
    return c->is_geometric ? c->from * pow(c->to / c->from, s) : c->from + s * (c->to - c->from);
}

void rg_course_set(rg_course *c, const char *name, double from, double to)
{
    const double ratio = from != 0.0 ? to / from : 0.0;

    snprintf(c->name, sizeof c->name, "%s", name);
    c->from = from;
    c->to = to;
    c->is_geometric = ratio > RG_CONTINUE_RATIO || (ratio > 0.0 && ratio < 1.0 / RG_CONTINUE_RATIO);
    c->reached = c->from;
}

/* What the method works on for another value; the model of the value before is gone then. */
static rg_status set_value(rg_course *c, double value, const char *path)
{
    const rg_setting setting = {c->name, value};
    rg_study *study = c->p->study;
    rg_problem *fresh;

    rg_boundary_destroy(c->p->ctx, &c->now); /* it reads the problem as it was */
    RG_TRY(c->p->model_rebuild(c->p, 1, &setting, &fresh));
    rg_problem_move(fresh, c->a, c->b); /* as --from and --to have set them */
    rg_study_take_stand_in(study, &fresh);
    return rg_boundary_create(study->stand_in, c->t_end, path, &c->now);
}

static void loosen(const rg_course *c, rg_collocation_control *control)
{
    const rg_curve *past = c->result.solution;
    const double ratio = control->atol / control->rtol;
    int64_t most = past != NULL ? RG_CONTINUE_MESH_MORE * past->N : 0;

    most = most < RG_CONTINUE_MESH_LEAST  ? RG_CONTINUE_MESH_LEAST
           : most > RG_CONTINUE_MESH_MOST ? RG_CONTINUE_MESH_MOST
                                          : most;

    control->rtol = fmax(control->rtol, RG_BVP_ROUGH_TOL);
    control->atol = ratio * control->rtol;
    control->is_rough = true;
    if (control->max_newton == 0 || control->max_newton > RG_CONTINUE_NEWTON)
        control->max_newton = RG_CONTINUE_NEWTON;
    if (most < control->max_intervals) control->max_intervals = most;
}

/* The solution before, moved on; it itself where there is no other or the value is the same. */
static rg_status predict(const rg_course *c, double value, rg_curve **out)
{
    const bool is_falling = fabs(c->to) < fabs(c->from);
    double q[3] = {c->earlier_at, c->reached, value};

    *out = NULL;
    if (c->earlier.solution == NULL || c->is_plain || value == c->reached) return RG_OK;
    for (int k = 0; k < 3 && !is_falling; k++)
        q[k] = 1.0 / q[k];
    return rg_predict(c->now->form, c->earlier.solution, c->result.solution, q, out);
}

/* Every second point of a mesh on which the error was far below the tolerance. */
static rg_status thin(const rg_curve *it, rg_curve **out)
{
    double *t = rg_alloc(it->ctx, (size_t)it->N + 1, sizeof *t);
    const double ends[2] = {it->t[0], it->t[it->N]};
    const int64_t N = (it->N + 1) / 2;

    *out = NULL;
    if (t == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < N; i++)
        t[i] = it->t[2 * i];
    t[N] = ends[1];
    const rg_status status = rg_curve_create(it->ctx, &it->rule, it->n, it->nx, N, t, 2, ends, out);
    rg_free(it->ctx, t);
    return status;
}

/* The solution in hand becomes the earlier one. */
static void take(rg_course *c, double value, rg_collocation_result *result)
{
    if (value != c->reached) {
        rg_collocation_clear(&c->earlier);
        c->earlier = c->result;
        c->earlier_at = c->reached;
    } else {
        rg_collocation_clear(&c->result);
    }
    c->result = *result;
}

/* The guess, its unknown constants times a factor. */
typedef struct {
    rg_boundary *b;
    double factor;
} scaled_guess;

static rg_status eval_scaled(void *user, double t, double *x, double *xp, double *w)
{
    const scaled_guess *g = user;
    const rg_bvp_form *f = g->b->form;

    RG_TRY(rg_guess_profile(g->b->guess, t, x, xp, w));
    for (int k = 0; k < f->nx && g->factor > 0.0; k++)
        if (rg_bvp_form_is_constant(f, f->unknown[k])) x[k] *= g->factor;
    return RG_OK;
}

/* One parameter value, from the solution before.  A failure leaves that one in place. */
static rg_status solve_at(rg_course *c, double s, bool is_rough)
{
    rg_collocation_result result = {0};
    const double value = value_at(c, s);
    rg_curve *moved = NULL, *mesh = NULL;
    rg_collocation_control control = c->control;

    c->attempts++;
    const bool is_first = c->result.solution == NULL;
    RG_TRY(set_value(c, value, is_first ? c->path : ""));
    if (is_rough) loosen(c, &control);
    rg_status status = predict(c, value, &moved);
    const rg_curve *past = moved != NULL ? moved : c->result.solution;
    if (status == RG_OK && moved != NULL && c->result.error < RG_CONTINUE_THIN
        && moved->N > RG_CONTINUE_THIN_LEAST)
        status = thin(moved, &mesh);
    scaled_guess scaled = {c->now, c->constants};
    const rg_profile guess = {eval_scaled, &scaled},
                     before = {rg_profile_of_curve, (void *)(uintptr_t)past};
    if (status == RG_OK)
        status =
            rg_collocation_run(c->now->form, c->now->conditions, &control,
                               is_first ? &guess : &before, mesh != NULL ? mesh : past, &result);
    rg_curve_destroy(&moved);
    rg_curve_destroy(&mesh);
    c->total.evaluations += result.stats.evaluations;
    c->total.jacobians += result.stats.jacobians;
    c->total.factorizations += result.stats.factorizations;
    c->total.rejected += result.stats.rejected + is_rough;
    if (status == RG_OK || (is_first && result.solution != NULL && !is_rough))
        take(c, value, &result);
    else
        rg_collocation_clear(&result);
    if (status == RG_OK) c->reached = value;
    return status;
}

rg_status rg_course_begin(rg_course *c)
{
    return solve_at(c, 0.0, true);
}

/* Back to the solution before the one in hand, whose mesh has grown so much that no other fits in
 * below the limit of a rough run: with a smaller step refinement goes another way. */
static bool go_back(rg_course *c)
{
    if (c->earlier.solution == NULL || c->result.solution->N <= RG_CONTINUE_MESH_MOST) return false;
    rg_collocation_clear(&c->result);
    c->result = c->earlier;
    c->reached = c->earlier_at;
    c->earlier = (rg_collocation_result){.solution = NULL};
    return true;
}

rg_status rg_course_follow(rg_course *c, double least, int attempts)
{
    const double decades = c->is_geometric ? fabs(log10(c->to / c->from)) : 1.0;
    const double most = c->is_geometric ? RG_CONTINUE_DECADES / decades : 1.0;
    double s = 0.0, before = 0.0, step = c->is_geometric ? 1.0 / decades : RG_CONTINUE_FIRST;
    bool is_easy = true;
    char text[32];

    while (s < 1.0) {
        const double next = s + step < 1.0 - RG_SAME ? s + step : 1.0;
        rg_log(c->p->ctx, 1, "continuation: %s = %s", c->name,
               rg_real_text(value_at(c, next), text));
        rg_status status = solve_at(c, next, true);
        if (status == RG_ERR_CONVERGENCE
            && c->earlier.solution != NULL) { /* the other kind of guess */
            rg_clear_error(c->p->ctx);
            c->is_plain = !c->is_plain;
            status = solve_at(c, next, true);
        }
        if (status == RG_OK) {
            before = s;
            s = next;
            if (is_easy && c->result.n_newton <= RG_CONTINUE_EASY) step = fmin(2.0 * step, most);
            is_easy = true;
            continue;
        }
        if (status != RG_ERR_CONVERGENCE) return status;
        step = 0.5 * (next - s);
        if (go_back(c)) {
            step = 0.5 * (s - before);
            s = before;
        }
        is_easy = false;
        if (step < least || c->attempts > attempts) return status;
        rg_clear_error(c->p->ctx);
    }
    return solve_at(c, 1.0, false);
}

/* ---- --continue NAME=A..B -------------------------------------------------------------------- */

static rg_status read_route(rg_context *ctx, const char *text, rg_course *c)
{
    const char *equal = strchr(text, '='), *dots = equal != NULL ? strstr(equal, "..") : NULL;
    char name[64] = "", number[64];
    double from = 0.0, to = 0.0;
    bool is_good = equal != NULL && dots != NULL && equal > text
                   && (size_t)(equal - text) < sizeof name
                   && (size_t)(dots - equal) < sizeof number;

    if (is_good) {
        memcpy(name, text, (size_t)(equal - text));
        memcpy(number, equal + 1, (size_t)(dots - equal - 1));
        number[dots - equal - 1] = '\0';
        is_good = rg_parse_real(number, &from) && rg_parse_real(dots + 2, &to);
    }
    if (!is_good) {
        rg_fail(ctx, RG_ERR_ARGUMENT, "--continue %s is not of the form NAME=A..B", text);
        return rg_remedy(ctx, "write --continue NAME=A..B, as in --continue eps=1..1e-6");
    }
    rg_course_set(c, name, from, to);
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

/* The model goes back to the last value that worked: the solution in hand belongs to it. */
static rg_status fail_way(rg_course *c)
{
    char a[32], b[32];
    const rg_error error = *rg_last_error(c->p->ctx);

    rg_clear_error(c->p->ctx);
    RG_TRY(set_value(c, c->reached, ""));
    rg_fail(c->p->ctx, RG_ERR_CONVERGENCE, "continuation stopped at %s = %s on the way to %s: %s",
            c->name, rg_real_text(c->reached, a), rg_real_text(c->to, b), error.message);
    return rg_remedy(c->p->ctx, "the solution may end or turn there; try a value up to %s", a);
}

rg_status rg_boundary_continue(rg_problem *p, double t_end, const char *text, const char *path,
                               const rg_collocation_control *control, rg_boundary **b,
                               rg_collocation_result *result)
{
    rg_course c = {.p = p, .a = p->a, .b = p->b, .t_end = t_end, .path = path, .control = *control};

    RG_TRY(read_route(p->ctx, text, &c));
    RG_TRY(check_known(p, c.name));
    rg_status status = solve_at(&c, 0.0, false);
    if (status == RG_OK) {
        status = rg_course_follow(&c, RG_CONTINUE_LEAST, RG_CONTINUE_ATTEMPTS);
        if (status == RG_ERR_CONVERGENCE && c.reached != c.to) status = fail_way(&c);
    }
    rg_collocation_clear(&c.earlier);
    const rg_problem *last = p->study->stand_in;
    const rg_status told = last != NULL ? rg_study_take_warnings(p->study, last->study) : RG_OK;
    if (status == RG_OK) status = told;
    *b = c.now;
    *result = c.result;
    c.total.steps = c.result.stats.steps;
    result->stats = c.total;
    if (status != RG_OK && status != RG_ERR_CONVERGENCE) rg_collocation_clear(result);
    return status;
}
