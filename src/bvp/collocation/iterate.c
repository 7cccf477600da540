#include "bvp/collocation/iterate.h"

#include "bvp/collocation/large.h"
#include "bvp/mesh.h"

#include <math.h>
#include <string.h>

rg_status rg_iterate_create(rg_context *ctx, const rg_rule *rule, int n, int nx, int64_t N,
                            const double *t, int n_nodes, const double *points, rg_iterate **out)
{
    rg_iterate *it = rg_alloc(ctx, 1, sizeof *it);
    const size_t stages = (size_t)N * (size_t)rule->s;

    *out = NULL;
    if (it == NULL) return RG_ERR_MEMORY;
    *it = (rg_iterate){.ctx = ctx, .rule = *rule, .n = n, .nx = nx, .n_nodes = n_nodes, .N = N};
    it->t = rg_alloc(ctx, (size_t)N + 1, sizeof *it->t);
    it->node = rg_alloc(ctx, (size_t)n_nodes + 1, sizeof *it->node);
    it->x = rg_alloc(ctx, (size_t)(N + 1) * (size_t)nx + 1, sizeof *it->x);
    it->Xp = rg_alloc(ctx, stages * (size_t)nx + 1, sizeof *it->Xp);
    it->w = rg_alloc(ctx, stages * (size_t)n + 1, sizeof *it->w);
    it->wn = rg_alloc(ctx, (size_t)n_nodes * (size_t)n + 1, sizeof *it->wn);
    if (!it->t || !it->node || !it->x || !it->Xp || !it->w || !it->wn) {
        rg_iterate_destroy(&it);
        return RG_ERR_MEMORY;
    }
    memcpy(it->t, t, (size_t)(N + 1) * sizeof *t);
    int64_t i = 0;
    for (int k = 0; k < n_nodes; k++) {
        while (i < N && it->t[i] != points[k])
            i++;
        it->node[k] = i;
    }
    *out = it;
    return RG_OK;
}

void rg_iterate_destroy(rg_iterate **iterate)
{
    rg_iterate *it = *iterate;

    if (it == NULL) return;
    rg_context *ctx = it->ctx;
    void *const arrays[] = {it->t, it->node, it->x, it->Xp, it->w, it->wn};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    rg_free(ctx, it);
    *iterate = NULL;
}

static void add(int64_t n, const double *a, double factor, const double *d, double *out)
{
    for (int64_t k = 0; k < n; k++)
        out[k] = a[k] + factor * d[k];
}

void rg_iterate_add(const rg_iterate *from, double factor, const rg_iterate *delta, rg_iterate *to)
{
    const int64_t stages = from->N * from->rule.s;

    add((from->N + 1) * from->nx, from->x, factor, delta->x, to->x);
    add(stages * from->nx, from->Xp, factor, delta->Xp, to->Xp);
    add(stages * from->n, from->w, factor, delta->w, to->w);
    add((int64_t)from->n_nodes * from->n, from->wn, factor, delta->wn, to->wn);
}

int64_t rg_iterate_find(const rg_iterate *it, double t)
{
    return rg_mesh_find(it->N, it->t, t);
}

void rg_iterate_eval(const rg_iterate *it, int64_t i, double t, double *x, double *xp, double *w)
{
    const int s = it->rule.s, nx = it->nx, n = it->n;
    const double h = it->t[i + 1] - it->t[i], v = (t - it->t[i]) / h;
    double l[RG_RULE_MOST], L[RG_RULE_MOST];

    rg_rule_both(&it->rule, v, l, L);
    for (int k = 0; k < nx; k++) {
        const double *Xp = rg_stage_slope(it, i, 0) + k;
        double sum = 0.0, slope = 0.0;
        for (int j = 0; j < s; j++) {
            sum += L[j] * Xp[j * nx];
            slope += l[j] * Xp[j * nx];
        }
        x[k] = it->x[i * nx + k] + h * sum;
        xp[k] = slope;
    }
    for (int k = 0; k < n; k++) {
        const double *W = rg_stage_w(it, i, 0) + k;
        double sum = 0.0;
        for (int j = 0; j < s; j++)
            sum += l[j] * W[j * n];
        w[k] = sum;
    }
}

