/* Chooses a solver for a matrix on the grid, and checks what it returns. */
#include "base/vector.h"
#include "pdae/mesh/ranks.h"
#include "pdae/solve/elliptic_impl.h"
#include "pdae/solve/tuning.h"

#include <float.h>
#include <math.h>

/* Is there a face to the outside, or a term on the diagonal? */
static bool has_own_anchor(const rg_elliptic *e)
{
    const rg_grid *g = e->A.grid;

    for (int k = 0; e->A.s && k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, k);
                if (e->A.s[at] != 0.0 && !(g->solid && g->solid[at])) return true;
            }
    for (int d = 0; d < g->dims; d++) {
        const int n = g->axis[d].n;
        const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
        const bool low = rg_axis_is_side(&g->axis[d], 0), high = rg_axis_is_side(&g->axis[d], 1);
        for (int a = 0; a < g->axis[e1].n; a++)
            for (int b = 0; b < g->axis[e2].n; b++) {
                const int64_t at = g->origin + a * g->stride[e1] + b * g->stride[e2];
                if (low && e->A.T[d][at] != 0.0) return true;
                if (high && e->A.T[d][at + n * g->stride[d]] != 0.0) return true;
            }
    }
    return false;
}

static bool has_anchor(const rg_elliptic *e)
{
    return rg_grid_any(e->A.grid, has_own_anchor(e));
}

static void number_rows(rg_elliptic *e)
{
    const rg_grid *g = e->A.grid;
    double volume = 0.0;
    int64_t r = 0;

    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, k);
                if (g->solid && g->solid[at]) continue;
                e->place[r] = at;
                e->weight[r] = rg_grid_volume(g, i, j, k);
                volume += e->weight[r++];
            }
    rg_grid_sum(g, 1, &volume);
    for (int64_t q = 0; q < e->n; q++)
        e->weight[q] /= volume;
}

/* The unknowns one behind the other, for solvers that want them so, and to take a constant away. */
static rg_status make_rows(rg_elliptic *e)
{
    const size_t n = (size_t)e->n, padded = (size_t)rg_padded(e->n);

    if (e->place) return RG_OK;
    e->place = rg_alloc(e->ctx, n, sizeof *e->place);
    e->b = rg_alloc(e->ctx, 3 * padded, sizeof *e->b);
    if (e->place == NULL || e->b == NULL) return RG_ERR_MEMORY;
    e->x = e->b + padded;
    e->weight = e->x + padded;
    number_rows(e);
    if (e->singular && (e->padded = rg_grid_array(e->A.grid)) == NULL) return RG_ERR_MEMORY;
    return RG_OK;
}

/* Does the right-hand side of a solve stand in rows? */
static bool has_rows(const rg_elliptic *e)
{
    return !e->method->is_padded || e->singular;
}

static rg_status create_method(rg_elliptic *e)
{
    if (has_rows(e)) RG_TRY(make_rows(e));
    return e->method->create(e, &e->state);
}

/* Up to so many unknowns a factorization is at least as fast as the iteration. */
static int64_t direct_limit(const rg_elliptic *e)
{
    switch (e->A.grid->dims) {
    case 1:
        return INT64_MAX;
    case 2:
        return e->options.reused ? RG_GRID_DIRECT_2D_REUSED : RG_GRID_DIRECT_2D;
    default:
        return e->options.reused ? RG_GRID_DIRECT_3D_REUSED : RG_GRID_DIRECT_3D;
    }
}

/* For a matrix that stays the same its factors are cheaper as long as they are small. */
static bool is_multigrid_best(const rg_elliptic *e, int64_t n)
{
    const int64_t limit = e->options.reused ? direct_limit(e) : RG_GRID_DIRECT_SMOOTH;

    return n > limit && rg_elliptic_is_smooth(e);
}

/* Of a grid that is divided among ranks only PETSc can solve the systems. */
static rg_status choose_divided(rg_elliptic *e)
{
    e->method = e->options.kind == RG_ELLIPTIC_MIXED ? rg_ranks->mixed : rg_ranks->solver;
    if (e->options.kind == RG_ELLIPTIC_AUTO || e->options.kind == RG_ELLIPTIC_PETSC
        || e->options.kind == RG_ELLIPTIC_MIXED)
        return RG_OK;
    rg_fail(e->ctx, RG_ERR_METHOD, "on several ranks PETSc solves the system of '%s'",
            e->options.name);
    return rg_remedy(e->ctx, "leave --solver away, or --ranks");
}

