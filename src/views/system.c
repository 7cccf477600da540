/* Making the view: states, equations, pattern, indices. */
#include "views/system_impl.h"

/* m_j: the highest derivative written (direct), or d_j; at least 1. */
static rg_status choose_states(const rg_problem *p, const rg_analysis *a, rg_system *s)
{
    if (s->kind == RG_VIEW_STABILIZED) return rg_ggl_layout(p, a, &s->ggl, &s->layout);
    int32_t *m = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *m);

    if (m == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < p->n; j++)
        m[j] = 1;
    if (s->kind == RG_VIEW_REDUCED) {
        for (int64_t j = 0; j < p->n; j++)
            if (a->d[j] > 1) m[j] = a->d[j];
    } else {
        for (int64_t j = 0; j < p->n; j++)
            if (rg_variable_order(p, j) > 1) m[j] = rg_variable_order(p, j);
    }
    const rg_status status = rg_states_init(p->ctx, p->n, m, &s->layout);
    rg_free(p->ctx, m);
    return status;
}

/* How often equation i is differentiated; where it is a row, in the order of the model. */
static rg_status choose_rows(const rg_problem *p, const rg_analysis *a, rg_system *s)
{
    const bool is_stabilized = s->kind == RG_VIEW_STABILIZED;

    s->row_level = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *s->row_level);
    s->row_of = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *s->row_of);
    if (s->row_level == NULL || s->row_of == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < p->n; i++) {
        const int32_t c = s->kind == RG_VIEW_DIRECT ? 0 : a->c[i];
        s->row_level[i] = is_stabilized && c > 0 ? c - 1 : c;
        s->row_of[i] = is_stabilized ? -1 : (int32_t)i;
    }
    s->n_equations = is_stabilized ? s->ggl.n_equations : p->n;
    for (int64_t k = 0; k < s->ggl.n_equations; k++)
        s->row_of[s->ggl.equation[k]] = (int32_t)k;
    return RG_OK;
}

/* The equations with their branches as unknowns, where there are any. */
static const rg_problem *written_for(const rg_system *s)
{
    return rg_system_can_hold(s) ? s->switches.held : s->p;
}

static rg_assembly_spec spec_for(const rg_system *s, int levels, int32_t **row, int64_t n_rows)
{
    const bool holds = rg_system_can_hold(s);
    const rg_states *l = &s->layout;

    return (rg_assembly_spec){levels,
                              l->n_orders,
                              holds ? s->switches.n_columns : 2 * l->n_states,
                              (const int32_t *const *)row,
                              n_rows,
                              (const int32_t *const *)(holds ? s->switches.column : l->column)};
}

/* Equation i, differentiated row_level[i] times, is row row_of[i]. */
static rg_status make_equations(const rg_problem *p, rg_system *s)
{
    int levels = 1;
    int32_t **row;

    for (int64_t i = 0; i < p->n; i++)
        if (s->row_level[i] >= levels) levels = s->row_level[i] + 1;
    RG_TRY(rg_row_map_create(p->ctx, levels, p->n, &row));
    for (int64_t i = 0; i < p->n; i++)
        if (s->row_level[i] >= 0) row[s->row_level[i]][i] = s->row_of[i];
    const rg_assembly_spec spec = spec_for(s, levels, row, s->n_equations);
    const rg_status status = rg_assembly_create(written_for(s), &spec, true, &s->equations);
    rg_free(p->ctx, row);
    return status;
}

/* The equations F_i^(k), k < c_i, hold on the states alone: orders up to d_j - 1.  (Not those
 * that only name a state.) */
static rg_status make_invariants(const rg_problem *p, const rg_analysis *a, rg_system *s)
{
    int levels = 0;
    int32_t **row;

    for (int64_t i = 0; i < p->n; i++)
        if (a->c[i] > levels) levels = a->c[i];
    if (s->kind == RG_VIEW_DIRECT || levels == 0) return RG_OK;
    RG_TRY(rg_row_map_create(p->ctx, levels, p->n, &row));
    for (int k = 0; k < levels; k++)
        for (int64_t i = 0; i < p->n; i++)
            if (k < a->c[i] && s->row_of[i] >= 0) row[k][i] = (int32_t)s->n_invariants++;
    const rg_assembly_spec spec = spec_for(s, levels, row, s->n_invariants);
    const rg_status status = rg_assembly_create(written_for(s), &spec, true, &s->invariants);
    rg_free(p->ctx, row);
    return status;
}

/* The stabilized form has index 2 in its multipliers and in what no derivative of the equations
 * fixes (d_j = 0) but through a constraint (M > 0). */
