/* The parts of a run, one for each equation: which kernel it has, and its arrays. */
#include "pdae/run/run_impl.h"

#include <limits.h>

rg_run_part *rg_run_part_of(rg_run_grid *r, int field)
{
    for (int k = 0; k < r->n_parts; k++)
        if (r->part[k].eq->field == field) return &r->part[k];
    return NULL;
}

double *const *rg_run_velocity(rg_run_grid *r, int field)
{
    const rg_run_part *p = rg_run_part_of(r, field);

    return p->fluid ? rg_fluid_velocity(p->fluid) : rg_darcy_velocity(p->darcy);
}

static bool make_arrays(rg_run_part *p, double ***list, int n)
{
    bool ok = true;

    for (int k = 0; k < n; k++)
        ok = ok && (*list[k] = rg_grid_array(p->run->grid)) != NULL;
    return ok;
}

static rg_status take_solids(rg_run_part *p)
{
    const rg_form *form = p->run->form;
    bool slip[UCHAR_MAX + 1] = {false};

    for (int k = 0; k < form->n_solids; k++)
        slip[k] = p->space->slips || form->solids[k].condition[p->eq->field].kind == RG_VECTOR_SLIP;
    return rg_vector_space_set_solids(p->space, slip);
}

static rg_status create_vector(rg_run_part *p)
{
    rg_run_grid *r = p->run;
    const rg_form_equation *eq = p->eq;
    int side[RG_SIDES];
    double **list[] = {&p->outside, &p->q,   &p->mobility_index, &p->f[0], &p->f[1],
                       &p->f[2],    &p->r[0]};

    for (int k = 0; k < RG_SIDES; k++)
        side[k] = r->grid->axis[k / 2].joined[k % 2] ? RG_VECTOR_JOINED : p->field->side[k].kind;
    RG_TRY(rg_vector_space_create(r->grid, side, &p->space));
    if (!make_arrays(p, list, 7)) return RG_ERR_MEMORY;
    p->space->slips = eq->kind == RG_FORM_DARCY;
    RG_TRY(take_solids(p));
    if (eq->kind == RG_FORM_MOMENTUM) return rg_run_create_momentum(p);
    for (int c = 1; c < r->grid->dims; c++)
        if (eq->resistance[c] && eq->resistance[c]->same == NULL) {
            double **more[] = {&p->r[c]};
            if (!make_arrays(p, more, 1)) return RG_ERR_MEMORY;
        }
    for (int c = 0; c < r->grid->dims; c++)
        p->varies =
            p->varies
            || (eq->resistance[c] && (eq->resistance[c]->uses & (RG_USES_TIME | RG_USES_FIELDS)));
    for (int w = 0; w < r->form->n_wells; w++) {
        const rg_quantity *radius = r->form->wells[w].radius;
        p->varies = p->varies || (radius && (radius->uses & RG_USES_TIME));
    }
    const rg_darcy_options options = {.method = r->options.mixed ? RG_DARCY_MIXED
                                                : r->options.method == RG_FLUID_PENALTY
                                                    ? RG_DARCY_PENALTY
                                                    : RG_DARCY_SRM,
                                      .eps = r->options.eps,
                                      .iterations = r->options.iterations,
                                      .solver = r->options.solver,
                                      .solver_tol = r->options.solver_tol,
                                      .reused = !p->varies && !r->form->is_steady,
                                      .name = p->field->name};
    return rg_darcy_create(r->ctx, p->space, &options, &p->darcy);
}

static bool is_moving(const rg_quantity *q)
{
    return q && (q->uses & (RG_USES_TIME | RG_USES_FIELDS));
}

/* What sides with a flux need: the values on them, and how the flux follows them. */
static rg_status prepare_sides(rg_run_part *p)
{
    for (int side = 0; side < 2 * p->run->grid->dims; side++) {
        double **surface[] = {&p->scalar.surface}, **steep[] = {&p->steep};
        if (p->scalar.side[side] == RG_SCALAR_FLUX && p->scalar.surface == NULL
            && !make_arrays(p, surface, 1))
            return RG_ERR_MEMORY;
        if (!rg_run_side_exchanges(p, side)) continue;
        if (p->steep == NULL && !make_arrays(p, steep, 1)) return RG_ERR_MEMORY;
        if (p->scalar.side[side] == RG_SCALAR_FLUX) p->scalar.side[side] = RG_SCALAR_EXCHANGE;
    }
    return RG_OK;
}

/* What one solve determines has no arrays for its right-hand side, which takes the place of the
 * rate, and for what the solve adds: the coefficients on cells are used up by then. */
static rg_status make_common(rg_run_part *p)
{
    double **list[] = {&p->c,     &p->old, &p->rate,         &p->flux,  &p->storage,
                       &p->cells, &p->s,   &p->scalar.given, &p->right, &p->delta};

    if (!make_arrays(p, list, p->is_carried ? 10 : 8)) return RG_ERR_MEMORY;
    if (!p->is_carried) {
        p->right = p->rate;
        p->delta = p->cells;
    } else if (p->eq->storage[0] == NULL) {
        for (int64_t at = 0; at < p->run->grid->size; at++)
            p->storage[at] = 1.0;
    }
    return RG_OK;
}

