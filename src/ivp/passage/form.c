#include "ivp/passage/form.h"

#include "linalg/matrix.h"
#include "structure/surplus.h"

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

/* min_j (d_j - sigma_ij) */
static int32_t most_offset(const rg_signature *s, const int32_t *d, int64_t i)
{
    int32_t most = INT32_MAX;

    for (int64_t e = s->start[i]; e < s->start[i + 1]; e++)
        if (d[s->column[e]] - s->order[e] < most) most = d[s->column[e]] - s->order[e];
    return most;
}

/* Redundant constraints: the analysis then knows how often all equations are to be differentiated; the offsets are those of the
 * structure, whose system Jacobian lacks so many ranks everywhere. */
static rg_status take_offsets(rg_stable *v, const rg_analysis *a)
{
    const size_t n = (size_t)v->p->n, bytes = n * sizeof *a->c;

    v->a = a;
    if (a->n_redundant == 0) return RG_OK;
    v->offsets = *a;
    v->offsets.is_structural = true;
    v->offsets.n_redundant = 0;
    v->offsets.c = rg_alloc(v->ctx, n + 1, sizeof *a->c);
    v->offsets.d = rg_alloc(v->ctx, n + 1, sizeof *a->d);
    v->a = &v->offsets;
    if (v->offsets.c == NULL || v->offsets.d == NULL) return RG_ERR_MEMORY;
    memcpy(v->offsets.c, a->transversal->c, bytes);
    memcpy(v->offsets.d, a->transversal->d, bytes);
    for (int64_t i = 0; i < v->p->n; i++) /* more constraints than states: as often as the others */
        if (rg_surplus_is(&a->signature, a->transversal, i))
            v->offsets.c[i] = most_offset(&a->signature, a->transversal->d, i);
    v->border.n = (int)a->n_redundant;
    return RG_OK;
}

static rg_status make(rg_stable *v, const rg_system *s)
{
    v->levels = 1;
    for (int64_t i = 0; i < v->p->n; i++)
        if (v->a->c[i] > v->levels) v->levels = v->a->c[i];
    RG_TRY(rg_system_create(v->p, v->a, RG_VIEW_STABILIZED, &v->system));
    RG_TRY(rg_leading_create(s, v->system, v->border.n, &v->leading));
    v->plain = (int)rg_system_size(v->system);
    v->size = v->plain + v->border.n * v->levels;
    return RG_OK;
}

rg_status rg_stable_create(const rg_problem *p, const rg_analysis *a, const rg_system *s,
                           rg_stable **out)
{
    *out = NULL;
    if (p->n_blocks == 0 || p->n > RG_STABLE_MOST || a->transversal == NULL
        || (!a->is_structural && a->n_redundant == 0))
        return RG_OK;
    rg_stable *v = rg_alloc(p->ctx, 1, sizeof *v);
    if (v == NULL) return RG_ERR_MEMORY;
    v->ctx = p->ctx;
    v->p = p;
    rg_status status = take_offsets(v, a);
    const bool is_useful = status == RG_OK && applies(p, v->a, s);
    if (is_useful) status = make(v, s);
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

rg_status rg_stable_constraints_eval(rg_stable *v, double t, const double *w, double *g, double *G)
{
    const rg_stable_constraints *c = &v->constraints;
    const rg_pattern *p = rg_system_pattern(v->system);

    RG_TRY(rg_system_residual(v->system, v->work, t, w, v->zero, v->F));
    RG_TRY(rg_system_jacobian(v->system, v->work, t, w, v->zero, v->Jy, v->Jyp));
    for (int k = 0; k < c->m; k++)
        g[k] = v->F[c->row[k]];
    memset(G, 0, (size_t)c->m * (size_t)c->n_q * sizeof *G);
    for (int q = 0; q < c->n_q; q++)
        for (int64_t e = p->start[c->state[q]]; e < p->start[c->state[q] + 1]; e++)
            if (c->number[p->row[e]] >= 0) G[q * c->m + c->number[p->row[e]]] = v->Jy[e];
    return RG_OK;
}

/* Level by level from the lowest:  A delta = -(F_i^(c_i - l)) in the rows with c_i >= l, 0 in the others;  y_j^(d_j - l) += delta_j.
 * With A = (M, G^T; G, 0) this moves positions and velocities along M^-1 G^T: what was wrong is taken away, and the motion along the
 * constraints stays.  delta of unknowns with d_j < l are impulses, which nobody needs.  work: A, then delta, then the old w. */
static rg_status correct(rg_stable *v, double t, double *w, int l, rg_matrix *matrix, double *work,
                         double *size)
{
    const rg_leading *a = v->leading;
    const int32_t *c = v->a->c, *d = v->a->d;
    double *A = work, *b = A + a->pattern.start[a->pattern.n_columns],
           *old = b + a->pattern.n_columns;

    RG_TRY(rg_stable_system_matrix(v, t, w, NULL, A));
    RG_TRY(rg_matrix_factor(matrix, 0.0, 0.0, A, NULL));
    RG_TRY(rg_system_residual(v->system, v->work, t, w, v->zero, v->F));
    memset(b, 0, (size_t)a->pattern.n_rows * sizeof *b);
    for (int e = 0; e < a->n_plain; e++) {
        const int32_t i = a->equation[e];
        const int64_t row = c[i] >= l ? rg_system_row(v->system, i, c[i] - l) : -1;
        if (row >= 0) b[e] = -v->F[row];
    }
    rg_matrix_solve(matrix, b, NULL);
    memcpy(old, w, (size_t)v->size * sizeof *w);
    for (int64_t j = 0; j < v->p->n; j++) {
        if (d[j] < l || a->column_of[j] < 0) continue;
        const int64_t at = rg_system_state(v->system, j, d[j] - l);
        const double delta = b[a->column_of[j]];
        w[at] = old[at] + delta; /* states with several names: once */
        *size = fmax(*size, fabs(delta) / (1.0 + fabs(w[at])));
    }
    return RG_OK;
}

rg_status rg_stable_project(rg_stable *v, double t, double *w)
{
    const rg_pattern *p = &v->leading->pattern;
    const size_t room = (size_t)(p->start[p->n_columns] + p->n_columns + v->size) + 1;
    rg_matrix *matrix = NULL;
    double size = 1.0, *work = rg_alloc(v->ctx, room, sizeof *work);
    rg_status status = work == NULL ? RG_ERR_MEMORY : rg_matrix_create(v->ctx, p, false, &matrix);

    for (int k = 0; k < 10 && size > 1e-13 && status == RG_OK; k++) {
        size = 0.0;
        for (int l = v->levels; l >= 1 && status == RG_OK; l--)
            status = correct(v, t, w, l, matrix, work, &size);
    }
    rg_matrix_destroy(&matrix);
    rg_free(v->ctx, work);
    if (status != RG_OK) return status;
    return size < 1e-6 ? RG_OK : (rg_status)RG_RETRY;
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
