/* Factors from the expression graph, matchings on the pattern of the Jacobian. */
#include "problem/divide.h"

#include "expr/factors.h"
#include "linalg/matching.h"
#include "problem/assembly.h"
#include "problem/products.h"
#include "problem/tuning.h"

#include <float.h>
#include <math.h>

/* ---- is there an equation for every unknown? ------------------------------------------------- */

static rg_status match(rg_context *ctx, const rg_pattern *pattern, bool *is_complete)
{
    const int n = (int)pattern->n_columns;
    const int64_t entries = pattern->start[n];
    int *start = rg_alloc(ctx, 2 * (size_t)n + 2, sizeof *start), *place;
    double *size = rg_alloc(ctx, (size_t)entries + 1, sizeof *size);
    rg_status status = start == NULL || size == NULL ? RG_ERR_MEMORY : RG_OK;

    if (status == RG_OK) {
        place = start + n + 1;
        for (int j = 0; j <= n; j++)
            start[j] = (int)pattern->start[j];
        for (int64_t e = 0; e < entries; e++)
            size[e] = 1.0;
        status = rg_match_rows(ctx, n, start, pattern->row, size, place);
        *is_complete = true;
        for (int j = 0; j < n && status == RG_OK; j++)
            if (place[j] < 0) *is_complete = false;
    }
    rg_free(ctx, start);
    rg_free(ctx, size);
    return status;
}

/* All derivatives of an unknown are one column. */
static rg_status has_matching(const rg_problem *p, bool *is_complete)
{
    const size_t n = (size_t)p->n, orders = (size_t)p->max_order + 1;
    int32_t *same = rg_alloc(p->ctx, n + 1, sizeof *same);
    const int32_t **columns = rg_alloc(p->ctx, orders, sizeof *columns);
    rg_assembly *a = NULL;
    rg_status status = same == NULL || columns == NULL ? RG_ERR_MEMORY : RG_OK;

    for (size_t j = 0; j < n && status == RG_OK; j++)
        same[j] = (int32_t)j;
    for (size_t r = 0; r < orders && status == RG_OK; r++)
        columns[r] = same;
    if (status == RG_OK) {
        const int32_t *rows[1] = {same};
        const rg_assembly_spec spec = {1, (int)orders, p->n, rows, p->n, columns};
        status = rg_assembly_create(p, &spec, true, &a);
    }
    if (status == RG_OK) status = match(p->ctx, rg_assembly_pattern(a), is_complete);
    rg_assembly_destroy(&a);
    rg_free(p->ctx, same);
    rg_free(p->ctx, columns);
    return status;
}

/* ---- one equation ---------------------------------------------------------------------------- */

/* May a factor be left out?  Not where it can be 0 for a while: a branch, a number of an array. */
static bool is_plain(rg_graph *g, rg_node factor)
{
    const unsigned other = RG_DEP_DATA | RG_DEP_SUM | RG_DEP_SEED | RG_DEP_KINK | RG_DEP_NODES;
    rg_node leaves[RG_FACTORS_MOST];
    const int32_t n = rg_graph_leaves(g, factor, RG_FACTORS_MOST, leaves);

    if ((rg_graph_at(g, factor)->depends & other) || n > RG_FACTORS_MOST) return false;
    for (int32_t k = 0; k < n; k++)
        if (rg_graph_at(g, leaves[k])->order > 0) return false;
    return true;
}

typedef struct {
    const rg_problem *p;
    const rg_body *body;
    int64_t iteration;
} start_point;

/* A start value or guess; NaN: none. */
static double start_of(const void *user, const rg_graph_node *leaf)
{
    const start_point *at = user;

    if (leaf->op == RG_OP_TIME) return at->p->a;
    const rg_start *start = &at->p->start[0];
    const int64_t j = rg_map_at(&at->body->slots[leaf->a].map, at->iteration);
    return start->kind != NULL && start->kind[j] != RG_START_NONE ? start->value[j] : NAN;
}

