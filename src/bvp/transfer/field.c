/* Coefficients of the linear equations at one time, and the projectors that the transfer needs. */
#include "bvp/transfer/field.h"

#include "bvp/transfer/tuning.h"
#include "linalg/dense.h"
#include "linalg/vectors.h"

#include <math.h>
#include <string.h>

static rg_status take_memory(rg_field *w)
{
    const size_t m = (size_t)w->m;
    double **const square[] = {&w->A, &w->dA, &w->B,    &w->Q,       &w->X,
                               &w->K, &w->V,  &w->work, &w->inverse, &w->plain};
    double **const vector[] = {&w->f, &w->s, &w->scale, &w->column};

    for (size_t k = 0; k < sizeof square / sizeof *square; k++)
        if ((*square[k] = rg_alloc(w->ctx, m * m, sizeof(double))) == NULL) return RG_ERR_MEMORY;
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        if ((*vector[k] = rg_alloc(w->ctx, m, sizeof(double))) == NULL) return RG_ERR_MEMORY;
    if ((w->last = rg_alloc(w->ctx, 3 * m * m, sizeof *w->last)) == NULL) return RG_ERR_MEMORY;
    RG_TRY(rg_lu_create(w->ctx, w->m, false, &w->adjoint));
    return rg_lu_create(w->ctx, w->m, false, &w->lu);
}

/* Divides the rows of A, A', B and f by the largest entry of A/L and B in them. */
static void scale_rows(rg_field *w)
{
    const int m = w->m;

    for (int i = 0; i < m; i++)
        w->scale[i] = 0.0;
    for (int k = 0; k < m * m; k++)
        w->scale[k % m] = fmax(w->scale[k % m], fmax(fabs(w->A[k]) / w->length, fabs(w->B[k])));
    for (int i = 0; i < m; i++) {
        w->scale[i] = w->scale[i] > 0.0 ? 1.0 / w->scale[i] : 1.0;
        w->f[i] *= w->scale[i];
    }
    for (int k = 0; k < m * m; k++) {
        w->A[k] *= w->scale[k % m];
        w->B[k] *= w->scale[k % m];
        w->dA[k] *= w->scale[k % m];
    }
}

/* Q = sum v v^T over the right singular vectors v of A from its rank on. */
static rg_status find_projector(rg_field *w, int *rank)
{
    const int m = w->m;

    RG_TRY(rg_svd(w->ctx, m, m, w->A, w->s, NULL, w->V));
    for (*rank = 0; *rank < m && w->s[*rank] > RG_TRANSFER_RANK_TOL * w->s[0];)
        ++*rank;
    memset(w->Q, 0, (size_t)m * (size_t)m * sizeof *w->Q);
    for (int k = *rank; k < m; k++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < m; i++)
                w->Q[j * m + i] += w->V[k * m + i] * w->V[k * m + j];
    return RG_OK;
}

/* Ten digits of a time, for messages. */
static double ten_digits(double t)
{
    const double scale = t != 0.0 ? pow(10.0, 9.0 - floor(log10(fabs(t)))) : 1.0;

    return isfinite(scale) ? round(t * scale) / scale : t;
}

static rg_status fail_rank(const rg_field *w, double t, int rank)
{
    char number[32];

    rg_fail(w->ctx, RG_ERR_METHOD,
            "the rank of the matrix of the derivatives changes from %d to %d at %s: no index 1 "
            "problem",
            w->rank, rank, rg_real_text(ten_digits(t), number));
    rg_fail_time(w->ctx, t);
    return rg_remedy(w->ctx, "end the interval before this place, or take --method collocation");
}

/* The rank is another one at t: halving between t and the last place where it was right. */
static rg_status locate_rank(rg_field *w, double t, int rank)
{
    double good = w->good_t;
    const double gap = 1e-12 * fabs(t - good);

    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (good + t);
        int found;
        if (middle == good || middle == t) break;
        if (rg_field_force(w, middle) != RG_OK || find_projector(w, &found) != RG_OK) break;
        if (found == w->rank) {
            good = middle;
        } else {
            t = middle;
            rank = found;
        }
    }
    return fail_rank(w, fabs(t) <= gap ? 0.0 : t, rank);
}

/* Projectors, X, K and G depend on A, A' and B alone: of constant coefficients they are computed
 * once. */
static void forget_others(rg_field *w)
{
    const size_t size = (size_t)w->m * (size_t)w->m, bytes = size * sizeof(double);

    if (memcmp(w->last, w->A, bytes) == 0 && memcmp(w->last + size, w->dA, bytes) == 0
        && memcmp(w->last + 2 * size, w->B, bytes) == 0)
        return;
    memcpy(w->last, w->A, bytes);
    memcpy(w->last + size, w->dA, bytes);
    memcpy(w->last + 2 * size, w->B, bytes);
    w->has_Q = w->has_X = w->has_G = false;
}

