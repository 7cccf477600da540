/* The command `regula example [NAME]`: lists the shipped models, prints one of them, or searches
 * them for a word (`--search WORD`). */
#include "cli.h"
#include "examples.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { NAME_WIDTH = 22 };

static void write_help(FILE *to)
{
    fputs("regula example pendulum > pendulum.rg\n\n"
          "regula example                  lists the shipped models by topic\n"
          "regula example NAME             prints one, to start from\n"
          "regula example --search WORD    lists those with WORD in name, topic, title\n"
          "                                or a comment\n",
          to);
}

/* The text between the quotes of the title statement, or the first comment of a table; *length 0:
 * there is none. */
static const char *find_title(const rg_example *e, int *length)
{
    const char *text = e->text;

    *length = 0;
    if (strstr(e->name, ".csv") != NULL && strncmp(text, "# ", 2) == 0) {
        *length = (int)strcspn(text + 2, "\n");
        return text + 2;
    }
    while (text != NULL && strncmp(text, "title ", 6) != 0) {
        text = strchr(text, '\n');
        if (text != NULL) text++;
    }
    if (text == NULL || (text = strchr(text, '"')) == NULL) return "";
    *length = (int)strcspn(++text, "\"\n");
    return text;
}

static bool has_word(const char *text, size_t length, const char *word)
{
    const size_t n = strlen(word);

    for (size_t k = 0; k + n <= length; k++)
        if (strncasecmp(text + k, word, n) == 0) return true;
    return false;
}

/* In name, topic, title or a comment. */
static bool is_meant(const rg_example *e, const char *word)
{
    int length;

    if (word == NULL) return true;
    const char *title = find_title(e, &length);
    if (has_word(e->name, strlen(e->name), word) || has_word(e->topic, strlen(e->topic), word)
        || has_word(title, (size_t)length, word))
        return true;
    for (const char *at = strchr(e->text, '#'); at != NULL; at = strchr(at, '#')) {
        const size_t rest = strcspn(at, "\n");
        if (has_word(at, rest, word)) return true;
        at += rest;
    }
    return false;
}

/* A topic as a heading on a terminal; elsewhere behind each model, so that every line has one. */
static int list_topic(const char *topic, const char *word, bool is_terminal, bool is_first)
{
    int count = 0, length;

    for (int k = 0; k < rg_example_count; k++) {
        const rg_example *e = &rg_examples[k];
        if (strcmp(e->topic, topic) != 0 || !is_meant(e, word)) continue;
        const char *title = find_title(e, &length);
        if (is_terminal && count++ == 0)
            printf("%s%s%c%s%s\n", is_first ? "" : "\n", cli_has_colour(stdout) ? "\033[1m" : "",
                   toupper((unsigned char)topic[0]), topic + 1,
                   cli_has_colour(stdout) ? "\033[0m" : "");
        if (is_terminal)
            printf("  %-*s %.*s\n", NAME_WIDTH, e->name, length, title);
        else
            printf("%-*s %.*s  [%s]\n", NAME_WIDTH, e->name, length, title, topic);
        count += !is_terminal;
    }
    return count;
}

static int list_examples(const char *word)
{
    const bool is_terminal = isatty(fileno(stdout));
    int count = 0;

    for (int k = 0; rg_example_topics[k] != NULL; k++)
        count += list_topic(rg_example_topics[k], word, is_terminal, count == 0);
    if (count > 0) {
        if (is_terminal) puts("\n'regula example NAME > my.rg' writes one to start from.");
        return EXIT_SOLVED;
    }
    fprintf(stderr, "error: no example has '%s' in its name, topic, title or comments\n", word);
    fprintf(stderr, "  remedy: 'regula example' lists all of them\n");
    return EXIT_USAGE;
}

static int refuse(const char *name)
{
    const char *names[512];
    int n = 0;

    for (; n < rg_example_count && n < 512; n++)
        names[n] = rg_examples[n].name;
    const char *nearest = rg_nearest_word(name, n, names);
    fprintf(stderr, "error: there is no example '%s'\n", name);
    if (nearest != NULL)
        fprintf(stderr, "  remedy: did you mean '%s'?\n", nearest);
    else
        fprintf(stderr,
                "  remedy: 'regula example' lists them, 'regula example --search %s' looks "
                "for the word\n",
                name);
    return EXIT_USAGE;
}

static int print_example(const char *name)
{
    for (int k = 0; k < rg_example_count; k++)
        if (strcmp(rg_examples[k].name, name) == 0) {
            fputs(rg_examples[k].text, stdout);
            return EXIT_SOLVED;
        }
    return refuse(name);
}

int cmd_example(rg_context *ctx, int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;

    (void)ctx;
    if (word == NULL) return list_examples(NULL);
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0) {
        write_help(stdout);
        return EXIT_SOLVED;
    }
    if (strncmp(word, "--search=", 9) == 0 && argc == 2) return list_examples(word + 9);
    if (strcmp(word, "--search") == 0 && argc == 3) return list_examples(argv[2]);
    if (strcmp(word, "--search") == 0 && argc < 3) {
        fprintf(stderr, "error: --search needs a word\n  remedy: write one, as in 'regula example "
                        "--search circuit'\n");
        return EXIT_USAGE;
    }
    if (argc > 2) {
        fprintf(stderr, "error: 'regula example' takes one name\n  remedy: leave out '%s'\n",
                argv[2]);
        return EXIT_USAGE;
    }
    return print_example(word);
}
