/* Files of fields, at the times of a run. */
#include "pdae/draw/files.h"
#include "pdae/draw/picture.h"
#include "pdae/draw/vtk.h"
#include "pdae/mesh/ranks.h"

static bool is_given(const char *name)
{
    return name != NULL && name[0] != '\0';
}

bool rg_field_files_wanted(const rg_field_files *f)
{
    return is_given(f->vtk) || is_given(f->fields) || is_given(f->svg) || is_given(f->png);
}

rg_status rg_field_files_open(rg_field_files *f, rg_context *ctx, const rg_form *form)
{
    f->ctx = ctx;
    return rg_field_files_wanted(f) ? rg_frame_create(form, &f->frame) : RG_OK;
}

void rg_field_files_clear(rg_field_files *f)
{
    if (f->ctx == NULL) return;
    rg_frame_clear(&f->frame);
    rg_free(f->ctx, f->time);
    f->time = NULL;
}

void rg_field_files_store(rg_field_files *f, rg_store *s)
{
    int64_t n = f->n_frames, capacity = f->capacity;

    rg_store_grown(s, &f->time, &n, &capacity, sizeof *f->time);
    f->n_frames = n;
    f->capacity = capacity;
}

rg_status rg_field_files_row(rg_field_files *f, double t, const double *unknown)
{
    char path[512];

    if (!is_given(f->vtk) || (f->n_frames > 0 && f->time[f->n_frames - 1] == t)) return RG_OK;
    RG_TRY(rg_grow(f->ctx, &f->time, f->n_frames, &f->capacity, sizeof *f->time));
    rg_frame_set(&f->frame, t, unknown);
    rg_vtk_name(f->vtk, f->n_frames, path, sizeof path);
    RG_TRY(rg_vtk_write(f->ctx, &f->frame, path));
    f->time[f->n_frames++] = t;
    return rg_ranks_agree(f->ctx, rg_vtk_write_list(f->ctx, f->vtk, f->n_frames, f->time));
}

rg_status rg_field_files_end(rg_field_files *f, double t, const double *unknown)
{
    if (!is_given(f->fields) && !is_given(f->svg) && !is_given(f->png)) return RG_OK;
    rg_frame_set(&f->frame, t, unknown);
    if (is_given(f->fields)) RG_TRY(rg_frame_write_csv(f->ctx, &f->frame, f->fields));
    if (is_given(f->svg)) RG_TRY(rg_picture_write(f->ctx, &f->frame, f->title, f->svg, false));
    if (is_given(f->png)) RG_TRY(rg_picture_write(f->ctx, &f->frame, f->title, f->png, true));
    return RG_OK;
}
