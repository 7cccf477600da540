/* Combinations with factors that depend on anything: see cancel.h. */
#include "structure/cancel_impl.h"

#include "problem/products.h"
#include "structure/incomplete.h"

/* All equations are scalar, in one body without sums. */
static bool is_plain(const rg_problem *p)
{
    const rg_body *body = p->n_blocks == 1 ? p->blocks[0].body : NULL;

    return body != NULL && body->count == 1 && body->n_sums == 0 && p->n == p->n_rows
           && p->n <= RG_CANCEL_SIZE && body->n_outputs == p->n;
}

static rg_status take_memory(rg_canceller *k)
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
static rg_status try_to_replace(rg_canceller *k, int least)
{
    k->least = least;
    RG_TRY(rg_cancel_find_rows(k));
    RG_TRY(rg_cancel_find_factors(k));
    return rg_cancel_replace(k);
}

static rg_status improve(rg_canceller *k, const rg_analysis *a)
{
    k->c = a->transversal->c;
    k->d = a->transversal->d;
    const rg_status status = try_to_replace(k, 0);
    return status == (rg_status)RG_RETRY ? try_to_replace(k, 1) : status;
}

/* Which equations to look at where combinations cannot be written. */
static rg_status name_rows(rg_canceller *k, const rg_problem *p)
{
    uint8_t *is_marked = rg_alloc(k->ctx, (size_t)p->n_rows + 1, 1);

    if (is_marked == NULL) return RG_ERR_MEMORY;
    for (int i = 0; i < k->count; i++)
        is_marked[k->rows[i]] = 1;
    rg_list_equations(p, is_marked, p->study->dependent);
    rg_free(k->ctx, is_marked);
    return RG_OK;
}

/* RG_RETRY: given up; so are combinations that do not have the freedom of the model. */
static rg_status run(rg_canceller *k, const rg_problem *p, int64_t dof)
{
    const rg_analysis *a;

    for (int64_t round = 0; round < RG_CANCEL_ROUNDS; round++) {
        RG_TRY(rg_analysis_get(k->q, &a));
        if (a->is_structural)
            return a->is_singular_start || a->dof != dof ? (rg_status)RG_RETRY : RG_OK;
        if (a->n_redundant > 0) return (rg_status)RG_RETRY;
        const rg_status status = improve(k, a);
        if (round == 0 && status >= 0 && k->count > 0) RG_TRY(name_rows(k, p));
        if (status != RG_OK) return status;
        rg_study_forget(k->q->study);
    }
    return (rg_status)RG_RETRY;
}

rg_status rg_cancel_get(const rg_problem *p, const rg_problem **out)
{
    rg_canceller k = {.ctx = p->ctx, .n = p->n};

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
    if (status == RG_OK) status = run(&k, p, a->dof);
    rg_sampler_destroy(&k.at);
    rg_free(p->ctx, k.J);
    rg_free(p->ctx, k.order);
    p->study->may_vanish = k.may_vanish;
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
