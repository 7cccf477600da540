/* What the view gives at a point: multipliers from the constraints, multipliers from By, the
 * linearized system. */
#include "bvp/srm/field.h"

#include "bvp/srm/tuning.h"
#include "ivp/srm/tuning.h"
#include "linalg/small_lu.h"
#include "newton/iterated.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_semi_values v;
    double *GB, *r;
} local;

static local cut(const rg_bvp_srm_field *f)
{
    const int n = f->n_x, m = f->n_y;
    double *at = f->values;
    local l = {.v.f = at};

    l.v.B = at += n;
    l.v.G = at += n * m;
    l.v.g = at += n * m;
    l.v.g1 = at += m;
    l.v.g2 = at += m;
    l.GB = at += m;
    l.r = at + m * m;
    return l;
}

/* The view, at y where that is not NULL, and the factors of GB.  RG_RETRY: cannot be evaluated;
 * *is_regular: GB can be inverted. */
static rg_status look(rg_bvp_srm_field *f, double t, const double *z, const double *y, local *l,
                      bool *is_regular)
{
    const int n = f->n_x, m = f->n_y;
    rg_srm_core *b = f->core;

    *l = cut(f);
    RG_TRY(rg_semi_eval_at(b->view, t, z, f->order == 2 ? z + n : NULL, y, &l->v));
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += l->v.G[k * m + i] * l->v.B[j * n + k];
            l->GB[j * m + i] = sum;
        }
    rg_srm_note_units(b, l->GB);
    *is_regular = rg_srm_inverse_factor(b, l->GB, f->pivot);
    return RG_OK;
}

/* The diagonal of the factors holds 1/pivot. */
static void note_pivots(rg_bvp_srm_field *f, const local *l, bool is_regular, rg_bvp_srm_point *out)
{
    const int m = f->n_y;
    rg_srm_core *b = f->core;
    double small = INFINITY;

    out->pivot = 0.0;
    out->lost = 1;
    if (!is_regular) return;
    for (int k = 0; k < m; k++) {
        small = fmin(small, rg_small_lu_pivot(m, l->GB, k));
        b->largest = fmax(b->largest, rg_small_lu_pivot(m, l->GB, k));
    }
    out->pivot = small / b->largest;
    out->lost = 0;
    for (int k = 0; k < m; k++)
        out->lost += rg_small_lu_pivot(m, l->GB, k) <= RG_BVP_SRM_NEAR * b->largest;
}

static void times_B(const rg_bvp_srm_field *f, const local *l, const double *y, double *By)
{
    memset(By, 0, (size_t)f->n_x * sizeof *By);
    for (int j = 0; j < f->n_y; j++)
        for (int i = 0; i < f->n_x; i++)
            By[i] += l->v.B[j * f->n_x + i] * y[j];
}

static void times_G(const rg_bvp_srm_field *f, const local *l, const double *x, double *y)
{
    for (int i = 0; i < f->n_y; i++) {
        y[i] = 0.0;
        for (int k = 0; k < f->n_x; k++)
            y[i] += l->v.G[k * f->n_y + i] * x[k];
    }
}

/* x' = f(x, y, t), not linear in y: Newton's method for
 *
 *     G f(x, y) + g_t = 0  (index 3: g_2),   or, with a target,   G (f(x, y) - target) = 0;
 *         y += (GB)^-1 of that,  B = -df/dy
 *
 * from the y that was found last, then from y_0.  RG_RETRY: none found; *is_regular tells
 * whether GB is. */
static rg_status balance(rg_bvp_srm_field *f, double t, const double *z, const double *target,
                         local *l, bool *is_regular)
{
    enum { MOST = 30 };
    const int n = f->n_x, m = f->n_y;
    double previous = INFINITY;

    for (int k = 0; k < 2 * MOST; k++) {
        double size = 0.0;
        if (k == MOST) memcpy(f->y, f->core->y0, (size_t)m * sizeof *f->y);
        if (k == MOST) previous = INFINITY;
        const rg_status status = look(f, t, z, f->y, l, is_regular);
        if (status < 0) return status;
        if (status != RG_OK || !*is_regular) {
            if (k >= MOST) return RG_RETRY;
            k = MOST - 1;
            continue;
        }
        for (int i = 0; i < n && target != NULL; i++)
            l->v.f[i] -= target[i];
        times_G(f, l, l->v.f, l->r);
        for (int i = 0; i < m && target == NULL; i++)
            l->r[i] += f->order == 1 ? l->v.g1[i] : l->v.g2[i];
        rg_srm_inverse_solve(f->core, l->GB, f->pivot, l->r);
        for (int i = 0; i < m; i++) {
            f->y[i] += l->r[i];
            size = fmax(size, fabs(l->r[i]) / (1.0 + fabs(f->y[i])));
        }
        if (rg_is_iterated(size, previous)) return RG_OK;
        previous = size;
        if (!isfinite(size)) k = k < MOST ? MOST - 1 : 2 * MOST;
    }
    memcpy(f->y, f->core->y0, (size_t)m * sizeof *f->y);
    return RG_RETRY;
}

