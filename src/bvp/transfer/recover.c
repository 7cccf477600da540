/* The solution from the carried conditions.
 *
 *     U = (u_0 u_1 ...)  (m x r),   H = (h_0; h_1; ...):      U^T y = H,
 *     Py = U^T+ H,     y = Py + Q G^-1 (f - B Py),                                             (E6)
 *
 * instead of Petry (17a), (17b).  The columns of U lie in im A^T = im P and are scaled to length 1;
 * the singular values that give U^T+ also give cond(U), which says how well the conditions
 * determine the solution at t. */
#include "bvp/transfer/transfer_impl.h"

#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* Of U: an error of rtol in the carried conditions is multiplied by cond(U), so beyond 1/rtol no
 * digit is left. */
static double condition_limit(const rg_transfer *t)
{
    return fmin(1e12, 1.0 / t->options.rtol);
}

static double folded_time(const rg_transfer *t, double at)
{
    if (!t->is_folded || (at >= t->low && at <= t->high)) return at;
    return fmin(fmax(t->a + t->b - at, t->low), t->high);
}

/* All columns of U with length 1, and H; returns how many in *r. */
static rg_status collect(rg_transfer *t, double at, int *r)
{
    const int n = t->size;

    *r = 0;
    for (int k = 0; k < t->n_groups; k++) {
        const rg_group *group = &t->groups[k];
        rg_sweep *sweep = at >= group->t ? group->forward : group->backward;
        if (sweep == NULL) sweep = at >= group->t ? group->backward : group->forward;
        if (sweep == NULL) continue; /* nothing is carried from there */
        RG_TRY(rg_sweep_eval(sweep, at, t->U + *r * n, t->H + *r));
        *r += group->k;
    }
    for (int j = 0; j < *r; j++) {
        double length = 0.0;
        for (int i = 0; i < n; i++)
            length += t->U[j * n + i] * t->U[j * n + i];
        length = sqrt(length);
        if (!(length > 0.0) || !isfinite(t->H[j] / length)) return RG_RETRY;
        t->H[j] /= length;
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

/* Py = sum_k (V_k . H / s_k) U_k over the singular triples of U. */
static rg_status join(rg_transfer *t, double at, int r)
{
    const int n = t->size;
    double *left = t->V + (size_t)n * (size_t)n; /* behind the right vectors */

    RG_TRY(rg_svd(t->ctx, n, r, t->U, t->s, left, t->V));
    const double condition = r > 0 ? t->s[0] / t->s[r - 1] : 1.0;
    if (!(condition <= condition_limit(t))) return fail_condition(t, at, condition);
    if (condition > t->worst_condition) t->worst_condition = condition;
    if (r > 0) t->worst_inverse = fmax(t->worst_inverse, 1.0 / t->s[r - 1]);
    memset(t->y, 0, (size_t)n * sizeof *t->y);
    for (int k = 0; k < r; k++) {
        double along = 0.0;
        for (int i = 0; i < r; i++)
            along += t->V[k * r + i] * t->H[i];
        for (int i = 0; i < n; i++)
            t->y[i] += along / t->s[k] * left[k * n + i];
    }
    return RG_OK;
}

/* y = Py + Q G^-1 (f - B Py) */
static rg_status add_algebraic(rg_transfer *t, double at)
{
    const int n = t->size;
    rg_field *field = t->worker[0].field;
    double *x = t->H;

    RG_TRY(rg_field_decouple(field, at));
    memcpy(x, field->f, (size_t)n * sizeof *x);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            x[i] -= field->B[j * n + i] * t->y[j];
    rg_field_algebraic(field, x);
    for (int i = 0; i < n; i++)
        t->y[i] += x[i];
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
    int r = 0;

    rg_status status = collect(t, time, &r);
    if (status == RG_OK) status = join(t, at, r);
    if (status == RG_OK) status = add_algebraic(t, time);
    if (status == RG_OK) memcpy(y, t->y + (is_second ? t->m : 0), (size_t)t->m * sizeof *y);
    if (status == RG_OK && yp != NULL) status = find_slope(t, at, y, yp);
    return status == RG_RETRY ? fail_evaluation(t, at) : status;
}
