/* UTF-8 text: length and width of characters, and formatting that never cuts one in two. */
#ifndef RG_BASE_TEXT_H
#define RG_BASE_TEXT_H

#include "base/base.h"

/* A source line too long for rg_error keeps 40 characters before the place, behind this mark. */
#define RG_CUT_MARK "\xE2\x80\xA6"
enum { RG_CUT_BEFORE = 40, RG_CUT_AFTER = 40 };

/* Bytes of the character at `text` (of which `left` bytes may be read): 1 .. 4; an invalid byte
 * counts as a character of its own, and *code is then -1.  `code` may be NULL; left > 0. */
int rg_utf8_next(const char *text, size_t left, int32_t *code);
int rg_utf8_length(const char *text); /* characters */
int rg_utf8_width(int32_t code);      /* columns on a terminal: 0, 1 or 2 */
/* vsnprintf, cut at a character boundary. */
void rg_text_vformat(char *buffer, size_t size, const char *format, va_list arguments)
    RG_PRINTF(3, 0);
/* Copies at most `length` bytes, cut at a character boundary; control and invalid bytes become
 * '?'. */
void rg_text_copy_clean(char *buffer, size_t size, const char *text, size_t length);
/* The next field of a line of CSV up to `end` (RFC 4180: "a,b" holds a comma, "" a quote), without
 * blanks around it, into buffer; returns what follows the comma, or NULL at the end. */
const char *rg_text_field(const char *at, const char *end, char comma, char *buffer, size_t size);
/* The text inside an element or attribute of XML. */
void rg_text_write_xml(FILE *to, const char *text);

#endif
