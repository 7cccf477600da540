/* Newton's method for curves on a mesh: its norm, and what it asks of the last correction. */
#include "bvp/newton.h"
#include "bvp/tuning.h"

#include <float.h>
#include <math.h>

rg_status rg_bvp_newton_init(rg_bvp_newton *n, const rg_curve *shape)
{
    n->ctx = shape->ctx;
    n->scale = rg_alloc(shape->ctx, (size_t)(4 * (shape->nx + shape->n)) + 1, sizeof *n->scale);
    n->work = rg_alloc(shape->ctx, (size_t)(shape->N + 1) * (size_t)shape->nx + 1, sizeof *n->work);
    if (n->scale == NULL || n->work == NULL) return RG_ERR_MEMORY;
    n->natural = n->scale + shape->nx + shape->n;
    n->size = n->natural + 2 * (shape->nx + shape->n);
    RG_TRY(rg_curve_like(shape, &n->trial));
    RG_TRY(rg_curve_like(shape, &n->D));
    return rg_curve_like(shape, &n->Db);
}

void rg_bvp_newton_clear(rg_bvp_newton *n)
{
    if (n->ctx == NULL) return;
    rg_free(n->ctx, n->scale);
    rg_free(n->ctx, n->work);
    rg_curve_destroy(&n->trial);
    rg_curve_destroy(&n->D);
    rg_curve_destroy(&n->Db);
}

static void add(const void *z, double factor, const void *d, void *to)
{
    rg_curve_add(z, factor, d, to);
}

/* Of one column of such rows. */
static double largest(int64_t count, int n, const double *values)
{
    double most = 0.0;

    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(values[i * n]));
    return most;
}

/* values: (count) rows of n; largest absolute values into `most`. */
static void enlarge(int64_t count, int n, const double *values, double *most)
{
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < n; k++)
            most[k] = fmax(most[k], fabs(values[i * n + k]));
}

/* Are the unknowns themselves measured in units in which they are neither tiny nor huge? */
static bool is_sane(const rg_bvp_newton *n, const rg_curve *it)
{
    for (int k = 0; k < it->nx + it->n; k++) {
        const bool counts = k < it->nx ? n->depth == NULL || n->depth[k] == 0
                                       : n->order != NULL && n->order[k - it->nx] == 0;
        if (counts
            && (n->size[k] > RG_SANE_MOST || (n->size[k] > 0.0 && n->size[k] < RG_SANE_LEAST)))
            return false;
    }
    return true;
}

void rg_bvp_newton_scale(const rg_bvp_newton *n, const rg_curve *it, const rg_curve *delta)
{
    const int count = it->nx + it->n;

    for (int k = 0; k < count; k++)
        n->size[k] = 0.0;
    enlarge(it->N + 1, it->nx, it->x, n->size);
    if (n->order != NULL) enlarge(it->N * it->rule.s, it->n, it->w, n->size + it->nx);
    for (int k = 0; k < count && delta != NULL; k++) {
        const double change = k < it->nx
                                  ? largest(it->N + 1, it->nx, delta->x + k)
                                  : largest(it->N * it->rule.s, it->n, delta->w + k - it->nx);
        if (n->size[k] < RG_SCALE_ZERO * change) n->size[k] = change;
    }
    const double floor = n->find_natural == NULL || is_sane(n, it) ? n->control.floor : 0.0;
    const double length = fabs(it->t[it->N] - it->t[0]);
    for (int k = 0; k < count; k++) {
        const bool is_slope = k < it->nx && n->depth != NULL && n->depth[k] > 0;
        const double least = is_slope ? floor / pow(length, n->depth[k]) : floor;
        const double unit = RG_NOISE_SINGLE * DBL_EPSILON / n->control.tol;
        if (n->size[k] < RG_ZERO_NOISE * DBL_EPSILON * n->natural[k])
            n->size[k] = unit * n->natural[k];
        n->size[k] = fmax(n->size[k], unit * n->natural[count + k]);
        n->scale[k] = fmax(fmax(n->size[k], least), DBL_MIN);
    }
}

