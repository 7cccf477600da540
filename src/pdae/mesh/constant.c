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

/* Sum over the cells that are not solid of v, or of v times the volume; the volume of them. */
static double sum_of(const rg_grid *g, const double *v, bool is_density, double *volume)
{
    const double *width = g->axis[0].width;
    const int n = g->axis[0].n;
    const double along = g->solid ? 0.0 : row_sum(n, NULL, width, NULL);
    double sum = 0.0;

    *volume = 0.0;
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++) {
            const int64_t row = rg_grid_at(g, 0, j, k);
            const unsigned char *solid = g->solid ? g->solid + row : NULL;
            const double area = g->axis[1].width[j] * g->axis[2].width[k];
            *volume += area * (solid ? row_sum(n, NULL, width, solid) : along);
            sum += is_density ? area * row_sum(n, v + row, width, solid)
                              : row_sum(n, v + row, NULL, solid);
        }
    return sum;
}

/* v += number, or number times the volume, on these cells. */
RG_FOR_ALL_VECTORS
static void shift(const rg_grid *g, double number, bool times_volume, double *v)
{
    const double *width = g->axis[0].width;

    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++) {
            const int64_t row = rg_grid_at(g, 0, j, k);
            const double by = number * g->axis[1].width[j] * g->axis[2].width[k];
            double *o = v + row;
            if (g->solid) {
                for (int i = 0; i < g->axis[0].n; i++)
                    if (!g->solid[row + i]) o[i] += times_volume ? by * width[i] : number;
            } else if (times_volume) {
                for (int i = 0; i < g->axis[0].n; i++)
                    o[i] += by * width[i];
            } else {
                for (int i = 0; i < g->axis[0].n; i++)
                    o[i] += number;
            }
        }
}

void rg_grid_remove_constant(const rg_grid *g, double *v, bool is_sum)
{
    double all[2];

    all[0] = sum_of(g, v, !is_sum, &all[1]);
    rg_grid_sum(g, 2, all);
    shift(g, -all[0] / all[1], is_sum, v);
}
