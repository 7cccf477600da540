/* Making the stabilized form. */
#include "ivp/passage/form.h"

#include <string.h>

static bool applies(const rg_problem *p, const rg_analysis *a, const rg_system *s)
{
    int most = 0;

    if (p->n_blocks == 0 || p->n > RG_STABLE_MOST || !a->is_structural || a->n_redundant > 0)
        return false;
    for (int64_t i = 0; i < p->n; i++)
        if (a->c[i] > most) most = a->c[i];
    for (int64_t j = 0; j < p->n; j++) /* every state must be known from y and y' of the run */
        for (int r = 1; r < a->d[j]; r++)
            if (rg_system_state(s, j, r - 1) < 0) return false;
    return most > 0;
}

static rg_status choose_states(rg_stable *v)
{
    int32_t *m = rg_alloc(v->ctx, (size_t)v->n + 1, sizeof *m);

    if (m == NULL) return RG_ERR_MEMORY;
    for (int j = 0; j < v->n; j++)
        m[j] = v->a->d[j] > 1 ? v->a->d[j] : 1;
    const rg_status status = rg_states_init(v->ctx, v->n, m, &v->layout);
    rg_free(v->ctx, m);
    v->n_states = (int)v->layout.n_states;
    return status;
}

/* Rows of the assembly, and the multipliers mu. */
static rg_status number_rows(rg_stable *v)
{
    const int32_t *c = v->a->c;

    v->levels = 1;
    for (int i = 0; i < v->n; i++) {
        if (c[i] > v->levels) v->levels = c[i];
        if (c[i] > 1) v->n_mu += c[i] - 1;
    }
    v->size = v->n_states + v->n_mu;
    v->row = rg_alloc(v->ctx, (size_t)v->levels, sizeof *v->row);
    v->mu_equation = rg_alloc(v->ctx, (size_t)v->n_mu + 1, sizeof *v->mu_equation);
    v->mu_level = rg_alloc(v->ctx, (size_t)v->n_mu + 1, sizeof *v->mu_level);
    if (v->row == NULL || v->mu_equation == NULL || v->mu_level == NULL) return RG_ERR_MEMORY;
    int mu = 0;
    for (int k = 0; k < v->levels; k++) {
        if ((v->row[k] = rg_alloc(v->ctx, (size_t)v->n + 1, sizeof **v->row)) == NULL)
            return RG_ERR_MEMORY;
        for (int i = 0; i < v->n; i++) {
            v->row[k][i] = k == 0 || k < c[i] ? v->n_rows++ : -1;
            if (k > c[i] - 2) continue;
            v->mu_equation[mu] = i;
            v->mu_level[mu++] = k;
        }
    }
    return RG_OK;
}

static rg_status make_rows(rg_stable *v)
{
    const rg_states *l = &v->layout;
    const rg_assembly_spec spec = {v->levels,       l->n_orders,
                                   2 * l->n_states, (const int32_t *const *)v->row,
                                   v->n_rows,       (const int32_t *const *)l->column};

    RG_TRY(rg_assembly_create(v->p, &spec, true, &v->rows));
    return rg_assembly_work_create(v->rows, &v->work);
}

/* A derivative occurs in a chain equation, or in the pattern. */
static void mark_differential(rg_stable *v)
{
    const rg_pattern *pattern = rg_assembly_pattern(v->rows);
    const rg_states *l = &v->layout;

    for (int k = 0; k < v->n_states; k++)
        v->is_differential[k] =
            pattern->start[v->n_states + k + 1] > pattern->start[v->n_states + k];
    for (int64_t k = l->n; k < l->n_states; k++)
        v->is_differential[l->chain_from[k - l->n]] = 1;
}

/* dF_i/dy_j^(d_j - c_i) = dF_i^(k)/dy_j^(d_j - c_i + k):  k = c_i - 1, or 0 where c_i = 0. */
static void find_targets(rg_stable *v)
{
    const rg_pattern *p = rg_assembly_pattern(v->rows);
    const int32_t *c = v->a->c, *d = v->a->d;

    for (int64_t e = 0; e < p->start[p->n_columns]; e++)
        v->target[e] = -1;
    for (int j = 0; j < v->n; j++)
        for (int side = 0; side < 2; side++) { /* order d_j for c_i = 0, d_j - 1 for c_i > 0 */
            if (d[j] < side) continue;
            const int64_t column = v->layout.column[d[j] - side][j];
            for (int64_t e = p->start[column]; e < p->start[column + 1]; e++)
                for (int i = 0; i < v->n; i++) {
                    const int k = c[i] > 0 ? c[i] - 1 : 0;
                    if ((c[i] > 0) == (side == 1) && v->row[k][i] == p->row[e])
                        v->target[e] = j * v->n + i;
                }
        }
}

static rg_status fill(rg_stable *v)
{
    RG_TRY(choose_states(v));
    RG_TRY(number_rows(v));
    RG_TRY(make_rows(v));
    const rg_pattern *pattern = rg_assembly_pattern(v->rows);
    v->is_differential = rg_alloc(v->ctx, (size_t)v->size + 1, 1);
    v->z = rg_alloc(v->ctx, 2 * (size_t)v->n_states + 1, sizeof *v->z);
    v->values = rg_alloc(v->ctx, (size_t)pattern->start[pattern->n_columns] + 1, sizeof *v->values);
    if (v->is_differential == NULL || v->z == NULL || v->values == NULL) return RG_ERR_MEMORY;
    v->target = rg_alloc(v->ctx, (size_t)pattern->start[pattern->n_columns] + 1, sizeof *v->target);
    v->F = rg_alloc(v->ctx, (size_t)v->n_rows + 1, sizeof *v->F);
    if (v->target == NULL || v->F == NULL) return RG_ERR_MEMORY;
    mark_differential(v);
    find_targets(v);
    return RG_OK;
}

rg_status rg_stable_create(const rg_problem *p, const rg_analysis *a, const rg_system *s,
                           rg_stable **out)
{
    *out = NULL;
    if (!applies(p, a, s)) return RG_OK;
    rg_stable *v = rg_alloc(p->ctx, 1, sizeof *v);
    if (v == NULL) return RG_ERR_MEMORY;
    v->ctx = p->ctx;
    v->p = p;
    v->a = a;
    v->n = (int)p->n;
    const rg_status status = fill(v);
    if (status == RG_OK)
        *out = v;
    else
        rg_stable_destroy(&v);
    return status;
}

void rg_stable_destroy(rg_stable **form)
{
    rg_stable *v = *form;

    if (v == NULL) return;
    rg_context *ctx = v->ctx;
    rg_assembly_work_destroy(&v->work);
    rg_assembly_destroy(&v->rows);
    rg_states_clear(ctx, &v->layout);
    for (int k = 0; v->row != NULL && k < v->levels; k++)
        rg_free(ctx, v->row[k]);
    void *owned[] = {v->row, v->mu_equation, v->mu_level, v->is_differential,
                     v->z,   v->values,      v->target,   v->F};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(ctx, owned[k]);
    rg_free(ctx, v);
    *form = NULL;
}

void rg_stable_from_system(const rg_stable *v, const rg_system *s, const double *y,
                           const double *yp, double *w)
{
    memset(w, 0, (size_t)v->size * sizeof *w);
    for (int j = 0; j < v->n; j++)
        for (int r = 0; r < v->layout.m[j]; r++) {
            const int64_t state = rg_system_state(s, j, r);
            const int64_t below = r > 0 ? rg_system_state(s, j, r - 1) : -1;
            w[v->layout.column[r][j]] = state >= 0 ? y[state] : below >= 0 ? yp[below] : 0.0;
        }
}
