/* Finds equations that are products, and chooses the factor that the guess makes vanish. */
#include "bvp/branch.h"

#include "bvp/branch_walk.h"
#include "bvp/tuning.h"
#include "linalg/tuning.h"
#include "problem/products.h"

#include <math.h>

typedef struct {
    rg_product p;
    double size[RG_MOST_FACTORS]; /* largest, relative to the sides of the factor */
} product;

/* max |A| / max |sides of A|;  1 stands for the sides of what is neither sum nor difference. */
static rg_status measure(rg_walk *w, product *q)
{
    const rg_body *body = q->p.body;

    for (int k = 0; k < q->p.n; k++) {
        const rg_graph_node n = *rg_graph_at(body->graph, q->p.node[k]);
        double a = 1.0, b = 1.0;
        RG_TRY(rg_walk_largest(w, body, q->p.node[k], &q->size[k]));
        if (n.op == RG_OP_ADD || n.op == RG_OP_SUB) {
            RG_TRY(rg_walk_largest(w, body, n.a, &a));
            RG_TRY(rg_walk_largest(w, body, n.b, &b));
        }
        if (fmax(a, b) > 0.0) q->size[k] /= fmax(a, b);
    }
    return RG_OK;
}

/* "'x1'", "'x1' and others": unknowns of a factor in the first iteration. */
static void name_factor(const rg_problem *p, const rg_product *q, int k, char *out, size_t size)
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

static rg_status replace(const rg_problem *p, const rg_product *q, int k, rg_problem **out)
{
    char line[64], name[96];

    RG_TRY(rg_problem_take_factor(p, q, k, out));
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

    for (int k = 0; k < q->p.n; k++) {
        if (!(q->size[k] <= limit)) continue;
        if (found >= 0) return -1;
        found = k;
    }
    return found;
}

static rg_status choose_all(const rg_problem *p, rg_walk *w, rg_problem **out)
{
    product q;

    for (int k = 0; k < p->n_blocks; k++)
        for (int o = 0; o < p->blocks[k].body->n_outputs; o++) {
            if (!rg_product_read(p, k, o, &q.p)) continue;
            RG_TRY(measure(w, &q));
            const int found = only_one(&q, RG_SAME);
            if (found >= 0) RG_TRY(replace(p, &q.p, found, out));
        }
    return RG_OK;
}

rg_status rg_branch_choose(const rg_problem *p, rg_bvp_form *f, const rg_guess *guess, double a,
                           double b, rg_problem **out)
{
    const rg_guess_table *table = guess->table;
    const rg_profile from = {rg_guess_profile, (void *)(uintptr_t)guess};
    rg_walk w;
    bool singular = false;

    *out = NULL;
    if (f->is_unchecked || !rg_problem_has_products(p)) return RG_OK;
    rg_status status = rg_walk_init(f, &from, table != NULL ? table->n_rows : RG_BVP_SAMPLES, &w);
    for (int64_t k = 0; k < w.n_times && status == RG_OK;
         k++) /* inside: at an end more may vanish */
        w.time[k] =
            table != NULL ? table->time[k] : a + (b - a) * ((double)k + 0.5) / (double)w.n_times;
    if (status == RG_OK) status = rg_walk_is_singular(&w, &singular);
    if (status == RG_OK && singular) status = choose_all(p, &w, out);
    rg_walk_clear(&w);
    if (status < 0) rg_problem_destroy(out);
    return status < 0 ? status : RG_OK;
}

static rg_status tell(const rg_problem *p, const rg_problem *of, const product *q)
{
    char line[64], name[96], other[96];
    int least = 0;

    for (int k = 1; k < q->p.n; k++)
        if (q->size[k] < q->size[least]) least = k;
    for (int k = 0; k < q->p.n; k++)
        if (k != least && !(q->size[least] < RG_RANK_DOUBT * q->size[k])) return RG_OK;
    rg_row_name(of, q->p.first_row, 0, line, sizeof line);
    name_factor(of, &q->p, least, name, sizeof name);
    name_factor(of, &q->p, least == 0 ? 1 : 0, other, sizeof other);
    return rg_problem_warn(p,
                           "%s is a product, and on this solution its factor with %s vanishes; a "
                           "guess on which that with %s does asks for another one",
                           line, name, other);
}

rg_status rg_branch_tell(const rg_problem *p, rg_bvp_form *f, const rg_curve *solution)
{
    const rg_profile from = {rg_profile_of_curve, (void *)(uintptr_t)solution};
    rg_walk w;
    product q;

    if (!rg_problem_has_products(f->p)) return RG_OK;
    rg_status status = rg_walk_init(f, &from, solution->N, &w);
    for (int64_t i = 0; i < solution->N && status == RG_OK; i++) /* where the equations hold */
        w.time[i] = solution->t[i] + solution->rule.c[0] * (solution->t[i + 1] - solution->t[i]);
    for (int k = 0; k < f->p->n_blocks && status == RG_OK; k++)
        for (int o = 0; o < f->p->blocks[k].body->n_outputs && status == RG_OK; o++) {
            if (!rg_product_read(f->p, k, o, &q.p) || q.p.n < 2) continue;
            status = measure(&w, &q);
            if (status == RG_OK) status = tell(p, f->p, &q);
        }
    rg_walk_clear(&w);
    return status < 0 ? status : RG_OK;
}
