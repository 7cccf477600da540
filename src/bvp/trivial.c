/* Is the solution that was found the one that was meant?  Periodic problems with a free period also
 * have the rest state, for any period, and every orbit run through several times.
 *
 * A solution is called trivial where all unknowns are constant though the guess is not: within
 * RG_TRIVIAL_RANGE of their size, or of the range of the guess where constants are unknown that may
 * have gone to 0 or to the rest state; without any, within what Newton's method leaves of that
 * range.  Orbits: with L the length of the interval and x(a) = x(b),
 *
 *     max_t |x(t + L/k) - x(t)| <= RG_ORBIT_SAME range    for k = 6 .. 2
 *
 * then x(a + (t - a)/k) with the unknown constant divided by k is the guess of another run. */
#include "bvp/continuation.h"
#include "bvp/tuning.h"

#include <math.h>

typedef struct {
    double low, high;
} range;

static void extend(range *r, double value)
{
    if (value < r->low) r->low = value;
    if (value > r->high) r->high = value;
}

static bool counts(const rg_bvp_form *f, int k)
{
    return f->order[k] == 0 && !rg_bvp_form_is_constant(f, f->unknown[k]);
}

/* Ranges of the states (nx) at the mesh points.  RG_RETRY: cannot be evaluated. */
static rg_status find_ranges(const rg_bvp_form *f, const rg_curve *it, const rg_profile *from,
                             range *out)
{
    double *x = rg_alloc(f->ctx, (size_t)(2 * f->nx + f->n) + 1, sizeof *x);
    rg_status status = x != NULL ? RG_OK : RG_ERR_MEMORY;

    for (int k = 0; k < f->nx; k++)
        out[k] = (range){INFINITY, -INFINITY};
    for (int64_t i = 0; i <= it->N && status == RG_OK; i++) {
        status = from->eval(from->user, it->t[i], x, x + f->nx, x + 2 * f->nx);
        for (int k = 0; k < f->nx && status == RG_OK; k++)
            extend(&out[k], x[k]);
    }
    rg_free(f->ctx, x);
    return status;
}

static bool has_constants(const rg_bvp_form *f)
{
    for (int k = 0; k < f->nx; k++)
        if (rg_bvp_form_is_constant(f, f->unknown[k])) return true;
    return false;
}

typedef struct {
    bool is_flat;   /* the solution is constant, */
    bool has_shape; /* the guess is not */
} flatness;

static rg_status look_flat(const rg_boundary *b, double rtol, const rg_curve *it, flatness *out)
{
    const rg_bvp_form *f = b->form;
    const rg_profile guess = {rg_guess_profile, b->guess},
                     now = {rg_profile_of_curve, (void *)(uintptr_t)it};
    const double part = has_constants(f) ? RG_TRIVIAL_RANGE : RG_TRIVIAL_NEWTON * rtol;
    range *r = rg_alloc(f->ctx, 2 * (size_t)f->nx + 1, sizeof *r);

    *out = (flatness){.is_flat = true};
    if (r == NULL) return RG_ERR_MEMORY;
    rg_status status = find_ranges(f, it, &now, r);
    if (status == RG_OK) status = find_ranges(f, it, &guess, r + f->nx);
    for (int k = 0; k < f->nx && status == RG_OK; k++) {
        if (!counts(f, k)) continue;
        const double before = r[f->nx + k].high - r[f->nx + k].low;
        const double size = fmax(fabs(r[k].low), fabs(r[k].high));
        const double wide = r[k].high - r[k].low;
        out->has_shape |= before > RG_TRIVIAL_RANGE * fmax(fabs(r[f->nx + k].low), size);
        out->is_flat &= wide <= fmax(part * before, RG_TRIVIAL_RANGE * size);
    }
    out->is_flat &= status == RG_OK;
    rg_free(f->ctx, r);
    return status < 0 ? status : RG_OK;
}

rg_status rg_boundary_is_trivial(const rg_boundary *b, double rtol, const rg_curve *it,
                                 bool *is_trivial)
{
    flatness flat;

    *is_trivial = false;
    RG_TRY(look_flat(b, rtol, it, &flat));
    *is_trivial = flat.is_flat && flat.has_shape;
    return RG_OK;
}

/* ---- orbits ---------------------------------------------------------------------------------- */

typedef struct {
    rg_curve *it;
    const rg_bvp_form *f;
    int parts;
} short_orbit;

static rg_status short_profile(void *user, double t, double *x, double *xp, double *w)
{
    const short_orbit *s = user;
    const double a = s->it->t[0];

    RG_TRY(rg_profile_of_curve(s->it, a + (t - a) / s->parts, x, xp, w));
    for (int k = 0; k < s->f->nx; k++) {
        if (rg_bvp_form_is_constant(s->f, s->f->unknown[k])) x[k] /= s->parts;
        xp[k] /= s->parts;
    }
    return RG_OK;
}

