/* Messages of a collocation run that found no solution: what is wrong, where, what to change. */
#include "bvp/collocation/run.h"
#include "bvp/collocation/tuning.h"
#include "bvp/tuning.h"
#include "linalg/tuning.h"

#include <float.h>
#include <math.h>

/* Newton's method does not see that a jump moves with the solution. */
static rg_status advise_smoothing(const rg_bvp_run *r)
{
    return rg_remedy(
        r->f->ctx,
        "the equations change branch (if, sign, abs, ...); if the solution decides where, "
        "write a smooth function, as tanh(x/eps) for sign(x), and make it sharp with "
        "--continue eps=1..1e-3");
}

rg_status rg_run_check_kinks(const rg_bvp_run *r)
{
    rg_context *ctx = r->f->ctx;

    if (r->kinks.n_known < r->control->max_intervals) return RG_OK;
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "the equations change branch (if, sign, abs, ...) at %lld known times; a mesh may have "
            "%lld intervals",
            (long long)r->kinks.n_known, (long long)r->control->max_intervals);
    return rg_remedy(ctx, "raise --max-steps, or write the mean of fast pulses");
}

rg_status rg_run_check_pulses(const rg_bvp_run *r)
{
    rg_context *ctx = r->f->ctx;
    const double intervals = rg_bvp_pulses_intervals(&r->pulses, RG_BVP_PULSE_STEP);

    if (intervals < (double)r->control->max_intervals) return RG_OK;
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "pulses of functions of %s take %.0f intervals; a mesh may have %lld",
            r->f->p->time_name, intervals, (long long)r->control->max_intervals);
    return rg_remedy(ctx, "raise --max-steps, or write the mean of fast pulses");
}

static rg_status fail_singular(const rg_bvp_run *r)
{
    rg_context *ctx = r->f->ctx;
    const rg_status named = rg_run_fail_free(r, RG_RANK_DOUBT);

    if (named != (rg_status)RG_RETRY) return named;
    rg_fail(
        ctx, RG_ERR_CONVERGENCE,
        "the boundary value problem is singular near this guess: its conditions do not determine a "
        "solution");
    if (r->kinks.switches.n > 0) return advise_smoothing(r);
    return rg_remedy(
        ctx, "look for a condition that follows from the others and the equations, for one that "
             "contradicts them, or for one at the wrong end of a solution that decays fast; a "
             "nonlinear problem may only need another guess");
}

/* An equation without a finite value at the guess, or without finite derivatives; n where that
 * happens but no equation is known; -1: all can be evaluated. */
static int find_undefined(const rg_bvp_run *r, double *t)
{
    rg_bvp_form *f = r->f;
    const int n = f->n, nx = f->nx;
    double *x = rg_alloc(f->ctx, (size_t)(2 * nx + 2 * n + n * (nx + n)) + 1, sizeof *x);
    int found = -1;

    if (x == NULL || f->array != NULL) {
        rg_free(f->ctx, x);
        return -1;
    }
    double *w = x + 2 * nx, *F = w + n, *Fx = F + n;
    for (int k = 0; k < RG_BVP_SAMPLES && found < 0; k++) {
        *t = r->t[0] + (k + 0.5) / RG_BVP_SAMPLES * (r->t[r->N] - r->t[0]);
        if (r->guess->eval(r->guess->user, *t, x, x + nx, w) != RG_OK) continue;
        if (rg_bvp_form_jacobian(f, *t, x, w, F, Fx, Fx + n * nx) != (rg_status)RG_RETRY) continue;
        for (found = 0; found < n && isfinite(F[found]); found++)
            continue;
    }
    rg_free(f->ctx, x);
    return found;
}

static rg_status fail_undefined(const rg_bvp_run *r, int row, double t)
{
    const rg_bvp_form *f = r->f;
    char name[160], number[32];

    if (row < f->n && f->combinations == NULL) rg_row_name(f->p, row, f->c[row], name, sizeof name);
    rg_fail(f->ctx, RG_ERR_CONVERGENCE, "%s cannot be evaluated at the guess, at %s = %s",
            row < f->n && f->combinations == NULL ? name : "a derivative of the equations",
            rg_problem_time_name(f->p), rg_real_text(t, number));
    rg_fail_time(f->ctx, t);
    return rg_remedy(f->ctx,
                     "give a guess with '~' at which roots, logarithms and quotients have values");
}

