/* The method 'turning-point': check, reduced solution, solution, estimate.
 *
 * The estimate has two parts.  That of the mesh, M h: the difference to a run with twice as many
 * intervals, doubled, for all variants are of first order (two-pass of a little more).  That of
 * eps, M eps, which no mesh improves: the outer solution of the sweep is v + eps (v'(x*) - v')/b,
 * that of the problem v + eps v1 + ..., so
 *
 *     M eps = max(eps |v1 - (v'(x*) - v')/b|, |I|/m);     two-pass: this times eps/(m L)
 *
 * It is an estimate of u.  u' is put out only where it is an unknown w of a pair, and then in it.
 * Outputs are compared as they are, and with u moved by M eps.
 * I: what the layers add to E(x) (sweep.c); m: |b| at the end; L: length of a half. */
#include "bvp/turning/method.h"

#include "bvp/outputs.h"
#include "bvp/tuning.h"
#include "bvp/turning/tuning.h"
#include "curve/mesh.h"
#include "solution/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    rg_problem *p;
    const rg_request *request;
    const rg_options *options;
    rg_turning *view;
    rg_reduced *reduced;
    rg_turn_variant variant;
    rg_turn_solution *solution, *finer;
    double mesh_part, eps_part, worst_slope;
} run;

/* |difference| of the two runs at x, relative to ratio + |value|. */
static void compare_at(run *r, double x, double ratio)
{
    double u, up, w, wp;

    rg_turn_eval(r->solution, x, &u, &up);
    rg_turn_eval(r->finer, x, &w, &wp);
    r->mesh_part = fmax(r->mesh_part, fabs(u - w) / (ratio + fabs(u)));
    const double k = fabs(r->view->factor); /* of a pair: w = k u' */
    r->worst_slope = fmax(r->worst_slope, k * fabs(up - wp) / (ratio + k * fabs(up)));
}

/* A row between mesh points, in an interval that is longer than a layer which it touches, may be
 * wrong by the whole change over the interval. */
static double unseen_at(const run *r, double x, double ratio)
{
    const rg_turn_solution *s = r->solution;
    const rg_turning_facts *f = &r->view->facts;
    const int i = (int)rg_mesh_find(s->n, s->x, x);
    const double h = s->x[i + 1] - s->x[i];
    double most = 0.0;

    if (x == s->x[i] || x == s->x[i + 1] || s->is_layer[i]) return 0.0;
    for (int k = 0; k < f->n_layers; k++)
        if (f->layer[k].width < h && f->layer[k].t >= s->x[i] && f->layer[k].t <= s->x[i + 1])
            most = fabs(s->u[i + 1] - s->u[i]);
    return most / (ratio + fmin(fabs(s->u[i]), fabs(s->u[i + 1])));
}

/* The smallest ratio + |value| at the ends, where layers are. */
static double ratio_of(const run *r, double ratio)
{
    return ratio + fmin(fabs(r->view->value[0]), fabs(r->view->value[1]));
}

static double eps_part(const run *r, double ratio)
{
    const rg_turn_solution *s = r->solution;
    const rg_reduced_values at = rg_reduced_center(r->reduced);
    const double layers = rg_turn_layer_error(s) / ratio_of(r, ratio);
    double most = fabs(at.v1) / (ratio + fabs(at.v));

    for (int i = 0; i <= s->n; i++) {
        if (i == s->n / 2) continue;
        const double x = s->x[i];
        const rg_reduced_values v = rg_reduced_at(r->reduced, x, i < s->n / 2 ? -1 : 1);
        const double miss = v.v1 - (at.vp - v.vp) / rg_turning_b(r->view, x, v.v);
        most = fmax(most, fabs(miss) / (ratio + fabs(v.v)));
    }
    most = fmax(r->view->eps * most, layers);
    return s->variant == RG_TURN_SWEEP ? most : most * fmin(fmax(s->half[0].e, s->half[1].e), 1.0);
}

/* The slope is put out where it is an unknown, of a pair, and an output.  Slopes of a layer are as
 * large as 1/eps: where it fades away they have an error, b/eps times that of u, that is small for
 * it, and large for what is left; relative to that it is of size 1 at most. */
