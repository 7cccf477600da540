/* Piecewise polynomials on a mesh: memory, arithmetic, evaluation. */
#include "curve/curve.h"

#include "base/random.h"
#include "curve/mesh.h"

#include <string.h>

static rg_status take_memory(rg_curve *c)
{
    const size_t stages = (size_t)c->N * (size_t)c->rule.s, n = (size_t)c->n, nx = (size_t)c->nx;

    c->t = rg_alloc(c->ctx, (size_t)c->N + 1, sizeof *c->t);
    c->node = rg_alloc(c->ctx, (size_t)c->n_nodes + 1, sizeof *c->node);
    c->x = rg_alloc(c->ctx, (size_t)(c->N + 1) * nx + 1, sizeof *c->x);
    c->Xp = rg_alloc(c->ctx, stages * nx + 1, sizeof *c->Xp);
    c->w = rg_alloc(c->ctx, stages * n + 1, sizeof *c->w);
    c->wn = rg_alloc(c->ctx, (size_t)c->n_nodes * n + 1, sizeof *c->wn);
    return c->t && c->node && c->x && c->Xp && c->w && c->wn ? RG_OK : RG_ERR_MEMORY;
}

/* With the mesh and the sizes of `shape`; the nodes are not set. */
static rg_status create(const rg_curve *shape, const double *t, rg_curve **out)
{
    rg_curve *c = rg_alloc(shape->ctx, 1, sizeof *c);

    *out = NULL;
    if (c == NULL) return RG_ERR_MEMORY;
    *c = (rg_curve){.ctx = shape->ctx,
                    .rule = shape->rule,
                    .n = shape->n,
                    .nx = shape->nx,
                    .n_nodes = shape->n_nodes,
                    .N = shape->N};
    const rg_status status = take_memory(c);
    if (status != RG_OK) {
        rg_curve_destroy(&c);
        return status;
    }
    memcpy(c->t, t, (size_t)(c->N + 1) * sizeof *t);
    *out = c;
    return RG_OK;
}

rg_status rg_curve_create(rg_context *ctx, const rg_rule *rule, int n, int nx, int64_t N,
                          const double *t, int n_nodes, const double *points, rg_curve **out)
{
    const rg_curve shape = {
        .ctx = ctx, .rule = *rule, .n = n, .nx = nx, .n_nodes = n_nodes, .N = N};
    int64_t i = 0;

    RG_TRY(create(&shape, t, out));
    for (int k = 0; k < n_nodes; k++) {
        while (i < N && t[i] != points[k])
            i++;
        (*out)->node[k] = i;
    }
    return RG_OK;
}

rg_status rg_curve_like(const rg_curve *c, rg_curve **out)
{
    RG_TRY(create(c, c->t, out));
    memcpy((*out)->node, c->node, (size_t)c->n_nodes * sizeof *c->node);
    return RG_OK;
}

void rg_curve_destroy(rg_curve **curve)
{
    rg_curve *c = *curve;

    if (c == NULL) return;
    rg_context *ctx = c->ctx;
    void *const arrays[] = {c->t, c->node, c->x, c->Xp, c->w, c->wn, c->is_kink, c};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    *curve = NULL;
}

static void add(int64_t n, const double *a, double factor, const double *d, double *out)
{
    for (int64_t k = 0; k < n; k++)
        out[k] = a[k] + factor * d[k];
}

void rg_curve_add(const rg_curve *from, double factor, const rg_curve *delta, rg_curve *to)
{
    const int64_t stages = from->N * from->rule.s;

    add((from->N + 1) * from->nx, from->x, factor, delta->x, to->x);
    add(stages * from->nx, from->Xp, factor, delta->Xp, to->Xp);
    add(stages * from->n, from->w, factor, delta->w, to->w);
    add((int64_t)from->n_nodes * from->n, from->wn, factor, delta->wn, to->wn);
}

static void perturb(uint64_t seed, int64_t n, const double *a, double part, double *out)
{
    for (int64_t k = 0; k < n; k++)
        out[k] = a[k] * (1.0 + part * rg_random_sign(seed, (uint64_t)k));
}

