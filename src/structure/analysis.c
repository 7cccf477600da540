/* Analysis of a problem: structure first, then numerical rank; see analysis.h. */
#include "structure/analysis.h"

#include "expr/table.h"
#include "structure/build.h"
#include "structure/combine.h"
#include "structure/incomplete.h"
#include "structure/jacobian.h"
#include "structure/offsets.h"
#include "structure/surplus.h"
#include "structure/true_index.h"
#include "structure/tuning.h"

#include <math.h>
#include <string.h>

static bool is_callback(const rg_problem *p)
{
    return p->residual != NULL || p->rhs != NULL;
}

static rg_status allocate(rg_context *ctx, const rg_problem *p, rg_analysis *a)
{
    const size_t n = (size_t)p->n + 1;

    a->c = rg_alloc(ctx, n, sizeof *a->c);
    a->d = rg_alloc(ctx, n, sizeof *a->d);
    a->variable_index = rg_alloc(ctx, n, sizeof *a->variable_index);
    return a->c != NULL && a->d != NULL && a->variable_index != NULL ? RG_OK : RG_ERR_MEMORY;
}

/* What structure alone says. */
static void take_offsets(const rg_problem *p, rg_analysis *a)
{
    const rg_transversal *t = a->transversal;

    a->index = t->structural_index;
    a->dof = t->dof;
    memcpy(a->c, t->c, (size_t)p->n * sizeof *a->c);
    memcpy(a->d, t->d, (size_t)p->n * sizeof *a->d);
    memcpy(a->variable_index, t->variable_index, (size_t)p->n * sizeof *a->variable_index);
}

static rg_status check_orders(const rg_problem *p, const rg_transversal *t)
{
    char name[80];

    for (int64_t j = 0; j < p->n; j++) {
        if (t->d[j] <= RG_MAX_ORDER) continue;
        rg_variable_name(p, j, 0, name, sizeof name);
        rg_fail(p->ctx, RG_ERR_STRUCTURE,
                "the index is too high: %d derivatives of '%s' are needed, at most %d can be taken",
                t->d[j], name, RG_MAX_ORDER);
        return rg_remedy(p->ctx, "state the constraint on a derivative of '%s' instead", name);
    }
    return RG_OK;
}

/* The equations cannot be matched with the unknowns, and no redundant constraints excuse it. */
static rg_status fail_incomplete(const rg_problem *p, rg_analysis *a)
{
    rg_transversal_destroy(p->ctx, &a->transversal);
    RG_TRY(rg_transversal_create(p->ctx, &a->signature, &a->transversal));
    return rg_fail_incomplete(p, &a->signature, a->transversal);
}

static rg_status analyze_structure(const rg_problem *p, rg_analysis *a, int64_t *surplus)
{
    *surplus = 0;
    RG_TRY(rg_signature_build(p, &a->signature));
    RG_TRY(rg_transversal_create(p->ctx, &a->signature, &a->transversal));
    if (a->transversal->n_matched < p->n || a->transversal->n_matched < p->n_rows) {
        RG_TRY(rg_surplus_match(p, a, surplus));
        if (*surplus == 0) return rg_fail_incomplete(p, &a->signature, a->transversal);
    }
    RG_TRY(check_orders(p, a->transversal));
    RG_TRY(allocate(p->ctx, p, a));
    take_offsets(p, a);
    return RG_OK;
}

typedef struct {
    rg_sampler *s;
    const rg_transversal *t;
    double *usual;        /* J at a generic point; NULL: none could be evaluated */
    uint8_t *is_singular; /* per block: at all points so far                     */
    int64_t n_singular;
    int n_seen;
    double least, hidden; /* pivots: of the others; of these, at the point where it is largest */
} inspection;

/* Looks at one more point; a block counts as singular only if it is so at all of them.  Entries
 * that are rounding errors next to what they usually are, as cos(pi/2), are zero. */