/* f is that of y = 0, and By = f(x, 0) - f(x, y), so that x' = f - By. */
static rg_status exact_bent(rg_bvp_srm_field *f, double t, const double *z, rg_bvp_srm_point *out)
{
    const double *v = f->order == 2 ? z + f->n_x : NULL;
    bool is_regular = false;
    local l = cut(f);

    const rg_status status = balance(f, t, z, NULL, &l, &is_regular);
    if (status < 0) return status;
    note_pivots(f, &l, is_regular, out);
    RG_TRY(rg_semi_eval_at(f->core->view, t, z, v, f->y, &l.v));
    memcpy(out->By, l.v.f, (size_t)f->n_x * sizeof *out->By);
    memcpy(out->y, f->y, (size_t)f->n_y * sizeof *out->y);
    RG_TRY(rg_semi_eval(f->core->view, t, z, v, &l.v));
    for (int k = 0; k < f->n_x; k++) {
        out->f[k] = l.v.f[k];
        out->By[k] = l.v.f[k] - out->By[k];
    }
    return status;
}

rg_status rg_bvp_srm_field_exact(rg_bvp_srm_field *f, double t, const double *z,
                                 rg_bvp_srm_point *out)
{
    local l;
    bool is_regular;

    if (f->y != NULL) return exact_bent(f, t, z, out);
    RG_TRY(look(f, t, z, NULL, &l, &is_regular));
    note_pivots(f, &l, is_regular, out);
    memcpy(out->f, l.v.f, (size_t)f->n_x * sizeof *out->f);
    if (!is_regular) return RG_RETRY;
    times_G(f, &l, l.v.f, out->y);
    for (int k = 0; k < f->n_y; k++)
        out->y[k] += f->order == 1 ? l.v.g1[k] : l.v.g2[k];
    rg_srm_inverse_solve(f->core, l.GB, f->pivot, out->y);
    times_B(f, &l, out->y, out->By);
    for (int k = 0; k < f->n_y; k++)
        if (!isfinite(out->y[k])) return RG_RETRY;
    return RG_OK;
}

static rg_status recover_bent(rg_bvp_srm_field *f, double t, const double *z, rg_bvp_srm_point *out)
{
    bool is_regular = false;
    local l = cut(f);

    RG_TRY(rg_semi_eval(f->core->view, t, z, f->order == 2 ? z + f->n_x : NULL, &l.v));
    memcpy(out->f, l.v.f, (size_t)f->n_x * sizeof *out->f);
    for (int k = 0; k < f->n_x; k++)
        f->target[k] = out->f[k] - out->By[k];
    const rg_status status = balance(f, t, z, f->target, &l, &is_regular);
    if (status < 0) return status;
    note_pivots(f, &l, is_regular, out);
    for (int k = 0; k < f->n_y; k++)
        out->y[k] = status == RG_OK ? f->y[k] : NAN;
    return RG_OK;
}

rg_status rg_bvp_srm_field_recover(rg_bvp_srm_field *f, double t, const double *z,
                                   rg_bvp_srm_point *out)
{
    local l;
    bool is_regular;

    if (f->y != NULL) return recover_bent(f, t, z, out);
    RG_TRY(look(f, t, z, NULL, &l, &is_regular));
    note_pivots(f, &l, is_regular, out);
    memcpy(out->f, l.v.f, (size_t)f->n_x * sizeof *out->f);
    times_G(f, &l, out->By, out->y);
    if (is_regular) rg_srm_inverse_solve(f->core, l.GB, f->pivot, out->y);
    for (int k = 0; k < f->n_y && !is_regular; k++)
        out->y[k] = NAN;
    return RG_OK;
}

/* H and C of the header at z into out (n_z, then order n_y). */
static void take_system(const rg_bvp_srm_field *f, const local *l, const double *z, double *out)
{
    const int n = f->n_x, m = f->n_y;
    double *top = out + f->n_z - n, *C = out + f->n_z;

    if (f->order == 2) memcpy(out, z + n, (size_t)n * sizeof *out);
    memcpy(top, l->v.f, (size_t)n * sizeof *top);
    memcpy(C, l->v.g, (size_t)m * sizeof *C);
    if (f->order == 2) memcpy(C + m, l->v.g1, (size_t)m * sizeof *C);
}

