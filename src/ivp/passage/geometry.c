/* The constraint Jacobian at a configuration: singular vectors of the lost ranks, and how the
 * branches of motion meet there. */
#include "ivp/passage/geometry.h"

#include "ivp/passage/tuning.h"
#include "linalg/dense.h"
#include "linalg/vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

rg_status rg_geometry_init(rg_passage *k, rg_geometry *x)
{
    const int m = k->form->constraints.m, n = k->form->constraints.n_q;
    const size_t mn = (size_t)m * (size_t)n, mm = (size_t)m * (size_t)m, nn = (size_t)n * (size_t)n;
    const size_t big = mn > nn ? mn : nn, N = (size_t)k->N;

    *x = (rg_geometry){.k = k, .m = m, .n_q = n};
    x->memory = rg_alloc(k->ctx, 3 * mn + 2 * mm + nn + big + 4 * (size_t)(m + n) + 2 * N,
                         sizeof *x->memory);
    if (x->memory == NULL) return RG_ERR_MEMORY;
    double *next = x->memory;
    x->G = next;
    x->beside = (next += mn);
    x->D = (next += mn);
    x->U = (next += mn);
    x->P = (next += mm);
    x->V = (next += mm);
    x->W = (next += nn);
    x->sigma = (next += big);
    x->sigma_beside = (next += m + n);
    x->g = (next += m + n);
    x->product = (next += m + n);
    x->point = (next += m + n);
    x->other = next + N;
    return RG_OK;
}

void rg_geometry_clear(rg_geometry *x)
{
    rg_free(x->k->ctx, x->memory);
    x->memory = NULL;
}

static rg_status jacobian(rg_geometry *x, double t, const double *w, double *G)
{
    RG_TRY(rg_stable_constraints_eval(x->k->form, t, w, x->g, G));
    for (int q = 0; q < x->n_q; q++, G += x->m)
        for (int i = 0; i < x->m; i++)
            if (G[i] != 0.0) G[i] /= rg_passage_scale(x->k, i); /* few are not */
    return RG_OK;
}

void rg_geometry_lose(rg_geometry *x, int lost)
{
    x->lost = lost;
    x->null = lost + x->k->form->border.n;
    x->kernel = x->n_q - x->m + x->null;
}

int rg_geometry_last(const rg_geometry *x)
{
    return x->m - 1 - x->k->form->border.n;
}

rg_status rg_geometry_decompose(rg_geometry *x, double t, const double *w)
{
    rg_geometry_lose(x, 0);
    RG_TRY(jacobian(x, t, w, x->G));
    memset(x->sigma, 0, (size_t)x->m * sizeof *x->sigma); /* more constraints than states */
    return rg_svd(x->k->ctx, x->m, x->n_q, x->G, x->sigma, x->U, x->V);
}

rg_status rg_geometry_values(rg_geometry *x, double t, const double *w, double *sigma)
{
    RG_TRY(jacobian(x, t, w, x->beside));
    memset(sigma, 0, (size_t)x->m * sizeof *sigma);
    return rg_svd(x->k->ctx, x->m, x->n_q, x->beside, sigma, NULL, NULL);
}

const double *rg_geometry_lost(const rg_geometry *x)
{
    return x->U + (x->m - x->null) * x->m;
}

/* beside = D N: D has few entries */
static void change_kernel(rg_geometry *x)
{
    const double *n = x->V + (x->m - x->null) * x->n_q;

    for (int e = 0; e < x->m * x->kernel; e++)
        x->beside[e] = 0.0;
    for (int q = 0; q < x->n_q; q++)
        for (int i = 0; i < x->m; i++) {
            const double change = x->D[q * x->m + i];
            for (int e = 0; e < x->kernel && change != 0.0; e++)
                x->beside[e * x->m + i] += change * n[e * x->n_q + q];
        }
}

/* W = U^T D N, count x kernel */
static void between(rg_geometry *x, int count)
{
    change_kernel(x);
    for (int e = 0; e < x->kernel; e++)
        for (int l = 0; l < count; l++)
            x->W[e * count + l] =
                rg_dot(x->m, rg_geometry_lost(x) + l * x->m, x->beside + e * x->m);
}

/* D = G(t1, w1) - G(t0, w0) */
static rg_status difference(rg_geometry *x, double t1, const double *w1, double t0,
                            const double *w0)
{
    RG_TRY(jacobian(x, t1, w1, x->D));
    RG_TRY(jacobian(x, t0, w0, x->beside));
    for (int e = 0; e < x->m * x->n_q; e++)
        x->D[e] -= x->beside[e];
    return RG_OK;
}

