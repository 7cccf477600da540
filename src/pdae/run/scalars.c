/* Carried scalars over a step: explicit stages, implicit steps, errors, balance. */
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"
#include "pdae/run/tuning.h"

#include <math.h>
#include <string.h>

static double amount_of(const rg_run_part *p)
{
    const rg_grid *g = p->run->grid;
    double sum = 0.0, lost = 0.0;

    for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);) {
        const int64_t at = w.at;
        const double one = rg_cells_volume(&w) * p->storage[at] * p->c[at] - lost;
        const double more = sum + one;
        lost = (more - sum) - one; /* what rounding has taken away (Kahan) */
        sum = more;
    }
    rg_grid_sum(g, 1, &sum);
    return sum;
}

void rg_run_begin_carry(rg_run_part *p)
{
    memcpy(p->old, p->c, (size_t)p->run->grid->size * sizeof *p->c);
    if (!p->has_amount) p->balance.start = amount_of(p);
    p->has_amount = true;
    p->balance_old = p->balance;
}

/* Does its equation read another scalar that is carried, or that an equation determines? */
static bool is_coupled(const rg_run_part *p)
{
    const rg_form_equation *e = p->eq;
    const rg_quantity *const all[] = {e->force[0], e->storage[0], e->diffusion[0], e->diffusion[1],
                                      e->diffusion[2]};

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int m = 0; all[k] != NULL && m < all[k]->n_inputs; m++) {
            const int l = all[k]->inputs[m];
            const int field = l < p->run->form->n_leaves ? p->run->form->leaves[l].field : -1;
            if (field < 0 || field == e->field || p->run->form->fields[field].is_vector) continue;
            const rg_run_part *other = rg_run_part_of(p->run, field);
            if (other != NULL && (other->is_carried || rg_run_is_determined(other))) return true;
        }
    return false;
}

/* Every scalar for itself with the others as they are now; *change: the largest of them, relative
 * to its size. */
static rg_status sweep(rg_run_grid *r, double t, double k, bool repeats, double *change)
{
    *change = 0.0;
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (!p->is_carried) continue;
        RG_TRY(rg_run_scalar_terms(p, t + k, RG_TERMS_IMPLICIT, &p->terms));
        RG_TRY(rg_run_relax(p, t + k, k, p->passing));
    }
    if (repeats) RG_TRY(rg_run_determine_scalars(r, t + k));
    for (int m = 0; m < r->n_parts; m++)
        *change = fmax(*change, r->part[m].change_relaxed);
    return RG_OK;
}

static rg_status fail_sweeps(rg_run_grid *r, double t, double change)
{
    rg_fail(r->ctx, RG_ERR_CONVERGENCE,
            "scalars that act on each other are not solved together: they still change by %.2g of "
            "their size",
            change);
    rg_remedy(r->ctx, "take a smaller --step, or none");
    return rg_fail_time(r->ctx, t);
}

/* A step of implicit Euler: scalars that read each other are swept until none changes, for what one
 * loses to another must be what that one gets.  *error is infinite where they do not settle. */
static rg_status carry_implicit(rg_run_grid *r, double t, double k, double *error)
{
    double change = INFINITY;
    bool repeats = false;

    RG_TRY(rg_run_follow_darcy(r, t + k));
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (!p->is_carried) continue;
        if (!p->has_amount || p->storage_is_lost) RG_TRY(rg_run_find_storage(p, t, RG_TERMS_NOW));
        rg_run_begin_carry(p);
        repeats = repeats || is_coupled(p);
    }
    for (int n = 0; n < (repeats ? RG_GRID_PICARD : 1) && change > RG_GRID_PICARD_TOL; n++)
        RG_TRY(sweep(r, t, k, repeats, &change));
    if (repeats && !(change <= RG_GRID_PICARD_TOL)) {
        if (r->options.step > 0.0) return fail_sweeps(r, t, change);
        *error = INFINITY;
    }
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (!p->is_carried) continue;
        p->balance.in += k * p->passing[0];
        p->balance.out += k * p->passing[1];
    }
    return RG_OK;
}

static void swap(double **a, double **b)
{
    double *const kept = *a;

    *a = *b;
    *b = kept;
}

