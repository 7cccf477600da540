/* May a singular point be passed?
 *
 * Transversality: U, the left singular vectors of the lost ranks; N, a basis of the kernel of G, both at t*:
 *
 *     W = U^T (dG/dt along the motion) N,    S = largest |U^T (dG/dq in direction N_k) N|,    tau = sigma_min(W)/(S v_max)
 *
 * S = 0: driven by time alone, unique.  tau < min(.05, sqrt(tol)): the motion arrives too slowly to tell the branches apart,
 * for an error of the size of tol in the state decides between passing and turning back when v^2 < a tol.
 * Exactness: see exact.c.  Source of both: doc/methods/passage.md, sections 4 and 5. */
#include "ivp/passage/passage.h"

#include "linalg/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LOST = 0.1, APART = 0.1;         /* of a singular value beside the point */
static const double UNCERTAIN = 1e-3;                /* of the place, in steps */
static const double TIME_DRIVEN = 1e-8, SLOW = 0.05; /* S; tau */
static const double EXACT = 1e-12,
                    RESOLVED = 10.0; /* rho; rho/tol from which a near miss is followed */

typedef struct { /* the constraints at a place */
    int m, n_q, lost, kernel;
    int null; /* lost, and redundant everywhere */
    double *G, *beside, *sigma, *sigma_beside, *U, *V, *P, *g, *W, *D, *product, *point;
} geometry;

static void scale_rows(const rg_passage *k, double *G)
{
    const rg_stable_constraints *c = &k->form->constraints;

    for (int i = 0; i < c->m; i++)
        for (int q = 0; q < c->n_q; q++)
            G[q * c->m + i] /= rg_passage_scale(k, i);
}

static rg_status jacobian_at(rg_passage *k, geometry *x, double t, double h, double c, double *G)
{
    rg_passage_at(k, h, c, x->point, NULL);
    RG_TRY(rg_stable_constraints_eval(k->form, t + c * h, x->point, x->g, G));
    scale_rows(k, G);
    return RG_OK;
}

/* Singular values that vanish at c, but not beside it. */
static rg_status count_lost(rg_passage *k, geometry *x, double t, double h, double c)
{
    const size_t bytes = (size_t)x->m * sizeof(double);

    RG_TRY(jacobian_at(k, x, t, h, c, x->G));
    memset(x->sigma, 0, bytes); /* of redundant constraints there may be more than states */
    RG_TRY(rg_svd(k->ctx, x->m, x->n_q, x->G, x->sigma, x->U, x->V));
    memset(x->sigma_beside, 0, bytes);
    for (int side = -1; side <= 1; side += 2) {
        RG_TRY(jacobian_at(k, x, t, h, c + side * APART, x->beside));
        memset(x->W, 0, bytes);
        RG_TRY(rg_svd(k->ctx, x->m, x->n_q, x->beside, x->W, NULL, NULL));
        for (int e = 0; e < x->m; e++)
            x->sigma_beside[e] = fmax(x->sigma_beside[e], x->W[e]);
    }
    const int last = x->m - 1 - k->form->border.n;
    while (x->lost <= last && x->sigma[last - x->lost] < LOST * x->sigma_beside[last - x->lost])
        x->lost++;
    x->null = x->lost + k->form->border.n;
    x->kernel = x->n_q - x->m + x->null;
    return RG_OK;
}

/* out = U^T D N, count x kernel, one column of D N after the other */
static void between(const geometry *x, const double *D, int count, double *out)
{
    for (int e = 0; e < x->kernel; e++) {
        const double *n = x->V + (x->m - x->null + e) * x->n_q;
        memset(x->product, 0, (size_t)x->m * sizeof *x->product);
        for (int q = 0; q < x->n_q; q++)
            for (int i = 0; i < x->m; i++)
                x->product[i] += D[q * x->m + i] * n[q];
        for (int l = 0; l < count; l++) {
            const double *u = x->U + (x->m - x->null + l) * x->m;
            double sum = 0.0;
            for (int i = 0; i < x->m; i++)
                sum += u[i] * x->product[i];
            out[e * count + l] = sum;
        }
    }
}

/* D = dG/dt along the motion at c */
static rg_status rate_at(rg_passage *k, geometry *x, double t, double h, double c)
{
    RG_TRY(jacobian_at(k, x, t, h, c + UNCERTAIN, x->D));
    RG_TRY(jacobian_at(k, x, t, h, c - UNCERTAIN, x->beside));
    for (int e = 0; e < x->m * x->n_q; e++)
        x->D[e] = (x->D[e] - x->beside[e]) / (2.0 * UNCERTAIN * h);
    return RG_OK;
}

