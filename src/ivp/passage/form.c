/* Makes and evaluates the stabilized formulation that the steps through singular positions use. */
#include "ivp/passage/form.h"

#include "structure/combine.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

static bool applies(const rg_problem *p, const rg_analysis *a, const rg_system *s)
{
    int most = 0;

    for (int64_t i = 0; i < p->n; i++)
        if (a->c[i] > most) most = a->c[i];
    for (int64_t j = 0; j < p->n; j++) /* every state must be known from y and y' of the run */
        for (int r = 1; r < a->d[j]; r++)
            if (rg_system_state(s, j, r - 1) < 0) return false;
    return most > 0;
}

static rg_status copy_offsets(rg_stable *v, const rg_analysis *a, const int32_t *c,
                              const int32_t *d)
{
    const size_t n = (size_t)v->p->n, bytes = n * sizeof *a->c;

    v->offsets = *a;
    v->offsets.is_structural = true;
    v->offsets.n_redundant = 0;
    v->offsets.c = rg_alloc(v->ctx, n + 1, sizeof *a->c);
    v->offsets.d = rg_alloc(v->ctx, n + 1, sizeof *a->d);
    v->a = &v->offsets;
    if (v->offsets.c == NULL || v->offsets.d == NULL) return RG_ERR_MEMORY;
    memcpy(v->offsets.c, c, bytes);
    memcpy(v->offsets.d, d, bytes);
    return RG_OK;
}

/* An index from combinations of equations: c of the combinations.  *is_found: their factors are
 * constant. */
static rg_status take_combinations(rg_stable *v, const rg_analysis *a, bool *is_found)
{
    rg_transversal *t = NULL;
    rg_status status = rg_combine_find(v->p, &v->combinations, &t);

    *is_found = v->combinations != NULL;
    if (status == RG_OK && *is_found) status = copy_offsets(v, a, t->c, t->d);
    if (status == RG_OK && *is_found) status = rg_rows_transpose(v->combinations, &v->places);
    rg_transversal_destroy(v->ctx, &t);
    return status;
}

/* Redundant constraints: the analysis then knows how often all equations are to be differentiated;
 * the offsets are those of the structure, whose system Jacobian lacks so many ranks everywhere. */
static rg_status take_offsets(rg_stable *v, const rg_analysis *a, bool *is_useful)
{
    v->a = a;
    *is_useful = true;
    if (a->is_structural) return RG_OK;
    if (a->n_redundant == 0) return take_combinations(v, a, is_useful);
    RG_TRY(copy_offsets(v, a, a->offsets->c, a->offsets->d));
    v->border.n = (int)a->n_redundant;
    return RG_OK;
}

static rg_status make(rg_stable *v, const rg_system *s, const rg_analysis *a)
{
    v->levels = 1;
    for (int64_t i = 0; i < v->p->n; i++)
        if (v->a->c[i] > v->levels) v->levels = v->a->c[i];
    if (v->combinations != NULL) {
        RG_TRY(rg_system_create_bare(v->p, a, RG_VIEW_DIRECT, &v->system));
        RG_TRY(rg_leading_create_combined(s, v->system, v->a, &v->places, &v->leading));
    } else {
        RG_TRY(rg_system_create_bare(v->p, v->a, RG_VIEW_STABILIZED, &v->system));
        RG_TRY(rg_leading_create(s, v->system, v->border.n, &v->leading));
    }
    v->plain = (int)rg_system_size(v->system);
    v->size = v->plain + v->border.n * v->levels;
    return RG_OK;
}

