/* The Newton matrix of an implicit method: dense or sparse, formed, factored, solved. */
#include "base/vector.h"
#include "linalg/matrix_impl.h"
#include "linalg/tuning.h"

#include <math.h>
#include <string.h>

static rg_status copy_pattern(rg_matrix *m, const rg_pattern *p)
{
    const size_t columns = (size_t)p->n_columns + 1, entries = (size_t)p->start[p->n_columns];

    m->pattern = *p;
    m->pattern.start = rg_alloc(m->ctx, columns, sizeof *p->start);
    m->pattern.row = rg_alloc(m->ctx, entries + 1, sizeof *p->row);
    if (m->pattern.start == NULL || m->pattern.row == NULL) return RG_ERR_MEMORY;
    memcpy(m->pattern.start, p->start, columns * sizeof *p->start);
    if (entries > 0) memcpy(m->pattern.row, p->row, entries * sizeof *p->row);
    return RG_OK;
}

static bool wants_dense(const rg_pattern *p)
{
    const double n = (double)p->n_columns, fill = (double)p->start[p->n_columns];

    if (n <= RG_MATRIX_DENSE_ROWS) return true;
    return n <= RG_MATRIX_LAPACK_ROWS && fill > RG_MATRIX_DENSE_FILL * n * n;
}

/* other: NULL, or a matrix to share with */
static rg_status create(rg_context *ctx, const rg_pattern *pattern, const rg_matrix *other,
                        bool is_complex, rg_matrix **out)
{
    rg_matrix *m = rg_alloc(ctx, 1, sizeof *m);

    *out = NULL;
    if (m == NULL) return RG_ERR_MEMORY;
    m->ctx = ctx;
    m->is_complex = is_complex;
    rg_status status = copy_pattern(m, pattern);
    if (status != RG_OK)
        ;
    else if (other != NULL ? other->lu != NULL : wants_dense(pattern))
        status = rg_lu_create(ctx, pattern->n_columns, is_complex, &m->lu);
    else if (other != NULL)
        status = rg_sparse_create_like(other->sparse, is_complex, &m->sparse);
    else
        status = rg_sparse_create(ctx, pattern, is_complex, &m->sparse);
    if (status == RG_OK)
        *out = m;
    else
        rg_matrix_destroy(&m);
    return status;
}

rg_status rg_matrix_create(rg_context *ctx, const rg_pattern *pattern, bool is_complex,
                           rg_matrix **out)
{
    return create(ctx, pattern, NULL, is_complex, out);
}

rg_status rg_matrix_create_like(const rg_matrix *other, bool is_complex, rg_matrix **out)
{
    return create(other->ctx, &other->pattern, other, is_complex, out);
}

void rg_matrix_destroy(rg_matrix **m)
{
    rg_matrix *x = *m;

    if (x == NULL) return;
    rg_lu_destroy(&x->lu);
    rg_sparse_destroy(&x->sparse);
    rg_free(x->ctx, x->pins);
    rg_free(x->ctx, x->pattern.start);
    rg_free(x->ctx, x->pattern.row);
    rg_free(x->ctx, x);
    *m = NULL;
}

rg_status rg_matrix_pin(rg_matrix *m, int count, const int *rows, const int *columns)
{
    int *pins = rg_alloc(m->ctx, 2 * (size_t)count + 1, sizeof *pins);

    if (pins == NULL) return RG_ERR_MEMORY;
    rg_free(m->ctx, m->pins);
    m->pins = pins;
    m->n_pins = count;
    memcpy(pins, rows, (size_t)count * sizeof *pins);
    memcpy(pins + count, columns, (size_t)count * sizeof *pins);
    rg_sparse_destroy(&m->sparse);
    return m->lu != NULL ? RG_OK
                         : rg_lu_create(m->ctx, m->pattern.n_columns, m->is_complex, &m->lu);
}

bool rg_matrix_is_sparse(const rg_matrix *m)
{
    return m->sparse != NULL;
}

/* A <- Jy + x Jyp, into entries `stride` apart */
static void fill_part(const rg_pattern *p, double x, const double *Jy, const double *Jyp,
                      int64_t stride, double *A)
{
    for (int64_t j = 0; j < p->n_columns; j++) {
        double *column = A + stride * j * p->n_rows;
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
            column[stride * p->row[k]] =
                (Jy != NULL ? Jy[k] : 0.0) + (Jyp != NULL ? x * Jyp[k] : 0.0);
    }
}

/* Row i of A <- unit vector of its pinned column */
static void fill_pins(const rg_matrix *m)
{
    const rg_lu *lu = m->lu;

    for (int k = 0; k < m->n_pins; k++) {
        const int64_t row = m->pins[k], column = m->pins[m->n_pins + k];
        for (int64_t j = 0; j < lu->n; j++) {
            double *a = lu->A + lu->stride * (j * lu->n + row);
            a[0] = j == column;
            if (m->is_complex) a[lu->imaginary] = 0.0;
        }
    }
}

