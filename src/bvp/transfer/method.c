/* The method 'transfer': from start to end, values at its nodes and at chosen times, an
 * estimate. */
#include "bvp/collocation/tuning.h"
#include "bvp/transfer/judge.h"
#include "bvp/transfer/pieces.h"

#include "bvp/outputs.h"
#include "bvp/transfer/tuning.h"
#include "bvp/tuning.h"
#include "curve/writer.h"
#include "ivp/tuning.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct { /* a run under way */
    rg_problem *p;
    rg_transfer *transfer;
    rg_solution *solution;
    const rg_request *request;
    rg_writer writer;
    rg_pieces *pieces; /* RG_KEEP_STEPS only */
    const rg_analysis *analysis;
    double t_end;
    rg_transfer_scene scene;
    bool has_estimate; /* of the steps */
    rg_transfer_estimate estimate;
    int64_t n;
    double *y, *yp, *w;
    rg_bvp_outputs outputs; /* beside those of a second run */
} run;

static rg_status eval(void *user, double t, double *y, double *yp)
{
    const run *r = user;

    return rg_transfer_eval(r->transfer, t, y, yp);
}

static rg_status make_solution(run *r, rg_solution **out)
{
    const rg_states *s = rg_transfer_states(r->transfer);
    rg_layout *layout = NULL;

    RG_TRY(rg_layout_from(r->p->ctx, s->n_states, s->n, s->n_orders, s->column, &layout));
    r->writer = (rg_writer){.user = r, .eval = eval};
    RG_TRY(rg_writer_open(&r->writer, r->p, &layout, 0, r->request, out));
    r->solution = *out;
    return RG_OK;
}

/* From t0 to t1 as one accepted step. */
static rg_status put_step(run *r, double t0, double t1)
{
    rg_solution_step step = {.t0 = t0, .t1 = t1, .y = r->y, .yp = r->yp};

    if (r->pieces != NULL) {
        step.degree = RG_PIECE_DEGREE;
        step.coefficients = r->pieces->coefficients;
    }
    RG_TRY(rg_transfer_eval(r->transfer, t1, r->y, r->yp));
    return rg_writer_step(&r->writer, &step);
}

/* Halves the way from t0 to t1 until polynomials follow the solution, at most
 * RG_TRANSFER_HALVINGS times. */
