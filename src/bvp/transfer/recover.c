/* The solution from the carried conditions.
 *
 *     U = (u_0 u_1 ...)  (m x r),   H = (h_0; h_1; ...):      U^T y = H,
 *     Py = U^T+ H,     y = Py + Q G^-1 (f - B Py),                                             (E6)
 *
 * instead of Petry (17a), (17b).  The columns of U lie in im A^T = im P and are scaled to length 1.
 * With U = Z R, Z^T Z = I, R upper triangular, U^T+ = Z R^-T.  cond(U) says how well the conditions
 * determine the solution at t; its singular values take ten times as long as all else, so they are
 * looked at where |R^-1| in the Frobenius norm is larger than wherever they were looked at before:
 * it bounds 1/(the smallest one) from above, and is at most sqrt(r) times as large. */
#include "bvp/transfer/transfer_impl.h"

#include "bvp/transfer/tuning.h"
#include "linalg/dense.h"
#include "linalg/orthonormal.h"
#include "linalg/vectors.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of U: rounding of the carried conditions is multiplied by cond(U).  The tolerance does not matter
 * here: what an error of rtol becomes is in the estimate; quasilinearization and integrators have
 * no such estimate. */
static double condition_limit(const rg_transfer *t)
{
    const double most = RG_TRANSFER_JOINED_MAX;

    return rg_transfer_is_judged(t) ? most : fmin(most, 1.0 / t->options.rtol);
}

static double folded_time(const rg_transfer *t, double at)
{
    if (!t->is_folded || (at >= t->low && at <= t->high)) return at;
    return fmin(fmax(t->a + t->b - at, t->low), t->high);
}

/* All columns of U with length 1, and H; returns how many in *r.  R (n x trials + 1, or NULL): the
 * residuals of the conditions, in the order of H. */
static rg_status collect(rg_transfer *t, double at, double *R, int *r)
{
    const int n = t->size, columns = RG_SWEEP_TRIALS + 1;

    *r = 0;
    for (int k = 0; k < t->n_groups; k++) {
        const rg_group *group = &t->groups[k];
        rg_sweep *sweep = at >= group->t ? group->forward : group->backward;
        if (sweep == NULL) sweep = at >= group->t ? group->backward : group->forward;
        if (sweep == NULL) continue;                       /* nothing is carried from there */
        double *part = R != NULL ? R + n * columns : NULL; /* behind R: of one sweep */
        RG_TRY(rg_sweep_eval(sweep, at, t->U + *r * n, t->H + *r, part));
        for (int i = 0; i < group->k * columns && part != NULL; i++)
            R[i / group->k * n + *r + i % group->k] = part[i];
        *r += group->k;
    }
    for (int j = 0; j < *r; j++) {
        double length = 0.0;
        for (int i = 0; i < n; i++)
            length += t->U[j * n + i] * t->U[j * n + i];
        length = sqrt(length);
        if (!(length > 0.0) || !isfinite(t->H[j] / length)) return RG_RETRY;
        t->H[j] /= length;
        for (int c = 0; c < columns && R != NULL; c++)
            R[c * n + j] /= length;
        for (int i = 0; i < n; i++)
            t->U[j * n + i] /= length;
    }
    return RG_OK;
}

static rg_status fail_condition(const rg_transfer *t, double at, double condition)
{
    char number[32], time[32];

    rg_fail(t->ctx, RG_ERR_STRUCTURE,
            "the boundary conditions do not determine the solution%s at %s: condition number %s",
            t->quasi != NULL ? " of the linearized equations" : "", rg_real_text(at, time),
            rg_real_text(condition, number));
    rg_fail_time(t->ctx, at);
    return rg_remedy(t->ctx, "%s",
                     t->quasi != NULL
                         ? "start nearer to the solution: give '~' values or --guess FILE"
                         : "look for conditions that say the same, or for an eigenvalue problem");
}

