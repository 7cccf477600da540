/* Redundant constraints: n of m follow from the others wherever all hold, and n multipliers stay
 * undetermined.
 *
 * With the null spaces  u^T G = 0  (u: m x n)  and  B v = 0  of the constraints and the
 * multipliers, and numbers nu, the form is
 *
 *     g(q) + L nu_1 = 0,    G v + L nu_2 = 0,    ...,      R^T lambda = 0,    L^T mu = 0,
 *
 * with constant L near u and R near v: regular wherever rank(G) = m - n, with the same q and v; nu
 * is as small as the errors by which the constraints contradict each other.  The number n is fixed
 * (doc/methods/passage.md, section 8); a threshold would take away near a loss of rank what is
 * still there.  We differ: a border instead of a truncated decomposition, which serves the
 * coupled matrix, the error estimate and the signal alike, sparse or dense.  L and R: null.c. */
#include "ivp/passage/form.h"

#include <string.h>

static void add(rg_border *b, int64_t row, int64_t column, int64_t from)
{
    const int64_t k = b->count++;

    b->entry[k].row = (int32_t)row;
    b->entry[k].column = (int32_t)column;
    b->entry[k].from = (int32_t)from;
}

/* Level l = 1 .. levels of constraint i:  F_i^(c_i - l).  Its multiplier: of the model (l = 1),
 * or mu. */
static void collect(rg_stable *v)
{
    const rg_leading *a = v->leading;
    const int n = v->border.n, first = a->n_plain;

    for (int l = 1; l <= v->levels; l++)
        for (int k = 0; k < n; k++) {
            const int64_t extra = v->plain + (l - 1) * n + k;
            for (int e = 0; e < first; e++) {
                if (!rg_leading_has_left(a, v->a, e)) continue;
                const int32_t i = a->equation[e];
                const int64_t mu = rg_system_multiplier(v->system, i, v->levels - l);
                add(&v->border, rg_system_row(v->system, i, v->levels - l), extra, k * first + e);
                if (l > 1) add(&v->border, extra, mu, k * first + e);
            }
            for (int64_t j = 0; j < v->p->n && l == 1; j++)
                if (rg_leading_has_right(a, v->a, j))
                    add(&v->border, extra, rg_system_state(v->system, j, 0),
                        (int64_t)(n + k) * first + a->column_of[j]);
        }
}

/* The new entries of a column come behind those of the view, or are all there is: in both cases
 * rows ascend. */
static void fill_pattern(rg_stable *v, const rg_pattern *p)
{
    rg_border *b = &v->border;
    int64_t next = 0;

    for (int j = 0; j < v->size; j++) {
        for (int64_t e = j < v->plain ? p->start[j] : 0; j < v->plain && e < p->start[j + 1]; e++) {
            b->index[e] = next;
            b->pattern.row[next++] = p->row[e];
        }
        for (int row = 0; row < v->size; row++)
            for (int64_t k = 0; k < b->count; k++) {
                if (b->entry[k].column != j || b->entry[k].row != row) continue;
                b->entry[k].index = next;
                b->pattern.row[next++] = row;
            }
        b->pattern.start[j + 1] = next;
    }
}

rg_status rg_border_init(rg_stable *v)
{
    rg_border *b = &v->border;
    const rg_pattern *p = rg_system_pattern(v->system);
    const size_t n = (size_t)v->p->n, entries = (size_t)p->start[v->plain];
    const size_t most = 2 * n * (size_t)(b->n * v->levels) + 1;

    v->pattern = b->n > 0 ? &b->pattern : p;
    if (b->n == 0 || b->entry != NULL) return RG_OK;
    b->pattern.n_rows = b->pattern.n_columns = v->size;
    b->pattern.start = rg_alloc(v->ctx, (size_t)v->size + 2, sizeof *b->pattern.start);
    b->pattern.row = rg_alloc(v->ctx, entries + most, sizeof *b->pattern.row);
    b->index = rg_alloc(v->ctx, entries + 1, sizeof *b->index);
    b->entry = rg_alloc(v->ctx, most, sizeof *b->entry);
    if (b->pattern.start == NULL || b->pattern.row == NULL || b->index == NULL || b->entry == NULL)
        return RG_ERR_MEMORY;
    collect(v);
    fill_pattern(v, p);
    return RG_OK;
}

void rg_border_clear(rg_stable *v)
{
    rg_border *b = &v->border;

    rg_free(v->ctx, b->pattern.start);
    rg_free(v->ctx, b->pattern.row);
    rg_free(v->ctx, b->index);
    rg_free(v->ctx, b->entry);
    rg_free(v->ctx, b->null);
    memset(b, 0, sizeof *b);
}

void rg_border_kinds(const rg_stable *v, uint8_t *kinds)
{
    const rg_border *b = &v->border;

    if (b->n == 0) return;
    for (int64_t e = rg_system_pattern(v->system)->start[v->plain] - 1; e >= 0; e--) {
        const uint8_t kind = kinds[e];
        kinds[e] = 0;
        kinds[b->index[e]] = kind; /* e <= index[e], and those behind have moved already */
    }
    for (int64_t k = 0; k < b->count; k++)
        kinds[b->entry[k].index] = 1;
}

void rg_border_residual(const rg_stable *v, const double *w, double *F)
{
    const rg_border *b = &v->border;

    memset(F + v->plain, 0, (size_t)(v->size - v->plain) * sizeof *F);
    for (int64_t k = 0; k < b->count; k++)
        F[b->entry[k].row] += v->leading->border[b->entry[k].from] * w[b->entry[k].column];
}

void rg_border_spread(const rg_stable *v, const double *Jy, const double *Jyp, double *Jw,
                      double *Jwp)
{
    const rg_border *b = &v->border;
    const int64_t entries = rg_system_pattern(v->system)->start[v->plain];

    for (int64_t e = 0; e < entries; e++) {
        Jw[b->index[e]] = Jy[e];
        Jwp[b->index[e]] = Jyp[e];
    }
    for (int64_t k = 0; k < b->count; k++) {
        Jw[b->entry[k].index] = v->leading->border[b->entry[k].from];
        Jwp[b->entry[k].index] = 0.0;
    }
}