/* D = diag(1/sum_j |Jy| + |re + i im| |Jyp|) */
static bool find_scale(const rg_matrix *m, double size, const double *Jy, const double *Jyp)
{
    const rg_pattern *p = &m->pattern;
    const int64_t entries = p->start[p->n_columns];
    double *sum = m->lu->scale;

    memset(sum, 0, (size_t)m->lu->n * sizeof *sum);
    if (Jyp != NULL)
        for (int64_t k = 0; k < entries; k++)
            sum[p->row[k]] += fabs(Jy[k]) + size * fabs(Jyp[k]);
    else
        for (int64_t k = 0; k < entries; k++)
            sum[p->row[k]] += fabs(Jy[k]);
    for (int k = 0; k < m->n_pins; k++)
        sum[m->pins[k]] = 1.0;
    return rg_lu_invert_sums(m->lu->n, sum);
}

RG_APART void fill_small_pins(const rg_matrix *m, int64_t ld)
{
    const rg_lu *lu = m->lu;

    for (int k = 0; k < m->n_pins; k++) {
        double *row = lu->small.U + lu->place[m->pins[k]];
        for (int64_t j = 0; j < lu->n; j++) {
            row[j * ld] = j == m->pins[m->n_pins + k];
            if (m->is_complex) row[(lu->n + j) * ld] = 0.0;
        }
    }
}

/* D (Jy + re Jyp) without LAPACK, rows where the pivots of the last time want them */
static void fill_small(const rg_matrix *m, double re, const double *Jy, const double *Jyp)
{
    const rg_pattern *p = &m->pattern;
    const int64_t n = m->lu->n, ld = rg_padded(n);
    const double *restrict scale = m->lu->scale;
    const int *restrict place = m->lu->place;
    double *restrict a = m->lu->small.U;

    rg_clear(a, n * ld);
    for (int64_t j = 0, k = 0; j < n; j++, a += ld) {
        const int64_t end = p->start[j + 1];
        for (; Jyp == NULL && k < end; k++)
            a[place[p->row[k]]] = scale[p->row[k]] * Jy[k];
        for (; k < end; k++)
            a[place[p->row[k]]] = scale[p->row[k]] * (Jy[k] + re * Jyp[k]);
    }
}

/* D (Jy + (re + i im) Jyp); most entries have no Jyp */
RG_APART void fill_small_complex(const rg_matrix *m, double re, double im, const double *Jy,
                                 const double *Jyp)
{
    const rg_pattern *p = &m->pattern;
    const int64_t n = m->lu->n, ld = rg_padded(n), imaginary = n * ld;
    const double *restrict scale = m->lu->scale;
    const int *restrict place = m->lu->place;
    double *restrict a = m->lu->small.U;

    rg_clear(a, 2 * imaginary);
    for (int64_t j = 0, k = 0; j < n; j++, a += ld) {
        const int64_t end = p->start[j + 1];
        for (; Jyp == NULL && k < end; k++)
            a[place[p->row[k]]] = scale[p->row[k]] * Jy[k];
        for (; k < end; k++) {
            const double d = scale[p->row[k]];
            double *at = a + place[p->row[k]];
            *at = d * Jy[k];
            if (Jyp[k] == 0.0) continue;
            *at += re * (d * Jyp[k]);
            at[imaginary] = im * (d * Jyp[k]);
        }
    }
}

/* like: NULL, or a matrix with the same Jacobians whose D will do: D must only be right in size */
static rg_status prepare_small(const rg_matrix *m, const rg_matrix *like, double re, double im,
                               const double *Jy, const double *Jyp)
{
    const size_t bytes = (size_t)m->lu->n * sizeof(double);

    if (like != NULL && like->lu != NULL && !like->lu->uses_lapack) {
        if (like != m) memcpy(m->lu->scale, like->lu->scale, bytes);
    } else if (!find_scale(m, fabs(re) + fabs(im), Jy, Jyp)) {
        return (rg_status)RG_RETRY;
    }
    if (m->is_complex)
        fill_small_complex(m, re, im, Jy, Jyp);
    else
        fill_small(m, re, Jy, Jyp);
    if (m->n_pins > 0) fill_small_pins(m, rg_padded(m->lu->n));
    return RG_OK;
}

static void fill_dense(const rg_matrix *m, double re, double im, const double *Jy,
                       const double *Jyp)
{
    const rg_lu *lu = m->lu;
    const size_t n = (size_t)lu->n;

    memset(lu->A, 0, n * n * (m->is_complex ? 2 : 1) * sizeof *lu->A);
    fill_part(&m->pattern, re, Jy, Jyp, lu->stride, lu->A);
    if (m->is_complex) fill_part(&m->pattern, im, NULL, Jyp, lu->stride, lu->A + lu->imaginary);
    fill_pins(m);
}

