/* Carried scalars over a step, and scalars that an elliptic equation determines. */
#include "base/tuning.h"
#include "pdae/run/run_impl.h"

#include <math.h>
#include <string.h>

rg_status rg_run_scalar_sides(rg_run_part *p, double t)
{
    for (int side = 0; side < 2 * p->run->grid->dims; side++) {
        const rg_condition *condition = &p->field->side[side];
        if (condition->kind == RG_SCALAR_VALUE || condition->kind == RG_SCALAR_FLUX)
            RG_TRY(rg_run_at_side(p->run, condition->value[0], t, -1, side, p->scalar.given));
    }
    return RG_OK;
}

/* Diffusion on the faces: harmonic means of the cells. */
static rg_status face_diffusion(rg_run_part *p, double t, bool *any)
{
    rg_run_grid *r = p->run;

    *any = false;
    for (int d = 0; d < r->grid->dims; d++) {
        if (rg_quantity_is_zero(p->eq->diffusion[d])) {
            memset(p->k[d], 0, (size_t)r->grid->size * sizeof *p->k[d]);
            continue;
        }
        *any = true;
        RG_TRY(rg_run_at_cells(r, p->eq->diffusion[d], t, p->cells));
        rg_scalar_copy_out(r->grid, p->cells);
        rg_scalar_face_mean(r->grid, d, p->cells, p->k[d]);
    }
    return RG_OK;
}

/* Storage phi on the cells, diffusion and dispersion on the faces, for a step from time t. */
static rg_status prepare(rg_run_part *p, double t, rg_scalar_terms *terms)
{
    rg_run_grid *r = p->run;
    bool any;

    if (p->eq->storage[0])
        RG_TRY(rg_run_at_cells(r, p->eq->storage[0], t, p->storage));
    else
        for (int64_t at = 0; at < r->grid->size; at++)
            p->storage[at] = 1.0;
    RG_TRY(face_diffusion(p, t, &any));
    *terms = (rg_scalar_terms){.carry = r->options.transport, .k = any ? p->k : NULL};
    if (p->eq->has_dispersion) {
        const rg_dispersion *D = &p->eq->dispersion;
        rg_scalar_dispersion(r->grid, rg_run_velocity(r, D->velocity), D->molecular->value,
                             D->longitudinal->value, D->transverse->value, p->D);
        terms->D = p->D;
    }
    return RG_OK;
}

/* The velocity of a term of convection: at the end of the step if `late`. */
static rg_status velocity_of(rg_run_part *p, const rg_convection *cv, double t, bool late,
                             double *const **u)
{
    rg_run_grid *r = p->run;

    if (cv->velocity >= 0) {
        const rg_run_part *of = rg_run_part_of(r, cv->velocity);
        *u = of->fluid && !late ? rg_fluid_velocity_before(of->fluid)
                                : rg_run_velocity(r, cv->velocity);
        return RG_OK;
    }
    for (int c = 0; c < r->grid->dims; c++)
        RG_TRY(rg_run_at_faces(r, cv->given[c], t, c, p->given[c]));
    *u = p->given;
    return RG_OK;
}

/* What wells put in and take out, per volume; returned: per time, in and out. */
static void add_wells(rg_run_part *p, const rg_convection *cv, double t, double moved[2])
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;

    for (int w = 0; cv->velocity >= 0 && w < r->form->n_wells; w++) {
        const rg_well *well = &r->form->wells[w];
        const int64_t cell = well->cell;
        const int i = (int)(cell % g->axis[0].n), j = (int)(cell / g->axis[0].n % g->axis[1].n),
                  k = (int)(cell / g->axis[0].n / g->axis[1].n);
        const int64_t at = rg_grid_at(g, i, j, k);
        const double V = rg_grid_volume(g, i, j, k), rate = rg_run_well_rate(r, w, t);
        const rg_quantity *carries = well->carries ? well->carries[p->eq->field] : NULL;
        double inside = 0.0;
        if (rate > 0.0 && carries) inside = rg_run_number(r, carries, t);
        const double amount = rate > 0.0 ? cv->conservative * rate * inside
                                               + cv->advective * rate * (inside - p->c[at])
                                         : cv->conservative * rate * p->c[at];
        p->rate[at] += amount / V;
        moved[amount < 0.0] += fabs(amount);
    }
}

