/* Is a jump of the unknowns possible?  What E = F_y' holds cannot jump:
 *
 *     r = max_i |E (y+ - y)|_i / (|E| (|y+| + |y| + unit/100))_i
 *
 * must be small.  Unknowns may jump together: charges that are shared, or everything algebraic.
 * What some roundings of t are to an unknown is no jump.
 *
 * In reduced views states are what the hidden constraints fix; these must hold with the new
 * branches where the old ones ended: the states must not have to move. */
#include "ivp/switching/switching.h"
#include "ivp/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

double rg_switching_moment(const rg_switching *s)
{
    return RG_BEHIND_MOMENT * DBL_EPSILON * fabs(s->here.t);
}

rg_status rg_switching_check(rg_switching *s, double h, bool *is_legal, int64_t *row,
                             int64_t *state, double *ratio)
{
    const rg_integrator *x = s->trial;
    const rg_pattern *p = rg_system_pattern(x->system);
    const int64_t n = s->g->n;
    double *jump = rg_alloc(s->ctx, 2 * (size_t)x->n + 1, sizeof *jump);
    rg_ivp_jacobian last;

    (void)h;
    if (jump == NULL) return RG_ERR_MEMORY;
    double *const size = jump + x->n;
    x->method->jacobian(x, &last);
    for (int64_t j = 0; j < n; j++) {
        double d = s->behind.y[j] - s->here.y[j];
        if (fabs(d) <= rg_switching_moment(s) * fabs(s->here.yp[j])) d = 0.0;
        const double sum = fabs(s->behind.y[j]) + fabs(s->here.y[j]) + RG_JUMP_FLOOR * s->unit[j];
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            jump[p->row[e]] += last.Jyp[e] * d;
            size[p->row[e]] += fabs(last.Jyp[e]) * sum;
        }
    }
    *ratio = 0.0;
    *row = *state = 0;
    for (int64_t i = 0; i < n; i++) {
        const double r = size[i] > 0.0 ? fabs(jump[i]) / size[i] : 0.0;
        if (r <= *ratio) continue;
        *ratio = r;
        *row = i;
    }
    double most = 0.0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const double part = fabs(last.Jyp[e] * (s->behind.y[j] - s->here.y[j]));
            if (p->row[e] != *row || part <= most) continue;
            most = part;
            *state = j;
        }
    *is_legal = *ratio <= fmax(RG_JUMP_TOLERANCES * s->g->options.rtol, RG_JUMP_LEAST);
    rg_free(s->ctx, jump);
    return RG_OK;
}

/* The row of the hidden constraint that is violated most, per size of its unknowns' weights. */
static rg_status find_violation(rg_switching *s, double *b, int64_t *row)
{
    const rg_integrator *g = s->g;
    double most = 0.0;

    for (int e = rg_system_hidden_levels(g->system); e > 0; e--) {
        RG_TRY(rg_system_violation(g->system, g->work, s->here.t, s->here.y, e, b));
        for (int64_t i = 0; i < g->n; i++)
            if (fabs(b[i]) > most) {
                most = fabs(b[i]);
                *row = i;
            }
    }
    return RG_OK;
}

/* How far the states would have to move to meet all constraints with the branches that are held. */
static rg_status find_move(rg_switching *s, double *y, double *weight, double *ratio,
                           int64_t *state)
{
    const rg_integrator *g = s->g;
    const size_t bytes = (size_t)g->n * sizeof *y;
    double *yp = weight + g->n;

    memcpy(y, s->here.y, bytes);
    memcpy(yp, s->here.yp, bytes);
    for (int64_t k = 0; k < g->n; k++)
        weight[k] = fabs(y[k]) + s->unit[k];
    const rg_status status = rg_system_project(g->system, g->work, s->here.t, weight, y, yp);
    if (status < 0) return status;
    *ratio = status == RG_OK ? 0.0 : INFINITY;
    for (int64_t k = 0; k < g->n && status == RG_OK; k++) {
        const double r = fabs(y[k] - s->here.y[k]) / weight[k];
        if (!(r > *ratio)) continue;
        *ratio = r;
        *state = k;
    }
    return RG_OK;
}

rg_status rg_switching_check_constraints(rg_switching *s, double *ratio, int64_t *row,
                                         int64_t *state)
{
    const size_t n = (size_t)s->g->n;

    *ratio = 0.0;
    *row = *state = 0;
    if (rg_system_hidden_levels(s->g->system) == 0) return RG_OK;
    double *work = rg_alloc(s->ctx, 3 * n + RG_LANES, sizeof *work);
    if (work == NULL) return RG_ERR_MEMORY;
    rg_status status = find_move(s, work, work + n, ratio, state);
    if (status == RG_OK) status = find_violation(s, work, row);
    rg_free(s->ctx, work);
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}
