/* The equations of a combination, by numbers at a generic point: see cancel_impl.h. */
#include "structure/cancel_impl.h"

#include "structure/magnitudes.h"

#include <math.h>
#include <string.h>

/* With room for all derivatives that the combination may have. */
static rg_status create_sampler(rg_canceller *k)
{
    int most = k->q->max_order < 1 ? 1 : k->q->max_order;

    for (int64_t j = 0; j < k->n; j++)
        if (k->d[j] > most) most = k->d[j];
    rg_sampler_destroy(&k->at);
    return rg_sampler_create(k->q, 1, most + 1, &k->at);
}

/* The entries of J at a generic point, rows and columns scaled: units do not choose. */
static rg_status sample(rg_canceller *k)
{
    const int64_t n = k->n;
    rg_status status = create_sampler(k);
    const rg_sampler *s = k->at;
    double *A = k->basis, *unit = k->mix; /* A: columns one after the other */

    memset(A, 0, (size_t)(n * n) * sizeof *A);
    for (int64_t j = 0; j < n; j++)
        unit[j] = 1.0;
    if (status == RG_OK) status = rg_sampler_visit(k->at, RG_MOVE_ALL, RG_SAMPLE_SIZE, 11);
    for (int64_t col = 0; status == RG_OK && col < s->n_columns; col++)
        for (int64_t e = s->pattern->start[col]; e < s->pattern->start[col + 1]; e++) {
            const int64_t i = s->pattern->row[e], j = col % n, r = col / n;
            if (r != k->d[j] - k->c[i] || k->d[j] < k->least) continue;
            A[j * n + i] = s->J[e];
            unit[j] = s->unit[col];
        }
    if (status == RG_OK) rg_magnitudes_equilibrate(n, n, unit, A, k->scale, k->scale + n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            k->J[i * n + j] = A[j * n + i];
    return status;
}

static void sort_rows(rg_canceller *k)
{
    for (int64_t i = 0; i < k->n; i++) {
        int64_t at = i;
        for (; at > 0 && k->c[k->order[at - 1]] < k->c[i]; at--)
            k->order[at] = k->order[at - 1];
        k->order[at] = (int32_t)i;
    }
}

double rg_cancel_reduce(rg_canceller *k, int64_t v)
{
    double *row = k->basis + v * k->n, *mix = k->mix + v * k->n, most = 0.0;

    for (int64_t b = 0; b < v; b++) {
        if (k->pivot[b] < 0) continue;
        const double *other = k->basis + b * k->n, f = row[k->pivot[b]] / other[k->pivot[b]];
        for (int64_t j = 0; j < k->n; j++) {
            row[j] -= f * other[j];
            mix[j] -= f * k->mix[b * k->n + j];
        }
    }
    for (int64_t j = 0; j < k->n; j++)
        if (fabs(row[j]) > most) {
            most = fabs(row[j]);
            k->pivot[v] = (int32_t)j;
        }
    return most;
}

/* The rows of a combination; last the one of least c with the largest factor, which is least in
 * danger to vanish on the way. */
static rg_status list_rows(rg_canceller *k, const double *mix, int32_t least)
{
    int at = 0;

    k->count = 0;
    for (int64_t i = 0; i < k->n; i++) {
        if (fabs(mix[i]) <= RG_CANCEL_ZERO) continue;
        if (k->count >= RG_CANCEL_MOST) return (rg_status)RG_RETRY;
        const bool is_larger =
            k->c[i] == least
            && (k->c[k->rows[at]] > least || fabs(mix[i]) > fabs(mix[k->rows[at]]));
        k->rows[k->count] = (int32_t)i;
        if (k->count == 0 || is_larger) at = k->count;
        k->count++;
    }
    const int32_t last = k->rows[at];
    k->rows[at] = k->rows[k->count - 1];
    k->rows[k->count - 1] = last;
    return RG_OK;
}

/* No entry: an equation without derivatives, where these alone are to cancel. */
static bool is_empty(const rg_canceller *k, int32_t i)
{
    for (int64_t j = 0; j < k->n; j++)
        if (k->J[i * k->n + j] != 0.0) return false;
    return true;
}

rg_status rg_cancel_find_rows(rg_canceller *k)
{
    const size_t bytes = (size_t)k->n * sizeof(double);

    RG_TRY(sample(k));
    sort_rows(k);
    for (int64_t v = 0; v < k->n; v++) {
        double *mix = k->mix + v * k->n;
        memcpy(k->basis + v * k->n, k->J + k->order[v] * k->n, bytes);
        memset(mix, 0, bytes);
        mix[k->order[v]] = 1.0;
        if (is_empty(k, k->order[v])) {
            k->pivot[v] = -1;
            continue;
        }
        if (rg_cancel_reduce(k, v) > RG_CANCEL_ZERO) continue;
        return list_rows(k, mix, k->c[k->order[v]]);
    }
    return (rg_status)RG_RETRY;
}
