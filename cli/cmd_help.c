/* The command `regula help [TOPIC]`: lists commands and topics, or explains one of them. */
#include "cli.h"

#include <string.h>

void cli_write_help(FILE *to)
{
    cli_write_text(to,
                   "regula example pendulum > pendulum.rg      a model to start from\n"
                   "regula solve pendulum.rg --csv out.csv     solves it\n"
                   "\n"
                   "regula solves differential-algebraic equations, written as in the textbook:\n"
                   "it finds the index, computes consistent start values, and integrates.\n"
                   "\n"
                   "  regula solve FILE      solve, print a summary\n"
                   "  regula check FILE      unknowns, index, degrees of freedom, start values\n"
                   "  regula expand FILE     a model with fields as plain arrays and loops\n"
                   "  regula compare FILE --methods A,B,...   several methods side by side\n"
                   "  regula sweep FILE --over NAME=A..B:N    many runs, on all cores; gather\n"
                   "  regula order FILE --method M            observed orders, theory beside them\n"
                   "  regula plot FILE.csv   a figure of a CSV file, in the terminal or as SVG\n"
                   "  regula methods [NAME]  what every method solves, its options, its source\n"
                   "  regula example [NAME]  list the shipped models, or print one; --search WORD\n"
                   "  regula help [TOPIC]    options");
    for (int k = 0; k < cli_topic_count; k++)
        fprintf(to, ", %s", cli_topics[k].name);
    cli_write_text(
        to, ";\n"
            "                         or a command, a method, an option\n"
            "  regula --version, regula completion bash|zsh|fish\n"
            "\n"
            "FILE may be '-': standard input.  Often used options of solve:\n"
            "  --set NAME=VALUE   change a parameter     --tol X      error per step (1e-6)\n"
            "  --to B             end of the run         --points N   output at N times\n"
            "  --csv FILE         write the output       --json       print JSON\n"
            "  --plot             draw in the terminal   --svg FILE   a figure\n");
}

enum { INDENT = 24 }; /* of help texts */

static void write_option(FILE *to, const char *name, const char *value, const char *text,
                         const char *fallback)
{
    const bool is_bold = cli_has_colour(to);
    char head[64], line[512];

    snprintf(head, sizeof head, "--%s%s%s", name, value[0] != '\0' ? " " : "", value);
    snprintf(line, sizeof line, fallback[0] != '\0' ? "%s (default: %s)" : "%s", text, fallback);
    fprintf(to, "  %s%-20s%s  ", is_bold ? "\033[1m" : "", head, is_bold ? "\033[0m" : "");
    cli_write_wrapped(to, line, INDENT, INDENT, cli_width(to));
}

const char *cli_option_value(const rg_option_info *o)
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
        cli_write_text(
            to,
            "\nThese also work in a 'solve' line of the model (flags on the command line win):\n");
    for (int k = 0; k < rg_option_count(); k++) {
        const rg_option_info o = rg_option_at(k);
        if (!in_check || cli_is_for_check(o.name))
            write_option(to, o.name, cli_option_value(&o), o.text, o.value);
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
    const char *names[256] = {"options"};
    int n = 1;

    for (int k = 0; cli_command_at(k) != NULL; k++)
        names[n++] = cli_command_at(k);
    for (int k = 0; k < cli_topic_count; k++)
        names[n++] = cli_topics[k].name;
    for (int k = 0; k < rg_method_count() && n < 128; k++)
        names[n++] = rg_method_at(k).name;
    for (int k = 0; k < rg_option_count() && n < 256; k++)
        names[n++] = rg_option_at(k).name;
    const char *nearest = rg_nearest_word(word, n, names);
    if (nearest == NULL) nearest = cli_flag_nearest(word, false);
    fprintf(stderr, "error: no help on '%s'\n", word);
    if (nearest != NULL)
        fprintf(stderr, "  remedy: did you mean '%s'?\n", nearest);
    else
        fprintf(stderr, "  remedy: 'regula help' lists the topics\n");
    return EXIT_USAGE;
}

static bool is_command(const char *word)
{
    for (int k = 0; cli_command_at(k) != NULL; k++)
        if (strcmp(cli_command_at(k), word) == 0) return true;
    return false;
}

/* `order` is also an option. */
static int write_command(rg_context *ctx, const char *word)
{
    const int status = cli_command_help(ctx, word);

    if (cli_option_kind(word) != NULL) printf("\n'regula help --%s' explains that option.\n", word);
    return status;
}

int cmd_help(rg_context *ctx, int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    if (argc < 2) {
        cli_write_help(stdout);
        return EXIT_SOLVED;
    }
    if (strncmp(word, "--", 2) == 0)
        return cli_write_option(word + 2) ? EXIT_SOLVED : refuse_topic(word);
    if (strcmp(word, "options") == 0) {
        cli_write_command_help("solve", stdout);
        return EXIT_SOLVED;
    }
    if (strcmp(word, "methods") == 0) return cmd_methods(ctx, 1, argv);
    if (strcmp(word, "help") != 0 && is_command(word)) return write_command(ctx, word);
    for (int k = 0; k < cli_topic_count; k++)
        if (strcmp(cli_topics[k].name, word) == 0) {
            cli_write_text(stdout, cli_topics[k].text);
            return EXIT_SOLVED;
        }
    return cli_write_method(word) || cli_write_option(word) ? EXIT_SOLVED : refuse_topic(word);
}
