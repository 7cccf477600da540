/* Statements: which one it is, equations, boundary lines and for blocks. */
#include "model/parser.h"

#include <string.h>

typedef struct {
    const char *word;
    const char *form;                /* an example, for remedies */
    rg_status (*parse)(rg_parser *); /* NULL: a later version knows it */
    bool is_in_for;                  /* may stand in a for block */
} statement_row;

static rg_status parse_for(rg_parser *p);
static rg_status parse_boundary(rg_parser *p);

static const statement_row rows[] = {
    {"title",     "title \"text\"",                                       rg_parse_title,  false},
    {"param",     "param a = 3, b = 2*a",                                 rg_parse_param,  false},
    {"let",       "let r = sqrt(x^2 + y^2)",                              rg_parse_let,    false},
    {"fun",       "fun f(x, y) = x*y",                                    rg_parse_fun,    false},
    {"table",     "table f(x) = (0, 1, 2, 5) linear hold",                rg_parse_table,  false},
    {"var",       "var x = 1, y ~ 0, z",                                  rg_parse_var,    false},
    {"start",     "start u[1] = 1, x' ~ 0",                               rg_parse_start,  true },
    {"over",      "over t = 0 .. 10",                                     rg_parse_over,   false},
    {"for",       "for i = 1..N { equations }",                           parse_for,       true },
    {"boundary",  "boundary x(end) = 1",                                  parse_boundary,  true },
    {"exact",     "exact x = sin(t)",                                     rg_parse_exact,  true },
    {"output",    "output x, e = x^2",                                    rg_parse_output, true },
    {"solve",     "solve tol = 1e-8",                                     rg_parse_solve,  false},
    {"state",     "state k = 0",                                          rg_parse_state,  false},
    {"when",      "when x < 0 { x' = -x' }",                              rg_parse_when,   true },
    {"every",     "every 0.1 { u = x }",                                  rg_parse_every,  true },
    {"stop",      "stop \"text\"",                                        rg_parse_stop,   false},
    {"domain",    "domain x = 0..1 cells 32, y = 0..1 cells 32",          rg_parse_domain, false},
    {"field",     "field p, c = 0",                                       rg_parse_field,  false},
    {"vector",    "vector u = (0, 0)",                                    rg_parse_vector, false},
    {"data",      "data K = \"file.csv\"",                                rg_parse_data,   false},
    {"solid",     "solid block = x < .2 and y < .5",                      rg_parse_solid,  false},
    {"well",      "well name at (0, 0) rate 1 with c = 1",                rg_parse_well,   false},
    {"draw",      "draw line(0, 0, x, y), or of fields: draw c, curl(u)", rg_parse_draw,   true },
    {"component", NULL,                                                   NULL,            true },
    {"import",    NULL,                                                   NULL,            true },
};

static const statement_row *find_row(const rg_parser *p, rg_token token)
{
    const size_t length = (size_t)(token.span.end - token.span.start);

    if (token.kind != RG_TOKEN_NAME) return NULL;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (strlen(rows[k].word) == length
            && memcmp(rows[k].word, p->source->text + token.span.start, length) == 0)
            return &rows[k];
    }
    return NULL;
}

/* boundary -k*y(1) + y'(1) = 0, boundary (a + b)*y(0) = 1, when (x < 0) {, every (T/2) {: a sign or
 * bracket that belongs to what follows it and stands apart from the word.  'boundary - k' and
 * 'boundary(1)' have a name. */
static bool begins_condition(const rg_parser *p, rg_token token, rg_token next)
{
    const statement_row *row = find_row(p, token);
    const char *text = p->source->text + next.span.end;

    if (row == NULL || next.span.start == token.span.end) return false;
    if (row->parse == rg_parse_when && next.kind == RG_TOKEN_NOT) return true;
    if (row->parse != parse_boundary && row->parse != rg_parse_when && row->parse != rg_parse_every)
        return false;
    return next.kind == '(' || (next.kind == '-' && *text != ' ' && *text != '\t');
}

/* A statement word is one before a name, a number or a text on its line.  Before anything else
 * ('=', "'", an operator, which includes a minus sign, a bracket) it is a name like any other. */
static const statement_row *find_statement(const rg_parser *p, rg_token token, rg_token next)
{
    const bool is_word =
        next.kind == RG_TOKEN_NAME || next.kind == RG_TOKEN_NUMBER || next.kind == RG_TOKEN_STRING;
    return is_word || begins_condition(p, token, next) ? find_row(p, token) : NULL;
}

const char *rg_statement_word(const rg_parser *p, rg_token token, rg_token next)
{
    const statement_row *row = find_statement(p, token, next);
    return row == NULL ? NULL : row->word;
}

/* + b: a line that starts with an operator */
static rg_status check_operator(rg_parser *p)
{
    char quote[RG_QUOTE];

    if (rg_parser_at(p, RG_TOKEN_EOF) || strchr("+*/^<>lge!ao,=~.", p->token.kind) == NULL)
        return RG_OK;
    rg_fail(p->ctx, RG_ERR_SYNTAX, "a line that starts with '%s' does not continue the one before",
            rg_quote(p, p->token.span, quote));
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "put '%s' at the end of the line before", quote);
}

/* sides = expression '=' expression */
static rg_status parse_sides(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parse_expression(p, &s->left));
    if (!rg_parser_at(p, '=')) return rg_mistake_missing_equals(p, s->left);
    s->mark = '=';
    rg_parser_advance(p);
    return rg_parse_expression(p, &s->right);
}