static rg_status look_at(inspection *x, rg_move move, int draw)
{
    const rg_status status = rg_sampler_visit(x->s, move, RG_SAMPLE_SIZE, draw);

    if (status == (rg_status)RG_RETRY) return RG_OK;
    if (status != RG_OK) return status;
    const int64_t n_entries = x->s->pattern->start[x->s->n_columns];
    for (int64_t e = 0; x->usual != NULL && e < n_entries; e++)
        if (fabs(x->s->J[e]) < RG_ENTRY_ROUNDING * fabs(x->usual[e])) x->s->J[e] = 0.0;
    x->n_seen++;
    double least[] = {x->least, 1.0};
    RG_TRY(rg_system_jacobian_check(x->s, x->t, x->is_singular, &x->n_singular, least));
    x->least = least[0];
    if (x->n_singular > 0) x->hidden = fmax(x->hidden, least[1]);
    return RG_OK;
}

static rg_status find_usual(inspection *x)
{
    const size_t n_entries = (size_t)x->s->pattern->start[x->s->n_columns];
    const rg_status status = rg_sampler_visit(x->s, RG_MOVE_ALL, RG_SAMPLE_SIZE, 5);

    if (status == (rg_status)RG_RETRY) return RG_OK;
    if (status != RG_OK) return status;
    x->usual = rg_alloc(x->s->p->ctx, n_entries + 1, sizeof *x->usual);
    if (x->usual == NULL) return RG_ERR_MEMORY;
    memcpy(x->usual, x->s->J, n_entries * sizeof *x->usual);
    return RG_OK;
}

typedef struct {
    int64_t at_start; /* singular blocks: start values, with what is open moved */
    int64_t nearby;   /* singular blocks at all generic points                  */
    bool is_evaluated;
    double least; /* pivot                                                      */
} block_count;

/* System Jacobian at the start values, then, only if it is singular there, at points nearby. */
static rg_status inspect(inspection *x, block_count *count)
{
    x->n_singular = x->t->n_blocks;
    memset(x->is_singular, 1, (size_t)x->t->n_blocks);
    RG_TRY(find_usual(x));
    RG_TRY(look_at(x, RG_MOVE_NONE, 0));
    for (int k = 0; k < RG_LOOKS_OPEN && x->n_singular > 0; k++)
        RG_TRY(look_at(x, RG_MOVE_OPEN, k));
    count->at_start = x->n_seen > 0 ? x->n_singular : 0;
    for (int k = 0; k < RG_LOOKS_GENERIC && x->n_singular > 0; k++)
        RG_TRY(look_at(x, RG_MOVE_ALL, 10 + k));
    count->nearby = x->n_seen > 0 ? x->n_singular : 0;
    count->is_evaluated = x->n_seen > 0;
    count->least = x->n_singular > 0 ? fmin(x->least, x->hidden) : x->least;
    return RG_OK;
}

static rg_status check_blocks(const rg_problem *p, const rg_analysis *a, block_count *count)
{
    const rg_transversal *t = a->transversal;
    const int max_order = is_callback(p) || p->max_order < 1 ? 1 : p->max_order;
    inspection x = {.t = t, .least = 1.0};

    x.is_singular = rg_alloc(p->ctx, (size_t)t->n_blocks + 1, sizeof *x.is_singular);
    rg_status status =
        x.is_singular != NULL ? rg_sampler_create(p, 1, max_order + 1, &x.s) : RG_ERR_MEMORY;
    if (status == RG_OK) status = inspect(&x, count);
    rg_sampler_destroy(&x.s);
    rg_free(p->ctx, x.usual);
    rg_free(p->ctx, x.is_singular);
    return status;
}

/* The offsets tell all, but the true index is smaller. */
static void take_smaller_index(const rg_problem *p, rg_analysis *a, const rg_true_index *found)
{
    a->index = found->index;
    memcpy(a->variable_index, found->variable_index, (size_t)p->n * sizeof *a->variable_index);
}

