/* Reads the words behind a command: --name value, --name=value, and one FILE. */
#include "cli.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* --set NAME=VALUE; the last value of a name counts. */
static bool read_setting(cli_args *a, const char *text, rg_error *error)
{
    const char *equal = strchr(text, '=');
    double value;

    if (equal == NULL || equal == text)
        return cli_mistake(error, "write --set NAME=VALUE, as in --set m=2",
                           "'--set %s' is not of the form NAME=VALUE", text);
    if (!rg_parse_real(equal + 1, &value))
        return cli_mistake(error, "give a number, as in --set m=2",
                           "the value in '--set %s' is not a finite number", text);
    const size_t length = (size_t)(equal - text);
    for (int k = 0; k < a->n_settings; k++)
        if (strncmp(a->settings[k].name, text, length) == 0
            && a->settings[k].name[length] == '\0') {
            a->settings[k].value = value;
            return true;
        }
    char *name = malloc(length + 1);
    if (name == NULL) return cli_mistake(error, "free memory", "out of memory");
    memcpy(name, text, length);
    name[length] = '\0';
    a->settings[a->n_settings++] = (rg_setting){name, value};
    return true;
}

/* --table NAME=FILE; a later one of a name counts. */
static bool read_table(cli_args *a, const char *text, rg_error *error)
{
    const char *equal = strchr(text, '=');

    if (equal == NULL || equal == text || equal[1] == '\0')
        return cli_mistake(error, "write --table NAME=FILE, as in --table flow=other.csv",
                           "'--table %s' is not of the form NAME=FILE", text);
    const size_t length = (size_t)(equal - text);
    char *name = malloc(length + 1);
    if (name == NULL) return cli_mistake(error, "free memory", "out of memory");
    memcpy(name, text, length);
    name[length] = '\0';
    a->tables[a->n_tables++] = (rg_table_file){name, equal + 1};
    return true;
}

static bool read_number(cli_number *n, const char *flag, const char *text, rg_error *error)
{
    n->is_given = rg_parse_real(text, &n->value);
    return n->is_given
           || cli_mistake(error, "give a finite number", "'--%s %s' is not a number", flag, text);
}

/* Where the value of a flag goes (cli_flags tells what it is for); --set and --table have none. */
#define AT(member) offsetof(cli_args, member)
static const struct {
    const char *name;
    enum { SETTING, TABLE, NUMBER, TEXT, SWITCH } kind;
    size_t place;
} places[] = {
    {"set",              SETTING, 0              },
    {"table",            TABLE,   0              },
    {"from",             NUMBER,  AT(from)       },
    {"to",               NUMBER,  AT(to)         },
    {"checkpoint-every", NUMBER,  AT(every)      },
    {"at",               TEXT,    AT(at)         },
    {"points",           TEXT,    AT(points)     },
    {"csv",              TEXT,    AT(csv)        },
    {"show",             TEXT,    AT(show)       },
    {"size",             TEXT,    AT(size)       },
    {"log",              TEXT,    AT(log)        },
    {"report",           TEXT,    AT(report)     },
    {"checkpoint",       TEXT,    AT(checkpoint) },
    {"plot",             SWITCH,  AT(plot)       },
    {"resume",           SWITCH,  AT(resume)     },
    {"json",             SWITCH,  AT(json)       },
    {"verbose",          SWITCH,  AT(verbose)    },
    {"quiet",            SWITCH,  AT(quiet)      },
    {"no-estimate",      SWITCH,  AT(no_estimate)},
    {"help",             SWITCH,  AT(help)       },
};

/* A flag of the command itself. */
static bool take_flag(cli_args *a, const char *name, const char *value, rg_error *error)
{
    size_t k = 0;

    while (strcmp(places[k].name, name) != 0)
        k++;
    void *place = (char *)a + places[k].place;
    switch (places[k].kind) {
    case SETTING:
        return read_setting(a, value, error);
    case TABLE:
        return read_table(a, value, error);
    case NUMBER:
        return read_number(place, name, value, error);
    case TEXT:
        *(const char **)place = value;
        break;
    case SWITCH:
        *(bool *)place = true;
        break;
    }
    return true;
}

