/* Assembles, scales, factors and solves the coupled Newton matrix of the three stages. */
#include "ivp/passage/coupled.h"

#include <math.h>
#include <string.h>

/* Off the diagonal only entries of dF/dw' stand. */
static bool occurs(const rg_coupled *c, int i, int j, int64_t e)
{
    return i == j || (c->form->kinds[e] & 2) != 0;
}

static rg_status make_pattern(rg_coupled *c)
{
    const rg_pattern *p = c->form->pattern;
    const int N = c->form->size;
    const size_t most = 9 * (size_t)p->start[N] + 1;
    int64_t next = 0;

    c->pattern = (rg_pattern){.n_rows = c->n, .n_columns = c->n};
    c->pattern.start = rg_alloc(c->ctx, (size_t)c->n + 1, sizeof *c->pattern.start);
    c->pattern.row = rg_alloc(c->ctx, most, sizeof *c->pattern.row);
    if (c->pattern.start == NULL || c->pattern.row == NULL) return RG_ERR_MEMORY;
    for (int j = 0; j < COUPLED_STAGES; j++)
        for (int k = 0; k < N; k++) {
            for (int i = 0; i < COUPLED_STAGES; i++)
                for (int64_t e = p->start[k]; e < p->start[k + 1]; e++)
                    if (occurs(c, i, j, e)) c->pattern.row[next++] = i * N + p->row[e];
            c->pattern.start[j * N + k + 1] = next;
        }
    return RG_OK;
}

rg_status rg_coupled_create(const rg_stable *form, rg_coupled **out)
{
    rg_coupled *c = rg_alloc(form->ctx, 1, sizeof *c);

    *out = NULL;
    if (c == NULL) return RG_ERR_MEMORY;
    c->ctx = form->ctx;
    c->form = form;
    c->n = COUPLED_STAGES * form->size;
    rg_status status = make_pattern(c);
    if (status == RG_OK) {
        c->values = rg_alloc(c->ctx, (size_t)c->pattern.start[c->n] + 1, sizeof *c->values);
        c->row_scale = rg_alloc(c->ctx, (size_t)c->n + 1, sizeof *c->row_scale);
        c->column_scale = rg_alloc(c->ctx, (size_t)c->n + 1, sizeof *c->column_scale);
        if (c->values == NULL || c->row_scale == NULL || c->column_scale == NULL)
            status = RG_ERR_MEMORY;
    }
    if (status == RG_OK)
        status = c->n <= COUPLED_DENSE ? rg_lu_create(c->ctx, c->n, false, &c->lu)
                                       : rg_sparse_create(c->ctx, &c->pattern, false, &c->sparse);
    if (status == RG_OK)
        *out = c;
    else
        rg_coupled_destroy(&c);
    return status;
}

void rg_coupled_destroy(rg_coupled **coupled)
{
    rg_coupled *c = *coupled;

    if (c == NULL) return;
    rg_lu_destroy(&c->lu);
    rg_sparse_destroy(&c->sparse);
    rg_free(c->ctx, c->pattern.start);
    rg_free(c->ctx, c->pattern.row);
    rg_free(c->ctx, c->values);
    rg_free(c->ctx, c->row_scale);
    rg_free(c->ctx, c->column_scale);
    rg_free(c->ctx, c);
    *coupled = NULL;
}

static void fill(rg_coupled *c, double h, const double (*D)[COUPLED_STAGES], double *const *Jw,
                 double *const *Jwp)
{
    const rg_pattern *p = c->form->pattern;
    double *a = c->values;

    for (int j = 0; j < COUPLED_STAGES; j++)
        for (int k = 0; k < c->form->size; k++)
            for (int i = 0; i < COUPLED_STAGES; i++)
                for (int64_t e = p->start[k]; e < p->start[k + 1]; e++)
                    if (occurs(c, i, j, e))
                        *a++ = D[i][j] / h * Jwp[i][e] + (i == j ? Jw[i][e] : 0.0);
}

/* Rows to 1, then columns. */
static void equilibrate(rg_coupled *c)
{
    const rg_pattern *p = &c->pattern;

    memset(c->row_scale, 0, (size_t)c->n * sizeof *c->row_scale);
    for (int64_t e = 0; e < p->start[c->n]; e++)
        c->row_scale[p->row[e]] = fmax(c->row_scale[p->row[e]], fabs(c->values[e]));
    for (int i = 0; i < c->n; i++)
        c->row_scale[i] = c->row_scale[i] > 0.0 ? 1.0 / c->row_scale[i] : 1.0;
    for (int j = 0; j < c->n; j++) {
        double most = 0.0;
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            most = fmax(most, fabs(c->values[e] *= c->row_scale[p->row[e]]));
        c->column_scale[j] = most > 0.0 ? 1.0 / most : 1.0;
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            c->values[e] *= c->column_scale[j];
    }
}

rg_status rg_coupled_factor(rg_coupled *c, double h, const double (*D)[COUPLED_STAGES],
                            double *const *Jw, double *const *Jwp)
{
    const rg_pattern *p = &c->pattern;
    const size_t n = (size_t)c->n;

    fill(c, h, D, Jw, Jwp);
    equilibrate(c);
    if (c->sparse != NULL) {
        memcpy(rg_sparse_values(c->sparse), c->values, (size_t)p->start[n] * sizeof *c->values);
        return rg_sparse_factor(c->sparse);
    }
    double *A = rg_lu_values(c->lu);
    memset(A, 0, n * n * sizeof *A);
    for (size_t j = 0; j < n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            A[j * n + (size_t)p->row[e]] = c->values[e];
    return rg_lu_factor(c->lu);
}

void rg_coupled_solve(rg_coupled *c, double *b)
{
    for (int i = 0; i < c->n; i++)
        b[i] *= c->row_scale[i];
    if (c->sparse != NULL)
        rg_sparse_solve(c->sparse, b, NULL);
    else
        rg_lu_solve(c->lu, b, NULL);
    for (int i = 0; i < c->n; i++)
        b[i] *= c->column_scale[i];
}
