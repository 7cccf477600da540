/* Integrates a model with fields from output time to output time. */
#include "pdae/run/run.h"

#include "pdae/flow/rows.h"
#include "pdae/form/output.h"
#include "pdae/run/run_impl.h"
#include "pdae/run/tuning.h"
#include "pdae/tuning.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

void rg_run_grid_destroy(rg_run_grid **run)
{
    rg_run_grid *r = *run;

    if (r == NULL) return;
    for (int k = 0; k < r->n_parts; k++)
        rg_run_part_free(&r->part[k]);
    for (int l = 0; l < r->form->n_leaves; l++) {
        if (r->form->leaves[l].data >= 0 && r->native) rg_free(r->ctx, r->native[l]);
        if (r->buffer) rg_free(r->ctx, r->buffer[l]);
    }
    rg_free(r->ctx, r->part);
    rg_free(r->ctx, r->native);
    rg_free(r->ctx, r->buffer);
    rg_free(r->ctx, r->at);
    rg_free(r->ctx, r->work);
    for (int k = 0; r->derived && k < r->form->n_derived; k++)
        rg_free(r->ctx, r->derived[k]);
    rg_free(r->ctx, r->derived);
    rg_free(r->ctx, r->scratch);
    rg_free(r->ctx, r->reading);
    rg_free(r->ctx, r->reading_at);
    rg_free(r->ctx, r);
    *run = NULL;
}

/* The most workspace that an expression of the model needs. */
static int64_t largest(int64_t most, rg_quantity *const *q, int n)
{
    for (int k = 0; k < n; k++)
        if (q[k] && q[k]->work_size > most) most = q[k]->work_size;
    return most;
}

static int64_t work_size(const rg_form *form)
{
    int64_t most = 1;

    for (int k = 0; k < form->n_equations; k++) {
        const rg_form_equation *e = &form->equations[k];
        rg_quantity *const single[] = {e->source, e->dispersion.molecular,
                                       e->dispersion.longitudinal, e->dispersion.transverse};
        most = largest(most, single, 4);
        most = largest(most, e->storage, RG_AXES);
        most = largest(most, e->diffusion, RG_AXES);
        most = largest(most, e->resistance, RG_AXES);
        most = largest(most, e->force, RG_AXES);
        for (int m = 0; m < e->n_convections; m++)
            most = largest(most, e->convections[m].given, RG_AXES);
    }
    for (int k = 0; k < form->n_fields; k++) {
        const rg_field *f = &form->fields[k];
        most = largest(most, f->start, RG_AXES);
        most = largest(most, f->exact, RG_AXES);
        for (int side = 0; side < RG_SIDES; side++)
            most = largest(most, f->side[side].value, RG_AXES);
    }
    for (int k = 0; k < form->n_outputs; k++) {
        const rg_form_output *o = &form->outputs[k];
        most = largest(most, &o->value, 1);
        for (int m = 0; m < o->n_readings; m++)
            for (int i = 0; i < o->readings[m].n_terms; i++)
                most = largest(most, &o->readings[m].term[i].what, 1);
    }
    for (int k = 0; k < form->n_wells; k++) {
        rg_quantity *const of[] = {form->wells[k].rate, form->wells[k].pressure,
                                   form->wells[k].radius};
        most = largest(most, of, 3);
        if (form->wells[k].carries) most = largest(most, form->wells[k].carries, form->n_fields);
    }
    return most;
}

/* Room for what outputs read. */
static rg_status make_readings(rg_run_grid *r)
{
    const rg_form *form = r->form;
    int most = 0;

    for (int k = 0; k < form->n_outputs; k++)
        if (form->outputs[k].n_readings > most) most = form->outputs[k].n_readings;
    r->scratch = rg_grid_array(r->grid);
    r->reading = rg_alloc(r->ctx, (size_t)most + 1, sizeof *r->reading);
    r->reading_at = rg_alloc(r->ctx, (size_t)most + 1, sizeof *r->reading_at);
    r->derived = rg_alloc(r->ctx, (size_t)form->n_derived + 1, sizeof *r->derived);
    if (!r->scratch || !r->reading || !r->reading_at || !r->derived) return RG_ERR_MEMORY;
    for (int k = 0; k < form->n_derived; k++)
        if ((r->derived[k] = rg_grid_array(r->grid)) == NULL) return RG_ERR_MEMORY;
    return RG_OK;
}

