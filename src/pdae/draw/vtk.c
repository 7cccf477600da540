/* The formats .vtr and .pvd of VTK: XML with the numbers behind it, as they are in memory. */
#include "pdae/draw/vtk.h"

#include "base/output.h"
#include "pdae/mesh/ranks.h"

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

/* Where the numbers go: to a file, or to a store of which every rank has a part. */
typedef struct {
    FILE *to;
    rg_store *divided; /* NULL: to the file */
} sink;

static void put(sink *s, const void *data, size_t bytes)
{
    if (s->divided)
        rg_store_bytes(s->divided, (void *)data, bytes);
    else
        fwrite(data, 1, bytes, s->to);
}

/* `element` bytes of every cell, with how many that is before them. */
static void put_cells(sink *s, const rg_frame *f, const void *data, size_t element)
{
    const uint64_t bytes = (uint64_t)f->form->grid->cells * element;
    rg_store_piece shape = {.element = element};

    put(s, &bytes, sizeof bytes);
    if (s->divided == NULL) {
        put(s, data, (size_t)bytes);
        return;
    }
    for (int d = 0; d < RG_AXES; d++) {
        shape.whole[d] = f->form->grid->axis[d].n;
        shape.part[d] = f->grid->axis[d].n;
        shape.from[d] = f->grid->axis[d].from;
    }
    rg_store_divided(s->divided, (void *)data, &shape);
}

/* Three components of every cell behind one another. */
static void fill_vector(const rg_frame *f, int l, double *out)
{
    const double *v[RG_AXES] = {NULL};

    for (int d = 0; d < f->grid->dims; d++)
        v[d] = rg_frame_leaf(f, l + d); /* components are leaves one behind the other */
    for (int64_t k = 0; k < f->grid->cells; k++)
        for (int d = 0; d < RG_AXES; d++)
            *out++ = v[d] ? v[d][k] : 0.0;
}

static void put_leaves(sink *s, const rg_frame *f, double *work)
{
    const rg_form *form = f->form;

    for (int l = 0; l < form->n_leaves; l++) {
        if (!is_shown(form, l)) continue;
        if (is_vector(form, l)) fill_vector(f, l, work);
        put_cells(s, f, is_vector(form, l) ? work : rg_frame_leaf(f, l),
                  (is_vector(form, l) ? RG_AXES : 1) * sizeof(double));
    }
    if (form->grid->solid == NULL) return;
    unsigned char *mask = (unsigned char *)work;
    for (int64_t k = 0; k < f->grid->cells; k++)
        mask[k] = rg_frame_is_solid(f, k);
    put_cells(s, f, mask, 1);
}

static void put_edges(sink *s, const rg_grid *g)
{
    const double zero = 0.0;

    for (int d = 0; d < RG_AXES; d++) {
        const uint64_t bytes = (d < g->dims ? (uint64_t)g->axis[d].n + 1 : 1) * sizeof zero;
        put(s, &bytes, sizeof bytes);
        put(s, d < g->dims ? g->axis[d].edge : &zero, (size_t)bytes);
    }
}

/* ---- files ----------------------------------------------------------------------------------- */
static void write_head(FILE *to, const void *frame)
{
    const rg_frame *f = frame;
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
}

static rg_status write_grid(rg_context *ctx, sink *s, const rg_frame *f)
{
    static const char tail[] = "\n</AppendedData>\n</VTKFile>\n";
    double *work = rg_alloc(ctx, (size_t)f->grid->cells * RG_AXES + 1, sizeof *work);
    char *head = NULL;
    rg_status status = work == NULL ? RG_ERR_MEMORY : rg_output_text(ctx, write_head, f, &head);

    if (status == RG_OK) {
        put(s, head, strlen(head));
        put_leaves(s, f, work);
        put_edges(s, f->form->grid);
        put(s, tail, sizeof tail - 1);
    }
    rg_free_text(&head);
    rg_free(ctx, work);
    return status;
}

/* Closes a file that was written; what could not be written stays as PATH.part. */
static rg_status finish(rg_output **o)
{
    const rg_status status = rg_output_check(*o), closed = rg_output_close(o, status == RG_OK);

    return status != RG_OK ? status : closed;
}

/* All ranks write their blocks; the first one has the file. */
static rg_status write_divided(rg_context *ctx, const rg_frame *f, const char *path)
{
    rg_output *o = NULL;
    rg_store all;
    sink s = {.divided = &all};
    uint64_t sum;

    rg_store_init(ctx, &all);
    rg_status status = write_grid(ctx, &s, f);
    if (status == RG_OK) status = all.status;
    if (status == RG_OK) status = rg_output_open(ctx, path, &o);
    status = rg_ranks_agree(ctx, status);
    if (status == RG_OK) {
        const int code = rg_ranks->write(rg_output_place(o), 0, &all, &sum);
        status = rg_output_was_written(o, code);
    }
    const rg_status closed = rg_output_close(&o, status == RG_OK);
    rg_store_clear(&all);
    return rg_ranks_agree(ctx, status != RG_OK ? status : closed);
}

rg_status rg_vtk_write(rg_context *ctx, const rg_frame *f, const char *path)
{
    rg_output *o = NULL;

    if (f->grid->whole != NULL) return write_divided(ctx, f, path);
    RG_TRY(rg_output_open(ctx, path, &o));
    sink s = {.to = rg_output_file(o)};
    const rg_status status = write_grid(ctx, &s, f);
    if (status == RG_OK) return finish(&o);
    (void)rg_output_close(&o, false);
    return status;
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
