/* Coefficients and rates of scalars: sides, diffusion, storage, wells, and what passes. */
#include "base/vector.h"
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"

#include <math.h>
#include <string.h>

/* On a periodic axis the last face is the first one; that of a block may be another rank's. */
static void close_ring(const rg_grid *g, int c, double *u)
{
    const int e1 = (c + 1) % RG_AXES, e2 = (c + 2) % RG_AXES;

    rg_grid_join(g, c, u);
    if (!g->axis[c].periodic) return;
    for (int b = 0; b < g->axis[e2].n; b++)
        for (int a = 0; a < g->axis[e1].n; a++) {
            double *row = u + g->origin + a * g->stride[e1] + b * g->stride[e2];
            row[g->axis[c].n * g->stride[c]] = row[0];
        }
}

rg_status rg_run_scalar_sides(rg_run_part *p, double t)
{
    for (int side = 0; side < 2 * p->run->grid->dims; side++) {
        const rg_condition *condition = &p->field->side[side];
        if (rg_run_side_exchanges(p, side))
            RG_TRY(rg_run_exchange(p, t, side));
        else if (condition->kind == RG_SCALAR_VALUE || condition->kind == RG_SCALAR_FLUX)
            RG_TRY(rg_run_at_side(p->run, condition->value[0], t, -1, side, p->scalar.given));
    }
    for (int d = 0; p->run->grid->solid && d < p->run->grid->dims; d++)
        for (int k = 0; k < p->run->form->n_solids; k++) {
            const rg_condition *condition = &p->run->form->solids[k].condition[p->eq->field];
            if (condition->kind == RG_SCALAR_NO_FLUX) continue;
            RG_TRY(rg_run_at_faces(p->run, condition->value[0], t, d, p->flux));
            close_ring(p->run->grid, d, p->flux);
            for (int64_t m = 0; m < p->scalar.n_contacts; m++)
                if (p->scalar.contact[m].solid == k + 1 && p->scalar.contact[m].axis == d)
                    p->scalar.contact[m].value = p->flux[p->scalar.contact[m].face];
        }
    return RG_OK;
}

/* Diffusion on the faces: harmonic means of the cells. */
rg_status rg_run_face_diffusion(rg_run_part *p, double t, bool *any)
{
    rg_run_grid *r = p->run;

    *any = false;
    for (int d = 0; d < r->grid->dims; d++) {
        if (rg_quantity_is_zero(p->eq->diffusion[d])) {
            memset(p->k[d], 0, (size_t)r->grid->size * sizeof *p->k[d]);
            continue;
        }
        *any = true;
        if (p->eq->diffusion[d]->same == NULL) {
            RG_TRY(rg_run_at_cells(r, p->eq->diffusion[d], t, p->cells));
            RG_TRY(rg_run_check_cells(p, p->eq->diffusion[d], p->cells, "diffusion", true));
            rg_scalar_copy_out(r->grid, p->cells);
        }
        rg_scalar_face_mean(r->grid, d, p->cells, p->k[d]);
        for (int64_t m = 0; m < p->scalar.n_contacts; m++) /* a solid has none of its own */
            if (p->scalar.contact[m].axis == d)
                p->k[d][p->scalar.contact[m].face] = p->cells[p->scalar.contact[m].cell];
    }
    return RG_OK;
}

/* A storage phi that varies changes what the cells hold without any flux.  Over a step
 *     explicit:  phi1 c2 - phi0 c = k (R0 + R1)/2 + (phi1 - phi0)(c + c1)/2
 *     implicit:  phi1 c1 - phi0 c = k R + (phi1 - phi0) c */
static void count_storage(rg_run_part *p, rg_terms_when when)
{
    const rg_grid *g = p->run->grid;
    double both[2] = {0.0, 0.0};

    for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);) {
        const int64_t at = w.at;
        const double c = when == RG_TERMS_SECOND     ? 0.5 * (p->c[at] + p->old[at])
                         : when == RG_TERMS_IMPLICIT ? p->old[at]
                                                     : p->c[at];
        const double more = rg_cells_volume(&w) * (p->storage[at] - p->storage_old[at]) * c;
        both[more < 0.0] += fabs(more);
    }
    rg_grid_sum(g, 2, both);
    p->balance.in += both[0];
    p->balance.out += both[1];
}

rg_status rg_run_find_storage(rg_run_part *p, double t, rg_terms_when when)
{
    const size_t size = (size_t)p->run->grid->size * sizeof *p->storage;

    if (p->eq->storage[0] == NULL) return RG_OK; /* 1, or none: it has been since the beginning */
    if (p->storage_old) memcpy(p->storage_old, p->storage, size);
    RG_TRY(rg_run_at_cells(p->run, p->eq->storage[0], t, p->storage));
    RG_TRY(rg_run_check_cells(p, p->eq->storage[0], p->storage, "factor of the time derivative",
                              false));
    if (p->storage_old && p->has_amount && !p->storage_is_lost) count_storage(p, when);
    p->storage_is_lost = false;
    return RG_OK;
}