/* One unknown constant, and the same state at both ends. */
static bool is_orbit(const rg_bvp_form *f, const rg_curve *it, const range *r)
{
    int n_constants = 0;

    for (int k = 0; k < f->nx; k++) {
        if (f->order[k] == 0 && rg_bvp_form_is_constant(f, f->unknown[k])) n_constants++;
        const double ends = fabs(it->x[it->N * f->nx + k] - it->x[k]);
        if (!(ends <= RG_ORBIT_SAME * (r[k].high - r[k].low)) && ends > 0.0) return false;
    }
    return n_constants == 1;
}

static bool repeats(const rg_bvp_form *f, const rg_curve *it, const range *r, int parts, double *x)
{
    const double a = it->t[0], L = (it->t[it->N] - a) / parts;
    bool is_same = true, moves = false;

    for (int64_t i = 0; i <= it->N && is_same; i++) {
        const double t = it->t[i];
        if ((t + L - a) / (it->t[it->N] - a) > 1.0) break;
        rg_curve_eval(it, rg_curve_find(it, t + L), t + L, x, x + f->nx, x + 2 * f->nx);
        for (int k = 0; k < f->nx; k++) {
            const double wide = r[k].high - r[k].low;
            if (!counts(f, k)) continue;
            moves |= wide > 0.0;
            is_same &= fabs(x[k] - it->x[i * f->nx + k]) <= RG_ORBIT_SAME * wide;
        }
    }
    return is_same && moves;
}

/* How often the orbit is run through; 1: once, or no orbit. */
static rg_status count_turns(const rg_boundary *b, const rg_curve *it, int *turns)
{
    const rg_bvp_form *f = b->form;
    const rg_profile now = {rg_profile_of_curve, (void *)(uintptr_t)it};
    range *r = rg_alloc(f->ctx, (size_t)f->nx + 1, sizeof *r);
    double *x = rg_alloc(f->ctx, (size_t)(2 * f->nx + f->n) + 1, sizeof *x);
    rg_status status = r != NULL && x != NULL ? find_ranges(f, it, &now, r) : RG_ERR_MEMORY;

    *turns = 1;
    if (status == RG_OK && is_orbit(f, it, r))
        for (int k = RG_ORBIT_TURNS; k > 1 && *turns == 1; k--)
            if (repeats(f, it, r, k, x)) *turns = k;
    rg_free(f->ctx, r);
    rg_free(f->ctx, x);
    return status < 0 ? status : RG_OK;
}

static rg_status shorten(rg_problem *p, const rg_collocation_control *control, rg_boundary *b,
                         int turns, rg_collocation_result *result)
{
    short_orbit s = {result->solution, b->form, turns};
    const rg_profile from = {short_profile, &s};
    rg_collocation_result found = {0};
    rg_status status = rg_collocation_run(b->form, b->conditions, control, &from, NULL, &found);

    if (status == RG_OK) {
        rg_collocation_clear(result);
        *result = found;
        return rg_problem_warn(p,
                               "the solution that was found first runs through its orbit %d "
                               "times: this is the one with the period itself",
                               turns);
    }
    rg_collocation_clear(&found);
    if (status != RG_ERR_CONVERGENCE) return status;
    rg_clear_error(p->ctx);
    return rg_problem_warn(p,
                           "the solution repeats itself %d times in the interval: a period of "
                           "1/%d of this one will do; give a guess of that",
                           turns, turns);
}

/* An unknown constant that went to zero, beside its guess. */
static int find_vanished(const rg_boundary *b, const rg_curve *it)
{
    const rg_bvp_form *f = b->form;

    for (int k = 0; k < f->nx; k++) {
        const int j = f->unknown[k];
        if (f->order[k] > 0 || !rg_bvp_form_is_constant(f, j)) continue;
        if (fabs(it->x[k]) < RG_TRIVIAL_RANGE * fabs(f->p->start[0].value[j])) return j;
    }
    return -1;
}

/* The same solution, unknown constants RG_TRIVIAL_MOVED away. */
static rg_status moved_profile(void *user, double t, double *x, double *xp, double *w)
{
    const short_orbit *s = user;

    RG_TRY(rg_profile_of_curve(s->it, t, x, xp, w));
    for (int k = 0; k < s->f->nx; k++)
        if (rg_bvp_form_is_constant(s->f, s->f->unknown[k])) x[k] *= 1.0 + RG_TRIVIAL_MOVED;
    return RG_OK;
}

/* *unknown: a constant that does not come back from there, not even half of the way, since nothing
 * determines it; -1: they all do. */
