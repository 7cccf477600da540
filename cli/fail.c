/* Mistakes in the use of the command, and exit statuses (DESIGN, section 2). */
#include "cli.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

bool cli_mistake(rg_error *error, const char *remedy, const char *format, ...)
{
    va_list arguments;

    memset(error, 0, sizeof *error);
    error->code = RG_ERR_ARGUMENT;
    error->t = NAN;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    snprintf(error->remedy, sizeof error->remedy, "%s", remedy);
    return false;
}

int cli_exit_status(const rg_error *error, bool writing)
{
    switch (error->code) {
    case RG_OK:
    case RG_STOPPED:
        return EXIT_SOLVED;
    case RG_ERR_ARGUMENT: /* with a place: in the solve line of the model */
        return error->line > 0 ? EXIT_MODEL : EXIT_USAGE;
    case RG_ERR_IO:
        return writing ? EXIT_NUMERICS : EXIT_USAGE;
    case RG_ERR_SYNTAX:
    case RG_ERR_STRUCTURE:
    case RG_ERR_INCONSISTENT:
    case RG_ERR_METHOD:
        return EXIT_MODEL;
    case RG_ERR_INTERRUPTED:
        return EXIT_INTERRUPT;
    case RG_ERR_MEMORY:
    case RG_ERR_CONVERGENCE:
    case RG_ERR_CALLBACK:
        break;
    }
    return EXIT_NUMERICS;
}
