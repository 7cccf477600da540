/* The option atol: absolute tolerances of all unknowns and of single ones.
 *
 *     list = item { ',' item }      item = NUMBER | 'auto' | NAME '=' NUMBER
 *
 * A number is for all unknowns without a value of their own; with auto these follow their size. */
#include "base/options.h"

#include "base/base.h"

#include <stdio.h>
#include <string.h>

/* Length of the item that begins here: up to a comma outside brackets. */
static size_t item_length(const char *text)
{
    size_t k = 0;

    for (int depth = 0; text[k] != '\0' && (text[k] != ',' || depth > 0); k++)
        depth += text[k] == '[' ? 1 : text[k] == ']' && depth > 0 ? -1 : 0;
    return k;
}

/* The item without blanks at its ends. */
static bool copy_item(const char *text, size_t length, char *out, size_t size)
{
    while (length > 0 && text[0] == ' ')
        text++, length--;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), text);
    return length < size;
}

/* 0 or more, and finite */
static bool read_scale(const char *text, double *value)
{
    return rg_parse_real(text + strspn(text, " "), value) && *value >= 0.0;
}

static bool store_item(rg_options *o, const char *item)
{
    const char *equals = strchr(item, '=');
    const size_t used = strlen(o->atol_names);
    double value;

    if (equals == NULL && strcmp(item, "auto") == 0) {
        o->atol_is_auto = true;
        return true;
    }
    if (equals == NULL) {
        if (!read_scale(item, &value)) return false;
        o->atol = value;
        o->atol_is_given = true;
        o->atol_is_auto = false;
        return true;
    }
    if (equals == item || !read_scale(equals + 1, &value)) return false;
    if (used + strlen(item) + 2 > sizeof o->atol_names) return false;
    snprintf(o->atol_names + used, sizeof o->atol_names - used, "%s%s", used > 0 ? "," : "", item);
    return true;
}

bool rg_scales_store(rg_options *o, const char *text, char *bad, size_t size)
{
    rg_options copy = *o;
    char item[256];

    for (;; text++) {
        const size_t length = item_length(text);
        if (!copy_item(text, length, item, sizeof item) || !store_item(&copy, item)) {
            snprintf(bad, size, "%.*s", (int)size - 1, item);
            return false;
        }
        text += length;
        if (*text == '\0') break;
    }
    *o = copy;
    return true;
}

int rg_scales_text(const rg_options *o, char *buffer, size_t size)
{
    char number[32];

    return snprintf(buffer, size, "%s%s%s",
                    o->atol_is_auto ? "auto" : rg_real_text(o->atol, number),
                    o->atol_names[0] != '\0' ? "," : "", o->atol_names);
}

bool rg_scales_next(const char **text, char *name, size_t size, double *value)
{
    char item[256];
    const size_t length = item_length(*text);

    if (length == 0 || !copy_item(*text, length, item, sizeof item)) return false;
    *text += length;
    if (**text == ',') ++*text;
    char *equals = strchr(item, '=');
    if (equals == NULL || !read_scale(equals + 1, value)) return false;
    copy_item(item, (size_t)(equals - item), name, size);
    return true;
}
