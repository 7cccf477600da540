/* The integrator on a circle. */
#ifndef RG_TESTS_SUPPORT_CIRCLE_H
#define RG_TESTS_SUPPORT_CIRCLE_H

#include "ivp/integrator.h"
#include "support/mock_system.h"
#include "support/test.h"

/* y1' = y2, y2' = -y1;  y = (sin t, cos t) */
static inline rg_status circle_F(double t, const double *y, const double *yp, double *F)
{
    (void)t;
    F[0] = yp[0] - y[1];
    F[1] = yp[1] + y[0];
    return RG_OK;
}

static inline rg_integrator *circle_start(rg_context *ctx, rg_system *s, double tol, double t0,
                                          double t_end, int stages)
{
    rg_options o = rg_options_default();
    rg_integrator *g = NULL;
    const double y[2] = {sin(t0), cos(t0)}, yp[2] = {cos(t0), -sin(t0)};
    const rg_state start = {t0, y, yp};

    s->ctx = ctx;
    s->n = 2;
    s->F = circle_F;
    mock_init(s);
    o.rtol = o.atol = tol;
    o.stages = stages;
    CHECK_INT(rg_integrator_create(s, &o, &start, t_end, &g), RG_OK);
    return g;
}

#endif
