/* Runs that nobody watches for positions where constraints lose rank: the user is told, where
 * the constraints can lose it. */
#include "solve/unwatched.h"

#include "base/random.h"
#include "solve/tuning.h"

#include <math.h>

/* Why there is no watch; NULL: there is one, or nothing to watch. */
static const char *reason(const rg_solver *s, const rg_analysis *a)
{
    const rg_problem *p = s->problem;

    if (a->index < 2 || p->is_boundary || s->choice.method->passes_singular) return NULL;
    if (s->integrator != NULL)
        return s->integrator->supervisor != NULL || a->n_redundant == 0 || p->n > RG_STABLE_MOST
                   ? NULL
                   : "which constraints are redundant cannot be told at the start; another start "
                     "may help";
    if (s->form != NULL) return NULL;
    if (p->n_blocks == 0) return "the equations are callbacks; written as text they would be";
    if (p->n > RG_STABLE_MOST) return "the model is too large";
    if (!s->choice.method->can_be_watched) return "this method does not watch; --method radau does";
    return "the index comes from combinations of equations whose factors vary; with a combination "
           "written as an equation the run would be";
}

/* Jacobians at the start and beside it, after one another. */
static rg_status evaluate(const rg_solver *s, double *J, int64_t entries, double *y, double *yp)
{
    const rg_problem *p = s->problem;
    const double length = isfinite(p->b - p->a) ? p->b - p->a : 1.0;

    for (int point = 0; point < 2; point++) {
        const double move = point * RG_UNWATCHED_MOVE;
        for (int64_t i = 0; i < s->n; i++) {
            const double part = move * (1.0 + 0.6 * rg_random(0, (uint64_t)i));
            y[i] = s->y[i] + part * (1.0 + fabs(s->y[i]));
            yp[i] = s->yp[i] + part * (1.0 + fabs(s->yp[i]));
        }
        RG_TRY(rg_system_jacobian(s->system, s->work, p->a + move * length, y, yp,
                                  J + 2 * point * entries, J + (2 * point + 1) * entries));
    }
    return RG_OK;
}

/* Entries of the system Jacobian: rows of constraints, columns of unknowns without
 * derivatives.  With combinations, any. */
static bool matters(const rg_solver *s, const rg_analysis *a, int64_t row, int64_t state)
{
    const int64_t n = s->problem->n;

    if (!a->is_structural || row >= n) return row < n;
    return a->c[row] > 0 || (state < n && a->d[state] == 0);
}

static rg_status find_variation(const rg_solver *s, const rg_analysis *a, bool *varies)
{
    const rg_pattern *p = rg_system_pattern(s->system);
    const int64_t entries = p->start[p->n_columns];
    double *J = rg_alloc(s->ctx, 4 * (size_t)entries + 2 * (size_t)s->n + 1, sizeof *J);

    if (J == NULL) return RG_ERR_MEMORY;
    double *y = J + 4 * entries;
    rg_status status = evaluate(s, J, entries, y, y + s->n);
    *varies = status != RG_OK; /* cannot be told */
    for (int64_t j = 0; j < p->n_columns && !*varies; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            for (int kind = 0; kind < 2; kind++) {
                const double x = J[kind * entries + e], z = J[(2 + kind) * entries + e];
                if (fabs(x - z) > RG_SAME * (fabs(x) + fabs(z)) && matters(s, a, p->row[e], j))
                    *varies = true;
            }
    rg_free(s->ctx, J);
    return status < 0 ? status : RG_OK;
}

rg_status rg_warn_unwatched(rg_solver *s, const rg_analysis *a)
{
    const char *why = reason(s, a);
    bool varies;

    if (why == NULL) return RG_OK;
    RG_TRY(find_variation(s, a, &varies));
    if (!varies) return RG_OK;
    return rg_problem_warn(
        s->problem, "the run is not watched for positions where constraints lose rank: %s", why);
}
