/* Expressions of space: axes, fields and given data are leaves of one graph, which is evaluated on
 * whole arrays of points.  Conditions on them are no conditions on loop indices: nothing is
 * split. */
#include "expr/separate.h"
#include "model/compiler.h"

#include <string.h>

/* "u" with the subscript x is the name "u[x]". */
static bool is_name(const spatial_name *name, const rg_ast *ast)
{
    const size_t length = strlen(ast->text);

    if (ast->kind == RG_AST_NAME) return strcmp(name->name, ast->text) == 0;
    if (ast->n_args != 1 || ast->args[0]->kind != RG_AST_NAME) return false;
    const char *index = ast->args[0]->text, *rest = name->name + length;
    return strncmp(name->name, ast->text, length) == 0 && rest[0] == '['
           && strncmp(rest + 1, index, strlen(index)) == 0
           && strcmp(rest + 1 + strlen(index), "]") == 0;
}

rg_node rg_spatial_find(const scope *s, const rg_ast *ast)
{
    for (int k = 0; k < s->b->n_spatial; k++)
        if (is_name(&s->b->spatial[k], ast))
            return rg_graph_var(s->b->graph, s->b->spatial[k].slot, 0);
    return RG_BAD;
}

rg_node rg_spatial_refuse(const scope *s, const symbol *sym, const rg_ast *ast)
{
    static const char *const words[] = {"an axis",    "a field", "a vector",
                                        "given data", "a solid", "a well"};

    rg_bad(s->b->c, ast->span, "'%s' is %s and cannot stand in %s", ast->text,
           words[sym->kind - SYM_AXIS], s->what);
    if (sym->kind == SYM_VECTOR)
        return rg_bad_remedy(s->b->c, "take a component, as in %s[x], or norm(%s)", ast->text,
                             ast->text);
    return rg_bad_remedy(s->b->c, "use parameters there");
}

/* Expressions of time and space as sums of products of both. */
static rg_status separate(builder *b, rg_node node, spatial_tape *out)
{
    rg_separation of;

    RG_TRY(rg_graph_separate(b->graph, node, &of));
    if (of.n == 0) return RG_OK;
    RG_TRY(rg_tape_create(b->c->ctx, b->graph, of.n, of.a, &out->of_time));
    return rg_tape_create(b->c->ctx, b->graph, of.n, of.F, &out->of_space);
}

static rg_status make_tape(builder *b, rg_node node, spatial_tape *out)
{
    const rg_graph_node *n = rg_graph_at(b->graph, node);

    out->uses_time = (n->depends & RG_DEP_TIME) != 0;
    out->is_constant = n->op == RG_OP_CONST;
    out->value = n->value;
    if (n->depends & RG_DEP_SUM) {
        rg_fail(b->c->ctx, RG_ERR_SYNTAX,
                "a sum over fields cannot stand in an expression of space");
        b->c->n_errors++;
        return rg_remedy(b->c->ctx, "write its terms out");
    }
    RG_TRY(rg_tape_create(b->c->ctx, b->graph, 1, &node, &out->tape));
    return out->is_constant ? RG_OK : separate(b, node, out);
}

void rg_spatial_clear(spatial_tape *s)
{
    rg_tape_destroy(&s->tape);
    rg_tape_destroy(&s->of_time);
    rg_tape_destroy(&s->of_space);
}

rg_status rg_spatial_compile(compiler *c, const rg_ast *ast, int n_names, const spatial_name *names,
                             const char *what, spatial_tape *out)
{
    space one = {.count = 1};
    builder b;

    memset(&b, 0, sizeof b);
    memset(out, 0, sizeof *out);
    b.c = c;
    rg_status status = rg_builder_init(&b, c, NULL, &one);
    if (status == RG_OK) {
        b.n_spatial = n_names;
        b.spatial = names;
        const scope s = {&b, NULL, INT32_MAX, ALLOW_TIME, what};
        const rg_node node = rg_elaborate(&s, ast);
        if (node < 0)
            status = rg_graph_status(b.graph) != RG_OK ? rg_graph_status(b.graph) : RG_ERR_SYNTAX;
        else
            status = make_tape(&b, node, out);
    }
    rg_builder_clear(&b);
    if (status != RG_OK) rg_spatial_clear(out);
    return status;
}
