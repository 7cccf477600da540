/* regula help [TOPIC] */
#include "cli.h"

#include <string.h>

void cli_write_help(FILE *to)
{
    fputs("regula example pendulum > pendulum.rg      a model to start from\n"
          "regula solve pendulum.rg --csv out.csv     solves it\n"
          "\n"
          "regula solves differential-algebraic equations, written as in the textbook:\n"
          "it finds the index, computes consistent start values, and integrates.\n"
          "\n"
          "  regula solve FILE      solve, print a summary\n"
          "  regula check FILE      unknowns, index, degrees of freedom, start values\n"
          "  regula expand FILE     a model with fields as plain arrays and loops\n"
          "  regula compare FILE --methods A,B,...   several methods side by side\n"
          "  regula order FILE --method M            observed orders, theory beside them\n"
          "  regula methods [NAME]  what every method solves, its options, its source\n"
          "  regula example [NAME]  list the shipped models, or print one\n"
          "  regula help [TOPIC]    options",
          to);
    for (int k = 0; k < cli_topic_count; k++)
        fprintf(to, ", %s", cli_topics[k].name);
    fputs("\n  regula --version\n"
          "\n"
          "FILE may be '-': standard input.  Often used options of solve:\n"
          "  --set NAME=VALUE   change a parameter     --tol X      error per step (1e-6)\n"
          "  --to B             end of the run         --points N   output at N times\n"
          "  --csv FILE         write the output       --json       print JSON\n",
          to);
}

static void write_option(FILE *to, const char *name, const char *value, const char *text,
                         const char *fallback)
{
    char head[64];

    snprintf(head, sizeof head, "--%s%s%s", name, value[0] != '\0' ? " " : "", value);
    fprintf(to, "  %-20s  %s", head, text);
    if (fallback[0] != '\0') fprintf(to, " (default: %s)", fallback);
    fputs("\n", to);
}

static const char *value_of(const rg_option_info *o)
{
    if (strcmp(o->kind, "word") == 0) return "WORD";
    if (strcmp(o->kind, "text") == 0) return "TEXT";
    if (strcmp(o->kind, "flag") == 0) return "";
    return strcmp(o->kind, "real") == 0 ? "X" : "N";
}

void cli_write_options(FILE *to, bool in_check)
{
    for (int k = 0; k < cli_flag_count; k++) {
        const cli_flag *f = &cli_flags[k];
        if (in_check && !f->in_check) continue;
        write_option(to, f->name, f->value != NULL ? f->value : "", f->text, f->fallback);
    }
    if (!in_check)
        fputs("\nThese also work in a 'solve' line of the model (flags on the command line win):\n",
              to);
    for (int k = 0; k < rg_option_count(); k++) {
        const rg_option_info o = rg_option_at(k);
        if (!in_check || cli_is_for_check(o.name))
            write_option(to, o.name, value_of(&o), o.text, o.value);
    }
}

void cli_write_command_help(const char *command, FILE *to)
{
    const bool is_check = strcmp(command, "check") == 0;

    fprintf(to, is_check ? "regula check pendulum.rg --set l=2\n\n"
                         : "regula solve pendulum.rg --tol 1e-8 --points 101 --csv out.csv\n\n");
    fprintf(to, "regula %s FILE [OPTION ...]      FILE may be '-': standard input\n\n", command);
    cli_write_options(to, is_check);
}

static int refuse_topic(const char *word)
{
    const char *names[32] = {"options", "solve", "check"};
    int n = 3;

    for (int k = 0; k < cli_topic_count && n < 32; k++)
        names[n++] = cli_topics[k].name;
    const char *nearest = rg_nearest_word(word, n, names);
    fprintf(stderr, "error: no help on '%s'\n", word);
    if (nearest != NULL)
        fprintf(stderr, "  remedy: did you mean '%s'?\n", nearest);
    else
        fprintf(stderr, "  remedy: 'regula help' lists the topics\n");
    return EXIT_USAGE;
}

int cmd_help(rg_context *ctx, int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    if (argc < 2) {
        cli_write_help(stdout);
        return EXIT_SOLVED;
    }
    if (strcmp(word, "options") == 0 || strcmp(word, "solve") == 0 || strcmp(word, "check") == 0) {
        cli_write_command_help(strcmp(word, "check") == 0 ? "check" : "solve", stdout);
        return EXIT_SOLVED;
    }
    if (strcmp(word, "methods") == 0) return cmd_methods(ctx, 1, argv);
    for (int k = 0; k < cli_topic_count; k++)
        if (strcmp(cli_topics[k].name, word) == 0) {
            fputs(cli_topics[k].text, stdout);
            return EXIT_SOLVED;
        }
    return refuse_topic(word);
}
