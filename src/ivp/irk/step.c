/* A step of an implicit Runge-Kutta method, as an attempt for ivp/pace.h. */
#include "ivp/irk/irk.h"

#include "ivp/irk/tuning.h"
#include "linalg/norm.h"

#include <math.h>
#include <string.h>

/* By sizes, with the factors that there are. */
static void set_fixed_weights(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    const bool is_real = r->m % 2 == 1 || r->is_diagonal;
    const rg_pace_linear at = {r->Jy, r->Jyp, is_real ? r->real : r->pair[0], r->error,
                               is_real ? NULL : r->Y};

    rg_pace_fixed_weights(g, &at, r->pace.seen, r->weight);
}

/* 1/(atol + rtol |y_n|), times (h rate)^(index - 1), and not above what rounding allows. */
static void set_weights(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);

    if (r->pace.is_fixed) {
        set_fixed_weights(g);
        return;
    }
    rg_pace_weights(g, g->y, NULL, r->weight);
    if (r->rates.highest > 1) rg_rates_find(g, &r->rates);
    for (int64_t k = 0; k < g->n && r->rates.highest > 1; k++)
        r->weight[k] *= rg_rates_part(&r->rates, k, r->pace.h);
    if (!r->has_algebraic) return;
    rg_pace_rounding(g, r->Jy, r->Jyp, r->real, r->error);
    rg_pace_round_weights(g->n, r->error, 1.0, r->weight);
}

/* Ascher, Petzold (1991): y_{n+1} + f_z mu on 0 = g, then z from the hidden constraint. */
static rg_status move_along(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    rg_half_explicit *e = &r->half;
    const double t = rg_pace_end(g, &r->pace);

    rg_half_explicit_read(e, r->Y, r->Yp, e->x, e->f, e->y);
    rg_half_explicit_see(e);
    rg_status status = rg_half_explicit_hidden(e, t, e->x, e->f, e->y); /* the matrix there */
    if (status == RG_OK) status = rg_half_explicit_project(e, t, e->x, e->y);
    if (status == RG_OK) status = rg_half_explicit_hidden(e, t, e->x, e->f, e->y);
    if (status != RG_OK) {
        r->pace.cause = RG_PACE_PROJECTION;
        return status;
    }
    rg_half_explicit_give(e, e->x, e->y, r->Y);
    rg_half_explicit_give(e, e->f, NULL, r->Yp);
    return RG_OK;
}

/* The new point, in reduced views on the hidden constraints.  The stabilized view has its levels as
 * equations; methods that are not stiffly accurate meet them up to their order, which a
 * projection by the least change would lower (Gauss, 3 stages: 3 in place of 4). */
static rg_status new_point(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);

    if (r->is_projected) return move_along(g);
    if (!rg_system_projects(g->system)) return RG_OK;
    if (!r->is_accurate && rg_system_hidden_levels(g->system) == 0) return RG_OK;
    for (int64_t k = 0; k < g->n; k++)
        r->error[k] = rg_integrator_atol(g, k) + g->options.rtol * fabs(g->y[k]);
    return rg_pace_project(g, &r->pace, rg_pace_end(g, &r->pace), r->error, r->Y, r->Yp);
}

/* The residual at the new point solved with the real matrix, in r->error; of index 2 only what
 * stands in the rows without a derivative, and without multipliers. */
static rg_status correction(rg_integrator *g, bool is_regular)
{
    rg_irk *r = rg_irk_of(g);

    RG_TRY(rg_integrator_residual(g, rg_pace_end(g, &r->pace), r->Y, r->Yp, r->error));
    for (int64_t k = 0; k < g->n && !is_regular; k++)
        if (r->is_rate[k]) r->error[k] = 0.0;
    rg_matrix_solve(r->real, r->error, NULL);
    for (int64_t k = 0; k < g->n && !is_regular; k++)
        if (rg_system_variable_index(g->system)[k] > 1) r->error[k] = 0.0;
    return RG_OK;
}

/* Gauss with error control: errors of algebraic unknowns, and of y off the constraints of index 2,
 * are not damped (R(infinity) is 1 or -1), and no step would be small enough for them.
 *
 * Index 1: algebraic unknowns and y' follow from the equations at the new point, y fixed.  Index 2:
 * y is moved along F_z onto the constraints c, as in the projected methods,
 *
 *     ((gamma/h) F_y' + F_y) d = (0, c),      y <- y - d,
 *
 * with derivatives at the new point (those at t_n make errors ten times as large); multipliers
 * are those of the polynomial through the stages.  Simplified Newton, as far as it converges.  With
 * index 1 it has to, where need be with a Jacobian at the new point: what the stages give of
 * algebraic unknowns that move faster than the steps is far off. */
