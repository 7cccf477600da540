/* Solid cells: their mask with repeated ghosts, and the rim whose values follow from the fluid. */
#include "pdae/mesh/block.h"

#include <string.h>

/* Copies of the mask beyond the ends of periodic axes. */
static void repeat_mask(rg_grid *g)
{
    for (int d = 0; d < g->dims; d++) {
        const int n = g->axis[d].n, e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
        if (!g->axis[d].periodic) continue;
        for (int b = -g->ghosts[e2]; b < g->axis[e2].n + g->ghosts[e2]; b++)
            for (int a = -g->ghosts[e1]; a < g->axis[e1].n + g->ghosts[e1]; a++) {
                unsigned char *line = g->solid + g->origin + a * g->stride[e1] + b * g->stride[e2];
                for (int k = 0; k < RG_GHOSTS; k++) {
                    line[(n + k) * g->stride[d]] = line[k % n * g->stride[d]];
                    line[-(k + 1) * g->stride[d]] = line[(n - 1 - k % n) * g->stride[d]];
                }
            }
    }
}

/* The place of cell i along d beside the one at `at`, number `from`; -1: it is not there. */
static int64_t beside(const rg_grid *g, int64_t at, int d, int from, int i)
{
    const int n = g->axis[d].n;

    if (i >= 0 && i < n) return at + (i - from) * g->stride[d];
    return g->axis[d].periodic ? at + ((i + n) % n - from) * g->stride[d] : -1;
}

/* One layer of the rim: solid cells with a neighbour that is marked `known`. */
static void add_layer(rg_grid *g, const unsigned char *known)
{
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int index[RG_AXES] = {i, j, k};
                rg_rim rim = {.place = rg_grid_at(g, i, j, k)};
                if (known[rim.place]) continue;
                for (int d = 0; d < g->dims; d++)
                    for (int step = -1; step <= 1; step += 2) {
                        const int64_t at = beside(g, rim.place, d, index[d], index[d] + step);
                        if (at < 0 || !known[at]) continue;
                        const int64_t next = beside(g, rim.place, d, index[d], index[d] + 2 * step);
                        rim.next[rim.n] = next >= 0 && known[next] ? next : at;
                        rim.from[rim.n++] = at;
                    }
                if (rim.n > 0) g->rim[g->n_rim++] = rim;
            }
}

static rg_status make_rim(rg_grid *g)
{
    unsigned char *known = rg_alloc(g->ctx, (size_t)g->size, 1);

    rg_free(g->ctx, g->rim);
    g->n_rim = 0;
    g->rim = rg_alloc(g->ctx, (size_t)(g->cells - g->fluid) + 1, sizeof *g->rim);
    if (known == NULL || g->rim == NULL) {
        rg_free(g->ctx, known);
        return RG_ERR_MEMORY;
    }
    for (int64_t at = 0; at < g->size; at++)
        known[at] = g->solid[at] == 0;
    add_layer(g, known);
    g->n_beside = g->n_rim;
    for (int64_t k = 0; k < g->n_rim; k++)
        known[g->rim[k].place] = 1;
    add_layer(g, known);
    rg_free(g->ctx, known);
    return RG_OK;
}

rg_status rg_grid_set_solid(rg_grid *g, const unsigned char *solid)
{
    int64_t c = 0;

    if (g->solid == NULL) g->solid = rg_alloc(g->ctx, (size_t)g->size, sizeof *g->solid);
    if (g->solid == NULL) return RG_ERR_MEMORY;
    memset(g->solid, 0, (size_t)g->size);
    g->fluid = 0;
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++, c++) {
                g->solid[rg_grid_at(g, i, j, k)] = solid[c];
                g->fluid += solid[c] == 0;
            }
    repeat_mask(g);
    return make_rim(g);
}

/* The number of a place along axis d. */
static int index_of(const rg_grid *g, int64_t place, int d)
{
    const int64_t all = place - rg_grid_corner(g), rest = d < 2 ? all % g->stride[d + 1] : all;

    return (int)(rest / g->stride[d]) - g->ghosts[d];
}

