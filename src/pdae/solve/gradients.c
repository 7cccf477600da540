/* Conjugate gradients, flexible ones where the preconditioner need not be the same matrix in every
 * iteration: each direction is conjugate to the one before.  The solution follows a step behind,
 * when the direction is at hand for the next one. */
#include "pdae/solve/gradients.h"

#include "base/vector.h"
#include "pdae/solve/tuning.h"

#include <string.h>

enum { SUMS = 2 * RG_LANES };

RG_FOR_ALL_VECTORS
static double dot(int64_t n, const double *a, const double *b)
{
    rg_quad low = {0.0}, high = {0.0};
    int64_t i = 0;

    for (; i + SUMS <= n; i += SUMS) {
        low += RG_FOUR(a + i) * RG_FOUR(b + i);
        high += RG_FOUR(a + i + RG_LANES) * RG_FOUR(b + i + RG_LANES);
    }
    for (int k = 0; i < n; i++, k++) {
        if (k < RG_LANES)
            low[k] += a[i] * b[i];
        else
            high[k - RG_LANES] += a[i] * b[i];
    }
    return ((low[0] + low[1]) + (low[2] + low[3])) + ((high[0] + high[1]) + (high[2] + high[3]));
}

double rg_gradients_dot_of(int64_t n, const double *a, const double *b)
{
    return dot(n, a, b);
}

/* Loops over blocks of RG_GRID_BLOCK numbers, whose sums are added in order. */
typedef struct {
    int64_t n;
    const double *a, *b, *c;
    double by, step, *out, *rest;
} loop;

static int64_t block_size(const loop *w, int64_t unit)
{
    const int64_t left = w->n - unit * RG_GRID_BLOCK;

    return left < RG_GRID_BLOCK ? left : RG_GRID_BLOCK;
}

static int64_t blocks_of(int64_t n)
{
    return (n + RG_GRID_BLOCK - 1) / RG_GRID_BLOCK;
}

static void dot_block(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const int64_t at = unit * RG_GRID_BLOCK;

    out[0] = dot(block_size(w, unit), w->a + at, w->b + at);
    out[1] = out[2] = 0.0;
}

double rg_gradients_dot(rg_context *ctx, int64_t n, const double *a, const double *b)
{
    double all[RG_CREW_SUMS];
    loop w = {.n = n, .a = a, .b = b};

    rg_crew_sum(ctx, blocks_of(n), RG_GRID_BLOCK, dot_block, &w, all);
    return all[0];
}

static void run_blocks(rg_context *ctx, rg_crew_work *work, loop *w)
{
    rg_crew_run(ctx, blocks_of(w->n), RG_GRID_BLOCK, work, w);
}

static int64_t end_of(const loop *w, int64_t end)
{
    return end * RG_GRID_BLOCK < w->n ? end * RG_GRID_BLOCK : w->n;
}

/* rest <- rest + step out, out <- a + by out; in the first step nothing of before is read. */
RG_FOR_ALL_VECTORS
static void turn(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const int64_t first = from * RG_GRID_BLOCK, last = end_of(w, end);
    const double *restrict z = w->a, by = w->by, step = w->step;
    double *restrict p = w->out, *restrict x = w->rest;

    (void)hand;
    if (by == 0.0 && step == 0.0)
        memcpy(p + first, z + first, (size_t)(last - first) * sizeof *p);
    else
        for (int64_t i = first; i < last; i++) {
            x[i] += step * p[i];
            p[i] = z[i] + by * p[i];
        }
}

/* out <- out + by a */
RG_FOR_ALL_VECTORS
static void add(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const int64_t last = end_of(w, end);
    const double *restrict x = w->a, by = w->by;
    double *restrict y = w->out;

    (void)hand;
    for (int64_t i = from * RG_GRID_BLOCK; i < last; i++)
        y[i] += by * x[i];
}

/* out <- a - b */
RG_FOR_ALL_VECTORS
static void subtract(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const int64_t last = end_of(w, end);

    (void)hand;
    for (int64_t i = from * RG_GRID_BLOCK; i < last; i++)
        w->out[i] = w->a[i] - w->b[i];
}

/* a.b and a.c in one pass. */
static void dots_block(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const int64_t at = unit * RG_GRID_BLOCK, n = block_size(w, unit);

    out[0] = dot(n, w->a + at, w->b + at);
    out[1] = dot(n, w->a + at, w->c + at);
    out[2] = 0.0;
}