/* Where the numbers of every leaf are. */
static rg_status bind_leaves(rg_run_grid *r)
{
    const rg_form *form = r->form;
    const size_t n = (size_t)(form->n_leaves + form->n_derived) + 1;

    r->native = rg_alloc(r->ctx, n, sizeof *r->native);
    r->buffer = rg_alloc(r->ctx, n, sizeof *r->buffer);
    r->at = rg_alloc(r->ctx, n, sizeof *r->at);
    r->work = rg_alloc(r->ctx, (size_t)work_size(form), sizeof *r->work);
    if (!r->native || !r->buffer || !r->at || !r->work) return RG_ERR_MEMORY;
    RG_TRY(make_readings(r));
    for (int l = 0; l < form->n_leaves; l++) {
        const rg_leaf *leaf = &form->leaves[l];
        r->buffer[l] = rg_grid_array(r->grid);
        if (r->buffer[l] == NULL) return RG_ERR_MEMORY;
        if (leaf->data >= 0) {
            r->native[l] = rg_grid_array(r->grid);
            if (r->native[l] == NULL) return RG_ERR_MEMORY;
            rg_grid_unpack(r->grid, form->data[leaf->data].value, r->native[l]);
            rg_scalar_copy_out(r->grid, r->native[l]);
        } else {
            r->native[l] = (double *)rg_run_grid_field(r, leaf->field, leaf->component);
        }
    }
    return RG_OK;
}

rg_status rg_run_grid_create(const rg_form *form, const rg_run_options *options, rg_run_grid **out)
{
    rg_run_grid *r = rg_alloc(form->ctx, 1, sizeof *r);
    rg_status status = RG_OK;

    *out = NULL;
    if (r == NULL) return RG_ERR_MEMORY;
    r->ctx = form->ctx;
    r->form = form;
    r->grid = form->grid;
    r->options = *options;
    r->part = rg_alloc(r->ctx, (size_t)form->n_equations, sizeof *r->part);
    if (r->part == NULL) status = RG_ERR_MEMORY;
    for (int k = 0; status == RG_OK && k < form->n_equations; k++) {
        r->n_parts = k + 1;
        status = rg_run_part_create(&r->part[k], r, &form->equations[k]);
    }
    if (status == RG_OK) status = rg_run_find_timed(r);
    if (status == RG_OK) status = bind_leaves(r);
    if (status != RG_OK) {
        rg_run_grid_destroy(&r);
        return status;
    }
    *out = r;
    return RG_OK;
}

const double *rg_run_grid_field(const rg_run_grid *r, int field, int component)
{
    for (int k = 0; k < r->n_parts; k++) {
        const rg_run_part *p = &r->part[k];
        const bool vector = p->eq->kind == RG_FORM_MOMENTUM || p->eq->kind == RG_FORM_DARCY;
        if (vector && p->eq->pressure == field)
            return p->fluid ? rg_fluid_pressure(p->fluid) : rg_darcy_pressure(p->darcy);
        if (p->eq->field != field) continue;
        if (!vector) return p->c;
        return p->fluid ? rg_fluid_velocity(p->fluid)[component]
                        : rg_darcy_velocity(p->darcy)[component];
    }
    return NULL;
}

static bool has_fluid(const rg_run_grid *r)
{
    for (int m = 0; m < r->n_parts; m++)
        if (r->part[m].fluid) return true;
    return false;
}

static rg_status march_to_rest(rg_run_grid *r);

/* ---- start values ---------------------------------------------------------------------------- */
/* Component m of a potential: on the edges of the cells along axis m, at their middles. */
static rg_status sample_potential(rg_run_grid *r, const rg_quantity *q, double t, int m,
                                  double *out)
{
    const rg_grid *g = r->grid;
    rg_points edges = rg_points_cells(g);

    for (int d = 0; d < g->dims; d++) {
        if (d == m) continue;
        edges.count[d] = g->axis[d].n + 1;
        edges.at[d] = g->axis[d].edge;
    }
    return rg_quantity_eval(r->form, q, t, &edges, r->at, r->work, out, NULL);
}

