/* UTF-8 text: length and width of characters, and formatting that never cuts one in two. */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static bool is_continuation(unsigned char byte)
{
    return (byte & 0xC0) == 0x80;
}

/* Bytes that the first one announces; 0: it cannot be a first one. */
static int announced(unsigned char first)
{
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return 2;
    if (first >= 0xE0 && first <= 0xEF) return 3;
    return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

/* Overlong forms, surrogates and codes beyond U+10FFFF are invalid. */
static bool is_scalar_value(int32_t c, int bytes)
{
    static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    return c >= least[bytes] && c <= 0x10FFFF && !(c >= 0xD800 && c <= 0xDFFF);
}

int rg_utf8_next(const char *text, size_t left, int32_t *code)
{
    static const unsigned char mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    const unsigned char *s = (const unsigned char *)text;
    const int bytes = announced(s[0]);
    bool is_valid = bytes > 0 && (size_t)bytes <= left;
    int32_t c = is_valid ? s[0] & mask[bytes] : 0;

    for (int k = 1; is_valid && k < bytes; k++) {
        is_valid = is_continuation(s[k]);
        c = c << 6 | (s[k] & 0x3F);
    }
    is_valid = is_valid && is_scalar_value(c, bytes);
    if (code != NULL) *code = is_valid ? c : -1;
    return is_valid ? bytes : 1;
}

int rg_utf8_length(const char *text)
{
    int n = 0;

    for (const char *at = text; *at != '\0'; n++)
        at += rg_utf8_next(at, strlen(at), NULL);
    return n;
}

/* Coarse ranges of East Asian wide characters and of combining marks; enough for a marker. */
int rg_utf8_width(int32_t code)
{
    static const struct {
        int32_t from, to;
        int width;
    } ranges[] = {
        {0x0300,  0x036F,  0},
        {0x1100,  0x115F,  2},
        {0x200B,  0x200F,  0},
        {0x20D0,  0x20FF,  0},
        {0x2E80,  0xA4CF,  2},
        {0xAC00,  0xD7A3,  2},
        {0xF900,  0xFAFF,  2},
        {0xFE00,  0xFE0F,  0},
        {0xFE30,  0xFE6F,  2},
        {0xFF00,  0xFF60,  2},
        {0xFFE0,  0xFFE6,  2},
        {0x1F300, 0x1FAFF, 2},
        {0x20000, 0x3FFFD, 2},
    };
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
        if (code >= ranges[k].from && code <= ranges[k].to) return ranges[k].width;
    return 1;
}

/* Drops the bytes of a last character that is not complete. */
static void trim_last(char *buffer, size_t length)
{
    size_t start = length;
    while (start > 0 && is_continuation((unsigned char)buffer[start - 1]))
        start--;
    if (start == 0) return;
    start--;
    if ((size_t)announced((unsigned char)buffer[start]) > length - start) buffer[start] = '\0';
}

void rg_text_vformat(char *buffer, size_t size, const char *format, va_list arguments)
{
    const int wanted = vsnprintf(buffer, size, format, arguments);
    if (wanted < 0) buffer[0] = '\0';
    if (wanted >= 0 && (size_t)wanted >= size) trim_last(buffer, size - 1);
}

void rg_text_copy_clean(char *buffer, size_t size, const char *text, size_t length)
{
    size_t at = 0, to = 0;
    while (at < length) {
        int32_t code;
        const int bytes = rg_utf8_next(text + at, length - at, &code);
        if (to + (size_t)bytes >= size) break;
        const bool is_shown = code == '\t' || (code >= 0x20 && !(code >= 0x7F && code < 0xA0));
        if (is_shown) {
            memcpy(buffer + to, text + at, (size_t)bytes);
            to += (size_t)bytes;
        } else {
            buffer[to++] = '?';
        }
        at += (size_t)bytes;
    }
    buffer[to] = '\0';
}

const char *rg_text_field(const char *at, const char *end, char comma, char *buffer, size_t size)
{
    bool is_quoted = false;
    size_t n = 0;

    for (; at < end && (is_quoted || *at != comma); at++) {
        const bool is_double = is_quoted && *at == '"' && at + 1 < end && at[1] == '"';
        if (*at == '"' && !is_double)
            is_quoted = !is_quoted;
        else if (n + 1 < size && *at != '\r' && (n > 0 || *at != ' '))
            buffer[n++] = *at;
        at += is_double;
    }
    while (n > 0 && buffer[n - 1] == ' ')
        n--;
    buffer[n] = '\0';
    return at < end ? at + 1 : NULL;
}

void rg_text_write_xml(FILE *to, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        default:
            putc(*text, to);
        }
}
