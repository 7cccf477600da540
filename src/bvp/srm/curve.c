#include "bvp/srm/curve.h"

#include "bvp/mesh.h"

#include <string.h>

rg_status rg_srm_curve_create(rg_context *ctx, const rg_rule *rule, int n_z, int n_c, int64_t N,
                              const double *t, int n_nodes, const double *points,
                              rg_srm_curve **out)
{
    rg_srm_curve *c = rg_alloc(ctx, 1, sizeof *c);
    const size_t stages = (size_t)N * (size_t)rule->s;
    int64_t i = 0;

    *out = NULL;
    if (c == NULL) return RG_ERR_MEMORY;
    *c = (rg_srm_curve){
        .ctx = ctx, .rule = *rule, .n_z = n_z, .n_c = n_c, .n_nodes = n_nodes, .N = N};
    c->t = rg_alloc(ctx, (size_t)N + 1, sizeof *c->t);
    c->node = rg_alloc(ctx, (size_t)n_nodes + 1, sizeof *c->node);
    c->z = rg_alloc(ctx, (size_t)(N + 1) * (size_t)n_z + 1, sizeof *c->z);
    c->Zp = rg_alloc(ctx, stages * (size_t)n_z + 1, sizeof *c->Zp);
    c->c = rg_alloc(ctx, stages * (size_t)n_c + 1, sizeof *c->c);
    if (!c->t || !c->node || !c->z || !c->Zp || !c->c) {
        rg_srm_curve_destroy(&c);
        return RG_ERR_MEMORY;
    }
    memcpy(c->t, t, (size_t)(N + 1) * sizeof *t);
    for (int k = 0; k < n_nodes; k++) {
        while (i < N && t[i] != points[k])
            i++;
        c->node[k] = i;
    }
    *out = c;
    return RG_OK;
}

rg_status rg_srm_curve_like(const rg_srm_curve *c, rg_srm_curve **out)
{
    RG_TRY(rg_srm_curve_create(c->ctx, &c->rule, c->n_z, c->n_c, c->N, c->t, 0, NULL, out));
    int64_t *node = rg_alloc(c->ctx, (size_t)c->n_nodes + 1, sizeof *node);
    if (node == NULL) {
        rg_srm_curve_destroy(out);
        return RG_ERR_MEMORY;
    }
    memcpy(node, c->node, (size_t)c->n_nodes * sizeof *node);
    rg_free(c->ctx, (*out)->node);
    (*out)->node = node;
    (*out)->n_nodes = c->n_nodes;
    return RG_OK;
}

void rg_srm_curve_destroy(rg_srm_curve **curve)
{
    rg_srm_curve *c = *curve;

    if (c == NULL) return;
    rg_context *ctx = c->ctx;
    void *const arrays[] = {c->t, c->node, c->z, c->Zp, c->c, c};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    *curve = NULL;
}

void rg_srm_curve_copy(const rg_srm_curve *from, rg_srm_curve *to)
{
    const size_t stages = (size_t)from->N * (size_t)from->rule.s;

    memcpy(to->z, from->z, (size_t)(from->N + 1) * (size_t)from->n_z * sizeof *to->z);
    memcpy(to->Zp, from->Zp, stages * (size_t)from->n_z * sizeof *to->Zp);
    memcpy(to->c, from->c, stages * (size_t)from->n_c * sizeof *to->c);
}

void rg_srm_curve_add(const rg_srm_curve *from, double factor, const rg_srm_curve *delta,
                      rg_srm_curve *to)
{
    const int64_t points = (from->N + 1) * from->n_z, stages = from->N * from->rule.s * from->n_z;

    for (int64_t k = 0; k < points; k++)
        to->z[k] = from->z[k] + factor * delta->z[k];
    for (int64_t k = 0; k < stages; k++)
        to->Zp[k] = from->Zp[k] + factor * delta->Zp[k];
}

int64_t rg_srm_curve_find(const rg_srm_curve *c, double t)
{
    return rg_mesh_find(c->N, c->t, t);
}

void rg_srm_curve_eval(const rg_srm_curve *c, int64_t i, double t, double *z)
{
    const double h = c->t[i + 1] - c->t[i];
    double L[RG_RULE_MOST];

    rg_rule_integral(&c->rule, (t - c->t[i]) / h, L);
    memcpy(z, c->z + i * c->n_z, (size_t)c->n_z * sizeof *z);
    for (int j = 0; j < c->rule.s; j++)
        for (int k = 0; k < c->n_z; k++)
            z[k] += h * L[j] * rg_srm_slope(c, i, j)[k];
}

void rg_srm_curve_rate(const rg_srm_curve *c, int64_t i, double t, double *zp)
{
    double l[RG_RULE_MOST];

    rg_rule_lagrange(&c->rule, (t - c->t[i]) / (c->t[i + 1] - c->t[i]), l);
    memset(zp, 0, (size_t)c->n_z * sizeof *zp);
    for (int j = 0; j < c->rule.s; j++)
        for (int k = 0; k < c->n_z; k++)
            zp[k] += l[j] * rg_srm_slope(c, i, j)[k];
}

double rg_srm_curve_stage(const rg_srm_curve *c, int64_t i, int j, double *Z)
{
    const double h = c->t[i + 1] - c->t[i];

    memcpy(Z, c->z + i * c->n_z, (size_t)c->n_z * sizeof *Z);
    for (int k = 0; k < c->rule.s; k++) {
        const double a = h * c->rule.A[j][k], *Zp = rg_srm_slope(c, i, k);
        for (int m = 0; m < c->n_z; m++)
            Z[m] += a * Zp[m];
    }
    return c->t[i] + c->rule.c[j] * h;
}

void rg_srm_curve_bridge(const rg_srm_curve *c, int n, const uint8_t *is_good, double *values)
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
        const double t0 = rg_srm_time(c, from), t1 = rg_srm_time(c, to);
        const double u = to > from ? (rg_srm_time(c, a) - t0) / (t1 - t0) : 0.0;
        for (int k = 0; k < n; k++)
            values[a * n + k] = (1.0 - u) * values[from * n + k] + u * values[to * n + k];
    }
}
