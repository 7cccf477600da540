/* What a draw item shows, at the resolution of its picture: colours of pixels, points of a curve,
 * velocities for stream lines.  Ranks make it together, each from its block; nobody has the whole
 * of a field. */
#ifndef RG_PDAE_DRAW_SAMPLE_H
#define RG_PDAE_DRAW_SAMPLE_H

#include "figure/colour.h"
#include "pdae/draw/lines.h"
#include "pdae/form/draw.h"

typedef struct {
    rg_context *ctx;
    double least, most; /* of the scale; of a curve: its values */
    bool is_signed;     /* colours around 0 */
    int nx, ny;
    unsigned char *rgb; /* of a plane: nx by ny pixels, the first row uppermost */
    int n;              /* of a line: points, which need not be finite */
    double *x, *y;
    bool has_stream;
    rg_stream stream;
} rg_sample;

/* nx by ny: pixels of the plot.  All ranks call it together, and get the same. */
rg_status rg_sample_make(rg_frame *f, const rg_form_draw *item, int nx, int ny, rg_sample *out);
void rg_sample_clear(rg_sample *s);
rg_colour rg_sample_colour(const rg_sample *s, double value);

#endif
