/* The collocation solution between mesh points. */
#include "bvp/collocation/dense.h"

#include "linalg/powers.h"
#include "newton/project.h"
#include "views/breaks.h"

#include <math.h>
#include <string.h>

static void choose_points(rg_collocation_dense *d)
{
    const rg_rule *r = &d->it->rule;
    int n = 0;

    if (r->c[0] > 0.0) {
        d->v[n] = 0.0;
        d->stage[n++] = -1;
    }
    for (int j = 0; j < r->s; j++) {
        d->v[n] = r->c[j];
        d->stage[n++] = j;
    }
    if (r->c[r->s - 1] < 1.0) {
        d->v[n] = 1.0;
        d->stage[n++] = -2;
    }
    d->n_points = n;
    for (int j = 0; j < n; j++)
        rg_powers_lagrange(n, d->v, j, d->power[j]);
}

/* w at the end of interval i that is mesh point q: interpolated, then made exact.  Where that
 * fails, at a singular point say, the interpolated value stays.  Where w may jump, the branch of
 * the interval is taken: just inside. */
static rg_status solve_w(rg_collocation_dense *d, rg_bvp_form *f, int64_t i, int64_t q, double *w,
                         double *work, int *pivot)
{
    const rg_curve *it = d->it;
    double *x = work + rg_bvp_form_work(f), *xp = x + f->nx, t = it->t[q];

    if (it->is_kink != NULL && it->is_kink[q])
        t += copysign(
            fmin(2.0 * rg_breaks_gap(it->t[0], it->t[it->N]), 0.5 * fabs(it->t[i + 1] - it->t[i])),
            it->t[i == q ? i + 1 : i] - it->t[q]);
    rg_curve_eval(it, i, t, x, xp, w);
    const rg_status status = rg_bvp_form_solve(f, t, d->x + q * it->nx, w, work, pivot);
    if (status == (rg_status)RG_RETRY) rg_curve_eval(it, i, t, x, xp, w);
    return status < 0 ? status : RG_OK;
}

/* From the interval before, after at the start; where it jumps, from both. */
static rg_status mesh_values(rg_collocation_dense *d, rg_bvp_form *f)
{
    const rg_curve *it = d->it;
    double *work = rg_alloc(d->ctx, rg_bvp_form_work(f) + 2 * (size_t)f->nx + 1, sizeof *work);
    int *pivot = rg_alloc(d->ctx, (size_t)f->n + 1, sizeof *pivot);
    rg_status status = work != NULL && pivot != NULL ? RG_OK : RG_ERR_MEMORY;

    for (int64_t q = 0; q <= it->N && status == RG_OK; q++) {
        double *w = d->w + 2 * q * it->n, *after = w + it->n;
        status = solve_w(d, f, q > 0 ? q - 1 : 0, q, w, work, pivot);
        if (status == RG_OK && q < it->N && it->is_kink != NULL && it->is_kink[q])
            status = solve_w(d, f, q, q, after, work, pivot);
        else
            memcpy(after, w, (size_t)it->n * sizeof *w);
    }
    rg_free(d->ctx, work);
    rg_free(d->ctx, pivot);
    return status;
}

/* Moves x onto the invariants, state by state relative to its largest value. */
static rg_status project(rg_collocation_dense *d, rg_bvp_form *f)
{
    const int nx = f->nx;
    rg_projector *projector = NULL;
    double *z = rg_alloc(d->ctx, (size_t)(f->nz + nx) + 1, sizeof *z);

    if (z == NULL) return RG_ERR_MEMORY;
    double *weight = z + f->nz;
    rg_status status = rg_projector_create(d->ctx, f->invariants.assembly, &projector);
    for (int k = 0; k < nx && status == RG_OK; k++) {
        weight[k] = 0.0;
        for (int64_t q = 0; q <= d->it->N; q++)
            weight[k] = fmax(weight[k], fabs(d->x[q * nx + k]));
        if (weight[k] == 0.0) weight[k] = 1.0;
    }
    for (int64_t q = 0; q <= d->it->N && status == RG_OK; q++) {
        memcpy(z, d->x + q * nx, (size_t)nx * sizeof *z);
        memset(z + nx, 0, (size_t)f->n * sizeof *z);
        status = rg_projector_run(projector, d->it->t[q], weight, nx, z);
        if (status == RG_OK) memcpy(d->x + q * nx, z, (size_t)nx * sizeof *z);
        if (status > 0) status = RG_OK; /* stays where it is; the drift tells */
    }
    rg_projector_destroy(&projector);
    rg_free(d->ctx, z);
    return status;
}

