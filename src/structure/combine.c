/* Linear combinations of equations (after the linear combination method of Tan, Nedialkov and
 * Pryce).
 *
 * Where a diagonal block of the system Jacobian is singular, some rows are combinations of others:
 *
 *     J_l = sum_p w_p J_p,    u = e_l - sum_p w_p e_p,    u^T J = 0.
 *
 * If w is constant and c_p = c_l, equation l is replaced by  F_l - sum_p w_p F_p,  in which the
 * highest derivatives of the block cancel.  The new system is equivalent; its structure is
 * analysed again, until the system Jacobian is regular. */
#include "structure/combine.h"

#include "linalg/lu.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "structure/build.h"
#include "structure/combine_rows.h"
#include "structure/tuning.h"

#include <math.h>
#include <string.h>

#define ZERO_PIVOT rg_rank_floor(RG_NOISE_ITERATED)

typedef struct {
    rg_context *ctx;
    rg_rows *rows;
    rg_signature s;
    rg_transversal *t;
    int64_t n_replaced; /* in this round                                       */
    bool is_stuck;      /* a block is singular and no combination helps       */
} combiner;

typedef struct { /* a diagonal block */
    int64_t m, rank;
    const int32_t *row, *column;       /* its equations and unknowns                            */
    double *A[RG_COMBINE_POINTS];      /* m x m, scaled                                         */
    double *scale;                     /* of the rows, from the first point                     */
    int32_t *pivot_row, *pivot_column; /* independent ones come first, `rank` of them           */
    double *factor[RG_COMBINE_POINTS]; /* w                                                     */
    rg_lu *lu;
} block;

static void load_block(combiner *g, block *b)
{
    const rg_transversal *t = g->t;

    for (int64_t i = 0; i < b->m; i++) {
        rg_rows_load(g->rows, b->row[i]);
        for (int64_t j = 0; j < b->m; j++) {
            const int order = t->d[b->column[j]] - t->c[b->row[i]];
            const int64_t k = order * g->rows->n + b->column[j];
            const bool is_in = order >= 0 && k < g->rows->n_columns;
            for (int point = 0; point < RG_COMBINE_POINTS; point++)
                b->A[point][j * b->m + i] = is_in ? g->rows->sum[point][k] : 0.0;
        }
        rg_rows_unload(g->rows);
    }
}

/* The same scaling at both points, so that factors can be compared. */
static void scale_block(block *b)
{
    const int64_t m = b->m;
    double *column = b->scale + m;

    rg_equilibrate(m, m, b->A[0], b->scale, column);
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++)
            b->A[1][j * m + i] *= b->scale[i] * column[j];
}

/* Elimination with complete pivoting at the first point, in a copy: pivot rows and columns,
 * rank. */
static void choose_pivots(block *b, double *work)
{
    const int64_t m = b->m;

    memcpy(work, b->A[0], (size_t)(m * m) * sizeof *work);
    for (int64_t k = 0; k < m; k++)
        b->pivot_row[k] = b->pivot_column[k] = (int32_t)k;
    b->rank = 0;
    while (b->rank < m
           && rg_eliminate(m, b->rank, work, b->pivot_row, b->pivot_column, NULL) > ZERO_PIVOT)
        b->rank++;
}

/* w: factors of the pivot rows in row l, from the pivot columns; how much is left of row l then. */
static rg_status solve_factors(block *b, int point, int32_t l, double *left)
{
    const int64_t m = b->m, r = b->rank;
    const double *A = b->A[point];
    double *w = b->factor[point];

    for (int64_t i = 0; i < r; i++)
        for (int64_t j = 0; j < r; j++) /* transposed */
            rg_lu_values(b->lu)[i * r + j] = A[b->pivot_column[j] * m + b->pivot_row[i]];
    RG_TRY(rg_lu_factor(b->lu));
    for (int64_t j = 0; j < r; j++)
        w[j] = A[b->pivot_column[j] * m + l];
    rg_lu_solve(b->lu, w, NULL);
    *left = 0.0;
    for (int64_t j = 0; j < m; j++) {
        double rest = A[j * m + l];
        for (int64_t i = 0; i < r; i++)
            rest -= w[i] * A[j * m + b->pivot_row[i]];
        *left = fmax(*left, fabs(rest));
    }
    return RG_OK;
}

