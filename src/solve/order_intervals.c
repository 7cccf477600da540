/* Observed orders of boundary value methods on meshes with a given number of intervals: largest
 * error over the mesh points, and over all problems, which differ by the value of a parameter.
 * The largest error over all values of eps as a function of n shows uniform convergence. */
#include "solve/grid.h"
#include "solve/order.h"
#include "solve/solver.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rg_status refuse(const rg_problem *p, const rg_options *o)
{
    rg_fail(p->ctx, RG_ERR_METHOD, "'%s' has no meshes of a given number of intervals", o->method);
    return rg_remedy(p->ctx, "take --method turning-point, or give --steps");
}

static rg_status check_intervals(const rg_problem *p, int count, const int *intervals)
{
    for (int k = 1; k < count; k++)
        if (intervals[k] <= intervals[k - 1]) {
            rg_fail(p->ctx, RG_ERR_ARGUMENT, "intervals %d follow %d: they must rise", intervals[k],
                    intervals[k - 1]);
            return rg_remedy(p->ctx, "give numbers as in --intervals 32,64,128");
        }
    if (count > 1) return RG_OK;
    rg_fail(p->ctx, RG_ERR_ARGUMENT, "an order needs two meshes at least");
    return rg_remedy(p->ctx, "give numbers as in --intervals 32,64,128");
}

/* Largest difference of the unknowns at the mesh points, onto what other problems gave. */
static rg_status compare(const rg_solution *s, const rg_solution *exact, double *y, int k,
                         rg_orders *out)
{
    const int64_t n = out->problem->n;
    double *const error = out->errors + k * n;

    for (int64_t row = 0; row < rg_solution_rows(s); row++) {
        const double t = rg_solution_time(s, row);
        RG_TRY(rg_solution_eval(s, t, y, NULL));
        RG_TRY(rg_solution_eval(exact, t, y + n, NULL));
        for (int64_t j = 0; j < n; j++) {
            error[j] = fmax(error[j], fabs(y[j] - y[n + j])); /* fmax leaves a NaN behind */
            out->size[j] = fmax(out->size[j], fabs(y[n + j]));
        }
    }
    return RG_OK;
}

static rg_status measure(const rg_problem *p, const rg_options *o, const int *intervals, double *y,
                         rg_orders *out)
{
    rg_options tight = rg_options_default(), mine = *o;
    const rg_request request = {.keep = RG_KEEP_STEPS};
    rg_solution *exact = NULL;

    tight.rtol = tight.atol = out->tol;
    rg_status status = rg_solve_request(p, p->b, &tight, &request, &exact);
    for (int k = 0; k < out->n_steps && status >= 0; k++) {
        rg_solution *s = NULL;
        mine.intervals = intervals[k];
        status = rg_solve_request(p, p->b, &mine, &request, &s);
        if (status >= 0) status = compare(s, exact, y, k, out);
        rg_solution_destroy(&s);
    }
    rg_solution_destroy(&exact);
    return status < 0 ? status : RG_OK;
}

/* A rate below theory is a result here: where eps is not small its part of the error stays. */
static void judge(rg_orders *out)
{
    for (int64_t j = 0; j < out->problem->n; j++)
        out->kind[j] = out->theory[j] = 1;
    rg_orders_compare(out);
}

static rg_status make(int n_problems, rg_problem *const *problems, const double *eps, int count,
                      const int *intervals, rg_orders **out)
{
    const rg_problem *p = problems[0];
    double *h = rg_alloc(p->ctx, (size_t)count, sizeof *h);

    if (h == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < count; k++)
        h[k] = fabs(p->b - p->a) / intervals[k];
    rg_status status = rg_orders_create(p, count, h, out);
    rg_free(p->ctx, h);
    RG_TRY(status);
    (*out)->tol = RG_ORDER_INTERVALS_TOL;
    if (eps == NULL) return RG_OK;
    (*out)->eps = rg_alloc(p->ctx, (size_t)n_problems, sizeof *eps);
    if ((*out)->eps == NULL) return RG_ERR_MEMORY;
    memcpy((*out)->eps, eps, (size_t)n_problems * sizeof *eps);
    (*out)->n_eps = n_problems;
    return RG_OK;
}

rg_status rg_order_intervals(int n_problems, rg_problem *const *problems, const double *eps,
                             const rg_options *given, int count, const int *intervals,
                             rg_orders **out)
{
    rg_options o;

    if (n_problems < 1 || problems == NULL || out == NULL || problems[0] == NULL)
        return RG_ERR_ARGUMENT;
    const rg_problem *p = problems[0];
    rg_clear_error(p->ctx);
    *out = NULL;
    RG_TRY(rg_default_options(p, given, &o));
    RG_TRY(rg_method_check(p->ctx, o.method));
    if (p->form != NULL) {
        RG_TRY(check_intervals(p, count, intervals));
        return rg_grid_order_cells(p, &o, count, intervals, out);
    }
    const rg_method *m = rg_method_find(o.method);
    if (m == NULL || !m->has_given_mesh) return refuse(p, &o);
    RG_TRY(check_intervals(p, count, intervals));
    double *y = rg_alloc(p->ctx, 2 * (size_t)p->n + 1, sizeof *y);
    rg_status status = y == NULL ? RG_ERR_MEMORY : RG_OK;
    if (status == RG_OK) status = make(n_problems, problems, eps, count, intervals, out);
    if (status == RG_OK) {
        snprintf((*out)->method, sizeof(*out)->method, "%s", m->name);
        snprintf((*out)->formulation, sizeof(*out)->formulation, "direct");
    }
    for (int i = 0; i < n_problems && status == RG_OK; i++)
        status = measure(problems[i], &o, intervals, y, *out);
    if (status == RG_OK) {
        (*out)->n_done = count;
        judge(*out);
    } else {
        rg_orders_destroy(out);
    }
    rg_free(p->ctx, y);
    return status;
}
