/* Makes a run of a model with fields, and tells what it has come to. */
#include "pdae/run/run.h"

#include "pdae/form/output.h"
#include "pdae/mesh/ranks.h"
#include "pdae/run/run_impl.h"

#include <math.h>
#include <string.h>

void rg_run_grid_destroy(rg_run_grid **run)
{
    rg_run_grid *r = *run;

    if (r == NULL) return;
    for (int k = 0; k < r->n_parts; k++)
        rg_run_part_free(&r->part[k]);
    for (int l = 0; l < r->form->n_leaves; l++) {
        if (r->form->leaves[l].data >= 0 && r->native) rg_free(r->ctx, r->native[l]);
        if (r->buffer) rg_free(r->ctx, r->buffer[l]);
    }
    rg_free(r->ctx, r->part);
    rg_free(r->ctx, r->native);
    rg_free(r->ctx, r->buffer);
    rg_free(r->ctx, r->at);
    rg_free(r->ctx, r->work);
    for (int k = 0; r->derived && k < r->form->n_derived; k++)
        rg_free(r->ctx, r->derived[k]);
    rg_free(r->ctx, r->derived);
    rg_free(r->ctx, r->scratch);
    rg_free(r->ctx, r->across);
    rg_free(r->ctx, r->reading);
    rg_free(r->ctx, r->reading_at);
    rg_grid_destroy(&r->block);
    rg_free(r->ctx, r);
    *run = NULL;
}

/* Room for what outputs read. */
static rg_status make_readings(rg_run_grid *r)
{
    const rg_form *form = r->form;
    int most = 0;

    for (int k = 0; k < form->n_outputs; k++)
        if (form->outputs[k].n_readings > most) most = form->outputs[k].n_readings;
    r->scratch = rg_grid_array(r->grid);
    r->across = rg_grid_array(r->grid);
    r->reading = rg_alloc(r->ctx, (size_t)most + 1, sizeof *r->reading);
    r->reading_at = rg_alloc(r->ctx, (size_t)most + 1, sizeof *r->reading_at);
    r->derived = rg_alloc(r->ctx, (size_t)form->n_derived + 1, sizeof *r->derived);
    if (!r->scratch || !r->across || !r->reading || !r->reading_at || !r->derived)
        return RG_ERR_MEMORY;
    for (int k = 0; k < form->n_derived; k++)
        if ((r->derived[k] = rg_grid_array(r->grid)) == NULL) return RG_ERR_MEMORY;
    return RG_OK;
}

/* Of given numbers those of this rank. */
static void take_data(const rg_run_grid *r, const double *cells, double *out)
{
    const rg_grid *g = r->grid, *whole = g->whole ? g->whole : g;
    const int64_t nx = whole->axis[0].n, ny = whole->axis[1].n;

    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            memcpy(out + rg_grid_at(g, 0, j, k),
                   cells + g->axis[0].from
                       + nx * (j + g->axis[1].from + ny * (k + g->axis[2].from)),
                   (size_t)g->axis[0].n * sizeof *out);
}

/* Where the numbers of every leaf are. */
static rg_status bind_leaves(rg_run_grid *r)
{
    const rg_form *form = r->form;
    const size_t n = (size_t)(form->n_leaves + form->n_derived) + 1;

    r->native = rg_alloc(r->ctx, n, sizeof *r->native);
    r->buffer = rg_alloc(r->ctx, n, sizeof *r->buffer);
    r->at = rg_alloc(r->ctx, n, sizeof *r->at);
    r->work = rg_alloc(r->ctx, (size_t)form->work_size, sizeof *r->work);
    if (!r->native || !r->buffer || !r->at || !r->work) return RG_ERR_MEMORY;
    RG_TRY(make_readings(r));
    for (int l = 0; l < form->n_leaves; l++) {
        const rg_leaf *leaf = &form->leaves[l];
        r->buffer[l] = rg_grid_array(r->grid);
        if (r->buffer[l] == NULL) return RG_ERR_MEMORY;
        if (leaf->data >= 0) {
            r->native[l] = rg_grid_array(r->grid);
            if (r->native[l] == NULL) return RG_ERR_MEMORY;
            take_data(r, form->data[leaf->data].value, r->native[l]);
            rg_scalar_copy_out(r->grid, r->native[l]);
        } else {
            r->native[l] = (double *)rg_run_grid_field(r, leaf->field, leaf->component);
        }
    }
    return RG_OK;
}

