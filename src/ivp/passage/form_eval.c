/* Evaluating the stabilized form. */
#include "ivp/passage/form.h"

#include "linalg/lu.h"

#include <math.h>
#include <string.h>

static rg_status evaluate(rg_stable *v, double t, const double *w, const double *wp, double *F)
{
    const size_t bytes = (size_t)v->n_states * sizeof *w;

    memcpy(v->z, w, bytes);
    if (wp != NULL)
        memcpy(v->z + v->n_states, wp, bytes);
    else
        memset(v->z + v->n_states, 0, bytes);
    return rg_assembly_jacobian(v->rows, v->work, t, v->z, F, v->values);
}

/* Entry (row, column) of the assembly's Jacobian in the last evaluation. */
static double entry(const rg_stable *v, int64_t row, int64_t column)
{
    const rg_pattern *p = rg_assembly_pattern(v->rows);

    for (int64_t e = p->start[column]; e < p->start[column + 1]; e++)
        if (p->row[e] == row) return v->values[e];
    return 0.0;
}

/* Visits the terms  dF_i^(k)/dy_j^(r) mu_ik  of the chain equations: residuals, and their derivatives by mu. */
static void add_multipliers(const rg_stable *v, const double *w, double *F, double *Jw)
{
    const rg_states *l = &v->layout;

    for (int e = 0; e < v->n_mu; e++) {
        const int i = v->mu_equation[e], k = v->mu_level[e];
        for (int j = 0; j < v->n; j++) {
            const int r = k + v->a->d[j] - v->a->c[i];
            if (r < 0 || r > l->m[j] - 2) continue;
            const double g = entry(v, v->row[k][i], l->column[r][j]);
            const int64_t chain = v->n_rows + l->column[r + 1][j] - l->n;
            F[chain] -= g * w[v->n_states + e];
            if (Jw != NULL) Jw[(int64_t)(v->n_states + e) * v->size + chain] = -g;
        }
    }
}

/* Rows: those of the assembly, then the chain equations in the order of the states that they define. */
rg_status rg_stable_eval(rg_stable *v, double t, const double *w, const double *wp, double *F,
                         double *Jw, double *Jwp)
{
    const rg_states *l = &v->layout;
    const rg_pattern *p = rg_assembly_pattern(v->rows);
    const int64_t n = v->size, s = v->n_states;

    RG_TRY(evaluate(v, t, w, wp, F));
    if (Jw != NULL) {
        memset(Jw, 0, (size_t)(n * n) * sizeof *Jw);
        memset(Jwp, 0, (size_t)(n * n) * sizeof *Jwp);
        for (int64_t j = 0; j < 2 * s; j++)
            for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
                (j < s ? Jw : Jwp)[(j < s ? j : j - s) * n + p->row[e]] = v->values[e];
    }
    for (int64_t k = l->n; k < s; k++) { /* (state it comes from)' - state k = ... */
        const int64_t row = v->n_rows + k - l->n, from = l->chain_from[k - l->n];
        F[row] = wp[from] - w[k];
        if (Jw == NULL) continue;
        Jw[k * n + row] = -1.0;
        Jwp[from * n + row] = 1.0;
    }
    add_multipliers(v, w, F, Jw);
    return RG_OK;
}

rg_status rg_stable_system_matrix(rg_stable *v, double t, const double *w, const double *wp,
                                  double *A)
{
    const rg_pattern *p = rg_assembly_pattern(v->rows);

    RG_TRY(evaluate(v, t, w, wp, NULL));
    memset(A, 0, (size_t)v->n * (size_t)v->n * sizeof *A);
    for (int64_t e = 0; e < p->start[p->n_columns]; e++)
        if (v->target[e] >= 0) A[v->target[e]] = v->values[e];
    return RG_OK;
}

rg_status rg_stable_constraints_init(const rg_stable *v, rg_stable_constraints *out)
{
    const int32_t *c = v->a->c, *d = v->a->d;
    const int top = v->levels;

    *out = (rg_stable_constraints){0};
    out->equation = rg_alloc(v->ctx, (size_t)v->n + 1, sizeof *out->equation);
    out->state = rg_alloc(v->ctx, (size_t)v->n + 1, sizeof *out->state);
    if (out->equation == NULL || out->state == NULL) return RG_ERR_MEMORY;
    for (int i = 0; i < v->n; i++)
        if (c[i] == top) out->equation[out->m++] = i;
    for (int j = 0; j < v->n; j++)
        if (d[j] >= top) out->state[out->n_q++] = v->layout.column[d[j] - top][j];
    return RG_OK;
}

void rg_stable_constraints_clear(const rg_stable *v, rg_stable_constraints *c)
{
    rg_free(v->ctx, c->equation);
    rg_free(v->ctx, c->state);
    *c = (rg_stable_constraints){0};
}

rg_status rg_stable_constraints_eval(rg_stable *v, const rg_stable_constraints *c, double t,
                                     const double *w, double *g, double *G)
{
    RG_TRY(evaluate(v, t, w, NULL, v->F));
    for (int k = 0; k < c->m; k++) {
        const int32_t row = v->row[0][c->equation[k]];
        g[k] = v->F[row];
        for (int q = 0; q < c->n_q; q++)
            G[q * c->m + k] = entry(v, row, c->state[q]);
    }
    return RG_OK;
}

/* Level by level from the lowest:  A delta = -(F_i^(c_i - l)) in the rows with c_i >= l, 0 in the others;  y_j^(d_j - l) += delta_j.
 * With A = (M, G^T; G, 0) this moves positions and velocities along M^-1 G^T: what was wrong is taken away, and the motion along the
 * constraints stays.  delta of unknowns with d_j < l are impulses, which nobody needs. */
static rg_status correct(rg_stable *v, double t, double *w, int l, rg_lu *lu, double *size)
{
    const int32_t *c = v->a->c, *d = v->a->d;
    double *b = rg_alloc(v->ctx, (size_t)(v->n + v->n_rows + v->n * v->n) + 1, sizeof *b);

    if (b == NULL) return RG_ERR_MEMORY;
    double *F = b + v->n, *A = F + v->n_rows;
    rg_status status = rg_stable_system_matrix(v, t, w, NULL, A);
    if (status == RG_OK) {
        memcpy(lu->A, A, (size_t)v->n * (size_t)v->n * sizeof *A);
        status = rg_lu_factor(lu);
    }
    if (status == RG_OK) status = evaluate(v, t, w, NULL, F);
    if (status == RG_OK) {
        for (int i = 0; i < v->n; i++)
            b[i] = c[i] >= l ? -F[v->row[c[i] - l][i]] : 0.0;
        rg_lu_solve(lu, b, NULL);
        for (int j = 0; j < v->n; j++) {
            if (d[j] < l) continue;
            double *at = &w[v->layout.column[d[j] - l][j]];
            *at += b[j];
            *size = fmax(*size, fabs(b[j]) / (1.0 + fabs(*at)));
        }
    }
    rg_free(v->ctx, b);
    return status;
}

rg_status rg_stable_project(rg_stable *v, double t, double *w)
{
    rg_lu *lu = NULL;
    double size = 1.0;
    rg_status status = rg_lu_create(v->ctx, v->n, false, &lu);

    for (int k = 0; k < 10 && size > 1e-13 && status == RG_OK; k++) {
        size = 0.0;
        for (int l = v->levels; l >= 1 && status == RG_OK; l--)
            status = correct(v, t, w, l, lu, &size);
    }
    rg_lu_destroy(&lu);
    if (status != RG_OK) return status;
    return size < 1e-6 ? RG_OK : (rg_status)RG_RETRY;
}
