/* The command `regula compare FILE --methods a,b:option=value,...`: solves one model by several
 * methods and puts their errors and costs beside each other. */
#include "cli.h"

#include <stdlib.h>
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
            "With --at, --columns or --show-iterates the table is one as in papers: 'error' of\n"
            "the unknowns but the multipliers, 'By', the error of the constraint force of\n"
            "x' = f - B y, 0 = g, the residuals 'g' and 'g'', at these times or, without\n"
            "--at, as maxima over the mesh points; also 'iterations', 'steps',\n"
            "'evaluations', 'seconds'.  With a fixed step values are those of the mesh point\n"
            "next to a time, By that of the last collocation point before it.\n\n"
            "  --methods LIST   what to compare\n"
            "  --at T1,T2,...   rows of the table; or --points N\n"
            "  --columns LIST   of the table: error,By,g\n"
            "  --show-iterates  all iterates of srm side by side\n"
            "  --csv FILE       the table as CSV; '-': standard output\n"
            "  --svg FILE       errors over evaluations as a figure\n"
            "  --report FILE    a report as one HTML file\n"
            "  --json           the table as JSON\n"
            "  --set, --from, --to, and the options of the methods: as for 'regula solve'\n");
}

typedef struct { /* flags of this command alone; NULL: not given */
    const char *methods, *svg, *columns, *iterates;
} flags;

/* False: *error tells. */
static bool compare(const cli_args *args, rg_problem *p, const flags *f, rg_comparison **out,
                    rg_error *error)
{
    rg_options *o = NULL;
    rg_compare_request table = {.columns = f->columns, .show_iterates = f->iterates != NULL};
    double a, b, *times = NULL;

    rg_problem_interval(p, &a, &b);
    if (f->columns != NULL && f->columns[0] == '\0')
        return cli_mistake(error, "write --columns error,By,g", "--columns needs a value");
    if (!cli_times(args, p, &table.n_times, &times, error)) {
        free(times);
        return false;
    }
    table.times = times;
    const bool is_table = times != NULL || f->columns != NULL || f->iterates != NULL;
    rg_status status = cli_options(args, p, NULL, &o);
    if (status >= 0)
        status = is_table ? rg_compare_table(p, b, o, f->methods, &table, out)
                          : rg_compare(p, b, o, f->methods, out);
    if (status < 0) *error = *rg_last_error(args->ctx);
    rg_options_destroy(&o);
    free(times);
    return status >= 0;
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

/* A table of failures alone is no result: the exit status is that of the first one. */
static void judge(const rg_comparison *c, rg_error *error)
{
    const int count = rg_comparison_count(c);
    rg_compare_row row;

    if (error->code < 0 || count == 0) return;
    for (int k = count - 1; k >= 0; k--) /* the first row is the last one looked at */
        if (rg_comparison_row(c, k, &row) < 0 || row.status >= 0) return;
    cli_mistake(error,
                "read why in the row of each method; 'regula solve' with the first one says "
                "what to change",
                count > 1 ? "none of the %d methods solved it" : "the method did not solve it",
                count);
    error->code = row.status;
}

int cmd_compare(rg_context *ctx, int argc, char **argv)
{
    cli_args args;
    rg_problem *p = NULL;
    rg_comparison *c = NULL;
    rg_error error = {.code = RG_OK};
    char *line = cli_line(argc, argv);
    const flags f = {cli_take(&argc, argv, "methods", false), cli_take(&argc, argv, "svg", false),
                     cli_take(&argc, argv, "columns", false),
                     cli_take(&argc, argv, "show-iterates", true)};

    const bool is_read = cli_args_read(ctx, argc, argv, &args, &error);
    cli_args_set_line(&args, line);
    if (is_read && args.help) {
        write_help(stdout);
    } else if (is_read) {
        cli_set_log(&args);
        if (cli_check_outputs(&args, NULL, f.svg, &error)) p = cli_load(&args, &error);
        if (p != NULL) compare(&args, p, &f, &c, &error);
        if (c != NULL) report(&args, f.svg, c, &error);
        if (c != NULL) write_figures(&args, c, f.svg, &error);
        if (c != NULL) judge(c, &error);
    }
    if (c == NULL && args.json && !args.help) /* no table: why */
        rg_report_solution_json(args.file != NULL ? args.file : "", p, NULL, &error, stdout);
    if (error.code < 0) cli_print_error(&error);
    const bool is_writing = c != NULL;
    rg_comparison_destroy(&c);
    rg_problem_destroy(&p);
    cli_args_clear(&args);
    return cli_exit_status(&error, is_writing);
}
