/* Measures how well a mesh follows the oscillations of the linearized equations. */
#include "bvp/collocation/waves.h"

#include "bvp/collocation/modes.h"
#include "bvp/collocation/tuning.h"

#include <math.h>

static double fastest(const rg_modes *m)
{
    double omega = 0.0;

    for (int k = 0; k < m->f->nx; k++)
        if (fabs(m->im[k]) > fabs(m->re[k])) omega = fmax(omega, fabs(m->im[k]));
    return omega;
}

/* The modes of an interval are those at the stage in its middle. */
rg_status rg_waves_phase(rg_bvp_form *f, const rg_curve *it, double *phase)
{
    const int j = it->rule.s / 2;
    rg_modes m;

    if (f->is_unchecked) return RG_RETRY; /* all eigenvalues of a full matrix */
    double *X = rg_alloc(f->ctx, (size_t)f->nx + 1, sizeof *X);
    rg_status status = rg_modes_init(f, &m);

    if (X == NULL) status = RG_ERR_MEMORY;
    for (int64_t i = 0; i < it->N && status == RG_OK; i++) {
        const double h = it->t[i + 1] - it->t[i];
        phase[i] = 0.0;
        if (f->nx < 2) continue; /* one state does not oscillate */
        rg_curve_stage(it, i, j, X);
        status = rg_modes_at(&m, it->t[i] + it->rule.c[j] * h, X, rg_curve_w(it, i, j));
        phase[i] = fabs(h) * fastest(&m);
    }
    rg_modes_clear(&m);
    rg_free(f->ctx, X);
    return status;
}

/* Gauss collocation with s stages is the diagonal Pade approximation of exp(i p), wrong by  C
 * p^(2s+1) + ..., C = s!^2/((2s)! (2s+1)!)  (tests/unit/bvp/test_waves.c), so that phases of at
 * most p per interval add up to the error C p^2s total. */
double rg_waves_limit(int stages, double total)
{
    double C = 1.0;

    for (int k = 1; k <= stages;
         k++) /* s!/(2s)! = 1/prod (s+k);  s!/(2s+1)! = 1/prod (s+k) / (2s+1) */
        C /= (double)(stages + k) * (double)(stages + k);
    C /= 2.0 * stages + 1.0;
    if (!(total > 0.0)) return RG_WAVES_PHASE;
    return fmin(pow(RG_PHASE_ERROR / (C * total), 0.5 / stages), RG_WAVES_PHASE);
}
