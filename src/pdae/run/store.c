/* A run on a grid in its checkpoints.  Matrices and their factors are made anew. */
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"

#include <stdio.h>
#include <string.h>

static void store_arrays(rg_run_part *p, rg_store *s)
{
    double *const arrays[] = {
        p->mobility_index, p->outside,      p->q,          p->c,          p->old,
        p->rate,           p->flux,         p->storage,    p->cells,      p->delta,
        p->source,         p->source_begin, p->source_old, p->right,      p->s,
        p->scalar.given,   p->begin,        p->change,     p->change_old, p->steep,
        p->scalar.surface};

    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (arrays[k] != NULL) rg_grid_store(p->run->grid, arrays[k], s);
    for (int c = 0; c < RG_AXES; c++) {
        double *const each[] = {p->r[c], p->f[c], p->k[c], p->given[c], p->T[c]};
        for (size_t k = 0; k < sizeof each / sizeof *each; k++)
            if (each[k] != NULL) rg_grid_store(p->run->grid, each[k], s);
    }
    for (int c = 0; c <= RG_AXES; c++)
        if (p->push_old[c] != NULL) rg_grid_store(p->run->grid, p->push_old[c], s);
    for (int k = 0; k < RG_AXES * RG_AXES; k++)
        if (p->D[k] != NULL) rg_grid_store(p->run->grid, p->D[k], s);
}

const char *rg_run_part_solver(const rg_run_part *p)
{
    const char *name = p->fluid      ? rg_fluid_solver_name(p->fluid)
                       : p->darcy    ? rg_darcy_solver_name(p->darcy)
                       : p->elliptic ? rg_elliptic_name(p->elliptic)
                                     : NULL;

    return p->solver[0] != '\0' && (name == NULL || strcmp(name, "none") == 0) ? p->solver : name;
}

static void store_part(rg_run_part *p, rg_store *s)
{
    const double t = p->run->t;
    int64_t iterations = p->iterations;

    if (p->elliptic) iterations += rg_elliptic_iterations(p->elliptic);
    if (!s->is_reading && rg_run_part_solver(p) != NULL && rg_run_part_solver(p) != p->solver)
        snprintf(p->solver, sizeof p->solver, "%s", rg_run_part_solver(p));
    RG_STORE(s, p->solver);
    if (s->is_reading && !p->fluid && !p->darcy && s->status == RG_OK)
        s->status = rg_run_scalar_sides(p, t); /* of solids; p->flux is put back below */
    store_arrays(p, s);
    RG_STORE(s, p->moved);
    RG_STORE(s, p->size);
    RG_STORE(s, p->has_source_old);
    RG_STORE(s, p->has_change_old);
    RG_STORE(s, p->speed);
    RG_STORE(s, p->has_amount);
    RG_STORE(s, p->passed);
    RG_STORE(s, p->is_nonlinear);
    RG_STORE(s, p->balance);
    RG_STORE(s, p->balance_old);
    RG_STORE(s, iterations);
    if (p->fluid && s->status == RG_OK) rg_fluid_store(p->fluid, t, s);
    if (p->darcy && s->status == RG_OK) {
        rg_darcy_store(p->darcy, s);
        if (s->is_reading && s->status == RG_OK) s->status = rg_run_walls(p, t, p->space);
    }
    if (!s->is_reading) return;
    p->iterations = iterations;
    p->is_set = false; /* its matrix follows */
}

rg_status rg_run_grid_store(rg_run_grid *r, rg_store *s)
{
    RG_STORE(s, r->t);
    RG_STORE(s, r->k);
    RG_STORE(s, r->wanted);
    RG_STORE(s, r->has_first);
    RG_STORE(s, r->stats.steps);
    RG_STORE(s, r->stats.rejected);
    RG_STORE(s, r->stats.drift);
    RG_STORE(s, r->stats.is_steady);
    RG_STORE(s, r->stats.is_limited);
    RG_STORE(s, r->stats.miss);
    RG_STORE(s, r->stats.loss);
    for (int m = 0; m < r->n_parts && s->status == RG_OK; m++)
        store_part(&r->part[m], s);
    return s->status;
}
