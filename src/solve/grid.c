/* Solves models with fields on their grid: outputs are the unknowns of the solution that a caller
 * sees; a second run on half the cells estimates the error. */
#include "solve/grid.h"

#include "model/ast.h"
#include "pdae/draw/picture.h"
#include "pdae/form/facts.h"
#include "pdae/mesh/ranks.h"
#include "solve/grid_impl.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the problem of the outputs -------------------------------------------------------------- */
rg_status rg_grid_stand_in(const rg_problem *p, int n, const char *const *names, rg_problem **out)
{
    const size_t room = 64 * (size_t)n + 64;
    char *text = rg_alloc(p->ctx, room, 1);
    size_t used = 0;
    rg_source *source = NULL;
    rg_model *model = NULL;

    *out = NULL;
    if (text == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < n; k++)
        used += (size_t)snprintf(text + used, room - used, "var o%d\no%d = 0\n", k, k);
    snprintf(text + used, room - used, "over t = 0 .. 1\n");
    rg_status status = rg_source_from_text(p->ctx, "outputs", text, &source);
    rg_free(p->ctx, text);
    if (status == RG_OK) status = rg_model_parse(p->ctx, &source, &model);
    if (status == RG_OK) status = rg_model_compile(p->ctx, &model, 0, NULL, out);
    for (int k = 0; status == RG_OK && k < n; k++) {
        char *copy = rg_copy_text(p->ctx, names[k], strlen(names[k]));
        if (copy == NULL) return RG_ERR_MEMORY;
        rg_free(p->ctx, (*out)->families[k].name);
        (*out)->families[k].name = copy;
    }
    if (status != RG_OK) return status;
    const char *title = rg_problem_title(p);
    rg_free(p->ctx, (*out)->title);
    (*out)->title = rg_copy_text(p->ctx, title, strlen(title));
    if ((*out)->title == NULL) return RG_ERR_MEMORY;
    (*out)->a = p->a;
    (*out)->b = p->b;
    return RG_OK;
}

rg_status rg_grid_outputs(const rg_problem *p, rg_problem **out)
{
    const rg_form *form = rg_form_of(p);
    const char **names = rg_alloc(p->ctx, (size_t)form->n_outputs + 1, sizeof *names);

    *out = NULL;
    if (names == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < form->n_outputs; k++)
        names[k] = form->outputs[k].name;
    const rg_status status = rg_grid_stand_in(p, form->n_outputs, names, out);
    rg_free(p->ctx, (void *)names);
    return status;
}

/* ---- the run --------------------------------------------------------------------------------- */
/* With r the ratio of the cell widths the difference of the two grids is r^2 - 1 times the error of
 * the finer one; r - 1 times where limiters, upwind differences, implicit Euler steps or staircases
 * lower the order, or where a constraint that is missed makes all of it. */
static int order_of(const rg_grid_job *g)
{
    const bool is_central =
        g->options.transport == RG_CARRY_CENTRAL
        || (g->options.transport == RG_CARRY_RESOLVED && !rg_run_grid_is_limited(g->run)
            && !rg_run_grid_is_limited(g->coarse));
    bool is_low = g->form->n_solids > 0 || rg_run_grid_stats(g->run).loss > RG_GRID_LOSS_TOLD;

    for (int k = 0; k < g->form->n_equations; k++) {
        const rg_form_equation *e = &g->form->equations[k];
        const bool is_carried = e->kind == RG_FORM_TRANSPORT && e->n_convections > 0;
        is_low = is_low || (is_carried && !is_central)
                 || (e->kind == RG_FORM_TRANSPORT && g->options.implicit)
                 || (e->kind == RG_FORM_MOMENTUM && g->options.convection != RG_CARRY_CENTRAL);
    }
    return is_low ? 1 : 2;
}

/* The coarser run has failed, which says nothing about the finer one: there is no estimate. */
static rg_status drop_estimate(rg_grid_job *g)
{
    rg_run_grid_destroy(&g->coarse);
    rg_free(g->problem->ctx, g->facts->extrapolated);
    g->facts->extrapolated = NULL;
    g->facts->has_extrapolated = false;
    rg_clear_error(g->problem->ctx);
    return rg_problem_warn(g->writer.solution->run,
                           "no error is estimated: the run on half the cells, which that needs, "
                           "does not get to its end");
}

