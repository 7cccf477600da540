/* A transfer from start to end: values at its nodes, at chosen times, and an estimate. */
#include "api/transfer.h"

#include "api/cache.h"
#include "api/transfer_pieces.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SECOND_TOLERANCE = 0.1, SECOND_STEP = 0.5;
static const double SECOND_FIRST =
    0.0037; /* of the interval: two runs must not take the same steps */
static const double SMALLEST_RTOL = 1e-14; /* that the option table allows */
static const double SAFETY = 5.0;
enum { ESTIMATE_POINTS = 64 }; /* about so many nodes are compared */

typedef struct { /* a run under way */
    rg_problem *p;
    rg_transfer *transfer;
    rg_solution *solution;
    const rg_request *request;
    rg_pieces *pieces; /* RG_KEEP_STEPS only */
    int64_t n, next_time;
    double sign, *y, *yp;
} run;

static rg_status make_solution(run *r, const rg_analysis *a, rg_solution **out)
{
    const rg_states *s = rg_transfer_states(r->transfer);
    rg_layout *layout = NULL;

    RG_TRY(rg_layout_create(r->p->ctx, s->n_states, s->n, s->n_orders, &layout));
    for (int k = 0; k < s->n_orders; k++)
        for (int64_t j = 0; j < s->n; j++)
            layout->place[k][j] = s->column[k][j];
    RG_TRY(rg_solution_create(r->p, &layout, 0, r->request, out));
    strcpy((*out)->method, "transfer");
    (*out)->structure = rg_structure_of(r->p, a);
    r->solution = *out;
    return RG_OK;
}

static rg_status put_times(run *r, double limit)
{
    const rg_request *q = r->request;

    for (; r->next_time < q->n_times; r->next_time++) {
        const double at = q->times[r->next_time];
        if (r->sign * at > r->sign * limit) break;
        RG_TRY(rg_transfer_eval(r->transfer, at, r->y, r->yp));
        RG_TRY(rg_solution_point(r->solution, at, r->y, r->yp));
    }
    return RG_OK;
}

static rg_status call_output(const run *r, double t)
{
    const rg_request *q = r->request;

    return q->output != NULL && q->output(t, r->y, r->yp, q->user) != 0 ? RG_STOPPED : RG_OK;
}

/* From t0 to t1 as one accepted step. */
static rg_status put_step(run *r, double t0, double t1)
{
    rg_step step = {.t0 = t0, .t1 = t1, .y = r->y, .yp = r->yp};

    if (r->pieces != NULL) {
        step.degree = RG_PIECE_DEGREE;
        step.coefficients = r->pieces->coefficients;
    }
    RG_TRY(rg_transfer_eval(r->transfer, t1, r->y, r->yp));
    RG_TRY(rg_solution_accept(r->solution, &step));
    RG_TRY(call_output(r, t1));
    return put_times(r, t1);
}

/* Halves the way from t0 to t1 until polynomials follow the solution; at most 2^HALVINGS pieces. */
static rg_status put_pieces(run *r, double t0, double t1)
{
    enum { HALVINGS = 6 };
    double width = t1 - t0, t = t0;

    while (t != t1) {
        bool is_good = false;
        double end = t1;
        for (;;) {
            end = fabs(t1 - t) <= fabs(width) * (1.0 + 1e-9) ? t1 : t + width;
            RG_TRY(rg_pieces_fit(r->pieces, t, end, &is_good));
            if (is_good || fabs(width) <= fabs(t1 - t0) * ldexp(1.5, -HALVINGS)) break;
            width *= 0.5;
        }
        RG_TRY(put_step(r, t, end));
        t = end;
    }
    return RG_OK;
}

static rg_status put_all(run *r)
{
    const rg_request *q = r->request;
    const bool only_times = q->n_times > 0 && q->keep != RG_KEEP_STEPS && q->output == NULL;
    int64_t n;
    const double *t;

    RG_TRY(rg_transfer_mesh(r->transfer, &n, &t));
    RG_TRY(rg_transfer_eval(r->transfer, t[0], r->y, r->yp));
    RG_TRY(rg_solution_start(r->solution, t[0], r->y, r->yp));
    RG_TRY(call_output(r, t[0]));
    RG_TRY(put_times(r, t[0]));
    if (only_times) {
        RG_TRY(put_times(r, t[n - 1]));
        return put_step(r, t[0], t[n - 1]);
    }
    for (int64_t k = 1; k < n; k++)
        RG_TRY(r->pieces != NULL ? put_pieces(r, t[k - 1], t[k]) : put_step(r, t[k - 1], t[k]));
    return RG_OK;
}

/* ---- the estimate: the same with a tenth of the tolerance -------------------------------------- */

