/* Observed orders as a drawing: errors over steps, both logarithmic, a line per unknown, and beside
 * it a dashed one with the slope of theory. */
#include "base/output.h"
#include "base/text.h"
#include "report/report.h"
#include "solution/orders.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 640, HEIGHT = 440, LEFT = 70, RIGHT = 170, TOP = 40, BOTTOM = 50, COLOURS = 8 };

static const char *const colours[COLOURS] = {"#1b6ca8", "#c0392b", "#1e8449", "#8e44ad",
                                             "#d68910", "#148f77", "#5d6d7e", "#7b241c"};

typedef struct { /* logarithms to the base 10 */
    double x0, x1, y0, y1;
} frame;

static bool is_drawn(const rg_orders *o, int k, int64_t j)
{
    return k < o->n_done && rg_orders_error(o, k, j) > 0.0;
}

static frame find_frame(const rg_orders *o)
{
    frame f = {INFINITY, -INFINITY, INFINITY, -INFINITY};

    for (int64_t j = 0; j < o->problem->n; j++)
        for (int k = 0; k < o->n_steps; k++) {
            if (!is_drawn(o, k, j)) continue;
            const double x = log10(o->steps[k]), y = log10(rg_orders_error(o, k, j));
            f = (frame){fmin(f.x0, x), fmax(f.x1, x), fmin(f.y0, y), fmax(f.y1, y)};
        }
    if (!(f.x0 <= f.x1)) return (frame){-1.0, 0.0, -1.0, 0.0}; /* nothing to draw */
    return (frame){f.x0 - 0.1, f.x1 + 0.1, floor(f.y0), ceil(f.y1 + 1e-9)};
}

static double across(const frame *f, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (x - f->x0) / (f->x1 - f->x0);
}

static double down(const frame *f, double y)
{
    const double height = f->y1 > f->y0 ? f->y1 - f->y0 : 1.0;

    return TOP + (HEIGHT - TOP - BOTTOM) * (f->y1 - y) / height;
}

static void write_axes(const rg_orders *o, const frame *f, FILE *to)
{
    const int decades = (int)(f->y1 - f->y0), every = decades / 10 + 1;

    fprintf(to,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
            "stroke=\"#888\"/>\n",
            LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    for (int k = 0; k <= decades; k += every) {
        const double y = down(f, f->y0 + k);
        fprintf(to, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", LEFT,
                y, WIDTH - RIGHT, y);
        fprintf(to, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">1e%.0f</text>\n", LEFT - 6,
                y + 4, f->y0 + k);
    }
    for (int k = 0; k < o->n_steps; k++)
        fprintf(to, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.3g</text>\n",
                across(f, log10(o->steps[k])), HEIGHT - BOTTOM + 16, o->steps[k]);
    fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">step</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14);
    fprintf(to, "<text x=\"%d\" y=\"%d\">error at the end</text>\n", LEFT, TOP - 8);
}

/* From the middle of the last pair above rounding, with the slope of theory. */
static void write_slope(const rg_orders *o, const frame *f, int64_t j, const char *colour, FILE *to)
{
    const int k = rg_orders_last_pair(o, j);

    if (k < 0 || o->theory[j] <= 0) return;
    const double x0 = log10(o->steps[k]), x1 = log10(o->steps[k + 1]);
    const double y0 = log10(rg_orders_error(o, k, j)), y1 = y0 + o->theory[j] * (x1 - x0);
    fprintf(to,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-dasharray=\"4 3\"/>\n",
            across(f, x0), down(f, y0), across(f, x1), down(f, fmax(y1, f->y0)), colour);
}

static void write_unknown(const rg_orders *o, const frame *f, int64_t j, int row, FILE *to)
{
    const char *colour = colours[row % COLOURS];
    const int pair = rg_orders_last_pair(o, j), y = TOP + 14 + 16 * row;
    char name[64];

    fprintf(to, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"", colour);
    for (int k = 0; k < o->n_steps; k++)
        if (is_drawn(o, k, j))
            fprintf(to, "%.1f,%.1f ", across(f, log10(o->steps[k])),
                    down(f, log10(rg_orders_error(o, k, j))));
    fputs("\"/>\n", to);
    write_slope(o, f, j, colour, to);
    rg_problem_name(o->problem, j, name, sizeof name);
    fprintf(to, "<text x=\"%d\" y=\"%d\" fill=\"%s\">", WIDTH - RIGHT + 10, y, colour);
    rg_text_write_xml(to, name);
    if (pair >= 0)
        fprintf(to, ": %.2f (theory %d)</text>\n", rg_orders_observed(o, pair, j), o->theory[j]);
    else
        fprintf(to, ": rounding (theory %d)</text>\n", o->theory[j]);
}

static void write_svg(const rg_orders *o, FILE *to)
{
    const frame f = find_frame(o);
    int row = 0;

    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"11\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    fprintf(to, "<text x=\"%d\" y=\"16\" font-size=\"13\">%s", LEFT, o->method);
    if (o->stages > 0) fprintf(to, ", %d stages", o->stages);
    if (o->order > 0) fprintf(to, ", order %d", o->order);
    fprintf(to, ", %s</text>\n", o->formulation);
    write_axes(o, &f, to);
    for (int64_t j = 0; j < o->problem->n; j++)
        if (is_drawn(o, 0, j)) write_unknown(o, &f, j, row++, to);
    fputs("</svg>\n", to);
}

rg_status rg_orders_write_svg(const rg_orders *o, const char *path)
{
    rg_output *output = NULL;

    rg_clear_error(o->ctx);
    RG_TRY(rg_output_open(o->ctx, path, &output));
    write_svg(o, rg_output_file(output));
    return rg_output_close(&output, true);
}