void rg_iterate_stage(const rg_iterate *it, int64_t i, int k, double *X)
{
    const double h = it->t[i + 1] - it->t[i];

    memcpy(X, it->x + i * it->nx, (size_t)it->nx * sizeof *X);
    for (int j = 0; j < it->rule.s; j++) {
        const double a = h * it->rule.A[k][j], *Xp = rg_stage_slope(it, i, j);
        for (int m = 0; m < it->nx; m++)
            X[m] += a * Xp[m];
    }
}

double rg_iterate_growth(const rg_iterate *it, int64_t i, int k)
{
    double sum = 0.0;

    for (int j = 0; j < it->rule.s; j++)
        sum += it->rule.b[j] * rg_stage_slope(it, i, j)[k];
    return sum * (it->t[i + 1] - it->t[i]);
}

/* w_j = x' of the last derivative of unknown j. */
static void tie(const rg_bvp_form *f, const double *xp, double *w)
{
    for (int k = 0; k < f->nx; k++)
        if (f->next[k] < 0) w[f->unknown[k]] = xp[k];
}

/* X'_k = X_{k+1} inside chains, from mesh values and highest derivatives. */
static void follow_chains(rg_iterate *it, const rg_bvp_form *f)
{
    const int nx = it->nx, s = it->rule.s;

    for (int k = nx - 2; k >= 0; k--)
        for (int64_t i = 0; i < it->N && f->next[k] >= 0; i++) {
            const double h = it->t[i + 1] - it->t[i], x = it->x[i * nx + k + 1];
            double *slope = rg_stage_slope(it, i, 0) + k;
            for (int j = 0; j < s; j++) {
                double sum = 0.0;
                for (int m = 0; m < s; m++)
                    sum += it->rule.A[j][m] * slope[m * nx + 1];
                slope[j * nx] = x + h * sum;
            }
        }
}

static bool has_mesh_of(const rg_iterate *a, const rg_iterate *b)
{
    return a->N == b->N && memcmp(a->t, b->t, (size_t)(a->N + 1) * sizeof *a->t) == 0;
}

/* From another rule on the same mesh: the highest derivatives are interpolated, with the same weights everywhere. */
static void change_rule(rg_iterate *it, const rg_bvp_form *f, const rg_iterate *from)
{
    const int n = it->n, nx = it->nx;
    double l[RG_RULE_MOST], L[RG_RULE_MOST];

    memcpy(it->x, from->x, (size_t)((it->N + 1) * nx) * sizeof *it->x);
    memcpy(it->wn, from->wn, (size_t)(it->n_nodes * n) * sizeof *it->wn);
    for (int j = 0; j < it->rule.s; j++) {
        rg_rule_both(&from->rule, it->rule.c[j], l, L);
        for (int64_t i = 0; i < it->N; i++) {
            double *w = rg_stage_w(it, i, j), *xp = rg_stage_slope(it, i, j);
            for (int k = 0; k < n; k++) {
                w[k] = 0.0;
                for (int m = 0; m < from->rule.s; m++)
                    w[k] += l[m] * rg_stage_w(from, i, m)[k];
            }
            for (int k = 0; k < nx; k++)
                if (f->next[k] < 0) xp[k] = w[f->unknown[k]];
        }
    }
    follow_chains(it, f);
}

rg_status rg_iterate_fill(rg_iterate *it, const rg_bvp_form *f, const rg_profile *from)
{
    if (from->eval == rg_iterate_profile && has_mesh_of(it, from->user)) {
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
            double *w = rg_stage_w(it, i, j);
            status = from->eval(from->user, t, x, rg_stage_slope(it, i, j), w);
            tie(f, rg_stage_slope(it, i, j), w);
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

rg_status rg_iterate_profile(void *user, double t, double *x, double *xp, double *w)
{
    const rg_iterate *it = user;

    rg_iterate_eval(it, rg_iterate_find(it, t), t, x, xp, w);
    return RG_OK;
}
