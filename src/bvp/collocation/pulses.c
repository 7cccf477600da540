/* Forces of time that fall between all collocation points.
 *
 * A smooth pulse of exp(-((t - c)/w)^2) that is much shorter than the intervals is seen by neither
 * of the two rules that the error estimate compares: both find the solution without it.  So
 * before a solution is accepted the equations are looked at in many equal places.  With the
 * solution and its highest derivatives w put in, they have the residual F.  Over the distance to
 * the next sample that makes  |dw| dt  of the states below w,
 *
 *     (F_w +- dt F_x) dw = F      F_x: by these states,
 *
 * what decays much faster, forwards or backwards, included: the smaller one of both counts.  Where
 * it is more than the tolerance allows, the mesh gets points.
 *
 * Only functions of time can be such forces, and only in intervals that are long beside what these
 * do (views/resolved.h): most equations are looked at nowhere.  Between its stages every solution
 * misses the equations by something, about  K prod (v - c_j)  at the part v of an interval: K is
 * the median over its samples, and a force is what stands out against that.  Intervals with few
 * samples have stages that are as close. */
#include "bvp/collocation/run.h"

#include "bvp/collocation/tuning.h"
#include "bvp/dense_block.h"
#include "views/resolved.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    rg_bvp_run *r;
    const bool *is_resolved; /* per interval: nothing short can be there */
    double dt;               /* between samples, with the sign of the interval */
    double *x, *w, *F;       /* at a sample */
    double *Fx, *S[2];       /* of the interval `factored`: factors of F_w +- dt F_x */
    double *off;             /* n: dw */
    int64_t factored;        /* -1: none; -2 - i: those of i cannot be had */
    int *pivot[2];
    double *miss;  /* per sample, in units of the tolerance */
    double *usual; /* per sample: what is nothing unusual in its interval */
} look;

static bool take_factors(look *k, int64_t i)
{
    rg_bvp_form *f = k->r->f;
    const double *t = k->r->t, middle = t[i] + 0.5 * (t[i + 1] - t[i]);
    const size_t n = (size_t)f->n;

    if (k->factored == i || k->factored == -2 - i) return k->factored == i;
    k->factored = -2 - i;
    rg_curve_eval(k->r->now, i, middle, k->x, NULL, k->w);
    if (rg_bvp_form_jacobian(f, middle, k->x, k->w, k->F, k->Fx, k->S[0]) != RG_OK) return false;
    memcpy(k->S[1], k->S[0], n * n * sizeof *k->S[1]);
    for (int j = 0; j < f->n; j++) {
        if (f->d[j] == 0) continue;
        const double *below = k->Fx + (size_t)(f->first[j] + f->d[j] - 1) * n;
        for (size_t row = 0; row < n; row++) {
            k->S[0][(size_t)j * n + row] += k->dt * below[row];
            k->S[1][(size_t)j * n + row] -= k->dt * below[row];
        }
    }
    if (!rg_block_factor(f->n, k->S[0], k->pivot[0])
        || !rg_block_factor(f->n, k->S[1], k->pivot[1]))
        return false;
    k->factored = i;
    return true;
}

/* |dw| dt of the states, in units of the tolerance.  Algebraic unknowns make nothing of their own;
 * between stages they are less accurate than states: a pulse is what stands out. */
static double weigh(const look *k, const double *off)
{
    const rg_bvp_run *r = k->r;
    const rg_bvp_form *f = r->f;
    const double rtol = r->control->rtol, clear = sqrt(rtol) / RG_PULSE_SEEN;
    double most = 0.0;

    for (int j = 0; j < f->n; j++) {
        const double known = f->d[j] > 0 ? r->size[f->first[j] + f->d[j] - 1] : r->size[f->nx + j];
        const double size = fmax(known, sqrt(DBL_MIN)); /* of what has none */
        const double part = f->d[j] > 0 ? fabs(off[j] * k->dt) / (r->control->atol + rtol * size)
                                        : fabs(off[j]) / (r->control->atol + clear * size);
        if (part > 0.0) most = fmax(most, fmin(part, DBL_MAX));
    }
    return most;
}

