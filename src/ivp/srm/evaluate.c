/* The right-hand side of one iterate, and what it carries to the next one.
 *
 * With c carried by the iterate before (y_{s-1}, or B y_{s-1}) and r the combination of the
 * constraint,
 *
 *     index 2:              r = alpha_1 (G f + g_t) + alpha_2 g                 N (2.5)
 *     index 3, N (4.5):     r = alpha_1 (G f + g_2) + alpha_2 dg/dt + alpha_3 g
 *     index 3, N (4.16):    r = dg/dt,   and  x' = v - B E g / eps
 *     (index nu + 1:        r = d^(nu-1) g/dt^(nu-1))
 *
 * where x' = f - B y has been put into the derivative, so that y_s = y_{s-1} + E (alpha_1 (g)' +
 * ...)/eps becomes
 *
 *     (eps I + alpha_1 E G B) u = eps c + E r,         y_s = u           carrying y
 *     (eps I + alpha_1 E G B) u = eps E G c + E r,     B y_s = B u       N (3.2b), (4.23c), (5.6)
 *     B y_s = (eps c + B E r)/(eps + alpha_1),         E = (GB)^-1       L (3.8), (3.16)
 *
 * With E = I and alpha_1 = 0 only products B u are needed: the view makes them from M and dF/dy,
 * in time linear in the size of a sparse model (thesis 7.2, closed-loop chains); otherwise, and up
 * to RG_SRM_FULL constraints, B, G and G B are full matrices.
 *
 * eps = 0, alpha_1 = 1 is Baumgarte's method; the same without g_t, that is y from 0 = g + eps G
 * x', with alpha_2 = 1/eps, is the parameterized regularization, thesis (2.28).  What makes the
 * drift decay forwards makes it grow backwards: in a run that goes backwards, sense = -1, the
 * terms of odd order change their sign (L (4.5): "shooting back"). */
#include "ivp/srm/core.h"

#include "ivp/srm/tuning.h"
#include "linalg/small_lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

void rg_srm_add_product(int m, int n, const double *A, const double *x, double *y)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            y[i] += A[j * m + i] * x[j];
}

void rg_srm_product(int m, int n, const double *A, const double *x, double *y)
{
    memset(y, 0, (size_t)m * sizeof *y);
    rg_srm_add_product(m, n, A, x, y);
}

/* out = B u */
static void apply_B(const rg_srm_core *c, const srm_space *w, const double *u, double *out)
{
    if (c->is_lean)
        rg_semi_force(c->view, u, out);
    else
        rg_srm_product(c->n_x, c->n_y, w->v.B, u, out);
}

void rg_srm_form_GB(rg_srm_core *c, srm_space *w)
{
    if (c->is_lean) return;
    for (int j = 0; j < c->n_y; j++)
        rg_srm_product(c->n_y, c->n_x, w->v.G, w->v.B + j * c->n_x, w->GB + j * c->n_y);
    rg_srm_note_units(c, w->GB);
}

/* Factors what E needs; false: GB is singular. */
static bool prepare_E(rg_srm_core *c, srm_space *w)
{
    const int m = c->n_y;
    const size_t bytes = (size_t)m * (size_t)m * sizeof(double);

    if (c->variant.E == SRM_E_IDENTITY || c->variant.E == SRM_E_TRANSPOSE) return true;
    memcpy(w->lu, w->GB, bytes);
    if (c->variant.E == SRM_E_SHIFTED)
        for (int k = 0; k < m; k++)
            w->lu[k * m + k] += c->sign * c->delta;
    if (c->variant.E == SRM_E_SHIFTED) return rg_small_lu_factor(m, w->lu, w->pivot);
    return rg_srm_inverse_factor(c, w->lu, w->pivot) && rg_srm_inverse_is_regular(c, w->lu);
}

void rg_srm_apply_E(const rg_srm_core *c, const srm_space *w, double *r, double *scratch)
{
    const int m = c->n_y;

    switch (c->variant.E) {
    case SRM_E_IDENTITY:
        for (int k = 0; k < m; k++)
            r[k] *= c->sign;
        return;
    case SRM_E_TRANSPOSE:
        memcpy(scratch, r, (size_t)m * sizeof *r);
        for (int k = 0; k < m; k++) {
            r[k] = 0.0;
            for (int i = 0; i < m; i++)
                r[k] += w->GB[k * m + i] * scratch[i];
        }
        return;
    case SRM_E_INVERSE:
        rg_srm_inverse_solve(c, w->lu, w->pivot, r);
        return;
    case SRM_E_SHIFTED:
        rg_small_lu_solve(m, w->lu, w->pivot, r);
    }
}

