/* How large a guess of a given shape should be.  A solution beside the trivial one is as large as
 * makes the equations nonlinear, whatever the units: sin(th) with th in radians bends at 1, in
 * degrees at 60. */
#include "bvp/continuation.h"
#include "bvp/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_bvp_form *f;
    rg_guess *guess;
    const rg_curve *shape;
    double *point, *moved; /* x, x', w: the guess; with a wave in one unknown */
    double *r, *F;         /* nx: the wave; three times n */
} look;

/* F at t for the guess plus 0, 1 and 2 times a wave of amplitude a in one unknown. */
static rg_status eval_beside(look *l, int unknown, double t, double a)
{
    rg_bvp_form *f = l->f;
    double *x = l->point, *w = x + 2 * f->nx;

    RG_TRY(rg_guess_profile(l->guess, t, x, x + f->nx, w));
    rg_curve_eval(l->shape, rg_curve_find(l->shape, t), t, l->r, NULL, NULL);
    for (int q = 0; q < 3; q++) {
        for (int k = 0; k < f->nx; k++)
            l->moved[k] = x[k] + (f->unknown[k] == unknown ? q * a * l->r[k] : 0.0);
        RG_TRY(rg_bvp_form_residual(f, t, l->moved, w, l->F + q * f->n));
    }
    return RG_OK;
}

/* The largest part of a change of an equation that is not linear:
 *     |F(2a) - 2 F(a) + F(0)| / |F(2a) - F(0)|,      where the change is more than rounding */
static double find_bend(int n, const double *F)
{
    const double *a = F + n, *b = a + n;
    double most = 0.0;

    for (int i = 0; i < n; i++) {
        const double change = fabs(b[i] - F[i]);
        if (change > RG_ATTEMPT_CHANGE * (fabs(b[i]) + fabs(F[i])))
            most = fmax(most, fabs(b[i] - 2.0 * a[i] + F[i]) / change);
    }
    return most;
}

/* The smallest power of 2 at which the equations are not linear in an unknown; 1: there is none. */
static rg_status find_unit(look *l, int unknown, double *unit)
{
    enum { POINTS = 8, MOST = 60 };
    const double start = l->shape->t[0], length = l->shape->t[l->shape->N] - start;

    *unit = 1.0;
    for (int e = -MOST; e <= MOST; e++)
        for (int k = 0; k < POINTS; k++) {
            const double a = ldexp(1.0, e), t = start + (k + 0.5) / POINTS * length;
            const rg_status status = eval_beside(l, unknown, t, a);
            if (status < 0) return status;
            if (status != RG_OK || find_bend(l->f->n, l->F) < RG_ATTEMPT_BENT) continue;
            *unit = a;
            return RG_OK;
        }
    return RG_OK;
}

/* All derivatives of one unknown. */
static void multiply(const rg_bvp_form *f, int unknown, double unit, rg_curve *shape)
{
    for (int k = 0; k < f->nx; k++) {
        if (f->unknown[k] != unknown) continue;
        for (int64_t i = 0; i <= shape->N; i++)
            shape->x[i * f->nx + k] *= unit;
        for (int64_t i = 0; i < shape->N * shape->rule.s; i++)
            shape->Xp[i * f->nx + k] *= unit;
    }
}

rg_status rg_guess_wave_scale(rg_bvp_form *f, rg_guess *guess, rg_curve *shape)
{
    const size_t size = (size_t)(2 * f->nx + f->n);
    double *point =
        rg_alloc(f->ctx, size + 2 * (size_t)f->nx + 3 * (size_t)f->n + 1, sizeof *point);
    rg_status status = point != NULL && f->array == NULL ? RG_OK : RG_RETRY;

    if (point == NULL) return RG_ERR_MEMORY;
    look l = {f, guess, shape, point, point + size, point + size + f->nx, NULL};
    l.F = l.r + f->nx;
    for (int k = 0; k < f->nx && status == RG_OK; k++) {
        double unit;
        if (f->order[k] > 0 || rg_bvp_form_is_constant(f, f->unknown[k])) continue;
        status = find_unit(&l, f->unknown[k], &unit);
        if (status == RG_OK) multiply(f, f->unknown[k], unit, shape);
    }
    rg_free(f->ctx, point);
    return status < 0 ? status : RG_OK;
}
