/* Pairs unknowns by the strength of their couplings, twice, and sums the matrix over the groups:
 * the coarse levels of the aggregation multigrid.
 *
 * Pairing: with the strongest neighbour that has no partner yet, if its coupling is at least a
 * quarter of the strongest one of the row, and of that of the neighbour (a cell beside a channel
 * would take a cell out of it, with a coupling that is nothing to the latter; the channel then is
 * in groups with its surroundings, and three times as many iterations are needed); otherwise the
 * unknown joins the group of its strongest neighbour, if that one is in the middle of its group
 * (long chains would be poor groups).
 * Without the last rule the coarsening stalls in rough fields. */
#include "pdae/solve/aggregation.h"
#include "pdae/solve/tuning.h"

#include <string.h>

/* The least coupling of every row that makes a partner. */
static void find_least(const rg_elliptic_rows *A, double *least)
{
    for (int64_t i = 0; i < A->n; i++) {
        double most = 0.0;
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
            if (A->value[k] > most) most = A->value[k];
        least[i] = RG_GRID_PAIR_STRENGTH * most;
    }
}

/* Groups of one round of pairing; returns their number.  Work space: `least`, and `root`, the
 * unknown around which a group of three and more stands, -1 for a pair. */
static int32_t pair_up(const rg_elliptic_rows *A, double *least, int32_t *root, int32_t *to)
{
    int32_t groups = 0;

    find_least(A, least);
    for (int64_t i = 0; i < A->n; i++)
        to[i] = -1;
    for (int32_t i = 0; i < A->n; i++) {
        double most = 0.0, best = 0.0;
        int32_t strongest = -1, partner = -1;
        if (to[i] >= 0) continue;
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
            const int32_t j = A->col[k];
            if (A->value[k] > most) most = A->value[k], strongest = j;
            if (to[j] < 0 && A->value[k] > best && A->value[k] >= least[j])
                best = A->value[k], partner = j;
        }
        const int32_t joined = strongest >= 0 ? to[strongest] : -1;
        if (partner >= 0 && best >= least[i]) {
            root[groups] = -1;
            to[i] = to[partner] = groups++;
        } else if (joined >= 0 && (root[joined] < 0 || root[joined] == strongest)) {
            to[i] = joined;
            root[joined] = strongest;
        } else {
            root[groups] = i;
            to[i] = groups++;
        }
    }
    return groups;
}

/* Rows of A in the order of their groups: first[g] .. first[g + 1] - 1 of `member`. */
static void sort_members(int64_t n, const int32_t *to, int32_t groups, int32_t *first,
                         int32_t *member)
{
    memset(first, 0, ((size_t)groups + 1) * sizeof *first);
    for (int64_t i = 0; i < n; i++)
        first[to[i] + 1]++;
    for (int32_t g = 0; g < groups; g++)
        first[g + 1] += first[g];
    for (int64_t i = 0; i < n; i++)
        member[first[to[i]]++] = (int32_t)i;
    for (int32_t g = groups; g > 0; g--)
        first[g] = first[g - 1];
    first[0] = 0;
}

/* The columns of a coarse row with their sums; returns how many. */
static int64_t sum_row(const rg_elliptic_rows *A, const int32_t *to, int32_t g,
                       const int32_t *first, const int32_t *member, int64_t *mark, int64_t base,
                       int32_t *col, double *value)
{
    int64_t count = base;

    for (int32_t m = first[g]; m < first[g + 1]; m++) {
        const int32_t i = member[m];
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
            const int32_t j = to[A->col[k]];
            if (j == g) continue;
            if (mark[j] < base) {
                mark[j] = count;
                col[count] = j;
                value[count++] = 0.0;
            }
            value[mark[j]] += A->value[k];
        }
    }
    return count;
}

/* Entries with smaller columns first; returns where the others begin. */
static int64_t split_row(int32_t g, int64_t from, int64_t end, int32_t *col, double *value)
{
    int64_t low = from;

    for (int64_t k = from; k < end; k++)
        if (col[k] < g) {
            const int32_t c = col[k];
            const double v = value[k];
            col[k] = col[low], value[k] = value[low];
            col[low] = c, value[low++] = v;
        }
    return low;
}