/* out <- out + by a, and out.out. */
static void reduce_block(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const int64_t at = unit * RG_GRID_BLOCK, n = block_size(w, unit);
    loop one = {.n = n, .a = w->a + at, .by = w->by, .out = w->out + at};

    add(&one, 0, 0, 1);
    out[0] = dot(n, one.out, one.out);
    out[1] = out[2] = 0.0;
}

static void add_times(rg_context *ctx, int64_t n, double by, const double *x, double *y)
{
    loop w = {.n = n, .a = x, .by = by, .out = y};

    run_blocks(ctx, add, &w);
}

static void sum_with_diagonal(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const int64_t at = unit * RG_GRID_BLOCK, n = block_size(w, unit);

    out[0] = out[1] = out[2] = 0.0;
    for (int64_t i = at; i < at + n; i++) {
        out[0] += w->a[i];
        out[1] += w->b[i];
    }
}

/* Only up to a constant: what rounding has left in the sum of r goes to the rows where it matters
 * least, those with large diagonals; z has mean 0. */
static void balance(rg_context *ctx, const rg_gradients *g)
{
    double all[RG_CREW_SUMS];
    loop w = {.n = g->n, .a = g->r, .b = g->diagonal};

    rg_crew_sum(ctx, blocks_of(g->n), RG_GRID_BLOCK, sum_with_diagonal, &w, all);
    if (all[1] > 0.0) add_times(ctx, g->n, -all[0] / all[1], g->diagonal, g->r);
}

/* Of the rows that have an equation. */
static void sum_rows(void *user, int64_t unit, double out[RG_CREW_SUMS])
{
    const loop *w = user;
    const int64_t at = unit * RG_GRID_BLOCK, n = block_size(w, unit);

    out[0] = out[1] = out[2] = 0.0;
    for (int64_t i = at; i < at + n; i++)
        if (w->b[i] > 0.0) out[0] += w->a[i], out[1] += 1.0;
}

static void shift(void *user, int hand, int64_t from, int64_t end)
{
    const loop *w = user;
    const int64_t last = end_of(w, end);

    (void)hand;
    for (int64_t i = from * RG_GRID_BLOCK; i < last; i++)
        w->out[i] -= w->by;
}

static void remove_mean(rg_context *ctx, const rg_gradients *g)
{
    double all[RG_CREW_SUMS];
    loop w = {.n = g->n, .a = g->z, .b = g->diagonal, .out = g->z};

    rg_crew_sum(ctx, blocks_of(g->n), RG_GRID_BLOCK, sum_rows, &w, all);
    if (all[1] == 0.0) return;
    w.by = all[0] / all[1];
    run_blocks(ctx, shift, &w);
}

rg_status rg_gradients_create(rg_context *ctx, int64_t n, rg_gradients *out)
{
    out->n = n;
    out->memory = rg_alloc(ctx, (out->apply ? 3 : 4) * (size_t)n, sizeof *out->memory);
    if (out->memory == NULL) return RG_ERR_MEMORY;
    out->p = out->memory;
    out->q = out->p + n;
    out->r = out->q + n;
    out->z = out->apply ? NULL : out->r + n;
    return RG_OK;
}

void rg_gradients_free(rg_context *ctx, rg_gradients *g)
{
    rg_free(ctx, g->memory);
    g->memory = NULL;
}

/* r = b - A x; returned: b.b. */
static double begin(rg_context *ctx, rg_gradients *g, const double *b, double *x)
{
    if (g->begin) return g->begin(g->of, b, x, g->r);
    g->multiply(g->of, x, g->q);
    run_blocks(ctx, subtract, &(loop){.n = g->n, .a = b, .b = g->q, .out = g->r});
    return rg_gradients_dot(ctx, g->n, b, b);
}

/* A flexible direction: beta = -z A p_old/(p_old A p_old). */
static double turn_flexibly(rg_elliptic *e, const rg_gradients *g, double over, double *zr)
{
    double sums[RG_CREW_SUMS];
    loop both = {.n = g->n, .a = g->z, .b = g->r, .c = over > 0.0 ? g->q : g->r};

    g->precondition(g->of, g->r, g->z);
    if (e->singular) remove_mean(e->ctx, g);
    rg_crew_sum(e->ctx, blocks_of(g->n), RG_GRID_BLOCK, dots_block, &both, sums);
    *zr = sums[0];
    return -over * sums[1];
}

