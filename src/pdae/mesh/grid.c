/* Makes grids: axes with mirrored ghost cells beyond walls, repeated ones on periodic axes. */
#include "pdae/mesh/grid.h"

#include "base/pieces.h"
#include "base/tuning.h"

#include <string.h>

/* Edges from -2 to n + 2: beyond a wall the widths are mirrored, beyond a periodic end repeated. */
static void fill_edges(const rg_axis_spec *s, double *edge)
{
    const int n = s->n;

    for (int i = 0; i <= n; i++)
        edge[i] = s->edge ? s->edge[i] : s->a + (s->b - s->a) * i / n;
    for (int k = 1; k <= RG_GHOSTS; k++) {
        const int inside = k <= n ? k : n; /* one cell across: it is all there is to mirror */
        if (s->periodic) {
            const int low = ((n - k) % n + n) % n, high = (k - 1) % n;
            edge[-k] = edge[1 - k] - (edge[low + 1] - edge[low]);
            edge[n + k] = edge[n + k - 1] + (edge[high + 1] - edge[high]);
        } else {
            edge[-k] = 2.0 * edge[0] - edge[inside];
            edge[n + k] = 2.0 * edge[n] - edge[n - inside];
            if (inside < k) {
                edge[-k] = edge[1 - k] - (edge[1] - edge[0]);
                edge[n + k] = edge[n + k - 1] + (edge[1] - edge[0]);
            }
        }
    }
}

enum { AXIS_ARRAYS = 5 };

static void make_axis(const rg_axis_spec *s, double *memory, rg_axis *out)
{
    const int n = s->n, room = n + 2 * RG_GHOSTS + 1;
    double *edge = memory + RG_GHOSTS, *width = edge + room, *centre = width + room,
           *gap = centre + room, *over = gap + room;

    fill_edges(s, edge);
    for (int i = -RG_GHOSTS; i < n + RG_GHOSTS; i++) {
        width[i] = s->edge ? edge[i + 1] - edge[i] : (s->b - s->a) / n;
        over[i] = 1.0 / width[i];
        centre[i] = s->edge ? 0.5 * (edge[i] + edge[i + 1]) : s->a + (s->b - s->a) * (i + 0.5) / n;
    }
    for (int i = 1 - RG_GHOSTS; i < n + RG_GHOSTS; i++)
        gap[i] = 0.5 * (width[i - 1] + width[i]);
    *out = (rg_axis){.n = n,
                     .periodic = s->periodic,
                     .uniform = s->edge == NULL,
                     .edge = edge,
                     .width = width,
                     .centre = centre,
                     .gap = gap,
                     .over = over};
}

enum { LINE = RG_CACHE_LINE / sizeof(double) }; /* numbers of a cache line */

/* Cell 0 of every row begins a cache line, so that vectors of its numbers lie in one.  The lines of
 * a row are odd in number: cells above one another do not compete for few places of a cache. */
void rg_grid_lay_out(rg_grid *g)
{
    g->cells = g->size = 1;
    g->origin = LINE - RG_GHOSTS;
    for (int d = 0; d < RG_AXES; d++) {
        g->ghosts[d] = d < g->dims ? RG_GHOSTS : 0;
        g->stride[d] = g->size;
        g->origin += g->ghosts[d] * g->stride[d];
        g->size *= g->axis[d].n + 2 * g->ghosts[d];
        g->cells *= g->axis[d].n;
        if (d == 0) g->size = ((g->size + LINE - 1) / LINE / 2 * 2 + 1) * LINE;
    }
    g->size += LINE;
    g->fluid = g->cells;
}

rg_status rg_grid_create(rg_context *ctx, int dims, const rg_axis_spec *spec, rg_grid **out)
{
    rg_axis_spec all[RG_AXES];
    size_t room = 0;
    rg_grid *g = rg_alloc(ctx, 1, sizeof *g);

    *out = NULL;
    if (g == NULL) return RG_ERR_MEMORY;
    g->ctx = ctx;
    g->dims = dims;
    for (int d = 0; d < RG_AXES; d++) {
        all[d] = d < dims ? spec[d] : (rg_axis_spec){.n = 1, .a = 0.0, .b = 1.0};
        room += AXIS_ARRAYS * ((size_t)all[d].n + 2 * RG_GHOSTS + 1);
    }
    g->memory = rg_alloc(ctx, room, sizeof *g->memory);
    if (g->memory == NULL) {
        rg_grid_destroy(&g);
        return RG_ERR_MEMORY;
    }
    double *memory = g->memory;
    for (int d = 0; d < RG_AXES; d++) {
        make_axis(&all[d], memory, &g->axis[d]);
        memory += AXIS_ARRAYS * ((size_t)all[d].n + 2 * RG_GHOSTS + 1);
    }
    rg_grid_lay_out(g);
    *out = g;
    return RG_OK;
}