/* A failure that belongs to the coarse grid alone. */
static bool says_nothing(rg_status status)
{
    return status == RG_ERR_CONVERGENCE || status == RG_ERR_INCONSISTENT;
}

/* The coarse run to the same time; its outputs beside those of the fine one, as they are and with
 * the curvature between the values, whose error may cancel that of the values on one grid; p of
 * flow also beside its places, where an error of first order in a corner does not cancel others. */
static rg_status compare(rg_grid_job *g, double t)
{
    if (g->coarse == NULL) return RG_OK;
    if (t > rg_run_grid_time(g->coarse)) {
        g->is_comparing = true;
        g->comparing_at = t;
        const rg_status status = rg_grid_approach(g, &g->coarse, t);
        g->is_comparing = false;
        if (says_nothing(status)) return drop_estimate(g);
        RG_TRY(status);
    }
    RG_TRY(rg_run_grid_outputs(g->coarse, g->twice));
    RG_TRY(rg_run_grid_outputs_between(g->run, g->between[0]));
    RG_TRY(rg_run_grid_outputs_between(g->coarse, g->between[1]));
    RG_TRY(rg_run_grid_outputs_aside(g->run, g->half.form.grid, g->aside[0]));
    RG_TRY(rg_run_grid_outputs_aside(g->coarse, g->half.form.grid, g->aside[1]));
    const int order = order_of(g);
    const double part = 1.0 / (pow(g->half.ratio, order) - 1.0);
    g->estimate_end = 0.0;
    for (int k = 0; k < g->form->n_outputs; k++) {
        const double difference = g->now[k] - g->twice[k];
        const bool is_lost = isfinite(g->now[k]) != isfinite(g->twice[k]);
        const double bends = fabs(g->between[0][k] - g->now[k]),
                     smooth = part * fabs(g->between[0][k] - g->between[1][k]),
                     aside = part * fabs(g->aside[0][k] - g->aside[1][k]),
                     miss = fmax(fmax(part * fabs(difference), aside), fmax(bends, smooth)),
                     e = is_lost ? 1.0 : miss / fmax(1.0, fabs(g->now[k]));
        if (e > g->estimate_end) g->estimate_end = e;
        if ((float)e > (float)g->estimate) { /* of outputs that differ by rounding the first */
            g->worst = k;
            g->worst_at = t;
        }
        g->estimate = fmax(g->estimate, e);
        /* a lower order is a bound, not one that both grids are known to have */
        if (g->facts->extrapolated)
            g->facts->extrapolated[k] = order == 2 ? g->now[k] + part * difference : NAN;
    }
    g->is_estimated = true;
    return RG_OK;
}

/* The caller's function sees all fields, at the start and after every step. */
static rg_status show(rg_grid_job *g)
{
    const rg_request *r = g->request;

    if (r->output == NULL) return RG_OK;
    if (!r->only_time) rg_run_grid_pack(g->run, g->unknown);
    const double *y = r->only_time ? NULL : g->unknown;
    return r->output(rg_run_grid_time(g->run), y, NULL, r->user) != 0 ? RG_STOPPED : RG_OK;
}

/* A frame of --vtk: every rank has its block. */
static rg_status write_row(rg_grid_job *g)
{
    if (g->files.vtk[0] == '\0') return RG_OK;
    (void)rg_run_grid_pack_own(g->run, g->own);
    return rg_field_files_row(&g->files, rg_run_grid_time(g->run), g->own);
}

/* An output time: the start, a chosen time, or the end. */
static rg_status look(rg_grid_job *g)
{
    RG_TRY(rg_grid_look(g));
    return write_row(g);
}