static rg_status put_pieces(run *r, double t0, double t1)
{
    double width = t1 - t0, t = t0;

    while (t != t1) {
        bool is_good = false;
        double end = t1;
        for (;;) {
            end = fabs(t1 - t) <= fabs(width) * (1.0 + 1e-9) ? t1 : t + width;
            RG_TRY(rg_pieces_fit(r->pieces, t, end, &is_good));
            if (is_good || fabs(width) <= fabs(t1 - t0) * ldexp(1.5, -RG_TRANSFER_HALVINGS)) break;
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
    RG_TRY(rg_writer_start(&r->writer, t[0], r->y, r->yp));
    if (only_times) return put_step(r, t[0], t[n - 1]);
    for (int64_t k = 1; k < n; k++)
        RG_TRY(r->pieces != NULL ? put_pieces(r, t[k - 1], t[k]) : put_step(r, t[k - 1], t[k]));
    return RG_OK;
}

/* ---- the estimate where steps do not tell their errors: a second run ------------------------- */

/* max over nodes and states of |y - w| / (ratio + |y|). */
static rg_status compare(run *r, rg_transfer *second, double ratio, double *worst)
{
    double *const w = r->w;
    const double *t;
    int64_t n;

    *worst = 0.0;
    RG_TRY(rg_transfer_mesh(r->transfer, &n, &t));
    const int64_t stride = n / RG_TRANSFER_ESTIMATE_POINTS + 1;
    for (int64_t k = n - 1; k >= 0; k -= stride) {
        RG_TRY(rg_transfer_eval(r->transfer, t[k], r->y, r->yp));
        RG_TRY(rg_transfer_eval(second, t[k], w, w + r->n));
        RG_TRY(rg_bvp_outputs_look(&r->outputs, t[k], r->y, r->yp, w, w + r->n));
        for (int64_t i = 0; i < r->n; i++) {
            const double size = ratio + fabs(r->y[i]);
            const double e = fabs(r->y[i] - w[i]) / (size > 0.0 ? size : 1.0);
            if (!(e <= *worst)) *worst = e;
        }
    }
    return RG_OK;
}

static rg_status run_again(run *r, const rg_options *first, double *estimate)
{
    rg_options o = *first;
    rg_transfer *second = NULL;
    double worst = 0.0;
    const double q = fmax(RG_TRANSFER_SECOND_TOLERANCE, fmin(1.0, RG_ESTIMATE_RTOL_LEAST / o.rtol));

    o.rtol *= q;
    o.atol *= q;
    o.step *= RG_TRANSFER_SECOND_STEP;
    o.max_steps *= 4;
    const double length = fabs(r->t_end - r->p->a);
    o.h_first = RG_TRANSFER_SECOND_FIRST * length * (o.h_first > 0.0 ? 0.37 : 1.0);
    o.h_max = RG_TRANSFER_SECOND_LARGEST * (o.h_max > 0.0 ? o.h_max : length / 16.0);
    rg_status status = rg_transfer_create_in(r->p, r->analysis, r->t_end, &o, &r->scene, &second);
    if (status == RG_OK) status = rg_transfer_run(second);
    if (status == RG_OK) status = compare(r, second, o.atol / o.rtol, &worst);
    rg_transfer_destroy(&second);
    *estimate = fmax(RG_ESTIMATE_SAFETY * worst, 4.0 * DBL_EPSILON);
    return status;
}

/* ---- the run, as often as the estimate asks for ---------------------------------------------- */

static void warn_no_estimate(const run *r)
{
    rg_clear_error(r->p->ctx);
    if (rg_problem_warn(r->p, "no estimate of the error: the second run that it needs failed") < 0)
        rg_clear_error(r->p->ctx);
}

static void warn_of_size(const run *r, const rg_transfer_estimate *e, double tol)
{
    const bool is_rounding = 2.0 * e->rounding > e->total;

    if (e->total <= RG_TRANSFER_TOO_MUCH * tol) return;
    if (rg_problem_warn(r->p,
                        is_rounding
                            ? "the error is about %.0e, %.0f times the tolerance: rounding and the "
                              "conditioning of the problem allow no less"
                            : "the error is about %.0e, %.0f times the tolerance: give a smaller "
                              "--tol, or take --scheme gauss",
                        e->total, e->total / tol)
        < 0)
        rg_clear_error(r->p->ctx);
}

static rg_status refuse(const run *r, double estimate)
{
    rg_fail(r->p->ctx, RG_ERR_CONVERGENCE,
            "the estimated error is %.1g of the solution: not one digit is certain", estimate);
    return rg_remedy(r->p->ctx, "give a smaller --tol, or look for conditions that hardly "
                                "determine the solution; --accept-doubt takes it as it is");
}

/* A linear problem whose error is above the tolerance, though not by rounding, is carried again
 * with a tolerance that is smaller by as much. */
static rg_status carry(run *r, const rg_options *o)
{
    rg_options now = *o;

    for (int attempt = 0;; attempt++) {
        RG_TRY(rg_transfer_create_in(r->p, r->analysis, r->t_end, &now, &r->scene, &r->transfer));
        RG_TRY(rg_transfer_run(r->transfer));
        r->has_estimate = r->request->estimate && rg_transfer_has_estimate(r->transfer);
        if (!r->has_estimate) return RG_OK;
        RG_TRY(rg_transfer_estimate_find(r->transfer, &r->estimate));
        const double e = r->estimate.total;
        if (attempt == RG_TRANSFER_REPEATS || e <= o->rtol || !isfinite(e)
            || 2.0 * r->estimate.rounding > e || now.rtol <= RG_ESTIMATE_RTOL_LEAST)
            return RG_OK;
        now.rtol = fmax(RG_ESTIMATE_RTOL_LEAST,
                        now.rtol * fmax(RG_OUTPUT_LEAST, RG_OUTPUT_AIM * o->rtol / e));
        now.atol = o->atol * now.rtol / o->rtol;
        rg_transfer_destroy(&r->transfer);
    }
}

/* The unit of a state is the largest value that it had in a run with a loose tolerance. */
static rg_status init_outputs(run *r, const rg_options *o)
{
    const rg_states *states = rg_transfer_states(r->transfer);
    const double *unit = r->scene.unit;
    double *size = NULL;

    if (unit != NULL) {
        size = rg_alloc(r->p->ctx, (size_t)r->p->n + 1, sizeof *size);
        if (size == NULL) return RG_ERR_MEMORY;
        for (int64_t j = 0; j < r->p->n; j++)
            size[j] = unit[states->column[0][j]];
    }
    const rg_status status =
        rg_bvp_outputs_init(r->solution, o, size, fabs(r->t_end - r->p->a), &r->outputs);
    rg_free(r->p->ctx, size);
    return status;
}

static rg_status finish_estimate(run *r, const rg_options *o)
{
    rg_solution *s = r->solution;

    if (!r->request->estimate) return RG_OK;
    RG_TRY(init_outputs(r, o));
    if (!r->has_estimate || r->outputs.z != NULL) {
        double again;
        const rg_status status = run_again(r, o, &again);
        if (!r->has_estimate) r->estimate.total = again;
        if (status == RG_ERR_MEMORY || status == RG_ERR_INTERRUPTED) return status;
        if (status != RG_OK) {
            warn_no_estimate(r);
            if (!r->has_estimate) return RG_OK;
        }
    }
    s->estimate_ratio = r->has_estimate && o->atol == o->rtol ? -1.0 : o->atol / o->rtol;
    s->estimate = fmax(r->estimate.total, 4.0 * DBL_EPSILON);
    if (!(s->estimate <= RG_ESTIMATE_NO_DIGIT) && !o->accept_doubt) return refuse(r, s->estimate);
    warn_of_size(r, &r->estimate, o->rtol);
    return rg_bvp_outputs_judge(&r->outputs, RG_ESTIMATE_SAFETY, o, s);
}

/* ---- what the method has to say -------------------------------------------------------------- */

/* To what is told with --verbose; what everybody reads is in `detail`. */
static void add_text(rg_solution *s, const char *format, ...) RG_PRINTF(2, 3);
static void add_text(rg_solution *s, const char *format, ...)
{
    const size_t used = strlen(s->theory);
    va_list list;

    va_start(list, format);
    vsnprintf(s->theory + used, sizeof s->theory - used, format, list);
    va_end(list);
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

/* Corrections of Newton's method, those with a new psi marked. */
static void describe_newton(rg_solution *s, const rg_transfer_newton *w)
{
    enum { SHOWN = 24 };

    add_text(s,
             "\n%s Newton: psi integrated %d time%s, h alone %d time%s, %d pieces; corrections / "
             "tolerance (*: new psi)\n ",
             w->is_full ? "full" : "modified", w->integrations, plural(w->integrations),
             w->corrections, plural(w->corrections), w->pieces);
    if (w->n_log > SHOWN) add_text(s, " ...");
    for (int k = w->n_log > SHOWN ? w->n_log - SHOWN : 0; k < w->n_log; k++) {
        add_text(s, " %.1e%s", w->log[k].correction, w->log[k].is_psi ? "*" : "");
        if (w->log[k].damping < 1.0) add_text(s, " (step %g)", w->log[k].damping);
    }
}

static void describe_bound(rg_solution *s, const rg_transfer_bound *b, bool is_last)
{
    if (!b->is_valid) {
        add_text(s, "\nTheorem 5.1 gives no bound: perturbations are %s",
                 b->epsilon > 0.0 ? "too large for it" : "not known with a fixed step");
        return;
    }
    add_text(
        s,
        "\nTheorem 5.1: error%s at most %.1e max(1, |y|), from perturbations %.1e of (14a) and "
        "%.1e of (14b);\n  kappa 2 to 5: %.2g %.2g %.2g %.2g, gamma %.2g",
        is_last ? " of the last linear problem" : "", b->bound, b->epsilon, b->delta, b->kappa_2,
        b->kappa_3, b->kappa_4, b->kappa_5, b->gamma);
}

/* Conditions at an end that cannot hold solutions which grow away from there. */
static rg_status warn(run *r, const rg_transfer_report *f)
{
    const int extra_start = f->at_start - (f->at_start + f->at_end - f->up);
    const int extra_end = f->at_end - (f->at_start + f->at_end - f->down);

    if (f->has_dichotomy && f->growth > RG_TRANSFER_GROWTH_TOLD
        && (extra_start > 0 || extra_end > 0))
        return rg_problem_warn(
            r->p,
            "the conditions fight the dichotomy: %d solution%s %s from start to end, but the %s "
            "has "
            "%d condition%s only; errors grow by a factor %.1g, so move %d condition%s there",
            extra_start > 0 ? f->up : f->down, plural(extra_start > 0 ? f->up : f->down),
            extra_start > 0 ? (f->up == 1 ? "grows" : "grow") : (f->down == 1 ? "decays" : "decay"),
            extra_start > 0 ? "end" : "start", extra_start > 0 ? f->at_end : f->at_start,
            plural(extra_start > 0 ? f->at_end : f->at_start), f->growth,
            extra_start > 0 ? extra_start : extra_end,
            plural(extra_start > 0 ? extra_start : extra_end));
    if (f->has_dichotomy && f->growth > RG_TRANSFER_GROWTH_TOLD
        && (f->wrong_start > 0 || f->wrong_end > 0))
        return rg_problem_warn(
            r->p,
            "errors grow by %.0e because %s%s%s: give conditions there on what decays from that "
            "end",
            f->growth,
            f->wrong_start > 0 ? "a condition at the start fixes a growing solution" : "",
            f->wrong_start > 0 && f->wrong_end > 0 ? ", and " : "",
            f->wrong_end > 0 ? "a condition at the end fixes a decaying solution" : "");
    if (f->growth < RG_TRANSFER_GROWTH_WARNED) return RG_OK;
    return rg_problem_warn(
        r->p,
        "errors grow by a factor %.1g on the way, since solutions die away and "
        "come back, or grow away from their conditions: as many digits may be lost",
        f->growth);
}

static rg_status describe(run *r)
{
    const rg_transfer_report f = rg_transfer_facts(r->transfer);
    rg_solution *s = r->solution;
    rg_transfer_bound b;

    s->stats = f.stats;
    const rg_status status = rg_transfer_bound_find(r->transfer, &b);
    if (status == RG_ERR_MEMORY) return status;
    if (status != RG_OK)
        rg_clear_error(r->p->ctx); /* a place without a solution that nobody asked for */
    b.is_valid = b.is_valid && status == RG_OK;
    const int used =
        snprintf(s->detail, sizeof s->detail,
                 "%d condition%s carried forwards, %d backwards; errors in them grow by a factor "
                 "%.2g at most",
                 f.forward, plural(f.forward), f.backward, f.condition);
    if (f.newton.is_used)
        snprintf(s->detail + used, sizeof s->detail - (size_t)used,
                 "\n%s Newton iteration: %d correction%s", f.newton.is_full ? "full" : "modified",
                 f.newton.n_log, plural(f.newton.n_log));
    add_text(s, "invariants kept to %.1g%s, condition of the index %.2g", f.deviation,
             f.is_folded ? " on the folded interval" : "", f.index_condition);
    if (f.has_dichotomy)
        add_text(s,
                 "\n%d condition%s at the start for %d decaying solution%s, %d at the end for %d "
                 "growing; errors grow by a factor %.2g on the way",
                 f.at_start, plural(f.at_start), f.down, plural(f.down), f.at_end, f.up, f.growth);
    describe_bound(s, &b, f.newton.is_used);
    if (f.newton.is_used) describe_newton(s, &f.newton);
    return warn(r, &f);
}

static rg_status execute(run *r, const rg_options *o, rg_solution **out)
{
    RG_TRY(rg_transfer_units(r->p, r->analysis, r->t_end, o, &r->scene));
    RG_TRY(carry(r, o));
    r->n = rg_transfer_states(r->transfer)->n_states;
    r->y = rg_alloc(r->p->ctx, (size_t)r->n + 1, sizeof *r->y);
    r->yp = rg_alloc(r->p->ctx, (size_t)r->n + 1, sizeof *r->yp);
    r->w = rg_alloc(r->p->ctx, 2 * (size_t)r->n + 1, sizeof *r->w);
    if (r->y == NULL || r->yp == NULL || r->w == NULL) return RG_ERR_MEMORY;
    if (r->request->keep == RG_KEEP_STEPS)
        RG_TRY(rg_pieces_create(r->p->ctx, r->transfer, r->n, RG_BVP_SETTLED * o->rtol,
                                r->scene.unit, &r->pieces));
    RG_TRY(make_solution(r, out));
    rg_status status = rg_writer_close(&r->writer, put_all(r), 0, NULL);
    if (status == RG_OK) status = describe(r);
    if (status == RG_OK) status = finish_estimate(r, o);
    return status;
}

rg_status rg_transfer_solve(rg_problem *p, double t_end, const rg_options *o, const rg_request *r,
                            rg_solution **out)
{
    run now = {.p = p, .request = r, .t_end = t_end};

    RG_TRY(rg_analysis_get(p, &now.analysis));
    const rg_status status = execute(&now, o, out);
    rg_writer_close(&now.writer, status, 0, NULL);
    rg_pieces_destroy(&now.pieces);
    rg_free(p->ctx, now.y);
    rg_free(p->ctx, now.yp);
    rg_free(p->ctx, now.w);
    rg_bvp_outputs_clear(&now.outputs);
    rg_transfer_destroy(&now.transfer);
    rg_transfer_scene_clear(p->ctx, &now.scene);
    return status;
}
