/* Start values that no branch of the equations has: u + sign(u) = 0.2 is solved by u = 0 with a
 * sign between -1 and 1.  The branches at the start are found as behind a switch, by trial steps
 * from the given values: states stay, algebraic unknowns are computed, a switch may slide at
 * once. */
#include "ivp/switching/switching.h"
#include "ivp/switching/tuning.h"

#include <math.h>

/* Kept values are kept; what E holds is, as in every trial step. */
static bool is_kept(const rg_problem *p, const rg_system *system, const double *y, const double *yp)
{
    bool is_so = true;

    for (int r = 0; r < p->start_orders; r++)
        for (int64_t j = 0; j < p->n && p->start[r].kind != NULL; j++) {
            if (p->start[r].kind[j] != RG_START_KEPT) continue;
            const int64_t at = rg_system_state(system, j, r);
            const int64_t below = r > 0 && at < 0 ? rg_system_state(system, j, r - 1) : -1;
            const double given = p->start[r].value[j];
            const double now = at >= 0 ? y[at] : below >= 0 ? yp[below] : given;
            is_so = is_so && fabs(now - given) <= RG_SAME * (1.0 + fabs(given));
        }
    return is_so;
}

static void take_values(const rg_problem *p, const rg_system *system, const double *y,
                        const double *yp, rg_consistent *to)
{
    for (int64_t j = 0; j < p->n; j++)
        for (int r = 0; r < to->n_orders; r++) {
            const int64_t at = rg_system_state(system, j, r);
            const int64_t below = r > 0 ? rg_system_state(system, j, r - 1) : -1;
            to->value[r][j] = at >= 0 ? y[at] : below >= 0 ? yp[below] : NAN;
        }
}

/* *is_found: `to` are start values. */
static rg_status find(const rg_problem *p, const rg_system *system, rg_consistent *to,
                      bool *is_found)
{
    const size_t n = (size_t)rg_system_size(system) + 1;
    double *y = rg_alloc(p->ctx, 2 * n, sizeof *y), *yp = NULL;
    const rg_options o = rg_options_default();
    rg_integrator *g = NULL;
    rg_status status = y != NULL ? RG_OK : RG_ERR_MEMORY;

    if (status == RG_OK) {
        yp = y + n;
        rg_system_start(system, to, y, yp);
        status = rg_integrator_create(system, &o, &(rg_state){p->a, y, yp}, p->b, &g);
    }
    if (status == RG_OK) status = rg_switching_open(g, is_found);
    if (status == RG_OK && *is_found) *is_found = is_kept(p, system, g->y, g->yp);
    if (status == RG_OK && *is_found) take_values(p, system, g->y, g->yp, to);
    rg_integrator_destroy(&g);
    rg_free(p->ctx, y);
    return status;
}

/* Any failure but of memory: there are none, and the error is that of the search before. */
static rg_status find_between(const rg_problem *p, const rg_analysis *a, bool *is_found)
{
    const rg_error error = *rg_last_error(p->ctx);
    rg_system *system = NULL;
    rg_consistent *c = NULL;

    *is_found = false;
    rg_clear_error(p->ctx);
    rg_status status = rg_system_create(p, a, RG_VIEW_DIRECT, &system);
    if (status == RG_OK) status = rg_consistent_given(p, a, &c);
    if (status == RG_OK) status = find(p, system, c, is_found);
    if (status == RG_OK && *is_found) {
        p->study->consistent = c;
        p->study->consistent_destroy = rg_consistent_destroy;
        c = NULL;
    }
    rg_consistent_destroy(p->ctx, &c);
    rg_system_destroy(&system);
    if (status == RG_OK && *is_found) return RG_OK;
    return status != RG_ERR_MEMORY ? rg_fail_again(p->ctx, &error) : status;
}

rg_status rg_switching_start(const rg_problem *p, const rg_analysis *a, const rg_consistent **out)
{
    bool is_found;
    const rg_status status = rg_start_get(p, a, out);

    if ((status != RG_ERR_INCONSISTENT && status != RG_ERR_CONVERGENCE) || a->index > 1
        || p->has_start_conditions || !rg_problem_has_switches(p))
        return status;
    RG_TRY(find_between(p, a, &is_found));
    return rg_start_get(p, a, out);
}
