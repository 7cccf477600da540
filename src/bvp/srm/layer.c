/* The initial layer of a boundary value problem, and how it is removed.
 *
 * L Theorem 3.1: with y_0(0) != y(0) the iterates x_s, By_s have errors O(eps p_s e^(-t/eps)),
 * O(p_s e^(-t/eps)) at the start.  x_s(0) itself is accurate, O(eps^s) (observed), so that the
 * constraints give By(0) just as well; L section 4.1 knows only the way back from the other end. */
#include "bvp/srm/sweep.h"

#include "bvp/srm/tuning.h"
#include "linalg/dense.h"
#include "linalg/rank.h"
#include "linalg/small_lu.h"
#include "linalg/tuning.h"

#include <math.h>
#include <string.h>

double rg_bvp_srm_layer_width(const rg_bvp_srm_field *f, int n_iterations)
{
    return (25.0 + 2.5 * n_iterations) * f->eps / f->rate;
}

/* ---- continuation by a polynomial ------------------------------------------------------------ */

typedef struct {
    rg_bvp_srm_sweep *s;
    const double *value; /* n_c: at the start */
    double width, reach; /* behind the layer; up to here the computed values are used */
    int degree;
    int64_t n_points, stride, first; /* collocation points from `first` on, every stride-th */
    double least, size;              /* the miss of the best fit; largest value that is fitted */
    double *A, *b, *q, *work;
    rg_qr *qr;
} fit;

static double distance(const rg_curve *it, int64_t point)
{
    const int s = it->rule.s;
    const int64_t i = point / s;

    return fabs(it->t[i] + it->rule.c[point % s] * (it->t[i + 1] - it->t[i]) - it->t[0]);
}

/* u T_k(2u - 1), k = 0 .. degree - 1, u = (t - t_0)/reach: polynomials that vanish at the start. */
static void basis(const fit *f, double u, double *out)
{
    const double v = 2.0 * u - 1.0;
    double before = v, now = 1.0;

    for (int k = 0; k < f->degree; k++) {
        out[k] = u * now;
        const double next = k == 0 ? v : 2.0 * v * now - before;
        before = now;
        now = next;
    }
}

static void choose_points(fit *f)
{
    const rg_curve *it = f->s->it;
    const int64_t all = it->N * it->rule.s;
    int64_t last = all;

    f->first = 0;
    while (f->first < all && distance(it, f->first) < f->width)
        f->first++;
    while (last > f->first && distance(it, last - 1) > f->reach)
        last--;
    const int64_t count = last - f->first;
    f->stride = count / RG_BVP_SRM_LAYER_MOST_POINTS + 1;
    f->n_points = (count + f->stride - 1) / f->stride;
    f->degree = f->n_points / 2 < RG_BVP_SRM_LAYER_DEGREE ? (int)(f->n_points / 2)
                                                          : RG_BVP_SRM_LAYER_DEGREE;
}

static rg_status prepare(fit *f)
{
    rg_context *ctx = f->s->field->ctx;
    const int64_t m = f->n_points;
    double row[RG_BVP_SRM_LAYER_DEGREE];

    f->A =
        rg_alloc(ctx, (size_t)m * (RG_BVP_SRM_LAYER_DEGREE + 3) + 2 * RG_BVP_SRM_LAYER_DEGREE + 1,
                 sizeof *f->A);
    if (f->A == NULL) return RG_ERR_MEMORY;
    f->b = f->A + m * RG_BVP_SRM_LAYER_DEGREE;
    f->work = f->b + m;
    f->q = f->work + m + RG_BVP_SRM_LAYER_DEGREE;
    for (int64_t i = 0; i < m; i++) {
        basis(f, distance(f->s->it, f->first + i * f->stride) / f->reach, row);
        for (int k = 0; k < f->degree; k++)
            f->A[k * m + i] = row[k];
    }
    return rg_qr_create(ctx, m, f->degree, f->A, rg_rank_floor(RG_NOISE_EXACT), &f->qr);
}

/* q of component c by least squares behind the layer:  c(t) = value + sum_k q_k u T_k.  Returns
 * the largest miss. */
static double fit_component(fit *f, int c)
{
    const rg_curve *it = f->s->it;
    double miss = 0.0;

    for (int64_t i = 0; i < f->n_points; i++) {
        f->b[i] = it->w[(f->first + i * f->stride) * it->n + c] - f->value[c];
        f->size = fmax(f->size, fabs(f->b[i]));
    }
    rg_qr_solve(f->qr, f->b, f->q, f->work);
    for (int64_t i = 0; i < f->n_points; i++) {
        double sum = -f->b[i];
        for (int k = 0; k < f->degree; k++)
            sum += f->q[k] * f->A[k * f->n_points + i];
        miss = fmax(miss, fabs(sum));
    }
    return miss;
}

