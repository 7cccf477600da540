/* The slope y' of a linear DAE of index 1 is found at a point of its solution.
 *
 *     A y' = f - B y,        (A' + B) y' + A y'' = f' - B' y.
 *
 * With W A = 0, V A of full rank and (V; W) regular, W takes y'' out of the second equation:
 *
 *     (V A; W (A' + B)) y' = (V (f - B y); W (f' - B' y))
 *
 * is regular exactly when the index is 1.  The residual of dF/dt at (y, y' = 0, y'' = 0) is
 * B' y - f'; it has the derivatives of states below the highest in it already: these are states.
 *
 * In general one Newton step from a guess p of y', with A and N = d(dF/dt)/dy' there:
 *
 *     (V A; W N) (y' - p) = (-V F(t, y, p); -W dF/dt(t, y, p, 0)).
 *
 * Rows of V and W are those of the identity where A has zero rows and the others are independent.
 * Else they are the left singular vectors of the other rows, equilibrated: units do not matter. */
#include "linalg/tuning.h"
#include "views/linear/linear_impl.h"

#include "linalg/dense.h"
#include "linalg/rank.h"

#include <float.h>
#include <string.h>

static rg_status take_memory(rg_linear *l)
{
    const size_t m = (size_t)l->states.n_states;
    double **const all[] = {&l->A, &l->B, &l->N, &l->U, &l->V, &l->A_last};

    if (l->lu != NULL) return RG_OK;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (*all[k] == NULL && (*all[k] = rg_alloc(l->ctx, m * m + 1, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    if (l->s == NULL && (l->s = rg_alloc(l->ctx, 6 * m + 1, sizeof *l->s)) == NULL)
        return RG_ERR_MEMORY;
    if (l->held == NULL && (l->held = rg_alloc(l->ctx, m + 1, sizeof *l->held)) == NULL)
        return RG_ERR_MEMORY;
    l->scale = l->s + 2 * m;
    l->row_scale = l->scale + 2 * m;
    return rg_lu_create(l->ctx, (int64_t)m, false, &l->lu);
}

static bool is_zero(int64_t n, const double *row, int64_t step)
{
    for (int64_t j = 0; j < n; j++)
        if (row[j * step] != 0.0) return false;
    return true;
}

/* The rows of A that are not zero, equilibrated, their left singular vectors and rank: those of the
 * last A, where it is the same. */
static rg_status find_rank(rg_linear *l)
{
    const int64_t m = l->states.n_states;
    const size_t bytes = (size_t)(m * m) * sizeof(double);
    const double tol = rg_rank_floor(RG_NOISE_EXACT); /* of rounding in the entries of A */
    int64_t n = 0;

    if (l->has_rank && memcmp(l->A, l->A_last, bytes) == 0) return RG_OK;
    l->has_rank = false;
    for (int64_t i = 0; i < m; i++)
        if (!is_zero(m, l->A + i, m)) l->held[n++] = (int32_t)i;
    for (int64_t j = 0; j < m; j++)
        for (int64_t k = 0; k < n; k++)
            l->V[j * n + k] = l->A[j * m + l->held[k]];
    rg_equilibrate(n, m, l->V, l->scale, l->scale + m);
    if (n > 0) RG_TRY(rg_svd(l->ctx, n, m, l->V, l->s, l->U, NULL));
    for (l->rank = 0; l->rank < n && l->s[l->rank] > tol * l->s[0];)
        l->rank++;
    l->n_held = n;
    memcpy(l->A_last, l->A, bytes);
    l->has_rank = true;
    return RG_OK;
}

/* Row i of x becomes row i of y where A has a zero row, and the combinations of the others that A
 * has none of follow the rank: x, y have `columns` columns. */
static void complement(const rg_linear *l, int64_t columns, const double *y, double *x)
{
    const int64_t m = l->states.n_states, n = l->n_held;

    for (int64_t j = 0; j < columns; j++, x += m, y += m) {
        for (int64_t i = 0, k = 0; i < m; i++) {
            if (k < n && l->held[k] == i)
                k++;
            else
                x[i] = y[i];
        }
        if (l->rank == n) continue;
        for (int64_t k = 0; k < n; k++) {
            const double *u = l->U + k * n, *from = k < l->rank ? x : y;
            double dot = 0.0;
            for (int64_t i = 0; i < n; i++)
                dot += u[i] * l->scale[i] * from[l->held[i]];
            l->s[m + k] = dot;
        }
        for (int64_t k = 0; k < n; k++)
            x[l->held[k]] = l->s[m + k];
    }
}

/* The rows of A, and those of N that take the place of what is not in its image. */
static rg_status fill_matrix(rg_linear *l, double t)
{
    const rg_states *s = &l->states;
    const int64_t m = s->n_states;
    const size_t bytes = (size_t)(m * m) * sizeof(double);

    RG_TRY(find_rank(l));
    memcpy(rg_lu_values(l->lu), l->A, bytes);
    if (l->rank < m) {
        memset(l->N, 0, bytes);
        RG_TRY(rg_assembly_jacobian(l->dF, l->dF_work, t, l->z, l->residual, l->dJ));
        rg_linear_spread(rg_assembly_pattern(l->dF), l->dJ, m, m, l->N);
        for (int64_t k = s->n; k < m; k++)
            l->N[k * m + k] = -1.0;
        complement(l, m, l->N, rg_lu_values(l->lu));
    }
    rg_equilibrate(m, m, rg_lu_values(l->lu), l->row_scale, l->row_scale + m);
    return RG_OK;
}

/* F(t, y, p) and A at p; z = (y, p, 0). */
static rg_status take_values(rg_linear *l, double t, const double *y, const double *guess,
                             double *F)
{
    const int64_t m = l->states.n_states;

    for (int64_t j = 0; j < m; j++) {
        l->z[j] = y[j];
        l->z[m + j] = guess != NULL ? guess[j] : 0.0;
        l->z[2 * m + j] = 0.0;
    }
    const rg_linear_point at = {y, l->z + m, l->z + 2 * m};
    RG_TRY(rg_linear_eval_at(l, t, &at, l->A, NULL, l->B, F)); /* A p + B y - F */
    for (int64_t i = 0; i < m; i++)
        F[i] = -F[i];
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++)
            F[i] += l->A[j * m + i] * l->z[m + j] + l->B[j * m + i] * y[j];
    return RG_OK;
}

rg_status rg_linear_slope(rg_linear *l, double t, const double *y, const double *guess, double *yp)
{
    const rg_states *s = &l->states;
    const int64_t m = s->n_states;

    RG_TRY(take_memory(l));
    RG_TRY(take_values(l, t, y, guess, yp));
    RG_TRY(fill_matrix(l, t));
    RG_TRY(rg_lu_factor(l->lu));
    double *const r = l->V; /* dF/dt */
    for (int64_t i = 0; i < m && l->rank < m; i++)
        r[i] = i < s->n ? l->residual[i] : -l->z[m + i]; /* chains: (from)'' - (state)' */
    if (l->rank < m) complement(l, 1, r, yp);
    for (int64_t i = 0; i < m; i++)
        yp[i] *= -l->row_scale[i];
    rg_lu_solve(l->lu, yp, NULL);
    for (int64_t i = 0; i < m; i++)
        yp[i] = l->z[m + i] + l->row_scale[m + i] * yp[i];
    return RG_OK;
}
