/* IDA's settings, and the point it starts from. */
#include "ivp/bdf/bdf_impl.h"
#include "ivp/bdf/tuning.h"

#include <math.h>
#include <string.h>

/* Values that are not finite ask for a smaller step, as RG_RETRY does. */
int rg_bdf_residual(realtype t, N_Vector y, N_Vector yp, N_Vector F, void *user)
{
    rg_integrator *g = user;
    rg_bdf *b = rg_bdf_of(g);
    const double *values = NV_DATA_S(F);
    rg_status status = rg_integrator_residual(g, t, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(F));

    if (b->n_pins > 0) memcpy(b->now, NV_DATA_S(y), (size_t)g->n * sizeof *b->now);
    for (int k = 0; b->has_pins && k < b->n_pins; k++) /* equations that are left out */
        NV_DATA_S(F)[b->pins[k]] = 0.0;
    for (int64_t i = 0; i < g->n && status == RG_OK; i++)
        if (!isfinite(values[i])) status = RG_RETRY;
    return rg_bdf_pass_on(b, status);
}

/* The library never prints: what IDA has to say comes back as a number. */
static void say_nothing(int code, const char *module, const char *function, char *message,
                        void *user)
{
    (void)code, (void)module, (void)function, (void)message, (void)user;
}

/* A state is algebraic when no equation has its derivative: an empty column of dF/dy'. */
static rg_status find_algebraic(rg_integrator *g)
{
    rg_bdf *b = rg_bdf_of(g);
    const rg_pattern *p = rg_system_pattern(g->system);

    const rg_status status =
        rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, b->Jy, b->Jyp);
    if (status < 0) return status;
    for (int64_t j = 0; j < g->n; j++) {
        bool is_differential = false;
        for (int64_t k = p->start[j]; k < p->start[j + 1] && status == RG_OK; k++)
            is_differential = is_differential || b->Jyp[k] != 0.0;
        NV_DATA_S(b->id)[j] = is_differential;
    }
    return RG_OK;
}

/* A part of the tolerances, one atol for all, or one each; IDA keeps a copy of these. */
static bool set_tolerances(const rg_integrator *g)
{
    const rg_bdf *b = rg_bdf_of(g);
    const double rtol = RG_BDF_PART * g->options.rtol, atol = RG_BDF_PART * g->options.atol;

    if (g->unit == NULL) return IDASStolerances(b->ida, rtol, atol) == IDA_SUCCESS;
    for (int64_t i = 0; i < g->n; i++) /* free until the roles are known */
        NV_DATA_S(b->id)[i] = RG_BDF_PART * rg_integrator_atol(g, i);
    return IDASVtolerances(b->ida, rtol, b->id) == IDA_SUCCESS;
}

rg_status rg_bdf_settings(rg_integrator *g)
{
    rg_bdf *b = rg_bdf_of(g);
    const rg_options *o = &g->options;
    bool ok = IDASetErrHandlerFn(b->ida, say_nothing, NULL) == IDA_SUCCESS
              && IDAInit(b->ida, rg_bdf_residual, g->t, b->y, b->yp) == IDA_SUCCESS
              && IDASetUserData(b->ida, g) == IDA_SUCCESS && set_tolerances(g)
              && IDASetLinearSolver(b->ida, b->linear, b->J) == IDA_SUCCESS
              && IDASetJacFn(b->ida, rg_bdf_jacobian) == IDA_SUCCESS
              && IDASetMaxErrTestFails(b->ida, RG_BDF_ERROR_FAILURES) == IDA_SUCCESS
              && IDASetMaxConvFails(b->ida, RG_BDF_NEWTON_FAILURES) == IDA_SUCCESS
              && IDASetNonlinConvCoef(b->ida, RG_BDF_NEWTON) == IDA_SUCCESS;

    if (ok && o->h_max > 0.0) ok = IDASetMaxStep(b->ida, o->h_max) == IDA_SUCCESS;
    if (ok && o->max_newton > 0) ok = IDASetMaxNonlinIters(b->ida, o->max_newton) == IDA_SUCCESS;
    if (!ok) return rg_bdf_no_memory(g);
    RG_TRY(find_algebraic(g));
    return IDASetId(b->ida, b->id) == IDA_SUCCESS ? RG_OK : rg_bdf_no_memory(g);
}

/* IDA's own first step, 0: half a tolerance long, |h y'| = 1/2 in its norm.  Far from t = 0 that
 * may be below the rounding of time. */
static double first_step(const rg_integrator *g)
{
    const double least = RG_BDF_FIRST * rg_integrator_time_rounding(g);
    double sum = 0.0;

    if (rg_bdf_of(g)->h_first > 0.0) return rg_bdf_of(g)->h_first;
    for (int64_t i = 0; i < g->n; i++) {
        const double d = g->yp[i] / rg_bdf_tolerance(g, i);
        if (isfinite(d)) sum += d * d;
    }
    const double norm = sqrt(sum / (double)g->n);
    return 2.0 * least * norm > 1.0 ? least : 0.0;
}

/* What algebraic unknowns do is not known at the start, and IDA's y' of them is 0: they follow from
 * the others, and are no reason for a shorter first step. */
rg_status rg_bdf_start(rg_integrator *g)
{
    rg_bdf *b = rg_bdf_of(g);
    const size_t bytes = (size_t)g->n * sizeof(double);

    memcpy(NV_DATA_S(b->y), g->y, bytes);
    memcpy(NV_DATA_S(b->yp), g->yp, bytes);
    const double rest = fabs(g->t_end - g->t);
    const double h = g->direction * fmin(first_step(g), rest);
    b->is_restarted = false;
    b->n_failures = 0;
    if (IDAReInit(b->ida, g->t, b->y, b->yp) != IDA_SUCCESS) return rg_bdf_no_memory(g);
    if (IDASetInitStep(b->ida, h) != IDA_SUCCESS || IDASetSuppressAlg(b->ida, 1) != IDA_SUCCESS)
        return rg_bdf_no_memory(g);
    return RG_OK;
}
