/* Momentum equations: what the kernel of flow asks the model for. */
#include "pdae/run/run_impl.h"

/* What the kernels do not know is left to the expanded equations. */
static rg_status refuse(rg_run_part *p, const char *what)
{
    rg_fail(p->run->ctx, RG_ERR_STRUCTURE, "the method 'srm' for grids cannot take %s ('%s')", what,
            p->field->name);
    rg_fail_at(p->run->ctx, p->run->form->source, p->eq->span);
    return rg_remedy(p->run->ctx,
                     "use --method radau, which solves the expanded equations of small "
                     "grids");
}

static rg_status momentum_force(void *part, double t, int c, double *const *u, double *out)
{
    rg_run_part *p = part;

    (void)u;
    return rg_quantity_is_zero(p->eq->force[c]) ? RG_OK : rg_run_add_force(p, c, t, out);
}

/* nu at cells (derivatives along the component) and edges. */
static rg_status momentum_viscosity(void *part, double t, double *const *nu)
{
    rg_run_part *p = part;
    rg_run_grid *r = p->run;
    const int dims = r->grid->dims;

    for (int c = 0; c < dims; c++)
        for (int d = 0; d < dims; d++) {
            const rg_quantity *q = p->eq->diffusion[d];
            double *out = nu[c * dims + d];
            if (d != c) {
                RG_TRY(rg_run_at_edges(r, q, t, c, d, out));
                continue;
            }
            RG_TRY(rg_run_at_cells(r, q, t, out));
            RG_TRY(rg_run_check_cells(p, q, out, "viscosity", true));
            rg_grid_fill_solid(r->grid, out);
            rg_scalar_copy_out(r->grid, out);
        }
    return RG_OK;
}

static rg_status momentum_storage(void *part, double t, double *const *m)
{
    rg_run_part *p = part;

    for (int c = 0; c < p->run->grid->dims; c++)
        RG_TRY(rg_run_at_faces(p->run, p->eq->storage[c], t, c, m[c]));
    return RG_OK;
}

static rg_status momentum_source(void *part, double t, double *q)
{
    return rg_run_source(part, t, q);
}

rg_status rg_run_create_momentum(rg_run_part *p)
{
    rg_run_grid *r = p->run;
    const rg_run_options *o = &r->options;
    const rg_form_equation *eq = p->eq;
    bool moves = false, has_source = !rg_quantity_is_zero(eq->source) || r->form->n_wells > 0;
    bool varies = false, has_storage = false, storage_moves = false;

    p->is_marched = !eq->has_derivative;
    if (o->mixed) {
        rg_fail(r->ctx, RG_ERR_METHOD, "'mixed' solves Darcy flow; '%s' has a momentum equation",
                p->field->name);
        rg_fail_at(r->ctx, r->form->source, eq->span);
        return rg_remedy(r->ctx, "take --method srm or projection");
    }
    if (p->is_marched && !r->form->is_steady)
        return refuse(p, "a momentum equation without a time derivative beside one that has it");
    for (int c = 0; c < r->grid->dims; c++) {
        const rg_quantity *m = eq->storage[c], *nu = eq->diffusion[c];
        has_storage = has_storage || (m && (m->uses || m->value != 1.0));
        storage_moves = storage_moves || (m && (m->uses & (RG_USES_TIME | RG_USES_FIELDS)));
        varies = varies || (nu && (nu->uses || nu->value != eq->diffusion[0]->value));
        for (int side = 0; side < 2 * r->grid->dims; side++)
            moves = moves
                    || (p->field->side[side].value[c]
                        && (p->field->side[side].value[c]->uses & RG_USES_TIME));
        for (int k = 0; k < r->form->n_solids; k++) {
            const rg_quantity *q = r->form->solids[k].condition[eq->field].value[c];
            moves = moves || (q && (q->uses & RG_USES_TIME));
        }
    }
    const rg_fluid_data data = {.user = p,
                                .duration = r->options.duration,
                                .nu = eq->diffusion[0] ? eq->diffusion[0]->value : 0.0,
                                .viscosity = varies ? momentum_viscosity : NULL,
                                .storage = has_storage ? momentum_storage : NULL,
                                .storage_moves = storage_moves,
                                .convection = eq->convection,
                                .walls = rg_run_walls,
                                .force = momentum_force,
                                .source = has_source ? momentum_source : NULL,
                                .outside = rg_run_outside,
                                .walls_move = moves};
    const rg_fluid_options options = {.method = o->method,
                                      .scheme = o->scheme,
                                      .eps = o->eps,
                                      .alpha1 = o->alpha1,
                                      .alpha2 = o->alpha2,
                                      .gamma = o->gamma,
                                      .iterations = o->iterations > 0 ? o->iterations : 1,
                                      .chorin = o->chorin,
                                      .carry = o->convection,
                                      .solver = o->solver,
                                      .solver_tol = o->solver_tol,
                                      .is_given = o->step > 0.0};
    return rg_fluid_create(r->ctx, p->space, &data, &options, &p->fluid);
}
