/* Data that change in time: wells, sides, coefficients, forces and given velocities that contain t.
 *
 * Nothing tells beforehand when they change, so a run with such data looks at least so many times;
 * Darcy flow is solved in both stages of a step; and the error in time of what they do to a carried
 * scalar is estimated.  With R(c, t) the rate of phi c and g the source in it,
 *
 *     C = (R - g)(c, t + k) - (R - g)(c, t),    k/12 |C - k/k- C-|/phi;  first step: k/2 |C|/phi,
 *
 * where C- is that of the last step: what changes with c alone has no part in it. */
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"
#include "pdae/run/tuning.h"

#include <math.h>
#include <string.h>

static bool contains_time(const rg_quantity *q)
{
    return q != NULL && (q->uses & RG_USES_TIME) != 0;
}

static bool any_contains_time(rg_quantity *const *q, int n)
{
    for (int k = 0; k < n; k++)
        if (contains_time(q[k])) return true;
    return false;
}

static bool equation_contains_time(const rg_form_equation *e)
{
    rg_quantity *const single[] = {e->source, e->dispersion.molecular, e->dispersion.longitudinal,
                                   e->dispersion.transverse};
    bool found = any_contains_time(single, 4) || any_contains_time(e->storage, RG_AXES)
                 || any_contains_time(e->diffusion, RG_AXES)
                 || any_contains_time(e->resistance, RG_AXES)
                 || any_contains_time(e->force, RG_AXES);

    for (int m = 0; m < e->n_convections; m++)
        found = found || any_contains_time(e->convections[m].given, RG_AXES);
    return found;
}

static bool conditions_contain_time(const rg_form *form, int field)
{
    bool found = false;

    for (int side = 0; side < RG_SIDES; side++)
        found = found || any_contains_time(form->fields[field].side[side].value, RG_AXES);
    for (int k = 0; k < form->n_solids; k++)
        found = found || any_contains_time(form->solids[k].condition[field].value, RG_AXES);
    return found;
}

/* Wells act on the vector with a constraint, and on what it carries. */
static bool wells_contain_time(const rg_form *form, int field)
{
    bool found = false;

    for (int k = 0; k < form->n_wells; k++) {
        const rg_well *w = &form->wells[k];
        rg_quantity *const own[] = {w->rate, w->pressure, w->radius};
        found = found || any_contains_time(own, 3);
        found = found || (w->carries != NULL && contains_time(w->carries[field]));
    }
    return found;
}

bool rg_run_inflow_changes(const rg_run_part *p)
{
    const rg_form *form = p->run->form;

    return contains_time(p->eq->source) || conditions_contain_time(form, p->eq->field)
           || wells_contain_time(form, p->eq->field);
}

bool rg_run_data_change(const rg_form *form)
{
    for (int k = 0; k < form->n_equations; k++) {
        const rg_form_equation *e = &form->equations[k];
        if (equation_contains_time(e) || conditions_contain_time(form, e->field)
            || (e->pressure >= 0 && conditions_contain_time(form, e->pressure))
            || wells_contain_time(form, e->field))
            return true;
    }
    return false;
}

static bool is_timed(const rg_run_part *p)
{
    const rg_form *form = p->run->form;
    const rg_form_equation *e = p->eq;
    const bool has_wells = e->n_convections > 0 || p->fluid != NULL || p->darcy != NULL;

    return equation_contains_time(e) || conditions_contain_time(form, e->field)
           || (e->pressure >= 0 && (p->fluid || p->darcy)
               && conditions_contain_time(form, e->pressure))
           || (has_wells && wells_contain_time(form, e->field));
}

/* Room for what data do: to the rate of a scalar, to the force on a flow and p on its sides. */
static rg_status make_room(rg_run_part *p)
{
    const rg_run_grid *r = p->run;
    const int dims = r->grid->dims;
    bool ok = true;

    if (p->is_carried && !r->options.implicit)
        ok = (p->begin = rg_grid_array(r->grid)) && (p->change = rg_grid_array(r->grid))
             && (p->change_old = rg_grid_array(r->grid));
    for (int c = 0; p->fluid && c <= dims; c++) {
        const bool is_needed = c < dims ? contains_time(p->eq->force[c])
                                        : conditions_contain_time(r->form, p->eq->pressure);
        if (!is_needed) continue;
        ok = ok && (p->push[c] = rg_grid_array(r->grid))
             && (p->push_old[c] = rg_grid_array(r->grid));
    }
    return ok ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_run_find_timed(rg_run_grid *r)
{
    bool is_more = true;

    for (int m = 0; m < r->n_parts; m++) {
        r->part[m].is_timed = is_timed(&r->part[m]);
        r->is_timed = r->is_timed || r->part[m].is_timed;
    }
    while (is_more) { /* what reads a field that follows such data at once follows them too */
        is_more = false;
        for (int a = 0; a < r->n_parts; a++)
            for (int b = 0; b < r->n_parts && !r->part[a].is_timed; b++)
                if (r->part[b].is_timed && rg_run_is_determined(&r->part[b])
                    && rg_run_reads(r->form, r->part[a].eq, r->part[b].eq->field))
                    r->part[a].is_timed = is_more = true;
    }
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (!p->is_timed) continue;
        p->moves = p->moves || p->eq->has_dispersion; /* its velocity changes within a step */
        RG_TRY(make_room(p));
    }
    return RG_OK;
}

rg_status rg_run_follow_darcy(rg_run_grid *r, double t)
{
    for (int m = 0; m < r->n_parts; m++)
        if (r->part[m].darcy && r->part[m].is_timed) RG_TRY(rg_run_solve_darcy(&r->part[m], t));
    return RG_OK;
}

