/* Does a model of index 1 depend on derivatives of perturbations?
 *
 *     B(y) y' = a(y),    perturbed by delta:
 *     |y^ - y| <= C (|y^(0) - y(0)| + int |delta| + int |delta'|)          HLR89, after (1.14)
 *
 * delta' does not count where the rows are of the form  b_y(y) y' = f(y): then  v = b(y)  is a
 * differential unknown, and nothing is differentiated.  A row  sum_j B_j dy_j  is of that form in
 * unknowns j, k if  dB_j/dy_k = dB_k/dy_j.  Only unknowns that (undifferentiated) equations fix
 * move with delta itself, and their derivatives with delta': both of j and k must be such.  HLR's
 * example:  y1' - y3 y2' + y2 y3' = 0,  y2 = 0,  y3 = 0  has  dB_2/dy_3 = -1,  dB_3/dy_2 = 1.
 *
 * The derivatives of B are differences of exact Jacobians at a generic point. */
#include "views/perturbation.h"

#include "base/random.h"
#include "linalg/pattern.h"
#include "structure/analysis.h"
#include "views/system_impl.h"

#include <float.h>
#include <math.h>

enum { MOST_UNKNOWNS = 300, MOST_FIXED = 50 };

typedef struct {
    const rg_problem *p;
    const rg_analysis *a;
    rg_system *s;
    rg_system_work *work;
    int n_fixed;
    int64_t
        fixed[MOST_FIXED]; /* states whose value an equation fixes, with their derivative used */
    double *y, *yp, *Jy, *Jyp, *low;
} search;

/* Unknowns of the equations that are differentiated once. */
static void find_fixed(search *q)
{
    const rg_transversal *t = q->a->transversal;

    for (int64_t i = 0; i < q->p->n_rows && q->n_fixed < MOST_FIXED; i++) {
        const int32_t j = t->column_of_row[i];
        const int64_t state = j >= 0 ? rg_system_state(q->s, j, 0) : -1;
        if (q->a->c[i] == 1 && q->a->d[j] == 1 && state >= 0) q->fixed[q->n_fixed++] = state;
    }
}

static int64_t count(const search *q)
{
    const rg_pattern *pattern = rg_system_pattern(q->s);

    return pattern->start[pattern->n_columns];
}

static rg_status take_memory(search *q)
{
    const size_t n = (size_t)rg_system_size(q->s), nz = (size_t)count(q);

    q->y = rg_alloc(q->p->ctx, 2 * n + 3 * nz + 1, sizeof *q->y);
    if (q->y == NULL) return RG_ERR_MEMORY;
    q->yp = q->y + n;
    q->Jy = q->yp + n;
    q->Jyp = q->Jy + nz;
    q->low = q->Jyp + nz;
    for (size_t k = 0; k < 2 * n; k++)
        q->y[k] = 0.5 + rg_random(7, k);
    return rg_system_work_create(q->s, &q->work);
}

/* dB/dy_k times 2 delta, in pattern order, in q->Jyp. */
static rg_status differentiate(search *q, int64_t k, double delta)
{
    const double kept = q->y[k];

    q->y[k] = kept - delta;
    rg_status status = rg_system_jacobian(q->s, q->work, q->p->a, q->y, q->yp, q->Jy, q->low);
    q->y[k] = kept + delta;
    if (status == RG_OK)
        status = rg_system_jacobian(q->s, q->work, q->p->a, q->y, q->yp, q->Jy, q->Jyp);
    q->y[k] = kept;
    for (int64_t e = 0; e < count(q) && status == RG_OK; e++)
        q->Jyp[e] -= q->low[e];
    return status;
}

/* change[a][b] of one row are compared over all rows: D[(a m + b) n + row]. */
static rg_status compare(search *q, bool *differs)
{
    const rg_pattern *pattern = rg_system_pattern(q->s);
    const int m = q->n_fixed;
    const int64_t n = rg_system_size(q->s);
    const double delta = sqrt(sqrt(DBL_EPSILON));
    double *D = rg_alloc(q->p->ctx, (size_t)(m * m) * (size_t)n + 1, sizeof *D);
    rg_status status = D != NULL ? RG_OK : RG_ERR_MEMORY;

    *differs = false;
    for (int a = 0; a < m && status == RG_OK; a++) {
        status = differentiate(q, q->fixed[a], delta);
        for (int b = 0; b < m && status == RG_OK; b++)
            for (int64_t e = pattern->start[q->fixed[b]]; e < pattern->start[q->fixed[b] + 1]; e++)
                D[(a * m + b) * n + pattern->row[e]] = q->Jyp[e] / (2.0 * delta);
    }
    for (int a = 0; a < m && status == RG_OK; a++)
        for (int b = 0; b < a; b++)
            for (int64_t i = 0; i < n; i++) {
                const double one = D[(a * m + b) * n + i], other = D[(b * m + a) * n + i];
                *differs |= fabs(one - other) > delta * (1.0 + fabs(one) + fabs(other));
            }
    rg_free(q->p->ctx, D);
    return status;
}

rg_status rg_perturbation_index(const rg_problem *p, const rg_analysis *a, int *out)
{
    search q = {.p = p, .a = a};
    bool differs = false, is_differentiated = false;

    *out = a->index;
    for (int64_t i = 0; a->is_structural && i < p->n_rows; i++)
        is_differentiated |= a->c[i] > 0;
    if (a->index != 1 || !is_differentiated || p->n > MOST_UNKNOWNS || a->n_redundant > 0
        || a->transversal == NULL || a->transversal->column_of_row == NULL)
        return RG_OK;
    rg_status status = rg_system_create(p, a, RG_VIEW_DIRECT, &q.s);
    if (status == RG_OK) find_fixed(&q);
    if (status == RG_OK && q.n_fixed > 1) status = take_memory(&q);
    if (status == RG_OK && q.n_fixed > 1) status = compare(&q, &differs);
    if (status == RG_OK && differs) *out = a->index + 1;
    rg_system_work_destroy(&q.work);
    rg_free(p->ctx, q.y);
    rg_system_destroy(&q.s);
    if (status == RG_ERR_MEMORY) return status;
    if (status < 0) rg_clear_error(p->ctx);
    return RG_OK;
}
