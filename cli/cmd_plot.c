/* The command `regula plot FILE.csv`: draws the columns of a table. */
#include "cli.h"

#include <string.h>
#include <unistd.h>

static void write_help(FILE *to)
{
    cli_write_text(
        to, "regula plot out.csv --show p,q --svg figure.svg\n\n"
            "regula plot FILE.csv [--show p,q] [--log y] [--svg FILE] [--size 160x100]\n\n"
            "Draws the columns of a CSV file over its first one, in the terminal; with --svg\n"
            "as a figure.  Fields that are empty or no numbers are gaps, which the caption\n"
            "counts.\n\n"
            "  --show p,q       some columns; an array by its name\n"
            "  --show q:p       p over q\n"
            "  --log AXES       logarithmic axes: x, y or xy\n"
            "  --svg FILE       an SVG figure; '-': standard output\n"
            "  --size 160x100   its size in mm\n");
}

/* --svg is a row of the option table; no other row has to do with a plot. */
static const char *svg_of(const cli_args *args, rg_error *error)
{
    const char *svg = NULL;

    for (int k = 0; k < args->n_options; k++) {
        if (strcmp(args->option_name[k], "svg") != 0) {
            cli_mistake(error, "'regula plot -h' lists its options", "'plot' has no option --%s",
                        args->option_name[k]);
            return NULL;
        }
        svg = args->option_text[k];
    }
    return svg;
}

/* Flags of a run: there is none. */
static bool has_no_run(const cli_args *a, rg_error *error)
{
    const char *flag = a->report != NULL   ? "report"
                       : a->csv != NULL    ? "csv"
                       : a->json           ? "json"
                       : a->at != NULL     ? "at"
                       : a->points != NULL ? "points"
                       : a->n_settings > 0 ? "set"
                       : a->n_tables > 0   ? "table"
                       : a->from.is_given  ? "from"
                       : a->to.is_given    ? "to"
                                           : NULL;

    return flag == NULL
           || cli_mistake(error, "'regula plot -h' lists its options", "'plot' has no option --%s",
                          flag);
}

int cmd_plot(rg_context *ctx, int argc, char **argv)
{
    cli_args args;
    rg_figure figure;
    rg_error error = {.code = RG_OK};

    const bool is_read = cli_args_read(ctx, argc, argv, &args, &error);
    if (is_read && args.help) {
        write_help(stdout);
    } else if (is_read) {
        const char *svg = svg_of(&args, &error);
        if (error.code >= 0 && has_no_run(&args, &error) && cli_figure(&args, &figure, &error)) {
            FILE *to = cli_is_taken(&args, svg) ? stderr : stdout;
            const int width = cli_terminal(to, &figure);
            const rg_status status = rg_report_csv_figure(ctx, args.file, &figure, svg, width,
                                                          svg == NULL || args.plot ? to : NULL);
            if (status < 0) error = *rg_last_error(ctx);
        }
    }
    if (error.code < 0) rg_error_print(&error, stderr);
    const bool is_writing = args.file != NULL && access(args.file, R_OK) == 0;
    cli_args_clear(&args);
    return cli_exit_status(&error, is_writing);
}