rg_status rg_run_scalar_terms(rg_run_part *p, double t, rg_terms_when when, rg_scalar_terms *terms)
{
    rg_run_grid *r = p->run;
    bool any;

    RG_TRY(rg_run_find_storage(p, t, when));
    RG_TRY(rg_run_face_diffusion(p, t, &any));
    *terms = (rg_scalar_terms){
        .carry = r->options.transport, .k = any ? p->k : NULL, .is_limited = &r->stats.is_limited};
    if (p->eq->has_dispersion) {
        const rg_dispersion *D = &p->eq->dispersion;
        const rg_quantity *const q[3] = {D->molecular, D->longitudinal, D->transverse};
        double *const at[3] = {p->flux, p->cells, p->right};
        const rg_fluid *fluid = rg_run_part_of(r, D->velocity)->fluid;
        double *const *carries = fluid && when == RG_TERMS_FIRST ? rg_fluid_velocity_before(fluid)
                                                                 : rg_run_velocity(r, D->velocity);
        for (int d = 0; d < r->grid->dims; d++) {
            for (int m = 0; m < 3; m++) {
                RG_TRY(rg_run_at_faces(r, q[m], t, d, at[m]));
                RG_TRY(rg_run_check_cells(p, q[m], at[m], "dispersion", true));
                close_ring(r->grid, d, at[m]);
            }
            rg_scalar_dispersion(r->grid, d, carries, at, p->D + d * r->grid->dims);
        }
        terms->D = p->D;
    }
    return RG_OK;
}

/* A velocity between the start and the end of the step. */
static void blend(const rg_run_part *p, const rg_fluid *fluid, double part)
{
    double *const *before = rg_fluid_velocity_before(fluid), *const *now = rg_fluid_velocity(fluid);

    for (int c = 0; c < p->run->grid->dims; c++)
        for (int64_t at = 0; at < p->run->grid->size; at++)
            p->given[c][at] = (1.0 - part) * before[c][at] + part * now[c][at];
}

rg_status rg_run_carrier(rg_run_part *p, const rg_convection *cv, double t, double part,
                         double *const **u)
{
    rg_run_grid *r = p->run;

    if (cv->velocity >= 0) {
        const rg_fluid *fluid = rg_run_part_of(r, cv->velocity)->fluid;
        const bool is_between = fluid && part > 0.0 && part < 1.0;
        *u = is_between             ? p->given
             : fluid && part <= 0.0 ? rg_fluid_velocity_before(fluid)
                                    : rg_run_velocity(r, cv->velocity);
        if (is_between) blend(p, fluid, part);
        return RG_OK;
    }
    for (int c = 0; c < r->grid->dims; c++) {
        RG_TRY(rg_run_at_faces(r, cv->given[c], t, c, p->given[c]));
        close_ring(r->grid, c, p->given[c]);
    }
    *u = p->given;
    return RG_OK;
}

/* u.grad c is div(u c) - c div u: the last part is a source where fluid comes from nowhere.  What
 * it makes at wells is theirs.  p->flux: div u. */
static void add_sprung(rg_run_part *p, const rg_convection *cv, double t, double moved[2])
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    int index[RG_AXES];

    for (int w = 0; cv->velocity >= 0 && w < r->form->n_wells; w++) {
        const double rate = rg_run_well_rate(r, w, t); /* on all ranks */
        const int64_t at = rg_grid_place(g, r->form->wells[w].cell, index);
        if (at >= 0) p->flux[at] -= rate / rg_grid_volume(g, index[0], index[1], index[2]);
    }
    for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);) {
        const int64_t at = w.at;
        const double more = cv->advective * p->c[at] * p->flux[at] * rg_cells_volume(&w);
        moved[more < 0.0] += fabs(more);
    }
}

/* What wells put in and take out, per volume; returned: per time, in and out. */
static void add_wells(rg_run_part *p, const rg_convection *cv, double t, double moved[2])
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;

    for (int w = 0; cv->velocity >= 0 && w < r->form->n_wells; w++) {
        const rg_well *well = &r->form->wells[w];
        int index[RG_AXES];
        const int64_t at = rg_grid_place(g, well->cell, index);
        const double rate = rg_run_well_rate(r, w, t); /* on all ranks */
        if (at < 0) continue;
        const double V = rg_grid_volume(g, index[0], index[1], index[2]);
        const rg_quantity *carries = well->carries ? well->carries[p->eq->field] : NULL;
        double inside = 0.0;
        if (rate > 0.0 && carries) inside = rg_run_number(r, carries, t);
        const double amount =
            (cv->conservative + cv->advective) * rate * (rate > 0.0 ? inside : p->c[at]);
        p->rate[at] += (amount - cv->advective * rate * p->c[at]) / V;
        moved[amount < 0.0] += fabs(amount);
    }
}

