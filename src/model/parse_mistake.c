/* Messages for tokens in the wrong place, after what people really type. */
#include "model/parser.h"

#include <string.h>

static bool is_one_of(char kind, const char *kinds)
{
    return kind != RG_TOKEN_EOF && strchr(kinds, kind) != NULL;
}

/* Default ending: the current token is marked, the remedy is the form of the statement. */
static rg_status finish(rg_parser *p)
{
    char quote[RG_QUOTE];

    rg_fail_at(p->ctx, p->source, p->word == NULL ? p->token.span : p->start.span);
    if (p->word == NULL) return rg_remedy(p->ctx, "the form is: %s", p->form);
    return rg_remedy(p->ctx, "'%s' is read as a name here; as a statement: %s",
                     rg_quote(p, p->start.span, quote), p->form);
}

/* vra x = 1; parameter a = 3 */
static rg_status fail_unknown_word(rg_parser *p)
{
    static const char *const words[] = {"title",  "param", "let",    "fun",      "var",
                                        "start",  "over",  "for",    "boundary", "exact",
                                        "output", "solve", "domain", "field",    "vector",
                                        "data",   "solid", "well",   "draw"};
    static const char *const others[][2] = {
        {"parameter",  "param"   },
        {"parameters", "param"   },
        {"const",      "param"   },
        {"constant",   "param"   },
        {"variable",   "var"     },
        {"variables",  "var"     },
        {"unknown",    "var"     },
        {"Real",       "var"     },
        {"state",      "var"     },
        {"function",   "fun"     },
        {"def",        "fun"     },
        {"define",     "let"     },
        {"time",       "over"    },
        {"interval",   "over"    },
        {"init",       "var"     },
        {"initial",    "var"     },
        {"print",      "output"  },
        {"plot",       "output"  },
        {"options",    "solve"   },
        {"option",     "solve"   },
        {"with",       "boundary"},
        {"where",      "boundary"},
        {"bc",         "boundary"},
        {"condition",  "boundary"},
        {"conditions", "boundary"},
    };
    const int n = (int)(sizeof words / sizeof *words);
    char word[RG_QUOTE];
    const char *meant = rg_nearest_word(rg_quote(p, p->start.span, word), n, words);

    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        if (strcmp(word, others[k][0]) == 0) meant = others[k][1];
    }
    if (meant == NULL) return RG_OK;
    rg_fail(p->ctx, RG_ERR_SYNTAX, "there is no statement '%s'", word);
    rg_fail_at(p->ctx, p->source, p->start.span);
    return rg_remedy(p->ctx, "did you mean '%s'?", meant);
}

/* 2x, x y, x(1)y, 1.5.3 */
static rg_status fail_side_by_side(rg_parser *p)
{
    const rg_token left = p->previous, right = p->token;
    const char next = rg_parser_peek(p).kind;
    char a[RG_QUOTE], b[RG_QUOTE];

    if (left.span.start == p->start.span.start && left.kind == RG_TOKEN_NAME && p->word == NULL
        && right.kind != '(')
        RG_TRY(fail_unknown_word(p));
    rg_quote(p, left.span, a);
    rg_quote(p, right.span, b);
    if (left.kind == RG_TOKEN_NUMBER && right.kind == RG_TOKEN_NUMBER
        && left.span.end == right.span.start) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "'%s%s' is no number", a, b);
        rg_fail_at(p->ctx, p->source, (rg_span){left.span.start, right.span.end});
        return rg_remedy(p->ctx, "a number has one point at most");
    }
    if (p->is_keyword && right.kind == RG_TOKEN_NAME && is_one_of(next, "=~")) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "a ',' is missing before '%s'", b);
        rg_fail_at(p->ctx, p->source, right.span);
        return rg_remedy(p->ctx, "put ',' between the items, or start a new line");
    }
    rg_fail(p->ctx, RG_ERR_SYNTAX, "an operator is missing between '%s' and '%s'", a, b);
    rg_fail_at(p->ctx, p->source, right.span);
    if (left.kind == RG_TOKEN_NUMBER && right.kind == RG_TOKEN_NAME
        && left.span.end < right.span.start && next != '(')
        return rg_remedy(p->ctx, "write '%s*%s' for a product; a unit belongs into a comment: # %s",
                         a, b, b);
    if (next == '(') return rg_remedy(p->ctx, "write '%s*%s(...)' for a product", a, b);
    if (left.kind != RG_TOKEN_NAME) return rg_remedy(p->ctx, "write '%s*%s' for a product", a, b);
    return rg_remedy(p->ctx, "write '%s*%s' for a product, '%s(%s)' for a function", a, b, a, b);
}