/* A step of the fields as a step of the outputs: a straight line. */
static rg_status put(rg_grid_job *g)
{
    const double t = rg_run_grid_time(g->run), h = t - g->t_last;
    const int n = g->form->n_outputs;

    RG_TRY(rg_run_grid_outputs(g->run, g->now));
    RG_TRY(rg_grid_tell_undefined(g, t));
    for (int k = 0; k < n; k++) {
        g->step[k] = g->last[k];
        g->step[n + k] = g->now[k] - g->last[k];
        g->slope[k] = g->step[n + k] / h;
    }
    const rg_solution_step step = {.t0 = g->t_last,
                                   .t1 = t,
                                   .y = g->now,
                                   .yp = g->slope,
                                   .degree = 1,
                                   .coefficients = g->step};
    RG_TRY(rg_ranks_agree(g->problem->ctx, rg_writer_step(&g->writer, &step)));
    memcpy(g->last, g->now, (size_t)n * sizeof *g->last);
    g->t_last = t;
    g->is_estimated = false;
    return show(g);
}

/* Rows behind a steady state: nothing changes any more.  The end of the run stays what it is. */
static rg_status put_rest(rg_grid_job *g, const rg_request *r, double t_end)
{
    const double t = g->t_last, last = r->n_times > 0 ? fmin(r->times[r->n_times - 1], t_end) : t;
    const int n = g->form->n_outputs;

    if (!(last > t)) return RG_OK;
    memcpy(g->step, g->now, (size_t)n * sizeof *g->step);
    memset(g->step + n, 0, (size_t)n * sizeof *g->step);
    memset(g->slope, 0, (size_t)n * sizeof *g->slope);
    const rg_solution_step step = {
        .t0 = t, .t1 = last, .y = g->now, .yp = g->slope, .degree = 1, .coefficients = g->step};
    RG_TRY(rg_ranks_agree(g->problem->ctx, rg_writer_step(&g->writer, &step)));
    g->writer.solution->t_last = t;
    return RG_OK;
}

static rg_status march(rg_grid_job *g, const rg_request *r, double t_end)
{
    const bool by_steps = r->n_times == 0 || (r->output != NULL && !r->only_time);
    int64_t next = 0;
    const bool was_steady = g->is_comparing && rg_run_grid_is_steady(g->run);

    if (g->is_comparing) RG_TRY(compare(g, g->comparing_at)); /* a resumed run */
    while (g->t_last < t_end && !rg_run_grid_is_steady(g->run)) {
        while (next < r->n_times && r->times[next] <= g->t_last)
            next++;
        const double to = next < r->n_times ? fmin(r->times[next], t_end) : t_end;
        if (by_steps)
            RG_TRY(rg_run_grid_step(g->run, to));
        else
            RG_TRY(rg_grid_approach(g, &g->run, to));
        RG_TRY(put(g));
        if (rg_run_grid_time(g->run) < to) {
            if (rg_grid_pause_is_due(g)) RG_TRY(rg_grid_pause(g));
            continue;
        }
        RG_TRY(look(g));
        RG_TRY(compare(g, to));
    }
    if (rg_run_grid_is_steady(g->run)) { /* it stays so to the end */
        if (!was_steady) {
            RG_TRY(look(g));
            RG_TRY(compare(g, t_end));
        }
        RG_TRY(put_rest(g, r, t_end));
    }
    return RG_OK;
}

/* Of a divided grid nothing is brought together, but for a caller that wants to see it. */
static rg_status take_unknowns(rg_grid_job *g, rg_solution *s)
{
    const bool is_divided = rg_run_grid_mesh(g->run)->whole != NULL;
    const bool shows = g->request->output != NULL && !g->request->only_time;

    if (!is_divided || shows) {
        g->unknown = rg_alloc(g->problem->ctx, (size_t)g->problem->n, sizeof(double));
        if (g->unknown == NULL) return RG_ERR_MEMORY;
    }
    if (!is_divided) {
        s->unknown = g->own = g->unknown;
        return RG_OK;
    }
    g->own =
        rg_alloc(g->problem->ctx, (size_t)rg_run_grid_pack_own(g->run, NULL) + 1, sizeof *g->own);
    return g->own != NULL ? RG_OK : RG_ERR_MEMORY;
}

