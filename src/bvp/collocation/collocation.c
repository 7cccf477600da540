#include "bvp/collocation/collocation.h"

#include "bvp/collocation/newton.h"
#include "bvp/collocation/waves.h"
#include "bvp/mesh.h"

#include <math.h>
#include <string.h>

enum {
    FIRST_INTERVALS = 10,
    MESHES = 60,  /* attempts before the run gives up */
    FAILURES = 5, /* meshes on which Newton's method may fail */
    SINGULAR =
        2, /* meshes in a row with a conditioning above the limit: no accident of one of them */
    NEWTON_MOST = 40
};
/* Chosen by experiment; tests/order/test_collocation.c. */
#define TARGET 0.3  /* of the tolerance, that a new mesh aims at */
#define FEWER  0.35 /* of an interval: the least that one is made of */
#define MORE   8.0  /* intervals that one may become */
#define GROWTH 2.0  /* of the number of intervals from mesh to mesh */
/* A conditioning above DOUBT is believed when both orders agree on it within AGREE. */
#define DOUBT 1e3
#define AGREE 3.0

typedef struct {
    rg_bvp_form *f;
    rg_bvp_conditions *c;
    const rg_collocation_control *control;
    const rg_profile *guess;
    rg_collocation_result *result;
    rg_newton_control newton;
    rg_rule low, high;
    rg_iterate *now; /* the last solution */
    double *t, *error;
    int64_t N;
    double worst_t;   /* where the estimated error is largest */
    bool is_singular; /* at the guess */
    int failures;
    bool
        has_waves; /* a mesh was refined for oscillations of the linearized equations; later ones keep to it */
    double conditioning[2]; /* with s and s + 1 stages, on the last mesh */
    int n_singular;         /* meshes in a row on which both were above the limit */
} run;

static rg_status fail_singular(const run *r)
{
    rg_context *ctx = r->f->ctx;

    rg_fail(
        ctx, RG_ERR_CONVERGENCE,
        "the boundary value problem is singular near this guess: its conditions do not determine a "
        "solution");
    return rg_remedy(
        ctx, "look for a condition that follows from the others and the equations, or for one that "
             "contradicts them; a nonlinear problem may only need another guess");
}

static rg_status fail_newton(const run *r)
{
    char a[32];
    rg_context *ctx = r->f->ctx;

    if (r->is_singular) return fail_singular(r);
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "Newton's method found no solution of the boundary value problem from this guess "
            "(%lld intervals, tolerance %s)",
            (long long)r->N, rg_real_text(r->control->rtol, a));
    return rg_remedy(ctx,
                     "give a better guess with '~' (it may depend on %s) or --guess, or reach the "
                     "parameters step by step with --continue; there may be no solution",
                     rg_problem_time_name(r->f->p));
}

static rg_status fail_mesh(const run *r, double worst)
{
    char b[32];
    rg_context *ctx = r->f->ctx;

    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "the tolerance %s was not reached: the estimated error is still %.2g near %s = %.6g, "
            "with %lld intervals",
            rg_real_text(r->control->rtol, b), worst * r->control->rtol,
            rg_problem_time_name(r->f->p), r->worst_t, (long long)r->now->N);
    rg_fail_time(ctx, r->worst_t);
    return rg_remedy(ctx, "relax --tol, raise --max-steps, or change --stages");
}

static bool is_above_limit(const run *r)
{
    return r->conditioning[0] > RG_CONDITIONING_LIMIT && r->conditioning[1] > RG_CONDITIONING_LIMIT;
}

static rg_status replace_mesh(run *r, int64_t N, double **t)
{
    rg_free(r->f->ctx, r->t);
    r->t = *t;
    *t = NULL;
    r->N = N;
    rg_free(r->f->ctx, r->error);
    r->error = rg_alloc(r->f->ctx, (size_t)N + 1, sizeof *r->error);
    return r->error == NULL ? RG_ERR_MEMORY : RG_OK;
}

static rg_status first_mesh(run *r, const rg_iterate *first)
{
    const rg_bvp_conditions *c = r->c;
    double *t = NULL;
    int64_t N = FIRST_INTERVALS;

    if (r->control->step > 0.0)
        N = (int64_t)ceil(fabs(c->point[c->n_points - 1] - c->point[0]) / r->control->step - 1e-9);
    if (first != NULL && r->control->step == 0.0) {
        N = first->N;
        t = rg_alloc(r->f->ctx, (size_t)N + 1, sizeof *t);
        if (t == NULL) return RG_ERR_MEMORY;
        memcpy(t, first->t, (size_t)(N + 1) * sizeof *t);
        return replace_mesh(r, N, &t);
    }
    const int least = r->control->step > 0.0 ? 1 : 3;
    const rg_status status =
        rg_mesh_uniform(r->f->ctx, c->n_points, c->point, N < 1 ? 1 : N, least, &N, &t);
    return status == RG_OK ? replace_mesh(r, N, &t) : status;
}

