/* Newton's method for curves on a mesh: its norm, and what it asks of the last correction. */
#include "bvp/newton.h"

#include <math.h>

rg_status rg_bvp_newton_init(rg_bvp_newton *n, const rg_curve *shape)
{
    n->ctx = shape->ctx;
    n->scale = rg_alloc(shape->ctx, (size_t)(shape->nx + shape->n) + 1, sizeof *n->scale);
    if (n->scale == NULL) return RG_ERR_MEMORY;
    RG_TRY(rg_curve_like(shape, &n->trial));
    RG_TRY(rg_curve_like(shape, &n->D));
    return rg_curve_like(shape, &n->Db);
}

void rg_bvp_newton_clear(rg_bvp_newton *n)
{
    if (n->ctx == NULL) return;
    rg_free(n->ctx, n->scale);
    rg_curve_destroy(&n->trial);
    rg_curve_destroy(&n->D);
    rg_curve_destroy(&n->Db);
}

static rg_status correct(void *user, const void *z, bool is_new, void *d)
{
    const rg_bvp_newton *n = user;

    return n->correct(n->user, z, is_new, d);
}

static void add(const void *z, double factor, const void *d, void *to)
{
    rg_curve_add(z, factor, d, to);
}

/* Scales: the largest value of every component on the mesh. */
void rg_bvp_newton_scale(const rg_bvp_newton *n, const rg_curve *it)
{
    double *x = n->scale, *w = x + it->nx;

    for (int k = 0; k < it->nx + it->n; k++)
        n->scale[k] = n->control.floor;
    for (int64_t i = 0; i <= it->N; i++)
        for (int k = 0; k < it->nx; k++)
            x[k] = fmax(x[k], fabs(it->x[i * it->nx + k]));
    for (int64_t i = 0; i < it->N * it->rule.s && n->order != NULL; i++)
        for (int k = 0; k < it->n; k++)
            w[k] = fmax(w[k], fabs(it->w[i * it->n + k]));
}

static void rescale(void *user, const void *z)
{
    rg_bvp_newton_scale(user, z);
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

/* Where a state is large in a layer, what is small beside it is not small elsewhere: the last
 * correction must be so relative to floor + |x| at its own mesh point, too. */
static bool is_last(const void *user, const void *z, const void *correction)
{
    const rg_newton_control *control = &((const rg_bvp_newton *)user)->control;
    const rg_curve *it = z, *d = correction;

    for (int64_t k = 0; k < (d->N + 1) * d->nx && control->local > 0.0; k++)
        if (fabs(d->x[k]) > control->local * (control->floor + fabs(it->x[k]))) return false;
    return true;
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
    static const rg_newton_system system = {correct, add, rescale, size_of, is_last, perturb};
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
