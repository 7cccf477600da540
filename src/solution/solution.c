/* Life of a solution, and what happens at every point of a run. */
#include "solution/solution.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Which entry of z every exact value is compared with. */
static rg_status prepare_exact(rg_solution *s)
{
    const rg_problem *p = s->problem;
    int64_t which = 0;

    RG_TRY(rg_values_create(p, p->n_exact, p->exact, s->layout, &s->exact));
    s->n_exact = rg_values_count(s->exact);
    s->exact_place = rg_alloc(s->ctx, (size_t)s->n_exact, sizeof *s->exact_place);
    s->exact_value = rg_alloc(s->ctx, (size_t)s->n_exact, sizeof(double));
    s->error = rg_alloc(s->ctx, (size_t)s->n_exact, sizeof(double));
    s->largest_error = rg_alloc(s->ctx, (size_t)s->n_exact, sizeof(double));
    if (s->exact_place == NULL || s->exact_value == NULL || s->error == NULL
        || s->largest_error == NULL)
        return RG_ERR_MEMORY;
    for (int k = 0; k < p->n_exact; k++)
        for (int64_t i = 0; i < p->exact[k].body->count; i++)
            s->exact_place[which++] =
                rg_layout_at(s->layout, rg_map_at(&p->exact[k].target, i), p->exact[k].order);
    return RG_OK;
}

static rg_status take_memory(rg_solution *s)
{
    s->first = rg_alloc(s->ctx, (size_t)s->n, 2 * sizeof(double));
    s->last = rg_alloc(s->ctx, (size_t)s->n, 2 * sizeof(double));
    s->point = rg_alloc(s->ctx, (size_t)s->n, 2 * sizeof(double));
    s->drift = rg_alloc(s->ctx, (size_t)s->n_levels, sizeof(double));
    s->value = rg_alloc(s->ctx, (size_t)rg_column_count(s->problem), sizeof(double));
    const bool ok = s->first != NULL && s->last != NULL && s->point != NULL && s->drift != NULL
                    && s->value != NULL;
    return ok ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_solution_create(const rg_problem *p, rg_layout **layout, int n_levels,
                             const rg_request *request, rg_solution **out)
{
    rg_solution *s = rg_alloc(p->ctx, 1, sizeof *s);
    rg_status status;

    *out = NULL;
    if (s == NULL) {
        rg_layout_destroy(layout);
        return RG_ERR_MEMORY;
    }
    s->ctx = p->ctx;
    s->problem = p;
    s->layout = *layout;
    *layout = NULL;
    s->n = s->layout->n_states;
    s->n_levels = s->history_levels = n_levels;
    s->keep = request->keep;
    s->rows_are_steps = request->n_times == 0;
    s->t_last = s->estimate = s->estimate_end = NAN;
    if ((status = take_memory(s)) != RG_OK) goto failed;
    if ((status = rg_columns_create(p, s->layout, &s->columns)) != RG_OK) goto failed;
    if (p->n_exact > 0 && (status = prepare_exact(s)) != RG_OK) goto failed;
    if (request->csv != NULL && request->checkpoint == NULL
        && (status = rg_csv_open(s->ctx, request->csv, &s->csv)) != RG_OK)
        goto failed;
    *out = s;
    return RG_OK;
failed:
    rg_solution_destroy(&s);
    return status;
}

void rg_solution_destroy(rg_solution **solution)
{
    rg_solution *s = solution == NULL ? NULL : *solution;

    if (s == NULL) return;
    rg_context *ctx = s->ctx;
    rg_csv_close(&s->csv, false);
    rg_columns_destroy(&s->columns);
    rg_values_destroy(&s->exact);
    rg_layout_destroy(&s->layout);
    void *const arrays[] = {s->last,          s->first, s->time,        s->row,         s->step,
                            s->place,         s->drift, s->exact_place, s->exact_value, s->error,
                            s->largest_error, s->value, s->point,       s->singular,    s->force,
                            s->history,       s->events};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    rg_problem_destroy(&s->run);
    rg_problem_destroy(&s->written);
    if (s->grid != NULL) rg_free(ctx, s->grid->extrapolated);
    rg_free(ctx, s->grid);
    rg_free(ctx, s->unknown);
    rg_free_text(&s->picture);
    rg_free(ctx, s);
    *solution = NULL;
}

void rg_solution_take_problem(rg_solution *s, rg_problem **p)
{
    s->run = *p;
    *p = NULL;
}

/* One more entry of the history. */
static rg_status note_history(rg_solution *s, double t, const double *level_max)
{
    const int64_t width = s->history_levels + 1;

    RG_TRY(rg_grow(s->ctx, &s->history, s->n_history, &s->history_capacity,
                   (size_t)width * sizeof *s->history));
    double *to = s->history + s->n_history++ * width;
    to[0] = t;
    for (int k = 0; k < s->history_levels; k++)
        to[k + 1] = level_max != NULL ? level_max[k] : NAN;
    return RG_OK;
}

rg_status rg_solution_take_drift(rg_solution *s, double t, const double *level_max, bool is_step)
{
    for (int k = 0; level_max != NULL && k < s->n_levels; k++)
        if (!(level_max[k] <= s->drift[k])) s->drift[k] = level_max[k];
    return is_step && s->keep != RG_KEEP_LAST ? note_history(s, t, level_max) : RG_OK;
}

bool rg_solution_can_rewind(const rg_solution *s)
{
    return s->csv == NULL || rg_csv_can_rewind(s->csv);
}

rg_status rg_solution_rewind(rg_solution *s)
{
    s->n_rows = s->n_step = s->n_history = 0;
    s->has_header = false;
    memset(s->drift, 0, (size_t)s->n_levels * sizeof *s->drift);
    for (int64_t k = 0; k < s->n_exact; k++)
        s->largest_error[k] = 0.0;
    return s->csv != NULL ? rg_csv_rewind(s->csv) : RG_OK;
}

rg_status rg_solution_finish(rg_solution *s)
{
    s->forces = (rg_forces){0};
    return RG_OK;
}

rg_status rg_solution_publish(rg_solution *s, rg_status status)
{
    const rg_status closed = rg_csv_close(&s->csv, status >= 0);

    return status < 0 ? status : closed < 0 ? closed : status;
}

rg_status rg_solution_set_forces(rg_solution *s, const rg_forces *forces)
{
    rg_free(s->ctx, s->force);
    s->force = rg_alloc(s->ctx, (size_t)forces->n + 1, sizeof *s->force);
    if (s->force == NULL) return RG_ERR_MEMORY;
    s->forces = *forces;
    return RG_OK;
}

rg_status rg_solution_add_events(rg_solution *s, int64_t total, int64_t n,
                                 const rg_event_note *events)
{
    s->n_events_total += total;
    for (int64_t k = 0; k < n; k++) {
        RG_TRY(rg_grow(s->ctx, &s->events, s->n_events, &s->event_capacity, sizeof *s->events));
        s->events[s->n_events++] = events[k];
    }
    return RG_OK;
}

rg_status rg_solution_add_singular(rg_solution *s, int64_t n, const rg_singular *places)
{
    for (int64_t k = 0; k < n; k++) {
        RG_TRY(rg_grow(s->ctx, &s->singular, s->n_singular, &s->singular_capacity,
                       sizeof *s->singular));
        s->singular[s->n_singular++] = places[k];
    }
    return RG_OK;
}
