/* The ring by upwind differences, scheme (6.45):
 *
 *     -eps ((u_E - u)/h_E - (u - u_W)/h_W)/((h_E + h_W)/2)  - the same in y
 *     - y/r^2 D_x u + x/r^2 D_y u = 0
 *     D_x: forward for y > 0, backward for y < 0;  D_y: backward for x > 0,
 * forward for x < 0
 *
 * with legs h_E, h_W, h_S, h_N that end at the next node or on a circle, where
 * u is given. */
#include "pdae/annulus/annulus.h"

#include "linalg/sparse.h"
#include "linalg/tridiagonal.h"

#include <math.h>

double rg_annulus_exact(const rg_annulus *p, double r)
{
    return p->inner + (p->outer - p->inner) * log(r / p->a) / log(p->b / p->a);
}

double rg_annulus_spurious(const rg_annulus *p, double h, double r)
{
    const double k = 2.0 * h / (3.0 * acos(-1.0));
    const double up = p->eps * log(r / p->a) + k * (1.0 / p->a - 1.0 / r);
    const double all = p->eps * log(p->b / p->a) + k * (1.0 / p->a - 1.0 / p->b);

    return p->inner + (p->outer - p->inner) * up / all;
}

typedef struct {
    rg_context *ctx;
    const rg_annulus *p;
    int n; /* intervals of the square */
    double h;
    int32_t *number; /* (n + 1)^2: of a node, -1: none */
    int32_t *place;  /* of node k: i + (n + 1) j */
    int64_t n_nodes;
    rg_pattern pattern;
    double *right, *ones; /* right-hand sides; the solutions after it */
    rg_sparse *factors;
} ring;

typedef enum { WEST, EAST, SOUTH, NORTH } direction;
static const int step_x[] = {-1, 1, 0, 0}, step_y[] = {0, 0, -1, 1};

typedef struct { /* where a leg ends: at a node, or on a circle with a given
                    value */
    double length, value;
    int32_t node;
} leg;

/* The first circle on the way of length h from (x, y), t along (dx, dy): t^2 +
 * 2 t x.d + r^2 = R^2. */
static leg leg_of(const ring *g, int i, int j, direction d)
{
    const double x = g->h * i - g->p->b, y = g->h * j - g->p->b;
    const double along = x * step_x[d] + y * step_y[d], r2 = x * x + y * y;
    const double out = -along + sqrt(along * along - r2 + g->p->b * g->p->b);
    const double under = along * along - r2 + g->p->a * g->p->a;
    const double in = along < 0.0 && under >= 0.0 ? -along - sqrt(under) : INFINITY;
    const int ii = i + step_x[d], jj = j + step_y[d];
    const int32_t node =
        ii >= 0 && ii <= g->n && jj >= 0 && jj <= g->n ? g->number[ii + (g->n + 1) * jj] : -1;

    if (node >= 0) return (leg){g->h, 0.0, node};
    return in < out ? (leg){in, g->p->inner, -1} : (leg){out, g->p->outer, -1};
}

/* Row of node k: coefficients of the four legs and of itself. */
static void row_of(const ring *g, int64_t k, leg *legs, double *weight, double *diagonal)
{
    const int i = g->place[k] % (g->n + 1), j = g->place[k] / (g->n + 1);
    const double x = g->h * i - g->p->b, y = g->h * j - g->p->b, r2 = x * x + y * y;

    for (int d = 0; d < 4; d++)
        legs[d] = leg_of(g, i, j, (direction)d);
    for (int d = 0; d < 4; d++) {
        const double mean = 0.5 * (legs[d & 2].length + legs[(d & 2) + 1].length);
        weight[d] = -g->p->eps / (legs[d].length * mean);
    }
    const int in_x = y > 0.0 ? EAST : WEST, in_y = x > 0.0 ? SOUTH : NORTH;
    weight[in_x] -= fabs(y) / (r2 * legs[in_x].length);
    weight[in_y] -= fabs(x) / (r2 * legs[in_y].length);
    *diagonal = -(weight[0] + weight[1] + weight[2] + weight[3]);
}

static rg_status number_nodes(ring *g)
{
    const int64_t all = (int64_t)(g->n + 1) * (g->n + 1);
    const double a2 = g->p->a * g->p->a, b2 = g->p->b * g->p->b;

    g->number = rg_alloc(g->ctx, (size_t)all, sizeof *g->number);
    g->place = rg_alloc(g->ctx, (size_t)all, sizeof *g->place);
    if (g->number == NULL || g->place == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < all; k++) {
        const double x = g->h * (double)(k % (g->n + 1)) - g->p->b;
        const double y = g->h * (double)(k / (g->n + 1)) - g->p->b, r2 = x * x + y * y;
        g->number[k] = r2 > a2 && r2 < b2 ? (int32_t)g->n_nodes : -1;
        if (g->number[k] >= 0) g->place[g->n_nodes++] = (int32_t)k;
    }
    return RG_OK;
}

/* Pattern and right-hand sides.  The pattern is symmetric: column k has the
 * neighbours of node k. */