/* max over nodes and states of |y - w| / (ratio + |y|). */
static rg_status compare(run *r, rg_transfer *second, double ratio, double *worst)
{
    double *const w = r->yp;
    const double *t;
    int64_t n;

    *worst = 0.0;
    RG_TRY(rg_transfer_mesh(r->transfer, &n, &t));
    const int64_t stride = n / ESTIMATE_POINTS + 1;
    for (int64_t k = n - 1; k >= 0; k -= stride) {
        RG_TRY(rg_transfer_eval(r->transfer, t[k], r->y, NULL));
        RG_TRY(rg_transfer_eval(second, t[k], w, NULL));
        for (int64_t i = 0; i < r->n; i++) {
            const double size = ratio + fabs(r->y[i]);
            const double e = fabs(r->y[i] - w[i]) / (size > 0.0 ? size : 1.0);
            if (!(e <= *worst)) *worst = e;
        }
    }
    return RG_OK;
}

static void estimate(run *r, const rg_analysis *a, double t_end, const rg_options *first)
{
    rg_options o = *first;
    rg_transfer *second = NULL;
    double worst = 0.0;
    const double q = fmax(SECOND_TOLERANCE, fmin(1.0, SMALLEST_RTOL / o.rtol));

    o.rtol *= q;
    o.atol *= q;
    o.step *= SECOND_STEP;
    o.max_steps *= 4;
    o.h_first = SECOND_FIRST * fabs(t_end - r->p->a) * (o.h_first > 0.0 ? 0.37 : 1.0);
    rg_status status = rg_transfer_create(r->p, a, t_end, &o, &second);
    if (status == RG_OK) status = rg_transfer_run(second);
    if (status == RG_OK) status = compare(r, second, o.atol / o.rtol, &worst);
    rg_transfer_destroy(&second);
    if (status == RG_OK) {
        r->solution->estimate_ratio = o.atol / o.rtol;
        r->solution->estimate = fmax(SAFETY * worst, 4.0 * DBL_EPSILON);
        return;
    }
    rg_clear_error(r->p->ctx);
    if (rg_problem_warn(r->p, "no estimate of the error: the second run that it needs failed") < 0)
        rg_clear_error(r->p->ctx);
}

/* ---- what the method has to say ---------------------------------------------------------------- */

static rg_status describe(run *r)
{
    const rg_transfer_report f = rg_transfer_facts(r->transfer);

    r->solution->stats = f.stats;
    snprintf(r->solution->detail, sizeof r->solution->detail,
             "%d condition%s carried forwards, %d backwards%s; conditioning %.2g, invariants kept "
             "to %.1g, condition of the index %.2g",
             f.forward, f.forward == 1 ? "" : "s", f.backward,
             f.is_folded ? " on the folded interval" : "", f.condition, f.deviation,
             f.index_condition);
    if (f.growth < 1e8) return RG_OK;
    return rg_problem_warn(r->p,
                           "solutions grow by a factor %.1g away from the place of %d condition%s: "
                           "as many digits are lost; conditions at the other end would hold them",
                           f.growth, f.growing, f.growing == 1 ? "" : "s");
}

static rg_status execute(run *r, const rg_analysis *a, double t_end, const rg_options *o,
                         rg_solution **out)
{
    RG_TRY(rg_transfer_create(r->p, a, t_end, o, &r->transfer));
    RG_TRY(rg_transfer_run(r->transfer));
    r->n = rg_transfer_states(r->transfer)->n_states;
    r->y = rg_alloc(r->p->ctx, (size_t)r->n + 1, sizeof *r->y);
    r->yp = rg_alloc(r->p->ctx, (size_t)r->n + 1, sizeof *r->yp);
    if (r->y == NULL || r->yp == NULL) return RG_ERR_MEMORY;
    if (r->request->keep == RG_KEEP_STEPS)
        RG_TRY(rg_pieces_create(r->p->ctx, r->transfer, r->n, o->rtol, &r->pieces));
    RG_TRY(make_solution(r, a, out));
    rg_status status = put_all(r);
    const rg_status closed = rg_solution_finish(*out);
    if (status == RG_OK) status = closed;
    if (status == RG_OK) status = describe(r);
    if (status == RG_OK && r->request->estimate) estimate(r, a, t_end, o);
    return status;
}

rg_status rg_transfer_solve(rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                            rg_solution **out)
{
    run now = {.p = p, .request = r, .sign = t_end > p->a ? 1.0 : -1.0};
    const rg_analysis *a;

    RG_TRY(rg_analysis_get(p, &a));
    const rg_status status = execute(&now, a, t_end, o, out);
    rg_pieces_destroy(&now.pieces);
    rg_free(p->ctx, now.y);
    rg_free(p->ctx, now.yp);
    rg_transfer_destroy(&now.transfer);
    return status;
}
