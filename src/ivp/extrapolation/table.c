/* The extrapolation table of a step; the choice of the next column and step. */
#include "ivp/extrapolation/extrapolation.h"

#include "ivp/extrapolation/tuning.h"
#include "ivp/tuning.h"
#include "linalg/norm.h"

#include <math.h>
#include <string.h>

double rg_extrapolation_factor(const rg_extrapolation *x, int j, int k)
{
    const double r = (double)x->substeps[j] / x->substeps[j - k - 1];

    return 1.0 / ((x->power == 2 ? r * r : r) - 1.0);
}

/* Row j of the table over row j - 1: T[k] <- T_jk, k = 0 .. j. */
static void extend(rg_extrapolation *x, int j, const double *first)
{
    double *carry = x->next, *saved = x->difference;

    memcpy(carry, first, (size_t)x->size * sizeof *carry);
    for (int k = 0; k <= j; k++) {
        double *T = x->T + k * x->size;
        memcpy(saved, T, (size_t)x->size * sizeof *saved); /* T_{j-1,k} */
        memcpy(T, carry, (size_t)x->size * sizeof *T);     /* T_{j,k} */
        if (k == j) break;
        const double factor = rg_extrapolation_factor(x, j, k);
        for (int i = 0; i < x->size; i++)
            carry[i] = T[i] + factor * (T[i] - saved[i]);
    }
}

/* Exponent of H in the error of column j (from 0): T_j,j-1 is the one that is estimated. */
static int exponent(const rg_extrapolation *x, int j)
{
    return x->power * j + 1;
}

static bool is_rounded(const rg_extrapolation *x)
{
    return !x->is_half && x->rounding != NULL && !x->half.pace.is_fixed;
}

/* Algebraic equations leave their rounding in every T_i1, however short the step; the table
 * magnifies it, by 5 in the second column and by 1e4 in the eighth.  It does not add up over the
 * steps: columns in which it is above the tolerance itself are not taken, but the second, which is
 * the first with an estimate. */
static void look_at_rounding(rg_integrator *g)
{
    rg_extrapolation *x = rg_extrapolation_of(g);

    rg_pace_rounding(g, x->Jy, x->Jyp, x->matrix, x->rounding);
    rg_pace_weights(g, g->y, NULL, x->weight);
    const double size = RG_PACE_ROUNDING * rg_wrms_norm(g->n, x->rounding, x->weight);
    x->most = EXTRAPOLATION_MOST;
    while (x->most > 2 && size * x->magnified[x->most - 1] > 1.0)
        x->most--;
    if (x->fixed > 0 || x->column <= x->most) return;
    x->column = x->most;
    x->half.pace.order = exponent(x, x->column - 1);
}

/* euler3: velocities follow from positions on their constraints, and rounding of g comes back in
 * them divided by h: the shorter the step, the more.  All of it is off the constraints of
 * velocities, onto which the end of the step is moved: what is left of a - b is the error. */
static rg_status take_normal_off(rg_integrator *g, double t, const double *a, const double *b)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    rg_half_explicit *e = &x->half;
    double *other = x->difference + e->N;
    const rg_half_point at_a = rg_half_explicit_point(e, t, a, e->zero, e->Y),
                        at_b = rg_half_explicit_point(e, t, b, e->zero, e->Y);

    RG_TRY(rg_half_velocity(e->view, &at_a, e->bottom));
    RG_TRY(rg_half_velocity(e->view, &at_b, other));
    for (int k = 0; k < e->m; k++)
        e->bottom[k] -= other[k];
    memset(e->top, 0, (size_t)e->n * sizeof *e->top);
    rg_half_solve(e->view, e->top, e->bottom);
    for (int k = 0; k < e->n; k++)
        x->difference[e->n + k] -= e->top[k];
    return RG_OK;
}

/* |T_jj - T_j,j-1| beside the tolerance, into x->error[j]. */
static rg_status note_error(rg_integrator *g, int j, double t)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    const double *a = x->T + j * x->size, *b = a - x->size;

    for (int i = 0; i < x->size; i++)
        x->difference[i] = a[i] - b[i];
    const bool is_off = x->scheme == rg_extrapolation_euler3;
    const rg_status status = is_off ? take_normal_off(g, t, a, b) : RG_OK;
    if (status < 0) return status;
    if (status != RG_OK) return rg_pace_fail(&x->half.pace, RG_PACE_VALUES);
    if (x->is_half) {
        x->error[j] = rg_half_explicit_norm(g, x->difference, a) / x->half.part;
    } else {
        rg_pace_weights(g, g->y, a, x->weight);
        if (is_rounded(x))
            rg_pace_round_weights(g->n, x->rounding, x->magnified[j] / x->half.part, x->weight);
        x->error[j] = rg_wrms_norm(g->n, x->difference, x->weight) / x->half.part;
    }
    return isfinite(x->error[j]) ? RG_OK : rg_pace_fail(&x->half.pace, RG_PACE_VALUES);
}

rg_status rg_extrapolation_table(rg_integrator *g, const rg_extrapolation_from *from)
{
    rg_extrapolation *x = rg_extrapolation_of(g);

    for (int j = 0; j < x->column; j++) {
        RG_TRY(x->scheme(g, from, x->substeps[j], x->last));
        extend(x, j, x->last);
        if (j == 0 && is_rounded(x)) look_at_rounding(g);
        x->error[j] = INFINITY;
        if (j > 0) RG_TRY(note_error(g, j, from->t_end));
    }
    return RG_OK;
}

static double step_for(const rg_extrapolation *x, int j, double h)
{
    const double error = fmax(x->error[j], RG_PACE_ERROR_LEAST);
    const double factor = RG_PACE_SAFETY * pow(error / RG_EXTRAPOLATION_AIM, -1.0 / exponent(x, j));

    return fabs(h) * fmax(RG_PACE_SHRINK, fmin(RG_PACE_GROW, factor));
}

/* Least work per length among the columns k - 1, k and, where k beats k - 1, k + 1. */
void rg_extrapolation_choose(rg_integrator *g)
{
    rg_extrapolation *x = rg_extrapolation_of(g);
    rg_pace *p = &x->half.pace;
    const int k = x->column - 1;

    if (x->fixed > 0 || p->is_fixed) return;
    const double h = step_for(x, k, p->h), work = x->work[k] / h;
    p->next = h;
    if (k >= 2) {
        const double less = step_for(x, k - 1, p->h), work_less = x->work[k - 1] / less;
        if (work_less < RG_EXTRAPOLATION_LOWER * work) {
            x->column = k;
            p->next = less;
        } else if (work < RG_EXTRAPOLATION_HIGHER * work_less && k + 1 < x->most
                   && !p->was_rejected) {
            x->column = k + 2;
            p->next = h * x->work[k + 1] / x->work[k];
        }
    } else if (!p->was_rejected && k + 1 < x->most) {
        x->column = k + 2;
    }
    p->order = exponent(x, x->column - 1);
}
