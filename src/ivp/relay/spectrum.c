/* The spectral radius of a differential equation at the start of a run. */
#include "ivp/relay/relay.h"

#include "ivp/relay/tuning.h"
#include "linalg/matrix.h"

#include <math.h>
#include <string.h>

/* x <- F_y'^-1 F_y x, scaled to largest entry 1 in units of the tolerance; its size before. */
static double turn(const rg_integrator *g, rg_matrix *m, const double *Jy, double *x, double *y)
{
    double size = 0.0;

    memset(y, 0, (size_t)g->n * sizeof *y);
    rg_pattern_multiply(rg_system_pattern(g->system), Jy, 1.0, x, y);
    rg_matrix_solve(m, y, NULL);
    for (int64_t k = 0; k < g->n; k++)
        size = fmax(size, fabs(y[k]) / (rg_integrator_unit(g, k) + fabs(g->y[k])));
    for (int64_t k = 0; k < g->n; k++)
        x[k] = size > 0.0 ? y[k] / size : 0.0;
    return size;
}

static rg_status iterate(rg_integrator *g, double *Jy, double *Jyp, rg_matrix *m, double *radius)
{
    double *x = Jyp + rg_system_pattern(g->system)->start[g->n], *y = x + g->n;

    rg_status status = rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, Jy, Jyp);
    if (status == RG_OK) status = rg_matrix_factor(m, 0.0, 0.0, Jyp, NULL);
    if (status == (rg_status)RG_RETRY) {
        *radius = NAN;
        return RG_OK;
    }
    if (status != RG_OK) return status;
    for (int64_t k = 0; k < g->n; k++) /* no direction is favoured */
        x[k] = (1.0 + 0.5 * sin(1.0 + (double)k)) * (rg_integrator_unit(g, k) + fabs(g->y[k]));
    *radius = 0.0;
    for (int k = 0; k < RG_RELAY_TURNS; k++)
        *radius = turn(g, m, Jy, x, y);
    return RG_OK;
}

rg_status rg_relay_spectrum(rg_integrator *g, double *radius)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const size_t entries = (size_t)p->start[p->n_columns];
    double *Jy = rg_alloc(g->ctx, 2 * entries + 2 * (size_t)g->n + 1, sizeof *Jy);
    rg_matrix *m = NULL;
    rg_status status = Jy == NULL ? RG_ERR_MEMORY : rg_matrix_create(g->ctx, p, false, &m);

    g->stats.jacobians++;
    g->stats.factorizations++;
    if (status == RG_OK) status = iterate(g, Jy, Jy + entries, m, radius);
    rg_matrix_destroy(&m);
    rg_free(g->ctx, Jy);
    return status;
}