static rg_status find_undetermined(const rg_boundary *b, const rg_collocation_control *control,
                                   rg_curve *it, int *unknown)
{
    const rg_bvp_form *f = b->form;
    short_orbit s = {it, f, 1};
    const rg_profile from = {moved_profile, &s};
    rg_collocation_control rough = *control;
    rg_collocation_result again = {0};

    *unknown = -1;
    rough.is_rough = true;
    const rg_status status =
        rg_collocation_run(b->form, b->conditions, &rough, &from, NULL, &again);
    for (int k = 0; k < f->nx && status == RG_OK; k++) {
        const double moved = fabs(again.solution->x[k] - it->x[k]);
        if (f->order[k] > 0 || !rg_bvp_form_is_constant(f, f->unknown[k])) continue;
        if (2.0 * moved > RG_TRIVIAL_MOVED * fabs(it->x[k])) *unknown = f->unknown[k];
    }
    rg_collocation_clear(&again);
    if (status == RG_ERR_CONVERGENCE) rg_clear_error(f->ctx);
    return status == RG_ERR_CONVERGENCE ? RG_OK : status;
}

static rg_status fail_trivial(const rg_boundary *b, int unknown, const char *what)
{
    char name[160];
    rg_context *ctx = b->form->ctx;

    rg_variable_name(b->form->p, unknown, 0, name, sizeof name);
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "the solution that was found is trivial: the unknowns are constant, and '%s' %s", name,
            what);
    return rg_remedy(ctx, "give guesses with '~' nearer to the solution that is meant, of '%s' too",
                     name);
}

static rg_status fail_vanished(const rg_boundary *b, int unknown)
{
    char name[160];
    rg_context *ctx = b->form->ctx;

    rg_variable_name(b->form->p, unknown, 0, name, sizeof name);
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "the solution that was found is trivial: the unknowns are constant, and '%s' went to 0",
            name);
    return rg_remedy(
        ctx,
        "give guesses with '~' nearer to the solution that is meant, of '%s' too; if 0 "
        "is meant, write 'param %s = 0'",
        name, name);
}

/* Newton's method did not end, and a length of time went to 0 on the way. */
static rg_status fail_fading(const rg_boundary *b, int unknown)
{
    char name[160];
    rg_context *ctx = b->form->ctx;

    rg_variable_name(b->form->p, unknown, 0, name, sizeof name);
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "Newton's method found no solution from this guess: '%s' went towards 0, where nothing "
            "moves, and all conditions may hold",
            name);
    return rg_remedy(
        ctx,
        "give a larger guess of '%s', and guesses of the unknowns that move; there may "
        "be no other solution",
        name);
}

rg_status rg_boundary_explain(const rg_boundary *b, const rg_collocation_result *result,
                              rg_status status)
{
    const rg_curve *it = result->solution;
    const int vanished = it != NULL ? find_vanished(b, it) : -1;
    int fading = -1;

    if (status != RG_ERR_CONVERGENCE) return status;
    if (vanished < 0 && it != NULL) RG_TRY(rg_boundary_find_fading(b, it, &fading));
    if (it == NULL && result->last != NULL)
        RG_TRY(rg_boundary_find_fading(b, result->last, &fading));
    if (vanished < 0 && fading < 0) return status;
    rg_clear_error(b->form->ctx);
    return vanished >= 0 ? fail_vanished(b, vanished) : fail_fading(b, fading);
}

/* Of a constant solution: refused where that is no answer to the question. */
static rg_status judge_flat(rg_problem *p, const rg_collocation_control *control,
                            const rg_boundary *b, bool has_shape, rg_curve *it)
{
    int unknown = find_vanished(b, it);

    if (unknown >= 0) return fail_vanished(b, unknown);
    if (!has_shape) return RG_OK;
    RG_TRY(find_undetermined(b, control, it, &unknown));
    if (unknown >= 0) return fail_trivial(b, unknown, "can have any value");
    return rg_problem_warn(p, "this solution is constant, though the guess is not: if another one "
                              "is meant, give a guess that is nearer to it");
}

rg_status rg_boundary_settle(rg_problem *p, const rg_collocation_control *control, rg_boundary *b,
                             rg_collocation_result *result)
{
    flatness flat;
    int turns, unknown;

    RG_TRY(rg_boundary_find_standstill(b, result->solution, &unknown));
    if (unknown >= 0) return fail_vanished(b, unknown);
    RG_TRY(look_flat(b, control->rtol, result->solution, &flat));
    if (flat.is_flat) return judge_flat(p, control, b, flat.has_shape, result->solution);
    RG_TRY(count_turns(b, result->solution, &turns));
    if (turns > 1) RG_TRY(shorten(p, control, b, turns, result));
    return rg_boundary_tell_backwards(p, b, result->solution);
}
