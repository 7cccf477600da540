/* What linearly implicit methods ask of F_y'. */
#include "ivp/pace.h"
#include "ivp/tuning.h"

#include <float.h>
#include <math.h>

/* Is F_y' the same at points away from the start?  work: two vectors, three Jacobians. */
static bool is_constant(rg_integrator *g, double *work)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const int64_t entries = p->start[p->n_columns];
    double *y = work, *yp = y + g->n, *Jy = yp + g->n, *first = Jy + entries,
           *Jyp = first + entries;

    if (rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, Jy, first) != RG_OK) return false;
    for (int point = 1; point <= 2; point++) {
        for (int64_t k = 0; k < g->n; k++) {
            const double move = RG_MASS_MOVE * sin(1.0 + 3.0 * (double)k + point);
            y[k] = g->y[k] + move * (1.0 + fabs(g->y[k]));
            yp[k] = g->yp[k] + move * (1.0 + fabs(g->yp[k]));
        }
        const double t = g->t + RG_MASS_MOVE * point * (g->t_end - g->t);
        if (rg_system_jacobian(g->system, g->work, t, y, yp, Jy, Jyp) != RG_OK) return false;
        for (int64_t e = 0; e < entries; e++)
            if (!(fabs(Jyp[e] - first[e]) <= 16.0 * DBL_EPSILON * fabs(first[e]))) return false;
    }
    return true;
}

rg_status rg_pace_check_mass(rg_integrator *g)
{
    const rg_pattern *p = rg_system_pattern(g->system);

    if (rg_system_is_regular(g->system)) return RG_OK;
    const size_t count = 2 * (size_t)g->n + 3 * (size_t)p->start[p->n_columns];
    double *work = rg_alloc(g->ctx, count + 1, sizeof *work);
    if (work == NULL) return RG_ERR_MEMORY;
    const bool is_good = is_constant(g, work);
    rg_free(g->ctx, work);
    if (is_good) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD,
            "'%s' cannot solve M(y) y' = f of index 1 with a singular M that is not constant",
            g->method->name);
    return rg_remedy(g->ctx, "take --method radau, which solves the model as written");
}
