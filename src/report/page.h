/* Reports as one HTML file: sections, plots, data as JSON.  The style sheet and the script stand in
 * page.css and page.js, and become texts of the library when it is built. */
#ifndef RG_REPORT_PAGE_H
#define RG_REPORT_PAGE_H

#include "figure/chart.h"
#include "report/report.h"
#include "report/scene.h"
#include "solution/comparison.h"
#include "solution/orders.h"
#include "solution/sweep_table.h"

typedef struct { /* what the page is about; pointers may be NULL */
    rg_context *ctx;
    const rg_facts *facts;
    const rg_solution *solution;
    const rg_comparison *comparison;
    const rg_orders *orders;
    const rg_sweep_table *sweep; /* of facts->problem */
    const char *model, *command, *date;
    const rg_error *error; /* why the run ended early */
    /* the equations of a text as MathML */
    void (*equations)(const rg_problem *p, int most, FILE *to);
    /* the fields of a solution as an SVG element, or nothing */
    rg_status (*fields)(const rg_solution *s, FILE *to);
} rg_page;

rg_status rg_page_write(const rg_page *page, const char *path);

/* ---- page_plots.c --------------------------------------------------------------------------- */
typedef struct { /* a plot on the page: its lines by name, for the script */
    char id[16];
    const char *title;                                   /* or NULL */
    bool log_x, log_y, is_phase, has_dots, is_scattered; /* scattered: dots without lines */
    int n_measured;          /* lines behind these are theory, dashed; 0: none is */
    const rg_series *series; /* owned by the caller; also the names */
    int across, n, column[RG_PANEL_LINES];
    bool is_main; /* its data are "series" of the page */
} rg_page_plot;
/* A figure element; is_drawn: with the lines in it, for those without the script. */
rg_status rg_page_plot_write(rg_context *ctx, const rg_page_plot *p, const char *caption,
                             bool is_drawn, FILE *to);

/* ---- page.c: what all sections use ---------------------------------------------------------- */
enum {
    RG_PAGE_PLOTS = 600,
    RG_PAGE_DRAWN = 6,   /* plots with lines for those without the script */
    RG_PAGE_ROWS = 4000, /* of a series */
};
typedef struct {
    const rg_page *page;
    FILE *to;
    rg_series series, history, errors, points; /* outputs; steps and drift; errors; others */
    int n_columns;                             /* of the series, that are written */
    int64_t left_out;
    int n_plots;
    rg_page_plot *plots; /* RG_PAGE_PLOTS */
    rg_scene scene;
} rg_page_maker;

const rg_problem *rg_page_problem(const rg_page *p);
/* Over the abscissa, without lines yet; NULL: there are enough. */
rg_page_plot *rg_page_add_plot(rg_page_maker *m, const rg_series *s);
rg_status rg_page_draw_plot(rg_page_maker *m, const rg_page_plot *p);

/* ---- page_run.c: steps, drift, errors, phase plots ------------------------------------------ */
rg_status rg_page_phases_write(rg_page_maker *m);
rg_status rg_page_run_write(rg_page_maker *m);
rg_status rg_page_errors_write(rg_page_maker *m);

/* ---- page_points.c: comparisons, orders, sweeps --------------------------------------------- */
rg_status rg_page_compare_points_write(rg_page_maker *m);
rg_status rg_page_order_points_write(rg_page_maker *m);
rg_status rg_page_sweep_points_write(rg_page_maker *m);

/* ---- page_data.c ---------------------------------------------------------------------------- */
/* The data of the page: JSON of the command, with "series" and "figures".  What could end the
 * element is escaped. */
typedef struct {
    const rg_series *series; /* or NULL */
    int n_columns;           /* of it, that are written */
    int n_plots;
    const rg_page_plot *plots;
    const rg_scene *scene; /* or NULL */
} rg_page_content;
rg_status rg_page_data_write(const rg_page *page, const rg_page_content *content, FILE *to);
enum { RG_STAGE_WIDTH = 600, RG_STAGE_HEIGHT = 360 };

/* ---- page_structure.c ----------------------------------------------------------------------- */
/* Which unknown stands in which equation, and the blocks. */
rg_status rg_page_structure_write(const rg_page *page, FILE *to);

/* ---- page_tables.c -------------------------------------------------------------------------- */
void rg_page_decisions_write(const rg_page *page, FILE *to);
void rg_page_end_values_write(const rg_page *page, FILE *to);
void rg_page_statistics_write(const rg_page *page, FILE *to);
void rg_page_comparison_write(const rg_page *page, FILE *to);
void rg_page_orders_write(const rg_page *page, FILE *to);
void rg_page_sweep_write(const rg_page *page, FILE *to);

/* Made from page.css and page.js when the library is built. */
extern const char *const rg_page_style[], *const rg_page_script[];

#endif
