/* Projection onto invariants G(t, z) = 0 by simplified Gauss-Newton:
 *
 *     min |x|  subject to  B x = -R G,   B = R G_z W,   dz = W x,
 *
 * W = diag(weight), R equilibrates the rows.  As one square system, with the multipliers y and a
 * small mu that admits redundant invariants:
 *
 *     [ I  B^T ; B  -mu I ] [ x ; y ] = [ 0 ; -R G ]
 *
 * or, of few invariants, as  (B B^T + mu I) y = R G,  x = -B^T y:  what rounding makes of B B^T is
 * far below mu.  The factors serve several calls: while the iteration contracts well with them and
 * the weights are about the same.  How it contracts is known before: by as much more as the time
 * since they were made is longer than the last time. */
#include "newton/project.h"

#include "linalg/matrix.h"
#include "linalg/small_lu.h"
#include "newton/kkt.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

struct rg_projector {
    rg_context *ctx;
    const rg_assembly *invariants;
    rg_assembly_work *work;
    int64_t n, m;    /* columns that occur in the invariants, invariants */
    int32_t *column; /* their places in z */
    rg_kkt kkt;
    rg_matrix *lu;
    double *gram;         /* B B^T + mu I and its factors, m x m; NULL: the square system instead */
    int *pivot;           /* m */
    double *values, *J;   /* of the square system, or B; of the assembly */
    double *G, *R, *size; /* m */
    double *reach;        /* of every invariant the two largest |G_ij| weight_j, 2 m */
    double *W, *move;     /* n */
    double *asked;        /* the weights that W was made of, n */
    double *start;        /* z before */
    double *b;            /* n + m */
    int64_t n_movable;    /* of the factors */
    bool is_factored;
    double t_factored;
    double worse; /* rate of contraction per time since then, as seen where it was too slow */
};

void rg_projector_destroy(rg_projector **projector)
{
    rg_projector *p = *projector;

    if (p == NULL) return;
    rg_matrix_destroy(&p->lu);
    rg_kkt_clear(p->ctx, &p->kkt);
    rg_assembly_work_destroy(&p->work);
    void *const owned[] = {p->column, p->values, p->J,     p->G,    p->R, p->size,  p->gram,
                           p->W,      p->asked,  p->start, p->move, p->b, p->pivot, p->reach};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(p->ctx, owned[k]);
    rg_free(p->ctx, p);
    *projector = NULL;
}

/* entries: of the assembly */
static rg_status take_matrix(rg_projector *p, size_t entries)
{
    const size_t m = (size_t)p->m;

    if (p->m <= RG_PROJECT_FEW) {
        p->gram = rg_alloc(p->ctx, m * m + 1, sizeof *p->gram);
        p->pivot = rg_alloc(p->ctx, m + 1, sizeof *p->pivot);
        p->values = rg_alloc(p->ctx, entries + 1, sizeof *p->values);
        return p->gram != NULL && p->pivot != NULL && p->values != NULL ? RG_OK : RG_ERR_MEMORY;
    }
    RG_TRY(rg_kkt_init(p->ctx, rg_assembly_pattern(p->invariants), p->n, p->column, &p->kkt));
    p->values = rg_alloc(p->ctx, (size_t)p->kkt.pattern.start[p->n + p->m], sizeof *p->values);
    return p->values != NULL ? RG_OK : RG_ERR_MEMORY;
}

static rg_status take_memory(rg_projector *p)
{
    const rg_pattern *pattern = rg_assembly_pattern(p->invariants);
    const size_t n = (size_t)p->n, m = (size_t)p->m;

    const size_t entries = (size_t)pattern->start[pattern->n_columns];
    RG_TRY(take_matrix(p, entries));
    RG_TRY(rg_assembly_work_create(p->invariants, &p->work));
    p->J = rg_alloc(p->ctx, entries, sizeof *p->J);
    p->G = rg_alloc(p->ctx, m, sizeof *p->G);
    p->R = rg_alloc(p->ctx, m, sizeof *p->R);
    p->size = rg_alloc(p->ctx, m, sizeof *p->size);
    p->reach = rg_alloc(p->ctx, 2 * m, sizeof *p->reach);
    p->W = rg_alloc(p->ctx, n, sizeof *p->W);
    p->asked = rg_alloc(p->ctx, n, sizeof *p->asked);
    p->start = rg_alloc(p->ctx, (size_t)pattern->n_columns, sizeof *p->start);
    p->move = rg_alloc(p->ctx, n, sizeof *p->move);
    p->b = rg_alloc(p->ctx, n + m, sizeof *p->b);
    const bool ok = p->J != NULL && p->G != NULL && p->R != NULL && p->size != NULL && p->W != NULL
                    && p->reach != NULL && p->asked != NULL && p->start != NULL && p->move != NULL
                    && p->b != NULL;
    return ok ? RG_OK : RG_ERR_MEMORY;
}

