/* regula compare FILE --methods a,b:option=value,...
 *
 * Every method solves the same problem, with initial or with boundary values.  Errors are against
 * the exact solution of the model, or against a run with a tight tolerance (of radau; of
 * collocation or the transfer for boundary values), over 101 times; drift over the accepted
 * steps. */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 101 };
static const char REFERENCE_TOL[] = "1e-11";

typedef struct {
    comparison c;
    cli_args args;
    rg_problem *problem;
    rg_solution *reference; /* NULL: the model has an exact solution, or none could be had */
    bool is_known;          /* ... which of these */
    double times[POINTS], *y, *other;
} job;

/* Takes "--methods LIST" out of the words; NULL: it is not there. */
static const char *take_methods(int *argc, char **argv)
{
    for (int k = 1; k < *argc; k++) {
        const bool has_value = strncmp(argv[k], "--methods=", 10) == 0;
        if (!has_value && strcmp(argv[k], "--methods") != 0) continue;
        if (!has_value && k + 1 >= *argc) return NULL;
        const char *list = has_value ? argv[k] + 10 : argv[k + 1];
        const int used = has_value ? 1 : 2;
        for (int i = k; i + used < *argc; i++)
            argv[i] = argv[i + used];
        *argc -= used;
        return list;
    }
    return NULL;
}

static bool split_methods(const char *list, comparison *c, rg_error *error)
{
    while (list != NULL && *list != '\0') {
        const char *comma = strchr(list, ',');
        const size_t length = comma != NULL ? (size_t)(comma - list) : strlen(list);
        if (c->n_rows == COMPARE_MOST || length >= sizeof c->row[0].text)
            return cli_mistake(error, "give at most 16 methods, each with a few options",
                               "--methods has too much in it");
        if (length > 0) {
            memcpy(c->row[c->n_rows].text, list, length);
            c->row[c->n_rows++].text[length] = '\0';
        }
        list = comma != NULL ? comma + 1 : NULL;
    }
    return c->n_rows > 0
           || cli_mistake(error, "write --methods radau,srm:eps=1e-3:iterations=3",
                          "'regula compare' needs a list of methods");
}

/* "srm:eps=1e-3:iterations=3" over the options of the command and the model. */
static bool row_options(const job *j, const char *text, rg_options **o, rg_error *error)
{
    char copy[128], *rest = copy;

    snprintf(copy, sizeof copy, "%s", text);
    const char *method = strtok_r(rest, ":", &rest);
    rg_status status = cli_options(&j->args, j->problem, method, o);
    for (char *word; status >= 0 && (word = strtok_r(rest, ":", &rest)) != NULL;) {
        char *value = strchr(word, '=');
        if (value == NULL)
            return cli_mistake(error, "write METHOD:NAME=VALUE, as in srm:eps=1e-3",
                               "'%s' in --methods is not of the form NAME=VALUE", word);
        *value = '\0';
        status = rg_options_set(*o, word, value + 1);
    }
    if (status < 0) *error = *rg_last_error(j->args.ctx);
    return status >= 0;
}

static void take_largest(double value, double *largest)
{
    if (isfinite(value) && !(value <= *largest)) *largest = value;
}

/* Largest difference to the reference over the times, per unknown. */
static void compare_reference(const job *j, const rg_solution *s, compare_row *row)
{
    for (int k = 0; k < POINTS; k++) {
        if (rg_solution_eval(s, j->times[k], j->y, NULL) < 0
            || rg_solution_eval(j->reference, j->times[k], j->other, NULL) < 0)
            continue;
        for (int64_t i = 0; i < j->c.n; i++)
            take_largest(fabs(j->y[i] - j->other[i]), &row->errors[i]);
    }
}

static void take_result(const job *j, const rg_solution *s, compare_row *row)
{
    row->t = rg_solution_end(s);
    row->stats = rg_solution_stats(s);
    snprintf(row->method, sizeof row->method, "%s", rg_solution_method(s));
    row->n_levels = rg_solution_drift_levels(s);
    if (row->n_levels > COMPARE_LEVELS) row->n_levels = COMPARE_LEVELS;
    for (int k = 0; k < row->n_levels; k++)
        row->drift[k] = rg_solution_drift(s, k);
    if (j->c.has_exact)
        for (int64_t i = 0; i < j->c.n; i++)
            row->errors[i] = rg_solution_error(s, i);
    else if (j->reference != NULL)
        compare_reference(j, s, row);
    for (int64_t i = 0; i < j->c.n; i++) {
        const double before = row->error;
        take_largest(row->errors[i], &row->error);
        if (row->error > before || (isnan(before) && !isnan(row->error))) row->worst = i;
    }
}

static bool run_reference(job *j, const char *option, const char *value)
{
    rg_options *o = NULL;
    const rg_request request = {.keep = RG_KEEP_ROWS, .n_times = POINTS, .times = j->times};

    rg_status status = rg_options_create(j->args.ctx, &o);
    if (status >= 0) status = rg_options_set(o, "tol", REFERENCE_TOL);
    if (status >= 0) status = rg_options_set(o, option, value);
    if (status >= 0) status = rg_options_set(o, "newton", "full");
    if (status >= 0)
        status = rg_solve_request(j->problem, j->times[POINTS - 1], o, &request, &j->reference);
    rg_options_destroy(&o);
    if (status < 0)
        rg_solution_destroy(&j->reference);
    else
        snprintf(j->c.reference, sizeof j->c.reference, "%s", rg_solution_method(j->reference));
    return status >= 0;
}

