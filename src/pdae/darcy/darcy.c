/* Pressure and velocity of Darcy flow by sequential regularization. */
#include "pdae/darcy/darcy.h"
#include "base/vector.h"
#include "pdae/darcy/tuning.h"
#include "pdae/mesh/block.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct rg_darcy {
    rg_context *ctx;
    const rg_grid *grid;
    rg_vector_space *space;
    rg_darcy_options options;
    double *a[RG_AXES], *T[RG_AXES], *u[RG_AXES], *best[RG_AXES];
    double *p, *s, *right, *div, *index;
    double eps;  /* of this mobility */
    bool closed; /* nothing fixes the constant of p */
    rg_elliptic *solver;
    double defect;
    double loss; /* see rg_darcy_loss() */
    int iterates;
    int64_t iterations;
};

void rg_darcy_destroy(rg_darcy **darcy)
{
    rg_darcy *d = *darcy;

    if (d == NULL) return;
    rg_elliptic_destroy(&d->solver);
    for (int c = 0; c < RG_AXES; c++) {
        rg_free(d->ctx, d->a[c]);
        rg_free(d->ctx, d->T[c]);
        rg_free(d->ctx, d->u[c]);
        rg_free(d->ctx, d->best[c]);
    }
    rg_free(d->ctx, d->p);
    rg_free(d->ctx, d->s);
    rg_free(d->ctx, d->right);
    rg_free(d->ctx, d->div);
    rg_free(d->ctx, d->index);
    rg_free(d->ctx, d);
    *darcy = NULL;
}

rg_status rg_darcy_create(rg_context *ctx, rg_vector_space *space, const rg_darcy_options *options,
                          rg_darcy **out)
{
    rg_darcy *d = rg_alloc(ctx, 1, sizeof *d);
    const rg_grid *g = space->grid;
    bool ok = true;

    *out = NULL;
    if (d == NULL) return RG_ERR_MEMORY;
    d->ctx = ctx;
    d->grid = g;
    d->space = space;
    d->options = *options;
    for (int c = 0; c < g->dims; c++) {
        double **const array[] = {&d->a[c], &d->T[c], &d->u[c], &d->best[c]};
        for (size_t k = 0; k < sizeof array / sizeof *array; k++)
            ok = ok && (*array[k] = rg_grid_array(g)) != NULL;
    }
    double **const array[] = {&d->p, &d->s, &d->right, &d->div, &d->index};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        ok = ok && (*array[k] = rg_grid_array(g)) != NULL;
    if (!ok) {
        rg_darcy_destroy(&d);
        return RG_ERR_MEMORY;
    }
    *out = d;
    return RG_OK;
}

/* Mobility on the faces across c: 1/(mean of the resistances, weighted with the widths). */
static void face_mobility(rg_darcy *d, int c, const double *r)
{
    const rg_grid *g = d->grid;
    const int n = g->axis[c].n;
    int at[RG_AXES];

    for (at[2] = d->space->first[c][2]; at[2] < d->space->end[c][2]; at[2]++)
        for (at[1] = d->space->first[c][1]; at[1] < d->space->end[c][1]; at[1]++)
            for (at[0] = d->space->first[c][0]; at[0] < d->space->end[c][0]; at[0]++) {
                const int64_t place = rg_grid_at(g, at[0], at[1], at[2]);
                const double w0 = g->axis[c].width[at[c] - 1], w1 = g->axis[c].width[at[c]];
                int64_t before = place - g->stride[c], behind = place;
                if (at[c] == 0 && g->axis[c].periodic)
                    before = place + (n - 1) * g->stride[c];
                else if (at[c] == 0 && !g->axis[c].joined[0])
                    before = place;
                if (at[c] == n) behind = before; /* open sides: the cell inside */
                d->a[c][place] = (w0 + w1) / (w0 * r[before] + w1 * r[behind]);
            }
}

/* Geometric mean of the mobility over the cells, divided by the square of the longest axis. */
static double mean_scale(const rg_darcy *d, double *const *r)
{
    const rg_grid *g = d->grid;
    const double longest = rg_grid_longest(g);
    double sum[2] = {0.0, (double)g->fluid};

    for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);)
        sum[0] -= log(r[0][w.at]);
    rg_grid_sum(g, 2, sum);
    return exp(sum[0] / sum[1]) / (longest * longest);
}

