/* Meshes of a collocation run: the first, those for free oscillations, and what a solution must
 * pass before it is accepted. */
#include "bvp/collocation/run.h"

#include "base/tuning.h"
#include "bvp/collocation/tuning.h"
#include "bvp/collocation/waves.h"
#include "bvp/form_large.h"
#include "bvp/tuning.h"
#include "curve/mesh.h"

#include <math.h>
#include <string.h>

rg_status rg_run_take_mesh(rg_bvp_run *r, int64_t N, double **t)
{
    rg_context *ctx = r->f->ctx;

    if (r->places.n > 0 && r->offset == 0.0) r->offset = rg_places_offset(&r->low, &r->high);
    rg_status status =
        r->control->is_rough || r->keeps ? rg_mesh_grade(ctx, RG_REMESH_GRADE, &N, t) : RG_OK;
    if (status == RG_OK)
        status =
            rg_places_move_mesh(ctx, &r->places, r->offset, r->c->n_points, r->c->point, &N, t);
    if (status == RG_OK) status = rg_kinks_move_mesh(&r->kinks, r->c->n_points, r->c->point, &N, t);
    if (status == RG_OK && r->control->step == 0.0)
        status = rg_bvp_pulses_cut(ctx, &r->pulses, RG_BVP_PULSE_STEP, &N, t);
    if (status != RG_OK) {
        rg_free(ctx, *t);
        return status;
    }
    rg_free(r->f->ctx, r->t);
    r->t = *t;
    *t = NULL;
    r->N = N;
    rg_free(r->f->ctx, r->error);
    rg_free(r->f->ctx, r->rough);
    r->error = rg_alloc(r->f->ctx, (size_t)N + 1, sizeof *r->error);
    r->rough = rg_alloc(r->f->ctx, (size_t)N + 1, sizeof *r->rough);
    r->has_rough = false;
    return r->error == NULL || r->rough == NULL ? RG_ERR_MEMORY : RG_OK;
}

static rg_status choose_first(rg_bvp_run *r, const rg_curve *first, int64_t *N, double **t)
{
    const rg_bvp_conditions *c = r->c;
    const double step = r->control->step;

    *N = RG_REMESH_FIRST;
    if (step > 0.0)
        *N = (int64_t)ceil(fabs(c->point[c->n_points - 1] - c->point[0]) / step - RG_SAME);
    if (first == NULL || step > 0.0)
        return rg_mesh_uniform(r->f->ctx, c->n_points, c->point, *N < 1 ? 1 : *N,
                               step > 0.0 ? 1 : 3, N, t);
    *N = first->N;
    *t = rg_alloc(r->f->ctx, (size_t)*N + 1, sizeof **t);
    if (*t == NULL) return RG_ERR_MEMORY;
    memcpy(*t, first->t, (size_t)(*N + 1) * sizeof **t);
    return RG_OK;
}

rg_status rg_run_first_mesh(rg_bvp_run *r, const rg_curve *first)
{
    double *t = NULL;
    int64_t N;

    RG_TRY(choose_first(r, first, &N, &t));
    rg_status status = rg_places_find(r->f, r->guess, N, t, &r->places);
    if (r->places.n > 0) rg_form_large_leave(r->f);
    if (status == RG_OK) status = rg_kinks_find(&r->kinks, r->guess, N, t);
    const int64_t equal = N;
    bool is_coarse;
    if (status == RG_OK && first == NULL && r->control->step == 0.0 && r->places.n == 0)
        status = rg_run_grade(r, r->guess, &N, &t, &is_coarse);
    if (status == RG_OK && r->control->step == 0.0 && r->places.n == 0)
        status = rg_run_find_layer(r);
    r->is_graded = N > equal;
    if (status == RG_OK && !r->places.is_everywhere) return rg_run_take_mesh(r, N, &t);
    rg_free(r->f->ctx, t);
    return status == RG_OK ? rg_run_fail_everywhere(r) : status;
}

rg_status rg_run_first_equal(rg_bvp_run *r)
{
    double *t = NULL;
    int64_t N;

    RG_TRY(choose_first(r, NULL, &N, &t));
    return rg_run_take_mesh(r, N, &t);
}

rg_status rg_run_spread(rg_bvp_run *r, const double *wanted)
{
    double *t = NULL;
    int64_t N;

    RG_TRY(rg_mesh_spread(r->f->ctx, r->N, r->t, wanted, r->c->n_points, r->c->point, &N, &t));
    for (int64_t i = 0; i < N; i++)
        if (t[i + 1] == t[i]) { /* nothing fits between neighbouring numbers */
            rg_free(r->f->ctx, t);
            return RG_RETRY;
        }
    return rg_run_take_mesh(r, N, &t);
}

