/* Lines and labels of charts as SVG: coordinates in tenths of a point, colours by pens. */
#include "base/text.h"
#include "figure/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Told apart by people who do not see all colours, and on grey paper by their lightness. */
static const rg_colour pens[RG_PENS] = {
    {0,   98,  170},
    {206, 80,  0  },
    {0,   138, 100},
    {170, 60,  140},
    {200, 146, 0  },
    {60,  150, 210},
    {110, 84,  60 },
    {90,  90,  90 }
};

rg_colour rg_pen_colour(int pen)
{
    if (pen == RG_PEN_AXIS) return (rg_colour){60, 60, 60};
    if (pen == RG_PEN_GRID) return (rg_colour){226, 226, 226};
    return pens[pen % RG_PENS];
}

/* 123 is 12.3; no digit more than needed. */
static int tenths_text(int64_t value, char *out)
{
    const long long v = value, whole = llabs(v) / 10, part = llabs(v) % 10;
    int n = v < 0 ? sprintf(out, "-") : 0;

    if (whole != 0 || part == 0) n += sprintf(out + n, "%lld", whole);
    if (part != 0) n += sprintf(out + n, ".%lld", part);
    return n;
}

static int64_t tenths(double value)
{
    return (int64_t)llround(10.0 * fmin(fmax(value, -1e5), 1e5));
}

static void write_tenths(FILE *to, double value)
{
    char text[40];

    tenths_text(tenths(value), text);
    fputs(text, to);
}

static void write_attribute(FILE *to, const char *name, double value)
{
    fprintf(to, " %s=\"", name);
    write_tenths(to, value);
    putc('"', to);
}

/* The colour, or on a page the class that has one in light and in dark. */
static void write_pen(const rg_canvas *c, const char *attribute, int pen)
{
    const rg_colour k = rg_pen_colour(pen);

    if (!c->is_inside)
        fprintf(c->to, " %s=\"#%02x%02x%02x\"", attribute, k.r, k.g, k.b);
    else if (pen < 0)
        fprintf(c->to, " class=\"%s%s\"", attribute[0] == 'f' ? "t" : "l",
                pen == RG_PEN_AXIS ? "a" : "g");
    else
        fprintf(c->to, " class=\"%s%d\"", attribute[0] == 'f' ? "t" : "l", pen % RG_PENS);
}

/* ---- points that matter ---------------------------------------------------------------------- */
typedef struct {
    int64_t from, to;
} piece;

static double away(const double *x, const double *y, int64_t a, int64_t b, int64_t k)
{
    const double dx = x[b] - x[a], dy = y[b] - y[a], length = hypot(dx, dy);

    if (!(length > 0.0)) return hypot(x[k] - x[a], y[k] - y[a]);
    const double along = ((x[k] - x[a]) * dx + (y[k] - y[a]) * dy) / length;
    if (along < 0.0 || along > length) /* the line turns back there */
        return fmin(hypot(x[k] - x[a], y[k] - y[a]), hypot(x[k] - x[b], y[k] - y[b]));
    return fabs((x[k] - x[a]) * dy - (y[k] - y[a]) * dx) / length;
}

/* Marks the points of a run a .. b without gaps that a line through the marked ones needs: the
 * farthest one, and the same on both sides of it. */
static void mark_needed(const double *x, const double *y, int64_t a, int64_t b, piece *stack,
                        uint8_t *is_needed)
{
    const double near = 0.1; /* of a point */
    int64_t n = 0;

    is_needed[a] = is_needed[b] = 1;
    stack[n++] = (piece){a, b};
    while (n > 0) {
        const piece p = stack[--n];
        double most = near;
        int64_t at = -1;
        for (int64_t k = p.from + 1; k < p.to; k++) {
            const double d = away(x, y, p.from, p.to, k);
            if (d > most) {
                most = d;
                at = k;
            }
        }
        if (at < 0) continue;
        is_needed[at] = 1;
        stack[n++] = (piece){p.from, at};
        stack[n++] = (piece){at, p.to};
    }
}

static bool is_there(const double *x, const double *y, int64_t k)
{
    return isfinite(x[k]) && isfinite(y[k]);
}

static int64_t run_end(int64_t n, const double *x, const double *y, int64_t from)
{
    int64_t end = from;

    while (end + 1 < n && is_there(x, y, end + 1))
        end++;
    return end;
}

