/* The slope y' of a linear DAE of index 1 is found at a point of its solution.
 *
 *     A y' = f - B y,        (A' + B) y' + A y'' = f' - B' y.
 *
 * W = I - A A^+ takes y'' out of the second equation.  The sum of both,
 *
 *     (A + W (A' + B)) y' = f - B y + W (f' - B' y),
 *
 * is regular exactly when the index is 1; the first part lies in im A, the second in its
 * complement.  The residual of dF/dt at (y, y' = 0, y'' = 0) is B' y - f'; it has the derivatives
 * of states below the highest in it already: these are states.
 *
 * In general one Newton step from a guess p of y', with A and N = d(dF/dt)/dy' there:
 *
 *     (A + W N) (y' - p) = -F(t, y, p) - W dF/dt(t, y, p, 0). */
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
    if (l->s == NULL && (l->s = rg_alloc(l->ctx, m + 1, sizeof *l->s)) == NULL)
        return RG_ERR_MEMORY;
    return rg_lu_create(l->ctx, (int64_t)m, false, &l->lu);
}

/* x <- W x, with the left singular vectors from the rank on as columns u of U:  W = sum u u^T. */
static void project(const rg_linear *l, double *x, double *c)
{
    const int64_t m = l->states.n_states;

    memset(c, 0, (size_t)m * sizeof *c);
    for (int64_t k = l->rank; k < m; k++) {
        const double *u = l->U + k * m;
        double dot = 0.0;
        for (int64_t i = 0; i < m; i++)
            dot += u[i] * x[i];
        for (int64_t i = 0; i < m; i++)
            c[i] += dot * u[i];
    }
    memcpy(x, c, (size_t)m * sizeof *x);
}

/* The left singular vectors of A and its rank: those of the last A, where it is the same. */
static rg_status find_rank(rg_linear *l)
{
    const int64_t m = l->states.n_states;
    const size_t bytes = (size_t)(m * m) * sizeof(double);
    const double tol = rg_rank_floor(RG_NOISE_EXACT); /* of rounding in the entries of A */

    if (l->has_rank && memcmp(l->A, l->A_last, bytes) == 0) return RG_OK;
    l->has_rank = false;
    RG_TRY(rg_svd(l->ctx, m, m, l->A, l->s, l->U, NULL));
    for (l->rank = 0; l->rank < m && l->s[l->rank] > tol * l->s[0];)
        l->rank++;
    memcpy(l->A_last, l->A, bytes);
    l->has_rank = true;
    return RG_OK;
}

/* A + W N; W = 0 where A is regular. */
static rg_status fill_matrix(rg_linear *l, double t)
{
    const rg_states *s = &l->states;
    const int64_t m = s->n_states;
    const size_t bytes = (size_t)(m * m) * sizeof(double);

    RG_TRY(find_rank(l));
    memcpy(rg_lu_values(l->lu), l->A, bytes);
    if (l->rank == m) return RG_OK;
    memset(l->N, 0, bytes);
    RG_TRY(rg_assembly_jacobian(l->dF, l->dF_work, t, l->z, l->residual, l->dJ));
    rg_linear_spread(rg_assembly_pattern(l->dF), l->dJ, m, m, l->N);
    for (int64_t k = s->n; k < m; k++)
        l->N[k * m + k] = -1.0;
    for (int64_t j = 0; j < m; j++)
        project(l, l->N + j * m, l->V);
    for (int64_t k = 0; k < m * m; k++)
        rg_lu_values(l->lu)[k] += l->N[k];
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
    double *const r = l->V + m; /* W dF/dt; l->V is work */
    for (int64_t i = 0; i < m; i++)
        r[i] = i < s->n ? l->residual[i] : -l->z[m + i]; /* chains: (from)'' - (state)' */
    project(l, r, l->V);
    for (int64_t i = 0; i < m; i++)
        yp[i] = -yp[i] - r[i];
    rg_lu_solve(l->lu, yp, NULL);
    for (int64_t i = 0; i < m; i++)
        yp[i] += l->z[m + i];
    return RG_OK;
}