rg_status rg_stable_create(const rg_problem *p, const rg_analysis *a, const rg_system *s,
                           rg_stable **out)
{
    *out = NULL;
    if (p->n_blocks == 0 || p->n > RG_STABLE_MOST || a->transversal == NULL || a->index < 2)
        return RG_OK;
    rg_stable *v = rg_alloc(p->ctx, 1, sizeof *v);
    if (v == NULL) return RG_ERR_MEMORY;
    v->ctx = p->ctx;
    v->p = p;
    bool is_useful = false;
    rg_status status = take_offsets(v, a, &is_useful);
    is_useful = is_useful && status == RG_OK && applies(p, v->a, s);
    if (is_useful) status = make(v, s, a);
    if (is_useful && status == RG_OK)
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
    rg_stable_constraints *c = &v->constraints;
    rg_system_work_destroy(&v->work);
    rg_border_clear(v);
    rg_rows_destroy(&v->combinations);
    rg_rows_places_clear(ctx, &v->places);
    rg_leading_destroy(&v->leading);
    rg_system_destroy(&v->system);
    void *owned[] = {v->kinds,     v->is_differential, v->zero,  v->F,   v->Jy,
                     v->Jyp,       c->equation,        c->state, c->row, c->number,
                     v->offsets.c, v->offsets.d};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(ctx, owned[k]);
    rg_free(ctx, v);
    *form = NULL;
}

/* c_i largest; the states y_j^(d_j - c_i), each once. */
static rg_status find_constraints(rg_stable *v)
{
    const int32_t *c = v->a->c, *d = v->a->d;
    const size_t n = (size_t)v->p->n + 1, size = (size_t)v->size + 1;
    rg_stable_constraints *out = &v->constraints;

    out->equation = rg_alloc(v->ctx, n, sizeof *out->equation);
    out->row = rg_alloc(v->ctx, n, sizeof *out->row);
    out->state = rg_alloc(v->ctx, n, sizeof *out->state);
    out->number = rg_alloc(v->ctx, size, sizeof *out->number);
    if (out->equation == NULL || out->row == NULL || out->state == NULL || out->number == NULL)
        return RG_ERR_MEMORY;
    for (int64_t j = 0; j < v->p->n; j++) {
        const int64_t state =
            d[j] >= v->levels ? rg_system_state(v->system, j, d[j] - v->levels) : -1;
        if (state < 0 || out->number[state] > 0) continue;
        out->number[state] = 1;
        out->state[out->n_q++] = (int32_t)state;
    }
    for (int k = 0; k < v->size; k++)
        out->number[k] = -1;
    for (int64_t i = 0; i < v->p->n; i++) {
        const int64_t row = c[i] == v->levels ? rg_system_row(v->system, i, 0) : -1;
        if (row < 0) continue;
        out->number[row] = out->m;
        out->row[out->m] = (int32_t)row;
        out->equation[out->m++] = (int32_t)i;
    }
    return RG_OK;
}

/* dF/dw' occurs in the column */
static void find_differential(rg_stable *v)
{
    for (int j = 0; j < v->size; j++)
        for (int64_t e = v->pattern->start[j]; e < v->pattern->start[j + 1]; e++)
            if (v->kinds[e] & 2) v->is_differential[j] = 1;
}

rg_status rg_stable_open(rg_stable *v)
{
    const size_t size = (size_t)v->size + 1;

    if (v->work != NULL) return RG_OK;
    RG_TRY(rg_border_init(v));
    const size_t entries = (size_t)v->pattern->start[v->size] + 1;
    v->kinds = rg_alloc(v->ctx, entries, 1);
    v->is_differential = rg_alloc(v->ctx, size, 1);
    v->zero = rg_alloc(v->ctx, size, sizeof *v->zero);
    v->F = rg_alloc(v->ctx, size, sizeof *v->F);
    v->Jy = rg_alloc(v->ctx, entries, sizeof *v->Jy);
    v->Jyp = rg_alloc(v->ctx, entries, sizeof *v->Jyp);
    if (v->kinds == NULL || v->is_differential == NULL || v->zero == NULL || v->F == NULL
        || v->Jy == NULL || v->Jyp == NULL)
        return RG_ERR_MEMORY;
    rg_system_entry_kinds(v->system, v->kinds);
    rg_border_kinds(v, v->kinds);
    find_differential(v);
    RG_TRY(find_constraints(v));
    return rg_system_work_create(v->system, &v->work);
}

