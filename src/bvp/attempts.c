/* Where Newton's method finds no solution from the guess, others are tried: what the conditions
 * alone say, multiples of the guess (or of what the conditions say, if there is none), and, where
 * the linearized problem is singular at the guess, the guess moved along the direction that is free
 * there (the way out of a trivial or symmetric solution).  Where constants are unknown, as in an
 * eigenvalue problem, nothing may depend on them as long as the guess is at rest: then waves are
 * added to it.  Each attempt is a rough one, and all together have a budget of factorizations.
 * What is found passes the same tests as any other solution, and a warning tells where it comes
 * from. */
#include "bvp/continuation.h"
#include "bvp/tuning.h"
#include "curve/mesh.h"

#include <math.h>

typedef struct {
    const rg_bvp_form *f;
    rg_guess *guess;
    double factor;
    const rg_curve *along; /* or NULL */
    double amplitude;
    double *x; /* 2 (2 nx + n): workspace */
} attempt;

/* Unknown constants are sizes, as a rule: their sign stays. */
static rg_status attempt_profile(void *user, double t, double *x, double *xp, double *w)
{
    const attempt *a = user;
    const rg_bvp_form *f = a->f;

    RG_TRY(rg_guess_profile(a->guess, t, x, xp, w));
    for (int k = 0; k < f->nx; k++) {
        const bool is_constant = rg_bvp_form_is_constant(f, f->unknown[k]);
        x[k] *= is_constant ? fabs(a->factor) : a->factor;
        xp[k] *= a->factor;
    }
    for (int j = 0; j < f->n; j++)
        w[j] *= a->factor;
    if (a->along == NULL) return RG_OK;
    RG_TRY(
        rg_profile_of_curve((void *)(uintptr_t)a->along, t, a->x, a->x + f->nx, a->x + 2 * f->nx));
    for (int k = 0; k < f->nx; k++) {
        x[k] += a->amplitude * a->x[k];
        xp[k] += a->amplitude * a->x[f->nx + k];
    }
    return RG_OK;
}

static void add_cost(rg_stats *total, const rg_stats *part)
{
    total->evaluations += part->evaluations;
    total->jacobians += part->jacobians;
    total->factorizations += part->factorizations;
}

/* A rough solution from the attempt, then the one that is wanted from there. */
static rg_status solve(const rg_boundary *b, const rg_collocation_control *control, attempt *a,
                       rg_stats *total, rg_collocation_result *out)
{
    rg_collocation_control rough = *control;
    rg_collocation_result first = {0};
    const rg_profile guess = {attempt_profile, a};

    rough.is_rough = true;
    rough.rtol = fmax(control->rtol, RG_BVP_ROUGH_TOL);
    rough.max_intervals = RG_ATTEMPT_INTERVALS;
    rg_status status = rg_collocation_run(b->form, b->conditions, &rough, &guess, NULL, &first);
    add_cost(total, &first.stats);
    if (status == RG_OK) {
        const rg_profile from = {rg_profile_of_curve, first.solution};
        status = rg_collocation_run(b->form, b->conditions, control, &from, first.solution, out);
        add_cost(total, &out->stats);
        bool is_trivial = false;
        if (status == RG_OK)
            status = rg_boundary_is_trivial(b, control->rtol, out->solution, &is_trivial);
        if (is_trivial) status = RG_ERR_CONVERGENCE; /* not what was meant */
        if (status != RG_OK) rg_collocation_clear(out);
    }
    rg_collocation_clear(&first);
    return status;
}

static rg_status tell(rg_problem *p, const attempt *a)
{
    char number[32];

    if (a->along != NULL)
        return rg_problem_warn(p, "from the guess alone no solution was found: this one was found "
                                  "along the direction that is free there; there may be others");
    if (a->guess->is_own)
        return rg_problem_warn(p, "from the guess no solution was found: this one was found "
                                  "without it, from what the conditions say");
    if (!rg_guess_is_given(a->guess))
        return rg_problem_warn(p,
                               "from what the conditions say no solution was found: this one was "
                               "found from %s times that; there may be others",
                               rg_real_text(a->factor, number));
    return rg_problem_warn(p,
                           "from the guess no solution was found: this one was found from %s "
                           "times the guess; there may be others",
                           rg_real_text(a->factor, number));
}