/* Of the forms of radau, the projected one of index 1 is the most accurate between its steps;
 * not every model has it. */
static bool find_reference(job *j)
{
    if (rg_problem_is_boundary(j->problem))
        return run_reference(j, "method", "collocation") || run_reference(j, "method", "transfer");
    return run_reference(j, "formulation", "projected") || run_reference(j, "formulation", "auto");
}

/* Once something has been solved it is known whether the model has an exact solution; without
 * one, a reference is made. */
static void know_reference(job *j, const rg_solution *s)
{
    if (j->is_known) return;
    j->is_known = true;
    j->c.has_exact = rg_solution_has_exact(s) != 0;
    if (!j->c.has_exact) j->c.has_reference = find_reference(j);
}

static bool run_row(job *j, compare_row *row, rg_error *error)
{
    rg_options *o = NULL;
    rg_solution *s = NULL;

    row->errors = malloc((size_t)j->c.n * sizeof *row->errors + 1);
    if (row->errors == NULL) return cli_mistake(error, "free memory", "out of memory");
    for (int64_t i = 0; i < j->c.n; i++)
        row->errors[i] = NAN;
    row->error = row->t = NAN;
    row->worst = -1;
    if (!row_options(j, row->text, &o, error)) {
        rg_options_destroy(&o);
        return false;
    }
    const rg_request request = {.keep = RG_KEEP_ROWS, .n_times = POINTS, .times = j->times};
    const rg_status status = rg_solve_request(j->problem, j->times[POINTS - 1], o, &request, &s);
    rg_options_destroy(&o);
    row->is_done = status >= 0;
    if (status < 0) {
        *error = *rg_last_error(j->args.ctx);
        snprintf(row->message, sizeof row->message, "%s", error->message);
    }
    if (s != NULL) know_reference(j, s);
    if (s != NULL) take_result(j, s, row);
    rg_solution_destroy(&s);
    if (status < 0 && status != RG_ERR_INTERRUPTED && status != RG_ERR_ARGUMENT)
        error->code = RG_OK; /* a row of its own: the others go on */
    return error->code >= 0;
}

static bool prepare(job *j, rg_error *error)
{
    double a, b;

    j->problem = cli_load(&j->args, error);
    if (j->problem == NULL) return false;
    rg_problem_interval(j->problem, &a, &b);
    for (int k = 0; k < POINTS; k++)
        j->times[k] = k + 1 < POINTS ? a + (b - a) * k / (POINTS - 1) : b;
    j->c.n = rg_problem_size(j->problem);
    j->c.problem = j->problem;
    j->c.model = j->args.file;
    j->y = malloc((size_t)j->c.n * sizeof *j->y + 1);
    j->other = malloc((size_t)j->c.n * sizeof *j->other + 1);
    return (j->y != NULL && j->other != NULL) || cli_mistake(error, "free memory", "out of memory");
}

static bool run_all(job *j, rg_error *error)
{
    if (!prepare(j, error)) return false;
    for (int k = 0; k < j->c.n_rows; k++)
        if (!run_row(j, &j->c.row[k], error)) return false;
    return true;
}

static bool report(const job *j, rg_error *error)
{
    const char *path = j->args.csv;
    const bool is_output = path != NULL && strcmp(path, "-") == 0;

    if (j->args.json)
        compare_write_json(&j->c, stdout);
    else if (!j->args.quiet && !is_output)
        compare_write_table(&j->c, stdout);
    if (path == NULL) return true;
    FILE *file = is_output ? stdout : fopen(path, "w");
    if (file == NULL)
        return cli_mistake(error, "give another file name", "cannot write '%s'", path);
    compare_write_csv(&j->c, file);
    const bool failed = ferror(file) != 0;
    if (!is_output && (fclose(file) != 0 || failed))
        return cli_mistake(error, "make room", "cannot write '%s'", path);
    return true;
}

static void clear(job *j)
{
    for (int k = 0; k < j->c.n_rows; k++)
        free(j->c.row[k].errors);
    rg_solution_destroy(&j->reference);
    rg_problem_destroy(&j->problem);
    free(j->y);
    free(j->other);
    cli_args_clear(&j->args);
}

int cmd_compare(rg_context *ctx, int argc, char **argv)
{
    job j = {0};
    rg_error error = {.code = RG_OK};
    const char *list = take_methods(&argc, argv);

    const bool is_read = cli_args_read(ctx, argc, argv, &j.args, &error);
    if (is_read && j.args.help) {
        compare_write_help(stdout);
    } else if (is_read && split_methods(list, &j.c, &error)) {
        cli_set_log(&j.args);
        if (run_all(&j, &error)) report(&j, &error);
    }
    if (error.code < 0) rg_error_print(&error, stderr);
    clear(&j);
    return cli_exit_status(&error, false);
}