static void continue_component(fit *f, int c)
{
    rg_curve *it = f->s->it;
    double row[RG_BVP_SRM_LAYER_DEGREE];

    fit_component(f, c);
    for (int64_t i = 0; i < f->first; i++) {
        double sum = f->value[c];
        basis(f, distance(it, i) / f->reach, row);
        for (int k = 0; k < f->degree; k++)
            sum += f->q[k] * row[k];
        it->w[i * it->n + c] = sum;
    }
}

/* What is carried lies in the range of B. */
static rg_status project_start(rg_bvp_srm_sweep *s, int64_t n_points)
{
    rg_curve *it = s->it;
    double *Z = s->linear->X;

    for (int64_t i = 0; i < n_points && !s->field->carries_y; i++) {
        const double t = rg_curve_stage(it, i / it->rule.s, (int)(i % it->rule.s), Z);
        RG_TRY(rg_bvp_srm_field_project(s->field, t, Z, it->w + i * it->n));
    }
    return RG_OK;
}

static void release(fit *f)
{
    rg_qr_destroy(&f->qr);
    rg_free(f->s->field->ctx, f->A);
    f->A = NULL;
}

/* The reach with the least miss: By may be smooth on the whole interval, or only near its start. */
static rg_status choose_reach(fit *f, double length)
{
    static const double reaches[] = {20.0, 10.0, 5.0, 3.0}; /* times the width of the layer */
    double best = 0.0;

    f->least = INFINITY;

    for (size_t k = 0; k < sizeof reaches / sizeof *reaches; k++) {
        double miss = 0.0;
        f->reach = fmin(length, reaches[k] * f->width);
        choose_points(f);
        if (f->degree < 1) continue;
        const rg_status status = prepare(f);
        for (int c = 0; c < f->s->it->n && status == RG_OK; c++)
            miss = fmax(miss, fit_component(f, c));
        release(f);
        RG_TRY(status);
        if (!(miss < RG_BVP_SRM_REACH * f->least))
            continue; /* the farther one is better where both are good */
        f->least = miss;
        best = f->reach;
    }
    f->reach = best;
    choose_points(f);
    return RG_OK;
}

rg_status rg_bvp_srm_layer_fit(rg_bvp_srm_sweep *s, double width)
{
    const rg_curve *it = s->it;
    rg_bvp_srm_point *at = &s->nodes->at;

    RG_TRY(rg_bvp_srm_field_exact(s->field, it->t[0], it->x, at));
    fit f = {.s = s, .value = s->field->carries_y ? at->y : at->By, .width = width};
    RG_TRY(choose_reach(&f, fabs(it->t[it->N] - it->t[0])));
    if (f.degree < 1 || !(f.least <= RG_BVP_SRM_SMOOTH * f.size)) return RG_OK;
    rg_status status = prepare(&f);
    for (int c = 0; c < it->n && status == RG_OK; c++)
        continue_component(&f, c);
    release(&f);
    return status == RG_OK ? project_start(s, f.first) : status;
}

/* ---- shooting back --------------------------------------------------------------------------- */

/* L (4.5): B y_0(t_f) = B y(t_f); constant, so that it is smooth (what was computed has its
 * layer at the start). */
static void start_back(rg_curve *it)
{
    const int64_t last = it->N * it->rule.s - 1;

    for (int64_t i = 0; i < last; i++)
        memcpy(it->w + i * it->n, it->w + last * it->n, (size_t)it->n * sizeof *it->w);
}

/* m iterates towards the start, from z(t_f) = end, with the sign of BEC changed; s->it is `back`
 * for that time. */
static rg_status go_back(rg_bvp_srm_sweep *s, rg_curve *back, const double *end, int m)
{
    rg_curve *const it = s->it;
    rg_status status = RG_OK;

    s->it = back;
    s->nodes->end = end;
    s->linear->has_factors = false;
    rg_bvp_srm_field_set(s->field, s->field->eps, -1.0);
    for (int k = 0; k < m && status == RG_OK; k++)
        status = rg_bvp_srm_sweep_next(s);
    rg_bvp_srm_field_set(s->field, s->field->eps, 1.0);
    s->linear->has_factors = false;
    s->nodes->end = NULL;
    s->it = it;
    return status;
}

