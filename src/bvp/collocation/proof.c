/* Is a solution determined by its equations?  At a turning point they may leave a part of it to
 * what layers hide from them (eps y'' = t y' - y on [-1, 1]: any multiple of t, up to
 * exp(-1/(2 eps))).
 *
 * On intervals that are long beside the layers which the equations allow, Gauss points neither damp
 * nor enlarge (|R(infinity)| = 1): the ends seem to determine everything.  So rounding is looked at
 * on a mesh with points in all layers, whether the solution has them or not, and with as many
 * stages as there are; modes fall by more than 1e20 there.  Where rounding in the equations changes
 * more than the tolerance, the solution is refused.  Where the matrix is as good as singular, some
 * part of what Newton's method finds is what it started from: the solution must be found again on
 * that mesh from a little away.
 *
 * Most solutions show no doubt at all, and a mesh with fewer points in the layers says so: modes
 * fall by 10^-14.4 at least with 8 stages and lengths that are doubled (the product of |R(z)| over
 * z = z_0 2^k), so that rounding in the factors would change the solution by 2^-53 10^14.4 = 0.03.
 * The finer mesh decides where it does. */
#include "bvp/collocation/run.h"

#include "bvp/collocation/tuning.h"
#include "curve/mesh.h"
#include "newton/tuning.h"
#include "solution/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_curve *it;
    double factor;
} moved_iterate;

static rg_status moved_profile(void *user, double t, double *x, double *xp, double *w)
{
    const moved_iterate *m = user;

    RG_TRY(rg_profile_of_curve(m->it, t, x, xp, w));
    for (int k = 0; k < m->it->nx; k++) {
        x[k] *= m->factor;
        xp[k] *= m->factor;
    }
    for (int k = 0; k < m->it->n; k++)
        w[k] *= m->factor;
    return RG_OK;
}

/* The mesh with all layers.  *is_coarse: the one in use does not resolve them. */
static rg_status add_layers(const rg_bvp_run *r, double ramp, int64_t *N, double **t,
                            bool *is_coarse)
{
    const rg_profile now = {rg_profile_of_curve, r->now};

    *is_coarse = false;
    *N = r->N;
    *t = rg_alloc(r->f->ctx, (size_t)*N + 1, sizeof **t);
    if (*t == NULL) return RG_ERR_MEMORY;
    memcpy(*t, r->t, (size_t)(*N + 1) * sizeof **t);
    if (r->places.n == 0) RG_TRY(rg_run_grade(r, &now, N, t, is_coarse));
    return *is_coarse ? rg_mesh_grade(r->f->ctx, ramp, N, t) : RG_OK;
}

static rg_status halve(const rg_bvp_run *r, int64_t *N, double **t)
{
    *N = 2 * r->N;
    *t = rg_alloc(r->f->ctx, (size_t)*N + 1, sizeof **t);
    if (*t == NULL) return RG_ERR_MEMORY;
    (*t)[0] = r->t[0];
    for (int64_t i = 0; i < r->N; i++) {
        (*t)[2 * i + 1] = 0.5 * (r->t[i] + r->t[i + 1]);
        (*t)[2 * i + 2] = r->t[i + 1];
    }
    return RG_OK;
}

/* A curve with that mesh, not filled; the mesh is freed. */
static rg_status make_curve(const rg_bvp_run *r, const rg_rule *rule, int64_t N, double **t,
                            rg_curve **out)
{
    const rg_status status = rg_curve_create(r->f->ctx, rule, r->f->n, r->f->nx, N, *t,
                                             r->c->n_points, r->c->point, out);

    rg_free(r->f->ctx, *t);
    *t = NULL;
    return status;
}

/* Largest difference of the unknowns at the mesh points of the solution, in tolerances. */
static rg_status compare(const rg_bvp_run *r, const rg_curve *again, double *worst)
{
    const rg_curve *now = r->now;
    double *x = rg_alloc(r->f->ctx, (size_t)(2 * now->nx + now->n) + 1, sizeof *x);

    *worst = 0.0;
    if (x == NULL) return RG_ERR_MEMORY;
    for (int64_t q = 0; q <= now->N; q++) {
        rg_curve_eval(again, rg_curve_find(again, now->t[q]), now->t[q], x, x + now->nx,
                      x + 2 * now->nx);
        for (int k = 0; k < now->nx; k++) {
            const double y = now->x[q * now->nx + k];
            const double size = fmax(fabs(y), r->size[k]);
            const double e = fabs(y - x[k]) / (r->control->atol + r->control->rtol * size);
            if (r->f->order[k] == 0 && !(e <= *worst)) *worst = e;
        }
    }
    rg_free(r->f->ctx, x);
    return RG_OK;
}

