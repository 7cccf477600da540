/* What is looked at during a run on a grid: errors against exact solutions, start values that had
 * to be moved, oscillations, statistics. */
#include "pdae/mesh/ranks.h"
#include "pdae/tuning.h"
#include "solve/grid_impl.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Error of one field over all its components: a pressure that nothing fixes is compared up to a
 * constant.  Mean square: the integral over the domain. */
static rg_status take_error(rg_grid_job *g, int field, rg_grid_error *out)
{
    const rg_field *f = &g->form->fields[field];
    const rg_grid *grid = rg_run_grid_mesh(g->run);
    const bool is_free = !f->is_vector && f->equation >= 0
                         && g->form->equations[f->equation].is_closed
                         && g->form->equations[f->equation].pressure == field
                         && g->form->equations[f->equation].kind <= RG_FORM_DARCY;
    double square = 0.0, largest = 0.0;

    for (int c = 0; c < (f->is_vector ? grid->dims : 1); c++) {
        const double *v = rg_run_grid_field(g->run, field, c);
        double mean[2] = {0.0, 0.0}; /* times the volume, and that */
        RG_TRY(rg_run_grid_eval(g->run, f->exact[c], f->is_vector ? c : -1, g->exact));
        for (int pass = is_free ? 0 : 1; pass < 2; pass++) {
            if (pass == 1) rg_grid_sum(grid, 2, mean);
            for (int k = 0; k < grid->axis[2].n; k++)
                for (int j = 0; j < grid->axis[1].n; j++)
                    for (int i = 0; i < grid->axis[0].n; i++) {
                        const int64_t at = rg_grid_at(grid, i, j, k);
                        const double V = rg_grid_volume(grid, i, j, k);
                        if (grid->solid && grid->solid[at]) continue;
                        if (pass == 0) {
                            mean[0] += V * (v[at] - g->exact[at]);
                            mean[1] += V;
                            continue;
                        }
                        const double e = v[at] - g->exact[at] - (is_free ? mean[0] / mean[1] : 0.0);
                        largest = fmax(largest, fabs(e));
                        square += V * e * e;
                    }
        }
    }
    rg_grid_most(grid, 1, &largest);
    rg_grid_sum(grid, 1, &square);
    out->largest = fmax(out->largest, largest);
    out->l2 = fmax(out->l2, sqrt(square));
    return RG_OK;
}

static rg_status take_errors(rg_grid_job *g)
{
    int n = 0;

    for (int k = 0; k < g->form->n_fields && n < RG_GRID_LINES; k++) {
        if (g->form->fields[k].exact[0] == NULL) continue;
        rg_grid_error *e = &g->facts->error[n++];
        snprintf(e->name, sizeof e->name, "%s", g->form->fields[k].name);
        RG_TRY(take_error(g, k, e));
    }
    g->facts->n_errors = n;
    return RG_OK;
}

/* ---- start values ---------------------------------------------------------------------------- */
/* Of all ranks the lowest one with the largest number tells its place. */
static void take_largest(const rg_grid *grid, double *most, double at[RG_AXES])
{
    if (grid->whole == NULL) return;
    const double own = *most;
    rg_grid_most(grid, 1, most);
    double first = own == *most ? -(double)rg_ranks->rank : -INFINITY;
    rg_grid_most(grid, 1, &first);
    for (int d = 0; d < RG_AXES && first != -(double)rg_ranks->rank; d++)
        at[d] = 0.0;
    rg_grid_sum(grid, RG_AXES, at);
}

/* The face across axis c that has moved most; of those that rounding alone tells apart, the
 * first. */
static rg_status find_moved(rg_grid_job *g, int field, int c, double *most, double at[RG_AXES])
{
    const rg_grid *grid = rg_run_grid_mesh(g->run);
    const rg_points p = rg_points_faces(grid, c);
    const double *v = rg_run_grid_field(g->run, field, c);
    int i[RG_AXES];

    RG_TRY(rg_run_grid_eval(g->run, g->form->fields[field].start[c], c, g->exact));
    for (i[2] = 0; i[2] < p.count[2]; i[2]++)
        for (i[1] = 0; i[1] < p.count[1]; i[1]++)
            for (i[0] = 0; i[0] < p.count[0]; i[0]++) {
                const int64_t place = rg_grid_at(grid, i[0], i[1], i[2]);
                const double moved = fabs(v[place] - g->exact[place]);
                const int cell[RG_AXES] = {i[0] + grid->axis[0].from, i[1] + grid->axis[1].from,
                                           i[2] + grid->axis[2].from};
                if (moved <= *most * (1.0 + RG_GRID_SAME)
                    || !rg_form_is_free(g->form, field, c, cell))
                    continue;
                *most = moved;
                for (int d = 0; d < grid->dims; d++)
                    at[d] = p.at[d][i[d]];
            }
    take_largest(grid, most, at);
    return RG_OK;
}

