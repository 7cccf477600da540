/* The unknowns of a system stand one behind the other, for solvers that want them so, and where a
 * constant is taken away from the right-hand side and from the solution. */
#include "base/vector.h"
#include "pdae/mesh/ranks.h"
#include "pdae/solve/elliptic_impl.h"

static void weigh(rg_elliptic *e)
{
    const rg_grid *g = e->A.grid;
    double volume = 0.0;
    int64_t r = 0;

    for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);) {
        e->weight[r] = rg_cells_volume(&w);
        volume += e->weight[r++];
    }
    rg_grid_sum(g, 1, &volume);
    for (int64_t q = 0; q < e->n; q++)
        e->weight[q] /= volume;
}

static void number(rg_elliptic *e)
{
    const rg_grid *g = e->A.grid;
    int64_t r = 0;

    for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);)
        e->place[r++] = w.at;
}

rg_status rg_unknowns_create(rg_elliptic *e)
{
    const size_t padded = (size_t)rg_padded(e->n);

    if (e->b == NULL) {
        if ((e->b = rg_alloc(e->ctx, 3 * padded, sizeof *e->b)) == NULL) return RG_ERR_MEMORY;
        e->x = e->b + padded;
        e->weight = e->x + padded;
        weigh(e);
    }
    if (e->place == NULL) {
        e->place = rg_alloc(e->ctx, (size_t)e->n, sizeof *e->place);
        if (e->place == NULL) return RG_ERR_MEMORY;
        number(e);
    }
    return RG_OK;
}

void rg_unknowns_collect(const rg_elliptic *e, const double *padded, double *rows)
{
    if (e->A.grid->solid == NULL) {
        rg_grid_pack(e->A.grid, padded, rows);
        return;
    }
    for (int64_t r = 0; r < e->n; r++)
        rows[r] = padded[e->place[r]];
}

typedef struct {
    const rg_elliptic *e;
    double *v, mean;
    bool weighted;
} loop;

/* Partial sums by lanes, so that vectors do not change them. */
RG_FOR_ALL_VECTORS
static void sum_block(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const int64_t first = unit * RG_GRID_BLOCK,
                  n = w->e->n - first < RG_GRID_BLOCK ? w->e->n - first : RG_GRID_BLOCK;
    const double *v = w->v + first, *weight = w->e->weight + first;
    rg_quad low = {0.0}, high = {0.0};
    double rest = 0.0;
    int64_t i = 0;

    if (w->weighted)
        for (; i + 2 * RG_LANES <= n; i += 2 * RG_LANES) {
            low += RG_FOUR(v + i) * RG_FOUR(weight + i);
            high += RG_FOUR(v + i + RG_LANES) * RG_FOUR(weight + i + RG_LANES);
        }
    else
        for (; i + 2 * RG_LANES <= n; i += 2 * RG_LANES) {
            low += RG_FOUR(v + i);
            high += RG_FOUR(v + i + RG_LANES);
        }
    for (; i < n; i++)
        rest += w->weighted ? v[i] * weight[i] : v[i];
    low += high;
    out[0] = ((low[0] + low[1]) + (low[2] + low[3])) + rest;
    out[1] = out[2] = 0.0;
}

/* The sum over all cells, or the mean over the volume. */
static double sum_of(const rg_elliptic *e, double *v, bool weighted)
{
    const int64_t blocks = (e->n + RG_GRID_BLOCK - 1) / RG_GRID_BLOCK;
    double all[RG_CREW_SUMS];
    loop w = {.e = e, .v = v, .weighted = weighted};

    rg_crew_sum(e->ctx, blocks, RG_GRID_BLOCK, sum_block, &w, all);
    rg_grid_sum(e->A.grid, 1, all);
    return all[0];
}

RG_FOR_ALL_VECTORS
static void shift_blocks(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const int64_t last = end * RG_GRID_BLOCK < w->e->n ? end * RG_GRID_BLOCK : w->e->n;
    const double mean = w->mean, *weight = w->e->weight;
    double *v = w->v;

    (void)hand;
    for (int64_t r = from * RG_GRID_BLOCK; r < last; r++)
        v[r] -= mean * weight[r];
}

void rg_unknowns_balance(rg_elliptic *e)
{
    loop w = {.e = e, .v = e->b, .mean = sum_of(e, e->b, false)};

    rg_grid_blocks(e->A.grid, e->n, shift_blocks, &w);
}

/* Rows of the solution to where they belong, without its mean. */
RG_FOR_ALL_VECTORS
static void spread_rows(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const rg_grid *g = w->e->A.grid;
    const int n = g->axis[0].n;
    const double mean = w->mean;

    (void)hand;
    for (int64_t r = from; r < end; r++) {
        int j, k;
        rg_cell_row(g, r, &j, &k);
        const double *restrict x = w->e->x + r * n;
        double *restrict to = w->v + rg_grid_at(g, 0, j, k);
        for (int i = 0; i < n; i++)
            to[i] = x[i] - mean;
    }
}

void rg_unknowns_spread(const rg_elliptic *e, double *x)
{
    const double mean = e->singular ? sum_of(e, e->x, true) : 0.0;

    if (e->A.grid->solid == NULL) {
        loop w = {.e = e, .v = x, .mean = mean};
        rg_grid_cell_rows(e->A.grid, spread_rows, &w);
        return;
    }
    for (int64_t r = 0; r < e->n; r++)
        x[e->place[r]] = e->x[r] - mean;
}
