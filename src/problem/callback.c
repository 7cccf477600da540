/* Assemblies of callback problems: F(t, y, y') or M y' - f(t, y), with what the user knows of
 * the Jacobian. */
#include "problem/callback.h"

#include <math.h>
#include <string.h>

/* ---- evaluation ------------------------------------------------------------------------------ */

rg_status rg_callback_check(const rg_assembly *a, int result, const char *which, double t)
{
    if (result == 0) return RG_OK;
    if (result > 0) return (rg_status)RG_RETRY;
    rg_fail(a->ctx, RG_ERR_CALLBACK, "the %s callback returned %d at t = %.10g", which, result, t);
    rg_fail_time(a->ctx, t);
    return rg_remedy(a->ctx, "return a positive number where a smaller step may help");
}

/* out = F(t, y, y'), all rows */
rg_status rg_callback_eval(const rg_assembly *a, double t, const double *y, const double *yp,
                           double *out)
{
    const rg_problem *p = a->p;
    const rg_callback *c = a->callback;

    if (p->residual != NULL)
        return rg_callback_check(a, p->residual(t, y, yp, out, p->user), "residual", t);
    RG_TRY(rg_callback_check(a, p->rhs(t, y, out, p->user), "right-hand side", t));
    for (int64_t i = 0; i < c->n; i++)
        out[i] = -out[i];
    for (int64_t k = 0; k < c->n_mass; k++) /* F = M y' - f */
        out[c->mass_row[k]] += c->mass[k] * yp[c->mass_column[k]];
    return RG_OK;
}

static void spread(const rg_callback *c, rg_assembly_work *w, const double *z)
{
    for (int64_t j = 0; j < c->n; j++) {
        w->y[j] = z[c->column[0][j]];
        w->yp[j] = c->column[1][j] >= 0 ? z[c->column[1][j]] : 0.0;
    }
}

static rg_status eval_rows(const rg_assembly *a, rg_assembly_work *w, double t, double *F)
{
    const rg_callback *c = a->callback;

    RG_TRY(rg_callback_eval(a, t, w->y, w->yp, w->other));
    for (int64_t i = 0; i < c->n; i++)
        if (c->row[i] >= 0) F[c->row[i]] = w->other[i];
    return RG_OK;
}

rg_status rg_callback_residual(const rg_assembly *a, rg_assembly_work *w, double t, const double *z,
                               double *F)
{
    spread(a->callback, w, z);
    return eval_rows(a, w, t, F);
}

/* dF/dy = J(0) and dF/dy' = J(1) - J(0): the user's J = dF/dy + shift dF/dy' is affine in shift. */
static rg_status user_jacobian(const rg_assembly *a, rg_assembly_work *w, double t)
{
    const rg_problem *p = a->p;
    double *A = w->values[0], *B = w->values[1];

    RG_TRY(rg_callback_check(a, p->jacobian(t, w->y, w->yp, 0.0, A, p->user), "Jacobian", t));
    if (p->rhs != NULL) return RG_OK; /* dF/dy' = M is known */
    RG_TRY(rg_callback_check(a, p->jacobian(t, w->y, w->yp, 1.0, B, p->user), "Jacobian", t));
    for (int64_t e = 0; e < a->callback->n_elements; e++)
        B[e] -= A[e];
    return RG_OK;
}

rg_status rg_callback_jacobian(const rg_assembly *a, rg_assembly_work *w, double t, const double *z,
                               double *F, double *J)
{
    const rg_callback *c = a->callback;
    const int n_orders = a->p->rhs != NULL ? 1 : 2;

    spread(c, w, z);
    RG_TRY(eval_rows(a, w, t, F));
    if (a->p->jacobian != NULL)
        RG_TRY(user_jacobian(a, w, t));
    else
        RG_TRY(rg_callback_differences(a, w, t));
    memcpy(J, a->constant, (size_t)a->pattern.start[a->n_columns] * sizeof *J);
    for (int order = 0; order < n_orders; order++)
        for (int64_t k = 0; k < c->n_wanted; k++)
            J[rg_map_at(&c->place[order].map, k)] = w->values[order][c->element[k]];
    return RG_OK;
}

rg_status rg_callback_work(const rg_assembly *a, rg_assembly_work *w)
{
    const rg_callback *c = a->callback;
    const size_t n = (size_t)c->n, e = a->has_jacobian ? (size_t)c->n_elements : 0;

    w->y = rg_alloc(a->ctx, n, sizeof *w->y);
    w->yp = rg_alloc(a->ctx, n, sizeof *w->yp);
    w->other = rg_alloc(a->ctx, n, sizeof *w->other);
    w->column = rg_alloc(a->ctx, n, sizeof *w->column);
    w->saved = rg_alloc(a->ctx, n, sizeof *w->saved);
    w->values[0] = rg_alloc(a->ctx, e, sizeof *w->values[0]);
    w->values[1] = rg_alloc(a->ctx, e, sizeof *w->values[1]);
    const bool is_complete = w->y && w->yp && w->other && w->column && w->saved;
    return is_complete && w->values[0] && w->values[1] ? RG_OK : RG_ERR_MEMORY;
}
