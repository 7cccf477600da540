/* The command `regula gather PART.csv ... --csv FILE`: puts the tables of a sweep that was run in
 * parts together. */
#include "cli.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_help(FILE *to)
{
    fputs("regula gather part*.csv --csv all.csv\n\n"
          "regula gather TABLE.csv ... --csv FILE [--runs N]\n\n"
          "Merges the tables that 'regula sweep --task I/N' has written into one, in the order of\n"
          "the runs, after checking that none is missing and none is there twice.\n\n"
          "  --csv FILE   the whole table; '-': standard output\n"
          "  --runs N     how many runs there must be (default: the largest number of one)\n",
          to);
}

static bool gather(rg_context *ctx, int argc, char **argv, const char *csv, const char *runs,
                   rg_error *error)
{
    double count = 0;

    for (int k = 1; k < argc; k++)
        if (strncmp(argv[k], "--", 2) == 0)
            return cli_mistake(error, "'regula gather -h' lists its options",
                               "'gather' has no option %s", argv[k]);
    if (csv == NULL || csv[0] == '\0' || argc < 2)
        return cli_mistake(error, "write regula gather part*.csv --csv all.csv",
                           "'regula gather' needs tables, and a file for the result");
    if (runs != NULL && (!rg_parse_real(runs, &count) || count < 1 || count != floor(count)))
        return cli_mistake(error, "give a whole number", "'--runs %s' is not accepted", runs);
    if (rg_sweep_gather(ctx, argc - 1, (const char *const *)argv + 1, (int64_t)count, csv) >= 0)
        return true;
    *error = *rg_last_error(ctx);
    return false;
}

/* What fails then is writing. */
static bool are_readable(int n, char **files)
{
    struct stat info;

    for (int k = 0; k < n; k++)
        if (access(files[k], R_OK) != 0 || stat(files[k], &info) != 0 || !S_ISREG(info.st_mode))
            return false;
    return true;
}

int cmd_gather(rg_context *ctx, int argc, char **argv)
{
    rg_error error = {.code = RG_OK};
    const char *csv = cli_take(&argc, argv, "csv", false);
    const char *runs = cli_take(&argc, argv, "runs", false);

    if (argc > 1 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
        write_help(stdout);
        return EXIT_SOLVED;
    }
    if (!gather(ctx, argc, argv, csv, runs, &error)) rg_error_print(&error, stderr);
    return cli_exit_status(&error, are_readable(argc - 1, argv + 1));
}