/* Every equation differentiated as often as the index says. */
static rg_status take_levels(const rg_problem *p, rg_analysis *a, rg_true_index *found)
{
    a->is_structural = false;
    a->index = a->levels = found->index;
    a->dof = found->dof;
    for (int64_t j = 0; j < p->n; j++) {
        a->c[j] = found->index;
        a->d[j] = found->index + found->n_states[j];
        a->variable_index[j] = found->variable_index[j];
    }
    a->n_redundant = found->n_redundant;
    a->is_redundant = found->is_redundant;
    a->offsets = found->offsets;
    found->is_redundant = NULL;
    found->offsets = NULL;
    if (a->offsets != NULL) rg_offsets_fill(a, a->offsets);
    return check_orders(p, a->transversal);
}

static rg_status warn_unverified(const rg_problem *p, rg_analysis *a, int64_t n_singular)
{
    a->levels = a->index;
    for (int64_t j = 0; j < p->n; j++) {
        a->c[j] = a->index;
        a->d[j] = a->index + (p->max_order > 1 ? p->max_order : 1);
    }
    return rg_problem_warn(p,
                           "the index could not be verified: %lld of %lld blocks of equations are "
                           "singular and the model is too large for a full analysis",
                           (long long)n_singular, (long long)a->transversal->n_blocks);
}

/* Too large for a derivative array: combinations with constant factors are looked for block by
 * block. */
static rg_status combine_or_warn(const rg_problem *p, rg_analysis *a, int64_t n_singular)
{
    bool is_found = false;

    RG_TRY(rg_combine(p, a, &is_found));
    return is_found ? RG_OK : warn_unverified(p, a, n_singular);
}

static int64_t array_rows(const rg_problem *p, int index)
{
    return p->n * (index > 1 ? index : 1);
}

/* Numerical rank.  Structure is trusted where the system Jacobian is regular; the derivative array
 * decides elsewhere, and checks small problems of structural index 2 and more, which may be too
 * high. */
static rg_status analyze_rank(const rg_problem *p, rg_analysis *a, bool has_surplus)
{
    const int structural_index = a->transversal->structural_index;
    block_count count = {0};
    rg_true_index found = {0};

    RG_TRY(check_blocks(p, a, &count));
    if (!count.is_evaluated)
        RG_TRY(rg_problem_warn(p, "the index is that of the structure alone: the equations cannot "
                                  "be evaluated at the start values or near them"));
    a->is_structural = count.nearby == 0;
    a->least_pivot = count.least;
    a->is_singular_start = count.at_start > 0 && count.nearby == 0;
    const bool is_check = count.at_start == 0;
    const int64_t limit = is_check ? RG_ARRAY_CHECK_MOST : RG_ARRAY_MOST;
    if (is_check && (structural_index < 2 || is_callback(p))) return RG_OK;
    if (array_rows(p, structural_index + (is_check ? 0 : 1)) > limit)
        return a->is_structural || has_surplus ? RG_OK : combine_or_warn(p, a, count.nearby);

    /* index mu + 1, and one level more to confirm redundant equations */
    const int first = is_check ? structural_index - 1 : structural_index;
    rg_status status = rg_true_index_find(p, a, first, limit, &found);
    if (status == RG_OK && found.is_regular) { /* the offsets tell all */
        a->is_structural = true;
        if (found.variable_index != NULL && found.dof == a->dof) take_smaller_index(p, a, &found);
    } else if (status == RG_OK && found.is_found) {
        a->is_singular_start = false;
        status = take_levels(p, a, &found);
    } else if (status == RG_OK && !a->is_structural && !has_surplus) {
        status = warn_unverified(p, a, count.nearby);
    }
    rg_true_index_clear(p->ctx, &found);
    return status;
}

static void analysis_destroy(rg_context *ctx, rg_analysis **analysis)
{
    rg_analysis *a = *analysis;

    if (a == NULL) return;
    rg_signature_clear(ctx, &a->signature);
    rg_transversal_destroy(ctx, &a->transversal);
    rg_free(ctx, a->c);
    rg_free(ctx, a->d);
    rg_free(ctx, a->variable_index);
    rg_free(ctx, a->is_redundant);
    rg_offsets_destroy(ctx, &a->offsets);
    rg_free(ctx, a);
    *analysis = NULL;
}