/* The same with a preconditioner that stays: beta = z.r/(z.r)_old. */
static double turn_on(const rg_gradients *g, double over, double *zr)
{
    const double before = *zr;

    *zr = g->apply(g->of, g->r);
    return over > 0.0 ? *zr / before : 0.0;
}

/* x += step p, p <- z + beta p, q = A p; returned: p.q. */
static double follow(rg_context *ctx, const rg_gradients *g, double step, double *x, double beta)
{
    loop w = {.n = g->n, .a = g->z, .by = beta, .step = step, .out = g->p, .rest = x};

    if (g->follow) return g->follow(g->of, step, x, beta, g->p, g->q);
    run_blocks(ctx, turn, &w);
    g->multiply(g->of, g->p, g->q);
    return rg_gradients_dot(ctx, g->n, g->p, g->q);
}

/* over: 1/(p A p) of the direction before; 0: there is none. */
rg_status rg_gradients_solve(rg_elliptic *e, rg_gradients *g, const double *b, double *x)
{
    rg_context *const ctx = e->ctx;
    const int64_t n = g->n, blocks = blocks_of(n);
    const double size = begin(ctx, g, b, x), target = e->options.tol * e->options.tol * size;
    double over = 0.0, zr = 0.0, length = 0.0;

    g->left = rg_gradients_dot(ctx, n, g->r, g->r);
    g->has_converged = true;
    if (!(size > 0.0)) {
        memset(x, 0, (size_t)n * sizeof *x);
        return RG_OK;
    }
    for (int step = 0;; step++) {
        double sums[RG_CREW_SUMS];
        g->has_converged = !(g->left > target);
        if (g->has_converged || step == (g->most > 0 ? g->most : RG_GRID_ITERATIONS)) break;
        if (rg_interrupted(ctx)) return rg_fail(ctx, RG_ERR_INTERRUPTED, "interrupted");
        if (e->singular) balance(ctx, g);
        const double beta = g->apply ? turn_on(g, over, &zr) : turn_flexibly(e, g, over, &zr),
                     pq = follow(ctx, g, length, x, beta);
        length = pq > 0.0 ? zr / pq : 0.0;
        if (!(pq > 0.0)) break;
        loop move = {.n = n, .a = g->q, .by = -length, .out = g->r};
        rg_crew_sum(ctx, blocks, RG_GRID_BLOCK, reduce_block, &move, sums);
        g->left = sums[0];
        over = 1.0 / pq;
        e->iterations++;
    }
    if (length != 0.0) add_times(ctx, n, length, g->p, x);
    e->has_converged = g->has_converged;
    return RG_OK;
}

/* Without any subtraction (Grassmann, Taksar, Heyman 1985): couplings and row sums stay positive,
 * the pivot is the row sum plus the couplings that are left.  Every entry is right to rounding
 * whatever the contrast.  A pivot of 0 is the constant that nothing fixes.  Row j of L keeps
 * c(j, k)/pivot behind the diagonal, the pivot on it. */
void rg_coarsest_factor(int64_t n, const double *excess, double *L)
{
    double *sum = L + n * n;

    memcpy(sum, excess, (size_t)n * sizeof *sum);
    for (int64_t j = 0; j < n; j++) {
        double *row = L + j * n, pivot = sum[j];
        for (int64_t k = j + 1; k < n; k++)
            pivot += row[k];
        row[j] = pivot;
        for (int64_t i = j + 1; pivot > 0.0 && i < n; i++) {
            const double m = row[i] / pivot;
            for (int64_t k = j + 1; m > 0.0 && k < n; k++)
                if (k != i) L[i * n + k] += m * row[k];
            sum[i] += m * sum[j];
        }
        for (int64_t k = j + 1; pivot > 0.0 && k < n; k++)
            row[k] /= pivot;
    }
}

void rg_coarsest_solve(int64_t n, const double *L, const double *b, double *x)
{
    memcpy(x, b, (size_t)n * sizeof *x);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = j + 1; k < n; k++)
            x[k] += L[j * n + k] * x[j];
    for (int64_t j = n - 1; j >= 0; j--) {
        x[j] = L[j * n + j] > 0.0 ? x[j] / L[j * n + j] : 0.0;
        for (int64_t k = j + 1; k < n; k++)
            x[j] += L[j * n + k] * x[k];
    }
}
