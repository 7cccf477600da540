/* Texts of models that are made piece by piece. */
#ifndef RG_TESTS_SUPPORT_TEXT_H
#define RG_TESTS_SUPPORT_TEXT_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Adds to a text in an array of `size` characters. */
__attribute__((format(printf, 3, 4))) static inline void text_put(char *text, size_t size,
                                                                  const char *format, ...)
{
    const size_t used = strlen(text);
    va_list list;

    va_start(list, format);
    vsnprintf(text + used, size - used, format, list);
    va_end(list);
}

#endif