void rg_bvp_newton_own_scale(const rg_bvp_newton *n, const rg_curve *it, double *own)
{
    const double *natural = n->natural, *more = natural + it->nx + it->n;

    for (int k = 0; k < it->nx; k++) {
        const double size = largest(it->N + 1, it->nx, it->x + k);
        const bool is_zero = size < RG_ZERO_NOISE * DBL_EPSILON * fmax(natural[k], more[k]);
        const double unit = RG_NOISE_SINGLE * DBL_EPSILON / n->control.tol;
        const bool is_raised = !is_zero && n->scale[k] <= unit * more[k];
        own[k] = is_raised ? size : n->scale[k];
    }
}

static rg_status correct(void *user, const void *z, bool is_new, void *d)
{
    const rg_bvp_newton *n = user;

    RG_TRY(n->correct(n->user, z, is_new, d));
    if (!is_new || n->find_natural == NULL) return RG_OK;
    n->find_natural(n->user, z, n->work, n->natural);
    rg_bvp_newton_scale(n, z, d);
    return RG_OK;
}

static void rescale(void *user, const void *z)
{
    rg_bvp_newton_scale(user, z, NULL);
}

/* Largest relative entry of d - factor e (e may be NULL), and its component. */
static double find_largest(const rg_bvp_newton *n, const rg_curve *d, double factor,
                           const rg_curve *e, int *component)
{
    double size = 0.0;

    for (int64_t i = 0; i <= d->N; i++)
        for (int k = 0; k < d->nx; k++) {
            const int64_t at = i * d->nx + k;
            const double v = fabs(d->x[at] - (e != NULL ? factor * e->x[at] : 0.0)) / n->scale[k];
            if (v <= size) continue;
            size = v;
            *component = k;
        }
    for (int64_t i = 0; i < d->N * d->rule.s && n->order != NULL; i++)
        for (int k = 0; k < d->n; k++) {
            if (n->order[k] > 0) continue;
            const int64_t at = i * d->n + k;
            const double v =
                fabs(d->w[at] - (e != NULL ? factor * e->w[at] : 0.0)) / n->scale[d->nx + k];
            if (v <= size) continue;
            size = v;
            *component = d->nx + k;
        }
    return size;
}

static double size_of(const void *user, const void *correction, double factor, const void *other)
{
    int component = 0;

    return find_largest(user, correction, factor, other, &component);
}

/* Every unknown beside its own size, whatever the norm is measured in. */
static bool is_last(const void *user, const void *correction)
{
    const rg_bvp_newton *n = user;
    const rg_curve *d = correction;

    for (int64_t k = 0; k < (d->N + 1) * d->nx && n->control.local > 0.0; k++)
        if (fabs(d->x[k]) > n->control.local * n->size[k % d->nx]) return false;
    return true;
}

static bool is_exact(void *user, const void *z)
{
    const rg_bvp_newton *n = user;

    return n->find_rounding != NULL && n->control.is_regular
           && n->find_rounding(n->user, z, n->scale, n->work)
                  <= RG_LINEAR_ROUNDING * n->control.tol;
}

static void perturb(const void *z, void *to)
{
    rg_curve_perturb(z, 0x1p-52, to);
}

/* The numbers of the two change places: the caller's curve stays the same object. */
static void exchange(rg_curve *a, rg_curve *b)
{
    const rg_curve c = *a;

    a->x = b->x;
    a->Xp = b->Xp;
    a->w = b->w;
    a->wn = b->wn;
    b->x = c.x;
    b->Xp = c.Xp;
    b->w = c.w;
    b->wn = c.wn;
}

rg_status rg_bvp_newton_solve(rg_bvp_newton *n, bool has_factors, rg_curve *it)
{
    static const rg_newton_system system = {correct, add,     rescale, size_of,
                                            is_last, perturb, is_exact};
    rg_newton run = {.ctx = it->ctx, .system = &system, .user = n, .has_factors = has_factors};

    run.tol = n->control.tol;
    run.most = n->control.most;
    run.z = it;
    run.trial = n->trial;
    run.D = n->D;
    run.Db = n->Db;
    const rg_status status = rg_newton_solve(&run);
    if (run.z != it) exchange(it, run.z);
    n->n_iterations = run.n_iterations;
    n->rounding = run.rounding;
    if (n->rounding > 0.0) find_largest(n, run.D, 1.0, run.Db, &n->rounded);
    return status;
}