/* Replaces equation l of the block if the combination is the same at both points. */
static rg_status replace_row(combiner *g, block *b, int32_t l, int32_t *list, double *factor)
{
    int64_t count = 1;
    double left[RG_COMBINE_POINTS] = {0};

    for (int point = 0; point < RG_COMBINE_POINTS && b->rank > 0; point++)
        RG_TRY(solve_factors(b, point, l, &left[point]));
    list[0] = b->row[l];
    factor[0] = 1.0;
    bool is_constant = left[0] < ZERO_PIVOT && left[1] < ZERO_PIVOT;
    for (int64_t i = 0; i < b->rank && is_constant; i++) {
        const double w = b->factor[0][i], other = b->factor[1][i];
        const int32_t row = b->row[b->pivot_row[i]];
        is_constant = fabs(w - other) <= ZERO_PIVOT * (1.0 + fabs(w));
        if (fabs(w) < ZERO_PIVOT) continue;
        is_constant = is_constant && g->t->c[row] == g->t->c[b->row[l]];
        list[count] = row;
        factor[count++] = -w * b->scale[b->pivot_row[i]] / b->scale[l];
    }
    if (!is_constant) {
        g->is_stuck = true;
        return RG_OK;
    }
    g->n_replaced++;
    return rg_rows_replace(g->rows, b->row[l], count, list, factor);
}

static void block_clear(combiner *g, block *b)
{
    for (int point = 0; point < RG_COMBINE_POINTS; point++) {
        rg_free(g->ctx, b->A[point]);
        rg_free(g->ctx, b->factor[point]);
    }
    rg_free(g->ctx, b->scale);
    rg_free(g->ctx, b->pivot_row);
    rg_free(g->ctx, b->pivot_column);
    rg_lu_destroy(&b->lu);
}

static rg_status block_init(combiner *g, int64_t number, block *b)
{
    const int64_t first = g->t->block_start[number];
    const size_t m = (size_t)(g->t->block_start[number + 1] - first);
    bool ok = true;

    *b = (block){
        .m = (int64_t)m, .row = g->t->row_order + first, .column = g->t->column_order + first};
    for (int point = 0; point < RG_COMBINE_POINTS; point++) {
        b->A[point] = rg_alloc(g->ctx, m * m, sizeof *b->A[point]);
        b->factor[point] = rg_alloc(g->ctx, m, sizeof *b->factor[point]);
        ok = ok && b->A[point] != NULL && b->factor[point] != NULL;
    }
    b->scale = rg_alloc(g->ctx, 2 * m, sizeof *b->scale);
    b->pivot_row = rg_alloc(g->ctx, m, sizeof *b->pivot_row);
    b->pivot_column = rg_alloc(g->ctx, m, sizeof *b->pivot_column);
    return ok && b->scale && b->pivot_row && b->pivot_column ? RG_OK : RG_ERR_MEMORY;
}

static rg_status replace_rows(combiner *g, block *b)
{
    int32_t *list = rg_alloc(g->ctx, (size_t)b->m + 1, sizeof *list);
    double *factor = rg_alloc(g->ctx, (size_t)b->m + 1, sizeof *factor);
    rg_status status = list != NULL && factor != NULL ? RG_OK : RG_ERR_MEMORY;

    if (status == RG_OK && b->rank > 0) status = rg_lu_create(g->ctx, b->rank, false, &b->lu);
    for (int64_t k = b->rank; k < b->m && status == RG_OK; k++)
        status = replace_row(g, b, b->pivot_row[k], list, factor);
    rg_free(g->ctx, list);
    rg_free(g->ctx, factor);
    if (status == (rg_status)RG_RETRY) g->is_stuck = true; /* regular at the other point */
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}

/* A block of one equation with its derivative not 0: nothing to do. */
static bool is_plain(combiner *g, int64_t number)
{
    const int64_t first = g->t->block_start[number];
    const int32_t i = g->t->row_order[first], j = g->t->column_order[first];
    const int64_t k = (g->t->d[j] - g->t->c[i]) * g->rows->n + j;

    if (g->t->block_start[number + 1] - first > 1) return false;
    rg_rows_load(g->rows, i);
    const bool is_regular = g->rows->sum[0][k] != 0.0;
    rg_rows_unload(g->rows);
    return is_regular;
}

