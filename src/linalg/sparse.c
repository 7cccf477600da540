/* Sparse LU factors behind one interface: scaling, choice of the solver, check of the residual. */
#include "linalg/sparse_impl.h"
#include "linalg/tuning.h"

#include <math.h>
#include <string.h>

static size_t parts(const rg_sparse *s)
{
    return s->is_complex ? 2 : 1;
}

static rg_status take_memory(rg_sparse *s)
{
    const size_t n = (size_t)s->n, entries = (size_t)s->plan->start[n];

    s->values = rg_alloc(s->ctx, parts(s) * entries + 1, sizeof(double));
    s->A = rg_alloc(s->ctx, parts(s) * entries + 1, sizeof(double));
    s->x = rg_alloc(s->ctx, parts(s) * n + 1, sizeof(double));
    s->b = rg_alloc(s->ctx, parts(s) * n + 1, sizeof(double));
    s->r = rg_alloc(s->ctx, parts(s) * n + 1, sizeof(double));
    s->w = rg_alloc(s->ctx, parts(s) * n + 1, sizeof(double));
    return s->values && s->A && s->x && s->b && s->r && s->w ? RG_OK : RG_ERR_MEMORY;
}

/* Takes a user of the plan, also on failure. */
static rg_status create(rg_context *ctx, rg_sparse_plan *plan, bool is_complex, rg_sparse **out)
{
    rg_sparse *s = rg_alloc(ctx, 1, sizeof *s);

    if (s == NULL) {
        rg_sparse_plan_release(&plan);
        return RG_ERR_MEMORY;
    }
    s->ctx = ctx;
    s->plan = plan;
    s->n = plan->n;
    s->is_complex = is_complex;
    s->lu.ctx = ctx;
    rg_klu_init(s);
    rg_klu_long_init(s);
    const rg_status status = take_memory(s);
    if (status == RG_OK)
        *out = s;
    else
        rg_sparse_destroy(&s);
    return status;
}

rg_status rg_sparse_create(rg_context *ctx, const rg_pattern *pattern, bool is_complex,
                           rg_sparse **out)
{
    rg_sparse_plan *plan = NULL;

    *out = NULL;
    RG_TRY(rg_sparse_plan_create(ctx, pattern, &plan));
    RG_TRY(create(ctx, plan, is_complex, out));
    (*out)->is_first = true;
    return RG_OK;
}

rg_status rg_sparse_create_like(const rg_sparse *other, bool is_complex, rg_sparse **out)
{
    *out = NULL;
    other->plan->users++;
    return create(other->ctx, other->plan, is_complex, out);
}

void rg_sparse_set_general(rg_sparse *s)
{
    s->plan->is_general = true;
}

void rg_sparse_destroy(rg_sparse **sparse)
{
    rg_sparse *s = *sparse;

    if (s == NULL) return;
    rg_sparse_lu_clear(&s->lu);
    rg_klu_long_free(s);
    rg_umfpack_free(s);
    rg_sparse_plan_release(&s->plan);
    void *const arrays[] = {s->values, s->A, s->x, s->b, s->r, s->w, s->umfpack_wi, s->umfpack_w};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(s->ctx, arrays[k]);
    rg_free(s->ctx, s);
    *sparse = NULL;
}

double *rg_sparse_values(rg_sparse *s)
{
    return s->values;
}

bool rg_sparse_uses_umfpack(const rg_sparse *s)
{
    return s->plan->uses_umfpack;
}

void rg_sparse_work(const rg_sparse *s, double *factor, double *solve)
{
    *factor = RG_SPARSE_FACTOR_COST * s->multiplications;
    *solve = s->entries;
}

/* The first factorization with this pattern. */
static rg_status make_plan(rg_sparse *s)
{
    const int entries = s->plan->start[s->n];
    double *size = rg_alloc(s->ctx, (size_t)entries + 1, sizeof *size);

    if (size == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < entries; k++)
        size[k] = s->is_complex ? fabs(s->values[2 * k]) + fabs(s->values[2 * k + 1])
                                : fabs(s->values[k]);
    const rg_status status = rg_sparse_plan_make(s->plan, size);
    rg_free(s->ctx, size);
    return status;
}

