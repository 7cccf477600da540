/* Pieces of syntax trees that the recognition makes. */
#include "pdae/form/inside.h"

#include <string.h>

static rg_ast *create(recognizer *r, rg_ast_kind what, int n_args)
{
    rg_ast *node = rg_arena_take(r->ctx, &r->in->arena, 1, sizeof *node);

    if (node == NULL) return NULL;
    if (++r->n_nodes == RG_TREE_LIMIT) {
        rg_fail(r->ctx, RG_ERR_STRUCTURE, "the equations have more than %d parts", RG_TREE_LIMIT);
        r->c->n_errors++;
        rg_remedy(r->ctx, "use scalars in place of vectors that are nested through let");
    }
    if (r->n_nodes >= RG_TREE_LIMIT) return NULL;
    node->kind = what;
    node->n_args = n_args;
    node->height = 1;
    if (n_args == 0) return node;
    node->args = rg_arena_take(r->ctx, &r->in->arena, (size_t)n_args, sizeof *node->args);
    return node->args != NULL ? node : NULL;
}

/* Trees of the parser are constant; a tree made here only reads them. */
static rg_ast *shared(const rg_ast *ast)
{
    return (rg_ast *)(uintptr_t)ast;
}

rg_ast *rg_tree_number(recognizer *r, double value)
{
    rg_ast *node = create(r, RG_AST_NUMBER, 0);

    if (node != NULL) node->value = value;
    return node;
}

rg_ast *rg_tree_name(recognizer *r, const char *name, rg_span span)
{
    rg_ast *node = create(r, RG_AST_NAME, 0);
    const size_t length = strlen(name);
    char *copy = rg_arena_take(r->ctx, &r->in->arena, length + 1, 1);

    if (node == NULL || copy == NULL) return NULL;
    memcpy(copy, name, length);
    node->text = copy;
    node->span = node->name_span = span;
    return node;
}

rg_ast *rg_tree_call(recognizer *r, const char *name, int n, const rg_ast *const *args)
{
    rg_ast *node = create(r, RG_AST_CALL, n + 1);
    rg_ast *callee = rg_tree_name(r, name, (rg_span){0, 0});

    if (node == NULL || callee == NULL) return NULL;
    node->text = callee->text;
    node->args[0] = callee;
    for (int k = 0; k < n; k++)
        node->args[k + 1] = shared(args[k]);
    node->span = n > 0 ? args[0]->span : callee->span;
    return node;
}

static rg_ast *binary(recognizer *r, char op, const rg_ast *a, const rg_ast *b)
{
    rg_ast *node = create(r, RG_AST_BINARY, 2);

    if (node == NULL) return NULL;
    node->op = op;
    node->args[0] = shared(a);
    node->args[1] = shared(b);
    node->span = a->span.end > 0 ? a->span : b->span;
    return node;
}

rg_ast *rg_tree_negate(recognizer *r, const rg_ast *a)
{
    rg_ast *node = create(r, RG_AST_UNARY, 1);

    if (node == NULL) return NULL;
    node->op = '-';
    node->args[0] = shared(a);
    node->span = a->span;
    return node;
}

rg_ast *rg_tree_add(recognizer *r, const rg_ast *a, const rg_ast *b)
{
    if (a == NULL || b == NULL) return shared(a != NULL ? a : b);
    return binary(r, '+', a, b);
}

rg_ast *rg_tree_multiply(recognizer *r, const rg_ast *a, const rg_ast *b)
{
    if (a == NULL || b == NULL) return shared(a != NULL ? a : b);
    return binary(r, '*', a, b);
}

rg_ast *rg_tree_divide(recognizer *r, const rg_ast *a, const rg_ast *b)
{
    if (b == NULL) return shared(a);
    return binary(r, '/', a != NULL ? a : rg_tree_number(r, 1), b);
}

rg_ast *rg_tree_scale(recognizer *r, double factor, const rg_ast *a)
{
    if (a == NULL) return rg_tree_number(r, factor);
    if (factor == 1) return shared(a);
    if (factor == -1) return rg_tree_negate(r, a);
    return binary(r, '*', rg_tree_number(r, factor), a);
}

rg_ast *rg_tree_copy(recognizer *r, const rg_ast *ast)
{
    rg_ast *node = create(r, ast->kind, ast->n_args);

    if (node == NULL) return NULL;
    rg_ast **args = node->args;
    *node = *ast;
    node->args = args;
    for (int k = 0; k < ast->n_args; k++)
        node->args[k] = ast->args[k];
    return node;
}

const char *rg_form_quote(const recognizer *r, rg_span span, char buffer[RG_QUOTED])
{
    const int length = span.end - span.start;
    const char *text = r->c->source->text + span.start;

    if (length < RG_QUOTED)
        snprintf(buffer, RG_QUOTED, "%.*s", length, text);
    else
        snprintf(buffer, RG_QUOTED, "%.*s...", RG_QUOTED - 4, text);
    return buffer;
}
