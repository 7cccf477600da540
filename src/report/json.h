/* Writes JSON (RFC 8259) to a file: numbers as %.17g, not-a-number as null, texts as valid
 * UTF-8. */
#ifndef RG_REPORT_JSON_H
#define RG_REPORT_JSON_H

#include "base/base.h"

typedef struct {
    FILE *to;
    bool needs_comma;
} rg_json;

void rg_json_open(rg_json *j, char bracket);  /* '{' or '[' */
void rg_json_close(rg_json *j, char bracket); /* '}' or ']' */
void rg_json_key(rg_json *j, const char *name);
void rg_json_text(rg_json *j, const char *text);
void rg_json_real(rg_json *j, double value);
void rg_json_integer(rg_json *j, int64_t value);
void rg_json_null(rg_json *j);
/* "status", "message" and, after a failure, "remedy", "file", "line", "column", "t".  NULL: ok. */
void rg_json_status(rg_json *j, const rg_error *error);
/* The same with a message behind a success. */
void rg_json_ended(rg_json *j, const rg_error *error, const char *message);
void rg_json_time(rg_json *j, const rg_error *error); /* "t" of a failure that has one */
/* "warnings": [...] */
void rg_json_texts(rg_json *j, const char *key, int count, char *const *texts);

#endif