static rg_status estimate_slope(const run *r, rg_solution *s)
{
    const rg_turn_half *h = r->solution->half;
    const double b = fmax(h[0].m1 * h[0].length, h[1].m1 * h[1].length);
    const double of_eps = fmin(fabs(r->view->factor) * b / r->view->eps * r->eps_part, 1.0);
    uint8_t is_written[2] = {0, 0};
    char name[64], other[64];

    if (r->view->slope < 0) return RG_OK;
    rg_written_unknowns(r->p, is_written);
    if (!is_written[r->view->slope]) return RG_OK;
    s->estimate = fmax(s->estimate, 2.0 * RG_TURN_SAFETY * r->worst_slope + of_eps);
    if (!(s->estimate > RG_ESTIMATE_NO_DIGIT)) return RG_OK;
    rg_variable_name(r->view->p, r->view->slope, 0, name, sizeof name);
    rg_variable_name(r->view->p, r->view->unknown, 0, other, sizeof other);
    return rg_problem_warn(r->p,
                           "%s has no correct digit where layers fade away; take --method "
                           "collocation, or write 'output %s'",
                           name, other);
}

static rg_status look_at_outputs(const run *r, double x, double ratio, rg_bvp_outputs *b)
{
    const rg_turn_solution *s = r->solution, *finer = r->finer;
    const int iu = r->view->slope >= 0 ? (int)r->view->unknown : 0;
    double y[2], yp[2], w[2], wp[2];

    rg_turn_states(s, (int)rg_mesh_find(s->n, s->x, x), x, y, yp);
    rg_turn_states(finer, (int)rg_mesh_find(finer->n, finer->x, x), x, w, wp);
    RG_TRY(rg_bvp_outputs_look(b, x, y, yp, w, wp));
    w[iu] += r->eps_part * (ratio + fabs(y[iu])) / (2.0 * RG_TURN_SAFETY);
    return rg_bvp_outputs_look(b, x, y, yp, w, wp);
}

static rg_status judge_outputs(const run *r, const rg_bvp_outputs *b, rg_solution *s)
{
    const double estimate = 2.0 * RG_TURN_SAFETY * b->worst;
    char name[128];

    s->estimate = fmax(s->estimate, estimate);
    if (!(estimate > RG_ESTIMATE_NO_DIGIT)) return RG_OK;
    rg_solution_column_name(s, b->column, name, sizeof name);
    return rg_problem_warn(r->p,
                           "the output '%s' has no correct digit near %s = %.4g: it magnifies "
                           "errors of the unknowns in it; give more --intervals, or take --method "
                           "collocation",
                           name, rg_problem_time_name(r->p), b->t);
}

/* Outputs that magnify errors of the unknowns in them, at all rows. */
static rg_status estimate_outputs(const run *r, double ratio, rg_solution *s)
{
    const rg_turn_solution *t = r->solution;
    rg_bvp_outputs b;

    rg_status status = rg_bvp_outputs_init(s, r->options, NULL, 0.0, &b);
    for (int i = 0; i <= t->n && status == RG_OK && b.z != NULL; i++)
        status = look_at_outputs(r, t->x[i], ratio, &b);
    for (int64_t k = 0; k < r->request->n_times && status == RG_OK && b.z != NULL; k++)
        status = look_at_outputs(r, r->request->times[k], ratio, &b);
    if (status == RG_OK) status = judge_outputs(r, &b, s);
    rg_bvp_outputs_clear(&b);
    return status;
}

static rg_status estimate(run *r, rg_solution *s)
{
    const double ratio = r->options->rtol > 0.0 ? r->options->atol / r->options->rtol : 1.0;
    const rg_turn_solution *t = r->solution;

    RG_TRY(rg_turn_create(r->view, r->reduced, r->variant, 2 * t->n, &r->finer));
    RG_TRY(rg_turn_solve(r->finer));
    for (int i = 0; i <= t->n; i++)
        compare_at(r, t->x[i], ratio);
    for (int64_t k = 0; k < r->request->n_times; k++)
        compare_at(r, r->request->times[k], ratio);
    r->mesh_part *= 2.0 * RG_TURN_SAFETY;
    for (int64_t k = 0; k < r->request->n_times; k++)
        r->mesh_part = fmax(r->mesh_part, unseen_at(r, r->request->times[k], ratio));
    r->eps_part = r->variant <= RG_TURN_TWO_PASS ? RG_TURN_SAFETY * eps_part(r, ratio) : 0.0;
    s->estimate = r->mesh_part + r->eps_part;
    s->estimate_ratio = ratio;
    s->estimate_end = NAN;
    RG_TRY(estimate_slope(r, s));
    return estimate_outputs(r, ratio, s);
}

