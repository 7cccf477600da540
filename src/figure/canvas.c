/* Lines, areas, texts and images as SVG elements or as pixels. */
#include "figure/canvas.h"
#include "base/text.h"
#include "figure/tuning.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

/* ---- pixels ---------------------------------------------------------------------------------- */
static void blend(rg_canvas *c, int x, int y, double part, rg_colour colour)
{
    if (x < 0 || y < 0 || x >= c->columns || y >= c->rows || part <= 0.0) return;
    unsigned char *p = c->pixel + 3 * ((size_t)y * (size_t)c->columns + (size_t)x);
    const unsigned char to[3] = {colour.r, colour.g, colour.b};
    for (int k = 0; k < 3; k++)
        p[k] = (unsigned char)((1.0 - part) * p[k] + part * to[k] + 0.5);
}

static void fill_pixels(rg_canvas *c, double x, double y, double w, double h, rg_colour colour)
{
    const int x1 = (int)lround((x + w) * RG_CANVAS_SCALE),
              y1 = (int)lround((y + h) * RG_CANVAS_SCALE);

    for (int j = (int)lround(y * RG_CANVAS_SCALE); j < y1; j++)
        for (int i = (int)lround(x * RG_CANVAS_SCALE); i < x1; i++)
            blend(c, i, j, 1.0, colour);
}

/* Every pixel near the segment gets as much colour as the stroke covers of it. */
static void stroke(rg_canvas *c, double x0, double y0, double x1, double y1, double width,
                   rg_colour colour)
{
    const double s = RG_CANVAS_SCALE, half = 0.5 * width * s;
    const double ax = x0 * s, ay = y0 * s, dx = x1 * s - ax, dy = y1 * s - ay;
    const double length = dx * dx + dy * dy;

    for (int j = (int)floor(fmin(ay, ay + dy) - half) - 1; j <= fmax(ay, ay + dy) + half + 1; j++)
        for (int i = (int)floor(fmin(ax, ax + dx) - half) - 1; i <= fmax(ax, ax + dx) + half + 1;
             i++) {
            const double px = i + 0.5 - ax, py = j + 0.5 - ay;
            const double on =
                length > 0.0 ? fmin(1.0, fmax(0.0, (px * dx + py * dy) / length)) : 0.0;
            const double away = hypot(px - on * dx, py - on * dy);
            blend(c, i, j, fmin(1.0, half + 0.5 - away), colour);
        }
}

static double letter_width(double size)
{
    return 0.6 * size;
}

static void write_letter(rg_canvas *c, double x, double y, double size, char letter)
{
    const double unit = 0.115 * size;
    const rg_colour black = {40, 40, 40};
    double from_x = NAN, from_y = NAN;

    for (const char *s = rg_letter(letter); s[0] != '\0' && s[1] != '\0';) {
        if (s[0] == '/') {
            from_x = NAN;
            s++;
            continue;
        }
        const double to_x = x + unit * (s[0] - '0'), to_y = y - unit * (s[1] - '2');
        if (!isnan(from_x)) stroke(c, from_x, from_y, to_x, to_y, 0.09 * size, black);
        from_x = to_x;
        from_y = to_y;
        s += 2;
    }
}

/* ---- SVG ------------------------------------------------------------------------------------- */
static void write_base64(FILE *to, const unsigned char *data, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t k = 0; k < n; k += 3) {
        const unsigned v = (unsigned)data[k] << 16 | (k + 1 < n ? (unsigned)data[k + 1] << 8 : 0U)
                           | (k + 2 < n ? data[k + 2] : 0U);
        putc(digits[v >> 18], to);
        putc(digits[v >> 12 & 63], to);
        putc(k + 1 < n ? digits[v >> 6 & 63] : '=', to);
        putc(k + 2 < n ? digits[v & 63] : '=', to);
    }
}

static rg_status embed(rg_canvas *c, int nx, int ny, const unsigned char *rgb)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)nx,
                       .height = (png_uint_32)ny,
                       .format = PNG_FORMAT_RGB};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    unsigned char *data = rg_alloc(c->ctx, size, 1);

    if (data == NULL) return RG_ERR_MEMORY;
    const bool ok = png_image_write_to_memory(&image, data, &size, 0, rgb, 0, NULL) != 0;
    if (ok) write_base64(c->to, data, size);
    rg_free(c->ctx, data);
    return ok ? RG_OK : rg_fail(c->ctx, RG_ERR_IO, "libpng cannot write: %s", image.message);
}