/* Rate of phi c at time t, into p->rate. */
static rg_status rate_of(rg_run_part *p, rg_scalar_terms *terms, double t, bool late,
                         double moved[2])
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    double through[2];
    int n = p->eq->n_convections;

    moved[0] = moved[1] = 0.0;
    RG_TRY(rg_run_scalar_sides(p, t));
    rg_scalar_fill(&p->scalar, p->c);
    RG_TRY(rg_run_at_cells(r, p->eq->force[0], t, p->rate));
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, k);
                if (g->solid && g->solid[at]) continue;
                const double amount = p->rate[at] * rg_grid_volume(g, i, j, k);
                moved[amount < 0.0] += fabs(amount);
            }
    for (int m = 0; m < n || m == 0; m++) {
        rg_scalar_terms one = *terms;
        if (m > 0) one.k = NULL, one.D = NULL; /* diffusion once */
        if (n > 0) {
            const rg_convection *cv = &p->eq->convections[m];
            RG_TRY(velocity_of(p, cv, t, late, &one.u));
            one.w = cv->conservative;
            one.b = cv->advective;
            add_wells(p, cv, t, moved);
        }
        rg_scalar_rate(&p->scalar, &one, p->c, p->flux, p->rate, through);
        moved[0] += through[0];
        moved[1] += through[1];
    }
    return RG_OK;
}

static double amount_of(const rg_run_part *p)
{
    const rg_grid *g = p->run->grid;
    double sum = 0.0;

    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, k);
                if (!(g->solid && g->solid[at]))
                    sum += rg_grid_volume(g, i, j, k) * p->storage[at] * p->c[at];
            }
    return sum;
}

/* Two stages of SSPRK2 for all carried scalars together: c1 = c + k rate, (c + c1 + k rate1)/2. */
rg_status rg_run_carry(rg_run_grid *r, double t, double k)
{
    for (int stage = 0; stage < 2; stage++) {
        for (int m = 0; m < r->n_parts; m++) {
            rg_run_part *p = &r->part[m];
            double moved[2];
            if (p->eq->kind != RG_FORM_TRANSPORT) continue;
            if (stage == 0) {
                RG_TRY(prepare(p, t, &p->terms));
                memcpy(p->old, p->c, (size_t)r->grid->size * sizeof *p->c);
                if (!p->has_amount) p->balance.start = amount_of(p);
                p->has_amount = true;
            }
            RG_TRY(rate_of(p, &p->terms, t + stage * k, stage == 1, moved));
            p->balance.in += 0.5 * k * moved[0];
            p->balance.out += 0.5 * k * moved[1];
        }
        for (int m = 0; m < r->n_parts; m++) {
            rg_run_part *p = &r->part[m];
            if (p->eq->kind != RG_FORM_TRANSPORT) continue;
            for (int64_t at = 0; at < r->grid->size; at++) {
                const double next = p->c[at] + k * p->rate[at] / p->storage[at];
                p->c[at] = stage == 0 ? next : 0.5 * (p->old[at] + next);
            }
        }
    }
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (p->eq->kind != RG_FORM_TRANSPORT) continue;
        p->balance.end = amount_of(p);
        p->balance.defect = p->balance.end - p->balance.start - p->balance.in + p->balance.out;
        if (!isfinite(p->balance.end)) {
            rg_fail(r->ctx, RG_ERR_CONVERGENCE, "'%s' grows without bound", p->field->name);
            rg_remedy(r->ctx, "take a smaller --cfl or --step");
            return rg_fail_time(r->ctx, t);
        }
        RG_TRY(rg_run_scalar_sides(p, t + k));
        rg_scalar_fill(&p->scalar, p->c);
    }
    return RG_OK;
}

/* The largest stable step: cfl over the outflow of a cell, and a part of the diffusive limit. */
rg_status rg_run_carry_limit(rg_run_part *p, double t, double *limit)
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    double convective = 0.0, diffusive = 0.0;

    RG_TRY(prepare(p, t, &p->terms));
    for (int m = 0; m < p->eq->n_convections; m++) {
        double *const *u;
        RG_TRY(velocity_of(p, &p->eq->convections[m], t, true, &u));
        for (int k = 0; k < g->axis[2].n; k++)
            for (int j = 0; j < g->axis[1].n; j++)
                for (int i = 0; i < g->axis[0].n; i++) {
                    const int64_t at = rg_grid_at(g, i, j, k);
                    const int index[RG_AXES] = {i, j, k};
                    double out = 0.0;
                    if (g->solid && g->solid[at]) continue;
                    for (int d = 0; d < g->dims; d++)
                        out += (fmax(-u[d][at], 0.0) + fmax(u[d][at + g->stride[d]], 0.0))
                               / g->axis[d].width[index[d]];
                    convective = fmax(convective, out / p->storage[at]);
                }
    }
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, k);
                const int index[RG_AXES] = {i, j, k};
                double sum = 0.0;
                for (int d = 0; d < g->dims; d++) {
                    const double w = g->axis[d].width[index[d]];
                    double D = p->terms.k ? p->k[d][at] : 0.0;
                    if (p->terms.D) D += p->D[d * g->dims + d][at];
                    sum += 2.0 * D / (w * w);
                }
                diffusive = fmax(diffusive, sum / p->storage[at]);
            }
    if (convective > 0.0) *limit = fmin(*limit, r->options.cfl / convective);
    if (diffusive > 0.0) *limit = fmin(*limit, RG_GRID_DIFFUSIVE / diffusive);
    return RG_OK;
}

