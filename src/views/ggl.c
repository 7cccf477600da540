/* Layout of the stabilized form, and its residual and Jacobian. */
#include "views/ggl.h"

#include <string.h>

static rg_status count_rows(const rg_problem *p, const rg_analysis *a, const rg_aliases *s,
                            rg_ggl *g)
{
    for (int64_t i = 0; i < p->n; i++)
        if (!s->is_alias[i] && a->c[i] > 1) g->n_low += a->c[i] - 1;
    g->n_equations = p->n - s->n_equations;
    g->equation = rg_alloc(p->ctx, (size_t)g->n_equations + 1, sizeof *g->equation);
    g->low_equation = rg_alloc(p->ctx, (size_t)g->n_low + 1, sizeof *g->low_equation);
    g->low_level = rg_alloc(p->ctx, (size_t)g->n_low + 1, sizeof *g->low_level);
    if (g->equation == NULL || g->low_equation == NULL || g->low_level == NULL)
        return RG_ERR_MEMORY;
    int64_t row = 0, low = 0;
    for (int64_t i = 0; i < p->n; i++) {
        if (s->is_alias[i]) continue;
        g->equation[row++] = (int32_t)i;
        for (int32_t k = 0; k + 1 < a->c[i]; k++) {
            g->low_equation[low] = (int32_t)i;
            g->low_level[low++] = k;
        }
    }
    return RG_OK;
}

static rg_status take_memory(rg_context *ctx, const rg_analysis *a, rg_states *l)
{
    const size_t room = (size_t)l->n + 1;

    l->n_orders = 2;
    if ((l->m = rg_alloc(ctx, room, sizeof *l->m)) == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < l->n; j++) {
        l->m[j] = a->d[j] > 1 ? a->d[j] : 1;
        if (l->m[j] + 1 > l->n_orders) l->n_orders = l->m[j] + 1;
    }
    l->column = rg_alloc(ctx, (size_t)l->n_orders, sizeof *l->column);
    for (int r = 0; l->column != NULL && r < l->n_orders; r++)
        if ((l->column[r] = rg_alloc(ctx, room, sizeof **l->column)) == NULL) return RG_ERR_MEMORY;
    return l->column != NULL ? RG_OK : RG_ERR_MEMORY;
}

/* Numbers order by order what is no other name of something; then the multipliers. */
static void number_states(const rg_aliases *s, int64_t n_low, rg_states *l)
{
    int64_t next = 0;

    for (int pass = 0; pass < 2; pass++)
        for (int r = 0; r < l->n_orders; r++)
            for (int64_t j = 0; j < l->n; j++) {
                int64_t unknown = j;
                int order = r;
                if (pass == 0) l->column[r][j] = -1;
                if (r >= l->m[j]) continue;
                rg_aliases_resolve(s, &unknown, &order);
                const bool is_itself = unknown == j && order == r;
                if (pass == 0 && is_itself) l->column[r][j] = (int32_t)next++;
                if (pass == 1 && !is_itself) l->column[r][j] = l->column[order][unknown];
            }
    l->n_states = next + n_low;
    for (int64_t j = 0; j < l->n; j++)
        l->column[l->m[j]][j] = (int32_t)(l->n_states + l->column[l->m[j] - 1][j]);
}

/* (j,r)' = (j,r+1), once per state. */
static rg_status make_chains(rg_context *ctx, const rg_aliases *s, const rg_states *l, rg_ggl *g)
{
    const size_t room = (size_t)l->n_states + 1;

    g->chain_state = rg_alloc(ctx, room, sizeof *g->chain_state);
    g->chain_next = rg_alloc(ctx, room, sizeof *g->chain_next);
    g->chain_of = rg_alloc(ctx, room, sizeof *g->chain_of);
    g->unknown = rg_alloc(ctx, room, sizeof *g->unknown);
    g->order = rg_alloc(ctx, room, sizeof *g->order);
    if (g->chain_state == NULL || g->chain_next == NULL || g->chain_of == NULL || g->unknown == NULL
        || g->order == NULL)
        return RG_ERR_MEMORY;
    for (int64_t k = 0; k < l->n_states; k++)
        g->chain_of[k] = -1;
    for (int64_t j = 0; j < l->n; j++)
        for (int r = 0; r < l->m[j]; r++) {
            const int32_t state = l->column[r][j];
            int64_t unknown = j;
            int order = r;
            rg_aliases_resolve(s, &unknown, &order);
            g->unknown[state] = (int32_t)unknown;
            g->order[state] = order;
            if (r + 1 == l->m[j] || g->chain_of[state] >= 0) continue;
            g->chain_of[state] = (int32_t)g->n_chains;
            g->chain_state[g->n_chains] = state;
            g->chain_next[g->n_chains++] = l->column[r + 1][j];
        }
    return RG_OK;
}