rg_status rg_stable_eval(rg_stable *v, double t, const double *w, const double *wp, double *F,
                         double *Jw, double *Jwp)
{
    const bool is_plain = v->border.n == 0;

    RG_TRY(rg_system_residual(v->system, v->work, t, w, wp, F));
    rg_border_residual(v, w, F);
    if (Jw == NULL) return RG_OK;
    if (is_plain) return rg_system_jacobian(v->system, v->work, t, w, wp, Jw, Jwp);
    RG_TRY(rg_system_jacobian(v->system, v->work, t, w, wp, v->Jy, v->Jyp));
    rg_border_spread(v, v->Jy, v->Jyp, Jw, Jwp);
    return RG_OK;
}

rg_status rg_stable_system_matrix(rg_stable *v, double t, const double *w, const double *wp,
                                  double *A)
{
    RG_TRY(rg_system_jacobian(v->system, v->work, t, w, wp != NULL ? wp : v->zero, v->Jy, v->Jyp));
    rg_leading_values(v->leading, 1, v->Jy, v->Jyp, A);
    return RG_OK;
}

/* Sum over the equations of each combination; derivatives cancel. */
static void combine_constraints(const rg_stable *v, double *g, double *G)
{
    const rg_stable_constraints *c = &v->constraints;
    const rg_pattern *p = rg_system_pattern(v->system);

    memset(g, 0, (size_t)c->m * sizeof *g);
    memset(G, 0, (size_t)c->m * (size_t)c->n_q * sizeof *G);
    for (int64_t i = 0; i < v->p->n; i++)
        for (int64_t k = v->places.start[i]; k < v->places.start[i + 1]; k++) {
            const int32_t number = c->number[v->places.combination[k]];
            if (number >= 0) g[number] += v->places.factor[k] * v->F[i];
        }
    for (int q = 0; q < c->n_q; q++)
        for (int64_t e = p->start[c->state[q]]; e < p->start[c->state[q] + 1]; e++) {
            const int32_t i = p->row[e];
            if (i >= v->p->n) continue; /* chains */
            for (int64_t k = v->places.start[i]; k < v->places.start[i + 1]; k++) {
                const int32_t number = c->number[v->places.combination[k]];
                if (number >= 0) G[q * c->m + number] += v->places.factor[k] * v->Jy[e];
            }
        }
}

rg_status rg_stable_constraints_eval(rg_stable *v, double t, const double *w, double *g, double *G)
{
    const rg_stable_constraints *c = &v->constraints;
    const rg_pattern *p = rg_system_pattern(v->system);

    RG_TRY(rg_system_residual(v->system, v->work, t, w, v->zero, v->F));
    RG_TRY(rg_system_jacobian(v->system, v->work, t, w, v->zero, v->Jy, v->Jyp));
    if (v->combinations != NULL) {
        combine_constraints(v, g, G);
        return RG_OK;
    }
    for (int k = 0; k < c->m; k++)
        g[k] = v->F[c->row[k]];
    rg_clear(G, (int64_t)c->m * c->n_q);
    for (int q = 0; q < c->n_q; q++)
        for (int64_t e = p->start[c->state[q]]; e < p->start[c->state[q] + 1]; e++)
            if (c->number[p->row[e]] >= 0) G[q * c->m + c->number[p->row[e]]] = v->Jy[e];
    return RG_OK;
}

/* States with two names, p' = u, take the value of the state u rather than the slope of p. */
void rg_stable_from_system(const rg_stable *v, const rg_system *s, const double *y,
                           const double *yp, double *w, double *wp)
{
    memset(w, 0, (size_t)v->size * sizeof *w);
    memset(wp, 0, (size_t)v->size * sizeof *wp);
    for (int pass = 0; pass < 2; pass++)
        for (int64_t j = 0; j < v->p->n; j++)
            for (int r = 0; rg_system_state(v->system, j, r) >= 0; r++) {
                const int64_t to = rg_system_state(v->system, j, r),
                              state = rg_system_state(s, j, r);
                const int64_t below = r > 0 ? rg_system_state(s, j, r - 1) : -1;
                if (pass == 0 && below >= 0) w[to] = yp[below];
                if (pass == 0 || state < 0) continue;
                w[to] = y[state];
                wp[to] = yp[state];
            }
}
