/* Blocks by SuiteSparse BTF, determinants from the pivots of small LU factors. */
#include "ivp/determinants.h"

#include "ivp/tuning.h"
#include "linalg/small_lu.h"

#include <btf.h>
#include <math.h>
#include <string.h>

/* One entry of a watched block. */
typedef struct {
    int64_t entry; /* of the pattern */
    int target;    /* in blocks */
    int row;       /* in size */
    bool is_slope;
} part;

typedef struct {
    int n;      /* rows and columns */
    int first;  /* in blocks */
    int column; /* its first one in columns */
    bool has_unit;
    double unit; /* binary logarithm of the first determinant */
} block;

struct rg_determinants {
    rg_context *ctx;
    int n, n_blocks, n_parts, n_values;
    uint8_t *is_slope; /* per state: its derivative occurs */
    block *block;
    part *part;
    int *pivot;
    int *columns; /* unknowns of the watched blocks, one after the other */
    int *rows;    /* ... and their equations, in the order of the blocks */
    int n_columns;
    double *blocks;   /* all watched blocks, each by columns */
    double *size;     /* largest entries of their rows */
    double *Jy, *Jyp; /* entries of the pattern */
    double *y, *yp;   /* a point */
    double *F;        /* residuals there */
};

/* Block triangular form of the pattern of K; which columns and rows are in which block. */
typedef struct {
    int32_t *start, *row; /* of K */
    int32_t *P, *Q, *R;   /* BTF: rows and columns in order, first of every block */
    int32_t *work;
    int32_t *block_of_row, *place_of_row;
    uint8_t *kinds, *varies; /* per entry of the pattern */
    int n_blocks;
} blocks;

/* ---- life ------------------------------------------------------------------------------------ */

void rg_determinants_destroy(rg_determinants **determinants)
{
    rg_determinants *l = *determinants;

    if (l == NULL) return;
    rg_free(l->ctx, l->is_slope);
    rg_free(l->ctx, l->block);
    rg_free(l->ctx, l->part);
    rg_free(l->ctx, l->pivot); /* and columns, rows */
    rg_free(l->ctx, l->blocks);
    rg_free(l->ctx, l->Jy);
    rg_free(l->ctx, l);
    *determinants = NULL;
}

static void free_blocks(rg_context *ctx, blocks *b)
{
    rg_free(ctx, b->start);
    rg_free(ctx, b->kinds);
}

static rg_status take_memory(const rg_integrator *g, rg_determinants *l, blocks *b)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    const size_t n = (size_t)g->n, entries = (size_t)p->start[n] + 1;

    l->is_slope = rg_alloc(l->ctx, n + 1, 1);
    l->block = rg_alloc(l->ctx, n + 1, sizeof *l->block);
    l->part = rg_alloc(l->ctx, entries, sizeof *l->part);
    l->pivot = rg_alloc(l->ctx, 3 * (n + 1), sizeof *l->pivot);
    l->Jy = rg_alloc(l->ctx, 2 * entries + 4 * n + 8, sizeof *l->Jy);
    b->start = rg_alloc(l->ctx, entries + 11 * (n + 1), sizeof *b->start);
    b->kinds = rg_alloc(l->ctx, 2 * entries, 1);
    if (l->is_slope == NULL || l->block == NULL || l->part == NULL || l->pivot == NULL
        || l->Jy == NULL || b->start == NULL || b->kinds == NULL)
        return RG_ERR_MEMORY;
    l->columns = l->pivot + n + 1;
    l->rows = l->columns + n + 1;
    l->Jyp = l->Jy + entries;
    l->y = l->Jyp + entries;
    l->yp = l->y + n;
    l->F = l->yp + n;
    b->P = b->start + n + 1;
    b->Q = b->P + n + 1;
    b->R = b->Q + n + 1;
    b->block_of_row = b->R + n + 1;
    b->place_of_row = b->block_of_row + n + 1;
    b->work = b->place_of_row + n + 1; /* 5 n */
    b->row = b->work + 5 * (n + 1);
    b->varies = b->kinds + entries;
    return RG_OK;
}

/* A point beside that of the integrator: algebraic unknowns alone are moved, or all. */
static void move_point(const rg_integrator *g, rg_determinants *l, rg_determinants_kind kind)
{
    for (int64_t i = 0; i < g->n; i++) {
        const bool moves = kind == RG_DETERMINANTS_SLOPES || !l->is_slope[i];
        const double move = moves ? RG_MASS_MOVE : 0.0;
        l->y[i] = g->y[i] + move * (1.0 + fabs(g->y[i]));
        l->yp[i] = g->yp[i] + move * (1.0 + fabs(g->yp[i]));
    }
}