static rg_status create_scalar(rg_run_part *p)
{
    const rg_form_equation *eq = p->eq;
    const int dims = p->run->grid->dims;
    int kind[UCHAR_MAX + 1] = {0};

    /* Beside a steady momentum equation all go to a steady state together. */
    bool is_marched = false;
    for (int k = 0; k < p->run->form->n_equations; k++)
        is_marched = is_marched
                     || (p->run->form->equations[k].kind == RG_FORM_MOMENTUM
                         && !p->run->form->equations[k].has_derivative);
    p->scalar.grid = p->run->grid;
    p->scalar.has_corners = p->eq->has_dispersion;
    p->is_carried = eq->kind == RG_FORM_TRANSPORT && (eq->has_derivative || is_marched);
    for (int k = 0; k < RG_SIDES; k++)
        p->scalar.side[k] = p->run->grid->axis[k / 2].joined[k % 2] ? (int)RG_SCALAR_JOINED
                                                                    : p->field->side[k].kind;
    RG_TRY(make_common(p));
    double **sources[] = {&p->source_old, &p->source, &p->source_begin};
    const bool is_implicit = p->run->options.implicit && eq->n_convections == 0;
    const bool has_source = !p->run->options.implicit && !rg_quantity_is_zero(eq->force[0]);
    if (p->is_carried && (is_implicit || has_source)
        && !make_arrays(p, sources, is_implicit ? 1 : 3))
        return RG_ERR_MEMORY;
    for (int k = 0; k < p->run->form->n_solids; k++)
        kind[k] = p->run->form->solids[k].condition[eq->field].kind;
    RG_TRY(rg_scalar_set_solids(&p->scalar, kind));
    for (int c = 0; c < dims; c++) {
        double **more[] = {&p->k[c], &p->given[c], &p->T[c]};
        if (!make_arrays(p, more, 3)) return RG_ERR_MEMORY;
    }
    for (int m = 0; eq->has_dispersion && m < dims * dims; m++) {
        double **more[] = {&p->D[m]};
        if (!make_arrays(p, more, 1)) return RG_ERR_MEMORY;
    }
    if (is_moving(eq->storage[0])) {
        double **more[] = {&p->storage_old};
        if (!make_arrays(p, more, 1)) return RG_ERR_MEMORY;
    }
    RG_TRY(prepare_sides(p));
    p->moves = p->storage_old != NULL;
    for (int c = 0; c < dims; c++)
        p->moves = p->moves || is_moving(eq->diffusion[c]);
    p->varies = p->moves || eq->has_dispersion;
    if (eq->has_dispersion) { /* Darcy flow stays the same over a step */
        const rg_dispersion *D = &eq->dispersion;
        const int of = p->run->form->fields[D->velocity].equation;
        p->moves = p->moves || is_moving(D->molecular) || is_moving(D->longitudinal)
                   || is_moving(D->transverse)
                   || p->run->form->equations[of].kind == RG_FORM_MOMENTUM;
    }
    return RG_OK;
}

rg_status rg_run_part_create(rg_run_part *p, rg_run_grid *r, const rg_form_equation *eq)
{
    p->run = r;
    p->eq = eq;
    p->field = &r->form->fields[eq->field];
    if (eq->kind == RG_FORM_MOMENTUM || eq->kind == RG_FORM_DARCY) return create_vector(p);
    return create_scalar(p);
}

void rg_run_part_free(rg_run_part *p)
{
    rg_context *ctx = p->run ? p->run->ctx : NULL;
    double *const right = p->right == p->rate ? NULL : p->right;
    double *const list[] = {
        p->mobility_index, p->outside, p->q,    p->r[0], p->r[1],     p->r[2],        p->f[0],
        p->f[1],           p->f[2],    p->c,    p->old,  p->rate,     p->flux,        p->storage,
        p->cells,          p->k[0],    p->k[1], p->k[2], p->given[0], p->given[1],    p->given[2],
        p->T[0],           p->T[1],    p->T[2], right,   p->s,        p->scalar.given};

    if (ctx == NULL) return;
    rg_run_kept_free(p);
    rg_fluid_destroy(&p->fluid);
    rg_darcy_destroy(&p->darcy);
    rg_elliptic_destroy(&p->elliptic);
    rg_run_matrix_free(p);
    rg_scalar_free_solids(&p->scalar);
    if (p->delta != p->cells) rg_free(ctx, p->delta);
    rg_free(ctx, p->storage_old);
    rg_free(ctx, p->steep);
    rg_free(ctx, p->scalar.surface);
    rg_free(ctx, p->source);
    rg_free(ctx, p->source_begin);
    rg_free(ctx, p->source_old);
    rg_free(ctx, p->begin);
    rg_free(ctx, p->change);
    rg_free(ctx, p->change_old);
    for (int c = 0; c <= RG_AXES; c++) {
        rg_free(ctx, p->push[c]);
        rg_free(ctx, p->push_old[c]);
    }
    rg_vector_space_destroy(&p->space);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        rg_free(ctx, list[k]);
    for (int k = 0; k < RG_AXES * RG_AXES; k++)
        rg_free(ctx, p->D[k]);
}
