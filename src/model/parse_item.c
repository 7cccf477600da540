/* Lists of items whose number is not known beforehand, and index ranges. */
#include "model/parser.h"

#include <string.h>

rg_status rg_parser_push(rg_parser *p, void *piece)
{
    RG_TRY(rg_grow(p->ctx, &p->stack, p->n_stack, &p->stack_capacity, sizeof *p->stack));
    p->stack[p->n_stack++] = piece;
    return RG_OK;
}

rg_status rg_parser_pop(rg_parser *p, int64_t base, void *array, int *count)
{
    const size_t n = (size_t)(p->n_stack - base);
    void **copy = NULL;

    if (n > 0) {
        if ((copy = rg_arena_take(p->ctx, p->arena, n, sizeof *copy)) == NULL) return RG_ERR_MEMORY;
        memcpy(copy, p->stack + base, n * sizeof *copy);
    }
    p->n_stack = base;
    memcpy(array, &copy, sizeof copy);
    *count = (int)n;
    return RG_OK;
}

/* range = NAME '=' additive '..' additive;   is_interval: that of 'over' */
static rg_status parse_range(rg_parser *p, bool is_interval, rg_ast_range *range)
{
    char quote[RG_QUOTE];

    RG_TRY(rg_parser_name(p, "the name of an index", &range->name, &range->span));
    if (rg_parser_at(p, RG_TOKEN_NAME)) { /* for i in 1..N */
        rg_fail(p->ctx, RG_ERR_SYNTAX, "the range of '%s' starts with '='", range->name);
        rg_fail_at(p->ctx, p->source, p->token.span);
        if (!is_interval)
            return rg_remedy(p->ctx, "write '%s = 1..N' instead of '%s %s'", range->name,
                             range->name, rg_quote(p, p->token.span, quote));
        return rg_remedy(p->ctx, "write 'over %s = 0 .. 1'", range->name); /* over t from 0 to 1 */
    }
    RG_TRY(rg_parser_expect(p, '=', "'=' and the range of the index"));
    RG_TRY(rg_parse_additive(p, &range->low));
    RG_TRY(rg_parser_expect(p, RG_TOKEN_RANGE, "'..' between the two ends of the range"));
    return rg_parse_additive(p, &range->high);
}

/* The pieces from `base` on are ranges: one array of them. */
static rg_status pop_ranges(rg_parser *p, int64_t base, rg_ast_range **ranges, int *count)
{
    const int64_t n = p->n_stack - base;

    *ranges = rg_arena_take(p->ctx, p->arena, (size_t)n, sizeof **ranges);
    if (*ranges == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < n; k++)
        memcpy(&(*ranges)[k], p->stack[base + k], sizeof **ranges);
    p->n_stack = base;
    *count = (int)n;
    return RG_OK;
}

/* interval = NAME '=' additive '..' additive */
rg_status rg_parse_interval(rg_parser *p, rg_statement *s)
{
    rg_ast_range range = {0};

    RG_TRY(parse_range(p, true, &range));
    s->name = range.name;
    s->name_span = range.span;
    s->left = range.low;
    s->right = range.high;
    s->mark = '=';
    return RG_OK;
}

/* ranges = range { ',' range };   after a ',' that something else follows, stops there (sum) */
rg_status rg_parse_ranges(rg_parser *p, rg_ast_range **ranges, int *count)
{
    const int64_t base = p->n_stack;

    for (;;) {
        rg_ast_range *range = rg_arena_take(p->ctx, p->arena, 1, sizeof *range);
        if (range == NULL) return RG_ERR_MEMORY;
        RG_TRY(parse_range(p, false, range));
        RG_TRY(rg_parser_push(p, range));
        if (!rg_parser_at(p, ',')) break;
        rg_parser_advance(p);
        if (!rg_parser_at(p, RG_TOKEN_NAME) || rg_parser_peek(p).kind != '=') break;
    }
    return pop_ranges(p, base, ranges, count);
}

/* [i=1..N] without a name for the index: u[N], u[1..N] */
static rg_status check_index_name(rg_parser *p, const rg_statement *s, rg_token open)
{
    if (rg_parser_at(p, RG_TOKEN_BAD)) return rg_mistake_spelling(p);
    if (rg_parser_at(p, RG_TOKEN_NAME) && rg_parser_peek(p).kind == '=') return RG_OK;
    rg_fail(p->ctx, RG_ERR_SYNTAX, "the declaration of the array '%s' names no index", s->name);
    rg_fail_at(p->ctx, p->source, open.span);
    return rg_remedy(p->ctx, "write '%s[i=1..N]': a name, '=' and the range of the index", s->name);
}

/* index_ranges = [ '[' ranges ']' ], at most three */
rg_status rg_parse_index_ranges(rg_parser *p, rg_statement *s)
{
    if (!rg_parser_at(p, '[')) return RG_OK;
    const rg_token open = rg_parser_open(p);
    RG_TRY(check_index_name(p, s, open));
    RG_TRY(rg_parse_ranges(p, &s->ranges, &s->n_ranges));
    if (p->previous.kind == ',') RG_TRY(check_index_name(p, s, open));
    RG_TRY(rg_parser_close(p, open));
    if (s->n_ranges <= RG_MODEL_INDICES) return RG_OK;
    rg_fail(p->ctx, RG_ERR_SYNTAX, "the array '%s' has %d indices, more than %d", s->name,
            s->n_ranges, RG_MODEL_INDICES);
    rg_fail_at(p->ctx, p->source, rg_parser_span(p, open.span.start));
    return rg_remedy(p->ctx, "join two indices into one: k = (i-1)*M + j");
}

/* items = item { ',' item } end;   each item is one statement */
rg_status rg_parse_items(rg_parser *p, rg_statement_kind kind, rg_item_fn *parse)
{
    for (;;) {
        const int32_t start = p->token.span.start;
        rg_statement *item = rg_statement_create(p, kind);
        if (item == NULL) return RG_ERR_MEMORY;
        RG_TRY(parse(p, item));
        item->span = rg_parser_span(p, start);
        if (item->right != NULL) item->value_span = item->right->span;
        RG_TRY(rg_parser_push(p, item));
        if (!rg_parser_at(p, ',')) break;
        rg_parser_advance(p);
    }
    return rg_parser_end(p);
}
