/* What does nothing connect over a singular place?
 *
 * (t - c) y' = y lets every side of c have a factor of its own: the direction that the conditions
 * leave free (direction.h) is then zero on one side of the place where dF/dw is singular. */
#include "bvp/collocation/direction.h"
#include "bvp/collocation/tuning.h"
#include "linalg/tuning.h"

#include <math.h>
#include <string.h>

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

/* An unknown for which u is zero outside of such a stretch, -1: none.  What it drives may be
 * moved everywhere. */
static int find_one_sided(const rg_run_direction *d, const rg_places *places, double between[2])
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

static rg_status fail_side(const rg_run_direction *d, int state, const double between[2])
{
    const rg_bvp_form *f = d->r->f;
    const char *time = rg_problem_time_name(f->p);
    char name[RG_DIRECTION_TEXT];

    rg_run_name_state(f, state, name);
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
    rg_run_direction d;
    double between[2];

    rg_status status = rg_run_direction_find(r, &d);
    if (status == RG_OK) {
        const int state = d.sigma <= RG_RANK_DOUBT ? find_one_sided(&d, places, between) : -1;
        status = state >= 0 ? fail_side(&d, state, between) : (rg_status)RG_RETRY;
    }
    rg_run_direction_clear(&d);
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