/* Pivots pass from matrix to matrix here and not while others are factored side by side. */
static rg_status share_pivots(rg_sparse *s)
{
    rg_sparse_plan *p = s->plan;

    if (p->uses_umfpack || p->is_long) return RG_OK;
    if (s->lu.pivots == NULL && p->pivots != NULL) {
        RG_TRY(rg_sparse_lu_share(p->pivots, s->is_complex, &s->lu));
        rg_klu_note_work(s);
    }
    return RG_OK;
}

rg_status rg_sparse_prepare(rg_sparse *s)
{
    const int64_t entries = s->plan->start[s->n], count = entries * (int64_t)parts(s);
    double sum = 0.0;

    for (int64_t k = 0; k < count; k++)
        sum += fabs(s->values[k]);
    if (!isfinite(sum)) return (rg_status)RG_RETRY;
    if (!s->plan->is_made) RG_TRY(make_plan(s));
    if (s->plan->uses_umfpack) {
        RG_TRY(rg_sparse_plan_umfpack(s->plan, s->is_complex));
        RG_TRY(rg_umfpack_init(s));
    }
    RG_TRY(share_pivots(s));
    const int *source = s->plan->source;
    for (int64_t k = 0; k < entries; k++) {
        if (s->is_complex) {
            s->A[2 * k] = s->values[2 * source[k]];
            s->A[2 * k + 1] = s->values[2 * source[k] + 1];
        } else {
            s->A[k] = s->values[source[k]];
        }
    }
    return RG_OK;
}

static rg_status compute_klu(rg_sparse *s, bool may_refactor)
{
    return s->plan->is_long ? rg_klu_long_compute(s, may_refactor)
                            : rg_klu_compute(s, may_refactor);
}

rg_status rg_sparse_compute(rg_sparse *s)
{
    s->is_checked = s->is_refactored = s->is_overfull = false;
    return s->plan->uses_umfpack ? rg_umfpack_compute(s) : compute_klu(s, true);
}

/* The plan is not that of other matrices with factors. */
static bool may_change(const rg_sparse_plan *p)
{
    return !p->uses_umfpack && !p->is_long && p->users == 1;
}

/* Factors that are fuller than they should be: by an ordering for any pivots, or with 64 bits. */
static rg_status change(rg_sparse *s)
{
    rg_sparse_plan *p = s->plan;

    rg_sparse_lu_clear(&s->lu);
    if (p->is_reordered || !p->is_general)
        RG_TRY(rg_sparse_plan_lengthen(p));
    else if (p->has_diagonal && rg_umfpack_is_there())
        RG_TRY(rg_sparse_plan_change(p));
    else
        RG_TRY(rg_sparse_plan_reorder(p));
    RG_TRY(rg_sparse_prepare(s));
    return rg_sparse_compute(s);
}

rg_status rg_sparse_factor(rg_sparse *s)
{
    RG_TRY(rg_sparse_prepare(s));
    s->is_limited = may_change(s->plan) && s->plan->is_general && !s->plan->is_reordered;
    rg_status status = rg_sparse_compute(s);
    s->is_limited = false;
    while (s->is_overfull && may_change(s->plan)) {
        RG_TRY(change(s));
        status = RG_OK;
    }
    return status == RG_ERR_MEMORY ? rg_sparse_out_of_memory(s->ctx, s->n) : status;
}

/* x = A^-1 b in the order of the plan */
static void apply(rg_sparse *s, const double *b, double *x)
{
    if (s->umfpack != NULL) {
        rg_umfpack_solve(s, b, x);
    } else {
        memcpy(x, b, parts(s) * (size_t)s->n * sizeof *x);
        if (s->klu_long != NULL)
            rg_klu_long_solve(s, x);
        else
            rg_sparse_lu_solve(&s->lu, x);
    }
}

/* |z_i|_1 of a real or complex vector */
static double size_at(const rg_sparse *s, const double *z, int i)
{
    return s->is_complex ? fabs(z[2 * i]) + fabs(z[2 * i + 1]) : fabs(z[i]);
}

static void subtract_product(const rg_sparse_plan *p, const double *A, const double *x, double *r,
                             double *w)
{
    for (int j = 0; j < p->n; j++)
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            r[p->row[k]] -= A[k] * x[j];
            w[p->row[k]] += fabs(A[k]) * fabs(x[j]);
        }
}

