/* Evaluating the view.  With the dynamics F(t, x, v, a, y) = M a - f~ + B~ y = 0, a the highest
 * derivative,
 *
 *     M = dF/da,   f = -M^-1 F(t, x, v, 0, 0),   B = M^-1 dF/dy,   G = dg/dx:
 *
 * residual and exact Jacobian of one assembly at a = 0, y = 0.  B and G as full matrices are made
 * only where they are wanted.  Dynamics that are not linear in y are taken at a given y:
 * f = -M^-1 F(t, x, v, 0, y) is all of the right-hand side, B = -df/dy. */
#include "views/semi/semi_impl.h"
#include "views/semi/tuning.h"

#include <math.h>
#include <string.h>

static void fill_z(rg_semi *s, const double *x, const double *v, const double *y)
{
    const double *const values[] = {
        [RG_SLOT_X] = x, [RG_SLOT_V] = v, [RG_SLOT_Y] = y, [RG_SLOT_ZERO] = NULL};

    for (int k = 0; k < s->n_columns; k++)
        if (s->slot[k] == RG_SLOT_HELD)
            s->z[k] = rg_semi_held(s, s->place[k]);
        else
            s->z[k] = values[s->slot[k]] != NULL ? values[s->slot[k]][s->place[k]] : 0.0;
}

static bool is_finite(int n, const double *a)
{
    for (int k = 0; k < n; k++)
        if (!isfinite(a[k])) return false;
    return true;
}

rg_status rg_semi_eval(rg_semi *s, double t, const double *x, const double *v, rg_semi_values *out)
{
    return rg_semi_eval_at(s, t, x, v, NULL, out);
}

rg_status rg_semi_eval_at(rg_semi *s, double t, const double *x, const double *v, const double *y,
                          rg_semi_values *out)
{
    const int n = s->n_x, m = s->n_y;

    fill_z(s, x, v, y);
    RG_TRY(rg_assembly_jacobian_kept(s->rows, s->work, t, s->z, s->F, &s->J));
    RG_TRY(rg_semi_factor_mass(s));
    for (int k = 0; k < n; k++)
        out->f[k] = -s->F[k];
    rg_matrix_solve(s->mass, out->f, NULL);
    for (int k = 0; k < m; k++) {
        const int row = n + s->pair[k];
        out->g[k] = s->F[row];
        out->g1[k] = s->F[row + m];
        out->g2[k] = s->order >= 2 ? s->F[row + 2 * m] : 0.0;
    }
    if (!is_finite(n, out->f)) return RG_RETRY;
    if (out->B == NULL) return RG_OK;
    rg_semi_matrices(s, out->B, out->G);
    return is_finite(n * m, out->B) && is_finite(n * m, out->G) ? RG_OK : RG_RETRY;
}

/* Where entries of column k belong: the column of (x, v), or -1. */
static int point_column(const rg_semi *s, int k)
{
    if (s->slot[k] == RG_SLOT_X) return s->place[k];
    return s->slot[k] == RG_SLOT_V ? s->n_x + s->place[k] : -1;
}

rg_status rg_semi_slopes(rg_semi *s, double *A, double *const *gz)
{
    const rg_pattern *p = rg_assembly_pattern(s->rows);
    const int n = s->n_x, m = s->n_y, nz = s->order * n;

    memset(A, 0, (size_t)(n * nz) * sizeof *A);
    for (int r = 0; r <= s->order; r++)
        memset(gz[r], 0, (size_t)(m * nz) * sizeof *gz[r]);
    for (int k = 0; k < s->n_columns; k++) {
        const int j = point_column(s, k);
        for (int64_t e = p->start[k]; e < p->start[k + 1] && j >= 0; e++) {
            const int row = p->row[e], level = row < n ? 0 : (row - n) / m;
            if (row < n)
                A[j * n + row] -= s->J[e];
            else if (level <= s->order)
                gz[level][j * m + s->unpair[(row - n) % m]] += s->J[e];
        }
    }
    for (int j = 0; j < nz; j++)
        rg_matrix_solve(s->mass, A + j * n, NULL);
    return is_finite(n * nz, A) ? RG_OK : RG_RETRY;
}

