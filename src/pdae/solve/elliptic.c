/* Chooses a solver for a matrix on the grid, and checks what it returns. */
#include "pdae/mesh/ranks.h"
#include "pdae/solve/elliptic_impl.h"
#include "pdae/solve/tuning.h"

#include <math.h>
#include <string.h>

bool rg_elliptic_has_open_side(const rg_elliptic *e)
{
    const rg_grid *g = e->A.grid;

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

/* Is there a term on the diagonal? */
static bool has_shift(const rg_elliptic *e)
{
    const rg_grid *g = e->A.grid;

    for (int k = 0; e->A.s && k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, k);
                if (e->A.s[at] != 0.0 && !(g->solid && g->solid[at])) return true;
            }
    return false;
}

static void take_matrix(rg_elliptic *e, const rg_elliptic_matrix *A)
{
    e->A = *A;
    e->shift = NULL;
    e->singular = !rg_grid_any(A->grid, has_shift(e) || rg_elliptic_has_open_side(e));
}

/* What solves need beside the method. */
static rg_status make_room(rg_elliptic *e)
{
    if (!e->method->is_padded) return rg_unknowns_create(e);
    if (e->singular && e->padded == NULL) e->padded = rg_grid_array(e->A.grid);
    return e->singular && e->padded == NULL ? RG_ERR_MEMORY : RG_OK;
}

static rg_status create_method(rg_elliptic *e)
{
    RG_TRY(make_room(e));
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
    e->options = *options;
    e->n = A->grid->fluid;
    take_matrix(e, A);
    rg_status status = choose(e);
    if (status == RG_OK) status = rg_level_split(e);
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
    const bool was_singular = e->singular;
    take_matrix(e, A);
    RG_TRY(choose(e));
    *done = e->method == method;
    e->method = method;
    RG_TRY(rg_level_split(e));
    *done = *done && (e->singular == was_singular || method->renews_fully);
    if (!*done) return RG_OK;
    RG_TRY(make_room(e));
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
    rg_free(e->ctx, e->defect);
    rg_free(e->ctx, e->part);
    rg_free(e->ctx, e);
    *out = NULL;
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
    rg_level_join(e);
    RG_TRY(rg_level_split(e));
    return create_method(e);
}

/* By a solver of padded arrays, without the constant where nothing fixes it; *b: what is solved. */
static rg_status solve_padded(rg_elliptic *e, const double **b, double *x)
{
    const rg_grid *g = e->A.grid;

    if (e->singular) {
        memcpy(e->padded, *b, (size_t)g->size * sizeof *e->padded);
        rg_grid_remove_constant(g, e->padded, true);
        *b = e->padded;
    }
    if (!e->method->needs_no_guess) rg_elliptic_fill_ends(g, x);
    RG_TRY(e->method->solve(e, e->state, *b, x));
    if (e->singular) rg_grid_remove_constant(g, x, false);
    return RG_OK;
}

static rg_status solve_rows(rg_elliptic *e, const double *b, double *x)
{
    rg_unknowns_collect(e, b, e->b);
    if (e->singular) rg_unknowns_balance(e);
    if (!e->method->needs_no_guess) rg_unknowns_collect(e, x, e->x);
    RG_TRY(e->method->solve(e, e->state, e->b, e->x));
    rg_unknowns_spread(e, x);
    return RG_OK;
}

/* One solve, its true residual, and whether that is what was asked for. */
static rg_status solve_once(rg_elliptic *e, const double *b, double *x, bool *is_good)
{
    double floor = 0.0;

    RG_TRY(e->method->is_padded ? solve_padded(e, &b, x) : solve_rows(e, b, x));
    e->residual = rg_elliptic_true_residual(e, b, x, &floor);
    *is_good = e->residual <= e->options.tol * RG_GRID_RESIDUAL_SLACK + RG_GRID_ROUNDING * floor;
    return RG_OK;
}

/* Again for what is left where an iteration is wrong about its residual: a guess much larger than
 * the solution leaves rounding in the first one. */
static rg_status solve(rg_elliptic *e, const double *b, double *x, bool *is_good)
{
    double before = INFINITY;

    if (e->shift) return rg_level_solve(e, solve_once, b, x, is_good);
    do {
        e->has_converged = false;
        RG_TRY(solve_once(e, b, x, is_good));
        if (*is_good || e->residual > RG_GRID_REFINE * before) return RG_OK;
        before = e->residual;
    } while (e->has_converged);
    return RG_OK;
}

rg_status rg_elliptic_solve(rg_elliptic *e, const double *b, double *x)
{
    bool is_good = false, found = true;

    RG_TRY(solve(e, b, x, &is_good));
    while (!is_good) {
        RG_TRY(take_next(e, &found));
        if (!found) return fail_residual(e);
        RG_TRY(solve(e, b, x, &is_good));
    }
    return RG_OK;
}

bool rg_elliptic_renews_fully(const rg_elliptic *e)
{
    return e->method->renews_fully;
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
    return e->singular && e->shift == NULL;
}
