/* Three passes over b_ij = |a_ij| / max_k |a_ik|:
 *   1. a column takes a free row where b_ij is within a tenth of the largest of the column and of
 *   the row; 2. ... where it is at least a tenth of the largest of the column;
 *   3. what is left is completed by augmenting paths through all entries, depth first, in phases:
 *   no column is visited twice in a phase (Pothen and Fan), so that a phase is one pass over the
 *   entries, and a few of them do where a search of its own for every column takes n of them.
 * KLU's own matching looks at the pattern only.  On a two-dimensional reaction-diffusion model
 * whose equations are not in the order of their unknowns it put small couplings on the diagonal,
 * pivoting broke the ordering up, and the run took six times as long (examples/ivp/brus2d.rg,
 * N = 58). */
#include "linalg/matching.h"
#include "linalg/tuning.h"

#include <math.h>

typedef struct {
    int n;
    const int *start, *row;
    const double *size;
    double *row_max; /* max_j |a_ij| */
    int *owner;      /* column that has the row, or -1 */
    int *place;      /* entry of the column, or -1 */
    int *next;       /* per column: entry to look at next in the search */
    int *free_next;  /* per column: entries before it have taken rows */
    int *stack;      /* columns on the path */
    int *seen;       /* per column: the phase that met it last */
} matching;

static void find_row_max(matching *m)
{
    for (int k = 0; k < m->start[m->n]; k++)
        m->row_max[m->row[k]] = fmax(m->row_max[m->row[k]], m->size[k]);
    for (int i = 0; i < m->n; i++)
        if (m->row_max[i] == 0.0) m->row_max[i] = 1.0;
}

static double scaled(const matching *m, int k)
{
    return m->size[k] / m->row_max[m->row[k]];
}

static void take(matching *m, int j, int k)
{
    m->owner[m->row[k]] = j;
    m->place[j] = k;
}

/* The largest free entry of the column with b >= column_part * (largest of the column) and
 * b >= row_part. */
static void take_largest(matching *m, int j, double column_part, double row_part)
{
    double largest = 0.0, best = -1.0;
    int place = -1;

    for (int k = m->start[j]; k < m->start[j + 1]; k++)
        largest = fmax(largest, scaled(m, k));
    for (int k = m->start[j]; k < m->start[j + 1]; k++) {
        const double b = scaled(m, k);
        if (m->owner[m->row[k]] < 0 && b > best && b >= column_part * largest && b >= row_part
            && b > 0.0) {
            best = b;
            place = k;
        }
    }
    if (place >= 0) take(m, j, place);
}

/* A free row of column j, or -1; the entries passed over stay taken for good. */
static int free_entry(matching *m, int j)
{
    int k = m->free_next[j];

    while (k < m->start[j + 1] && m->owner[m->row[k]] >= 0)
        k++;
    m->free_next[j] = k;
    return k < m->start[j + 1] ? k : -1;
}

/* The next column to visit below column j, or -1. */
static int next_column(matching *m, int j, int phase)
{
    while (m->next[j] < m->start[j + 1]) {
        const int owner = m->owner[m->row[m->next[j]++]];
        if (owner >= 0 && m->seen[owner] != phase) return owner;
    }
    return -1;
}

/* Depth-first search from an unmatched column; gives every column on the path the row it was
 * left by.  False: there is no path through columns that the phase has not met. */
static bool augment(matching *m, int root, int phase)
{
    int depth = 0;

    m->stack[0] = root;
    m->seen[root] = phase;
    m->next[root] = m->start[root];
    while (depth >= 0) {
        const int j = m->stack[depth];
        const int k = free_entry(m, j);
        if (k >= 0) {
            take(m, j, k);
            while (--depth >= 0)
                take(m, m->stack[depth], m->next[m->stack[depth]] - 1);
            return true;
        }
        const int below = next_column(m, j, phase);
        if (below < 0) {
            depth--;
        } else {
            m->seen[below] = phase;
            m->next[below] = m->start[below];
            m->stack[++depth] = below;
        }
    }
    return false;
}

static void run(matching *m)
{
    find_row_max(m);
    for (int j = 0; j < m->n; j++) {
        m->owner[j] = m->place[j] = m->seen[j] = -1;
        m->free_next[j] = m->start[j];
    }
    for (int j = 0; j < m->n; j++)
        take_largest(m, j, RG_MATCHING_NEAR_LARGEST, RG_MATCHING_NEAR_LARGEST);
    for (int j = 0; j < m->n; j++)
        if (m->place[j] < 0) take_largest(m, j, RG_MATCHING_LARGE_ENOUGH, 0.0);
    bool is_longer = true;
    for (int phase = 0; is_longer; phase++) { /* without a path in a phase there is none */
        is_longer = false;
        for (int j = 0; j < m->n; j++)
            if (m->place[j] < 0 && augment(m, j, phase)) is_longer = true;
    }
}

rg_status rg_match_rows(rg_context *ctx, int n, const int *start, const int *row,
                        const double *size, int *place)
{
    const size_t N = (size_t)n;
    int *work = rg_alloc(ctx, 5 * N + 1, sizeof *work);
    double *row_max = rg_alloc(ctx, N + 1, sizeof *row_max);

    if (work != NULL && row_max != NULL) {
        matching m = {n,     start,    row,          size,         row_max,     work,
                      place, work + N, work + 2 * N, work + 3 * N, work + 4 * N};
        run(&m);
    }
    const rg_status status = work != NULL && row_max != NULL ? RG_OK : RG_ERR_MEMORY;
    rg_free(ctx, work);
    rg_free(ctx, row_max);
    return status;
}
