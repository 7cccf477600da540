#include "bvp/form.h"

#include "linalg/small_lu.h"

#include <math.h>
#include <string.h>

static rg_status check_offsets(const rg_problem *p, const rg_analysis *a)
{
    if (a->is_structural && a->n_redundant == 0) return RG_OK;
    rg_fail(
        p->ctx, RG_ERR_METHOD,
        a->n_redundant > 0
            ? "some equations follow from the others, which boundary value methods cannot use"
            : "the index %d of this model comes from combinations of equations, which cannot be "
              "reduced one by one",
        a->index);
    if (a->n_redundant > 0)
        return rg_remedy(p->ctx, "leave these equations out, and one unknown for each of them");
    return rg_remedy(p->ctx, "replace one of the dependent equations by the combination itself%s",
                     a->index <= 1 ? ", or, if the model is linear, take --method transfer" : "");
}

enum {
    MOST_STATES = 1000
}; /* states and unknowns: blocks are dense, MOST_STATES^2 numbers at most per collocation point */

static rg_status check_size(const rg_problem *p, const rg_analysis *a)
{
    int64_t size = p->n;

    for (int64_t j = 0; j < p->n; j++)
        size += a->d[j];
    if (size <= MOST_STATES) return RG_OK;
    rg_fail(p->ctx, RG_ERR_METHOD,
            "the boundary value problem has %lld states and unknowns; at most %d can be taken",
            (long long)size, MOST_STATES);
    return rg_remedy(p->ctx, "take fewer points or elements in the model's arrays");
}

/* x: unknown after unknown, orders 0 .. d_j - 1. */
static rg_status number_states(rg_bvp_form *f)
{
    const rg_analysis *a = f->a;
    int32_t *m = NULL;
    rg_status status = RG_OK;
    int nx = 0, most = 0;

    for (int j = 0; j < f->n; j++) {
        nx += a->d[j];
        f->n_algebraic += a->d[j] == 0;
        if (a->d[j] > most) most = a->d[j];
    }
    f->nx = nx;
    f->nz = nx + f->n;
    f->n_orders = most + 1;
    f->first = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof *f->first);
    f->unknown = rg_alloc(f->ctx, (size_t)nx + 1, sizeof *f->unknown);
    f->order = rg_alloc(f->ctx, (size_t)nx + 1, sizeof *f->order);
    f->next = rg_alloc(f->ctx, (size_t)nx + 1, sizeof *f->next);
    f->place = rg_alloc(f->ctx, (size_t)f->n_orders, sizeof *f->place);
    m = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof *m);
    if (!f->first || !f->unknown || !f->order || !f->next || !f->place || !m)
        status = RG_ERR_MEMORY;
    for (int r = 0; r < f->n_orders && status == RG_OK; r++)
        if ((f->place[r] = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof **f->place)) == NULL)
            status = RG_ERR_MEMORY;
    for (int j = 0, k = 0; j < f->n && status == RG_OK; j++) {
        const int d = a->d[j];
        f->first[j] = k;
        m[j] = d > 1 ? d : 1;
        for (int r = 0; r < d; r++, k++) {
            f->unknown[k] = j;
            f->order[k] = r;
            f->next[k] = r + 1 < d ? k + 1 : -1;
            f->place[r][j] = k;
        }
        f->place[d][j] = nx + j;
        for (int r = d + 1; r < f->n_orders; r++)
            f->place[r][j] = -1;
    }
    if (status == RG_OK) status = rg_states_init(f->ctx, f->n, m, &f->states);
    rg_free(f->ctx, m);
    return status;
}

/* Level k of equation i is wanted: k = c_i (the equations), or k < c_i (the invariants). */
static rg_status make_assembly(rg_bvp_form *f, bool is_invariant, rg_assembly **out)
{
    int levels = 1, n_rows = 0;
    rg_status status = RG_OK;

    for (int i = 0; i < f->n; i++)
        if (f->a->c[i] + 1 > levels) levels = f->a->c[i] + 1;
    int32_t **row = rg_alloc(f->ctx, (size_t)levels, sizeof *row);
    if (row == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < levels && status == RG_OK; k++) {
        if ((row[k] = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof **row)) == NULL)
            status = RG_ERR_MEMORY;
        for (int i = 0; i < f->n && status == RG_OK; i++) {
            const bool is_wanted = is_invariant ? k < f->a->c[i] : k == f->a->c[i];
            row[k][i] = !is_wanted ? -1 : is_invariant ? n_rows : i;
            n_rows += is_wanted;
        }
    }
    if (is_invariant) f->n_invariants = n_rows;
    if (status == RG_OK && n_rows > 0) {
        const rg_assembly_spec spec = {levels, f->n_orders,
                                       f->nz,  (const int32_t *const *)row,
                                       n_rows, (const int32_t *const *)f->place};
        status = rg_assembly_create(f->p, &spec, true, out);
    }
    for (int k = 0; k < levels; k++)
        rg_free(f->ctx, row[k]);
    rg_free(f->ctx, row);
    return status;
}

static rg_status fill(rg_bvp_form *f)
{
    RG_TRY(number_states(f));
    RG_TRY(make_assembly(f, false, &f->equations));
    RG_TRY(make_assembly(f, true, &f->invariants));
    RG_TRY(rg_assembly_work_create(f->equations, &f->work));
    int64_t entries = rg_assembly_pattern(f->equations)->start[f->nz];
    if (f->invariants != NULL) {
        RG_TRY(rg_assembly_work_create(f->invariants, &f->invariant_work));
        const int64_t more = rg_assembly_pattern(f->invariants)->start[f->nz];
        if (more > entries) entries = more;
    }
    f->z = rg_alloc(f->ctx, (size_t)f->nz + 1, sizeof *f->z);
    f->J = rg_alloc(f->ctx, (size_t)entries + 1, sizeof *f->J);
    if (f->z == NULL || f->J == NULL) return RG_ERR_MEMORY;
    return rg_drift_init(f->p, f->a, &f->states, &f->drift);
}

