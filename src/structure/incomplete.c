/* Under- and over-determined parts of a model in words; see incomplete.h. */
#include "structure/incomplete.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMES = 5, NAME_LENGTH = 80 };

typedef int name_fn(const rg_problem *p, int64_t k, int order, char *buffer, int size);

static void list_marked(const rg_problem *p, int64_t n, const uint8_t *is_marked, name_fn *name,
                        const char *quote, char text[RG_LIST_LENGTH])
{
    int64_t total = 0, count = 0;
    size_t used = 0;

    for (int64_t k = 0; k < n; k++)
        total += is_marked[k] != 0;
    text[0] = '\0';
    for (int64_t k = 0; k < n && count < MOST_NAMES; k++) {
        char one[NAME_LENGTH];
        if (!is_marked[k]) continue;
        name(p, k, 0, one, sizeof one);
        const bool is_last = count + 1 == total;
        const char *separator = count == 0 ? "" : is_last ? " and " : ", ";
        used += (size_t)snprintf(text + used, RG_LIST_LENGTH - used, "%s%s%s%s", separator, quote,
                                 one, quote);
        count++;
    }
    if (total > count)
        snprintf(text + used, RG_LIST_LENGTH - used, " and %lld more", (long long)(total - count));
}

void rg_list_unknowns(const rg_problem *p, const uint8_t *is_marked, char text[RG_LIST_LENGTH])
{
    list_marked(p, p->n, is_marked, rg_variable_name, "'", text);
}

void rg_list_equations(const rg_problem *p, const uint8_t *is_marked, char text[RG_LIST_LENGTH])
{
    list_marked(p, p->n_rows, is_marked, rg_row_name, "", text);
}

static int64_t count_marked(int64_t n, const uint8_t *is_marked, int64_t *first)
{
    int64_t count = 0;

    for (int64_t k = n - 1; k >= 0; k--)
        if (is_marked[k]) count++, *first = k;
    return count;
}

static rg_span unknown_span(const rg_problem *p, int64_t j)
{
    for (int f = 0; f < p->n_families; f++)
        if (j < p->families[f].first + p->families[f].count) return p->families[f].span;
    return (rg_span){0, 0};
}

/* The one to be named in the remedy: without a start value that is to be kept, if there is one. */
static int64_t choose_unknown(const rg_problem *p, const uint8_t *is_free)
{
    const uint8_t *kind = p->start_orders > 0 ? p->start[0].kind : NULL;
    int64_t chosen = -1;

    for (int64_t j = p->n - 1; j >= 0; j--) {
        if (!is_free[j]) continue;
        const bool is_kept = kind != NULL && kind[j] == RG_START_KEPT;
        if (chosen < 0 || !is_kept || kind[chosen] == RG_START_KEPT) chosen = j;
    }
    return chosen;
}

static bool is_array(const rg_problem *p, int64_t j)
{
    for (int f = 0; f < p->n_families; f++)
        if (j < p->families[f].first + p->families[f].count) return p->families[f].n_dims > 0;
    return true;
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* The under-determined part: more unknowns than the equations they occur in. */
static rg_status fail_free(const rg_problem *p, const rg_transversal *t, const uint8_t *is_free)
{
    char names[RG_LIST_LENGTH], name[NAME_LENGTH];
    int64_t first = 0, n_equations = 0;
    const int64_t n_free = count_marked(p->n, is_free, &first), chosen = choose_unknown(p, is_free);

    for (int64_t j = 0; j < p->n; j++)
        n_equations += is_free[j] && t->row_of_column[j] >= 0;
    rg_list_unknowns(p, is_free, names);
    rg_variable_name(p, chosen, 0, name, sizeof name);
    if (n_equations == 0)
        rg_fail(p->ctx, RG_ERR_STRUCTURE, "nothing determines %s: %lld equation%s, %lld unknown%s",
                names, (long long)p->n_rows, plural(p->n_rows), (long long)p->n, plural(p->n));
    else
        rg_fail(p->ctx, RG_ERR_STRUCTURE,
                "%lld equation%s cannot determine the %lld unknowns %s (%lld equation%s, %lld "
                "unknown%s in all)",
                (long long)n_equations, plural(n_equations), (long long)n_free, names,
                (long long)p->n_rows, plural(p->n_rows), (long long)p->n, plural(p->n));
    if (p->source != NULL) rg_fail_at(p->ctx, p->source, unknown_span(p, chosen));
    if (is_array(p, chosen)) return rg_remedy(p->ctx, "add an equation with '%s' in it", name);
    return rg_remedy(p->ctx, "add an equation with '%s' in it, or write 'param %s = VALUE'", name,
                     name);
}

/* The over-determined part: more equations than unknowns in them. */
static rg_status fail_competing(const rg_problem *p, const rg_signature *s, const rg_transversal *t,
                                const uint8_t *is_competing)
{
    char names[RG_LIST_LENGTH], last_name[NAME_LENGTH];
    int64_t n_unknowns = 0, last = 0;
    const int64_t n_rows = count_marked(p->n_rows, is_competing, &last);

    for (int64_t i = 0; i < p->n_rows; i++) {
        n_unknowns += is_competing[i] && t->column_of_row[i] >= 0;
        if (is_competing[i]) last = i;
    }
    rg_list_equations(p, is_competing, names);
    rg_row_name(p, last, 0, last_name, sizeof last_name);
    if (s->start[last] == s->start[last + 1])
        rg_fail(p->ctx, RG_ERR_STRUCTURE, "no unknown occurs in the equation of %s", last_name);
    else
        rg_fail(p->ctx, RG_ERR_STRUCTURE,
                "%lld equations compete for %lld unknown%s: %s (%lld equation%s, %lld unknown%s in "
                "all)",
                (long long)n_rows, (long long)n_unknowns, plural(n_unknowns), names,
                (long long)p->n_rows, plural(p->n_rows), (long long)p->n, plural(p->n));
    if (p->source != NULL) rg_fail_at(p->ctx, p->source, rg_row_span(p, last));
    return rg_remedy(p->ctx,
                     "remove one of these equations, or write an unknown for a 'param' in them");
}

rg_status rg_fail_incomplete(const rg_problem *p, const rg_signature *s, const rg_transversal *t)
{
    uint8_t *is_free = rg_alloc(p->ctx, (size_t)p->n + 1, sizeof *is_free);
    uint8_t *is_competing = rg_alloc(p->ctx, (size_t)p->n_rows + 1, sizeof *is_competing);
    rg_status status = RG_ERR_MEMORY;

    if (is_free != NULL && is_competing != NULL)
        status = rg_explain_incomplete(p->ctx, s, t, is_free, is_competing);
    if (status == RG_OK && t->n_matched < p->n) status = fail_free(p, t, is_free);
    if (status != RG_ERR_MEMORY && t->n_matched < p->n_rows)
        status = fail_competing(p, s, t, is_competing);
    rg_free(p->ctx, is_free);
    rg_free(p->ctx, is_competing);
    return status;
}