static rg_status sum_matrix(rg_context *ctx, const rg_elliptic_rows *A, const double *excess,
                            const int32_t *to, int32_t groups, rg_elliptic_rows *out,
                            double **out_excess)
{
    const size_t n = (size_t)groups, entries = (size_t)A->start[A->n] + 1;
    int32_t *first = rg_alloc(ctx, n + 1, sizeof *first);
    int32_t *member = rg_alloc(ctx, (size_t)A->n, sizeof *member);
    int64_t *mark = rg_alloc(ctx, n, sizeof *mark);
    rg_status status = RG_ERR_MEMORY;

    *out = (rg_elliptic_rows){.n = groups};
    *out_excess = rg_alloc(ctx, n, sizeof **out_excess);
    out->start = rg_alloc(ctx, n + 1, sizeof *out->start);
    out->middle = rg_alloc(ctx, n, sizeof *out->middle);
    out->col = rg_alloc(ctx, entries, sizeof *out->col);
    out->value = rg_alloc(ctx, entries, sizeof *out->value);
    out->diagonal = rg_alloc(ctx, n, sizeof *out->diagonal);
    if (first && member && mark && *out_excess && out->start && out->middle && out->col
        && out->value && out->diagonal) {
        int64_t count = 0;
        status = RG_OK;
        sort_members(A->n, to, groups, first, member);
        for (int32_t g = 0; g < groups; g++)
            mark[g] = -1;
        for (int32_t g = 0; g < groups; g++) {
            const int64_t end = sum_row(A, to, g, first, member, mark, count, out->col, out->value);
            double sum = 0.0;
            for (int32_t m = first[g]; m < first[g + 1]; m++)
                sum += excess[member[m]];
            (*out_excess)[g] = sum;
            for (int64_t k = count; k < end; k++)
                sum += out->value[k];
            out->diagonal[g] = sum;
            out->start[g] = count;
            out->middle[g] = split_row(g, count, end, out->col, out->value);
            count = end;
        }
        out->start[groups] = count;
    }
    rg_free(ctx, first);
    rg_free(ctx, member);
    rg_free(ctx, mark);
    return status;
}

/* Two rounds of pairing: groups of about four. */
static rg_status group_twice(rg_context *ctx, rg_aggregation_level *fine,
                             rg_aggregation_level *coarse)
{
    rg_elliptic_rows pairs = {0};
    double *pair_excess = NULL;
    int32_t *second = NULL;
    rg_status status;

    const size_t n = (size_t)fine->A.n;
    double *least = rg_alloc(ctx, n + (n + 1) / 2, sizeof *least);
    if (least == NULL) return RG_ERR_MEMORY;
    int32_t *root = (int32_t *)(void *)(least + n);
    const int32_t n_pairs = pair_up(&fine->A, least, root, fine->to);
    status = sum_matrix(ctx, &fine->A, fine->excess, fine->to, n_pairs, &pairs, &pair_excess);
    if (status == RG_OK) {
        second = rg_alloc(ctx, (size_t)n_pairs, sizeof *second);
        status = second ? RG_OK : RG_ERR_MEMORY;
    }
    if (status == RG_OK) {
        const int32_t groups = pair_up(&pairs, least, root, second);
        status = sum_matrix(ctx, &pairs, pair_excess, second, groups, &coarse->A, &coarse->excess);
    }
    for (int64_t i = 0; status == RG_OK && i < fine->A.n; i++)
        fine->to[i] = second[fine->to[i]];
    rg_elliptic_rows_free(ctx, &pairs);
    rg_free(ctx, pair_excess);
    rg_free(ctx, second);
    rg_free(ctx, least);
    return status;
}

rg_status rg_aggregation_coarsen(rg_context *ctx, rg_aggregation *h, int l, bool *made)
{
    rg_aggregation_level *fine = &h->level[l], *coarse = &h->level[l + 1];

    *made = false;
    fine->to = rg_alloc(ctx, (size_t)fine->A.n, sizeof *fine->to);
    if (fine->to == NULL) return RG_ERR_MEMORY;
    RG_TRY(group_twice(ctx, fine, coarse));
    *made = (double)coarse->A.n < RG_GRID_COARSER * (double)fine->A.n;
    if (!*made) {
        rg_elliptic_rows_free(ctx, &coarse->A);
        rg_free(ctx, coarse->excess);
        rg_free(ctx, fine->to);
        coarse->excess = NULL;
        fine->to = NULL;
    }
    return RG_OK;
}
