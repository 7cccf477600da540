/* regula example [NAME] */
#include "cli.h"
#include "examples.h"

#include <string.h>

/* The text between the quotes of the title statement, or "". */
static void print_title(const char *text)
{
    while (text != NULL && strncmp(text, "title ", 6) != 0) {
        text = strchr(text, '\n');
        if (text != NULL) text++;
    }
    if (text == NULL || (text = strchr(text, '"')) == NULL) return;
    text++;
    printf("%.*s", (int)strcspn(text, "\"\n"), text);
}

static void list_examples(void)
{
    for (int k = 0; k < rg_example_count; k++) {
        printf("%-22s ", rg_examples[k].name);
        print_title(rg_examples[k].text);
        printf("\n");
    }
}

static int refuse(const char *name)
{
    const char *names[256];
    int n = 0;

    for (; n < rg_example_count && n < 256; n++)
        names[n] = rg_examples[n].name;
    const char *nearest = rg_nearest_word(name, n, names);
    fprintf(stderr, "error: there is no example '%s'\n", name);
    if (nearest != NULL)
        fprintf(stderr, "  remedy: did you mean '%s'?\n", nearest);
    else
        fprintf(stderr, "  remedy: 'regula example' lists them\n");
    return EXIT_USAGE;
}

int cmd_example(rg_context *ctx, int argc, char **argv)
{
    (void)ctx;
    if (argc > 2) {
        fprintf(stderr, "error: 'regula example' takes one name\n  remedy: leave out '%s'\n",
                argv[2]);
        return EXIT_USAGE;
    }
    if (argc < 2) {
        list_examples();
        return EXIT_SOLVED;
    }
    for (int k = 0; k < rg_example_count; k++)
        if (strcmp(rg_examples[k].name, argv[1]) == 0) {
            fputs(rg_examples[k].text, stdout);
            return EXIT_SOLVED;
        }
    return refuse(argv[1]);
}