static rg_status fail_rough(const rg_problem *p, const rg_table *table, int64_t row, int more)
{
    static const char *const ordinals[] = {"first", "second", "third"};
    char name[128], which[32];

    rg_row_name(p, row, 0, name, sizeof name);
    snprintf(which, sizeof which, "%d-th", more);
    if (more <= 3) snprintf(which, sizeof which, "%s", ordinals[more - 1]);
    rg_fail(p->ctx, RG_ERR_STRUCTURE,
            "the constraint in %s needs the %s derivative of the table '%s', which is %s and has "
            "none",
            name, which, table->name, rg_table_kind_word(table->kind));
    if (p->source != NULL) rg_fail_at(p->ctx, p->source, rg_row_span(p, row));
    return rg_remedy(p->ctx, "write %s behind the table '%s'", rg_table_kinds_with(more),
                     table->name);
}

/* A table in an output of a body, or in the terms of its sums, without `more` derivatives. */
static const rg_table *rough_table(const rg_body *body, int output, int more)
{
    const rg_table *found = rg_table_rough(body->graph, body->outputs[output], more);

    for (int32_t k = 0; k < body->n_sums && found == NULL; k++)
        for (int i = 0; i < body->sums[k].n_parts && found == NULL; i++)
            found = rough_table(body->sums[k].parts[i], 0, more);
    return found;
}

/* Equations that are differentiated to find hidden constraints need tables with derivatives. */
static rg_status check_tables(const rg_problem *p, rg_analysis *a)
{
    for (int b = 0; b < p->n_blocks && a->c != NULL; b++) {
        const rg_body *body = p->blocks[b].body;
        for (int o = 0; o < body->n_outputs; o++) {
            const int64_t first = p->blocks[b].first_row + o * body->count;
            int64_t row = first;
            for (int64_t i = first; i < first + body->count; i++)
                if (a->c[i] > a->c[row]) row = i;
            if (body->count == 0 || a->c[row] <= 0) continue;
            const rg_table *table = rough_table(body, o, a->c[row]);
            if (table != NULL) return fail_rough(p, table, row, a->c[row]);
            /* two more: the derivative in the hidden constraint has kinks */
            a->bends = a->bends || rough_table(body, o, a->c[row] + 2) != NULL;
        }
    }
    return RG_OK;
}

rg_status rg_analysis_get(const rg_problem *p, const rg_analysis **out)
{
    *out = p->study->analysis;
    if (*out != NULL) return RG_OK;
    rg_analysis *a = rg_alloc(p->ctx, 1, sizeof *a);
    if (a == NULL) return RG_ERR_MEMORY;
    int64_t surplus = 0;
    rg_status status = analyze_structure(p, a, &surplus);
    if (status == RG_OK) status = analyze_rank(p, a, surplus > 0);
    if (status == RG_OK && a->n_redundant < surplus) status = fail_incomplete(p, a);
    if (status == RG_OK) status = check_tables(p, a);
    if (status == RG_OK && p->given_index != NULL)
        for (int64_t j = 0; j < p->n; j++)
            a->variable_index[j] = p->given_index[j];
    if (status != RG_OK) {
        analysis_destroy(p->ctx, &a);
        return status;
    }
    p->study->analysis = a;
    p->study->analysis_destroy = analysis_destroy;
    *out = a;
    return RG_OK;
}

const rg_analysis *rg_analysis_reducible(const rg_analysis *a)
{
    if (a->is_structural) return a;
    return a->offsets != NULL && a->offsets->is_structural ? a->offsets : NULL;
}

rg_structure rg_structure_of(const rg_problem *p, const rg_analysis *a)
{
    const int64_t states = rg_problem_states(p); /* each has an equation and a block of its own */

    return (rg_structure){.unknowns = p->n - states,
                          .equations = p->n_rows - states,
                          .dof = a->dof - states,
                          .blocks = a->transversal != NULL ? a->transversal->n_blocks - states : 1,
                          .redundant = a->n_redundant,
                          .index = a->index,
                          .is_singular_start = a->is_singular_start};
}

const rg_analysis *rg_analysis_known(const rg_problem *p)
{
    const rg_problem *branch = p->study->stand_in; /* that the guess has chosen */

    return branch != NULL ? branch->study->analysis : p->study->analysis;
}