void rg_run_keep_rate(rg_run_part *p)
{
    const rg_grid *g = p->run->grid;

    if (p->begin == NULL) return;
    memcpy(p->begin, p->rate, (size_t)g->size * sizeof *p->begin);
    for (int64_t at = 0; p->source != NULL && at < g->size; at++)
        p->begin[at] -= p->source[at];
}

rg_status rg_run_find_change(rg_run_part *p, double t)
{
    const rg_grid *g = p->run->grid;
    double *const now = p->c, moved[2];

    if (p->begin == NULL) return RG_OK;
    p->c = p->old; /* the same c as before, with its ghosts at this time */
    const rg_status status = rg_run_scalar_rate(p, &p->terms, t, 0.0, (double *)moved);
    p->c = now;
    RG_TRY(status);
    for (int64_t at = 0; at < g->size; at++)
        p->change[at] = p->rate[at] - (p->source ? p->source[at] : 0.0) - p->begin[at];
    return RG_OK;
}

double rg_run_change_error(rg_run_part *p, double k)
{
    const rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    const double last = p->has_change_old ? k / r->k : 0.0,
                 part = p->has_change_old ? k / 12.0 : 0.5 * k,
                 shortest = r->options.duration / RG_GRID_LOOKS;
    double most = 0.0, size = 0.0;

    if (p->begin == NULL) return 0.0;
    for (int m = 0; m < g->axis[2].n; m++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, m);
                if (g->solid && g->solid[at]) continue;
                const double change = p->change[at] / p->storage[at],
                             miss = part * fabs(change - last * p->change_old[at] / p->storage[at]);
                if (!(miss <= most)) most = isfinite(miss) ? miss : INFINITY;
                size = fmax(size, fabs(change) * shortest);
                p->size = fmax(p->size, fmax(fabs(p->c[at]), fabs(p->old[at])));
            }
    rg_grid_most(g, 1, &most);
    rg_grid_most(g, 1, &size);
    rg_grid_most(g, 1, &p->size);
    size = fmax(size, p->size); /* what begins now lasts long enough to be seen */
    return most > 0.0 ? most / (r->options.tol * size) : 0.0;
}

void rg_run_keep_change(rg_run_part *p)
{
    double *const kept = p->change_old;

    p->change_old = p->change;
    p->change = kept;
    for (int c = 0; c <= RG_AXES; c++) {
        double *const old = p->push_old[c];
        p->push_old[c] = p->push[c];
        p->push[c] = old;
    }
    p->has_change_old = !p->run->is_staged; /* which has no use for it */
}

/* ---- flow ------------------------------------------------------------------------------------ */
/* What the force (c < dims), or p on the sides over the length of the box (c = dims), is at time t
 * with the fields as they are; 0 elsewhere. */
static rg_status push_at(rg_run_part *p, int c, double t, double *out)
{
    const rg_grid *g = p->run->grid;
    const double length = rg_grid_longest(g);

    memset(out, 0, (size_t)g->size * sizeof *out);
    if (c < g->dims) return rg_run_force_at(p, c, t, out);
    RG_TRY(rg_run_outside(p, t, out));
    for (int64_t at = 0; at < g->size; at++)
        out[at] /= length;
    return RG_OK;
}

/* The smallest m of  m u' = ... */
static rg_status least_storage(rg_run_part *p, double t, double *least)
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    double most = -INFINITY; /* of -m */

    for (int c = 0; c < g->dims; c++) {
        const rg_quantity *m = p->eq->storage[c];
        if (m == NULL || m->uses == 0) {
            most = fmax(most, m ? -m->value : -1.0);
            continue;
        }
        RG_TRY(rg_run_at_cells(r, m, t, r->scratch));
        for (int z = 0; z < g->axis[2].n; z++)
            for (int y = 0; y < g->axis[1].n; y++)
                for (int x = 0; x < g->axis[0].n; x++) {
                    const int64_t at = rg_grid_at(g, x, y, z);
                    if (!g->solid || !g->solid[at]) most = fmax(most, -r->scratch[at]);
                }
    }
    rg_grid_most(g, 1, &most);
    *least = -most;
    return RG_OK;
}

/* The force is extrapolated in time: 5/12 k |C - k/k- C-|/m, C = f(t + k) - f(t), and k/2 |C|/m in
 * the first step. */
rg_status rg_run_push_error(rg_run_part *p, double t, double k, double *error)
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    const double last = p->has_change_old ? k / r->k : 0.0,
                 part = p->has_change_old ? 5.0 / 12.0 * k : 0.5 * k;
    double *const work = p->f[0], miss = 0.0, size = p->size, m = 1.0;

    *error = 0.0;
    if (r->options.step > 0.0) return RG_OK; /* nobody asks */
    RG_TRY(least_storage(p, t, &m));
    for (int c = 0; c <= g->dims; c++) {
        if (p->push[c] == NULL) continue;
        RG_TRY(push_at(p, c, t + k, p->push[c]));
        RG_TRY(push_at(p, c, t, work));
        for (int64_t at = 0; at < g->size; at++) {
            p->push[c][at] -= work[at];
            const double one = fabs(p->push[c][at] - last * p->push_old[c][at]) / m;
            if (!(one <= miss)) miss = one;
            size = fmax(size, fabs(p->push[c][at]) / m * r->options.duration / RG_GRID_LOOKS);
        }
    }
    rg_grid_most(g, 1, &miss);
    rg_grid_most(g, 1, &size);
    *error = miss > 0.0 ? part * miss / (r->options.tol * size) : 0.0;
    return RG_OK;
}

double rg_run_timed_limit(const rg_run_grid *r)
{
    return r->is_timed ? r->options.step_scale * r->options.duration / RG_GRID_LOOKS : INFINITY;
}