/* Z (n x r), R, S = R^-T (r x r each), and room (n x r), in t->V. */
typedef struct {
    double *Z, *R, *S, *room;
} factors;

static factors factors_of(const rg_transfer *t)
{
    const size_t square = (size_t)t->size * (size_t)t->size;

    return (factors){t->V, t->V + square, t->V + 2 * square, t->V + 3 * square};
}

/* x = U^T+ H = Z R^-T H;  H is destroyed. */
static void invert(const rg_transfer *t, int r, double *H, double *x)
{
    const factors w = factors_of(t);

    rg_solve_transposed(r, w.R, H);
    rg_multiply(t->size, r, 1, w.Z, H, x);
}

/* The singular values of U. */
static rg_status find_condition(rg_transfer *t, double at, int r)
{
    RG_TRY(rg_svd(t->ctx, t->size, r, t->U, t->s, NULL, NULL));
    const double condition = r > 0 ? t->s[0] / t->s[r - 1] : 1.0;
    if (!(condition <= condition_limit(t))) return fail_condition(t, at, condition);
    if (condition > t->worst_condition) t->worst_condition = condition;
    if (r > 0) t->worst_inverse = fmax(t->worst_inverse, 1.0 / t->s[r - 1]);
    return RG_OK;
}

/* Whether the condition at a place with this |R^-1| may be the largest one. */
static bool is_news(const rg_transfer *t, double size)
{
    return !(size <= RG_TRANSFER_CONDITION_NEWS * t->told_inverse);
}

/* The factors of U, then Py = U^T+ H.  *size: |R^-1|. */
static rg_status join(rg_transfer *t, double at, bool is_plain, int r, double *size)
{
    const int n = t->size;
    const factors w = factors_of(t);

    memcpy(w.Z, t->U, (size_t)n * (size_t)r * sizeof *w.Z);
    const bool is_regular = rg_orthonormalize(n, r, w.Z, w.R) > 0.0;
    if (is_regular) rg_invert_transposed(r, w.R, w.S);
    *size = is_regular ? sqrt(rg_dot(r * r, w.S, w.S)) : INFINITY;
    if ((!is_plain || !is_regular) && is_news(t, *size)) {
        RG_TRY(find_condition(t, at, r));
        t->told_inverse = *size;
    }
    if (!is_regular) return RG_RETRY;
    invert(t, r, t->H, t->y);
    return RG_OK;
}

/* y += Q G^-1 (f - B y), after rg_field_decouple(); f may be NULL: 0. */
static void add_algebraic(rg_transfer *t, const double *f, double *y)
{
    const int n = t->size;
    const rg_field *field = t->worker[0].field;
    double *x = t->H;

    for (int i = 0; i < n; i++)
        x[i] = f != NULL ? f[i] : 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            x[i] -= field->B[j * n + i] * y[j];
    rg_field_algebraic(field, x);
    for (int i = 0; i < n; i++)
        y[i] += x[i];
}

/* y in its units at a time of the sweeps, in t->y; G and the factors of U stay.  is_plain: nobody
 * has asked for the solution there, so that its condition does not matter. */
static rg_status solve_at(rg_transfer *t, double at, double time, bool is_plain, double *R, int *r,
                          double *size)
{
    rg_field *field = t->worker[0].field;

    RG_TRY(collect(t, time, R, r));
    RG_TRY(join(t, at, is_plain, *r, size));
    if (field->rank == t->size) return RG_OK; /* Q = 0 */
    RG_TRY(rg_field_decouple(field, time));
    add_algebraic(t, field->f, t->y);
    return RG_OK;
}

/* The place of a node of the mesh in t->known; NULL: the time is none. */
static double *find_known(const rg_transfer *t, double time)
{
    const double sign = t->b > t->a ? 1.0 : -1.0;
    int64_t low = 0, high = t->n_mesh - 1;

    if (t->known == NULL) return NULL;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (sign * t->mesh[middle] < sign * time)
            low = middle + 1;
        else
            high = middle;
    }
    return t->mesh[low] == time ? t->known + low * (t->size + 1) : NULL;
}

