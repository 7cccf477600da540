#include "bvp/branch.h"

#include "bvp/branch_walk.h"

#include <math.h>
#include <string.h>

enum { FACTORS = 16, SAMPLES = 41 };
#define VANISHES 1e-9 /* of the two sides of a factor: it is meant to be zero */
#define APART    1e-2 /* of the other factors: the one that vanishes on a solution */

typedef struct { /* one equation */
    rg_body *body;
    int64_t first_row;
    int output;
    int n;
    bool has_power;
    rg_node node[FACTORS];
    double size[FACTORS]; /* largest, relative to the sides of the factor */
} product;

static bool is_zero(const rg_graph *g, rg_node node)
{
    const rg_graph_node *n = rg_graph_at(g, node);
    return n->op == RG_OP_CONST && n->value == 0.0;
}

static rg_node skip_signs(const rg_graph *g, rg_node at)
{
    for (;;) {
        const rg_graph_node *n = rg_graph_at(g, at);
        if (n->op == RG_OP_NEG || n->op == RG_OP_DIV)
            at = n->a;
        else if (n->op == RG_OP_SUB && is_zero(g, n->a))
            at = n->b;
        else if (n->op == RG_OP_SUB && is_zero(g, n->b))
            at = n->a;
        else
            return at;
    }
}

/* Factors with unknowns, each once. */
static void list_factors(product *p, rg_node of)
{
    const rg_graph *g = p->body->graph;
    rg_node stack[FACTORS] = {of};
    int depth = 1;

    while (depth > 0) {
        const rg_node at = skip_signs(g, stack[--depth]);
        const rg_graph_node *n = rg_graph_at(g, at);
        if (!(n->depends & (RG_DEP_VAR | RG_DEP_SUM))) continue;
        const bool is_power = n->op == RG_OP_POW && rg_graph_at(g, n->b)->op == RG_OP_CONST
                              && rg_graph_at(g, n->b)->value > 0.0;
        p->has_power = p->has_power || is_power;
        if (n->op == RG_OP_MUL && depth + 2 <= FACTORS) {
            stack[depth++] = n->b;
            stack[depth++] = n->a;
        } else if (is_power) {
            stack[depth++] = n->a;
        } else if (p->n < FACTORS) {
            p->node[p->n++] = at;
        }
    }
}

/* Output o of a block.  False: not a product. */
static bool read_product(const rg_block *block, int o, product *p)
{
    *p = (product){
        .body = block->body, .first_row = block->first_row + o * block->body->count, .output = o};
    if (block->body->count == 0) return false;
    list_factors(p, block->body->outputs[o]);
    return p->n > 1 || p->has_power;
}

bool rg_branch_has_products(const rg_problem *p)
{
    product found;

    for (int k = 0; k < p->n_blocks; k++)
        for (int o = 0; o < p->blocks[k].body->n_outputs; o++)
            if (read_product(&p->blocks[k], o, &found)) return true;
    return false;
}

/* max |A| / max |sides of A|;  1 stands for the sides of what is neither sum nor difference. */
static rg_status measure(rg_walk *w, product *p)
{
    for (int k = 0; k < p->n; k++) {
        const rg_graph_node n = *rg_graph_at(p->body->graph, p->node[k]);
        double a = 1.0, b = 1.0;
        RG_TRY(rg_walk_largest(w, p->body, p->node[k], &p->size[k]));
        if (n.op == RG_OP_ADD || n.op == RG_OP_SUB) {
            RG_TRY(rg_walk_largest(w, p->body, n.a, &a));
            RG_TRY(rg_walk_largest(w, p->body, n.b, &b));
        }
        if (fmax(a, b) > 0.0) p->size[k] /= fmax(a, b);
    }
    return RG_OK;
}

/* "'x1'", "'x1' and others": unknowns of a factor in the first iteration. */
static void name_factor(const rg_problem *p, const product *q, int k, char *out, size_t size)
{
    enum { LEAVES = 2, NAME = 64 };
    rg_node leaf[LEAVES];
    char name[NAME] = "a sum";
    const int32_t found = rg_graph_leaves_once(p->ctx, q->body->graph, q->node[k], LEAVES, leaf);
    const rg_graph_node *n = found > 0 ? rg_graph_at(q->body->graph, leaf[0]) : NULL;

    if (n != NULL && n->op == RG_OP_VAR)
        rg_variable_name(p, rg_map_at(&q->body->slots[n->a].map, 0), n->order, name, sizeof name);
    snprintf(out, size, "'%s'%s", name, found > 1 ? " and others" : "");
}