/* equation = sides end */
static rg_status parse_equation(rg_parser *p)
{
    const int32_t start = p->token.span.start;

    RG_TRY(check_operator(p));
    rg_statement *s = rg_statement_create(p, RG_STATEMENT_EQUATION);
    if (s == NULL) return RG_ERR_MEMORY;
    RG_TRY(parse_sides(p, s));
    s->span = rg_parser_span(p, start);
    s->value_span = s->right->span;
    RG_TRY(rg_parser_push(p, s));
    return rg_parser_end(p);
}

/* boundary = 'boundary' sides { ',' sides } */
static rg_status parse_boundary(rg_parser *p)
{
    p->in_boundary = true;
    return rg_parse_items(p, RG_STATEMENT_BOUNDARY, parse_sides);
}

/* The '{' of a block; one on the next line is reported and then taken. */
static rg_status parse_brace(rg_parser *p, const char *word)
{
    if (rg_parser_at(p, RG_TOKEN_END) && p->pending.kind == '{') {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "'{' stands on the line of its '%s'", word);
        rg_fail_at(p->ctx, p->source, p->pending.span);
        const rg_status status = rg_remedy(p->ctx, "move it to the end of the line before");
        if (p->n_errors + 1 >= RG_MODEL_ERRORS) return status;
        p->n_errors++;
        rg_parser_advance(p);
    }
    if (rg_parser_at(p, '{')) return RG_OK;
    return rg_mistake_unexpected(p, p->in_when ? "'{' and what happens then"
                                               : "'{' and the equations of the block");
}

/* The innermost one is reported; those around it are open for the same reason. */
static rg_status fail_open_block(rg_parser *p, rg_token open)
{
    if (p->has_open_block) return RG_ERR_SYNTAX;
    p->has_open_block = true;
    rg_fail(p->ctx, RG_ERR_SYNTAX, "this '{' is not closed");
    rg_fail_at(p->ctx, p->source, open.span);
    return rg_remedy(p->ctx, "put '}' behind the last equation of the block");
}

/* body = '{' block '}' */
rg_status rg_parse_body(rg_parser *p, rg_statement *s, const char *word)
{
    const bool was_in_for = p->in_for;

    RG_TRY(parse_brace(p, word));
    const rg_token open = p->token;
    s->value_span = rg_parser_span(p, s->span.start); /* the head, without the block */
    RG_TRY(rg_parser_enter(p));
    rg_parser_advance(p);
    p->in_for = true;
    RG_TRY(rg_parse_block(p, &s->body, &s->n_body));
    p->in_for = was_in_for;
    if (!rg_parser_at(p, '}')) return fail_open_block(p, open);
    rg_parser_advance(p);
    p->depth--;
    s->span = rg_parser_span(p, s->span.start);
    return RG_OK;
}

/* for = 'for' ranges '{' block '}' */
static rg_status parse_for(rg_parser *p)
{
    rg_statement *s = rg_statement_create(p, RG_STATEMENT_FOR);

    if (s == NULL) return RG_ERR_MEMORY;
    s->span = p->start.span;
    RG_TRY(rg_parse_ranges(p, &s->ranges, &s->n_ranges));
    if (p->previous.kind == ',') return rg_mistake_unexpected(p, "another range 'j = 1..M'");
    RG_TRY(rg_parse_body(p, s, "for"));
    return rg_parser_push(p, s);
}

static rg_status fail_later(rg_parser *p, const statement_row *row)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "this version does not know the statement '%s' yet", row->word);
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "leave it out, or use a later version");
}

static rg_status fail_in_for(rg_parser *p, const statement_row *row)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "'%s' cannot stand inside a 'for' block", row->word);
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "move it out of the block; an array is declared as 'var u[i=1..N]'");
}

static rg_status fail_in_when(rg_parser *p, const statement_row *row)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "'%s' cannot stand inside a 'when' or 'every' block", row->word);
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "only assignments NAME = VALUE and stop \"text\" stand there");
}

static rg_status fail_stop(rg_parser *p)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "'stop' stands inside a 'when' or 'every' block only");
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "write when CONDITION { stop \"text\" }");
}

/* statement = title | param | let | fun | table | var | start | over | for | boundary | exact |
 * output | solve | state | when | every | stop | domain | field | vector | data | solid | well |
 * draw | equation */
rg_status rg_parse_statement(rg_parser *p)
{
    const rg_token next = rg_parser_peek(p);
    const statement_row *row = find_statement(p, p->token, next);
    const statement_row *name = row == NULL ? find_row(p, p->token) : NULL;

    p->start = p->token;
    p->in_boundary = p->is_keyword = false;
    p->since_joined = -1;
    p->word = name == NULL || name->form == NULL ? NULL : name->word;
    p->form = name != NULL && name->form != NULL ? name->form : "x' = -k*x, with one '='";
    rg_note_word(p, next);
    if (row == NULL) return parse_equation(p);
    if (row->parse == NULL) return fail_later(p, row);
    if (row->parse == rg_parse_stop ? !p->in_when : p->in_when)
        return p->in_when ? fail_in_when(p, row) : fail_stop(p);
    if (p->in_for && !row->is_in_for && !p->in_when) return fail_in_for(p, row);
    p->form = row->form;
    p->is_keyword = true;
    rg_parser_advance(p);
    return row->parse(p);
}
