/* Index and degrees of freedom from the derivative array; see true_index.h.
 *
 * With the ranks of array_ranks.c, n_states = a + d + v ends the search at the first mu, v being
 * the combinations that vanish at level mu but not before: index = mu + 1, or 0 when there are
 * no constraints.  Where v > 0 the next mu has to say the same. */
#include "structure/true_index.h"

#include "structure/array.h"
#include "structure/incomplete.h"
#include "structure/jacobian.h"
#include "structure/offsets.h"
#include "structure/pencil.h"
#include "structure/tuning.h"

#include <string.h>

typedef struct { /* what one point says */
    bool is_found, is_regular;
    rg_point_kind kind;
    int mu;
    int64_t a, d, v;
} verdict;

static rg_status read_ranks(const rg_array *a, verdict *out)
{
    rg_ranks before = {0}, ranks = {0};
    int64_t v = 0;

    out->is_found = false;
    for (int mu = 0; mu <= a->mu; mu++) {
        const int64_t a_before = ranks.a, d_before = ranks.d, v_before = v;
        before = ranks;
        RG_TRY(rg_array_ranks(a, mu, &ranks));
        v = ranks.vanishing - before.vanishing;
        const bool is_complete = ranks.a + ranks.d + v == a->n_states;
        const bool is_confirmed =
            mu > 0 && a_before == ranks.a && d_before == ranks.d && v_before == v;
        if (!is_complete || (v > 0 && !is_confirmed)) continue;
        out->is_found = true;
        out->mu = v > 0 ? mu - 1 : mu;
        out->a = ranks.a;
        out->d = ranks.d;
        out->v = v;
        return RG_OK;
    }
    return RG_OK;
}

static rg_status check_system_jacobian(const rg_array *a, const rg_transversal *t, bool *is_regular)
{
    uint8_t *is_singular = rg_alloc(a->ctx, (size_t)t->n_blocks + 1, sizeof *is_singular);
    int64_t n_singular = 0;

    if (is_singular == NULL) return RG_ERR_MEMORY;
    memset(is_singular, 1, (size_t)t->n_blocks);
    const rg_status status = rg_system_jacobian_check(a->s, t, is_singular, &n_singular, NULL);
    *is_regular = n_singular == 0;
    rg_free(a->ctx, is_singular);
    return status;
}

static rg_status ask_point(rg_array *a, const rg_transversal *t, int draw, verdict *out)
{
    *out = (verdict){0};
    const rg_status status = rg_array_visit(a, t, draw, &out->kind);
    if (status != RG_OK) return status;
    RG_TRY(check_system_jacobian(a, t, &out->is_regular));
    RG_TRY(read_ranks(a, out));
    rg_log(a->ctx, 3,
           "derivative array, mu = %d, point %d: %s, system Jacobian %s; index %d, %lld "
           "constraints, %lld degrees of freedom, %lld redundant",
           a->mu, draw, out->kind == RG_POINT_SOLVED ? "on the solution set" : "generic",
           out->is_regular ? "regular" : "singular", out->is_found ? out->mu + 1 : -1,
           (long long)out->a, (long long)out->d, (long long)out->v);
    return RG_OK;
}

static bool agree(const verdict *x, const verdict *y)
{
    return x->is_found == y->is_found && x->is_regular == y->is_regular && x->mu == y->mu
           && x->a == y->a && x->d == y->d && x->v == y->v;
}

/* With switches every point is on one branch of each, and the solution need not ever take all of
 * them together: of two ideal diodes in parallel both may conduct at a point that was drawn.  There
 * equations that contradict each other, or are redundant where other points have shown them to be
 * regular, prove nothing. */
static bool is_branch_only(const rg_problem *p, const rg_analysis *an, const verdict *v)
{
    return v->v > 0 && (an->is_structural || v->kind == RG_POINT_STATIONARY)
           && rg_problem_has_switches(p);
}

/* Asks points until two agree; *out is their verdict and the array stays at the last of them.  One
 * on the solution set shows that the equations do not contradict each other. */
static rg_status ask_points(rg_array *a, const rg_problem *p, const rg_analysis *an, verdict *out,
                            bool *is_agreed)
{
    verdict seen[RG_INDEX_POINTS];
    int n_seen = 0;

    *is_agreed = false;
    for (int draw = 0; draw < RG_INDEX_POINTS && !*is_agreed; draw++) {
        const rg_status status = ask_point(a, an->transversal, draw, out);
        if (status == (rg_status)RG_RETRY) continue;
        if (status != RG_OK) return status;
        if (is_branch_only(p, an, out)) continue;
        int count = 1;
        seen[n_seen] = *out;
        for (int k = 0; k < n_seen; k++) {
            if (!agree(&seen[k], out)) continue;
            count++;
            if (seen[k].kind == RG_POINT_SOLVED) out->kind = RG_POINT_SOLVED;
        }
        *is_agreed = count >= RG_INDEX_AGREE;
        n_seen++;
    }
    return RG_OK;
}

static rg_status fail_contradiction(const rg_problem *p, const uint8_t *is_redundant)
{
    char names[RG_LIST_LENGTH];

    rg_list_equations(p, is_redundant, names);
    rg_fail(p->ctx, RG_ERR_STRUCTURE,
            "the equations contradict each other: %s cannot hold together with the others", names);
    for (int64_t i = 0; i < p->n_rows && p->source != NULL; i++) {
        if (!is_redundant[i]) continue;
        rg_fail_at(p->ctx, p->source, rg_row_span(p, i));
        break;
    }
    return rg_remedy(p->ctx, "remove or correct this equation; its left-hand side is a combination "
                             "of others");
}

