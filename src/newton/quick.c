/* Consistent values where nothing is to be chosen: given values stay, and the free ones are as many
 * as the equations.  So it is at most events of models without hidden constraints.
 *
 *     J_free d = -F,   z_free <- z_free + d
 *
 * Full steps of Newton's method from the last values, as long as they converge at once; all else is
 * left to the search (newton/search.c). */
#include "linalg/small_lu.h"
#include "linalg/tuning.h"
#include "newton/search.h"
#include "newton/step.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    int n;
    int *column, *pivot; /* of z; of the factors */
    double *A, *R, *C;   /* R J C; scales */
    double *b;
} quick;

static rg_status take_memory(rg_context *ctx, int n, quick *q, void **memory)
{
    const size_t m = (size_t)n;
    double *real = rg_alloc(ctx, m * m + 4 * m + 1, sizeof *real);

    *memory = real;
    if (real == NULL) return RG_ERR_MEMORY;
    *q = (quick){.n = n, .A = real, .R = real + m * m};
    q->C = q->R + m;
    q->b = q->C + m;
    q->column = (int *)(q->b + m); /* two of these are no longer than one of those */
    q->pivot = q->column + m;
    return RG_OK;
}

/* The free columns; false: not as many as equations. */
static bool list_free(const rg_start_system *s, quick *q)
{
    int n = 0;

    for (int64_t j = 0; j < s->n_columns; j++) {
        if (s->given[j] != RG_START_NONE) continue;
        if (n < q->n) q->column[n] = (int)j;
        n++;
    }
    return n == q->n;
}

/* R J C with largest entries of 1 in all rows, then in all columns; factors with no small pivot. */
static bool factor(const rg_start_system *s, quick *q)
{
    const ptrdiff_t n = q->n;

    memset(q->A, 0, (size_t)(n * n) * sizeof *q->A);
    memset(q->R, 0, (size_t)n * sizeof *q->R);
    for (ptrdiff_t j = 0; j < n; j++)
        for (int64_t k = s->pattern->start[q->column[j]]; k < s->pattern->start[q->column[j] + 1];
             k++) {
            const int32_t i = s->pattern->row[k];
            q->A[j * n + i] = s->J[k];
            q->R[i] = fmax(q->R[i], fabs(s->J[k]));
        }
    for (ptrdiff_t j = 0; j < n; j++) {
        double most = 0.0;
        for (ptrdiff_t i = 0; i < n; i++)
            most = fmax(most, fabs(q->A[j * n + i] /= q->R[i]));
        q->C[j] = most;
        for (ptrdiff_t i = 0; i < n; i++)
            q->A[j * n + i] /= most;
    }
    if (!rg_small_lu_factor(q->n, q->A, q->pivot)) return false;
    double least = INFINITY;
    for (int k = 0; k < q->n; k++)
        least = fmin(least, rg_small_lu_pivot(q->n, q->A, k));
    return least > RG_RANK_DOUBT;
}

static void step(rg_start_system *s, quick *q)
{
    for (int i = 0; i < q->n; i++)
        q->b[i] = -s->F[i] / q->R[i];
    rg_small_lu_solve(q->n, q->A, q->pivot, q->b);
    for (int j = 0; j < q->n; j++)
        s->z[q->column[j]] += q->b[j] / q->C[j];
}

static rg_status iterate(rg_start_system *s, quick *q)
{
    double before = INFINITY;

    for (int k = 0; k <= RG_QUICK_STEPS; k++) {
        RG_TRY(rg_start_linearize(s));
        const double miss = rg_start_miss(s, NULL);
        if (miss == 0.0 || (miss <= RG_MISS_ROUNDING && !(2.0 * miss < before))) return RG_OK;
        if (k > 1 && !(miss <= RG_NEWTON_SIMPLE * before)) break;
        before = miss;
        if (!factor(s, q)) break;
        step(s, q);
    }
    return (rg_status)RG_RETRY;
}

rg_status rg_start_quick(rg_start_system *s)
{
    void *memory = NULL;
    quick q;

    if (s->n_rows > RG_QUICK_ROWS || s->n_rows == 0 || s->is_degenerate || s->is_singular)
        return (rg_status)RG_RETRY;
    rg_status status = take_memory(s->ctx, (int)s->n_rows, &q, &memory);
    if (status == RG_OK) status = list_free(s, &q) ? iterate(s, &q) : (rg_status)RG_RETRY;
    rg_free(s->ctx, memory);
    return status;
}
