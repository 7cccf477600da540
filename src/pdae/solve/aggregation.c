/* Conjugate gradients with aggregation multigrid: K-cycles (at most two steps of flexible
 * conjugate gradients on every coarser level), one forward Gauss-Seidel sweep before and one
 * backward sweep after the coarse correction, piecewise constant prolongation. */
#include "pdae/solve/aggregation.h"

#include "base/vector.h"
#include "pdae/solve/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Loops over pieces of RG_GRID_SWEEP rows, so that no number depends on the threads.  Sweeps go
 * through every piece by itself, with the numbers that the others had before, and count couplings
 * to other pieces twice on the diagonal (Baker, Falgout, Kolev, Yang 2011, l1 smoothers): without
 * that an unknown with its strongest coupling in another piece would not be smoothed at all. */
typedef struct {
    const rg_aggregation_level *at;
    const double *b, *old;
    double *x, *out;
} loop;

typedef struct { /* rows first .. end - 1, of which low .. high - 1 know no other piece */
    int64_t first, low, high, end;
} piece;

static piece piece_of(const rg_aggregation_level *at, int64_t unit)
{
    const int64_t first = unit * RG_GRID_SWEEP, end = first + RG_GRID_SWEEP;

    return (piece){first, at->inside[2 * unit], at->inside[2 * unit + 1],
                   end < at->A.n ? end : at->A.n};
}

static void run_pieces(rg_context *ctx, const rg_aggregation_level *at, rg_crew_work *work, loop *w)
{
    w->at = at;
    rg_crew_run(ctx, (at->A.n + RG_GRID_SWEEP - 1) / RG_GRID_SWEEP, RG_GRID_SWEEP, work, w);
}

static int64_t end_of(const loop *w, int64_t unit)
{
    return unit * RG_GRID_SWEEP < w->at->A.n ? unit * RG_GRID_SWEEP : w->at->A.n;
}

static void multiply_pieces(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const rg_elliptic_rows *A = &w->at->A;
    const double *x = w->b;

    (void)hand;
    for (int64_t i = from * RG_GRID_SWEEP; i < end_of(w, end); i++) {
        double sum = A->diagonal[i] * x[i];
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++)
            sum -= A->value[k] * x[A->col[k]];
        w->out[i] = sum;
    }
}

static void multiply(rg_context *ctx, const rg_aggregation_level *at, const double *x, double *out)
{
    run_pieces(ctx, at, multiply_pieces, &(loop){.b = x, .out = out});
}

RG_INLINE void forward_rows(const loop *w, piece p, int64_t from, int64_t to, bool is_inside)
{
    const rg_elliptic_rows *A = &w->at->A;
    const int64_t *start = A->start, *middle = A->middle;
    const int32_t *col = A->col;
    const double *value = A->value, *inverse = w->at->inverse, *restrict b = w->b;
    double *x = w->x;

    for (int64_t i = from; i < to; i++) {
        double sum = b[i];
        for (int64_t k = start[i]; k < middle[i]; k++)
            if (is_inside || col[k] >= p.first) sum += value[k] * x[col[k]];
        x[i] = sum * inverse[i];
    }
}

static void forward_pieces(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;

    (void)hand;
    for (int64_t unit = from; unit < end; unit++) {
        const piece p = piece_of(w->at, unit);
        forward_rows(w, p, p.first, p.low, false);
        forward_rows(w, p, p.low, p.high, true);
        forward_rows(w, p, p.high, p.end, false);
    }
}

/* Forward sweep from x = 0. */
static void sweep_forward(rg_context *ctx, const rg_aggregation_level *at, const double *b,
                          double *x)
{
    run_pieces(ctx, at, forward_pieces, &(loop){.b = b, .x = x});
}

/* Couplings to other pieces: with what the diagonal had too much. */
static double other_pieces(const rg_elliptic_rows *A, int64_t i, piece p, const double *x)
{
    double sum = 0.0;

    for (int64_t k = A->start[i]; k < A->middle[i]; k++)
        if (A->col[k] < p.first) sum += A->value[k] * (x[A->col[k]] + x[i]);
    for (int64_t k = A->middle[i]; k < A->start[i + 1]; k++)
        if (A->col[k] >= p.end) sum += A->value[k] * (x[A->col[k]] + x[i]);
    return sum;
}