/* The same, computed once at every node, unless its condition is to be looked at. */
static rg_status look_up(rg_transfer *t, double at, double time, bool is_plain)
{
    const size_t bytes = (size_t)t->size * sizeof *t->y;
    double *known = find_known(t, time);
    double size;
    int r = 0;

    if (known != NULL && !isnan(known[0]) && (is_plain || !is_news(t, known[t->size]))) {
        memcpy(t->y, known, bytes);
        return RG_OK;
    }
    RG_TRY(solve_at(t, at, time, is_plain, NULL, &r, &size));
    if (known != NULL) {
        memcpy(known, t->y, bytes);
        known[t->size] = size;
    }
    return RG_OK;
}

static rg_status fail_evaluation(const rg_transfer *t, double at)
{
    char time[32];

    rg_fail(t->ctx, RG_ERR_CONVERGENCE, "the solution cannot be computed at %s",
            rg_real_text(at, time));
    rg_fail_time(t->ctx, at);
    return rg_remedy(t->ctx, "look for a pole of a coefficient there, or for values beyond 1e308");
}

static rg_status find_slope(rg_transfer *t, double at, const double *y, double *yp)
{
    rg_worker *w = &t->worker[0];

    if (t->now != NULL) rg_transfer_curve_eval(t->now, at, NULL, w->y, NULL);
    return rg_linear_slope(w->linear, at, y, t->now != NULL ? w->y : NULL, yp);
}

rg_status rg_transfer_eval(rg_transfer *t, double at, double *y, double *yp)
{
    const double time = folded_time(t, at);
    const bool is_second = t->is_folded && time != at;

    rg_status status = look_up(t, at, time, false);
    for (int j = 0; j < t->m && status == RG_OK; j++)
        y[j] = t->unit[j] * t->y[(is_second ? t->m : 0) + j];
    if (status == RG_OK && yp != NULL) status = find_slope(t, at, y, yp);
    return status == RG_RETRY ? fail_evaluation(t, at) : status;
}

rg_status rg_transfer_point(rg_transfer *t, double time, const double **y)
{
    const rg_status status = look_up(t, time, time, true);

    *y = t->y;
    return status == RG_RETRY ? fail_evaluation(t, time) : status;
}

/* Rounding of U^T y = H itself:  eps |U^T+| (|U|^T |y|), row by row. */
static void add_rounding(const rg_transfer *t, int r, double *size, double *error)
{
    const int n = t->size;
    const factors w = factors_of(t);

    rg_multiply(n, r, r, w.Z, w.S, w.room); /* U^T+ */
    for (int j = 0; j < r; j++) {
        size[j] = 0.0;
        for (int i = 0; i < n; i++)
            size[j] += fabs(t->U[j * n + i] * t->y[i]);
        for (int i = 0; i < n; i++)
            error[i] += DBL_EPSILON * fabs(w.room[j * n + i]) * size[j];
    }
}

rg_status rg_transfer_error(rg_transfer *t, double time, double *R, const double **y,
                            double *method, double *rounding)
{
    const int n = t->size;
    double *e = R + 2 * n * (RG_SWEEP_TRIALS + 1), size;
    int r = 0;

    const rg_status status = solve_at(t, time, time, false, R, &r, &size);
    if (status != RG_OK) return status == RG_RETRY ? fail_evaluation(t, time) : status;
    *y = t->y;
    memset(rounding, 0, (size_t)n * sizeof *rounding);
    for (int c = 0; c <= RG_SWEEP_TRIALS; c++) {
        invert(t, r, R + c * n, e);
        if (t->worker[0].field->rank < n) add_algebraic(t, NULL, e);
        for (int i = 0; i < n; i++)
            if (c == 0)
                method[i] = fabs(e[i]);
            else
                rounding[i] = fmax(rounding[i], fabs(e[i]));
    }
    add_rounding(t, r, e, rounding);
    return RG_OK;
}
