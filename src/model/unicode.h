/* UTF-8 and which of its characters may stand in a name.  Independent of the locale. */
#ifndef RG_MODEL_UNICODE_H
#define RG_MODEL_UNICODE_H

#include <stdbool.h>
#include <stdint.h>

/* Decodes one character from `length` bytes; returns its size in bytes, 0 when it is not valid
 * UTF-8 (overlong forms, surrogates and values above U+10FFFF are not). */
int rg_utf8_decode(const char *text, int32_t length, uint32_t *code);

/* A character above ASCII that may stand in a name; marks and subscripts may not be the first
 * one. */
bool rg_is_letter(uint32_t code, bool is_first);
bool rg_is_blank(uint32_t code);

/* How a character above ASCII is written in a model ("<=" for U+2264), or NULL. */
const char *rg_ascii_spelling(uint32_t code);

#endif
