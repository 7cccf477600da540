/* What a terminal wants: lines of its width, and colours where they are welcome. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_ELSEWHERE = 80, WIDTH_LEAST = 40 };

int cli_width(FILE *to)
{
    struct winsize size;

    if (!isatty(fileno(to)) || ioctl(fileno(to), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return WIDTH_ELSEWHERE;
    return size.ws_col < WIDTH_LEAST ? WIDTH_LEAST : size.ws_col;
}

bool cli_has_colour(FILE *to)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(fileno(to)) && (no == NULL || no[0] == '\0')
           && (term == NULL || strcmp(term, "dumb") != 0);
}

/* Words of `text` from column `at` on, further lines indented; ends the line. */
void cli_write_wrapped(FILE *to, const char *text, int at, int indent, int width)
{
    bool is_first = true;

    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        const int length = (int)strcspn(text, " ");
        if (!is_first && at + 1 + length > width) {
            fprintf(to, "\n%*s", indent, "");
            at = indent;
        } else if (!is_first) {
            fputc(' ', to);
            at++;
        }
        fwrite(text, 1, (size_t)length, to);
        at += length;
        text += length;
        is_first = false;
    }
    fputc('\n', to);
}

/* Where the second column of a line "head   text" begins; without one, its indentation. */
static int hanging(const char *line, int length)
{
    int indent = (int)strspn(line, " ");
    const int least = indent;

    for (int k = indent; k + 2 < length; k++)
        if (line[k] == ' ' && line[k + 1] == ' ' && line[k + 2] != ' ' && line[k - 1] != '.')
            indent = k + 2;
    return indent < length * 2 / 3 ? indent : least;
}

void cli_write_text(FILE *to, const char *text)
{
    const int width = cli_width(to);
    char line[512];

    while (*text != '\0') {
        const int length = (int)strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", length, text);
        const int indent = hanging(line, length);
        if (length > width && length < (int)sizeof line) {
            fprintf(to, "%.*s", indent, line);
            cli_write_wrapped(to, line + indent, indent, indent, width);
        } else {
            fprintf(to, "%.*s%s", length, text, text[length] == '\n' ? "\n" : "");
        }
        text += length + (text[length] == '\n');
    }
}

/* ---- colours: messages as a whole are written to memory first, then line by line ------------- */

static const char bold[] = "\033[1m", red[] = "\033[1;31m", yellow[] = "\033[1;33m",
                  green[] = "\033[1;32m", plain[] = "\033[0m";

FILE *cli_sheet_open(cli_sheet *s, FILE *to, bool has_title)
{
    *s = (cli_sheet){.to = to, .has_title = has_title};
    if (cli_has_colour(to)) s->memory = open_memstream(&s->text, &s->size);
    return s->memory != NULL ? s->memory : to;
}

/* The first `length` characters in a colour, then the rest of the line. */
static const char *paint(FILE *to, const char *colour, const char *line, size_t length)
{
    fprintf(to, "%s%.*s%s", colour, (int)length, line, plain);
    return line + length;
}

/* "      | ^~~~": where in the line. */
static bool is_marker(const char *line, size_t length)
{
    const size_t bar = strspn(line, " ");

    if (bar >= length || line[bar] != '|') return false;
    const size_t caret = bar + 1 + strspn(line + bar + 1, " ");
    return caret < length && line[caret] == '^'
           && caret + 1 + strspn(line + caret + 1, "~") >= length;
}

static void write_line(const cli_sheet *s, const char *line, size_t length)
{
    static const char error[] = "error:", warning[] = "warning:", remedy[] = "  remedy:";
    const bool is_title = s->has_title && line == s->text;
    const char *end = line + length, *found;
    FILE *to = s->to;

    if (is_title) {
        line = paint(to, bold, line, length);
    } else if (is_marker(line, length)) {
        line = paint(to, red, line, length);
    } else if (strncmp(line, warning, sizeof warning - 1) == 0) {
        line = paint(to, yellow, line, sizeof warning - 1);
    } else if (strncmp(line, remedy, sizeof remedy - 1) == 0) {
        line = paint(to, green, line, sizeof remedy - 1);
    } else if (!s->has_title && (found = strstr(line, error)) != NULL && found < end
               && (found == line || found[-1] == ' ')) {
        line = paint(to, bold, line, (size_t)(found - line));
        line = paint(to, red, line, sizeof error - 1);
    }
    fwrite(line, 1, (size_t)(end - line), to);
}

void cli_sheet_close(cli_sheet *s)
{
    if (s->memory == NULL) return;
    fclose(s->memory);
    for (const char *line = s->text; line != NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        write_line(s, line, length);
        line += length;
        if (*line == '\n') fputc(*line++, s->to);
    }
    free(s->text);
}

void cli_print_error(const rg_error *error)
{
    cli_sheet sheet;

    rg_error_print(error, cli_sheet_open(&sheet, stderr, false));
    cli_sheet_close(&sheet);
}

void cli_print_errors(const rg_context *ctx)
{
    for (int k = 0; k < rg_error_count(ctx); k++)
        cli_print_error(rg_error_at(ctx, k));
}
