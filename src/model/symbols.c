/* The symbol table, and errors of meaning. */
#include "model/compiler.h"

#include <string.h>

rg_node rg_bad(compiler *c, rg_span span, const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rg_fail(c->ctx, RG_ERR_SYNTAX, "%s", text);
    rg_fail_at(c->ctx, c->source, span);
    c->n_errors++;
    return RG_BAD;
}

rg_node rg_bad_remedy(compiler *c, const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rg_remedy(c->ctx, "%s", text);
    return RG_BAD;
}

static uint64_t hash_text(const char *text)
{
    uint64_t h = 1469598103934665603u;

    while (*text != '\0')
        h = (h ^ (unsigned char)*text++) * 1099511628211u;
    return h ^ (h >> 32);
}

static int64_t table_place(const compiler *c, const char *name)
{
    int64_t at = (int64_t)(hash_text(name) % (uint64_t)c->table_size);

    while (c->table[at] >= 0 && strcmp(c->symbols[c->table[at]].name, name) != 0)
        at = (at + 1) % c->table_size;
    return at;
}

symbol *rg_find_symbol(compiler *c, const char *name)
{
    if (c->table_size == 0) return NULL;
    const int32_t k = c->table[table_place(c, name)];
    return k >= 0 ? &c->symbols[k] : NULL;
}

static rg_status table_room(compiler *c)
{
    if (2 * (c->n_symbols + 1) < c->table_size) return RG_OK;
    rg_free(c->ctx, c->table);
    c->table_size = c->table_size > 0 ? 2 * c->table_size : 64;
    c->table = rg_alloc(c->ctx, (size_t)c->table_size, sizeof *c->table);
    if (c->table == NULL) {
        c->table_size = 0;
        return RG_ERR_MEMORY;
    }
    for (int64_t k = 0; k < c->table_size; k++)
        c->table[k] = -1;
    for (int64_t k = 0; k < c->n_symbols; k++)
        c->table[table_place(c, c->symbols[k].name)] = (int32_t)k;
    return RG_OK;
}

rg_status rg_add_symbol(compiler *c, const rg_statement *st, symbol_kind kind, symbol **out)
{
    RG_TRY(table_room(c));
    RG_TRY(rg_grow(c->ctx, &c->symbols, c->n_symbols, &c->symbol_capacity, sizeof *c->symbols));
    symbol *sym = &c->symbols[c->n_symbols];
    memset(sym, 0, sizeof *sym);
    sym->name = st->name;
    sym->kind = kind;
    sym->statement = st;
    sym->position = (int)c->n_symbols;
    sym->family = -1;
    c->table[table_place(c, st->name)] = (int32_t)c->n_symbols;
    c->n_symbols++;
    *out = sym;
    return RG_OK;
}

const char *rg_nearest_name(const scope *s, const char *name)
{
    compiler *c = s->b->c;
    const char **words = rg_alloc(c->ctx, (size_t)c->n_symbols + 64, sizeof *words);
    int n = 0;

    if (words == NULL) return NULL;
    for (const binding *k = s->names; k != NULL && n < 64; k = k->next)
        words[n++] = k->name;
    for (int64_t k = 0; k < c->n_symbols; k++)
        words[n++] = c->symbols[k].name;
    const char *found = rg_nearest_word(name, n, words);
    rg_free(c->ctx, words);
    return found;
}

rg_status rg_check_loop_name(compiler *c, const rg_ast_range *range, const binding *names)
{
    const binding *k = names;

    while (k != NULL && strcmp(k->name, range->name) != 0)
        k = k->next;
    if (k == NULL && rg_find_symbol(c, range->name) == NULL && !rg_is_builtin(range->name))
        return RG_OK;
    rg_bad(c, range->span, "the loop index '%s' is %s", range->name,
           k != NULL ? "already used by a loop around" : "already the name of something else");
    rg_bad_remedy(c, "use another name for the index");
    return RG_ERR_SYNTAX;
}
