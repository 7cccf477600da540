/* Operands: numbers, names with subscripts, primes and points, calls, sums, brackets. */
#include "model/parser.h"

#include <string.h>

enum { NUMBER_BUFFER = 64 };

/* NUMBER */
static rg_status parse_number(rg_parser *p, rg_ast **out)
{
    const rg_span span = p->token.span;
    const int32_t length = span.end - span.start;
    char buffer[NUMBER_BUFFER], *text = buffer;

    if ((*out = rg_ast_create(p, RG_AST_NUMBER, 0)) == NULL) return RG_ERR_MEMORY;
    (*out)->span = span;
    if (length >= NUMBER_BUFFER && (text = rg_parser_text(p, span)) == NULL) return RG_ERR_MEMORY;
    if (text == buffer) {
        memcpy(buffer, p->source->text + span.start, (size_t)length);
        buffer[length] = '\0';
    }
    rg_parser_advance(p);
    if (rg_parse_real(text, &(*out)->value)) return RG_OK;
    rg_fail(p->ctx, RG_ERR_SYNTAX, "the number %s is too large", rg_quote(p, span, buffer));
    rg_fail_at(p->ctx, p->source, span);
    return rg_remedy(p->ctx, "numbers go up to 1.7e308; choose other units");
}

/* primes = { "'" } */
rg_status rg_parse_primes(rg_parser *p, int *primes)
{
    const int32_t start = p->token.span.start;

    for (*primes = 0; rg_parser_at(p, '\''); (*primes)++)
        rg_parser_advance(p);
    if (*primes <= RG_MODEL_PRIMES) return RG_OK;
    rg_fail(p->ctx, RG_ERR_SYNTAX, "%d primes in a row, more than %d", *primes, RG_MODEL_PRIMES);
    rg_fail_at(p->ctx, p->source, rg_parser_span(p, start));
    return rg_remedy(p->ctx, "declare an unknown for a lower derivative and differentiate that");
}

/* operand primes: a PRIME node where there are some */
static rg_status parse_primed(rg_parser *p, rg_ast **out)
{
    rg_ast *node;
    int primes;

    if (!rg_parser_at(p, '\'')) return RG_OK;
    RG_TRY(rg_parse_primes(p, &primes));
    if ((node = rg_ast_create(p, RG_AST_PRIME, 1)) == NULL) return RG_ERR_MEMORY;
    node->args[0] = *out;
    node->primes = primes;
    node->text = (*out)->text;
    node->name_span = (*out)->name_span;
    node->span = rg_parser_span(p, (*out)->span.start);
    *out = node;
    return rg_ast_close(p, node);
}

/* where = NAME '=' additive:   a line or plane of a grid */
static rg_status parse_where(rg_parser *p, rg_ast **out)
{
    rg_ast *node = rg_ast_create(p, RG_AST_BINARY, 2);

    if (node == NULL || (node->args[0] = rg_ast_create(p, RG_AST_NAME, 0)) == NULL)
        return RG_ERR_MEMORY;
    node->op = ':';
    RG_TRY(
        rg_parser_name(p, "the name of an axis", &node->args[0]->text, &node->args[0]->name_span));
    node->args[0]->span = node->args[0]->name_span;
    node->name_span = p->token.span;
    RG_TRY(rg_parser_expect(p, '=', "'=' and a coordinate"));
    RG_TRY(rg_parse_additive(p, &node->args[1]));
    node->span = rg_parser_span(p, node->args[0]->span.start);
    *out = node;
    return rg_ast_close(p, node);
}

/* Is the call a reduction over a grid, whose last argument may be a line or a plane? */
static bool takes_where(const rg_parser *p, const rg_ast *node)
{
    static const char *const names[] = {"integral", "mean", "minimum", "maximum"};

    if (!p->has_fields || node->kind != RG_AST_CALL) return false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(node->text, names[k]) == 0) return true;
    return false;
}

/* arguments = expression { ',' expression } [ ',' where ];   they become the arguments of the node,
 * after `base` */
static rg_status parse_arguments(rg_parser *p, int64_t base, rg_ast *node)
{
    for (bool is_first = true;; is_first = false) {
        rg_ast *argument;
        const bool is_where = !is_first && takes_where(p, node) && rg_parser_at(p, RG_TOKEN_NAME)
                              && rg_parser_peek(p).kind == '=';
        RG_TRY(is_where ? parse_where(p, &argument) : rg_parse_expression(p, &argument));
        RG_TRY(rg_parser_push(p, argument));
        if (!rg_parser_at(p, ',')) break;
        rg_parser_advance(p);
    }
    return rg_parser_pop(p, base, &node->args, &node->n_args);
}