static void fill_sparse(const rg_matrix *m, double re, double im, const double *Jy,
                        const double *Jyp)
{
    const int64_t entries = m->pattern.start[m->pattern.n_columns];
    double *a = rg_sparse_values(m->sparse);

    for (int64_t k = 0; k < entries; k++) {
        const double d = Jyp != NULL ? Jyp[k] : 0.0;
        if (!m->is_complex) {
            a[k] = re * d + Jy[k];
        } else {
            a[2 * k] = re * d + Jy[k];
            a[2 * k + 1] = im * d;
        }
    }
}

rg_status rg_matrix_prepare(rg_matrix *m, const rg_matrix *like, double re, double im,
                            const double *Jy, const double *Jyp)
{
    if (m->lu != NULL && !m->lu->uses_lapack) return prepare_small(m, like, re, im, Jy, Jyp);
    if (m->lu != NULL) {
        fill_dense(m, re, im, Jy, Jyp);
        return RG_OK;
    }
    fill_sparse(m, re, im, Jy, Jyp);
    return rg_sparse_prepare(m->sparse);
}

rg_status rg_matrix_compute(rg_matrix *m)
{
    if (m->lu == NULL) return rg_sparse_compute(m->sparse);
    return m->lu->uses_lapack ? rg_lu_factor(m->lu) : rg_lu_factor_small(m->lu);
}

rg_status rg_matrix_report(const rg_matrix *m, rg_status status)
{
    if (status != RG_ERR_MEMORY) return status;
    rg_fail(m->ctx, status, "the factors of %lld unknowns do not fit into memory",
            (long long)m->pattern.n_columns);
    return rg_remedy(m->ctx, "use a coarser grid, or a machine with more memory");
}

rg_status rg_matrix_factor(rg_matrix *m, double re, double im, const double *Jy, const double *Jyp)
{
    RG_TRY(rg_matrix_prepare(m, NULL, re, im, Jy, Jyp));
    return rg_matrix_report(m, rg_matrix_compute(m));
}

rg_status rg_matrix_factor_near(rg_matrix *m, double re, double im, const double *Jy,
                                const double *Jyp)
{
    RG_TRY(rg_matrix_prepare(m, m, re, im, Jy, Jyp));
    return rg_matrix_report(m, rg_matrix_compute(m));
}

void rg_matrix_solve(rg_matrix *m, double *b_re, double *b_im)
{
    for (int k = 0; k < m->n_pins; k++) {
        b_re[m->pins[k]] = 0.0;
        if (m->is_complex) b_im[m->pins[k]] = 0.0;
    }
    if (m->lu != NULL)
        rg_lu_solve(m->lu, b_re, b_im);
    else
        rg_sparse_solve(m->sparse, b_re, b_im);
}

static void solve_side(rg_matrix *m, const rg_sides *b, int k)
{
    const size_t size = (size_t)m->pattern.n_rows * sizeof(double);

    memmove(b->x_re[k], b->re[k], size);
    if (m->is_complex && b->im != NULL)
        memmove(b->x_im[k], b->im[k], size);
    else if (m->is_complex)
        memset(b->x_im[k], 0, size);
    rg_matrix_solve(m, b->x_re[k], m->is_complex ? b->x_im[k] : NULL);
}

void rg_matrix_solve_several(rg_matrix *m, int count, const rg_sides *b)
{
    for (int k = 0; k < count; k++) {
        const rg_sides left = rg_sides_from(b, k);
        const bool may = m->sparse != NULL && m->n_pins == 0 && count - k > 1;
        if (may && rg_sparse_solve_several(m->sparse, count - k, &left)) return;
        solve_side(m, b, k);
    }
}

bool rg_matrix_has_transposed(const rg_matrix *m)
{
    return m->sparse != NULL && m->n_pins == 0 && rg_sparse_has_transposed(m->sparse);
}

void rg_matrix_solve_transposed(rg_matrix *m, double *b)
{
    rg_sparse_solve_transposed(m->sparse, b);
}

void rg_pattern_multiply(const rg_pattern *p, const double *A, double a, const double *x, double *y)
{
    for (int64_t j = 0; j < p->n_columns; j++) {
        const double ax = a * x[j];
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
            y[p->row[k]] += A[k] * ax;
    }
}

void rg_matrix_work(const rg_matrix *m, double *factor, double *solve)
{
    const double n = (double)m->pattern.n_columns;

    *factor = n * n * n / 3.0;
    *solve = n * n;
    if (m->sparse != NULL) rg_sparse_work(m->sparse, factor, solve);
}
