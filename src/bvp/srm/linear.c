#include "bvp/srm/linear.h"

#include "bvp/dense_block.h"

#include <math.h>
#include <string.h>

static rg_status take_memory(rg_srm_linear *l)
{
    const size_t n = (size_t)l->n, size = n * (size_t)l->s, N = (size_t)l->N;
    const struct {
        double **array;
        size_t count;
    } list[] = {
        {&l->S,     N * size * size              },
        {&l->U,     N * size * n                 },
        {&l->g,     N * size                     },
        {&l->gamma, N * n                        },
        {&l->beta,  n                            },
        {&l->M,     size * n                     },
        {&l->Z,     n                            },
        {&l->F,     n                            },
        {&l->z,     (size_t)l->nodes->n_nodes * n}
    };

    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if ((*list[k].array = rg_alloc(l->ctx, list[k].count + 1, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    l->pivots = rg_alloc(l->ctx, N * size + 1, sizeof *l->pivots);
    return l->pivots != NULL ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_srm_linear_create(rg_srm_field *f, rg_srm_nodes *nodes, const rg_curve *shape,
                               rg_stats *stats, rg_srm_linear **out)
{
    rg_srm_linear *l = rg_alloc(f->ctx, 1, sizeof *l);

    *out = NULL;
    if (l == NULL) return RG_ERR_MEMORY;
    *l = (rg_srm_linear){.ctx = f->ctx, .field = f, .nodes = nodes, .n = f->n_z, .N = shape->N};
    l->s = shape->rule.s;
    l->stats = stats;
    rg_status status = take_memory(l);
    if (status == RG_OK)
        status = rg_chain_create(f->ctx, f->n_z, shape->N, shape->n_nodes, shape->node, &l->chain);
    if (status == RG_OK)
        *out = l;
    else
        rg_srm_linear_destroy(&l);
    return status;
}

void rg_srm_linear_destroy(rg_srm_linear **linear)
{
    rg_srm_linear *l = *linear;

    if (l == NULL) return;
    rg_context *ctx = l->ctx;
    rg_chain_destroy(&l->chain);
    void *const arrays[] = {l->S, l->U, l->g, l->gamma,  l->beta, l->M,
                            l->Z, l->F, l->z, l->pivots, l};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    *linear = NULL;
}

/* I - h (a_jk M_j), factored, and U = that^-1 (M_1; ...; M_s). */
static bool factor_stages(rg_srm_linear *l, int64_t i, const rg_rule *rule, double h)
{
    const int n = l->n, s = l->s, size = s * n;
    double *S = l->S + i * size * size, *U = l->U + i * size * n;

    for (int k = 0; k < s; k++)
        for (int c = 0; c < n; c++) {
            double *column = S + (int64_t)(k * n + c) * size;
            for (int j = 0; j < s; j++)
                for (int row = 0; row < n; row++)
                    column[j * n + row] = -h * rule->A[j][k] * l->M[(j * n + c) * n + row];
            column[k * n + c] += 1.0;
        }
    if (!rg_block_factor(size, S, l->pivots + i * size)) return false;
    for (int c = 0; c < n; c++)
        for (int j = 0; j < s; j++)
            memcpy(U + (int64_t)c * size + j * n, l->M + (j * n + c) * n, (size_t)n * sizeof *U);
    rg_block_solve(size, S, l->pivots + i * size, n, U);
    return true;
}

/* Gamma = I + h sum_j b_j U_j */
static void fill_gamma(rg_srm_linear *l, int64_t i, const rg_rule *rule, double h)
{
    const int n = l->n, size = l->s * n;
    const double *U = l->U + i * size * n;
    double *Gamma = l->chain->Gamma + i * n * n;

    for (int c = 0; c < n; c++)
        for (int k = 0; k < n; k++) {
            double sum = c == k ? 1.0 : 0.0;
            for (int j = 0; j < l->s; j++)
                sum += h * rule->b[j] * U[(int64_t)c * size + j * n + k];
            Gamma[c * n + k] = sum;
        }
}

/* F, and with is_new M_j, of stage j at l->Z: from the linear model or from the field itself. */
static rg_status eval_stage(rg_srm_linear *l, int64_t q, int j, double t, const double *before,
                            const double *scale, bool is_new)
{
    const int n = l->n;
    double *M = l->M + (int64_t)j * n * n;

    if (l->model == NULL && is_new)
        return rg_srm_field_jacobian(l->field, t, l->Z, before, scale, l->F, M);
    if (l->model == NULL) return rg_srm_field_eval(l->field, t, l->Z, before, l->F, NULL);
    const double *X = l->model->X + q * n, *slope = l->model->M + q * n * n;
    memcpy(l->F, l->model->F + q * n, (size_t)n * sizeof *l->F);
    for (int c = 0; c < n; c++)
        for (int k = 0; k < n; k++)
            l->F[k] += slope[c * n + k] * (l->Z[c] - X[c]);
    if (is_new) memcpy(M, slope, (size_t)(n * n) * sizeof *M);
    return RG_OK;
}

static rg_status condense(rg_srm_linear *l, const rg_curve *it, int64_t i, const double *before,
                          const double *scale, bool is_new)
{
    const int n = l->n, s = l->s, size = s * n;
    const double h = it->t[i + 1] - it->t[i];
    double *g = l->g + i * size;

    for (int j = 0; j < s; j++) {
        const double t = rg_curve_stage(it, i, j, l->Z), *Zp = rg_curve_slope(it, i, j);
        const double *c = before != NULL ? before + (i * s + j) * it->n : NULL;
        RG_TRY(eval_stage(l, i * s + j, j, t, c, scale, is_new));
        l->stats->jacobians += is_new;
        for (int k = 0; k < n; k++)
            g[j * n + k] = l->F[k] - Zp[k];
    }
    if (is_new) {
        if (!factor_stages(l, i, &it->rule, h)) return RG_RETRY;
        fill_gamma(l, i, &it->rule, h);
    }
    rg_block_solve(size, l->S + i * size * size, l->pivots + i * size, 1, g);
    for (int k = 0; k < n; k++) {
        double sum = it->x[i * n + k] - it->x[(i + 1) * n + k];
        for (int j = 0; j < s; j++)
            sum += h * it->rule.b[j] * (rg_curve_slope(it, i, j)[k] + g[j * n + k]);
        l->gamma[i * n + k] = sum;
    }
    return RG_OK;
}

static rg_status fold_nodes(rg_srm_linear *l, const rg_curve *it, const double *scale, bool is_new)
{
    const int n = l->n;

    for (int k = 0; k < it->n_nodes; k++)
        memcpy(l->z + k * n, it->x + it->node[k] * n, (size_t)n * sizeof *l->z);
    RG_TRY(rg_srm_nodes_eval(l->nodes, l->z, scale, l->beta, is_new ? l->chain->B : NULL));
    for (int k = 0; k < n; k++)
        l->beta[k] = -l->beta[k];
    return RG_OK;
}

rg_status rg_srm_linear_solve(rg_srm_linear *l, const rg_curve *it, const double *before,
                              const double *scale, bool is_new, rg_curve *delta)
{
    const int n = l->n, size = l->s * n;

    if (is_new) l->has_factors = false;
    for (int64_t i = 0; i < l->N; i++)
        RG_TRY(condense(l, it, i, before, scale, is_new));
    RG_TRY(fold_nodes(l, it, scale, is_new));
    if (is_new) {
        l->stats->factorizations++;
        const rg_status status = rg_chain_factor(l->chain);
        l->has_factors = status == RG_OK;
        l->is_singular = status == RG_RETRY;
        RG_TRY(status);
    }
    rg_chain_solve(l->chain, l->gamma, l->beta, delta->x);
    for (int64_t i = 0; i < l->N; i++) { /* dZ' = U dz + g */
        const double *U = l->U + i * size * n, *dz = delta->x + i * n;
        double *dZp = delta->Xp + i * size;
        memcpy(dZp, l->g + i * size, (size_t)size * sizeof *dZp);
        for (int c = 0; c < n; c++)
            for (int k = 0; k < size; k++)
                dZp[k] += U[(int64_t)c * size + k] * dz[c];
    }
    return RG_OK;
}

double rg_srm_linear_conditioning(rg_srm_linear *l, const double *scale, double *u)
{
    const int n = l->n, n_x = l->field->n_x;
    double worst = 0.0;

    if (!l->has_factors) return l->is_singular ? INFINITY : NAN;
    memset(l->gamma, 0, (size_t)(l->N * n) * sizeof *l->gamma);
    for (int i = 0; i < n - l->field->order * l->field->n_y; i++) { /* the user's conditions */
        double size = 0.0, answer = 0.0;
        memset(l->beta, 0, (size_t)n * sizeof *l->beta);
        l->beta[i] = 1.0;
        for (int j = 0; j < l->nodes->n_nodes * n; j++)
            size += fabs(l->chain->B[(int64_t)j * n + i]) * scale[j % n];
        rg_chain_solve(l->chain, l->gamma, l->beta, u);
        for (int64_t q = 0; q < (l->N + 1) * n; q++)
            if (q % n < n_x && !(fabs(u[q]) / scale[q % n] <= answer))
                answer = fabs(u[q]) / scale[q % n];
        worst = fmax(worst, size * answer);
    }
    return worst;
}
