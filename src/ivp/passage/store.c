/* The rank monitor in the checkpoints of a run. */
#include "ivp/passage/passage.h"

bool rg_passage_is_calm(const rg_integrator *g)
{
    const rg_passage *k = rg_passage_of(g);

    return k->state == PASSAGE_AWAY || k->state == PASSAGE_OFF
           || (k->state == PASSAGE_STAYING && k->stages != NULL);
}

void rg_passage_store_method(rg_integrator *g, rg_store *s)
{
    rg_passage *k = rg_passage_of(g);
    bool is_own = g->method->passes;

    RG_STORE(s, is_own);
    if (!s->is_reading || s->status != RG_OK || !is_own) return;
    k->main_degree = g->degree;
    g->method = &rg_passage_method;
    s->status = rg_integrator_set_degree(g, rg_passage_method.degree);
}

static void store_rank(rg_passage_rank *r, rg_store *s)
{
    rg_store_reals(s, r->largest, r->entries);
    rg_store_reals(s, r->at_scales, r->entries);
    rg_store_reals(s, r->inverse, r->entries);
    rg_store_reals(s, r->row_largest, r->n_all);
    rg_store_reals(s, r->row_scale, r->n_all);
    rg_store_reals(s, r->column_scale, r->n_all);
    rg_store_reals(s, r->squares, 2 * r->n_all);
    rg_store_reals(s, r->means, 2 * r->n_all);
    RG_STORE(s, r->has_scales);
    RG_STORE(s, r->is_rescaled);
}

static void store_values(rg_passage *k, rg_store *s)
{
    RG_STORE(s, k->is_unexamined);
    RG_STORE(s, k->state);
    RG_STORE(s, k->t_off);
    RG_STORE(s, k->in_vain);
    RG_STORE(s, k->main_degree);
    RG_STORE(s, k->s_ref);
    RG_STORE(s, k->s_max);
    RG_STORE(s, k->s_now);
    RG_STORE(s, k->t_now);
    RG_STORE(s, k->v_max);
    RG_STORE(s, k->q_max);
    RG_STORE(s, k->w_start);
    RG_STORE(s, k->since);
    RG_STORE(s, k->pace);
    RG_STORE(s, k->has_repeated);
    RG_STORE(s, k->margin);
    RG_STORE(s, k->t_margin);
    RG_STORE(s, k->was_falling);
    RG_STORE(s, k->h);
    RG_STORE(s, k->n_accepted);
    RG_STORE(s, k->accepted);
    RG_STORE(s, k->has_branches);
    RG_STORE(s, k->is_told);
    RG_STORE(s, k->is_of_branches);
    rg_store_grown(s, &k->passed, &k->n_passed, &k->passed_capacity, sizeof *k->passed);
}

/* The stages of a run that stays here begin where it stands, with their redundant constraints. */
static rg_status begin_again(rg_integrator *g, rg_passage_state state, double h)
{
    rg_passage *k = rg_passage_of(g);
    double signal;

    if (k->form->border.n > 0) RG_TRY(rg_passage_look(g, g->t, &signal));
    return state == PASSAGE_STAYING ? rg_passage_begin(g, h) : RG_OK;
}

void rg_passage_store(rg_integrator *g, rg_store *s, double h)
{
    rg_passage *k = rg_passage_of(g);
    const int64_t jacobians = g->stats.jacobians;
    rg_passage_state state = k->state;
    RG_STORE(s, state);
    RG_STORE(s, k->form->border.regular_sigma);
    store_rank(k->rank, s); /* first: L and R begin with the largest entries of its rows */
    if (s->is_reading && s->status == RG_OK) s->status = begin_again(g, state, h);
    store_values(k, s);
    rg_store_reals(s, k->branches, rg_system_switch_count(g->system));
    if (!s->is_reading) return;
    k->has_sample = false;
    k->apart = k->rate = k->growth = 0.0;
    k->jacobians = jacobians; /* the method has none */
}
