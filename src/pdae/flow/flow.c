/* Makes a flow, its start values, and what all schemes share. */
#include "pdae/flow/flow_impl.h"

#include "base/pieces.h"
#include "base/vector.h"
#include "pdae/flow/rows.h"
#include "pdae/flow/tuning.h"
#include "pdae/mesh/block.h"

#include <float.h>
#include <math.h>
#include <string.h>

void rg_fluid_copy(const rg_grid *g, const rg_fluid_vector *from, const rg_fluid_vector *to)
{
    for (int c = 0; c < g->dims; c++)
        memcpy(to->c[c], from->c[c], (size_t)g->size * sizeof(double));
}

void rg_fluid_destroy(rg_fluid **flow)
{
    rg_fluid *f = *flow;

    if (f == NULL) return;
    rg_elliptic_destroy(&f->solver);
    rg_viscous_destroy(&f->implicit);
    for (int c = 0; c < RG_AXES; c++)
        rg_free(f->ctx, f->moved_solid[c]);
    rg_free(f->ctx, f->block);
    rg_free(f->ctx, f);
    *flow = NULL;
}

enum { MOST_ARRAYS = 3 * RG_AXES * RG_FLUID_ITERATIONS + 64 };

typedef struct { /* arrays of a flow */
    const rg_grid *g;
    rg_memory_piece piece[MOST_ARRAYS];
    size_t n;
} arrays;

static void want(arrays *a, double **array)
{
    a->piece[a->n++] = RG_PIECE(*array, a->g->size);
}

static void want_axes(arrays *a, double *array[RG_AXES])
{
    for (int c = 0; c < a->g->dims; c++)
        want(a, &array[c]);
}

/* All in one block, which begins on a huge page where it fills one. */
static rg_status make_arrays(rg_fluid *f)
{
    const bool is_cn = f->options.scheme == RG_FLUID_CN;
    double **const single[] = {&f->p, &f->p_old, &f->div,     &f->q,    &f->q_old,
                               &f->d, &f->s,     &f->outside, &f->right};
    arrays a = {.g = f->grid};

    for (int s = 0; s < f->n_iterates; s++) {
        want_axes(&a, f->u[s].c);
        want_axes(&a, f->old[s].c);
        if (!is_cn) want_axes(&a, f->slope[s].c);
    }
    for (int k = 0; k < 2; k++) {
        if (is_cn) want_axes(&a, f->N[k].c);
        want_axes(&a, f->before[k].c);
    }
    want_axes(&a, f->work.c);
    want_axes(&a, f->stage.c);
    want_axes(&a, f->moved.c);
    want_axes(&a, f->T);
    for (size_t k = 0; k < sizeof single / sizeof *single; k++)
        want(&a, single[k]);
    if (!is_cn) want(&a, &f->p_slope);
    for (int k = 0; f->data.viscosity && k < f->grid->dims * f->grid->dims; k++)
        want(&a, &f->viscosity[k]);
    if (f->data.storage) {
        want(&a, &f->spare);
        want_axes(&a, f->over_m);
        want_axes(&a, f->over_before);
        want_axes(&a, f->over_mid);
    }
    return rg_take(f->ctx, &f->block, a.n, a.piece);
}

static rg_status make_memory(rg_fluid *f)
{
    RG_TRY(make_arrays(f));
    for (int d = 0; d < f->grid->dims; d++) {
        const size_t given = (size_t)(f->space->solid[d].n_fixed + f->space->solid[d].n_contacts);
        f->moved_solid[d] = rg_alloc(f->ctx, given + 1, sizeof *f->moved_solid[d]);
        if (f->moved_solid[d] == NULL) return RG_ERR_MEMORY;
    }
    return rg_viscous_create(f->space, &f->implicit);
}