static rg_status choose(rg_elliptic *e)
{
    if (e->A.grid->whole) return choose_divided(e);
    const char *why = NULL;
    const bool transform = rg_elliptic_can_transform(e, &why);
    const int64_t n = e->A.grid->stands_for > 0 ? e->A.grid->stands_for : e->n;

    switch (e->options.kind) {
    case RG_ELLIPTIC_TRANSFORM:
        e->method = &rg_elliptic_transform;
        if (!transform) {
            rg_fail(e->ctx, RG_ERR_ARGUMENT, "transforms cannot solve the system of '%s': %s",
                    e->options.name, why);
            return rg_remedy(e->ctx, "use --solver auto");
        }
        break;
    case RG_ELLIPTIC_MULTIGRID:
        e->method = &rg_elliptic_multigrid;
        if (e->A.grid->solid) {
            rg_fail(e->ctx, RG_ERR_ARGUMENT,
                    "geometric multigrid cannot solve the system of '%s': there are solids",
                    e->options.name);
            return rg_remedy(e->ctx, "use --solver aggregation");
        }
        break;
    case RG_ELLIPTIC_DIRECT:
        e->method = &rg_elliptic_direct;
        break;
    case RG_ELLIPTIC_AGGREGATION:
        e->method = &rg_elliptic_aggregation;
        break;
    case RG_ELLIPTIC_PETSC:
        if (rg_ranks == NULL) return rg_ranks_missing(e->ctx, "--solver petsc");
        e->method = rg_ranks->solver;
        break;
    case RG_ELLIPTIC_MIXED:
        e->method = &rg_elliptic_saddle;
        break;
    case RG_ELLIPTIC_AUTO:
        e->method = transform                 ? &rg_elliptic_transform
                    : is_multigrid_best(e, n) ? &rg_elliptic_multigrid
                    : n <= direct_limit(e)    ? &rg_elliptic_direct
                                              : &rg_elliptic_aggregation;
        break;
    }
    return RG_OK;
}

rg_status rg_elliptic_create(rg_context *ctx, const rg_elliptic_matrix *A,
                             const rg_elliptic_options *options, rg_elliptic **out)
{
    rg_elliptic *e = rg_alloc(ctx, 1, sizeof *e);

    *out = NULL;
    if (e == NULL) return RG_ERR_MEMORY;
    e->ctx = ctx;
    e->A = *A;
    e->options = *options;
    e->n = A->grid->fluid;
    e->singular = !has_anchor(e);
    rg_status status = choose(e);
    if (status == RG_OK) status = create_method(e);
    if (status != RG_OK) {
        rg_elliptic_destroy(&e);
        return status;
    }
    rg_log(ctx, 2, "the system of '%s' with %lld unknowns is solved by %s", e->options.name,
           (long long)e->n, e->method->name);
    *out = e;
    return RG_OK;
}

rg_status rg_elliptic_renew(rg_elliptic *e, const rg_elliptic_matrix *A, bool *done)
{
    const rg_elliptic_method *const method = e->method;

    *done = false;
    if (method->renew == NULL || A->grid != e->A.grid) return RG_OK;
    e->A = *A;
    if (e->singular != !has_anchor(e)) return RG_OK;
    RG_TRY(choose(e));
    *done = e->method == method;
    e->method = method;
    if (!*done) return RG_OK;
    const rg_status status = method->renew(e, e->state);
    *done = status == RG_OK;
    return status == RG_RETRY ? RG_OK : status;
}

void rg_elliptic_destroy(rg_elliptic **out)
{
    rg_elliptic *e = *out;

    if (e == NULL) return;
    if (e->method && e->state) e->method->destroy(e, e->state);
    rg_free(e->ctx, e->place);
    rg_free(e->ctx, e->b);
    rg_free(e->ctx, e->padded);
    rg_free(e->ctx, e);
    *out = NULL;
}

/* Between padded arrays and the rows. */
static void collect(const rg_elliptic *e, const double *padded, double *rows)
{
    if (e->A.grid->solid == NULL) {
        rg_grid_pack(e->A.grid, padded, rows);
        return;
    }
    for (int64_t r = 0; r < e->n; r++)
        rows[r] = padded[e->place[r]];
}

