/* Options of test runs from words. */
#include "support/options.h"

#include "ivp/bdf/bdf.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

bool options_from_words(rg_context *ctx, rg_options *o, const char *words)
{
    char copy[256], *rest = copy;

    if (!CHECK(strlen(words) < sizeof copy)) return false;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        char *value = strchr(word, '=');
        if (!CHECK(value != NULL)) return false;
        *value = '\0';
        if (!CHECK_INT(rg_options_assign(ctx, o, word, value + 1), RG_OK)) return false;
    }
    return true;
}

bool options_has_method(const char *method)
{
    if (strcmp(method, "bdf") != 0 || rg_bdf_is_available()) return true;
    test_skips(true, "bdf, built without SUNDIALS");
    return false;
}