rg_status rg_fluid_create(rg_context *ctx, rg_vector_space *space, const rg_fluid_data *data,
                          const rg_fluid_options *options, rg_fluid **out)
{
    *out = NULL;
    RG_TRY(rg_fluid_check_options(ctx, options));
    rg_fluid *f = rg_alloc(ctx, 1, sizeof *f);
    if (f == NULL) return RG_ERR_MEMORY;
    f->ctx = ctx;
    f->space = space;
    f->grid = space->grid;
    f->data = *data;
    f->options = *options;
    /* With implicit viscosity all iterations start from one velocity; explicit schemes keep one
     * trajectory for each. */
    f->n_iterates = options->scheme == RG_FLUID_CN ? 1 : options->iterations;
    if (f->n_iterates > RG_FLUID_ITERATIONS) {
        rg_fluid_destroy(&f);
        rg_fail(ctx, RG_ERR_ARGUMENT, "explicit schemes on grids take at most %d iterations",
                RG_FLUID_ITERATIONS);
        return rg_remedy(ctx, "use fewer iterations, or --scheme cn");
    }
    const rg_status status = make_memory(f);
    if (status != RG_OK) {
        rg_fluid_destroy(&f);
        return status;
    }
    f->nu = data->nu;
    f->mean_m = data->storage ? 0.0 : 1.0; /* 0: not yet known */
    rg_vector_transmissibility(space, NULL, f->T);
    *out = f;
    return RG_OK;
}

double *const *rg_fluid_velocity(const rg_fluid *f)
{
    return f->u[f->n_iterates - 1].c;
}

double *const *rg_fluid_velocity_before(const rg_fluid *f)
{
    return f->old[f->n_iterates - 1].c;
}

/* With implicit viscosity p belongs to the middle of a step: at its end it is extrapolated from the
 * middles of the last two. */
const double *rg_fluid_pressure(rg_fluid *f)
{
    const bool is_late = f->options.scheme == RG_FLUID_CN && f->k_older > 0.0;
    const double far = is_late ? f->k_old / (f->k_old + f->k_older) : 0.0;

    for (int64_t at = 0; at < f->grid->size; at++)
        f->right[at] = f->p[at] + far * (f->p[at] - f->p_old[at]);
    rg_vector_pressure_ghosts(f->space, f->outside, f->right);
    return f->right;
}

double rg_fluid_force(rg_fluid *f, int solid, int c)
{
    const rg_vector_stress stress = {.nu = f->data.nu,
                                     .of = f->data.viscosity ? f->viscosity : NULL,
                                     .w = f->data.convection,
                                     .carry = f->options.carry};

    return rg_vector_force(f->space, solid, c, rg_fluid_velocity(f), rg_fluid_pressure(f), &stress);
}

rg_status rg_fluid_renew_solver(rg_fluid *f, double shift)
{
    const rg_grid *g = f->grid;
    const rg_elliptic_options options = {.kind = f->options.solver,
                                         .reused = true,
                                         .tol = f->options.solver_tol,
                                         .name = "div(u) = 0"};
    rg_elliptic_matrix A = {
        .grid = g, .T = {f->T[0], f->T[1], f->T[2]}
    };
    bool done = false;

    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++)
                f->s[rg_grid_at(g, i, j, k)] = shift * rg_grid_volume(g, i, j, k);
    if (shift > 0.0) A.s = f->s;
    f->shift = shift;
    if (f->solver && rg_elliptic_renews_fully(f->solver))
        RG_TRY(rg_elliptic_renew(f->solver, &A, &done));
    if (done) return RG_OK;
    if (f->solver) f->iterations += rg_elliptic_iterations(f->solver);
    rg_elliptic_destroy(&f->solver);
    return rg_elliptic_create(f->ctx, &A, &options, &f->solver);
}

bool rg_fluid_is_closed(const rg_fluid *f)
{
    return !f->space->has_open;
}

