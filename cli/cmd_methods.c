/* The command `regula methods [NAME]`: lists the methods, or tells all of one of them. */
#include "cli.h"

#include <string.h>

static void write_line(const char *head, const char *text)
{
    const int indent = 11;

    printf("  %-8s ", head);
    cli_write_wrapped(stdout, text, indent, indent, cli_width(stdout));
}

static void write_method(const rg_method_info *m)
{
    printf("%s\n", m->name);
    write_line("solves", m->solves);
    write_line("options", m->options);
    write_line("source", m->source);
}

enum { VARIANT_INDENT = 25 };

static void write_variants(const char *method)
{
    const int n = rg_variant_count(method);

    if (n > 0) puts("  variants, with their equations in the sources of doc/methods/srm.md");
    for (int k = 0; k < n; k++) {
        const rg_variant_info v = rg_variant_at(method, k);
        char text[512], index[32] = "";
        if (v.index > 0) snprintf(index, sizeof index, "index %d, ", v.index);
        snprintf(text, sizeof text, "%s%s: %s", index, v.equations, v.text);
        printf("    %-20s ", v.name);
        cli_write_wrapped(stdout, text, VARIANT_INDENT, VARIANT_INDENT, cli_width(stdout));
    }
}

bool cli_write_method(const char *name)
{
    for (int k = 0; k < rg_method_count(); k++) {
        const rg_method_info m = rg_method_at(k);
        if (strcmp(m.name, name) != 0) continue;
        write_method(&m);
        write_variants(name);
        return true;
    }
    return false;
}

static int write_one(const char *name)
{
    const char *names[64];
    const int n = rg_method_count();

    if (cli_write_method(name)) return EXIT_SOLVED;
    for (int k = 0; k < n && k < 64; k++)
        names[k] = rg_method_at(k).name;
    const char *nearest = rg_nearest_word(name, n < 64 ? n : 64, names);
    fprintf(stderr, "error: there is no method '%s'\n", name);
    if (nearest != NULL)
        fprintf(stderr, "  remedy: did you mean '%s'?\n", nearest);
    else
        fprintf(stderr, "  remedy: 'regula methods' lists all of them\n");
    return EXIT_USAGE;
}

int cmd_methods(rg_context *ctx, int argc, char **argv)
{
    (void)ctx;
    if (argc > 1 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
        puts("regula methods srm\n\n"
             "regula methods         every method: what it solves, its options, its source\n"
             "regula methods NAME    one of them, with its variants");
        return EXIT_SOLVED;
    }
    if (argc > 2) {
        fprintf(stderr, "error: 'regula methods' takes one name\n  remedy: leave '%s' out\n",
                argv[2]);
        return EXIT_USAGE;
    }
    if (argc > 1) return write_one(argv[1]);
    for (int k = 0; k < rg_method_count(); k++) {
        const rg_method_info m = rg_method_at(k);
        write_method(&m);
    }
    printf("auto\n  chooses one of them; the default\n");
    return EXIT_SOLVED;
}
