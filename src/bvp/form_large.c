/* The formulation of a boundary value problem with sparse Jacobians, for large models. */
#include "bvp/form_large.h"

#include "bvp/form_rows.h"
#include "bvp/tuning.h"
#include "newton/iterated.h"

#include <math.h>
#include <string.h>

static rg_status take_memory(rg_bvp_form *f)
{
    const rg_pattern *p = rg_assembly_pattern(f->equations.assembly);
    const int64_t first = p->start[f->nx];
    rg_pattern w = {f->n, f->n, NULL, p->row + first};

    w.start = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof *w.start);
    f->step = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof *f->step);
    if (w.start == NULL || f->step == NULL) {
        rg_free(f->ctx, w.start);
        return RG_ERR_MEMORY;
    }
    for (int j = 0; j <= f->n; j++)
        w.start[j] = p->start[f->nx + j] - first;
    const rg_status status = rg_sparse_create(f->ctx, &w, false, &f->Fw);
    rg_free(f->ctx, w.start);
    return status;
}

rg_status rg_form_large_init(rg_bvp_form *f)
{
    const bool is_written = f->array == NULL && f->combinations == NULL;

    if (is_written && f->nz > RG_FORM_SPARSE_FROM) {
        const rg_pattern *p = rg_assembly_pattern(f->equations.assembly);
        const double entries = (double)p->start[p->n_columns];
        f->is_large = entries <= RG_FORM_SPARSE * (double)f->n * (double)f->nz;
    }
    f->is_unchecked = f->is_large && f->nz > RG_FORM_CHECKED_MOST;
    if (f->is_large) return take_memory(f);
    if (f->nz <= RG_FORM_FULL_MOST) return RG_OK;
    rg_fail(f->ctx, RG_ERR_METHOD,
            "the boundary value problem has %d states and unknowns, and %s; at most %d of these "
            "can be taken with full matrices",
            f->nz,
            is_written ? "its Jacobian is nearly full"
                       : "its index comes from combinations of equations",
            RG_FORM_FULL_MOST);
    return rg_remedy(f->ctx, "take fewer points or elements in the model's arrays");
}

void rg_form_large_leave(rg_bvp_form *f)
{
    if (f->nz <= RG_FORM_FULL_MOST) f->is_large = false;
}

void rg_form_large_clear(rg_bvp_form *f)
{
    rg_sparse_destroy(&f->Fw);
    rg_free(f->ctx, f->step);
}

const rg_pattern *rg_form_large_pattern(const rg_bvp_form *f, bool is_invariant)
{
    return rg_assembly_pattern(is_invariant ? f->invariants.assembly : f->equations.assembly);
}

rg_status rg_form_large_entries(rg_bvp_form *f, bool is_invariant, double t, const double *x,
                                const double *w, double *F, const double **J)
{
    rg_form_rows *r = is_invariant ? &f->invariants : &f->equations;

    memcpy(f->z, x, (size_t)f->nx * sizeof *x);
    if (w != NULL)
        memcpy(f->z + f->nx, w, (size_t)f->n * sizeof *w);
    else
        memset(f->z + f->nx, 0, (size_t)f->n * sizeof *f->z);
    RG_TRY(rg_form_rows_jacobian(f, r, t, f->z, F));
    *J = r->J;
    return RG_OK;
}

/* w <- w - Fw^-1 F, as in rg_bvp_form_solve(). */
rg_status rg_form_large_solve(rg_bvp_form *f, double t, const double *x, double *w)
{
    const rg_pattern *p = rg_form_large_pattern(f, false);
    double previous = INFINITY;

    for (int k = 0; k < RG_LOCAL_STEPS; k++) {
        const double *J;
        double size = 0.0;
        RG_TRY(rg_form_large_entries(f, false, t, x, w, f->step, &J));
        memcpy(rg_sparse_values(f->Fw), J + p->start[f->nx],
               (size_t)(p->start[f->nz] - p->start[f->nx]) * sizeof *J);
        RG_TRY(rg_sparse_factor(f->Fw));
        rg_sparse_solve(f->Fw, f->step, NULL);
        for (int i = 0; i < f->n; i++) {
            const double relative = fabs(f->step[i]) / (fabs(w[i]) + 1.0);
            if (!(relative <= size)) size = relative;
        }
        if (!(size < previous) && !rg_is_nearly_iterated(size)) return RG_RETRY;
        for (int i = 0; i < f->n; i++)
            w[i] -= f->step[i];
        if (rg_is_iterated(size, previous)) return RG_OK;
        previous = size;
    }
    return rg_is_nearly_iterated(previous) ? RG_OK : (rg_status)RG_RETRY;
}
