/* regula compare FILE --methods a,b:option=value,... */
#include "cli.h"

#include <string.h>

static void write_help(FILE *to)
{
    cli_write_text(
        to, "regula compare pendulum.rg --methods radau,srm:step=1e-3,baumgarte:gamma=10\n\n"
            "regula compare FILE --methods A,B:NAME=VALUE,... [OPTION ...]\n\n"
            "The same problem by several methods, side by side: largest error, drift off\n"
            "the constraints, steps, evaluations, time.  Options of one method follow it,\n"
            "with ':' between them; those of 'regula solve' hold for all.  Errors are\n"
            "against the exact solution of the model, or against a run with the tolerance\n"
            "1e-11: of radau, or, for boundary values, of collocation or the transfer.\n"
            "There steps are mesh intervals, or the steps of all sweeps.\n\n"
            "  --methods LIST   what to compare\n"
            "  --csv FILE       the table as CSV; '-': standard output\n"
            "  --svg FILE       errors over evaluations as a figure\n"
            "  --report FILE    a report as one HTML file\n"
            "  --json           the table as JSON\n"
            "  --set, --from, --to, and the options of the methods: as for 'regula solve'\n");
}

static rg_status compare(const cli_args *args, rg_problem *p, const char *list, rg_comparison **out)
{
    rg_options *o = NULL;
    double a, b;

    rg_problem_interval(p, &a, &b);
    rg_status status = cli_options(args, p, NULL, &o);
    if (status >= 0) status = rg_compare(p, b, o, list, out);
    rg_options_destroy(&o);
    return status;
}

/* Rows of a comparison that was ended early stay in FILE.part. */
static void write_csv(const cli_args *args, const rg_comparison *c, rg_error *error)
{
    const size_t used = strlen(error->remedy);
    const rg_status status = rg_comparison_write_csv(c, args->csv);

    if (status < 0 && error->code >= 0) *error = *rg_last_error(args->ctx);
    if (status == RG_STOPPED && strcmp(args->csv, "-") != 0)
        snprintf(error->remedy + used, sizeof error->remedy - used,
                 " (the rows so far are in '%s.part')", args->csv);
}

static void write_figures(const cli_args *args, const rg_comparison *c, const char *svg,
                          rg_error *error)
{
    rg_figure figure;
    rg_status status = RG_OK;

    if (error->code < 0) return;
    if (svg != NULL) status = rg_comparison_write_svg(c, svg);
    if (status >= 0 && args->report != NULL && cli_figure(args, &figure, error))
        status = rg_comparison_write_html(c, &figure, args->report);
    if (status < 0) *error = *rg_last_error(args->ctx);
}

static void report(const cli_args *args, const char *svg, const rg_comparison *c, rg_error *error)
{
    if (args->json)
        rg_report_comparison_json(args->file, c, stdout);
    else if (!args->quiet && !cli_is_taken(args, svg))
        rg_report_comparison(c, stdout);
    if (args->csv != NULL) write_csv(args, c, error);
}

int cmd_compare(rg_context *ctx, int argc, char **argv)
{
    cli_args args;
    rg_problem *p = NULL;
    rg_comparison *c = NULL;
    rg_error error = {.code = RG_OK};
    char *line = cli_line(argc, argv);
    const char *list = cli_take(&argc, argv, "methods", false),
               *svg = cli_take(&argc, argv, "svg", false);

    const bool is_read = cli_args_read(ctx, argc, argv, &args, &error);
    cli_args_set_line(&args, line);
    if (is_read && args.help) {
        write_help(stdout);
    } else if (is_read) {
        cli_set_log(&args);
        p = cli_load(&args, &error);
        if (p != NULL && compare(&args, p, list, &c) < 0) error = *rg_last_error(ctx);
        if (c != NULL) report(&args, svg, c, &error);
        if (c != NULL) write_figures(&args, c, svg, &error);
    }
    if (error.code < 0) cli_print_error(&error);
    const bool is_writing = c != NULL;
    rg_comparison_destroy(&c);
    rg_problem_destroy(&p);
    cli_args_clear(&args);
    return cli_exit_status(&error, is_writing);
}
