/* The offsets of the structure beside redundant equations: see offsets.h. */
#include "structure/offsets.h"

#include "linalg/dense.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "structure/magnitudes.h"
#include "structure/surplus.h"

#include <math.h>
#include <string.h>

/* min_j (d_j - sigma_ij) */
static int32_t most_offset(const rg_signature *s, const int32_t *d, int64_t i)
{
    int32_t most = INT32_MAX;

    for (int64_t e = s->start[i]; e < s->start[i + 1]; e++)
        if (d[s->column[e]] - s->order[e] < most) most = d[s->column[e]] - s->order[e];
    return most;
}

/* More constraints than states: as often differentiated as the others. */
static void take_offsets(const rg_analysis *a, rg_analysis *out)
{
    const rg_transversal *t = a->transversal;
    const size_t bytes = (size_t)t->n * sizeof *out->c;

    memcpy(out->c, t->c, bytes);
    memcpy(out->d, t->d, bytes);
    for (int64_t i = 0; i < t->n; i++)
        if (rg_surplus_is(&a->signature, t, i)) out->c[i] = most_offset(&a->signature, t->d, i);
}

/* J_ij = dF_i/dy_j^(d_j - c_i) */
static void fill_matrix(const rg_analysis *o, const rg_sampler *s, int64_t n, double *J)
{
    for (int64_t k = 0; k < s->n_columns; k++) {
        const int64_t j = k % n, order = k / n;
        for (int64_t e = s->pattern->start[k]; e < s->pattern->start[k + 1]; e++) {
            const int64_t i = s->pattern->row[e];
            if (i >= n) break; /* rows of level 0 come first */
            if (o->d[j] - o->c[i] == order) J[j * n + i] = s->J[e];
        }
    }
}

/* Are the last columns of V null vectors of multipliers alone? */
static bool are_multipliers(const rg_analysis *o, int64_t n, int64_t rank, const double *V)
{
    for (int64_t k = rank; k < n; k++)
        for (int64_t j = 0; j < n; j++)
            if (o->d[j] > 0 && fabs(V[k * n + j]) > RG_RANK_DOUBT) return false;
    return true;
}

static rg_status look_at_rank(const rg_sampler *s, int64_t n_redundant, rg_analysis *o)
{
    rg_context *ctx = s->p->ctx;
    const int64_t n = s->p->n;
    const size_t size = (size_t)(n * n);
    double *J = rg_alloc(ctx, 2 * size + 4 * (size_t)n + 1, sizeof *J);

    if (J == NULL) return RG_ERR_MEMORY;
    double *V = J + size, *sigma = V + size, *row = sigma + n, *column = row + n;
    double *unit = column + n;

    for (int64_t j = 0; j < n; j++)
        unit[j] = s->unit[o->d[j] * n + j];
    fill_matrix(o, s, n, J);
    rg_magnitudes_equilibrate(n, n, unit, J, row, column);
    const rg_status status = rg_svd(ctx, n, n, J, sigma, NULL, V);
    if (status == RG_OK) {
        const int64_t rank = rg_rank_from_values(n, sigma, 1.0, s->noise);
        o->is_structural = n - rank == n_redundant && are_multipliers(o, n, rank, V);
    }
    rg_free(ctx, J);
    return status;
}

rg_status rg_offsets_create(const rg_analysis *a, const rg_sampler *s, int64_t n_redundant,
                            rg_analysis **out)
{
    rg_context *ctx = s->p->ctx;
    rg_analysis *o = rg_alloc(ctx, 1, sizeof *o);

    *out = o;
    if (o == NULL) return RG_ERR_MEMORY;
    o->c = rg_alloc(ctx, (size_t)s->p->n + 1, sizeof *o->c);
    o->d = rg_alloc(ctx, (size_t)s->p->n + 1, sizeof *o->d);
    if (o->c == NULL || o->d == NULL) return RG_ERR_MEMORY;
    take_offsets(a, o);
    return look_at_rank(s, n_redundant, o);
}

void rg_offsets_destroy(rg_context *ctx, rg_analysis **offsets)
{
    rg_analysis *o = *offsets;

    if (o == NULL) return;
    rg_free(ctx, o->c);
    rg_free(ctx, o->d);
    rg_free(ctx, o);
    *offsets = NULL;
}

void rg_offsets_fill(const rg_analysis *a, rg_analysis *offsets)
{
    const rg_analysis own = *offsets;

    *offsets = *a;
    offsets->c = own.c;
    offsets->d = own.d;
    offsets->is_structural = own.is_structural;
    offsets->offsets = NULL;
}
