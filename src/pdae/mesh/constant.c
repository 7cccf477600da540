/* Removes the constant part of a field, by rows. */
#include "base/vector.h"
#include "pdae/mesh/block.h"

enum { PARTS = 2 }; /* partial sums of four, so that their order does not depend on the vectors */

RG_FOR_ALL_VECTORS
static double row_sum(int n, const double *v, const double *w, const unsigned char *solid)
{
    rg_quad sum[PARTS] = {{0.0}};
    double all = 0.0;
    int i = 0;

    for (; solid == NULL && i + PARTS * RG_LANES <= n; i += PARTS * RG_LANES)
        for (int k = 0; k < PARTS; k++) {
            const int at = i + k * RG_LANES;
            if (v && w)
                sum[k] += RG_FOUR(w + at) * RG_FOUR(v + at);
            else
                sum[k] += RG_FOUR((v ? v : w) + at);
        }
    for (; i < n; i++)
        if (!(solid && solid[i])) sum[0][0] += v ? (w ? w[i] * v[i] : v[i]) : w[i];
    for (int k = 0; k < PARTS * RG_LANES; k++)
        all += sum[k / RG_LANES][k % RG_LANES];
    return all;
}

typedef struct {
    const rg_grid *g;
    double *v;
    bool is_density, times_volume;
    double along, number; /* sum of the widths of a row; what is added */
    rg_crew_work *make;   /* of the rows of v, or NULL                 */
    void *user;
} loop;

/* A row: sum over its cells that are not solid of v, or of v times the volume; their volume. */
static void sum_row(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const rg_grid *g = w->g;
    const double *width = g->axis[0].width;
    const int n = g->axis[0].n;
    int j, k;

    if (w->make) w->make(w->user, 0, unit, unit + 1);
    rg_cell_row(g, unit, &j, &k);
    const int64_t row = rg_grid_at(g, 0, j, k);
    const unsigned char *solid = g->solid ? g->solid + row : NULL;
    const double area = g->axis[1].width[j] * g->axis[2].width[k];
    out[0] = w->is_density ? area * row_sum(n, w->v + row, width, solid)
                           : row_sum(n, w->v + row, NULL, solid);
    out[1] = area * (solid ? row_sum(n, NULL, width, solid) : w->along);
    out[2] = 0.0;
}

/* v += number, or number times the volume, on these cells. */
RG_FOR_ALL_VECTORS
static void shift_rows(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const rg_grid *g = w->g;
    const double *width = g->axis[0].width, number = w->number;
    const int n = g->axis[0].n;

    (void)hand;
    for (int64_t r = from; r < end; r++) {
        int j, k;
        rg_cell_row(g, r, &j, &k);
        const int64_t row = rg_grid_at(g, 0, j, k);
        const double by = number * g->axis[1].width[j] * g->axis[2].width[k];
        double *o = w->v + row;
        if (g->solid) {
            for (int i = 0; i < n; i++)
                if (!g->solid[row + i]) o[i] += w->times_volume ? by * width[i] : number;
        } else if (w->times_volume) {
            for (int i = 0; i < n; i++)
                o[i] += by * width[i];
        } else {
            for (int i = 0; i < n; i++)
                o[i] += number;
        }
    }
}

void rg_grid_remove_constant(const rg_grid *g, double *v, bool is_sum)
{
    rg_grid_make_without_constant(g, v, is_sum, NULL, NULL);
}

void rg_grid_make_without_constant(const rg_grid *g, double *v, bool is_sum, rg_crew_work *make,
                                   void *user)
{
    const int n = g->axis[0].n;
    double all[RG_CREW_SUMS];
    loop w = {.g = g,
              .v = v,
              .is_density = !is_sum,
              .times_volume = is_sum,
              .make = make,
              .user = user,
              .along = g->solid ? 0.0 : row_sum(n, NULL, g->axis[0].width, NULL)};

    rg_crew_sum(g->ctx, (int64_t)g->axis[1].n * g->axis[2].n, n, sum_row, &w, all);
    rg_grid_sum(g, 2, all);
    w.number = -all[0] / all[1];
    rg_grid_cell_rows(g, shift_rows, &w);
}