rg_status rg_bvp_form_create(const rg_problem *p, const rg_analysis *a, rg_bvp_form **out)
{
    *out = NULL;
    RG_TRY(check_offsets(p, a));
    RG_TRY(check_size(p, a));
    rg_bvp_form *f = rg_alloc(p->ctx, 1, sizeof *f);
    if (f == NULL) return RG_ERR_MEMORY;
    f->ctx = p->ctx;
    f->p = p;
    f->a = a;
    f->n = (int)p->n;
    const rg_status status = fill(f);
    if (status == RG_OK)
        *out = f;
    else
        rg_bvp_form_destroy(&f);
    return status;
}

void rg_bvp_form_destroy(rg_bvp_form **form)
{
    rg_bvp_form *f = *form;

    if (f == NULL) return;
    rg_context *ctx = f->ctx;
    rg_assembly_work_destroy(&f->work);
    rg_assembly_work_destroy(&f->invariant_work);
    rg_assembly_destroy(&f->equations);
    rg_assembly_destroy(&f->invariants);
    rg_drift_clear(ctx, &f->drift);
    rg_states_clear(ctx, &f->states);
    for (int r = 0; f->place != NULL && r < f->n_orders; r++)
        rg_free(ctx, f->place[r]);
    void *const arrays[] = {f->first, f->unknown, f->order, f->next, f->place, f->z, f->J};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    rg_free(ctx, f);
    *form = NULL;
}

static void fill_z(rg_bvp_form *f, const double *x, const double *w)
{
    memcpy(f->z, x, (size_t)f->nx * sizeof *x);
    memcpy(f->z + f->nx, w, (size_t)f->n * sizeof *w);
}

rg_status rg_bvp_form_residual(rg_bvp_form *f, double t, const double *x, const double *w,
                               double *F)
{
    fill_z(f, x, w);
    return rg_assembly_residual(f->equations, f->work, t, f->z, F);
}

/* Columns first .. first+count-1 of a sparse Jacobian, dense. */
static void spread(const rg_pattern *pattern, const double *J, int first, int count, double *out)
{
    const int64_t m = pattern->n_rows;

    memset(out, 0, (size_t)(m * count) * sizeof *out);
    for (int j = 0; j < count; j++)
        for (int64_t e = pattern->start[first + j]; e < pattern->start[first + j + 1]; e++)
            out[j * m + pattern->row[e]] = J[e];
}

rg_status rg_bvp_form_jacobian(rg_bvp_form *f, double t, const double *x, const double *w,
                               double *F, double *Fx, double *Fw)
{
    fill_z(f, x, w);
    RG_TRY(rg_assembly_jacobian(f->equations, f->work, t, f->z, F, f->J));
    spread(rg_assembly_pattern(f->equations), f->J, 0, f->nx, Fx);
    spread(rg_assembly_pattern(f->equations), f->J, f->nx, f->n, Fw);
    return RG_OK;
}

rg_status rg_bvp_form_invariants(rg_bvp_form *f, double t, const double *x, double *G, double *Gx)
{
    if (f->invariants == NULL) return RG_OK;
    memcpy(f->z, x, (size_t)f->nx * sizeof *x);
    memset(f->z + f->nx, 0, (size_t)f->n * sizeof *x);
    RG_TRY(rg_assembly_jacobian(f->invariants, f->invariant_work, t, f->z, G, f->J));
    spread(rg_assembly_pattern(f->invariants), f->J, 0, f->nx, Gx);
    return RG_OK;
}

/* w <- w - Fw^-1 F until the update is rounding, or no longer falls below what Newton's method has reached. */
rg_status rg_bvp_form_solve(rg_bvp_form *f, double t, const double *x, double *w, double *work,
                            int *pivot)
{
    enum { MOST = 12 };
    const int n = f->n;
    double *F = work, *Fw = work + n, *Fx = Fw + n * n;
    double previous = INFINITY;

    for (int k = 0; k < MOST; k++) {
        RG_TRY(rg_bvp_form_jacobian(f, t, x, w, F, Fx, Fw));
        if (!rg_small_lu_factor(n, Fw, pivot)) return RG_RETRY;
        rg_small_lu_solve(n, Fw, pivot, F);
        double size = 0.0;
        for (int i = 0; i < n; i++)
            size = fmax(size, fabs(F[i]) / (fabs(w[i]) + 1.0));
        if (!(size < 0.9 * previous) && !(size < 1e-9)) return RG_RETRY;
        for (int i = 0; i < n; i++)
            w[i] -= F[i];
        if (size < 1e-14 || (size < 1e-9 && size > 0.1 * previous)) return RG_OK;
        previous = size;
    }
    return previous < 1e-9 ? RG_OK : (rg_status)RG_RETRY;
}

void rg_bvp_form_point(const rg_bvp_form *f, const double *x, const double *w, double *y,
                       double *yp)
{
    for (int j = 0; j < f->n; j++) {
        const int d = f->a->d[j];
        if (d == 0) {
            y[j] = w[j];
            continue;
        }
        for (int r = 0; r < d; r++) {
            const int32_t state = f->states.column[r][j];
            y[state] = x[f->first[j] + r];
            yp[state] = r + 1 < d ? x[f->first[j] + r + 1] : w[j];
        }
    }
}
