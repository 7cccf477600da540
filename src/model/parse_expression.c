/* Expressions down to the powers; loosest first. */
#include "model/parser.h"

#include <string.h>

/* unary node over one argument; the operator is the current token */
static rg_status parse_prefix(rg_parser *p, char op, rg_operand_fn *operand, rg_ast **out)
{
    rg_ast *node = rg_ast_create(p, RG_AST_UNARY, 1);

    if (node == NULL) return RG_ERR_MEMORY;
    node->op = op;
    node->name_span = p->token.span;
    rg_parser_advance(p);
    RG_TRY(rg_parser_enter(p));
    RG_TRY(operand(p, &node->args[0]));
    p->depth--;
    node->span = rg_parser_span(p, node->name_span.start);
    *out = node;
    return rg_ast_close(p, node);
}

/* left op right, where the operator is the current token */
static rg_status parse_pair(rg_parser *p, char op, rg_operand_fn *operand, rg_ast **out)
{
    rg_ast *node = rg_ast_create(p, RG_AST_BINARY, 2);

    if (node == NULL) return RG_ERR_MEMORY;
    node->op = op;
    node->name_span = p->token.span;
    node->args[0] = *out;
    rg_parser_advance(p);
    RG_TRY(rg_parser_enter(p));
    RG_TRY(operand(p, &node->args[1]));
    p->depth--;
    node->span = (rg_span){node->args[0]->span.start, node->args[1]->span.end};
    *out = node;
    return rg_ast_close(p, node);
}

static rg_status parse_unary(rg_parser *p, rg_ast **out);

/* power = postfix [ '^' unary ] */
static rg_status parse_power(rg_parser *p, rg_ast **out)
{
    RG_TRY(rg_parse_postfix(p, out));
    return rg_parser_at(p, '^') ? parse_pair(p, '^', parse_unary, out) : RG_OK;
}

/* unary = '-' unary | power */
static rg_status parse_unary(rg_parser *p, rg_ast **out)
{
    if (rg_parser_at(p, '-')) return parse_prefix(p, '-', parse_unary, out);
    return parse_power(p, out);
}

/* product = unary { ('*' | '/') unary } */
static rg_status parse_product(rg_parser *p, rg_ast **out)
{
    return rg_parse_chain(p, "*/", parse_unary, out);
}

/* additive = product { ('+' | '-') product } */
rg_status rg_parse_additive(rg_parser *p, rg_ast **out)
{
    RG_TRY(rg_parser_enter(p));
    RG_TRY(rg_parse_chain(p, "+-", parse_product, out));
    p->depth--;
    return RG_OK;
}

static bool at_comparison(const rg_parser *p)
{
    return p->token.kind != RG_TOKEN_EOF && strchr("<>lge!", p->token.kind) != NULL;
}

/* a < b < c */
static rg_status fail_chained(rg_parser *p, const rg_ast *first)
{
    char left[RG_QUOTE], middle[RG_QUOTE], op[RG_QUOTE], next[RG_QUOTE];

    rg_fail(p->ctx, RG_ERR_SYNTAX, "comparisons do not chain");
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "write '%s %s %s and %s %s ...'",
                     rg_quote(p, first->args[0]->span, left), rg_quote(p, first->name_span, op),
                     rg_quote(p, first->args[1]->span, middle), middle,
                     rg_quote(p, p->token.span, next));
}

/* comparison = additive [ ('<' | '<=' | '>' | '>=' | '==' | '!=') additive ] */
static rg_status parse_comparison(rg_parser *p, rg_ast **out)
{
    RG_TRY(rg_parse_additive(p, out));
    if (!at_comparison(p)) return RG_OK;
    const char op = rg_parser_at(p, RG_TOKEN_EQUAL) ? '=' : p->token.kind;
    RG_TRY(parse_pair(p, op, rg_parse_additive, out));
    return at_comparison(p) ? fail_chained(p, *out) : RG_OK;
}

/* negation = 'not' negation | comparison */
static rg_status parse_negation(rg_parser *p, rg_ast **out)
{
    if (rg_parser_at(p, RG_TOKEN_NOT)) return parse_prefix(p, 'n', parse_negation, out);
    return parse_comparison(p, out);
}

/* conjunction = negation { 'and' negation } */
static rg_status parse_conjunction(rg_parser *p, rg_ast **out)
{
    return rg_parse_chain(p, "a", parse_negation, out);
}

/* expression = conjunction { 'or' conjunction } */
rg_status rg_parse_expression(rg_parser *p, rg_ast **out)
{
    return rg_parse_chain(p, "o", parse_conjunction, out);
}
