/* One run of a sweep: the problem with the values of the run, its solution, a row.
 *
 * The model is compiled from its syntax tree with the values in place, as for a single run with
 * --set: terms that a value removes are not there, arrays have their bounds.  So a row is that of
 * the single run to the last bit. */
#include "solution/columns.h"
#include "solve/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the problem ----------------------------------------------------------------------------- */

/* start(x) = value: what was a guess stays one, everything else is kept. */
static rg_status set_start(rg_problem *p, const rg_sweep_list *list, double value)
{
    rg_start *start = &p->start[list->order];
    const int64_t j = rg_problem_find(p, list->variable);

    if (j < 0) {
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "'%s': the model has no unknown '%s' with these values",
                list->name, list->variable);
        return rg_remedy(p->ctx, "sweep a start value that all runs have");
    }
    if (start->kind == NULL) {
        start->kind = rg_alloc(p->ctx, (size_t)p->n, sizeof *start->kind);
        start->value = rg_alloc(p->ctx, (size_t)p->n, sizeof *start->value);
        if (start->kind == NULL || start->value == NULL) return RG_ERR_MEMORY;
    }
    start->value[j] = value;
    if (start->kind[j] == RG_START_NONE) start->kind[j] = RG_START_KEPT;
    if (p->start_orders <= list->order) p->start_orders = list->order + 1;
    return RG_OK;
}

/* Start values of a handle are those of the problem itself: copies of them. */
static rg_status own_start(rg_problem *p)
{
    const size_t n = (size_t)p->n;

    for (int r = 0; r <= RG_MAX_ORDER; r++) {
        const rg_start from = p->start[r];
        p->start[r] = (rg_start){NULL, NULL, NULL};
        if (from.kind == NULL) continue;
        p->start[r].kind = rg_alloc(p->ctx, n, sizeof *from.kind);
        p->start[r].value = rg_alloc(p->ctx, n, sizeof *from.value);
        if (p->start[r].kind == NULL || p->start[r].value == NULL) return RG_ERR_MEMORY;
        memcpy(p->start[r].kind, from.kind, n * sizeof *from.kind);
        memcpy(p->start[r].value, from.value, n * sizeof *from.value);
    }
    return RG_OK;
}

/* What is_shared leaves to the handle's user: the start values made by own_start(). */
static void destroy_problem(rg_problem **p)
{
    for (int r = 0; *p != NULL && (*p)->is_shared && r <= RG_MAX_ORDER; r++) {
        rg_free((*p)->ctx, (*p)->start[r].kind);
        rg_free((*p)->ctx, (*p)->start[r].value);
    }
    rg_problem_destroy(p);
}

/* With the parameters of the run. */
static rg_status build(const rg_sweep_job *job, const rg_problem *handle, const double *set,
                       rg_problem **out)
{
    const rg_sweep_plan *plan = &job->plan;
    rg_setting *settings = rg_alloc(handle->ctx, (size_t)plan->n_lists + 1, sizeof *settings);
    int n = 0;

    if (settings == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < plan->n_lists; k++)
        if (plan->lists[k].variable == NULL)
            settings[n++] = (rg_setting){plan->lists[k].name, set[k]};
    rg_status status;
    if (handle->model_rebuild != NULL) {
        status = handle->model_rebuild(handle, n, settings, out);
        if (status == RG_OK && rg_error_count(handle->ctx) > 0)
            status = rg_last_error(handle->ctx)->code; /* an error on the way is an error */
    } else if (n > 0) {
        rg_fail(handle->ctx, RG_ERR_ARGUMENT, "a callback problem has no parameter '%s'",
                settings[0].name);
        status = rg_remedy(handle->ctx, "sweep start values, as in start(y[1])");
    } else if ((status = rg_problem_handle(handle->ctx, handle, NULL, out)) == RG_OK) {
        status = own_start(*out);
    }
    rg_free(handle->ctx, settings);
    return status;
}

/* The interval of the call, that of a problem that was moved, or that of the model, which may
 * depend on the values. */
static rg_status move(const rg_sweep_job *job, rg_problem *p)
{
    const rg_sweep *s = job->given;
    const double a = s->from != NULL ? *s->from : job->p->a != job->base[0] ? job->p->a : p->a;
    const double b = s->to != NULL ? *s->to : job->p->b != job->base[1] ? job->p->b : p->b;

    if (p->is_shared || (a == p->a && b == p->b)) return RG_OK;
    return rg_problem_set_interval(p, a, b);
}

