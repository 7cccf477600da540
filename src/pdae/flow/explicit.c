/* Explicit Runge-Kutta schemes for (4.2) in its scalar form.  With b = -w div(u u) + nu L u + f,
 *
 *     u_s' = b + D^T p_s,     alpha1 (D u_s' - q') + alpha2 (D u_s - q) = eps (p_(s-1) - p_s)
 *     =>  (eps/alpha1 + D D^T) p_s = eps/alpha1 p_(s-1) - (D b - q') - alpha2/alpha1 (D u_s - q)
 *
 * (D^T = -grad), p_0 = 0; alpha1 = 0: p_s = p_(s-1) - alpha2/eps (D u_s - q), no linear system.
 * Every iteration has its own trajectory; p_(s-1) is that of the same stage.  Baumgarte's (4.3) is
 * eps = 0 with gamma = alpha2/alpha1; artificial compressibility integrates eps p' = q - D u with
 * the same weights. */
#include "pdae/flow/flow_impl.h"
#include "pdae/mesh/block.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* b of one iterate at time t, into out; ghosts of u are filled.  On given faces b is the rate at
 * which the walls change from the start of the step. */
static rg_status tendency(rg_fluid *f, double t, double *const *u, double *const *out)
{
    RG_TRY(rg_fluid_explicit_terms(f, t, u, true, out));
    for (int c = 0; c < f->grid->dims; c++)
        rg_vector_laplacian(f->space, c, u[c], f->nu, out[c]);
    for (int c = 0; c < f->grid->dims; c++)
        rg_vector_mask(f->space, c, out[c]);
    return RG_OK;
}

/* d/dt of the walls and of q by differences over a short time, where they move. */
static rg_status wall_rate(rg_fluid *f, double t)
{
    const rg_grid *g = f->grid;
    const double h = cbrt(DBL_EPSILON) * f->data.duration + sqrt(DBL_EPSILON) * fabs(t);

    for (int c = 0; c < g->dims; c++) {
        const rg_solid_faces *s = &f->space->solid[c];
        memset(f->moved.c[c], 0, (size_t)g->size * sizeof(double));
        memset(f->moved_solid[c], 0, (size_t)(s->n_fixed + s->n_contacts + 1) * sizeof(double));
    }
    memset(f->q_old, 0, (size_t)g->size * sizeof(double));
    if (f->data.source) {
        RG_TRY(rg_fluid_source(f, t + h, f->q_old));
        RG_TRY(rg_fluid_source(f, t - h, f->q));
        for (int64_t at = 0; at < g->size; at++)
            f->q_old[at] = (f->q_old[at] - f->q[at]) / (2.0 * h);
    }
    if (!f->data.walls || !f->data.walls_move) return RG_OK;
    RG_TRY(f->data.walls(f->data.user, t - h, f->space));
    rg_fluid_keep_walls(f);
    RG_TRY(f->data.walls(f->data.user, t + h, f->space));
    rg_fluid_wall_change(f, 0.5 / h);
    return f->data.walls(f->data.user, t, f->space);
}

/* Writes the rates of the walls to the given normal faces of b. */
static void rates_on_walls(rg_fluid *f, double *const *b)
{
    const rg_grid *g = f->grid;

    for (int c = 0; c < g->dims; c++) {
        const int e1 = (c + 1) % RG_AXES, e2 = (c + 2) % RG_AXES, n = g->axis[c].n;
        for (int64_t k = 0; k < f->space->solid[c].n_fixed; k++)
            b[c][f->space->solid[c].fixed[k]] = f->moved_solid[c][k];
        for (int y = 0; y < g->axis[e2].n; y++)
            for (int x = 0; x < g->axis[e1].n; x++) {
                const int64_t low = g->origin + x * g->stride[e1] + y * g->stride[e2],
                              high = low + n * g->stride[c];
                if (g->axis[c].periodic) {
                    b[c][high] = b[c][low];
                    continue;
                }
                if (f->space->first[c][c] == 1) b[c][low] = f->moved.c[c][low];
                if (rg_axis_is_side(&g->axis[c], 1) && f->space->end[c][c] == n)
                    b[c][high] = f->moved.c[c][high];
            }
        rg_grid_join(g, c, b[c]);
    }
}

