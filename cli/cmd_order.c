/* The command `regula order FILE --method M` measures orders of convergence. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static void write_help(FILE *to)
{
    cli_write_text(
        to, "regula order FILE.rg --method gauss --stages 3\n\n"
            "regula order FILE --method M [--stages S] [--order P] [--steps H1,H2,...] ...\n\n"
            "Solves with fixed steps and compares the errors at the end of the interval:\n"
            "observed order per unknown, theory beside it, and a verdict: ok, rounding\n"
            "(errors too small to tell) or below.  Errors are against the exact solution of\n"
            "the model, or against a run with a tight tolerance.  Exit 1 when an order is\n"
            "below theory by more than 0.3.\n\n"
            "  --steps LIST     fixed steps that divide the interval; without it a tenth of\n"
            "                   the interval and five halvings, or less where a run fails\n"
            "  --intervals LIST numbers of mesh intervals, for --method turning-point:\n"
            "                   largest error over the mesh; with --set eps=1,1e-2,... also\n"
            "                   over these values, which gives the uniform rate; fields on grids:\n"
            "                   numbers of cells along the first axis, the others in proportion\n"
            "  --formulation F  direct (the model as written) unless given\n"
            "  --csv FILE       the table as CSV; '-': standard output\n"
            "  --svg FILE       errors over steps as a drawing, with the slopes of theory\n"
            "  --report FILE    a report as one HTML file\n"
            "  --json           the table as JSON\n"
            "  --set, --from, --to, and the options of the methods: as for 'regula solve'\n");
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
    for (const char *at = list, *next; at != NULL; at = next != NULL ? next + 1 : NULL) {
        const size_t length = strcspn(at, ",");
        next = strchr(at, ',');
        snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), at);
        if (!rg_parse_real(word, &(*steps)[(*count)++]))
            return cli_mistake(error, "give steps as in --steps 0.1,0.05,0.025",
                               "'%s' in --steps is not a number", word);
    }
    return true;
}

/* ---- meshes of boundary value methods ------------------------------------------------------- */

enum { MOST_VALUES = 64 };

typedef struct { /* --set NAME=V1,V2,...: one problem for each value */
    char name[64];
    int n;
    double value[MOST_VALUES];
    rg_problem *problem[MOST_VALUES];
} family;

/* Takes a --set with a list out of the words. */
static bool take_family(int *argc, char **argv, family *f, rg_error *error)
{
    for (int k = 1; k + 1 < *argc; k++) {
        const char *equals = strchr(argv[k + 1], '=');
        double *values;
        if (strcmp(argv[k], "--set") != 0 || equals == NULL || strchr(equals, ',') == NULL)
            continue;
        snprintf(f->name, sizeof f->name, "%.*s", (int)(equals - argv[k + 1]), argv[k + 1]);
        if (!read_steps(equals + 1, &f->n, &values, error)) {
            free(values);
            return false;
        }
        if (f->n > MOST_VALUES) f->n = MOST_VALUES;
        memcpy(f->value, values, (size_t)f->n * sizeof *values);
        free(values);
        for (int i = k; i + 2 < *argc; i++)
            argv[i] = argv[i + 2];
        *argc -= 2;
        return true;
    }
    return true;
}

static void clear_family(family *f)
{
    for (int k = 0; k < MOST_VALUES; k++)
        rg_problem_destroy(&f->problem[k]);
}

/* The first problem belongs to the caller. */
static rg_status load_family(const cli_args *args, family *f)
{
    rg_setting *settings = calloc((size_t)args->n_settings + 1, sizeof *settings);
    rg_status status = settings == NULL ? RG_ERR_MEMORY : RG_OK;

    for (int k = 0; k < f->n && status >= 0; k++) {
        memcpy(settings, args->settings, (size_t)args->n_settings * sizeof *settings);
        settings[args->n_settings] = (rg_setting){f->name, f->value[k]};
        status = rg_problem_from_file_tables(args->ctx, args->file, args->n_settings + 1, settings,
                                             args->n_tables, args->tables, &f->problem[k]);
    }
    free(settings);
    return status;
}

static rg_status measure_meshes(const cli_args *args, rg_problem *p, family *f, int count,
                                const double *list, rg_orders **out)
{
    int intervals[MOST_VALUES];
    rg_options *o = NULL;

    if (count > MOST_VALUES) count = MOST_VALUES;
    for (int k = 0; k < count; k++)
        intervals[k] = (int)list[k];
    rg_status status = cli_options(args, p, NULL, &o);
    if (status >= 0) status = load_family(args, f);
    if (status >= 0)
        status = rg_order_intervals(f->n > 0 ? f->n : 1, f->n > 0 ? f->problem : &p,
                                    f->n > 0 ? f->value : NULL, o, count, intervals, out);
    rg_options_destroy(&o);
    return status;
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
    const bool is_output = cli_is_taken(args, svg);

    if (args->csv != NULL && o != NULL && rg_orders_write_csv(o, args->csv) < 0 && error->code >= 0)
        *error = *rg_last_error(args->ctx);
    if (svg != NULL && o != NULL && rg_orders_write_svg(o, svg) < 0 && error->code >= 0)
        *error = *rg_last_error(args->ctx);
    rg_figure figure;
    if (args->report != NULL && o != NULL && error->code >= 0 && cli_figure(args, &figure, error)
        && rg_orders_write_html(o, &figure, args->report) < 0)
        *error = *rg_last_error(args->ctx);
    if (args->json)
        rg_report_orders_json(args->file != NULL ? args->file : "", o, error, stdout);
    else if (o != NULL && !args->quiet && !is_output)
        rg_report_orders(o, stdout);
}

int cmd_order(rg_context *ctx, int argc, char **argv)
{
    cli_args args = {.ctx = ctx};
    rg_problem *p = NULL;
    rg_orders *o = NULL;
    rg_error error = {.code = RG_OK};
    int count = 0;
    double *steps = NULL;
    char *line = cli_line(argc, argv);
    const char *list = cli_take(&argc, argv, "steps", false);
    const char *svg = cli_take(&argc, argv, "svg", false);
    const char *meshes = cli_take(&argc, argv, "intervals", false);
    family f = {.n = 0};

    const bool is_read = (meshes == NULL || take_family(&argc, argv, &f, &error))
                         && cli_args_read(ctx, argc, argv, &args, &error);
    cli_args_set_line(&args, line);
    if (is_read && args.help) {
        write_help(stdout);
    } else if (!is_read) {
        if (args.json) rg_report_orders_json(args.file != NULL ? args.file : "", o, &error, stdout);
    } else {
        cli_set_log(&args);
        if (cli_check_outputs(&args, NULL, svg, &error)
            && read_steps(meshes != NULL ? meshes : list, &count, &steps, &error))
            p = cli_load(&args, &error);
        if (p != NULL
            && (meshes != NULL ? measure_meshes(&args, p, &f, count, steps, &o)
                               : measure(&args, p, count, steps, &o))
                   < 0)
            error = *rg_last_error(ctx);
        report(&args, svg, o, &error);
    }
    if (error.code < 0) cli_print_error(&error);
    const bool is_writing = o != NULL;
    free(steps);
    rg_orders_destroy(&o);
    clear_family(&f);
    rg_problem_destroy(&p);
    cli_args_clear(&args);
    return cli_exit_status(&error, is_writing);
}
