/* regula methods */
#include "cli.h"

int cmd_methods(rg_context *ctx, int argc, char **argv)
{
    (void)ctx;
    if (argc > 1) {
        fprintf(stderr, "error: 'regula methods' takes no '%s'\n  remedy: leave it out\n", argv[1]);
        return EXIT_USAGE;
    }
    for (int k = 0; k < rg_method_count(); k++) {
        const rg_method_info m = rg_method_at(k);
        printf("%s\n  solves   %s\n  options  %s\n  source   %s\n", m.name, m.solves, m.options,
               m.source);
    }
    printf("auto\n  chooses one of them; the default\n");
    return EXIT_SOLVED;
}
