/* Options of a run from a line of words, as on the command line. */
#ifndef RG_TESTS_SUPPORT_OPTIONS_H
#define RG_TESTS_SUPPORT_OPTIONS_H

#include "base/options.h"

#include <stdbool.h>

/* Sets "name=value name=value ..." (less than 256 characters); a check that fails names the place
 * here. */
bool options_from_words(rg_context *ctx, rg_options *o, const char *words);

/* false where this regula was built without what the method needs: told once in every case. */
bool options_has_method(const char *method);

#endif
