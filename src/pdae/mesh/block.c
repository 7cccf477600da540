/* One rank's block of a grid: how the ranks are laid over the axes, and its axes, which are parts
 * of those of the whole. */
#include "pdae/mesh/ranks.h"

#include <string.h>

enum { NARROWEST = RG_GHOSTS }; /* cells of a block along an axis that is divided */

/* Places of which ranks touch, relative to the cells: the sum of parts/cells over the axes. */
static double surface(const rg_grid *whole, const int parts[RG_AXES])
{
    double sum = 0.0;

    for (int d = 0; d < whole->dims; d++)
        sum += (double)(parts[d] - 1 + (whole->axis[d].periodic && parts[d] > 1))
               / (double)whole->axis[d].n;
    return sum;
}

static bool fits(const rg_grid *whole, const int parts[RG_AXES])
{
    for (int d = 0; d < RG_AXES; d++)
        if (parts[d] > 1 && (d >= whole->dims || whole->axis[d].n / parts[d] < NARROWEST))
            return false;
    return true;
}

/* The product of three numbers that is `count` with the least surface; false: there is none. */
static bool choose_parts(const rg_grid *whole, int count, int out[RG_AXES])
{
    double least = -1.0;

    for (int x = 1; x <= count; x++)
        for (int y = 1; x * y <= count; y++) {
            const int parts[RG_AXES] = {x, y, count / (x * y)};
            if (parts[0] * parts[1] * parts[2] != count || !fits(whole, parts)) continue;
            const double now = surface(whole, parts);
            if (least >= 0.0 && now >= least) continue;
            least = now;
            memcpy(out, parts, sizeof parts);
        }
    return least >= 0.0;
}

/* The first cell of a part of n cells. */
static int begin_of(int n, int part, int parts)
{
    return (int)((int64_t)n * part / parts);
}

static void take_axis(const rg_axis *whole, int part, int parts, rg_axis *out)
{
    const int from = begin_of(whole->n, part, parts), end = begin_of(whole->n, part + 1, parts);

    *out = *whole;
    if (parts == 1) return;
    out->n = end - from;
    out->from = from;
    out->periodic = false;
    out->joined[0] = from > 0 || whole->periodic;
    out->joined[1] = end < whole->n || whole->periodic;
    out->edge += from;
    out->width += from;
    out->centre += from;
    out->gap += from;
    out->over += from;
}

static rg_status too_many(const rg_grid *whole)
{
    rg_fail(whole->ctx, RG_ERR_ARGUMENT,
            "the grid cannot be divided among %d ranks: a block needs %d cells along every axis",
            rg_ranks->count, NARROWEST);
    return rg_remedy(whole->ctx, "take fewer --ranks, or --no-estimate: half the cells are divided "
                                 "for the estimate");
}

rg_status rg_grid_block(const rg_grid *whole, rg_grid **out)
{
    int parts[RG_AXES] = {1, 1, 1}, rest = rg_ranks->rank;

    *out = NULL;
    if (!choose_parts(whole, rg_ranks->count, parts)) return too_many(whole);
    rg_grid *g = rg_alloc(whole->ctx, 1, sizeof *g);
    if (g == NULL) return RG_ERR_MEMORY;
    g->ctx = whole->ctx;
    g->whole = whole;
    g->dims = whole->dims;
    for (int d = 0; d < RG_AXES; d++) {
        g->parts[d] = parts[d];
        g->part[d] = rest % parts[d];
        rest /= parts[d];
        take_axis(&whole->axis[d], g->part[d], parts[d], &g->axis[d]);
    }
    rg_grid_lay_out(g);
    *out = g;
    return rg_grid_take_solid(g);
}

/* The range of a block along an axis, with the layers beyond the ends of the whole. */
static void range_of(const rg_grid *g, int d, int *low, int *high)
{
    const rg_axis *a = &g->axis[d];
    const bool is_all = g->whole == NULL;

    *low = is_all || g->part[d] == 0 ? -g->ghosts[d] : 0;
    *high = a->n + (is_all || g->part[d] == g->parts[d] - 1 ? g->ghosts[d] : 0);
}