/* Columns with entries: the others never move. */
static rg_status choose_columns(rg_projector *p)
{
    const rg_pattern *pattern = rg_assembly_pattern(p->invariants);

    p->column = rg_alloc(p->ctx, (size_t)pattern->n_columns, sizeof *p->column);
    if (p->column == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < pattern->n_columns; j++)
        if (pattern->start[j + 1] > pattern->start[j]) p->column[p->n++] = (int32_t)j;
    return RG_OK;
}

rg_status rg_projector_create(rg_context *ctx, const rg_assembly *invariants, rg_projector **out)
{
    rg_projector *p = rg_alloc(ctx, 1, sizeof *p);

    *out = NULL;
    if (p == NULL) return RG_ERR_MEMORY;
    p->ctx = ctx;
    p->invariants = invariants;
    p->m = rg_assembly_pattern(invariants)->n_rows;
    rg_status status = choose_columns(p);
    if (status == RG_OK) status = take_memory(p);
    if (status == RG_OK)
        *out = p;
    else
        rg_projector_destroy(&p);
    return status;
}

/* W of the k-th column; 0: it stays. */
static double unit(const rg_projector *p, int64_t k)
{
    return p->column[k] < p->n_movable ? p->W[k] : 0;
}

/* The two largest so far */
static void note_largest(double x, double two[2])
{
    if (x > two[0]) {
        two[1] = two[0];
        two[0] = x;
    } else if (x > two[1]) {
        two[1] = x;
    }
}

static void measure_rows(rg_projector *p, const double *weight, const double *z)
{
    const rg_pattern *pattern = rg_assembly_pattern(p->invariants);

    memset(p->size, 0, (size_t)p->m * sizeof *p->size);
    memset(p->reach, 0, 2 * (size_t)p->m * sizeof *p->reach);
    for (int64_t k = 0; k < p->n; k++) {
        const int32_t j = p->column[k];
        for (int64_t e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            double *two = p->reach + 2 * pattern->row[e];
            p->size[pattern->row[e]] += fabs(p->J[e] * z[j]);
            if (j >= p->n_movable) continue;
            const double own = fabs(p->J[e]) * weight[j];
            note_largest(own, two);
        }
    }
}

/* The second largest change of an invariant by the weight of column j: in its size, or in what
 * another column makes of it. */
static double second_change(const rg_projector *p, int32_t j, double weight)
{
    const rg_pattern *pattern = rg_assembly_pattern(p->invariants);
    double largest[2] = {0, 0};

    for (int64_t e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
        const double *two = p->reach + 2 * pattern->row[e], own = fabs(p->J[e]) * weight;
        const double size = fmax(p->size[pattern->row[e]], own < two[0] ? two[0] : two[1]);
        note_largest(size > 0 ? own / size : 0, largest);
    }
    return largest[1];
}

/* W: the weights.  An unknown far below its tolerance that stands in several invariants, and of
 * which its weight makes more than those of others do, would make them as good as equal, and mu
 * would take them for redundant: W changes one of them by more than its size, or than others can,
 * at most. */
static void choose_units(rg_projector *p, const double *weight)
{
    for (int64_t k = 0; k < p->n; k++) {
        const int32_t j = p->column[k];
        if (j >= p->n_movable) continue;
        const double change = second_change(p, j, weight[j]);
        p->W[k] = p->asked[k] = weight[j];
        if (change > 1) p->W[k] /= change;
    }
}

/* R from the Jacobian. */
static void scale_rows(rg_projector *p)
{
    const rg_pattern *pattern = rg_assembly_pattern(p->invariants);

    for (int64_t i = 0; i < p->m; i++)
        p->R[i] = 0;
    for (int64_t k = 0; k < p->n; k++) {
        const int32_t j = p->column[k];
        const double w = unit(p, k);
        for (int64_t e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            const double own = fabs(p->J[e]) * w;
            if (own > p->R[pattern->row[e]]) p->R[pattern->row[e]] = own;
        }
    }
    for (int64_t i = 0; i < p->m; i++)
        p->R[i] = p->R[i] > 0 ? 1 / p->R[i] : 0;
}