static void set_stabilized_indices(const rg_analysis *a, rg_system *s)
{
    for (int64_t j = 0; j < s->layout.n; j++)
        if (a->d[j] == 0 && a->transversal->reach[j] > 0) s->variable_index[j] = 2;
    for (int64_t e = 1; e <= s->ggl.n_low; e++)
        s->variable_index[s->layout.n_states - e] = 2;
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
    if (s->kind == RG_VIEW_STABILIZED) set_stabilized_indices(a, s);
    if (s->kind != RG_VIEW_DIRECT) return RG_OK;
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

static rg_status make_matrix(const rg_problem *p, rg_system *s)
{
    const rg_pattern *z = rg_assembly_pattern(s->equations);

    if (s->kind != RG_VIEW_STABILIZED) return rg_merge_init(p->ctx, &s->layout, z, &s->merge);
    s->merge.n_entries = z->start[z->n_columns];
    return rg_ggl_join(p, &s->layout, z, &s->ggl, &s->merge.pattern);
}

static rg_status check_reducible(const rg_problem *p, const rg_analysis *a, rg_view_kind kind)
{
    if (kind == RG_VIEW_DIRECT || a->is_structural) return RG_OK;
    if (kind == RG_VIEW_REDUCED && rg_analysis_reducible(a) != NULL) return RG_OK;
    rg_fail(
        p->ctx, RG_ERR_METHOD,
        "the index %d of this model comes from combinations of equations, which cannot be reduced "
        "one by one",
        a->index);
    if (a->index <= 3)
        return rg_remedy(p->ctx, "give --formulation direct: the model is then solved as written");
    const char *names = p->study != NULL ? p->study->dependent : "";
    return rg_remedy(
        p->ctx,
        "%s%s combined such that the highest derivatives cancel: write that combination "
        "in place of one of them",
        names[0] != '\0' ? names : "some equations", " can be");
}

/* What the states must satisfy beside the equations of the view. */
static rg_status make_hidden(const rg_problem *p, rg_system *s)
{
    RG_TRY(make_invariants(p, s->analysis, s));
    return rg_drift_init(p, s->analysis, &s->layout, &s->drift);
}

rg_status rg_system_create_bare(const rg_problem *p, const rg_analysis *a, rg_view_kind kind,
                                rg_system **out)
{
    rg_system *s = NULL;
    rg_status status;

    *out = NULL;
    RG_TRY(check_reducible(p, a, kind));
    if (kind == RG_VIEW_REDUCED) a = rg_analysis_reducible(a);
    if ((s = rg_alloc(p->ctx, 1, sizeof *s)) == NULL) return RG_ERR_MEMORY;
    s->p = p;
    s->kind = kind;
    s->analysis = a;
    s->n_redundant = a->n_redundant;
    if ((status = choose_states(p, a, s)) != RG_OK) goto done;
    if ((status = choose_rows(p, a, s)) != RG_OK) goto done;
    if ((status = rg_switches_init(p, &s->layout, &s->switches)) != RG_OK) goto done;
    if ((status = make_equations(p, s)) != RG_OK) goto done;
    if ((status = make_matrix(p, s)) != RG_OK) goto done;
    status = make_indices(p, a, s);
done:
    if (status == RG_OK)
        *out = s;
    else
        rg_system_destroy(&s);
    return status;
}

rg_status rg_system_create(const rg_problem *p, const rg_analysis *a, rg_view_kind kind,
                           rg_system **out)
{
    RG_TRY(rg_system_create_bare(p, a, kind, out));
    const rg_status status = make_hidden(p, *out);
    if (status != RG_OK) rg_system_destroy(out);
    return status;
}

/* Switches and multipliers have problems and assemblies of their own: such views are made anew. */
static bool is_same(const rg_system *from, const rg_problem *p, const rg_analysis *a,
                    rg_view_kind kind)
{
    if (kind == RG_VIEW_REDUCED) a = rg_analysis_reducible(a);
    return from->kind == kind && kind != RG_VIEW_STABILIZED && from->analysis == a
           && from->p->blocks == p->blocks && p->n_blocks > 0 && p->residual == NULL
           && p->rhs == NULL && from->p->holds_nodes == p->holds_nodes && from->switches.n == 0
           && from->slide == NULL;
}

static rg_status share(const rg_system *from, const rg_problem *p, rg_system *s)
{
    *s = *from;
    s->p = p;
    s->is_shared = true;
    s->equations = s->invariants = s->drift.rows = NULL;
    RG_TRY(rg_assembly_share(from->equations, p, &s->equations));
    if (from->invariants != NULL) RG_TRY(rg_assembly_share(from->invariants, p, &s->invariants));
    if (from->drift.rows == NULL) return RG_OK;
    return rg_assembly_share(from->drift.rows, p, &s->drift.rows);
}

rg_status rg_system_create_like(const rg_system *from, const rg_problem *p, const rg_analysis *a,
                                rg_view_kind kind, rg_system **out)
{
    if (from == NULL || !is_same(from, p, a, kind)) return rg_system_create(p, a, kind, out);
    if ((*out = rg_alloc(p->ctx, 1, sizeof **out)) == NULL) return RG_ERR_MEMORY;
    const rg_status status = share(from, p, *out);
    if (status != RG_OK) rg_system_destroy(out);
    return status;
}

void rg_system_destroy(rg_system **system)
{
    rg_system *s = *system;

    if (s == NULL) return;
    rg_context *ctx = s->p->ctx;
    rg_assembly_destroy(&s->equations);
    rg_assembly_destroy(&s->invariants);
    if (s->is_shared) {
        rg_assembly_destroy(&s->drift.rows);
        rg_free(ctx, s);
        *system = NULL;
        return;
    }
    rg_drift_clear(ctx, &s->drift);
    rg_switches_clear(ctx, &s->switches);
    rg_slide_destroy(ctx, &s->slide);
    rg_merge_clear(ctx, &s->merge);
    rg_ggl_clear(ctx, &s->ggl);
    rg_states_clear(ctx, &s->layout);
    rg_free(ctx, s->variable_index);
    rg_free(ctx, s->row_level);
    rg_free(ctx, s->row_of);
    rg_free(ctx, s);
    *system = NULL;
}
