/* The command `regula expand FILE`: writes a model with fields on a grid as one with arrays and
 * loops. */
#include "cli.h"

/* The text of the model with arrays and loops; false: *error tells. */
static bool expand(const cli_args *args, char **text, rg_error *error)
{
    rg_options *options = NULL;
    rg_problem *p = cli_load(args, error);

    if (p == NULL) return false;
    rg_status status = cli_options(args, p, NULL, &options);
    if (status >= 0) status = rg_problem_expand(p, options, text);
    if (status < 0) *error = *rg_last_error(args->ctx);
    rg_options_destroy(&options);
    rg_problem_destroy(&p);
    return status >= 0;
}

int cmd_expand(rg_context *ctx, int argc, char **argv)
{
    cli_args args;
    char *text = NULL;
    rg_error error = {.code = RG_OK};

    if (cli_args_read(ctx, argc, argv, &args, &error)) {
        if (args.help)
            fputs("regula expand FILE      a model with fields as plain arrays and loops\n",
                  stdout);
        else if (expand(&args, &text, &error))
            fputs(text, stdout);
    }
    if (error.code < 0) {
        if (rg_error_count(ctx) > 1)
            cli_print_errors(ctx);
        else
            cli_print_error(&error);
    }
    rg_free_text(&text);
    cli_args_clear(&args);
    return cli_exit_status(&error, false);
}