/* Among the left null vectors are those u of redundant constraints.  They have no part in W, for
 * u^T G = 0 along the motion and G N = 0.  So with the left singular vectors P of  U^T (dG/dt)
 * N,  U P has the lost ones first. */
rg_status rg_geometry_part(rg_geometry *x, double t1, const double *w1, double t0, const double *w0)
{
    const int null = x->null;
    double *U = x->U + (x->m - null) * x->m;

    if (x->lost == null || x->lost == 0) return RG_OK;
    RG_TRY(difference(x, t1, w1, t0, w0));
    between(x, null);
    RG_TRY(rg_svd(x->k->ctx, null, x->kernel, x->W, x->sigma_beside, x->P, NULL));
    for (int i = 0; i < x->m; i++) {
        memset(x->product, 0, (size_t)null * sizeof *x->product);
        for (int l = 0; l < null; l++)
            for (int e = 0; e < null; e++)
                x->product[l] += U[e * x->m + i] * x->P[l * null + e];
        for (int l = 0; l < null; l++)
            U[l * x->m + i] = x->product[l];
    }
    return RG_OK;
}

rg_status rg_geometry_crossing(rg_geometry *x, double t1, const double *w1, double t0,
                               const double *w0, double *least)
{
    const int small = x->lost < x->kernel ? x->lost : x->kernel;

    RG_TRY(difference(x, t1, w1, t0, w0));
    between(x, x->lost);
    RG_TRY(rg_svd(x->k->ctx, x->lost, x->kernel, x->W, x->sigma_beside, NULL, NULL));
    *least = x->sigma_beside[small - 1];
    return RG_OK;
}

/* Central differences in the directions of the kernel; S does not depend on the bases U and N. */
rg_status rg_geometry_angle(rg_geometry *x, double t, const double *w, double *S)
{
    const rg_stable_constraints *a = &x->k->form->constraints;
    const size_t bytes = (size_t)x->k->N * sizeof *w;

    double sum = 0.0;
    for (int e = 0; e < x->kernel; e++) {
        const double *n = x->V + (x->m - x->null + e) * x->n_q;
        memcpy(x->point, w, bytes);
        memcpy(x->other, w, bytes);
        for (int q = 0; q < x->n_q; q++) {
            x->point[a->state[q]] += RG_EXACT_DIFFERENCE * n[q];
            x->other[a->state[q]] -= RG_EXACT_DIFFERENCE * n[q];
        }
        RG_TRY(difference(x, t, x->point, t, x->other));
        between(x, x->lost);
        for (int i = 0; i < x->lost * x->kernel; i++)
            sum += x->W[i] * x->W[i];
    }
    const int terms = x->lost * x->kernel;
    *S = sqrt(sum / (terms > 0 ? terms : 1)) / (2.0 * RG_EXACT_DIFFERENCE);
    return RG_OK;
}

rg_status rg_geometry_reach(rg_geometry *x, double t, const double *w, double d, double *most)
{
    const rg_stable_constraints *a = &x->k->form->constraints;

    *most = 0.0;
    for (int e = 0; e <= x->kernel; e++) { /* the last one: all of them together */
        memcpy(x->point, w, (size_t)x->k->N * sizeof *w);
        for (int l = 0; l < x->kernel; l++) {
            const double *n = x->V + (x->m - x->null + l) * x->n_q;
            const double part = e == x->kernel ? d / sqrt(x->kernel) : l == e ? d : 0.0;
            for (int q = 0; q < x->n_q; q++)
                x->point[a->state[q]] += part * n[q];
        }
        RG_TRY(difference(x, t, x->point, t, w));
        between(x, x->lost);
        for (int i = 0; i < x->lost * x->kernel; i++)
            *most = fmax(*most, fabs(x->W[i]));
    }
    return RG_OK;
}

void rg_geometry_name(const rg_geometry *x, char *text, int size)
{
    const rg_stable *v = x->k->form;
    int named = 0, more = 0;
    double most = 0.0;

    text[0] = '\0';
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < x->m; i++) {
            double share = 0.0;
            for (int l = 0; l < x->lost; l++)
                share = fmax(share, fabs(rg_geometry_lost(x)[l * x->m + i]));
            if (pass == 0) most = fmax(most, share);
            if (pass == 0 || share < RG_GEOMETRY_SHARE * most) continue;
            if (named >= 3) {
                more++;
                continue;
            }
            char name[64];
            rg_row_name(v->p, v->constraints.equation[i], 0, name, sizeof name);
            const int used = (int)strlen(text);
            snprintf(text + used, (size_t)(size - used), "%s%s", named++ > 0 ? ", " : "", name);
        }
    const int used = (int)strlen(text);
    if (more > 0) snprintf(text + used, (size_t)(size - used), " and %d more", more);
}
