/* Figures: their flags, and what the terminal can show. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static bool read_size(const char *text, rg_figure *out, rg_error *error)
{
    const char *sign = strchr(text, 'x');
    char width[32] = "";

    if (sign != NULL && sign - text < 31) memcpy(width, text, (size_t)(sign - text));
    return (sign != NULL && rg_parse_real(width, &out->width)
            && rg_parse_real(sign + 1, &out->height) && out->width > 0 && out->height > 0)
           || cli_mistake(error, "give width and height in mm, as in --size 160x100",
                          "'--size %s' is not a size", text);
}

bool cli_figure(const cli_args *args, rg_figure *out, rg_error *error)
{
    *out = (rg_figure){.size = sizeof *out,
                       .show = args->show,
                       .log = args->log,
                       .model = args->file,
                       .command = args->line};
    return args->size == NULL || read_size(args->size, out, error);
}

/* Room for all words with quotes around them, where every ' becomes '\\''. */
char *cli_line(int argc, char **argv)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=+.,:/@%";
    size_t size = 16;

    for (int k = 0; k < argc; k++)
        size += 4 * strlen(argv[k]) + 4;
    char *line = malloc(size), *to = line;
    if (line == NULL) return NULL;
    to += sprintf(to, "regula");
    for (int k = 0; k < argc; k++) {
        const bool is_plain = argv[k][0] != '\0' && strspn(argv[k], plain) == strlen(argv[k]);
        to += sprintf(to, is_plain ? " " : " '");
        for (const char *c = argv[k]; *c != '\0'; c++)
            to += sprintf(to, *c == '\'' ? "'\\''" : "%c", *c);
        if (!is_plain) to += sprintf(to, "'");
    }
    return line;
}

/* The first of these that is set says the character set, as for all programs. */
static bool is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *value = getenv(names[k]);
        if (value == NULL || value[0] == '\0') continue;
        return strcmp(value, "C") != 0 && strcmp(value, "POSIX") != 0;
    }
    return true;
}

int cli_terminal(FILE *to, rg_figure *f)
{
    f->is_ascii = !is_utf8();
    f->has_colour = cli_has_colour(to);
    return cli_width(to);
}
