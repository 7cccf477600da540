/* Makes, restarts and destroys the Radau IIA integrator: options, memory, index of the unknowns. */
#include "ivp/radau/piece.h"

#include "base/pieces.h"

#include <math.h>
#include <string.h>

enum { FIRST_STAGES = 3 };

static void last_jacobian(const rg_integrator *g, rg_ivp_jacobian *last)
{
    const rg_radau *r = rg_radau_of(g);

    *last = (rg_ivp_jacobian){r->t_jacobian, r->Jy, r->Jyp};
}

const rg_ivp_method rg_radau_method = {.name = "radau",
                                       .degree = FIRST_STAGES,
                                       .state_size = sizeof(rg_radau),
                                       .holds_branches = true,
                                       .is_radau = true,
                                       .create = rg_radau_create,
                                       .step = rg_radau_step,
                                       .restart = rg_radau_restart,
                                       .destroy = rg_radau_destroy,
                                       .jacobian = last_jacobian,
                                       .rows = rg_radau_rows_begin,
                                       .row = rg_radau_row,
                                       .has_multipliers = true,
                                       .store = rg_radau_store,
                                       .between = rg_radau_between};

static rg_status take_memory(rg_integrator *g, rg_radau *r, const rg_pattern *p)
{
    const int64_t n = rg_padded(g->n), entries = p->start[p->n_columns];

    r->blocks = n / RG_LANES;
    return RG_TAKE(g->ctx, &r->arena, RG_PIECE(r->Y, n), RG_PIECE(r->Yp, n), RG_PIECE(r->error, n),
                   RG_PIECE(r->inverse, n), RG_PIECE(r->weight, n), RG_PIECE(r->seen, n),
                   RG_PIECE(r->end, n), RG_PIECE(r->end_update, n), RG_PIECE(r->Jy, entries),
                   RG_PIECE(r->Jyp, entries));
}

/* The index of every variable, where there is more than index 1. */
static rg_status copy_index(rg_integrator *g, rg_radau *r)
{
    const int *index = rg_system_variable_index(g->system);
    const size_t n = (size_t)g->n;

    for (size_t i = 0; i < n; i++)
        if (index[i] > r->highest) r->highest = index[i];
    if (r->highest <= 1) return RG_OK;
    r->index = rg_alloc(g->ctx, n + 1, sizeof *r->index);
    r->rate = rg_alloc(g->ctx, 4 * n + 1, sizeof *r->rate);
    if (r->index == NULL || r->rate == NULL) return RG_ERR_MEMORY;
    memcpy(r->index, index, n * sizeof *index);
    return rg_radau_find_scaling(g);
}

/* Is there an equation without derivatives?  What Newton's method leaves in it stays. */
static rg_status find_algebraic(rg_integrator *g, bool *has_one)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const size_t entries = (size_t)p->start[p->n_columns];
    uint8_t *kinds = rg_alloc(g->ctx, entries + (size_t)g->n + 1, 1);

    if (kinds == NULL) return RG_ERR_MEMORY;
    uint8_t *has_slope = kinds + entries;
    rg_system_entry_kinds(g->system, kinds);
    for (size_t e = 0; e < entries; e++)
        if (kinds[e] & 2) has_slope[p->row[e]] = 1;
    *has_one = false;
    for (int64_t i = 0; i < g->n; i++)
        if (!has_slope[i]) *has_one = true;
    rg_free(g->ctx, kinds);
    return RG_OK;
}

static rg_status check_stages(const rg_integrator *g, int stages)
{
    if (stages % 2 == 1 && stages > 0 && stages <= RADAU_MOST) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "the Radau method cannot take %d stages", stages);
    return rg_remedy(g->ctx, "give --stages 1, 3, 5 or 7, or leave it out: the order then varies");
}

