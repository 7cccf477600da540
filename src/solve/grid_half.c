/* The same model on half the cells per axis, for the estimate of the error. */
#include "solve/grid_half.h"

#include "base/tuning.h"

void rg_grid_half_destroy(rg_context *ctx, rg_grid_half *h)
{
    for (int k = 0; h->data != NULL && k < h->form.n_data; k++)
        rg_free(ctx, h->data[k].value);
    rg_free(ctx, h->data);
    rg_free(ctx, h->wells);
    rg_free(ctx, h->edges);
    rg_grid_destroy(&h->form.grid);
}

/* Data of a coarse cell: the mean of its fine cells. */
static void average(const rg_grid *fine, const rg_grid *coarse, const double *from, double *to)
{
    const int nx = fine->axis[0].n, ny = fine->axis[1].n;
    int step[RG_AXES];
    int64_t c = 0;

    for (int d = 0; d < RG_AXES; d++)
        step[d] = fine->axis[d].n / coarse->axis[d].n;
    for (int k = 0; k < coarse->axis[2].n; k++)
        for (int j = 0; j < coarse->axis[1].n; j++)
            for (int i = 0; i < coarse->axis[0].n; i++, c++) {
                double sum = 0.0;
                for (int z = 0; z < step[2]; z++)
                    for (int y = 0; y < step[1]; y++)
                        for (int x = 0; x < step[0]; x++)
                            sum +=
                                from[(step[0] * i + x)
                                     + (int64_t)nx
                                           * ((step[1] * j + y) + (int64_t)ny * (step[2] * k + z))];
                to[c] = sum / (step[0] * step[1] * step[2]);
            }
}

static void move_well(const rg_grid *fine, const rg_grid *coarse, rg_well *w)
{
    int64_t cell = w->cell;
    int index[RG_AXES];

    for (int d = 0; d < RG_AXES; d++) {
        index[d] = (int)(cell % fine->axis[d].n) / (fine->axis[d].n / coarse->axis[d].n);
        cell /= fine->axis[d].n;
    }
    w->cell = index[0] + coarse->axis[0].n * (index[1] + (int64_t)coarse->axis[1].n * index[2]);
}

rg_status rg_grid_half_create(const rg_form *form, rg_grid_half *out, bool *possible)
{
    const rg_grid *g = form->grid;
    rg_context *ctx = form->ctx;
    rg_axis_spec spec[RG_AXES] = {{0}};
    size_t room = 0;

    *out = (rg_grid_half){.form = *form};
    out->form.grid = NULL;
    *possible = g->solid == NULL;
    for (int d = 0; d < g->dims; d++) {
        *possible = *possible && g->axis[d].n % 2 == 0 && g->axis[d].n >= RG_GRID_HALF_CELLS;
        room += (size_t)g->axis[d].n / 2 + 1;
    }
    if (!*possible) return RG_OK;
    out->edges = rg_alloc(ctx, room, sizeof *out->edges);
    out->wells = rg_alloc(ctx, (size_t)form->n_wells + 1, sizeof *out->wells);
    out->data = rg_alloc(ctx, (size_t)form->n_data + 1, sizeof *out->data);
    if (!out->edges || !out->wells || !out->data) return RG_ERR_MEMORY;
    double *edges = out->edges;
    for (int d = 0; d < g->dims; d++) {
        const rg_axis *a = &g->axis[d];
        spec[d] = (rg_axis_spec){
            .n = a->n / 2, .periodic = a->periodic, .a = a->edge[0], .b = a->edge[a->n]};
        for (int i = 0; i <= a->n / 2; i++)
            edges[i] = a->edge[2 * i];
        if (!a->uniform) spec[d].edge = edges;
        edges += a->n / 2 + 1;
    }
    RG_TRY(rg_grid_create(ctx, g->dims, spec, &out->form.grid));
    for (int k = 0; k < form->n_wells; k++) {
        out->wells[k] = form->wells[k];
        move_well(g, out->form.grid, &out->wells[k]);
    }
    for (int k = 0; k < form->n_data; k++) {
        out->data[k] = form->data[k];
        out->data[k].value = rg_alloc(ctx, (size_t)out->form.grid->cells, sizeof(double));
        if (out->data[k].value == NULL) return RG_ERR_MEMORY;
        average(g, out->form.grid, form->data[k].value, out->data[k].value);
    }
    out->form.wells = out->wells;
    out->form.data = out->data;
    return RG_OK;
}
