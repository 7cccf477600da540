/* IDA's Newton matrix  J = dF/dy + c_j dF/dy'  (c_j: leading coefficient of the formula over h),
 * kept and factored by rg_matrix: dense or sparse as measured.
 *
 * IDA wants a SUNMatrix and a SUNLinearSolver.  Ours hold nothing but a pointer to the integrator:
 * the Jacobian callback fills Jy, Jyp and c_j, the solver's setup factors them.  Redundant
 * equations are pinned as in the Radau method. */
#include "ivp/bdf/bdf_impl.h"
#include "ivp/tuning.h"

#include <math.h>
#include <string.h>

int rg_bdf_pass_on(rg_bdf *b, rg_status status)
{
    if (status == RG_OK) return 0;
    if (status == RG_RETRY) {
        b->saw_bad_values = true;
        return 1;
    }
    b->callback = status;
    return -1;
}

/* Dependent equations.  The rank of x F_y' + F_y does not depend on x. */
static rg_status find_pins(rg_integrator *g)
{
    rg_bdf *b = rg_bdf_of(g);
    const double length = fabs(g->t_end - g->t);
    const double x = 1.0 / (RG_PIN_STEP * (length > 0.0 ? length : 1.0));
    int *rows = b->pins, *columns = b->pins + b->n_pins;

    RG_TRY(rg_system_find_pins(g->system, x, b->Jy, b->Jyp, b->most, rows, columns));
    RG_TRY(rg_matrix_pin(b->matrix, b->n_pins, rows, columns));
    b->has_pins = true;
    return RG_OK;
}

static bool is_same_set(int n, const int *a, const int *b)
{
    int same = 0;

    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            same += a[i] == b[k];
    return same == n;
}

rg_status rg_bdf_review_pins(rg_integrator *g)
{
    rg_bdf *b = rg_bdf_of(g);
    const int n = b->n_pins, *old = b->pins + 2 * n;

    if (n == 0 || !b->has_pins) return RG_OK;
    g->stats.jacobians++;
    const rg_status status =
        rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, b->Jy, b->Jyp);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    memcpy(b->pins + 2 * n, b->pins, 2 * (size_t)n * sizeof *b->pins);
    const rg_status found = find_pins(g);
    if (found != RG_OK) {
        memcpy(b->pins, old, 2 * (size_t)n * sizeof *b->pins);
        return found < 0 ? found : RG_OK;
    }
    if (!is_same_set(n, old, b->pins) || !is_same_set(n, old + n, b->pins + n))
        b->is_restarted = true;
    return RG_OK;
}

int rg_bdf_jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector F, SUNMatrix J,
                    void *user, N_Vector tmp1, N_Vector tmp2, N_Vector tmp3)
{
    rg_integrator *g = user;
    rg_bdf *b = rg_bdf_of(g);

    (void)F, (void)J, (void)tmp1, (void)tmp2, (void)tmp3;
    g->stats.jacobians++;
    b->cj = cj;
    rg_status status =
        rg_system_jacobian(g->system, g->work, t, NV_DATA_S(y), NV_DATA_S(yp), b->Jy, b->Jyp);
    if (status == RG_OK && b->n_pins > 0 && !b->has_pins) status = find_pins(g);
    return rg_bdf_pass_on(b, status);
}

static int factor(SUNLinearSolver s, SUNMatrix J)
{
    rg_integrator *g = s->content;
    rg_bdf *b = rg_bdf_of(g);

    (void)J;
    g->stats.factorizations++;
    return rg_bdf_pass_on(b, rg_matrix_factor(b->matrix, b->cj, 0.0, b->Jy, b->Jyp));
}

/* Unknowns that nothing determines stay as they were before the step: predicted from one step to
 * the next, they would grow as polynomials do.  x <- M^-1 (x - M_pins d),  x_pins = d. */
static void solve_held(const rg_integrator *g, double *x)
{
    const rg_bdf *b = rg_bdf_of(g);
    const rg_pattern *p = rg_system_pattern(g->system);
    const int *column = b->pins + b->n_pins;

    for (int k = 0; k < b->n_pins; k++) {
        const double d = g->y[column[k]] - b->now[column[k]];
        for (int64_t e = p->start[column[k]]; e < p->start[column[k] + 1]; e++)
            x[p->row[e]] -= (b->cj * b->Jyp[e] + b->Jy[e]) * d;
    }
    rg_matrix_solve(b->matrix, x, NULL);
    for (int k = 0; k < b->n_pins; k++)
        x[column[k]] = g->y[column[k]] - b->now[column[k]];
}

static int solve(SUNLinearSolver s, SUNMatrix J, N_Vector x, N_Vector right, realtype tol)
{
    const rg_integrator *g = s->content;

    (void)J, (void)tol;
    memcpy(NV_DATA_S(x), NV_DATA_S(right), (size_t)g->n * sizeof(double));
    solve_held(g, NV_DATA_S(x));
    return 0;
}

static SUNLinearSolver_Type solver_type(SUNLinearSolver s)
{
    (void)s;
    return SUNLINEARSOLVER_DIRECT;
}

static SUNLinearSolver_ID solver_id(SUNLinearSolver s)
{
    (void)s;
    return SUNLINEARSOLVER_CUSTOM;
}

static int solver_ready(SUNLinearSolver s)
{
    (void)s;
    return 0;
}

static SUNMatrix_ID matrix_id(SUNMatrix J)
{
    (void)J;
    return SUNMATRIX_CUSTOM;
}

static int matrix_zero(SUNMatrix J)
{
    (void)J;
    return 0;
}

rg_status rg_bdf_linear_create(rg_integrator *g)
{
    rg_bdf *b = rg_bdf_of(g);

    RG_TRY(rg_matrix_create(g->ctx, rg_system_pattern(g->system), false, &b->matrix));
    b->J = SUNMatNewEmpty(b->sun);
    b->linear = SUNLinSolNewEmpty(b->sun);
    if (b->J == NULL || b->linear == NULL) return rg_bdf_no_memory(g);
    b->J->ops->getid = matrix_id;
    b->J->ops->zero = matrix_zero;
    b->linear->content = g;
    b->linear->ops->gettype = solver_type;
    b->linear->ops->getid = solver_id;
    b->linear->ops->initialize = solver_ready;
    b->linear->ops->setup = factor;
    b->linear->ops->solve = solve;
    return RG_OK;
}