enum { PARTS = 8 }; /* of a sum, side by side */

/* Adds what rounding has taken away to the next number (Kahan). */
RG_INLINE void add_exactly(double number, double *sum, double *lost)
{
    const double one = number - *lost, more = *sum + one;

    *lost = (more - *sum) - one;
    *sum = more;
}

typedef struct { /* what comes in, then what goes out */
    double sum[2 * PARTS], lost[2 * PARTS];
} sums;

RG_INLINE void add_amount(double amount, int q, sums *s)
{
    add_exactly(amount > 0.0 ? amount : 0.0, s->sum + q, s->lost + q);
    add_exactly(amount < 0.0 ? -amount : 0.0, s->sum + PARTS + q, s->lost + PARTS + q);
}

/* What the numbers of a row bring in and take out, times the volume of a cell, width times area. */
RG_FOR_ALL_VECTORS
static void add_row(int n, const double *restrict rate, const double *restrict width, double area,
                    sums *out)
{
    sums s = *out;
    int i = 0;

    for (; i + PARTS <= n; i += PARTS) {
        RG_ROLL
        for (int q = 0; q < PARTS; q++)
            add_amount(rate[i + q] * (width[i + q] * area), q, &s);
    }
    for (int q = 0; q < n - i; q++)
        add_amount(rate[i + q] * (width[i + q] * area), q, &s);
    *out = s;
}

/* Sources and sinks of the equation. */
static void add_sources(rg_run_part *p)
{
    const rg_grid *g = p->run->grid;
    sums s = {.sum = {0.0}};
    double rest[2] = {0.0, 0.0};
    const int n = g->axis[0].n;

    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++) {
            const int64_t at = rg_grid_at(g, 0, j, k);
            const double area = g->axis[1].width[j] * g->axis[2].width[k];
            if (g->solid == NULL) {
                add_row(n, p->rate + at, g->axis[0].width, area, &s);
                continue;
            }
            for (int i = 0; i < n; i++)
                if (!g->solid[at + i]) add_row(1, p->rate + at + i, g->axis[0].width + i, area, &s);
        }
    for (int out = 0; out < 2; out++) {
        p->sources[out] = 0.0;
        for (int q = out * PARTS; q < (out + 1) * PARTS; q++) {
            add_exactly(s.sum[q], &p->sources[out], &rest[out]);
            add_exactly(-s.lost[q], &p->sources[out], &rest[out]);
        }
    }
}

rg_status rg_run_scalar_rate(rg_run_part *p, const rg_scalar_terms *terms, double t, double part,
                             double moved[2])
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    double through[2];
    int n = p->eq->n_convections;

    RG_TRY(rg_run_scalar_sides(p, t));
    rg_scalar_fill(&p->scalar, p->c);
    RG_TRY(rg_run_force_at(p, 0, t, p->rate));
    if (p->source) memcpy(p->source, p->rate, (size_t)g->size * sizeof *p->source);
    add_sources(p);
    memcpy(moved, p->sources, sizeof p->sources);
    for (int m = 0; m < n || m == 0; m++) {
        rg_scalar_terms one = *terms;
        if (m > 0) one.k = NULL, one.D = NULL; /* diffusion once */
        if (n > 0) {
            const rg_convection *cv = &p->eq->convections[m];
            RG_TRY(rg_run_carrier(p, cv, t, part, &one.u));
            one.w = cv->conservative;
            one.b = cv->advective;
            add_wells(p, cv, t, moved);
        }
        rg_scalar_rate(&p->scalar, &one, p->c, p->flux, p->rate, through);
        moved[0] += through[0];
        moved[1] += through[1];
        if (n > 0 && one.b != 0.0) add_sprung(p, &p->eq->convections[m], t, moved);
    }
    rg_grid_sum(g, 2, moved);
    return RG_OK;
}

rg_status rg_run_scalar_moved(rg_run_part *p, const rg_scalar_terms *terms, double t,
                              double moved[2])
{
    double through[2];

    RG_TRY(rg_run_scalar_sides(p, t));
    rg_scalar_fill(&p->scalar, p->c);
    rg_scalar_through(&p->scalar, terms, p->c, p->flux, through);
    moved[0] = p->sources[0] + through[0];
    moved[1] = p->sources[1] + through[1];
    rg_grid_sum(p->run->grid, 2, moved);
    return RG_OK;
}