/* 1/(m L^2), of the size of the smallest eigenvalue of D D^T/m. */
static double smallest_mode(const rg_fluid *f)
{
    const double L = rg_grid_longest(f->grid);

    return 1.0 / (L * L * (f->mean_m > 0.0 ? f->mean_m : 1.0));
}

/* A shift that differs by less than what the solver leaves anyway needs no new factors. */
static bool is_same_shift(const rg_fluid *f, double shift)
{
    return (shift > 0.0) == (f->shift > 0.0)
           && fabs(shift - f->shift)
                  <= RG_GRID_STALE_SHIFT * f->options.solver_tol * smallest_mode(f);
}

/* eps p is alpha1 (div u)', or div u (penalty), or the integral of div u (compressibility), and p
 * is m u' times a length: so eps is in units of 1/(m L^2), times the time once or twice. */
double rg_fluid_eps(const rg_fluid *f)
{
    const double T = f->data.duration;

    if (f->options.eps > 0.0) return f->options.eps;
    return RG_GRID_FLOW_EPS * smallest_mode(f)
           * (f->options.method == RG_FLUID_PENALTY           ? T
              : f->options.method == RG_FLUID_COMPRESSIBILITY ? T * T
                                                              : 1.0);
}

rg_status rg_fluid_poisson(rg_fluid *f, double shift, const double *b, double *d)
{
    if (shift < DBL_EPSILON * smallest_mode(f)) shift = 0.0; /* only rounding would be divided */
    if (f->solver == NULL || !is_same_shift(f, shift)) RG_TRY(rg_fluid_renew_solver(f, shift));
    return rg_elliptic_solve(f->solver, b, d);
}

void rg_fluid_times_volume(const rg_fluid *f, double *b)
{
    rg_rows_times_volume(f->grid, b);
    if (rg_fluid_is_closed(f)) rg_grid_remove_constant(f->grid, b, true);
}

rg_status rg_fluid_source(rg_fluid *f, double t, double *q)
{
    if (f->data.source) return f->data.source(f->data.user, t, q);
    if (q == f->q) return RG_OK; /* nobody else writes there */
    memset(q, 0, (size_t)f->grid->size * sizeof *q);
    return RG_OK;
}

void rg_fluid_keep_walls(rg_fluid *f)
{
    for (int c = 0; c < f->grid->dims; c++) {
        const rg_solid_faces *s = &f->space->solid[c];
        const size_t given = (size_t)(s->n_fixed + s->n_contacts);
        memcpy(f->moved.c[c], f->space->wall[c], (size_t)f->grid->size * sizeof(double));
        if (given > 0) memcpy(f->moved_solid[c], s->value, given * sizeof(double));
    }
}

void rg_fluid_wall_change(rg_fluid *f, double scale)
{
    for (int c = 0; c < f->grid->dims; c++) {
        const rg_solid_faces *s = &f->space->solid[c];
        for (int64_t at = 0; at < f->grid->size; at++)
            f->moved.c[c][at] = scale * (f->space->wall[c][at] - f->moved.c[c][at]);
        for (int64_t k = 0; k < s->n_fixed + s->n_contacts; k++)
            f->moved_solid[c][k] = scale * (s->value[k] - f->moved_solid[c][k]);
    }
}

/* (out + div(nu grad u))/m - nu0 lap u. */
static void add_viscous_rest(rg_fluid *f, int c, const double *u, double *out)
{
    if (f->data.viscosity)
        rg_vector_viscous(f->space, c, u, f->viscosity + c * f->grid->dims, out);
    else
        rg_vector_laplacian(f->space, c, u, f->data.nu, out);
    for (int64_t at = 0; f->data.storage && at < f->grid->size; at++)
        out[at] *= f->over_m[c][at];
    rg_vector_laplacian(f->space, c, u, -f->nu, out);
}

