/* What a run on a grid will be like: `regula check` makes a few steps on a small copy of the
 * grid. */
#include "solve/choose.h"
#include "solve/grid.h"
#include "solve/grid_impl.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdio.h>

enum { MOST_HALVES = 16 };

/* The form on a grid of at most so many cells, by halves; the number of halves. */
static int shrink(const rg_form *form, rg_grid_half *half, const rg_form **out)
{
    int n = 0;
    bool possible = true;

    *out = form;
    while (n < MOST_HALVES && (*out)->grid->cells > RG_GRID_PLAN_CELLS) {
        const rg_status status = rg_grid_half_create(*out, &half[n], &possible);
        if (!possible) break;
        n++;
        if (status != RG_OK) break;
        *out = &half[n - 1].form;
    }
    if (n > 0 && half[n - 1].form.grid != NULL)
        half[n - 1].form.grid->stands_for = form->grid->cells;
    return n;
}

static rg_status measure(rg_run_grid *run, const rg_problem *p, double *seconds)
{
    RG_TRY(rg_run_grid_start(run, p->a));
    for (int k = 0; k < RG_GRID_PLAN_STEPS && !p->form->is_steady; k++) {
        const double begin = rg_seconds();
        if (rg_run_grid_time(run) >= p->b) break;
        RG_TRY(rg_run_grid_step(run, p->b));
        const double took = rg_seconds() - begin;
        *seconds = k == 0 ? took : fmin(*seconds, took);
    }
    return RG_OK;
}

static void take_solvers(const rg_run_grid *run, rg_grid_facts *out)
{
    const rg_run_stats stats = rg_run_grid_stats(run);

    out->n_solvers = stats.n_solvers;
    for (int k = 0; k < stats.n_solvers; k++)
        snprintf(out->solver[k], sizeof out->solver[k], "%s", stats.solver[k]);
}

static rg_status plan(const rg_problem *p, const rg_form *form, const rg_run_options *o,
                      rg_grid_facts *out)
{
    rg_run_grid *run = NULL;
    double seconds = NAN;

    rg_status status = rg_run_grid_create(form, o, &run);
    if (status == RG_OK) status = measure(run, p, &seconds);
    if (status == RG_OK) {
        take_solvers(run, out);
        out->seconds_per_step = seconds * (double)p->form->grid->cells / (double)form->grid->cells;
    } else {
        snprintf(out->trouble, sizeof out->trouble, "%.300s", rg_last_error(p->ctx)->message);
    }
    rg_run_grid_destroy(&run);
    return status;
}

void rg_grid_plan(const rg_problem *p, rg_grid_facts *out)
{
    rg_grid_half half[MOST_HALVES];
    rg_options options;
    rg_run_options o;
    const rg_form *small;

    if (rg_default_options(p, NULL, &options) != RG_OK || !rg_grid_has_method(options.method)
        || rg_grid_read_options(p->ctx, &options, &o) != RG_OK) {
        rg_clear_error(p->ctx);
        return;
    }
    o.duration = p->form->is_steady ? 1.0 : p->b - p->a;
    const int n = shrink(p->form, half, &small);
    if (small->grid->cells <= 8 * (int64_t)RG_GRID_PLAN_CELLS && plan(p, small, &o, out) != RG_OK)
        rg_clear_error(p->ctx);
    for (int k = n - 1; k >= 0; k--)
        rg_grid_half_destroy(p->ctx, &half[k]);
}
