/* The size of the first step of Radau IIA. */
#include "ivp/radau/radau.h"
#include "ivp/radau/tuning.h"
#include "ivp/tuning.h"

#include <float.h>
#include <math.h>

/* Does y' of this state occur in the equations? */
static bool is_differential(const rg_pattern *p, const double *Jyp, int64_t state)
{
    for (int64_t k = p->start[state]; k < p->start[state + 1]; k++)
        if (Jyp[k] != 0.0) return true;
    return false;
}

/* h_0 = 0.01 |y| / |y'|  in the norm of the error test, over states whose derivative occurs; at
 * most 1/1000 of the interval.  Where y is 0, or as good as, at least what |y| = atol/rtol would
 * give, up to 1e-6 of the interval.  The error test has the last word: a failed first attempt
 * costs a factor 10. */
static double guess(const rg_integrator *g)
{
    const rg_radau *r = rg_radau_of(g);
    const rg_pattern *p = rg_system_pattern(g->system);
    const double interval = fabs(g->t_end - g->t);
    double y = 0.0, yp = 0.0;
    int64_t count = 0;

    for (int64_t i = 0; i < g->n; i++) {
        if (!is_differential(p, r->Jyp, i)) continue;
        const double scale = r->rtol * (rg_integrator_unit(g, i) + fabs(g->y[i]));
        if (scale <= 0.0) continue;
        count++;
        y += (g->y[i] / scale) * (g->y[i] / scale);
        yp += (g->yp[i] / scale) * (g->yp[i] / scale);
    }
    const double longest = RG_PACE_FIRST_LONGEST * interval;
    if (!(yp > 0.0)) return longest;
    const double unit = RG_PACE_FIRST_CHANGE / sqrt(yp);
    const double h = unit * fmax(sqrt(y), 1.0);
    if (y > (double)count) return fmin(h, longest);
    const double typical = unit * sqrt((double)count) / r->rtol;
    return fmax(h, fmin(RG_FIRST_LEAST * interval, typical));
}

/* Steps of which rounding of t takes no digits that matter. */
static double least(const rg_integrator *g)
{
    const double rounding = RG_TIME_DIGITS * DBL_EPSILON * fabs(g->t);

    return fmin(rounding, RG_PACE_FIRST_LONGEST * fabs(g->t_end - g->t));
}

rg_status rg_radau_first_step(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const rg_options *o = &g->options;
    double h = o->step > 0.0 ? o->step : o->h_first;

    if (h == 0.0) {
        r->h = 0.0;
        const rg_status status = rg_radau_jacobian(g);
        if (status < 0) return status;
        h = status == RG_OK ? guess(g) : RG_FIRST_LEAST * fabs(g->t_end - g->t);
        h = fmax(h, least(g));
        if (g->first_part > 0.0) h *= g->first_part;
    }
    if (o->step == 0.0 && o->h_max > 0.0 && h > o->h_max) h = o->h_max;
    r->h = r->h_wanted = g->direction * h;
    return RG_OK;
}
