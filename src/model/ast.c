/* Makes and destroys syntax trees. */
#include "model/ast.h"

#include "expr/table.h"
#include "model/parser.h"

rg_ast *rg_ast_create(rg_parser *p, rg_ast_kind kind, int n_args)
{
    rg_ast *node = rg_arena_take(p->ctx, p->arena, 1, sizeof *node);

    if (node == NULL) return NULL;
    node->kind = kind;
    node->height = 1;
    node->n_args = n_args;
    if (n_args == 0) return node;
    node->args = rg_arena_take(p->ctx, p->arena, (size_t)n_args, sizeof *node->args);
    return node->args == NULL ? NULL : node;
}

static int higher(int height, const rg_ast *below)
{
    return below != NULL && below->height >= height ? below->height + 1 : height;
}

rg_status rg_ast_close(rg_parser *p, rg_ast *node)
{
    node->height = 1;
    for (int k = 0; k < node->n_args; k++)
        node->height = higher(node->height, node->args[k]);
    for (int k = 0; k < node->n_ranges; k++) {
        node->height = higher(node->height, node->ranges[k].low);
        node->height = higher(node->height, node->ranges[k].high);
    }
    if (node->height <= RG_MODEL_HEIGHT) return RG_OK;
    rg_fail(p->ctx, RG_ERR_SYNTAX, "the expression is nested too deeply, over %d levels",
            RG_MODEL_HEIGHT);
    rg_fail_at(p->ctx, p->source, node->span);
    return rg_remedy(p->ctx, "give an inner part a name with 'let' and use the name here");
}

rg_statement *rg_statement_create(rg_parser *p, rg_statement_kind kind)
{
    rg_statement *s = rg_arena_take(p->ctx, p->arena, 1, sizeof *s);

    if (s == NULL) return NULL;
    s->kind = kind;
    s->span = s->name_span = s->value_span = p->token.span;
    return s;
}

void rg_model_destroy(rg_context *ctx, rg_model **model)
{
    if (model == NULL || *model == NULL) return;
    for (int k = 0; k < (*model)->n_statements; k++) {
        rg_table_words *w = (*model)->statements[k]->table;
        if (w != NULL && !w->is_borrowed) rg_table_destroy(&w->made);
    }
    if ((*model)->arena != NULL) rg_arena_clear(ctx, (*model)->arena);
    rg_free(ctx, (*model)->arena);
    rg_source_destroy(ctx, &(*model)->source);
    rg_free(ctx, *model);
    *model = NULL;
}