/* u_c += sign dA/dx_a on the faces across c, from values on edges along the third axis. */
static void add_difference(const rg_grid *g, int c, int a, double sign, const double *A, double *u)
{
    int end[RG_AXES], i[RG_AXES];

    for (int d = 0; d < RG_AXES; d++)
        end[d] = g->axis[d].n + (d == c);
    for (i[2] = 0; i[2] < end[2]; i[2]++)
        for (i[1] = 0; i[1] < end[1]; i[1]++)
            for (i[0] = 0; i[0] < end[0]; i[0]++) {
                const int64_t at = rg_grid_at(g, i[0], i[1], i[2]);
                u[at] += sign * (A[at + g->stride[a]] - A[at]) / g->axis[a].width[i[a]];
            }
}

/* A potential on the edges of the cells: its differences are free of divergence on the grid.
 * 2-D: u = (psi_y, -psi_x); 3-D: u = curl A. */
static rg_status start_from_curl(rg_run_grid *r, const rg_field *f, double t, double *const *u)
{
    const rg_grid *g = r->grid;
    double *A = rg_grid_array(g);
    rg_status status = A != NULL ? RG_OK : RG_ERR_MEMORY;

    for (int c = 0; status == RG_OK && c < g->dims; c++)
        memset(u[c], 0, (size_t)g->size * sizeof *u[c]);
    for (int m = g->dims == 2 ? 2 : 0; status == RG_OK && m < RG_AXES; m++) {
        const int c = (m + 1) % RG_AXES, a = (m + 2) % RG_AXES;
        status = sample_potential(r, f->start[g->dims == 2 ? 0 : m], t, m, A);
        if (status != RG_OK) break;
        add_difference(g, c, a, 1.0, A, u[c]);
        add_difference(g, a, c, -1.0, A, u[a]);
    }
    rg_free(r->ctx, A);
    return status;
}

static double size_of(const rg_grid *g, const double *v)
{
    return rg_rows_largest(g->size, v, NULL);
}

rg_status rg_run_grid_start(rg_run_grid *r, double t)
{
    r->t = t;
    for (int k = 0; k < r->n_parts; k++) { /* scalars first: velocities may need them */
        rg_run_part *p = &r->part[k];
        if (p->fluid || p->darcy) continue;
        RG_TRY(rg_run_at_cells(r, p->field->start[0], t, p->c));
        for (int64_t at = 0; r->grid->solid && at < r->grid->size; at++)
            if (r->grid->solid[at]) p->c[at] = 0.0;
        RG_TRY(rg_run_scalar_sides(p, t));
        rg_scalar_fill(&p->scalar, p->c);
    }
    RG_TRY(rg_run_determine(r, t));
    for (int k = 0; k < r->n_parts; k++) {
        rg_run_part *p = &r->part[k];
        if (p->fluid == NULL) continue;
        double *const *u = rg_fluid_velocity(p->fluid);
        if (p->field->is_curl)
            RG_TRY(start_from_curl(r, p->field, t, u));
        else
            for (int c = 0; c < r->grid->dims; c++)
                RG_TRY(rg_run_at_faces(r, p->field->start[c], t, c, u[c]));
        RG_TRY(rg_fluid_start(p->fluid, t, &p->moved));
        RG_TRY(rg_run_check_flow(p, t, true));
        for (int c = 0; c < r->grid->dims; c++)
            p->size = fmax(p->size, size_of(r->grid, u[c]));
    }
    if (has_fluid(r)) RG_TRY(rg_run_determine(r, t)); /* what the velocities carry */
    return march_to_rest(r);
}

/* ---- stepping -------------------------------------------------------------------------------- */
/* The largest step that stability allows from here. */
static rg_status stable_step(rg_run_grid *r, double *limit)
{
    for (int k = 0; k < r->n_parts; k++) {
        rg_run_part *p = &r->part[k];
        if (p->fluid)
            *limit = fmin(*limit, rg_fluid_limit(p->fluid, r->options.cfl, RG_GRID_DIFFUSIVE));
        if (p->is_carried) RG_TRY(rg_run_carry_limit(p, r->t, limit));
    }
    return RG_OK;
}

/* What data that change in time will make of a velocity: it has just begun to move. */
static double pushed_size(const rg_run_part *p)
{
    const rg_run_options *o = &p->run->options;

    return p->is_timed ? rg_fluid_change(p->fluid) * o->duration / RG_GRID_LOOKS : 0.0;
}