static rg_status iterate(rg_integrator *g, bool is_regular, double *size)
{
    rg_irk *r = rg_irk_of(g);
    const double shift = r->gamma / r->pace.h;
    double before = INFINITY;

    *size = 0.0;
    for (int i = 0; i < RG_IRK_ITERATIONS; i++) {
        RG_TRY(correction(g, is_regular));
        *size = rg_wrms_norm(g->n, r->error, r->weight);
        if (!(*size < before)) return RG_OK;
        for (int64_t k = 0; k < g->n; k++) {
            double *part = r->is_algebraic[k] || !is_regular ? r->Y : r->Yp;
            part[k] -= (part == r->Y ? 1.0 : shift) * r->error[k];
        }
        if (*size <= RG_IRK_NEWTON) return RG_OK;
        before = *size;
    }
    return RG_OK;
}

static rg_status settle(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    const bool is_regular = rg_system_is_regular(g->system);
    double size;

    if (r->is_accurate || r->is_projected || r->pace.is_fixed) return RG_OK;
    if (!is_regular) RG_TRY(rg_irk_look_ahead(g));
    rg_status status = iterate(g, is_regular, &size);
    if (is_regular && status == RG_OK && !(size <= 1.0)) {
        RG_TRY(rg_irk_look_ahead(g));
        r->t_jacobian = NAN; /* the next step does not depend on it */
        status = iterate(g, is_regular, &size);
        if (status == RG_OK && !(size <= 1.0)) status = (rg_status)RG_RETRY;
        if (status == (rg_status)RG_RETRY) r->pace.cause = RG_PACE_NEWTON;
        return status;
    }
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}

static rg_status attempt(rg_integrator *g, double *error)
{
    const rg_irk *r = rg_irk_of(g);

    RG_TRY(rg_irk_prepare(g));
    set_weights(g);
    RG_TRY(rg_irk_newton(g));
    rg_irk_end(g);
    if (!r->pace.is_fixed) *error = rg_irk_error(g);
    if (!rg_pace_is_good(&r->pace, *error)) return RG_OK;
    RG_TRY(new_point(g));
    return settle(g);
}

static void accept(rg_integrator *g)
{
    rg_irk *r = rg_irk_of(g);
    const size_t bytes = (size_t)g->n * sizeof(double);

    rg_irk_dense(g);
    memcpy(r->before, g->y, bytes);
    memcpy(r->slope, g->yp, bytes);
    memcpy(g->y, r->Y, bytes);
    for (int64_t k = 0; k < g->n; k++) /* without a derivative: the slope of the polynomial */
        for (int p = 0; r->is_algebraic[k] && p <= g->degree; p++)
            r->Yp[k] = (p > 0 ? r->Yp[k] : 0.0) + p * g->polynomial[p * g->n + k] / r->pace.h;
    memcpy(g->yp, r->Yp, bytes);
}

rg_status rg_irk_step(rg_integrator *g)
{
    static const rg_pace_calls calls = {attempt, accept};

    return rg_pace_step(g, &rg_irk_of(g)->pace, &calls);
}

/* The matrices of the run and those of side steps, exchanged. */
static rg_status exchange(rg_irk *r, rg_rows_user user)
{
    RG_TRY(rg_aside_exchange(&r->real, &r->side_real[user], false));
    for (int k = 0; k < IRK_PAIRS && r->pair[k] != NULL; k++)
        RG_TRY(rg_aside_exchange(&r->pair[k], &r->side_pair[user][k], true));
    return RG_OK;
}

static rg_status side_step(rg_integrator *g, double t, double *y, double *yp)
{
    rg_irk *r = rg_irk_of(g);
    const size_t bytes = (size_t)g->n * sizeof *y;
    const double h_factored = r->h_factored;

    RG_TRY(exchange(r, g->rows_for));
    r->h_factored = 0.0;
    const rg_status status = rg_aside_attempt(g, &r->pace, attempt, t, r->slope);
    r->h_factored = h_factored;
    RG_TRY(exchange(r, g->rows_for));
    RG_TRY(status);
    rg_integrator_eval(g, t, NULL, yp);
    memcpy(y, r->Y, bytes);
    for (int64_t k = 0; k < g->n; k++)
        if (!r->is_algebraic[k]) yp[k] = r->Yp[k];
    return RG_OK;
}

/* A short step of index 2 and above multiplies by 1/h what is left in the multipliers. */
bool rg_irk_has_rows(const rg_integrator *g)
{
    return rg_system_is_regular(g->system);
}

rg_status rg_irk_rows(rg_integrator *g, int64_t count)
{
    return rg_irk_has_rows(g) ? rg_aside_rows(g, side_step, count) : RG_OK;
}

rg_status rg_irk_row(rg_integrator *g, double t, double *y, double *yp)
{
    return rg_aside_row(g, side_step, t, y, yp);
}
