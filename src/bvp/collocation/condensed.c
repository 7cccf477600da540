/* Collocation equations condensed to the mesh points; see condensed.h. */
#include "bvp/collocation/condensed.h"

#include "bvp/collocation/tuning.h"
#include "bvp/dense_block.h"

#include <float.h>
#include <math.h>
#include <string.h>

static rg_status take_memory(rg_condensed *l)
{
    const size_t n = (size_t)l->n, nx = (size_t)l->nx, N = (size_t)l->N;
    const size_t size = (size_t)l->stages.size, points = N * (size_t)l->s + (size_t)l->n_nodes;
    const struct {
        double **array;
        size_t count;
    } list[] = {
        {&l->K,     points * n * nx},
        {&l->r,     points * n     },
        {&l->S,     N * size * size},
        {&l->U,     N * size * nx  },
        {&l->g,     N * size       },
        {&l->gamma, N * nx         },
        {&l->beta,  nx             },
        {&l->X,     nx             },
        {&l->V,     size           }
    };

    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if ((*list[k].array = rg_alloc(l->ctx, list[k].count + 1, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    l->stage_pivot = rg_alloc(l->ctx, N * size + 1, sizeof *l->stage_pivot);
    l->is_sized = rg_alloc(l->ctx, nx + 1, sizeof *l->is_sized);
    return l->stage_pivot != NULL && l->is_sized != NULL ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_condensed_create(const rg_collocation_field *field, const rg_curve *it,
                              rg_stats *stats, rg_condensed **out)
{
    const rg_chains *c = &field->chains;
    rg_condensed *l = rg_alloc(it->ctx, 1, sizeof *l);

    *out = NULL;
    if (l == NULL) return RG_ERR_MEMORY;
    *l = (rg_condensed){.ctx = it->ctx, .field = *field, .n = c->n, .nx = c->nx, .s = it->rule.s};
    l->n_nodes = it->n_nodes;
    l->N = it->N;
    l->stats = stats;
    rg_status status = rg_stages_init(l->ctx, c, &it->rule, &l->stages);
    if (status == RG_OK) status = rg_block_prepare(l->ctx, l->stages.size);
    if (status == RG_OK) status = take_memory(l);
    if (status == RG_OK)
        status = rg_chain_create(l->ctx, l->nx, it->N, it->n_nodes, it->node, &l->chain);
    if (status == RG_OK)
        *out = l;
    else
        rg_condensed_destroy(&l);
    return status;
}

void rg_condensed_destroy(rg_condensed **linear)
{
    rg_condensed *l = *linear;

    if (l == NULL) return;
    rg_context *ctx = l->ctx;
    rg_chain_destroy(&l->chain);
    rg_stages_clear(&l->stages);
    void *const arrays[] = {l->K,    l->r, l->S, l->U,           l->g,        l->gamma,
                            l->beta, l->X, l->V, l->stage_pivot, l->is_sized, l};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    *linear = NULL;
}

/* X at stage j of interval i: inside chains it is the derivative of the state before. */
static void fill_states(const rg_condensed *l, const rg_curve *it, int64_t i, int j)
{
    const int nx = l->nx;
    const double h = it->t[i + 1] - it->t[i], *Xp = rg_curve_slope(it, i, 0);

    for (int x = 0; x < nx; x++) {
        double sum = 0.0;
        if (l->stages.first[l->stages.chain[x]] < x) {
            l->X[x] = Xp[j * nx + x - 1];
            continue;
        }
        for (int k = 0; k < l->s; k++)
            sum += it->rule.A[j][k] * Xp[k * nx + x];
        l->X[x] = it->x[i * nx + x] + h * sum;
    }
}

static rg_status condense(rg_condensed *l, const rg_curve *it, int64_t i, bool is_new)
{
    const int n = l->n, nx = l->nx, s = l->s, q = l->stages.n_chains, size = l->stages.size;
    const double h = it->t[i + 1] - it->t[i];
    double *g = l->g + i * size, *gamma = l->gamma + i * nx, *Gamma = l->chain->Gamma + i * nx * nx;
    double *S = l->S + i * size * size, *U = l->U + i * size * nx;
    int *pivot = l->stage_pivot + i * size;

    for (int j = 0; j < s; j++) {
        double *K = l->K + (i * s + j) * n * nx, *r = l->r + (i * s + j) * n;
        fill_states(l, it, i, j);
        RG_TRY(l->field.stage(l->field.user, it, i * s + j, it->t[i] + it->rule.c[j] * h, l->X,
                              is_new, K, r));
        for (int c = 0; c < q; c++)
            g[j * q + c] = r[l->stages.row[c]];
    }
    if (is_new) {
        rg_stages_fill(&l->stages, h, l->K + i * s * n * nx, S, U);
        if (!rg_block_factor(size, S, pivot)) return RG_RETRY;
        rg_block_solve(size, S, pivot, nx, U);
        rg_stages_gamma(&l->stages, h, U, Gamma);
    }
    rg_block_solve(size, S, pivot, 1, g);
    for (int k = 0; k < nx; k++)
        gamma[k] = it->x[i * nx + k] - it->x[(i + 1) * nx + k] + rg_curve_growth(it, i, k);
    rg_stages_end(&l->stages, h, g, gamma);
    return l->field.end != NULL ? l->field.end(l->field.user, it, i, is_new, Gamma, gamma) : RG_OK;
}

void rg_condensed_expand(const rg_condensed *l, int64_t q, const double *dX, double *dw)
{
    const int n = l->n;
    const double *K = l->K + q * n * l->nx;

    memcpy(dw, l->r + q * n, (size_t)n * sizeof *dw);
    for (int j = 0; j < l->nx; j++)
        for (int i = 0; i < n; i++)
            dw[i] += K[j * n + i] * dX[j];
}

/* V = U dx + g, and from there all corrections of interval i.  The highest derivatives are V,
 * the algebraic unknowns follow. */
static void expand_interval(rg_condensed *l, int64_t i, double h, rg_curve *d)
{
    rg_stages *stages = &l->stages;
    const int nx = l->nx, s = l->s, q = stages->n_chains, size = stages->size;
    const double *U = l->U + i * size * nx, *dx = d->x + i * nx;

    memcpy(l->V, l->g + i * size, (size_t)size * sizeof *l->V);
    for (int c = 0; c < nx; c++)
        for (int k = 0; k < size; k++)
            l->V[k] += U[(int64_t)c * size + k] * dx[c];
    rg_stages_unroll(stages, h, dx, l->V, rg_curve_slope(d, i, 0));
    for (int j = 0; j < s && l->field.has_w; j++) {
        double *dw = rg_curve_w(d, i, j);
        if (l->n > q) rg_condensed_expand(l, i * s + j, stages->dX + j * nx, dw);
        for (int c = 0; c < q; c++)
            dw[stages->row[c]] = l->V[j * q + c];
    }
}

/* The unit of a state whose size is not known: row and column of the chain's largest entries,
 *     r = sum_j |Gamma_kj| u_j/u_k,  c = sum_j |Gamma_jk| u_k/u_j,  j not k,
 * become equally large with  u_k sqrt(r/c)  (Osborne).  r c does not depend on units: where it is
 * not above `least`, one of them counts as zero (the row of an unknown constant), and the unit
 * stays. */
static void balance(rg_condensed *l, int k, double least)
{
    const int nx = l->nx;
    double *scale = l->chain->scale, r = 0.0, c = 0.0;

    for (int j = 0; j < nx; j++) {
        double row = 0.0, column = 0.0;
        for (int64_t i = 0; i < l->N && j != k; i++) {
            const double *Gamma = l->chain->Gamma + i * nx * nx;
            row = fmax(row, fabs(Gamma[j * nx + k]));
            column = fmax(column, fabs(Gamma[k * nx + j]));
        }
        r += row * scale[j] / scale[k];
        c += column * scale[k] / scale[j];
    }
    if (r * c > least && isfinite(r) && isfinite(c)) scale[k] *= exp2(round(0.5 * log2(r / c)));
}

static void balance_rest(rg_condensed *l, double least)
{
    for (int pass = 0; pass < RG_BALANCE_PASSES; pass++)
        for (int k = 0; k < l->nx; k++)
            if (!l->is_sized[k]) balance(l, k, least);
}

/* Units of the chain: derivatives in a layer are larger than the unknowns by powers of 1/eps,
 * and reflections mix them. */
static void set_units(rg_condensed *l, const rg_curve *it)
{
    double *scale = l->chain->scale;
    bool has_zero = false;

    for (int k = 0; k < l->nx; k++) {
        double most = 0.0;
        for (int64_t i = 0; i <= it->N; i++)
            most = fmax(most, fabs(it->x[i * l->nx + k]));
        l->is_sized[k] = most > 0.0 && isfinite(most);
        has_zero |= !l->is_sized[k];
        scale[k] = l->is_sized[k] ? exp2(round(log2(most))) : 1.0;
    }
    if (has_zero) balance_rest(l, 0.0);
}

void rg_condensed_balance(rg_condensed *l)
{
    memset(l->is_sized, 0, (size_t)l->nx * sizeof *l->is_sized);
    balance_rest(l, DBL_EPSILON); /* singular vectors tell nothing in units of rounding */
}

rg_status rg_condensed_correct(rg_condensed *l, const rg_curve *it, bool is_new, rg_curve *delta)
{
    if (is_new) l->has_factors = l->is_singular = false;
    for (int64_t i = 0; i < l->N; i++)
        RG_TRY(condense(l, it, i, is_new));
    RG_TRY(l->field.conditions(l->field.user, it, is_new, l->chain->B, l->beta));
    if (is_new) {
        l->stats->factorizations++;
        set_units(l, it);
        const rg_status status = rg_chain_factor(l->chain);
        l->has_factors = status == RG_OK;
        l->is_singular = status == (rg_status)RG_RETRY;
        if (status != RG_OK) return status;
    }
    rg_chain_solve(l->chain, l->gamma, l->beta, delta->x);
    for (int64_t i = 0; i < l->N; i++)
        expand_interval(l, i, it->t[i + 1] - it->t[i], delta);
    for (int k = 0; k < l->n_nodes && l->field.has_w; k++)
        rg_condensed_expand(l, l->N * l->s + k, delta->x + it->node[k] * l->nx,
                            delta->wn + k * l->n);
    return RG_OK;
}
