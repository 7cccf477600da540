/* Events in the checkpoints of a run. */
#include "ivp/event/tuning.h"
#include "ivp/event/watch.h"

/* Bytes between the members would be anything. */
_Static_assert(sizeof(rg_event_note) == sizeof(double) + sizeof(int64_t), "padding");

static void store_branches(const rg_watch *w, rg_branches *b, rg_store *s)
{
    const size_t m = (size_t)w->n_functions;

    rg_store_reals(s, b->mode, w->n_functions);
    rg_store_bytes(s, b->pending, m);
    rg_store_bytes(s, b->visited, m);
    rg_store_reals(s, b->seen, w->n_functions);
    rg_store_reals(s, b->truth, w->n_instances);
}

void rg_watch_store(rg_watch *w, rg_store *s)
{
    store_branches(w, &w->now, s);
    store_branches(w, &w->start, s);
    rg_store_reals(s, w->band, w->n_functions);
    rg_store_reals(s, w->origin, w->n_functions);
    rg_store_reals(s, w->noise, w->n_functions);
    rg_store_reals(s, w->largest, w->g->n);
    rg_store_grown(s, &w->known, &w->n_known, &w->known_capacity, sizeof *w->known);
    RG_STORE(s, w->t_final);
    RG_STORE(s, w->step);
    RG_STORE(s, w->is_first);
    rg_store_reals(s, w->times, RG_EVENT_ACCUMULATE + 1);
    RG_STORE(s, w->n_times);
}

void rg_event_log_store(rg_event_log *log, const rg_problem *p, rg_store *s)
{
    int stop = -1;

    for (int k = 0; log->stop != NULL && k < p->n_events; k++)
        if (log->stop == p->events[k].stop || log->stop == p->events[k].name) stop = k;
    RG_STORE(s, log->total);
    rg_store_grown(s, &log->note, &log->n_notes, &log->capacity, sizeof *log->note);
    RG_STORE(s, stop);
    if (!s->is_reading) return;
    const rg_event *e = stop >= 0 && stop < p->n_events ? &p->events[stop] : NULL;
    log->stop = e == NULL ? NULL : e->stop != NULL ? e->stop : e->name;
}
