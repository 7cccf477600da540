/* A figure: panels above each other, with one abscissa below them, a title and a caption. */
#include "figure/chart.h"

#include <math.h>
#include <string.h>

static double length_of(const rg_series *s, int column)
{
    return s->high[column] - s->low[column];
}

/* Both about as long: positions in a plane, where circles should be circles. */
static bool is_plane(const rg_series *s, const rg_panel *p)
{
    if (!p->is_phase || p->across < 0) return false;
    const double ratio = length_of(s, p->across) / length_of(s, p->column[0]);
    return 2.0 * ratio >= 1.0 && ratio <= 2.0;
}

void rg_panel_chart(const rg_series *s, const rg_panels *all, int which, rg_trace *traces,
                    rg_chart *out)
{
    const rg_panel *p = &all->panel[which];

    for (int k = 0; k < p->n; k++)
        traces[k] = (rg_trace){.name = s->name[p->column[k]],
                               .n = s->n,
                               .x = p->across < 0 ? s->x : rg_series_column(s, p->across),
                               .y = rg_series_column(s, p->column[k]),
                               .pen = k,
                               .has_dots = s->n == 1};
    *out = (rg_chart){.n = p->n,
                      .trace = traces,
                      .log_x = all->log_x,
                      .log_y = all->log_y,
                      .is_same_unit = is_plane(s, p),
                      .x_name = p->across < 0 ? s->x_name : s->name[p->across]};
}

static void add_text(char *text, size_t size, const char *what)
{
    const size_t used = strlen(text);

    snprintf(text + used, size - used, "%s%s", used > 0 ? "; " : "", what);
}

void rg_panels_caption(const rg_series *s, const rg_panels *p, char *text, size_t size)
{
    char what[200];

    text[0] = '\0';
    for (int k = 0; k < p->n; k++)
        for (int i = 0; i < p->panel[k].n; i++) {
            const int c = p->panel[k].column[i];
            int64_t below = 0;
            for (int64_t row = 0; p->log_y && row < s->n; row++)
                below += rg_series_column(s, c)[row] <= 0.0;
            if (s->gaps[c] > 0) {
                snprintf(what, sizeof what, "%.80s: %lld of %lld values are not finite", s->name[c],
                         (long long)s->gaps[c], (long long)s->n_all);
                add_text(text, size, what);
            }
            if (below > 0) {
                snprintf(what, sizeof what, "%.80s: values up to 0 are not on the axis",
                         s->name[c]);
                add_text(text, size, what);
            }
        }
    if (p->left_out > 0) {
        snprintf(what, sizeof what, "%d more output%s not shown", p->left_out,
                 p->left_out > 1 ? "s are" : " is");
        add_text(text, size, what);
    }
}

/* Panels over one abscissa have frames of one width, and only the last one shows its numbers. */
static bool shows_numbers(const rg_panels *p, int k)
{
    return p->panel[k].is_phase || k + 1 == p->n || p->panel[k + 1].is_phase;
}

static rg_status draw_panels(const rg_series *s, const rg_panels *p, rg_canvas *sheet, double top,
                             double bottom)
{
    rg_trace traces[RG_PANEL_LINES];
    rg_chart chart;
    double left = 0.0, right = 0.0, low = 0.0;
    int numbers = 0;

    for (int k = 0; k < p->n; k++)
        numbers += shows_numbers(p, k);
    const double each =
        (bottom - top - 19.0 * numbers) / p->n; /* of a panel without the numbers below it */
    for (int pass = 0; pass < 2; pass++) {
        low = top;
        for (int k = 0; k < p->n; k++) {
            const double height = each + (shows_numbers(p, k) ? 19.0 : 0.0);
            rg_panel_chart(s, p, k, traces, &chart);
            chart.has_labels = true;
            if (!shows_numbers(p, k)) chart.x_name = NULL;
            rg_chart_fit(&chart, 4.0, low, sheet->width - 6.0, height);
            left = fmax(left, rg_chart_left(&chart));
            right = fmax(right, rg_chart_right(&chart));
            low += height;
            if (pass == 0) continue;
            rg_chart_place(&chart, left, right);
            RG_TRY(rg_chart_draw(&chart, sheet));
        }
    }
    return RG_OK;
}

rg_status rg_sheet_write(const rg_series *s, const rg_panels *p, const char *title, double width,
                         double height, const char *path)
{
    rg_canvas sheet;
    char caption[600];

    rg_panels_caption(s, p, caption, sizeof caption);
    rg_status status = rg_canvas_open_mm(s->ctx, path, width, height, title, &sheet);
    if (status == RG_OK) {
        const double top = title[0] != '\0' ? 16.0 : 3.0,
                     bottom = sheet.height - (caption[0] != '\0' ? 12.0 : 2.0);
        if (title[0] != '\0')
            rg_canvas_label(&sheet, 0.5 * sheet.width, 12.0, 9.0, RG_TEXT_MIDDLE, RG_PEN_AXIS,
                            false, title);
        status = draw_panels(s, p, &sheet, top, bottom);
        if (caption[0] != '\0')
            rg_canvas_label(&sheet, 6.0, sheet.height - 4.0, 7.0, RG_TEXT_START, RG_PEN_AXIS, false,
                            caption);
    }
    return rg_canvas_close(&sheet, status);
}