/* One step; *error is the largest estimate in units of the tolerance. */
static rg_status try_step(rg_run_grid *r, double k, double *error)
{
    *error = 0.0;
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        double local;
        if (p->fluid == NULL) continue;
        RG_TRY(rg_fluid_step(p->fluid, r->t, k, &local));
        p->size = fmax(p->size, rg_fluid_size(p->fluid));
        const double size = fmax(p->size, pushed_size(p));
        if (size > 0.0) *error = fmax(*error, local / (r->options.tol * size));
        RG_TRY(rg_run_push_error(p, r->t, k, &local));
        *error = fmax(*error, local);
        if (!isfinite(rg_fluid_change(p->fluid))) *error = INFINITY;
    }
    return rg_run_carry(r, r->t, k, error);
}

static void undo_step(rg_run_grid *r)
{
    for (int m = 0; m < r->n_parts; m++)
        if (r->part[m].fluid) rg_fluid_undo(r->part[m].fluid);
    rg_run_carry_undo(r);
    r->stats.rejected++;
}

static rg_status finish_step(rg_run_grid *r, double k)
{
    for (int m = 0; m < r->n_parts; m++)
        if (r->part[m].fluid) rg_fluid_accept(r->part[m].fluid, k);
    RG_TRY(rg_run_carry_accept(r, k));
    for (int m = 0; m < r->n_parts; m++)
        rg_run_keep_change(&r->part[m]);
    r->t += k;
    r->stats.steps++;
    RG_TRY(rg_run_determine(r, r->t));
    for (int m = 0; m < r->n_parts; m++)
        if (r->part[m].fluid) RG_TRY(rg_run_check_flow(&r->part[m], r->t, false));
    return RG_OK;
}

/* Is nothing changing any more? */
static bool is_steady(const rg_run_grid *r, double k)
{
    double change = 0.0;

    if (r->options.steady <= 0.0) return false;
    for (int m = 0; m < r->n_parts; m++) {
        const rg_run_part *p = &r->part[m];
        if (p->fluid) change = fmax(change, rg_fluid_change(p->fluid));
        for (int64_t at = 0; p->is_carried && at < r->grid->size; at++)
            change = fmax(change, fabs(p->c[at] - p->old[at]) / k);
    }
    return change <= r->options.steady;
}

/* A given step beyond the stable one would grow without end. */
static rg_status check_step(rg_run_grid *r, double k)
{
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        double limit = p->fluid ? rg_fluid_explicit_limit(p->fluid) : INFINITY;
        if (p->is_carried && !r->options.implicit) RG_TRY(rg_run_carry_limit(p, r->t, &limit));
        if (k <= limit * (1.0 + RG_GRID_STEP_SLACK)) continue;
        rg_fail(r->ctx, RG_ERR_CONVERGENCE,
                "a step of %.3g is not stable for '%s', which allows %.3g", k, p->field->name,
                limit);
        rg_remedy(r->ctx, "take a --step below, none at all, or --scheme %s",
                  p->fluid ? "cn" : "implicit");
        return rg_fail_time(r->ctx, r->t);
    }
    return RG_OK;
}

/* Stability asks for steps that do not get on: a coefficient vanishes or grows without bound. */
static rg_status too_short(rg_run_grid *r, double k)
{
    rg_fail(r->ctx, RG_ERR_CONVERGENCE, "only steps of %.2g are stable", k);
    rg_remedy(r->ctx, "a coefficient vanishes or a velocity grows here: end the run before");
    return rg_fail_time(r->ctx, r->t);
}

