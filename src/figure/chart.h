/* A chart: lines in a frame with two scales.  Panels of charts make a figure. */
#ifndef RG_FIGURE_CHART_H
#define RG_FIGURE_CHART_H

#include "figure/canvas.h"
#include "figure/scale.h"
#include "figure/series.h"

typedef struct {
    const char *name;
    int64_t n;
    const double *x, *y; /* what is not finite, or not positive on a logarithmic axis, is a gap */
    int pen;
    bool is_dashed, has_dots, is_scattered; /* scattered: dots alone */
} rg_trace;

typedef struct {
    int n;
    const rg_trace *trace;
    bool log_x, log_y;
    bool is_same_unit;          /* lengths are the same across and up: orbits, mechanisms */
    const char *x_name, *title; /* NULL: none */
    bool has_labels;            /* names at the right end of the lines */
    /* rg_chart_fit() */
    rg_scale across, up;
    double x, y, w, h; /* of the frame on the sheet */
} rg_chart;

/* The scales for all traces in a box of the sheet, and the frame inside it. */
void rg_chart_fit(rg_chart *c, double x, double y, double w, double h);
/* Room that numbers at the left and names at the right need, in points. */
double rg_chart_left(const rg_chart *c);
double rg_chart_right(const rg_chart *c);
/* Frames of charts above each other are as wide: the rooms of all of them. */
void rg_chart_place(rg_chart *c, double left, double right);
rg_status rg_chart_draw(const rg_chart *c, rg_canvas *sheet);
/* The place of a value on the sheet; NaN: it has none. */
double rg_chart_x(const rg_chart *c, double value);
double rg_chart_y(const rg_chart *c, double value);

/* ---- panels.c: which columns are drawn together -------------------------------------------- */
enum { RG_PANEL_LINES = 8 };
typedef struct {
    int across; /* column, -1: the abscissa */
    int n, column[RG_PANEL_LINES];
    bool is_phase;
} rg_panel;
typedef struct {
    rg_context *ctx;
    int n, capacity;
    rg_panel *panel;
    int left_out; /* columns that are in none */
    bool log_x, log_y;
} rg_panels;

/* show: "p,q" columns (an array by its name), "q:p" one over another; NULL or "": all, of long
 * arrays some.  log: "x", "y" or "xy".  RG_ERR_ARGUMENT for what there is not. */
rg_status rg_panels_choose(const rg_series *s, const char *show, const char *log, int most_panels,
                           rg_panels *out);
/* All columns, in as many panels as they need. */
rg_status rg_panels_all(const rg_series *s, rg_panels *out);
void rg_panels_clear(rg_panels *p);
/* Does `show` name this column? */
bool rg_panels_wants(const char *show, const char *name);

/* ---- sheet.c: a figure ---------------------------------------------------------------------- */
/* Fills the traces of a panel (room for RG_PANEL_LINES) and the chart that shows them. */
void rg_panel_chart(const rg_series *s, const rg_panels *all, int which, rg_trace *traces,
                    rg_chart *out);
/* "x: 3 of 200 values are not finite; ..."; "": nothing to say. */
void rg_panels_caption(const rg_series *s, const rg_panels *p, char *text, size_t size);
/* One SVG file of a size in mm. */
rg_status rg_sheet_write(const rg_series *s, const rg_panels *p, const char *title, double width,
                         double height, const char *path);

/* ---- terminal.c ----------------------------------------------------------------------------- */
typedef struct {
    int width; /* characters of a line */
    bool is_ascii, has_colour;
} rg_terminal;
rg_status rg_terminal_write(const rg_series *s, const rg_panels *p, const char *title,
                            const rg_terminal *terminal, FILE *to);

#endif
