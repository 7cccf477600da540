#include "linalg/sparse.h"

#include "linalg/matching.h"

#include <klu.h>
#include <limits.h>
#include <math.h>

/* Pivot on the diagonal while it has this part of the largest entry of its column: keeps the ordering of AMD.  Half-way
 * between KLU's 0.001, made for circuits with strong diagonals, and full pivoting. */
static const double PIVOT_TOLERANCE = 0.1;
/* Reciprocal pivot growth of a refactorization below which pivots are chosen anew. */
static const double GROWTH_LIMIT = 1e-6;

struct rg_sparse {
    rg_context *ctx;
    int n;
    bool is_complex;
    int *start, *row; /* in each column the wanted pivot comes first: KLU's own matching takes it */
    int *place;       /* where that one stands in the pattern */
    double *values, *work;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double multiplications; /* of a factorization */
};

static rg_status out_of_memory(rg_sparse *s)
{
    rg_fail(s->ctx, RG_ERR_MEMORY, "the sparse factors of %d unknowns do not fit into memory",
            s->n);
    return rg_remedy(s->ctx, "use a coarser grid, or a machine with more memory");
}

static rg_status take_memory(rg_sparse *s, const rg_pattern *p)
{
    const size_t n = (size_t)p->n_columns, entries = (size_t)p->start[n];
    const size_t parts = s->is_complex ? 2 : 1;

    s->start = rg_alloc(s->ctx, n + 1, sizeof *s->start);
    s->row = rg_alloc(s->ctx, entries + 1, sizeof *s->row);
    s->place = rg_alloc(s->ctx, n + 1, sizeof *s->place);
    s->values = rg_alloc(s->ctx, parts * entries + 1, sizeof *s->values);
    s->work = rg_alloc(s->ctx, parts * n + 1, sizeof *s->work);
    if (!s->start || !s->row || !s->place || !s->values || !s->work) return RG_ERR_MEMORY;
    for (size_t j = 0; j <= n; j++)
        s->start[j] = (int)p->start[j];
    for (size_t k = 0; k < entries; k++)
        s->row[k] = p->row[k];
    return RG_OK;
}

rg_status rg_sparse_create(rg_context *ctx, const rg_pattern *pattern, bool is_complex,
                           rg_sparse **out)
{
    rg_sparse *s = rg_alloc(ctx, 1, sizeof *s);

    *out = NULL;
    if (s == NULL) return RG_ERR_MEMORY;
    s->ctx = ctx;
    s->n = (int)pattern->n_columns;
    s->is_complex = is_complex;
    klu_defaults(&s->common);
    s->common.tol = PIVOT_TOLERANCE;
    s->common.scale = 2;
    rg_status status =
        pattern->start[pattern->n_columns] < INT_MAX ? take_memory(s, pattern) : out_of_memory(s);
    if (status == RG_OK)
        *out = s;
    else
        rg_sparse_destroy(&s);
    return status;
}

static void free_numeric(rg_sparse *s)
{
    if (s->numeric == NULL) return;
    if (s->is_complex)
        klu_z_free_numeric(&s->numeric, &s->common);
    else
        klu_free_numeric(&s->numeric, &s->common);
}

void rg_sparse_destroy(rg_sparse **sparse)
{
    rg_sparse *s = *sparse;

    if (s == NULL) return;
    free_numeric(s);
    if (s->symbolic != NULL) klu_free_symbolic(&s->symbolic, &s->common);
    rg_free(s->ctx, s->start);
    rg_free(s->ctx, s->row);
    rg_free(s->ctx, s->place);
    rg_free(s->ctx, s->values);
    rg_free(s->ctx, s->work);
    rg_free(s->ctx, s);
    *sparse = NULL;
}

double *rg_sparse_values(rg_sparse *s)
{
    return s->values;
}

