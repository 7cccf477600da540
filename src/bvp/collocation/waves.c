#include "bvp/collocation/waves.h"

#include "bvp/dense_block.h"

#include <math.h>
#include <string.h>

#define DAMPED                                                                                     \
    3.0 /* a mode that loses exp(-2 pi/DAMPED) per wave carries no phase over an unresolved stretch */
#define MOST_PHASE                                                                                 \
    3.0 /* per interval, where the expansion in p still holds for three stages and more */

typedef struct {
    rg_bvp_form *f;
    double *F, *Fx, *Fw, *M, *re, *im, *X, *work;
    int *pivot, n_work;
} waves;

static rg_status take_memory(waves *v)
{
    const size_t n = (size_t)v->f->n, nx = (size_t)v->f->nx;
    const struct {
        double **array;
        size_t count;
    } list[] = {
        {&v->F,    n                },
        {&v->Fx,   n * nx           },
        {&v->Fw,   n * n            },
        {&v->M,    nx * nx          },
        {&v->re,   nx               },
        {&v->im,   nx               },
        {&v->X,    nx               },
        {&v->work, (size_t)v->n_work}
    };

    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if ((*list[k].array = rg_alloc(v->f->ctx, list[k].count + 1, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    v->pivot = rg_alloc(v->f->ctx, n + 1, sizeof *v->pivot);
    return v->pivot != NULL ? RG_OK : RG_ERR_MEMORY;
}

static void release(waves *v)
{
    void *const arrays[] = {v->F, v->Fx, v->Fw, v->M, v->re, v->im, v->X, v->work, v->pivot};

    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(v->f->ctx, arrays[k]);
}

/* M at the stage in the middle of interval i. */
static rg_status linearize(waves *v, const rg_iterate *it, int64_t i)
{
    const rg_bvp_form *f = v->f;
    const int n = f->n, nx = f->nx, j = it->rule.s / 2;
    const double t = it->t[i] + it->rule.c[j] * (it->t[i + 1] - it->t[i]);

    rg_iterate_stage(it, i, j, v->X);
    RG_TRY(rg_bvp_form_jacobian(v->f, t, v->X, rg_stage_w(it, i, j), v->F, v->Fx, v->Fw));
    if (!rg_block_factor(n, v->Fw, v->pivot)) return RG_RETRY;
    rg_block_solve(n, v->Fw, v->pivot, nx, v->Fx);
    for (int c = 0; c < nx; c++)
        for (int k = 0; k < nx; k++) {
            const int next = f->next[k];
            v->M[c * nx + k] = next >= 0 ? (next == c ? 1.0 : 0.0) : -v->Fx[c * n + f->unknown[k]];
            if (!isfinite(v->M[c * nx + k])) return RG_RETRY;
        }
    return RG_OK;
}

static rg_status fastest(waves *v, double *omega)
{
    const int nx = v->f->nx, one = 1;
    int info = 0;
    double none;

    *omega = 0.0;
    dgeev_("N", "N", &nx, v->M, &nx, v->re, v->im, &none, &one, &none, &one, v->work, &v->n_work,
           &info, 1, 1);
    if (info != 0) return RG_RETRY;
    for (int k = 0; k < nx; k++)
        if (fabs(v->im[k]) > DAMPED * fabs(v->re[k])) *omega = fmax(*omega, fabs(v->im[k]));
    return RG_OK;
}

rg_status rg_waves_phase(rg_bvp_form *f, const rg_iterate *it, double *phase)
{
    waves v = {.f = f, .n_work = 4 * f->nx + 1};
    rg_status status = take_memory(&v);

    for (int64_t i = 0; i < it->N && status == RG_OK; i++) {
        double omega = 0.0;
        status = f->nx > 1 ? linearize(&v, it, i) : RG_OK; /* one state does not oscillate */
        if (status == RG_OK && f->nx > 1) status = fastest(&v, &omega);
        phase[i] = fabs(it->t[i + 1] - it->t[i]) * omega;
    }
    release(&v);
    return status;
}

/* Gauss collocation with s stages is the diagonal Pade approximation of exp(i p), wrong by  C p^(2s+1) + ...,
 * C = s!^2/((2s)! (2s+1)!)  (tests/unit/bvp/test_waves.c), so that phases of at most p per interval add up to the error
 * C p^2s total. */
double rg_waves_limit(int stages, double total)
{
    double C = 1.0;

    for (int k = 1; k <= stages;
         k++) /* s!/(2s)! = 1/prod (s+k);  s!/(2s+1)! = 1/prod (s+k) / (2s+1) */
        C /= (double)(stages + k) * (double)(stages + k);
    C /= 2.0 * stages + 1.0;
    if (!(total > 0.0)) return MOST_PHASE;
    return fmin(pow(RG_PHASE_ERROR / (C * total), 0.5 / stages), MOST_PHASE);
}
