/* What the view tells about itself: sizes, pattern, indices, names. */
#include "views/system_impl.h"

#include "problem/units.h"

#include <math.h>
#include <string.h>

rg_context *rg_system_context(const rg_system *s)
{
    return s->p->ctx;
}

int64_t rg_system_redundant(const rg_system *s)
{
    return s->n_redundant;
}

int rg_system_index(const rg_system *s)
{
    return s->analysis->index;
}

bool rg_system_is_regular(const rg_system *s)
{
    const rg_analysis *a = s->analysis;

    if (!a->is_structural || a->n_redundant > 0) return false;
    for (int64_t i = 0; i < s->p->n && s->kind != RG_VIEW_REDUCED; i++)
        if (a->c[i] > 0) return false;
    return true;
}

int64_t rg_system_size(const rg_system *s)
{
    return s->layout.n_states;
}

int64_t rg_system_unknowns(const rg_system *s)
{
    return s->layout.n;
}

const rg_pattern *rg_system_pattern(const rg_system *s)
{
    return &s->merge.pattern;
}

bool rg_system_is_linear(const rg_system *s)
{
    return s->kind != RG_VIEW_STABILIZED && s->slide == NULL && rg_assembly_is_linear(s->equations);
}

bool rg_system_has_mass(const rg_system *s)
{
    return s->kind != RG_VIEW_STABILIZED && s->slide == NULL && s->switches.n == 0
           && rg_assembly_is_linear_from(s->equations, s->layout.n_states);
}

/* The conditions of switches have no derivatives of their own; the rest may. */
static void slide_kinds(const rg_system *s, uint8_t *kinds)
{
    const rg_pattern *p = &s->merge.pattern;

    for (int64_t e = 0; e < p->start[p->n_columns]; e++)
        kinds[e] = p->row[e] < rg_slide_base_size(s) ? 3 : 1;
}

void rg_system_entry_kinds(const rg_system *s, uint8_t *kinds)
{
    if (s->slide != NULL) {
        slide_kinds(s, kinds);
        return;
    }
    const rg_pattern *z = rg_assembly_pattern(s->equations);
    const bool is_stabilized = s->kind == RG_VIEW_STABILIZED;
    const int64_t *place = is_stabilized ? s->ggl.place : s->merge.place;
    const int64_t *chain_y = is_stabilized ? s->ggl.chain_y : s->merge.chain_y;
    const int64_t *chain_yp = is_stabilized ? s->ggl.chain_yp : s->merge.chain_yp;
    const int64_t n = s->layout.n_states,
                  n_chains = is_stabilized ? s->ggl.n_chains : n - s->layout.n;
    const int64_t n_low = s->ggl.low == NULL ? 0 : rg_assembly_pattern(s->ggl.low)->start[n];

    memset(kinds, 0, (size_t)s->merge.pattern.start[n]);
    for (int64_t k = 0; k < z->start[2 * n]; k++)
        kinds[place[k]] |= k < z->start[n] ? 1 : 2;
    for (int64_t e = 0; e < n_chains; e++) {
        kinds[chain_y[e]] |= 1;
        kinds[chain_yp[e]] |= 2;
    }
    for (int64_t k = 0; k < n_low; k++) {
        kinds[s->ggl.low_row[k]] |= 1;
        if (s->ggl.low_mu[k] >= 0) kinds[s->ggl.low_mu[k]] |= 1;
    }
}

bool rg_system_units(const rg_system *s, const rg_options *o, double *unit)
{
    const rg_units *u = o->units;

    if (u == NULL || u->families != s->p->families || u->n != s->layout.n) return false;
    for (int64_t i = 0; i < s->layout.n_states; i++)
        unit[i] = o->atol / o->rtol;
    for (int64_t j = 0; j < u->n; j++)
        for (int r = 0; r <= RG_MAX_ORDER; r++) {
            const int64_t state = rg_system_state(s, j, r);
            if (state < 0) break;
            const double own = rg_units_at(u, j, r);
            if (!isnan(own)) unit[state] = own;
        }
    return true;
}

int64_t rg_system_row(const rg_system *s, int64_t equation, int level)
{
    const rg_ggl *g = &s->ggl;

    if (level == s->row_level[equation]) return s->row_of[equation];
    for (int64_t e = 0; e < g->n_low; e++)
        if (g->low_equation[e] == equation && g->low_level[e] == level)
            return g->n_equations + g->n_chains + e;
    return -1;
}

int64_t rg_system_multiplier(const rg_system *s, int64_t equation, int level)
{
    const int64_t low = level == s->row_level[equation] ? -1 : rg_system_row(s, equation, level);

    return low < 0 ? -1
                   : s->layout.n_states - s->ggl.n_low + low - s->ggl.n_equations - s->ggl.n_chains;
}

const int *rg_system_variable_index(const rg_system *s)
{
    return s->variable_index;
}

int64_t rg_system_state(const rg_system *s, int64_t unknown, int order)
{
    return rg_states_find(&s->layout, unknown, order);
}

int rg_system_state_name(const rg_system *s, int64_t state, char *buffer, int size)
{
    const rg_ggl *g = &s->ggl;
    const int64_t first_low = s->layout.n_states - g->n_low;
    char name[128];
    int order = 0;

    if (s->slide != NULL && state < rg_slide_base_size(s))
        return rg_system_state_name(rg_slide_base(s), state, buffer, size);
    if (s->slide != NULL) return snprintf(buffer, (size_t)size, "a branch");
    if (s->kind == RG_VIEW_STABILIZED && state >= first_low) {
        const int64_t e = state - first_low;
        rg_row_name(s->p, g->low_equation[e], g->low_level[e], name, sizeof name);
        return snprintf(buffer, (size_t)size, "the multiplier of %s", name);
    }
    if (s->kind == RG_VIEW_STABILIZED)
        return rg_variable_name(s->p, g->unknown[state], g->order[state], buffer, size);
    while (state >= s->layout.n) { /* down the chain to the unknown */
        state = s->layout.chain_from[state - s->layout.n];
        order++;
    }
    return rg_variable_name(s->p, state, order, buffer, size);
}

static int stabilized_row_name(const rg_system *s, int64_t row, char *buffer, int size)
{
    const rg_ggl *g = &s->ggl;
    const int64_t chain = row - g->n_equations, low = chain - g->n_chains;
    char name[128];

    if (chain < 0)
        return rg_row_name(s->p, g->equation[row], s->row_level[g->equation[row]], buffer, size);
    if (low >= 0) return rg_row_name(s->p, g->low_equation[low], g->low_level[low], buffer, size);
    rg_system_state_name(s, g->chain_state[chain], name, sizeof name);
    return snprintf(buffer, (size_t)size, "the stabilized derivative of %s", name);
}

int rg_system_row_name(const rg_system *s, int64_t row, char *buffer, int size)
{
    char name[128];

    if (s->slide != NULL && row < rg_slide_base_size(s))
        return rg_system_row_name(rg_slide_base(s), row, buffer, size);
    if (s->slide != NULL) return snprintf(buffer, (size_t)size, "the condition of a switch");
    if (s->kind == RG_VIEW_STABILIZED) return stabilized_row_name(s, row, buffer, size);
    if (row < s->layout.n) return rg_row_name(s->p, row, s->row_level[row], buffer, size);
    rg_system_state_name(s, row, name, sizeof name);
    return snprintf(buffer, (size_t)size, "the definition of %s", name);
}