/* Tries one more.  RG_RETRY: go on; the error is cleared. */
static rg_status try_one(rg_problem *p, const rg_collocation_control *control, rg_boundary *b,
                         attempt *a, rg_stats *total, rg_collocation_result *result)
{
    rg_collocation_result found = {0};

    if (total->factorizations > RG_ATTEMPT_BUDGET) return RG_RETRY;
    rg_clear_error(p->ctx);
    const rg_status status = solve(b, control, a, total, &found);
    if (status == RG_ERR_CONVERGENCE) return RG_RETRY;
    if (status != RG_OK) return status;
    rg_stats stats = found.stats;
    stats.evaluations = total->evaluations;
    stats.jacobians = total->jacobians;
    stats.factorizations = total->factorizations;
    rg_collocation_clear(result);
    *result = found;
    result->stats = stats;
    return tell(p, a);
}

/* Which way along the direction first, since it has no sign of its own: that in which unknown
 * constants grow, or else its largest part in the middle is positive. */
static rg_status orient(attempt *a, double *sign)
{
    const rg_bvp_form *f = a->f;
    const double middle = 0.5 * (f->p->a + f->p->b);
    double *guess = a->x, *along = a->x + 2 * f->nx + f->n, growth = 0.0, largest = 0.0;

    RG_TRY(rg_guess_profile(a->guess, middle, guess, guess + f->nx, guess + 2 * f->nx));
    RG_TRY(rg_profile_of_curve((void *)(uintptr_t)a->along, middle, along, along + f->nx,
                               along + 2 * f->nx));
    for (int k = 0; k < f->nx; k++) {
        if (rg_bvp_form_is_constant(f, f->unknown[k])) growth += guess[k] * along[k];
        if (fabs(along[k]) > fabs(largest)) largest = along[k];
    }
    *sign = (growth != 0.0 ? growth : largest) < 0.0 ? -1.0 : 1.0;
    return RG_OK;
}

static rg_status try_all(rg_problem *p, const rg_collocation_control *control, rg_boundary *b,
                         attempt *a, rg_stats *total, rg_collocation_result *result)
{
    static const double FACTORS[] = {1.0 / RG_ATTEMPT_MORE, RG_ATTEMPT_MORE,
                                     1.0 / (RG_ATTEMPT_MORE * RG_ATTEMPT_MORE), -1.0};
    static const double AMPLITUDES[] = {1.0, RG_ATTEMPT_MORE, -1.0, -RG_ATTEMPT_MORE};
    const rg_curve *along = result->along;
    rg_status status = RG_RETRY;
    double sign = 1.0;

    a->along = along;
    if (along != NULL) RG_TRY(orient(a, &sign));
    for (int k = 0; k < 4 && along != NULL && status == (rg_status)RG_RETRY; k++) {
        a->amplitude = sign * AMPLITUDES[k];
        status = try_one(p, control, b, a, total, result);
    }
    a->along = NULL;
    if (status == (rg_status)RG_RETRY && rg_guess_is_given(b->guess)) {
        RG_TRY(rg_guess_ignore(b->guess, b->conditions, true));
        status = try_one(p, control, b, a, total, result);
        const rg_status back = rg_guess_ignore(b->guess, b->conditions, false);
        if (back < 0) return back;
    }
    for (int k = 0; k < 4 && status == (rg_status)RG_RETRY; k++) {
        a->factor = FACTORS[k];
        status = try_one(p, control, b, a, total, result);
    }
    return status;
}

/* ---- solutions of a given shape -------------------------------------------------------------- */

/* The r-th derivative of cos(w (t - a)), or of sin, w = pi mode/(b - a). */
static double wave(double w, double t, int r, bool is_sine)
{
    return pow(w, r) * cos(w * t + (r - (is_sine ? 1 : 0)) * acos(0.0));
}