/* x'[3] */
static rg_status fail_late_subscript(rg_parser *p, const rg_ast *node)
{
    char quote[RG_QUOTE];

    rg_fail(p->ctx, RG_ERR_SYNTAX, "subscripts come before primes");
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "write '%s[...]' and then the primes",
                     rg_quote(p, node->name_span, quote));
}

/* '[' arguments ']' after a name */
static rg_status parse_subscripts(rg_parser *p, rg_ast *node)
{
    const rg_token open = rg_parser_open(p);

    node->kind = RG_AST_INDEX;
    RG_TRY(parse_arguments(p, p->n_stack, node));
    RG_TRY(rg_parser_close(p, open));
    node->span = rg_parser_span(p, node->span.start);
    return rg_ast_close(p, node);
}

/* reference = NAME [ '[' arguments ']' ] primes */
rg_status rg_parse_reference(rg_parser *p, rg_ast **out)
{
    rg_ast *node = rg_ast_create(p, RG_AST_NAME, 0);

    if (node == NULL) return RG_ERR_MEMORY;
    *out = node;
    RG_TRY(rg_parser_name(p, "a name", &node->text, &node->name_span));
    node->span = node->name_span;
    if (rg_parser_at(p, '[')) RG_TRY(parse_subscripts(p, node));
    RG_TRY(parse_primed(p, out));
    return rg_parser_at(p, '[') && (*out)->primes > 0 ? fail_late_subscript(p, *out) : RG_OK;
}

/* x(0)', f(x)' */
static rg_status fail_late_prime(rg_parser *p, const rg_ast *call)
{
    const rg_ast *point = call->n_args == 2 ? call->args[1] : NULL;
    char whole[RG_QUOTE], head[RG_QUOTE], at[RG_QUOTE];

    rg_fail(p->ctx, RG_ERR_SYNTAX, "a prime cannot follow '%s'", rg_quote(p, call->span, whole));
    rg_fail_at(p->ctx, p->source, p->token.span);
    if (point != NULL && point->kind == RG_AST_NUMBER) {
        return rg_remedy(p->ctx, "put it before the point: %s'(%s)",
                         rg_quote(p, call->args[0]->span, head), rg_quote(p, point->span, at));
    }
    if (point != NULL && point->kind == RG_AST_NAME && p->in_for)
        return rg_remedy(p->ctx, "write %s[%s]' for an element of an array, (%s)' for a function",
                         rg_quote(p, call->args[0]->span, head), rg_quote(p, point->span, at),
                         whole);
    if (point != NULL && point->kind == RG_AST_NAME)
        return rg_remedy(p->ctx, "write %s' if %s is an unknown, (%s)' for a function",
                         rg_quote(p, call->args[0]->span, head), head, whole);
    return rg_remedy(p->ctx, "write (%s)' for the derivative of this value", whole);
}

/* x'(t), u[3](0): a value at a point, outside of boundary lines */
static rg_status fail_point(rg_parser *p, const rg_ast *head)
{
    char quote[RG_QUOTE];

    rg_fail(p->ctx, RG_ERR_SYNTAX, "%s is given at a point, outside of a boundary line",
            rg_quote(p, head->span, quote));
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx,
                     "write %s alone, %s*(...) for a product; a start value is: var %s = VALUE",
                     quote, quote, quote);
}

/* call = reference '(' [ arguments ] ')' */
static rg_status parse_call(rg_parser *p, rg_ast **out)
{
    const int64_t base = p->n_stack;
    rg_ast *node = rg_ast_create(p, RG_AST_CALL, 0);

    if (node == NULL) return RG_ERR_MEMORY;
    if (!p->in_boundary && !p->has_fields && (*out)->kind != RG_AST_NAME)
        return fail_point(p, *out);
    node->text = (*out)->text;
    node->name_span = (*out)->name_span;
    RG_TRY(rg_parser_push(p, *out));
    const rg_token open = rg_parser_open(p);
    if (rg_parser_at(p, ')')) {
        RG_TRY(rg_parser_pop(p, base, &node->args, &node->n_args));
    } else {
        RG_TRY(parse_arguments(p, base, node));
    }
    RG_TRY(rg_parser_close(p, open));
    node->span = rg_parser_span(p, (*out)->span.start);
    *out = node;
    RG_TRY(rg_ast_close(p, node));
    return rg_parser_at(p, '\'') ? fail_late_prime(p, node) : RG_OK;
}

/* sum(u[i], i=1..N), sum(x), max(i=1..N) */
static rg_status fail_sum(rg_parser *p, rg_span word, rg_span span, const char *message)
{
    char quote[RG_QUOTE];

    rg_quote(p, word, quote);
    rg_fail(p->ctx, RG_ERR_SYNTAX, "'%s' %s", quote, message);
    rg_fail_at(p->ctx, p->source, span);
    return rg_remedy(
        p->ctx, "write '%s(i=1..N, expression)': the ranges first, then one expression", quote);
}

