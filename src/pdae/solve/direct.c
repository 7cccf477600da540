/* Solves with a sparse Cholesky factorization (CHOLMOD).  Of a matrix that changes little from
 * solve to solve the old factors are kept as a preconditioner, as long as few iterations do. */
#include "linalg/lazy.h"
#include "linalg/lazy_cholmod.h"
#include "pdae/solve/gradients.h"
#include "pdae/solve/tuning.h"

#include <string.h>

typedef struct {
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_sparse *A;               /* of the last factorization: its pattern has been analysed */
    cholmod_dense *b, *x, *y, *work; /* kept from solve to solve */
    rg_elliptic_rows rows;           /* the matrix that is to be solved with */
    bool is_stale;                   /* the factors are those of an earlier one */
    bool has_many_solves;
    rg_gradients outer;
} direct;

static void destroy(rg_elliptic *e, void *state)
{
    direct *f = state;

    rg_elliptic_rows_free(e->ctx, &f->rows);
    rg_gradients_free(e->ctx, &f->outer);
    if (f->A) cholmod_l_free_sparse(&f->A, &f->common);
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

static bool same_pattern(const cholmod_sparse *A, const cholmod_sparse *B)
{
    const SuiteSparse_long *p = A->p, *q = B->p;
    const size_t n = A->ncol, entries = (size_t)p[n];

    return n == B->ncol && p[n] == q[n] && memcmp(p, q, (n + 1) * sizeof *p) == 0
           && memcmp(A->i, B->i, entries * sizeof *p) == 0;
}

/* The analysis of the pattern, as long as factors, is kept while the pattern stays. */
static rg_status factorize(rg_elliptic *e, direct *f)
{
    cholmod_sparse *A = lower_triangle(e, &f->rows, &f->common);

    f->is_stale = false;
    /* Dense blocks make factors faster, columns one by one the solves with them. */
    const int kind =
        f->has_many_solves && e->n <= RG_GRID_BY_COLUMNS ? CHOLMOD_SIMPLICIAL : CHOLMOD_AUTO;
    const bool is_other = f->common.supernodal != kind;
    f->common.supernodal = kind;
    if (f->factor && (A == NULL || is_other || !same_pattern(A, f->A)))
        cholmod_l_free_factor(&f->factor, &f->common);
    if (f->A) cholmod_l_free_sparse(&f->A, &f->common);
    f->A = A;
    if (A && f->factor == NULL) f->factor = cholmod_l_analyze(A, &f->common);
    if (f->factor && cholmod_l_factorize(A, f->factor, &f->common)
        && f->common.status == CHOLMOD_OK)
        return RG_OK;
    if (f->factor && f->common.status == CHOLMOD_NOT_POSDEF)
        return rg_fail(e->ctx, RG_ERR_CONVERGENCE, "the matrix of '%s' is not positive definite",
                       e->options.name);
    return rg_fail(e->ctx, RG_ERR_MEMORY, "the factors of '%s' do not fit into memory",
                   e->options.name);
}

static rg_status renew(rg_elliptic *e, void *state)
{
    direct *f = state;

    rg_elliptic_rows_free(e->ctx, &f->rows);
    RG_TRY(rg_elliptic_rows_create(e, &f->rows));
    f->has_many_solves = e->options.reused || f->factor != NULL;
    if (f->factor == NULL || e->singular) return factorize(e, f);
    f->is_stale = true;
    f->outer.diagonal = f->rows.diagonal;
    return RG_OK;
}

static rg_status create(rg_elliptic *e, void **state)
{
    direct *f = rg_alloc(e->ctx, 1, sizeof *f);

    if (f == NULL) return RG_ERR_MEMORY;
    *state = f;
    RG_TRY(rg_library_load(e->ctx, RG_LIBRARY_CHOLMOD));
    cholmod_l_start(&f->common);
    f->common.print = 0;
    f->b = cholmod_l_allocate_dense((size_t)e->n, 1, (size_t)e->n, CHOLMOD_REAL, &f->common);
    if (f->b == NULL)
        return rg_fail(e->ctx, RG_ERR_MEMORY, "no memory for a solve with '%s'", e->options.name);
    return renew(e, f);
}

static rg_status solve_with_factors(rg_elliptic *e, direct *f, const double *b, double *x)
{
    memcpy(f->b->x, b, (size_t)e->n * sizeof *b);
    if (!cholmod_l_solve2(CHOLMOD_A, f->factor, f->b, NULL, &f->x, NULL, &f->y, &f->work,
                          &f->common))
        return rg_fail(e->ctx, RG_ERR_MEMORY, "no memory for a solve with '%s'", e->options.name);
    memcpy(x, f->x->x, (size_t)e->n * sizeof *x);
    return RG_OK;
}

static void multiply(void *of, double *x, double *out)
{
    const rg_elliptic_rows *A = &((direct *)of)->rows;

    for (int64_t i = 0; i < A->n; i++) {
        double sum = A->diagonal[i] * x[i];
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
            sum -= A->value[k] * x[A->col[k]];
        out[i] = sum;
    }
}

static void precondition(void *of, double *r, double *z)
{
    direct *f = of;

    memcpy(f->b->x, r, (size_t)f->rows.n * sizeof *r);
    if (cholmod_l_solve2(CHOLMOD_A, f->factor, f->b, NULL, &f->x, NULL, &f->y, &f->work,
                         &f->common))
        memcpy(z, f->x->x, (size_t)f->rows.n * sizeof *z);
    else
        memcpy(z, r,
               (size_t)f->rows.n * sizeof *z); /* no memory: the iteration will not converge */
}

static rg_status solve(rg_elliptic *e, void *state, const double *b, double *x)
{
    direct *f = state;

    if (f->is_stale) {
        if (f->outer.memory == NULL) RG_TRY(rg_gradients_create(e->ctx, e->n, &f->outer));
        f->outer.of = f;
        f->outer.multiply = multiply;
        f->outer.precondition = precondition;
        f->outer.most = RG_GRID_STALE;
        RG_TRY(rg_gradients_solve(e, &f->outer, b, x));
        if (f->outer.has_converged) return RG_OK;
        RG_TRY(factorize(e, f));
    }
    return solve_with_factors(e, f, b, x);
}

const rg_elliptic_method rg_elliptic_direct = {.name = "direct",
                                               .create = create,
                                               .solve = solve,
                                               .destroy = destroy,
                                               .renew = renew,
                                               .is_direct = true};