/* A condition without a finite value at the guess; -1: all have one. */
static int find_undefined_condition(const rg_bvp_run *r)
{
    rg_bvp_conditions *c = r->c;
    const int nx = r->f->nx, nz = r->f->nz;
    const size_t columns = (size_t)c->n_points * (size_t)nz, rows = (size_t)c->n_rows;
    double *z = rg_alloc(r->f->ctx, columns + rows + (size_t)nx + 1, sizeof *z);
    int found = -1;

    if (z == NULL) return -1;
    double *values = z + columns, *xp = values + rows;
    for (size_t i = 0; i < rows; i++)
        values[i] = 0.0;
    rg_status status = RG_OK;
    for (int k = 0; k < c->n_points && status == RG_OK; k++)
        status = r->guess->eval(r->guess->user, c->point[k], z + k * nz, xp, z + k * nz + nx);
    if (status == RG_OK) status = rg_bvp_conditions_eval(c, z, values, NULL);
    for (int i = 0; i < c->n_rows && status == (rg_status)RG_RETRY && found < 0; i++)
        if (!isfinite(values[i])) found = i;
    rg_free(r->f->ctx, z);
    return found;
}

static rg_status fail_undefined_condition(const rg_bvp_run *r, int row)
{
    char name[160];
    rg_span span;

    rg_bvp_condition_name(r->c, row, name, sizeof name);
    rg_fail(r->f->ctx, RG_ERR_CONVERGENCE, "%s has no finite value at the guess", name);
    if (rg_bvp_condition_span(r->c, row, &span)) rg_fail_at(r->f->ctx, r->f->p->source, span);
    return rg_remedy(r->f->ctx, "look for a division by 0 or the logarithm of 0 there, or give a "
                                "guess with '~' at which it has a value");
}

static rg_status fail_pole(const rg_bvp_run *r)
{
    const rg_bvp_form *f = r->f;
    char name[160];

    rg_variable_name(f->p, f->unknown[r->pole.state], 0, name, sizeof name);
    rg_fail(f->ctx, RG_ERR_CONVERGENCE,
            "'%s' grows without bound, the higher the finer the mesh: the solution seems to have a "
            "pole in the interval",
            name);
    return rg_remedy(f->ctx, "end the interval earlier, or give a guess with '~' near a solution "
                             "without a pole");
}

static rg_status fail_newton(const rg_bvp_run *r)
{
    char a[32];
    rg_context *ctx = r->f->ctx;
    double t;

    const int undefined = find_undefined(r, &t);
    if (undefined >= 0) return fail_undefined(r, undefined, t);
    const int condition = find_undefined_condition(r);
    if (condition >= 0) return fail_undefined_condition(r, condition);
    if (rg_run_is_pole(r)) return fail_pole(r);
    const rg_status named = rg_run_fail_free(r, r->is_singular ? RG_RANK_DOUBT : RG_FREE_SINGULAR);
    if (named != (rg_status)RG_RETRY) return named;
    if (r->is_singular) return fail_singular(r);
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "Newton's method found no solution of the boundary value problem from this guess "
            "(%lld intervals, tolerance %s)",
            (long long)r->N, rg_real_text(r->control->rtol, a));
    if (r->kinks.switches.n > 0) return advise_smoothing(r);
    return rg_remedy(ctx,
                     "give a better guess with '~' (it may depend on %s) or --guess, or reach the "
                     "parameters step by step with --continue; there may be no solution",
                     rg_problem_time_name(r->f->p));
}

static rg_status fail_mesh(const rg_bvp_run *r, double worst)
{
    char b[32];
    rg_context *ctx = r->f->ctx;

    if (isinf(worst) || worst <= 1.0) { /* the last mesh has no estimate */
        rg_fail(ctx, RG_ERR_CONVERGENCE,
                "a solution with %d stages was found, with %lld intervals, but none with one more: "
                "nothing is known about its error",
                r->low.s, (long long)r->now->N);
        if (r->kinks.switches.n > 0) return advise_smoothing(r);
        return rg_remedy(ctx, "change --stages, or give a better guess");
    }
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "the tolerance %s was not reached: the estimated error is still %.2g near %s = %.6g, "
            "with %lld intervals",
            rg_real_text(r->control->rtol, b), worst * r->control->rtol,
            rg_problem_time_name(r->f->p), r->worst_t, (long long)r->now->N);
    rg_fail_time(ctx, r->worst_t);
    return rg_remedy(ctx, "relax --tol, raise --max-steps, or change --stages");
}

