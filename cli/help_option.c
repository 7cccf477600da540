/* The command `regula help OPTION` tells of one flag, or of one row of the option table. */
#include "cli.h"

#include <string.h>

enum { INDENT = 11 };

static void write_line(const char *head, const char *text)
{
    if (text[0] == '\0') return;
    printf("  %-8s ", head);
    cli_write_wrapped(stdout, text, INDENT, INDENT, cli_width(stdout));
}

/* '-' and '_' are the same. */
static bool is_same(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++)
        if ((*a == '-' ? '_' : *a) != (*b == '-' ? '_' : *b)) return false;
    return *a == *b;
}

/* Is `name` one of the words of `list`, with blanks between them? */
static bool is_listed(const char *name, const char *list)
{
    const size_t length = strlen(name);

    for (const char *at = list + strspn(list, " "); *at != '\0'; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        if (n == length && strncmp(at, name, n) == 0) return true;
        at += n;
    }
    return false;
}

static void write_readers(const char *name)
{
    char text[1024] = "";
    size_t used = 0;

    for (int k = 0; k < rg_method_count() && used < sizeof text; k++) {
        const rg_method_info m = rg_method_at(k);
        if (!is_listed(name, m.options)) continue;
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? ", " : "", m.name);
    }
    write_line("methods", text);
}

static bool write_row(const char *name)
{
    char text[128];

    for (int k = 0; k < rg_option_count(); k++) {
        const rg_option_info o = rg_option_at(k);
        const bool is_flag = strcmp(o.kind, "flag") == 0;
        if (!is_same(o.name, name)) continue;
        printf("--%s%s%s\n", o.name, is_flag ? "" : " ", is_flag ? "" : cli_option_value(&o));
        write_line("does", o.text);
        write_line("values", o.range);
        write_line("default", o.value);
        write_readers(o.name);
        snprintf(text, sizeof text, "solve %s = %s", o.name, o.value[0] != '\0' ? o.value : "...");
        write_line("model", text);
        return true;
    }
    return false;
}

bool cli_write_option(const char *name)
{
    static const struct {
        const char *name, *text;
    } shorts[] = {
        {"quiet",   "-q"          },
        {"verbose", "-v"          },
        {"help",    "-h"          },
        {"csv",     "-o FILE.csv" },
        {"svg",     "-o FILE.svg" },
        {"png",     "-o FILE.png" },
        {"report",  "-o FILE.html"},
    };
    const cli_flag *f = cli_flag_find(name);
    bool is_found = f != NULL;

    if (is_found) {
        printf("--%s%s%s\n", f->name, f->value != NULL ? " " : "",
               f->value != NULL ? f->value : "");
        write_line("does", f->text);
        write_line("default", f->fallback);
        write_line("in", f->in_check ? "solve, check, compare, order" : "solve, compare, order");
    } else {
        is_found = write_row(name);
    }
    for (size_t k = 0; is_found && k < sizeof shorts / sizeof *shorts; k++)
        if (strcmp(shorts[k].name, name) == 0) write_line("short", shorts[k].text);
    return is_found;
}
