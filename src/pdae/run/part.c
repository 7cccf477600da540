/* The kernels of the equations of a model, with their arrays and boundary data. */
#include "pdae/run/run_impl.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Component c on the faces of a solid, and on its walls along the other axes. */
static rg_status solid_walls(rg_run_part *p, const rg_quantity *q, double t, int number, int c,
                             rg_solid_faces *s)
{
    const rg_grid *g = p->run->grid;
    double *value = p->f[c];

    RG_TRY(rg_run_at_faces(p->run, q, t, c, value));
    for (int64_t k = 0; k < s->n_fixed; k++)
        if (s->of[k] == number) s->value[k] = value[s->fixed[k]];
    for (int d = 0; d < g->dims; d++) {
        if (d == c) continue;
        RG_TRY(rg_run_at_edges(p->run, q, t, c, d, value));
        for (int64_t k = 0; k < s->n_contacts; k++) {
            const rg_contact *contact = &s->contact[k];
            if (contact->solid != number || contact->axis != d) continue;
            s->value[s->n_fixed + k] = value[contact->at + (contact->high ? g->stride[d] : 0)];
        }
    }
    return RG_OK;
}

rg_status rg_run_walls(void *part, double t, rg_vector_space *s)
{
    rg_run_part *p = part;
    const rg_grid *g = s->grid;

    for (int side = 0; side < 2 * g->dims; side++) {
        const rg_condition *condition = &p->field->side[side];
        if (condition->kind != RG_VECTOR_GIVEN) continue;
        for (int c = 0; c < g->dims; c++)
            RG_TRY(rg_run_at_side(p->run, condition->value[c], t, c, side, s->wall[c]));
    }
    for (int k = 0; k < p->run->form->n_solids; k++) {
        const rg_condition *condition = &p->run->form->solids[k].condition[p->eq->field];
        for (int c = 0; condition->kind == RG_VECTOR_GIVEN && c < g->dims; c++)
            if (!rg_quantity_is_zero(condition->value[c]))
                RG_TRY(solid_walls(p, condition->value[c], t, k + 1, c, &s->solid[c]));
    }
    return RG_OK;
}

rg_status rg_run_outside(void *part, double t, double *out)
{
    rg_run_part *p = part;
    const rg_field *pressure = &p->run->form->fields[p->eq->pressure];

    for (int side = 0; side < 2 * p->run->grid->dims; side++)
        if (p->field->side[side].kind == RG_VECTOR_OPEN)
            RG_TRY(rg_run_at_side(p->run, pressure->side[side].value[0], t, -1, side, out));
    return RG_OK;
}

static double cell_volume(const rg_run_grid *r, int64_t cell, int64_t *at)
{
    int index[RG_AXES];

    *at = rg_grid_cell(r->grid, cell, index);
    return rg_grid_volume(r->grid, index[0], index[1], index[2]);
}

/* A number of a well: its expression may contain t, but no field. */
double rg_run_number(rg_run_grid *r, const rg_quantity *q, double t)
{
    static const double origin = 0.0;
    const rg_points one = {
        .count = {1,       1,       1      },
          .at = {&origin, &origin, &origin}
    };
    double value = q->value;

    if (q->uses != 0) rg_quantity_eval(r->form, q, t, &one, r->at, r->work, &value, NULL);
    return value;
}

/* Peaceman: 2 pi a dz/log(r0/radius), r0 from the steps and the two mobilities across the well; it
 * is positive where 0 < radius < r0. */
static rg_status well_index(rg_run_grid *r, const rg_run_part *p, const rg_well *w, int64_t at,
                            double t, double *out)
{
    const rg_grid *g = r->grid;
    int index[RG_AXES];
    rg_grid_cell(g, w->cell, index);
    const double dx = g->axis[0].width[index[0]], dy = g->axis[1].width[index[1]],
                 dz = g->dims > 2 ? g->axis[2].width[index[2]] : 1.0;
    const double ax = 1.0 / p->r[0][at], ay = 1.0 / (p->r[1] ? p->r[1] : p->r[0])[at];
    const double ratio = sqrt(ay / ax);
    const double r0 =
        0.28 * sqrt(ratio * dx * dx + dy * dy / ratio) / (sqrt(ratio) + sqrt(1.0 / ratio));
    const double radius = rg_run_number(r, w->radius, t);

    *out = 2.0 * acos(-1.0) * sqrt(ax * ay) * dz / log(r0 / radius);
    if (radius > 0.0 && radius < r0) return RG_OK;
    rg_fail(
        r->ctx, RG_ERR_INCONSISTENT,
        "'well %s' has the radius %.3g, which must lie between 0 and %.3g in cells of this size",
        w->name, radius, r0);
    rg_fail_at(r->ctx, r->form->source, w->span);
    return rg_remedy(r->ctx, "give a radius between these, or larger cells");
}