rg_status rg_collocation_dense_create(rg_bvp_form *f, const rg_curve *it, bool for_output,
                                      rg_collocation_dense **out)
{
    rg_collocation_dense *d = rg_alloc(it->ctx, 1, sizeof *d);
    const size_t points = (size_t)it->N + 1;
    rg_status status = RG_ERR_MEMORY;

    *out = NULL;
    if (d == NULL) return RG_ERR_MEMORY;
    d->ctx = it->ctx;
    d->it = it;
    choose_points(d);
    d->x = rg_alloc(d->ctx, points * (size_t)it->nx + 1, sizeof *d->x);
    d->w = rg_alloc(d->ctx, 2 * points * (size_t)it->n + 1, sizeof *d->w);
    if (d->x != NULL && d->w != NULL) {
        memcpy(d->x, it->x, points * (size_t)it->nx * sizeof *d->x);
        status = for_output && f->n_invariants > 0 && f->combinations == NULL && f->array == NULL
                     ? project(d, f)
                     : RG_OK;
    }
    if (status == RG_OK && (for_output || f->n_algebraic > 0)) status = mesh_values(d, f);
    if (status == RG_OK)
        *out = d;
    else
        rg_collocation_dense_destroy(&d);
    return status;
}

void rg_collocation_dense_destroy(rg_collocation_dense **dense)
{
    rg_collocation_dense *d = *dense;

    if (d == NULL) return;
    rg_free(d->ctx, d->x);
    rg_free(d->ctx, d->w);
    rg_free(d->ctx, d);
    *dense = NULL;
}

int rg_collocation_dense_degree(const rg_collocation_dense *d)
{
    const int s = d->it->rule.s;
    return d->n_points - 1 > s ? d->n_points - 1 : s;
}

static const double *point_w(const rg_collocation_dense *d, int64_t i, int j)
{
    if (d->stage[j] == -1) return d->w + (2 * i + 1) * d->it->n;
    if (d->stage[j] == -2) return d->w + 2 * (i + 1) * d->it->n;
    return rg_curve_w(d->it, i, d->stage[j]);
}

void rg_collocation_dense_weigh(const rg_collocation_dense *d, double v,
                                rg_collocation_dense_weights *out)
{
    const rg_rule *rule = &d->it->rule;

    out->v = v;
    rg_rule_integral(rule, v, out->slope);
    for (int j = 0; j < rule->s; j++)
        out->slope[j] -= v * rule->b[j];
    for (int j = 0; j < d->n_points; j++) {
        double l = 0.0;
        for (int k = d->n_points - 1; k >= 0; k--)
            l = l * v + d->power[j][k];
        out->point[j] = l;
    }
}

void rg_collocation_dense_states(const rg_collocation_dense *d, int64_t i,
                                 const rg_collocation_dense_weights *at, double *x)
{
    const rg_curve *it = d->it;
    const int nx = it->nx, s = it->rule.s;
    const double h = it->t[i + 1] - it->t[i], *left = d->x + i * nx, *Xp = rg_curve_slope(it, i, 0);

    for (int k = 0; k < nx; k++) {
        double sum = 0.0;
        for (int j = 0; j < s; j++)
            sum += at->slope[j] * Xp[j * nx + k];
        x[k] = (1.0 - at->v) * left[k] + at->v * left[nx + k] + h * sum;
    }
}

double rg_collocation_dense_unknown(const rg_collocation_dense *d, int64_t i,
                                    const rg_collocation_dense_weights *at, int k)
{
    double sum = 0.0;

    for (int j = 0; j < d->n_points; j++)
        sum += at->point[j] * point_w(d, i, j)[k];
    return sum;
}

void rg_collocation_dense_powers(const rg_collocation_dense *d, const rg_bvp_form *f, int64_t i,
                                 double *a)
{
    const rg_curve *it = d->it;
    const double h = it->t[i + 1] - it->t[i];
    const int64_t n = f->states.n_states;

    memset(a, 0, (size_t)((rg_collocation_dense_degree(d) + 1) * n) * sizeof *a);
    for (int k = 0; k < f->nx; k++) {
        const int32_t state = f->states.column[f->order[k]][f->unknown[k]];
        const int64_t left = i * it->nx + k, right = left + it->nx;
        a[state] = d->x[left];
        a[n + state] = d->x[right] - d->x[left] - rg_curve_growth(it, i, k);
        for (int j = 0; j < it->rule.s; j++)
            for (int m = 1; m <= it->rule.s; m++)
                a[m * n + state] += h * it->rule.power[j][m] * rg_curve_slope(it, i, j)[k];
    }
    for (int k = 0; k < f->n; k++) {
        if (f->d[k] > 0) continue;
        for (int j = 0; j < d->n_points; j++)
            for (int m = 0; m < d->n_points; m++)
                a[m * n + k] += d->power[j][m] * point_w(d, i, j)[k];
    }
}
