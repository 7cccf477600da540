/* Plots on a page: an SVG that stands for itself, and room for what the script adds. */
#include "report/page.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 450, HEIGHT = 180 }; /* points; the script draws on 600 x 240 */

static void make_chart(const rg_page_plot *p, rg_trace *traces, rg_chart *out)
{
    const rg_series *s = p->series;

    for (int k = 0; k < p->n; k++)
        traces[k] = (rg_trace){.name = s->name[p->column[k]],
                               .n = s->n,
                               .x = p->across < 0 ? s->x : rg_series_column(s, p->across),
                               .y = rg_series_column(s, p->column[k]),
                               .pen = k,
                               .is_dashed = p->n_measured > 0 && k >= p->n_measured,
                               .is_scattered = p->is_scattered,
                               .has_dots = (p->has_dots || s->n == 1)
                                           && (p->n_measured == 0 || k < p->n_measured)};
    *out = (rg_chart){.n = p->n,
                      .trace = traces,
                      .log_x = p->log_x,
                      .log_y = p->log_y,
                      .x_name = p->across < 0 ? s->x_name : s->name[p->across]};
}

static void write_label(const rg_page_plot *p, char *text, size_t size)
{
    const rg_series *s = p->series;
    size_t used = (size_t)snprintf(text, size, "plot of");

    for (int k = 0; k < p->n && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s %.60s", k > 0 ? "," : "",
                                 s->name[p->column[k]]);
    if (used < size)
        snprintf(text + used, size - used, " over %.60s",
                 p->across < 0 ? s->x_name : s->name[p->across]);
}

rg_status rg_page_plot_write(rg_context *ctx, const rg_page_plot *p, const char *caption,
                             bool is_drawn, FILE *to)
{
    rg_trace traces[RG_PANEL_LINES];
    rg_chart chart;
    rg_canvas sheet;
    char label[600];
    rg_status status = RG_OK;

    fprintf(to, "<figure class=\"plot\" id=\"%s\">\n", p->id);
    if (p->title != NULL) {
        fputs("<figcaption>", to);
        rg_text_write_xml(to, p->title);
        fputs("</figcaption>\n", to);
    }
    write_label(p, label, sizeof label);
    rg_canvas_begin_inside(ctx, to, WIDTH, HEIGHT, label, &sheet);
    if (is_drawn) {
        make_chart(p, traces, &chart);
        rg_chart_fit(&chart, 2.0, 2.0, WIDTH - 4.0, HEIGHT - 4.0);
        rg_chart_place(&chart, rg_chart_left(&chart), rg_chart_right(&chart));
        status = rg_chart_draw(&chart, &sheet);
    }
    rg_canvas_end_inside(&sheet);
    fputs("<div class=\"keys\">", to);
    for (int k = 0; k < p->n; k++) {
        fprintf(to,
                "<span class=\"key\"><svg class=\"k\" viewBox=\"0 0 12 4\" width=\"12\" "
                "height=\"4\" style=\"display:inline-block;width:12px\" aria-hidden=\"true\">"
                "<path d=\"M0 2h12\" class=\"l%d\" stroke-width=\"3\"/></svg> ",
                k);
        rg_text_write_xml(to, p->series->name[p->column[k]]);
        fputs("</span>\n", to);
    }
    fputs("</div><output aria-live=\"polite\"></output>\n", to);
    if (caption[0] != '\0') {
        fputs("<figcaption>", to);
        rg_text_write_xml(to, caption);
        fputs("</figcaption>\n", to);
    }
    fputs("</figure>\n", to);
    return status;
}