void rg_semi_rate_gradient(const rg_semi *s, const double *w, double *u)
{
    const rg_pattern *p = rg_assembly_pattern(s->rows);
    const int first = s->n_x + s->n_y, end = first + s->n_y;

    memset(u, 0, (size_t)s->n_y * sizeof *u);
    for (int k = 0; k < s->n_columns; k++)
        for (int64_t e = p->start[k]; e < p->start[k + 1] && s->slot[k] == RG_SLOT_X; e++)
            if (p->row[e] >= first && p->row[e] < end)
                u[s->unpair[p->row[e] - first]] += s->J[e] * w[s->place[k]];
}

bool rg_semi_has_fixed_mass(const rg_semi *s)
{
    return !s->has_moved;
}

void rg_semi_level(const rg_semi *s, int r, double *out)
{
    for (int k = 0; k < s->n_y; k++)
        out[k] = s->F[s->n_x + r * s->n_y + s->pair[k]];
}

static void fill_generic(rg_semi *s, int point, double scale, bool with_y)
{
    for (int k = 0; k < s->n_columns; k++) {
        const bool is_point = s->slot[k] == RG_SLOT_X || s->slot[k] == RG_SLOT_V
                              || (with_y && s->slot[k] == RG_SLOT_Y);
        const double value = 0.3 + 0.21 * point + 0.13 * sin(1.0 + 3.0 * s->place[k] + point);
        s->z[k] = is_point                     ? scale * value
                  : s->slot[k] == RG_SLOT_HELD ? rg_semi_held(s, s->place[k])
                                               : 0.0;
    }
}

/* Is F linear in a, and in y where with_y says so, from 0 on? */
static rg_generic_answer look_from_zero(rg_semi *s, const rg_generic_place *at, bool with_y)
{
    fill_generic(s, at->point, at->scale, !with_y);
    for (int k = 0; k < s->n_columns; k++) {
        const bool is_moved = s->slot[k] == RG_SLOT_TOP || (with_y && s->slot[k] == RG_SLOT_Y);
        s->change[k] = is_moved ? at->scale * (1.0 + 0.37 * k) : 0.0;
    }
    return rg_generic_look(&(rg_generic_question){s->rows, s->work, s->n_columns, s->n_x, s->z,
                                                  s->change, s->F, s->entries},
                           at->t);
}

/* ... in units of all sizes?  The Jacobian of the last generic point that has values stays in
 * s->J; where none has, it is not known to be linear. */
static bool is_linear(rg_semi *s, bool with_y)
{
    rg_generic_place at, known = {0};

    for (int k = 0; rg_semi_place(s, k, &at); k++) {
        const rg_generic_answer here = look_from_zero(s, &at, with_y);
        if (here == RG_GENERIC_NOT) return false;
        if (here == RG_GENERIC_LINEAR && !at.is_late) known = at;
    }
    if (known.scale == 0.0) return false;
    fill_generic(s, known.point, known.scale, !with_y);
    return rg_assembly_jacobian_kept(s->rows, s->work, known.t, s->z, s->F, &s->J) == RG_OK;
}

/* Dynamics must be linear in the highest derivatives and, unless this is allowed, in y. */
rg_status rg_semi_check(rg_semi *s, const char *method)
{
    const int64_t entries = rg_assembly_pattern(s->rows)->start[s->n_columns];

    s->change = rg_alloc(s->ctx, (size_t)s->n_columns + 1, sizeof *s->change);
    s->entries = rg_alloc(s->ctx, (size_t)entries + 1, sizeof *s->entries);
    if (s->change == NULL || s->entries == NULL) return RG_ERR_MEMORY;
    s->is_linear = is_linear(s, true);
    if (s->is_linear || (s->is_general && is_linear(s, false)))
        return rg_semi_pair(s); /* s->J is that of the last point */
    rg_fail(s->ctx, RG_ERR_METHOD,
            "'%s' does not fit this model: its differential equations are not linear in %sthe "
            "highest derivatives",
            method, s->is_general ? "" : "the multipliers and ");
    return rg_remedy(s->ctx, "take --method %s, which solves any form", rg_semi_other_method(s));
}
