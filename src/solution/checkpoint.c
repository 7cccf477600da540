/* The points of a solution in a checkpoint. */
#include "solution/solution.h"

/* What grows by more than one row at a time has its size in two places. */
static void store_steps(rg_solution *s, rg_store *to)
{
    int64_t count = s->n_rows > 0 && s->keep == RG_KEEP_STEPS ? s->n_rows + 1 : 0;

    rg_store_grown(to, &s->step, &s->n_step, &s->step_capacity, sizeof *s->step);
    rg_store_grown(to, &s->place, &count, &s->place_capacity, sizeof *s->place);
}

/* Times and rows share one capacity. */
static void store_rows(rg_solution *s, rg_store *to)
{
    int64_t n = s->n_rows, capacity = s->capacity, room = s->capacity;

    rg_store_grown(to, &s->time, &n, &capacity, sizeof *s->time);
    s->n_rows = n;
    if (s->keep == RG_KEEP_ROWS)
        rg_store_grown(to, &s->row, &n, &room, 2 * (size_t)s->n * sizeof *s->row);
    if (to->is_reading) s->capacity = capacity;
}

void rg_solution_store(rg_solution *s, rg_store *to)
{
    RG_STORE(to, s->t_last);
    rg_store_reals(to, s->last, 2 * s->n);
    RG_STORE(to, s->between);
    rg_store_reals(to, s->first, 2 * s->n);
    store_rows(s, to);
    store_steps(s, to);
    rg_store_reals(to, s->drift, s->n_levels);
    rg_store_grown(to, &s->history, &s->n_history, &s->history_capacity,
                   (size_t)(s->history_levels + 1) * sizeof *s->history);
    rg_store_reals(to, s->largest_error, s->n_exact);
    RG_STORE(to, s->has_header);
    RG_STORE(to, s->message);
}

rg_status rg_solution_open_csv(rg_solution *s, const char *path, int64_t size, uint64_t hash)
{
    return rg_csv_resume(s->ctx, path, size, hash, &s->csv);
}