void rg_curve_perturb(const rg_curve *from, double part, rg_curve *to)
{
    const int64_t stages = from->N * from->rule.s;

    perturb(0, (from->N + 1) * from->nx, from->x, part, to->x);
    perturb(1, stages * from->nx, from->Xp, part, to->Xp);
    perturb(2, stages * from->n, from->w, part, to->w);
    perturb(3, (int64_t)from->n_nodes * from->n, from->wn, part, to->wn);
}

void rg_curve_copy(const rg_curve *from, rg_curve *to)
{
    const size_t stages = (size_t)from->N * (size_t)from->rule.s;

    memcpy(to->x, from->x, (size_t)((from->N + 1) * from->nx) * sizeof *to->x);
    memcpy(to->Xp, from->Xp, stages * (size_t)from->nx * sizeof *to->Xp);
    memcpy(to->w, from->w, stages * (size_t)from->n * sizeof *to->w);
    memcpy(to->wn, from->wn, (size_t)(from->n_nodes * from->n) * sizeof *to->wn);
}

int64_t rg_curve_find(const rg_curve *c, double t)
{
    return rg_mesh_find(c->N, c->t, t);
}

void rg_curve_eval(const rg_curve *c, int64_t i, double t, double *x, double *xp, double *w)
{
    const int s = c->rule.s, nx = c->nx, n = c->n;
    const double h = c->t[i + 1] - c->t[i], v = (t - c->t[i]) / h;
    double l[RG_RULE_MOST], L[RG_RULE_MOST];

    rg_rule_both(&c->rule, v, l, L);
    for (int k = 0; k < nx; k++) {
        const double *Xp = rg_curve_slope(c, i, 0) + k;
        double sum = 0.0, slope = 0.0;
        for (int j = 0; j < s; j++) {
            sum += L[j] * Xp[j * nx];
            slope += l[j] * Xp[j * nx];
        }
        if (x != NULL) x[k] = c->x[i * nx + k] + h * sum;
        if (xp != NULL) xp[k] = slope;
    }
    for (int k = 0; k < n && w != NULL; k++) {
        const double *W = rg_curve_w(c, i, 0) + k;
        double sum = 0.0;
        for (int j = 0; j < s; j++)
            sum += l[j] * W[j * n];
        w[k] = sum;
    }
}

double rg_curve_stage(const rg_curve *c, int64_t i, int j, double *X)
{
    const double h = c->t[i + 1] - c->t[i];

    memcpy(X, c->x + i * c->nx, (size_t)c->nx * sizeof *X);
    for (int k = 0; k < c->rule.s; k++) {
        const double a = h * c->rule.A[j][k], *Xp = rg_curve_slope(c, i, k);
        for (int m = 0; m < c->nx; m++)
            X[m] += a * Xp[m];
    }
    return c->t[i] + c->rule.c[j] * h;
}

double rg_curve_growth(const rg_curve *c, int64_t i, int k)
{
    double sum = 0.0;

    for (int j = 0; j < c->rule.s; j++)
        sum += c->rule.b[j] * rg_curve_slope(c, i, j)[k];
    return sum * (c->t[i + 1] - c->t[i]);
}

void rg_curve_bridge(const rg_curve *c, int n, const uint8_t *is_good, double *values)
{
    const int64_t all = c->N * c->rule.s;
    int64_t left = -1;

    for (int64_t a = 0; a < all; a++) {
        if (is_good[a]) {
            left = a;
            continue;
        }
        int64_t right = a;
        while (right < all && !is_good[right])
            right++;
        if (left < 0 && right == all) return; /* nothing to hold on to */
        const int64_t from = left < 0 ? right : left, to = right == all ? left : right;
        const double t0 = rg_curve_time(c, from), t1 = rg_curve_time(c, to);
        const double u = to > from ? (rg_curve_time(c, a) - t0) / (t1 - t0) : 0.0;
        for (int k = 0; k < n; k++)
            values[a * n + k] = (1.0 - u) * values[from * n + k] + u * values[to * n + k];
    }
}
