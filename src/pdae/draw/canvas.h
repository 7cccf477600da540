/* A sheet to draw on, as SVG or as pixels; lengths in points from the upper left corner. */
#ifndef RG_PDAE_DRAW_CANVAS_H
#define RG_PDAE_DRAW_CANVAS_H

#include "base/output.h"
#include "pdae/draw/colour.h"

typedef struct {
    rg_context *ctx;
    rg_output *output;
    FILE *to;
    double width, height;
    unsigned char *pixel; /* NULL: SVG */
    int columns, rows;
} rg_canvas;

typedef enum { RG_TEXT_START, RG_TEXT_MIDDLE, RG_TEXT_END } rg_text_place;

rg_status rg_canvas_open(rg_context *ctx, const char *path, bool is_png, double width,
                         double height, rg_canvas *out);
/* Writes the file; *c is empty afterwards. */
rg_status rg_canvas_close(rg_canvas *c, rg_status status);

void rg_canvas_rectangle(rg_canvas *c, double x, double y, double w, double h, rg_colour colour);
void rg_canvas_line(rg_canvas *c, int n, const double *x, const double *y, double width,
                    rg_colour colour);
/* (x, y): the baseline. */
void rg_canvas_text(rg_canvas *c, double x, double y, double size, rg_text_place place,
                    const char *text);
/* nx by ny pixels, the first row uppermost, three bytes each. */
rg_status rg_canvas_image(rg_canvas *c, double x, double y, double w, double h, int nx, int ny,
                          const unsigned char *rgb);

enum { RG_CANVAS_SCALE = 2 }; /* pixels per point */

/* letters.c: the strokes of a character, pairs of digits (column 0 .. 4, row 0 .. 8 from below, the
 * baseline at 2), '/' between strokes; "" for what is not drawn. */
const char *rg_letter(char c);

#endif