RG_INLINE void residual_rows(const loop *w, piece p, int64_t from, int64_t to, bool is_inside)
{
    const rg_elliptic_rows *A = &w->at->A;
    const double *x = w->x;

    for (int64_t i = from; i < to; i++) {
        double sum = is_inside ? 0.0 : other_pieces(A, i, p, x);
        for (int64_t k = A->middle[i]; k < A->start[i + 1]; k++)
            if (is_inside || A->col[k] < p.end) sum += A->value[k] * x[A->col[k]];
        w->out[i] = sum;
    }
}

static void residual_pieces(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;

    (void)hand;
    for (int64_t unit = from; unit < end; unit++) {
        const piece p = piece_of(w->at, unit);
        residual_rows(w, p, p.first, p.low, false);
        residual_rows(w, p, p.low, p.high, true);
        residual_rows(w, p, p.high, p.end, false);
    }
}

/* After a forward sweep from 0 the residual of row i is the part of the columns that were 0 when it
 * was swept, the later ones and those of other pieces; summed over the groups. */
static void restrict_residual(rg_context *ctx, const rg_aggregation_level *at, double *x,
                              double *coarse)
{
    const int32_t *to = at->to;

    run_pieces(ctx, at, residual_pieces, &(loop){.x = x, .out = at->work});
    for (int64_t i = 0; i < at->A.n; i++)
        coarse[to[i]] += at->work[i];
}

static void correct_pieces(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const int32_t *to = w->at->to;

    (void)hand;
    for (int64_t i = from * RG_GRID_SWEEP; i < end_of(w, end); i++)
        w->out[i] = w->x[i] += w->b[to[i]];
}

/* The part that no row of this sweep changes before it is read, columns before i, goes first: only
 * the rest waits for the row behind.  Columns of other pieces are read from a copy. */
RG_INLINE void backward_rows(const loop *w, piece p, int64_t from, int64_t to, bool is_inside)
{
    const rg_elliptic_rows *A = &w->at->A;
    const int64_t *start = A->start, *middle = A->middle;
    const int32_t *col = A->col;
    const double *value = A->value, *inverse = w->at->inverse, *restrict b = w->b;
    double *x = w->x;

    for (int64_t i = to - 1; i >= from; i--) {
        double sum = b[i], late = is_inside ? 0.0 : other_pieces(A, i, p, w->old);
        for (int64_t k = start[i]; k < middle[i]; k++)
            if (is_inside || col[k] >= p.first) sum += value[k] * x[col[k]];
        for (int64_t k = middle[i]; k < start[i + 1]; k++)
            if (is_inside || col[k] < p.end) late += value[k] * x[col[k]];
        x[i] = (sum + late) * inverse[i];
    }
}

static void backward_pieces(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;

    (void)hand;
    for (int64_t unit = from; unit < end; unit++) {
        const piece p = piece_of(w->at, unit);
        backward_rows(w, p, p.high, p.end, false);
        backward_rows(w, p, p.low, p.high, true);
        backward_rows(w, p, p.first, p.low, false);
    }
}

/* `old`: a copy of x. */
static void sweep_backward(rg_context *ctx, const rg_aggregation_level *at, const double *b,
                           const double *old, double *x)
{
    run_pieces(ctx, at, backward_pieces, &(loop){.b = b, .old = old, .x = x});
}

/* Both sweeps from x = 0: a level without a coarser one. */
static void sweep_both(rg_context *ctx, const rg_aggregation_level *at, const double *b, double *x)
{
    sweep_forward(ctx, at, b, x);
    memcpy(at->work, x, (size_t)at->A.n * sizeof *x);
    sweep_backward(ctx, at, b, at->work, x);
}

static void factor_coarsest(const rg_aggregation_level *at, double *L)
{
    const int64_t n = at->A.n;

    memset(L, 0, (size_t)(n * n) * sizeof *L);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = at->A.start[i]; k < at->A.start[i + 1]; k++)
            L[i * n + at->A.col[k]] += at->A.value[k];
    rg_coarsest_factor(n, at->excess, L);
}

static void solve_level(rg_aggregation *h, int l, const double *b, double *x);

