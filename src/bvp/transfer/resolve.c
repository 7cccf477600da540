/* Derivatives in boundary conditions.
 *
 * A y' = f - B y gives  P y' = A^+ (f - B y).  A condition  C y + D y' = g  with D P = D at its
 * point is therefore
 *
 *     (C - D A^+ B) y = g - D A^+ f.
 *
 * D P != D would need the derivative of an algebraic unknown, which is refused. */
#include "bvp/transfer/rows.h"

#include "bvp/transfer/tuning.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

typedef struct {
    int m;
    double *A, *B, *f, *U, *V, *s, *d; /* d: D A^+, m */
} coefficients;

static rg_status take_memory(rg_context *ctx, int m, coefficients *w)
{
    const size_t n = (size_t)m;
    double **const square[] = {&w->A, &w->B, &w->U, &w->V};
    double **const vector[] = {&w->f, &w->s, &w->d};

    w->m = m;
    for (size_t k = 0; k < 4; k++)
        if ((*square[k] = rg_alloc(ctx, n * n, sizeof(double))) == NULL) return RG_ERR_MEMORY;
    for (size_t k = 0; k < 3; k++)
        if ((*vector[k] = rg_alloc(ctx, n, sizeof(double))) == NULL) return RG_ERR_MEMORY;
    return RG_OK;
}

static void release(rg_context *ctx, coefficients *w)
{
    double *const all[] = {w->A, w->B, w->f, w->U, w->V, w->s, w->d};

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        rg_free(ctx, all[k]);
}

/* d = D A^+ by the singular values; false: D P != D. */
static bool pull_back(coefficients *w, const double *D)
{
    const int m = w->m;
    double size = 0.0, rest = 0.0;

    memset(w->d, 0, (size_t)m * sizeof *w->d);
    for (int k = 0; k < m; k++) {
        double along = 0.0;
        for (int i = 0; i < m; i++)
            along += D[i] * w->V[k * m + i];
        size += along * along;
        if (!(w->s[k] > RG_TRANSFER_RANK_TOL * w->s[0])) {
            rest += along * along;
            continue;
        }
        for (int i = 0; i < m; i++)
            w->d[i] += along / w->s[k] * w->U[k * m + i];
    }
    return sqrt(rest) <= RG_TRANSFER_RANK_TOL * sqrt(size);
}

static bool has_derivatives(const rg_transfer_rows *c, int row, int point)
{
    const double *D = c->row + ((int64_t)row * c->n_points + point) * 2 * c->m + c->m;

    for (int j = 0; j < c->m; j++)
        if (D[j] != 0.0) return true;
    return false;
}

static rg_status refuse(const rg_transfer_rows *c, const rg_problem *p, int row)
{
    rg_fail(p->ctx, RG_ERR_METHOD,
            "'transfer' cannot take the derivative of an algebraic unknown in a condition");
    if (c->span[row].end > c->span[row].start) rg_fail_at(p->ctx, p->source, c->span[row]);
    return rg_remedy(p->ctx, "write the condition on values instead");
}

rg_status rg_transfer_rows_resolve(rg_transfer_rows *c, const rg_problem *p,
                                   rg_coefficients_fn *coefficients_of, void *user)
{
    coefficients w = {.m = c->m};
    const int m = c->m;
    rg_status status = take_memory(c->ctx, m, &w);

    for (int i = 0; i < c->n_rows * c->n_points && status == RG_OK; i++) {
        const int row = i / c->n_points, point = i % c->n_points;
        if (!has_derivatives(c, row, point)) continue;
        double *C = c->row + (int64_t)i * 2 * m, *D = C + m;
        status = coefficients_of(user, c->point[point], w.A, NULL, w.B, w.f);
        if (status == RG_OK) status = rg_svd(c->ctx, m, m, w.A, w.s, w.U, w.V);
        if (status != RG_OK) break;
        if (!pull_back(&w, D)) {
            status = refuse(c, p, row);
            break;
        }
        for (int j = 0; j < m; j++) {
            for (int l = 0; l < m; l++)
                C[j] -= w.d[l] * w.B[j * m + l];
            c->g[row] -= w.d[j] * w.f[j];
            D[j] = 0.0;
        }
    }
    release(c->ctx, &w);
    if (status == RG_RETRY) {
        rg_fail(p->ctx, RG_ERR_CONVERGENCE, "the equations cannot be evaluated at a condition");
        status = rg_remedy(p->ctx, "look for a division by 0 at the points of the conditions");
    }
    return status;
}