/* B B^T + mu I */
static rg_status factor_gram(rg_projector *p)
{
    const rg_pattern *pattern = rg_assembly_pattern(p->invariants);
    const int64_t m = p->m;

    memset(p->gram, 0, (size_t)(m * m) * sizeof *p->gram);
    for (int64_t k = 0; k < p->n; k++) {
        const int32_t j = p->column[k];
        const double w = unit(p, k);
        const int64_t from = pattern->start[j], to = pattern->start[j + 1];
        for (int64_t e = from; e < to; e++)
            p->values[e] = p->R[pattern->row[e]] * p->J[e] * w;
        for (int64_t e = from; e < to && w > 0; e++)
            for (int64_t d = from; d < to; d++)
                p->gram[pattern->row[e] * m + pattern->row[d]] += p->values[e] * p->values[d];
    }
    for (int64_t i = 0; i < m; i++)
        p->gram[i * m + i] += RG_PROJECT_ROW_SLACK;
    return rg_small_lu_factor((int)m, p->gram, p->pivot) ? RG_OK : (rg_status)RG_RETRY;
}

static rg_status factor_square(rg_projector *p)
{
    const rg_pattern *pattern = rg_assembly_pattern(p->invariants);

    for (int64_t k = 0; k < p->n; k++) {
        const int32_t j = p->column[k];
        const double w = unit(p, k);
        p->values[p->kkt.diagonal[k]] = 1;
        for (int64_t e = pattern->start[j]; e < pattern->start[j + 1]; e++) {
            const double b = p->R[pattern->row[e]] * p->J[e] * w;
            p->values[p->kkt.below[e]] = b;
            p->values[p->kkt.right[e]] = b;
        }
    }
    for (int64_t i = 0; i < p->m; i++)
        p->values[p->kkt.diagonal[p->n + i]] = -RG_PROJECT_ROW_SLACK;
    if (p->lu == NULL) RG_TRY(rg_matrix_create(p->ctx, &p->kkt.pattern, false, &p->lu));
    return rg_matrix_factor(p->lu, 0, 0, p->values, NULL);
}

/* Evaluates G and G_z at z and factors. */
static rg_status factor(rg_projector *p, double t, const double *weight, const double *z)
{
    p->is_factored = false;
    RG_TRY(rg_assembly_jacobian(p->invariants, p->work, t, z, p->G, p->J));
    measure_rows(p, weight, z);
    choose_units(p, weight);
    scale_rows(p);
    RG_TRY(p->gram != NULL ? factor_gram(p) : factor_square(p));
    p->is_factored = true;
    p->t_factored = t;
    return RG_OK;
}

/* x in b, from p->G */
static void solve_gram(rg_projector *p)
{
    const rg_pattern *pattern = rg_assembly_pattern(p->invariants);
    double *y = p->b + p->n;

    for (int64_t i = 0; i < p->m; i++)
        y[i] = p->R[i] * p->G[i];
    rg_small_lu_solve((int)p->m, p->gram, p->pivot, y);
    for (int64_t k = 0; k < p->n; k++) {
        const int32_t j = p->column[k];
        double sum = 0;
        for (int64_t e = pattern->start[j]; e < pattern->start[j + 1]; e++)
            sum -= p->values[e] * y[pattern->row[e]];
        p->b[k] = sum;
    }
}

static void solve_square(rg_projector *p)
{
    for (int64_t k = 0; k < p->n; k++)
        p->b[k] = 0;
    for (int64_t i = 0; i < p->m; i++)
        p->b[p->n + i] = -p->R[i] * p->G[i];
    rg_matrix_solve(p->lu, p->b, NULL);
}

/* move = dz from p->G;  returns |x|, largest entry. */
static double solve(rg_projector *p)
{
    double largest = 0;

    if (p->gram != NULL)
        solve_gram(p);
    else
        solve_square(p);
    for (int64_t k = 0; k < p->n; k++) {
        p->move[k] = unit(p, k) * p->b[k];
        if (p->column[k] >= p->n_movable) continue;
        if (!(fabs(p->b[k]) <= largest)) largest = fabs(p->b[k]); /* also catches NaN */
    }
    return largest;
}

static bool is_zero(const rg_projector *p)
{
    for (int64_t i = 0; i < p->m; i++)
        if (!(fabs(p->G[i]) <= RG_PROJECT_ROUNDING * p->size[i])) return false;
    return true;
}