static void free_unknowns(rg_grid_job *g, const rg_solution *s)
{
    if (g->own != g->unknown) rg_free(g->problem->ctx, g->own);
    if (s == NULL || s->unknown != g->unknown) rg_free(g->problem->ctx, g->unknown);
}

static rg_status prepare(rg_grid_job *g, const rg_request *r, rg_problem *shown, rg_solution **out)
{
    rg_context *ctx = g->problem->ctx;
    const size_t n = (size_t)g->form->n_outputs;
    rg_layout *layout = NULL;
    bool possible = false;

    g->memory = rg_alloc(ctx, 10 * n + 1, sizeof *g->memory);
    if (g->memory == NULL) return RG_ERR_MEMORY;
    double **const part[] = {&g->last,       &g->now,      &g->slope,    &g->twice, &g->between[0],
                             &g->between[1], &g->aside[0], &g->aside[1], &g->step};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        *part[k] = g->memory + k * n;
    if (r->estimate) RG_TRY(rg_grid_half_create(g->form, &g->half, &possible));
    RG_TRY(rg_grid_make_runs(g, possible));
    if ((g->exact = rg_grid_array(rg_run_grid_mesh(g->run))) == NULL) return RG_ERR_MEMORY;
    RG_TRY(rg_layout_create(ctx, (int64_t)n, (int64_t)n, 1, &layout));
    for (size_t k = 0; k < n; k++)
        layout->place[0][k] = (int32_t)k;
    g->writer = (rg_writer){.user = g};
    g->request = r;
    g->inner = *r;
    g->inner.output = NULL;
    RG_TRY(rg_ranks_agree(ctx, rg_writer_open(&g->writer, shown, &layout, 1, &g->inner, out)));
    (*out)->given = g->problem;
    if (((*out)->grid = rg_alloc(ctx, 1, sizeof *(*out)->grid)) == NULL) return RG_ERR_MEMORY;
    g->facts = (*out)->grid;
    RG_TRY(take_unknowns(g, *out));
    RG_TRY(rg_field_files_open(&g->files, ctx, g->form));
    rg_form_facts(g->form, g->facts);
    if (possible) {
        g->facts->extrapolated = rg_alloc(ctx, n, sizeof(double));
        g->facts->has_extrapolated = g->facts->extrapolated != NULL;
    }
    (*out)->structure = rg_form_structure(g->form);
    return RG_OK;
}

static rg_status start(rg_grid_job *g)
{
    const double t0 = g->problem->a;

    RG_TRY(rg_run_grid_start(g->run, t0));
    if (g->coarse) {
        const rg_status status = rg_run_grid_start(g->coarse, t0);
        if (says_nothing(status))
            RG_TRY(drop_estimate(g));
        else
            RG_TRY(status);
    }
    RG_TRY(rg_run_grid_outputs(g->run, g->now));
    RG_TRY(rg_grid_tell_undefined(g, t0));
    memcpy(g->last, g->now, (size_t)g->form->n_outputs * sizeof *g->last);
    g->t_last = t0;
    for (int k = 0; k < g->form->n_outputs; k++)
        g->slope[k] = 0.0;
    RG_TRY(rg_ranks_agree(g->problem->ctx, rg_writer_start(&g->writer, t0, g->now, g->slope)));
    RG_TRY(show(g));
    if (!g->form->is_steady) return look(g);
    RG_TRY(look(g));
    return compare(g, t0);
}

static void draw_inside(FILE *to, const void *user)
{
    rg_grid_job *g = (rg_grid_job *)(uintptr_t)user;
    rg_context *ctx = g->problem->ctx;
    rg_frame frame;

    g->drawn = rg_frame_create(g->form, &frame);
    if (g->drawn == RG_OK) {
        rg_frame_set(&frame, rg_run_grid_time(g->run), g->own);
        g->drawn = rg_picture_write_inside(ctx, &frame, to);
    }
    rg_frame_clear(&frame);
}