rg_status rg_fluid_explicit_terms(rg_fluid *f, double t, double *const *u, bool is_whole,
                                  double *const *out)
{
    for (int c = 0; c < f->grid->dims; c++) {
        if (is_whole || f->data.convection == 0.0)
            memset(out[c], 0, (size_t)f->grid->size * sizeof *out[c]);
        if (f->data.convection != 0.0)
            rg_vector_convection(f->space, c, u, f->data.convection, f->options.carry, out[c]);
        if (f->data.force) RG_TRY(f->data.force(f->data.user, t, c, u, out[c]));
        if (f->data.viscosity || f->data.storage) add_viscous_rest(f, c, u[c], out[c]);
        rg_vector_mask(f->space, c, out[c]);
    }
    return RG_OK;
}

rg_status rg_fluid_start(rg_fluid *f, double t, double *moved)
{
    const rg_grid *g = f->grid;
    double *const *u = rg_fluid_velocity(f);

    *moved = 0.0;
    f->nu = 0.0;
    f->storage_time = NAN;
    RG_TRY(rg_fluid_coefficients(f, t, 0.0));
    if (f->data.walls) RG_TRY(f->data.walls(f->data.user, t, f->space));
    rg_vector_fill(f->space, u);
    RG_TRY(rg_fluid_source(f, t, f->q));
    rg_vector_divergence(g, u, f->div);
    for (int64_t at = 0; at < g->size; at++)
        f->div[at] = f->q[at] - f->div[at];
    rg_fluid_times_volume(f, f->div);
    RG_TRY(rg_fluid_poisson(f, 0.0, f->div, f->d));
    for (int c = 0; c < g->dims; c++) {
        rg_fluid_gradient(f, c, f->d, NULL, 1.0, f->work.c[c]);
        for (int k = f->space->first[c][2]; k < f->space->end[c][2]; k++)
            for (int j = f->space->first[c][1]; j < f->space->end[c][1]; j++)
                for (int i = f->space->first[c][0]; i < f->space->end[c][0]; i++) {
                    const int64_t at = rg_grid_at(g, i, j, k);
                    u[c][at] += f->work.c[c][at];
                    *moved = fmax(*moved, fabs(f->work.c[c][at]));
                }
    }
    rg_grid_most(g, 1, moved);
    rg_vector_fill(f->space, u);
    for (int s = 0; s + 1 < f->n_iterates; s++)
        rg_fluid_copy(g, &f->u[f->n_iterates - 1], &f->u[s]);
    memset(f->d, 0, (size_t)g->size * sizeof *f->d);
    f->k_old = f->k_older = 0.0;
    return rg_fluid_update_pressure(f, t);
}

/* Size and change of the velocity in a step, and its local error: the velocity against the
 * extrapolation of the last two rates of change,
 *
 *     u^n + k (r0 + far (r0 - r1)),    r0 = (u^n - u^(n-1))/k-,    r1 = (u^(n-1) - u^(n-2))/k--,
 *
 * whose difference is k^3 u_ttt to first order; that of cn is 5/12 of it, those of heun and ssprk3
 * are less.  Euler: against u^n + k r0, whose difference is k (k + k-)/2 u_tt; k^2/2 u_tt is its
 * error.  0: too few steps so far, or the step is given. */
static double judge(rg_fluid *f, double k)
{
    const rg_grid *g = f->grid;
    const bool is_euler = f->options.scheme == RG_FLUID_EULER;
    const int last = f->n_iterates - 1;
    const bool has_error = !f->options.is_given && (is_euler ? f->k_old : f->k_older) > 0.0;
    const double far = is_euler ? 0.0 : (k + f->k_old) / (f->k_old + f->k_older);
    const double part[2] = {k * (1.0 + far) / f->k_old, is_euler ? 0.0 : k * far / f->k_older};
    double most[3] = {0.0}; /* of all components */

    for (int c = 0; c < g->dims; c++) {
        const rg_rows_verdict v =
            rg_rows_judge(f->space, c, f->u[last].c[c], f->old[last].c[c], f->before[0].c[c],
                          has_error ? f->before[1].c[c] : NULL, part);
        if (!(v.size <= most[0])) most[0] = v.size;
        if (!(v.change <= most[1])) most[1] = v.change;
        if (!(v.error <= most[2])) most[2] = v.error;
    }
    rg_grid_most(g, 3, most);
    f->size = most[0];
    f->change = most[1] / k;
    return is_euler ? k / (k + f->k_old) * most[2] : 5.0 / 12.0 * most[2];
}