static rg_status replace(rg_problem *p, product *q, int k)
{
    char line[64], name[96];
    rg_body *body = q->body;
    const size_t count = (size_t)body->n_outputs;

    if (body->written == NULL) {
        body->written = rg_alloc(p->ctx, count, sizeof *body->written);
        if (body->written == NULL) return RG_ERR_MEMORY;
        memcpy(body->written, body->outputs, count * sizeof *body->written);
    }
    body->outputs[q->output] = q->node[k];
    rg_row_name(p, q->first_row, 0, line, sizeof line);
    name_factor(p, q, k, name, sizeof name);
    return rg_problem_warn(p,
                           "%s is a product, and its factor with %s vanishes along the guess: that "
                           "factor is the equation now",
                           line, name);
}

/* The one factor below the limit, or -1. */
static int only_one(const product *q, double limit)
{
    int found = -1;

    for (int k = 0; k < q->n; k++) {
        if (!(q->size[k] <= limit)) continue;
        if (found >= 0) return -1;
        found = k;
    }
    return found;
}

static rg_status choose_all(rg_problem *p, rg_walk *w, bool *is_changed)
{
    product q;

    for (int k = 0; k < p->n_blocks; k++)
        for (int o = 0; o < p->blocks[k].body->n_outputs; o++) {
            if (!read_product(&p->blocks[k], o, &q)) continue;
            RG_TRY(measure(w, &q));
            const int found = only_one(&q, VANISHES);
            if (found < 0) continue;
            RG_TRY(replace(p, &q, found));
            *is_changed = true;
        }
    return RG_OK;
}

rg_status rg_branch_choose(rg_problem *p, rg_bvp_form *f, const rg_guess *guess, double a, double b,
                           bool *is_changed)
{
    const rg_guess_table *table = guess->table;
    const rg_profile from = {rg_guess_profile, (void *)(uintptr_t)guess};
    rg_walk w;
    bool singular = false;

    *is_changed = false;
    if (f->is_unchecked || !rg_branch_has_products(p)) return RG_OK;
    rg_status status = rg_walk_init(f, &from, table != NULL ? table->n_rows : SAMPLES, &w);
    for (int64_t k = 0; k < w.n_times && status == RG_OK;
         k++) /* inside: at an end more may vanish */
        w.time[k] =
            table != NULL ? table->time[k] : a + (b - a) * ((double)k + 0.5) / (double)w.n_times;
    if (status == RG_OK) status = rg_walk_is_singular(&w, &singular);
    if (status == RG_OK && singular) status = choose_all(p, &w, is_changed);
    rg_walk_clear(&w);
    return status < 0 ? status : RG_OK;
}

static rg_status tell(rg_problem *p, const product *q)
{
    char line[64], name[96], other[96];
    int least = 0;

    for (int k = 1; k < q->n; k++)
        if (q->size[k] < q->size[least]) least = k;
    for (int k = 0; k < q->n; k++)
        if (k != least && !(q->size[least] < APART * q->size[k])) return RG_OK;
    rg_row_name(p, q->first_row, 0, line, sizeof line);
    name_factor(p, q, least, name, sizeof name);
    name_factor(p, q, least == 0 ? 1 : 0, other, sizeof other);
    return rg_problem_warn(p,
                           "%s is a product, and on this solution its factor with %s vanishes; a "
                           "guess on which that with %s does asks for another one",
                           line, name, other);
}

rg_status rg_branch_tell(rg_problem *p, rg_bvp_form *f, const rg_curve *solution)
{
    const rg_profile from = {rg_profile_of_curve, (void *)(uintptr_t)solution};
    rg_walk w;
    product q;

    if (!rg_branch_has_products(p)) return RG_OK;
    rg_status status = rg_walk_init(f, &from, solution->N, &w);
    for (int64_t i = 0; i < solution->N && status == RG_OK; i++) /* where the equations hold */
        w.time[i] = solution->t[i] + solution->rule.c[0] * (solution->t[i + 1] - solution->t[i]);
    for (int k = 0; k < p->n_blocks && status == RG_OK; k++)
        for (int o = 0; o < p->blocks[k].body->n_outputs && status == RG_OK; o++) {
            if (!read_product(&p->blocks[k], o, &q) || q.n < 2) continue;
            status = measure(&w, &q);
            if (status == RG_OK) status = tell(p, &q);
        }
    rg_walk_clear(&w);
    return status < 0 ? status : RG_OK;
}

bool rg_branch_restore(rg_problem *p)
{
    bool is_changed = false;

    for (int k = 0; k < p->n_blocks; k++) {
        rg_body *body = p->blocks[k].body;
        if (body->written == NULL) continue;
        memcpy(body->outputs, body->written, (size_t)body->n_outputs * sizeof *body->written);
        rg_free(p->ctx, body->written);
        body->written = NULL;
        is_changed = true;
    }
    return is_changed;
}