/* Among the left null vectors are those u of redundant constraints.  They have no part in W, for u^T G = 0 along the motion and
 * G N = 0.  So with the left singular vectors P of  U^T (dG/dt) N,  U P has the lost ones first. */
static rg_status part_redundant(rg_passage *k, geometry *x, double t, double h, double c)
{
    const int null = x->null;
    double *U = x->U + (x->m - null) * x->m;

    if (x->lost == null || x->lost == 0) return RG_OK;
    RG_TRY(rate_at(k, x, t, h, c));
    between(x, x->D, null, x->W);
    RG_TRY(rg_svd(k->ctx, null, x->kernel, x->W, x->sigma_beside, x->P, NULL));
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

/* sigma_min(W) at c */
static rg_status crossing_speed(rg_passage *k, geometry *x, double t, double h, double c,
                                double *least)
{
    const int small = x->lost < x->kernel ? x->lost : x->kernel;

    RG_TRY(rate_at(k, x, t, h, c));
    between(x, x->D, x->lost, x->W);
    RG_TRY(rg_svd(k->ctx, x->lost, x->kernel, x->W, x->sigma_beside, NULL, NULL));
    *least = fmin(*least, x->sigma_beside[small - 1]);
    return RG_OK;
}

/* S at c: central differences in the directions of the kernel. */
static rg_status branch_angle(rg_passage *k, geometry *x, double t, double h, double c, double *S)
{
    const rg_stable_constraints *a = &k->form->constraints;

    *S = 0.0;
    for (int e = 0; e < x->kernel; e++) {
        const double *n = x->V + (x->m - x->null + e) * x->n_q, d = 1e-5;
        for (int side = 1; side >= -1; side -= 2) {
            double *to = side > 0 ? x->D : x->beside;
            rg_passage_at(k, h, c, x->point, NULL);
            for (int q = 0; q < x->n_q; q++)
                x->point[a->state[q]] += side * d * n[q];
            RG_TRY(rg_stable_constraints_eval(k->form, t + c * h, x->point, x->g, to));
            scale_rows(k, to);
        }
        for (int i = 0; i < x->m * x->n_q; i++)
            x->D[i] = (x->D[i] - x->beside[i]) / (2.0 * d);
        between(x, x->D, x->lost, x->W);
        for (int i = 0; i < x->lost * x->kernel; i++)
            *S = fmax(*S, fabs(x->W[i]));
    }
    return RG_OK;
}

/* "line 24", "line 7 and line 9 and 3 more": the constraints with a share in the lost directions. */
static void name_constraints(const rg_passage *k, const geometry *x, char *text, int size)
{
    int named = 0, more = 0;
    double most = 0.0;

    text[0] = '\0';
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < x->m; i++) {
            double share = 0.0;
            for (int l = 0; l < x->lost; l++)
                share = fmax(share, fabs(x->U[(x->m - x->null + l) * x->m + i]));
            if (pass == 0) most = fmax(most, share);
            if (pass == 0 || share < 0.3 * most) continue;
            if (named >= 3) {
                more++;
                continue;
            }
            char name[64];
            rg_row_name(k->form->p, k->form->constraints.equation[i], 0, name, sizeof name);
            const int used = (int)strlen(text);
            snprintf(text + used, (size_t)(size - used), "%s%s", named++ > 0 ? ", " : "", name);
        }
    const int used = (int)strlen(text);
    if (more > 0) snprintf(text + used, (size_t)(size - used), " and %d more", more);
}

static rg_status doubt_branch(rg_integrator *g, const rg_passed *p, double tau)
{
    g->passage->is_in_doubt = true;
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "stopped at t = %.10g: at t = %.8g the constraints lose rank (%s), and the motion "
            "arrives there too slowly (%.1g of "
            "its largest speed) to tell which branch it takes: a bifurcation",
            g->t, p->t, p->constraints, tau);
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(
        g->ctx, "try a smaller --tol; if that does not help, the model must say how it goes on "
                "(an asymmetry, friction); --accept-doubt takes the branch that comes");
}

