/* Combinations with factors that depend on anything: see cancel.h. */
#include "structure/cancel.h"

#include "problem/products.h"
#include "structure/incomplete.h"
#include "structure/magnitudes.h"
#include "structure/sampler.h"
#include "structure/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    rg_context *ctx;
    rg_problem *q;   /* the problem so far */
    rg_graph *graph; /* of its scalar equations; they are in one body */
    rg_body *body;
    int64_t n, first_row;
    int least; /* d_j of the unknowns whose leading derivatives have to cancel */
    const int32_t *c, *d;
    double *J;           /* n x n, rows one after the other; scaled */
    double *basis, *mix; /* rows reduced; how they were made from those of J */
    double *scale;       /* 2 n */
    rg_sampler *at;      /* the problem so far at a point */
    int32_t *order;      /* rows, largest c first */
    int32_t *pivot;
    int count;                    /* equations in the combination: */
    int32_t rows[RG_CANCEL_MOST]; /* the last one is replaced */
    int32_t columns[RG_CANCEL_MOST];
    rg_node entry[RG_CANCEL_MOST][RG_CANCEL_MOST];   /* J of these rows and columns */
    rg_node w[RG_CANCEL_MOST], term[RG_CANCEL_MOST]; /* w_i F_i^(..) */
} canceller;

/* ---- the combination, with numbers ----------------------------------------------------------- */

/* With room for all derivatives that the combination may have. */
static rg_status create_sampler(canceller *k)
{
    int most = k->q->max_order < 1 ? 1 : k->q->max_order;

    for (int64_t j = 0; j < k->n; j++)
        if (k->d[j] > most) most = k->d[j];
    rg_sampler_destroy(&k->at);
    return rg_sampler_create(k->q, 1, most + 1, &k->at);
}