/* wanted[i]: intervals that i has to become so that free oscillations are followed.  *most: the
 * largest of them; 0: not known, since something could not be evaluated. */
static rg_status want_for_waves(const rg_bvp_run *r, double *wanted, double *most)
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

/* Meshes are no better than the first ones were, with no digit right, and oscillations want more
 * intervals than there may be even for their phase. */
rg_status rg_run_look_for_waves(rg_bvp_run *r)
{
    double total = 0.0, intervals = 0.0;

    if (!r->f->is_linear || r->best == NULL || r->n_stuck < RG_STOP_EQUAL
        || !(r->best_error * r->control->rtol > RG_REFINE_DECENT))
        return RG_OK;
    double *phase = rg_alloc(r->f->ctx, (size_t)r->N + 1, sizeof *phase);
    if (phase == NULL) return RG_ERR_MEMORY;
    const rg_status status = rg_waves_phase(r->f, r->now, phase);
    for (int64_t i = 0; i < r->N && status == RG_OK; i++)
        total += phase[i];
    const double limit = rg_waves_limit(r->control->stages, total);
    for (int64_t i = 0; i < r->N && status == RG_OK; i++)
        intervals += fmax(phase[i] / limit, 1.0);
    if (intervals > (double)r->control->max_intervals) {
        r->waves.count = total / (2.0 * acos(-1.0));
        r->waves.intervals = intervals;
    }
    rg_free(r->f->ctx, phase);
    return status < 0 ? status : RG_OK;
}

rg_status rg_run_add_waves(rg_bvp_run *r)
{
    double most, *wanted = rg_alloc(r->f->ctx, (size_t)r->N + 1, sizeof *wanted);

    if (wanted == NULL) return RG_ERR_MEMORY;
    const rg_status status = want_for_waves(r, wanted, &most);
    for (int64_t i = 0; i < r->N && status == RG_OK && most > 0.0; i++)
        r->error[i] = fmax(r->error[i], wanted[i]);
    rg_free(r->f->ctx, wanted);
    return status;
}

rg_status rg_run_halve(rg_bvp_run *r)
{
    for (int64_t i = 0; i < r->N; i++)
        r->error[i] = 2.0;
    return rg_run_spread(r, r->error);
}

/* Zero data have a zero solution on every mesh, whether or not there are others: before a solution
 * is accepted, the mesh must follow the free oscillations, and both orders must agree on the
 * conditioning.  RG_OK: they do, or nothing can be done about it; RG_RETRY: the mesh is a finer
 * one now. */
rg_status rg_run_accept(rg_bvp_run *r)
{
    const double low = r->conditioning[0], high = r->conditioning[1], rtol = r->control->rtol;
    const double miss = rg_kinks_miss(&r->kinks, r->now, rtol, r->size);
    double most, total = 0.0;

    r->result->estimate = fmax(r->result->estimate, miss);
    if (!rg_places_agree(&r->places, &r->result->places)
        || !(miss <= rtol)) { /* others than the guess had */
        r->places = r->result->places;
        for (int64_t i = 0; i < r->N; i++)
            r->error[i] = 1.0;
        const rg_status moved = rg_run_spread(r, r->error);
        return moved == RG_OK ? (rg_status)RG_RETRY : moved < 0 ? moved : RG_OK;
    }
    const rg_status rough = rg_run_check_rough(r);
    if (rough != RG_OK) return rough;
    RG_TRY(want_for_waves(r, r->error, &most));
    for (int64_t i = 0; i < r->N; i++)
        total += r->error[i] = fmax(r->error[i], 1.0);
    if (most > 1.0) {
        r->result->is_unresolved = total > (double)r->control->max_intervals;
        if (r->result->is_unresolved) return RG_OK;
        rg_log(r->f->ctx, 2, "collocation: the mesh does not follow the free oscillations");
        r->has_waves = true;
        const rg_status status = rg_run_spread(r, r->error);
        return status == RG_OK ? (rg_status)RG_RETRY : status < 0 ? status : RG_OK;
    }
    const bool agree = fmax(low, high) <= RG_CONDITIONING_AGREE * fmin(low, high)
                       || fmax(low, high) <= RG_CONDITIONING_DOUBT;
    if (rg_run_is_above_limit(r)) return RG_OK;
    if (agree || 2 * r->N > r->control->max_intervals) return rg_run_prove(r);
    rg_log(r->f->ctx, 2, "collocation: the conditioning is not settled");
    const rg_status status = rg_run_halve(r);
    return status == RG_OK ? (rg_status)RG_RETRY : status < 0 ? status : RG_OK;
}
