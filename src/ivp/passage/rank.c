/* The distance of the system Jacobian from singularity: scaled factors, smallest singular value,
 * and how fast both change along a run. */
#include "ivp/passage/rank.h"

#include "ivp/passage/tuning.h"
#include "linalg/small_lu.h"

#include <math.h>
#include <string.h>

/* b <- A^-1 b */
static void solve(rg_passage_rank *r, double *b)
{
    if (r->direct != NULL)
        rg_matrix_solve(r->direct, b, NULL);
    else
        rg_small_lu_solve(r->n, r->dense, r->pivot, b);
}

/* b <- A^-T b.  A^-1 = U^-1 M_n-1 P_n-1 .. M_0 P_0 (linalg/small_lu.h: M_k subtracts multiples of
 * row k, P_k swaps), so A^-T = P_0 M_0^T .. P_n-1 M_n-1^T U^-T. */
static void solve_transposed(rg_passage_rank *r, double *b)
{
    const int n = r->n;

    if (r->direct != NULL && rg_matrix_has_transposed(r->direct)) {
        rg_matrix_solve_transposed(r->direct, b);
        return;
    }
    if (r->direct != NULL) {
        rg_matrix_solve(r->transposed, b, NULL);
        return;
    }
    for (int k = 0; k < n; k++) {
        const double *u = r->dense + k * n;
        for (int i = 0; i < k; i++)
            b[k] -= u[i] * b[i];
        b[k] *= u[k];
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *l = r->dense + k * n;
        for (int i = k + 1; i < n; i++)
            b[k] -= l[i] * b[i];
        const double x = b[k];
        b[k] = b[r->pivot[k]];
        b[r->pivot[k]] = x;
    }
}

static bool factor(rg_passage_rank *r)
{
    const rg_pattern *p = &r->core.pattern;
    const int n = r->n;

    if (r->direct != NULL) {
        r->has_transposed = false;
        if (rg_matrix_factor(r->direct, 0.0, 0.0, r->scaled, NULL) != RG_OK) return false;
        if (rg_matrix_has_transposed(r->direct)) return true;
        for (int64_t e = 0; e < p->start[n]; e++)
            r->transposed_values[r->transposed_index[e]] = r->scaled[e];
        return true;
    }
    memset(r->dense, 0, (size_t)n * (size_t)n * sizeof *r->dense);
    for (int j = 0; j < n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            r->dense[j * n + p->row[e]] = r->scaled[e];
    return rg_small_lu_factor(n, r->dense, r->pivot);
}

/* Of large matrices only where the factors of A cannot do it and when it is needed: samples where
 * little has changed do without. */
static bool factor_transposed(rg_passage_rank *r)
{
    if (r->direct == NULL || r->has_transposed || rg_matrix_has_transposed(r->direct)) return true;
    r->has_transposed =
        rg_matrix_factor(r->transposed, 0.0, 0.0, r->transposed_values, NULL) == RG_OK;
    return r->has_transposed;
}

/* sigma_min by inverse iteration,  u = A^-1 v,  v = A^-T u:  1/sigma_min^2 is the growth of v.  It
 * starts from the vector of the last call, which is nearly right along a run, and something of
 * everything: another block may have become the weakest. */
static double smallest_singular_value(rg_passage_rank *r)
{
    const int n = r->n;
    double size = 1.0;

    if (!factor_transposed(r)) return 0.0;
    for (int i = 0; i < n; i++)
        r->v[i] += RG_RANK_GENERIC * r->generic[i];
    for (int k = 0; k < RG_RANK_ITERATIONS; k++) {
        double before = 0.0, after = 0.0;
        for (int i = 0; i < n; i++)
            before += r->v[i] * r->v[i];
        solve(r, r->v);
        solve_transposed(r, r->v);
        for (int i = 0; i < n; i++)
            after += r->v[i] * r->v[i];
        size = sqrt(after / before);
        const double inverse = after > 0.0 && isfinite(after) ? 1.0 / sqrt(after) : 0.0;
        for (int i = 0; i < n; i++)
            r->v[i] = inverse > 0.0 ? r->v[i] * inverse : r->generic[i];
    }
    return size > 0.0 && isfinite(size) ? 1.0 / sqrt(size) : 0.0;
}

static bool factor_matrix(rg_passage_rank *r, const double *A)
{
    const rg_core *c = &r->core;

    for (int64_t e = 0; e < c->pattern.start[r->n]; e++)
        r->scaled[e] = A[c->entry[e]] * r->inverse[c->entry[e]];
    r->least = INFINITY;
    for (int64_t k = 0; k < c->n_single; k++)
        r->least = fmin(r->least, fabs(A[c->single[k]] * r->inverse[c->single[k]]));
    return r->n == 0 || factor(r);
}

bool rg_passage_rank_factor(rg_passage_rank *r)
{
    rg_passage_rank_note_scales(r);
    return factor_matrix(r, r->A);
}

double rg_passage_rank_signal(rg_passage_rank *r)
{
    return r->n == 0 ? r->least : fmin(r->least, smallest_singular_value(r));
}

double rg_passage_rank_measure(rg_passage_rank *r)
{
    if (!r->has_scales) rg_passage_rank_note_scales(r);
    return factor_matrix(r, r->A) ? rg_passage_rank_signal(r) : 0.0;
}

double rg_passage_rank_measure_before(rg_passage_rank *r)
{
    return factor_matrix(r, r->before) ? rg_passage_rank_signal(r) : 0.0;
}

/* x <- A^-1 (A - before) x / size in the core; |x| */
static double multiply_change(rg_passage_rank *r, double size)
{
    double sum = 0.0, *swap = r->x;

    memset(r->y, 0, (size_t)r->n * sizeof *r->y);
    rg_pattern_multiply(&r->core.pattern, r->scaled, 1.0 / size, r->x, r->y);
    solve(r, r->y);
    for (int i = 0; i < r->n; i++)
        sum += r->y[i] * r->y[i];
    r->x = r->y;
    r->y = swap;
    return sqrt(sum);
}

/* The growth of a vector in the last two of RG_RANK_CHANGES multiplications; it starts as the one
 * above does.  The first ones are not counted: A = (M, G^T; G, 0) with M small against G makes them
 * large. */
double rg_passage_rank_change(rg_passage_rank *r)
{
    const rg_core *c = &r->core;
    double size = 1.0, last = 1.0, most = 0.0;

    for (int64_t k = 0; k < c->n_single; k++) {
        const int64_t e = c->single[k];
        if (r->A[e] != r->before[e]) most = fmax(most, fabs((r->A[e] - r->before[e]) / r->A[e]));
    }
    for (int64_t e = 0; e < c->pattern.start[r->n]; e++)
        r->scaled[e] = (r->A[c->entry[e]] - r->before[c->entry[e]]) * r->inverse[c->entry[e]];
    for (int i = 0; i < r->n; i++)
        r->x[i] += RG_RANK_GENERIC * r->generic[i];
    for (int k = 0; k < RG_RANK_CHANGES; k++) {
        last = size;
        size = multiply_change(r, last);
        if (!(size > 0.0) || !isfinite(size)) break;
    }
    const bool is_regular = size > 0.0 && isfinite(size);
    for (int i = 0; i < r->n; i++)
        r->x[i] = is_regular ? r->x[i] / size : 0.0;
    return is_regular ? fmax(most, sqrt(size * last)) : size == 0.0 ? most : INFINITY;
}

void rg_passage_rank_keep(rg_passage_rank *r)
{
    double *swap = r->before;

    r->before = r->A;
    r->A = swap;
}
