/* Charts in a terminal: dots of braille characters, two across and four up in each, or in plain
 * ASCII one sign per line and character. */
#include "base/text.h"
#include "figure/chart.h"

#include <math.h>
#include <string.h>

enum { LEFT = 10, PANEL_HEIGHT = 14, LEAST_WIDTH = 30, MOST_WIDTH = 400 };

typedef struct {
    rg_context *ctx;
    const rg_terminal *terminal;
    int columns, rows;
    unsigned char *dots; /* braille: which of the eight; ASCII: the line drawn here, from 1 */
    unsigned char *pen;  /* of the line that came last, from 1 */
} screen;

static const char signs[] = "*+ox#@%&";
static const int colours[RG_PENS] = {34, 33, 32, 35, 93, 36, 31, 90};

/* ---- dots ------------------------------------------------------------------------------------ */
static int fine_x(const screen *s)
{
    return s->terminal->is_ascii ? 1 : 2;
}

static int fine_y(const screen *s)
{
    return s->terminal->is_ascii ? 1 : 4;
}

static void set_dot(screen *s, int x, int y, int pen)
{
    static const unsigned char bit[4][2] = {
        {0x01, 0x08},
        {0x02, 0x10},
        {0x04, 0x20},
        {0x40, 0x80}
    };
    const int column = x / fine_x(s), row = y / fine_y(s);

    if (x < 0 || y < 0 || column >= s->columns || row >= s->rows) return;
    const int at = row * s->columns + column;
    if (s->terminal->is_ascii)
        s->dots[at] = (unsigned char)(pen + 1);
    else
        s->dots[at] |= bit[y % 4][x % 2];
    s->pen[at] = (unsigned char)(pen % RG_PENS + 1);
}

static void draw_segment(screen *s, double x0, double y0, double x1, double y1, int pen)
{
    const int steps = (int)ceil(fmax(fabs(x1 - x0), fabs(y1 - y0)));

    for (int k = 0; k <= steps; k++) {
        const double part = steps > 0 ? (double)k / steps : 0.0;
        set_dot(s, (int)lround(x0 + part * (x1 - x0)), (int)lround(y0 + part * (y1 - y0)), pen);
    }
}

static void draw_trace(screen *s, const rg_chart *c, const rg_trace *t)
{
    const double wide = s->columns * fine_x(s) - 1.0, high = s->rows * fine_y(s) - 1.0;
    double px = NAN, py = NAN;

    for (int64_t k = 0; k < t->n; k++) {
        const double x = rg_chart_x(c, t->x[k]) * wide, y = rg_chart_y(c, t->y[k]) * high;
        if (isfinite(x) && isfinite(y)) {
            if (isfinite(px) && isfinite(py))
                draw_segment(s, px, py, x, y, t->pen);
            else
                draw_segment(s, x, y, x, y, t->pen);
        }
        px = x;
        py = y;
    }
}

/* ---- characters ------------------------------------------------------------------------------ */
static void begin_colour(const screen *s, int pen, FILE *to)
{
    if (s->terminal->has_colour) fprintf(to, "\033[%dm", colours[pen % RG_PENS]);
}

static void end_colour(const screen *s, FILE *to)
{
    if (s->terminal->has_colour) fputs("\033[0m", to);
}

static void write_cell(const screen *s, int at, FILE *to)
{
    const unsigned char dots = s->dots[at];

    if (dots == 0) {
        putc(' ', to);
        return;
    }
    begin_colour(s, s->pen[at] - 1, to);
    if (s->terminal->is_ascii)
        putc(signs[(dots - 1) % RG_PENS], to);
    else /* U+2800 + dots */
        fprintf(to, "\xE2%c%c", 0xA0 | dots >> 6, 0x80 | (dots & 0x3F));
    end_colour(s, to);
}

/* The mark whose place is in this row of characters, or NULL. */
static const char *mark_of(const rg_scale *scale, int row, int rows)
{
    for (int k = 0; k < scale->n; k++)
        if ((int)lround((1.0 - rg_scale_part(scale, scale->at[k])) * (rows - 1)) == row)
            return scale->text[k];
    return NULL;
}

static void write_rows(const screen *s, const rg_chart *c, FILE *to)
{
    const char *tick = s->terminal->is_ascii ? "+" : "\u2524",
               *bar = s->terminal->is_ascii ? "|" : "\u2502";

    for (int row = 0; row < s->rows; row++) {
        const char *text = mark_of(&c->up, row, s->rows);
        int last = s->columns;
        fprintf(to, "%*.*s %s", LEFT - 2, LEFT - 2, text != NULL ? text : "",
                text != NULL ? tick : bar);
        while (last > 0 && s->dots[row * s->columns + last - 1] == 0)
            last--;
        for (int k = 0; k < last; k++)
            write_cell(s, row * s->columns + k, to);
        putc('\n', to);
    }
}