/* 1,5 for 1.5 */
static bool is_decimal_comma(rg_parser *p)
{
    const char *text = p->source->text;
    const rg_token comma = rg_parser_at(p, ',') ? p->token : p->previous;
    const int32_t at = comma.span.start;

    return comma.kind == ',' && at > 0 && at + 1 < p->source->length && text[at - 1] >= '0'
           && text[at - 1] <= '9' && text[at + 1] >= '0' && text[at + 1] <= '9';
}

static rg_status fail_comma(rg_parser *p, const char *wanted)
{
    if (is_decimal_comma(p)) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "a ',' separates items; it is no decimal point");
        rg_fail_at(p->ctx, p->source, rg_parser_at(p, ',') ? p->token.span : p->previous.span);
        return rg_remedy(p->ctx, "write '.' for decimals: 1.5");
    }
    rg_fail(p->ctx, RG_ERR_SYNTAX, "expected %s, found ','", wanted);
    if (p->nesting > 0 || p->is_keyword) return finish(p);
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "write each equation on its own line, or put ';' between them");
}

/* x' =          <- goes on
 * y' = 3                                                   */
static rg_status fail_joined(rg_parser *p)
{
    char quote[RG_QUOTE];

    rg_fail(p->ctx, RG_ERR_SYNTAX, "the line before ends with '%s', so this one continues it",
            rg_quote(p, p->joined.span, quote));
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "complete the line before, or remove the '%s' at its end", quote);
}

static rg_status fail_equals(rg_parser *p, const char *wanted)
{
    const bool is_second = is_one_of(p->previous.kind, "N0)]'");

    if (!is_second) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "expected %s, found '='", wanted);
        return finish(p);
    }
    if (p->nesting > 0) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "a single '=' inside brackets");
        if (p->word != NULL) return finish(p); /* for (i = 1..N) */
    } else {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "a second '=' in one statement");
    }
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "write '==' to compare");
}

/* A token that has its own place, and which. */
static rg_status fail_misplaced(rg_parser *p, const char *message, const char *remedy)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "%s", message);
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "%s", remedy);
}

static rg_status fail_default(rg_parser *p, const char *wanted)
{
    char quote[RG_QUOTE];

    if (rg_parser_at_end(p)) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "expected %s, but the statement ends here", wanted);
    } else if (is_one_of(p->token.kind, ")]") && p->nesting == 0) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "this '%c' closes nothing", p->token.kind);
        rg_fail_at(p->ctx, p->source, p->token.span);
        return rg_remedy(p->ctx, "remove it, or open it with '%c' before",
                         rg_parser_at(p, ')') ? '(' : '[');
    } else {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "expected %s, found '%s'", wanted,
                rg_quote(p, p->token.span, quote));
    }
    return finish(p);
}

/* A statement word as the first on a line that continues the one before. */
static bool is_joined_statement(rg_parser *p)
{
    return p->since_joined == 1 && rg_statement_word(p, p->previous, p->token) != NULL;
}