/* All unknowns alike, but constants. */
static rg_status make_wave(const rg_boundary *b, const rg_collocation_control *control, int mode,
                           bool is_sine, rg_curve **out)
{
    const rg_bvp_form *f = b->form;
    const rg_bvp_conditions *c = b->conditions;
    const double start = c->point[0], length = c->point[c->n_points - 1] - start;
    const double w = acos(-1.0) * mode / length;
    int64_t N = (int64_t)RG_ATTEMPT_WAVE * mode;
    double *t = NULL;
    rg_rule rule;

    rg_rule_init(control->kind, control->stages, &rule);
    RG_TRY(rg_mesh_uniform(f->ctx, c->n_points, c->point, N, 1, &N, &t));
    const rg_status status =
        rg_curve_create(f->ctx, &rule, f->n, f->nx, N, t, c->n_points, c->point, out);
    for (int64_t q = 0; q < (N + 1) * f->nx && status == RG_OK; q++) {
        const int k = (int)(q % f->nx);
        const int64_t i = q / f->nx;
        if (rg_bvp_form_is_constant(f, f->unknown[k])) continue;
        (*out)->x[q] = wave(w, t[i] - start, f->order[k], is_sine);
        for (int j = 0; j < rule.s && i < N; j++)
            rg_curve_slope(*out, i, j)[k] =
                wave(w, t[i] + rule.c[j] * (t[i + 1] - t[i]) - start, f->order[k] + 1, is_sine);
    }
    rg_free(f->ctx, t);
    return status;
}

/* The largest correlation of an unknown with the wave, without their means over the mesh points.
 * Of the unknown, what the solution without a wave does not have counts (base NULL: there is
 * none). */
static rg_status correlate(const rg_bvp_form *f, const rg_curve *it, const rg_curve *base,
                           const rg_curve *shape, double *most)
{
    const size_t size = (size_t)(2 * f->nx + f->n);
    double *x = rg_alloc(f->ctx, 2 * size + 1, sizeof *x);

    *most = 0.0;
    if (x == NULL) return RG_ERR_MEMORY;
    double *const y = x + size;
    for (int k = 0; k < f->nx; k++) {
        double s[5] = {0.0}; /* sums of u, v, u u, v v, u v */
        if (f->order[k] > 0 || rg_bvp_form_is_constant(f, f->unknown[k])) continue;
        for (int64_t i = 0; i <= shape->N; i++) {
            const double t = shape->t[i], v = shape->x[i * f->nx + k];
            rg_curve_eval(it, rg_curve_find(it, t), t, x, NULL, x + 2 * f->nx);
            if (base != NULL)
                rg_curve_eval(base, rg_curve_find(base, t), t, y, NULL, y + 2 * f->nx);
            const double u = x[k] - (base != NULL ? y[k] : 0.0);
            const double terms[5] = {u, v, u * u, v * v, u * v};
            for (int q = 0; q < 5; q++)
                s[q] += terms[q] / (double)(shape->N + 1);
        }
        const double uu = s[2] - s[0] * s[0], vv = s[3] - s[1] * s[1], uv = s[4] - s[0] * s[1];
        if (uu > RG_ATTEMPT_FLAT * s[3] && vv > 0.0) *most = fmax(*most, fabs(uv) / sqrt(uu * vv));
    }
    rg_free(f->ctx, x);
    return RG_OK;
}

static rg_status try_wave(rg_problem *p, const rg_collocation_control *control, rg_boundary *b,
                          attempt *a, const rg_curve *base, rg_stats *total,
                          rg_collocation_result *result)
{
    static const double AMPLITUDES[] = {1.0, RG_ATTEMPT_MORE, -1.0, -RG_ATTEMPT_MORE};
    rg_status status = RG_RETRY;

    for (int k = 0; k < 4 && status == (rg_status)RG_RETRY; k++) {
        rg_collocation_result found = {0};
        double same = 0.0;
        a->amplitude = AMPLITUDES[k];
        rg_clear_error(p->ctx);
        status = solve(b, control, a, total, &found);
        if (status == RG_ERR_CONVERGENCE) status = RG_RETRY;
        if (status == RG_OK) status = correlate(b->form, found.solution, base, a->along, &same);
        if (status == RG_OK && same < RG_ATTEMPT_SAME) {
            rg_collocation_clear(&found);
            status = RG_RETRY;
        }
        if (status == RG_OK) *result = found;
    }
    return status;
}