/* ---- both ------------------------------------------------------------------------------------ */
rg_status rg_canvas_open(rg_context *ctx, const char *path, bool is_png, double width,
                         double height, rg_canvas *out)
{
    *out = (rg_canvas){.ctx = ctx,
                       .width = width,
                       .height = height,
                       .columns = (int)ceil(width * RG_CANVAS_SCALE),
                       .rows = (int)ceil(height * RG_CANVAS_SCALE)};
    if (is_png) {
        const size_t size = 3 * (size_t)out->columns * (size_t)out->rows;
        if ((out->pixel = rg_alloc(ctx, size, 1)) == NULL) return RG_ERR_MEMORY;
        memset(out->pixel, 255, size);
    }
    RG_TRY(rg_output_open(ctx, path, &out->output));
    out->to = rg_output_file(out->output);
    if (is_png) return RG_OK;
    fprintf(out->to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
            "viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" fill=\"#282828\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            width, height, width, height);
    return RG_OK;
}

rg_status rg_canvas_close(rg_canvas *c, rg_status status)
{
    if (c->output != NULL && status == RG_OK) {
        png_image image = {.version = PNG_IMAGE_VERSION,
                           .width = (png_uint_32)c->columns,
                           .height = (png_uint_32)c->rows,
                           .format = PNG_FORMAT_RGB};
        if (c->pixel == NULL)
            fputs("</svg>\n", c->to);
        else
            png_image_write_to_stdio(&image, c->to, 0, c->pixel, 0, NULL);
        status = rg_output_check(c->output);
    }
    const rg_status closed = rg_output_close(&c->output, status == RG_OK);
    rg_free(c->ctx, c->pixel);
    *c = (rg_canvas){0};
    return status != RG_OK ? status : closed;
}

void rg_canvas_rectangle(rg_canvas *c, double x, double y, double w, double h, rg_colour colour)
{
    if (c->pixel != NULL) {
        fill_pixels(c, x, y, w, h, colour);
        return;
    }
    fprintf(c->to,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
            "fill=\"#%02x%02x%02x\"/>\n",
            x, y, w, h, colour.r, colour.g, colour.b);
}

void rg_canvas_line(rg_canvas *c, int n, const double *x, const double *y, double width,
                    rg_colour colour)
{
    if (c->pixel != NULL) {
        for (int k = 0; k + 1 < n; k++)
            stroke(c, x[k], y[k], x[k + 1], y[k + 1], width, colour);
        return;
    }
    fputs("<polyline points=\"", c->to);
    for (int k = 0; k < n; k++)
        fprintf(c->to, "%s%.2f,%.2f", k > 0 ? " " : "", x[k], y[k]);
    fprintf(c->to,
            "\" fill=\"none\" stroke=\"#%02x%02x%02x\" stroke-width=\"%.2f\" "
            "stroke-linejoin=\"round\"/>\n",
            colour.r, colour.g, colour.b, width);
}

void rg_canvas_text(rg_canvas *c, double x, double y, double size, rg_text_place place,
                    const char *text)
{
    static const char *const anchor[] = {"start", "middle", "end"};

    if (c->pixel == NULL) {
        fprintf(c->to, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.1f\" text-anchor=\"%s\">", x, y,
                size, anchor[place]);
        rg_text_write_xml(c->to, text);
        fputs("</text>\n", c->to);
        return;
    }
    const double length = letter_width(size) * rg_utf8_length(text);
    x -= place == RG_TEXT_END ? length : place == RG_TEXT_MIDDLE ? 0.5 * length : 0.0;
    for (; *text != '\0'; x += letter_width(size)) {
        write_letter(c, x, y, size, *text);
        text += rg_utf8_next(text, strlen(text), NULL);
    }
}

void rg_canvas_title(rg_canvas *c, double y, double size, const char *text, const char *tail)
{
    const double room = 0.96 * c->width, least = letter_width(RG_FIGURE_TITLE);
    const int more = rg_utf8_length(text) + rg_utf8_length(tail) - (int)(room / least);
    const int keep = rg_utf8_length(text) - (more > 0 ? more + 3 : 0);
    char all[512];
    size_t used = 0;

    for (int k = 0; k < keep && used < sizeof all / 2; k++)
        used += (size_t)rg_utf8_next(text + used, strlen(text + used), NULL);
    snprintf(all, sizeof all, "%.*s%s%s", (int)used, text, text[used] != '\0' ? "..." : "", tail);
    if (all[0] == '\0') return;
    size = fmin(size, room / letter_width(rg_utf8_length(all)));
    rg_canvas_text(c, 0.5 * c->width, y, size, RG_TEXT_MIDDLE, all);
}

rg_status rg_canvas_image(rg_canvas *c, double x, double y, double w, double h, int nx, int ny,
                          const unsigned char *rgb)
{
    if (c->pixel == NULL) {
        fprintf(c->to,
                "<image x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
                "preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
                "href=\"data:image/png;base64,",
                x, y, w, h);
        const rg_status status = embed(c, nx, ny, rgb);
        fputs("\"/>\n", c->to);
        return status;
    }
    const int x0 = (int)lround(x * RG_CANVAS_SCALE), y0 = (int)lround(y * RG_CANVAS_SCALE),
              columns = (int)lround(w * RG_CANVAS_SCALE), rows = (int)lround(h * RG_CANVAS_SCALE);
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++) {
            const int from_x = (int)((double)i * nx / columns),
                      from_y = (int)((double)j * ny / rows);
            const unsigned char *p = rgb + 3 * ((size_t)from_y * (size_t)nx + (size_t)from_x);
            blend(c, x0 + i, y0 + j, 1.0, (rg_colour){p[0], p[1], p[2]});
        }
    return RG_OK;
}
