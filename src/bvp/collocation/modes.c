/* Eigenvalues of the linearized equations at a point. */
#include "bvp/collocation/modes.h"

#include "bvp/collocation/tuning.h"
#include "bvp/dense_block.h"
#include "linalg/eigenvalues.h"

#include <math.h>
#include <string.h>

rg_status rg_modes_init(rg_bvp_form *f, rg_modes *out)
{
    const size_t n = (size_t)f->n, nx = (size_t)f->nx;

    memset(out, 0, sizeof *out);
    out->f = f;
    out->n_work = 4 * f->nx + 1;
    double *all = rg_alloc(f->ctx, n + 2 * (n * nx + n * n) + nx * nx + 6 * nx + 2, sizeof *all);
    out->F = all;
    out->pivot = rg_alloc(f->ctx, n + 1, sizeof *out->pivot);
    if (all == NULL || out->pivot == NULL) return RG_ERR_MEMORY;
    out->Fx = out->F + n;
    out->Fw = out->Fx + n * nx;
    out->M = out->Fw + n * n;
    out->re = out->M + nx * nx;
    out->im = out->re + nx;
    out->work = out->im + nx;
    out->known = out->work + out->n_work;
    return RG_OK;
}

void rg_modes_clear(rg_modes *m)
{
    if (m->f == NULL) return;
    rg_free(m->f->ctx, m->F);
    rg_free(m->f->ctx, m->pivot);
    m->f = NULL;
}

/* Is the Jacobian (Fx, then Fw) the one whose eigenvalues are there?  Else it will be. */
static bool is_same(rg_modes *m)
{
    const size_t n = (size_t)m->f->n, size = n * ((size_t)m->f->nx + n) * sizeof *m->known;

    if (m->is_known && memcmp(m->known, m->Fx, size) == 0) return true;
    memcpy(m->known, m->Fx, size);
    return false;
}

static rg_status reduce(rg_modes *m)
{
    const rg_bvp_form *f = m->f;
    const int n = f->n, nx = f->nx;

    if (!rg_block_factor(n, m->Fw, m->pivot)) return RG_RETRY;
    rg_block_solve(n, m->Fw, m->pivot, nx, m->Fx);
    for (int c = 0; c < nx; c++)
        for (int k = 0; k < nx; k++) {
            const int next = f->next[k];
            m->M[c * nx + k] = next >= 0 ? (next == c ? 1.0 : 0.0) : -m->Fx[c * n + f->unknown[k]];
            if (!isfinite(m->M[c * nx + k])) return RG_RETRY;
        }
    return RG_OK;
}

static rg_status find_eigenvalues(rg_modes *m)
{
    const int nx = m->f->nx, one = 1;
    int info = 0;
    double none;

    if (nx <= RG_EIGEN_LIMIT)
        return rg_eigenvalues(nx, m->M, m->re, m->im) ? RG_OK : (rg_status)RG_RETRY;
    rg_dgeev_("N", "N", &nx, m->M, &nx, m->re, m->im, &none, &one, &none, &one, m->work, &m->n_work,
              &info, 1, 1);
    return info == 0 ? RG_OK : (rg_status)RG_RETRY;
}

rg_status rg_modes_at(rg_modes *m, double t, const double *x, const double *w)
{
    RG_TRY(rg_bvp_form_jacobian(m->f, t, x, w, m->F, m->Fx, m->Fw));
    if (is_same(m)) return RG_OK;
    m->is_known = false;
    rg_status status = reduce(m);
    if (status == RG_OK) status = find_eigenvalues(m);
    m->is_known = status == RG_OK;
    return status;
}