static rg_status carry_explicit(rg_run_grid *r, double t, double k)
{
    for (int stage = 0; stage < 2; stage++) {
        for (int m = 0; m < r->n_parts; m++) {
            rg_run_part *p = &r->part[m];
            double moved[2];
            if (!p->is_carried) continue;
            if (stage == 0) {
                RG_TRY(rg_run_scalar_terms(p, t, RG_TERMS_FIRST, &p->terms));
                rg_run_begin_carry(p);
            } else if (p->moves) {
                RG_TRY(rg_run_scalar_terms(p, t + k, RG_TERMS_SECOND, &p->terms));
            }
            if (stage == 1) RG_TRY(rg_run_find_change(p, t + k));
            RG_TRY(rg_run_scalar_rate(p, &p->terms, t + stage * k, stage, moved));
            if (stage == 0) {
                rg_run_keep_rate(p);
                swap(&p->source, &p->source_begin);
            }
            p->balance.in += 0.5 * k * moved[0];
            p->balance.out += 0.5 * k * moved[1];
        }
        for (int m = 0; m < r->n_parts; m++) {
            rg_run_part *p = &r->part[m];
            if (!p->is_carried) continue;
            for (int64_t at = 0; at < r->grid->size; at++) {
                const double next = p->c[at] + k * p->rate[at] / p->storage[at];
                p->c[at] = stage == 0 ? next : 0.5 * (p->old[at] + next);
            }
            if (stage > 0) continue;
            RG_TRY(rg_run_scalar_sides(p, t + k));
            rg_scalar_fill(&p->scalar, p->c);
        }
        if (stage == 0) RG_TRY(rg_run_determine_scalars(r, t + k));
    }
    return RG_OK;
}

/* With g the source, k- the last step, and r = (c - old)/k:
 *
 *     explicit:  k/12 |g1 - g0 - k/k- (g0 - g-)|,    about k^3 |g''|/12; first step: k/2 |g1 - g0|
 *     implicit:  k^2/(k + k-) |r - r-|,              about k^2 |c''|/2;  first step: not known
 *
 * relative to the largest |c|.  Diffusion and convection need none: stability keeps their error in
 * time below that in space. */
static double step_error(rg_run_part *p, double k)
{
    const rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    const double last = p->has_source_old ? k / r->k : 0.0;
    double most = 0.0;

    if (p->source_old == NULL || (r->options.implicit && !p->has_source_old)) return 0.0;
    for (int kk = 0; kk < g->axis[2].n; kk++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, kk);
                double miss;
                if (g->solid && g->solid[at]) continue;
                if (r->options.implicit) {
                    miss =
                        k * last / (1.0 + last) * ((p->c[at] - p->old[at]) / k - p->source_old[at]);
                } else {
                    const double bend =
                        last > 0.0 ? last * (p->source_begin[at] - p->source_old[at]) : 0.0;
                    miss = (last > 0.0 ? k / 12.0 : 0.5 * k) / p->storage[at]
                           * (p->source[at] - p->source_begin[at] - bend);
                }
                if (!(fabs(miss) <= most)) most = isfinite(miss) ? fabs(miss) : INFINITY;
                p->size = fmax(p->size, fmax(fabs(p->c[at]), fabs(p->old[at])));
            }
    rg_grid_most(g, 1, &most);
    rg_grid_most(g, 1, &p->size);
    return most > 0.0 ? most / (r->options.tol * p->size) : 0.0;
}

/* Two stages of SSPRK2 for all carried scalars together: c1 = c + k rate, (c + c1 + k rate1)/2; or
 * those of stages.c. */
rg_status rg_run_carry(rg_run_grid *r, double t, double k, double *error)
{
    RG_TRY(r->is_staged          ? rg_run_carry_stages(r, t, k, error)
           : r->options.implicit ? carry_implicit(r, t, k, error)
                                 : carry_explicit(r, t, k));
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (!p->is_carried) continue;
        if (!r->is_staged) *error = fmax(*error, fmax(step_error(p, k), rg_run_change_error(p, k)));
        p->balance.end = amount_of(p);
        p->balance.defect = p->balance.end - p->balance.start - p->balance.in + p->balance.out;
        RG_TRY(rg_run_scalar_sides(p, t + k));
        rg_scalar_fill(&p->scalar, p->c);
    }
    return RG_OK;
}

void rg_run_carry_undo(rg_run_grid *r)
{
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (!p->is_carried) continue;
        memcpy(p->c, p->old, (size_t)r->grid->size * sizeof *p->c);
        p->balance = p->balance_old;
        p->storage_is_lost = true;
    }
}

rg_status rg_run_carry_accept(rg_run_grid *r, double k)
{
    rg_run_stages_accept(r);
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (!p->is_carried) continue;
        if (!isfinite(p->balance.end)) {
            rg_fail(r->ctx, RG_ERR_CONVERGENCE, "'%s' grows without bound", p->field->name);
            rg_remedy(r->ctx, "take a smaller --cfl or --step");
            return rg_fail_time(r->ctx, r->t);
        }
        if (p->source_old == NULL) continue;
        if (!r->options.implicit) swap(&p->source_old, &p->source_begin);
        for (int64_t at = 0; r->options.implicit && at < r->grid->size; at++)
            p->source_old[at] = (p->c[at] - p->old[at]) / k;
        p->has_source_old = !r->is_staged;
    }
    return RG_OK;
}

bool rg_run_carry_has_error(const rg_run_grid *r)
{
    for (int m = 0; m < r->n_parts; m++)
        if (r->part[m].source_old != NULL || r->part[m].begin != NULL) return true;
    return false;
}
