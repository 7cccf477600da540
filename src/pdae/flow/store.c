/* A flow in the checkpoints of a run. */
#include "pdae/flow/flow_impl.h"
#include "pdae/mesh/block.h"

/* Arrays that are there or not, as the data and the scheme of the flow say. */
static void store_arrays(const rg_fluid *f, double *const *array, int n, rg_store *s)
{
    for (int k = 0; k < n; k++)
        if (array[k] != NULL) rg_grid_store(f->grid, array[k], s);
}

static void store_fields(rg_fluid *f, rg_store *s)
{
    double *const single[] = {f->p, f->p_old, f->q, f->q_old, f->d, f->outside, f->p_slope};

    for (int k = 0; k < f->n_iterates; k++) {
        store_arrays(f, f->u[k].c, RG_AXES, s);
        store_arrays(f, f->old[k].c, RG_AXES, s);
        store_arrays(f, f->slope[k].c, RG_AXES, s);
    }
    for (int k = 0; k < 2; k++) {
        store_arrays(f, f->N[k].c, RG_AXES, s);
        store_arrays(f, f->before[k].c, RG_AXES, s);
    }
    store_arrays(f, single, sizeof single / sizeof *single, s);
    store_arrays(f, f->viscosity, RG_AXES * RG_AXES, s);
    store_arrays(f, f->over_m, RG_AXES, s);
    store_arrays(f, f->over_before, RG_AXES, s);
    store_arrays(f, f->over_mid, RG_AXES, s);
    store_arrays(f, f->T, RG_AXES, s);
}

void rg_fluid_store(rg_fluid *f, double t, rg_store *s)
{
    int64_t iterations = rg_fluid_solver_iterations(f);
    bool has_solver = f->solver != NULL;
    double shift = f->shift;

    store_fields(f, s);
    RG_STORE(s, f->k_old);
    RG_STORE(s, f->k_older);
    RG_STORE(s, f->nu);
    RG_STORE(s, f->storage_time);
    RG_STORE(s, f->mean_m);
    RG_STORE(s, f->change);
    RG_STORE(s, has_solver);
    RG_STORE(s, shift);
    RG_STORE(s, iterations);
    if (!s->is_reading || s->status != RG_OK) return;
    if (f->data.walls) s->status = f->data.walls(f->data.user, t, f->space);
    if (s->status == RG_OK && has_solver) s->status = rg_fluid_renew_solver(f, shift);
    f->iterations = iterations;
}