/* Every interval becomes wanted[i] ones. */
static rg_status spread_mesh(run *r, const double *wanted)
{
    double *t = NULL;
    int64_t N;

    RG_TRY(rg_mesh_spread(r->f->ctx, r->N, r->t, wanted, r->c->n_points, r->c->point, &N, &t));
    for (int64_t i = 0; i < N; i++)
        if (t[i + 1] == t[i]) { /* nothing fits between neighbouring numbers */
            rg_free(r->f->ctx, t);
            return RG_RETRY;
        }
    return replace_mesh(r, N, &t);
}

/* wanted[i]: intervals that i has to become so that free oscillations are followed.  *most: the largest of them; 0: not
 * known, since something could not be evaluated. */
static rg_status want_for_waves(const run *r, double *wanted, double *most)
{
    double total = 0.0;
    const rg_status status = rg_waves_phase(r->f, r->now, wanted);

    *most = 0.0;
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    for (int64_t i = 0; i < r->N; i++)
        total += wanted[i];
    const double limit = rg_waves_limit(r->control->stages, total);
    for (int64_t i = 0; i < r->N; i++) {
        wanted[i] /= limit;
        *most = fmax(*most, wanted[i]);
    }
    return RG_OK;
}

/* r->error holds what the error wants; the oscillations may want more. */
static rg_status add_waves(run *r)
{
    double most, *wanted = rg_alloc(r->f->ctx, (size_t)r->N + 1, sizeof *wanted);

    if (wanted == NULL) return RG_ERR_MEMORY;
    const rg_status status = want_for_waves(r, wanted, &most);
    for (int64_t i = 0; i < r->N && status == RG_OK && most > 0.0; i++)
        r->error[i] = fmax(r->error[i], wanted[i]);
    rg_free(r->f->ctx, wanted);
    return status;
}

/* wanted_i = (e_i/target)^(1/(s+1)), inside [FEWER, MORE]; neighbours differ by MORE at most; the whole grows by GROWTH
 * at most, in the same proportions. */
static rg_status refine(run *r)
{
    double total = 0.0;
    const int64_t N = r->N;

    for (int64_t i = 0; i < N; i++) {
        const double e = isfinite(r->error[i]) ? r->error[i] : 1e30;
        const double w = pow(e / TARGET, 1.0 / (r->control->stages + 1));
        r->error[i] = fmin(fmax(w, FEWER), MORE);
        total += r->error[i];
    }
    const double most = fmax(GROWTH * (double)N, 20.0);
    if (total > most)
        for (int64_t i = 0; i < N; i++)
            r->error[i] *= most / total;
    if (r->has_waves) RG_TRY(add_waves(r));
    return spread_mesh(r, r->error);
}

static rg_status halve(run *r)
{
    for (int64_t i = 0; i < r->N; i++)
        r->error[i] = 2.0;
    return spread_mesh(r, r->error);
}

static rg_status solve_with(run *r, const rg_rule *rule, const rg_profile *from, rg_iterate **out,
                            rg_newton_outcome *outcome)
{
    rg_bvp_form *f = r->f;
    rg_iterate *it = NULL;

    RG_TRY(
        rg_iterate_create(f->ctx, rule, f->n, f->nx, r->N, r->t, r->c->n_points, r->c->point, &it));
    rg_status status = rg_iterate_fill(it, f, from);
    if (status == RG_OK) status = rg_collocate(f, r->c, &r->newton, it, &r->result->stats, outcome);
    if (status == RG_OK)
        *out = it;
    else
        rg_iterate_destroy(&it);
    return status;
}

/* One mesh: s stages from what is known, s + 1 stages from there.  *worst: largest error in units of the tolerance,
 * infinity where the second solve failed.  RG_RETRY: no solution on this mesh. */
