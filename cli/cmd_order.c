/* regula order FILE --method M: observed orders of convergence. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static void write_help(FILE *to)
{
    fputs(
        "regula order FILE.rg --method gauss --stages 3\n\n"
        "regula order FILE --method M [--stages S] [--order P] [--steps H1,H2,...] [OPTION ...]\n\n"
        "Solves with fixed steps and compares the errors at the end of the interval: observed\n"
        "order per unknown, theory beside it, and a verdict: ok, rounding (errors too small to\n"
        "tell) or below.  Errors are against the exact solution of the model, or against a run\n"
        "with a tight tolerance.  Exit 1 when an order is below theory by more than 0.3.\n\n"
        "  --steps LIST     fixed steps that divide the interval; without it a tenth of the\n"
        "                   interval and five halvings\n"
        "  --formulation F  direct (the model as written) unless given\n"
        "  --csv FILE       the table as CSV; '-': standard output\n"
        "  --svg FILE       errors over steps as a drawing, with the slopes of theory\n"
        "  --json           the table as JSON\n"
        "  --set, --from, --to, and the options of the methods: as for 'regula solve'\n",
        to);
}

/* Takes "NAME VALUE" or "NAME=VALUE" out of the words; NULL: it is not there. */
static const char *take_flag(const char *name, int *argc, char **argv)
{
    const size_t length = strlen(name);

    for (int k = 1; k < *argc; k++) {
        const bool has_value = strncmp(argv[k], name, length) == 0 && argv[k][length] == '=';
        if (!has_value && strcmp(argv[k], name) != 0) continue;
        if (!has_value && k + 1 >= *argc) return NULL;
        const char *list = has_value ? argv[k] + length + 1 : argv[k + 1];
        const int used = has_value ? 1 : 2;
        for (int i = k; i + used < *argc; i++)
            argv[i] = argv[i + used];
        *argc -= used;
        return list;
    }
    return NULL;
}

/* Numbers with commas between them; *steps is malloc'ed. */
static bool read_steps(const char *list, int *count, double **steps, rg_error *error)
{
    char word[64];

    *count = 0;
    *steps = NULL;
    if (list == NULL) return true;
    *steps = malloc((strlen(list) / 2 + 2) * sizeof **steps);
    if (*steps == NULL) return cli_mistake(error, "free memory", "out of memory");
    for (const char *at = list; at != NULL; at = strchr(at, ','), at += at != NULL) {
        const size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), at);
        if (!rg_parse_real(word, &(*steps)[(*count)++]))
            return cli_mistake(error, "give steps as in --steps 0.1,0.05,0.025",
                               "'%s' in --steps is not a number", word);
    }
    return true;
}

static rg_status measure(const cli_args *args, rg_problem *p, int count, const double *steps,
                         rg_orders **out)
{
    rg_options *o = NULL;
    double a, b;

    rg_problem_interval(p, &a, &b);
    rg_status status = cli_options(args, p, NULL, &o);
    if (status >= 0) status = rg_order_measure(p, b, o, count, steps, out);
    rg_options_destroy(&o);
    return status;
}

static void report(const cli_args *args, const char *svg, const rg_orders *o, rg_error *error)
{
    const bool is_output = args->csv != NULL && strcmp(args->csv, "-") == 0;

    if (args->csv != NULL && o != NULL && rg_orders_write_csv(o, args->csv) < 0 && error->code >= 0)
        *error = *rg_last_error(args->ctx);
    if (svg != NULL && o != NULL && rg_orders_write_svg(o, svg) < 0 && error->code >= 0)
        *error = *rg_last_error(args->ctx);
    if (args->json)
        rg_report_orders_json(args->file != NULL ? args->file : "", o, error, stdout);
    else if (o != NULL && !args->quiet && !is_output)
        rg_report_orders(o, stdout);
}

int cmd_order(rg_context *ctx, int argc, char **argv)
{
    cli_args args;
    rg_problem *p = NULL;
    rg_orders *o = NULL;
    rg_error error = {.code = RG_OK};
    int count = 0;
    double *steps = NULL;
    const char *list = take_flag("--steps", &argc, argv);
    const char *svg = take_flag("--svg", &argc, argv);

    const bool is_read = cli_args_read(ctx, argc, argv, &args, &error);
    if (is_read && args.help) {
        write_help(stdout);
    } else if (is_read) {
        cli_set_log(&args);
        if (read_steps(list, &count, &steps, &error)) p = cli_load(&args, &error);
        if (p != NULL && measure(&args, p, count, steps, &o) < 0) error = *rg_last_error(ctx);
        report(&args, svg, o, &error);
    }
    if (error.code < 0) rg_error_print(&error, stderr);
    const bool is_writing = o != NULL;
    free(steps);
    rg_orders_destroy(&o);
    rg_problem_destroy(&p);
    cli_args_clear(&args);
    return cli_exit_status(&error, is_writing);
}
