/* The iterate 0 as a function of time: from expressions, or y(0) and its derivatives at the start as a Taylor polynomial.  L Theorem 3.1,
 * N Theorem 2.2: where M derivatives of y_0 agree with those of y at the start (H4, (2.14)), iterates s <= M + 1 have no layer. */
#include "ivp/srm/srm_impl.h"

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
static void eval_series(rg_srm *b, double t)
{
    const double s = t - b->y0_start;

    for (int k = 0; k < b->n_y; k++) {
        double sum = 0.0;
        for (int r = b->y0_degree; r >= 0; r--)
            sum = b->y0_series[r * b->n_y + k] + sum * s / (r + 1);
        b->y0[k] = sum;
    }
}

rg_status rg_srm_y0_eval(rg_srm *b, double t)
{
    rg_srm_y0 *q = b->y0_of_time;

    if (b->y0_degree > 0) eval_series(b, t);
    if (q == NULL) return RG_OK;
    RG_TRY(rg_assembly_residual(q->rows, q->work, t, q->zero, q->F));
    for (int k = 0; k < b->n_y; k++)
        b->y0[k] = -q->F[q->p->n == 1 ? 0 : k];
    return RG_OK;
}

static rg_status check(rg_integrator *g)
{
    const rg_srm *b = g->srm;
    const int64_t n = b->y0_of_time->p->n;

    if (n == 1 || n == b->n_y) return RG_OK;
    rg_fail(g->ctx, RG_ERR_METHOD, "y0 = '%s' has %lld expressions; this model has %d multiplier%s",
            g->options.y0, (long long)n, b->n_y, b->n_y == 1 ? "" : "s");
    return rg_remedy(g->ctx, "give one expression for all multipliers, or one for each");
}

rg_status rg_srm_set_y0(rg_integrator *g, rg_problem **y0)
{
    rg_srm *b = g->srm;

    rg_srm_y0_destroy(g->ctx, &b->y0_of_time);
    if ((b->y0_of_time = rg_alloc(g->ctx, 1, sizeof *b->y0_of_time)) == NULL) return RG_ERR_MEMORY;
    b->y0_of_time->p = *y0;
    *y0 = NULL;
    RG_TRY(check(g));
    RG_TRY(make(g->ctx, b->y0_of_time));
    const rg_status status = rg_srm_y0_eval(b, g->t);
    if (status < 0) return status;
    if (status != RG_OK) {
        rg_fail(g->ctx, RG_ERR_METHOD, "y0 = '%s' has no finite value at the start, t = %g",
                g->options.y0, g->t);
        return rg_remedy(g->ctx, "give an expression that is finite in the whole interval");
    }
    RG_TRY(rg_srm_start(g));
    return b->inner != NULL ? rg_srm_radau_restart(g, 0.0) : RG_OK;
}

int rg_srm_y0_matches(const rg_options *o)
{
    return strcmp(o->y0, "start1") == 0 ? 1 : strcmp(o->y0, "start2") == 0 ? 2 : 0;
}

/* y0 = start1, start2: b->y0 holds y at g->t, g->yp the derivatives of x there. */
rg_status rg_srm_y0_match(rg_integrator *g)
{
    rg_srm *b = g->srm;
    const int K = rg_srm_y0_matches(&g->options), n = b->n_x;
    const double *derivatives[RG_SEMI_MOST_ORDER + 1];

    b->y0_degree = 0;
    if (K == 0) return RG_OK;
    for (int r = 0; r <= b->order; r++)
        derivatives[r] = r < b->order ? b->z + r * n : b->K;
    for (int k = 0; k < n; k++)
        b->K[k] = g->yp[rg_srm_state(b, b->order - 1, k)];
    memcpy(b->y0_series, b->y0, (size_t)b->n_y * sizeof *b->y0);
    RG_TRY(rg_semi_derivatives(b->view, g->t, derivatives, b->y0, K, b->y0_series + b->n_y));
    b->y0_start = g->t;
    b->y0_degree = K;
    return RG_OK;
}

rg_status rg_srm_fail_match(rg_integrator *g)
{
    rg_fail(g->ctx, RG_ERR_METHOD,
            "y0 = '%s' needs derivatives of the multipliers at the start, t = %g, where G B is "
            "singular",
            g->options.y0, g->t);
    return rg_remedy(g->ctx, "give --y0 zero, or an expression of time");
}