/* A step is rejected where its error in time exceeds twice the tolerance. */
static rg_status next_step(rg_run_grid *r, double to)
{
    const double left = to - r->t;
    double k = left, error = 0.0;

    if (r->options.step > 0.0) {
        k = fmin(r->options.step * r->options.step_scale, left);
        RG_TRY(check_step(r, k));
    } else {
        RG_TRY(stable_step(r, &k));
        k = fmin(k, rg_run_timed_limit(r));
        if (has_fluid(r) || rg_run_carry_has_error(r)) /* nothing limits a step yet: begin small */
            k = fmin(k, r->wanted > 0.0 ? r->wanted : RG_GRID_FIRST_STEP * k);
    }
    if (r->options.h_max > 0.0) k = fmin(k, r->options.h_max * r->options.step_scale);
    if (k < left) k = left / ceil(left / k * (1.0 - RG_GRID_SAME)); /* equal steps to the end */
    if (k < left && k < RG_GRID_SAME * fmax(fabs(r->t), r->options.duration))
        return too_short(r, k);
    for (int tries = 0;; tries++) {
        RG_TRY(try_step(r, k, &error));
        if (r->options.step > 0.0 || error <= RG_GRID_REJECT) break;
        if (tries == RG_GRID_TRIES) {
            rg_fail(r->ctx, RG_ERR_CONVERGENCE, "%s cannot be followed with small steps",
                    has_fluid(r) ? "the flow" : "a source");
            rg_remedy(r->ctx, has_fluid(r)
                                  ? "use a finer grid, more viscosity, or --convection upwind"
                                  : "a value may grow beyond all bounds here: end the run before");
            return rg_fail_time(r->ctx, r->t);
        }
        undo_step(r);
        RG_TRY(rg_run_determine_scalars(r, r->t));
        k *= RG_GRID_SHRINK;
    }
    if (isinf(error) && has_fluid(r)) {
        rg_fail(r->ctx, RG_ERR_CONVERGENCE, "the velocity grows without bound");
        rg_remedy(r->ctx, "take a smaller --step");
        return rg_fail_time(r->ctx, r->t);
    }
    RG_TRY(finish_step(r, k));
    r->k = k;
    const double grow = error > 0.0 ? 0.9 * cbrt(1.0 / error) : RG_GRID_GROW;
    r->wanted = k * fmin(RG_GRID_GROW, fmax(RG_GRID_SHRINK, grow));
    r->stats.is_steady = is_steady(r, k);
    return RG_OK;
}

/* Pressure and drift of the time that was reached. */
static rg_status arrive(rg_run_grid *r)
{
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        double drift = p->darcy ? rg_darcy_defect(p->darcy) : 0.0;
        if (p->fluid) {
            RG_TRY(rg_fluid_drift(p->fluid, r->t, &drift));
            if (r->options.scheme != RG_FLUID_CN) RG_TRY(rg_fluid_update_pressure(p->fluid, r->t));
        }
        r->stats.drift = fmax(r->stats.drift, drift);
    }
    return RG_OK;
}

static rg_status step_towards(rg_run_grid *r, double to)
{
    if (rg_interrupted(r->ctx)) {
        rg_fail(r->ctx, RG_ERR_INTERRUPTED, "interrupted at t = %g", r->t);
        return rg_fail_time(r->ctx, r->t);
    }
    if (r->stats.steps + r->stats.rejected >= r->options.max_steps) {
        rg_fail(r->ctx, RG_ERR_CONVERGENCE, "max_steps = %lld reached at t = %.10g",
                (long long)r->options.max_steps, r->t);
        rg_remedy(r->ctx, "give a larger max_steps, a larger tol, or fewer cells");
        return rg_fail_time(r->ctx, r->t);
    }
    RG_TRY(next_step(r, to));
    if (to - r->t < RG_GRID_SAME * fabs(to)) r->t = to;
    return RG_OK;
}

/* Momentum equations without a time derivative: the steady state of those with one, from the start
 * values on.  The slowest change decays like viscosity over length squared. */
static rg_status march_to_rest(rg_run_grid *r)
{
    const double t = r->t, kept = r->options.steady;
    rg_run_part *p = NULL;
    double length = 0.0;

    for (int m = 0; m < r->n_parts; m++)
        if (r->part[m].is_marched) p = &r->part[m];
    if (p == NULL) return r->form->is_steady ? arrive(r) : RG_OK;
    for (int d = 0; d < r->grid->dims; d++) {
        const rg_axis *a = &r->grid->axis[d];
        length = fmax(length, a->edge[a->n] - a->edge[0]);
    }
    const double rate = rg_fluid_viscosity(p->fluid) / (length * length);
    if (!(rate > 0.0)) {
        rg_fail(r->ctx, RG_ERR_STRUCTURE, "'%s' has neither a time derivative nor a viscosity",
                p->field->name);
        rg_fail_at(r->ctx, r->form->source, p->eq->span);
        return rg_remedy(r->ctx, "add %s' to its equation", p->field->name);
    }
    while (!r->stats.is_steady) {
        r->options.steady = kept > 0.0 ? kept : RG_GRID_STEADY * rate * fmax(p->size, DBL_MIN);
        RG_TRY(step_towards(r, r->t + 1.0 / rate));
        if (r->t - t < RG_GRID_STEADY_TIME / rate) continue;
        rg_fail(r->ctx, RG_ERR_CONVERGENCE, "no steady state of '%s' is reached", p->field->name);
        rg_fail_at(r->ctx, r->form->source, p->eq->span);
        return rg_remedy(r->ctx, "the flow may be unsteady: add %s' to its equation and look",
                         p->field->name);
    }
    r->options.steady = kept;
    r->t = t;
    return arrive(r);
}

