/* Expressions of the time and the parameters of a model, given apart from its text: a small problem
 * 0 = u_k - expression_k that has the parameters and functions of the model in front. */
#include "model/compiler.h"

#include <stdio.h>
#include <string.h>

/* "param a = 1", "fun f(x) = x^2": the item as it stands in the text. */
static size_t copy_item(const rg_model *m, const rg_statement *s, char *out, size_t room)
{
    const char *word = s->kind == RG_STATEMENT_PARAM ? "param"
                       : s->kind == RG_STATEMENT_FUN ? "fun"
                                                     : "table";

    return (size_t)snprintf(out, room, "%s %.*s\n", word, (int)(s->span.end - s->span.start),
                            m->source->text + s->span.start);
}

static bool is_copied(const rg_statement *s)
{
    return (s->kind == RG_STATEMENT_PARAM && s->mark == '=') || s->kind == RG_STATEMENT_FUN
           || s->kind == RG_STATEMENT_TABLE;
}

/* Returns the length; out may be NULL. */
static size_t write_text(const rg_problem *p, const rg_model *m, int n, const char *const *texts,
                         char *out)
{
    char from[32], to[32]; /* whatever the locale writes for the point */
    size_t used = 0;
    const size_t room = out != NULL ? SIZE_MAX / 2 : 0;

    for (int k = 0; k < m->n_statements; k++)
        if (is_copied(m->statements[k]))
            used += copy_item(m, m->statements[k], out != NULL ? out + used : NULL, room);
    for (int k = 0; k < n; k++)
        used += (size_t)snprintf(out != NULL ? out + used : NULL, room,
                                 "var rg_value_%d\nrg_value_%d = (%s)\n", k + 1, k + 1, texts[k]);
    used += (size_t)snprintf(out != NULL ? out + used : NULL, room, "over %s = %s .. %s\n",
                             p->time_name, rg_real_digits(p->a, from), rg_real_digits(p->b, to));
    return used;
}

/* Files are those that the model has read. */
static void borrow_tables(const rg_model *from, rg_model *to)
{
    for (int k = 0; k < to->n_statements; k++)
        for (int i = 0; i < from->n_statements; i++) {
            const rg_statement *a = from->statements[i], *b = to->statements[k];
            if (a->table == NULL || b->table == NULL || strcmp(a->name, b->name) != 0) continue;
            b->table->made = a->table->made;
            b->table->is_borrowed = true;
        }
}

rg_status rg_model_expressions(rg_context *ctx, const rg_problem *p, int n,
                               const char *const *texts, rg_problem **out)
{
    const kept_model *kept = p->model;
    rg_source *source = NULL;
    rg_model *model = NULL;
    char *text = rg_alloc(ctx, write_text(p, kept->tree, n, texts, NULL) + 1, 1);

    *out = NULL;
    if (text == NULL) return RG_ERR_MEMORY;
    write_text(p, kept->tree, n, texts, text);
    rg_status status = rg_source_from_text(ctx, "text", text, &source);
    rg_free(ctx, text);
    if (status == RG_OK) status = rg_model_parse(ctx, &source, &model);
    if (status == RG_OK) borrow_tables(kept->tree, model);
    if (status == RG_OK)
        status = rg_model_compile(ctx, &model, kept->n_settings, kept->settings, out);
    return status;
}