/* sum = ('sum' | 'min' | 'max') '(' ranges ',' expression ')' */
static rg_status parse_sum(rg_parser *p, char op, rg_ast **out)
{
    const rg_span word = p->token.span;
    rg_ast *node = rg_ast_create(p, RG_AST_SUM, 1);

    if (node == NULL) return RG_ERR_MEMORY;
    *out = node;
    node->op = op;
    node->name_span = word;
    rg_parser_advance(p);
    const rg_token open = rg_parser_open(p);
    if (rg_parser_at(p, RG_TOKEN_BAD)) return rg_mistake_spelling(p);
    if (!rg_parser_at(p, RG_TOKEN_NAME) || rg_parser_peek(p).kind != '=')
        return fail_sum(p, word, word, "needs the range of an index");
    RG_TRY(rg_parse_ranges(p, &node->ranges, &node->n_ranges));
    if (p->previous.kind != ',' && rg_parser_at(p, ')'))
        return fail_sum(p, word, p->token.span, "has no expression behind its ranges");
    if (p->previous.kind != ',') return rg_parser_close(p, open);
    RG_TRY(rg_parse_expression(p, &node->args[0]));
    if (rg_parser_at(p, ','))
        return fail_sum(p, word, p->token.span, "takes one expression behind its ranges");
    RG_TRY(rg_parser_close(p, open));
    node->span = rg_parser_span(p, word.start);
    return rg_ast_close(p, node);
}

/* list = '(' expression { ',' expression } ')';   the first one and its ',' are already there */
static rg_status parse_list(rg_parser *p, rg_ast **out)
{
    const int64_t base = p->n_stack;
    rg_ast *node = rg_ast_create(p, RG_AST_LIST, 0);

    if (node == NULL) return RG_ERR_MEMORY;
    RG_TRY(rg_parser_push(p, *out));
    rg_parser_advance(p);
    *out = p->list = node;
    RG_TRY(parse_arguments(p, base, node));
    return rg_ast_close(p, node);
}

/* (x+y)(0): a product, or a point where none can stand */
static rg_status fail_bracket_call(rg_parser *p)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "an operator is missing before '('");
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, p->in_boundary ? "write '*' for a product; a point follows a name only"
                                            : "write '*' before it for a product");
}

/* group = '(' expression ')' primes;   or a list, where a parameter takes one */
static rg_status parse_group(rg_parser *p, rg_ast **out)
{
    const bool may_be_list = p->has_fields || p->token.span.start == p->list_at;
    const rg_token open = rg_parser_open(p);

    RG_TRY(rg_parse_expression(p, out));
    if (may_be_list && rg_parser_at(p, ',')) RG_TRY(parse_list(p, out));
    RG_TRY(rg_parser_close(p, open));
    (*out)->span = rg_parser_span(p, open.span.start);
    if ((*out)->kind != RG_AST_LIST) RG_TRY(parse_primed(p, out));
    return rg_parser_at(p, '(') ? fail_bracket_call(p) : RG_OK;
}

/* 's', 'n', 'x' at a sum, a min or a max over ranges: sum(, min(i=, max(i=; otherwise 0. */
static char at_sum(rg_parser *p)
{
    const rg_span s = p->token.span;
    const char *word = p->source->text + s.start;
    rg_lexer copy = p->lexer;

    if (s.end - s.start != 3 || rg_parser_peek(p).kind != '(') return 0;
    if (memcmp(word, "sum", 3) == 0) return 's';
    if (memcmp(word, "min", 3) != 0 && memcmp(word, "max", 3) != 0) return 0;
    rg_lexer_next(&copy);
    const bool has_name = rg_lexer_next(&copy).kind == RG_TOKEN_NAME;
    return has_name && rg_lexer_next(&copy).kind == '=' ? word[2] : 0;
}

/* postfix = NUMBER | group | sum | call | reference */
rg_status rg_parse_postfix(rg_parser *p, rg_ast **out)
{
    switch (p->token.kind) {
    case RG_TOKEN_NUMBER:
        return parse_number(p, out);
    case '(':
        return parse_group(p, out);
    case RG_TOKEN_NAME:
        if (at_sum(p) != 0) return parse_sum(p, at_sum(p), out);
        RG_TRY(rg_parse_reference(p, out));
        return rg_parser_at(p, '(') ? parse_call(p, out) : RG_OK;
    default:
        return rg_mistake_unexpected(p, "a value");
    }
}