int64_t rg_run_well_place(rg_run_grid *r, int well)
{
    int64_t at;

    (void)cell_volume(r, r->form->wells[well].cell, &at);
    return at;
}

double rg_run_well_rate(rg_run_grid *r, int well, double t)
{
    const rg_well *w = &r->form->wells[well];
    int64_t at;

    if (w->rate) return rg_run_number(r, w->rate, t);
    const double V = cell_volume(r, w->cell, &at);
    for (int k = 0; k < r->n_parts; k++)
        if (r->part[k].darcy)
            return r->part[k].mobility_index[at] * V
                   * (rg_run_number(r, w->pressure, t) - rg_darcy_pressure(r->part[k].darcy)[at]);
    return 0.0;
}

/* The pressure in a well: as given, or that of its cell. */
rg_status rg_run_well_pressure(rg_run_grid *r, int well, double *out)
{
    const rg_well *w = &r->form->wells[well];

    if (w->pressure) {
        *out = rg_run_number(r, w->pressure, r->t);
        return RG_OK;
    }
    for (int k = 0; k < r->n_parts; k++)
        if (r->part[k].darcy || r->part[k].fluid) {
            const rg_run_part *p = &r->part[k];
            const int64_t at = rg_run_well_place(r, well);
            *out = rg_run_grid_field(r, p->eq->pressure, 0)[at];
        }
    return RG_OK;
}

rg_status rg_run_source(rg_run_part *p, double t, double *q)
{
    rg_run_grid *r = p->run;

    RG_TRY(rg_run_at_cells(r, p->eq->source, t, q));
    for (int w = 0; w < r->form->n_wells; w++) {
        const rg_well *well = &r->form->wells[w];
        int64_t at;
        const double V = cell_volume(r, well->cell, &at);
        if (well->rate)
            q[at] += rg_run_number(r, well->rate, t) / V;
        else if (p->darcy)
            q[at] += p->mobility_index[at] * rg_run_number(r, well->pressure, t);
    }
    return RG_OK;
}

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

/* ---- coefficients of cells ------------------------------------------------------------------- */
rg_status rg_run_check_cells(const rg_run_part *p, const rg_quantity *q, const double *v,
                             const char *what, bool may_vanish)
{
    const rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    char third[32] = "";

    if (q == NULL || (q->uses == 0 && (may_vanish ? q->value >= 0.0 : q->value > 0.0)))
        return RG_OK;
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, k);
                if (isfinite(v[at]) && (may_vanish ? v[at] >= 0.0 : v[at] > 0.0)) continue;
                if (g->solid && g->solid[at]) continue;
                if (g->dims == 3) snprintf(third, sizeof third, ", %d", k + 1);
                rg_fail(r->ctx, RG_ERR_INCONSISTENT,
                        "the %s of '%s' is not positive%s and finite in cell (%d, %d%s): %.3g",
                        what, p->field->name, may_vanish ? " or zero" : "", i + 1, j + 1, third,
                        v[at]);
                rg_fail_at(r->ctx, r->form->source, p->eq->span);
                if (!r->form->is_steady) rg_fail_time(r->ctx, r->t);
                return rg_remedy(r->ctx, "change the coefficient, or end the run before");
            }
    return RG_OK;
}

/* ---- Darcy flow ------------------------------------------------------------------------------ */
static rg_status set_darcy(rg_run_part *p, double t)
{
    rg_run_grid *r = p->run;

    for (int c = 0; c < r->grid->dims; c++) {
        if (p->r[c] == NULL) continue;
        RG_TRY(rg_run_at_cells(r, p->eq->resistance[c], t, p->r[c]));
        RG_TRY(rg_run_check_cells(p, p->eq->resistance[c], p->r[c], "resistance", false));
        rg_scalar_copy_out(r->grid, p->r[c]);
    }
    memset(p->mobility_index, 0, (size_t)r->grid->size * sizeof *p->mobility_index);
    for (int w = 0; w < r->form->n_wells; w++) {
        const rg_well *well = &r->form->wells[w];
        int64_t at;
        if (well->rate) continue;
        const double V = cell_volume(r, well->cell, &at);
        double index;
        RG_TRY(well_index(r, p, well, at, t, &index));
        p->mobility_index[at] += index / V;
    }
    p->is_set = true;
    return rg_darcy_set(p->darcy, p->r, p->mobility_index);
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
    return rg_darcy_solve(p->darcy, p->q, has_force ? p->f : NULL, p->outside);
}