/* The place in a block of one that lies within two cells of the place `at` of the whole grid, which
 * is `own` in the block.  Across the seam of a periodic axis that is divided it is a ghost. */
static int64_t place_near(const rg_grid *g, int64_t at, int64_t own, int64_t near)
{
    for (int d = 0; d < g->dims; d++) {
        const int n = g->whole->axis[d].n;
        int step = index_of(g->whole, near, d) - index_of(g->whole, at, d);
        if (g->parts[d] > 1 && step > RG_GHOSTS) step -= n;
        if (g->parts[d] > 1 && step < -RG_GHOSTS) step += n;
        own += step * g->stride[d];
    }
    return own;
}

static bool take_rim(const rg_grid *g, const rg_rim *from, rg_rim *out)
{
    int index[RG_AXES];

    for (int d = 0; d < RG_AXES; d++) {
        index[d] = index_of(g->whole, from->place, d) - g->axis[d].from;
        if (index[d] < 0 || index[d] >= g->axis[d].n) return false;
    }
    *out = *from;
    out->place = rg_grid_at(g, index[0], index[1], index[2]);
    for (int m = 0; m < from->n; m++) {
        out->from[m] = place_near(g, from->place, out->place, from->from[m]);
        out->next[m] = place_near(g, from->place, out->place, from->next[m]);
    }
    return true;
}

rg_status rg_grid_take_solid(rg_grid *g)
{
    const rg_grid *w = g->whole;
    int64_t solid = 0;

    if (w->solid == NULL) return RG_OK;
    g->solid = rg_alloc(g->ctx, (size_t)g->size, sizeof *g->solid);
    if (g->solid == NULL) return RG_ERR_MEMORY;
    for (int k = -g->ghosts[2]; k < g->axis[2].n + g->ghosts[2]; k++)
        for (int j = -g->ghosts[1]; j < g->axis[1].n + g->ghosts[1]; j++)
            memcpy(g->solid + rg_grid_at(g, -g->ghosts[0], j, k),
                   w->solid
                       + rg_grid_at(w, g->axis[0].from - g->ghosts[0], j + g->axis[1].from,
                                    k + g->axis[2].from),
                   (size_t)(g->axis[0].n + 2 * g->ghosts[0]));
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++)
                solid += g->solid[rg_grid_at(g, i, j, k)] != 0;
    g->fluid = g->cells - solid;
    g->rim = rg_alloc(g->ctx, (size_t)solid + 1, sizeof *g->rim);
    if (g->rim == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < w->n_rim; k++) {
        if (k == w->n_beside) g->n_beside = g->n_rim;
        g->n_rim += take_rim(g, &w->rim[k], &g->rim[g->n_rim]);
    }
    if (w->n_beside == w->n_rim) g->n_beside = g->n_rim;
    return RG_OK;
}

static void fill_layer(const rg_grid *g, int64_t from, int64_t end, double slope, double *v)
{
    for (int64_t k = from; k < end; k++) {
        const rg_rim *rim = &g->rim[k];
        double sum = 0.0;
        for (int m = 0; m < rim->n; m++)
            sum += v[rim->from[m]] + slope * (v[rim->from[m]] - v[rim->next[m]]);
        v[rim->place] = sum / rim->n;
    }
}

/* Layers go on in the blocks of other ranks. */
static void fill_rim(const rg_grid *g, double slope, double *v)
{
    if (g->solid == NULL) return;
    rg_grid_join_all(g, v);
    fill_layer(g, 0, g->n_beside, slope, v);
    rg_grid_join_all(g, v);
    fill_layer(g, g->n_beside, g->n_rim, slope, v);
}

void rg_grid_fill_solid(const rg_grid *g, double *v)
{
    fill_rim(g, 0.0, v);
}

void rg_grid_continue_solid(const rg_grid *g, double *v)
{
    fill_rim(g, 1.0, v);
}
