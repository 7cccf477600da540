/* The real Schur form A = V T V^T (LAPACK dgees), its diagonal blocks brought into the order wanted
 * (dtrsen): the first k columns of V are the basis. */
#include "linalg/schur.h"

#include "linalg/lapack.h"

#include <math.h>
#include <string.h>

struct rg_schur {
    rg_context *ctx;
    int n, l_work;
    double *V, *re, *im, *work;
    int *is_chosen;
};

rg_status rg_schur_create(rg_context *ctx, int n, rg_schur **out)
{
    enum { ROOM = 16 }; /* columns of workspace: what dgees asks for up to a few hundred rows */
    rg_schur *w = rg_alloc(ctx, 1, sizeof *w);
    const size_t size = (size_t)n;

    *out = w;
    if (w == NULL) return RG_ERR_MEMORY;
    *w = (rg_schur){.ctx = ctx, .n = n, .l_work = ROOM * n + ROOM};
    w->V = rg_alloc(ctx, size * size, sizeof *w->V);
    w->re = rg_alloc(ctx, size, sizeof *w->re);
    w->im = rg_alloc(ctx, size, sizeof *w->im);
    w->work = rg_alloc(ctx, (size_t)w->l_work, sizeof *w->work);
    w->is_chosen = rg_alloc(ctx, size, sizeof *w->is_chosen);
    if (w->V != NULL && w->re != NULL && w->im != NULL && w->work != NULL && w->is_chosen != NULL)
        return RG_OK;
    rg_schur_destroy(out);
    return RG_ERR_MEMORY;
}

void rg_schur_destroy(rg_schur **schur)
{
    rg_schur *w = *schur;

    if (w == NULL) return;
    rg_free(w->ctx, w->V);
    rg_free(w->ctx, w->re);
    rg_free(w->ctx, w->im);
    rg_free(w->ctx, w->work);
    rg_free(w->ctx, w->is_chosen);
    rg_free(w->ctx, w);
    *schur = NULL;
}

/* Marks the k eigenvalues of largest real part; false: the last one has its conjugate outside. */
static bool choose(rg_schur *w, int k)
{
    memset(w->is_chosen, 0, (size_t)w->n * sizeof *w->is_chosen);
    while (k > 0) {
        int best = -1;
        for (int i = 0; i < w->n; i++)
            if (!w->is_chosen[i] && (best < 0 || w->re[i] > w->re[best])) best = i;
        if (best < 0) return false;
        const bool is_pair = w->im[best] != 0.0; /* its first one has im > 0 */
        if (is_pair && k < 2) return false;
        w->is_chosen[best] = 1;
        if (is_pair) w->is_chosen[best + (w->im[best] > 0.0 ? 1 : -1)] = 1;
        k -= is_pair ? 2 : 1;
    }
    return true;
}

rg_status rg_schur_dominant(rg_schur *w, double *A, int k, double *S)
{
    const int n = w->n;
    int found = 0, info = 0, count = 0, i_work = 0;
    const int one = 1;
    double s = 0.0, separation = 0.0;

    for (int i = 0; i < n * n; i++)
        if (!isfinite(A[i])) return RG_RETRY;
    rg_dgees_("V", "N", NULL, &n, A, &n, &found, w->re, w->im, w->V, &n, w->work, &w->l_work, NULL,
              &info, 1, 1);
    if (info != 0 || !choose(w, k)) return RG_RETRY;
    rg_dtrsen_("N", "V", w->is_chosen, &n, A, &n, w->V, &n, w->re, w->im, &count, &s, &separation,
               w->work, &w->l_work, &i_work, &one, &info, 1, 1);
    if (info != 0 || count != k) return RG_RETRY;
    memcpy(S, w->V, (size_t)n * (size_t)k * sizeof *S);
    return RG_OK;
}

rg_status rg_schur_least(rg_schur *w, int n, double *A, double *least)
{
    int found = 0, info = 0;
    const int one = 1;

    for (int i = 0; i < n * n; i++)
        if (!isfinite(A[i])) return RG_RETRY;
    rg_dgees_("N", "N", NULL, &n, A, &n, &found, w->re, w->im, w->V, &one, w->work, &w->l_work,
              NULL, &info, 1, 1);
    if (info != 0) return RG_RETRY;
    *least = INFINITY;
    for (int i = 0; i < n; i++)
        *least = fmin(*least, w->re[i]);
    return RG_OK;
}