static void write_steps(FILE *to, const double *x, const double *y, int64_t a, int64_t b,
                        const uint8_t *is_needed)
{
    int64_t px = tenths(x[a]), py = tenths(y[a]);
    char text[2][40];
    bool is_first = true;

    tenths_text(px, text[0]);
    tenths_text(py, text[1]);
    fprintf(to, "M%s%s%s", text[0], text[1][0] == '-' ? "" : " ", text[1]);
    if (a == b) fputs("h0", to); /* a point by itself: a dot, with round ends */
    for (int64_t k = a + 1; k <= b; k++) {
        const int64_t qx = tenths(x[k]), qy = tenths(y[k]);
        if (!is_needed[k] || (qx == px && qy == py && k < b)) continue;
        tenths_text(qx - px, text[0]);
        tenths_text(qy - py, text[1]);
        fprintf(to, "%s%s%s%s",
                is_first            ? "l"
                : text[0][0] == '-' ? ""
                                    : " ",
                text[0], text[1][0] == '-' ? "" : " ", text[1]);
        is_first = false;
        px = qx;
        py = qy;
    }
}

rg_status rg_canvas_path(rg_canvas *c, int64_t n, const double *x, const double *y, double width,
                         int pen, bool is_dashed, const char *extra)
{
    uint8_t *is_needed = rg_alloc(c->ctx, (size_t)n + 1, 1);
    piece *stack = rg_alloc(c->ctx, (size_t)n + 2, sizeof *stack);

    if (is_needed != NULL && stack != NULL) {
        fputs("<path d=\"", c->to);
        for (int64_t k = 0; k < n; k++) {
            if (!is_there(x, y, k)) continue;
            const int64_t end = run_end(n, x, y, k);
            mark_needed(x, y, k, end, stack, is_needed);
            write_steps(c->to, x, y, k, end, is_needed);
            k = end;
        }
        fputs("\" fill=\"none\"", c->to);
        write_pen(c, "stroke", pen);
        if (width != 1.0) write_attribute(c->to, "stroke-width", width);
        if (is_dashed) fputs(" stroke-dasharray=\"3 3\"", c->to);
        fprintf(c->to, "%s/>\n", extra);
    }
    const bool ok = is_needed != NULL && stack != NULL;
    rg_free(c->ctx, is_needed);
    rg_free(c->ctx, stack);
    return ok ? RG_OK : RG_ERR_MEMORY;
}

void rg_canvas_dot(rg_canvas *c, double x, double y, double radius, int pen)
{
    fputs("<circle", c->to);
    write_attribute(c->to, "cx", x);
    write_attribute(c->to, "cy", y);
    write_attribute(c->to, "r", radius);
    write_pen(c, "fill", pen);
    fputs("/>\n", c->to);
}

void rg_canvas_label(rg_canvas *c, double x, double y, double size, rg_text_place place, int pen,
                     bool is_turned, const char *text)
{
    static const char *const anchor[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};

    fputs("<text", c->to);
    if (is_turned) {
        fputs(" transform=\"translate(", c->to);
        write_tenths(c->to, x);
        putc(' ', c->to);
        write_tenths(c->to, y);
        fputs(")rotate(-90)\"", c->to);
    } else {
        write_attribute(c->to, "x", x);
        write_attribute(c->to, "y", y);
    }
    if (size != 8.0) write_attribute(c->to, "font-size", size);
    fputs(anchor[place], c->to);
    if (pen != RG_PEN_AXIS || c->is_inside) write_pen(c, "fill", pen);
    putc('>', c->to);
    rg_text_write_xml(c->to, text);
    fputs("</text>\n", c->to);
}

static void write_box(rg_canvas *c)
{
    fputs(" viewBox=\"0 0 ", c->to);
    write_tenths(c->to, c->width);
    putc(' ', c->to);
    write_tenths(c->to, c->height);
    fputs("\" font-family=\"sans-serif\" font-size=\"8\" "
          "stroke-linejoin=\"round\" stroke-linecap=\"round\"",
          c->to);
}

rg_status rg_canvas_open_mm(rg_context *ctx, const char *path, double width, double height,
                            const char *title, rg_canvas *out)
{
    const double points = 72.0 / 25.4;

    *out = (rg_canvas){.ctx = ctx, .width = width * points, .height = height * points};
    RG_TRY(rg_output_open(ctx, path, &out->output));
    out->to = rg_output_file(out->output);
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", out->to);
    write_tenths(out->to, width);
    fputs("mm\" height=\"", out->to);
    write_tenths(out->to, height);
    fputs("mm\"", out->to);
    write_box(out);
    fputs(" fill=\"#3c3c3c\">\n<title>", out->to);
    rg_text_write_xml(out->to, title);
    fputs("</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", out->to);
    return RG_OK;
}

void rg_canvas_begin_inside(rg_context *ctx, FILE *to, double width, double height,
                            const char *label, rg_canvas *out)
{
    *out = (rg_canvas){.ctx = ctx, .to = to, .width = width, .height = height, .is_inside = true};
    fputs("<svg", to);
    write_box(out);
    fputs(" role=\"img\" aria-label=\"", to);
    rg_text_write_xml(to, label);
    fputs("\">\n", to);
}

void rg_canvas_end_inside(rg_canvas *c)
{
    fputs("</svg>\n", c->to);
}
