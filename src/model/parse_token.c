/* The stream of tokens as the rules see it: line ends become END tokens where they end a
 * statement. */
#include "model/parser.h"

#include <string.h>

/* A line that ends with one of these goes on in the next. */
static bool continues(char kind)
{
    return kind != RG_TOKEN_EOF && strchr(",=~+-*/^<>lge!aon.", kind) != NULL;
}

/* Turns a token that was read into an END when it starts a line and nothing carries on. */
static bool ends_statement(const rg_parser *p, rg_token before, rg_token read)
{
    return read.is_first && p->nesting == 0 && !continues(before.kind);
}

static rg_token end_after(rg_token before)
{
    return (rg_token){
        RG_TOKEN_END, false, {before.span.end, before.span.end}
    };
}

void rg_parser_begin(rg_parser *p)
{
    p->lexer = rg_lexer_start(p->source);
    p->previous = (rg_token){
        ';', false, {0, 0}
    };
    p->token = rg_lexer_next(&p->lexer);
    p->since_joined = -1;
    p->list_at = -1;
}

void rg_parser_advance(rg_parser *p)
{
    p->previous = p->token;
    if (p->since_joined >= 0) p->since_joined++;
    if (p->token.kind == RG_TOKEN_END) {
        p->token = p->pending;
        return;
    }
    p->token = rg_lexer_next(&p->lexer);
    if (ends_statement(p, p->previous, p->token)) {
        p->pending = p->token;
        p->token = end_after(p->previous);
    } else if (p->token.is_first && p->nesting == 0) {
        p->joined = p->previous;
        p->since_joined = 0;
    }
}

rg_token rg_parser_peek(rg_parser *p)
{
    if (p->token.kind == RG_TOKEN_END) return p->pending;
    rg_lexer copy = p->lexer;
    const rg_token next = rg_lexer_next(&copy);
    return ends_statement(p, p->token, next) ? end_after(p->token) : next;
}

bool rg_parser_at(const rg_parser *p, char kind)
{
    return p->token.kind == kind;
}

bool rg_parser_at_end(const rg_parser *p)
{
    const char kind = p->token.kind;
    return kind == RG_TOKEN_EOF || kind == RG_TOKEN_END || kind == ';' || kind == '}';
}

rg_status rg_parser_expect(rg_parser *p, char kind, const char *wanted)
{
    if (p->token.kind != kind) return rg_mistake_unexpected(p, wanted);
    rg_parser_advance(p);
    return RG_OK;
}

rg_token rg_parser_open(rg_parser *p)
{
    const rg_token open = p->token;

    p->nesting++;
    rg_parser_advance(p);
    return open;
}

rg_status rg_parser_close(rg_parser *p, rg_token open)
{
    const char kind = open.kind == '(' ? ')' : ']';

    if (p->token.kind == kind) {
        p->nesting--;
        rg_parser_advance(p);
        return RG_OK;
    }
    return rg_mistake_unclosed(p, open);
}

rg_status rg_parser_end(rg_parser *p)
{
    return rg_parser_at_end(p) ? RG_OK : rg_mistake_unexpected(p, "the end of the statement");
}

char *rg_parser_text(rg_parser *p, rg_span span)
{
    const size_t length = (size_t)(span.end - span.start);
    char *text = rg_arena_take(p->ctx, p->arena, length + 1, 1);

    if (text != NULL) memcpy(text, p->source->text + span.start, length);
    return text;
}

/* Reads a NAME. */
rg_status rg_parser_name(rg_parser *p, const char *wanted, char **name, rg_span *span)
{
    char quote[RG_QUOTE];

    if (!rg_parser_at(p, RG_TOKEN_NAME)) return rg_mistake_unexpected(p, wanted);
    *span = p->token.span;
    if (span->end - span->start > RG_MODEL_NAME) {
        rg_fail(p->ctx, RG_ERR_SYNTAX, "the name '%s' has %d bytes, more than %d",
                rg_quote(p, *span, quote), (int)(span->end - span->start), RG_MODEL_NAME);
        rg_fail_at(p->ctx, p->source, *span);
        return rg_remedy(p->ctx, "choose a shorter name");
    }
    if ((*name = rg_parser_text(p, *span)) == NULL) return RG_ERR_MEMORY;
    rg_parser_advance(p);
    return RG_OK;
}

rg_status rg_parser_enter(rg_parser *p)
{
    if (p->depth < RG_MODEL_DEPTH) {
        p->depth++;
        return RG_OK;
    }
    rg_fail(p->ctx, RG_ERR_SYNTAX, "brackets, signs, powers or blocks are nested more than %d deep",
            RG_MODEL_DEPTH);
    rg_fail_at(p->ctx, p->source, p->token.span);
    return rg_remedy(p->ctx, "give an inner part a name with 'let' and use the name here");
}

rg_span rg_parser_span(const rg_parser *p, int32_t start)
{
    return (rg_span){start, p->previous.span.end};
}
