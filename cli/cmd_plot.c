/* regula plot FILE.csv */
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
        if (error.code >= 0 && cli_figure(&args, &figure, &error)) {
            const int width = cli_terminal(stdout, &figure);
            const rg_status status = rg_report_csv_figure(ctx, args.file, &figure, svg, width,
                                                          svg == NULL ? stdout : NULL);
            if (status < 0) error = *rg_last_error(ctx);
        }
    }
    if (error.code < 0) rg_error_print(&error, stderr);
    const bool is_writing = args.file != NULL && access(args.file, R_OK) == 0;
    cli_args_clear(&args);
    return cli_exit_status(&error, is_writing);
}