static rg_status warn_moved(rg_grid_job *g, int field, double moved)
{
    const rg_field *f = &g->form->fields[field];
    const int dims = g->form->grid->dims;
    double at[RG_AXES] = {0}, most = 0.0;
    char place[120] = "";

    for (int c = 0; c < dims && !f->is_curl; c++)
        RG_TRY(find_moved(g, field, c, &most, at));
    for (int d = 0; d < dims && most > 0.0; d++) {
        const size_t used = strlen(place);
        snprintf(place + used, sizeof place - used, "%s%.4g%s", d == 0 ? " at (" : ", ", at[d],
                 d + 1 == dims ? ")" : "");
    }
    return rg_problem_warn(g->writer.solution->run,
                           "the start values of '%s' were changed by up to %.2g%s, so that its "
                           "divergence and its sides are as the equations say",
                           f->name, moved, place);
}

rg_status rg_grid_tell_moved(rg_grid_job *g)
{
    for (int k = 0; k < g->form->n_fields; k++) {
        double moved, size;
        if (!g->form->fields[k].is_vector || g->form->fields[k].start_kind != RG_START_KEPT)
            continue;
        rg_run_grid_moved(g->run, k, &moved, &size);
        if (moved > RG_GRID_MOVED * fmax(size, moved)) RG_TRY(warn_moved(g, k, moved));
    }
    return RG_OK;
}

/* The balance is what a given eps, or iterations whose number was given, make of it. */
static rg_status tell_loss(rg_grid_job *g, double loss)
{
    if (loss <= RG_GRID_LOSS_TOLD) return RG_OK;
    return rg_problem_warn(g->writer.solution->run,
                           "the velocity misses its balance by up to %.2g %% of what flows: use "
                           "more --iterations, or a smaller --eps",
                           100.0 * loss);
}

rg_status rg_grid_tell_miss(rg_grid_job *g)
{
    const double miss = rg_run_grid_stats(g->run).miss;

    RG_TRY(tell_loss(g, rg_run_grid_stats(g->run).loss));
    if (miss == 0.0) return RG_OK;
    return rg_problem_warn(
        g->writer.solution->run,
        "what flows into a closed domain misses what flows out by up to %.2g %%: "
        "the difference is spread evenly over the cells",
        100.0 * miss);
}

/* ---- oscillations ---------------------------------------------------------------------------- */
/* Do values along an axis go up and down from face to face, by a part of the largest value? */
static bool is_jagged(const rg_grid *g, const double *v, int c, int axis, double size)
{
    const int64_t s = g->stride[axis];
    int first[RG_AXES], end[RG_AXES];

    for (int d = 0; d < RG_AXES; d++) {
        const bool before = d == axis && g->axis[d].joined[0],
                   behind = d == axis && g->axis[d].joined[1];
        first[d] = before ? -g->ghosts[d] : d == 0 && c == 0 && !g->axis[0].joined[0];
        end[d] = g->axis[d].n - (d == axis ? 3 : 0) + (behind ? 1 : 0);
    }
    for (int k = first[2]; k < end[2]; k++)
        for (int j = first[1]; j < end[1]; j++)
            for (int i = first[0]; i < end[0]; i++) {
                const double *w = v + rg_grid_at(g, i, j, k);
                const double a = w[s] - w[0], b = w[2 * s] - w[s], e = w[3 * s] - w[2 * s];
                const double least = fmin(fabs(a), fmin(fabs(b), fabs(e)));
                if (a * b < 0.0 && b * e < 0.0 && least > RG_GRID_JAGGED * size) return true;
            }
    return false;
}