rg_status rg_darcy_set(rg_darcy *d, double *const *r, const double *index)
{
    const rg_grid *g = d->grid;
    const bool is_mixed = d->options.method == RG_DARCY_MIXED;
    const rg_elliptic_options options = {.kind = is_mixed ? RG_ELLIPTIC_MIXED : d->options.solver,
                                         .reused = d->options.reused,
                                         .tol = d->options.solver_tol,
                                         .name = d->options.name};
    const rg_elliptic_matrix A = {
        .grid = g, .T = {d->T[0], d->T[1], d->T[2]},
             .s = d->s
    };

    for (int c = 0; c < g->dims; c++)
        face_mobility(d, c, r[c] ? r[c] : r[0]);
    rg_vector_transmissibility(d->space, d->a, d->T);
    d->closed = !d->space->has_open;
    d->eps = is_mixed               ? 0.0
             : d->options.eps > 0.0 ? d->options.eps
                                    : RG_GRID_EPS * mean_scale(d, r);
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, k);
                d->index[at] = index ? index[at] : 0.0;
                d->closed = d->closed && d->index[at] == 0.0;
                d->s[at] = (d->eps + d->index[at]) * rg_grid_volume(g, i, j, k);
            }
    d->closed = !rg_grid_any(g, !d->closed);
    bool done = false;
    if (d->solver) RG_TRY(rg_elliptic_renew(d->solver, &A, &done));
    if (done) return RG_OK;
    if (d->solver) d->iterations += rg_elliptic_iterations(d->solver);
    rg_elliptic_destroy(&d->solver);
    return rg_elliptic_create(d->ctx, &A, &options, &d->solver);
}

/* u = A (-grad p + f), given faces as the walls say. */
static void velocity(rg_darcy *d, double *const *f, const double *outside)
{
    const rg_grid *g = d->grid;

    for (int c = 0; c < g->dims; c++) {
        rg_vector_gradient(d->space, c, d->p, outside, 1.0, d->u[c]);
        for (int k = d->space->first[c][2]; k < d->space->end[c][2]; k++)
            for (int j = d->space->first[c][1]; j < d->space->end[c][1]; j++) {
                const int64_t row = rg_grid_at(g, 0, j, k);
                for (int i = d->space->first[c][0]; i < d->space->end[c][0]; i++) {
                    if (f) d->u[c][row + i] += f[c][row + i];
                    d->u[c][row + i] *= d->a[c][row + i];
                }
            }
    }
    rg_vector_fill(d->space, d->u);
}

RG_INLINE void keep_larger(double a, double *most)
{
    *most = a > *most ? a : *most;
}

/* A row: see balance(). */
static void balance_row(rg_darcy *d, const double *q, int j, int k, double most[3], double *flow)
{
    const rg_grid *g = d->grid;
    const int64_t row = rg_grid_at(g, 0, j, k);
    const double *width = g->axis[0].width, wy = g->axis[1].width[j], wz = g->axis[2].width[k];

    for (int i = 0; i < g->axis[0].n; i++) {
        const int64_t at = row + i;
        const double source = q[at] - d->index[at] * d->p[at], V = width[i] * wy * wz;
        if (g->solid && g->solid[at]) continue;
        const double left = d->div[at] - source;
        d->div[at] = left;
        keep_larger(fabs(left) * V, &most[0]);
        keep_larger(fabs(left), &most[1]);
        *flow += fabs(source) * V;
        keep_larger(fabs(d->u[0][at]) * (wy * wz), &most[2]); /* where nothing is put in */
        if (g->dims > 1) keep_larger(fabs(d->u[1][at]) * (width[i] * wz), &most[2]);
        if (g->dims > 2) keep_larger(fabs(d->u[2][at]) * (width[i] * wy), &most[2]);
    }
}

/* Largest |div u - q + index p| times the volume, and the sum of what flows in. */
static double balance(rg_darcy *d, const double *q, double *flow)
{
    const rg_grid *g = d->grid;
    double most[3] = {0.0, 0.0, 0.0}; /* with and without the volume; what flows through a face */

    rg_vector_divergence(g, d->u, d->div);
    *flow = 0.0;
    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            balance_row(d, q, j, k, most, flow);
    rg_grid_most(g, 3, most);
    rg_grid_sum(g, 1, flow);
    *flow = fmax(*flow, most[2]);
    d->defect = most[1];
    return most[0];
}

/* In a closed box only differences of p are determined: the constant mode, which is rounding or was
 * spread over the cells on purpose, is removed from the right-hand side (a sum over the cell) and
 * from the solution (a value), not divided by eps. */
static void remove_constant(const rg_darcy *d, double *v, bool is_sum)
{
    if (d->closed) rg_grid_remove_constant(d->grid, v, is_sum);
}

/* What the faces of a cell would carry if p were 0 on either side: rounding is a part of it. */
static double terms_at(const rg_darcy *d, double *const *f, const int index[RG_AXES])
{
    const rg_grid *g = d->grid;
    const int64_t at = rg_grid_at(g, index[0], index[1], index[2]);
    double sum = 0.0;

    for (int c = 0; c < g->dims; c++)
        for (int high = 0; high < 2; high++) {
            const int64_t face = high ? at + g->stride[c] : at,
                          other = high ? at + g->stride[c] : at - g->stride[c];
            const double gap = g->axis[c].gap[index[c] + high];
            sum += d->T[c][face]
                   * (fabs(d->p[at]) + fabs(d->p[other]) + (f ? gap * fabs(f[c][face]) : 0.0));
        }
    return sum;
}