rg_status rg_field_force(rg_field *w, double t)
{
    if (w->is_fixed && t == w->t) return RG_OK;
    w->t = NAN;
    w->evaluations++;
    RG_TRY(w->coefficients(w->user, t, w->A, w->dA, w->B, w->f));
    scale_rows(w);
    forget_others(w);
    w->t = t;
    return RG_OK;
}

rg_status rg_field_at(rg_field *w, double t)
{
    int rank = w->rank;

    RG_TRY(rg_field_force(w, t));
    if (!w->is_varying || w->has_Q) return RG_OK;
    RG_TRY(find_projector(w, &rank));
    if (rank != w->rank) return locate_rank(w, t, rank);
    w->has_Q = true;
    w->good_t = t;
    return RG_OK;
}

/* A^T/L + Q M^T for M = B - A'. */
static void fill_adjoint(rg_field *w)
{
    const int m = w->m;
    double *C = rg_lu_values(w->adjoint);

    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            w->work[j * m + i] = w->B[i * m + j] - w->dA[i * m + j];
    if (w->rank < m)
        rg_multiply(m, m, m, w->Q, w->work, C);
    else
        memset(C, 0, (size_t)m * (size_t)m * sizeof *C);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            C[j * m + i] += w->A[i * m + j] / w->length;
}

/* X of (E1).  Rows are scaled by D:  A^-T of them is D^-1 A^-T, which is kept where A is
 * constant and regular. */
static rg_status find_X(rg_field *w)
{
    const int m = w->m, square = m * m;

    if (w->has_plain) {
        for (int k = 0; k < square; k++)
            w->X[k] = w->plain[k] / w->scale[k % m];
        return RG_OK;
    }
    fill_adjoint(w);
    w->factorizations++;
    RG_TRY(rg_lu_factor(w->adjoint));
    for (int k = 0; k < square; k++)
        w->X[k] = ((k % m == k / m) - w->Q[k]) / w->length; /* P/L */
    rg_lu_solve_all(w->adjoint, m, w->X);
    for (int k = 0; k < square && w->is_plain; k++)
        w->plain[k] = w->X[k] * w->scale[k % m];
    w->has_plain = w->is_plain;
    return RG_OK;
}

rg_status rg_field_transfer(rg_field *w, double t)
{
    const int m = w->m;

    RG_TRY(rg_field_at(w, t));
    if (w->has_X) return RG_OK;
    RG_TRY(find_X(w));
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            w->work[j * m + i] = w->B[i * m + j];
    rg_multiply(m, m, m, w->work, w->X, w->K);
    w->has_X = true;
    return RG_OK;
}

static double norm_1(int m, const double *M)
{
    double largest = 0.0;

    for (int j = 0; j < m; j++) {
        double sum = 0.0;
        for (int i = 0; i < m; i++)
            sum += fabs(M[j * m + i]);
        if (!(sum <= largest)) largest = sum;
    }
    return largest;
}

static rg_status fail_index(const rg_field *w, double t)
{
    char number[32];

    rg_fail(w->ctx, RG_ERR_METHOD,
            "the equations are not of index 1 at %s: A + B Q is singular or nearly so",
            rg_real_text(ten_digits(t), number));
    rg_fail_time(w->ctx, t);
    return rg_remedy(w->ctx, "end the interval before this place, or take --method collocation");
}

/* |G|_1 |G^-1|_1 of the factored G, which is in w->inverse; its inverse is there then. */
static double condition(rg_field *w)
{
    const int m = w->m;
    const double size = norm_1(m, w->inverse);

    memset(w->inverse, 0, (size_t)m * (size_t)m * sizeof *w->inverse);
    for (int j = 0; j < m; j++)
        w->inverse[j * m + j] = 1.0;
    rg_lu_solve_all(w->lu, m, w->inverse);
    return size * norm_1(m, w->inverse);
}

/* Sign of the determinant of M (m x m), which is destroyed: Gauss elimination with row pivots. */
static int sign_of_determinant(int m, double *M)
{
    int sign = 1;

    for (int k = 0; k < m; k++) {
        int p = k;
        for (int i = k + 1; i < m; i++)
            if (fabs(M[k * m + i]) > fabs(M[k * m + p])) p = i;
        if (M[k * m + p] == 0.0) return 0;
        for (int j = k; j < m && p != k; j++) {
            const double x = M[j * m + k];
            M[j * m + k] = M[j * m + p];
            M[j * m + p] = x;
        }
        if ((p != k) != (M[k * m + k] < 0.0)) sign = -sign;
        for (int j = k + 1; j < m; j++) {
            const double factor = M[j * m + k] / M[k * m + k];
            for (int i = k + 1; i < m; i++)
                M[j * m + i] -= factor * M[k * m + i];
        }
    }
    return sign;
}

