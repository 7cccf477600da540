/* Writes JSON: commas, indentation, numbers and texts; the caller names members and values. */
#include "report/json.h"

#include "solution/number.h"

#include <math.h>

static void separate(rg_json *j)
{
    if (j->needs_comma) fputs(", ", j->to);
    j->needs_comma = true;
}

void rg_json_open(rg_json *j, char bracket)
{
    separate(j);
    putc(bracket, j->to);
    j->needs_comma = false;
}

void rg_json_close(rg_json *j, char bracket)
{
    putc(bracket, j->to);
    j->needs_comma = true;
}

/* Bytes of the UTF-8 character at s; 0: none starts here. */
static int utf8_length(const unsigned char *s)
{
    const int length = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;

    if (s[0] > 0xF4) return 0;
    for (int k = 1; k < length; k++)
        if ((s[k] & 0xC0) != 0x80) return 0;
    if (s[0] == 0xE0 && s[1] < 0xA0) return 0; /* longer than needed */
    if (s[0] == 0xED && s[1] > 0x9F) return 0; /* surrogates         */
    if (s[0] == 0xF0 && s[1] < 0x90) return 0;
    if (s[0] == 0xF4 && s[1] > 0x8F) return 0;
    return length;
}

static void write_quoted(FILE *to, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    putc('"', to);
    while (*s != '\0') {
        const int length = utf8_length(s);
        if (length == 0)
            fputs("\\ufffd", to);
        else if (*s < 0x20 || *s == 0x7F)
            fprintf(to, "\\u%04x", *s);
        else if (*s == '"' || *s == '\\')
            fprintf(to, "\\%c", *s);
        else
            fwrite(s, 1, (size_t)length, to);
        s += length > 0 ? length : 1;
    }
    putc('"', to);
}

void rg_json_key(rg_json *j, const char *name)
{
    separate(j);
    write_quoted(j->to, name);
    fputs(": ", j->to);
    j->needs_comma = false;
}

void rg_json_text(rg_json *j, const char *text)
{
    separate(j);
    write_quoted(j->to, text);
}

void rg_json_real(rg_json *j, double value)
{
    char buffer[40];

    separate(j);
    fputs(isfinite(value) ? rg_data_text(value, buffer) : "null", j->to);
}

void rg_json_integer(rg_json *j, int64_t value)
{
    separate(j);
    fprintf(j->to, "%lld", (long long)value);
}

void rg_json_null(rg_json *j)
{
    separate(j);
    fputs("null", j->to);
}

void rg_json_status(rg_json *j, const rg_error *error)
{
    rg_json_ended(j, error, "");
}

void rg_json_ended(rg_json *j, const rg_error *error, const char *message)
{
    const bool failed = error != NULL && error->code < 0;

    rg_json_key(j, "status");
    rg_json_text(j, failed ? "failed" : "ok");
    rg_json_key(j, "message");
    rg_json_text(j, failed ? error->message : message);
    if (!failed) return;
    rg_json_key(j, "remedy");
    rg_json_text(j, error->remedy);
    if (error->file[0] != '\0') {
        rg_json_key(j, "file");
        rg_json_text(j, error->file);
    }
    if (error->line == 0) return;
    rg_json_key(j, "line");
    rg_json_integer(j, error->line);
    rg_json_key(j, "column");
    rg_json_integer(j, error->column);
}

void rg_json_time(rg_json *j, const rg_error *error)
{
    if (error == NULL || error->code >= 0 || isnan(error->t)) return;
    rg_json_key(j, "t");
    rg_json_real(j, error->t);
}

void rg_json_texts(rg_json *j, const char *key, int count, char *const *texts)
{
    rg_json_key(j, key);
    rg_json_open(j, '[');
    for (int k = 0; k < count; k++)
        rg_json_text(j, texts[k]);
    rg_json_close(j, ']');
}