/* How far the iterates are from the balance, but for what was spread over the cells, and for
 * rounding. */
static void find_loss(rg_darcy *d, double *const *f, double flow)
{
    const rg_grid *g = d->grid;
    double most = 0.0;
    int at[RG_AXES];

    remove_constant(d, d->div, false);
    for (at[2] = 0; at[2] < g->axis[2].n; at[2]++)
        for (at[1] = 0; at[1] < g->axis[1].n; at[1]++)
            for (at[0] = 0; at[0] < g->axis[0].n; at[0]++) {
                const int64_t cell = rg_grid_at(g, at[0], at[1], at[2]);
                const double left = fabs(d->div[cell]) * rg_grid_volume(g, at[0], at[1], at[2]);
                if (left <= RG_GRID_LOSS * flow || (g->solid && g->solid[cell])) continue;
                if (left > RG_GRID_LOSS_ROUNDING * DBL_EPSILON * terms_at(d, f, at))
                    most = fmax(most, left);
            }
    rg_grid_most(g, 1, &most);
    d->loss = most > 0.0 ? most / flow : 0.0;
}

/* An iterate in the form of a correction: (eps + D A D^T) d = q - D u, P += d, where u is the
 * velocity of P_(s-1): algebraically (5.22), and without its cancellation when P is nearly
 * right. */
rg_status rg_darcy_solve(rg_darcy *d, const double *q, double *const *f, const double *outside)
{
    const rg_grid *g = d->grid;
    const bool is_penalty = d->options.method == RG_DARCY_PENALTY;
    const int most = is_penalty                  ? 1
                     : d->options.iterations > 0 ? d->options.iterations
                                                 : RG_GRID_ITERATES;
    double flow, left;

    if (is_penalty) memset(d->p, 0, (size_t)g->size * sizeof *d->p);
    velocity(d, f, outside);
    left = balance(d, q, &flow);
    const double nothing = DBL_EPSILON * DBL_EPSILON * flow; /* beside what has flowed before */
    for (d->iterates = 0; d->iterates < most;) {
        const double before = left;
        for (int k = 0; k < g->axis[2].n; k++)
            for (int j = 0; j < g->axis[1].n; j++)
                for (int i = 0; i < g->axis[0].n; i++) {
                    const int64_t at = rg_grid_at(g, i, j, k);
                    d->right[at] = -d->div[at] * rg_grid_volume(g, i, j, k);
                }
        remove_constant(d, d->right, true);
        memset(d->div, 0, (size_t)g->size * sizeof *d->div);
        RG_TRY(rg_elliptic_solve(d->solver, d->right, d->div));
        remove_constant(d, d->div, false);
        for (int64_t at = 0; at < g->size; at++)
            d->p[at] += d->div[at];
        d->iterates++;
        velocity(d, f, outside);
        left = balance(d, q, &flow);
        if (d->options.iterations == 0
            && (left <= RG_GRID_BALANCE * flow || flow <= nothing
                || (d->iterates > 1 && left > RG_GRID_BALANCE_FALL * before)))
            break;
    }
    rg_vector_pressure_ghosts(d->space, outside, d->p);
    if (flow > nothing)
        find_loss(d, f, flow);
    else
        d->loss = 0.0;
    return RG_OK;
}

double *const *rg_darcy_velocity(const rg_darcy *d)
{
    return d->u;
}

double *rg_darcy_pressure(const rg_darcy *d)
{
    return d->p;
}

double rg_darcy_defect(const rg_darcy *d)
{
    return d->defect;
}

double rg_darcy_loss(const rg_darcy *d)
{
    return d->loss;
}

int rg_darcy_iterates(const rg_darcy *d)
{
    return d->iterates;
}

void rg_darcy_store(rg_darcy *d, rg_store *s)
{
    int64_t iterations = rg_darcy_solver_iterations(d);

    for (int c = 0; c < d->grid->dims; c++)
        rg_grid_store(d->grid, d->u[c], s);
    rg_grid_store(d->grid, d->p, s);
    RG_STORE(s, d->defect);
    RG_STORE(s, d->iterates);
    RG_STORE(s, iterations);
    if (s->is_reading) d->iterations = iterations;
}

int64_t rg_darcy_solver_iterations(const rg_darcy *d)
{
    return d->iterations + (d->solver ? rg_elliptic_iterations(d->solver) : 0);
}

const char *rg_darcy_solver_name(const rg_darcy *d)
{
    return d->solver ? rg_elliptic_name(d->solver) : "none";
}
