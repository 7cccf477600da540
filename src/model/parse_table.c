/* Functions from tables: table f(x) = (x1, y1, x2, y2, ...) or = file "data.csv", and the words
 * behind it. */
#include "model/parser.h"

#include <string.h>

static bool is_word(const rg_parser *p, const char *word)
{
    const rg_span span = p->token.span;
    const size_t length = (size_t)(span.end - span.start);

    return rg_parser_at(p, RG_TOKEN_NAME) && strlen(word) == length
           && memcmp(p->source->text + span.start, word, length) == 0;
}

/* linear hold steps: two words for the same thing */
static rg_status fail_twice(rg_parser *p, const rg_statement *s, const char *what)
{
    char quote[RG_QUOTE];

    rg_fail(p->ctx, RG_ERR_SYNTAX, "the table '%s' already has %s, and '%s' is another one",
            s->name, what, rg_quote(p, p->token.span, quote));
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "keep one of them");
}

static rg_status fail_word(rg_parser *p, const rg_statement *s)
{
    char quote[RG_QUOTE];

    rg_fail(p->ctx, RG_ERR_SYNTAX, "a table has no word '%s'", rg_quote(p, p->token.span, quote));
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx,
                     "behind '%s' write linear, monotone, smooth or steps, then error, hold or "
                     "repeat%s",
                     s->name, s->text != NULL ? "; column \"NAME\", by \"NAME\"" : "");
}

/* KIND = linear | monotone | smooth | steps;   BEYOND = error | hold | repeat */
static const char *find_word(const rg_parser *p, int n, const char *const *words)
{
    for (int k = 0; k < n; k++)
        if (is_word(p, words[k])) return words[k];
    return NULL;
}

/* name = 'column' STRING | 'by' STRING */
static rg_status parse_column(rg_parser *p, const rg_statement *s, char **name, rg_span *span)
{
    const rg_token word = p->token;

    if (*name != NULL) return fail_twice(p, s, "such a column");
    if (s->text == NULL) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "columns belong to a file, and '%s' is a list", s->name);
        rg_fail_at(p->ctx, p->source, word.span);
        return rg_remedy(p->ctx, "leave the word out, or write: table %s(x) = file \"data.csv\"",
                         s->name);
    }
    rg_parser_advance(p);
    if (!rg_parser_at(p, RG_TOKEN_STRING))
        return rg_mistake_unexpected(p, "the name of a column in quotes");
    *span = (rg_span){p->token.span.start + 1, p->token.span.end - 1};
    if ((*name = rg_parser_text(p, *span)) == NULL) return RG_ERR_MEMORY;
    rg_parser_advance(p);
    return RG_OK;
}

/* word = name | KIND | BEYOND */
static rg_status parse_word(rg_parser *p, const rg_statement *s)
{
    static const char *const kinds[] = {"linear", "monotone", "smooth", "steps"};
    static const char *const beyonds[] = {"error", "hold", "repeat"};
    rg_table_words *w = s->table;

    if (is_word(p, "column")) return parse_column(p, s, &w->column, &w->column_span);
    if (is_word(p, "by")) return parse_column(p, s, &w->by, &w->by_span);
    const char *kind = find_word(p, 4, kinds), *beyond = find_word(p, 3, beyonds);
    if (kind == NULL && beyond == NULL) return fail_word(p, s);
    if (kind != NULL && w->kind != NULL) return fail_twice(p, s, "a kind");
    if (beyond != NULL && w->beyond != NULL) return fail_twice(p, s, "a rule beyond its ends");
    if (kind != NULL) w->kind = kind;
    if (beyond != NULL) w->beyond = beyond;
    rg_parser_advance(p);
    return RG_OK;
}

static rg_status fail_list(rg_parser *p, const rg_statement *s)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "a table is a list of pairs or a file");
    rg_fail_at(p->ctx, p->source, s->right->span);
    return rg_remedy(p->ctx, "write: table %s(x) = (x1, y1, x2, y2), or = file \"data.csv\"",
                     s->name);
}

/* item = head ('file' STRING | list) { word } */
static rg_status parse_item(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parse_head(p, s));
    s->table = rg_arena_take(p->ctx, p->arena, 1, sizeof *s->table);
    if (s->table == NULL) return RG_ERR_MEMORY;
    memset(s->table, 0, sizeof *s->table);
    if (is_word(p, "file")) {
        rg_parser_advance(p);
        RG_TRY(rg_parse_quoted(p, s));
    } else {
        RG_TRY(rg_parse_value(p, &s->right));
        if (s->right->kind != RG_AST_LIST) return fail_list(p, s);
    }
    while (rg_parser_at(p, RG_TOKEN_NAME))
        RG_TRY(parse_word(p, s));
    return RG_OK;
}

/* table = 'table' item { ',' item } */
rg_status rg_parse_table(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_TABLE, parse_item);
}
