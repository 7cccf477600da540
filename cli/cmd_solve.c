/* The command `regula solve FILE`: solves a model and writes its rows, a summary and reports. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    char **words; /* of the command */
    rg_problem *problem;
    rg_solution *solution;
    double *times;
    bool is_running;  /* from here on an RG_ERR_IO is one of writing */
    rg_figure figure; /* what --show, --size and --log say */
    char svg[256];    /* a figure of the outputs; "": none */
} job;

static const double AT_ONCE = 1e-9; /* seconds between checkpoints: none; 0 is the default */

enum { LARGE = 2000 }; /* unknowns of a model whose steps are kept without their polynomials */

static bool is_drawn(const cli_args *args, const job *j)
{
    return args->plot || args->report != NULL || j->svg[0] != '\0';
}

/* Every chosen time is kept only where the report shows it; a figure wants the steps. */
static rg_keep what_to_keep(const cli_args *args, const job *j, int64_t n_times)
{
    const bool is_small =
        !rg_problem_has_fields(j->problem) && rg_problem_size(j->problem) <= LARGE;

    if (is_drawn(args, j)) return n_times == 0 && is_small ? RG_KEEP_STEPS : RG_KEEP_ROWS;
    return args->json && n_times > 0 ? RG_KEEP_ROWS : RG_KEEP_LAST;
}

/* Of fields --svg is the library's; a figure of outputs is made here. */
static rg_status take_svg(const cli_args *args, job *j, rg_options *o)
{
    if (rg_problem_has_fields(j->problem) && args->show == NULL) return RG_OK;
    rg_options_get(o, "svg", j->svg, sizeof j->svg);
    return rg_options_set(o, "svg", "");
}

static rg_status read_options(const cli_args *args, job *j, rg_options **options, rg_error *error)
{
    rg_status status = cli_options(args, j->problem, NULL, options);

    if (status >= 0 && cli_ranks(*options) > 0 && !rg_problem_has_fields(j->problem)) {
        cli_mistake(error, "leave it away", "--ranks is for models with fields");
        return RG_ERR_ARGUMENT;
    }
    if (status >= 0 && !cli_check_outputs(args, *options, NULL, error)) return RG_ERR_ARGUMENT;
    if (status >= 0 && cli_wants_grid(j->problem, *options)) {
        cli_run_grid(args, *options, j->words, error);
        return RG_ERR_ARGUMENT;
    }
    if (status >= 0) status = take_svg(args, j, *options);
    if (status < 0) *error = *rg_last_error(args->ctx);
    return status;
}

static rg_status run(const cli_args *args, job *j, int64_t n_times, rg_error *error)
{
    rg_options *options = NULL;
    cli_progress progress;
    double a, b;

    rg_status status = read_options(args, j, &options, error);
    if (status < 0) {
        rg_options_destroy(&options);
        return status;
    }
    cli_progress_init(&progress, args, j->problem);
    rg_problem_interval(j->problem, &a, &b);
    const rg_request request = {.keep = what_to_keep(args, j, n_times),
                                .n_times = n_times,
                                .times = j->times,
                                .output = cli_progress_step,
                                .user = &progress,
                                .only_time = 1,
                                .csv = args->csv,
                                .estimate = !args->no_estimate,
                                .may_repeat = 1,
                                .checkpoint = args->checkpoint,
                                .checkpoint_every = args->every.is_given && args->every.value == 0.0
                                                        ? AT_ONCE
                                                        : args->every.value,
                                .resume = args->resume};
    j->is_running = true;
    cli_busy(&progress);
    status = rg_solve_request(j->problem, b, options, &request, &j->solution);
    cli_idle();
    cli_progress_clear(&progress);
    rg_options_destroy(&options);
    if (status < 0) *error = *rg_last_error(args->ctx);
    return status;
}