void rg_grid_destroy(rg_grid **grid)
{
    rg_grid *g = *grid;

    if (g == NULL) return;
    rg_free(g->ctx, g->memory);
    rg_free(g->ctx, g->solid);
    rg_free(g->ctx, g->rim);
    rg_free(g->ctx, g);
    *grid = NULL;
}

int64_t rg_grid_cell(const rg_grid *g, int64_t cell, int index[RG_AXES])
{
    for (int d = 0; d < RG_AXES; d++) {
        index[d] = (int)(cell % g->axis[d].n);
        cell /= g->axis[d].n;
    }
    return rg_grid_at(g, index[0], index[1], index[2]);
}

rg_status rg_grid_share(const rg_grid *g, int threads)
{
    if (g->whole != NULL) return rg_crew_set(g->ctx, 1); /* a rank has one core */
    return g->size >= RG_CREW_NUMBERS || threads == 1 ? rg_crew_set(g->ctx, threads) : RG_OK;
}

void rg_grid_rows(const rg_grid *g, const int *first, const int *end, rg_crew_work *work,
                  void *user)
{
    const int64_t nj = end[1] - first[1], nk = end[2] - first[2];

    if (nj > 0 && nk > 0) rg_crew_run(g->ctx, nj * nk, g->axis[0].n, work, user);
}

void rg_grid_cell_rows(const rg_grid *g, rg_crew_work *work, void *user)
{
    rg_crew_run(g->ctx, (int64_t)g->axis[1].n * g->axis[2].n, g->axis[0].n, work, user);
}

void rg_grid_blocks(const rg_grid *g, int64_t n, rg_crew_work *work, void *user)
{
    rg_crew_run(g->ctx, (n + RG_GRID_BLOCK - 1) / RG_GRID_BLOCK, RG_GRID_BLOCK, work, user);
}

double *rg_grid_array(const rg_grid *g)
{
    return rg_alloc(g->ctx, (size_t)g->size, sizeof(double));
}

typedef struct {
    const rg_grid *g;
    const double *from;
    double *to;
    bool is_padded; /* `from` is; else `to` */
} copying;

static void copy_rows(void *user, int hand, int64_t from, int64_t end)
{
    const copying *w = user;
    const int64_t n = w->g->axis[0].n;

    (void)hand;
    for (int64_t r = from; r < end; r++) {
        int j, k;
        rg_cell_row(w->g, r, &j, &k);
        const int64_t padded = rg_grid_at(w->g, 0, j, k), packed = r * n;
        memcpy(w->to + (w->is_padded ? packed : padded), w->from + (w->is_padded ? padded : packed),
               (size_t)n * sizeof *w->to);
    }
}

void rg_grid_pack(const rg_grid *g, const double *padded, double *cells)
{
    rg_grid_cell_rows(g, copy_rows, &(copying){g, padded, cells, true});
}

void rg_grid_unpack(const rg_grid *g, const double *cells, double *padded)
{
    rg_grid_cell_rows(g, copy_rows, &(copying){g, cells, padded, false});
}

rg_outer_line rg_grid_outer_line(const rg_grid *g, int d, int a, int b, bool goes_on)
{
    rg_outer_line l = {.near = g->origin};

    for (int k = 0; k < 2; k++) {
        const int e = (d + 1 + k) % RG_AXES, i = k == 0 ? a : b;
        const rg_axis *x = &g->axis[e];
        const int high = i >= x->n;
        l.near += rg_axis_inside(x, x->n, i) * g->stride[e];
        l.aside += i * g->stride[e];
        if (!goes_on || (i >= 0 && !high) || x->n < 2 || !rg_axis_is_side(x, high)) continue;
        l.back[k] = high ? -g->stride[e] : g->stride[e];
        l.part[k] =
            high ? (i - x->n + 1) * x->gap[x->n] / x->gap[x->n - 1] : -i * x->gap[0] / x->gap[1];
    }
    l.aside += g->origin - l.near;
    return l;
}
