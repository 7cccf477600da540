/* The command `regula sweep FILE --over NAME=SPEC ...`: solves a model for many values of its
 * parameters. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void write_help(FILE *to)
{
    fputs(
        "regula sweep pendulum.rg --over l=0.5..2:16 --csv sweep.csv\n\n"
        "regula sweep FILE --over NAME=VALUES ... [OPTION ...]\n\n"
        "One model, many runs, on all cores: a row per run, with the outputs at the end.  Several\n"
        "--over make all combinations, the last one varies fastest.  Runs that fail are rows "
        "too.\n\n"
        "  --over NAME=1,2,3               these values\n"
        "  --over NAME=A..B:N              N values from A to B; A..B:N:log: geometric\n"
        "  --over 'NAME=normal(M,S):N'     random, mean M, standard deviation S; also\n"
        "                                  uniform(A,B):N; all random ones are drawn together\n"
        "  --over @FILE.csv                columns named like parameters, a run per line\n"
        "  --over 'start(x)=...'           a start value in place of a parameter\n"
        "  --zip                           first values with first values, and so on\n"
        "  --seed S                        of random values (default: 1)\n"
        "  --jobs N                        threads (default: all cores); no result depends on it\n"
        "  --task I/N                      only the runs I, I+N, ...; 'auto': of a job array\n"
        "  --resume                        goes on with the rows that --csv FILE has\n"
        "  --csv FILE, --json              the rows; JSON has statistics over them\n"
        "  --report FILE.html              a report that draws the outputs over the parameters\n"
        "  --at T1,T2,...                  outputs at these times, as p(2), not at the end\n"
        "  --set, --from, --to, --no-estimate, and the options of the methods: as for solve\n",
        to);
}

typedef struct {
    cli_args args;
    rg_problem *problem;
    rg_options *options;
    rg_sweep_table *table;
    double *times;
    rg_sweep sweep;
    const char **over; /* words of the command line */
    cli_progress progress;
    bool has_started, is_table_full;
    rg_status common; /* of all failures; RG_OK: they differ */
    char first[700];  /* message of the first one */
    int64_t first_run, done, failed;
} job;

/* ---- the command line ------------------------------------------------------------------------ */

static bool read_whole(const char *flag, const char *text, double least, double most, double *out,
                       rg_error *error)
{
    if (rg_parse_real(text, out) && *out == floor(*out) && *out >= least && *out <= most)
        return true;
    cli_mistake(error, "", "'--%s %s' is not accepted", flag, text);
    snprintf(error->remedy, sizeof error->remedy, "give a whole number from %g to %g", least, most);
    return false;
}

static bool read_pair(const char *text, int64_t *task, int64_t *n_tasks)
{
    char *end, *last;

    *task = strtoll(text, &end, 10);
    if (end == text || *end != '/') return false;
    *n_tasks = strtoll(end + 1, &last, 10);
    return last != end + 1 && *last == '\0' && *task >= 1 && *n_tasks >= *task;
}

/* --task auto, or auto/N where the batch system does not tell the number of tasks: arrays count
 * from 1 (SLURM: from SLURM_ARRAY_TASK_MIN). */
static bool read_task_auto(job *j, const char *given, rg_error *error)
{
    const char *id = getenv("SLURM_ARRAY_TASK_ID"), *count = getenv("SLURM_ARRAY_TASK_COUNT");
    const char *least = getenv("SLURM_ARRAY_TASK_MIN");
    double task, n_tasks = 0, first = 1;

    if (id == NULL) {
        id = getenv("PBS_ARRAYID") != NULL ? getenv("PBS_ARRAYID") : getenv("PBS_ARRAY_INDEX");
        count = least = NULL;
    }
    if (given != NULL) count = given;
    if (id == NULL)
        return cli_mistake(error, "give --task I/N outside of a job array",
                           "'--task auto' found neither SLURM_ARRAY_TASK_ID nor PBS_ARRAYID");
    if (count == NULL)
        return cli_mistake(error, "give their number: --task auto/8",
                           "'--task auto' does not know how many tasks there are");
    if (!rg_parse_real(id, &task) || !rg_parse_real(count, &n_tasks)
        || (least != NULL && !rg_parse_real(least, &first)) || task < first
        || task - first + 1 > n_tasks || task != floor(task) || n_tasks != floor(n_tasks)
        || first != floor(first))
        return cli_mistake(error, "number the tasks of the array from 1 to their count",
                           "'--task auto': there is no task %s of %s", id, count);
    j->sweep.task = (int64_t)(task - first) + 1;
    j->sweep.n_tasks = (int64_t)n_tasks;
    return true;
}

static bool read_task(job *j, const char *text, rg_error *error)
{
    if (strcmp(text, "auto") == 0) return read_task_auto(j, NULL, error);
    if (strncmp(text, "auto/", 5) == 0) return read_task_auto(j, text + 5, error);
    if (read_pair(text, &j->sweep.task, &j->sweep.n_tasks)) return true;
    return cli_mistake(error, "write --task I/N with I from 1 to N, as in --task 3/8",
                       "'--task %s' is not accepted", text);
}

/* The flags that only a sweep has, out of the words. */
static bool read_flags(job *j, int *argc, char **argv, rg_error *error)
{
    const char *value;
    double number;

    j->over = calloc((size_t)*argc + 1, sizeof *j->over);
    if (j->over == NULL) return cli_mistake(error, "free memory", "out of memory");
    while ((value = cli_take(argc, argv, "over", false)) != NULL)
        j->over[j->sweep.n_over++] = value;
    j->sweep.over = j->over;
    j->sweep.zip = cli_take(argc, argv, "zip", true) != NULL;
    j->sweep.resume = cli_take(argc, argv, "resume", true) != NULL;
    if ((value = cli_take(argc, argv, "seed", false)) != NULL) {
        if (!read_whole("seed", value, 1, 9e15, &number, error)) return false;
        j->sweep.seed = (uint64_t)number;
    }
    if ((value = cli_take(argc, argv, "jobs", false)) != NULL) {
        if (!read_whole("jobs", value, 1, 1024, &number, error)) return false;
        j->sweep.jobs = (int)number;
    }
    value = cli_take(argc, argv, "task", false);
    return value == NULL || read_task(j, value, error);
}

