/* The model, its interval and its options, as the command line changes them. */
#include "cli.h"

#include <string.h>

rg_problem *cli_load(const cli_args *args, rg_error *error)
{
    rg_problem *p = NULL;
    double a, b;
    rg_status status =
        rg_problem_from_file_with(args->ctx, args->file, args->n_settings, args->settings, &p);

    if (status >= 0 && (args->has_from || args->has_to)) {
        rg_problem_interval(p, &a, &b);
        status = rg_problem_set_interval(p, args->has_from ? args->from : a,
                                         args->has_to ? args->to : b);
    }
    if (status >= 0) return p;
    *error = *rg_last_error(args->ctx);
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
