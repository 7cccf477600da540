/* Files for ParaView: one rectilinear grid per time, and the list of them. */
#ifndef RG_PDAE_DRAW_VTK_H
#define RG_PDAE_DRAW_VTK_H

#include "pdae/draw/frame.h"

/* Scalars, data and vectors (means of their faces) on the cells as 64-bit numbers. */
rg_status rg_vtk_write(rg_context *ctx, const rg_frame *f, const char *path);
/* The frames NAME_0000.vtr, ... with their times, as NAME.pvd. */
rg_status rg_vtk_write_list(rg_context *ctx, const char *name, int64_t n, const double *time);
/* NAME_0012.vtr */
int rg_vtk_name(const char *name, int64_t frame, char *buffer, size_t size);

/* A row per cell that is not solid: the centre, then every scalar and component there. */
rg_status rg_frame_write_csv(rg_context *ctx, const rg_frame *f, const char *path);

#endif