/* The rows of a block between a padded array and its numbers one behind the other. */
static void copy_block(const rg_grid *g, const int low[RG_AXES], const int high[RG_AXES],
                       double *padded, double *packed, bool is_taking)
{
    const size_t n = (size_t)(high[0] - low[0]);

    for (int k = low[2]; k < high[2]; k++)
        for (int j = low[1]; j < high[1]; j++, packed += n) {
            double *const row = padded + rg_grid_at(g, low[0], j, k);
            memcpy(is_taking ? row : packed, is_taking ? packed : row, n * sizeof *row);
        }
}

/* As a part of an array of the whole grid with the layers beyond its ends; behind joined ends are
 * the numbers of the neighbours. */
void rg_grid_store(const rg_grid *g, double *v, rg_store *s)
{
    const rg_grid *whole = g->whole ? g->whole : g;
    rg_store_piece shape = {.element = sizeof *v};
    int low[RG_AXES], high[RG_AXES];
    size_t n = 1;

    for (int d = 0; d < RG_AXES; d++) {
        range_of(g, d, &low[d], &high[d]);
        shape.whole[d] = whole->axis[d].n + 2 * g->ghosts[d];
        shape.part[d] = high[d] - low[d];
        shape.from[d] = g->axis[d].from + low[d] + g->ghosts[d];
        n *= (size_t)shape.part[d];
    }
    double *packed = rg_alloc(g->ctx, n, sizeof *packed);
    if (packed == NULL) s->status = RG_ERR_MEMORY;
    if (packed != NULL && !s->is_reading) copy_block(g, low, high, v, packed, false);
    if (g->whole == NULL) {
        if (packed != NULL) rg_store_reals(s, packed, (int64_t)n);
    } else {
        rg_store_divided(s, packed, &shape);
        s->status = rg_ranks->agree(g->ctx, s->status);
    }
    if (s->is_reading && s->status == RG_OK) {
        copy_block(g, low, high, v, packed, true);
        rg_grid_join_all(g, v);
    }
    rg_free(g->ctx, packed);
}

void rg_grid_join(const rg_grid *g, int d, double *v)
{
    if (g->whole != NULL && g->parts[d] > 1) rg_ranks->join(g, d, v);
}

void rg_grid_join_all(const rg_grid *g, double *v)
{
    for (int d = 0; d < g->dims; d++)
        rg_grid_join(g, d, v);
}

void rg_grid_sum(const rg_grid *g, int n, double *v)
{
    if (g->whole != NULL) rg_ranks->sum(n, v);
}

void rg_grid_most(const rg_grid *g, int n, double *v)
{
    if (g->whole != NULL) rg_ranks->most(n, v);
}

bool rg_grid_any(const rg_grid *g, bool one)
{
    double found = one;

    rg_grid_most(g, 1, &found);
    return found > 0.0;
}

rg_status rg_grid_agree(const rg_grid *g, rg_status status)
{
    return g->whole != NULL ? rg_ranks->agree(g->ctx, status) : status;
}

int64_t rg_grid_place(const rg_grid *g, int64_t cell, int index[RG_AXES])
{
    if (g->whole == NULL) return rg_grid_cell(g, cell, index);
    bool is_here = true;

    (void)rg_grid_cell(g->whole, cell, index);
    for (int d = 0; d < RG_AXES; d++) {
        index[d] -= g->axis[d].from;
        is_here = is_here && index[d] >= 0 && index[d] < g->axis[d].n;
    }
    return is_here ? rg_grid_at(g, index[0], index[1], index[2]) : -1;
}

int rg_grid_rank_at(const rg_grid *g, const int index[RG_AXES], int end[RG_AXES])
{
    const rg_grid *all = g->whole ? g->whole : g;
    int rank = 0;

    for (int d = RG_AXES - 1; d >= 0; d--) {
        const int n = all->axis[d].n, parts = g->whole ? g->parts[d] : 1;
        int part = 0;
        while (begin_of(n, part + 1, parts) <= index[d])
            part++;
        rank = rank * parts + part;
        end[d] = begin_of(n, part + 1, parts);
    }
    return rank;
}

double rg_grid_longest(const rg_grid *g)
{
    const rg_grid *all = g->whole ? g->whole : g;
    double longest = 0.0;

    for (int d = 0; d < all->dims; d++) {
        const double length = all->axis[d].edge[all->axis[d].n] - all->axis[d].edge[0];
        if (length > longest) longest = length;
    }
    return longest;
}
