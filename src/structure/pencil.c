/* Index of every unknown, numerically.
 *
 *     P(h) = sum_r h^-r dF/dy^(r),    r_j(h) = norm of row j of P(h)^-1
 *
 * is how an error of size 1 in the equations of one implicit Euler step shows in unknown j: it
 * stays bounded for index 1 and grows like h^-(k-1) for index k.  h runs down from the
 * length of the interval; the step where the slopes of log r_j over log h are nearest to integers,
 * and the highest of them is the index of the whole system, decides. */
#include "structure/pencil.h"

#include "linalg/lu.h"
#include "structure/tuning.h"

#include <math.h>
#include <string.h>

/* Row norms of P(h)^-1 with rows of F scaled by their largest coefficient. */
static rg_status row_norms(const rg_sampler *s, rg_lu *lu, double h, const double *size, double *e,
                           double *norm)
{
    const int64_t n = s->p->n;
    double *P = rg_lu_values(lu);

    memset(P, 0, (size_t)(n * n) * sizeof *P);
    for (int r = 0; r < s->n_orders; r++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t q = s->pattern->start[r * n + j]; q < s->pattern->start[r * n + j + 1];
                 q++)
                if (s->pattern->row[q] < n) P[j * n + s->pattern->row[q]] += s->J[q] * pow(h, -r);
    RG_TRY(rg_lu_factor(lu));
    for (int64_t j = 0; j < n; j++)
        norm[j] = 0.0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            e[j] = i == j ? size[i] : 0.0;
        rg_lu_solve(lu, e, NULL);
        for (int64_t j = 0; j < n; j++)
            norm[j] = fmax(norm[j], fabs(e[j]));
    }
    return RG_OK;
}

static void row_sizes(const rg_sampler *s, double *size)
{
    for (int64_t k = 0; k < s->n_columns; k++)
        for (int64_t q = s->pattern->start[k]; q < s->pattern->start[k + 1]; q++) {
            const int32_t i = s->pattern->row[q];
            if (i < s->p->n) size[i] = fmax(size[i], fabs(s->J[q]));
        }
}

/* Indices from two norms; returns the largest deviation of a slope from an integer.  INFINITY: the
 * highest index does not occur, so h is not small enough yet, or too small. */
static double read_slopes(int64_t n, const double *norm, const double *before, int highest,
                          int32_t *index)
{
    double worst = 0.0;
    int32_t found = 0;

    for (int64_t j = 0; j < n; j++) {
        const double slope = log(norm[j] / before[j]) / log(1.0 / RG_PENCIL_RATIO); /* k - 1 */
        const double nearest = fmax(round(slope), 0.0);
        worst = fmax(worst, fabs(slope - round(slope)));
        if (!(nearest < highest)) worst = INFINITY;
        index[j] = nearest < highest ? 1 + (int32_t)nearest : highest;
        if (index[j] > found) found = index[j];
    }
    return isnan(worst) || found != highest ? INFINITY : worst;
}

static rg_status scan_steps(const rg_sampler *s, rg_lu *lu, int highest, double *work,
                            int32_t *index, int32_t *trial)
{
    const int64_t n = s->p->n;
    double *size = work, *e = work + n, *norm = work + 2 * n, *before = work + 3 * n;
    const double length = fabs(s->p->b - s->p->a);
    double h = length > 0.0 && isfinite(length) ? RG_PENCIL_RATIO * length : RG_PENCIL_RATIO,
           best = INFINITY;
    bool has_before = false;

    row_sizes(s, size);
    for (int step = 0; step < RG_PENCIL_STEPS; step++, h *= RG_PENCIL_RATIO) {
        const rg_status status = row_norms(s, lu, h, size, e, norm);
        if (status != RG_OK && status != (rg_status)RG_RETRY) return status;
        if (status == RG_OK && has_before) {
            const double worst = read_slopes(n, norm, before, highest, trial);
            if (worst < best) {
                best = worst;
                for (int64_t j = 0; j < n; j++)
                    index[j] = trial[j];
            }
        }
        has_before = status == RG_OK;
        for (int64_t j = 0; j < n; j++)
            before[j] = norm[j];
    }
    return best <= RG_PENCIL_DEVIATION ? RG_OK : (rg_status)RG_RETRY;
}

rg_status rg_pencil_index(const rg_sampler *s, int highest, int32_t *index)
{
    rg_context *ctx = s->p->ctx;
    const int64_t n = s->p->n;
    rg_lu *lu = NULL;
    double *work = rg_alloc(ctx, 4 * (size_t)n + 1, sizeof *work);
    int32_t *trial = rg_alloc(ctx, (size_t)n + 1, sizeof *trial);
    rg_status status =
        work != NULL && trial != NULL ? rg_lu_create(ctx, n, false, &lu) : RG_ERR_MEMORY;

    if (status == RG_OK) status = scan_steps(s, lu, highest, work, index, trial);
    rg_lu_destroy(&lu);
    rg_free(ctx, work);
    rg_free(ctx, trial);
    return status;
}
