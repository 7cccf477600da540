/* The flags of the command.  Those of the methods come from the option table of the library. */
#include "cli.h"

#include <string.h>

const cli_flag cli_flags[] = {
    {"set",              "NAME=VALUE", "change a parameter of the model; may be repeated",       "",            true },
    {"table",            "NAME=FILE",  "another file for a table of the model; may be repeated", "",            true },
    {"from",             "A",          "start of the run; the start values hold there",          "the model's", true },
    {"to",               "B",          "end of the run",                                         "the model's", true },
    {"at",               "T1,T2,...",  "output at these times",                                  "every step",  false},
    {"points",           "N",          "output at N times, both ends included",                  "every step",  false},
    {"csv",              "FILE",       "write the output as CSV; '-': standard output",          "none",        false},
    {"show",             "p,q",        "outputs of a figure; q:p draws p over q",                "all",         false},
    {"size",             "160x100",    "size of a figure in mm",                                 "160x100",     false},
    {"log",              "AXES",       "logarithmic axes of a figure: x, y or xy",               "none",        false},
    {"plot",             NULL,         "draw the output in the terminal",                        "off",         false},
    {"report",           "FILE.html",  "a report with plots, in one file",                       "none",        true },
    {"checkpoint",       "FILE",       "a restart file, always whole; see --resume",             "none",        false},
    {"checkpoint-every", "S",          "seconds between checkpoints at least",                   "2",           false},
    {"resume",           NULL,         "go on from the checkpoint of a run that was ended",      "off",         false},
    {"json",             NULL,         "print one JSON object instead of the summary",           "off",         true },
    {"no-estimate",      NULL,         "skip the estimate of the global error, a second run",    "off",         false},
    {"verbose",          NULL,         "tell what happens on the way, on standard error",        "off",         true },
    {"quiet",            NULL,         "print errors only",                                      "off",         true },
    {"help",             NULL,         "this text",                                              "",            true },
};
const int cli_flag_count = sizeof cli_flags / sizeof *cli_flags;

const cli_flag *cli_flag_find(const char *name)
{
    for (int k = 0; k < cli_flag_count; k++)
        if (strcmp(cli_flags[k].name, name) == 0) return &cli_flags[k];
    return NULL;
}

/* '-' and '_' are the same in the names of the option table. */
const char *cli_option_kind(const char *name)
{
    for (int k = 0; k < rg_option_count(); k++) {
        const char *a = rg_option_at(k).name, *b = name;
        while (*a != '\0' && (*a == *b || (*a == '_' && *b == '-'))) {
            a++;
            b++;
        }
        if (*a == '\0' && *b == '\0') return rg_option_at(k).kind;
    }
    return NULL;
}

const char *cli_flag_nearest(const char *name, bool in_check)
{
    const char *names[128];
    int n = 0;

    for (int k = 0; k < cli_flag_count; k++)
        if (!in_check || cli_flags[k].in_check) names[n++] = cli_flags[k].name;
    for (int k = 0; !in_check && k < rg_option_count() && n < 128; k++)
        names[n++] = rg_option_at(k).name;
    const char *nearest = rg_nearest_word(name, n, names);
    for (int k = 0; nearest == NULL && k < n; k++) /* --tolerance: --tol */
        if (strlen(names[k]) > 2 && strncmp(name, names[k], strlen(names[k])) == 0)
            nearest = names[k];
    return nearest;
}