static void spread(const rg_elliptic *e, const double *rows, double *padded)
{
    if (e->A.grid->solid == NULL) {
        rg_grid_unpack(e->A.grid, rows, padded);
        return;
    }
    for (int64_t r = 0; r < e->n; r++)
        padded[e->place[r]] = rows[r];
}

/* The neighbours beyond the ends: copies on periodic axes, 0 otherwise. */
static void fill_ends(const rg_grid *g, double *x)
{
    for (int d = 0; d < g->dims; d++) {
        const int64_t n = g->axis[d].n, s = g->stride[d];
        const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;
        for (int b = 0; b < g->axis[e2].n; b++)
            for (int a = 0; a < g->axis[e1].n; a++) {
                double *row = x + g->origin + a * g->stride[e1] + b * g->stride[e2];
                row[-s] = g->axis[d].periodic ? row[(n - 1) * s] : 0.0;
                row[n * s] = g->axis[d].periodic ? row[0] : 0.0;
            }
        rg_grid_join(g, d, x);
    }
}

typedef struct { /* the matrix and x from a cell on; sy, sz 0: no such axis */
    const double *x, *b, *s, *Tx, *Ty, *Tz;
    int64_t sy, sz;
} cells;

/* Adds the squares of four cells from i on. */
RG_INLINE void add_four(const cells *c, int i, rg_quad part[3])
{
    const int64_t sy = c->sy, sz = c->sz;
    const double *x = c->x + i;
    const rg_quad v = RG_FOUR(x), T0 = RG_FOUR(c->Tx + i), T1 = RG_FOUR(c->Tx + i + 1),
                  b = RG_FOUR(c->b + i);
    rg_quad ax = T0 * (v - RG_FOUR(x - 1)) + T1 * (v - RG_FOUR(x + 1)), T = T0 + T1;

    if (sy) {
        const rg_quad low = RG_FOUR(c->Ty + i), high = RG_FOUR(c->Ty + i + sy);
        ax += low * (v - RG_FOUR(x - sy)) + high * (v - RG_FOUR(x + sy));
        T += low + high;
    }
    if (sz) {
        const rg_quad low = RG_FOUR(c->Tz + i), high = RG_FOUR(c->Tz + i + sz);
        ax += low * (v - RG_FOUR(x - sz)) + high * (v - RG_FOUR(x + sz));
        T += low + high;
    }
    if (c->s) {
        ax += RG_FOUR(c->s + i) * v;
        T += RG_FOUR(c->s + i);
    }
    const rg_quad left = b - ax, size = T * v;
    part[0] += left * left;
    part[1] += b * b;
    part[2] += size * size;
}

/* The same of one cell. */
static void add_one(const cells *c, int i, double part[3])
{
    const int64_t sy = c->sy, sz = c->sz;
    const double *x = c->x + i, v = *x;
    double ax = c->Tx[i] * (v - x[-1]) + c->Tx[i + 1] * (v - x[1]), T = c->Tx[i] + c->Tx[i + 1];

    if (sy) {
        ax += c->Ty[i] * (v - x[-sy]) + c->Ty[i + sy] * (v - x[sy]);
        T += c->Ty[i] + c->Ty[i + sy];
    }
    if (sz) {
        ax += c->Tz[i] * (v - x[-sz]) + c->Tz[i + sz] * (v - x[sz]);
        T += c->Tz[i] + c->Tz[i + sz];
    }
    if (c->s) {
        ax += c->s[i] * v;
        T += c->s[i];
    }
    const double left = c->b[i] - ax, size = T * v;
    part[0] += left * left;
    part[1] += c->b[i] * c->b[i];
    part[2] += size * size;
}

/* The squares of a row: n cells from `at` on with right-hand sides b. */
RG_FOR_ALL_VECTORS
static void squares_of_row(const rg_elliptic *e, const double *padded, int64_t at, int n,
                           const double *b, double out[RG_CREW_SUMS])
{
    const rg_grid *g = e->A.grid;
    const int64_t sy = g->dims > 1 ? g->stride[1] : 0, sz = g->dims > 2 ? g->stride[2] : 0;
    const cells c = {.x = padded + at,
                     .b = b,
                     .s = e->A.s ? e->A.s + at : NULL,
                     .Tx = e->A.T[0] + at,
                     .Ty = sy ? e->A.T[1] + at : NULL,
                     .Tz = sz ? e->A.T[2] + at : NULL,
                     .sy = sy,
                     .sz = sz};

    rg_quad part[3] = {{0.0}};
    double rest[3] = {0.0};
    int i = 0;
    for (; i + RG_LANES <= n; i += RG_LANES)
        add_four(&c, i, part);
    for (; i < n; i++)
        add_one(&c, i, rest);
    for (int k = 0; k < 3; k++)
        out[k] = ((part[k][0] + part[k][1]) + (part[k][2] + part[k][3])) + rest[k];
}

