/* A parsed model becomes a problem: declarations, start values, equations, conditions, outputs. */
#include "model/compiler.h"

#include "problem/divide.h"
#include "problem/native.h"

#include <string.h>

static rg_status compile_title(compiler *c)
{
    for (int k = 0; k < c->model->n_statements; k++) {
        const rg_statement *st = c->model->statements[k];
        if (st->kind != RG_STATEMENT_TITLE) continue;
        if (c->p->title != NULL) {
            rg_bad(c, st->span, "a second title");
            rg_bad_remedy(c, "keep one of them");
            return RG_OK;
        }
        c->p->title = rg_copy_text(c->ctx, st->text, strlen(st->text));
        if (c->p->title == NULL) return RG_ERR_MEMORY;
    }
    return RG_OK;
}

/* solve NAME = VALUE: checked now, against the one option table, so that the place is known. */
static rg_status check_setting(compiler *c, const rg_statement *st)
{
    rg_options scratch = rg_options_default();
    rg_context *ctx = c->ctx;

    const rg_status status = rg_options_assign(ctx, &scratch, st->name, st->text);
    if (status == RG_OK) return RG_OK;
    if (status == RG_ERR_MEMORY) return status;
    rg_fail_at(ctx, c->source, st->span);
    c->n_errors++;
    return RG_OK;
}

rg_status rg_compile_settings(compiler *c)
{
    rg_problem *p = c->p;

    p->settings = rg_alloc(c->ctx, (size_t)c->model->n_statements + 1, sizeof *p->settings);
    if (p->settings == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < c->model->n_statements; k++) {
        const rg_statement *st = c->model->statements[k];
        if (st->kind != RG_STATEMENT_SOLVE) continue;
        RG_TRY(check_setting(c, st));
        rg_setting_text *setting = &p->settings[p->n_settings++];
        setting->name = rg_copy_text(c->ctx, st->name, strlen(st->name));
        setting->text = rg_copy_text(c->ctx, st->text, strlen(st->text));
        setting->span = st->span;
        if (setting->name == NULL || setting->text == NULL) return RG_ERR_MEMORY;
    }
    return RG_OK;
}

static rg_status finish_statements(compiler *c)
{
    if (rg_last_error(c->ctx)->code == RG_ERR_MEMORY) return RG_ERR_MEMORY;
    if (c->n_errors > 0) return RG_ERR_SYNTAX;
    if (c->p->n == 0) {
        rg_fail(c->ctx, RG_ERR_STRUCTURE, "the model has no unknowns");
        return rg_remedy(c->ctx, "declare some with 'var', for example: var x = 1");
    }
    return RG_OK;
}

/* A text with fields: their equations are recognized as a whole. */
static rg_status compile_fields(compiler *c, rg_fields_fn *fields)
{
    if (fields == NULL) {
        rg_fail(c->ctx, RG_ERR_STRUCTURE, "a text with fields cannot stand here");
        return rg_remedy(c->ctx, "give it to 'regula solve' or rg_problem_from_file()");
    }
    RG_TRY(rg_refuse_events(c, "a model with fields"));
    if (c->n_errors > 0) return RG_ERR_SYNTAX;
    RG_TRY(fields(c));
    return finish_statements(c);
}

static rg_status compile_statements(compiler *c, rg_fields_fn *fields)
{
    RG_TRY(compile_title(c));
    RG_TRY(rg_declare_all(c));
    RG_TRY(rg_compile_settings(c));
    if (c->model->has_fields) return compile_fields(c, fields);
    const int before = c->n_errors;
    RG_TRY(rg_compile_equations(c));
    c->lacks_equations = c->n_errors > before;
    RG_TRY(rg_compile_conditions(c));
    RG_TRY(rg_start_values(c));
    RG_TRY(rg_compile_tolerances(c));
    RG_TRY(rg_compile_exact(c));
    RG_TRY(rg_compile_outputs(c));
    RG_TRY(rg_compile_drawings(c));
    RG_TRY(rg_compile_events(c));
    return finish_statements(c);
}

void rg_compiler_clear(compiler *c)
{
    for (int64_t k = 0; k < c->n_symbols; k++)
        rg_free(c->ctx, c->symbols[k].values);
    rg_free(c->ctx, c->symbols);
    rg_free(c->ctx, c->table);
}

static void destroy_kept(rg_context *ctx, void **model)
{
    kept_model *kept = *model;

    if (kept == NULL) return;
    for (int k = 0; k < kept->n_settings; k++)
        rg_free(ctx, (char *)(uintptr_t)kept->settings[k].name);
    rg_free(ctx, kept->settings);
    if (!kept->borrows_tree) rg_model_destroy(ctx, &kept->tree);
    rg_free(ctx, kept);
    *model = NULL;
}