/* u := (eps I + alpha_1 E G B)^-1 u */
static bool divide(const rg_srm_core *c, srm_space *w, double *u)
{
    const int m = c->n_y;
    const double a1 = c->variant.alpha[0];

    if (a1 == 0.0 || c->variant.E == SRM_E_INVERSE) {
        for (int k = 0; k < m; k++)
            u[k] /= c->eps + a1;
        return true;
    }
    for (int j = 0; j < m; j++) {
        double *column = w->S + j * m;
        memcpy(column, w->GB + j * m, (size_t)m * sizeof *column);
        rg_srm_apply_E(c, w, column, w->EG);
        for (int i = 0; i < m; i++)
            column[i] *= a1;
        column[j] += c->eps;
    }
    if (!rg_small_lu_factor(m, w->S, w->pivot_S)) return false;
    rg_small_lu_solve(m, w->S, w->pivot_S, u);
    return true;
}

/* d^level g/dt^level, level < order. */
static void take_level(const rg_srm_core *c, const srm_space *w, int level, double *r)
{
    if (c->record == NULL)
        rg_semi_level(c->view, level, r);
    else
        memcpy(r, level == 0 ? w->v.g : w->v.g1, (size_t)c->n_y * sizeof *r);
}

/* r of the comment above. */
static void combine(const rg_srm_core *c, const srm_space *w, double *r)
{
    const rg_semi_values *v = &w->v;
    const double *a = c->variant.alpha;

    if (c->variant.kind == SRM_STABILIZED) take_level(c, w, c->order - 1, r);
    for (int k = 0; k < c->n_y; k++) {
        const bool is_first = c->order == 1;
        if (c->variant.kind == SRM_STABILIZED)
            r[k] *= c->sense;
        else if (c->variant.kind == SRM_PARAMETERIZED)
            r[k] = c->sense * a[1] * v->g[k];
        else if (is_first)
            r[k] = a[0] * v->g1[k] + c->sense * a[1] * v->g[k];
        else
            r[k] = a[0] * v->g2[k] + c->sense * a[1] * v->g1[k] + a[2] * v->g[k];
    }
    if (a[0] == 0.0) return;
    for (int j = 0; j < c->n_x; j++)
        for (int k = 0; k < c->n_y; k++)
            r[k] += a[0] * v->G[j * c->n_y + k] * v->f[j];
}

/* u with y_s = u or B y_s = B u; w->w = B y_s */
static bool find_force(rg_srm_core *c, srm_space *w, const double *before)
{
    const int n = c->n_x, m = c->n_y;
    const srm_variant *v = &c->variant;

    combine(c, w, w->r);
    rg_srm_apply_E(c, w, w->r, w->EG);
    if (v->kind == SRM_AUGMENTED) return rg_srm_augment(c, w);
    if (v->carry == SRM_CARRY_BY && !v->projects && before != NULL) {
        rg_srm_product(n, m, w->v.B, w->r, w->w); /* L (3.8), (3.16) */
        for (int k = 0; k < n; k++)
            w->w[k] = (c->eps * before[k] + w->w[k]) / (c->eps + v->alpha[0]);
        rg_srm_product(m, n, w->v.G, w->w, w->u);
        rg_srm_apply_E(c, w, w->u, w->EG);
        return true;
    }
    if (before == NULL) {
        memcpy(w->u, c->y0, (size_t)m * sizeof *w->u);
    } else if (v->carry == SRM_CARRY_Y) {
        memcpy(w->u, before, (size_t)m * sizeof *w->u);
    } else {
        rg_srm_product(m, n, w->v.G, before, w->u);
        rg_srm_apply_E(c, w, w->u, w->EG);
    }
    for (int k = 0; k < m; k++)
        w->u[k] = c->eps * w->u[k] + w->r[k];
    if (!divide(c, w, w->u)) return false;
    apply_B(c, w, w->u, w->w);
    return true;
}

static void take_carried(const rg_srm_core *c, const srm_space *w, double *carried)
{
    if (carried != NULL && c->variant.carry == SRM_CARRY_Y)
        memcpy(carried, w->u, (size_t)c->n_y * sizeof *carried);
    if (carried != NULL && c->variant.carry == SRM_CARRY_BY)
        memcpy(carried, w->w, (size_t)c->n_x * sizeof *carried);
}

