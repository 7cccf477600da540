/* Making the view: states, equations, pattern, indices. */
#include "views/system_impl.h"

#include <string.h>

/* m_j: the highest derivative written (direct), or d_j (reduced); at least 1. */
static rg_status choose_states(const rg_problem *p, const rg_analysis *a, rg_system *s)
{
    int32_t *m = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *m);

    if (m == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < p->n; j++)
        m[j] = 1;
    if (s->kind == RG_VIEW_REDUCED) {
        for (int64_t j = 0; j < p->n; j++)
            if (a->d[j] > 1) m[j] = a->d[j];
    } else {
        for (int k = 0; k < p->n_families; k++) {
            const rg_family *f = &p->families[k];
            for (int64_t j = f->first; j < f->first + f->count; j++)
                if (f->order > 1) m[j] = f->order;
        }
    }
    const rg_status status = rg_states_init(p->ctx, p->n, m, &s->layout);
    rg_free(p->ctx, m);
    return status;
}

/* Row i of the view: equation i, differentiated row_level[i] times. */
static rg_status make_equations(const rg_problem *p, rg_system *s)
{
    const rg_states *l = &s->layout;
    int levels = 1;
    rg_status status = RG_OK;

    for (int64_t i = 0; i < p->n; i++)
        if (s->row_level[i] >= levels) levels = s->row_level[i] + 1;
    int32_t **row = rg_alloc(p->ctx, (size_t)levels, sizeof *row);
    if (row == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < levels && status == RG_OK; k++) {
        if ((row[k] = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof **row)) == NULL)
            status = RG_ERR_MEMORY;
        for (int64_t i = 0; i < p->n && status == RG_OK; i++)
            row[k][i] = s->row_level[i] == k ? (int32_t)i : -1;
    }
    if (status == RG_OK) {
        const rg_assembly_spec spec = {levels,
                                       l->n_orders,
                                       2 * l->n_states,
                                       (const int32_t *const *)row,
                                       p->n,
                                       (const int32_t *const *)l->column};
        status = rg_assembly_create(p, &spec, true, &s->equations);
    }
    for (int k = 0; k < levels; k++)
        rg_free(p->ctx, row[k]);
    rg_free(p->ctx, row);
    return status;
}

/* The equations F_i^(k), k < c_i, hold on the states alone: orders up to d_j - 1. */
static rg_status make_invariants(const rg_problem *p, const rg_analysis *a, rg_system *s)
{
    const rg_states *l = &s->layout;
    int levels = 0;
    rg_status status = RG_OK;

    for (int64_t i = 0; i < p->n; i++)
        if (a->c[i] > levels) levels = a->c[i];
    if (s->kind == RG_VIEW_DIRECT || levels == 0) return RG_OK;
    int32_t **row = rg_alloc(p->ctx, (size_t)levels, sizeof *row);
    if (row == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < levels && status == RG_OK; k++) {
        if ((row[k] = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof **row)) == NULL)
            status = RG_ERR_MEMORY;
        for (int64_t i = 0; i < p->n && status == RG_OK; i++)
            row[k][i] = k < a->c[i] ? (int32_t)s->n_invariants++ : -1;
    }
    if (status == RG_OK) {
        const rg_assembly_spec spec = {levels,          l->n_orders,
                                       2 * l->n_states, (const int32_t *const *)row,
                                       s->n_invariants, (const int32_t *const *)l->column};
        status = rg_assembly_create(p, &spec, true, &s->invariants);
    }
    for (int k = 0; k < levels; k++)
        rg_free(p->ctx, row[k]);
    rg_free(p->ctx, row);
    return status;
}

