/* Parameters with values of their own, for continuation. */
#include "model/compiler.h"

#include <string.h>

/* Does an expression name something?  `pi` and functions do not count. */
static bool has_names(compiler *c, const rg_ast *e)
{
    if (e->kind == RG_AST_NAME && rg_find_symbol(c, e->text) != NULL) return true;
    if (e->kind == RG_AST_INDEX || e->kind == RG_AST_SUM) return true;
    for (int k = 0; k < e->n_args; k++)
        if (has_names(c, e->args[k])) return true;
    return false;
}

static bool is_own(compiler *c, const symbol *param)
{
    for (int k = 0; k < c->n_settings; k++)
        if (strcmp(c->settings[k].name, param->name) == 0) return true;
    return !has_names(c, param->statement->right);
}

rg_status rg_keep_parameters(compiler *c)
{
    rg_problem *p = c->p;

    p->parameters = rg_alloc(c->ctx, (size_t)c->n_symbols + 1, sizeof *p->parameters);
    if (p->parameters == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < c->n_symbols; k++) {
        const symbol *sym = &c->symbols[k];
        if (sym->kind != SYM_PARAM || sym->is_bad || !is_own(c, sym)) continue;
        char *name = rg_copy_text(c->ctx, sym->name, strlen(sym->name));
        if (name == NULL) return RG_ERR_MEMORY;
        p->parameters[p->n_parameters++] = (rg_parameter){name, sym->value};
    }
    return RG_OK;
}