/* |x| below which an iteration that stalls was stopped by rounding. */
static double stall_limit(const rg_projector *p, const double *z, bool is_old)
{
    const double noise = is_old ? RG_PROJECT_NOISE_OLD : RG_REPAIR_UNTOLD;
    double limit = is_old ? 0 : RG_NEWTON_ROUNDING;

    for (int64_t k = 0; k < p->n; k++)
        if (p->column[k] < p->n_movable)
            limit = fmax(limit, noise * fabs(z[p->column[k]]) / p->W[k]);
    return limit;
}

/* Simplified iteration with the factors at hand; new ones have left G at z. */
static rg_status iterate(rg_projector *p, double t, bool is_old, double *z)
{
    const double rate = is_old ? RG_PROJECT_RATE_OLD : RG_NEWTON_SIMPLE;
    double previous = INFINITY, length = 0;

    for (int k = 0; k < RG_PROJECT_MAX_STEPS; k++) {
        if (k > 0 || is_old) RG_TRY(rg_assembly_residual(p->invariants, p->work, t, z, p->G));
        if (is_zero(p)) return RG_OK;
        length = solve(p);
        if (!(length <= rate * previous)) break; /* stalled: by rounding, or for good */
        for (int64_t i = 0; i < p->n; i++)
            z[p->column[i]] += p->move[i];
        previous = length;
    }
    const double limit = stall_limit(p, z, is_old);
    if (previous <= limit) return RG_OK;
    if (is_old && length > limit && t != p->t_factored)
        p->worse = length / previous / fabs(t - p->t_factored);
    return (rg_status)RG_RETRY;
}

static bool fits(const rg_projector *p, const double *weight, int64_t n_movable)
{
    if (!p->is_factored || p->n_movable != n_movable) return false;
    for (int64_t k = 0; k < p->n; k++) {
        if (p->column[k] >= n_movable) continue;
        const double w = weight[p->column[k]], before = p->asked[k];
        if (!(w <= RG_PROJECT_WEIGHT_RATIO * before && before <= RG_PROJECT_WEIGHT_RATIO * w))
            return false;
    }
    return true;
}

rg_status rg_projector_run(rg_projector *p, double t, const double *weight, int64_t n_movable,
                           double *z)
{
    const size_t bytes = (size_t)n_movable * sizeof *z;
    rg_status status = (rg_status)RG_RETRY;

    if (p->m == 0) return RG_OK;
    memcpy(p->start, z, bytes);
    const bool is_soon = !(p->worse * fabs(t - p->t_factored) > RG_PROJECT_RATE_OLD);
    if (is_soon && fits(p, weight, n_movable)) {
        status = iterate(p, t, true, z);
        if (status <= 0) return status;
        memcpy(z, p->start, bytes);
    }
    p->n_movable = n_movable;
    for (int k = 0; k < RG_PROJECT_MAX_FACTORS && status > 0; k++) {
        status = factor(p, t, weight, z);
        if (status != RG_OK) break;
        status = iterate(p, t, false, z);
    }
    if (status != RG_OK) {
        p->is_factored = false;
        memcpy(z, p->start, bytes);
    }
    return status;
}

rg_status rg_projector_tangent(rg_projector *p, double t, const double *weight, int64_t n_movable,
                               const double *z, double *dz)
{
    const rg_pattern *pattern = rg_assembly_pattern(p->invariants);

    if (p->m == 0) return RG_OK;
    p->n_movable = n_movable;
    RG_TRY(factor(p, t, weight, z));
    memset(p->G, 0, (size_t)p->m * sizeof *p->G);
    for (int64_t k = 0; k < p->n && p->column[k] < n_movable; k++)
        for (int64_t e = pattern->start[p->column[k]]; e < pattern->start[p->column[k] + 1]; e++)
            p->G[pattern->row[e]] += p->J[e] * dz[p->column[k]];
    const double length = solve(p);
    for (int64_t k = 0; k < p->n && p->column[k] < n_movable; k++)
        dz[p->column[k]] += p->move[k];
    return isfinite(length) ? RG_OK : (rg_status)RG_RETRY;
}

void rg_projector_forget(rg_projector *p)
{
    if (p == NULL) return;
    rg_matrix_destroy(&p->lu); /* its order of pivots is that of earlier points */
    p->is_factored = false;
    p->worse = 0;
}

rg_status rg_projector_values(rg_projector *p, double t, const double *z, const double **G)
{
    *G = p->G;
    return rg_assembly_residual(p->invariants, p->work, t, z, p->G);
}
