/* Options of a run from a line of words, as on the command line. */
#ifndef RG_TESTS_SUPPORT_OPTIONS_H
#define RG_TESTS_SUPPORT_OPTIONS_H

#include "base/options.h"

#include <stdbool.h>

/* Sets "name=value name=value ..." (less than 256 characters); a check that fails names the place
 * here. */
bool options_from_words(rg_context *ctx, rg_options *o, const char *words);

#endif