static rg_status work_on_block(combiner *g, int64_t number)
{
    block b;

    if (is_plain(g, number)) return RG_OK;
    rg_status status = block_init(g, number, &b);
    double *work = rg_alloc(g->ctx, (size_t)(b.m * b.m), sizeof *work);

    if (work == NULL) status = RG_ERR_MEMORY;
    if (status == RG_OK) {
        load_block(g, &b);
        scale_block(&b);
        choose_pivots(&b, work);
        if (b.rank < b.m) status = replace_rows(g, &b);
    }
    rg_free(g->ctx, work);
    block_clear(g, &b);
    return status;
}

/* The structure of the combinations, and new combinations for its singular blocks. */
static rg_status do_round(combiner *g)
{
    g->n_replaced = 0;
    rg_signature_clear(g->ctx, &g->s);
    rg_transversal_destroy(g->ctx, &g->t);
    RG_TRY(rg_rows_signature(g->rows, &g->s));
    RG_TRY(rg_transversal_create(g->ctx, &g->s, &g->t));
    g->is_stuck = g->t->n_matched < g->rows->n;
    for (int64_t b = 0; !g->is_stuck && b < g->t->n_blocks; b++) {
        if (g->t->block_start[b + 1] - g->t->block_start[b] > RG_BLOCK_DENSE) g->is_stuck = true;
        if (!g->is_stuck) RG_TRY(work_on_block(g, b));
    }
    return RG_OK;
}

/* A written equation is differentiated as often as any combination that holds it. */
static void take_result(const combiner *g, rg_analysis *a)
{
    const rg_transversal *t = g->t;
    const rg_signature *s = &a->signature;

    a->index = t->structural_index;
    a->dof = t->dof;
    a->levels = 0;
    for (int64_t i = 0; i < t->n; i++) {
        a->variable_index[i] = t->variable_index[i];
        a->c[i] = t->c[i];
        a->d[i] = t->d[i];
    }
    for (int64_t i = 0; i < t->n; i++) {
        const rg_combination *c = &g->rows->combination[i];
        for (int32_t k = 0; k < c->count; k++)
            if (t->c[i] > a->c[c->row[k]]) a->c[c->row[k]] = t->c[i];
    }
    for (int64_t i = 0; i < s->n_rows; i++) {
        if (a->c[i] > a->levels) a->levels = a->c[i];
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++)
            if (s->order[e] + a->c[i] > a->d[s->column[e]])
                a->d[s->column[e]] = s->order[e] + a->c[i];
    }
}

/* *is_found: the system Jacobian of g->t is regular. */
static rg_status find(combiner *g, const rg_problem *p, bool *is_found)
{
    rg_status status = rg_rows_create(p, &g->rows);

    *is_found = false;
    for (int round = 0; round < RG_COMBINE_ROUNDS && status == RG_OK; round++) {
        status = do_round(g);
        *is_found = status == RG_OK && g->n_replaced == 0 && !g->is_stuck;
        if (g->is_stuck || g->n_replaced == 0) break;
    }
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}

static void clear(combiner *g)
{
    rg_signature_clear(g->ctx, &g->s);
    rg_transversal_destroy(g->ctx, &g->t);
    rg_rows_destroy(&g->rows);
}

rg_status rg_combine(const rg_problem *p, rg_analysis *a, bool *is_found)
{
    combiner g = {.ctx = p->ctx};
    const rg_status status = find(&g, p, is_found);

    if (*is_found) take_result(&g, a);
    clear(&g);
    return status;
}

rg_status rg_combine_find(const rg_problem *p, rg_rows **rows, rg_transversal **t)
{
    combiner g = {.ctx = p->ctx};
    bool is_found;
    const rg_status status = find(&g, p, &is_found);

    *rows = is_found ? g.rows : NULL;
    *t = is_found ? g.t : NULL;
    if (is_found) g.rows = NULL, g.t = NULL;
    clear(&g);
    return status;
}
