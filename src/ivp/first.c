/* The size of the first step. */
#include "ivp/first.h"
#include "ivp/tuning.h"

#include <float.h>
#include <math.h>

void rg_first_add(rg_first *f, double y, double yp, double scale)
{
    if (scale <= 0.0) return;
    f->count++;
    f->y += (y / scale) * (y / scale);
    f->yp += (yp / scale) * (yp / scale);
}

static double guess(const rg_first *f, double rtol, double interval)
{
    const double longest = RG_FIRST_LONGEST * interval;

    if (!(f->yp > 0.0)) return longest;
    const double unit = RG_FIRST_CHANGE / sqrt(f->yp);
    const double h = fmin(unit * fmax(sqrt(f->y), 1.0), longest);
    if (f->y > (double)f->count) return h;
    const double typical = unit * sqrt((double)f->count) / rtol;
    return fmax(h, fmin(RG_FIRST_LEAST * interval, typical));
}

/* Steps of which rounding of t takes no digits that matter, and of a second run, which does not
 * repeat the first one. */
static double bound(const rg_integrator *g, double h)
{
    const double rounding = RG_TIME_DIGITS * DBL_EPSILON * fabs(g->t);
    const double least = fmin(rounding, RG_FIRST_LONGEST * fabs(g->t_end - g->t));

    return fmax(h, least) * (g->first_part > 0.0 ? g->first_part : 1.0);
}

double rg_first_step(const rg_integrator *g, const rg_first *f, double rtol)
{
    return bound(g, guess(f, rtol, fabs(g->t_end - g->t)));
}

double rg_first_least(const rg_integrator *g)
{
    return bound(g, RG_FIRST_LEAST * fabs(g->t_end - g->t));
}
