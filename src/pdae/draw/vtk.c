/* The formats .vtr and .pvd of VTK: XML with the numbers behind it, as they are in memory. */
#include "pdae/draw/vtk.h"

#include "base/output.h"

#include <string.h>

typedef struct {
    FILE *to;
    uint64_t offset; /* of the next array behind the mark */
} writer;

static const char *byte_order(void)
{
    const uint16_t one = 1;
    unsigned char low;

    memcpy(&low, &one, 1);
    return low == 1 ? "LittleEndian" : "BigEndian";
}

static void announce(writer *w, const char *type, const char *name, int components, uint64_t bytes)
{
    fprintf(w->to,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
            "offset=\"%llu\"/>\n",
            type, name, components, (unsigned long long)w->offset);
    w->offset += sizeof(uint64_t) + bytes;
}

static void put_array(FILE *to, const void *data, uint64_t bytes)
{
    fwrite(&bytes, sizeof bytes, 1, to);
    fwrite(data, 1, bytes, to);
}

/* ---- arrays ---------------------------------------------------------------------------------- */
static bool is_shown(const rg_form *form, int l)
{
    const rg_leaf *leaf = &form->leaves[l];

    return leaf->field < 0 || !form->fields[leaf->field].is_vector || leaf->component == 0;
}

static bool is_vector(const rg_form *form, int l)
{
    return form->leaves[l].field >= 0 && form->fields[form->leaves[l].field].is_vector;
}

static const char *name_of(const rg_form *form, int l)
{
    const rg_leaf *leaf = &form->leaves[l];

    return leaf->field >= 0 ? form->fields[leaf->field].name : form->data[leaf->data].name;
}

static void announce_cells(writer *w, const rg_frame *f)
{
    const rg_form *form = f->form;
    const uint64_t one = (uint64_t)form->grid->cells * sizeof(double);

    fputs("<CellData>\n", w->to);
    for (int l = 0; l < form->n_leaves; l++)
        if (is_shown(form, l))
            announce(w, "Float64", name_of(form, l), is_vector(form, l) ? RG_AXES : 1,
                     is_vector(form, l) ? RG_AXES * one : one);
    if (form->grid->solid != NULL) announce(w, "UInt8", "solid", 1, (uint64_t)form->grid->cells);
    fputs("</CellData>\n<Coordinates>\n", w->to);
    for (int d = 0; d < RG_AXES; d++) {
        const bool is_there = d < form->grid->dims;
        const int64_t n = is_there ? form->grid->axis[d].n + 1 : 1;
        announce(w, "Float64", is_there ? form->axis_name[d] : "none", 1,
                 (uint64_t)n * sizeof(double));
    }
    fputs("</Coordinates>\n", w->to);
}

/* Three components of every cell behind one another. */
static void put_vector(FILE *to, const rg_frame *f, int l)
{
    const rg_form *form = f->form;
    const uint64_t bytes = (uint64_t)form->grid->cells * RG_AXES * sizeof(double);
    const double *v[RG_AXES] = {NULL};

    for (int d = 0; d < form->grid->dims; d++)
        v[d] = rg_frame_leaf(f, l + d); /* components are leaves one behind the other */
    fwrite(&bytes, sizeof bytes, 1, to);
    for (int64_t k = 0; k < form->grid->cells; k++) {
        const double all[RG_AXES] = {v[0][k], v[1] ? v[1][k] : 0.0, v[2] ? v[2][k] : 0.0};
        fwrite(all, sizeof *all, RG_AXES, to);
    }
}

static void put_cells(FILE *to, const rg_frame *f)
{
    const rg_form *form = f->form;
    const rg_grid *g = form->grid;
    const double zero = 0.0;

    for (int l = 0; l < form->n_leaves; l++)
        if (is_shown(form, l)) {
            if (is_vector(form, l))
                put_vector(to, f, l);
            else
                put_array(to, rg_frame_leaf(f, l), (uint64_t)g->cells * sizeof(double));
        }
    if (g->solid != NULL) {
        const uint64_t bytes = (uint64_t)g->cells;
        fwrite(&bytes, sizeof bytes, 1, to);
        for (int64_t k = 0; k < g->cells; k++)
            putc(rg_frame_is_solid(f, k), to);
    }
    for (int d = 0; d < RG_AXES; d++)
        if (d < g->dims)
            put_array(to, g->axis[d].edge, ((uint64_t)g->axis[d].n + 1) * sizeof(double));
        else
            put_array(to, &zero, sizeof zero);
}

/* ---- files ----------------------------------------------------------------------------------- */
static void write_grid(FILE *to, const rg_frame *f)
{
    const rg_grid *g = f->form->grid;
    char extent[100], number[32];
    writer w = {.to = to};

    snprintf(extent, sizeof extent, "0 %d 0 %d 0 %d", g->axis[0].n, g->dims > 1 ? g->axis[1].n : 0,
             g->dims > 2 ? g->axis[2].n : 0);
    fprintf(to,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"RectilinearGrid\" version=\"1.0\" "
            "byte_order=\"%s\" header_type=\"UInt64\">\n<RectilinearGrid WholeExtent=\"%s\">\n"
            "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
            "format=\"ascii\">%s</DataArray>\n</FieldData>\n<Piece Extent=\"%s\">\n",
            byte_order(), extent, rg_real_text(f->t, number), extent);
    announce_cells(&w, f);
    fputs("</Piece>\n</RectilinearGrid>\n<AppendedData encoding=\"raw\">\n_", to);
    put_cells(to, f);
    fputs("\n</AppendedData>\n</VTKFile>\n", to);
}

/* Closes a file that was written; what could not be written stays as PATH.part. */
static rg_status finish(rg_output **o)
{
    const rg_status status = rg_output_check(*o), closed = rg_output_close(o, status == RG_OK);

    return status != RG_OK ? status : closed;
}

rg_status rg_vtk_write(rg_context *ctx, const rg_frame *f, const char *path)
{
    rg_output *o = NULL;

    RG_TRY(rg_output_open(ctx, path, &o));
    write_grid(rg_output_file(o), f);
    return finish(&o);
}

int rg_vtk_name(const char *name, int64_t frame, char *buffer, size_t size)
{
    return snprintf(buffer, size, "%s_%04lld.vtr", name, (long long)frame);
}

rg_status rg_vtk_write_list(rg_context *ctx, const char *name, int64_t n, const double *time)
{
    const char *slash = strrchr(name, '/');
    char path[512], number[32];
    rg_output *o = NULL;

    snprintf(path, sizeof path, "%s.pvd", name);
    RG_TRY(rg_output_open(ctx, path, &o));
    FILE *to = rg_output_file(o);
    fprintf(to,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
            "byte_order=\"%s\">\n<Collection>\n",
            byte_order());
    for (int64_t k = 0; k < n; k++) {
        rg_vtk_name(slash != NULL ? slash + 1 : name, k, path, sizeof path);
        fprintf(to, "<DataSet timestep=\"%s\" part=\"0\" file=\"%s\"/>\n",
                rg_real_text(time[k], number), path);
    }
    fputs("</Collection>\n</VTKFile>\n", to);
    return finish(&o);
}