rg_status rg_run_fail_everywhere(const rg_bvp_run *r)
{
    rg_context *ctx = r->f->ctx;

    rg_fail(
        ctx, RG_ERR_CONVERGENCE,
        "near this guess the equations do not determine their highest derivatives and algebraic "
        "unknowns, at any %s",
        rg_problem_time_name(r->f->p));
    return rg_remedy(
        ctx,
        "give another guess with '~'; where an equation is a product, write the factor that is "
        "meant to vanish as an equation of its own");
}

rg_status rg_run_fail_proof(const rg_bvp_run *r)
{
    rg_context *ctx = r->f->ctx;
    const rg_status side = rg_run_fail_side(r);

    if (side != (rg_status)RG_RETRY) return side;
    const rg_status named = rg_run_fail_free(r, RG_FREE_SINGULAR);
    if (named != (rg_status)RG_RETRY) return named;
    rg_fail(
        ctx, RG_ERR_CONVERGENCE,
        "the equations hardly determine a solution: changes in them are amplified by %.0e, so that "
        "rounding decides",
        fmax(r->noise, r->doubt) / 0x1p-53);
    return rg_remedy(
        ctx, "take a larger value of a small parameter, or give a condition in the middle of the "
             "interval in place of one at its ends");
}

rg_status rg_run_fail_place(const rg_bvp_run *r, double t)
{
    rg_context *ctx = r->f->ctx;

    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "the differentiated unknowns do not settle near %s = %.10g, where the constraints lose "
            "rank: the solution seems to have a pole there",
            rg_problem_time_name(r->f->p), t);
    rg_fail_time(ctx, t);
    return rg_remedy(
        ctx, "end the interval before that point, or look for a term that should vanish there too");
}

static rg_status fail_rounding(const rg_bvp_run *r)
{
    const rg_bvp_form *f = r->f;
    const int k = r->rounded;
    char name[160], tol[32], first[120], second[120];
    int row[2];

    rg_variable_name(f->p, k < f->nx ? f->unknown[k] : k - f->nx, k < f->nx ? f->order[k] : 0, name,
                     sizeof name);
    rg_real_text(r->control->rtol, tol);
    const rg_status near = rg_run_find_nearest(r, row);
    if (near < 0) return near;
    if (near != RG_OK) {
        rg_fail(f->ctx, RG_ERR_CONVERGENCE,
                "rounding alone changes '%s' by %.0e of its size, more than the tolerance %s: "
                "relative changes in the equations are amplified by %.0e",
                name, r->rounding, tol, r->rounding / DBL_EPSILON);
        return rg_remedy(f->ctx, "where equations nearly follow from each other, write their "
                                 "difference in place of one of them; or relax --tol");
    }
    rg_row_name(f->p, row[0], 0, first, sizeof first);
    rg_row_name(f->p, row[1], 0, second, sizeof second);
    rg_fail(f->ctx, RG_ERR_CONVERGENCE,
            "rounding alone changes '%s' by %.0e of its size, more than the tolerance %s: %s and "
            "%s are nearly the same, relative changes in them are amplified by %.0e",
            name, r->rounding, tol, first, second, r->rounding / DBL_EPSILON);
    return rg_remedy(f->ctx,
                     "write the difference of %s and %s in place of one of them; or relax --tol",
                     first, second);
}

int rg_run_digits(const rg_bvp_run *r)
{
    const double error = fmax(r->floor, r->result->estimate);

    return error > 0.0 && error < 1.0 ? (int)(-log10(error)) : 0;
}

rg_status rg_run_fail_floor(const rg_bvp_run *r)
{
    rg_context *ctx = r->f->ctx;
    const rg_status named = rg_run_fail_free(r, RG_RANK_DOUBT);
    char tol[32];

    if (named != (rg_status)RG_RETRY) return named;
    const int digits = rg_run_digits(r);
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "rounding limits this problem to %d digit%s: the error is %.0e with %lld intervals, "
            "and more of them do not make it smaller (tolerance %s)",
            digits, digits == 1 ? "" : "s", fmax(r->floor, r->result->estimate),
            (long long)r->now->N, rg_real_text(r->control->rtol, tol));
    if (digits == 0) return rg_remedy(ctx, "look for conditions that do not determine a solution");
    return rg_remedy(ctx, "take --tol 1e-%d or larger, or shorten the interval", digits);
}

