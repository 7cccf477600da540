/* Derivatives of the multipliers at a point of the solution, by differentiating the system.
 *
 * The k-th derivative of the dynamics M a - f~ + B~ y = 0 and the (order + k)-th one of the
 * constraint contain x^(order+k) and y^(k), k > 0, linearly:
 *
 *     M x^(order+k) + B~ y^(k) + F_k = 0,      G x^(order+k) + h_k = 0,
 *
 * F_k and h_k their values where x^(order+k) = 0 and y^(k) = 0.  So, one after the other,
 *
 *     (G B) y^(k) = G f_k + h_k,     f_k = -M^-1 F_k,     x^(order+k) = f_k - B y^(k).
 *
 * L H4, N (2.14): what the iterate 0 is to agree with.  Assumed: M does not depend on y. */
#include "linalg/small_lu.h"
#include "views/semi/semi_impl.h"

#include <string.h>

enum { LEVELS = RG_SEMI_MOST_DERIVATIVES + RG_SEMI_MOST_ORDER + 1, ORDERS = LEVELS };

typedef struct {
    rg_assembly *rows; /* dynamics of levels 1 .. K, constraints of levels order + 1 .. order + K */
    rg_assembly_work *work;
    int32_t *maps;
    double *z, *F;   /* x^(r) is z + r n_x; y^(k) behind */
    double *B, *G;   /* full */
    double *GB, *fk; /* n_y x n_y; n_x */
    int *pivot;
} space;

static void number(const rg_semi *s, int K, int32_t *row[LEVELS], int32_t *column[ORDERS])
{
    const int n = s->n_x, m = s->n_y, top = s->order + K;

    for (int i = 0; i < n; i++) {
        for (int r = 0; r <= top; r++) {
            column[r][s->x_unknown[i]] = r * n + i;
            if (s->v_unknown[i] >= 0 && r > 0) column[r - 1][s->v_unknown[i]] = r * n + i;
        }
        for (int k = 1; k <= K; k++)
            row[k][s->dynamic[i]] = (k - 1) * (n + m) + i;
    }
    for (int j = 0; j < m; j++)
        for (int k = 0; k <= K; k++) {
            column[k][s->y_unknown[j]] = (top + 1) * n + k * m + j;
            if (k > 0) row[s->order + k][s->constraint[s->pair[j]]] = (k - 1) * (n + m) + n + j;
        }
}

static rg_status make(rg_semi *s, int K, space *w)
{
    const int64_t unknowns = s->system->p->n;
    const int n = s->n_x, m = s->n_y, top = s->order + K;
    const int64_t n_z = (int64_t)(top + 1) * n + (int64_t)(K + 1) * m,
                  n_rows = (int64_t)K * (n + m);
    int32_t *row[LEVELS], *column[ORDERS];

    w->maps = rg_alloc(s->ctx, (size_t)unknowns * (LEVELS + ORDERS) + 1, sizeof *w->maps);
    w->z = rg_alloc(s->ctx, (size_t)(n_z + n_rows + n) + 1, sizeof *w->z);
    w->B = rg_alloc(s->ctx, 2 * (size_t)n * (size_t)m + 1, sizeof *w->B);
    w->GB = rg_alloc(s->ctx, (size_t)m * (size_t)m + 1, sizeof *w->GB);
    w->pivot = rg_alloc(s->ctx, (size_t)m + 1, sizeof *w->pivot);
    if (w->maps == NULL || w->z == NULL || w->B == NULL || w->GB == NULL || w->pivot == NULL)
        return RG_ERR_MEMORY;
    w->F = w->z + n_z;
    w->fk = w->F + n_rows;
    w->G = w->B + (size_t)n * (size_t)m;
    for (int64_t k = 0; k < unknowns * (LEVELS + ORDERS); k++)
        w->maps[k] = -1;
    for (int k = 0; k < LEVELS; k++) {
        row[k] = w->maps + k * unknowns;
        column[k] = w->maps + (LEVELS + k) * unknowns;
    }
    number(s, K, row, column);
    const rg_assembly_spec spec = {
        top + 1, top + 1, n_z, (const int32_t *const *)row, n_rows, (const int32_t *const *)column};
    RG_TRY(rg_assembly_create(s->system->p, &spec, false, &w->rows));
    return rg_assembly_work_create(w->rows, &w->work);
}

static void clear(rg_semi *s, space *w)
{
    rg_assembly_work_destroy(&w->work);
    rg_assembly_destroy(&w->rows);
    rg_free(s->ctx, w->maps);
    rg_free(s->ctx, w->z);
    rg_free(s->ctx, w->B);
    rg_free(s->ctx, w->GB);
    rg_free(s->ctx, w->pivot);
}

static bool factor_GB(const rg_semi *s, space *w)
{
    const int n = s->n_x, m = s->n_y;

    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            for (int r = 0; r < n; r++)
                w->GB[j * m + i] += w->G[r * m + i] * w->B[j * n + r];
    return rg_small_lu_factor(m, w->GB, w->pivot);
}

/* Level k; w->z holds all lower ones. */
static rg_status solve_level(rg_semi *s, space *w, double t, int K, int k, double *yk)
{
    const int n = s->n_x, m = s->n_y;
    double *const x = w->z + (s->order + k) * n, *const y = w->z + (s->order + K + 1) * n + k * m;

    RG_TRY(rg_assembly_residual(w->rows, w->work, t, w->z, w->F));
    const double *F = w->F + (k - 1) * (n + m), *h = F + n;
    for (int i = 0; i < n; i++)
        w->fk[i] = -F[i];
    rg_matrix_solve(s->mass, w->fk, NULL);
    for (int j = 0; j < m; j++) {
        yk[j] = h[j];
        for (int r = 0; r < n; r++)
            yk[j] += w->G[r * m + j] * w->fk[r];
    }
    rg_small_lu_solve(m, w->GB, w->pivot, yk);
    memcpy(y, yk, (size_t)m * sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = w->fk[i];
        for (int j = 0; j < m; j++)
            x[i] -= w->B[j * n + i] * yk[j];
    }
    return RG_OK;
}

static rg_status solve(rg_semi *s, space *w, double t, const double *const *x, const double *y,
                       int K, double *out)
{
    const int n = s->n_x, m = s->n_y;
    const size_t bytes = (size_t)n * sizeof(double);
    double *const values = w->fk; /* f, then nothing that is needed */
    double *scratch = rg_alloc(s->ctx, 3 * (size_t)m + 1, sizeof *scratch);
    rg_semi_values at = {values, w->B, scratch, w->G, scratch + m, scratch + 2 * m};

    if (scratch == NULL) return RG_ERR_MEMORY;
    rg_status status = rg_semi_eval_at(s, t, x[0], x[1], y, &at);
    rg_free(s->ctx, scratch);
    RG_TRY(status);
    if (!factor_GB(s, w)) return RG_RETRY;
    for (int r = 0; r <= s->order; r++)
        memcpy(w->z + r * n, x[r], bytes);
    memcpy(w->z + (s->order + K + 1) * n, y, (size_t)m * sizeof *y);
    for (int k = 1; k <= K; k++)
        RG_TRY(solve_level(s, w, t, K, k, out + (k - 1) * m));
    return RG_OK;
}

rg_status rg_semi_derivatives(rg_semi *s, double t, const double *const *x, const double *y, int K,
                              double *out)
{
    space w;

    memset(&w, 0, sizeof w);
    rg_status status = make(s, K, &w);
    if (status == RG_OK) status = solve(s, &w, t, x, y, K, out);
    clear(s, &w);
    return status;
}
