/* The iterate 0 as a function of time: from expressions, or y(0) and its derivatives at the
 * start as a Taylor polynomial.  L Theorem 3.1, N Theorem 2.2: where M derivatives of y_0 agree
 * with those of y at the start (H4, (2.14)), iterates s <= M + 1 have no layer. */
#include "ivp/srm/core.h"

#include <string.h>

struct srm_y0 {
    rg_problem *p;
    rg_assembly *rows; /* u_k - expression_k */
    rg_assembly_work *work;
    double *zero, *F; /* n each */
};

static rg_status make(rg_context *ctx, rg_srm_y0 *q)
{
    const size_t n = (size_t)q->p->n;
    int32_t *number = rg_alloc(ctx, n, sizeof *number);

    q->zero = rg_alloc(ctx, n, sizeof *q->zero);
    q->F = rg_alloc(ctx, n, sizeof *q->F);
    if (number == NULL || q->zero == NULL || q->F == NULL) {
        rg_free(ctx, number);
        return RG_ERR_MEMORY;
    }
    for (size_t k = 0; k < n; k++)
        number[k] = (int32_t)k;
    const int32_t *map[1] = {number};
    const rg_assembly_spec spec = {1, 1, (int64_t)n, map, (int64_t)n, map};
    rg_status status = rg_assembly_create(q->p, &spec, false, &q->rows);
    if (status == RG_OK) status = rg_assembly_work_create(q->rows, &q->work);
    rg_free(ctx, number);
    return status;
}

void rg_srm_y0_destroy(rg_context *ctx, rg_srm_y0 **y0)
{
    rg_srm_y0 *q = *y0;

    if (q == NULL) return;
    rg_assembly_work_destroy(&q->work);
    rg_assembly_destroy(&q->rows);
    rg_problem_destroy(&q->p);
    rg_free(ctx, q->zero);
    rg_free(ctx, q->F);
    rg_free(ctx, q);
    *y0 = NULL;
}

/* y_0(t) = y(t_0) + (t - t_0) y'(t_0) + (t - t_0)^2/2 y''(t_0) */
static void eval_series(rg_srm_core *c, double t)
{
    const double s = t - c->y0_start;

    for (int k = 0; k < c->n_y; k++) {
        double sum = 0.0;
        for (int r = c->y0_degree; r >= 0; r--)
            sum = c->y0_series[r * c->n_y + k] + sum * s / (r + 1);
        c->y0[k] = sum;
    }
}

rg_status rg_srm_y0_eval(rg_srm_core *c, double t)
{
    rg_srm_y0 *q = c->y0_of_time;

    if (c->y0_degree > 0) eval_series(c, t);
    if (q == NULL) return RG_OK;
    RG_TRY(rg_assembly_residual(q->rows, q->work, t, q->zero, q->F));
    for (int k = 0; k < c->n_y; k++)
        c->y0[k] = -q->F[q->p->n == 1 ? 0 : k];
    return RG_OK;
}

static rg_status check(const rg_srm_core *c, const char *text)
{
    const int64_t n = c->y0_of_time->p->n;

    if (n == 1 || n == c->n_y) return RG_OK;
    rg_fail(c->ctx, RG_ERR_METHOD, "y0 = '%s' has %lld expressions; this model has %d multiplier%s",
            text, (long long)n, c->n_y, c->n_y == 1 ? "" : "s");
    return rg_remedy(c->ctx, "give one expression for all multipliers, or one for each");
}

rg_status rg_srm_core_set_y0(rg_srm_core *c, const char *text, double t, rg_problem **y0)
{
    rg_srm_y0_destroy(c->ctx, &c->y0_of_time);
    if ((c->y0_of_time = rg_alloc(c->ctx, 1, sizeof *c->y0_of_time)) == NULL) return RG_ERR_MEMORY;
    c->y0_of_time->p = *y0;
    *y0 = NULL;
    RG_TRY(check(c, text));
    RG_TRY(make(c->ctx, c->y0_of_time));
    const rg_status status = rg_srm_y0_eval(c, t);
    if (status != RG_RETRY) return status;
    rg_fail(c->ctx, RG_ERR_METHOD, "y0 = '%s' has no finite value at the start, t = %g", text, t);
    return rg_remedy(c->ctx, "give an expression that is finite in the whole interval");
}

/* y0 = start1, start2: c->y0 holds y at t, z the point, top x^(order) there. */
static rg_status match(rg_srm_core *c, const char *text, double t, const double *z,
                       const double *top)
{
    const int K = strcmp(text, "start1") == 0 ? 1 : strcmp(text, "start2") == 0 ? 2 : 0;
    const double *derivatives[RG_SEMI_MOST_ORDER + 1];

    c->y0_degree = 0;
    if (K == 0) return RG_OK;
    for (int r = 0; r <= c->order; r++)
        derivatives[r] = r < c->order ? z + r * c->n_x : top;
    memcpy(c->y0_series, c->y0, (size_t)c->n_y * sizeof *c->y0);
    const rg_status status =
        rg_semi_derivatives(c->view, t, derivatives, c->y0, K, c->y0_series + c->n_y);
    if (status == RG_RETRY) {
        rg_fail(c->ctx, RG_ERR_METHOD,
                "y0 = '%s' needs derivatives of the multipliers at the start, t = %g, where G B is "
                "singular",
                text, t);
        return rg_remedy(c->ctx, "give --y0 zero, or an expression of time");
    }
    c->y0_start = t;
    c->y0_degree = status == RG_OK ? K : 0;
    return status;
}

rg_status rg_srm_core_start(rg_srm_core *c, const char *y0, bool is_zero, double t, const double *y,
                            const double *yp, double *z)
{
    const bool from_zero = strcmp(y0, "zero") == 0 || (is_zero && strcmp(y0, "auto") == 0);
    double *top = c->point;

    for (int r = 0; r < c->order; r++)
        for (int k = 0; k < c->n_x; k++)
            z[r * c->n_x + k] = y[rg_srm_state(c, r, k)];
    for (int k = 0; k < c->n_y; k++) {
        const double value = y[rg_semi_y(c->view)[k]];
        c->near[k] = value;
        if (rg_srm_has_y(&c->variant)) z[c->n_x + k] = value;
        c->y0[k] = from_zero ? 0.0 : value;
    }
    for (int k = 0; k < c->n_x; k++)
        top[k] = yp != NULL ? yp[rg_srm_state(c, c->order - 1, k)] : 0.0;
    return match(c, y0, t, z, top);
}