/* A row of the option table: tried out here, used once the model's own options are known. */
static bool take_option(cli_args *a, const char *name, const char *value, rg_error *error)
{
    rg_options *scratch = NULL;

    const bool is_accepted =
        rg_options_create(a->ctx, &scratch) >= 0 && rg_options_set(scratch, name, value) >= 0;
    rg_options_destroy(&scratch);
    if (!is_accepted) {
        *error = *rg_last_error(a->ctx);
        return false;
    }
    a->option_name[a->n_options] = name;
    a->option_text[a->n_options++] = value;
    return true;
}

static bool refuse_flag(const cli_args *a, const char *name, rg_error *error)
{
    const bool in_check = strcmp(a->command, "check") == 0;
    const char *nearest = cli_flag_nearest(name, in_check);
    char remedy[128];

    if (cli_flag_find(name) != NULL || cli_option_kind(name) != NULL)
        return cli_mistake(error, "'regula check -h' lists its options",
                           "'check' has no option --%s, only 'solve' has", name);
    if (nearest != NULL)
        snprintf(remedy, sizeof remedy, "did you mean --%s?", nearest);
    else
        snprintf(remedy, sizeof remedy, "'regula help options' lists the options");
    return cli_mistake(error, remedy, "unknown option --%s", name);
}

bool cli_is_for_check(const char *name)
{
    return strcmp(name, "guess") == 0 || strcmp(name, "continue") == 0;
}

/* One flag at argv[*k]; moves *k behind its value.  word is a copy of argv[*k] behind "--" that
 * may be changed. */
static bool read_flag(cli_args *a, char *word, int argc, char **argv, int *k, rg_error *error)
{
    char *value = strchr(word, '=');
    const bool in_check = strcmp(a->command, "check") == 0;

    if (value != NULL) *value++ = '\0';
    const cli_flag *flag = cli_flag_find(word);
    const char *kind = flag == NULL ? cli_option_kind(word) : NULL;
    const bool is_option = kind != NULL;
    if ((flag == NULL && !is_option)
        || (in_check && (is_option ? !cli_is_for_check(word) : !flag->in_check)))
        return refuse_flag(a, word, error);
    const bool is_switch = is_option && strcmp(kind, "flag") == 0;
    const bool takes_value = is_option ? !is_switch : flag->value != NULL;
    if (!takes_value && value != NULL)
        return cli_mistake(error, "leave out '=' and what follows", "--%s takes no value", word);
    if (takes_value && value == NULL) {
        if (*k + 1 >= argc || strncmp(argv[*k + 1], "--", 2) == 0)
            return cli_mistake(error, "'regula help options' lists the options",
                               "--%s needs a value", word);
        value = argv[++*k];
    }
    return is_option ? take_option(a, word, is_switch ? "on" : value, error)
                     : take_flag(a, word, value, error);
}

/* -o FILE: the kind of file tells which option is meant. */
static const struct {
    const char *ending, *name;
} outputs[] = {
    {".csv",  "csv"   },
    {".svg",  "svg"   },
    {".png",  "png"   },
    {".html", "report"},
};

static bool read_output(cli_args *a, int argc, char **argv, int *k, rg_error *error)
{
    if (*k + 1 >= argc)
        return cli_mistake(error, "write -o out.csv", "-o needs the name of a file");
    const char *file = argv[*k + 1], *dot = strrchr(file, '.');
    if (strcmp(file, "-") == 0) dot = outputs[0].ending;
    for (size_t i = 0; dot != NULL && i < sizeof outputs / sizeof *outputs; i++)
        if (strcmp(dot, outputs[i].ending) == 0)
            return read_flag(a, (char *)outputs[i].name, argc, argv, k, error);
    return cli_mistake(error, "end it with .csv, .svg, .png or .html, or write --csv FILE",
                       "'-o %s': the ending of the name does not tell what to write", file);
}

static bool read_word(cli_args *a, int argc, char **argv, int *k, rg_error *error)
{
    char *word = argv[*k];

    if (strcmp(word, "-h") == 0) a->help = true;
    if (strcmp(word, "-q") == 0) a->quiet = true;
    if (strcmp(word, "-v") == 0) a->verbose = true;
    if (strcmp(word, "-h") == 0 || strcmp(word, "-q") == 0 || strcmp(word, "-v") == 0) return true;
    if (strcmp(word, "-o") == 0) return read_output(a, argc, argv, k, error);
    if (strncmp(word, "--", 2) == 0) return read_flag(a, word + 2, argc, argv, k, error);
    if (word[0] == '-' && word[1] != '\0')
        return cli_mistake(error,
                           "options start with two hyphens; 'regula help options' lists them",
                           "unknown option %s", word);
    if (a->file != NULL)
        return cli_mistake(error, "give one model file", "two files: '%s' and '%s'", a->file, word);
    a->file = word;
    return true;
}