/* ---- 0 = div(k grad s) + g ------------------------------------------------------------------- */
static rg_status make_elliptic(rg_run_part *p, double t)
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    const rg_elliptic_options options = {.kind = r->options.solver,
                                         .reused = !p->varies && !r->form->is_steady,
                                         .tol = r->options.solver_tol,
                                         .name = p->field->name};
    const rg_elliptic_matrix A = {
        .grid = g, .T = {p->T[0], p->T[1], p->T[2]}
    };
    bool any;
    int at[RG_AXES], end[RG_AXES];

    RG_TRY(face_diffusion(p, t, &any));
    for (int d = 0; d < g->dims; d++) {
        for (int e = 0; e < RG_AXES; e++)
            end[e] = g->axis[e].n + (e == d);
        for (at[2] = 0; at[2] < end[2]; at[2]++)
            for (at[1] = 0; at[1] < end[1]; at[1]++)
                for (at[0] = 0; at[0] < end[0]; at[0]++) {
                    const int64_t place = rg_grid_at(g, at[0], at[1], at[2]);
                    const bool side = !g->axis[d].periodic && (at[d] == 0 || at[d] == g->axis[d].n);
                    const int kind = p->scalar.side[2 * d + (at[d] > 0)];
                    double area = 1.0;
                    for (int e = 0; e < g->dims; e++)
                        if (e != d) area *= g->axis[e].width[at[e]];
                    p->T[d][place] = area * p->k[d][place] / g->axis[d].gap[at[d]];
                    if (side) p->T[d][place] *= kind == RG_SCALAR_VALUE ? 2.0 : 0.0;
                    if (g->solid && (g->solid[place] || g->solid[place - g->stride[d]]))
                        p->T[d][place] = 0.0;
                }
    }
    if (p->elliptic) p->iterations += rg_elliptic_iterations(p->elliptic);
    rg_elliptic_destroy(&p->elliptic);
    p->is_set = true;
    return rg_elliptic_create(r->ctx, &A, &options, &p->elliptic);
}

/* Given values and fluxes of the sides, on the right-hand side. */
static void add_sides(rg_run_part *p)
{
    const rg_grid *g = p->run->grid;
    int at[RG_AXES];

    for (int side = 0; side < 2 * g->dims; side++) {
        const int d = side / 2, high = side % 2, e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
        const int kind = p->scalar.side[side];
        if (kind != RG_SCALAR_VALUE && kind != RG_SCALAR_FLUX) continue;
        for (at[e2] = 0; at[e2] < g->axis[e2].n; at[e2]++)
            for (at[e1] = 0; at[e1] < g->axis[e1].n; at[e1]++) {
                at[d] = high ? g->axis[d].n : 0;
                const int64_t face = rg_grid_at(g, at[0], at[1], at[2]),
                              inside = high ? face - g->stride[d] : face,
                              outside = high ? face : face - g->stride[d];
                double area = 1.0;
                for (int e = 0; e < g->dims; e++)
                    if (e != d) area *= g->axis[e].width[at[e]];
                p->right[inside] += kind == RG_SCALAR_VALUE
                                        ? p->T[d][face] * p->scalar.given[outside]
                                        : -area * p->scalar.given[outside];
            }
    }
}

/* Without a given value the sources must sum to zero. */
static rg_status check_level(rg_run_part *p)
{
    const rg_grid *g = p->run->grid;
    double sum = 0.0, size = 0.0;

    if (!rg_elliptic_is_singular(p->elliptic)) return RG_OK;
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, k);
                if (g->solid && g->solid[at]) continue;
                sum += p->right[at];
                size += fabs(p->right[at]);
            }
    if (fabs(sum) <= RG_GRID_SOLVER_TOL * size) return RG_OK;
    rg_fail(p->run->ctx, RG_ERR_INCONSISTENT,
            "no side gives a value of '%s', and its sources do not sum to zero", p->field->name);
    rg_fail_at(p->run->ctx, p->run->form->source, p->eq->span);
    return rg_remedy(p->run->ctx, "give a value on a side: 'boundary %s(SIDE) = ...'",
                     p->field->name);
}

rg_status rg_run_solve_elliptic(rg_run_part *p, double t)
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;

    if (!p->is_set || p->varies) RG_TRY(make_elliptic(p, t));
    RG_TRY(rg_run_scalar_sides(p, t));
    RG_TRY(rg_run_at_cells(r, p->eq->force[0], t, p->right));
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++)
                p->right[rg_grid_at(g, i, j, k)] *= rg_grid_volume(g, i, j, k);
    add_sides(p);
    RG_TRY(check_level(p));
    RG_TRY(rg_elliptic_solve(p->elliptic, p->right, p->c));
    rg_scalar_fill(&p->scalar, p->c);
    return RG_OK;
}