static rg_status fail_thin(const rg_bvp_run *r)
{
    const char *time = rg_problem_time_name(r->f->p);
    char number[32];

    rg_fail(r->f->ctx, RG_ERR_CONVERGENCE,
            "a layer at %s = %s is %.1g wide at the guess, and neighbouring numbers are %.1g apart "
            "there: "
            "rounding of %s does not resolve it",
            time, rg_real_text(r->layer_t, number), r->layer_width, DBL_EPSILON * fabs(r->layer_t),
            time);
    rg_fail_time(r->f->ctx, r->layer_t);
    return rg_remedy(r->f->ctx,
                     "take a larger value of a small parameter, or count %s from the layer, since "
                     "numbers near 0 are closer together",
                     time);
}

/* Rounding of t and of the unknown decides about its derivative. */
static rg_status fail_slopes(const rg_bvp_run *r)
{
    const rg_bvp_form *f = r->f;
    const int k = r->slopes.state;
    const double error = fmax(RG_STOP_SLOPES * r->slopes.noise, 1.01 * r->control->rtol);
    const int digits = error < 1.0 ? (int)(-log10(error)) : 0;
    char name[160], unknown[160], tol[32];
    const char *time = rg_problem_time_name(f->p);

    rg_variable_name(f->p, f->unknown[k], f->order[k], name, sizeof name);
    rg_variable_name(f->p, f->unknown[k], 0, unknown, sizeof unknown);
    rg_fail(f->ctx, RG_ERR_CONVERGENCE,
            "rounding of %s and '%s' limits '%s' to %d digit%s near %s = %.6g: solutions change "
            "within %.1g, and numbers are %.1g apart at %s = %.6g (tolerance %s)",
            time, unknown, name, digits, digits == 1 ? "" : "s", time, r->slopes.t, r->layer_width,
            DBL_EPSILON * fabs(r->layer_t), time, r->layer_t, rg_real_text(r->control->rtol, tol));
    rg_fail_time(f->ctx, r->slopes.t);
    if (digits == 0) return rg_remedy(f->ctx, "take a larger value of a small parameter");
    return rg_remedy(f->ctx, "take --tol 1e-%d or larger, or a larger value of a small parameter",
                     digits);
}

static rg_status fail_waves(const rg_bvp_run *r)
{
    const rg_bvp_form *f = r->f;

    rg_fail(f->ctx, RG_ERR_CONVERGENCE,
            "solutions oscillate about %.1g times in the interval: no mesh of at most %lld "
            "intervals follows them, which takes %.1g",
            r->waves.count, (long long)r->control->max_intervals, r->waves.intervals);
    return rg_remedy(
        f->ctx,
        "take a shorter interval or a lower frequency, or raise --max-steps (up to %d); "
        "with all values given at one end, as an initial value problem, steps along "
        "%s follow them",
        RG_BVP_INTERVALS, rg_problem_time_name(f->p));
}

rg_status rg_run_fail(const rg_bvp_run *r, double worst)
{
    const rg_status side = rg_run_fail_side(r);

    if (side != (rg_status)RG_RETRY) return side;
    if (rg_run_is_rounding(r)) return fail_rounding(r);
    if (r->waves.count > 0.0) return fail_waves(r);
    if (r->now == NULL && r->places.is_everywhere) return rg_run_fail_everywhere(r);
    if (rg_run_is_floor(r)) return rg_run_fail_floor(r);
    if (rg_run_is_thin(r) && (r->f->is_linear || rg_run_is_steep(r))) return fail_thin(r);
    if (rg_run_is_noise(r) && r->n_stuck >= RG_STOP_STUCK) return fail_slopes(r);
    if (r->n_singular >= RG_FAIL_SINGULAR) return fail_singular(r);
    if (r->now != NULL && rg_run_is_undetermined(r)) return rg_run_fail_proof(r);
    return r->now != NULL ? fail_mesh(r, worst) : fail_newton(r);
}