/* Tokens that are wrong for the same reason wherever they are met. */
static rg_status find_misplaced(rg_parser *p, const char *wanted)
{
    const bool wants_value = !is_one_of(p->previous.kind, "N0)]'");

    switch (p->token.kind) {
    case RG_TOKEN_EQUAL:
        if (wanted[0] != '\'' || wanted[1] != '=') return RG_OK;
        return fail_misplaced(p, "'==' compares; here a single '=' is needed", "write '='");
    case RG_TOKEN_RANGE: /* t = 0 .. 10 without over */
        return fail_misplaced(
            p, "'..' stands only in a range",
            "write 'over t = 0 .. 10' for the interval, 'for i = 1..N {' for a loop");
    case '+':
        if (!wants_value) return RG_OK;
        return fail_misplaced(p, "a '+' needs a value before it",
                              "leave it out: only '-' is a sign");
    case '{':
        if (p->is_keyword) return RG_OK;
        return fail_misplaced(p, "only 'for' has a block in '{ }'", "write 'for i = 1..N {'");
    case RG_TOKEN_STRING:
        return fail_misplaced(p, "a text in quotes cannot stand here",
                              "keep texts to 'title' and to values in 'solve'");
    default:
        return RG_OK;
    }
}

rg_status rg_mistake_unexpected(rg_parser *p, const char *wanted)
{
    const char kind = p->token.kind;
    const bool wants_mark = p->is_keyword && p->nesting == 0 && wanted[0] == '\'';
    const bool follows_word = p->is_keyword && p->previous.span.start == p->start.span.start;

    if (kind == RG_TOKEN_BAD) return rg_mistake_spelling(p);
    RG_TRY(rg_mistake_foreign(p));
    if (is_joined_statement(p) || (kind == '=' && p->nesting == 0 && p->since_joined >= 0))
        return fail_joined(p);
    if (!follows_word && !wants_mark && is_one_of(kind, "N0(")
        && is_one_of(p->previous.kind, "N0)]'"))
        return fail_side_by_side(p);
    if (kind == '=') return fail_equals(p, wanted);
    if (kind == ',' || (kind == RG_TOKEN_NUMBER && is_decimal_comma(p)))
        return fail_comma(p, wanted);
    RG_TRY(find_misplaced(p, wanted));
    return fail_default(p, wanted);
}

/* x' == 3 */
static rg_status fail_double_equals(rg_parser *p, const rg_ast *left)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "an equation is written with a single '='");
    rg_fail_at(p->ctx, p->source, left->name_span);
    return rg_remedy(p->ctx, "write '=' instead of '=='");
}

/* print(x), plot(x, y): a statement of other languages */
static rg_status look_for_print(rg_parser *p, const rg_ast *left)
{
    static const char *const words[] = {"print",   "printf", "plot",  "disp",
                                        "display", "show",   "write", "puts"};
    char quote[RG_QUOTE] = "x";
    const char *name = left->kind == RG_AST_CALL && left->text != NULL ? left->text : "";

    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (strcmp(name, words[k]) != 0) continue;
        if (left->n_args > 1)
            rg_quote(p,
                     (rg_span){left->args[1]->span.start, left->args[left->n_args - 1]->span.end},
                     quote);
        rg_fail(p->ctx, RG_ERR_SYNTAX, "there is no statement '%s'", name);
        rg_fail_at(p->ctx, p->source, left->name_span);
        return rg_remedy(p->ctx, "write 'output %s' for what is written and drawn", quote);
    }
    return RG_OK;
}

/* reinit(x, 1) in an event */
static rg_status look_for_reinit(rg_parser *p, const rg_ast *left)
{
    static const char *const words[] = {"reinit", "reset", "set", "assign"};
    const char *name = left->kind == RG_AST_CALL && left->text != NULL ? left->text : "";
    char of[RG_QUOTE], to[RG_QUOTE];

    if (left->n_args != 3) return RG_OK; /* the callee is one of them */
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (strcmp(name, words[k]) != 0) continue;
        rg_fail(p->ctx, RG_ERR_SYNTAX, "there is no statement '%s'", name);
        rg_fail_at(p->ctx, p->source, left->name_span);
        return rg_remedy(p->ctx, "an event gives new values by '=': write %s = %s",
                         rg_quote(p, left->args[1]->span, of),
                         rg_quote(p, left->args[2]->span, to));
    }
    return RG_OK;
}

