/* The model, its interval and its options, as the command line changes them. */
#include "cli.h"
#include "examples.h"

#include <string.h>
#include <unistd.h>

/* A file that is not there: its name without .rg, or the name of a shipped model? */
static void advise(const char *file, rg_error *error)
{
    const size_t length = strlen(file);
    const bool has_ending = length > 3 && strcmp(file + length - 3, ".rg") == 0;
    const int stem = (int)(has_ending ? length - 3 : length);
    char other[256];

    if (access(file, F_OK) == 0) return;
    snprintf(other, sizeof other, "%s.rg", file);
    if (!has_ending && access(other, R_OK) == 0) {
        snprintf(error->remedy, sizeof error->remedy, "did you mean '%s'?", other);
        return;
    }
    for (int k = 0; k < rg_example_count; k++)
        if ((int)strlen(rg_examples[k].name) == stem
            && strncmp(rg_examples[k].name, file, (size_t)stem) == 0)
            snprintf(error->remedy, sizeof error->remedy,
                     "'regula example %.*s > %.*s.rg' writes the shipped model of this name", stem,
                     file, stem, file);
}

rg_problem *cli_load(const cli_args *args, rg_error *error)
{
    rg_problem *p = NULL;
    double a, b;

    cli_busy(NULL);
    rg_status status = rg_problem_from_file_tables(
        args->ctx, args->file, args->n_settings, args->settings, args->n_tables, args->tables, &p);
    cli_idle();

    if (status >= 0 && (args->from.is_given || args->to.is_given)) {
        rg_problem_interval(p, &a, &b);
        status = rg_problem_set_interval(p, args->from.is_given ? args->from.value : a,
                                         args->to.is_given ? args->to.value : b);
    }
    if (status >= 0) return p;
    *error = *rg_last_error(args->ctx);
    if (error->code == RG_ERR_IO) advise(args->file, error);
    rg_problem_destroy(&p);
    return NULL;
}

rg_status cli_options(const cli_args *args, const rg_problem *p, const char *method,
                      rg_options **out)
{
    rg_status status = rg_options_create(args->ctx, out);
    rg_options *o = *out;

    if (status >= 0) status = rg_problem_options(p, o);
    for (int k = 0; method == NULL && k < args->n_options; k++)
        if (strcmp(args->option_name[k], "method") == 0) method = args->option_text[k];
    for (int k = 0; status >= 0 && k < args->n_options; k++)
        status = rg_options_set(o, args->option_name[k], args->option_text[k]);
    if (status >= 0 && method != NULL) status = rg_options_set(o, "method", method);
    return status;
}
