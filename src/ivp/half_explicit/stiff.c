/* Is a run of the method of order 5 stiff?  HW96 (IV.2.7): the last stage and the new point belong
 * to the same time; where stability limits h, their difference lies in the stiff directions, and
 *
 *     h |f(x_{n+1}) - f(X_s)| / |x_{n+1} - X_s|
 *
 * is h |lambda|, which the step control keeps at the border of stability.  With constraints f(X_s)
 * is that of the underlying differential equation, with multipliers from the hidden constraint,
 * which costs an evaluation: those of the stage would bring in errors divided by h. */
#include "ivp/half_explicit/half_explicit.h"
#include "ivp/half_explicit/tuning.h"

#include <math.h>
#include <string.h>

static bool is_looked_at(const rg_integrator *g, const rg_half_explicit *e)
{
    if (!e->is_partitioned || e->pace.is_fixed || e->tableau == NULL) return false;
    return e->m == 0 || e->n_stiff > 0 || g->stats.steps % RG_STIFF_EVERY == 0;
}

rg_status rg_half_explicit_look(rg_integrator *g)
{
    rg_half_explicit *e = rg_half_explicit_of(g);
    double *f = e->F + (e->tableau->s - 1) * e->N;

    if (!is_looked_at(g, e)) return RG_OK;
    if (e->m > 0) { /* X is still that of the last stage */
        memcpy(e->Y, e->y, (size_t)e->m * sizeof *e->Y);
        const rg_status status = rg_half_explicit_hidden(e, g->t, e->X, f, e->Y);
        if (status == (rg_status)RG_RETRY) return RG_OK;
        if (status != RG_OK) return status;
    }
    for (int k = 0; k < e->N; k++) {
        f[k] = e->f[k] - f[k];
        e->error[k] = e->x[k] - e->X[k];
    }
    const double change = rg_half_explicit_norm(g, f, e->x);
    const double size = rg_half_explicit_norm(g, e->error, e->x);
    if (size > 0.0 && fabs(e->pace.h) * change > RG_STIFF_LIMIT * size) {
        e->n_stiff++;
        e->n_relaxed = 0;
    } else if (e->n_stiff > 0 && ++e->n_relaxed >= RG_STIFF_RELAXED) {
        e->n_stiff = 0;
    }
    return RG_OK;
}

bool rg_half_explicit_is_stiff(const rg_integrator *g)
{
    return rg_half_explicit_of(g)->n_stiff >= RG_STIFF_STEPS;
}
