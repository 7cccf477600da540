/* The files of fields that a run writes: frames for ParaView at its output times; numbers and
 * pictures of its last time. */
#ifndef RG_PDAE_DRAW_FILES_H
#define RG_PDAE_DRAW_FILES_H

#include "base/store.h"
#include "pdae/draw/frame.h"

typedef struct {
    const char *vtk, *fields, *svg, *png; /* NULL or "": none; they live as long as this */
    const char *title;
    rg_context *ctx;
    rg_frame frame; /* of the cells of this rank */
    int64_t n_frames, capacity;
    double *time;
} rg_field_files;

bool rg_field_files_wanted(const rg_field_files *f);
/* The names are set before. */
rg_status rg_field_files_open(rg_field_files *f, rg_context *ctx, const rg_form *form);
/* For checkpoints: which files there are. */
void rg_field_files_store(rg_field_files *f, rg_store *s);
void rg_field_files_clear(rg_field_files *f);
/* An output time; a second one at the same time is left out.  unknown: those of this rank. */
rg_status rg_field_files_row(rg_field_files *f, double t, const double *unknown);
/* The last time, behind its row. */
rg_status rg_field_files_end(rg_field_files *f, double t, const double *unknown);

#endif