/* The solution from `part` away, on the mesh of `it`.  RG_RETRY: none is found. */
static rg_status find_again(rg_bvp_run *r, double part, rg_curve *it, double *worst)
{
    moved_iterate start = {r->now, 1.0 + part};
    const rg_profile from = {moved_profile, &start};
    rg_newton_outcome outcome = {0};

    r->newton.is_regular = false; /* that is the question */
    RG_TRY(rg_profile_fill(it, r->f, &from));
    RG_TRY(rg_collocate(r->f, r->c, &r->newton, it, &r->result->stats, &outcome));
    return compare(r, it, worst);
}

/* Too far away is no proof: from nearer then, as long as the tolerance sees it. */
static rg_status prove_again(rg_bvp_run *r, rg_curve *it)
{
    const double first = fmax(RG_PROOF_MOVED, RG_PROOF_NEAREST * r->control->rtol);
    double worst = INFINITY;
    rg_status status = RG_RETRY;

    for (double part = first;
         part >= RG_PROOF_NEAREST * r->control->rtol && status == (rg_status)RG_RETRY;
         part *= RG_PROOF_NEARER)
        status = find_again(r, part, it, &worst);
    if (status < 0) return status;
    rg_log(r->f->ctx, 2, "collocation: found again with %lld intervals, %.2g tolerances away",
           (long long)it->N, worst);
    return worst <= RG_PROOF_SAME ? RG_OK : rg_run_fail_proof(r);
}

bool rg_run_is_undetermined(const rg_bvp_run *r)
{
    return r->noise
           > fmax(fmin(r->control->rtol, RG_NEWTON_ROUNDING_MOST), RG_CONDITIONING_LIMIT * 0x1p-53);
}

bool rg_run_is_rounding(const rg_bvp_run *r)
{
    const double rtol = r->control->rtol, worst = r->result->error;

    return r->rounding > rtol && !(r->conditioning[0] > RG_CONDITIONING_LIMIT)
           && (!isfinite(worst) || worst * rtol <= RG_NEWTON_NOISE * r->rounding);
}

static bool is_doubtful(const rg_bvp_run *r)
{
    return rg_run_amplification(r) > RG_CONDITIONING_LIMIT || r->doubt > RG_PROOF_DOUBT;
}

/* Where the mesh in use does not resolve all layers: what rounding does on one that does.  *it:
 * the curve on it, or NULL. */
static rg_status look(rg_bvp_run *r, double ramp, rg_curve **it)
{
    const rg_profile now = {rg_profile_of_curve, r->now};
    rg_newton_outcome outcome = {0};
    double *t = NULL;
    int64_t N;
    bool is_coarse;
    rg_rule rule;

    rg_status status = add_layers(r, ramp, &N, &t, &is_coarse);
    if (status != RG_OK || !is_coarse) {
        rg_free(r->f->ctx, t);
        return status;
    }
    rg_rule_init(RG_RULE_GAUSS, RG_RULE_MOST, &rule);
    RG_TRY(make_curve(r, &rule, N, &t, it));
    RG_TRY(rg_profile_fill(*it, r->f, &now));
    status = rg_collocate_noise(r->f, r->c, &r->newton, *it, &r->result->stats, &outcome);
    rg_log(r->f->ctx, 2, "collocation: %lld intervals with all layers: rounding %.2g, %.2g",
           (long long)(*it)->N, outcome.noise, outcome.doubt);
    if (outcome.noise > r->noise) r->noise = outcome.noise;
    r->doubt = outcome.doubt;
    return status;
}

/* On the mesh with all layers, or where the one in use resolves them on that of half the size. */
static rg_status prove_doubtful(rg_bvp_run *r, rg_curve **it)
{
    double *t = NULL;
    int64_t N;

    if (*it == NULL) {
        RG_TRY(halve(r, &N, &t));
        RG_TRY(make_curve(r, &r->low, N, &t, it));
    }
    return prove_again(r, *it);
}

rg_status rg_run_prove(rg_bvp_run *r)
{
    const double noise = r->noise;
    rg_curve *it = NULL;
    rg_status status = rg_run_check_sides(r);

    if (status != RG_OK) r->result->estimate = NAN; /* of one of many solutions */
    if (status == RG_OK) status = look(r, RG_PROOF_FIRST_RAMP, &it);

    if (status == RG_OK && (rg_run_is_undetermined(r) || is_doubtful(r))) {
        r->noise = noise;
        rg_curve_destroy(&it);
        status = look(r, RG_PROOF_RAMP, &it);
        if (status == RG_OK && rg_run_is_undetermined(r)) {
            status = rg_run_fail_proof(r);
            r->result->estimate = NAN; /* what rounding has chosen */
        }
        if (status == RG_OK && is_doubtful(r)) status = prove_doubtful(r, &it);
    }
    rg_curve_destroy(&it);
    return status;
}
