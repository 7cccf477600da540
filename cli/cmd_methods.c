/* regula methods [NAME] */
#include "cli.h"

#include <string.h>

static void write_method(const rg_method_info *m)
{
    printf("%s\n  solves   %s\n  options  %s\n  source   %s\n", m->name, m->solves, m->options,
           m->source);
}

static void write_variants(const char *method)
{
    const int n = rg_variant_count(method);

    if (n > 0) puts("  variants, with their equations in the sources of doc/methods/srm.md");
    for (int k = 0; k < n; k++) {
        const rg_variant_info v = rg_variant_at(method, k);
        if (v.index > 0)
            printf("    %-20s index %d  %-16s  %s\n", v.name, v.index, v.equations, v.text);
        else
            printf("    %-20s any      %-16s  %s\n", v.name, v.equations, v.text);
    }
}

static int write_one(const char *name)
{
    const char *names[64];
    const int n = rg_method_count();

    for (int k = 0; k < n && k < 64; k++) {
        const rg_method_info m = rg_method_at(k);
        names[k] = m.name;
        if (strcmp(m.name, name) != 0) continue;
        write_method(&m);
        write_variants(name);
        return EXIT_SOLVED;
    }
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
