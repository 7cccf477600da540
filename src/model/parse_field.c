/* Fields on grids: domain, field, vector, data, solid, well, draw. */
#include "model/parser.h"

#include <string.h>

static bool is_word(const rg_parser *p, rg_token token, const char *word)
{
    const size_t length = (size_t)(token.span.end - token.span.start);

    return token.kind == RG_TOKEN_NAME && strlen(word) == length
           && memcmp(p->source->text + token.span.start, word, length) == 0;
}

/* The word is read where it stands. */
static bool take_word(rg_parser *p, const char *word)
{
    if (!is_word(p, p->token, word)) return false;
    rg_parser_advance(p);
    return true;
}

/* Equations may stand before the domain, so the text is looked through first. */
bool rg_parser_has_fields(const rg_parser *p)
{
    rg_lexer lexer = rg_lexer_start(p->source);
    rg_token token = rg_lexer_next(&lexer), next;
    bool starts = true;

    for (; token.kind != RG_TOKEN_EOF; token = next) {
        next = rg_lexer_next(&lexer);
        if ((token.is_first || starts) && next.kind == RG_TOKEN_NAME && is_word(p, token, "domain"))
            return true;
        starts = token.kind == ';';
    }
    return false;
}

/* axis = interval 'cells' additive [ 'periodic' ]
 *        [ 'stretch' expression ] */
static rg_status parse_axis(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parse_interval(p, s));
    if (!is_word(p, p->token, "cells")) return rg_mistake_unexpected(p, "'cells' and their number");
    const int32_t start = p->token.span.start;
    rg_parser_advance(p);
    RG_TRY(rg_parse_additive(p, &s->extra[0]));
    s->extra[0]->name_span = rg_parser_span(p, start); /* with the word, for messages */
    if (take_word(p, "periodic")) s->mark = 'p';
    return take_word(p, "stretch") ? rg_parse_expression(p, &s->extra[1]) : RG_OK;
}

/* domain = 'domain' axis { ',' axis } */
rg_status rg_parse_domain(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_DOMAIN, parse_axis);
}

/* unknown = NAME [ ('=' | '~') expression ] */
static rg_status parse_unknown(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parser_name(p, "the name of a field", &s->name, &s->name_span));
    rg_parse_mark(p, s);
    return s->mark == 0 ? RG_OK : rg_parse_expression(p, &s->right);
}

/* field = 'field' unknown { ',' unknown } */
rg_status rg_parse_field(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_FIELD, parse_unknown);
}

/* vector = 'vector' unknown { ',' unknown } */
rg_status rg_parse_vector(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_VECTOR, parse_unknown);
}

/* file = NAME '=' STRING */
static rg_status parse_file(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parser_name(p, "a name for the numbers of a file", &s->name, &s->name_span));
    s->mark = '=';
    RG_TRY(rg_parser_expect(p, '=', "'=' and the name of a file in quotes"));
    return rg_parse_quoted(p, s);
}

/* data = 'data' file { ',' file } */
rg_status rg_parse_data(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_DATA, parse_file);
}

/* body = NAME '=' expression */
static rg_status parse_named(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parser_name(p, "a name", &s->name, &s->name_span));
    return rg_parse_assigned(p, s, "'=' and an expression");
}

/* solid = 'solid' body { ',' body } */
rg_status rg_parse_solid(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_SOLID, parse_named);
}

/* carried = 'with' body { ',' body } */
static rg_status parse_carried(rg_parser *p, rg_statement *s)
{
    const int64_t base = p->n_stack;

    do {
        rg_parser_advance(p);
        const int32_t start = p->token.span.start;
        rg_statement *item = rg_statement_create(p, RG_STATEMENT_WITH);
        if (item == NULL) return RG_ERR_MEMORY;
        RG_TRY(parse_named(p, item));
        item->span = rg_parser_span(p, start);
        item->value_span = item->right->span;
        RG_TRY(rg_parser_push(p, item));
    } while (rg_parser_at(p, ','));
    return rg_parser_pop(p, base, &s->body, &s->n_body);
}

/* well = 'well' NAME 'at' expression ('rate' expression | 'pressure' expression 'radius'
 * expression) [ carried ] */
rg_status rg_parse_well(rg_parser *p)
{
    const int32_t start = p->token.span.start;
    rg_statement *s = rg_statement_create(p, RG_STATEMENT_WELL);

    if (s == NULL) return RG_ERR_MEMORY;
    RG_TRY(rg_parser_name(p, "the name of a well", &s->name, &s->name_span));
    if (!take_word(p, "at")) return rg_mistake_unexpected(p, "'at' and the place of the well");
    RG_TRY(rg_parse_expression(p, &s->left));
    const bool is_rate = is_word(p, p->token, "rate");
    if (!is_rate && !is_word(p, p->token, "pressure"))
        return rg_mistake_unexpected(p, "'rate' or 'pressure'");
    s->mark = is_rate ? 'r' : 'p';
    rg_parser_advance(p);
    RG_TRY(rg_parse_expression(p, &s->right));
    s->value_span = s->right->span;
    if (!is_rate) {
        if (!take_word(p, "radius")) return rg_mistake_unexpected(p, "'radius' and its value");
        RG_TRY(rg_parse_expression(p, &s->extra[0]));
    }
    if (is_word(p, p->token, "with")) RG_TRY(parse_carried(p, s));
    s->span = rg_parser_span(p, start);
    RG_TRY(rg_parser_push(p, s));
    return rg_parser_end(p);
}

/* numbers = expression { ',' expression } [ ',' STRING ], into a list */
static rg_status parse_numbers(rg_parser *p, rg_statement *s)
{
    const int64_t base = p->n_stack;

    if ((s->right = rg_ast_create(p, RG_AST_LIST, 0)) == NULL) return RG_ERR_MEMORY;
    for (;;) {
        rg_ast *number;
        if (rg_parser_at(p, RG_TOKEN_STRING)) {
            RG_TRY(rg_parse_quoted(p, s));
            break;
        }
        RG_TRY(rg_parse_expression(p, &number));
        RG_TRY(rg_parser_push(p, number));
        if (!rg_parser_at(p, ',')) break;
        rg_parser_advance(p);
    }
    RG_TRY(rg_parser_pop(p, base, &s->right->args, &s->right->n_args));
    return rg_ast_close(p, s->right);
}

/* picture = expression, of fields;   shape = NAME '(' numbers ')', of other models */
static rg_status parse_picture(rg_parser *p, rg_statement *s)
{
    const int32_t start = p->token.span.start;

    if (p->has_fields) return rg_parse_expression(p, &s->right);
    RG_TRY(rg_parser_name(p, "a shape: line, circle, point or text", &s->name, &s->name_span));
    if (!rg_parser_at(p, '(')) return rg_mistake_unexpected(p, "'(' and the numbers of the shape");
    const rg_token open = rg_parser_open(p);
    RG_TRY(parse_numbers(p, s));
    RG_TRY(rg_parser_close(p, open));
    s->span = s->right->span = rg_parser_span(p, start);
    return RG_OK;
}

/* draw = 'draw' (picture | shape) { ',' ... } */
rg_status rg_parse_draw(rg_parser *p)
{
    if (p->has_fields && p->in_for) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "'draw' of fields cannot stand in a 'for'");
        rg_fail_at(p->ctx, p->source, p->start.span);
        return rg_remedy(p->ctx, "write it outside of the 'for'");
    }
    return rg_parse_items(p, RG_STATEMENT_DRAW, parse_picture);
}
