/* What do the conditions leave free?
 *
 * Of the equations linearized at the last iterate, the right singular vector r(t) of the smallest
 * singular value is the direction in which the solution can be moved, and the left one tells which
 * conditions take part in the equation that is missing:
 *
 *     only conditions take part              one of them follows from the others
 *     r is constant, its derivatives zero    a constant can be added
 *     r is large away from the conditions    they are at the wrong end
 *     r is parallel to x'                    a shift of the time is free
 *     r is zero on one side of a place       where dF/dw is singular: nothing reaches over it
 *     otherwise                              a multiple of r can be added: an eigenvalue */
#include "bvp/collocation/run.h"
#include "bvp/collocation/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 320 };

typedef struct {
    const rg_bvp_run *r;
    rg_curve *it;
    rg_implicit *l;
    double sigma, *u; /* (N + 1) nx, relative to the sizes of the states: at most 1 */
    double *left;     /* nx: conditions that are left, then invariants ... */
    double rest;      /* ... and the equations */
    int64_t top;      /* mesh point and ... */
    int largest;      /* ... state where u is largest */
} direction;

static void clear(direction *d)
{
    rg_implicit_destroy(&d->l);
    rg_curve_destroy(&d->it);
    rg_free(d->r->f->ctx, d->u);
}

/* u relative to the sizes of the states, its largest entry of an unknown 1. */
static void normalize(direction *d)
{
    const rg_bvp_form *f = d->r->f;
    const double *scale = d->l->linear->chain->scale;
    double most = 0.0;

    for (int64_t q = 0; q < (d->it->N + 1) * f->nx; q++) {
        const int k = (int)(q % f->nx);
        d->u[q] /= scale[k];
        if (f->order[k] > 0 || !(fabs(d->u[q]) > most)) continue;
        most = fabs(d->u[q]);
        d->top = q / f->nx;
        d->largest = k;
    }
    for (int64_t q = 0; q < (d->it->N + 1) * f->nx && most > 0.0; q++)
        d->u[q] /= most;
}

static double size_of(const rg_curve *it, int k)
{
    double size = 0.0;

    for (int64_t i = 0; i <= it->N; i++)
        size = fmax(size, fabs(it->x[i * it->nx + k]));
    return size;
}

/* Where to linearize: at what was found, or, where rounding has carried that far off along the free
 * direction, at the guess.  sizes: nx, workspace. */
static rg_status fill(const rg_bvp_run *r, double *sizes, rg_curve *it)
{
    const rg_profile now = {rg_profile_of_curve, r->now};
    bool is_lost = false;

    RG_TRY(rg_profile_fill(it, r->f, r->guess));
    if (r->now == NULL) return RG_OK;
    for (int k = 0; k < it->nx; k++)
        sizes[k] = size_of(it, k);
    RG_TRY(rg_profile_fill(it, r->f, &now));
    for (int k = 0; k < it->nx && rg_run_is_undetermined(r); k++)
        is_lost =
            is_lost
            || (r->f->order[k] == 0 && sizes[k] > 0.0 && size_of(it, k) > RG_FREE_LOST * sizes[k]);
    return is_lost ? rg_profile_fill(it, r->f, r->guess) : RG_OK;
}