rg_status rg_run_grid_create(const rg_form *form, const rg_run_options *options, rg_run_grid **out)
{
    rg_run_grid *r = rg_alloc(form->ctx, 1, sizeof *r);
    rg_status status = RG_OK;

    *out = NULL;
    if (r == NULL) return RG_ERR_MEMORY;
    r->ctx = form->ctx;
    r->form = form;
    r->grid = form->grid;
    r->options = *options;
    if (rg_ranks != NULL && rg_ranks->count > 1) {
        status = rg_grid_block(form->grid, &r->block);
        r->grid = r->block;
    }
    if (status == RG_OK) status = rg_grid_share(r->grid, options->threads);
    r->part = rg_alloc(r->ctx, (size_t)form->n_equations, sizeof *r->part);
    if (r->part == NULL && status == RG_OK) status = RG_ERR_MEMORY;
    for (int k = 0; status == RG_OK && k < form->n_equations; k++) {
        r->n_parts = k + 1;
        status = rg_run_part_create(&r->part[k], r, &form->equations[k]);
    }
    if (status == RG_OK) status = rg_run_find_timed(r);
    if (status == RG_OK) status = bind_leaves(r);
    if (status != RG_OK) {
        rg_run_grid_destroy(&r);
        return status;
    }
    *out = r;
    return RG_OK;
}

const double *rg_run_grid_field(const rg_run_grid *r, int field, int component)
{
    for (int k = 0; k < r->n_parts; k++) {
        const rg_run_part *p = &r->part[k];
        const bool vector = p->eq->kind == RG_FORM_MOMENTUM || p->eq->kind == RG_FORM_DARCY;
        if (vector && p->eq->pressure == field)
            return p->fluid ? rg_fluid_pressure(p->fluid) : rg_darcy_pressure(p->darcy);
        if (p->eq->field != field) continue;
        if (!vector) return p->c;
        return p->fluid ? rg_fluid_velocity(p->fluid)[component]
                        : rg_darcy_velocity(p->darcy)[component];
    }
    return NULL;
}

bool rg_run_has_fluid(const rg_run_grid *r)
{
    for (int m = 0; m < r->n_parts; m++)
        if (r->part[m].fluid) return true;
    return false;
}

rg_status rg_run_grid_eval(rg_run_grid *r, const rg_quantity *q, int component, double *out)
{
    return component >= 0 ? rg_run_at_faces(r, q, r->t, component, out)
                          : rg_run_at_cells(r, q, r->t, out);
}

const rg_grid *rg_run_grid_mesh(const rg_run_grid *r)
{
    return r->grid;
}

/* ---- looking --------------------------------------------------------------------------------- */
double rg_run_grid_time(const rg_run_grid *r)
{
    return r->t;
}

void rg_run_grid_moved(const rg_run_grid *r, int field, double *moved, double *size)
{
    const rg_run_part *p = rg_run_part_of((rg_run_grid *)r, field);

    *moved = p ? p->moved : 0.0;
    *size = p ? p->size : 0.0;
}

rg_run_balance rg_run_grid_balance(const rg_run_grid *r, int field)
{
    return rg_run_part_of((rg_run_grid *)r, field)->balance;
}

double rg_run_grid_well_rate(const rg_run_grid *r, int well)
{
    return rg_run_well_rate((rg_run_grid *)r, well, r->t);
}

int64_t rg_run_grid_steps(const rg_run_grid *r)
{
    return r->stats.steps + r->stats.rejected;
}

bool rg_run_grid_is_steady(const rg_run_grid *r)
{
    return r->stats.is_steady;
}

bool rg_run_grid_is_limited(const rg_run_grid *r)
{
    return rg_grid_any(r->grid, r->stats.is_limited);
}

/* The largest |u| h over the faces of the box, h from centre to centre. */
static double largest_transit(const rg_grid *g, double *const *u)
{
    double most = 0.0;
    int at[RG_AXES], end[RG_AXES];

    for (int c = 0; c < g->dims; c++) {
        for (int d = 0; d < RG_AXES; d++)
            end[d] = g->axis[d].n + (d == c);
        for (at[2] = 0; at[2] < end[2]; at[2]++)
            for (at[1] = 0; at[1] < end[1]; at[1]++)
                for (at[0] = 0; at[0] < end[0]; at[0]++)
                    most = fmax(most, fabs(u[c][rg_grid_at(g, at[0], at[1], at[2])])
                                          * g->axis[c].gap[at[c]]);
    }
    rg_grid_most(g, 1, &most);
    return most;
}

rg_run_stats rg_run_grid_stats(const rg_run_grid *r)
{
    rg_run_stats s = r->stats;
    const rg_grid *g = r->grid;

    for (int m = 0; m < r->n_parts; m++) {
        const rg_run_part *p = &r->part[m];
        const char *name = rg_run_part_solver(p);
        if (name && s.n_solvers < 8) s.solver[s.n_solvers++] = name;
        s.solver_iterations +=
            p->fluid   ? rg_fluid_solver_iterations(p->fluid)
            : p->darcy ? rg_darcy_solver_iterations(p->darcy)
                       : p->iterations + (p->elliptic ? rg_elliptic_iterations(p->elliptic) : 0);
        if (p->fluid == NULL || !(rg_fluid_viscosity(p->fluid) > 0.0)) continue;
        s.cell_reynolds = fmax(s.cell_reynolds, largest_transit(g, rg_fluid_velocity(p->fluid))
                                                    / rg_fluid_viscosity(p->fluid));
    }
    return s;
}