/* Of a divided grid the solution keeps a picture for a report; nobody could draw one later. */
static rg_status keep_picture(rg_grid_job *g, rg_solution *s)
{
    if (g->own == g->unknown || g->form->n_draws == 0) return RG_OK;
    RG_TRY(rg_output_text(g->problem->ctx, draw_inside, g, &s->picture));
    return g->drawn;
}

/* The fields of the last time stay with the solution, also after a failure; files are written of
 * what succeeded or was interrupted. */
static rg_status end_files(rg_grid_job *g, rg_solution *s, rg_status status)
{
    (void)rg_run_grid_pack_own(g->run, g->own);
    RG_TRY(keep_picture(g, s));
    if (status < 0 && status != RG_ERR_INTERRUPTED) return RG_OK;
    RG_TRY(write_row(g));
    return rg_field_files_end(&g->files, rg_run_grid_time(g->run), g->own);
}

static rg_status solve(const rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                       rg_keeper *keeper, rg_solution **out)
{
    const double begin = rg_seconds();
    rg_grid_job g = {
        .problem = p,
        .form = rg_form_of(p),
        .keeper = keeper,
        .files = {.vtk = o->vtk,
                  .fields = o->fields,
                  .svg = o->svg,
                  .png = o->png,
                  .title = rg_problem_title(p)}
    };
    rg_problem *shown = NULL;
    rg_stage stage = RG_STAGE_NONE;

    if (keeper != NULL) stage = rg_keeper_resumes(keeper);
    RG_TRY(rg_grid_read_options(p->ctx, o, &g.options));
    g.options.duration = g.form->is_steady ? 1.0 : t_end - p->a;
    rg_status status = rg_grid_outputs(p, &shown);
    if (status == RG_OK) status = prepare(&g, r, shown, out);
    if (*out != NULL) {
        snprintf((*out)->method, sizeof(*out)->method, "%s", rg_grid_method(o));
        rg_solution_take_problem(*out, &shown);
    }
    if (status == RG_OK) status = rg_ranks_agree(p->ctx, rg_grid_open_rows(&g, stage));
    if (status == RG_OK) status = stage == RG_STAGE_NONE ? start(&g) : RG_OK;
    const bool has_begun = status >= 0;
    if (*out != NULL) {
        const rg_status told = rg_study_take_warnings((*out)->run->study, p->study);
        if (status == RG_OK) status = told;
    }
    if (status == RG_OK)
        status = stage == RG_STAGE_NONE ? rg_grid_tell_moved(&g) : rg_grid_resume(&g);
    if (status == RG_OK && !g.form->is_steady) status = march(&g, r, t_end);
    if (*out != NULL && g.run != NULL) {
        rg_status told = rg_grid_tell_oscillation(&g);
        if (told == RG_OK) told = rg_grid_tell_miss(&g);
        if (told == RG_OK) told = rg_grid_tell_coarse(&g);
        if (told == RG_OK) told = rg_grid_tell_no_estimate(&g);
        if (status == RG_OK) status = told;
        rg_grid_take_stats(&g, *out);
        (*out)->stats.seconds = rg_seconds() - begin;
    }
    if (has_begun) {
        const rg_status written = end_files(&g, *out, status);
        if (status >= 0) status = written < 0 ? written : status;
    }
    status = rg_writer_close(&g.writer, status, 0, NULL);
    rg_field_files_clear(&g.files);
    rg_run_grid_destroy(&g.run);
    rg_run_grid_destroy(&g.coarse);
    rg_grid_half_destroy(p->ctx, &g.half);
    rg_free(p->ctx, g.memory);
    rg_free(p->ctx, g.exact);
    free_unknowns(&g, *out);
    rg_problem_destroy(&shown);
    if (!has_begun) rg_solution_destroy(out); /* there is no point to show */
    return status;
}

rg_status rg_grid_solve(const rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                        rg_solution **out)
{
    rg_keeper *keeper;

    RG_TRY(rg_keeper_open(p, t_end, o, r, &keeper));
    const rg_status status = solve(p, t_end, o, r, keeper, out);
    if (status == RG_ERR_INTERRUPTED && keeper != NULL) rg_keeper_interrupt(keeper);
    rg_keeper_close(&keeper);
    return status;
}