/* RG_RETRY: not to be found out. */
static rg_status find(const rg_bvp_run *r, direction *d)
{
    const rg_bvp_form *f = r->f;
    rg_stats stats = {0};
    rg_curve *delta = NULL;

    *d = (direction){.r = r};
    if (f->is_large || f->nx > RG_FREE_STATES) return RG_RETRY;
    RG_TRY(rg_curve_create(f->ctx, &r->low, f->n, f->nx, r->N, r->t, r->c->n_points, r->c->point,
                           &d->it));
    d->u = rg_alloc(f->ctx, (size_t)((r->N + 2) * f->nx) + 1, sizeof *d->u);
    if (d->u == NULL) return RG_ERR_MEMORY;
    d->left = d->u + (r->N + 1) * f->nx;
    RG_TRY(fill(r, d->left, d->it));
    RG_TRY(rg_curve_like(d->it, &delta));
    rg_status status = rg_implicit_create(r->f, r->c, d->it, &stats, &d->l);
    if (status == RG_OK) status = rg_implicit_correct(d->l, d->it, true, delta);
    rg_curve_destroy(&delta);
    if (status < 0) return status;
    if (!d->l->linear->has_factors && !d->l->linear->is_singular) return RG_RETRY;
    rg_condensed_balance(d->l->linear);
    RG_TRY(rg_chain_weakest(d->l->linear->chain, &d->sigma, d->u, d->left, &d->rest));
    normalize(d);
    return RG_OK;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static bool is_shift_of_time(const direction *d)
{
    const rg_bvp_form *f = d->r->f;
    const double *scale = d->l->linear->chain->scale;
    double uu = 0.0, xx = 0.0, ux = 0.0;

    for (int64_t q = 0; q < d->it->N * f->nx; q++) {
        const int k = (int)(q % f->nx);
        const int64_t i = q / f->nx;
        const double h = d->it->t[i + 1] - d->it->t[i];
        const double slope = (d->it->x[q + f->nx] - d->it->x[q]) / h / scale[k];
        const double u = 0.5 * (d->u[q] + d->u[q + f->nx]);
        uu += h * u * u;
        xx += h * slope * slope;
        ux += h * u * slope;
    }
    return xx > 0.0 && fabs(ux) > RG_FREE_PARALLEL * sqrt(fabs(uu * xx));
}

static bool is_constant(const direction *d)
{
    const rg_bvp_form *f = d->r->f;

    for (int64_t q = 0; q < (d->it->N + 1) * f->nx; q++) {
        const int k = (int)(q % f->nx);
        const double wanted = f->order[k] == 0 ? d->u[k] : 0.0;
        if (!(fabs(d->u[q] - wanted) <= RG_FREE_NOTHING)) return false;
    }
    return true;
}

/* Nothing is left of u at the points of the conditions. */
static bool is_far_away(const direction *d)
{
    const rg_bvp_form *f = d->r->f;
    const double *B = d->l->linear->chain->B;

    for (int k = 0; k < d->it->n_nodes; k++) {
        bool is_read = false;
        double most = 0.0;
        for (int j = 0; j < f->nx * f->nx; j++)
            is_read |= B[(int64_t)k * f->nx * f->nx + j] != 0.0;
        for (int j = 0; j < f->nx; j++)
            most = fmax(most, fabs(d->u[d->it->node[k] * f->nx + j]));
        if (is_read && most > RG_FREE_FAR) return false;
    }
    return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

static void append(char *text, const char *name)
{
    const size_t used = strlen(text);

    if (used + strlen(name) + 6 < TEXT)
        snprintf(text + used, TEXT - used, "%s%s", used > 0 ? " and " : "", name);
}

/* The conditions that take part in the equation that is missing. */
static void name_conditions(const direction *d, char *text)
{
    const rg_bvp_conditions *c = d->r->c;
    double most = 0.0;
    char name[160];

    text[0] = '\0';
    for (int k = 0; k < rg_bvp_conditions_count(c); k++)
        most = fmax(most, fabs(d->left[k]));
    for (int i = 0, k = 0; i < c->n_rows; i++) {
        if (c->is_dropped[i]) continue;
        if (fabs(d->left[k++]) < RG_FREE_PART * most) continue;
        rg_bvp_condition_name(c, i, name, sizeof name);
        append(text, name);
    }
    if (text[0] == '\0') snprintf(text, TEXT, "the conditions");
}

static void name_state(const rg_bvp_form *f, int k, char *text)
{
    char name[160];

    rg_variable_name(f->p, f->unknown[k], f->order[k], name, sizeof name);
    snprintf(text, TEXT, "'%s'", name);
}

/* The unknowns that can be shifted. */
static void name_shifted(const direction *d, char *text)
{
    char name[TEXT];

    text[0] = '\0';
    for (int k = 0; k < d->r->f->nx; k++) {
        if (d->r->f->order[k] > 0 || fabs(d->u[k]) <= RG_FREE_NOTHING) continue;
        name_state(d->r->f, k, name);
        append(text, name);
    }
}

/* ---- messages -------------------------------------------------------------------------------- */

static const char *opening(const rg_bvp_run *r)
{
    return r->now == NULL ? "the boundary value problem is singular near this guess"
                          : "the conditions do not determine a solution";
}

static rg_status fail_twice(const direction *d)
{
    rg_context *ctx = d->r->f->ctx;
    char text[TEXT];

    name_conditions(d, text);
    rg_fail(ctx, RG_ERR_CONVERGENCE, "%s: %s say the same or contradict each other", opening(d->r),
            text);
    return rg_remedy(ctx, "give another condition in place of one of them");
}

static rg_status fail_phase(const direction *d)
{
    rg_context *ctx = d->r->f->ctx;
    const char *time = rg_problem_time_name(d->r->f->p);
    char name[TEXT];

    name_state(d->r->f, d->largest, name);
    rg_fail(ctx, RG_ERR_CONVERGENCE,
            "%s: it can be shifted in %s, since neither the equations nor the conditions say where "
            "on the orbit it begins",
            opening(d->r), time);
    return rg_remedy(ctx,
                     "fix one unknown at the start, as %s, and if the period is not known make it "
                     "an unknown constant ('param T ~ ...', %s = T s)",
                     name, time);
}

/* Only an unknown constant is free. */
static rg_status fail_constant(const direction *d, const char *name)
{
    rg_context *ctx = d->r->f->ctx;

    rg_fail(ctx, RG_ERR_CONVERGENCE, "%s: nothing depends on the unknown constant %s there",
            opening(d->r), name);
    return rg_remedy(ctx,
                     "give guesses with '~' of the other unknowns that are not at rest; a constant "
                     "that no equation needs is written 'param NAME = VALUE'");
}

static rg_status fail_shift(const direction *d)
{
    const rg_bvp_form *f = d->r->f;
    char unknowns[TEXT], text[TEXT], name[TEXT];

    name_shifted(d, unknowns);
    name_conditions(d, text);
    name_state(f, d->largest, name);
    if (strcmp(unknowns, name) == 0 && rg_bvp_form_is_constant(f, f->unknown[d->largest]))
        return fail_constant(d, name);
    rg_fail(f->ctx, RG_ERR_CONVERGENCE, "%s: %s can be shifted by a constant", opening(d->r),
            unknowns);
    return rg_remedy(f->ctx,
                     "give a value at some point in place of %s, which must fit together for a "
                     "solution to exist",
                     text);
}

/* Rounding may leave some digits. */
static rg_status fail_end(const direction *d)
{
    const rg_bvp_form *f = d->r->f;
    const int digits = rg_run_digits(d->r);
    const double known = fmin(d->r->conditioning[0], d->r->conditioning[1]);
    char name[TEXT], text[TEXT], t[32], start[80];

    name_conditions(d, text);
    const bool is_one = strstr(text, " and ") == NULL && strcmp(text, "the conditions") != 0;
    name_state(f, d->largest, name);
    snprintf(t, sizeof t, "%.6g", d->it->t[d->top]);
    snprintf(start, sizeof start, "rounding limits this problem to %d digit%s", digits,
             digits == 1 ? "" : "s");
    rg_fail(f->ctx, RG_ERR_CONVERGENCE,
            "%s: %s hardly %s a solution of the homogeneous equations that is largest in %s at %s "
            "= %s, and %s changes by %.0e",
            d->r->now != NULL && digits > 0 ? start : opening(d->r), text,
            is_one ? "touches" : "touch", name, rg_problem_time_name(f->p), t,
            is_one ? "amplifies" : "amplify",
            isfinite(known) && d->r->now != NULL ? known : 1.0 / fmax(d->sigma, 1e-300));
    return rg_remedy(f->ctx, "give a condition at %s = %s in place of %s",
                     rg_problem_time_name(f->p), t, is_one ? "it" : "one of them");
}

static rg_status fail_multiple(const direction *d)
{
    const rg_bvp_form *f = d->r->f;
    char name[TEXT], text[TEXT], t[32];

    name_conditions(d, text);
    name_state(f, d->largest, name);
    snprintf(t, sizeof t, "%.6g", d->it->t[d->top]);
    rg_fail(f->ctx, RG_ERR_CONVERGENCE,
            "%s: a multiple of a solution of the homogeneous problem can be added, largest in %s "
            "at %s = %s",
            opening(d->r), name, rg_problem_time_name(f->p), t);
    return rg_remedy(f->ctx,
                     "give %s at %s = %s in place of %s, or change a parameter: with these values "
                     "there are many solutions or none; a nonlinear problem may only need another "
                     "guess",
                     name, rg_problem_time_name(f->p), t, text);
}

/* The stretch between places (or an end) around mesh point `top`: *from .. *to.  Is it a part? */
static bool find_stretch(const rg_curve *it, const rg_places *places, int64_t top, int64_t *from,
                         int64_t *to, double between[2])
{
    const double sign = it->t[it->N] > it->t[0] ? 1.0 : -1.0;

    *from = 0;
    *to = it->N;
    between[0] = it->t[0];
    between[1] = it->t[it->N];
    for (int k = 0; k < places->n; k++)
        for (int64_t q = 0; q < it->N; q++) {
            if ((places->place[k].t - it->t[q]) * sign < 0.0
                || (it->t[q + 1] - places->place[k].t) * sign <= 0.0)
                continue;
            if (q + 1 <= top && q + 1 > *from) {
                *from = q + 1;
                between[0] = places->place[k].t;
            }
            if (q >= top && q < *to) {
                *to = q;
                between[1] = places->place[k].t;
            }
        }
    return *from > 0 || *to < it->N;
}

/* An unknown for which u is zero outside of such a stretch, -1: none.  (t - c) y' = y lets every
 * side of c have a factor of its own; what y drives may be moved everywhere. */
static int find_one_sided(const direction *d, const rg_places *places, double between[2])
{
    const rg_bvp_form *f = d->r->f;
    const rg_curve *it = d->it;

    for (int k = 0; k < f->nx; k++) {
        int64_t top = 0, from, to;
        double outside = 0.0;
        if (f->order[k] > 0) continue;
        for (int64_t i = 1; i <= it->N; i++)
            if (fabs(d->u[i * f->nx + k]) > fabs(d->u[top * f->nx + k])) top = i;
        const double most = fabs(d->u[top * f->nx + k]);
        if (most <= RG_FREE_FAR || !find_stretch(it, places, top, &from, &to, between)) continue;
        for (int64_t i = 0; i <= it->N; i++)
            if (i < from || i > to) outside = fmax(outside, fabs(d->u[i * f->nx + k]));
        if (outside <= RG_FREE_NOTHING * most) return k;
    }
    return -1;
}

static rg_status fail_side(const direction *d, int state, const double between[2])
{
    const rg_bvp_form *f = d->r->f;
    const char *time = rg_problem_time_name(f->p);
    char name[TEXT];

    name_state(f, state, name);
    rg_fail(f->ctx, RG_ERR_CONVERGENCE,
            "nothing determines %s between %s = %.6g and %.6g: the equations do not connect it "
            "across the place where they lose rank, and no condition is there",
            name, time, between[0], between[1]);
    return rg_remedy(f->ctx,
                     "give a condition on %s there in place of another, or end the interval "
                     "at the singular place",
                     name);
}

static rg_status fail_side_of(const rg_bvp_run *r, const rg_places *places)
{
    direction d;
    double between[2];

    rg_status status = find(r, &d);
    if (status == RG_OK) {
        const int state = d.sigma <= RG_FREE_WEAK ? find_one_sided(&d, places, between) : -1;
        status = state >= 0 ? fail_side(&d, state, between) : (rg_status)RG_RETRY;
    }
    clear(&d);
    return status;
}

/* The mesh with all places among its points: on an interval around a place one polynomial is the
 * connection that the equations do not have. */
static rg_status add_places(const rg_bvp_run *r, const rg_places *places, rg_bvp_run *to)
{
    const double sign = r->t[r->N] > r->t[0] ? 1.0 : -1.0;

    *to = *r;
    to->t = rg_alloc(r->f->ctx, (size_t)(r->N + places->n) + 1, sizeof *to->t);
    if (to->t == NULL) return RG_ERR_MEMORY;
    memcpy(to->t, r->t, (size_t)(r->N + 1) * sizeof *to->t);
    for (int k = 0; k < places->n; k++) {
        int64_t i = to->N;
        while (i > 0 && (to->t[i - 1] - places->place[k].t) * sign > 0.0)
            i--;
        if (i == 0 || places->place[k].t == to->t[i - 1]) continue; /* outside, or a point */
        memmove(to->t + i + 1, to->t + i, (size_t)(to->N + 1 - i) * sizeof *to->t);
        to->t[i] = places->place[k].t;
        to->N++;
    }
    return RG_OK;
}

/* On one side of a place; for ordinary differential equations these are mesh points. */
static rg_status fail_at_places(const rg_bvp_run *r, const rg_places *places)
{
    rg_bvp_run with;

    if (r->f->n_algebraic > 0 || r->f->n_invariants > 0) return fail_side_of(r, places);
    RG_TRY(add_places(r, places, &with));
    const rg_status status = fail_side_of(&with, places);
    rg_free(r->f->ctx, with.t);
    return status;
}

rg_status rg_run_fail_side(const rg_bvp_run *r)
{
    const rg_profile now = {rg_profile_of_curve, r->now};
    rg_places places = {0};

    if (r->f->is_large || r->f->nx > RG_FREE_STATES) return RG_RETRY;
    const rg_status status =
        rg_places_scan(r->f, r->now != NULL ? &now : r->guess, r->N, r->t, &places);
    if (status < 0 || places.n == 0) return status < 0 ? status : (rg_status)RG_RETRY;
    return fail_at_places(r, &places);
}

/* Of ordinary differential equations.  Through the places of constraints solutions go on smoothly:
 * that is what connects both sides there. */
static rg_status list_places(const rg_bvp_run *r, rg_places *out)
{
    const rg_profile now = {rg_profile_of_curve, r->now};
    bool is_any;

    *out = (rg_places){0};
    if (r->f->n_algebraic > 0 || r->f->n_invariants > 0) return RG_OK;
    RG_TRY(rg_places_glance(r->f, &now, r->N, r->t, &is_any));
    return is_any ? rg_places_scan(r->f, &now, r->N, r->t, out) : RG_OK;
}

rg_status rg_run_check_sides(const rg_bvp_run *r)
{
    rg_places places;

    if (r->f->is_large || r->f->is_unchecked || r->f->nx > RG_FREE_STATES) return RG_OK;
    RG_TRY(list_places(r, &places));
    if (places.n == 0) return RG_OK;
    const rg_status status = fail_at_places(r, &places);
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}

/* The direction as a curve of straight lines, for guesses along it: its largest unknown is 1. */
static void keep(direction *d)
{
    const rg_bvp_form *f = d->r->f;
    const double *scale = d->l->linear->chain->scale, unit = scale[d->largest];
    rg_curve *it = d->it;

    for (int64_t q = 0; q < (it->N + 1) * f->nx; q++)
        it->x[q] = d->u[q] * scale[q % f->nx] / unit;
    for (int64_t i = 0; i < it->N; i++)
        for (int q = 0; q < it->rule.s * f->nx; q++)
            rg_curve_slope(it, i, 0)[q] =
                (it->x[(i + 1) * f->nx + q % f->nx] - it->x[i * f->nx + q % f->nx])
                / (it->t[i + 1] - it->t[i]);
    memset(it->w, 0, (size_t)(it->N * it->rule.s * it->n) * sizeof *it->w);
    rg_curve_destroy(&d->r->result->along);
    d->r->result->along = it;
    d->it = NULL;
}

rg_status rg_run_fail_free(const rg_bvp_run *r, double limit)
{
    direction d;
    rg_status status = find(r, &d);

    if (status == RG_OK) {
        rg_log(r->f->ctx, 2, "collocation: smallest singular value %.2g", d.sigma);
        if (!(d.sigma <= limit))
            status = RG_RETRY;
        else if (d.rest <= RG_FREE_NOTHING)
            status = fail_twice(&d);
        else if (is_constant(&d))
            status = fail_shift(&d);
        else if (is_far_away(&d))
            status = fail_end(&d);
        else
            status = is_shift_of_time(&d) ? fail_phase(&d) : fail_multiple(&d);
        if (status == RG_ERR_CONVERGENCE) keep(&d);
    }
    clear(&d);
    return status;
}