rg_status rg_sweep_problem(const rg_sweep_job *job, const rg_problem *handle, const double *set,
                           rg_problem **out)
{
    const rg_sweep_plan *plan = &job->plan;

    *out = NULL;
    rg_status status = build(job, handle, set, out);
    if (status == RG_OK) status = move(job, *out);
    for (int k = 0; k < plan->n_lists && status == RG_OK; k++)
        if (plan->lists[k].variable != NULL) status = set_start(*out, &plan->lists[k], set[k]);
    if (status != RG_OK) destroy_problem(out);
    return status;
}

/* ---- the row --------------------------------------------------------------------------------- */

/* Columns of the run into those of the sweep, by name where arrays have other bounds. */
static rg_status place_columns(const rg_sweep_job *job, const rg_solution *s, const double *from,
                               double *to)
{
    const int64_t n = rg_solution_columns(s);
    char name[512];

    for (int64_t k = 0; k < n; k++) {
        rg_solution_column_name(s, k, name, sizeof name);
        if (k < job->n_columns && strcmp(name, job->column_names[k]) == 0) {
            to[k] = from[k];
            continue;
        }
        for (int64_t i = 0; i < job->n_columns; i++)
            if (strcmp(name, job->column_names[i]) == 0) to[i] = from[k];
    }
    return RG_OK;
}

static rg_status take_values(const rg_sweep_job *job, const rg_solution *s, rg_context *ctx,
                             rg_sweep_result *out)
{
    const int64_t n_times = job->given->n_times;
    double *values = rg_alloc(ctx, (size_t)rg_solution_columns(s) + 1, sizeof *values);
    rg_status status = values != NULL ? RG_OK : RG_ERR_MEMORY;

    if (status == RG_OK && n_times <= 0) {
        status = rg_solution_end_values(s, values);
        if (status == RG_OK) status = place_columns(job, s, values, out->values);
    }
    for (int64_t k = 0; k < n_times && k < rg_solution_rows(s) && status == RG_OK; k++) {
        status = rg_solution_values(s, k, values);
        if (status == RG_OK)
            status = place_columns(job, s, values, out->values + k * job->n_columns);
    }
    rg_free(ctx, values);
    return status;
}

static rg_status solve(const rg_sweep_job *job, const rg_problem *p, rg_sweep_result *out)
{
    const rg_sweep *given = job->given;
    const rg_request request = {.keep = given->n_times > 0 ? RG_KEEP_ROWS : RG_KEEP_LAST,
                                .n_times = given->n_times,
                                .times = given->times,
                                .estimate = given->estimate,
                                .may_repeat = 1};
    rg_solution *s = NULL;

    rg_status status = rg_solve_request(p, p->b, &job->options, &request, &s);
    if (s != NULL) {
        out->t = rg_solution_end(s);
        if (status >= 0) out->estimate = rg_solution_estimate(s);
        const rg_status taken = status >= 0 ? take_values(job, s, p->ctx, out) : RG_OK;
        if (taken != RG_OK) status = taken;
    }
    rg_solution_destroy(&s);
    return status;
}

rg_status rg_sweep_one(const rg_sweep_job *job, const rg_problem *handle, int64_t run,
                       rg_sweep_result *out)
{
    rg_context *ctx = handle->ctx;
    double *set = rg_alloc(ctx, (size_t)job->plan.n_lists + 1, sizeof *set);
    rg_problem *p = NULL;

    out->run = run;
    out->status = RG_ERR_MEMORY;
    if (set == NULL) return RG_ERR_MEMORY;
    rg_clear_error(ctx);
    out->t = out->estimate = NAN;
    out->message[0] = out->remedy[0] = '\0';
    for (int64_t k = 0; k < job->n_values; k++)
        out->values[k] = NAN;
    rg_sweep_plan_values(&job->plan, run, set);
    out->status = rg_sweep_problem(job, handle, set, &p);
    if (out->status == RG_OK) out->status = solve(job, p, out);
    if (out->status < 0) {
        snprintf(out->message, sizeof out->message, "%s", rg_last_error(ctx)->message);
        snprintf(out->remedy, sizeof out->remedy, "%s", rg_last_error(ctx)->remedy);
        for (int64_t k = 0; k < job->n_values; k++)
            out->values[k] = NAN;
    }
    destroy_problem(&p);
    rg_free(ctx, set);
    return out->status == RG_ERR_MEMORY || out->status == RG_ERR_INTERRUPTED ? out->status : RG_OK;
}
