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
 *     r is zero on one side of a place       where dF/dw is singular: sides.c
 *     otherwise                              a multiple of r can be added: an eigenvalue */
#include "bvp/collocation/direction.h"
#include "bvp/collocation/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- kinds ----------------------------------------------------------------------------------- */

static bool is_shift_of_time(const rg_run_direction *d)
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

static bool is_constant(const rg_run_direction *d)
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
static bool is_far_away(const rg_run_direction *d)
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

    if (used + strlen(name) + 6 < RG_DIRECTION_TEXT)
        snprintf(text + used, RG_DIRECTION_TEXT - used, "%s%s", used > 0 ? " and " : "", name);
}

/* The conditions that take part in the equation that is missing. */
static void name_conditions(const rg_run_direction *d, char *text)
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
    if (text[0] == '\0') snprintf(text, RG_DIRECTION_TEXT, "the conditions");
}

/* The unknowns that can be shifted. */
static void name_shifted(const rg_run_direction *d, char *text)
{
    char name[RG_DIRECTION_TEXT];

    text[0] = '\0';
    for (int k = 0; k < d->r->f->nx; k++) {
        if (d->r->f->order[k] > 0 || fabs(d->u[k]) <= RG_FREE_NOTHING) continue;
        rg_run_name_state(d->r->f, k, name);
        append(text, name);
    }
}

/* ---- messages -------------------------------------------------------------------------------- */

static const char *opening(const rg_bvp_run *r)
{
    return r->now == NULL ? "the boundary value problem is singular near this guess"
                          : "the conditions do not determine a solution";
}

static rg_status fail_twice(const rg_run_direction *d)
{
    rg_context *ctx = d->r->f->ctx;
    char text[RG_DIRECTION_TEXT];

    name_conditions(d, text);
    rg_fail(ctx, RG_ERR_CONVERGENCE, "%s: %s say the same or contradict each other", opening(d->r),
            text);
    return rg_remedy(ctx, "give another condition in place of one of them");
}

static rg_status fail_phase(const rg_run_direction *d)
{
    rg_context *ctx = d->r->f->ctx;
    const char *time = rg_problem_time_name(d->r->f->p);
    char name[RG_DIRECTION_TEXT];

    rg_run_name_state(d->r->f, d->largest, name);
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
static rg_status fail_constant(const rg_run_direction *d, const char *name)
{
    rg_context *ctx = d->r->f->ctx;

    rg_fail(ctx, RG_ERR_CONVERGENCE, "%s: nothing depends on the unknown constant %s there",
            opening(d->r), name);
    return rg_remedy(ctx,
                     "give guesses with '~' of the other unknowns that are not at rest; a constant "
                     "that no equation needs is written 'param NAME = VALUE'");
}

static rg_status fail_shift(const rg_run_direction *d)
{
    const rg_bvp_form *f = d->r->f;
    char unknowns[RG_DIRECTION_TEXT], text[RG_DIRECTION_TEXT], name[RG_DIRECTION_TEXT];

    name_shifted(d, unknowns);
    name_conditions(d, text);
    rg_run_name_state(f, d->largest, name);
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
static rg_status fail_end(const rg_run_direction *d)
{
    const rg_bvp_form *f = d->r->f;
    const int digits = rg_run_digits(d->r);
    const double known = fmin(d->r->conditioning[0], d->r->conditioning[1]);
    char name[RG_DIRECTION_TEXT], text[RG_DIRECTION_TEXT], t[32], start[80];

    name_conditions(d, text);
    const bool is_one = strstr(text, " and ") == NULL && strcmp(text, "the conditions") != 0;
    rg_run_name_state(f, d->largest, name);
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

static rg_status fail_multiple(const rg_run_direction *d)
{
    const rg_bvp_form *f = d->r->f;
    char name[RG_DIRECTION_TEXT], text[RG_DIRECTION_TEXT], t[32];

    name_conditions(d, text);
    rg_run_name_state(f, d->largest, name);
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

/* The direction as a curve of straight lines, for guesses along it: its largest unknown is 1. */
static void keep(rg_run_direction *d)
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
    rg_run_direction d;
    rg_status status = rg_run_direction_find(r, &d);

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
    rg_run_direction_clear(&d);
    return status;
}
