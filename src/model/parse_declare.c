/* Declarations: param, let, fun, var, start, over. */
#include "model/parser.h"

#include <string.h>

/* param b instead of param b = 3 */
static rg_status fail_no_value(rg_parser *p, const rg_statement *s)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "the parameter '%s' has no value", s->name);
    rg_fail_at(p->ctx, p->source, s->name_span);
    return rg_remedy(p->ctx, "write '%s = VALUE', or '%s ~ GUESS' for an unknown constant", s->name,
                     s->name);
}

/* (1, 2)*3: a list is not a value to compute with */
static rg_status fail_list(rg_parser *p)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "a list of values cannot be part of an expression");
    rg_fail_at(p->ctx, p->source, p->list->span);
    return rg_remedy(p->ctx, "write each value in full, or one expression in the indices");
}

/* value = list | expression */
rg_status rg_parse_value(rg_parser *p, rg_ast **out)
{
    p->list = NULL;
    p->list_at = p->token.span.start;
    RG_TRY(rg_parse_expression(p, out));
    p->list_at = -1;
    return p->list == NULL || *out == p->list ? RG_OK : fail_list(p);
}

/* mark = '=' | '~';   0 where there is neither */
void rg_parse_mark(rg_parser *p, rg_statement *s)
{
    s->mark = rg_parser_at(p, '=') || rg_parser_at(p, '~') ? p->token.kind : 0;
    if (s->mark != 0) rg_parser_advance(p);
}

/* param a' = 1 */
static rg_status fail_primed(rg_parser *p, const rg_statement *s)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "a parameter has no derivative");
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "declare '%s' with 'var' if it varies", s->name);
}

/* parameter = NAME index_ranges ('=' | '~') value */
static rg_status parse_parameter(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parser_name(p, "the name of a parameter", &s->name, &s->name_span));
    RG_TRY(rg_parse_index_ranges(p, s));
    if (rg_parser_at(p, '\'')) return fail_primed(p, s);
    rg_parse_mark(p, s);
    if (s->mark == 0 && (rg_parser_at_end(p) || rg_parser_at(p, ','))) return fail_no_value(p, s);
    if (s->mark == 0) return rg_mistake_unexpected(p, "'=' and the value of the parameter");
    RG_TRY(rg_parse_value(p, &s->right));
    if (s->right->kind != RG_AST_LIST || s->n_ranges > 0) return RG_OK;
    rg_fail(p->ctx, RG_ERR_SYNTAX, "'%s' has a list of values but no index", s->name);
    rg_fail_at(p->ctx, p->source, s->right->span);
    return rg_remedy(p->ctx, "write '%s[i=1..%d] = (...)'", s->name, s->right->n_args);
}

/* param = 'param' parameter { ',' parameter } */
rg_status rg_parse_param(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_PARAM, parse_parameter);
}

rg_status rg_parse_assigned(rg_parser *p, rg_statement *s, const char *expected)
{
    s->mark = '=';
    RG_TRY(rg_parser_expect(p, '=', expected));
    return rg_parse_expression(p, &s->right);
}

/* definition = NAME index_ranges '=' expression */
static rg_status parse_definition(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parser_name(p, "a name", &s->name, &s->name_span));
    RG_TRY(rg_parse_index_ranges(p, s));
    return rg_parse_assigned(p, s, "'=' and an expression");
}

/* let = 'let' definition { ',' definition } */
rg_status rg_parse_let(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_LET, parse_definition);
}

/* names = [ NAME { ',' NAME } ];   kept as ranges that have only a name */
static rg_status parse_names(rg_parser *p, rg_statement *s)
{
    const int64_t base = p->n_stack;

    while (!rg_parser_at(p, ')')) {
        rg_ast_range *argument = rg_arena_take(p->ctx, p->arena, 1, sizeof *argument);
        if (argument == NULL) return RG_ERR_MEMORY;
        RG_TRY(rg_parser_name(p, "the name of an argument", &argument->name, &argument->span));
        RG_TRY(rg_parser_push(p, argument));
        if (!rg_parser_at(p, ',')) break;
        rg_parser_advance(p);
    }
    const int64_t n = p->n_stack - base;
    s->ranges = rg_arena_take(p->ctx, p->arena, (size_t)n, sizeof *s->ranges);
    if (s->ranges == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < n; k++)
        memcpy(&s->ranges[k], p->stack[base + k], sizeof *s->ranges);
    s->n_ranges = (int)n;
    p->n_stack = base;
    return RG_OK;
}

/* head = NAME '(' names ')' '=' */
rg_status rg_parse_head(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parser_name(p, "the name of a function", &s->name, &s->name_span));
    if (!rg_parser_at(p, '(')) return rg_mistake_unexpected(p, "'(' and the arguments");
    const rg_token open = rg_parser_open(p);
    RG_TRY(parse_names(p, s));
    RG_TRY(rg_parser_close(p, open));
    s->mark = '=';
    return rg_parser_expect(p, '=', "'=' and an expression");
}

/* function = head expression */
static rg_status parse_function(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parse_head(p, s));
    return rg_parse_expression(p, &s->right);
}

/* fun = 'fun' function { ',' function } */
rg_status rg_parse_fun(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_FUN, parse_function);
}

/* var x(0) = 1 */
static rg_status fail_start_point(rg_parser *p, const rg_statement *s)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "a start value is given without a point");
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "write 'var %s = VALUE'; other points stand in 'boundary' lines",
                     s->name);
}

/* tolerance = [ 'atol' expression ] */
static rg_status parse_tolerance(rg_parser *p, rg_statement *s)
{
    static const char word[] = "atol";
    const rg_span span = p->token.span;

    if (!rg_parser_at(p, RG_TOKEN_NAME) || span.end - span.start != (int32_t)sizeof word - 1
        || memcmp(p->source->text + span.start, word, sizeof word - 1) != 0)
        return RG_OK;
    rg_parser_advance(p);
    if (rg_parser_at(p, '=')) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "a tolerance is given without '='");
        rg_fail_at(p->ctx, p->source, p->token.span);
        return rg_remedy(p->ctx, "write 'atol VALUE' behind the start value of '%s'", s->name);
    }
    return rg_parse_expression(p, &s->atol);
}

/* unknown = NAME index_ranges primes [ ('=' | '~') expression ] tolerance */
static rg_status parse_unknown(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parser_name(p, "the name of an unknown", &s->name, &s->name_span));
    RG_TRY(rg_parse_index_ranges(p, s));
    RG_TRY(rg_parse_primes(p, &s->primes));
    if (rg_parser_at(p, '(')) return fail_start_point(p, s);
    rg_parse_mark(p, s);
    if (s->mark != 0) RG_TRY(rg_parse_expression(p, &s->right));
    return parse_tolerance(p, s);
}

/* var = 'var' unknown { ',' unknown } */
rg_status rg_parse_var(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_VAR, parse_unknown);
}

/* value = reference ('=' | '~') expression */
static rg_status parse_start_value(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parse_reference(p, &s->left));
    s->name = s->left->text;
    s->name_span = s->left->name_span;
    if (rg_parser_at(p, '(')) return fail_start_point(p, s);
    rg_parse_mark(p, s);
    if (s->mark == 0) return rg_mistake_unexpected(p, "'=' or '~' and the start value");
    return rg_parse_expression(p, &s->right);
}

/* start = 'start' value { ',' value } */
rg_status rg_parse_start(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_START, parse_start_value);
}

/* over = 'over' interval */
rg_status rg_parse_over(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_OVER, rg_parse_interval);
}
