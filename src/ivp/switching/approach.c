/* The end of a branch, located by true steps. */
#include "ivp/switching/search.h"
#include "ivp/switching/tuning.h"
#include "ivp/tuning.h"
#include "newton/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The step again, from where it began up to t. */
static rg_status retake(rg_switching *s, rg_integrator *a, double t)
{
    const rg_state before = {s->before.t, s->before.y, s->before.yp};

    RG_TRY(rg_integrator_restart(a, &before, fabs(t - s->before.t)));
    a->stats.steps--;
    a->stats.rejected++;
    RG_TRY(rg_integrator_set_end(a, t));
    return rg_integrator_step(a);
}

/* Algebraic unknowns at the end of the step as good as those of the trial steps behind it: other
 * methods have them to the tolerance only, as Radau IIA has what only hidden constraints of a
 * branch determine, and on which side of the switch they are would depend on who looks. */
static rg_status settle(rg_switching *s, rg_integrator *a)
{
    const size_t bytes = (size_t)a->n * sizeof *a->y;

    if (a->method->is_radau) return a == s->g ? rg_switching_recover(s, a->t, a->y, a->yp) : RG_OK;
    rg_switching_save(&s->here, a);
    if (s->trial == NULL) RG_TRY(rg_switching_make_trial(s));
    const rg_status status = rg_switching_try(s, RG_BEHIND_STEP * fabs(s->step), false);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    rg_switch_take_point(s);
    rg_switch_keep_states(s);
    memcpy(a->y, s->behind.y, bytes);
    memcpy(a->yp, s->behind.yp, bytes);
    return RG_OK;
}

static rg_status margin_here(rg_switching *s, const rg_integrator *a, int64_t c, double *g)
{
    RG_TRY(rg_switching_margins(s, a->t, a->y, a->yp, s->margins));
    *g = s->margins[c];
    RG_TRY(rg_switching_sizes(s, a->t, a->y, a->yp));
    return RG_OK;
}

static double margin_before(rg_switching *s, const rg_integrator *a, int64_t c, double d)
{
    rg_integrator_eval(a, a->t - d, s->here.y, s->here.yp);
    if (rg_switching_margins(s, a->t - d, s->here.y, s->here.yp, s->margins) != RG_OK) return NAN;
    return s->margins[c];
}

/* dg/dt at the end of the step, from its polynomial. */
static double slope(rg_switching *s, const rg_integrator *a, int64_t c)
{
    const double d = 1e-4 * (a->t - a->t_previous), g = margin_before(s, a, c, 0.0);

    return (g - margin_before(s, a, c, d)) / d;
}

/* A function that compares a current of 1 fA with a voltage of 1 nV stays far below its size. */
static double own_size(const rg_switching *s, int64_t c, double size)
{
    const double own = RG_SWITCH_OWN * s->switches[c].largest;

    return own > 0.0 && own < size ? own : size;
}

/* True steps up to the zero of margin c, at t by the polynomial: the integrator stands there in the
 * end.  *is_there false: it stopped before, or another branch ends first. */
rg_status rg_switching_approach(rg_switching *s, rg_integrator *a, double *t, int64_t *c,
                                double t_limit, bool *is_there)
{
    double t_old = NAN, g_old = NAN, best = INFINITY;

    *is_there = true;
    for (int k = 0; k < RG_SWITCH_CORRECTIONS; k++) {
        double g, earlier;
        int64_t other;
        RG_TRY(retake(s, a, *t));
        if (a->t != *t) {
            *is_there = false;
            return RG_OK;
        }
        RG_TRY(settle(s, a));
        RG_TRY(rg_switching_find(s, &earlier, &other));
        if (other >= 0 && other != *c
            && fabs(earlier - s->before.t) < fabs(*t - s->before.t) * (1.0 - 1e-9)) {
            *c = other;
            *t = earlier;
            t_old = g_old = NAN;
            best = INFINITY;
            continue;
        }
        RG_TRY(margin_here(s, a, *c, &g));
        const double size = s->switches[*c].slides ? 1e3 : s->sizes[*c];
        if (fabs(g) <= RG_SWITCH_LOCATED * own_size(s, *c, size)) return RG_OK;
        if (k > 1 && !(fabs(g) < RG_NOT_HALVED * best)) {
            /* else an error of the polynomial; but not for ever, where the run comes to rest */
            *is_there = g <= RG_SWITCH_AT_ZERO * size || s->misses++ == RG_SWITCH_MISSES;
            return RG_OK;
        }
        best = fmin(best, fabs(g));
        double dg = (g - g_old) / (*t - t_old);
        if (!(fabs(dg) > 0.0)) dg = slope(s, a, *c);
        double move = -g / dg;
        if (!isfinite(move)) return RG_OK;
        const double h = *t - s->before.t;
        move = copysign(fmin(fabs(move), RG_SWITCH_MOVE * fabs(h)), move);
        double next = *t + move;
        if ((next - s->before.t) * s->g->direction <= 0.0) next = s->before.t + 0.1 * h;
        if ((next - t_limit) * s->g->direction > 0.0) next = t_limit;
        if (fabs(next - *t) <= 2.0 * DBL_EPSILON * fabs(*t)) return RG_OK;
        t_old = *t;
        g_old = g;
        *t = next;
    }
    return RG_OK;
}
