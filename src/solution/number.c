/* Numbers as text, independent of the locale. */
#include "solution/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The locale decides only what stands for the decimal point, possibly several bytes. */
static void restore_point(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0'; from++) {
        if (strchr("0123456789+-e", *from) != NULL)
            *to++ = *from;
        else if (to == text || to[-1] != '.')
            *to++ = '.';
    }
    *to = '\0';
}

const char *rg_short_text(double value, int digits, char buffer[40])
{
    if (isnan(value)) return "nan";
    if (isinf(value)) return value > 0 ? "inf" : "-inf";
    snprintf(buffer, 40, "%.*g", digits, value);
    restore_point(buffer);
    return buffer;
}

const char *rg_data_text(double value, char buffer[40])
{
    return rg_short_text(value, 17, buffer);
}