static rg_status doubt_miss(rg_integrator *g, const rg_passed *p, double rho)
{
    g->passage->is_in_doubt = true;
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "stopped at t = %.10g: near t = %.8g the constraints (%s) come within %.1g of a "
            "singular position without reaching it; "
            "which way the motion turns there is not decided at this tolerance",
            g->t, p->t, p->constraints, rho);
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(g->ctx,
                     "give --tol %.0e to follow it, or make the dimensions exact (for instance "
                     "sqrt(2) for 1.4142); "
                     "--accept-doubt goes straight through",
                     rho / RESOLVED);
}

static rg_status judge(rg_integrator *g, geometry *x, double t, double h, double c, rg_passed *out)
{
    rg_passage *k = g->passage;
    double S, least = INFINITY, rho;

    RG_TRY(count_lost(k, x, t, h, c));
    RG_TRY(part_redundant(k, x, t, h, c));
    out->lost = x->lost > 0 ? x->lost : 1;
    name_constraints(k, x, out->constraints, sizeof out->constraints);
    if (x->lost == 0)
        return RG_OK; /* the constraints keep their rank: only the forces lose their grip */
    RG_TRY(branch_angle(k, x, t, h, c, &S));
    if (S < TIME_DRIVEN) return RG_OK;
    for (int side = -1; side <= 1; side++)
        RG_TRY(crossing_speed(k, x, t, h, c + side * UNCERTAIN, &least));
    const double tau = least / (S * fmax(k->v_max, 1e-300)), tol = g->options.rtol;
    rg_log(k->ctx, 2, "singular point at t = %.10g: %d lost, tau %.2g", out->t, out->lost, tau);
    if (tau < fmin(SLOW, sqrt(tol)) && !g->options.accept_doubt) return doubt_branch(g, out, tau);
    rg_passage_at(k, h, c, x->point, NULL);
    RG_TRY(
        rg_passage_exactness(k, out->t, x->point, x->null, x->U + (x->m - x->null) * x->m, &rho));
    rg_log(k->ctx, 2, "    exactness %.2g", rho);
    if (!(rho >= EXACT) || g->options.accept_doubt) return RG_OK;
    if (rho >= RESOLVED * fmin(tol, 1e-3)) return (rg_status)RG_STOPPED; /* followed, not passed */
    return doubt_miss(g, out, rho);
}

/* The largest |g_i|/(largest row) on the polynomial at the place: the stages meet the constraints, but if q is not smooth there (a pole, a
 * jump), or the step is too long for it, the polynomial between them does not.  *size: the largest |q| there. */
double rg_passage_gap(rg_passage *k, double t, double h, double c, double *size)
{
    const rg_stable_constraints *a = &k->form->constraints;
    double most = 0.0;
    double *g = k->gap;

    rg_passage_at(k, h, c, k->point, NULL);
    const rg_status status = rg_stable_constraints_eval(k->form, t + c * h, k->point, g, g + a->m);
    for (int i = 0; i < a->m; i++) {
        const double gap = fabs(g[i]) / rg_passage_scale(k, i);
        if (!(gap <= most)) most = gap;
    }
    *size = 0.0;
    for (int q = 0; q < a->n_q; q++)
        *size = fmax(*size, fabs(k->point[a->state[q]]));
    return status == RG_OK ? most : INFINITY;
}

rg_status rg_passage_check(rg_integrator *g, double t, double h, const rg_passage_place *place,
                           rg_passed *out)
{
    rg_passage *k = g->passage;
    const int m = k->form->constraints.m, n = k->form->constraints.n_q;
    geometry x = {.m = m, .n_q = n};
    const size_t mn = (size_t)m * (size_t)n, mm = (size_t)m * (size_t)m, nn = (size_t)n * (size_t)n;
    const size_t big = mn > nn ? mn : nn;
    double *memory = rg_alloc(
        k->ctx, 3 * mn + 2 * mm + nn + big + 4 * (size_t)(m + n) + (size_t)k->N, sizeof *memory);

    if (memory == NULL) return RG_ERR_MEMORY;
    double *next = memory;
    x.G = next;
    x.beside = (next += mn);
    x.D = (next += mn);
    x.U = (next += mn);
    x.P = (next += mm);
    x.V = (next += mm);
    x.W = (next += nn);
    x.sigma = (next += big);
    x.sigma_beside = (next += m + n);
    x.g = (next += m + n);
    x.product = (next += m + n);
    x.point = next + m + n;
    out->t = t + place->c * h;
    rg_status status = judge(g, &x, t, h, place->c, out);
    rg_free(k->ctx, memory);
    if (status == (rg_status)RG_RETRY) status = RG_OK;
    return status;
}
