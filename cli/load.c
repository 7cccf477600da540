/* The model, its interval and its options, as the command line changes them. */
#include "cli.h"
#include "examples.h"

#include <string.h>
#include <unistd.h>

/* A file that is not there: its name without .rg, or the name of a shipped model? */
static void advise(const char *file, rg_error *error)
{
    const size_t length = strlen(file);
    const bool has_ending = length > 3 && strcmp(file + length - 3, ".rg") == 0;
    const int stem = (int)(has_ending ? length - 3 : length);
    char other[256];

    if (access(file, F_OK) == 0) return;
    snprintf(other, sizeof other, "%s.rg", file);
    if (!has_ending && access(other, R_OK) == 0) {
        snprintf(error->remedy, sizeof error->remedy, "did you mean '%s'?", other);
        return;
    }
    for (int k = 0; k < rg_example_count; k++)
        if ((int)strlen(rg_examples[k].name) == stem
            && strncmp(rg_examples[k].name, file, (size_t)stem) == 0)
            snprintf(error->remedy, sizeof error->remedy,
                     "'regula example %.*s > %.*s.rg' writes the shipped model of this name", stem,
                     file, stem, file);
}

/* --from or --to.  One of them alone is no wish to run the other way. */
static bool move_interval(const cli_args *args, rg_problem *p, rg_error *error)
{
    double a, b;

    rg_problem_interval(p, &a, &b);
    const double from = args->from.is_given ? args->from.value : a;
    const double to = args->to.is_given ? args->to.value : b;
    if (args->from.is_given != args->to.is_given && from != to && (from < to) != (a < b)) {
        cli_mistake(error, "",
                    "'--%s %.10g' lies behind the other end of the interval %.10g .. %.10g",
                    args->from.is_given ? "from" : "to", args->from.is_given ? from : to, a, b);
        snprintf(error->remedy, sizeof error->remedy,
                 "give --%s as well; --from %.10g --to %.10g runs the other way",
                 args->from.is_given ? "to" : "from", from, to);
        return false;
    }
    if (rg_problem_set_interval(p, from, to) >= 0) return true;
    *error = *rg_last_error(args->ctx);
    return false;
}

rg_problem *cli_load(const cli_args *args, rg_error *error)
{
    rg_problem *p = NULL;

    cli_busy(NULL);
    rg_status status = rg_problem_from_file_tables(
        args->ctx, args->file, args->n_settings, args->settings, args->n_tables, args->tables, &p);
    cli_idle();

    if (status >= 0) {
        const bool is_moved = args->from.is_given || args->to.is_given;
        if (!is_moved || move_interval(args, p, error)) return p;
    } else {
        *error = *rg_last_error(args->ctx);
        if (error->code == RG_ERR_IO) advise(args->file, error);
    }
    rg_problem_destroy(&p);
    return NULL;
}

rg_status cli_options(const cli_args *args, const rg_problem *p, const char *method,
                      rg_options **out)
{
    rg_status status = rg_options_create(args->ctx, out);
    rg_options *o = *out;

    if (status >= 0) status = rg_problem_options(p, o);
    for (int k = 0; method == NULL && k < args->n_options; k++)
        if (strcmp(args->option_name[k], "method") == 0) method = args->option_text[k];
    for (int k = 0; status >= 0 && k < args->n_options; k++)
        status = rg_options_set(o, args->option_name[k], args->option_text[k]);
    if (status >= 0 && method != NULL) status = rg_options_set(o, "method", method);
    return status;
}
