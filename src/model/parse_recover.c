/* After a mistake: where the next statement starts. */
#include "model/parser.h"

/* Brackets that do not close within so many tokens count as missing: keeps the cost of 20 errors
 * bounded. */
enum { LOOK_AHEAD = 100000 };

/* From '{' to behind its '}', or to the end of the text. */
static void skip_block(rg_parser *p)
{
    int64_t open = 0;

    do {
        if (rg_parser_at(p, '{')) open++;
        if (rg_parser_at(p, '}')) open--;
        p->previous = p->token;
        p->token = rg_lexer_next(&p->lexer);
    } while (open > 0 && !rg_parser_at(p, RG_TOKEN_EOF));
}

/* A line that starts with a statement word is a new statement, whatever is open. */
static bool starts_statement(rg_parser *p)
{
    return p->token.is_first && rg_statement_word(p, p->token, rg_parser_peek(p)) != NULL;
}

/* Goes behind the brackets that close the open ones.  False, with the stream as it was, where
 * they are missing. */
static bool skip_brackets(rg_parser *p)
{
    const rg_parser before = *p;

    for (int n = 0; p->nesting > 0; n++) {
        const char kind = p->token.kind;
        if (n == LOOK_AHEAD || kind == RG_TOKEN_EOF || kind == ';' || kind == '{' || kind == '}'
            || starts_statement(p)) {
            *p = before;
            p->nesting = 0;
            return false;
        }
        if (kind == '(' || kind == '[') p->nesting++;
        if (kind == ')' || kind == ']') p->nesting--;
        rg_parser_advance(p);
    }
    return true;
}

/* To the next line, whatever is open. */
static void skip_line(rg_parser *p)
{
    while (!rg_parser_at_end(p) && !rg_parser_at(p, '{')) {
        if (p->token.is_first && p->token.span.start > p->start.span.start) return;
        p->previous = p->token;
        p->token = rg_lexer_next(&p->lexer);
    }
    if (rg_parser_at(p, '{')) skip_block(p);
}

void rg_parser_recover(rg_parser *p)
{
    bool is_closed = p->nesting == 0 || skip_brackets(p);

    while (is_closed && !rg_parser_at_end(p) && !rg_parser_at(p, '{')) {
        const bool opens = rg_parser_at(p, '(') || rg_parser_at(p, '[');
        p->nesting = opens ? 1 : 0;
        rg_parser_advance(p);
        if (opens) is_closed = skip_brackets(p);
    }
    if (!is_closed) {
        skip_line(p);
    } else if (rg_parser_at(p, '{')) {
        skip_block(p);
    }
}