/* p_s (in `p`, which holds p_(s-1) on entry) for velocity u and tendency b. */
static rg_status regularized_pressure(rg_fluid *f, double *const *u, double *const *b, double *p)
{
    const rg_grid *g = f->grid;
    const rg_fluid_options *o = &f->options;
    const bool exact = o->method == RG_FLUID_BAUMGARTE || o->method == RG_FLUID_PROJECTION;
    const double alpha1 = exact ? 1.0 : o->method == RG_FLUID_PENALTY ? 0.0 : o->alpha1;
    const double alpha2 = o->method == RG_FLUID_BAUMGARTE ? o->gamma : o->alpha2;
    const double eps = exact ? 0.0 : rg_fluid_eps(f);

    rg_vector_divergence(g, u, f->div);
    for (int64_t at = 0; at < g->size; at++)
        f->div[at] -= f->q[at];
    if (alpha1 == 0.0) {
        for (int64_t at = 0; at < g->size; at++)
            p[at] -= alpha2 / eps * f->div[at];
        return RG_OK;
    }
    rates_on_walls(f, b);
    double *right = f->right;
    rg_vector_divergence(g, b, right);
    for (int64_t at = 0; at < g->size; at++)
        right[at] =
            eps / alpha1 * p[at] - (right[at] - f->q_old[at]) - alpha2 / alpha1 * f->div[at];
    rg_fluid_times_volume(f, right);
    memcpy(f->d, p, (size_t)g->size * sizeof *p);
    RG_TRY(rg_fluid_poisson(f, eps / alpha1, right, f->d));
    memcpy(p, f->d, (size_t)g->size * sizeof *p);
    return RG_OK;
}

/* Rates of all iterates at time t: u[s] holds the stage values with ghosts; the rate of iterate s
 * goes to rates[s]. */
static rg_status rates(rg_fluid *f, double t, double *p)
{
    const rg_grid *g = f->grid;
    const bool evolves = f->options.method == RG_FLUID_COMPRESSIBILITY;

    RG_TRY(wall_rate(f, t));
    RG_TRY(rg_fluid_source(f, t, f->q));
    if (f->data.outside) RG_TRY(f->data.outside(f->data.user, t, f->outside));
    if (!evolves) memset(p, 0, (size_t)g->size * sizeof *p);
    for (int s = 0; s < f->n_iterates; s++) {
        double *const *b = f->slope[s].c;
        rg_vector_fill(f->space, f->u[s].c);
        RG_TRY(tendency(f, t, f->u[s].c, b));
        for (int c = 0; c < g->dims; c++) { /* open sides: their given part of the gradient */
            if (rg_fluid_is_closed(f)) break;
            memset(f->d, 0, (size_t)g->size * sizeof *f->d);
            rg_fluid_gradient(f, c, f->d, f->outside, 1.0, f->work.c[c]);
            for (int64_t at = 0; at < g->size; at++)
                b[c][at] += f->work.c[c][at];
        }
        if (!evolves) RG_TRY(regularized_pressure(f, f->u[s].c, b, p));
        for (int c = 0; c < g->dims; c++) {
            memset(f->work.c[c], 0, (size_t)g->size * sizeof(double));
            rg_fluid_gradient(f, c, p, NULL, 1.0, f->work.c[c]);
            for (int64_t at = 0; at < g->size; at++)
                b[c][at] += f->work.c[c][at];
        }
    }
    if (!evolves) return RG_OK;
    rg_vector_divergence(g, f->u[0].c, f->div);
    const double eps = rg_fluid_eps(f);
    for (int64_t at = 0; at < g->size; at++)
        f->p_slope[at] = (f->q[at] - f->div[at]) / eps;
    return RG_OK;
}