static rg_status solve_mesh(run *r, double *worst)
{
    const rg_profile past = {rg_iterate_profile, r->now};
    const rg_profile *from = r->now != NULL ? &past : r->guess;
    rg_iterate *low = NULL, *high = NULL;
    rg_newton_outcome outcome = {0}, second_outcome = {0};

    *worst = INFINITY;
    const rg_status status = solve_with(r, &r->low, from, &low, &outcome);
    rg_log(r->f->ctx, 2, "collocation: %lld intervals, %d stages: %s after %d iterations",
           (long long)r->N, r->low.s, status == RG_OK ? "solved" : "not solved",
           outcome.n_iterations);
    r->is_singular = status != RG_OK && outcome.conditioning > RG_CONDITIONING_LIMIT;
    r->conditioning[0] = r->conditioning[1] = outcome.conditioning;
    if (status != RG_OK) r->n_singular = r->now != NULL && r->is_singular ? r->n_singular + 1 : 0;
    if (status != RG_OK) return status;
    if (r->result->n_newton == 0) r->result->n_newton = outcome.n_iterations;
    rg_iterate_destroy(&r->now);
    r->now = low;
    const rg_profile better = {rg_iterate_profile, low};
    rg_status second = solve_with(r, &r->high, &better, &high, &second_outcome);
    if (second == RG_OK)
        second =
            rg_collocation_compare(r->f, r->control, low, high, r->error, &r->result->estimate);
    r->result->conditioning = r->conditioning[1] = second_outcome.conditioning;
    r->n_singular = is_above_limit(r) ? r->n_singular + 1 : 0;
    rg_log(r->f->ctx, 2, "collocation: conditioning %.2g and %.2g", r->conditioning[0],
           r->conditioning[1]);
    rg_iterate_destroy(&high);
    if (second < 0) return second;
    if (second != RG_OK) return RG_OK; /* the worst is unknown: refine */
    *worst = 0.0;
    for (int64_t i = 0; i < r->N; i++)
        if (!(r->error[i] <= *worst)) {
            *worst = r->error[i];
            r->worst_t = r->t[i];
        }
    rg_log(r->f->ctx, 2, "collocation: estimated error %.3g of the tolerance", *worst);
    return RG_OK;
}

/* Zero data have a zero solution on every mesh, whether or not there are others: before a solution is accepted, the
 * mesh must follow the free oscillations, and both orders must agree on the conditioning.  RG_OK: they do, or nothing
 * can be done about it; RG_RETRY: the mesh is a finer one now. */
static rg_status settle(run *r)
{
    const double low = r->conditioning[0], high = r->conditioning[1];
    double most, total = 0.0;

    RG_TRY(want_for_waves(r, r->error, &most));
    for (int64_t i = 0; i < r->N; i++)
        total += r->error[i] = fmax(r->error[i], 1.0);
    if (most > 1.0) {
        r->result->is_unresolved = total > (double)r->control->max_intervals;
        if (r->result->is_unresolved) return RG_OK;
        rg_log(r->f->ctx, 2, "collocation: the mesh does not follow the free oscillations");
        r->has_waves = true;
        const rg_status status = spread_mesh(r, r->error);
        return status == RG_OK ? (rg_status)RG_RETRY : status < 0 ? status : RG_OK;
    }
    const bool agree = fmax(low, high) <= AGREE * fmin(low, high) || fmax(low, high) <= DOUBT;
    if (agree || is_above_limit(r) || 2 * r->N > r->control->max_intervals) return RG_OK;
    rg_log(r->f->ctx, 2, "collocation: the conditioning is not settled");
    const rg_status status = halve(r);
    return status == RG_OK ? (rg_status)RG_RETRY : status < 0 ? status : RG_OK;
}

static rg_status adapt(run *r)
{
    double worst = INFINITY, known = INFINITY;

    for (int k = 0; k < MESHES; k++) {
        r->result->stats.steps = r->N;
        r->result->stats.rejected = k;
        rg_status status = solve_mesh(r, &worst);
        if (status < 0) return status;
        if (isfinite(worst)) known = worst;
        if (status == RG_OK && r->control->step > 0.0) return RG_OK;
        if (status == RG_OK && worst <= 1.0) {
            const rg_status settled = settle(r);
            if (settled != (rg_status)RG_RETRY) return settled;
            continue;
        }
        if (r->has_waves && r->n_singular >= SINGULAR) break; /* layers may still be unresolved */
        if (status != RG_OK && (r->control->step > 0.0 || ++r->failures > FAILURES)) break;
        if (r->N > r->control->max_intervals) break;
        status = status != RG_OK || isinf(worst) ? halve(r) : refine(r);
        if (status < 0) return status;
        if (status != RG_OK) break;
    }
    if (r->n_singular >= SINGULAR) return fail_singular(r);
    return r->now != NULL ? fail_mesh(r, known) : fail_newton(r);
}

rg_status rg_collocation_run(rg_bvp_form *f, rg_bvp_conditions *c,
                             const rg_collocation_control *control, const rg_profile *guess,
                             const rg_iterate *first, rg_collocation_result *result)
{
    run r = {.f = f, .c = c, .control = control, .guess = guess, .result = result};

    memset(result, 0, sizeof *result);
    result->estimate = NAN;
    rg_rule_init(control->kind, control->stages, &r.low);
    rg_rule_init(control->kind, control->stages + 1, &r.high);
    r.newton =
        (rg_newton_control){.floor = control->atol / control->rtol + 1e-300,
                            .tol = fmax(1e-3 * control->rtol, 1e-13),
                            .most = control->max_newton > 0 ? control->max_newton : NEWTON_MOST};
    rg_status status = first_mesh(&r, first);
    if (status == RG_OK) status = adapt(&r);
    result->solution = r.now;
    rg_free(f->ctx, r.t);
    rg_free(f->ctx, r.error);
    return status;
}

void rg_collocation_clear(rg_collocation_result *result)
{
    rg_iterate_destroy(&result->solution);
}