/* ---- momentum -------------------------------------------------------------------------------- */
static rg_status momentum_force(void *part, double t, int c, double *const *u, double *out)
{
    rg_run_part *p = part;
    const rg_vector_space *s = p->space;

    (void)u;
    if (rg_quantity_is_zero(p->eq->force[c])) return RG_OK;
    RG_TRY(rg_run_at_faces(p->run, p->eq->force[c], t, c, p->f[c]));
    for (int k = s->first[c][2]; k < s->end[c][2]; k++)
        for (int j = s->first[c][1]; j < s->end[c][1]; j++) {
            const int64_t row = rg_grid_at(s->grid, 0, j, k);
            for (int i = s->first[c][0]; i < s->end[c][0]; i++)
                out[row + i] += p->f[c][row + i];
        }
    return RG_OK;
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

static rg_status create_momentum(rg_run_part *p)
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
                                      .solver_tol = o->solver_tol};
    return rg_fluid_create(r->ctx, p->space, &data, &options, &p->fluid);
}

/* ---- making ---------------------------------------------------------------------------------- */
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
        slip[k] = form->solids[k].condition[p->eq->field].kind == RG_VECTOR_SLIP;
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
        side[k] = p->field->side[k].kind;
    RG_TRY(rg_vector_space_create(r->grid, side, &p->space));
    if (!make_arrays(p, list, 7)) return RG_ERR_MEMORY;
    RG_TRY(take_solids(p));
    if (eq->kind == RG_FORM_MOMENTUM) return create_momentum(p);
    for (int c = 1; c < r->grid->dims; c++)
        if (eq->resistance[c] && eq->resistance[c] != eq->resistance[0]) {
            double **more[] = {&p->r[c]};
            if (!make_arrays(p, more, 1)) return RG_ERR_MEMORY;
        }
    for (int c = 0; c < r->grid->dims; c++)
        p->varies =
            p->varies
            || (eq->resistance[c] && (eq->resistance[c]->uses & (RG_USES_TIME | RG_USES_FIELDS)));
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

static rg_status create_scalar(rg_run_part *p)
{
    const rg_form_equation *eq = p->eq;
    const int dims = p->run->grid->dims;
    double **list[] = {&p->c,     &p->old,   &p->rate, &p->flux,         &p->storage,
                       &p->cells, &p->right, &p->s,    &p->scalar.given, &p->delta};
    int kind[UCHAR_MAX + 1] = {0};

    bool is_marched =
        false; /* beside a steady momentum equation all go to a steady state together */
    for (int k = 0; k < p->run->form->n_equations; k++)
        is_marched = is_marched
                     || (p->run->form->equations[k].kind == RG_FORM_MOMENTUM
                         && !p->run->form->equations[k].has_derivative);
    p->scalar.grid = p->run->grid;
    p->is_carried = eq->kind == RG_FORM_TRANSPORT && (eq->has_derivative || is_marched);
    for (int k = 0; k < RG_SIDES; k++)
        p->scalar.side[k] = p->field->side[k].kind;
    if (!make_arrays(p, list, 10)) return RG_ERR_MEMORY;
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
    double *const list[] = {
        p->mobility_index, p->outside, p->q,    p->r[0],  p->r[1],     p->r[2],        p->f[0],
        p->f[1],           p->f[2],    p->c,    p->old,   p->rate,     p->flux,        p->storage,
        p->cells,          p->k[0],    p->k[1], p->k[2],  p->given[0], p->given[1],    p->given[2],
        p->T[0],           p->T[1],    p->T[2], p->right, p->s,        p->scalar.given};

    if (ctx == NULL) return;
    rg_fluid_destroy(&p->fluid);
    rg_darcy_destroy(&p->darcy);
    rg_elliptic_destroy(&p->elliptic);
    rg_run_matrix_free(p);
    rg_scalar_free_solids(&p->scalar);
    rg_free(ctx, p->delta);
    rg_free(ctx, p->storage_old);
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
