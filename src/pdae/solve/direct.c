/* Solves with a sparse Cholesky factorization (CHOLMOD). */
#include "linalg/lazy.h"
#include "linalg/lazy_cholmod.h"
#include "pdae/solve/elliptic_impl.h"

#include <math.h>

typedef struct {
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *b, *x, *y, *work; /* kept from solve to solve */
} direct;

static void destroy(rg_elliptic *e, void *state)
{
    direct *f = state;

    cholmod_l_free_dense(&f->b, &f->common);
    cholmod_l_free_dense(&f->x, &f->common);
    cholmod_l_free_dense(&f->y, &f->common);
    cholmod_l_free_dense(&f->work, &f->common);
    if (f->factor) cholmod_l_free_factor(&f->factor, &f->common);
    cholmod_l_finish(&f->common);
    rg_free(e->ctx, f);
}

/* The lower triangle by columns, which is the upper one by rows.  Where only the constant is free,
 * one diagonal entry is doubled: since b sums to zero, the solution is the one with x = 0 there. */
static cholmod_sparse *lower_triangle(rg_elliptic *e, const rg_elliptic_rows *rows,
                                      cholmod_common *common)
{
    int64_t entries = rows->n;

    for (int64_t i = 0; i < rows->n; i++)
        entries += rows->start[i + 1] - rows->middle[i];
    cholmod_sparse *A = cholmod_l_allocate_sparse((size_t)rows->n, (size_t)rows->n, (size_t)entries,
                                                  1, 1, -1, CHOLMOD_REAL, common);
    if (A == NULL) return NULL;
    SuiteSparse_long *p = A->p, *index = A->i, k = 0;
    double *value = A->x;
    for (int64_t i = 0; i < rows->n; i++) {
        p[i] = k;
        index[k] = i;
        value[k++] = rows->diagonal[i] * (e->singular && i == 0 ? 2.0 : 1.0);
        for (int64_t m = rows->middle[i]; m < rows->start[i + 1]; m++) {
            index[k] = rows->col[m];
            value[k++] = -rows->value[m];
        }
    }
    p[rows->n] = k;
    if (rows->n == 1 && e->singular) value[0] = 1.0;
    return A;
}

static rg_status create(rg_elliptic *e, void **state)
{
    direct *f = rg_alloc(e->ctx, 1, sizeof *f);
    rg_elliptic_rows rows;
    rg_status status = RG_OK;

    if (f == NULL) return RG_ERR_MEMORY;
    *state = f;
    RG_TRY(rg_library_load(e->ctx, RG_LIBRARY_CHOLMOD));
    cholmod_l_start(&f->common);
    f->common.print = 0;
    RG_TRY(rg_elliptic_rows_create(e, &rows));
    cholmod_sparse *A = lower_triangle(e, &rows, &f->common);
    rg_elliptic_rows_free(e->ctx, &rows);
    f->b = cholmod_l_allocate_dense((size_t)e->n, 1, (size_t)e->n, CHOLMOD_REAL, &f->common);
    if (A && f->b) f->factor = cholmod_l_analyze(A, &f->common);
    if (f->factor == NULL)
        status = rg_fail(e->ctx, RG_ERR_MEMORY, "the factors of '%s' do not fit into memory",
                         e->options.name);
    else if (!cholmod_l_factorize(A, f->factor, &f->common) || f->common.status != CHOLMOD_OK)
        status = f->common.status == CHOLMOD_NOT_POSDEF
                     ? rg_fail(e->ctx, RG_ERR_CONVERGENCE,
                               "the matrix of '%s' is not positive definite", e->options.name)
                     : rg_fail(e->ctx, RG_ERR_MEMORY, "the factors of '%s' do not fit into memory",
                               e->options.name);
    if (A) cholmod_l_free_sparse(&A, &f->common);
    return status;
}

static rg_status solve(rg_elliptic *e, void *state, const double *b, double *x)
{
    direct *f = state;

    for (int64_t r = 0; r < e->n; r++)
        ((double *)f->b->x)[r] = b[r];
    if (!cholmod_l_solve2(CHOLMOD_A, f->factor, f->b, NULL, &f->x, NULL, &f->y, &f->work,
                          &f->common))
        return rg_fail(e->ctx, RG_ERR_MEMORY, "no memory for a solve with '%s'", e->options.name);
    for (int64_t r = 0; r < e->n; r++)
        x[r] = ((double *)f->x->x)[r];
    return RG_OK;
}

const rg_elliptic_method rg_elliptic_direct = {
    .name = "direct", .create = create, .solve = solve, .destroy = destroy};
