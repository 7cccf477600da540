/* Rows inside the last step of a one-step method: see aside.h. */
#include "ivp/aside.h"

#include "base/pieces.h"
#include "ivp/tuning.h"
#include "linalg/powers.h"

#include <math.h>
#include <string.h>

enum { POINTS = RG_ASIDE_NODES + 2 };

struct rg_aside {
    double *arena;
    int64_t step;   /* of the run, to which this belongs; -1: none */
    double t0, t1;  /* its ends */
    bool is_curve;  /* rows are on the polynomial */
    double *values; /* of POINTS vectors, then its coefficients */
    double *y, *yp;
};

static rg_status open(rg_integrator *g)
{
    if (g->aside != NULL) return RG_OK;
    g->aside = rg_alloc(g->ctx, 1, sizeof *g->aside);
    if (g->aside == NULL) return RG_ERR_MEMORY;
    g->aside->step = -1;
    return RG_TAKE(g->ctx, &g->aside->arena, RG_PIECE(g->aside->values, POINTS * g->n),
                   RG_PIECE(g->aside->y, g->n), RG_PIECE(g->aside->yp, g->n));
}

void rg_aside_destroy(rg_context *ctx, rg_aside **a)
{
    if (*a == NULL) return;
    rg_free(ctx, (*a)->arena);
    rg_free(ctx, *a);
    *a = NULL;
}

static bool belongs(const rg_integrator *g, const rg_aside *a)
{
    return a != NULL && a->step == g->stats.steps && a->t0 == g->t_previous && a->t1 == g->t;
}

/* The largest difference of two rows in units of the tolerance. */
static double distance(const rg_integrator *g, const double *a, const double *b)
{
    double most = 0.0;

    for (int64_t k = 0; k < g->n; k++) {
        const double scale = rg_integrator_atol(g, k) + g->options.rtol * fabs(a[k]);
        const double d = fabs(a[k] - b[k]) / fmax(scale, DBL_MIN);
        if (!(d <= most)) most = d;
    }
    return most;
}

/* With work of its own: what the steps of the run keep there (factors of projections) does not
 * depend on rows. */
static rg_status side_step(rg_integrator *g, rg_aside_fn *step, double t, double *y, double *yp)
{
    rg_system_work *const work = g->work, *own;

    RG_TRY(rg_integrator_row_work(g, &own));
    rg_system_hold_as(g->system, own, work);
    g->work = own;
    const rg_status status = step(g, t, y, yp);
    g->work = work;
    return status;
}

/* Points of Chebyshev: cos(k pi/(POINTS - 1)), moved to 0 .. 1. */
static double point(int k)
{
    const double turn = 4.0 * atan(1.0) * k / (POINTS - 1);

    return k == POINTS - 1 ? 1.0 : (1.0 - cos(turn)) / 2.0;
}

/* The polynomial through side steps.  RG_RETRY: it is not good enough. */
static rg_status draw(rg_integrator *g, rg_aside *a, rg_aside_fn *step)
{
    const double h = a->t1 - a->t0;
    double s[POINTS];

    for (int k = 0; k < POINTS; k++) {
        double *value = a->values + k * g->n;
        s[k] = point(k);
        if (k == 0 || k == POINTS - 1)
            rg_integrator_eval(g, k == 0 ? a->t0 : a->t1, value, NULL);
        else
            RG_TRY(side_step(g, step, a->t0 + s[k] * h, value, a->yp));
    }
    rg_powers_fit(POINTS, s, g->n, a->values, a->values);
    const double between = s[1] / 2.0;
    RG_TRY(side_step(g, step, a->t0 + between * h, a->y, a->yp));
    rg_powers_eval(POINTS - 1, g->n, a->values, between, h, a->yp, NULL);
    return distance(g, a->y, a->yp) <= RG_ROWS_TARGET ? RG_OK : (rg_status)RG_RETRY;
}

rg_status rg_aside_rows(rg_integrator *g, rg_aside_fn *step, int64_t count)
{
    RG_TRY(open(g));
    rg_aside *a = g->aside;
    a->step = g->stats.steps;
    a->t0 = g->t_previous;
    a->t1 = g->t;
    a->is_curve = false;
    if (a->t0 == a->t1 || count <= RG_ASIDE_NODES + 1 || g->options.step > 0.0) return RG_OK;
    const rg_status status = draw(g, a, step);
    if (status < 0) return status;
    a->is_curve = status == RG_OK;
    return RG_OK;
}

rg_status rg_aside_row(rg_integrator *g, rg_aside_fn *step, double t, double *y, double *yp)
{
    RG_TRY(open(g));
    const rg_aside *a = g->aside;
    const bool is_on_curve = belongs(g, a) && a->is_curve;
    rg_status status = RG_OK;
    if (yp == NULL) yp = a->yp;
    if (!((t - g->t_previous) * (g->t - t) > 0.0)) {
        rg_integrator_eval(g, t, y, yp);
        return RG_OK;
    }
    if (is_on_curve)
        rg_powers_eval(POINTS - 1, g->n, a->values, (t - a->t0) / (a->t1 - a->t0), a->t1 - a->t0, y,
                       yp);
    else
        status = side_step(g, step, t, y, yp);
    if (status == RG_OK && !is_on_curve) return RG_OK; /* the step is where it should be */
    if (status == (rg_status)RG_RETRY) rg_integrator_eval(g, t, y, yp);
    return status < 0 ? status : rg_integrator_project_row(g, t, y, yp);
}

rg_status rg_aside_exchange(rg_matrix **of_run, rg_matrix **of_side, bool is_complex)
{
    rg_matrix *const m = *of_run;

    if (*of_side == NULL) RG_TRY(rg_matrix_create_like(m, is_complex, of_side));
    *of_run = *of_side;
    *of_side = m;
    return RG_OK;
}

rg_status rg_aside_attempt(rg_integrator *g, rg_pace *p, rg_pace_attempt_fn *attempt, double t,
                           double *yp)
{
    const rg_pace kept = *p;
    const double now = g->t;
    double *y_now = g->y, *yp_now = g->yp, error = 0.0;

    p->span = g->t - g->t_previous;
    p->h = t - g->t_previous;
    p->is_last = false;
    p->failures = 0;
    g->t = g->t_previous;
    g->y = g->polynomial; /* begins with y_n */
    g->yp = yp;
    const rg_status status = attempt(g, &error);
    g->t = now;
    g->y = y_now;
    g->yp = yp_now;
    *p = kept;
    return status;
}