/* One multigrid cycle on level l. */
static void cycle(rg_aggregation *h, int l, const double *b, double *x)
{
    const rg_aggregation_level *fine = &h->level[l];
    rg_aggregation_level *coarse = &h->level[l + 1];

    sweep_forward(h->ctx, fine, b, x);
    memset(coarse->b, 0, (size_t)coarse->A.n * sizeof *coarse->b);
    restrict_residual(h->ctx, fine, x, coarse->b);
    solve_level(h, l + 1, coarse->b, coarse->x);
    run_pieces(h->ctx, fine, correct_pieces, &(loop){.b = coarse->x, .x = x, .out = fine->work});
    sweep_backward(h->ctx, fine, b, fine->work, x);
}

/* At most two steps of conjugate gradients that are preconditioned by a cycle; the second only
 * where the first has not divided the residual by 4. */
static void solve_level(rg_aggregation *h, int l, const double *b, double *x)
{
    rg_aggregation_level *at = &h->level[l];
    const int64_t n = at->A.n;

    if (l == h->n_levels - 1) {
        if (h->factor)
            rg_coarsest_solve(n, h->factor, b, x);
        else
            sweep_both(h->ctx, at, b, x);
        return;
    }
    cycle(h, l, b, at->c);
    multiply(h->ctx, at, at->c, at->v);
    const double rho1 = rg_gradients_dot(h->ctx, n, at->c, at->v),
                 alpha1 = rg_gradients_dot(h->ctx, n, at->c, b);
    const double step = rho1 > 0.0 ? alpha1 / rho1 : 0.0;
    for (int64_t i = 0; i < n; i++) {
        x[i] = step * at->c[i];
        at->r[i] = b[i] - step * at->v[i];
    }
    if (!(rho1 > 0.0)
        || rg_gradients_dot(h->ctx, n, at->r, at->r)
               <= RG_GRID_INNER_FALL * RG_GRID_INNER_FALL * rg_gradients_dot(h->ctx, n, b, b))
        return;
    cycle(h, l, at->r, at->d);
    multiply(h->ctx, at, at->d, at->w);
    const double gamma = rg_gradients_dot(h->ctx, n, at->d, at->v),
                 beta = rg_gradients_dot(h->ctx, n, at->d, at->w),
                 alpha2 = rg_gradients_dot(h->ctx, n, at->d, at->r),
                 rho2 = beta - gamma * gamma / rho1;
    if (!(rho2 > 0.0)) return;
    const double first = -gamma * alpha2 / (rho1 * rho2), second = alpha2 / rho2;
    for (int64_t i = 0; i < n; i++)
        x[i] += first * at->c[i] + second * at->d[i];
}

static void destroy(rg_elliptic *e, void *state)
{
    rg_aggregation *h = state;

    for (int l = 0; l < RG_AGGREGATION_LEVELS; l++) {
        rg_elliptic_rows_free(e->ctx, &h->level[l].A);
        rg_free(e->ctx, h->level[l].excess);
        rg_free(e->ctx, h->level[l].inverse);
        rg_free(e->ctx, h->level[l].inside);
        rg_free(e->ctx, h->level[l].to);
        rg_free(e->ctx, h->level[l].b);
    }
    rg_free(e->ctx, h->factor);
    rg_gradients_free(e->ctx, &h->outer);
    rg_free(e->ctx, h);
}

static void multiply_top(void *state, double *x, double *out)
{
    const rg_aggregation *h = state;

    multiply(h->ctx, &h->level[0], x, out);
}

static void precondition(void *state, double *r, double *z)
{
    rg_aggregation *h = state;
    const rg_elliptic_rows *A = &h->level[0].A;

    if (h->n_levels == 1 && h->factor)
        rg_coarsest_solve(A->n, h->factor, r, z);
    else if (h->n_levels == 1)
        sweep_both(h->ctx, &h->level[0], r, z);
    else
        cycle(h, 0, r, z);
}

/* The sum of the couplings of row i to other pieces.  The rows without any lie between those of the
 * first half and those of the second half that have one. */
static double leave_piece(rg_aggregation_level *at, int64_t i)
{
    const rg_elliptic_rows *A = &at->A;
    const int64_t unit = i / RG_GRID_SWEEP, first = unit * RG_GRID_SWEEP,
                  end = first + RG_GRID_SWEEP;
    int64_t *inside = at->inside + 2 * unit;
    double sum = 0.0;

    for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
        const int64_t col = A->col[k];
        if (col >= first && col < end) continue;
        sum += A->value[k];
        if (i - first < RG_GRID_SWEEP / 2)
            inside[0] = i + 1;
        else if (i < inside[1])
            inside[1] = i;
    }
    return sum;
}