static bool is_standard_output(const char *file)
{
    return file != NULL && strcmp(file, "-") == 0;
}

bool cli_is_taken(const cli_args *a, const char *svg)
{
    return is_standard_output(a->csv) || is_standard_output(a->report) || is_standard_output(svg);
}

static bool check_together(const cli_args *a, rg_error *error)
{
    if (a->help) return true;
    if (a->file == NULL)
        return strcmp(a->command, "plot") == 0
                   ? cli_mistake(error, "give the file that --csv has written, or another one",
                                 "'regula plot' needs a CSV file")
                   : cli_mistake(
                       error,
                       "'regula example pendulum > pendulum.rg' writes a model to start from",
                       "'regula %s' needs a model file", a->command);
    if (a->at != NULL && a->points != NULL)
        return cli_mistake(error, "give one of them", "--at and --points both set output times");
    if ((a->checkpoint != NULL || a->resume) && strcmp(a->command, "solve") != 0)
        return cli_mistake(error, "leave it out; 'regula sweep --csv FILE --resume' goes on",
                           "'%s' has no checkpoints, only 'solve' has", a->command);
    if (a->resume && a->checkpoint == NULL)
        return cli_mistake(error, "give --checkpoint FILE, the file of the run that is to go on",
                           "--resume needs a checkpoint to go on from");
    if (a->every.is_given && a->checkpoint == NULL)
        return cli_mistake(error, "give --checkpoint FILE, too",
                           "--checkpoint-every says how often, but not where");
    if (a->every.is_given && !(a->every.value >= 0.0))
        return cli_mistake(error, "give seconds, from 0 on",
                           "'--checkpoint-every %g' is not a time between checkpoints",
                           a->every.value);
    return cli_check_outputs(a, NULL, NULL, error);
}

const char *cli_take(int *argc, char **argv, const char *name, bool is_switch)
{
    const size_t length = strlen(name);

    for (int k = 1; k < *argc; k++) {
        const char *word = argv[k];
        if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, name, length) != 0) continue;
        const bool has_value = word[2 + length] == '=' && !is_switch;
        if (!has_value && word[2 + length] != '\0') continue;
        const bool takes_next = !is_switch && !has_value && k + 1 < *argc;
        const char *value = is_switch    ? name
                            : has_value  ? word + 3 + length
                            : takes_next ? argv[k + 1]
                                         : "";
        const int used = takes_next ? 2 : 1;
        for (int i = k; i + used < *argc; i++)
            argv[i] = argv[i + used];
        *argc -= used;
        return value;
    }
    return NULL;
}

bool cli_args_read(rg_context *ctx, int argc, char **argv, cli_args *out, rg_error *error)
{
    const size_t most = (size_t)argc + 1;

    *out = (cli_args){.ctx = ctx, .command = argv[0]};
    for (int k = 1; k < argc; k++) /* a mistake before --json still prints an object */
        if (strcmp(argv[k], "--json") == 0) out->json = true;
    out->line = cli_line(argc, argv);
    out->settings = calloc(most, sizeof *out->settings);
    out->tables = calloc(most, sizeof *out->tables);
    out->option_name = calloc(most, sizeof *out->option_name);
    out->option_text = calloc(most, sizeof *out->option_text);
    if (out->line == NULL || out->settings == NULL || out->tables == NULL
        || out->option_name == NULL || out->option_text == NULL)
        return cli_mistake(error, "free memory", "out of memory");
    for (int k = 1; k < argc; k++)
        if (!read_word(out, argc, argv, &k, error)) return false;
    return check_together(out, error);
}

void cli_args_clear(cli_args *args)
{
    for (int k = 0; k < args->n_settings; k++)
        free((char *)args->settings[k].name);
    free(args->line);
    free(args->settings);
    for (int k = 0; k < args->n_tables; k++)
        free((char *)args->tables[k].name);
    free(args->tables);
    free(args->option_name);
    free(args->option_text);
}

void cli_args_set_line(cli_args *args, char *line)
{
    free(args->line);
    args->line = line;
}
