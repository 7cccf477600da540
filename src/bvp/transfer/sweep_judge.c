/* What local errors and rounding make of the transferred conditions.
 *
 * r = u^T y - h, with the exact solution y and the computed u, h, is what the conditions are off.
 * It goes the way of h without f, so that with the factor T of a step and its local errors du, dh
 *
 *     r_{n+1} = T^-T r_n + du^T y - dh,
 *     nu_{n+1} = T^-T nu_n + s_n (noise (|u|^T |y| + |h|) + added),       s_n = +-1 by chance,
 *
 * the latter for rounding, in RG_SWEEP_TRIALS samples.  An error of u counts times y; conditioning
 * comes in where y is computed from r (recover.c). */
#include "base/random.h"
#include "bvp/transfer/sweep_impl.h"

#include <math.h>
#include <string.h>

static size_t step_size(const rg_sweep *s)
{
    const size_t k = (size_t)s->k;

    return k * k + ((size_t)s->m + 1) * k + 2;
}

rg_status rg_sweep_judge_room(rg_sweep *s, size_t nodes)
{
    double *p;

    if (!s->options.is_judged) return RG_OK;
    if ((p = rg_resize(s->ctx, s->judged, nodes * step_size(s), sizeof *p)) == NULL)
        return RG_ERR_MEMORY;
    s->judged = p;
    return RG_OK;
}

void rg_sweep_judge_step(rg_sweep *s, const double *T)
{
    const size_t k = (size_t)s->k, n = ((size_t)s->m + 1) * k;

    if (!s->options.is_judged) return;
    double *to = s->judged + (size_t)(s->n - 1) * step_size(s);
    memcpy(to, T, k * k * sizeof *to);
    memcpy(to + k * k, s->local.du, n * sizeof *to);
    to[k * k + n] = s->local.noise;
    to[k * k + n + 1] = s->local.added;
}

/* The vectors of node i from those before it. */
static void propagate(rg_sweep *s, int64_t i, const double *y)
{
    const int m = s->m, k = s->k, n = RG_SWEEP_TRIALS + 1;
    const double *T = s->judged + (size_t)i * step_size(s), *du = T + k * k, *dh = du + m * k;
    const double *noise = dh + k;
    const double *u = s->u + i * m * k, *h = s->h + i * k;
    double *r = s->residual + i * n * k;

    memcpy(r, r - n * k, (size_t)(n * k) * sizeof *r);
    for (int c = 0; c < n; c++)
        rg_solve_transposed(k, T, r + c * k);
    for (int j = 0; j < k; j++) {
        double size = fabs(h[j]);
        for (int l = 0; l < m; l++) {
            r[j] += du[j * m + l] * y[l];
            size += fabs(u[j * m + l] * y[l]);
        }
        r[j] -= dh[j];
        for (int c = 1; c < n; c++)
            r[c * k + j] +=
                rg_random_sign((uint64_t)c, (uint64_t)(i * k + j)) * (noise[0] * size + noise[1]);
    }
}

rg_status rg_sweep_judge(rg_sweep *s, rg_sweep_solution_fn *solution, void *user)
{
    const int n = RG_SWEEP_TRIALS + 1;

    rg_free(s->ctx, s->residual);
    s->residual = rg_alloc(s->ctx, (size_t)(s->n * n * s->k), sizeof *s->residual);
    if (s->residual == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 1; i < s->n; i++) {
        const double *y;
        RG_TRY(rg_sweep_check_interrupt(s));
        RG_TRY(solution(user, s->t[i], &y));
        propagate(s, i, y);
    }
    return RG_OK;
}
