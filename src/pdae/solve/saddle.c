/* Solves with the fluxes as unknowns of their own, as mixed finite elements do:
 *
 *     F_f/T_f - x_i + x_j = 0     face f from cell i to cell j
 *     sum of F out of i + s_i x_i = b_i
 *
 * by a sparse LU factorization.  Eliminating F gives the symmetric matrix; this is its rival. */
#include "linalg/sparse.h"
#include "pdae/solve/elliptic_impl.h"

#include <float.h>
#include <string.h>

typedef struct {
    rg_sparse *factors;
    double *z; /* x, F */
    int64_t size;
} saddle;

static void destroy(rg_elliptic *e, void *state)
{
    saddle *f = state;

    rg_sparse_destroy(&f->factors);
    rg_free(e->ctx, f->z);
    rg_free(e->ctx, f);
}

/* What is left of a diagonal entry without its faces; where only the constant is free, x = 0 in the
 * first cell, since b sums to zero. */
static double rest_of(const rg_elliptic *e, const rg_elliptic_rows *rows, int64_t i)
{
    double sum = 0.0;

    for (int64_t m = rows->start[i]; m < rows->start[i + 1]; m++)
        sum += rows->value[m];
    if (e->singular) return i > 0 ? 0.0 : sum > 0.0 ? sum : 1.0;
    const double rest = rows->diagonal[i] - sum;
    return rest > 4.0 * DBL_EPSILON * rows->diagonal[i] ? rest : 0.0;
}

/* The columns of the cells, then those of the faces; faces by their first cell.  next[i]: where the
 * next face of cell i goes. */
static void fill(const rg_elliptic *e, const rg_elliptic_rows *rows, rg_pattern *p, double *value,
                 int64_t *next)
{
    const int64_t n = rows->n;
    int64_t f = n, at = 0;

    for (int64_t i = 0; i < n; i++) {
        p->start[i] = at;
        p->row[at] = (int32_t)i;
        value[at] = rest_of(e, rows, i);
        next[i] = at + 1;
        at += 1 + rows->start[i + 1] - rows->start[i];
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t m = rows->middle[i]; m < rows->start[i + 1]; m++, f++) {
            const int64_t j = rows->col[m];
            p->start[f] = at;
            p->row[next[i]] = p->row[next[j]] = (int32_t)f;
            value[next[i]++] = -1.0;
            value[next[j]++] = 1.0;
            p->row[at] = (int32_t)i;
            value[at++] = 1.0;
            p->row[at] = (int32_t)j;
            value[at++] = -1.0;
            p->row[at] = (int32_t)f;
            value[at++] = 1.0 / rows->value[m];
        }
    p->start[f] = at;
}

static rg_status factorize(rg_elliptic *e, saddle *f, const rg_elliptic_rows *rows)
{
    const int64_t faces = rows->start[rows->n] / 2, entries = rows->n + 5 * faces;
    rg_pattern p = {.n_rows = rows->n + faces, .n_columns = rows->n + faces};
    double *value = rg_alloc(e->ctx, (size_t)entries, sizeof *value);
    int64_t *next = rg_alloc(e->ctx, (size_t)rows->n, sizeof *next);
    rg_status status = RG_ERR_MEMORY;

    f->size = p.n_rows;
    f->z = rg_alloc(e->ctx, (size_t)f->size, sizeof *f->z);
    p.start = rg_alloc(e->ctx, (size_t)f->size + 1, sizeof *p.start);
    p.row = rg_alloc(e->ctx, (size_t)entries, sizeof *p.row);
    if (value && next && f->z && p.start && p.row) {
        fill(e, rows, &p, value, next);
        status = rg_sparse_create(e->ctx, &p, false, &f->factors);
    }
    if (status == RG_OK) {
        memcpy(rg_sparse_values(f->factors), value, (size_t)entries * sizeof *value);
        status = rg_sparse_factor(f->factors);
        if (status > 0)
            status = rg_fail(e->ctx, RG_ERR_CONVERGENCE, "the mixed system of '%s' is singular",
                             e->options.name);
    }
    rg_free(e->ctx, value);
    rg_free(e->ctx, next);
    rg_free(e->ctx, p.start);
    rg_free(e->ctx, p.row);
    return status;
}

static rg_status create(rg_elliptic *e, void **state)
{
    saddle *f = rg_alloc(e->ctx, 1, sizeof *f);
    rg_elliptic_rows rows;

    if (f == NULL) return RG_ERR_MEMORY;
    *state = f;
    RG_TRY(rg_elliptic_rows_create(e, &rows));
    const rg_status status = factorize(e, f, &rows);
    rg_elliptic_rows_free(e->ctx, &rows);
    return status;
}

static rg_status solve(rg_elliptic *e, void *state, const double *b, double *x)
{
    saddle *f = state;

    memset(f->z, 0, (size_t)f->size * sizeof *f->z);
    memcpy(f->z, b, (size_t)e->n * sizeof *b);
    rg_sparse_solve(f->factors, f->z, NULL);
    memcpy(x, f->z, (size_t)e->n * sizeof *x);
    return RG_OK;
}

const rg_elliptic_method rg_elliptic_saddle = {
    .name = "mixed", .create = create, .solve = solve, .destroy = destroy, .is_direct = true};