/* Does a factor with unknowns begin with 0?  It may stay there, and nothing follows then. */
static rg_status begins_with_0(const rg_problem *p, const rg_body *body, rg_graph *g,
                               rg_node factor, bool *is_so)
{
    *is_so = false;
    if (!(rg_graph_at(g, factor)->depends & RG_DEP_VAR)) return RG_OK;
    for (int64_t k = 0; k < body->count && !*is_so; k++) {
        const start_point at = {p, body, k};
        double value, rounding;
        RG_TRY(rg_graph_weigh(g, factor, start_of, &at, &value, &rounding));
        *is_so = fabs(value) <= DBL_EPSILON * rounding;
    }
    return RG_OK;
}

/* May f be left out, f = 0 being no equation of its own? */
static rg_status is_idle(const rg_problem *q, const rg_body *body, rg_graph *g, rg_node factor,
                         bool *is_so)
{
    bool is_complete, is_0;

    *is_so = false;
    if (!is_plain(g, factor)) return RG_OK;
    RG_TRY(begins_with_0(q, body, g, factor, &is_0));
    if (is_0) return RG_OK;
    RG_TRY(has_matching(q, &is_complete));
    *is_so = !is_complete;
    return RG_OK;
}

/* Is there an unknown below a node of which no equation has a derivative? */
static bool has_algebraic(const rg_problem *p, const rg_body *body, rg_graph *g, rg_node of)
{
    rg_node leaves[RG_FACTORS_MOST];
    const int32_t n = rg_graph_leaves(g, of, RG_FACTORS_MOST, leaves);

    for (int32_t k = 0; k < n && k < RG_FACTORS_MOST; k++) {
        const rg_graph_node *leaf = rg_graph_at(g, leaves[k]);
        if (leaf->op == RG_OP_VAR && p->order[rg_map_at(&body->slots[leaf->a].map, 0)] == 0)
            return true;
    }
    return false;
}

/* The one factor that is left becomes *output, an output of q; RG_RETRY: there are several, or
 * none. */
static rg_status choose(const rg_problem *q, const rg_body *body, rg_graph *g, rg_node *output,
                        int n, const rg_node *factors)
{
    rg_node left = -1;
    bool is_complete, is_left_out;

    for (int k = 0; k < n && n > 1; k++) {
        *output = factors[k];
        RG_TRY(is_idle(q, body, g, factors[k], &is_left_out));
        if (is_left_out) continue;
        if (left >= 0) return (rg_status)RG_RETRY;
        left = factors[k];
    }
    *output = n == 1 ? factors[0] : left;
    if (*output < 0 || (n > 1 && !has_algebraic(q, body, g, left))) return (rg_status)RG_RETRY;
    RG_TRY(has_matching(q, &is_complete));
    return is_complete ? RG_OK : (rg_status)RG_RETRY;
}

static rg_status divide_output(rg_problem *p, int block, int output)
{
    rg_body *body = p->blocks[block].body;
    rg_node factors[RG_FACTORS_MOST], *changed;
    rg_problem *q = NULL;
    rg_graph *g;

    RG_TRY(rg_problem_own_body(p, block, &q, &g));
    changed = &q->blocks[block].body->outputs[output];
    const int n = rg_graph_factors(g, *changed, factors);
    rg_status status = rg_graph_status(g);
    if (status == RG_OK) status = choose(q, body, g, changed, n, factors);
    if (status == RG_OK) {
        const rg_graph *old = body->graph;
        body->graph = q->blocks[block].body->graph;
        q->blocks[block].body->graph = old;
        body->outputs[output] = *changed;
    }
    rg_problem_destroy(&q);
    return status < 0 ? status : RG_OK;
}

rg_status rg_problem_divide(rg_problem *p)
{
    int count = 0;

    if (p->is_boundary || p->n != p->n_rows || p->n >= INT32_MAX / 2) return RG_OK;
    for (int k = 0; k < p->n_blocks; k++) {
        const rg_body *body = p->blocks[k].body;
        for (int o = 0; o < body->n_outputs && count < RG_DIVIDE_MOST; o++) {
            if (!rg_graph_may_factor(body->graph, body->outputs[o])) continue;
            count++;
            RG_TRY(divide_output(p, k, o));
        }
    }
    return RG_OK;
}