static void take_multipliers(rg_srm_core *c, srm_space *w, double *y)
{
    if (y == NULL) return;
    memcpy(y, w->u, (size_t)c->n_y * sizeof *y);
    if (c->has_gamma)
        rg_srm_hidden(c, w, y);
    else if (c->n_redundant > 0 && c->variant.E != SRM_E_INVERSE)
        rg_srm_least(c, w, y);
}

/* N (5.3a), (4.23a): x' = v - B E g/eps; of order nu the same for every derivative below the
 * last one,
 *
 *     z_r' = z_{r+1} - B E (d^r g/dt^r)/eps,     z_r = x^(r),     r = 0 .. nu - 2 */
static void correct_position(const rg_srm_core *c, srm_space *w, const double *v, double *dz)
{
    const int n = c->n_x;

    memcpy(dz, v, (size_t)((c->order - 1) * n) * sizeof *dz);
    for (int level = 0; c->variant.kind == SRM_STABILIZED && level < c->order - 1; level++) {
        take_level(c, w, level, w->r);
        rg_srm_apply_E(c, w, w->r, w->EG);
        apply_B(c, w, w->r, w->w);
        for (int k = 0; k < n; k++)
            dz[level * n + k] -= w->w[k] / (c->sense * c->eps);
    }
}

/* x' = f - B y, or f at y itself, for which the view is evaluated again. */
static rg_status take_slope(const rg_srm_core *c, srm_space *w, double t, const double *z,
                            double *dz)
{
    const int n = c->n_x;
    const double *v = rg_srm_v(c, z);
    double *const top = dz + c->n_z - n;

    for (int k = 0; k < n; k++)
        top[k] = w->v.f[k] - w->w[k];
    if (c->order > 1) correct_position(c, w, v, dz);
    if (!c->variant.is_nonlinear) return RG_OK;
    RG_TRY(rg_semi_eval_at(c->view, t, z, v, w->u, &w->v));
    memcpy(top, w->v.f, (size_t)n * sizeof *top);
    return RG_OK;
}

rg_status rg_srm_core_look(rg_srm_core *c, double t, const double *z, const double *y)
{
    c->has_hit = false;
    c->evaluations += c->record == NULL;
    RG_TRY(c->record != NULL ? rg_srm_recall(c, t, z)
                             : rg_semi_eval_at(c->view, t, z, rg_srm_v(c, z), y, &c->space.v));
    rg_srm_form_GB(c, &c->space);
    c->has_hit = !prepare_E(c, &c->space);
    return c->has_hit ? RG_RETRY : RG_OK;
}

rg_status rg_srm_core_eval(rg_srm_core *c, double t, const double *z, const double *before,
                           double *dz, double *carried, double *y)
{
    srm_space *w = &c->space;
    const double *y_before = before != NULL ? before : c->y0;

    c->has_hit = false;
    if (before == NULL) RG_TRY(rg_srm_y0_eval(c, t));
    RG_TRY(rg_srm_core_look(c, t, z, c->variant.is_nonlinear ? y_before : NULL));
    if (rg_srm_is_other(c->variant.kind)) {
        rg_srm_eval_other(c, w, z, before, dz, carried);
        take_multipliers(c, w, y);
        return RG_OK;
    }
    c->has_hit = !find_force(c, w, before);
    if (c->has_hit) return RG_RETRY;
    take_carried(c, w, carried);
    take_multipliers(c, w, y);
    return take_slope(c, w, t, z, dz);
}

rg_status rg_srm_core_jacobian(rg_srm_core *c, double t, double *z, const double *before,
                               const double *scale, const double *F, double *J)
{
    const int n = c->n_z;

    for (int j = 0; j < n; j++, J += n) {
        const double kept = z[j], d = scale != NULL ? RG_SRM_DIFFERENCE * scale[j]
                                                    : sqrt(DBL_EPSILON) * fmax(1e-2, fabs(kept));
        z[j] = kept + d;
        const double width = z[j] - kept;
        const rg_status status = rg_srm_core_eval(c, t, z, before, J, NULL, NULL);
        z[j] = kept;
        RG_TRY(status);
        for (int i = 0; i < n; i++)
            J[i] = (J[i] - F[i]) / width;
    }
    return RG_OK;
}
