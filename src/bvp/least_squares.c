/* The rows r(x) of one point (inspection.h) are brought down by Levenberg and Marquardt's method:
 *
 *     (J^T J + mu D) d = -J^T r,   D = diag J^T J,   J and r with rows of size 1
 *
 * where |r| stays away from 0 but J^T r vanishes, no values near by meet all rows, and those
 * with r_i != 0 are in conflict. */
#include "bvp/least_squares.h"

#include "bvp/dense_block.h"
#include "bvp/tuning.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

enum { TRIALS = 7 };

typedef struct {
    int m, nx;
    double *r, *J;     /* rows of size 1; J row by row */
    double *N, *b, *x; /* normal equations; x: to go back to */
    double *w;
    double *weight; /* of rows */
    int *pivot;
} least;

static rg_status take_memory(const rg_inspection *s, least *l)
{
    const size_t nx = (size_t)s->f->nx, n = (size_t)s->f->n;
    const size_t m = (size_t)(s->f->n_invariants + s->c->n_rows);
    double *all =
        rg_alloc(s->f->ctx, m * (nx + 2) + nx * (nx + 2) + n + 1, sizeof *all); /* l->r owns it */

    l->nx = s->f->nx;
    l->r = all;
    l->pivot = rg_alloc(s->f->ctx, nx + 1, sizeof *l->pivot);
    if (all == NULL || l->pivot == NULL) return RG_ERR_MEMORY;
    l->weight = l->r + m;
    l->J = l->weight + m;
    l->N = l->J + m * nx;
    l->b = l->N + nx * nx;
    l->x = l->b + nx;
    l->w = l->x + nx;
    return RG_OK;
}

static void release(rg_context *ctx, least *l)
{
    rg_free(ctx, l->r);
    rg_free(ctx, l->pivot);
}

