/* How an error looks:
 *
 * pendulum.rg:4:5: error: nothing determines 'lambda': 4 equations, 5 unknowns
 *     4 | var lambda
 *       |     ^~~~~~
 *   remedy: add an equation with 'lambda' in it, or write 'param lambda = VALUE'  */
#include "base/text.h"
#include "base/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_heading(const rg_error *e, FILE *to)
{
    if (e->line > 0)
        fprintf(to, "%s:%d:%d: ", e->file, e->line, e->column);
    else if (e->file[0] != '\0')
        fprintf(to, "%s: ", e->file);
    fprintf(to, "error: %s\n", e->message);
}

/* Blanks as wide as the character; a tab stays one, so that the terminal expands it alike. */
static void print_blank(int32_t code, FILE *to)
{
    if (code == '\t')
        fputc('\t', to);
    else
        fprintf(to, "%*s", rg_utf8_width(code), "");
}

/* ^~~~ as wide as the characters it stands under. */
static void print_marker(const rg_error *e, FILE *to)
{
    const char *s = e->source;
    const bool is_cut = strncmp(s, RG_CUT_MARK, strlen(RG_CUT_MARK)) == 0;
    const int before = is_cut ? RG_CUT_BEFORE + 1 : e->column - 1;
    int width = 0;

    for (int k = 0; k < before; k++) {
        int32_t code = ' ';
        if (*s != '\0') s += rg_utf8_next(s, strlen(s), &code);
        print_blank(code, to);
    }
    for (int k = 0; k < e->length && *s != '\0'; k++) {
        int32_t code;
        s += rg_utf8_next(s, strlen(s), &code);
        width += rg_utf8_width(code);
    }
    fputc('^', to);
    for (int k = 1; k < width; k++)
        fputc('~', to);
}

/* The message tells the time already, with ten digits perhaps: "stopped at t = 0.5". */
static bool tells_time(const rg_error *e)
{
    double value;

    for (const char *s = strstr(e->message, "at "); s != NULL; s = strstr(s + 1, "at "))
        if (sscanf(s, "at %*s = %lf", &value) == 1
            && fabs(value - e->t) <= RG_SAME_TIME * fabs(e->t))
            return true;
    return false;
}

void rg_error_print(const rg_error *error, FILE *to)
{
    char number[32];

    if (error == NULL || error->code == RG_OK || to == NULL) return;
    print_heading(error, to);
    if (error->line > 0) {
        fprintf(to, "%5d | %s\n      | ", error->line, error->source);
        print_marker(error, to);
        fputc('\n', to);
    }
    if (!isnan(error->t) && !tells_time(error))
        fprintf(to, "  at t = %s\n", rg_real_text(error->t, number));
    if (error->remedy[0] != '\0') fprintf(to, "  remedy: %s\n", error->remedy);
}