/* How much of the tolerance the equations miss by at t in interval i.  0 where it is not known. */
static rg_status measure(look *k, int64_t i, double t, double *miss)
{
    const rg_bvp_run *r = k->r;
    rg_bvp_form *f = r->f;
    const double h = fabs(r->t[i + 1] - r->t[i]);

    *miss = 0.0;
    if (h < RG_PULSE_INTERVAL * fabs(k->dt) || !take_factors(k, i)) return RG_OK;
    rg_curve_eval(r->now, i, t, k->x, NULL, k->w);
    const rg_status status = rg_bvp_form_residual(f, t, k->x, k->w, k->F);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    memcpy(k->off, k->F, (size_t)f->n * sizeof *k->off);
    rg_block_solve(f->n, k->S[0], k->pivot[0], 1, k->off);
    *miss = weigh(k, k->off);
    if (!(*miss > RG_PULSE_SEEN)) return RG_OK;
    rg_block_solve(f->n, k->S[1], k->pivot[1], 1, k->F);
    *miss = fmin(*miss, weigh(k, k->F));
    return RG_OK;
}

/* Is sample s the highest one of a pulse? */
static bool is_highest(const look *k, int64_t s)
{
    const double *miss = k->miss + s;

    return *miss > RG_PULSE_SEEN && *miss > RG_PULSE_OUTLIER * k->usual[s]
           && (s == 0 || miss[-1] <= *miss) && (s + 1 == RG_PULSE_SAMPLES || miss[1] < *miss);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* What samples from `first` to `last` - 1, those of interval i, miss by at most where nothing is
 * wrong. */
static double find_usual(look *k, int64_t i, int64_t first, int64_t last)
{
    const rg_bvp_run *r = k->r;
    const rg_rule *rule = &r->low;
    double *ratio = k->usual + first, most = 0.0;

    if (last - first < RG_PULSE_INTERVAL) return INFINITY;
    for (int64_t s = first; s < last; s++) {
        const double t = r->t[0] + k->dt * ((double)s + 0.5);
        const double v = (t - r->t[i]) / (r->t[i + 1] - r->t[i]);
        double product = 1.0;
        for (int j = 0; j < rule->s; j++)
            product *= fabs(v - rule->c[j]);
        most = fmax(most, product);
        ratio[s - first] = product > 0.0 ? k->miss[s] / product : 0.0;
    }
    qsort(ratio, (size_t)(last - first), sizeof *ratio, compare);
    return ratio[(last - first) / 2] * most;
}

static rg_status look_around(look *k, int64_t *n_found)
{
    const rg_bvp_run *r = k->r;
    int64_t first = 0;

    *n_found = 0;
    for (int64_t i = 0; i < r->N; i++) {
        int64_t s = first;
        for (; s < RG_PULSE_SAMPLES; s++) {
            const double t = r->t[0] + k->dt * ((double)s + 0.5);
            if (i + 1 < r->N && (t - r->t[i + 1]) * k->dt > 0.0) break;
            if (!k->is_resolved[i]) RG_TRY(measure(k, i, t, &k->miss[s]));
        }
        const double usual = k->is_resolved[i] ? INFINITY : find_usual(k, i, first, s);
        for (; first < s; first++)
            k->usual[first] = usual;
    }
    for (int64_t s = 0; s < RG_PULSE_SAMPLES; s++)
        *n_found += is_highest(k, s);
    return RG_OK;
}

/* The mesh with the samples that are highest, and the samples beside them. */
static rg_status add_points(const look *k, int64_t n_found, int64_t *N, double **out)
{
    const rg_bvp_run *r = k->r;
    double *t = rg_alloc(r->f->ctx, (size_t)(r->N + 1 + 3 * n_found), sizeof *t);
    int64_t n = 0, i = 0;

    if (t == NULL) return RG_ERR_MEMORY;
    t[n++] = r->t[i++];
    for (int64_t s = 0; s < RG_PULSE_SAMPLES; s++) {
        if (!is_highest(k, s)) continue;
        for (int q = -1; q <= 1; q++) {
            const double at = r->t[0] + k->dt * ((double)(s + q) + 0.5);
            const double near = RG_PULSE_NEAR * fabs(k->dt);
            while (i <= r->N && (r->t[i] - at) * k->dt <= 0.0)
                t[n++] = r->t[i++];
            if (fabs(at - t[n - 1]) > near && i <= r->N && fabs(r->t[i] - at) > near
                && (at - t[n - 1]) * k->dt > 0.0)
                t[n++] = at;
        }
    }
    while (i <= r->N)
        t[n++] = r->t[i++];
    *N = n - 1;
    *out = t;
    return RG_OK;
}

static rg_status find(look *k)
{
    rg_bvp_run *r = k->r;
    int64_t n_found, N;
    double *t = NULL;

    RG_TRY(look_around(k, &n_found));
    if (n_found == 0) return RG_OK;
    RG_TRY(add_points(k, n_found, &N, &t));
    rg_log(r->f->ctx, 2, "collocation: %lld places between the stages where the equations miss",
           (long long)n_found);
    rg_run_forget(r);
    r->keeps = true;
    r->n_pulses++;
    RG_TRY(rg_run_take_mesh(r, N, &t));
    return (rg_status)RG_RETRY;
}

static rg_status find_in(rg_bvp_run *r, const bool *is_resolved)
{
    rg_bvp_form *f = r->f;
    const size_t n = (size_t)f->n, nx = (size_t)f->nx;

    look k = {.r = r,
              .is_resolved = is_resolved,
              .dt = (r->t[r->N] - r->t[0]) / RG_PULSE_SAMPLES,
              .factored = -1};
    k.x = rg_alloc(f->ctx, nx + 3 * n + n * nx + 2 * n * n + 2 * RG_PULSE_SAMPLES + 1, sizeof *k.x);
    k.pivot[0] = rg_alloc(f->ctx, 2 * n + 1, sizeof *k.pivot[0]);
    rg_status status = k.x != NULL && k.pivot[0] != NULL ? RG_OK : RG_ERR_MEMORY;
    if (status == RG_OK) {
        k.w = k.x + nx;
        k.F = k.w + n;
        k.off = k.F + n;
        k.Fx = k.off + n;
        k.S[0] = k.Fx + n * nx;
        k.S[1] = k.S[0] + n * n;
        k.miss = k.S[1] + n * n;
        k.usual = k.miss + RG_PULSE_SAMPLES;
        k.pivot[1] = k.pivot[0] + n;
        status = find(&k);
    }
    rg_free(f->ctx, k.x);
    rg_free(f->ctx, k.pivot[0]);
    return status;
}

/* The intervals in which functions of time can be much shorter than the interval; *n of them. */
static rg_status mark(const rg_bvp_run *r, bool *is_resolved, int64_t *n)
{
    rg_resolved *resolved = NULL;

    *n = 0;
    RG_TRY(rg_resolved_create(r->f->p, &resolved));
    for (int64_t i = 0; i < r->N; i++) {
        is_resolved[i] = rg_resolved_between(resolved, r->t[i], r->t[i + 1]);
        *n += !is_resolved[i];
    }
    rg_resolved_destroy(&resolved);
    return RG_OK;
}

rg_status rg_run_find_pulses(rg_bvp_run *r)
{
    rg_bvp_form *f = r->f;
    int64_t n_open = 0;

    if (f->n > RG_PULSE_UNKNOWNS || r->n_pulses >= RG_PULSE_MESHES || f->is_large) return RG_OK;
    bool *is_resolved = rg_alloc(f->ctx, (size_t)r->N + 1, sizeof *is_resolved);
    rg_status status = is_resolved == NULL ? RG_ERR_MEMORY : mark(r, is_resolved, &n_open);
    if (status == RG_OK && n_open > 0) status = find_in(r, is_resolved);
    rg_free(f->ctx, is_resolved);
    return status;
}
