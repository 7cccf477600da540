/* Points and steps on their way into a solution. */
#include "curve/writer.h"

#include "linalg/powers.h"

#include <float.h>
#include <math.h>

rg_status rg_writer_open(rg_writer *w, const rg_problem *p, rg_layout **layout, int n_levels,
                         const rg_request *request, rg_solution **out)
{
    const size_t n = (size_t)(*layout)->n_states;

    w->request = request;
    RG_TRY(rg_solution_create(p, layout, n_levels, request, out));
    w->solution = *out;
    w->y = rg_alloc(w->solution->ctx, n + 1, sizeof *w->y);
    w->yp = rg_alloc(w->solution->ctx, n + 1, sizeof *w->yp);
    w->level = rg_alloc(w->solution->ctx, (size_t)n_levels + 1, sizeof *w->level);
    return w->y && w->yp && w->level ? RG_OK : RG_ERR_MEMORY;
}

static rg_status note_drift(rg_writer *w, double t, const double *y, const double *yp, bool is_step)
{
    if (w->drift == NULL || w->solution->n_levels == 0)
        return rg_solution_take_drift(w->solution, t, NULL, is_step);
    const rg_status status = w->drift(w->user, t, y, yp, w->level);
    if (status < 0) return status;
    return rg_solution_take_drift(w->solution, t, status == RG_OK ? w->level : NULL, is_step);
}

static rg_status note_row(rg_writer *w, double t, const double *y, const double *yp)
{
    return w->seen != NULL ? w->seen(w->user, t, y, yp) : RG_OK;
}

/* Drift, and the caller's function. */
static rg_status note_point(rg_writer *w, double t, const double *y, const double *yp)
{
    const rg_request *q = w->request;

    RG_TRY(note_drift(w, t, y, yp, true));
    return q->output != NULL && q->output(t, y, yp, q->user) != 0 ? RG_STOPPED : RG_OK;
}

rg_status rg_writer_start(rg_writer *w, double t, const double *y, const double *yp)
{
    const rg_request *q = w->request;

    RG_TRY(rg_solution_start(w->solution, t, y, yp));
    for (; w->next_time < q->n_times && q->times[w->next_time] == t; w->next_time++)
        RG_TRY(rg_solution_point(w->solution, t, y, yp));
    return note_point(w, t, y, yp);
}

static rg_status eval(rg_writer *w, const rg_solution_step *step, double t)
{
    const double h = step->t1 - step->t0;

    if (w->eval != NULL) return w->eval(w->user, t, w->y, w->yp);
    rg_powers_eval(step->degree, w->solution->n, step->coefficients, (t - step->t0) / h, h, w->y,
                   w->yp);
    return RG_OK;
}

/* A chosen time that is the end of the step, up to rounding; where an event follows, up to what is
 * known of its time. */
static bool is_end(const rg_writer *w, double t1, double t)
{
    return fabs(t - t1) <= fmax(4.0 * DBL_EPSILON * fabs(t), w->holds_end ? w->near : 0.0);
}

/* Steps are rows that somebody keeps, writes, compares or measures errors of. */
static bool reads_steps(const rg_writer *w)
{
    const rg_request *q = w->request;

    return q->keep != RG_KEEP_LAST || q->csv != NULL || q->estimate || w->solution->exact != NULL;
}

bool rg_writer_wants(const rg_writer *w, double t)
{
    const rg_request *q = w->request;

    const double sign = t > w->solution->t_last ? 1.0 : -1.0;
    int64_t k = w->next_time;

    if (q->output != NULL && !q->only_time) return true;
    if (q->n_times == 0) return reads_steps(w);
    while (k < q->n_times && sign * q->times[k] < sign * t && !is_end(w, t, q->times[k]))
        k++;
    return k < q->n_times && is_end(w, t, q->times[k]);
}

/* How many chosen times lie inside the step. */
static int64_t count_inside(const rg_writer *w, const rg_solution_step *step)
{
    const rg_request *q = w->request;
    const double sign = step->t1 > step->t0 ? 1.0 : -1.0;
    int64_t k = w->next_time;

    while (k < q->n_times && sign * q->times[k] < sign * step->t1
           && !is_end(w, step->t1, q->times[k]))
        k++;
    return k - w->next_time;
}

static rg_status write_inside(rg_writer *w, const rg_solution_step *step, int64_t count)
{
    if (count > 0 && w->rows != NULL) RG_TRY(w->rows(w->user, count));
    for (; count > 0; count--) {
        const double t = w->request->times[w->next_time];
        RG_TRY(eval(w, step, t));
        RG_TRY(rg_solution_point(w->solution, t, w->y, w->yp));
        RG_TRY(note_drift(w, t, w->y, w->yp, false));
        RG_TRY(note_row(w, t, w->y, w->yp));
        w->next_time++;
    }
    return RG_OK;
}

rg_status rg_writer_step(rg_writer *w, const rg_solution_step *step)
{
    const rg_request *q = w->request;
    const double sign = step->t1 > step->t0 ? 1.0 : -1.0;

    RG_TRY(rg_solution_accept(w->solution, step));
    RG_TRY(write_inside(w, step, count_inside(w, step)));
    for (; w->next_time < q->n_times; w->next_time++) {
        const double t = q->times[w->next_time];
        if (w->holds_end || (sign * t > sign * step->t1 && !is_end(w, step->t1, t))) break;
        RG_TRY(rg_solution_point(w->solution, t, step->y, step->yp));
        RG_TRY(note_row(w, t, step->y, step->yp));
    }
    if (q->n_times == 0) RG_TRY(note_row(w, step->t1, step->y, step->yp));
    return note_point(w, step->t1, step->y, step->yp);
}

rg_status rg_writer_jump(rg_writer *w, double t, const double *y, const double *yp)
{
    const rg_request *q = w->request;

    RG_TRY(rg_solution_jump(w->solution, t, y, yp));
    for (; w->next_time < q->n_times && is_end(w, t, q->times[w->next_time]); w->next_time++) {
        RG_TRY(rg_solution_point(w->solution, q->times[w->next_time], y, yp));
        RG_TRY(note_row(w, q->times[w->next_time], y, yp));
    }
    w->holds_end = false;
    if (q->n_times == 0) RG_TRY(note_row(w, t, y, yp));
    return note_point(w, t, y, yp);
}

rg_status rg_writer_rewind(rg_writer *w)
{
    w->next_time = 0;
    return rg_solution_rewind(w->solution);
}

rg_status rg_writer_close(rg_writer *w, rg_status status, int64_t n_places,
                          const rg_singular *places)
{
    rg_solution *s = w->solution;

    if (s == NULL) return status;
    const rg_status noted = rg_solution_add_singular(s, n_places, places);
    const rg_status closed = rg_solution_finish(s);
    rg_free(s->ctx, w->y);
    rg_free(s->ctx, w->yp);
    rg_free(s->ctx, w->level);
    *w = (rg_writer){0};
    if (status < 0) return status;
    return noted < 0 ? noted : closed < 0 ? closed : status;
}