rg_status rg_ggl_layout(const rg_problem *p, const rg_analysis *a, rg_ggl *g, rg_states *l)
{
    rg_aliases s;

    memset(l, 0, sizeof *l);
    l->n = p->n;
    rg_status status = rg_aliases_init(p, a, &s);
    if (status == RG_OK) status = count_rows(p, a, &s, g);
    if (status == RG_OK) status = take_memory(p->ctx, a, l);
    if (status == RG_OK) {
        number_states(&s, g->n_low, l);
        status = make_chains(p->ctx, &s, l, g);
    }
    rg_aliases_clear(p->ctx, &s);
    return status;
}

void rg_ggl_clear(rg_context *ctx, rg_ggl *g)
{
    void *const owned[] = {g->equation,     g->chain_state, g->chain_next, g->chain_of,
                           g->low_equation, g->low_level,   g->unknown,    g->order,
                           g->place,        g->chain_y,     g->chain_yp,   g->low_row,
                           g->low_mu};

    rg_assembly_destroy(&g->low);
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(ctx, owned[k]);
    memset(g, 0, sizeof *g);
}

rg_status rg_ggl_work_init(rg_context *ctx, const rg_ggl *g, rg_ggl_work *w)
{
    if (g->low == NULL) return RG_OK;
    w->G = rg_alloc(ctx, (size_t)g->n_low + 1, sizeof *w->G);
    if (w->G == NULL) return RG_ERR_MEMORY;
    RG_TRY(rg_assembly_work_create(g->low, &w->low));
    return rg_assembly_work_keep(g->low, w->low);
}

void rg_ggl_work_clear(rg_context *ctx, rg_ggl_work *w)
{
    rg_assembly_work_destroy(&w->low);
    rg_free(ctx, w->G);
    memset(w, 0, sizeof *w);
}

/* F_chain = (j,r)' - (j,r+1) + (A^T mu)_(j,r),  F_low = G. */
rg_status rg_ggl_residual(const rg_ggl *g, const rg_states *l, rg_ggl_work *w, double t,
                          const double *z, double *F)
{
    const double *yp = z + l->n_states, *mu = z + l->n_states - g->n_low, *A;
    double *chain = F + g->n_equations;

    for (int64_t e = 0; e < g->n_chains; e++)
        chain[e] = yp[g->chain_state[e]] - z[g->chain_next[e]];
    if (g->low == NULL) return RG_OK;
    RG_TRY(rg_assembly_jacobian_kept(g->low, w->low, t, z, w->G, &A));
    memcpy(chain + g->n_chains, w->G, (size_t)g->n_low * sizeof *F);
    const rg_pattern *p = rg_assembly_pattern(g->low);
    for (int64_t j = 0; j < l->n_states; j++) {
        const int32_t e = g->chain_of[j];
        for (int64_t k = p->start[j]; e >= 0 && k < p->start[j + 1]; k++)
            chain[e] += A[k] * mu[p->row[k]];
    }
    return RG_OK;
}

/* The second derivatives mu d2F/d(j,r)d(l,s) of the chains are left out: mu is 0 on the solution,
 * and of the size of the local error beside it, so the matrix of the simplified Newton iteration
 * misses less than its age costs. */
rg_status rg_ggl_jacobian(const rg_ggl *g, const rg_states *l, rg_ggl_work *w, double t,
                          const double *z, const rg_pattern *equations, const double *J, double *Jy,
                          double *Jyp)
{
    const int64_t n_left = equations->start[l->n_states], n_all = equations->start[2 * l->n_states];
    const double *A;

    for (int64_t k = 0; k < n_left; k++)
        Jy[g->place[k]] = J[k];
    for (int64_t k = n_left; k < n_all; k++)
        Jyp[g->place[k]] = J[k];
    for (int64_t e = 0; e < g->n_chains; e++) {
        Jy[g->chain_y[e]] = -1.0;
        Jyp[g->chain_yp[e]] = 1.0;
    }
    if (g->low == NULL) return RG_OK;
    RG_TRY(rg_assembly_jacobian_kept(g->low, w->low, t, z, NULL, &A));
    const int64_t n_low = rg_assembly_pattern(g->low)->start[l->n_states];
    for (int64_t k = 0; k < n_low; k++) {
        Jy[g->low_row[k]] = A[k];
        if (g->low_mu[k] >= 0) Jy[g->low_mu[k]] = A[k];
    }
    return RG_OK;
}
