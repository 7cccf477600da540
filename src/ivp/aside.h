/* Rows inside the last step of a one-step method that are as good as its end.
 *
 * A side step is the method itself from t_n, where the last step began, to the row: the value of a
 * run that ends there.  The steps of the run do not depend on it.  A step that holds many rows has
 * side steps to RG_ASIDE_NODES points inside alone: all rows are on the polynomial through these
 * and both ends, if one more side step, between t_n and the first of them, agrees with it to
 * RG_ROWS_TARGET tolerances.  (Solutions of stiff equations that do not begin on their smooth part
 * bend there.)  Otherwise every row has a side step of its own. */
#ifndef RG_IVP_ASIDE_H
#define RG_IVP_ASIDE_H

#include "ivp/pace.h"
#include "linalg/matrix.h"

/* The method's step from g->t_previous to t, which lies inside the last step; RG_RETRY: it does
 * not work, the polynomial of the step has to do. */
typedef rg_status rg_aside_fn(rg_integrator *g, double t, double *y, double *yp);

/* For rg_ivp_method: how many rows will be asked for; a row, whose yp may be NULL. */
rg_status rg_aside_rows(rg_integrator *g, rg_aside_fn *step, int64_t count);
rg_status rg_aside_row(rg_integrator *g, rg_aside_fn *step, double t, double *y, double *yp);
void rg_aside_destroy(rg_context *ctx, rg_aside **a);

/* A side step has matrices of its own: pivots follow those of the factorization before, and the run
 * is not to depend on rows.  Exchanges both, before and behind it; makes the second one. */
rg_status rg_aside_exchange(rg_matrix **of_run, rg_matrix **of_side, bool is_complex);

/* An attempt of a method with step sizes of ivp/pace.h as such a step: from y_n and the yp given.
 * What it finds is where an attempt leaves it. */
rg_status rg_aside_attempt(rg_integrator *g, rg_pace *p, rg_pace_attempt_fn *attempt, double t,
                           double *yp);

#endif