/* Shu-Osher form: stage m, at time t + k time, is  part u^n + (1 - part)(u + k rate). */
typedef struct {
    double time, part;
} stage_rule;

static int stage_rules(rg_fluid_scheme scheme, stage_rule out[3])
{
    out[0] = (stage_rule){0.0, 0.0};
    switch (scheme) {
    case RG_FLUID_HEUN:
        out[1] = (stage_rule){1.0, 0.5};
        return 2;
    case RG_FLUID_SSPRK3:
        out[1] = (stage_rule){1.0, 0.75};
        out[2] = (stage_rule){0.5, 1.0 / 3.0};
        return 3;
    default:
        return 1;
    }
}

rg_status rg_fluid_step_explicit(rg_fluid *f, double t, double k)
{
    const rg_grid *g = f->grid;
    stage_rule rule[3];
    const int stages = stage_rules(f->options.scheme, rule);
    const bool evolves = f->options.method == RG_FLUID_COMPRESSIBILITY;

    for (int m = 0; m < stages; m++) {
        RG_TRY(rates(f, t + rule[m].time * k, f->p));
        for (int s = 0; s < f->n_iterates; s++)
            for (int c = 0; c < g->dims; c++) {
                double *u = f->u[s].c[c];
                const double *old = f->old[s].c[c], *rate = f->slope[s].c[c];
                for (int64_t at = 0; at < g->size; at++)
                    u[at] = rule[m].part * old[at] + (1.0 - rule[m].part) * (u[at] + k * rate[at]);
            }
        for (int64_t at = 0; evolves && at < g->size; at++)
            f->p[at] = rule[m].part * f->p_old[at]
                       + (1.0 - rule[m].part) * (f->p[at] + k * f->p_slope[at]);
    }
    if (f->data.walls && f->data.walls_move) RG_TRY(f->data.walls(f->data.user, t + k, f->space));
    for (int s = 0; s < f->n_iterates; s++)
        rg_vector_fill(f->space, f->u[s].c);
    return RG_OK;
}

/* The velocities of the last steps move on by one; old[] stays for who reads it. */
void rg_fluid_accept_explicit(rg_fluid *f, double k)
{
    const rg_fluid_vector spare = f->before[1];

    f->before[1] = f->before[0], f->before[0] = spare;
    rg_fluid_copy(f->grid, &f->old[f->n_iterates - 1], &f->before[0]);
    f->k_older = f->k_old;
    f->k_old = k;
}

rg_status rg_fluid_update_pressure(rg_fluid *f, double t)
{
    const rg_fluid_options kept = f->options;
    const rg_grid *g = f->grid;
    double *const *u = rg_fluid_velocity(f);

    if (kept.method == RG_FLUID_SRM
        && kept.scheme != RG_FLUID_CN) /* p of the last iterate itself */
        RG_TRY(rates(f, t, f->p));
    else {
        f->options.method = RG_FLUID_PROJECTION;
        f->options.alpha2 = 0.0;
        rg_status status = wall_rate(f, t);
        if (status == RG_OK) status = rg_fluid_source(f, t, f->q);
        if (status == RG_OK && f->data.outside)
            status = f->data.outside(f->data.user, t, f->outside);
        if (status == RG_OK) status = tendency(f, t, u, f->stage.c);
        for (int c = 0; status == RG_OK && c < g->dims && !rg_fluid_is_closed(f); c++) {
            memset(f->d, 0, (size_t)g->size * sizeof *f->d);
            rg_fluid_gradient(f, c, f->d, f->outside, 1.0, f->work.c[c]);
            for (int64_t at = 0; at < g->size; at++)
                f->stage.c[c][at] += f->work.c[c][at];
        }
        memset(f->p, 0, (size_t)g->size * sizeof *f->p);
        if (status == RG_OK) status = regularized_pressure(f, u, f->stage.c, f->p);
        f->options = kept;
        RG_TRY(status);
    }
    if (rg_fluid_is_closed(f)) /* nothing else fixes p */
        rg_grid_remove_constant(g, f->p, false);
    return RG_OK;
}
