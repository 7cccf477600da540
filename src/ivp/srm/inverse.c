/* E = (G B)^-1 in any units, also where constraints are redundant.
 *
 * Units of the constraints and of the multipliers are factors D_1, D_2 with D_1 G B D_2 of rows and
 * columns of about 1, from the largest entries so far: rank is judged by the pivots of that matrix,
 * and a singular place does not pass for a unit.
 *
 * Where d of the m constraints follow from the others, G B has rank m - d wherever all hold, and d
 * combinations of the multipliers are not determined.  E is then the generalized inverse of that
 * rank whose y = E r is the least of all solutions,
 *
 *     E = (I - N N^T) D_2 (D_1 G B D_2)^+ D_1,      N orthonormal,  G B N = 0
 *
 * so that a constraint written times 1e6 costs no digits, though the norm is that of y as it is
 * written.  With G = W G_0, B = B_0 V^T, G_0 B_0 regular, one has B E G = B_0 (G_0 B_0)^-1 G_0 = P,
 * and E G B y = y for y of least norm: all formulas of evaluate.c hold as they stand.  The number d
 * is fixed: a threshold would take away near a singular place what is still there. */
#include "ivp/srm/core.h"

#include "ivp/srm/tuning.h"
#include "linalg/rank.h"
#include "linalg/small_lu.h"
#include "linalg/vectors.h"

#include <float.h>
#include <math.h>
#include <string.h>

rg_status rg_srm_inverse_init(rg_srm_core *c)
{
    for (int k = 0; k < c->n_y && !c->is_lean; k++)
        c->row[k] = c->column[k] = 1.0;
    return c->n_redundant > 0 ? rg_cod_create(c->ctx, c->n_y, &c->cod) : RG_OK;
}

void rg_srm_inverse_clear(rg_srm_core *c)
{
    rg_cod_destroy(&c->cod);
}

/* ---- units ----------------------------------------------------------------------------------- */

/* New factors where an entry has become twice as large as before. */
void rg_srm_note_units(rg_srm_core *c, const double *GB)
{
    const int m = c->n_y;
    bool has_grown = false;

    if (c->is_lean || c->is_aside) return;
    for (int e = 0; e < m * m; e++)
        has_grown = has_grown || fabs(GB[e]) > 2.0 * c->largest_GB[e];
    if (!has_grown) return;
    for (int e = 0; e < m * m; e++)
        if (isfinite(GB[e])) c->largest_GB[e] = fmax(c->largest_GB[e], fabs(GB[e]));
    memcpy(c->space.S, c->largest_GB, (size_t)(m * m) * sizeof *GB);
    rg_equilibrate(m, m, c->space.S, c->row, c->column);
    c->largest = 0.0;
}

void rg_srm_scale(const rg_srm_core *c, double *A)
{
    const int m = c->n_y;

    for (int j = 0; j < m && !c->is_lean; j++)
        for (int i = 0; i < m; i++)
            A[j * m + i] *= c->row[i] * c->column[j];
}

/* ---- redundant constraints ------------------------------------------------------------------- */

static void remove_parts(int m, int count, const double *N, double *x)
{
    for (int k = 0; k < count; k++)
        rg_add_multiple(m, -rg_dot(m, N + k * m, x), N + k * m, x);
}

/* N: the null vectors D_2 n of G B, made orthonormal; twice, for the rounding errors. */
static void take_null(const rg_srm_core *c, double *N)
{
    const int m = c->n_y;

    for (int k = 0; k < c->n_redundant; k++) {
        double *n = N + k * m;
        rg_cod_null(c->cod, k, n);
        for (int i = 0; i < m; i++)
            n[i] *= c->column[i];
        for (int round = 0; round < 2; round++) {
            remove_parts(m, k, N, n);
            const double size = sqrt(rg_dot(m, n, n));
            for (int i = 0; i < m; i++)
                n[i] /= size;
        }
    }
}

/* A, scaled, becomes E. */
static bool invert(rg_srm_core *c, double *A)
{
    const int m = c->n_y;
    double *b = c->spare, *N = b + m;

    memcpy(rg_cod_values(c->cod), A, (size_t)(m * m) * sizeof *A);
    if (!rg_cod_factor(c->cod, m - c->n_redundant)) return false;
    take_null(c, N);
    for (int j = 0; j < m; j++) {
        double *x = A + j * m;
        memset(b, 0, (size_t)m * sizeof *b);
        b[j] = c->row[j];
        rg_cod_solve(c->cod, b, x);
        for (int i = 0; i < m; i++)
            x[i] *= c->column[i];
        remove_parts(m, c->n_redundant, N, x);
    }
    return true;
}

/* ---- the inverse ----------------------------------------------------------------------------- */

bool rg_srm_inverse_factor(rg_srm_core *c, double *A, int *pivot)
{
    rg_srm_scale(c, A);
    return c->n_redundant == 0 ? rg_small_lu_factor(c->n_y, A, pivot) : invert(c, A);
}

bool rg_srm_inverse_is_regular(rg_srm_core *c, const double *A)
{
    double small = INFINITY, large = 0.0;

    if (c->n_redundant > 0) return rg_cod_ratio(c->cod) > 4.0 * DBL_EPSILON;
    for (int k = 0; k < c->n_y; k++) {
        const double pivot = rg_small_lu_pivot(c->n_y, A, k);
        small = fmin(small, pivot);
        large = fmax(large, pivot);
    }
    c->largest = fmax(c->largest, large);
    return small > (c->n_y == 1 ? DBL_EPSILON * DBL_EPSILON : 4.0 * DBL_EPSILON) * c->largest;
}

void rg_srm_inverse_solve(const rg_srm_core *c, const double *A, const int *pivot, double *r)
{
    const int m = c->n_y;

    if (c->n_redundant > 0) {
        memcpy(c->spare, r, (size_t)m * sizeof *r);
        rg_srm_product(m, m, A, c->spare, r);
        return;
    }
    for (int k = 0; k < m && !c->is_lean; k++)
        r[k] *= c->row[k];
    rg_small_lu_solve(m, A, pivot, r);
    for (int k = 0; k < m && !c->is_lean; k++)
        r[k] *= c->column[k];
}

void rg_srm_least(rg_srm_core *c, srm_space *w, double *y)
{
    const int m = c->n_y;

    memcpy(w->S, w->GB, (size_t)(m * m) * sizeof *w->S);
    if (!rg_srm_inverse_factor(c, w->S, w->pivot_S)) return;
    memcpy(w->EG, y, (size_t)m * sizeof *y);
    rg_srm_product(m, m, w->GB, w->EG, y);
    rg_srm_inverse_solve(c, w->S, w->pivot_S, y);
}
