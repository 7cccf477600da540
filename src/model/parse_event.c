/* Events: state, when, every, stop. */
#include "model/parser.h"

#include <string.h>

/* value = NAME index_ranges '=' expression */
static rg_status parse_state_value(rg_parser *p, rg_statement *s)
{
    RG_TRY(rg_parser_name(p, "the name of a state", &s->name, &s->name_span));
    RG_TRY(rg_parse_index_ranges(p, s));
    return rg_parse_assigned(p, s, "'=' and the value at the start");
}

/* state = 'state' value { ',' value } */
rg_status rg_parse_state(rg_parser *p)
{
    return rg_parse_items(p, RG_STATEMENT_STATE, parse_state_value);
}

/* What follows the head of when and every; the head itself counts as inside. */
static rg_status parse_actions(rg_parser *p, rg_statement *s, const char *word)
{
    RG_TRY(rg_parse_body(p, s, word));
    p->in_when = false;
    return rg_parser_push(p, s);
}

/* when = 'when' [ STRING ] expression '{' block '}' */
rg_status rg_parse_when(rg_parser *p)
{
    rg_statement *s = rg_statement_create(p, RG_STATEMENT_WHEN);

    if (s == NULL) return RG_ERR_MEMORY;
    s->span = p->start.span;
    p->in_when = true;
    if (rg_parser_at(p, RG_TOKEN_STRING)) RG_TRY(rg_parse_quoted(p, s));
    RG_TRY(rg_parse_expression(p, &s->right));
    return parse_actions(p, s, "when");
}

static bool at_from(const rg_parser *p)
{
    static const char word[] = "from";
    const rg_span span = p->token.span;

    return rg_parser_at(p, RG_TOKEN_NAME) && span.end - span.start == (int32_t)sizeof word - 1
           && memcmp(p->source->text + span.start, word, sizeof word - 1) == 0;
}

/* every = 'every' additive [ 'from' additive ] '{' block '}' */
rg_status rg_parse_every(rg_parser *p)
{
    rg_statement *s = rg_statement_create(p, RG_STATEMENT_EVERY);

    if (s == NULL) return RG_ERR_MEMORY;
    s->span = p->start.span;
    p->in_when = true;
    if (rg_parser_at(p, RG_TOKEN_STRING)) RG_TRY(rg_parse_quoted(p, s));
    RG_TRY(rg_parse_additive(p, &s->left));
    if (at_from(p)) {
        rg_parser_advance(p);
        RG_TRY(rg_parse_additive(p, &s->right));
    }
    return parse_actions(p, s, "every");
}

/* stop = 'stop' STRING */
rg_status rg_parse_stop(rg_parser *p)
{
    rg_statement *s = rg_statement_create(p, RG_STATEMENT_STOP);

    if (s == NULL) return RG_ERR_MEMORY;
    s->span = p->start.span;
    RG_TRY(rg_parse_quoted(p, s));
    s->span = rg_parser_span(p, s->span.start);
    RG_TRY(rg_parser_push(p, s));
    return rg_parser_end(p);
}
