/* dx/dt for x': a quotient, to the grammar.  Judged once all names are known. */
#include "model/parser.h"

#include <string.h>

/* Remembers quotients that look like dx/dt. */
void rg_note_slope(rg_parser *p, rg_ast *node)
{
    if (node->kind != RG_AST_BINARY || node->op != '/' || p->n_slopes == RG_PARSER_SLOPES) return;
    const rg_ast *over = node->args[1], *under = node->args[0];
    if (under->kind == RG_AST_CALL) under = under->args[0]; /* d(x*y)/dt */
    const bool is_slope = over->kind == RG_AST_NAME && over->text[0] == 'd' && over->text[1] != '\0'
                          && under->kind == RG_AST_NAME && under->text[0] == 'd'
                          && (under->text[1] != '\0') == (under == node->args[0]);
    if (is_slope) p->slopes[p->n_slopes++] = node;
}

/* Is `name` the differential of the independent variable ("dt" where none is declared), and nothing else? */
static bool is_slope_of(const char *name, int n, rg_statement *const *statements)
{
    bool has_over = false, is_over = false;

    for (int k = 0; k < n; k++) {
        const rg_statement *s = statements[k];
        const bool declares = s->name != NULL && s->kind <= RG_STATEMENT_OVER;
        if (declares && strcmp(s->name, name) == 0) return false;
        if (s->kind != RG_STATEMENT_OVER) continue;
        has_over = true;
        is_over = is_over || strcmp(s->name, name + 1) == 0;
    }
    return has_over ? is_over : strcmp(name, "dt") == 0;
}

/* dx/dt, where dt is nothing that was declared */
rg_status rg_mistake_slopes(rg_parser *p, int n, rg_statement *const *statements)
{
    rg_status status = RG_OK;
    char quote[RG_QUOTE], whole[RG_QUOTE];

    for (int k = 0; k < p->n_slopes; k++) {
        const rg_ast *under = p->slopes[k]->args[0], *over = p->slopes[k]->args[1];
        if (!is_slope_of(over->text, n, statements)) continue;
        rg_fail(p->ctx, RG_ERR_SYNTAX, "a derivative is written with a prime");
        rg_fail_at(p->ctx, p->source, p->slopes[k]->span);
        rg_quote(p, p->slopes[k]->span, whole);
        rg_quote(p, (rg_span){under->span.start + 1, under->span.end}, quote);
        status = rg_remedy(p->ctx, "write %s' for %s", quote, whole);
    }
    return status;
}
