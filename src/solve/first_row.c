/* The row at the start of a run: what the equations do not tell there.
 *
 * Derivatives of algebraic unknowns come from the polynomial of the first step, y'(t0) = a_1/h.  So
 * do multipliers where constraints lose rank at the start: any value solves the equations, as lam
 * does in  0*lam = 0,  and the start has one that was chosen.  The stages lie beside the start; so
 * their polynomial tells what y tends to,
 *
 *     y(t0) = a_0,      off by about  v = max |y(t0 + h s) - a_0|  over the step.
 *
 * Where v is as large as the values themselves there is no limit: a multiplier that is unbounded.
 * Rounding may hide that rank is lost ((t - 0.1*3) at t = 0.3): then a start value that is far from
 * all values of the first step is taken for one that was chosen, too. */
#include "solve/first_row.h"

#include "ivp/method.h"
#include "solve/tuning.h"

#include <math.h>

/* A state of the polynomial of a step at t0 + h part. */
static double value_at(const rg_solution_step *step, int64_t n, int64_t i, double part)
{
    double y = 0.0;

    for (int k = step->degree; k >= 0; k--)
        y = y * part + step->coefficients[k * n + i];
    return y;
}

static double variation(const rg_solution_step *step, int64_t n, int64_t i)
{
    enum { PARTS = 4 };
    const double a_0 = step->coefficients[i];
    double most = fabs(step->y[i] - a_0);

    for (int k = 1; k <= PARTS; k++)
        most = fmax(most, fabs(value_at(step, n, i, (double)k / PARTS) - a_0));
    return most;
}

/* Is the start value one that the equations do not determine?  v: as above. */
static bool is_chosen(const rg_solver *s, bool is_singular, int64_t i, double a_0, double v)
{
    const double size = rg_integrator_unit(s->integrator, i) + fabs(a_0);
    const double off = fabs(s->y[i] - a_0);

    if (is_singular) return off > fmax(v, RG_FIRST_ROW_TOLERANCES * s->options.rtol * size);
    return off > fmax(RG_FIRST_ROW_APART * v, RG_FIRST_ROW_PART * size);
}

/* Does a column show the state, or an expression of its unknown? */
static rg_status find_written(const rg_solver *s, int64_t state, bool *is_written)
{
    uint8_t *written = rg_alloc(s->ctx, (size_t)s->problem->n + 1, sizeof *written);

    *is_written = false;
    if (written == NULL) return RG_ERR_MEMORY;
    rg_written_unknowns(s->problem, written);
    for (int64_t j = 0; j < s->problem->n; j++)
        if (written[j] && rg_system_state(s->system, j, 0) == state) *is_written = true;
    rg_free(s->ctx, written);
    return RG_OK;
}

static rg_status tell(const rg_solver *s, int64_t i, double v)
{
    char name[128];

    rg_system_state_name(s->system, i, name, sizeof name);
    if (isnan(s->y[i]))
        return rg_problem_warn(s->problem,
                               "the equations do not determine '%s' at the start, %s = %.6g, and "
                               "the values behind it tend to none: that row has no value of it",
                               name, rg_problem_time_name(s->problem), s->problem->a);
    return rg_problem_warn(s->problem,
                           "the equations do not determine '%s' at the start, %s = %.6g: its value "
                           "there, %.4g, is what the values behind it tend to, to about %.0e",
                           name, rg_problem_time_name(s->problem), s->problem->a, s->y[i], v);
}

/* An algebraic state. */
static rg_status complete_value(const rg_solver *s, bool is_singular, const rg_solution_step *step,
                                int64_t i, double *doubt)
{
    const double a_0 = step->coefficients[i], v = variation(step, s->n, i);
    const double size = rg_integrator_unit(s->integrator, i) + fabs(a_0);
    bool is_written;

    if (!is_chosen(s, is_singular, i, a_0, v)) return RG_OK;
    RG_TRY(find_written(s, i, &is_written));
    if (!is_written) return RG_OK;
    s->y[i] = v <= RG_FIRST_ROW_NONE * size ? a_0 : NAN;
    if (!isnan(s->y[i])) *doubt = fmax(*doubt, v / size);
    return tell(s, i, v);
}

rg_status rg_first_row_complete(const rg_solver *s, const rg_solution_step *step, bool is_row,
                                double *doubt)
{
    const double h = step->t1 - step->t0, *a_1 = step->coefficients + s->n;
    const bool has_switches = rg_system_switch_count(s->system) > 0;
    const rg_analysis *a;

    *doubt = 0.0;
    if (step->degree == 0) return RG_OK;
    RG_TRY(rg_analysis_get(s->problem, &a));
    for (int64_t i = 0; i < s->n; i++) {
        if (!isnan(s->yp[i])) continue;
        s->yp[i] = a_1[i] / h;
        if (is_row && (a->index > 1 || a->is_singular_start) && !has_switches)
            RG_TRY(complete_value(s, a->is_singular_start, step, i, doubt));
    }
    return RG_OK;
}
