/* Curves that are filled from a guess or from an earlier solution, on another mesh or with
 * another rule. */
#include "bvp/collocation/profile.h"

#include "bvp/collocation/large.h"

#include <math.h>
#include <string.h>

/* w_j = x' of the last derivative of unknown j. */
static void tie(const rg_bvp_form *f, const double *xp, double *w)
{
    for (int k = 0; k < f->nx; k++)
        if (f->next[k] < 0) w[f->unknown[k]] = xp[k];
}

/* X'_k = X_{k+1} inside chains, from mesh values and highest derivatives. */
static void follow_chains(rg_curve *it, const rg_bvp_form *f)
{
    const int nx = it->nx, s = it->rule.s;

    for (int k = nx - 2; k >= 0; k--)
        for (int64_t i = 0; i < it->N && f->next[k] >= 0; i++) {
            const double h = it->t[i + 1] - it->t[i], x = it->x[i * nx + k + 1];
            double *slope = rg_curve_slope(it, i, 0) + k;
            for (int j = 0; j < s; j++) {
                double sum = 0.0;
                for (int m = 0; m < s; m++)
                    sum += it->rule.A[j][m] * slope[m * nx + 1];
                slope[j * nx] = x + h * sum;
            }
        }
}

static bool has_mesh_of(const rg_curve *a, const rg_curve *b)
{
    return a->N == b->N && memcmp(a->t, b->t, (size_t)(a->N + 1) * sizeof *a->t) == 0;
}

/* From another rule on the same mesh: the highest derivatives are interpolated, with the same
 * weights everywhere. */
static void change_rule(rg_curve *it, const rg_bvp_form *f, const rg_curve *from)
{
    const int n = it->n, nx = it->nx;
    double l[RG_RULE_MOST], L[RG_RULE_MOST];

    memcpy(it->x, from->x, (size_t)((it->N + 1) * nx) * sizeof *it->x);
    memcpy(it->wn, from->wn, (size_t)(it->n_nodes * n) * sizeof *it->wn);
    for (int j = 0; j < it->rule.s; j++) {
        rg_rule_both(&from->rule, it->rule.c[j], l, L);
        for (int64_t i = 0; i < it->N; i++) {
            double *w = rg_curve_w(it, i, j), *xp = rg_curve_slope(it, i, j);
            for (int k = 0; k < n; k++) {
                w[k] = 0.0;
                for (int m = 0; m < from->rule.s; m++)
                    w[k] += l[m] * rg_curve_w(from, i, m)[k];
            }
            for (int k = 0; k < nx; k++)
                if (f->next[k] < 0) xp[k] = w[f->unknown[k]];
        }
    }
    follow_chains(it, f);
}

rg_status rg_profile_fill(rg_curve *it, const rg_bvp_form *f, const rg_profile *from)
{
    if (from->eval == rg_profile_of_curve && has_mesh_of(it, from->user)) {
        change_rule(it, f, from->user);
        return RG_OK;
    }
    double *x = rg_alloc(it->ctx, (size_t)(2 * it->nx) + 1, sizeof *x);

    if (x == NULL) return RG_ERR_MEMORY;
    double *xp = x + it->nx;
    rg_status status = RG_OK;

    for (int64_t i = 0; i < it->N && status == RG_OK; i++)
        for (int j = 0; j < it->rule.s && status == RG_OK; j++) {
            const double t = it->t[i] + it->rule.c[j] * (it->t[i + 1] - it->t[i]);
            double *w = rg_curve_w(it, i, j);
            status = from->eval(from->user, t, x, rg_curve_slope(it, i, j), w);
            tie(f, rg_curve_slope(it, i, j), w);
        }
    for (int k = 0; k < it->n_nodes && status == RG_OK; k++) {
        status = from->eval(from->user, it->t[it->node[k]], x, xp, it->wn + k * it->n);
        tie(f, xp, it->wn + k * it->n);
    }
    double *w = rg_alloc(it->ctx, (size_t)it->n + 1, sizeof *w);
    if (w == NULL) status = RG_ERR_MEMORY;
    for (int64_t i = 0; i <= it->N && status == RG_OK; i++)
        status = from->eval(from->user, it->t[i], it->x + i * it->nx, xp, w);
    if (status == RG_OK) follow_chains(it, f);
    rg_free(it->ctx, w);
    rg_free(it->ctx, x);
    if (status == RG_OK && f->is_large) rg_large_tie(f, it);
    return status;
}

rg_status rg_profile_of_curve(void *user, double t, double *x, double *xp, double *w)
{
    const rg_curve *it = user;

    rg_curve_eval(it, rg_curve_find(it, t), t, x, xp, w);
    return RG_OK;
}
