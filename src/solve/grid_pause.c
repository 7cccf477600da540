/* Checkpoints of a run on a grid: all of its state is stored, and after every so many steps both
 * runs are made anew from that, so that a resumed run has the same bits. */
#include "ivp/tuning.h"
#include "solve/grid_impl.h"
#include "solve/tuning.h"

/* Twice the step, which has an error per step that is 8 times as large.  What a given eps, a given
 * number of iterations, or a method with one of its own leave of the constraint the coarse run does
 * not have, so that the difference of both shows it. */
static rg_run_options coarse_options(const rg_run_options *o)
{
    rg_run_options wide = *o;

    wide.step_scale = 2.0;
    wide.tol *= 8.0;
    if (o->method == RG_FLUID_PENALTY || o->method == RG_FLUID_COMPRESSIBILITY)
        wide.method = RG_FLUID_SRM;
    if (o->eps > 0.0 || wide.method != o->method) {
        wide.eps = 0.0;
        wide.alpha1 = wide.alpha2 = 1.0;
        wide.iterations = 0;
    }
    return wide;
}

rg_status rg_grid_make_runs(rg_grid_job *g, bool has_coarse)
{
    rg_run_grid_destroy(&g->run);
    rg_run_grid_destroy(&g->coarse);
    RG_TRY(rg_run_grid_create(g->form, &g->options, &g->run));
    if (!has_coarse) return RG_OK;
    const rg_run_options wide = coarse_options(&g->options);
    return rg_run_grid_create(&g->half.form, &wide, &g->coarse);
}

static void store_rows(rg_grid_job *g, rg_store *s)
{
    rg_solution *solution = g->writer.solution;
    int64_t size = 0;
    uint64_t hash = 0;

    if (!s->is_reading && solution->csv != NULL)
        s->status = rg_csv_mark(solution->csv, &size, &hash);
    RG_STORE(s, size); /* first: see rg_grid_open_rows() */
    RG_STORE(s, hash);
    rg_solution_store(solution, s);
    RG_STORE(s, g->writer.next_time);
    rg_study_store_warnings(solution->run->study, s);
    rg_field_files_store(&g->files, s);
}

static void store_job(rg_grid_job *g, rg_store *s)
{
    const int64_t n = g->form->n_outputs;

    RG_STORE(s, g->t_last);
    rg_store_reals(s, g->last, n);
    rg_store_reals(s, g->now, n);
    rg_store_reals(s, g->slope, n);
    RG_STORE(s, g->estimate);
    RG_STORE(s, g->estimate_end);
    RG_STORE(s, g->is_estimated);
    RG_STORE(s, g->worst);
    RG_STORE(s, g->worst_at);
    RG_STORE(s, g->oscillates);
    RG_STORE(s, g->is_undefined);
    RG_STORE(s, g->is_comparing);
    RG_STORE(s, g->comparing_at);
    RG_STORE(s, g->facts->n_errors);
    RG_STORE(s, g->facts->error);
    RG_STORE(s, g->facts->has_extrapolated);
    if (s->is_reading && !g->facts->has_extrapolated) {
        rg_free(s->ctx, g->facts->extrapolated);
        g->facts->extrapolated = NULL;
    }
    if (g->facts->extrapolated != NULL) rg_store_reals(s, g->facts->extrapolated, n);
}

static rg_status store(rg_grid_job *g, rg_store *s)
{
    bool has_coarse = g->coarse != NULL;

    store_rows(g, s);
    store_job(g, s);
    RG_STORE(s, has_coarse);
    RG_TRY(s->status);
    if (s->is_reading) RG_TRY(rg_grid_make_runs(g, has_coarse));
    RG_TRY(rg_run_grid_store(g->run, s));
    return has_coarse ? rg_run_grid_store(g->coarse, s) : RG_OK;
}

rg_status rg_grid_open_rows(rg_grid_job *g, rg_stage stage)
{
    int64_t size = 0;
    uint64_t hash = 0;

    if (g->keeper == NULL || g->request->csv == NULL) return RG_OK;
    if (stage != RG_STAGE_NONE) {
        rg_store *s = rg_keeper_store(g->keeper, RG_STAGE_RUN);
        RG_STORE(s, size);
        RG_STORE(s, hash);
    }
    return rg_solution_open_csv(g->writer.solution, g->request->csv, size, hash);
}

static int64_t steps_of(const rg_grid_job *g)
{
    return rg_run_grid_steps(g->run) + (g->coarse ? rg_run_grid_steps(g->coarse) : 0);
}

rg_status rg_grid_resume(rg_grid_job *g)
{
    rg_store *s = rg_keeper_store(g->keeper, RG_STAGE_RUN);

    rg_store_open(s);
    RG_TRY(store(g, s));
    g->paused_at = steps_of(g);
    return RG_OK;
}

rg_status rg_grid_pause(rg_grid_job *g)
{
    rg_store *s = rg_keeper_store(g->keeper, RG_STAGE_RUN);

    rg_store_empty(s);
    RG_TRY(store(g, s));
    RG_TRY(rg_keeper_offer(g->keeper, RG_STAGE_RUN, false));
    return rg_grid_resume(g);
}

/* How many steps are left to the next pause.  Not the clock decides, so that all runs pause at the
 * same places; a pause costs about a step, and those of large grids take long. */
static int64_t steps_left(const rg_grid_job *g)
{
    const double steps = RG_GRID_PAUSE / (double)g->form->grid->cells;
    const int64_t apart = steps < 1.0              ? 1
                          : steps > RG_PAUSE_STEPS ? RG_PAUSE_STEPS
                                                   : (int64_t)steps;

    return g->paused_at + apart - steps_of(g);
}

bool rg_grid_pause_is_due(const rg_grid_job *g)
{
    return g->keeper != NULL && steps_left(g) <= 0;
}

rg_status rg_grid_approach(rg_grid_job *g, rg_run_grid **run, double to)
{
    bool is_there = false;

    if (g->keeper == NULL) return rg_run_grid_advance(*run, to);
    for (;;) {
        if (rg_grid_pause_is_due(g)) RG_TRY(rg_grid_pause(g));
        RG_TRY(rg_run_grid_approach(*run, to, (int)steps_left(g), &is_there));
        if (is_there) return RG_OK;
    }
}
