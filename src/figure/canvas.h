/* A sheet to draw on, as SVG or as pixels; lengths in points from the upper left corner. */
#ifndef RG_FIGURE_CANVAS_H
#define RG_FIGURE_CANVAS_H

#include "base/output.h"
#include "figure/colour.h"

typedef struct {
    rg_context *ctx;
    rg_output *output;
    FILE *to;
    double width, height;
    unsigned char *pixel; /* NULL: SVG */
    int columns, rows;
    bool is_inside; /* SVG inside an HTML page, whose style sheet says the colours */
} rg_canvas;

typedef enum { RG_TEXT_START, RG_TEXT_MIDDLE, RG_TEXT_END } rg_text_place;

rg_status rg_canvas_open(rg_context *ctx, const char *path, bool is_png, double width,
                         double height, rg_canvas *out);
/* Writes the file; *c is empty afterwards. */
rg_status rg_canvas_close(rg_canvas *c, rg_status status);

/* SVG of width x height points on a page of HTML that is being written; rg_canvas_end_inside()
 * ends it.  label: for those who do not see it. */
void rg_canvas_begin_inside(rg_context *ctx, FILE *to, double width, double height,
                            const char *label, rg_canvas *out);
void rg_canvas_end_inside(rg_canvas *c);
/* SVG that is shown in mm. */
rg_status rg_canvas_open_mm(rg_context *ctx, const char *path, double width, double height,
                            const char *title, rg_canvas *out);

void rg_canvas_rectangle(rg_canvas *c, double x, double y, double w, double h, rg_colour colour);
void rg_canvas_line(rg_canvas *c, int n, const double *x, const double *y, double width,
                    rg_colour colour);
/* (x, y): the baseline. */
void rg_canvas_text(rg_canvas *c, double x, double y, double size, rg_text_place place,
                    const char *text);
/* In the middle, smaller than `size` where it would not fit, at last with the end of `text` cut. */
void rg_canvas_title(rg_canvas *c, double y, double size, const char *text, const char *tail);
/* nx by ny pixels, the first row uppermost, three bytes each. */
rg_status rg_canvas_image(rg_canvas *c, double x, double y, double w, double h, int nx, int ny,
                          const unsigned char *rgb);

/* path.c: lines of charts, SVG only.  Coordinates that are not finite are gaps; points that make
 * less than a tenth of a point are left out. */
enum { RG_PENS = 8, RG_PEN_AXIS = -1, RG_PEN_GRID = -2 };
rg_colour rg_pen_colour(int pen); /* any number from 0 on, or RG_PEN_* */
rg_status rg_canvas_path(rg_canvas *c, int64_t n, const double *x, const double *y, double width,
                         int pen, bool is_dashed, const char *extra);
void rg_canvas_dot(rg_canvas *c, double x, double y, double radius, int pen);
/* In the colour of a pen; turned: upwards. */
void rg_canvas_label(rg_canvas *c, double x, double y, double size, rg_text_place place, int pen,
                     bool is_turned, const char *text);

enum { RG_CANVAS_SCALE = 2 }; /* pixels per point */

/* letters.c: the strokes of a character, pairs of digits (column 0 .. 4, row 0 .. 8 from below, the
 * baseline at 2), '/' between strokes; a box for letters
 * beyond ASCII, "" for spaces. */
const char *rg_letter(char c);

#endif
