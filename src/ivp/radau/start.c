/* The size of the first step of Radau IIA. */
#include "ivp/first.h"
#include "ivp/radau/radau.h"

#include <math.h>

/* Does y' of this state occur in the equations? */
static bool is_differential(const rg_pattern *p, const double *Jyp, int64_t state)
{
    for (int64_t k = p->start[state]; k < p->start[state + 1]; k++)
        if (Jyp[k] != 0.0) return true;
    return false;
}

static double guess(const rg_integrator *g)
{
    const rg_radau *r = rg_radau_of(g);
    const rg_pattern *p = rg_system_pattern(g->system);
    rg_first f = {0};

    for (int64_t i = 0; i < g->n; i++)
        if (is_differential(p, r->Jyp, i))
            rg_first_add(&f, g->y[i], g->yp[i],
                         r->rtol * (rg_integrator_unit(g, i) + fabs(g->y[i])));
    return rg_first_step(g, &f, r->rtol);
}

rg_status rg_radau_first_step(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const rg_options *o = &g->options;
    double h = o->step > 0.0 ? o->step : o->h_first;
    const bool is_free = h == 0.0;
    bool is_true = true;

    if (is_free) {
        r->h = 0.0;
        const rg_status status = rg_radau_jacobian(g);
        if (status < 0) return status;
        h = status == RG_OK ? guess(g) : rg_first_least(g);
    }
    if (o->step == 0.0 && o->h_max > 0.0 && h > o->h_max) h = o->h_max;
    r->h = r->h_wanted = g->direction * h;
    if (is_free && r->has_jacobian) RG_TRY(rg_radau_jacobian_tells(g, &is_true));
    if (!is_true) r->has_jacobian = false; /* another one, now that the step is known */
    return RG_OK;
}