/* Old pivots, new values; false: singular, or the entries grew too much. */
static bool refactor(rg_sparse *s)
{
    klu_common *c = &s->common;

    if (s->is_complex)
        return klu_z_refactor(s->start, s->row, s->values, s->symbolic, s->numeric, c)
               && c->status == KLU_OK
               && klu_z_rgrowth(s->start, s->row, s->values, s->symbolic, s->numeric, c)
               && c->rgrowth > GROWTH_LIMIT;
    return klu_refactor(s->start, s->row, s->values, s->symbolic, s->numeric, c)
           && c->status == KLU_OK
           && klu_rgrowth(s->start, s->row, s->values, s->symbolic, s->numeric, c)
           && c->rgrowth > GROWTH_LIMIT;
}

/* The first factorization: chooses a diagonal by the values, analyses the pattern. */
static rg_status analyze(rg_sparse *s)
{
    const int entries = s->start[s->n];
    double *size = rg_alloc(s->ctx, (size_t)entries + 1, sizeof *size);

    if (size == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < entries; k++)
        size[k] = s->is_complex ? fabs(s->values[2 * k]) + fabs(s->values[2 * k + 1])
                                : fabs(s->values[k]);
    const rg_status status = rg_match_rows(s->ctx, s->n, s->start, s->row, size, s->place);
    rg_free(s->ctx, size);
    if (status != RG_OK) return status;
    for (int j = 0; j < s->n; j++) {
        if (s->place[j] < 0) s->place[j] = s->start[j];
        if (s->start[j] == s->start[j + 1]) continue;
        const int first = s->row[s->start[j]];
        s->row[s->start[j]] = s->row[s->place[j]];
        s->row[s->place[j]] = first;
    }
    s->symbolic = klu_analyze(s->n, s->start, s->row, &s->common);
    return s->symbolic != NULL ? RG_OK : out_of_memory(s);
}

static void swap(double *a, double *b)
{
    const double c = *a;
    *a = *b;
    *b = c;
}

/* The values as the rows were swapped in analyze(). */
static void reorder_values(rg_sparse *s)
{
    for (int j = 0; j < s->n; j++) {
        const int64_t a = s->start[j], b = s->place[j];
        if (a == b) continue;
        if (s->is_complex) {
            swap(s->values + 2 * a, s->values + 2 * b);
            swap(s->values + 2 * a + 1, s->values + 2 * b + 1);
        } else {
            swap(s->values + a, s->values + b);
        }
    }
}

rg_status rg_sparse_factor(rg_sparse *s)
{
    const int64_t count = (int64_t)s->start[s->n] * (s->is_complex ? 2 : 1);
    double sum = 0.0;

    for (int64_t k = 0; k < count; k++)
        sum += fabs(s->values[k]);
    if (!isfinite(sum)) return (rg_status)RG_RETRY;
    if (s->symbolic == NULL) RG_TRY(analyze(s));
    reorder_values(s);
    if (s->numeric != NULL && refactor(s)) return RG_OK;
    free_numeric(s);
    s->numeric = s->is_complex ? klu_z_factor(s->start, s->row, s->values, s->symbolic, &s->common)
                               : klu_factor(s->start, s->row, s->values, s->symbolic, &s->common);
    if (s->numeric != NULL) {
        if (!s->is_complex) klu_flops(s->symbolic, s->numeric, &s->common);
        s->multiplications = s->common.flops / 2.0;
        return RG_OK;
    }
    return s->common.status == KLU_SINGULAR ? (rg_status)RG_RETRY : out_of_memory(s);
}

void rg_sparse_solve(rg_sparse *s, double *re, double *im)
{
    if (!s->is_complex) {
        klu_solve(s->symbolic, s->numeric, s->n, 1, re, &s->common);
        return;
    }
    for (int i = 0; i < s->n; i++) {
        s->work[2 * i] = re[i];
        s->work[2 * i + 1] = im[i];
    }
    klu_z_solve(s->symbolic, s->numeric, s->n, 1, s->work, &s->common);
    for (int i = 0; i < s->n; i++) {
        re[i] = s->work[2 * i];
        im[i] = s->work[2 * i + 1];
    }
}

void rg_sparse_work(const rg_sparse *s, double *factor, double *solve)
{
    *factor = s->multiplications;
    *solve = s->numeric != NULL ? (double)s->numeric->lnz + s->numeric->unz : 0.0;
}