rg_status rg_run_grid_step(rg_run_grid *r, double to)
{
    RG_TRY(step_towards(r, to));
    return arrive(r);
}

rg_status rg_run_grid_approach(rg_run_grid *r, double to, int steps, bool *is_there)
{
    for (int k = 0; k < steps && r->t < to && !r->stats.is_steady; k++)
        RG_TRY(step_towards(r, to));
    *is_there = !(r->t < to) || r->stats.is_steady;
    return *is_there ? arrive(r) : RG_OK;
}

rg_status rg_run_grid_advance(rg_run_grid *r, double to)
{
    bool is_there = false;

    while (!is_there)
        RG_TRY(rg_run_grid_approach(r, to, INT_MAX, &is_there));
    return RG_OK;
}

rg_status rg_run_grid_eval(rg_run_grid *r, const rg_quantity *q, int component, double *out)
{
    return component >= 0 ? rg_run_at_faces(r, q, r->t, component, out)
                          : rg_run_at_cells(r, q, r->t, out);
}

/* ---- looking --------------------------------------------------------------------------------- */
double rg_run_grid_time(const rg_run_grid *r)
{
    return r->t;
}

void rg_run_grid_moved(const rg_run_grid *r, int field, double *moved, double *size)
{
    const rg_run_part *p = rg_run_part_of((rg_run_grid *)r, field);

    *moved = p ? p->moved : 0.0;
    *size = p ? p->size : 0.0;
}

rg_run_balance rg_run_grid_balance(const rg_run_grid *r, int field)
{
    return rg_run_part_of((rg_run_grid *)r, field)->balance;
}

double rg_run_grid_well_rate(const rg_run_grid *r, int well)
{
    return rg_run_well_rate((rg_run_grid *)r, well, r->t);
}

bool rg_run_grid_is_steady(const rg_run_grid *r)
{
    return r->stats.is_steady;
}

bool rg_run_grid_is_limited(const rg_run_grid *r)
{
    return r->stats.is_limited;
}

/* The largest |u| h over the faces of the box, h from centre to centre. */
static double largest_transit(const rg_grid *g, double *const *u)
{
    double most = 0.0;
    int at[RG_AXES], end[RG_AXES];

    for (int c = 0; c < g->dims; c++) {
        for (int d = 0; d < RG_AXES; d++)
            end[d] = g->axis[d].n + (d == c);
        for (at[2] = 0; at[2] < end[2]; at[2]++)
            for (at[1] = 0; at[1] < end[1]; at[1]++)
                for (at[0] = 0; at[0] < end[0]; at[0]++)
                    most = fmax(most, fabs(u[c][rg_grid_at(g, at[0], at[1], at[2])])
                                          * g->axis[c].gap[at[c]]);
    }
    return most;
}

rg_run_stats rg_run_grid_stats(const rg_run_grid *r)
{
    rg_run_stats s = r->stats;
    const rg_grid *g = r->grid;

    for (int m = 0; m < r->n_parts; m++) {
        const rg_run_part *p = &r->part[m];
        const char *name = rg_run_part_solver(p);
        if (name && s.n_solvers < 8) s.solver[s.n_solvers++] = name;
        s.solver_iterations +=
            p->fluid   ? rg_fluid_solver_iterations(p->fluid)
            : p->darcy ? rg_darcy_solver_iterations(p->darcy)
                       : p->iterations + (p->elliptic ? rg_elliptic_iterations(p->elliptic) : 0);
        if (p->fluid == NULL || !(rg_fluid_viscosity(p->fluid) > 0.0)) continue;
        s.cell_reynolds = fmax(s.cell_reynolds, largest_transit(g, rg_fluid_velocity(p->fluid))
                                                    / rg_fluid_viscosity(p->fluid));
    }
    return s;
}
