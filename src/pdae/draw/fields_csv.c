/* The numbers of all fields as a CSV file. */
#include "pdae/draw/vtk.h"
#include "pdae/form/inside.h"
#include "solution/csv.h"

static rg_status write_header(const rg_frame *f, rg_csv *csv)
{
    const rg_form *form = f->form;

    for (int d = 0; d < form->grid->dims; d++)
        rg_csv_text(csv, form->axis_name[d]);
    for (int l = 0; l < form->n_leaves; l++)
        if (form->leaves[l].field >= 0)
            rg_csv_text(csv, rg_form_inside(form)->names[form->grid->dims + l].name);
    return rg_csv_end_row(csv);
}

static rg_status write_cells(const rg_frame *f, rg_csv *csv)
{
    const rg_form *form = f->form;
    const rg_grid *g = form->grid;
    int i[RG_AXES];
    int64_t cell = 0;

    for (i[2] = 0; i[2] < g->axis[2].n; i[2]++)
        for (i[1] = 0; i[1] < g->axis[1].n; i[1]++)
            for (i[0] = 0; i[0] < g->axis[0].n; i[0]++, cell++) {
                if (rg_frame_is_solid(f, cell)) continue;
                for (int d = 0; d < g->dims; d++)
                    rg_csv_real(csv, g->axis[d].centre[i[d]]);
                for (int l = 0; l < form->n_leaves; l++)
                    if (form->leaves[l].field >= 0) rg_csv_real(csv, rg_frame_leaf(f, l)[cell]);
                RG_TRY(rg_csv_end_row(csv));
            }
    return RG_OK;
}

rg_status rg_frame_write_csv(rg_context *ctx, const rg_frame *f, const char *path)
{
    rg_csv *csv = NULL;

    RG_TRY(rg_csv_open(ctx, path, &csv));
    rg_status status = write_header(f, csv);
    if (status == RG_OK) status = write_cells(f, csv);
    const rg_status closed = rg_csv_close(&csv, status == RG_OK);
    return status != RG_OK ? status : closed;
}