static double length(int n, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

/* Weights belong to the start, so that steps can be compared. */
static void set_weights(const rg_inspection *s, least *l)
{
    for (int i = 0; i < s->n_rows; i++) {
        double most = 0.0;
        for (int j = 0; j < l->nx; j++)
            most = fmax(most, fabs(s->rows[i * l->nx + j]));
        l->weight[i] = most > 0.0 ? 1.0 / most : 1.0;
    }
}

/* Values at s->x.  RG_RETRY: there are none. */
static rg_status look(rg_inspection *s, least *l, double *size)
{
    RG_TRY(rg_inspection_gather(s));
    l->m = s->n_rows;
    for (int i = 0; i < l->m; i++) {
        l->r[i] = l->weight[i] * s->miss[i];
        for (int j = 0; j < l->nx; j++)
            l->J[i * l->nx + j] = l->weight[i] * s->rows[i * l->nx + j];
    }
    *size = length(l->m, l->r);
    return isfinite(*size) ? RG_OK : (rg_status)RG_RETRY;
}

/* d in l->b; returns |J^T r| / (sqrt(m) |r|): J has rows of size 1 at the start. */
static double find_step(least *l, double mu, double size)
{
    const int nx = l->nx;
    double trace = 0.0;

    for (int j = 0; j < nx; j++) {
        l->b[j] = 0.0;
        for (int i = 0; i < l->m; i++)
            l->b[j] -= l->J[i * nx + j] * l->r[i];
        for (int k = 0; k < nx; k++) {
            double sum = 0.0;
            for (int i = 0; i < l->m; i++)
                sum += l->J[i * nx + j] * l->J[i * nx + k];
            l->N[k * nx + j] = sum;
        }
        trace += l->N[j * nx + j];
    }
    const double slope = length(nx, l->b) / (sqrt((double)l->m) * size + 1e-300);
    for (int j = 0; j < nx; j++)
        l->N[j * nx + j] += mu * (l->N[j * nx + j] + DBL_EPSILON * trace);
    if (rg_block_factor(nx, l->N, l->pivot))
        rg_block_solve(nx, l->N, l->pivot, 1, l->b);
    else
        memset(l->b, 0, (size_t)nx * sizeof *l->b);
    return slope;
}

/* From s->x downhill.  RG_RETRY: cannot be evaluated.  *is_met: all rows hold; *is_stuck: they
 * do not, and nothing near by is better. */
static rg_status descend(rg_inspection *s, least *l, bool *is_met, bool *is_stuck)
{
    const size_t nx = (size_t)l->nx, n = (size_t)s->f->n;
    double size, next, mu = RG_MARQUARDT_LAMBDA_FIRST;

    *is_met = *is_stuck = false;
    RG_TRY(rg_inspection_gather(s));
    set_weights(s, l);
    RG_TRY(look(s, l, &size));
    *is_met = l->m == 0;
    for (int pass = 0; pass < RG_LEAST_SQUARES_STEPS && !*is_met; pass++) {
        memcpy(l->x, s->x, nx * sizeof *l->x);
        memcpy(l->w, s->w, n * sizeof *l->w);
        *is_stuck = find_step(l, mu, size) < RG_LEAST_SQUARES_STATIONARY;
        if (*is_stuck) break;
        for (int j = 0; j < l->nx; j++)
            s->x[j] += l->b[j];
        const rg_status status = look(s, l, &next);
        if (status < 0) return status;
        if (status == RG_OK && next < size) {
            size = next;
            mu = fmax(mu / RG_LEAST_SQUARES_FACTOR, RG_MARQUARDT_LAMBDA_LEAST);
        } else {
            memcpy(s->x, l->x, nx * sizeof *l->x);
            memcpy(s->w, l->w, n * sizeof *l->w);
            RG_TRY(look(s, l, &size));
            if ((mu *= RG_LEAST_SQUARES_FACTOR) > RG_MARQUARDT_LAMBDA_MOST) break;
        }
        *is_met = true;
        for (int i = 0; i < l->m; i++)
            *is_met = *is_met && rg_inspection_holds(s, i);
    }
    return RG_OK;
}

/* One search from a guess that is moved.  Which conditions belong to the point is seen where no
 * zeros are accidental. */
static rg_status descend_from(rg_inspection *s, least *l, const rg_profile *guess, int trial,
                              bool *is_met, bool *is_stuck)
{
    static const double factor[TRIALS] = {0.0, 0.07, 0.5, 0.5, 2.0, 2.0, 10.0};

    RG_TRY(rg_inspection_start(s, guess, s->k, RG_INSPECTION_MOVE, 0));
    RG_TRY(rg_inspection_gather(s));
    RG_TRY(rg_inspection_start(s, guess, s->k, factor[trial], trial));
    s->is_fresh = false;
    return descend(s, l, is_met, is_stuck);
}

/* *is_stuck: no search found values that meet all rows, and one at least ended where nothing near
 * by is better; l holds the rows of the last such one.  What is still on its way at the end
 * tells nothing. */
static rg_status search(rg_inspection *s, least *l, const rg_profile *guess, bool *is_stuck)
{
    bool is_met;
    int stuck = -1;

    *is_stuck = false;
    for (int trial = 0; trial < TRIALS; trial++) {
        const rg_status status = descend_from(s, l, guess, trial, &is_met, is_stuck);
        if (status < 0) return status;
        if (status == RG_OK && is_met) return RG_OK;
        if (status == RG_OK && *is_stuck) stuck = trial;
    }
    *is_stuck = stuck >= 0;
    return stuck >= 0 ? descend_from(s, l, guess, stuck, &is_met, is_stuck) : RG_OK;
}

rg_status rg_bvp_least_squares(rg_inspection *s, const rg_profile *guess, bool *is_possible)
{
    least l = {0};
    bool is_stuck = true;

    *is_possible = false;
    if (s->f->nx > RG_LEAST_SQUARES_STATES) return RG_OK;
    rg_status status = take_memory(s, &l);
    if (status == RG_OK) status = search(s, &l, guess, &is_stuck);
    *is_possible = status == RG_OK && !is_stuck;
    release(s->f->ctx, &l);
    return status < 0 ? status : RG_OK;
}

static rg_status fail_impossible(const rg_inspection *s, const least *l)
{
    char name[160], text[400] = "", t[32];
    rg_context *ctx = s->f->ctx;
    double most = 0.0;
    int last = -1, used = 0;

    for (int i = 0; i < l->m; i++)
        most = fmax(most, fabs(l->r[i]));
    for (int i = 0; i < l->m; i++) {
        if (!(fabs(l->r[i]) > RG_LEAST_SQUARES_CONFLICT * most)) continue;
        rg_inspection_name(s, i, name, sizeof name);
        if (used < (int)sizeof text)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%s", used > 0 ? "; " : "",
                             name);
        if (s->row[i] >= 0) last = i;
    }
    rg_clear_error(ctx);
    rg_fail(ctx, RG_ERR_INCONSISTENT,
            "no values near the guess meet the conditions and constraints at %s = %s: %s",
            rg_problem_time_name(s->p), rg_real_text(s->t, t), text);
    rg_span span;
    if (last >= 0 && rg_bvp_condition_span(s->c, s->row[last], &span))
        rg_fail_at(ctx, s->p->source, span);
    return rg_remedy(ctx, "change one of them, or give a guess close to values that meet them");
}

rg_status rg_bvp_conditions_blame(rg_problem *p, rg_bvp_form *f, rg_bvp_conditions *c,
                                  const rg_profile *guess)
{
    rg_inspection s;
    least l = {0};
    rg_status status = f->nx <= RG_LEAST_SQUARES_STATES ? rg_inspection_init(p, f, c, &s) : RG_OK;

    if (f->nx > RG_LEAST_SQUARES_STATES) return RG_OK;
    if (status == RG_OK) status = take_memory(&s, &l);
    for (int k = 0; k < c->n_points && status == RG_OK; k++) {
        bool is_stuck = false;
        s.k = k;
        status = search(&s, &l, guess, &is_stuck);
        if (status == RG_OK && is_stuck) status = fail_impossible(&s, &l);
        if (status > 0) status = RG_OK;
    }
    release(f->ctx, &l);
    rg_inspection_clear(&s);
    return status;
}