rg_status rg_radau_create(rg_integrator *g)
{
    const rg_pattern *pattern = rg_system_pattern(g->system);
    const int stages = g->options.stages > 0 ? g->options.stages : FIRST_STAGES;
    rg_radau *r = rg_radau_of(g);

    RG_TRY(check_stages(g, stages));
    RG_TRY(take_memory(g, r, pattern));
    RG_TRY(rg_matrix_create(g->ctx, pattern, false, &r->real));
    r->n_pins = (int)rg_system_redundant(g->system);
    r->pins = rg_alloc(g->ctx, 2 * (size_t)r->n_pins + 1, sizeof *r->pins);
    r->pin_entries = rg_alloc(g->ctx, r->n_pins > 0 ? (size_t)pattern->start[g->n] + 1 : 1,
                              sizeof *r->pin_entries);
    if (r->pins == NULL || r->pin_entries == NULL) return RG_ERR_MEMORY;
    RG_TRY(copy_index(g, r));
    rg_radau_find_tolerances(g);
    RG_TRY(rg_radau_set_stages(g, stages));
    RG_TRY(rg_integrator_set_degree(g, stages));
    r->is_fixed = g->options.step > 0.0;
    r->is_linear = rg_system_is_linear(g->system);
    RG_TRY(find_algebraic(g, &r->has_algebraic));
    r->looks_at_end = r->has_algebraic && rg_system_switch_count(g->system) == 0;
    r->fixed_start = g->t;
    r->convergence = 1.0;
    rg_radau_forget_order(g);
    return RG_OK;
}

void rg_radau_restart(rg_integrator *g, double h)
{
    rg_radau *r = rg_radau_of(g);

    r->h_wanted = g->direction * h; /* 0: chosen at the next step */
    r->h_factored = r->h_accepted = r->error_accepted = r->h_measured = 0.0;
    r->convergence = 1.0;
    r->t_low = 0.0;
    r->has_jacobian = r->is_fresh = false;
    r->fixed_steps = 0;
    r->stuck = 0;
    memset(r->seen, 0, (size_t)g->n * sizeof *r->seen);
    rg_radau_forget_order(g);
    for (int k = 0; k < RG_ROWS_USERS; k++) /* the branches may be others */
        if (r->rows[k] != NULL) r->rows[k]->t_jacobian = NAN;
    r->fixed_start = g->t;
}

/* The order, and what is known of others. */
void rg_radau_store(rg_integrator *g, rg_store *s, double h)
{
    rg_radau *r = rg_radau_of(g);
    int stages = r->table->s;

    (void)h;
    RG_STORE(s, stages);
    RG_STORE(s, r->since);
    RG_STORE(s, r->wait);
    RG_STORE(s, r->pause);
    RG_STORE(s, r->cost);
    RG_STORE(s, r->gain);
    RG_STORE(s, r->stuck);
    if (r->n_pins > 0) rg_store_reals(s, r->pin_entries, rg_system_pattern(g->system)->start[g->n]);
    if (!s->is_reading || s->status != RG_OK) return;
    r->evaluations_before = g->stats.evaluations;
    r->factorizations_before = g->stats.factorizations;
    if (stages != r->table->s) s->status = rg_radau_set_stages(g, stages);
    if (s->status == RG_OK) s->status = rg_integrator_set_degree(g, stages);
}

void rg_radau_destroy(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);

    rg_radau_rows_destroy(g);
    rg_coupled_destroy(&r->full);
    rg_free(g->ctx, r->kinds);
    rg_matrix_destroy(&r->real);
    rg_matrix_destroy(&r->gauge);
    rg_free(g->ctx, r->gauge_memory);
    for (int k = 0; k < RADAU_PAIRS; k++)
        rg_matrix_destroy(&r->pair[k]);
    for (int k = 0; k <= RADAU_PAIRS; k++)
        rg_free(g->ctx, r->wide[k]);
    rg_free(g->ctx, r->more);
    rg_free(g->ctx, r->stages);
    rg_free(g->ctx, r->arena);
    rg_free(g->ctx, r->pins);
    rg_free(g->ctx, r->pin_entries);
    rg_free(g->ctx, r->index);
    rg_free(g->ctx, r->rate);
}
