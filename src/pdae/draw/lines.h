/* Stream lines of a vector in a plane of the first two axes. */
#ifndef RG_PDAE_DRAW_LINES_H
#define RG_PDAE_DRAW_LINES_H

#include "pdae/draw/frame.h"

enum { RG_LINE_POINTS = 4000 };

typedef struct {
    int n, arrow; /* points; an arrow stands at this one */
    double x[RG_LINE_POINTS], y[RG_LINE_POINTS];
} rg_stream_line;

typedef void rg_line_fn(void *user, const rg_stream_line *line);

/* Lines that keep about the same distance from one another, `across` of them over the longer
 * axis; height: the place on a third axis. */
rg_status rg_stream_lines(rg_frame *f, int field, double height, int across, rg_line_fn *draw,
                          void *user);

#endif
