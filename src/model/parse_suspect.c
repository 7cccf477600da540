/* What the grammar allows and is most likely meant otherwise.  Judged once all names are known. */
#include "model/parser.h"

#include <string.h>

/* Remembers quotients that look like dx/dt. */
void rg_note_slope(rg_parser *p, rg_ast *node)
{
    if (node->kind != RG_AST_BINARY || node->op != '/' || p->n_slopes == RG_PARSER_SUSPECTS) return;
    const rg_ast *over = node->args[1], *under = node->args[0];
    if (under->kind == RG_AST_CALL) under = under->args[0]; /* d(x*y)/dt */
    const bool is_slope = over->kind == RG_AST_NAME && over->text[0] == 'd' && over->text[1] != '\0'
                          && under->kind == RG_AST_NAME && under->text[0] == 'd'
                          && (under->text[1] != '\0') == (under == node->args[0]);
    if (is_slope) p->slopes[p->n_slopes++] = node;
}

/* Remembers an equation that starts with a statement word: boundary -x(0) = 1. */
void rg_note_word(rg_parser *p, rg_token next)
{
    if (p->word == NULL || p->n_words == RG_PARSER_SUSPECTS) return;
    if (next.kind != '-' && next.kind != '(') return;
    p->words[p->n_words++] = (rg_suspect_word){p->start.span, p->word, p->form, next.kind};
}

static bool is_declared(const char *name, int n, rg_statement *const *statements)
{
    for (int k = 0; k < n; k++) {
        const rg_statement *s = statements[k];
        const bool declares = s->name != NULL && s->kind <= RG_STATEMENT_OVER;
        if (declares && strcmp(s->name, name) == 0) return true;
    }
    return false;
}

/* Is `name` the differential of the independent variable, "dt" where none is declared? */
static bool is_differential(const char *name, int n, rg_statement *const *statements)
{
    bool has_over = false;

    for (int k = 0; k < n; k++) {
        if (statements[k]->kind != RG_STATEMENT_OVER) continue;
        if (strcmp(statements[k]->name, name + 1) == 0) return true;
        has_over = true;
    }
    return !has_over && strcmp(name, "dt") == 0;
}

/* dx/dt, where dt is nothing that was declared */
static rg_status fail_slope(rg_parser *p, const rg_ast *slope)
{
    const rg_ast *under = slope->args[0];
    const rg_span span = {under->span.start, slope->args[1]->span.end}; /* without brackets */
    char quote[RG_QUOTE], whole[RG_QUOTE];

    rg_fail(p->ctx, RG_ERR_SYNTAX, "a derivative is written with a prime");
    rg_fail_at(p->ctx, p->source, span);
    rg_quote(p, span, whole);
    rg_quote(p, (rg_span){under->span.start + 1, under->span.end}, quote);
    return rg_remedy(p->ctx, "write %s' for %s", quote, whole);
}

static rg_status fail_word(rg_parser *p, const rg_suspect_word *w)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "'%s' before '%c' is read as a name, and none is declared",
            w->word, w->next);
    rg_fail_at(p->ctx, p->source, w->span);
    return rg_remedy(p->ctx, "let a name or a number follow it: %s", w->form);
}

rg_status rg_mistake_suspects(rg_parser *p, int n, rg_statement *const *statements)
{
    rg_status status = RG_OK;

    for (int k = 0; k < p->n_slopes; k++) {
        const char *name = p->slopes[k]->args[1]->text;
        if (!is_declared(name, n, statements) && is_differential(name, n, statements))
            status = fail_slope(p, p->slopes[k]);
    }
    for (int k = 0; k < p->n_words; k++) {
        if (!is_declared(p->words[k].word, n, statements)) status = fail_word(p, &p->words[k]);
    }
    return status;
}