/* A perturbation of the equations reaches derivative r of unknown j with h^-(M - d_j + r). */
static rg_status make_indices(const rg_problem *p, const rg_analysis *a, rg_system *s)
{
    const rg_states *l = &s->layout;
    enum { HIGHEST = 3 };

    s->variable_index = rg_alloc(p->ctx, (size_t)l->n_states + 1, sizeof *s->variable_index);
    if (s->variable_index == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < l->n_states; k++)
        s->variable_index[k] = 1;
    if (s->kind == RG_VIEW_REDUCED) return RG_OK;
    for (int64_t j = 0; j < l->n; j++)
        for (int r = 0; r < l->m[j]; r++) {
            int index = a->variable_index[j] > 1 ? a->variable_index[j] + r : 1;
            if (index == 1 && a->is_structural && a->transversal != NULL) {
                const int lag = a->transversal->reach[j] - a->transversal->d[j] + r;
                index = 1 + (lag > 0 ? lag : 0);
            }
            if (p->given_index != NULL) index = p->given_index[j];
            s->variable_index[l->column[r][j]] = index < HIGHEST ? index : HIGHEST;
        }
    return RG_OK;
}

static rg_status check_reducible(const rg_problem *p, const rg_analysis *a, rg_view_kind kind)
{
    if (kind == RG_VIEW_DIRECT || a->is_structural) return RG_OK;
    rg_fail(
        p->ctx, RG_ERR_METHOD,
        "the index %d of this model comes from combinations of equations, which cannot be reduced "
        "one by one",
        a->index);
    return rg_remedy(p->ctx, "replace one of the dependent equations by the combination itself");
}

rg_status rg_system_create(const rg_problem *p, const rg_analysis *a, rg_view_kind kind,
                           rg_system **out)
{
    rg_system *s = NULL;
    rg_status status;

    *out = NULL;
    RG_TRY(check_reducible(p, a, kind));
    if ((s = rg_alloc(p->ctx, 1, sizeof *s)) == NULL) return RG_ERR_MEMORY;
    s->p = p;
    s->kind = kind;
    s->analysis = a;
    s->n_redundant = a->n_redundant;
    status = RG_ERR_MEMORY;
    if ((s->row_level = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *s->row_level)) == NULL)
        goto done;
    for (int64_t i = 0; i < p->n; i++)
        s->row_level[i] = kind == RG_VIEW_REDUCED ? a->c[i] : 0;
    if ((status = choose_states(p, a, s)) != RG_OK) goto done;
    if ((status = make_equations(p, s)) != RG_OK) goto done;
    if ((status = rg_merge_init(p->ctx, &s->layout, rg_assembly_pattern(s->equations), &s->merge))
        != RG_OK)
        goto done;
    if ((status = make_indices(p, a, s)) != RG_OK) goto done;
    if ((status = make_invariants(p, a, s)) != RG_OK) goto done;
    if ((status = rg_switches_init(p, &s->layout, &s->switches)) != RG_OK) goto done;
    status = rg_drift_init(p, a, &s->layout, &s->drift);
done:
    if (status == RG_OK)
        *out = s;
    else
        rg_system_destroy(&s);
    return status;
}

void rg_system_destroy(rg_system **system)
{
    rg_system *s = *system;

    if (s == NULL) return;
    rg_context *ctx = s->p->ctx;
    rg_assembly_destroy(&s->equations);
    rg_assembly_destroy(&s->invariants);
    rg_drift_clear(ctx, &s->drift);
    rg_switches_clear(ctx, &s->switches);
    rg_merge_clear(ctx, &s->merge);
    rg_states_clear(ctx, &s->layout);
    rg_free(ctx, s->variable_index);
    rg_free(ctx, s->row_level);
    rg_free(ctx, s);
    *system = NULL;
}

rg_context *rg_system_context(const rg_system *s)
{
    return s->p->ctx;
}

int64_t rg_system_redundant(const rg_system *s)
{
    return s->n_redundant;
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
    int order = 0;

    while (state >= s->layout.n) { /* down the chain to the unknown */
        state = s->layout.chain_from[state - s->layout.n];
        order++;
    }
    return rg_variable_name(s->p, state, order, buffer, size);
}

int rg_system_row_name(const rg_system *s, int64_t row, char *buffer, int size)
{
    char name[128];

    if (row < s->layout.n) return rg_row_name(s->p, row, s->row_level[row], buffer, size);
    rg_system_state_name(s, row, name, sizeof name);
    return snprintf(buffer, (size_t)size, "the definition of %s", name);
}