static rg_status warn_redundant(const rg_problem *p, int64_t count, const uint8_t *is_redundant,
                                const uint8_t *is_open)
{
    char equations[RG_LIST_LENGTH], unknowns[RG_LIST_LENGTH];

    rg_list_equations(p, is_redundant, equations);
    rg_list_unknowns(p, is_open, unknowns);
    return rg_problem_warn(p, "%s %s from the other equations; not determined: %s", equations,
                           count == 1 ? "follows" : "follow", unknowns);
}

/* Redundant equations by name.  Contradicting ones end the analysis. */
static rg_status find_redundant(const rg_problem *p, const rg_analysis *an, const rg_array *a,
                                const verdict *v, rg_true_index *out)
{
    uint8_t *is_open = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *is_open);
    out->is_redundant = rg_alloc(p->ctx, (size_t)p->n_rows + 1, sizeof *out->is_redundant);
    rg_status status = is_open != NULL && out->is_redundant != NULL ? RG_OK : RG_ERR_MEMORY;

    out->n_redundant = v->v;
    if (status == RG_OK) status = rg_array_mark(a, v->mu, v->v, out->is_redundant, is_open);
    if (status == RG_OK)
        status = v->kind == RG_POINT_STATIONARY
                     ? fail_contradiction(p, out->is_redundant)
                     : warn_redundant(p, v->v, out->is_redundant, is_open);
    if (status == RG_OK) status = rg_offsets_create(an, a->s, v->v, &out->offsets);
    rg_free(p->ctx, is_open);
    return status;
}

/* Where the frozen linear system does not show the index (it need not, if coefficients move): an
 * upper bound, the index for purely algebraic unknowns and one less for the others. */
static void bound_variable_index(const rg_array *a, int highest, int32_t *index)
{
    for (int64_t j = 0; j < a->n; j++) {
        bool is_algebraic = true;
        for (int64_t i = 0; i < a->n; i++)
            if (a->A[(a->n_states + j) * a->n_rows + i] != 0.0) is_algebraic = false;
        index[j] = is_algebraic || highest == 1 ? highest : highest - 1;
    }
}

/* Redundant equations make the linear system singular, but leave the structure as it is. */
static rg_status find_variable_index(const rg_array *a, const rg_transversal *t, const verdict *v,
                                     rg_true_index *out)
{
    const int highest = out->index > 1 ? out->index : 1;

    if (v->v > 0) {
        for (int64_t j = 0; j < a->n; j++)
            out->variable_index[j] =
                t->variable_index[j] < highest ? t->variable_index[j] : (int32_t)highest;
        return RG_OK;
    }
    rg_status status = (rg_status)RG_RETRY;
    if (highest > 1) status = rg_pencil_index(a->s, highest, out->variable_index);
    if (status != (rg_status)RG_RETRY) return status;
    bound_variable_index(a, highest, out->variable_index);
    return RG_OK;
}

static rg_status take_verdict(const rg_problem *p, const rg_analysis *an, const rg_array *a,
                              const verdict *v, rg_true_index *out)
{
    const rg_transversal *t = an->transversal;

    out->is_regular = v->is_regular;
    out->is_found = v->is_found;
    if (!v->is_found) return RG_OK;
    out->index = v->a == 0 && v->v == 0 ? 0 : v->mu + 1;
    out->dof = v->d;
    if (v->is_regular && out->index >= t->structural_index) return RG_OK;
    out->n_states = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *out->n_states);
    out->variable_index = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *out->variable_index);
    if (out->n_states == NULL || out->variable_index == NULL) return RG_ERR_MEMORY;
    memcpy(out->n_states, a->m, (size_t)p->n * sizeof *out->n_states);
    if (v->v > 0) RG_TRY(find_redundant(p, an, a, v, out));
    return find_variable_index(a, t, v, out);
}

rg_status rg_true_index_find(const rg_problem *p, const rg_analysis *an, int first, int64_t limit,
                             rg_true_index *out)
{
    rg_status status = RG_OK;
    bool is_done = false;

    for (int mu = first > 1 ? first : 1;
         mu <= RG_INDEX_MOST && !is_done && (mu + 1) * p->n <= limit; mu++) {
        rg_array *a = NULL;
        verdict v = {0};
        bool is_agreed = false;
        status = rg_array_create(p, &an->signature, 1, mu, &a);
        if (status == RG_OK) status = ask_points(a, p, an, &v, &is_agreed);
        is_done = status != RG_OK || (is_agreed && (v.is_found || v.is_regular));
        if (status == RG_OK && is_agreed) status = take_verdict(p, an, a, &v, out);
        rg_array_destroy(&a);
    }
    return status == (rg_status)RG_RETRY ? RG_OK : status;
}

void rg_true_index_clear(rg_context *ctx, rg_true_index *found)
{
    rg_free(ctx, found->n_states);
    rg_free(ctx, found->variable_index);
    rg_free(ctx, found->is_redundant);
    rg_offsets_destroy(ctx, &found->offsets);
}