/* ---- the run --------------------------------------------------------------------------------- */

static int take_row(const rg_sweep_row *row, void *user)
{
    job *j = user;

    j->done++;
    if (row->status < 0) {
        if (j->failed++ == 0) {
            j->common = row->status;
            j->first_run = row->run;
            snprintf(j->first, sizeof j->first, "%s", row->message);
        } else if (j->common != row->status) {
            j->common = RG_OK;
        }
    }
    cli_progress_runs(&j->progress, j->done, row->runs);
    j->is_table_full = j->table != NULL && rg_sweep_table_take(row, j->table) != 0;
    return j->is_table_full;
}

/* Some failed: exit status 1; all of them for the same reason: that of a single run. */
static void tell_failures(const job *j, rg_error *error)
{
    if (j->failed == 0) return;
    const bool is_all = j->failed == j->done && j->common != RG_OK;
    cli_mistake(error, "", "%lld of %lld runs failed; run %lld: %s", (long long)j->failed,
                (long long)j->done, (long long)j->first_run, j->first);
    snprintf(error->remedy, sizeof error->remedy,
             j->table != NULL ? "the table tells why each of them did"
                              : "'--json' tells why each of them did");
    error->code = is_all ? j->common : RG_ERR_CONVERGENCE;
}

/* The report, also where runs failed. */
static bool write_html(job *j, rg_error *error)
{
    const cli_args *args = &j->args;
    rg_figure figure;

    if (args->report == NULL) return true;
    if (!cli_figure(args, &figure, error)) return false;
    if (rg_sweep_table_write_html(j->table, j->problem, &figure, args->report) >= 0) return true;
    *error = *rg_last_error(args->ctx);
    return false;
}

/* --set NAME beside --over NAME: one of them would not be heard. */
static bool check_settings(const job *j, rg_error *error)
{
    for (int k = 0; k < j->args.n_settings; k++)
        for (int i = 0; i < j->sweep.n_over; i++) {
            const char *name = j->args.settings[k].name;
            const size_t length = strlen(name);
            if (strncmp(j->over[i], name, length) == 0 && j->over[i][length] == '=')
                return cli_mistake(error, "leave one of them out",
                                   "'%s' is both set by --set and swept by --over", name);
        }
    return true;
}

static bool run(job *j, rg_error *error)
{
    const cli_args *args = &j->args;
    rg_status status = RG_OK;

    if (!check_settings(j, error)) return false;
    if ((j->problem = cli_load(args, error)) == NULL) return false;
    if (!cli_times(args, j->problem, &j->sweep.n_times, &j->times, error)) return false;
    if (args->json || args->report != NULL || !args->quiet)
        status = rg_sweep_table_create(args->ctx, &j->table);
    if (status >= 0) status = cli_options(args, j->problem, NULL, &j->options);
    j->sweep.options = j->options;
    j->sweep.times = j->times;
    j->sweep.from = args->from.is_given ? &args->from.value : NULL;
    j->sweep.to = args->to.is_given ? &args->to.value : NULL;
    j->sweep.estimate = !args->no_estimate;
    j->sweep.csv = args->csv;
    cli_progress_init(&j->progress, args, j->problem);
    j->has_started = true;
    cli_busy(&j->progress);
    if (status >= 0) status = rg_sweep_run(j->problem, &j->sweep, take_row, j);
    cli_idle();
    cli_progress_clear(&j->progress);
    if (status >= 0 && !j->is_table_full) {
        tell_failures(j, error);
        return write_html(j, error) && error->code >= 0;
    }
    *error = *rg_last_error(args->ctx);
    return false;
}

static void report(const job *j, const rg_error *error)
{
    const cli_args *args = &j->args;

    if (args->json)
        rg_report_sweep_json(args->file != NULL ? args->file : "", j->table, error, stdout);
    else if (j->done > 0 && !args->quiet)
        rg_report_sweep(j->table, cli_is_taken(args, NULL) ? stderr : stdout);
    fflush(stdout);
    if (error->code >= 0) return;
    if (rg_error_count(args->ctx) > 1 && j->done == 0)
        cli_print_errors(args->ctx);
    else
        rg_error_print(error, stderr);
}

int cmd_sweep(rg_context *ctx, int argc, char **argv)
{
    job j = {.common = RG_OK};
    rg_error error = {.code = RG_OK};
    char *line = cli_line(argc, argv);

    const bool has_flags = read_flags(&j, &argc, argv, &error);
    rg_error mistake = error;
    const bool is_read = cli_args_read(ctx, argc, argv, &j.args, &error) && has_flags;
    cli_args_set_line(&j.args, line);
    if (!has_flags) error = mistake;
    if (is_read && j.args.help) {
        write_help(stdout);
    } else {
        if (is_read) {
            cli_set_log(&j.args);
            run(&j, &error);
        }
        report(&j, &error);
    }
    cli_leave(&error);
    rg_sweep_table_destroy(&j.table);
    rg_options_destroy(&j.options);
    rg_problem_destroy(&j.problem);
    free(j.times);
    free(j.over);
    cli_args_clear(&j.args);
    return cli_exit_status(&error, j.has_started);
}
