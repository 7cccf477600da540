/* Here phi and G of array.h are evaluated at a point.  Equations are numbered as there. */
#include "bvp/array_impl.h"

#include "bvp/tuning.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "newton/iterated.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Anew only where M is another one: that of a linear model depends on t alone. */
static bool decompose(rg_form_array *a)
{
    const double *M = a->array->A + (int64_t)a->nx * a->R;
    const size_t size = (size_t)a->R * (size_t)a->R * sizeof *M;

    if (a->has_M && memcmp(M, a->M, size) == 0) return true;
    memcpy(a->M, M, size);
    memcpy(rg_cod_values(a->cod), M, size);
    a->has_M = rg_cod_factor(a->cod, a->rank);
    return a->has_M;
}

rg_status rg_form_array_linearize(rg_form_array *a, double t, bool is_new)
{
    a->is_lost = false;
    RG_TRY(rg_array_eval(a->array, t, a->z, is_new, a->row, a->column));
    for (int i = 0; i < a->R; i++)
        a->array->s->F[i] *= a->row[i];
    if (!is_new) return RG_OK;
    a->is_lost = !decompose(a) || !(rg_cod_ratio(a->cod) > rg_rank_floor(RG_NOISE_EXACT));
    return a->is_lost ? (rg_status)RG_RETRY : RG_OK;
}

/* One step; its size relative to W. */
static double step(rg_form_array *a)
{
    const double *column = a->column + a->nx;
    double *W = a->z + a->nx, size = 0.0;

    memcpy(a->b, a->array->s->F, (size_t)a->R * sizeof *a->b);
    rg_cod_solve(a->cod, a->b, a->step);
    for (int i = 0; i < a->R; i++) {
        const double relative = fabs(a->step[i]) / (1.0 + fabs(W[i] / column[i]));
        if (!(relative <= size)) size = relative;
        W[i] -= column[i] * a->step[i];
    }
    return size;
}

/* Gauss-Newton for U1^T F_mu = 0 with steps of least norm.  The decomposition is kept while steps
 * fall by ten, and at the end it is the one at W. */
rg_status rg_form_array_solve(rg_form_array *a, double t)
{
    double previous = INFINITY, since = 0.0; /* how far W went since the decomposition */
    bool is_new = true;

    for (int k = 0; k < RG_FORM_ARRAY_STEPS; k++) {
        RG_TRY(rg_form_array_linearize(a, t, is_new));
        if (is_new) since = 0.0;
        const double size = step(a);
        if (!isfinite(size)) return RG_RETRY;
        since += size;
        const bool is_settled = rg_is_iterated(size, previous);
        if (is_settled && since <= RG_FORM_ARRAY_KEPT) return RG_OK;
        is_new = is_settled || size > RG_FORM_ARRAY_FALLS * fmin(previous, 1.0);
        previous = is_new ? INFINITY : size;
    }
    return RG_RETRY;
}

/* v -= open open^T v: least norm.  What is rounding then in what it is made of, of all that is
 * open together, is 0: it has no size of its own. */
static void remove_open(const rg_form_array *a, double *v)
{
    for (int k = 0; k < a->n_open; k++) {
        const double *q = a->open + (int64_t)k * a->n;
        double product = 0.0, terms = 0.0;
        for (int j = 0; j < a->n; j++) {
            product += q[j] * v[j];
            terms += fabs(q[j] * v[j]);
        }
        for (int j = 0; j < a->n; j++) {
            v[j] -= product * q[j];
            if (fabs(v[j]) <= RG_ZERO_NOISE * DBL_EPSILON * terms * fabs(q[j])) v[j] = 0.0;
        }
    }
}

rg_status rg_form_array_slope(rg_form_array *a, double t, const double *x, double *w, double *phi_x)
{
    const int n = a->n, nx = a->nx, R = a->R;
    double least, left, moved;

    memcpy(a->z, x, (size_t)nx * sizeof *x);
    memcpy(a->z + nx, w, (size_t)n * sizeof *w);
    RG_TRY(rg_form_array_solve(a, t));
    memcpy(w, a->z + nx, (size_t)n * sizeof *w);
    if (a->n_open > 0) rg_form_array_open(a, a->n_open, &least, &left, &moved);
    remove_open(a, w);
    for (int j = 0; j < nx && phi_x != NULL; j++) {
        double *out = phi_x + (int64_t)j * n;
        memcpy(a->b, a->array->A + (int64_t)j * R, (size_t)R * sizeof *a->b);
        rg_cod_solve(a->cod, a->b, a->step);
        for (int i = 0; i < n; i++)
            out[i] = -a->step[i] * a->column[nx + i] / a->column[j];
        remove_open(a, out);
    }
    return RG_OK;
}

rg_status rg_form_array_constrain(rg_form_array *a, double t, const double *x, double *G,
                                  double *Gx)
{
    const int nx = a->nx, m = a->n_invariants;

    memcpy(a->z, x, (size_t)nx * sizeof *x);
    const rg_status status = rg_form_array_solve(a, t);
    if (status == (rg_status)RG_RETRY && a->is_lost) {
        memset(G, 0, (size_t)m * sizeof *G);
        memset(Gx, 0, (size_t)(m * nx) * sizeof *Gx);
        return RG_OK;
    }
    if (status != RG_OK) return status;
    RG_TRY(rg_form_array_linearize(a, t, false));
    RG_TRY(rg_form_array_rows(a, t));
    rg_form_array_project(a);
    rg_cod_left(a->cod, a->array->s->F);
    for (int i = 0; i < m; i++) {
        G[i] = a->array->s->F[a->chosen[i]];
        for (int j = 0; j < nx; j++)
            Gx[(int64_t)j * m + i] = a->PiN[(int64_t)a->chosen[i] * nx + j] / a->column[j];
    }
    return RG_OK;
}