/* The solution without a wave, if there is one. */
static rg_status find_base(rg_problem *p, const rg_collocation_control *control,
                           const rg_boundary *b, rg_stats *total, rg_collocation_result *base)
{
    const rg_profile guess = {rg_guess_profile, b->guess};
    rg_collocation_control rough = *control;

    rough.is_rough = true;
    rough.max_intervals = RG_ATTEMPT_INTERVALS;
    const rg_status status = rg_collocation_run(b->form, b->conditions, &rough, &guess, NULL, base);
    add_cost(total, &base->stats);
    if (status == RG_OK) return RG_OK;
    rg_collocation_clear(base);
    if (status != RG_ERR_CONVERGENCE) return status;
    rg_clear_error(p->ctx);
    return RG_OK;
}

rg_status rg_boundary_mode(rg_problem *p, const rg_collocation_control *control, rg_boundary *b,
                           int mode, rg_collocation_result *result)
{
    attempt a = {.f = b->form, .guess = b->guess, .factor = 1.0};
    rg_stats total = {0};
    rg_collocation_result base = {0};

    RG_TRY(find_base(p, control, b, &total, &base));
    a.x = rg_alloc(p->ctx, 2 * (size_t)(2 * b->form->nx + b->form->n) + 1, sizeof *a.x);
    rg_status status = a.x == NULL ? RG_ERR_MEMORY : RG_RETRY;
    for (int k = 0; k < 2 && status == (rg_status)RG_RETRY; k++) {
        rg_curve *shape = NULL;
        status = make_wave(b, control, mode, k == 1, &shape);
        if (status == RG_OK) status = rg_guess_wave_scale(b->form, b->guess, shape);
        a.along = shape;
        if (status == RG_OK) status = try_wave(p, control, b, &a, base.solution, &total, result);
        rg_curve_destroy(&shape);
    }
    rg_free(p->ctx, a.x);
    rg_collocation_clear(&base);
    result->stats.evaluations = total.evaluations;
    result->stats.jacobians = total.jacobians;
    result->stats.factorizations = total.factorizations;
    if (status != (rg_status)RG_RETRY) return status;
    rg_clear_error(p->ctx);
    rg_fail(p->ctx, RG_ERR_CONVERGENCE,
            "no solution was found that has the shape of %d half wave%s beside the guess", mode,
            mode == 1 ? "" : "s");
    return rg_remedy(p->ctx, "give --guess mode=%d, or a guess with '~'", mode > 1 ? mode - 1 : 2);
}

static bool has_constants(const rg_bvp_form *f)
{
    for (int k = 0; k < f->nx; k++)
        if (rg_bvp_form_is_constant(f, f->unknown[k])) return true;
    return false;
}

/* How far the unknown constants of a solution are from their guesses, relative to the larger of the
 * two: eigenvalues are many, and the user names one. */
static rg_status find_distance(const attempt *a, const rg_curve *it, double *distance)
{
    const rg_bvp_form *f = a->f;
    double *guess = a->x, *found = a->x + 2 * f->nx + f->n;

    *distance = 0.0;
    RG_TRY(rg_guess_profile(a->guess, it->t[0], guess, guess + f->nx, guess + 2 * f->nx));
    rg_curve_eval(it, 0, it->t[0], found, NULL, found + 2 * f->nx);
    for (int k = 0; k < f->nx; k++) {
        const double size = fmax(fabs(guess[k]), fabs(found[k]));
        if (!rg_bvp_form_is_constant(f, f->unknown[k])) continue;
        if (size > 0.0) *distance = fmax(*distance, fabs(found[k] - guess[k]) / size);
    }
    return RG_OK;
}

