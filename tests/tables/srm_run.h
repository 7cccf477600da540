/* Runs of a model with a fixed step, and what is measured at its mesh points. */
#ifndef RG_TESTS_TABLES_SRM_RUN_H
#define RG_TESTS_TABLES_SRM_RUN_H

#include "support/options.h"
#include "tables/table.h"

#include <stdio.h>

/* Quantities at a point; values in the order of the names. */
typedef void measure_fn(double t, const double *y, const double *yp, double *out);

typedef struct {
    const char *model;
    const char *options; /* "name=value name=value" */
    const char *const *quantities;
    int n_quantities;
    measure_fn *measure;
    int n_times;
    const double *times; /* where to look; NULL: maxima over the mesh points behind the start */
    double h;
} srm_case;

typedef struct {
    const srm_case *c;
    table_run *run;
    bool has_started;
} srm_watch;

static inline int srm_note(double t, const double *y, const double *yp, void *user)
{
    srm_watch *w = user;
    const srm_case *c = w->c;
    double value[8];

    c->measure(t, y, yp, value);
    for (int q = 0; w->has_started && q < c->n_quantities; q++) {
        for (int k = 0; k < c->n_times; k++) /* a mesh point that was moved by h/2 still counts */
            if (fabs(t - c->times[k]) < 0.75 * c->h)
                w->run->entry[q * c->n_times + k].value = value[q];
        if (c->n_times == 0) w->run->entry[q].value = fmax(w->run->entry[q].value, value[q]);
    }
    w->has_started = true;
    return 0;
}

static inline bool srm_set_options(rg_context *ctx, const rg_problem *p, const char *text,
                                   int iterations, rg_options *o)
{
    char number[16];

    *o = rg_options_default();
    snprintf(number, sizeof number, "%d", iterations);
    return CHECK_INT(rg_problem_options(p, o), RG_OK) && options_from_words(ctx, o, text)
           && CHECK_INT(rg_options_assign(ctx, o, "iterations", number), RG_OK);
}

static inline void srm_run(const srm_case *c, const char *row, int iteration, table_run *run)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o;
    srm_watch w = {c, run, false};

    *run = (table_run){.row = row, .iteration = iteration};
    for (int q = 0; q < c->n_quantities; q++)
        for (int k = 0; k < (c->n_times > 0 ? c->n_times : 1); k++)
            run->entry[run->n++] = (table_entry){
                c->quantities[q], c->n_times > 0 ? c->times[k] : NAN, c->n_times > 0 ? NAN : 0.0};
    if (CHECK_INT(rg_context_create(&ctx), RG_OK)
        && CHECK_INT(rg_problem_from_file(ctx, c->model, &p), RG_OK)
        && srm_set_options(ctx, p, c->options, iteration, &o)) {
        const rg_status status = rg_solve_with(p, 1.0, &o, srm_note, &w, &s);
        if (status != RG_OK) printf("%s: %s\n", row, rg_last_error(ctx)->message);
        CHECK(status == RG_OK || strstr(row, "Baumgarte") != NULL); /* that one may blow up */
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

#endif