/* Columns of the pivots of an m x n matrix, by complete pivoting; false: its rank is smaller. */
static bool find_pivots(int m, int n, double *A, int *column)
{
    for (int k = 0; k < m; k++) {
        int row = -1, best = -1;
        double most = 0.0;
        for (int j = 0; j < n; j++)
            for (int i = k; i < m; i++)
                if (fabs(A[j * m + i]) > most * (1.0 + RG_NOISE_EXACT)) {
                    most = fabs(A[j * m + i]);
                    row = i;
                    best = j;
                }
        if (row < 0) return false;
        column[k] = best;
        for (int j = 0; j < n; j++) {
            const double kept = A[j * m + k];
            A[j * m + k] = A[j * m + row];
            A[j * m + row] = kept;
        }
        for (int i = k + 1; i < m; i++) {
            const double factor = A[best * m + i] / A[best * m + k];
            for (int j = 0; j < n; j++)
                A[j * m + i] -= factor * A[j * m + k];
        }
    }
    return true;
}

/* The constraints at the end hold for z there: with the entries of G sorted out by complete
 * pivoting, the unknowns of its pivots are solved for, the others stay.  (L Table 5.2: x_2(1)
 * stays, x_1(1) comes from the constraint; of equal entries the first one is the pivot.)  One
 * correction: what is left is of second order in a miss of O(eps^s). */
static rg_status settle_end(rg_bvp_srm_sweep *s, double t, double *z)
{
    rg_srm_core *c = s->field->core;
    const int n = c->n_x, m = c->n_y;
    double *const G = c->space.v.G, *r = c->space.r;

    const rg_status status = rg_semi_eval(c->view, t, z, z + n, &c->space.v);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    int *column = rg_alloc(c->ctx, (size_t)m + 1, sizeof *column);
    double *A = rg_alloc(c->ctx, (size_t)(m * m + n * m) + 1, sizeof *A);
    bool is_regular = column != NULL && A != NULL;
    if (is_regular) {
        double *const left = A + m * m;
        memcpy(left, G, (size_t)(n * m) * sizeof *left);
        is_regular = find_pivots(m, n, left, column);
    }
    for (int k = 0; k < m && is_regular; k++)
        memcpy(A + k * m, G + column[k] * m, (size_t)m * sizeof *A);
    is_regular = is_regular && rg_small_lu_factor(m, A, c->space.pivot_S);
    for (int level = 0; level < c->order && is_regular; level++) {
        rg_semi_level(c->view, level, r);
        rg_small_lu_solve(m, A, c->space.pivot_S, r);
        for (int k = 0; k < m; k++)
            z[level * n + column[k]] -= r[k];
    }
    const bool is_there = column != NULL && A != NULL;
    rg_free(c->ctx, column);
    rg_free(c->ctx, A);
    return is_there ? RG_OK : RG_ERR_MEMORY;
}

/* m iterates of the terminal value problem are the result themselves: L Table 5.2. */
static rg_status stay_back(rg_bvp_srm_sweep *s, int m, double *end)
{
    rg_curve *const it = s->it;

    RG_TRY(settle_end(s, it->t[it->N], end));
    start_back(it);
    return go_back(s, it, end, m);
}

/* The first half of the interval takes what was found on the way back: the second has its own
 * layer at the end. */
static rg_status come_back(rg_bvp_srm_sweep *s, int m, bool is_first, const double *end)
{
    rg_curve *back = NULL, *const it = s->it;
    const double half = 0.5 * fabs(it->t[it->N] - it->t[0]);
    rg_status status = rg_curve_like(it, &back);

    if (status == RG_OK) {
        rg_curve_copy(it, back);
        if (is_first) start_back(back);
        status = go_back(s, back, end, m);
    }
    for (int64_t i = 0; i < it->N * it->rule.s && status == RG_OK; i++)
        if (distance(it, i) < half)
            memcpy(it->w + i * it->n, back->w + i * it->n, (size_t)it->n * sizeof *it->w);
    rg_curve_destroy(&back);
    return status;
}

rg_status rg_bvp_srm_layer_back(rg_bvp_srm_sweep *s, int m, bool is_first, bool stays)
{
    rg_context *ctx = s->field->ctx;
    const rg_curve *it = s->it;
    double *end = rg_alloc(ctx, (size_t)it->nx + 1, sizeof *end);

    if (end == NULL) return RG_ERR_MEMORY;
    memcpy(end, it->x + it->N * it->nx, (size_t)it->nx * sizeof *end);
    const rg_status status = stays ? stay_back(s, m, end) : come_back(s, m, is_first, end);
    rg_free(ctx, end);
    return status;
}
