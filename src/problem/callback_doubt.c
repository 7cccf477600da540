/* A Jacobian of the caller's that does not fit his function: looked at when a run has failed.
 *
 * Columns of dF/dy, and of dF/dy' where F has y', are compared with central differences at a point
 * near the start values,
 *
 *     D(d) = (F(x + d e_j) - F(x - d e_j)) / (2 d),      d and 8 d:
 *
 * their difference tells how far D can be trusted.  The worst entry is named. */
#include "problem/callback_doubt.h"
#include "base/context.h"
#include "base/random.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COLUMNS = 200 };

typedef struct {
    const rg_problem *p;
    double t;
    double *y, *yp, *plus, *minus, *near, *far; /* n numbers each */
    double *A, *B;                              /* of the caller: dF/dy, dF/dy' */
    double worst;                               /* so many times as far off as can be explained */
    int64_t row, column;
    int order;
    double theirs, ours;
} doubt;

static bool evaluate(const doubt *w, double *out)
{
    const rg_problem *p = w->p;
    const int result = p->residual != NULL ? p->residual(w->t, w->y, w->yp, out, p->user)
                                           : p->rhs(w->t, w->y, out, p->user);

    for (int64_t i = 0; result == 0 && p->rhs != NULL && i < p->n; i++)
        out[i] = -out[i];
    return result == 0;
}

/* D(d) of one column; x is y or y'. */
static bool difference(const doubt *w, double *x, int64_t j, double d, double *out)
{
    const double before = x[j];

    x[j] = before + d;
    bool is_good = evaluate(w, w->plus);
    x[j] = before - d;
    is_good = is_good && evaluate(w, w->minus);
    x[j] = before;
    for (int64_t i = 0; is_good && i < w->p->n; i++)
        out[i] = (w->plus[i] - w->minus[i]) / (2.0 * d);
    return is_good;
}

/* Rounding of the larger of the two values, and what the two steps differ by. */
static void compare(doubt *w, int order, int64_t row, int64_t j, double d, double theirs)
{
    const double ours = w->near[row], sum = fabs(theirs) + fabs(ours);
    const double rounding = DBL_EPSILON * (fabs(w->plus[row]) + fabs(w->minus[row])) / d;
    const double known = fabs(w->near[row] - w->far[row]) + 16.0 * rounding
                         + sqrt(sqrt(DBL_EPSILON)) * sum + DBL_MIN;
    const double off = fabs(theirs - ours) / known;

    if (isfinite(theirs) && !(off > w->worst)) return;
    w->worst = isfinite(theirs) ? off : INFINITY;
    w->row = row;
    w->column = j;
    w->order = order;
    w->theirs = theirs;
    w->ours = ours;
}

static void check_column(doubt *w, int order, int64_t j)
{
    const rg_problem *p = w->p;
    double *x = order == 0 ? w->y : w->yp;
    const double *J = order == 0 ? w->A : w->B;
    const double d = cbrt(DBL_EPSILON) * fmax(fabs(x[j]), 1.0);

    if (!difference(w, x, j, 8.0 * d, w->far) || !difference(w, x, j, d, w->near)) return;
    if (p->pattern_start == NULL) {
        for (int64_t i = 0; i < p->n; i++)
            compare(w, order, i, j, d, J[j * p->n + i]);
        return;
    }
    int64_t e = p->pattern_start[j];
    for (int64_t i = 0; i < p->n; i++) { /* what is not in the pattern is 0 */
        const bool is_there = e < p->pattern_start[j + 1] && p->pattern_row[e] == i;
        compare(w, order, i, j, d, is_there ? J[e++] : 0.0);
    }
}

static bool take_jacobian(const doubt *w)
{
    const rg_problem *p = w->p;
    const int64_t count = p->pattern_start != NULL ? p->pattern_start[p->n] : p->n * p->n;

    if (p->jacobian(w->t, w->y, w->yp, 0.0, w->A, p->user) != 0) return false;
    if (p->jacobian(w->t, w->y, w->yp, 1.0, w->B, p->user) != 0) return false;
    for (int64_t e = 0; e < count; e++)
        w->B[e] -= w->A[e];
    return true;
}

/* Near the start values, but not where entries vanish by chance. */
static void choose_point(doubt *w)
{
    const rg_problem *p = w->p;
    double *const x[2] = {w->y, w->yp};

    for (int r = 0; r < 2; r++)
        for (int64_t j = 0; j < p->n; j++) {
            const bool is_given = p->start[r].kind != NULL && p->start[r].kind[j] != RG_START_NONE;
            const double value = is_given ? p->start[r].value[j] : 0.0;
            const double part = (rg_random((uint64_t)r, (uint64_t)j) - 0.5) / 8.0;
            x[r][j] = value + part * (value != 0.0 ? fabs(value) : 1.0);
        }
}

static void find_worst(doubt *w)
{
    const int64_t n = w->p->n, step = n > MOST_COLUMNS ? n / MOST_COLUMNS : 1;

    w->worst = 1.0;
    w->column = -1;
    choose_point(w);
    if (!take_jacobian(w)) return;
    for (int64_t j = 0; j < n; j += step)
        for (int order = 0; order < (w->p->rhs != NULL ? 1 : 2); order++)
            check_column(w, order, j);
}

static void tell(const doubt *w)
{
    rg_error *error = &w->p->ctx->errors[0];
    char name[64];

    rg_variable_name(w->p, w->column, w->order, name, sizeof name);
    snprintf(error->remedy, sizeof error->remedy,
             "correct the Jacobian callback: near the start it says %.6g for the derivative of "
             "equation %lld by %s, and differences of the function say %.6g",
             w->theirs, (long long)w->row + 1, name, w->ours);
}

void rg_callback_blame(const rg_problem *p, rg_status status)
{
    const bool is_asked = status == RG_ERR_CONVERGENCE || status == RG_ERR_INCONSISTENT;

    if (!is_asked || p->jacobian == NULL) return;
    const size_t n = (size_t)p->n;
    const size_t count = p->pattern_start != NULL ? (size_t)p->pattern_start[n] : n * n;
    double *room =
        p->ctx->allocate(NULL, (6 * n + 2 * count) * sizeof *room, p->ctx->allocate_user);
    if (room == NULL) return;
    memset(room, 0, (6 * n + 2 * count) * sizeof *room);
    doubt w = {.p = p, .t = p->a, .y = room, .yp = room + n, .plus = room + 2 * n};
    w.minus = w.plus + n;
    w.near = w.minus + n;
    w.far = w.near + n;
    w.A = w.far + n;
    w.B = w.A + count;
    find_worst(&w);
    if (w.column >= 0) tell(&w);
    p->ctx->allocate(room, 0, p->ctx->allocate_user);
}