rg_status rg_fluid_step(rg_fluid *f, double t, double k, double *error)
{
    const rg_grid *g = f->grid;

    *error = f->change = f->size = 0.0;
    for (int s = 0; f->options.scheme != RG_FLUID_CN && s < f->n_iterates; s++)
        rg_fluid_copy(g, &f->u[s], &f->old[s]);
    if (f->options.scheme != RG_FLUID_CN) memcpy(f->p_old, f->p, (size_t)g->size * sizeof *f->p);
    RG_TRY(rg_fluid_coefficients(f, t, k));
    RG_TRY(f->options.scheme == RG_FLUID_CN ? rg_fluid_step_cn(f, t, k)
                                            : rg_fluid_step_explicit(f, t, k));
    *error = judge(f, k);
    return RG_OK;
}

void rg_fluid_undo(rg_fluid *f)
{
    if (f->options.scheme == RG_FLUID_CN) rg_fluid_turn(f, false);
    for (int s = 0; f->options.scheme != RG_FLUID_CN && s < f->n_iterates; s++)
        rg_fluid_copy(f->grid, &f->old[s], &f->u[s]);
    memcpy(f->p, f->p_old, (size_t)f->grid->size * sizeof *f->p);
}

void rg_fluid_accept(rg_fluid *f, double k)
{
    if (f->options.scheme == RG_FLUID_CN)
        rg_fluid_accept_cn(f, k);
    else
        rg_fluid_accept_explicit(f, k);
}

rg_status rg_fluid_drift(rg_fluid *f, double t, double *largest)
{
    const rg_grid *g = f->grid;

    if (f->data.outside) RG_TRY(f->data.outside(f->data.user, t, f->outside));
    RG_TRY(rg_fluid_source(f, t, f->q));
    rg_vector_divergence(g, rg_fluid_velocity(f), f->div);
    for (int64_t at = 0; g->solid && at < g->size; at++) /* nothing is asked for inside a solid */
        if (g->solid[at]) f->div[at] = f->q[at];
    *largest = rg_rows_largest(g, f->div, f->data.source ? f->q : NULL);
    rg_grid_most(g, 1, largest);
    return RG_OK;
}

double rg_fluid_viscosity(const rg_fluid *f)
{
    return f->nu;
}

double rg_fluid_size(const rg_fluid *f)
{
    return f->size;
}

double rg_fluid_noise(const rg_fluid *f, double k)
{
    const rg_grid *g = f->grid;
    double most = 0.0;

    if (f->options.scheme != RG_FLUID_CN) return 0.0;
    for (int c = 0; c < g->dims; c++)
        for (int z = f->space->first[c][2]; z < f->space->end[c][2]; z++)
            for (int y = f->space->first[c][1]; y < f->space->end[c][1]; y++)
                for (int x = f->space->first[c][0]; x < f->space->end[c][0]; x++)
                    most = fmax(most, fabs(f->N[0].c[c][rg_grid_at(g, x, y, z)]));
    rg_grid_most(g, 1, &most);
    return f->options.solver_tol * k * most;
}

double rg_fluid_change(const rg_fluid *f)
{
    return f->change;
}

int64_t rg_fluid_solver_iterations(const rg_fluid *f)
{
    return f->iterations + (f->solver ? rg_elliptic_iterations(f->solver) : 0);
}

const char *rg_fluid_solver_name(const rg_fluid *f)
{
    return f->solver ? rg_elliptic_name(f->solver) : "none";
}
