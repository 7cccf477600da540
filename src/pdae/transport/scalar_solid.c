/* Contacts of a scalar with solids, and the dispersion tensor. */
#include "pdae/transport/scalar.h"

#include <math.h>

/* Beyond how many ends of the block does the cell lie?  Sides of the domain count as too many. */
static int ends_beyond(const rg_grid *g, const int index[RG_AXES])
{
    int beyond = 0;

    for (int d = 0; d < RG_AXES; d++) {
        const bool low = index[d] < 0, high = index[d] >= g->axis[d].n;
        if (!low && !high) continue;
        beyond += d < g->dims && g->axis[d].joined[high] ? 1 : RG_AXES;
    }
    return beyond;
}

/* The face of a cell on a side, if there is a solid behind; in another rank's cell only if that
 * solid is of this block. */
static bool is_contact(const rg_grid *g, const int index[RG_AXES], int side)
{
    const int d = side / 2, high = side % 2, to = index[d] + (high ? 1 : -1);
    const int64_t cell = rg_grid_at(g, index[0], index[1], index[2]);

    if (g->solid[cell + (high ? g->stride[d] : -g->stride[d])] == 0) return false;
    return ends_beyond(g, index) == 0
           || (to >= 0 && to < g->axis[d].n
               && rg_axis_inside(&g->axis[d], g->axis[d].n, index[d]) == to);
}

static int64_t list(const rg_scalar_space *s, const int *kind, rg_scalar_contact *out)
{
    const rg_grid *g = s->grid;
    int index[RG_AXES];
    int64_t count = 0;
    const int beside = g->whole != NULL; /* cells of other ranks, in the order of the whole grid */

    for (index[2] = -beside; index[2] < g->axis[2].n + beside; index[2]++)
        for (index[1] = -beside; index[1] < g->axis[1].n + beside; index[1]++)
            for (index[0] = -beside; index[0] < g->axis[0].n + beside; index[0]++) {
                const int beyond = ends_beyond(g, index);
                if (beyond > 1) continue;
                const int64_t cell = rg_grid_at(g, index[0], index[1], index[2]);
                if (g->solid[cell]) continue;
                for (int side = 0; side < 2 * g->dims; side++) {
                    const int d = side / 2, high = side % 2;
                    const int64_t solid = cell + (high ? g->stride[d] : -g->stride[d]);
                    const double width = g->axis[d].width[index[d]];
                    if (!is_contact(g, index, side)) continue;
                    if (out)
                        out[count] = (rg_scalar_contact){
                            .face = high ? solid : cell,
                            .cell = cell,
                            .area = rg_grid_volume(g, index[0], index[1], index[2]) / width,
                            .half = 0.5 * width,
                            .solid = g->solid[solid],
                            .axis = (unsigned char)d,
                            .high = (unsigned char)high,
                            .kind = (unsigned char)kind[g->solid[solid] - 1],
                            .is_other = beyond > 0};
                    count++;
                }
            }
    return count;
}

rg_status rg_scalar_set_solids(rg_scalar_space *s, const int *kind)
{
    if (s->grid->solid == NULL) return RG_OK;
    const int64_t n = list(s, kind, NULL);
    s->contact = rg_alloc(s->grid->ctx, (size_t)n + 1, sizeof *s->contact);
    if (s->contact == NULL) return RG_ERR_MEMORY;
    s->n_contacts = list(s, kind, s->contact);
    return RG_OK;
}

void rg_scalar_free_solids(rg_scalar_space *s)
{
    rg_free(s->grid ? s->grid->ctx : NULL, s->contact);
    s->contact = NULL;
}

void rg_scalar_dispersion(const rg_grid *g, int d, double *const *u, double *const coefficient[3],
                          double *const *D)
{
    const double *dm = coefficient[0], *dl = coefficient[1], *dt = coefficient[2];
    const int64_t step = g->stride[d];
    int index[RG_AXES], end[RG_AXES];

    for (int e = 0; e < RG_AXES; e++)
        end[e] = g->axis[e].n + (e == d);
    for (index[2] = 0; index[2] < end[2]; index[2]++)
        for (index[1] = 0; index[1] < end[1]; index[1]++)
            for (index[0] = 0; index[0] < end[0]; index[0]++) {
                const int64_t at = rg_grid_at(g, index[0], index[1], index[2]);
                double v[RG_AXES] = {0.0, 0.0, 0.0}, square = 0.0;
                for (int e = 0; e < g->dims; e++) {
                    const int64_t q = g->stride[e];
                    const double *w = u[e] + at;
                    v[e] = e == d ? w[0] : 0.25 * (w[0] + w[q] + w[-step] + w[q - step]);
                    square += v[e] * v[e];
                }
                const double speed = sqrt(square);
                for (int e = 0; e < g->dims; e++) {
                    const double part = speed > 0.0 ? v[d] * v[e] / speed : 0.0;
                    D[e][at] = (dl[at] - dt[at]) * part + (e == d ? dm[at] + dt[at] * speed : 0.0);
                }
            }
}
