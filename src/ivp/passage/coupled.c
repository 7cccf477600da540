/* Assembles, factors and solves the coupled Newton matrix of the three stages. */
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
        if (c->values == NULL) status = RG_ERR_MEMORY;
    }
    if (status == RG_OK) status = rg_matrix_create(c->ctx, &c->pattern, false, &c->matrix);
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
    rg_matrix_destroy(&c->matrix);
    rg_free(c->ctx, c->pattern.start);
    rg_free(c->ctx, c->pattern.row);
    rg_free(c->ctx, c->values);
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

rg_status rg_coupled_factor(rg_coupled *c, double h, const double (*D)[COUPLED_STAGES],
                            double *const *Jw, double *const *Jwp)
{
    fill(c, h, D, Jw, Jwp);
    return rg_matrix_factor(c->matrix, 0.0, 0.0, c->values, NULL);
}

void rg_coupled_solve(rg_coupled *c, double *b)
{
    rg_matrix_solve(c->matrix, b, NULL);
}