static rg_status assemble(ring *g)
{
    const size_t n = (size_t)g->n_nodes;
    int64_t count = 0;

    g->pattern = (rg_pattern){g->n_nodes, g->n_nodes, NULL, NULL};
    g->pattern.start = rg_alloc(g->ctx, n + 1, sizeof *g->pattern.start);
    g->pattern.row = rg_alloc(g->ctx, 5 * n + 1, sizeof *g->pattern.row);
    g->right = rg_alloc(g->ctx, 2 * n + 1, sizeof *g->right);
    if (!g->pattern.start || !g->pattern.row || !g->right) return RG_ERR_MEMORY;
    g->ones = g->right + n;
    for (int64_t k = 0; k < g->n_nodes; k++) { /* rows in ascending order: S, W, itself, E, N */
        static const direction order[] = {SOUTH, WEST, EAST, NORTH};
        const int i = g->place[k] % (g->n + 1), j = g->place[k] / (g->n + 1);
        leg legs[4];
        double weight[4], diagonal;
        row_of(g, k, legs, weight, &diagonal);
        g->pattern.start[k] = count;
        g->ones[k] = 1.0;
        for (int d = 0; d < 4; d++) {
            const leg l = leg_of(g, i, j, order[d]);
            if (d == 2) g->pattern.row[count++] = (int32_t)k;
            if (l.node >= 0)
                g->pattern.row[count++] = l.node;
            else
                g->right[k] -= weight[order[d]] * l.value;
        }
    }
    g->pattern.start[g->n_nodes] = count;
    return RG_OK;
}

/* Entry (row, column) of the sparse matrix. */
static double *entry(const ring *g, double *values, int64_t row, int64_t column)
{
    for (int64_t q = g->pattern.start[column]; q < g->pattern.start[column + 1]; q++)
        if (g->pattern.row[q] == row) return &values[q];
    return NULL;
}

static rg_status factor(ring *g)
{
    RG_TRY(rg_sparse_create(g->ctx, &g->pattern, false, &g->factors));
    double *const values = rg_sparse_values(g->factors);
    for (int64_t k = 0; k < g->n_nodes; k++) {
        leg legs[4];
        double weight[4], diagonal;
        row_of(g, k, legs, weight, &diagonal);
        *entry(g, values, k, k) = diagonal;
        for (int d = 0; d < 4; d++)
            if (legs[d].node >= 0) *entry(g, values, k, legs[d].node) = weight[d];
    }
    const rg_status status = rg_sparse_factor(g->factors);
    if (status != RG_RETRY) return status;
    rg_fail(g->ctx, RG_ERR_CONVERGENCE, "the matrix of the ring is singular");
    return rg_remedy(g->ctx, "take another number of intervals");
}

static void compare(const ring *g, rg_annulus_errors *out, double *ray)
{
    *out = (rg_annulus_errors){.n_nodes = g->n_nodes};
    for (int i = 0; ray != NULL && i <= g->n / 2; i++)
        ray[i] = NAN;
    for (int64_t k = 0; k < g->n_nodes; k++) {
        const int i = g->place[k] % (g->n + 1), j = g->place[k] / (g->n + 1);
        const double r = hypot(g->h * i - g->p->b, g->h * j - g->p->b), u = g->right[k];
        out->error = fmax(out->error, fabs(u - rg_annulus_exact(g->p, r)));
        out->distance = fmax(out->distance, fabs(u - rg_annulus_spurious(g->p, g->h, r)));
        out->norm = fmax(out->norm, fabs(g->ones[k]));
        if (ray != NULL && 2 * j == g->n && 2 * i >= g->n) ray[i - g->n / 2] = u;
    }
}

rg_status rg_annulus_cartesian(rg_context *ctx, const rg_annulus *p, int n, rg_annulus_errors *out,
                               double *ray)
{
    ring g = {.ctx = ctx, .p = p, .n = n, .h = 2.0 * p->b / n};
    rg_status status = number_nodes(&g);

    if (status == RG_OK) status = assemble(&g);
    if (status == RG_OK) status = factor(&g);
    if (status == RG_OK) {
        rg_sparse_solve(g.factors, g.right, NULL);
        rg_sparse_solve(g.factors, g.ones, NULL);
        compare(&g, out, ray);
    }
    rg_sparse_destroy(&g.factors);
    rg_free(ctx, g.number);
    rg_free(ctx, g.place);
    rg_free(ctx, g.pattern.start);
    rg_free(ctx, g.pattern.row);
    rg_free(ctx, g.right);
    return status;
}

/* (u_{i+1} - 2 u_i + u_{i-1})/h^2 + (u_{i+1} - u_{i-1})/(2 h r_i) = 0: eps
 * cancels. */
rg_status rg_annulus_polar(rg_context *ctx, const rg_annulus *p, int n, double *error)
{
    const double h = (p->b - p->a) / n;
    double *room = rg_alloc(ctx, 5 * (size_t)n, sizeof *room);
    int *pivot = rg_alloc(ctx, (size_t)n, sizeof *pivot);
    rg_status status = room != NULL && pivot != NULL ? RG_OK : RG_ERR_MEMORY;

    *error = 0.0;
    if (status == RG_OK) {
        rg_tridiagonal t = {n - 1, room, room + n, room + 2 * n, room + 3 * n, pivot};
        double *const u = room + 4 * n;
        for (int i = 1; i < n; i++) {
            const double r = p->a + i * h, low = 1.0 / (h * h) - 0.5 / (h * r),
                         high = 1.0 / (h * h) + 0.5 / (h * r);
            t.diagonal[i - 1] = -2.0 / (h * h);
            if (i > 1) t.lower[i - 2] = low;
            if (i < n - 1) t.upper[i - 1] = high;
            u[i - 1] = -(i == 1 ? low * p->inner : 0.0) - (i == n - 1 ? high * p->outer : 0.0);
        }
        if (rg_tridiagonal_factor(&t)) rg_tridiagonal_solve(&t, u);
        for (int i = 1; i < n; i++)
            *error = fmax(*error, fabs(u[i - 1] - rg_annulus_exact(p, p->a + i * h)));
    }
    rg_free(ctx, room);
    rg_free(ctx, pivot);
    return status;
}
