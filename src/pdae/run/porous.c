/* Darcy flow: resistances, wells and sides of a time go to its kernel. */
#include "pdae/darcy/tuning.h"
#include "pdae/run/run_impl.h"

#include <math.h>

static rg_status set_darcy(rg_run_part *p, double t)
{
    rg_run_grid *r = p->run;

    for (int c = 0; c < r->grid->dims; c++) {
        if (p->r[c] == NULL) continue;
        RG_TRY(rg_run_at_cells(r, p->eq->resistance[c], t, p->r[c]));
        RG_TRY(rg_run_check_cells(p, p->eq->resistance[c], p->r[c], "resistance", false));
        rg_scalar_copy_out(r->grid, p->r[c]);
    }
    RG_TRY(rg_run_well_indices(p, t));
    p->is_set = true;
    return rg_darcy_set(p->darcy, p->r, p->mobility_index);
}

/* Iterations that stop before the balance holds have failed, but where their number was given. */
static rg_status check_loss(rg_run_part *p, double t)
{
    rg_run_grid *r = p->run;
    const double loss = rg_darcy_loss(p->darcy);
    const bool is_given = r->options.iterations > 0 || r->options.method == RG_FLUID_PENALTY;

    r->stats.loss = fmax(r->stats.loss, loss);
    if (is_given || loss <= RG_GRID_LOSS) return RG_OK;
    rg_fail(r->ctx, RG_ERR_CONVERGENCE,
            "the flow '%s' misses its balance by %.2g of what flows after %d iterations",
            p->field->name, loss, rg_darcy_iterates(p->darcy));
    rg_fail_at(r->ctx, r->form->source, p->eq->constraint_span);
    if (!r->form->is_steady) rg_fail_time(r->ctx, t);
    return rg_remedy(r->ctx,
                     r->options.eps > 0.0 ? "give a smaller --eps, or none" : "try --method mixed");
}

rg_status rg_run_solve_darcy(rg_run_part *p, double t)
{
    rg_run_grid *r = p->run;
    bool has_force = false;

    if (!p->is_set || p->varies) RG_TRY(set_darcy(p, t));
    RG_TRY(rg_run_walls(p, t, p->space));
    RG_TRY(rg_run_outside(p, t, p->outside));
    RG_TRY(rg_run_source(p, t, p->q));
    RG_TRY(rg_run_check_closed(p, t, p->q));
    for (int c = 0; c < r->grid->dims; c++)
        has_force = has_force || !rg_quantity_is_zero(p->eq->force[c]);
    for (int c = 0; has_force && c < r->grid->dims; c++)
        RG_TRY(rg_run_at_faces(r, p->eq->force[c], t, c, p->f[c]));
    RG_TRY(rg_darcy_solve(p->darcy, p->q, has_force ? p->f : NULL, p->outside));
    return check_loss(p, t);
}