static rg_status eval_system(rg_bvp_srm_field *f, double t, const double *z, const double *y,
                             double *out)
{
    local l = cut(f);

    RG_TRY(rg_semi_eval_at(f->core->view, t, z, f->order == 2 ? z + f->n_x : NULL, y, &l.v));
    take_system(f, &l, z, out);
    return RG_OK;
}

/* column := H - B E C/eps;  column: n_z + order n_y entries, l: at the reference point. */
static void regularize(rg_bvp_srm_field *f, const local *l, double *column)
{
    const int n = f->n_x, m = f->n_y;

    for (int level = 0; level < f->order; level++) {
        double *C = column + f->n_z + level * m, *to = column + level * n;
        rg_srm_inverse_solve(f->core, l->GB, f->pivot, C);
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++)
                to[i] -= f->core->sense * l->v.B[j * n + i] * C[j] / f->eps;
    }
}

/* H_z and C_z by differences; now: H, C at z. */
static rg_status difference(rg_bvp_srm_field *f, double t, double *z, const double *scale,
                            const double *y, int size, double *now)
{
    for (int j = 0; j < f->n_z; j++) {
        const double old = z[j];
        double *moved = now + (int64_t)(j + 1) * size;
        z[j] = old + RG_SRM_DIFFERENCE * scale[j];
        const double delta = z[j] - old;
        const rg_status status = eval_system(f, t, z, y, moved);
        z[j] = old;
        RG_TRY(status);
        for (int k = 0; k < size; k++)
            moved[k] = (moved[k] - now[k]) / delta;
    }
    return RG_OK;
}

/* y += (GB)^-1 (G f + g_t), and H with it: column is H. */
static void balance_once(rg_bvp_srm_field *f, const local *l, double *y, double *column)
{
    const int n = f->n_x;
    double *top = column + f->n_z - n;

    times_G(f, l, l->v.f, l->r);
    for (int k = 0; k < f->n_y; k++)
        l->r[k] += f->order == 1 ? l->v.g1[k] : l->v.g2[k];
    rg_srm_inverse_solve(f->core, l->GB, f->pivot, l->r);
    for (int k = 0; k < f->n_y; k++) {
        y[k] += l->r[k];
        for (int i = 0; i < n; i++)
            top[i] -= l->v.B[k * n + i] * l->r[k];
    }
}

rg_status rg_bvp_srm_field_linearize(rg_bvp_srm_field *f, double t, double *z, const double *scale,
                                     double *y, bool is_balanced, double *F, double *M,
                                     rg_bvp_srm_point *at)
{
    const int n = f->n_z, size = n + f->order * f->n_y;
    double *now = f->columns;
    bool is_regular;
    local l;

    RG_TRY(look(f, t, z, y, &l, &is_regular));
    f->core->evaluations++;
    take_system(f, &l, z, now);
    rg_status status = rg_bvp_srm_field_system_slopes(f, size, now + size);
    if (status == (rg_status)RG_RETRY) {
        status = difference(f, t, z, scale, y, size, now);
        if (status == RG_OK) status = look(f, t, z, y, &l, &is_regular);
        f->core->evaluations += n + 1;
    }
    RG_TRY(status);
    note_pivots(f, &l, is_regular, at);
    if (!is_regular) return RG_RETRY;
    if (is_balanced) balance_once(f, &l, y, now);
    if (f->y == NULL) times_B(f, &l, y, at->By);
    for (int j = 0; j <= n; j++) {
        double *column = now + (int64_t)j * size;
        regularize(f, &l, column);
        memcpy(j == 0 ? F : M + (int64_t)(j - 1) * n, column, (size_t)n * sizeof *F);
        for (int k = 0; k < n; k++)
            if (!isfinite(column[k])) return RG_RETRY;
    }
    return RG_OK;
}

rg_status rg_bvp_srm_field_project(rg_bvp_srm_field *f, double t, const double *z, double *By)
{
    local l;
    bool is_regular;

    RG_TRY(look(f, t, z, NULL, &l, &is_regular));
    if (!is_regular) return RG_OK;
    times_G(f, &l, By, l.r);
    rg_srm_inverse_solve(f->core, l.GB, f->pivot, l.r);
    times_B(f, &l, l.r, By);
    return RG_OK;
}
