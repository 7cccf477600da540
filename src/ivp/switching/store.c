/* The branches of a run in its checkpoints. */
#include "ivp/switching/switching.h"

bool rg_switching_is_calm(const rg_switching *s)
{
    return s == NULL
           || (!s->is_sliding && s->h_rest == 0.0 && s->events == NULL && !s->has_no_branch);
}

void rg_switching_store(rg_switching *s, rg_store *to)
{
    RG_STORE(to, s->m);
    RG_STORE(to, s->n_slide);
    rg_store_bytes(to, s->switches, (size_t)s->n * sizeof *s->switches);
    rg_store_bytes(to, s->old, (size_t)s->n * sizeof *s->old);
    rg_store_bytes(to, s->class_of, (size_t)s->n * sizeof *s->class_of);
    rg_store_bytes(to, s->sign, (size_t)s->n * sizeof *s->sign);
    rg_store_bytes(to, s->slides, (size_t)s->n * sizeof *s->slides);
    rg_store_reals(to, s->sizes, s->n);
    rg_store_reals(to, s->unit, s->g->n);
    rg_store_reals(to, s->passed, s->g->n);
    RG_STORE(to, s->step);
    rg_store_grown(to, &s->times, &s->n_times, &s->times_size, sizeof *s->times);
    RG_STORE(to, s->next_time);
    RG_STORE(to, s->count);
    RG_STORE(to, s->last);
    RG_STORE(to, s->last_switch);
    RG_STORE(to, s->faint);
    RG_STORE(to, s->chatter);
    RG_STORE(to, s->level);
    RG_STORE(to, s->peak);
    RG_STORE(to, s->is_exact);
    RG_STORE(to, s->t_stop);
    RG_STORE(to, s->t_saved);
    RG_STORE(to, s->progress.anchor);
    RG_STORE(to, s->progress.anchor_step);
    RG_STORE(to, s->progress.since);
    RG_STORE(to, s->misses);
    RG_STORE(to, s->stops);
    RG_STORE(to, s->rests);
    if (to->is_reading && to->status == RG_OK) rg_switching_hold(s);
}