rg_status rg_field_decouple(rg_field *w, double t)
{
    const int m = w->m;

    RG_TRY(rg_field_at(w, t));
    if (w->has_G) return RG_OK;
    if (w->rank < m)
        rg_multiply(m, m, m, w->B, w->Q, w->work);
    else
        memset(w->work, 0, (size_t)m * (size_t)m * sizeof *w->work);
    for (int k = 0; k < m * m; k++) {
        w->work[k] += w->A[k] / w->length;
        w->inverse[k] = rg_lu_values(w->lu)[k] = w->work[k];
    }
    w->sign = sign_of_determinant(m, w->work);
    w->factorizations++;
    const rg_status status = rg_lu_factor(w->lu);
    if (status == RG_RETRY) return fail_index(w, t);
    if (status != RG_OK) return status;
    w->condition = condition(w);
    if (!(w->condition <= RG_TRANSFER_CONDITION_MAX)) return fail_index(w, t);
    if (w->condition > w->worst_condition) {
        w->worst_condition = w->condition;
        w->worst_t = t;
    }
    w->has_G = true;
    return RG_OK;
}

rg_status rg_field_check_index(rg_field *w, double t)
{
    return w->is_plain ? RG_OK : rg_field_decouple(w, t);
}

rg_status rg_field_locate(rg_field *w, double t_0, double t_1)
{
    RG_TRY(rg_field_decouple(w, t_0));
    const int sign = w->sign;
    for (int k = 0; k < 60; k++) { /* halving, until the condition fails or the place is exact */
        const double middle = 0.5 * (t_0 + t_1);
        if (middle == t_0 || middle == t_1) break;
        RG_TRY(rg_field_decouple(w, middle));
        if (w->sign == sign)
            t_0 = middle;
        else
            t_1 = middle;
    }
    return fail_index(w, t_1);
}

static void multiply_Q(const rg_field *w, const double *x, double *y)
{
    for (int i = 0; i < w->m; i++)
        y[i] = 0.0;
    for (int j = 0; j < w->m; j++)
        for (int i = 0; i < w->m; i++)
            y[i] += w->Q[j * w->m + i] * x[j];
}

void rg_field_algebraic(const rg_field *w, double *x)
{
    rg_lu_solve(w->lu, x, NULL);
    multiply_Q(w, x, w->column);
    memcpy(x, w->column, (size_t)w->m * sizeof *x);
}

void rg_field_project(const rg_field *w, double *x)
{
    if (w->rank == w->m) return;
    multiply_Q(w, x, w->column);
    for (int i = 0; i < w->m; i++)
        x[i] -= w->column[i];
}

rg_status rg_field_create(rg_context *ctx, int m, bool is_varying, bool is_fixed, double length,
                          rg_coefficients_fn *coefficients, void *user, double t, rg_field **out)
{
    rg_field *w = rg_alloc(ctx, 1, sizeof *w);
    rg_status status;

    *out = NULL;
    if (w == NULL) return RG_ERR_MEMORY;
    *w = (rg_field){.ctx = ctx,
                    .m = m,
                    .length = length,
                    .coefficients = coefficients,
                    .user = user,
                    .worst_t = t,
                    .good_t = t,
                    .t = NAN,
                    .is_fixed = is_fixed,
                    .is_varying = false};
    if ((status = take_memory(w)) == RG_OK && (status = rg_field_at(w, t)) == RG_OK)
        status = find_projector(w, &w->rank);
    w->is_varying = is_varying;
    if (status == RG_OK) status = rg_field_decouple(w, t);
    w->is_plain = is_fixed && !is_varying && w->rank == m;
    if (status == RG_RETRY) {
        rg_fail(ctx, RG_ERR_CONVERGENCE, "the equations cannot be evaluated");
        rg_fail_time(ctx, t);
        status = rg_remedy(ctx, "look for a division by 0 or a root of a negative number there");
    }
    if (status != RG_OK)
        rg_field_destroy(&w);
    else
        *out = w;
    return status;
}

void rg_field_destroy(rg_field **field)
{
    rg_field *w = *field;

    if (w == NULL) return;
    double *const all[] = {w->A, w->dA,    w->B,    w->f,      w->Q,    w->X,       w->K,    w->s,
                           w->V, w->scale, w->work, w->column, w->last, w->inverse, w->plain};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        rg_free(w->ctx, all[k]);
    rg_lu_destroy(&w->adjoint);
    rg_lu_destroy(&w->lu);
    rg_free(w->ctx, w);
    *field = NULL;
}