typedef struct {
    const rg_elliptic *e;
    const double *padded, *b; /* b of all rows, or padded */
    bool has_rows;
    double *v, mean;
    bool weighted;
} loop;

static void square_row(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const rg_grid *g = w->e->A.grid;
    int j, k;

    rg_cell_row(g, unit, &j, &k);
    const int64_t at = rg_grid_at(g, 0, j, k), first = w->has_rows ? unit * g->axis[0].n : at;
    squares_of_row(w->e, w->padded, at, g->axis[0].n, w->b + first, out);
}

/* Around solids: a block of cells one by one. */
static void square_block(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const int64_t end = (unit + 1) * RG_GRID_BLOCK;

    out[0] = out[1] = out[2] = 0.0;
    for (int64_t r = unit * RG_GRID_BLOCK; r < end && r < w->e->n; r++) {
        double one[RG_CREW_SUMS];
        squares_of_row(w->e, w->padded, w->e->place[r], 1, w->b + r, one);
        for (int k = 0; k < RG_CREW_SUMS; k++)
            out[k] += one[k];
    }
}

static int64_t blocks_of(const rg_elliptic *e)
{
    return (e->n + RG_GRID_BLOCK - 1) / RG_GRID_BLOCK;
}

/* |b - A x| over |b|, and over the rounding of A x that no solver can undercut. */
static double true_residual(rg_elliptic *e, const double *b, double *x, double *floor)
{
    const rg_grid *g = e->A.grid;
    double all[RG_CREW_SUMS]; /* squares of b - A x, b, A x */
    loop w = {.e = e, .padded = x, .b = has_rows(e) ? e->b : b, .has_rows = has_rows(e)};

    fill_ends(g, x);
    if (g->solid)
        rg_crew_sum(e->ctx, blocks_of(e), RG_GRID_BLOCK, square_block, &w, all);
    else
        rg_crew_sum(e->ctx, e->n / g->axis[0].n, g->axis[0].n, square_row, &w, all);
    rg_grid_sum(g, 3, all);
    *floor = all[1] > 0.0 ? DBL_EPSILON * sqrt(all[2] / all[1]) : 0.0;
    return all[1] > 0.0 ? sqrt(all[0] / all[1]) : sqrt(all[0]);
}

/* Partial sums by lanes, so that vectors do not change them. */
RG_FOR_ALL_VECTORS
static void sum_block(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const int64_t first = unit * RG_GRID_BLOCK,
                  n = w->e->n - first < RG_GRID_BLOCK ? w->e->n - first : RG_GRID_BLOCK;
    const double *v = w->v + first, *weight = w->e->weight + first;
    rg_quad low = {0.0}, high = {0.0};
    double rest = 0.0;
    int64_t i = 0;

    if (w->weighted)
        for (; i + 2 * RG_LANES <= n; i += 2 * RG_LANES) {
            low += RG_FOUR(v + i) * RG_FOUR(weight + i);
            high += RG_FOUR(v + i + RG_LANES) * RG_FOUR(weight + i + RG_LANES);
        }
    else
        for (; i + 2 * RG_LANES <= n; i += 2 * RG_LANES) {
            low += RG_FOUR(v + i);
            high += RG_FOUR(v + i + RG_LANES);
        }
    for (; i < n; i++)
        rest += w->weighted ? v[i] * weight[i] : v[i];
    low += high;
    out[0] = ((low[0] + low[1]) + (low[2] + low[3])) + rest;
    out[1] = out[2] = 0.0;
}

RG_FOR_ALL_VECTORS
static void shift_blocks(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const int64_t last = end * RG_GRID_BLOCK < w->e->n ? end * RG_GRID_BLOCK : w->e->n;
    const double mean = w->mean, *weight = w->e->weight;
    double *v = w->v;

    (void)hand;
    if (w->weighted)
        for (int64_t r = from * RG_GRID_BLOCK; r < last; r++)
            v[r] -= mean;
    else
        for (int64_t r = from * RG_GRID_BLOCK; r < last; r++)
            v[r] -= mean * weight[r];
}