/* The line below, its marks, and their numbers where there is room. */
static void write_across(const screen *s, const rg_chart *c, FILE *to)
{
    char line[MOST_WIDTH + 64], is_mark[MOST_WIDTH] = "", power[RG_MARK_TEXT];
    int used = 0;

    memset(line, ' ', sizeof line);
    memset(is_mark, 0, sizeof is_mark);
    for (int k = 0; k < c->across.n; k++) {
        const int at = (int)lround(rg_scale_part(&c->across, c->across.at[k]) * (s->columns - 1));
        const int length = (int)strlen(c->across.text[k]);
        const int from = LEFT + at - length / 2;
        if (at < 0 || at >= s->columns) continue;
        is_mark[at] = 1;
        if (length == 0 || from < used + (used > 0)) continue;
        memcpy(line + from, c->across.text[k], (size_t)length);
        used = from + length;
    }
    fprintf(to, "%*s%s", LEFT - 1, "", s->terminal->is_ascii ? "+" : "\u2514");
    for (int k = 0; k < s->columns; k++)
        fputs(s->terminal->is_ascii ? (is_mark[k] ? "+" : "-")
              : is_mark[k]          ? "\u252c"
                                    : "\u2500",
              to);
    rg_scale_power(&c->across, power, sizeof power);
    fprintf(to, "\n%.*s%s%s\n", used, line, power[0] != '\0' ? "  times " : "", power);
}

/* In ASCII what is beyond it is not written. */
static void write_text(const screen *s, const char *text, FILE *to)
{
    for (const char *at = text; *at != '\0';) {
        const int bytes = rg_utf8_next(at, strlen(at), NULL);
        if (s->terminal->is_ascii && (unsigned char)*at >= 0x80)
            putc('?', to);
        else
            fwrite(at, 1, (size_t)bytes, to);
        at += bytes;
    }
}

static void write_names(const screen *s, const rg_chart *c, FILE *to)
{
    char power[RG_MARK_TEXT];

    fprintf(to, "%*s", LEFT, "");
    for (int k = 0; k < c->n; k++) {
        begin_colour(s, c->trace[k].pen, to);
        if (s->terminal->is_ascii)
            fprintf(to, "%c ", signs[c->trace[k].pen % RG_PENS]);
        else
            fputs(s->terminal->has_colour || c->n > 1 ? "\u2500 " : "", to);
        write_text(s, c->trace[k].name, to);
        end_colour(s, to);
        fputs(k + 1 < c->n ? "   " : "", to);
    }
    fputs("   over ", to);
    write_text(s, c->x_name, to);
    rg_scale_power(&c->up, power, sizeof power);
    if (power[0] != '\0') fprintf(to, "   (numbers times %s)", power);
    putc('\n', to);
}

static void draw_panel(screen *s, rg_chart *c, FILE *to)
{
    memset(s->dots, 0, (size_t)(s->columns * s->rows));
    rg_chart_fit(c, 0.0, 0.0, 7.0 * s->columns, 11.0 * s->rows);
    c->x = c->y = 0.0;
    c->w = c->h = 1.0; /* places are parts of the screen */
    for (int k = 0; k < c->n; k++)
        draw_trace(s, c, &c->trace[k]);
    write_names(s, c, to);
    write_rows(s, c, to);
    write_across(s, c, to);
}

rg_status rg_terminal_write(const rg_series *series, const rg_panels *p, const char *title,
                            const rg_terminal *terminal, FILE *to)
{
    const int width = terminal->width < LEAST_WIDTH  ? LEAST_WIDTH
                      : terminal->width > MOST_WIDTH ? MOST_WIDTH
                                                     : terminal->width;
    screen s = {.ctx = series->ctx,
                .terminal = terminal,
                .columns = width - LEFT - 1,
                .rows = p->n > 1 ? PANEL_HEIGHT - 4 : PANEL_HEIGHT + 2};
    rg_trace traces[RG_PANEL_LINES];
    rg_chart chart;
    char caption[600];
    const size_t size = (size_t)(s.columns * s.rows);

    s.dots = rg_alloc(series->ctx, size, 1);
    s.pen = rg_alloc(series->ctx, size, 1);
    if (s.dots != NULL && s.pen != NULL) {
        if (title[0] != '\0') {
            write_text(&s, title, to);
            putc('\n', to);
        }
        for (int k = 0; k < p->n; k++) {
            rg_panel_chart(series, p, k, traces, &chart);
            draw_panel(&s, &chart, to);
        }
        rg_panels_caption(series, p, caption, sizeof caption);
        if (caption[0] != '\0') {
            write_text(&s, caption, to);
            putc('\n', to);
        }
    }
    const bool ok = s.dots != NULL && s.pen != NULL;
    rg_free(series->ctx, s.dots);
    rg_free(series->ctx, s.pen);
    return ok ? RG_OK : RG_ERR_MEMORY;
}