/* Without one where the finer mesh has no solution. */
static rg_status try_estimate(run *r, rg_solution *s)
{
    const rg_status status = estimate(r, s);

    if (status != RG_ERR_CONVERGENCE) return status;
    rg_clear_error(r->p->ctx);
    rg_turn_destroy(&r->finer);
    return rg_problem_warn(r->p, "no estimate of the error: the second run that it needs failed");
}

static void describe(const run *r, rg_solution *s)
{
    const rg_turn_solution *t = r->solution;
    const size_t size = sizeof s->detail;
    int used =
        snprintf(s->detail, size, "%s on %d intervals", rg_turn_variant_name(r->variant), t->n);

    if (r->variant <= RG_TURN_TWO_PASS)
        snprintf(s->theory, sizeof s->theory, "slope m1 of the sweeps: %.3g and %.3g",
                 t->half[0].m1, t->half[1].m1);
    else
        used += snprintf(s->detail + used, size - (size_t)used, ", %lld Newton iteration%s",
                         (long long)t->iterations, t->iterations == 1 ? "" : "s");
    if (r->finer == NULL) return;
    used += snprintf(s->detail + used, size - (size_t)used,
                     "; error: %.1e from the mesh (falls with --intervals)", r->mesh_part);
    if (r->variant <= RG_TURN_TWO_PASS)
        snprintf(s->detail + used, size - (size_t)used, " + %.1e from eps (does not)", r->eps_part);
}

/* A uniform mesh that no layer shows up on: mesh values may be good, those between are not. */
static rg_status warn_unseen(const run *r)
{
    const rg_turning_facts *f = &r->view->facts;
    const double h = (r->view->high - r->view->low) / r->solution->n;
    char number[40];

    for (int k = 0; k < f->n_layers && r->variant == RG_TURN_UPWIND; k++)
        if (f->layer[k].width < h)
            return rg_problem_warn(
                r->p,
                "the layer at %s = %s, of width %.1e, lies between mesh points "
                "%.1e apart: values there are wrong, and an error at mesh points "
                "that looks small may grow with --intervals",
                rg_problem_time_name(r->p), rg_real_text(f->layer[k].t, number), f->layer[k].width,
                h);
    return RG_OK;
}

/* Of the sweep, whose error is M h, an error of v that is far below h is enough; v1 takes second
 * derivatives of v, and the other variants are better than M h. */
static double reduced_tol(const run *r, bool has_next)
{
    if (r->variant != RG_TURN_SWEEP || has_next) return RG_TURN_REDUCED_TOL;
    return fmax(RG_TURN_REDUCED_PART / r->options->intervals, RG_TURN_REDUCED_TOL);
}

static rg_status execute(run *r, double t_end, rg_solution **out)
{
    RG_TRY(rg_turning_create(r->p, r->p->a, t_end, &r->view));
    RG_TRY(rg_turn_check(r->view, r->options, &r->variant));
    RG_TRY(rg_turning_tell(r->p, r->view));
    RG_TRY(rg_turning_prepare(r->view));
    const bool has_next =
        r->variant == RG_TURN_TWO_PASS || (r->variant == RG_TURN_SWEEP && r->request->estimate);
    RG_TRY(rg_reduced_create(r->view, has_next, reduced_tol(r, has_next), &r->reduced));
    RG_TRY(rg_turn_create(r->view, r->reduced, r->variant, r->options->intervals, &r->solution));
    RG_TRY(rg_turn_solve(r->solution));
    RG_TRY(warn_unseen(r));
    RG_TRY(rg_turn_write(r->p, r->solution, r->request, out));
    if (r->request->estimate) RG_TRY(try_estimate(r, *out));
    (*out)->stats.steps = r->solution->n;
    (*out)->stats.jacobians = (*out)->stats.factorizations = r->solution->iterations;
    (*out)->stats.evaluations = r->view->evaluations;
    describe(r, *out);
    return RG_OK;
}

rg_status rg_turning_point_solve(rg_problem *p, double t_end, const rg_options *o,
                                 const rg_request *request, rg_solution **out)
{
    run r = {.p = p, .request = request, .options = o};
    const rg_status status = execute(&r, t_end, out);

    rg_turn_destroy(&r.finer);
    rg_turn_destroy(&r.solution);
    rg_reduced_destroy(&r.reduced);
    rg_turning_destroy(&r.view);
    return status;
}
