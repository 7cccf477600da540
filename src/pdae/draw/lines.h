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

typedef struct { /* a component of the vector on some of its faces: n[0] by n[1] of them */
    int n[2];
    double *at[2]; /* coordinates */
    double *value;
} rg_stream_part;

typedef struct {
    const rg_form *form;
    rg_stream_part part[2];
    double fastest; /* in all of the domain */
} rg_stream;

/* The velocities of the plane that pictures show: all faces, at most nx + 1 by ny + 1 of them.
 * Ranks make it together, and get the same. */
rg_status rg_stream_make(rg_frame *f, int field, int nx, int ny, rg_stream *out);
void rg_stream_clear(rg_stream *s);

/* Lines that keep about the same distance from one another, `across` of them over the longer
 * axis. */
rg_status rg_stream_lines(const rg_stream *s, int across, rg_line_fn *draw, void *user);

#endif
