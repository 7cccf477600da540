/* The command `regula check FILE`: tells what is known of a model before it is solved. */
#include "cli.h"

/* Analysis, then start values; what was found before a failure is still shown. */
static rg_status analyse(rg_problem *p, const rg_options *options)
{
    rg_structure found;
    double conditioning;

    const rg_status status = rg_analyze(p, &found);
    if (status < 0) return status;
    return rg_problem_is_boundary(p) ? rg_conditioning(p, options, &conditioning)
                                     : rg_make_consistent(p, NULL);
}

static rg_problem *check(const cli_args *args, rg_error *error)
{
    rg_options *options = NULL;
    rg_problem *p = cli_load(args, error);

    if (p == NULL) return NULL;
    rg_status status = cli_options(args, p, NULL, &options);
    cli_busy(NULL);
    if (status >= 0) status = analyse(p, options);
    cli_idle();
    if (status < 0) *error = *rg_last_error(args->ctx);
    rg_options_destroy(&options);
    return p;
}

static void write_html(const cli_args *args, const rg_problem *p, rg_error *error)
{
    rg_figure figure;

    if (args->report == NULL || p == NULL || error->code < 0) return;
    if (cli_figure(args, &figure, error) && rg_report_check_html(p, &figure, args->report) < 0)
        *error = *rg_last_error(args->ctx);
}

static void report(const cli_args *args, const rg_problem *p, const rg_error *error)
{
    if (error->code < 0) {
        if (rg_error_count(args->ctx) > 1)
            cli_print_errors(args->ctx);
        else
            cli_print_error(error);
    }
    if (args->json) {
        rg_report_check_json(args->file != NULL ? args->file : "", p, error, stdout);
    } else if (p != NULL && !args->quiet) {
        cli_sheet sheet;
        rg_report_check(p,
                        cli_sheet_open(&sheet, cli_is_taken(args, NULL) ? stderr : stdout, true));
        cli_sheet_close(&sheet);
    }
}

int cmd_check(rg_context *ctx, int argc, char **argv)
{
    cli_args args;
    rg_problem *p = NULL;
    rg_error error = {.code = RG_OK};

    const bool is_read = cli_args_read(ctx, argc, argv, &args, &error);
    if (is_read && args.help) {
        cli_write_command_help("check", stdout);
    } else {
        if (is_read) {
            cli_set_log(&args);
            p = check(&args, &error);
            write_html(&args, p, &error);
        }
        report(&args, p, &error);
    }
    cli_leave(&error);
    const bool is_writing = p != NULL;
    rg_problem_destroy(&p);
    cli_args_clear(&args);
    return cli_exit_status(&error, is_writing);
}