static void subtract_zproduct(const rg_sparse_plan *p, const double *A, const double *x, double *r,
                              double *w)
{
    for (int j = 0; j < p->n; j++) {
        const double re = x[2 * j], im = x[2 * j + 1], size = fabs(re) + fabs(im);
        for (int k = p->start[j]; k < p->start[j + 1]; k++) {
            const int i = p->row[k];
            w[i] += (fabs(A[2 * k]) + fabs(A[2 * k + 1])) * size;
            r[2 * i] -= A[2 * k] * re - A[2 * k + 1] * im;
            r[2 * i + 1] -= A[2 * k] * im + A[2 * k + 1] * re;
        }
    }
}

/* r = b - A x, w = |b| + |A| |x| */
static void residual(rg_sparse *s)
{
    memcpy(s->r, s->b, parts(s) * (size_t)s->n * sizeof *s->r);
    for (int i = 0; i < s->n; i++)
        s->w[i] = size_at(s, s->b, i);
    if (s->is_complex)
        subtract_zproduct(s->plan, s->A, s->x, s->r, s->w);
    else
        subtract_product(s->plan, s->A, s->x, s->r, s->w);
}

/* max_i |r_i| / w_i; infinite where something is not finite */
static double backward_error(rg_sparse *s)
{
    double worst = 0.0;

    residual(s);
    for (int i = 0; i < s->n; i++) {
        const double size = size_at(s, s->r, i);
        if (size == 0.0) continue;
        if (!isfinite(size) || !isfinite(s->w[i])) return INFINITY;
        worst = fmax(worst, size / s->w[i]);
    }
    return worst;
}

/* x <- x + A^-1 r */
static double refine(rg_sparse *s)
{
    apply(s, s->r, s->w);
    for (size_t i = 0; i < parts(s) * (size_t)s->n; i++)
        s->x[i] += s->w[i];
    return backward_error(s);
}

static bool is_zero(const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (b[i] != 0.0) return false;
    return true;
}

/* The first solution with new factors: refined once where it is not good, and found again with new
 * pivots where the old ones are the reason.  That of b = 0 is 0 whatever the factors are.  What
 * cannot be helped shows as a Newton iteration that does not converge. */
static void check(rg_sparse *s)
{
    if (is_zero(s->b, parts(s) * (size_t)s->n)) return;
    s->is_checked = true;
    if (backward_error(s) <= RG_SPARSE_REFINE || refine(s) <= RG_SPARSE_REFINE || !s->is_refactored)
        return;
    if (compute_klu(s, false) == RG_OK) {
        apply(s, s->b, s->x);
        return;
    }
    for (size_t i = 0; i < parts(s) * (size_t)s->n; i++)
        s->x[i] = NAN;
    s->is_checked = false; /* there are no factors now: rg_sparse_solve sees to it */
}

/* b in the order of the plan, or NaN without factors: new pivots may have failed in check(). */
static bool load(rg_sparse *s, const double *re, const double *im)
{
    const int *image = s->plan->image;
    const bool has_factors = s->umfpack != NULL || s->klu_long != NULL || s->lu.is_there;

    for (int i = 0; i < s->n; i++) {
        const int k = s->plan->uses_umfpack ? image[i] : i;
        if (s->is_complex) {
            s->b[2 * k] = re[i];
            s->b[2 * k + 1] = im[i];
        } else {
            s->b[k] = re[i];
        }
        if (!has_factors) s->x[parts(s) * (size_t)i] = NAN;
    }
    return has_factors;
}

void rg_sparse_solve(rg_sparse *s, double *re, double *im)
{
    if (load(s, re, im)) {
        apply(s, s->b, s->x);
        if (!s->is_checked) check(s);
    }
    for (int i = 0; i < s->n; i++) {
        re[i] = s->x[parts(s) * (size_t)i];
        if (s->is_complex) im[i] = s->x[2 * i + 1];
    }
}

bool rg_sparse_has_transposed(const rg_sparse *s)
{
    return s->lu.is_there && !s->is_complex && !s->plan->uses_umfpack && !s->plan->is_long;
}

void rg_sparse_solve_transposed(rg_sparse *s, double *b)
{
    rg_sparse_lu_solve_transposed(&s->lu, b);
}
