/* The data of a page as JSON: the object of the command with "series" and "figures" in it. */
#include "report/page.h"

#include "base/output.h"
#include "solution/number.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 6, TIME_DIGITS = 9, MOST_POINTS = 10000 };

typedef struct {
    const rg_page *page;
    const rg_page_content *content;
} job;

static void write_numbers(rg_json *j, int64_t n, const double *values, int digits)
{
    char text[40];

    rg_json_open(j, '[');
    for (int64_t k = 0; k < n; k++)
        fprintf(j->to, "%s%s", k > 0 ? "," : "",
                isfinite(values[k]) ? rg_short_text(values[k], digits, text) : "null");
    rg_json_close(j, ']');
}

/* The whole series is written once; what a plot has for itself is its own columns. */
static void write_columns(rg_json *j, const rg_page_plot *p)
{
    const rg_series *s = p->series;

    rg_json_open(j, '{');
    if (p->across >= 0) {
        rg_json_key(j, s->name[p->across]);
        write_numbers(j, s->n, rg_series_column(s, p->across), DIGITS);
    } else {
        rg_json_key(j, s->x_name);
        write_numbers(j, s->n, s->x, TIME_DIGITS);
    }
    for (int k = 0; k < p->n; k++) {
        rg_json_key(j, s->name[p->column[k]]);
        write_numbers(j, s->n, rg_series_column(s, p->column[k]), DIGITS);
    }
    rg_json_close(j, '}');
}

static void write_series(rg_json *j, const rg_series *s, int n_columns)
{
    rg_json_open(j, '{');
    rg_json_key(j, s->x_name);
    write_numbers(j, s->n, s->x, TIME_DIGITS);
    for (int c = 0; c < n_columns; c++) {
        rg_json_key(j, s->name[c]);
        write_numbers(j, s->n, rg_series_column(s, c), DIGITS);
    }
    rg_json_close(j, '}');
}

static void write_flag(rg_json *j, const char *name, bool is_set)
{
    if (!is_set) return;
    rg_json_key(j, name);
    fputs("true", j->to);
    j->needs_comma = true;
}

static void write_plot(rg_json *j, const rg_page_plot *p)
{
    const rg_series *s = p->series;

    rg_json_open(j, '{');
    rg_json_key(j, "id");
    rg_json_text(j, p->id);
    rg_json_key(j, "x");
    rg_json_text(j, p->across < 0 ? s->x_name : s->name[p->across]);
    rg_json_key(j, "lines");
    rg_json_open(j, '[');
    for (int k = 0; k < p->n; k++)
        rg_json_text(j, s->name[p->column[k]]);
    rg_json_close(j, ']');
    write_flag(j, "logx", p->log_x);
    write_flag(j, "logy", p->log_y);
    write_flag(j, "phase", p->is_phase);
    write_flag(j, "dots", p->has_dots);
    write_flag(j, "scattered", p->is_scattered);
    if (p->n_measured > 0) {
        rg_json_key(j, "measured");
        rg_json_integer(j, p->n_measured);
    }
    if (!p->is_main) {
        rg_json_key(j, "data");
        write_columns(j, p);
    }
    rg_json_close(j, '}');
}

/* "points" repeat the series: of long runs they are left out. */
static bool has_points(const rg_solution *s)
{
    return s->n_rows * rg_solution_columns(s) <= MOST_POINTS;
}

static void write_object(FILE *to, const void *user)
{
    const rg_page *page = ((const job *)user)->page;
    const rg_page_content *c = ((const job *)user)->content;
    const rg_error none = {.code = RG_OK}, *error = page->error != NULL ? page->error : &none;
    rg_json j = {to, false};

    rg_json_open(&j, '{');
    if (page->comparison != NULL)
        rg_write_comparison_members(&j, page->model, page->comparison);
    else if (page->orders != NULL)
        rg_write_orders_members(&j, page->model, page->orders, &none);
    else if (page->sweep != NULL)
        rg_write_sweep_members(&j, page->model, page->sweep, &none,
                               page->sweep->count * (page->sweep->n_set + page->sweep->n_values)
                                   <= MOST_POINTS);
    else if (page->solution != NULL)
        rg_write_run_members(&j, page->model, page->facts, page->solution, error,
                             has_points(page->solution));
    else
        rg_write_check_members(&j, page->model, page->facts, &none);
    if (c->series != NULL) {
        rg_json_key(&j, "series");
        write_series(&j, c->series, c->n_columns);
    }
    rg_json_key(&j, "figures");
    rg_json_open(&j, '[');
    for (int k = 0; k < c->n_plots; k++)
        write_plot(&j, &c->plots[k]);
    rg_json_close(&j, ']');
    if (c->scene != NULL) rg_scene_json(&j, c->scene, RG_STAGE_WIDTH, RG_STAGE_HEIGHT);
    rg_json_close(&j, '}');
}

rg_status rg_page_data_write(const rg_page *page, const rg_page_content *content, FILE *to)
{
    const job c = {page, content};
    char *text = NULL;

    RG_TRY(rg_output_text(page->ctx, write_object, &c, &text));
    fputs("<script type=\"application/json\" id=\"regula-data\">", to);
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '<' || *at == '&')
            fprintf(to, "\\u%04x", *at);
        else
            putc(*at, to);
    }
    fputs("</script>\n", to);
    rg_free_text(&text);
    return RG_OK;
}
