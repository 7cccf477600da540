/* Wells: their rates, their pressures by Peaceman's formula, what they add to the constraint. */
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"

#include <math.h>
#include <string.h>

/* *at: its place; -1: it is another rank's. */
static double cell_volume(const rg_run_grid *r, int64_t cell, int64_t *at)
{
    int index[RG_AXES];

    *at = rg_grid_place(r->grid, cell, index);
    return *at < 0 ? 0.0 : rg_grid_volume(r->grid, index[0], index[1], index[2]);
}

/* A number of a well: its expression may contain t, but no field. */
double rg_run_number(rg_run_grid *r, const rg_quantity *q, double t)
{
    static const double origin = 0.0;
    const rg_points one = {
        .count = {1,       1,       1      },
          .at = {&origin, &origin, &origin}
    };
    double value = q->value;

    if (q->uses != 0) rg_quantity_eval(r->form, q, t, &one, r->at, r->work, &value, NULL);
    return value;
}

/* Peaceman: 2 pi a dz/log(r0/radius), r0 from the steps and the two mobilities across the well; it
 * is positive where 0 < radius < r0. */
static rg_status well_index(rg_run_grid *r, const rg_run_part *p, const rg_well *w, int64_t at,
                            double t, double *out)
{
    const rg_grid *g = r->grid;
    int index[RG_AXES];
    (void)rg_grid_place(g, w->cell, index);
    const double dx = g->axis[0].width[index[0]], dy = g->axis[1].width[index[1]],
                 dz = g->dims > 2 ? g->axis[2].width[index[2]] : 1.0;
    const double ax = 1.0 / p->r[0][at], ay = 1.0 / (p->r[1] ? p->r[1] : p->r[0])[at];
    const double ratio = sqrt(ay / ax);
    const double r0 =
        0.28 * sqrt(ratio * dx * dx + dy * dy / ratio) / (sqrt(ratio) + sqrt(1.0 / ratio));
    const double radius = rg_run_number(r, w->radius, t);

    *out = 2.0 * acos(-1.0) * sqrt(ax * ay) * dz / log(r0 / radius);
    if (radius > 0.0 && radius < r0) return RG_OK;
    rg_fail(
        r->ctx, RG_ERR_INCONSISTENT,
        "'well %s' has the radius %.3g, which must lie between 0 and %.3g in cells of this size",
        w->name, radius, r0);
    rg_fail_at(r->ctx, r->form->source, w->span);
    return rg_remedy(r->ctx, "give a radius between these, or larger cells");
}

int64_t rg_run_well_place(rg_run_grid *r, int well)
{
    int64_t at;

    (void)cell_volume(r, r->form->wells[well].cell, &at);
    return at;
}

double rg_run_well_rate(rg_run_grid *r, int well, double t)
{
    const rg_well *w = &r->form->wells[well];
    int64_t at;

    if (w->rate) return rg_run_number(r, w->rate, t);
    (void)cell_volume(r, w->cell, &at);
    for (int k = 0; k < r->n_parts; k++) {
        const rg_run_part *p = &r->part[k];
        double index, rate = 0.0;
        if (p->darcy == NULL) continue;
        if (at >= 0 && well_index(r, p, w, at, t, &index) == RG_OK)
            rate = index * (rg_run_number(r, w->pressure, t) - rg_darcy_pressure(p->darcy)[at]);
        rg_grid_sum(r->grid, 1, &rate);
        return rate;
    }
    return 0.0;
}

/* The pressure in a well: as given, or that of its cell. */
rg_status rg_run_well_pressure(rg_run_grid *r, int well, double *out)
{
    const rg_well *w = &r->form->wells[well];

    if (w->pressure) {
        *out = rg_run_number(r, w->pressure, r->t);
        return RG_OK;
    }
    for (int k = 0; k < r->n_parts; k++)
        if (r->part[k].darcy || r->part[k].fluid) {
            const rg_run_part *p = &r->part[k];
            const int64_t at = rg_run_well_place(r, well);
            const double *of = rg_run_grid_field(r, p->eq->pressure, 0);
            *out = at >= 0 ? of[at] : 0.0;
            rg_grid_sum(r->grid, 1, out);
        }
    return RG_OK;
}

/* index P/V of one well: several in a cell add up. */
static rg_status add_pressure(rg_run_part *p, const rg_well *well, int64_t at, double t, double V,
                              double *q)
{
    double index;

    RG_TRY(well_index(p->run, p, well, at, t, &index));
    q[at] += index / V * rg_run_number(p->run, well->pressure, t);
    return RG_OK;
}

rg_status rg_run_source(rg_run_part *p, double t, double *q)
{
    rg_run_grid *r = p->run;

    RG_TRY(rg_run_at_cells(r, p->eq->source, t, q));
    for (int w = 0; w < r->form->n_wells; w++) {
        const rg_well *well = &r->form->wells[w];
        int64_t at;
        const double V = cell_volume(r, well->cell, &at);
        if (at < 0) continue;
        if (well->rate)
            q[at] += rg_run_number(r, well->rate, t) / V;
        else if (p->darcy)
            RG_TRY(add_pressure(p, well, at, t, V, q));
    }
    return RG_OK;
}

rg_status rg_run_well_indices(rg_run_part *p, double t)
{
    rg_run_grid *r = p->run;

    memset(p->mobility_index, 0, (size_t)r->grid->size * sizeof *p->mobility_index);
    for (int w = 0; w < r->form->n_wells; w++) {
        const rg_well *well = &r->form->wells[w];
        int64_t at;
        if (well->rate) continue;
        const double V = cell_volume(r, well->cell, &at);
        double index = 0.0;
        const rg_status status = at >= 0 ? well_index(r, p, well, at, t, &index) : RG_OK;
        RG_TRY(rg_grid_agree(r->grid, status));
        if (at >= 0) p->mobility_index[at] += index / V;
    }
    return RG_OK;
}
