/* Problems from model text: read, parse, compile. */
#include "api/entry.h"
#include "model/ast.h"
#include "pdae/form/inside.h"
#include "solve/grid.h"
#include "solve/methods.h"

#include <math.h>
#include <string.h>

typedef struct { /* what the caller changes in a text */
    int n_settings, n_tables;
    const rg_setting *settings;
    const rg_table_file *tables;
} changes;

/* Takes *source. */
static rg_status compile_source(rg_context *ctx, rg_source **source, const changes *with,
                                rg_problem **out)
{
    rg_model *model = NULL;
    rg_status status = rg_model_parse(ctx, source, &model);

    for (int k = 0; k < with->n_tables && status == RG_OK; k++)
        status = rg_model_set_table(ctx, model, with->tables[k].name, with->tables[k].path);
    if (status == RG_OK)
        status = rg_model_compile_with(ctx, &model, with->n_settings, with->settings,
                                       rg_form_compile, out);
    if (status == RG_OK && rg_error_count(ctx) > 0) { /* an error on the way is an error */
        status = rg_last_error(ctx)->code;
        rg_problem_destroy(out);
    }
    rg_model_destroy(ctx, &model);
    rg_source_destroy(ctx, source);
    return status;
}

static rg_status check_settings(rg_context *ctx, int n, const rg_setting *settings)
{
    if (n < 0) {
        rg_fail(ctx, RG_ERR_ARGUMENT, "%d parameter values", n);
        return rg_remedy(ctx, "give how many there are, or 0");
    }
    for (int k = 0; k < n; k++) {
        if (settings[k].name != NULL && isfinite(settings[k].value)) continue;
        rg_fail(ctx, RG_ERR_ARGUMENT, "the value of parameter '%s' is not a finite number",
                settings[k].name != NULL ? settings[k].name : "");
        return rg_remedy(ctx, "give a name and a finite number");
    }
    return RG_OK;
}

rg_status rg_problem_from_file_tables(rg_context *ctx, const char *path, int n_settings,
                                      const rg_setting *settings, int n_tables,
                                      const rg_table_file *tables, rg_problem **out)
{
    const changes with = {n_settings, n_tables, settings, tables};
    rg_source *source = NULL;

    RG_TRY(rg_enter(ctx,
                    path != NULL && out != NULL && (n_settings <= 0 || settings != NULL)
                        && (n_tables <= 0 || tables != NULL),
                    "rg_problem_from_file"));
    *out = NULL;
    RG_TRY(check_settings(ctx, n_settings, settings));
    RG_TRY(rg_source_read(ctx, path, &source));
    return compile_source(ctx, &source, &with, out);
}

rg_status rg_problem_from_file_with(rg_context *ctx, const char *path, int n_settings,
                                    const rg_setting *settings, rg_problem **out)
{
    return rg_problem_from_file_tables(ctx, path, n_settings, settings, 0, NULL, out);
}

rg_status rg_problem_from_file(rg_context *ctx, const char *path, rg_problem **out)
{
    return rg_problem_from_file_with(ctx, path, 0, NULL, out);
}

rg_status rg_problem_from_text(rg_context *ctx, const char *text, rg_problem **out)
{
    return rg_problem_load(ctx, NULL, text, 0, NULL, NULL, out);
}

static rg_status load_with(rg_context *ctx, const char *path, const char *text, int n,
                           const rg_setting *settings, rg_problem **out)
{
    rg_source *source = NULL;

    if (path != NULL) return rg_problem_from_file_with(ctx, path, n, settings, out);
    RG_TRY(check_settings(ctx, n, settings));
    RG_TRY(rg_source_from_text(ctx, "text", text, &source));
    return compile_source(ctx, &source, &(changes){n, 0, settings, NULL}, out);
}

rg_status rg_problem_load(rg_context *ctx, const char *path, const char *text, int n,
                          const char *const *names, const double *values, rg_problem **out)
{
    RG_TRY(rg_enter(ctx,
                    (path != NULL) != (text != NULL) && out != NULL
                        && (n <= 0 || (names != NULL && values != NULL)),
                    "rg_problem_load"));
    *out = NULL;
    rg_setting *settings = n > 0 ? rg_alloc(ctx, (size_t)n, sizeof *settings) : NULL;
    if (n > 0 && settings == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < n; k++)
        settings[k] = (rg_setting){names[k], values[k]};
    const rg_status status = load_with(ctx, path, text, n, settings, out);
    rg_free(ctx, settings);
    return status;
}

rg_status rg_problem_set_parameter(rg_problem *p, const char *name, double value)
{
    const rg_setting setting = {name, value};

    RG_TRY(rg_enter_change(p, name != NULL, "rg_problem_set_parameter"));
    RG_TRY(check_settings(p->ctx, 1, &setting));
    if (p->model_rebuild == NULL) {
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "a callback problem has no parameter '%s'", name);
        return rg_remedy(p->ctx, "change what `user` points at instead");
    }
    rg_problem *fresh;
    RG_TRY(p->model_rebuild(p, 1, &setting, &fresh));
    rg_model_exchange(p, &fresh);
    return RG_OK;
}

/* A failed option of the solve line, told again with its place in the text. */
static rg_status fail_setting(const rg_problem *p, const rg_setting_text *setting)
{
    const rg_error error = *rg_last_error(p->ctx);

    rg_clear_error(p->ctx);
    rg_fail(p->ctx, RG_ERR_SYNTAX, "%s", error.message);
    if (p->source != NULL) rg_fail_at(p->ctx, p->source, setting->span);
    return rg_remedy(p->ctx, "%s", error.remedy);
}

rg_status rg_problem_options(const rg_problem *p, rg_options *o)
{
    RG_TRY(rg_enter(p != NULL ? p->ctx : NULL, o != NULL, "rg_problem_options"));
    for (int k = 0; k < p->n_settings; k++) {
        const rg_setting_text *setting = &p->settings[k];
        rg_status status = rg_options_assign_model(p->ctx, o, setting->name, setting->text);
        if (status == RG_OK && strcmp(setting->name, "method") == 0
            && !(p->form != NULL && rg_grid_has_method(setting->text)))
            status = rg_method_check(p->ctx, setting->text);
        if (status == RG_ERR_MEMORY) return status;
        if (status != RG_OK) return fail_setting(p, setting);
    }
    return RG_OK;
}