/* The entries of J at a generic point, rows and columns scaled: units do not choose. */
static rg_status sample(canceller *k)
{
    const int64_t n = k->n;
    rg_status status = create_sampler(k);
    const rg_sampler *s = k->at;
    double *A = k->basis, *unit = k->mix; /* A: columns one after the other */

    memset(A, 0, (size_t)(n * n) * sizeof *A);
    for (int64_t j = 0; j < n; j++)
        unit[j] = 1.0;
    if (status == RG_OK) status = rg_sampler_visit(k->at, RG_MOVE_ALL, RG_SAMPLE_SIZE, 11);
    for (int64_t col = 0; status == RG_OK && col < s->n_columns; col++)
        for (int64_t e = s->pattern->start[col]; e < s->pattern->start[col + 1]; e++) {
            const int64_t i = s->pattern->row[e], j = col % n, r = col / n;
            if (r != k->d[j] - k->c[i] || k->d[j] < k->least) continue;
            A[j * n + i] = s->J[e];
            unit[j] = s->unit[col];
        }
    if (status == RG_OK) rg_magnitudes_equilibrate(n, n, unit, A, k->scale, k->scale + n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            k->J[i * n + j] = A[j * n + i];
    return status;
}

static void sort_rows(canceller *k)
{
    for (int64_t i = 0; i < k->n; i++) {
        int64_t at = i;
        for (; at > 0 && k->c[k->order[at - 1]] < k->c[i]; at--)
            k->order[at] = k->order[at - 1];
        k->order[at] = (int32_t)i;
    }
}

/* Row v of the basis minus multiples of those before it; its largest entry is left. */
static double reduce(canceller *k, int64_t v)
{
    double *row = k->basis + v * k->n, *mix = k->mix + v * k->n, most = 0.0;

    for (int64_t b = 0; b < v; b++) {
        if (k->pivot[b] < 0) continue;
        const double *other = k->basis + b * k->n, f = row[k->pivot[b]] / other[k->pivot[b]];
        for (int64_t j = 0; j < k->n; j++) {
            row[j] -= f * other[j];
            mix[j] -= f * k->mix[b * k->n + j];
        }
    }
    for (int64_t j = 0; j < k->n; j++)
        if (fabs(row[j]) > most) {
            most = fabs(row[j]);
            k->pivot[v] = (int32_t)j;
        }
    return most;
}

/* The rows of a combination; last the one of least c with the largest factor, which is least in
 * danger to vanish on the way. */
static rg_status list_rows(canceller *k, const double *mix, int32_t least)
{
    int at = 0;

    k->count = 0;
    for (int64_t i = 0; i < k->n; i++) {
        if (fabs(mix[i]) <= RG_CANCEL_ZERO) continue;
        if (k->count >= RG_CANCEL_MOST) return (rg_status)RG_RETRY;
        const bool is_larger =
            k->c[i] == least
            && (k->c[k->rows[at]] > least || fabs(mix[i]) > fabs(mix[k->rows[at]]));
        k->rows[k->count] = (int32_t)i;
        if (k->count == 0 || is_larger) at = k->count;
        k->count++;
    }
    const int32_t last = k->rows[at];
    k->rows[at] = k->rows[k->count - 1];
    k->rows[k->count - 1] = last;
    return RG_OK;
}

/* No entry: an equation without derivatives, where these alone are to cancel. */
static bool is_empty(const canceller *k, int32_t i)
{
    for (int64_t j = 0; j < k->n; j++)
        if (k->J[i * k->n + j] != 0.0) return false;
    return true;
}

/* The first row that depends on those before it, with these.  RG_RETRY: there is none, or the
 * combination is too long. */
static rg_status find_rows(canceller *k)
{
    const size_t bytes = (size_t)k->n * sizeof(double);

    sort_rows(k);
    for (int64_t v = 0; v < k->n; v++) {
        double *mix = k->mix + v * k->n;
        memcpy(k->basis + v * k->n, k->J + k->order[v] * k->n, bytes);
        memset(mix, 0, bytes);
        mix[k->order[v]] = 1.0;
        if (is_empty(k, k->order[v])) {
            k->pivot[v] = -1;
            continue;
        }
        if (reduce(k, v) > RG_CANCEL_ZERO) continue;
        return list_rows(k, mix, k->c[k->order[v]]);
    }
    return (rg_status)RG_RETRY;
}

/* ---- the same with expressions --------------------------------------------------------------- */

/* dF_i/dy_j^(d_j - c_i) */
static rg_node derivative(canceller *k, int32_t i, int64_t j)
{
    const int order = k->d[j] - k->c[i];
    const rg_node F = k->body->outputs[i - k->first_row];
    rg_node sum = rg_graph_const(k->graph, 0.0);

    for (int32_t s = 0; s < k->body->n_slots && order >= 0; s++)
        if (rg_map_at(&k->body->slots[s].map, 0) == j)
            sum = rg_graph_binary(k->graph, RG_OP_ADD, sum,
                                  rg_graph_partial(k->graph, F, rg_graph_var(k->graph, s, order)));
    return sum;
}

static bool is_constant(const canceller *k, rg_node node)
{
    return rg_graph_at(k->graph, node)->op == RG_OP_CONST;
}

static bool is_constant_column(canceller *k, int64_t j)
{
    for (int i = 0; i < k->count; i++)
        if (!is_constant(k, derivative(k, k->rows[i], j))) return false;
    return true;
}

/* What the columns taken leave of column j, in the rows but the last. */
static double rest_of(canceller *k, int64_t j, int taken)
{
    memset(k->basis + taken * k->n, 0, (size_t)k->n * sizeof *k->basis);
    for (int i = 0; i < k->count - 1; i++)
        k->basis[taken * k->n + i] = k->J[k->rows[i] * k->n + j];
    return reduce(k, taken);
}

/* Columns in which the rows but the last are independent, the largest first, and before them such
 * with constant entries. */
static rg_status find_columns(canceller *k)
{
    const int m = k->count - 1;

    for (int taken = 0; taken < m; taken++) {
        double most = RG_CANCEL_ZERO;
        int64_t best = -1;
        for (int64_t j = 0; j < k->n; j++) {
            double size = rest_of(k, j, taken);
            if (size > RG_CANCEL_CONSTANT && is_constant_column(k, j)) size += 1.0;
            if (size <= most) continue;
            most = size;
            best = j;
        }
        if (best < 0) return (rg_status)RG_RETRY;
        (void)rest_of(k, best, taken);
        k->columns[taken] = (int32_t)best;
    }
    for (int i = 0; i < k->count; i++)
        for (int b = 0; b < m; b++)
            k->entry[i][b] = derivative(k, k->rows[i], k->columns[b]);
    return rg_graph_status(k->graph);
}

/* Determinant of the rows in `rows` (bits) and the first columns. */
static rg_node determinant(canceller *k, unsigned rows, int columns)
{
    rg_node sum = rg_graph_const(k->graph, columns == 0 ? 1.0 : 0.0);
    int sign = columns % 2 == 1 ? 1 : -1;

    for (int i = 0; i < k->count && columns > 0; i++) {
        if (!(rows >> i & 1u)) continue;
        const rg_node minor = determinant(k, rows & ~(1u << i), columns - 1);
        const rg_node term = rg_graph_binary(k->graph, RG_OP_MUL, k->entry[i][columns - 1], minor);
        sum = rg_graph_binary(k->graph, sign > 0 ? RG_OP_ADD : RG_OP_SUB, sum, term);
        sign = -sign;
    }
    return sum;
}

/* w_i: minors without row i, with alternating signs; w_l = 1 where it is constant. */
static rg_status find_factors(canceller *k)
{
    const unsigned all = (1u << k->count) - 1u;

    for (int i = 0; i < k->count; i++) {
        k->w[i] = determinant(k, all & ~(1u << i), k->count - 1);
        if (i % 2 == 1) k->w[i] = rg_graph_unary(k->graph, RG_OP_NEG, k->w[i]);
    }
    const rg_node last = k->w[k->count - 1];
    RG_TRY(rg_graph_status(k->graph));
    if (!is_constant(k, last)) return RG_OK;
    if (rg_graph_at(k->graph, last)->value == 0.0) return (rg_status)RG_RETRY;
    for (int i = 0; i < k->count; i++)
        k->w[i] = rg_graph_binary(k->graph, RG_OP_DIV, k->w[i], last);
    return rg_graph_status(k->graph);
}

/* Does a leaf stand for y_j^(r), r >= d_j - c_l, of an unknown with d_j >= least? */
static bool is_leading(const canceller *k, const rg_graph_node *n)
{
    if (n->op != RG_OP_VAR) return false;
    const int64_t j = rg_map_at(&k->body->slots[n->a].map, 0);
    return k->d[j] >= k->least && n->order >= k->d[j] - k->c[k->rows[k->count - 1]];
}

static bool is_allowed(const canceller *k, rg_node factor)
{
    enum { MOST = 1000 };
    rg_node leaf[MOST];
    const int32_t n = rg_graph_leaves_once(k->ctx, k->graph, factor, MOST, leaf);

    for (int32_t i = 0; i < n && i < MOST; i++)
        if (is_leading(k, rg_graph_at(k->graph, leaf[i]))) return false;
    return n <= MOST;
}

static rg_node renew(canceller *k, const rg_node *fresh, const rg_graph_node *n)
{
    const rg_node b = n->b >= 0 ? fresh[n->b] : -1, c = n->c >= 0 ? fresh[n->c] : -1;

    return rg_graph_again(k->graph, n, (rg_node[]){fresh[n->a], b, c});
}

/* The expression with 0 for the leaves on which it does not depend. */
static rg_status drop(canceller *k, const uint8_t *is_absent, rg_node of, rg_node *out)
{
    rg_node *fresh = rg_alloc(k->ctx, (size_t)of + 1, sizeof *fresh);

    if (fresh == NULL) return RG_ERR_MEMORY;
    for (rg_node i = 0; i <= of; i++) {
        const rg_graph_node n = *rg_graph_at(k->graph, i);
        if (is_absent[i])
            fresh[i] = rg_graph_const(k->graph, 0.0);
        else
            fresh[i] = n.op <= RG_OP_SEED ? i : renew(k, fresh, &n);
    }
    *out = fresh[of];
    rg_free(k->ctx, fresh);
    return rg_graph_status(k->graph);
}

static double leaf_value(const void *user, const rg_graph_node *n)
{
    const canceller *k = user;

    if (n->op == RG_OP_TIME) return k->at->t;
    if (n->op == RG_OP_VAR)
        return k->at->z[n->order * k->n + rg_map_at(&k->body->slots[n->a].map, 0)];
    const rg_data *d = &k->body->data[n->a];
    return n->op == RG_OP_DATA ? d->values[rg_map_at(&d->map, 0)] : NAN;
}

/* d/d(leaf) of the terms: is their sum rounding, wherever they are not all 0, as exp(-1000)? */
static rg_status look(canceller *k, rg_node leaf, bool *is_rounding)
{
    rg_node slope[RG_CANCEL_MOST];
    bool is_seen = false;

    *is_rounding = false;
    for (int i = 0; i < k->count; i++)
        slope[i] = rg_graph_partial(k->graph, k->term[i], leaf);
    RG_TRY(rg_graph_status(k->graph));
    for (int draw = 11; draw < 13; draw++) {
        double sum = 0.0, size = 0.0;
        RG_TRY(rg_sampler_visit(k->at, RG_MOVE_ALL, RG_SAMPLE_SIZE, draw));
        for (int i = 0; i < k->count; i++) {
            double value, rounding;
            RG_TRY(rg_graph_weigh(k->graph, slope[i], leaf_value, k, &value, &rounding));
            sum += value;
            size += fabs(value) + rounding;
        }
        if (!isfinite(size) || fabs(sum) > RG_CANCEL_NOISE * size) return RG_OK;
        is_seen = is_seen || size > 0.0;
    }
    *is_rounding = is_seen;
    return RG_OK;
}

/* Marks the leaves that cancel in the combination: leading ones, by its making, and others.
 * Written out they leave rounding, which would be taken for a derivative.  RG_RETRY: a leading one
 * does not cancel. */
static rg_status mark_cancelled(canceller *k, rg_node sum, uint8_t *is_absent)
{
    enum { MOST = 1000 };
    rg_node leaf[MOST];
    const int32_t n = rg_graph_leaves(k->graph, sum, MOST, leaf);

    if (n > MOST) return (rg_status)RG_RETRY;
    for (int32_t i = 0; i < n; i++) {
        bool is_rounding;
        RG_TRY(look(k, leaf[i], &is_rounding));
        is_absent[leaf[i]] = is_rounding;
        if (!is_rounding && is_leading(k, rg_graph_at(k->graph, leaf[i])))
            return (rg_status)RG_RETRY;
    }
    return RG_OK;
}

static bool has_pieces(const rg_graph_node *n)
{
    return n->op > RG_OP_SEED && (rg_op_kink(n->op) != RG_KINK_NONE || rg_op_is_table(n->op));
}

/* Conditions, signs and the like depend on leaves by which their derivatives are 0: these stay. */
static rg_status keep_pieces(canceller *k, rg_node of, uint8_t *is_absent)
{
    enum { REACHED = 1, INSIDE = 2 };
    uint8_t *mark = rg_alloc(k->ctx, (size_t)of + 1, 1);

    if (mark == NULL) return RG_ERR_MEMORY;
    mark[of] = REACHED;
    for (rg_node i = of; i >= 0; i--) {
        const rg_graph_node *n = rg_graph_at(k->graph, i);
        const rg_node below[] = {n->a, n->b, n->c};
        if (mark[i] == 0) continue;
        if (n->op == RG_OP_VAR && (mark[i] & INSIDE) && !is_leading(k, n)) is_absent[i] = 0;
        for (int c = 0; n->op > RG_OP_SEED && c < 3; c++)
            if (below[c] >= 0) mark[below[c]] |= mark[i] | (has_pieces(n) ? INSIDE : 0);
    }
    rg_free(k->ctx, mark);
    return RG_OK;
}

/* (1) in place of the last of the rows. */
static rg_status replace(canceller *k)
{
    const int32_t l = k->rows[k->count - 1];
    rg_node sum = rg_graph_const(k->graph, 0.0);

    for (int i = 0; i < k->count; i++) {
        rg_node F = k->body->outputs[k->rows[i] - k->first_row];
        if (!is_allowed(k, k->w[i])) return (rg_status)RG_RETRY;
        for (int r = k->c[k->rows[i]]; r > k->c[l]; r--)
            F = rg_graph_total(k->graph, F);
        k->term[i] = rg_graph_binary(k->graph, RG_OP_MUL, k->w[i], F);
        sum = rg_graph_binary(k->graph, RG_OP_ADD, sum, k->term[i]);
    }
    RG_TRY(rg_graph_status(k->graph));
    uint8_t *is_absent = rg_alloc(k->ctx, (size_t)sum + 1, 1);
    rg_status status = is_absent != NULL ? mark_cancelled(k, sum, is_absent) : RG_ERR_MEMORY;
    if (status == RG_OK) status = keep_pieces(k, sum, is_absent);
    if (status == RG_OK) status = drop(k, is_absent, sum, &k->body->outputs[l - k->first_row]);
    rg_free(k->ctx, is_absent);
    if (status == RG_OK)
        rg_log(k->ctx, 2, "analysis: a combination of %d equations in place of row %d", k->count,
               l);
    return status;
}

/* ---- life ------------------------------------------------------------------------------------ */

/* All equations are scalar, in one body without sums. */
static bool is_plain(const rg_problem *p)
{
    const rg_body *body = p->n_blocks == 1 ? p->blocks[0].body : NULL;

    return body != NULL && body->count == 1 && body->n_sums == 0 && p->n == p->n_rows
           && p->n <= RG_CANCEL_SIZE && body->n_outputs == p->n;
}

static rg_status take_memory(canceller *k)
{
    const size_t n = (size_t)k->n;

    k->J = rg_alloc(k->ctx, 3 * n * n + 2 * n + 1, sizeof *k->J);
    k->order = rg_alloc(k->ctx, 2 * n + 1, sizeof *k->order);
    if (k->J == NULL || k->order == NULL) return RG_ERR_MEMORY;
    k->basis = k->J + n * n;
    k->mix = k->basis + n * n;
    k->scale = k->mix + n * n;
    k->pivot = k->order + n;
    return RG_OK;
}

/* least = 1: unknowns without derivatives, d_j = 0, may be left and stand in factors. */
static rg_status try_to_replace(canceller *k, int least)
{
    k->least = least;
    RG_TRY(sample(k));
    RG_TRY(find_rows(k));
    RG_TRY(find_columns(k));
    RG_TRY(find_factors(k));
    return replace(k);
}

static rg_status improve(canceller *k, const rg_analysis *a)
{
    k->c = a->transversal->c;
    k->d = a->transversal->d;
    const rg_status status = try_to_replace(k, 0);
    return status == (rg_status)RG_RETRY ? try_to_replace(k, 1) : status;
}

/* RG_RETRY: given up; so are combinations that do not have the freedom of the model. */
static rg_status run(canceller *k, int64_t dof)
{
    const rg_analysis *a;

    for (int64_t round = 0; round < RG_CANCEL_ROUNDS; round++) {
        RG_TRY(rg_analysis_get(k->q, &a));
        if (a->is_structural)
            return a->is_singular_start || a->dof != dof ? (rg_status)RG_RETRY : RG_OK;
        if (a->n_redundant > 0) return (rg_status)RG_RETRY;
        RG_TRY(improve(k, a));
        rg_study_forget(k->q->study);
    }
    return (rg_status)RG_RETRY;
}

rg_status rg_cancel_get(const rg_problem *p, const rg_problem **out)
{
    canceller k = {.ctx = p->ctx, .n = p->n};

    const rg_analysis *a;

    *out = p->study->combined;
    if (*out != NULL || !is_plain(p)) return RG_OK;
    RG_TRY(rg_analysis_get(p, &a));
    rg_status status = rg_problem_own_body(p, 0, &k.q, &k.graph);
    if (status == RG_OK) {
        k.body = k.q->blocks[0].body;
        k.first_row = k.q->blocks[0].first_row;
        status = take_memory(&k);
    }
    if (status == RG_OK) status = run(&k, a->dof);
    rg_sampler_destroy(&k.at);
    rg_free(p->ctx, k.J);
    rg_free(p->ctx, k.order);
    if (status == RG_OK)
        *out = p->study->combined = k.q;
    else
        rg_problem_destroy(&k.q);
    if (status == RG_ERR_MEMORY || status == RG_ERR_INTERRUPTED) return status;
    if (status < 0) rg_clear_error(p->ctx); /* the model as written is still there */
    return RG_OK;
}

/* The factor of an equation that was replaced may vanish, and the combinations need not tell all
 * there. */
rg_status rg_cancel_tell(const rg_problem *p)
{
    const rg_problem *q = p->study->combined;
    char names[RG_LIST_LENGTH];
    uint8_t *is_replaced = rg_alloc(p->ctx, (size_t)p->n_rows + 1, 1);

    if (is_replaced == NULL) return RG_ERR_MEMORY;
    const rg_block *block = &p->blocks[0];
    for (int64_t i = 0; i < p->n; i++)
        is_replaced[block->first_row + i] =
            block->body->outputs[i] != q->blocks[0].body->outputs[i];
    rg_list_equations(p, is_replaced, names);
    rg_free(p->ctx, is_replaced);
    return rg_remedy(p->ctx,
                     "the index comes from combinations of equations, whose factors may vanish "
                     "near this time: write these combinations in place of %s, or begin behind it "
                     "with --from",
                     names);
}