static void look_for_oscillation(rg_grid_job *g)
{
    const rg_grid *grid = rg_run_grid_mesh(g->run);

    if (g->oscillates || g->options.convection != RG_CARRY_CENTRAL) return;
    if (!(rg_run_grid_stats(g->run).cell_reynolds > RG_GRID_CELL_REYNOLDS)) return;
    for (int k = 0; k < g->form->n_equations; k++) {
        const rg_form_equation *e = &g->form->equations[k];
        double size = 0.0;
        if (e->kind != RG_FORM_MOMENTUM || e->convection == 0.0) continue;
        for (int c = 0; c < grid->dims; c++)
            for (int64_t at = 0; at < grid->size; at++)
                size = fmax(size, fabs(rg_run_grid_field(g->run, e->field, c)[at]));
        rg_grid_most(grid, 1, &size);
        for (int c = 0; c < grid->dims; c++)
            for (int axis = 0; axis < grid->dims; axis++)
                if (is_jagged(grid, rg_run_grid_field(g->run, e->field, c), c, axis, size))
                    g->oscillates = true;
    }
    g->oscillates = rg_grid_any(grid, g->oscillates);
}

rg_status rg_grid_tell_undefined(rg_grid_job *g, double t)
{
    const int n = g->form->n_outputs;
    int k = 0;

    while (k < n && isfinite(g->now[k]))
        k++;
    if (k == n || g->is_undefined) return RG_OK;
    g->is_undefined = true;
    return rg_problem_warn(g->writer.solution->run,
                           "the output '%s' has no finite value at %s = %.6g: look at what it "
                           "divides by, or takes the root or logarithm of, there",
                           g->form->outputs[k].name, rg_problem_time_name(g->problem), t);
}

rg_status rg_grid_tell_oscillation(rg_grid_job *g)
{
    if (!g->oscillates) return RG_OK;
    return rg_problem_warn(g->writer.solution->run,
                           "the velocity goes up and down from cell to cell, with a cell Reynolds "
                           "number of %.3g; use more cells, or --convection tvd",
                           rg_run_grid_stats(g->run).cell_reynolds);
}

static bool has_estimate(const rg_grid_job *g)
{
    return g->coarse != NULL && g->is_estimated;
}

rg_status rg_grid_tell_coarse(rg_grid_job *g)
{
    char when[80] = "";

    if (!has_estimate(g) || !(g->estimate > RG_GRID_COARSE)) return RG_OK;
    if (!g->form->is_steady)
        snprintf(when, sizeof when, " at %s = %.6g", rg_problem_time_name(g->problem), g->worst_at);
    return rg_problem_warn(g->writer.solution->run,
                           "the estimated error of the output '%s' is %.2g%s: use more cells",
                           g->form->outputs[g->worst].name, g->estimate, when);
}

rg_status rg_grid_tell_no_estimate(rg_grid_job *g)
{
    if (g->coarse == NULL || g->is_estimated) return RG_OK;
    g->facts->has_extrapolated = false;
    return rg_problem_warn(g->writer.solution->run,
                           "no error is estimated: the run ended before the time at which it would "
                           "have been compared with one on half the cells");
}

rg_status rg_grid_look(rg_grid_job *g)
{
    RG_TRY(take_errors(g));
    look_for_oscillation(g);
    return RG_OK;
}

/* ---- statistics ------------------------------------------------------------------------------ */
void rg_grid_take_stats(rg_grid_job *g, rg_solution *s)
{
    const rg_run_stats stats = rg_run_grid_stats(g->run);
    rg_grid_facts *f = g->facts;

    s->stats.steps = stats.steps;
    s->stats.rejected = stats.rejected;
    s->estimate_ratio = 1.0;
    s->estimate = has_estimate(g) ? g->estimate : NAN;
    s->estimate_end = has_estimate(g) ? g->estimate_end : NAN;
    if (s->n_levels > 0) s->drift[0] = stats.drift;
    f->drift = stats.drift;
    f->cell_reynolds = stats.cell_reynolds > 0.0 ? stats.cell_reynolds : NAN;
    f->iterations = stats.solver_iterations > 0 ? stats.solver_iterations : -1;
    f->n_solvers = stats.n_solvers;
    for (int k = 0; k < stats.n_solvers; k++)
        snprintf(f->solver[k], sizeof f->solver[k], "%s", stats.solver[k]);
    for (int k = 0; k < g->form->n_equations; k++) {
        const rg_form_equation *e = &g->form->equations[k];
        if (e->kind != RG_FORM_TRANSPORT || f->n_balances == RG_GRID_LINES) continue;
        const rg_run_balance b = rg_run_grid_balance(g->run, e->field);
        rg_grid_balance *to = &f->balance[f->n_balances++];
        snprintf(to->name, sizeof to->name, "%s", g->form->fields[e->field].name);
        to->start = b.start;
        to->in = b.in;
        to->out = b.out;
        to->end = b.end;
        to->defect = b.defect;
    }
}
