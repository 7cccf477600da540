/* Redundant equations beside switches.  That an equation follows from the others is found at the
 * start, with the branches held there, and it is left out of the steps (ivp/radau/redundant.c).
 * Behind a switch it may say something: z + abs(z) = x + abs(x) leaves z < 0 open as long as x < 0,
 * and demands z = x then. */
#include "ivp/switching/switching.h"
#include "ivp/tuning.h"

#include <math.h>

/* max_i |F_i| / (|F_y| (|y| + unit/100))_i at the end of the last step, over the equations without
 * y', whose accuracy is a matter of the method; work: F, the sizes, F_y and F_y'. */
static rg_status find_violation(rg_switching *s, const rg_integrator *a, double *work,
                                double *ratio, int64_t *row)
{
    const rg_pattern *p = rg_system_pattern(a->system);
    double *F = work, *size = F + a->n, *Jy = size + a->n, *Jyp = Jy + p->start[a->n];

    RG_TRY(rg_system_residual(a->system, a->work, a->t, a->y, a->yp, F));
    RG_TRY(rg_system_jacobian(a->system, a->work, a->t, a->y, a->yp, Jy, Jyp));
    for (int64_t j = 0; j < s->g->n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            size[p->row[e]] += Jyp[e] != 0.0
                                   ? INFINITY
                                   : fabs(Jy[e]) * (fabs(a->y[j]) + RG_JUMP_FLOOR * s->unit[j]);
    for (int64_t i = 0; i < s->g->n; i++) {
        const double r = size[i] > 0.0 ? fabs(F[i]) / size[i] : 0.0;
        if (r <= *ratio) continue;
        *ratio = r;
        *row = i;
    }
    return RG_OK;
}

rg_status rg_switching_check_redundant(rg_switching *s, const rg_integrator *a)
{
    const bool is_direct = rg_system_hidden_levels(a->system) == 0;
    double ratio = 0.0;
    int64_t row = 0;
    char name[128];

    if (rg_system_redundant(a->system) == 0 || !is_direct) return RG_OK;
    const size_t entries = (size_t)rg_system_pattern(a->system)->start[a->n];
    double *work = rg_alloc(s->ctx, 2 * ((size_t)a->n + entries) + RG_LANES, sizeof *work);
    if (work == NULL) return RG_ERR_MEMORY;
    const rg_status status = find_violation(s, a, work, &ratio, &row);
    rg_free(s->ctx, work);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    if (ratio <= fmax(RG_JUMP_TOLERANCES * a->options.rtol, RG_JUMP_LEAST)) return RG_OK;
    rg_system_row_name(a->system, row, name, sizeof name);
    rg_fail(s->ctx, RG_ERR_CONVERGENCE,
            "at t = %.10g %s is not met: where the run began it followed from the other equations, "
            "and behind a switch it does not",
            a->t, name);
    rg_fail_time(s->ctx, a->t);
    return rg_remedy(s->ctx, "write it so that it determines an unknown on every branch, or start "
                             "where it does");
}
