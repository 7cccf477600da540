/* Model text -> statements. */
#include "model/ast.h"
#include "model/parser.h"

static rg_status fail_stray_brace(rg_parser *p)
{
    rg_fail(p->ctx, RG_ERR_SYNTAX, "this '}' closes nothing");
    rg_fail_at(p->ctx, p->source, p->token.span);
    rg_parser_advance(p);
    return rg_remedy(p->ctx, "remove it, or start the block with 'for i = 1..N {'");
}

/* One statement; after a mistake the stream stands behind it, unless there were enough of them. */
static rg_status parse_or_recover(rg_parser *p)
{
    const int64_t base = p->n_stack;
    const int depth = p->depth;
    const bool in_for = p->in_for, in_when = p->in_when, is_stray = rg_parser_at(p, '}');
    const rg_status status = is_stray ? fail_stray_brace(p) : rg_parse_statement(p);

    if (status == RG_OK) {
        p->n_statements++;
        return RG_OK;
    }
    if (status != RG_ERR_SYNTAX || p->n_errors >= RG_MODEL_ERRORS) return status;
    p->n_stack = base;
    p->depth = depth;
    p->in_for = in_for;
    p->in_when = in_when;
    p->n_errors++;
    if (!is_stray) rg_parser_recover(p);
    return p->n_errors < RG_MODEL_ERRORS ? RG_OK : status;
}

/* block = { statement | ';' };   ends before the '}' of a for, or at the end of the text */
rg_status rg_parse_block(rg_parser *p, rg_statement ***statements, int *count)
{
    const int64_t base = p->n_stack;

    for (;;) {
        while (rg_parser_at(p, RG_TOKEN_END) || rg_parser_at(p, ';'))
            rg_parser_advance(p);
        if (rg_parser_at(p, RG_TOKEN_EOF) || (p->in_for && rg_parser_at(p, '}'))) break;
        RG_TRY(parse_or_recover(p));
    }
    return rg_parser_pop(p, base, statements, count);
}

/* model = block */
static rg_status parse_model(rg_parser *p, rg_model *model)
{
    rg_parser_begin(p);
    p->has_fields = model->has_fields = rg_parser_has_fields(p);
    RG_TRY(rg_parse_block(p, &model->statements, &model->n_statements));
    if (p->n_errors > 0) return RG_ERR_SYNTAX;
    return rg_mistake_suspects(p, model->n_statements, model->statements);
}

rg_status rg_model_parse(rg_context *ctx, rg_source **source, rg_model **out)
{
    rg_model *model = rg_alloc(ctx, 1, sizeof *model);
    rg_parser p = {.ctx = ctx, .source = *source};
    rg_status status = RG_ERR_MEMORY;

    *out = NULL;
    if (model == NULL) {
        rg_source_destroy(ctx, source);
        return RG_ERR_MEMORY;
    }
    model->source = *source;
    *source = NULL;
    model->arena = p.arena = rg_alloc(ctx, 1, sizeof *p.arena);
    if (model->arena != NULL) status = parse_model(&p, model);
    rg_free(ctx, p.stack);
    if (status == RG_ERR_MEMORY && p.n_errors > 0) status = RG_ERR_SYNTAX; /* the first failure */
    if (status != RG_OK) rg_model_destroy(ctx, &model);
    *out = model;
    return status;
}