/* Which entries of K differ at another point: factors of derivatives, or those of algebraic
 * unknowns when these are moved?  What cannot be told may. */
static rg_status find_variation(const rg_integrator *g, rg_determinants *l, blocks *b,
                                rg_determinants_kind kind)
{
    const bool is_slope = kind == RG_DETERMINANTS_SLOPES;
    const double t = is_slope ? g->t + RG_MASS_MOVE * (g->t_end - g->t) : g->t;
    const int64_t entries = rg_system_pattern(g->system)->start[g->n];
    double *other = rg_alloc(l->ctx, 2 * ((size_t)entries + 1), sizeof *other);

    if (other == NULL) return RG_ERR_MEMORY;
    double *const other_p = other + entries + 1;
    const double *const first = is_slope ? other_p : other, *const second =
                                                                is_slope ? l->Jyp : l->Jy;
    move_point(g, l, kind);
    rg_status status = rg_system_jacobian(g->system, g->work, g->t, g->y, g->yp, other, other_p);
    if (status == RG_OK)
        status = rg_system_jacobian(g->system, g->work, t, l->y, l->yp, l->Jy, l->Jyp);
    for (int64_t e = 0; e < entries; e++)
        b->varies[e] =
            (b->kinds[e] & (is_slope ? 2 : 1)) && (status != RG_OK || first[e] != second[e]);
    rg_free(l->ctx, other);
    return status < 0 ? status : RG_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool is_in_K(const rg_determinants *l, const blocks *b, int j, int64_t e)
{
    return (b->kinds[e] & (l->is_slope[j] ? 2 : 1)) != 0;
}

static void find_slopes(const rg_pattern *p, rg_determinants *l, const blocks *b)
{
    for (int j = 0; j < l->n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            if (b->kinds[e] & 2) l->is_slope[j] = 1;
}

/* false: no matching covers K, which is singular everywhere. */
static bool find_triangular_form(const rg_pattern *p, const rg_determinants *l, blocks *b)
{
    int32_t count = 0, n_matched = 0;
    double work;

    for (int j = 0; j < l->n; j++) {
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            if (is_in_K(l, b, j, e)) b->row[count++] = p->row[e];
        b->start[j + 1] = count;
    }
    b->n_blocks =
        btf_order(l->n, b->start, b->row, 0.0, &work, b->P, b->Q, b->R, &n_matched, b->work);
    if (n_matched < l->n) return false;
    for (int k = 0; k < b->n_blocks; k++)
        for (int i = b->R[k]; i < b->R[k + 1]; i++) {
            b->block_of_row[b->P[i]] = k;
            b->place_of_row[b->P[i]] = i - b->R[k];
        }
    return true;
}

static bool is_algebraic(const rg_determinants *l, const blocks *b, int k)
{
    for (int c = b->R[k]; c < b->R[k + 1]; c++)
        if (l->is_slope[b->Q[c]]) return false;
    return true;
}

static bool block_varies(const rg_pattern *p, const rg_determinants *l, const blocks *b, int k)
{
    for (int c = b->R[k]; c < b->R[k + 1]; c++) {
        const int j = b->Q[c];
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            if (b->varies[e] && is_in_K(l, b, j, e) && b->block_of_row[p->row[e]] == k) return true;
    }
    return false;
}

static void add_block(const rg_pattern *p, rg_determinants *l, const blocks *b, int k)
{
    const int m = b->R[k + 1] - b->R[k], first = l->n_values;

    for (int c = 0; c < m; c++) {
        const int j = b->Q[b->R[k] + c];
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            if (is_in_K(l, b, j, e) && b->block_of_row[p->row[e]] == k)
                l->part[l->n_parts++] =
                    (part){e, first + c * m + b->place_of_row[p->row[e]],
                           l->n_columns + b->place_of_row[p->row[e]], l->is_slope[j] != 0};
    }
    l->block[l->n_blocks++] = (block){.n = m, .first = first, .column = l->n_columns};
    for (int c = 0; c < m; c++) {
        l->rows[l->n_columns] = b->P[b->R[k] + c];
        l->columns[l->n_columns++] = b->Q[b->R[k] + c];
    }
    l->n_values += m * m;
}

static rg_status find_blocks(const rg_integrator *g, rg_determinants *l, blocks *b,
                             rg_determinants_kind kind)
{
    const rg_pattern *p = rg_system_pattern(g->system);

    rg_system_entry_kinds(g->system, b->kinds);
    find_slopes(p, l, b);
    if (kind != RG_DETERMINANTS_ALL) RG_TRY(find_variation(g, l, b, kind));
    if (!find_triangular_form(p, l, b)) return RG_OK;
    for (int k = 0; k < b->n_blocks; k++)
        if (b->R[k + 1] - b->R[k] <= RG_DEGENERATE_MOST
            && (kind == RG_DETERMINANTS_ALL || block_varies(p, l, b, k))
            && (kind == RG_DETERMINANTS_SLOPES || is_algebraic(l, b, k)))
            add_block(p, l, b, k);
    l->blocks = rg_alloc(l->ctx, (size_t)l->n_values + (size_t)l->n_columns + 1, sizeof *l->blocks);
    if (l->blocks == NULL) return RG_ERR_MEMORY;
    l->size = l->blocks + l->n_values;
    return RG_OK;
}

rg_status rg_determinants_create(const rg_integrator *g, rg_determinants_kind kind,
                                 rg_determinants **out)
{
    blocks b = {0};

    *out = NULL;
    rg_determinants *l = rg_alloc(g->ctx, 1, sizeof *l);
    if (l == NULL) return RG_ERR_MEMORY;
    l->ctx = g->ctx;
    l->n = (int)g->n;
    rg_status status = take_memory(g, l, &b);
    if (status == RG_OK) status = find_blocks(g, l, &b, kind);
    free_blocks(l->ctx, &b);
    if (status == RG_OK && l->n_blocks > 0)
        *out = l;
    else
        rg_determinants_destroy(&l);
    return status;
}

void rg_determinants_store(rg_determinants *l, rg_store *s)
{
    for (int k = 0; k < l->n_blocks; k++) {
        RG_STORE(s, l->block[k].has_unit);
        RG_STORE(s, l->block[k].unit);
    }
}

int rg_determinants_count(const rg_determinants *l)
{
    return l->n_blocks;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* *product <- *product x, or its binary logarithm goes to *bits: the product of many numbers may be
 * beyond all numbers. */
static void multiply(double x, double *product, double *bits)
{
    const double more = *product * x;

    if (isnormal(more)) {
        *product = more;
        return;
    }
    *bits += log2(*product) + log2(x);
    *product = 1.0;
}

/* The product of the pivots of A, which is used up, and of the sizes by which its rows were
 * divided.  *sign: 0 where it vanishes.  Returns the binary logarithm. */
static double determinant(int n, double *A, const double *size, int *pivot, int *sign)
{
    double bits = 0.0, product = 1.0;

    *sign = 0;
    for (int i = 0; i < n; i++) {
        if (!(size[i] > 0.0) || !isfinite(size[i])) return 0.0;
        multiply(size[i], &product, &bits);
    }
    if (!rg_small_lu_factor(n, A, pivot)) return 0.0;
    *sign = 1;
    for (int k = 0; k < n; k++) {
        if ((pivot[k] != k) != (A[k * n + k] < 0.0)) *sign = -*sign;
        multiply(rg_small_lu_pivot(n, A, k), &product, &bits);
    }
    return bits + log2(product);
}

static double value_of(rg_determinants *l, block *b)
{
    int sign;
    const double bits =
        determinant(b->n, l->blocks + b->first, l->size + b->column, l->pivot, &sign);

    if (sign == 0) return 0.0;
    if (!b->has_unit) b->unit = bits;
    b->has_unit = true;
    return sign * exp2(bits - b->unit);
}

/* The watched blocks, each row in units of its largest entry. */
static void fill_blocks(rg_determinants *l)
{
    memset(l->blocks, 0, (size_t)l->n_values * sizeof *l->blocks);
    memset(l->size, 0, (size_t)l->n_columns * sizeof *l->size);
    for (int k = 0; k < l->n_parts; k++) {
        const part *p = &l->part[k];
        const double value = p->is_slope ? l->Jyp[p->entry] : l->Jy[p->entry];
        l->blocks[p->target] = value;
        if (fabs(value) > l->size[p->row]) l->size[p->row] = fabs(value);
    }
    for (int k = 0; k < l->n_parts; k++)
        l->blocks[l->part[k].target] /= l->size[l->part[k].row];
}

rg_status rg_determinants_at(rg_determinants *l, rg_integrator *g, const rg_state *at, double *out)
{
    g->stats.jacobians++;
    const rg_status status =
        rg_system_jacobian(g->system, g->work, at->t, at->y, at->yp, l->Jy, l->Jyp);

    if (status != RG_OK) {
        for (int k = 0; k < l->n_blocks; k++)
            out[k] = NAN;
        return status < 0 ? status : RG_OK;
    }
    fill_blocks(l);
    for (int k = 0; k < l->n_blocks; k++)
        out[k] = value_of(l, &l->block[k]);
    return RG_OK;
}

/* ---- slopes ---------------------------------------------------------------------------------- */

/* The blocks at a point.  RG_RETRY: values are not finite. */
static rg_status blocks_at(rg_determinants *l, rg_integrator *g, double t, const double *y,
                           const double *yp)
{
    g->stats.jacobians++;
    RG_TRY(rg_system_jacobian(g->system, g->work, t, y, yp, l->Jy, l->Jyp));
    fill_blocks(l);
    return RG_OK;
}

/* sum += factor F(t, y, y') in the rows of the block */
static rg_status add_residual(rg_determinants *l, rg_integrator *g, const block *b, double t,
                              const rg_state *at, double factor, double *sum)
{
    RG_TRY(rg_integrator_residual(g, t, at->y, at->yp, l->F));
    for (int i = 0; i < b->n; i++)
        sum[i] += factor * l->F[l->rows[b->column + i]];
    return RG_OK;
}

/* sum += g_x x', the columns of the block left out, in its rows */
static void add_slopes(const rg_determinants *l, const rg_pattern *p, const block *b,
                       const double *x, double *sum)
{
    for (int j = 0; j < l->n; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++)
            for (int i = 0; i < b->n; i++)
                if (p->row[e] == l->rows[b->column + i]) sum[i] += l->Jy[e] * x[j];
}

/* After blocks_at(): y' of the block, in l->yp with the slopes of all others. */
static rg_status block_tangent(rg_determinants *l, rg_integrator *g, const block *b,
                               const rg_state *at, double span)
{
    double *const A = l->blocks + b->first, *const sum = l->F + l->n + 8;

    memset(sum, 0, (size_t)b->n * sizeof *sum);
    memcpy(l->yp, at->yp, (size_t)l->n * sizeof *l->yp);
    for (int c = 0; c < b->n; c++)
        l->yp[l->columns[b->column + c]] = 0.0;
    RG_TRY(add_residual(l, g, b, at->t + span, at, 0.5 / span, sum));
    RG_TRY(add_residual(l, g, b, at->t - span, at, -0.5 / span, sum));
    add_slopes(l, rg_system_pattern(g->system), b, l->yp, sum);
    if (!rg_small_lu_factor(b->n, A, l->pivot)) return (rg_status)RG_RETRY;
    for (int i = 0; i < b->n; i++)
        sum[i] /= -l->size[b->column + i];
    rg_small_lu_solve(b->n, A, l->pivot, sum);
    for (int c = 0; c < b->n; c++)
        l->yp[l->columns[b->column + c]] = sum[c];
    return RG_OK;
}

rg_status rg_determinants_slope(rg_determinants *l, rg_integrator *g, const rg_state *at, int k,
                                double span, double *slope, double *tangent)
{
    block *const b = &l->block[k];

    RG_TRY(blocks_at(l, g, at->t, at->y, at->yp));
    RG_TRY(block_tangent(l, g, b, at, span));
    *slope = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        for (int j = 0; j < l->n; j++)
            l->y[j] = at->y[j] + side * span * l->yp[j];
        RG_TRY(blocks_at(l, g, at->t + side * span, l->y, at->yp));
        *slope += side * value_of(l, b) / (2.0 * span);
    }
    memset(tangent, 0, (size_t)l->n * sizeof *tangent);
    for (int c = 0; c < b->n; c++)
        tangent[l->columns[b->column + c]] = l->yp[l->columns[b->column + c]];
    return RG_OK;
}

rg_status rg_determinants_block(rg_determinants *l, rg_integrator *g, const rg_state *at, int k,
                                int *n, double **A, const int **columns)
{
    const block *b = &l->block[k];

    RG_TRY(blocks_at(l, g, at->t, at->y, at->yp));
    *n = b->n;
    *A = l->blocks + b->first;
    *columns = l->columns + b->column;
    return RG_OK;
}

int rg_determinants_state(const rg_determinants *l, const rg_integrator *g, int k, int *row)
{
    const block *b = &l->block[k];
    int state = -1;
    double least = INFINITY;

    *row = l->rows[b->column];
    for (int c = 0; c < b->n; c++) {
        const int j = l->columns[b->column + c];
        const double size = fabs(g->y[j]) / rg_integrator_atol(g, j);
        if (state >= 0 && !(size < least)) continue;
        least = size;
        state = j;
    }
    return state;
}
