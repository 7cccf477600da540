/* One step of IDA, the projection behind it, and the decision to begin again. */
#include "ivp/bdf/bdf_impl.h"
#include "ivp/bdf/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Too short to start IDA: y_{n+1} = y_n + h y'_n, below rounding. */
static bool step_over_rest(rg_integrator *g)
{
    const double h = g->t_end - g->t;

    if (fabs(h) > RG_BDF_SHORT_REST * fmax(fabs(g->t), fabs(g->t_end))) return false;
    memset(g->polynomial, 0, (size_t)((BDF_MAX_ORDER + 1) * g->n) * sizeof(double));
    for (int64_t i = 0; i < g->n; i++) {
        g->polynomial[i] = g->y[i];
        g->polynomial[g->n + i] = h * g->yp[i];
        g->y[i] += h * g->yp[i];
    }
    g->t_previous = g->t;
    g->t = g->t_end;
    g->stats.steps++;
    return true;
}

/* sqrt(1/n sum (d_i/w_i)^2) for the change from what IDA has to what the projection made of it */
static double correction(const rg_integrator *g)
{
    const double *y = NV_DATA_S(rg_bdf_of(g)->y);
    double sum = 0.0;

    for (int64_t i = 0; i < g->n; i++) {
        const double d = (g->y[i] - y[i]) / rg_bdf_of(g)->weight[i];
        sum += d * d;
    }
    return sqrt(sum / (double)g->n);
}

/* After the projection algebraic unknowns and y' belong to other values: IDA computes them anew,
 * and starts with order 1. */
static rg_status begin_again(rg_integrator *g)
{
    rg_bdf *b = rg_bdf_of(g);
    const double ahead = fmin(fabs(g->t - g->t_previous), fabs(g->t_end - g->t));

    b->n_restarts++;
    b->h_first = 0.0;
    RG_TRY(rg_bdf_start(g));
    if (ahead == 0.0) return RG_OK;
    if (IDACalcIC(b->ida, IDA_YA_YDP_INIT, g->t + g->direction * ahead) != IDA_SUCCESS
        || IDAGetConsistentIC(b->ida, b->y, b->yp) != IDA_SUCCESS)
        return b->callback != RG_OK ? b->callback : rg_bdf_start(g); /* from what is there */
    memcpy(g->y, NV_DATA_S(b->y), (size_t)g->n * sizeof(double));
    memcpy(g->yp, NV_DATA_S(b->yp), (size_t)g->n * sizeof(double));
    return RG_OK;
}

/* Onto the hidden constraints, by the least change in units of the tolerance. */
static rg_status project(rg_integrator *g)
{
    rg_bdf *b = rg_bdf_of(g);
    const rg_options *o = &g->options;

    if (!rg_system_projects(g->system)) return RG_OK;
    for (int64_t i = 0; i < g->n; i++) {
        b->weight[i] = rg_bdf_tolerance(g, i);
        if (b->weight[i] == 0.0) b->weight[i] = o->rtol; /* a value of 0, and atol = 0 */
    }
    const rg_status status = rg_system_project(g->system, g->work, g->t, b->weight, g->y, g->yp);
    if (status == RG_RETRY) return rg_bdf_not_projected(g);
    RG_TRY(status);
    const double change = correction(g);
    if (change > RG_BDF_RESTART) {
        rg_log(g->ctx, 3, "t = %.10g: corrected by %.3g tolerances, starts again", g->t, change);
        return begin_again(g);
    }
    return RG_OK;
}

/* Rejected attempts as IDA counts them: error tests and Newton iterations that failed. */
static void count_failures(rg_integrator *g)
{
    rg_bdf *b = rg_bdf_of(g);
    long errors = 0, newton = 0;

    IDAGetNumErrTestFails(b->ida, &errors);
    IDAGetNumNonlinSolvConvFails(b->ida, &newton);
    g->stats.rejected += errors + newton - b->n_failures;
    b->n_failures = errors + newton;
}

static rg_status check_run(const rg_integrator *g)
{
    RG_TRY(rg_integrator_go_on(g));
    if (g->stats.steps + g->stats.rejected < g->options.max_steps) return RG_OK;
    rg_fail(g->ctx, RG_ERR_CONVERGENCE, "max_steps = %lld reached at t = %.10g",
            (long long)g->options.max_steps, g->t);
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(g->ctx, "give a larger max_steps, a larger tol or a shorter interval");
}

/* IDA itself goes on, however small its steps become. */
static bool is_below_rounding(const rg_integrator *g, double t)
{
    return t != g->t_end && 0.1 * fabs(t - g->t) <= rg_integrator_time_rounding(g);
}

/* Takes over what IDA reached; the old y becomes a_0 of the polynomial. */
static void accept(rg_integrator *g, double t)
{
    const size_t bytes = (size_t)g->n * sizeof(double);

    memcpy(g->polynomial, g->y, bytes);
    memcpy(g->y, NV_DATA_S(rg_bdf_of(g)->y), bytes);
    memcpy(g->yp, NV_DATA_S(rg_bdf_of(g)->yp), bytes);
    g->t_previous = g->t;
    g->t = t;
    g->stats.steps++;
}

rg_status rg_bdf_step(rg_integrator *g)
{
    rg_bdf *b = rg_bdf_of(g);
    double t = g->t;

    RG_TRY(check_run(g));
    if (step_over_rest(g)) return RG_OK;
    b->saw_bad_values = false;
    b->callback = RG_OK;
    if (b->is_restarted) RG_TRY(rg_bdf_start(g));
    int flag = IDASetStopTime(b->ida, g->t_end);
    if (flag == IDA_SUCCESS) flag = IDASolve(b->ida, g->t_end, &t, b->y, b->yp, IDA_ONE_STEP);
    count_failures(g);
    if (flag >= 0 && is_below_rounding(g, t)) flag = BDF_STUCK;
    if (flag < 0) return b->callback != RG_OK ? b->callback : rg_bdf_give_up(g, flag);
    accept(g, flag == IDA_TSTOP_RETURN ? g->t_end : t);
    if (IDASetSuppressAlg(b->ida, 0) != IDA_SUCCESS) return rg_bdf_no_memory(g);
    rg_bdf_derivatives(g);
    const rg_status status = project(g);
    if (status == RG_OK) RG_TRY(rg_bdf_review_pins(g));
    rg_bdf_join(g);
    return status;
}
