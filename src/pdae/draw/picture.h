/* Pictures of the draw items of a model: colours with a scale, axes, stream lines. */
#ifndef RG_PDAE_DRAW_PICTURE_H
#define RG_PDAE_DRAW_PICTURE_H

#include "pdae/draw/frame.h"

#include <stdio.h>

/* Without draw items: every field and the stream lines of every vector.  Ranks call it together,
 * and the first one writes. */
rg_status rg_picture_write(rg_context *ctx, rg_frame *f, const char *title, const char *path,
                           bool is_png);
/* The same as an SVG element on a page of HTML that is being written. */
rg_status rg_picture_write_inside(rg_context *ctx, rg_frame *f, FILE *to);

#endif