/* "FILE.part" for what is not complete. */
static bool part_name(const char *file, char *name, size_t size)
{
    return file != NULL && file[0] != '\0' && strcmp(file, "-") != 0
           && snprintf(name, size, "%s.part", file) < (int)size;
}

/* Figures of what was computed before a failure. */
static void draw_part(const cli_args *args, job *j, rg_error *error)
{
    char name[1100];
    const int used = (int)strlen(error->remedy), room = (int)sizeof error->remedy - used;
    const rg_error why = *error;

    if (j->solution == NULL || rg_solution_rows(j->solution) < 2) return;
    if (part_name(j->svg, name, sizeof name))
        rg_report_svg(j->solution, j->problem, &j->figure, name);
    if (!part_name(args->report, name, sizeof name)) return;
    j->figure.error = &why;
    if (rg_report_html_with(j->solution, j->problem, &j->figure, name) >= 0)
        snprintf(error->remedy + used, (size_t)room,
                 " (a report of what was computed is in '%.*s')", room > 50 ? room - 50 : 0, name);
    j->figure.error = NULL;
}

static bool solve(const cli_args *args, job *j, rg_error *error)
{
    int64_t n_times;

    if (!cli_figure(args, &j->figure, error)) return false;
    j->problem = cli_load(args, error);
    if (j->problem == NULL) return false;
    if (!cli_times(args, j->problem, &n_times, &j->times, error)) return false;
    rg_status status = run(args, j, n_times, error);
    if (status < 0) {
        draw_part(args, j, error);
        return false;
    }
    if (status >= 0 && j->svg[0] != '\0')
        status = rg_report_svg(j->solution, j->problem, &j->figure, j->svg);
    if (status >= 0 && args->report != NULL)
        status = rg_report_html_with(j->solution, j->problem, &j->figure, args->report);
    if (status >= 0) return true;
    *error = *rg_last_error(args->ctx);
    return false;
}

/* What was computed, also after a failure. */
static void plot(const cli_args *args, job *j, rg_error *error)
{
    FILE *to = args->json || cli_is_taken(args, j->svg) ? stderr : stdout;

    if (!args->plot || j->solution == NULL || rg_solution_rows(j->solution) == 0) return;
    if (to == stdout && !args->quiet) fputs("\n", to);
    const int width = cli_terminal(to, &j->figure);
    const rg_status status = rg_report_figure(j->solution, j->problem, &j->figure, width, to);
    if (status < 0 && error->code >= 0) *error = *rg_last_error(args->ctx);
}

static void report(const cli_args *args, const job *j, const rg_error *error)
{
    if (args->json) {
        rg_report_solution_json(args->file != NULL ? args->file : "", j->problem, j->solution,
                                error, stdout);
    } else if (j->solution != NULL && !args->quiet) {
        cli_sheet sheet;
        rg_report_solution(
            j->solution,
            cli_sheet_open(&sheet, cli_is_taken(args, j->svg) ? stderr : stdout, true));
        cli_sheet_close(&sheet);
    }
}

static void print_failure(const cli_args *args, const rg_error *error)
{
    if (error->code >= 0) return;
    fflush(stdout);
    if (rg_error_count(args->ctx) > 1)
        cli_print_errors(args->ctx);
    else
        cli_print_error(error);
}

int cmd_solve(rg_context *ctx, int argc, char **argv)
{
    cli_args args;
    job j = {.words = argv};
    rg_error error = {.code = RG_OK};

    const bool is_read = cli_args_read(ctx, argc, argv, &args, &error);
    if (is_read && args.help) {
        cli_write_command_help("solve", stdout);
    } else {
        if (is_read) {
            cli_set_log(&args);
            solve(&args, &j, &error);
        }
        report(&args, &j, &error);
        plot(&args, &j, &error);
        print_failure(&args, &error);
    }
    cli_leave(&error);
    rg_solution_destroy(&j.solution);
    rg_problem_destroy(&j.problem);
    free(j.times);
    cli_args_clear(&args);
    return cli_exit_status(&error, j.is_running);
}
