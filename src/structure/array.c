/* Derivative array: layout and values; see array.h. */
#include "structure/array_impl.h"

#include <string.h>

/* Highest order of an unknown in the array: m_j + mu. */
static rg_status count_states(rg_array *a, const rg_signature *s, int least, int *m_max)
{
    *m_max = least;
    a->m = rg_alloc(a->ctx, (size_t)a->n + 1, sizeof *a->m);
    a->first_state = rg_alloc(a->ctx, (size_t)a->n + 1, sizeof *a->first_state);
    if (a->m == NULL || a->first_state == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < a->n; j++)
        a->m[j] = least;
    for (int64_t e = 0; e < s->start[s->n_rows]; e++)
        if (s->order[e] > a->m[s->column[e]]) a->m[s->column[e]] = s->order[e];
    for (int64_t j = 0; j < a->n; j++) {
        a->first_state[j + 1] = a->first_state[j] + a->m[j];
        if (a->m[j] > *m_max) *m_max = a->m[j];
    }
    a->n_states = a->first_state[a->n];
    return RG_OK;
}

static rg_status set_places(rg_array *a, int n_orders)
{
    a->place = rg_alloc(a->ctx, (size_t)(n_orders * a->n) + 1, sizeof *a->place);
    if (a->place == NULL) return RG_ERR_MEMORY;
    for (int r = 0; r < n_orders; r++)
        for (int64_t j = 0; j < a->n; j++) {
            const int64_t top = a->n_states + (r - a->m[j]) * a->n + j;
            a->place[r * a->n + j] = r < a->m[j]            ? (int32_t)(a->first_state[j] + r)
                                     : r <= a->m[j] + a->mu ? (int32_t)top
                                                            : -1;
        }
    return RG_OK;
}

rg_status rg_array_create(const rg_problem *p, const rg_signature *s, int least, int mu,
                          rg_array **out)
{
    rg_array *a = *out = rg_alloc(p->ctx, 1, sizeof *a);
    int m_max;

    if (a == NULL) return RG_ERR_MEMORY;
    a->ctx = p->ctx;
    a->p = p;
    a->mu = mu;
    a->n = p->n;
    a->is_frozen = (p->residual != NULL || p->rhs != NULL) && mu > 0;
    RG_TRY(count_states(a, s, least, &m_max));
    RG_TRY(set_places(a, m_max + mu + 1));
    a->n_rows = (mu + 1) * a->n;
    a->n_columns = a->n_states + (mu + 1) * a->n;
    const int n_levels = a->is_frozen ? 1 : mu + 1;
    RG_TRY(rg_sampler_create(p, n_levels, m_max + n_levels, &a->s));
    a->A = rg_alloc(a->ctx, (size_t)(a->n_rows * a->n_columns) + 1, sizeof *a->A);
    a->unit = rg_alloc(a->ctx, (size_t)a->n_columns + 1, sizeof *a->unit);
    if (a->A == NULL || a->unit == NULL) return RG_ERR_MEMORY;
    for (int64_t q = 0; q < a->n_columns; q++)
        a->unit[q] = 1.0;
    for (int64_t k = 0; k < a->s->n_columns; k++)
        if (a->place[k] >= 0) a->unit[a->place[k]] = a->s->unit[k];
    return RG_OK;
}

void rg_array_destroy(rg_array **a)
{
    if (*a == NULL) return;
    rg_context *ctx = (*a)->ctx;
    void *owned[] = {(*a)->m, (*a)->first_state, (*a)->place, (*a)->A, (*a)->unit};

    rg_sampler_destroy(&(*a)->s);
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(ctx, owned[k]);
    rg_free(ctx, *a);
    *a = NULL;
}

/* The Jacobian of the sampler as a dense matrix.  Frozen: level k is  
 * dF/dy' y^(k+1) + dF/dy y^(k). */
void rg_array_load(rg_array *a, const double *row, const double *column)
{
    const rg_sampler *s = a->s;
    const int n_shifts = a->is_frozen ? a->mu + 1 : 1;

    memset(a->A, 0, (size_t)(a->n_rows * a->n_columns) * sizeof *a->A);
    for (int64_t k = 0; k < s->n_columns; k++)
        for (int shift = 0; shift < n_shifts; shift++) {
            const int64_t q = a->place[k + shift * a->n], first = shift * a->n;
            if (q < 0) continue;
            double *A = a->A + q * a->n_rows;
            const int64_t end = s->pattern->start[k + 1];
            if (row == NULL)
                for (int64_t e = s->pattern->start[k]; e < end; e++)
                    A[first + s->pattern->row[e]] = s->J[e];
            else
                for (int64_t e = s->pattern->start[k]; e < end; e++)
                    A[first + s->pattern->row[e]] =
                        row[first + s->pattern->row[e]] * s->J[e] * column[q];
        }
}

void rg_array_take(rg_array *a, const double *z)
{
    for (int64_t k = 0; k < a->s->n_columns; k++)
        if (a->place[k] >= 0) a->s->z[k] = z[a->place[k]];
}

void rg_array_point(const rg_array *a, double *z)
{
    for (int64_t k = 0; k < a->s->n_columns; k++)
        if (a->place[k] >= 0) z[a->place[k]] = a->s->z[k];
}

rg_status rg_array_eval(rg_array *a, double t, const double *z, bool with_jacobian,
                        const double *row, const double *column)
{
    rg_sampler *s = a->s;

    rg_array_take(a, z);
    s->t = t;
    if (!with_jacobian) return rg_assembly_residual(s->assembly, s->work, t, s->z, s->F);
    RG_TRY(rg_sampler_eval(s));
    rg_array_load(a, row, column);
    return RG_OK;
}