/* The mean over the volume, or of sums over the cells. */
static void remove_constant(const rg_elliptic *e, double *v, bool weighted)
{
    double all[RG_CREW_SUMS];
    loop w = {.e = e, .v = v, .weighted = weighted};

    rg_crew_sum(e->ctx, blocks_of(e), RG_GRID_BLOCK, sum_block, &w, all);
    rg_grid_sum(e->A.grid, 1, all);
    w.mean = all[0];
    rg_grid_blocks(e->A.grid, e->n, shift_blocks, &w);
}

static rg_status fail_residual(const rg_elliptic *e)
{
    rg_fail(e->ctx, RG_ERR_CONVERGENCE,
            "the linear system of '%s' is solved to a relative residual of %.2g only",
            e->options.name, e->residual);
    if (e->A.grid->whole)
        return rg_remedy(e->ctx, "leave --ranks away, or choose another method of PETSc by "
                                 "--petsc \"-pc_type ...\"");
    if (e->method->is_direct)
        return rg_remedy(e->ctx, "rounding allows no more: a smaller contrast of the coefficients "
                                 "helps, or a larger --solver_tol");
    return rg_remedy(e->ctx, "try --solver direct, or %s where its factors are too large",
                     e->method->next ? "petsc" : "aggregation");
}

/* Where the chosen iteration does not converge: aggregation, then a factorization.  Neither is
 * left for a solver that was asked for by name. */
static rg_status take_next(rg_elliptic *e, bool *found)
{
    const rg_elliptic_method *next = e->method->next;

    *found = e->options.kind == RG_ELLIPTIC_AUTO && next != NULL;
    if (!*found) return RG_OK;
    rg_log(e->ctx, 1, "the system of '%s' is left at a residual of %.2g by %s: now by %s",
           e->options.name, e->residual, e->method->name, next->name);
    if (e->state) e->method->destroy(e, e->state);
    e->state = NULL;
    e->method = next;
    return create_method(e);
}

/* By a solver of padded arrays. */
static rg_status solve_padded(rg_elliptic *e, const double *b, double *x)
{
    if (e->singular) {
        spread(e, e->b, e->padded);
        b = e->padded;
    }
    fill_ends(e->A.grid, x);
    RG_TRY(e->method->solve(e, e->state, b, x));
    if (!e->singular) return RG_OK;
    collect(e, x, e->x);
    remove_constant(e, e->x, true);
    spread(e, e->x, x);
    return RG_OK;
}

static rg_status solve_rows(rg_elliptic *e, double *x)
{
    if (!e->method->needs_no_guess) collect(e, x, e->x);
    RG_TRY(e->method->solve(e, e->state, e->b, e->x));
    if (e->singular) remove_constant(e, e->x, true);
    spread(e, e->x, x);
    return RG_OK;
}

/* One solve, its true residual, and whether that is what was asked for. */
static rg_status solve_once(rg_elliptic *e, const double *b, double *x, bool *is_good)
{
    double floor = 0.0;

    if (has_rows(e)) collect(e, b, e->b);
    if (e->singular) remove_constant(e, e->b, false);
    RG_TRY(e->method->is_padded ? solve_padded(e, b, x) : solve_rows(e, x));
    e->residual = true_residual(e, b, x, &floor);
    *is_good = e->residual <= e->options.tol * RG_GRID_RESIDUAL_SLACK + RG_GRID_ROUNDING * floor;
    return RG_OK;
}

rg_status rg_elliptic_solve(rg_elliptic *e, const double *b, double *x)
{
    bool is_good = false, found = true;

    RG_TRY(solve_once(e, b, x, &is_good));
    while (!is_good) {
        RG_TRY(take_next(e, &found));
        if (!found) return fail_residual(e);
        RG_TRY(solve_once(e, b, x, &is_good));
    }
    return RG_OK;
}

const char *rg_elliptic_name(const rg_elliptic *e)
{
    return e->method->name;
}

int64_t rg_elliptic_iterations(const rg_elliptic *e)
{
    return e->iterations;
}

double rg_elliptic_residual(const rg_elliptic *e)
{
    return e->residual;
}

bool rg_elliptic_is_singular(const rg_elliptic *e)
{
    return e->singular;
}