/* Is it at rest, as the guess without waves is?  Then constants may have any value. */
static bool is_at_rest(const rg_bvp_form *f, const rg_curve *it, const rg_curve *shape)
{
    for (int k = 0; k < f->nx; k++) {
        double least = INFINITY, most = -INFINITY, size = 0.0;
        for (int64_t i = 0; i <= it->N; i++) {
            least = fmin(least, it->x[i * f->nx + k]);
            most = fmax(most, it->x[i * f->nx + k]);
        }
        for (int64_t i = 0; i <= shape->N; i++)
            size = fmax(size, fabs(shape->x[i * f->nx + k]));
        if (most - least > sqrt(RG_ATTEMPT_FLAT) * size && size > 0.0) return false;
    }
    return true;
}

/* Waves of one to four half periods on the guess.  RG_RETRY: none found. */
static rg_status try_waves(rg_problem *p, const rg_collocation_control *control, rg_boundary *b,
                           attempt *a, rg_stats *total, rg_collocation_result *best)
{
    double least = INFINITY;
    rg_status status = RG_RETRY;

    a->factor = a->amplitude = 1.0;
    for (int k = 0; k < 2 * RG_ATTEMPT_MODES && total->factorizations <= RG_ATTEMPT_BUDGET; k++) {
        rg_collocation_result found = {0};
        rg_curve *shape = NULL;
        double distance = INFINITY;
        rg_clear_error(p->ctx);
        status = make_wave(b, control, 1 + k / 2, k % 2 == 0, &shape);
        if (status == RG_OK) status = rg_guess_wave_scale(b->form, b->guess, shape);
        a->along = shape;
        if (status == RG_OK) status = solve(b, control, a, total, &found);
        if (status == RG_OK && is_at_rest(a->f, found.solution, shape)) status = RG_RETRY;
        rg_curve_destroy(&shape);
        if (status == RG_OK) status = find_distance(a, found.solution, &distance);
        if (status == RG_OK && distance < least) {
            rg_collocation_clear(best);
            *best = found;
            least = distance;
        } else {
            rg_collocation_clear(&found);
        }
        if (status < 0 && status != RG_ERR_CONVERGENCE) return status;
    }
    return best->solution != NULL ? RG_OK : (rg_status)RG_RETRY;
}

static rg_status attempt_waves(rg_problem *p, const rg_collocation_control *control, rg_boundary *b,
                               attempt *a, rg_stats *total, rg_collocation_result *result)
{
    rg_collocation_result best = {0};
    const rg_status status = try_waves(p, control, b, a, total, &best);

    if (status != RG_OK) {
        rg_collocation_clear(&best);
        return status;
    }
    rg_clear_error(p->ctx);
    best.stats.evaluations = total->evaluations;
    best.stats.jacobians = total->jacobians;
    best.stats.factorizations = total->factorizations;
    rg_collocation_clear(result);
    *result = best;
    return rg_problem_warn(p, "from the guess no solution was found: this one was found from waves "
                              "added to it, and its unknown constants are the nearest to their "
                              "guesses among those found; there may be others");
}

rg_status rg_boundary_attempt(rg_problem *p, const rg_collocation_control *control, rg_boundary *b,
                              rg_collocation_result *result)
{
    const rg_error error = *rg_last_error(p->ctx);
    attempt a = {.f = b->form, .guess = b->guess, .factor = 1.0};
    rg_stats total = {0};

    if (b->form->array == NULL && b->form->equations.assembly != NULL
        && rg_assembly_is_linear(b->form->equations.assembly)
        && rg_assembly_is_linear(b->conditions->lines))
        return error.code; /* one guess is as good as another */
    a.x = rg_alloc(p->ctx, 2 * (size_t)(2 * b->form->nx + b->form->n) + 1, sizeof *a.x);
    if (a.x == NULL) return RG_ERR_MEMORY;
    rg_status status = try_all(p, control, b, &a, &total, result);
    if (status == (rg_status)RG_RETRY && has_constants(b->form))
        status = attempt_waves(p, control, b, &a, &total, result);
    rg_free(p->ctx, a.x);
    if (status != (rg_status)RG_RETRY) return status;
    rg_clear_error(p->ctx);
    rg_fail(p->ctx, error.code, "%s", error.message);
    if (!isnan(error.t)) rg_fail_time(p->ctx, error.t);
    return rg_remedy(p->ctx, "%s", error.remedy);
}