rg_status rg_mistake_missing_equals(rg_parser *p, const rg_ast *left)
{
    char quote[RG_QUOTE];

    if (p->word != NULL && !rg_parser_at(p, RG_TOKEN_BAD)) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "'%s' is no equation and no statement",
                rg_quote(p, left->span, quote));
        return finish(p);
    }
    if (left->kind == RG_AST_BINARY && left->op == '=') return fail_double_equals(p, left);
    if (rg_parser_at_end(p)) RG_TRY(rg_mistake_foreign(p));
    if (rg_parser_at_end(p) && p->start.kind == '-' && !p->is_keyword) {
        rg_fail(p->ctx, RG_ERR_SYNTAX,
                "a line that starts with '-' does not continue the one before");
        rg_fail_at(p->ctx, p->source, p->start.span);
        return rg_remedy(p->ctx, "put '-' at the end of the line before");
    }
    if (rg_parser_at(p, '~')) {
        return fail_misplaced(p, "'~' marks a guess, in 'var' and 'param' lines only",
                              "write '=' in an equation, 'var x ~ VALUE' for a guess");
    }
    if (!rg_parser_at_end(p)) return rg_mistake_unexpected(p, "'='");
    RG_TRY(look_for_print(p, left));
    RG_TRY(look_for_reinit(p, left));
    rg_fail(p->ctx, RG_ERR_SYNTAX, "an equation needs '='");
    rg_fail_at(p->ctx, p->source, left->span);
    if (left->kind == RG_AST_BINARY && strchr("<>lg!", left->op) != NULL)
        return rg_remedy(p->ctx, "write '=': inequalities can only stand in if(...), min and max");
    return rg_remedy(p->ctx, "write '%s = 0', or what else it equals",
                     rg_quote(p, left->span, quote));
}

static int line_of(const rg_parser *p, int32_t offset)
{
    int line, column;

    rg_source_place(p->source, offset, &line, &column);
    return line;
}

/* Goes behind a ';' whose bracket is closed in the same line:  max(0; x).  False: it is not. */
static bool skip_semicolon(rg_parser *p)
{
    const rg_parser before = *p;
    int open = 1;

    rg_parser_advance(p);
    const rg_parser behind = *p;
    while (open > 0 && !p->token.is_first && !rg_parser_at_end(p) && !rg_parser_at(p, '{')) {
        if (rg_parser_at(p, '(') || rg_parser_at(p, '[')) open++;
        if (rg_parser_at(p, ')') || rg_parser_at(p, ']')) open--;
        rg_parser_advance(p);
    }
    *p = open == 0 ? behind : before;
    return open == 0;
}

rg_status rg_mistake_unclosed(rg_parser *p, rg_token open)
{
    const char kind = p->token.kind, wanted = open.kind == '(' ? ')' : ']';
    const bool is_later = line_of(p, p->token.span.start) > line_of(p, open.span.start);

    if (kind == RG_TOKEN_BAD) return rg_mistake_spelling(p);
    const rg_span place = p->token.span;
    if (kind == ';' && skip_semicolon(p)) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "';' separates equations, not values in brackets");
        rg_fail_at(p->ctx, p->source, place);
        return rg_remedy(p->ctx, "write ','");
    }
    if (kind == RG_TOKEN_EOF || is_one_of(kind, ";{}") || p->token.is_first
        || (kind == '=' && is_later)) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "this '%c' is not closed", open.kind);
        rg_fail_at(p->ctx, p->source, open.span);
        return rg_remedy(p->ctx, "put the missing '%c' behind its last part", wanted);
    }
    if (kind == ')' || kind == ']') {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "'%c' cannot close '%c'", kind, open.kind);
        rg_fail_at(p->ctx, p->source, p->token.span);
        return rg_remedy(p->ctx, "write '%c'", wanted);
    }
    if (kind == '=' && open.kind == '[') {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "a range of an index stands only in declarations");
        rg_fail_at(p->ctx, p->source, p->token.span);
        return rg_remedy(p->ctx,
                         "write 'for i = 1..N { ... }' around the line and plain indices here");
    }
    return rg_mistake_unexpected(p, wanted == ')' ? "')'" : "']'");
}
