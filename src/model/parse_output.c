/* What is said about a run: title, exact, output, solve. */
#include "model/parser.h"

/* STRING, without its quotes */
rg_status rg_parse_quoted(rg_parser *p, rg_statement *s)
{
    if (!rg_parser_at(p, RG_TOKEN_STRING)) return rg_mistake_unexpected(p, "a text in quotes");
    s->value_span = (rg_span){p->token.span.start + 1, p->token.span.end - 1};
    if ((s->text = rg_parser_text(p, s->value_span)) == NULL) return RG_ERR_MEMORY;
    rg_parser_advance(p);
    return RG_OK;
}

/* title = 'title' STRING */
rg_status rg_parse_title(rg_parser *p)
{
    rg_statement *s = rg_statement_create(p, RG_STATEMENT_TITLE);

    if (s == NULL) return RG_ERR_MEMORY;
    RG_TRY(rg_parse_quoted(p, s));
    RG_TRY(rg_parser_push(p, s));
    return rg_parser_end(p);
}

/* solution = reference '=' expression */
static rg_status parse_solution(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parse_reference(p, &s->left));
    s->name = s->left->text;
    s->name_span = s->left->name_span;
    return rg_parse_assigned(p, s, "'=' and the known solution");
}

/* exact = 'exact' solution { ',' solution } */
rg_status rg_parse_exact(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_EXACT, parse_solution);
}

/* output x^2, output x' = ...: what is computed needs a plain name */
static rg_status fail_unnamed(rg_parser *p, rg_span span)
{
    char quote[RG_QUOTE];

    if (rg_parser_at(p, RG_TOKEN_BAD)) return rg_mistake_spelling(p);
    rg_fail(p->ctx, RG_ERR_SYNTAX, "an output that is computed needs a name of its own");
    rg_fail_at(p->ctx, p->source, span);
    return rg_remedy(p->ctx, "write 'output NAME = %s...'", rg_quote(p, span, quote));
}

static bool at_operator(const rg_parser *p)
{
    switch (p->token.kind) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '^':
    case '(':
    case RG_TOKEN_NUMBER:
        return true;
    default:
        return false;
    }
}

/* quantity = reference | NAME [ '[' arguments ']' ] '=' expression */
static rg_status parse_quantity(rg_parser *p, rg_statement *s)
{
    if (at_operator(p)) return fail_unnamed(p, p->token.span);
    RG_TRY(rg_parse_reference(p, &s->left));
    s->name = s->left->text;
    s->name_span = s->left->name_span;
    if (at_operator(p)) return fail_unnamed(p, s->left->span);
    if (!rg_parser_at(p, '=')) return RG_OK;
    if (s->left->kind == RG_AST_PRIME) return fail_unnamed(p, s->left->span);
    s->mark = '=';
    rg_parser_advance(p);
    return rg_parse_expression(p, &s->right);
}

/* output = 'output' quantity { ',' quantity } */
rg_status rg_parse_output(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_OUTPUT, parse_quantity);
}

/* word = NAME { '-' part }, without blanks */
static rg_status parse_word(rg_parser *p, const char *wanted, char **text, rg_span *span)
{
    if (!rg_parser_at(p, RG_TOKEN_NAME)) return rg_mistake_unexpected(p, wanted);
    rg_lexer_extend_word(&p->lexer, &p->token);
    return rg_parser_name(p, wanted, text, span);
}

/* literal = ['-' | '+'] NUMBER | word | STRING;   no blank behind a sign */
static rg_status parse_literal(rg_parser *p, rg_statement *s)
{
    const char *wanted = "a number, a word or a text in quotes";
    const rg_token sign = p->token;

    if (rg_parser_at(p, RG_TOKEN_STRING)) return rg_parse_quoted(p, s);
    if (rg_parser_at(p, RG_TOKEN_NAME)) return parse_word(p, wanted, &s->text, &s->value_span);
    if (sign.kind == '-' || sign.kind == '+') rg_parser_advance(p);
    const bool is_near = sign.kind == RG_TOKEN_NUMBER || sign.span.end == p->token.span.start;
    if (!rg_parser_at(p, RG_TOKEN_NUMBER) || !is_near) return rg_mistake_unexpected(p, wanted);
    s->value_span =
        (rg_span){sign.kind == '-' ? sign.span.start : p->token.span.start, p->token.span.end};
    if ((s->text = rg_parser_text(p, s->value_span)) == NULL) return RG_ERR_MEMORY;
    rg_parser_advance(p);
    return RG_OK;
}

/* solve method = half explicit; solve at = 1, 2, 3 */
static rg_status fail_parts(rg_parser *p)
{
    const bool is_word = rg_parser_at(p, RG_TOKEN_NAME);

    rg_fail(p->ctx, RG_ERR_SYNTAX, "the value of an option is one number, one word or a text");
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, is_word ? "join the words with '-', or put ',' between two options"
                                     : "put a value of several parts in quotes: at = \"1,2,3\"");
}

/* After a value: the end, ',' and another option, or one where the ',' is missing. */
static rg_status check_parts(rg_parser *p)
{
    if (rg_parser_at_end(p) || rg_parser_at(p, ',') || rg_parser_at(p, RG_TOKEN_BAD)) return RG_OK;
    if (rg_parser_at(p, RG_TOKEN_NAME) && rg_parser_peek(p).kind == '=') return RG_OK;
    return fail_parts(p);
}

/* option = word '=' literal */
static rg_status parse_option(rg_parser *p, rg_statement *s)
{
    if (rg_parser_at(p, RG_TOKEN_NUMBER) && p->previous.kind == ',') return fail_parts(p);
    RG_TRY(parse_word(p, "the name of an option", &s->name, &s->name_span));
    s->mark = '=';
    RG_TRY(rg_parser_expect(p, '=', "'=' and the value of the option"));
    RG_TRY(parse_literal(p, s));
    return check_parts(p);
}

/* solve = 'solve' option { ',' option } */
rg_status rg_parse_solve(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_SOLVE, parse_option);
}