static rg_status invert_diagonals(rg_context *ctx, rg_aggregation *h)
{
    for (int l = 0; l < h->n_levels; l++) {
        rg_aggregation_level *at = &h->level[l];
        const int64_t n = at->A.n, pieces = (n + RG_GRID_SWEEP - 1) / RG_GRID_SWEEP;
        at->inverse = rg_alloc(ctx, 2 * (size_t)n, sizeof *at->inverse);
        at->inside = rg_alloc(ctx, 2 * (size_t)pieces, sizeof *at->inside);
        if (at->inverse == NULL || at->inside == NULL) return RG_ERR_MEMORY;
        at->work = at->inverse + n;
        for (int64_t p = 0; p < pieces; p++) {
            at->inside[2 * p] = p * RG_GRID_SWEEP;
            at->inside[2 * p + 1] = p + 1 < pieces ? (p + 1) * RG_GRID_SWEEP : n;
        }
        for (int64_t i = 0; i < n; i++) {
            const double d = at->A.diagonal[i] + leave_piece(at, i);
            at->inverse[i] = d > 0.0 ? 1.0 / d : 0.0;
        }
    }
    return RG_OK;
}

static rg_status make_vectors(rg_context *ctx, rg_aggregation *h)
{
    RG_TRY(invert_diagonals(ctx, h));
    RG_TRY(rg_gradients_create(ctx, h->level[0].A.n, &h->outer));
    h->outer.of = h;
    h->outer.multiply = multiply_top;
    h->outer.precondition = precondition;
    h->outer.diagonal = h->level[0].A.diagonal;
    for (int l = 1; l < h->n_levels; l++) {
        rg_aggregation_level *at = &h->level[l];
        const size_t m = (size_t)at->A.n;
        at->b = rg_alloc(ctx, 7 * m, sizeof *at->b);
        if (at->b == NULL) return RG_ERR_MEMORY;
        double **vector[] = {&at->x, &at->c, &at->v, &at->r, &at->d, &at->w};
        for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
            *vector[k] = at->b + (k + 1) * m;
    }
    return RG_OK;
}

static rg_status create(rg_elliptic *e, void **state)
{
    rg_aggregation *h = rg_alloc(e->ctx, 1, sizeof *h);
    rg_aggregation_level *top;
    bool made = true;

    if (h == NULL) return RG_ERR_MEMORY;
    *state = h;
    h->ctx = e->ctx;
    top = &h->level[0];
    RG_TRY(rg_elliptic_rows_create(e, &top->A));
    top->excess = rg_alloc(e->ctx, (size_t)e->n, sizeof *top->excess);
    if (top->excess == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < e->n; i++) {
        double sum = top->A.diagonal[i];
        for (int64_t k = top->A.start[i]; k < top->A.start[i + 1]; k++)
            sum -= top->A.value[k];
        top->excess[i] = sum > 8.0 * DBL_EPSILON * top->A.diagonal[i] ? sum : 0.0;
    }
    h->n_levels = 1;
    while (made && h->level[h->n_levels - 1].A.n > RG_GRID_COARSEST
           && h->n_levels < RG_AGGREGATION_LEVELS) {
        RG_TRY(rg_aggregation_coarsen(e->ctx, h, h->n_levels - 1, &made));
        h->n_levels += made;
    }
    const int64_t last = h->level[h->n_levels - 1].A.n;
    if (last <= 10 * RG_GRID_COARSEST) {
        h->factor = rg_alloc(e->ctx, (size_t)(last * (last + 1)), sizeof *h->factor);
        if (h->factor == NULL) return RG_ERR_MEMORY;
        factor_coarsest(&h->level[h->n_levels - 1], h->factor);
    }
    return make_vectors(e->ctx, h);
}

static rg_status solve(rg_elliptic *e, void *state, const double *b, double *x)
{
    rg_aggregation *h = state;

    return rg_gradients_solve(e, &h->outer, b, x);
}

const rg_elliptic_method rg_elliptic_aggregation = {.name = "aggregation",
                                                    .next = &rg_elliptic_direct,
                                                    .create = create,
                                                    .solve = solve,
                                                    .destroy = destroy,
                                                    .needs_level = true};