static rg_status build(rg_context *ctx, kept_model *kept, rg_problem **out)
{
    compiler c;

    *out = NULL;
    memset(&c, 0, sizeof c);
    c.ctx = ctx;
    c.model = kept->tree;
    c.source = kept->tree->source;
    c.n_settings = kept->n_settings;
    c.settings = kept->settings;
    c.p = rg_alloc(ctx, 1, sizeof *c.p);
    if (c.p == NULL) return RG_ERR_MEMORY;
    c.p->ctx = ctx;
    rg_status status = rg_study_create(ctx, &c.p->study);
    if (status == RG_OK) status = rg_native_create(ctx, &c.p->native);
    if (status == RG_OK) status = compile_statements(&c, kept->fields);
    if (status == RG_OK) status = rg_problem_divide(c.p);
    rg_compiler_clear(&c);
    if (status == RG_OK)
        *out = c.p;
    else
        rg_problem_destroy(&c.p);
    if (status == RG_ERR_SYNTAX) rg_sort_errors(ctx);
    return status;
}

/* Appends or replaces a setting; names are copied. */
static rg_status keep_setting(rg_context *ctx, kept_model *kept, const char *name, double value)
{
    for (int k = 0; k < kept->n_settings; k++)
        if (strcmp(kept->settings[k].name, name) == 0) {
            kept->settings[k].value = value;
            return RG_OK;
        }
    rg_setting *grown = rg_resize(ctx, kept->settings, (size_t)kept->n_settings + 1, sizeof *grown);
    if (grown == NULL) return RG_ERR_MEMORY;
    kept->settings = grown;
    char *copy = rg_copy_text(ctx, name, strlen(name));
    if (copy == NULL) return RG_ERR_MEMORY;
    kept->settings[kept->n_settings++] = (rg_setting){copy, value};
    return RG_OK;
}

static rg_status rebuild(const rg_problem *p, int n, const rg_setting *settings, rg_problem **out);

/* Builds the problem that `kept` belongs to from now on.  Takes *kept. */
static rg_status finish(rg_context *ctx, rg_status status, kept_model *kept, rg_problem **out)
{
    *out = NULL;
    if (status == RG_OK) status = build(ctx, kept, out);
    if (status == RG_OK) {
        (*out)->source = kept->tree->source;
        (*out)->model = kept;
        (*out)->model_destroy = destroy_kept;
        (*out)->model_rebuild = rebuild;
        (*out)->model_expressions = rg_model_expressions;
    } else {
        void *owned = kept;
        destroy_kept(ctx, &owned);
    }
    return status;
}

static rg_status rebuild(const rg_problem *p, int n, const rg_setting *settings, rg_problem **out)
{
    const kept_model *from = p->model;
    kept_model *kept = rg_alloc(p->ctx, 1, sizeof *kept);
    rg_status status = RG_OK;

    *out = NULL;
    if (kept == NULL) return RG_ERR_MEMORY;
    kept->tree = from->tree;
    kept->fields = from->fields;
    kept->borrows_tree = true;
    for (int k = 0; k < from->n_settings && status == RG_OK; k++)
        status = keep_setting(p->ctx, kept, from->settings[k].name, from->settings[k].value);
    for (int k = 0; k < n && status == RG_OK; k++)
        status = keep_setting(p->ctx, kept, settings[k].name, settings[k].value);
    return finish(p->ctx, status, kept, out);
}

const rg_model *rg_model_of(const rg_problem *p)
{
    const kept_model *kept = p->model;

    return kept != NULL ? kept->tree : NULL;
}

void rg_model_exchange(rg_problem *p, rg_problem **fresh)
{
    const rg_problem old = *p;

    *p = **fresh;
    **fresh = old;
    ((kept_model *)p->model)->borrows_tree = false; /* the text stays with p */
    ((kept_model *)old.model)->borrows_tree = true;
    rg_problem_destroy(fresh);
}

rg_status rg_model_compile_with(rg_context *ctx, rg_model **model, int n_settings,
                                const rg_setting *settings, rg_fields_fn *fields, rg_problem **out)
{
    kept_model *kept = rg_alloc(ctx, 1, sizeof *kept);
    rg_status status = RG_OK;

    *out = NULL;
    if (kept == NULL) {
        rg_model_destroy(ctx, model);
        return RG_ERR_MEMORY;
    }
    kept->tree = *model;
    kept->fields = fields;
    *model = NULL;
    for (int k = 0; k < n_settings && status == RG_OK; k++)
        status = keep_setting(ctx, kept, settings[k].name, settings[k].value);
    return finish(ctx, status, kept, out);
}

rg_status rg_model_compile(rg_context *ctx, rg_model **model, int n_settings,
                           const rg_setting *settings, rg_problem **out)
{
    return rg_model_compile_with(ctx, model, n_settings, settings, NULL, out);
}
