/* Condenses the stage equations of one mesh interval to the highest derivatives. */
#include "bvp/collocation/stages.h"

#include <string.h>

static void list_chains(const rg_chains *f, rg_stages *g)
{
    for (int k = 0; k < g->nx; k++) {
        const int order = f->next != NULL ? f->order[k] : 0;
        if (order == 0) g->first[g->n_chains] = k;
        g->chain[k] = g->n_chains;
        if (f->next != NULL && f->next[k] >= 0) continue;
        g->last[g->n_chains] = k;
        g->row[g->n_chains++] = f->next != NULL ? f->unknown[k] : k;
        if (order + 1 > g->longest) g->longest = order + 1;
    }
    g->size = g->s * g->n_chains;
}

static void fill_powers(rg_stages *g)
{
    const int s = g->s, q = g->n_chains;
    double P[RG_RULE_MOST][RG_RULE_MOST] = {{0}}, next[RG_RULE_MOST][RG_RULE_MOST];

    for (int i = 0; i < s; i++)
        P[i][i] = 1.0;
    g->whole[0] = 1.0;
    for (int p = 0; p <= g->longest; p++) {
        memset(next, 0, sizeof next);
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++) {
                g->ends[p * s + j] += g->rule.b[i] * P[i][j];
                for (int c = 0; c < q; c++) {
                    g->power[(int64_t)(p * s + j) * g->size + i * q + c] = P[i][j];
                    g->ones[(int64_t)p * g->size + i * q + c] += P[i][j];
                }
                for (int k = 0; k < s; k++)
                    next[i][j] += g->rule.A[i][k] * P[k][j];
            }
        for (int j = 0; j < s && p < g->longest; j++)
            g->whole[p + 1] += g->ends[p * s + j];
        memcpy(P, next, sizeof P);
    }
}

rg_status rg_stages_init(rg_context *ctx, const rg_chains *f, const rg_rule *rule, rg_stages *out)
{
    const size_t nx = (size_t)f->nx, s = (size_t)rule->s;

    *out = (rg_stages){.ctx = ctx, .rule = *rule, .n = f->n, .nx = f->nx, .s = rule->s};
    out->first = rg_alloc(ctx, 4 * nx + 1, sizeof *out->first);
    if (out->first == NULL) return RG_ERR_MEMORY;
    out->last = out->first + nx;
    out->row = out->last + nx;
    out->chain = out->row + nx;
    list_chains(f, out);
    const size_t powers = (size_t)out->longest + 1, size = (size_t)out->size;
    out->power =
        rg_alloc(ctx, powers * (s * size + size + s + 2) + nx * (size + s) + 1, sizeof *out->power);
    if (out->power == NULL) return RG_ERR_MEMORY;
    out->ones = out->power + powers * s * size;
    out->ends = out->ones + powers * size;
    out->whole = out->ends + powers * s;
    out->h_power = out->whole + powers;
    out->Kx = out->h_power + powers;
    out->dX = out->Kx + nx * size;
    fill_powers(out);
    return RG_OK;
}

void rg_stages_clear(rg_stages *g)
{
    if (g->ctx == NULL) return;
    rg_free(g->ctx, g->first);
    rg_free(g->ctx, g->power);
    g->ctx = NULL;
}

static void set_h(rg_stages *g, double h)
{
    g->h_power[0] = 1.0;
    for (int p = 1; p <= g->longest; p++)
        g->h_power[p] = h * g->h_power[p - 1];
}

static void gather(rg_stages *g, const double *K)
{
    const int n = g->n, nx = g->nx, q = g->n_chains;

    for (int i = 0; i < g->s; i++)
        for (int x = 0; x < nx; x++)
            for (int c = 0; c < q; c++)
                g->Kx[x * g->size + i * q + c] = K[((int64_t)i * nx + x) * n + g->row[c]];
}

/* sum += factor a b, entry by entry; is_first: sum = factor a b */
static inline void add_product(int n, double factor, const double *restrict a,
                               const double *restrict b, bool is_first, double *restrict sum)
{
    if (is_first)
        for (int k = 0; k < n; k++)
            sum[k] = factor * a[k] * b[k];
    else
        for (int k = 0; k < n; k++)
            sum[k] += factor * a[k] * b[k];
}

void rg_stages_fill(rg_stages *g, double h, const double *K, double *S, double *U)
{
    const int s = g->s, q = g->n_chains, size = g->size;

    set_h(g, h);
    gather(g, K);
    for (int j = 0; j < s; j++)
        for (int c = 0; c < q; c++) {
            double *column = S + (int64_t)(j * q + c) * size;
            for (int x = g->first[c]; x <= g->last[c]; x++) {
                const int p = g->last[c] - x + 1;
                add_product(size, -g->h_power[p], g->power + (int64_t)(p * s + j) * size,
                            g->Kx + (int64_t)x * size, x == g->first[c], column);
            }
            column[j * q + c] += 1.0;
        }
    memcpy(U, g->Kx, (size_t)size * (size_t)g->nx * sizeof *U);
    for (int c = 0; c < g->nx; c++)
        for (int x = g->first[g->chain[c]]; x < c; x++)
            add_product(size, g->h_power[c - x], g->ones + (int64_t)(c - x) * size,
                        g->Kx + (int64_t)x * size, false, U + (int64_t)c * size);
}

/* h^d b A^{d-1} V for state x */
static inline double end_of(const rg_stages *g, int x, const double *V)
{
    const int c = g->chain[x], p = g->last[c] - x + 1, q = g->n_chains;
    const double *ends = g->ends + (int64_t)(p - 1) * g->s;
    double sum = 0.0;

    for (int j = 0; j < g->s; j++)
        sum += ends[j] * V[j * q + c];
    return g->h_power[p] * sum;
}

void rg_stages_gamma(rg_stages *g, double h, const double *U, double *Gamma)
{
    const int nx = g->nx;

    set_h(g, h);
    for (int c = 0; c < nx; c++)
        for (int x = 0; x < nx; x++) {
            double sum = end_of(g, x, U + (int64_t)c * g->size);
            if (g->chain[c] == g->chain[x] && c >= x) sum += g->h_power[c - x] * g->whole[c - x];
            Gamma[c * nx + x] = sum;
        }
}

void rg_stages_end(rg_stages *g, double h, const double *V, double *x)
{
    set_h(g, h);
    for (int k = 0; k < g->nx; k++)
        x[k] += end_of(g, k, V);
}

void rg_stages_unroll(rg_stages *g, double h, const double *dx, const double *V, double *dXp)
{
    const int nx = g->nx, s = g->s, q = g->n_chains;

    if (g->n == q && nx == q) { /* V is all there is */
        memcpy(dXp, V, (size_t)g->size * sizeof *V);
        return;
    }
    for (int x = nx - 1; x >= 0; x--) {
        const int c = g->chain[x];
        const bool is_last = g->last[c] == x;
        double slope[RG_RULE_MOST];
        for (int j = 0; j < s; j++)
            dXp[j * nx + x] = slope[j] = is_last ? V[j * q + c] : g->dX[j * nx + x + 1];
        if (g->n == q && g->first[c] == x) continue; /* nobody asks */
        for (int j = 0; j < s; j++) {
            double sum = 0.0;
            for (int k = 0; k < s; k++)
                sum += g->rule.A[j][k] * slope[k];
            g->dX[j * nx + x] = dx[x] + h * sum;
        }
    }
}
