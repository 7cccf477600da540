/* Fields that equations without a time derivative determine: elliptic ones, Darcy flow, and what is
 * carried at rest, one behind the other.  Where one of them reads a field that comes later they are
 * solved again and again until nothing changes any more. */
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"
#include "pdae/run/tuning.h"

#include <math.h>
#include <string.h>

static bool is_resting(const rg_run_part *p)
{
    return p->eq->kind == RG_FORM_TRANSPORT && !p->is_carried;
}

/* The place of a part in the sweep; 0: it is not determined. */
static int rank_of(const rg_run_part *p)
{
    return p->eq->kind == RG_FORM_ELLIPTIC ? 1 : p->darcy ? 2 : is_resting(p) ? 3 : 0;
}

bool rg_run_is_determined(const rg_run_part *p)
{
    return rank_of(p) > 0;
}

static bool has_input(const rg_form *form, const rg_quantity *q, int field)
{
    for (int k = 0; q && k < q->n_inputs; k++)
        if (form->leaves[q->inputs[k]].field == field) return true;
    return false;
}

bool rg_run_reads(const rg_form *form, const rg_form_equation *e, int field)
{
    const rg_quantity *const single[] = {e->source, e->dispersion.molecular,
                                         e->dispersion.longitudinal, e->dispersion.transverse};
    bool found = e->has_dispersion && e->dispersion.velocity == field;

    for (size_t k = 0; k < sizeof single / sizeof *single; k++)
        found = found || has_input(form, single[k], field);
    for (int d = 0; d < RG_AXES; d++)
        found = found || has_input(form, e->storage[d], field)
                || has_input(form, e->diffusion[d], field)
                || has_input(form, e->resistance[d], field) || has_input(form, e->force[d], field);
    for (int m = 0; m < e->n_convections; m++) {
        found = found || e->convections[m].velocity == field;
        for (int d = 0; d < RG_AXES; d++)
            found = found || has_input(form, e->convections[m].given[d], field);
    }
    return found;
}

/* Does a part read one that comes later in the sweep? */
static bool is_coupled(const rg_run_grid *r)
{
    for (int a = 0; a < r->n_parts; a++)
        for (int b = 0; b < r->n_parts; b++) {
            const int first = rank_of(&r->part[a]), second = rank_of(&r->part[b]);
            const bool is_later = second > first || (second == first && b > a);
            if (first > 0 && second > 0 && is_later
                && rg_run_reads(r->form, r->part[a].eq, r->part[b].eq->field))
                return true;
        }
    return false;
}

static rg_status sweep(rg_run_grid *r, double t)
{
    for (int k = 0; k < r->n_parts; k++)
        if (r->part[k].eq->kind == RG_FORM_ELLIPTIC) RG_TRY(rg_run_solve_scalar(&r->part[k], t));
    for (int k = 0; k < r->n_parts; k++)
        if (r->part[k].darcy) RG_TRY(rg_run_solve_darcy(&r->part[k], t));
    for (int k = 0; k < r->n_parts; k++)
        if (is_resting(&r->part[k])) RG_TRY(rg_run_solve_scalar(&r->part[k], t));
    return RG_OK;
}

/* Keeps the scalars that a sweep will change; their `old` is free, for they have no steps. */
static void keep(rg_run_grid *r)
{
    for (int k = 0; k < r->n_parts; k++) {
        rg_run_part *p = &r->part[k];
        if (rank_of(p) > 0 && !p->darcy) memcpy(p->old, p->c, (size_t)r->grid->size * sizeof *p->c);
    }
}

/* The largest change of a scalar since then, as a part of its largest value. */
static double change_of(const rg_run_grid *r)
{
    const rg_grid *g = r->grid;
    double largest = 0.0;

    for (int m = 0; m < r->n_parts; m++) {
        const rg_run_part *p = &r->part[m];
        double two[2] = {0.0, 0.0}; /* change, size */
        if (rank_of(p) == 0 || p->darcy) continue;
        for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);) {
            const int64_t at = w.at;
            const double miss = fabs(p->c[at] - p->old[at]);
            if (!(miss <= two[0])) two[0] = miss;
            two[1] = fmax(two[1], fabs(p->c[at]));
        }
        rg_grid_most(g, 2, two);
        if (!(two[0] <= largest * two[1])) largest = two[0] / two[1];
    }
    return largest;
}

/* Within a step velocities stay as they are, unless their data change in time. */
rg_status rg_run_determine_scalars(rg_run_grid *r, double t)
{
    for (int rank = 1; rank <= 3; rank++)
        for (int k = 0; k < r->n_parts; k++) {
            rg_run_part *p = &r->part[k];
            if (rank_of(p) != rank) continue;
            if (p->darcy == NULL)
                RG_TRY(rg_run_solve_scalar(p, t));
            else if (p->is_timed)
                RG_TRY(rg_run_solve_darcy(p, t));
        }
    return RG_OK;
}

rg_status rg_run_determine(rg_run_grid *r, double t)
{
    double change = INFINITY;

    if (!is_coupled(r)) return sweep(r, t);
    for (int n = 0; n < RG_GRID_PICARD; n++) {
        if (rg_grid_any(r->grid, rg_interrupted(r->ctx)))
            return rg_fail(r->ctx, RG_ERR_INTERRUPTED, "interrupted at t = %.10g", t);
        keep(r);
        RG_TRY(sweep(r, t));
        change = change_of(r);
        if (!isfinite(change)) break;
        if (n > 0 && change <= RG_GRID_PICARD_TOL) return RG_OK;
    }
    rg_fail(r->ctx, RG_ERR_CONVERGENCE,
            "the fields without time derivatives do not settle: they change by %.2g of their size "
            "from one solve of all to the next",
            change);
    rg_remedy(r->ctx, "give time derivatives to some of them, and 'solve steady = 1e-6'");
    return rg_fail_time(r->ctx, t);
}
