/* Which rows of Pi F_mu are G, and which directions of w are open; see array.h.
 *
 * Newton's method compares G at several x of one t, so the rows must stay the same there: they
 * are kept in a table. */
#include "bvp/array_impl.h"
#include "bvp/tuning.h"

#include <math.h>
#include <string.h>

/* Picks `count` of `many` vectors (length n, changed): each time the longest, which is made a unit
 * vector and removed from the others; the unit vectors are columns of `unit`, or NULL.  Earlier
 * ones win ties. */
static void pick(int n, int many, double *vectors, double *norm, int count, double *unit,
                 int32_t *chosen, double *least, double *left)
{
    *least = INFINITY;
    *left = 0.0;
    for (int k = 0; k <= count; k++) {
        double longest = 0.0, length = 0.0;
        int best = -1;
        for (int i = 0; i < many; i++) {
            const double *v = vectors + (int64_t)i * n;
            double sum = 0.0;
            for (int j = 0; j < n; j++)
                sum += v[j] * v[j];
            norm[i] = sqrt(sum);
            const double weighted = norm[i] / (1.0 + 0.37 * i / (many + 1.0));
            if (weighted > longest) longest = weighted, length = norm[i], best = i;
        }
        if (k == count) *left = length;
        if (k == count) return;
        *least = fmin(*least, length);
        if (chosen != NULL) chosen[k] = best;
        if (best < 0) return;
        double *q = vectors + (int64_t)best * n;
        for (int j = 0; j < n; j++)
            q[j] /= length;
        for (int i = 0; i < many; i++) {
            double *v = vectors + (int64_t)i * n, product = 0.0;
            if (i == best) continue;
            for (int j = 0; j < n; j++)
                product += q[j] * v[j];
            for (int j = 0; j < n; j++)
                v[j] -= product * q[j];
        }
        if (unit != NULL) memcpy(unit + (int64_t)k * n, q, (size_t)n * sizeof *q);
        memset(q, 0, (size_t)n * sizeof *q);
    }
}

void rg_form_array_project(rg_form_array *a)
{
    const int R = a->R, nx = a->nx;

    for (int j = 0; j < nx; j++) {
        memcpy(a->b, a->array->A + (int64_t)j * R, (size_t)R * sizeof *a->b);
        rg_cod_left(a->cod, a->b);
        for (int i = 0; i < R; i++)
            a->PiN[(int64_t)i * nx + j] = a->b[i];
    }
}

void rg_form_array_choose(rg_form_array *a, int count, double *least, double *left)
{
    pick(a->nx, a->R, a->PiN, a->norm, count, NULL, a->chosen, least, left);
}

void rg_form_array_open(rg_form_array *a, int count, double *least, double *left, double *moved)
{
    const int n = a->n, many = a->R - a->rank;

    *moved = 0.0;
    for (int k = 0; k < many; k++) {
        rg_cod_null(a->cod, k, a->b);
        for (int j = 0; j < n; j++) {
            if (a->array->m[j] > 0) *moved = fmax(*moved, fabs(a->b[j]));
            a->part[(int64_t)k * n + j] = a->b[j] * a->column[a->nx + j];
        }
    }
    pick(n, many, a->part, a->norm, count, a->open, NULL, least, left);
}

/* Gram-Schmidt over the rows in `chosen`: are they independent?  PiN is changed. */
static bool is_independent(rg_form_array *a)
{
    const int nx = a->nx;

    for (int k = 0; k < a->n_invariants; k++) {
        double *v = a->PiN + (int64_t)a->chosen[k] * nx, before = 0.0, after = 0.0;
        for (int j = 0; j < nx; j++)
            before = hypot(before, v[j]);
        for (int i = 0; i < k; i++) {
            const double *q = a->PiN + (int64_t)a->chosen[i] * nx;
            double product = 0.0;
            for (int j = 0; j < nx; j++)
                product += q[j] * v[j];
            for (int j = 0; j < nx; j++)
                v[j] -= product * q[j];
        }
        for (int j = 0; j < nx; j++)
            after = hypot(after, v[j]);
        if (!(after > RG_FORM_DEPENDENT * before)) return false;
        for (int j = 0; j < nx; j++)
            v[j] /= after;
    }
    return true;
}

/* ---- the table ------------------------------------------------------------------------------- */

static int64_t find(const rg_form_choices *c, double t)
{
    uint64_t bits;

    memcpy(&bits, &t, sizeof bits);
    bits = (bits ^ (bits >> 29)) * 0x9e3779b97f4a7c15ULL;
    int64_t at = (int64_t)(bits >> 20) & (c->room - 1);
    while (!isnan(c->t[at]) && c->t[at] != t)
        at = (at + 1) & (c->room - 1);
    return at;
}

static rg_status grow(rg_form_array *a)
{
    rg_form_choices *c = &a->choices, old = *c;
    const size_t m = (size_t)a->n_invariants;

    c->room = old.room > 0 ? 2 * old.room : 256;
    c->t = rg_alloc(a->ctx, (size_t)c->room, sizeof *c->t);
    c->row = rg_alloc(a->ctx, (size_t)c->room * m, sizeof *c->row);
    if (c->t == NULL || c->row == NULL) {
        rg_free(a->ctx, c->t);
        rg_free(a->ctx, c->row);
        *c = old;
        return RG_ERR_MEMORY;
    }
    for (int64_t k = 0; k < c->room; k++)
        c->t[k] = NAN;
    for (int64_t k = 0; k < old.room; k++) {
        if (isnan(old.t[k])) continue;
        const int64_t at = find(c, old.t[k]);
        c->t[at] = old.t[k];
        memcpy(c->row + (size_t)at * m, old.row + (size_t)k * m, m * sizeof *c->row);
    }
    rg_free(a->ctx, old.t);
    rg_free(a->ctx, old.row);
    return RG_OK;
}

rg_status rg_form_array_rows(rg_form_array *a, double t)
{
    rg_form_choices *c = &a->choices;
    const size_t size = (size_t)a->n_invariants * sizeof *c->row;
    double least, left;

    if (2 * c->n >= c->room) RG_TRY(grow(a));
    const int64_t at = find(c, t);
    int32_t *row = c->row + at * a->n_invariants;
    if (c->t[at] == t) {
        memcpy(a->chosen, row, size);
        rg_form_array_project(a);
        if (is_independent(a)) return RG_OK;
    }
    rg_form_array_project(a);
    rg_form_array_choose(a, a->n_invariants, &least, &left);
    if (!(least > 0.0)) return RG_RETRY;
    c->n += c->t[at] != t;
    c->t[at] = t;
    memcpy(row, a->chosen, size);
    return RG_OK;
}
