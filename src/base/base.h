/* Context, errors, allocation, log: needed by everybody. */
#ifndef RG_BASE_BASE_H
#define RG_BASE_BASE_H

#include "base/options.h"
#include "regula.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define RG_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define RG_PRINTF(a, b)
#endif

#define RG_RETRY                                                                                   \
    ((rg_status)100) /* internal, positive: cannot evaluate here, take a smaller step */

/* Early return; only in functions that own nothing. */
#define RG_TRY(call)                                                                               \
    do {                                                                                           \
        const rg_status try_status_ = (call);                                                      \
        if (try_status_ != RG_OK) return try_status_;                                              \
    } while (0)

/* Bytes of main memory that the machine has, or that the process may have (ulimit -v). */
double rg_machine_memory(void);

/* ---- memory: overflow-checked, zeroed, hookable.  NULL on failure, with the error set. */
void *rg_alloc(rg_context *ctx, size_t count, size_t size);
/* Grows or shrinks an array; new bytes are not zeroed; the old pointer stays valid on failure. */
void *rg_resize(rg_context *ctx, void *pointer, size_t count, size_t size);
void rg_free(rg_context *ctx, void *pointer);                         /* accepts NULL */
char *rg_copy_text(rg_context *ctx, const char *text, size_t length); /* zero-terminated copy */

/* Makes room for one more element in *array (of *capacity elements, `size` bytes each); doubles. */
rg_status rg_grow(rg_context *ctx, void *array, int64_t count, int64_t *capacity, size_t size);

/* ---- errors: the place that detects a failure sets the message. */
void rg_clear_error(rg_context *ctx);
/* The failure that was the last one before others, again; returns its code. */
rg_status rg_fail_again(rg_context *ctx, const rg_error *error);
/* Records a failure and returns `code`.  The first recorded one is rg_last_error(), except that
 * RG_ERR_MEMORY never overwrites the list's head. */
rg_status rg_fail(rg_context *ctx, rg_status code, const char *format, ...) RG_PRINTF(3, 4);
/* Those of a text in its order; nothing where some have no place, or codes differ. */
void rg_sort_errors(rg_context *ctx);
/* These complete the failure recorded last; both return its code. */
rg_status rg_remedy(rg_context *ctx, const char *format, ...) RG_PRINTF(2, 3);
rg_status rg_fail_time(rg_context *ctx, double t);

typedef struct { /* a piece of source text, byte offsets */
    int32_t start, end;
} rg_span;
typedef struct { /* a model text and where it came from */
    char *name;  /* file name as the user gave it; "-" for standard input, "text" for a string */
    char *text;  /* zero-terminated */
    int32_t length;
    int32_t *line_start, n_lines; /* filled by rg_source_read() and rg_source_from_text() */
} rg_source;
/* Reads a file whole ("-": standard input), at most RG_SOURCE_LIMIT bytes; RG_ERR_IO otherwise. */
enum { RG_SOURCE_LIMIT = 64 << 20 };
rg_status rg_source_read(rg_context *ctx, const char *path, rg_source **out);
/* The same for tables of numbers, up to 2^31 bytes. */
rg_status rg_source_read_table(rg_context *ctx, const char *path, rg_source **out);
rg_status rg_source_from_text(rg_context *ctx, const char *name, const char *text, rg_source **out);
void rg_source_destroy(rg_context *ctx, rg_source **source);
void rg_source_place(const rg_source *source, int32_t offset, int *line,
                     int *column); /* from 1; column counts characters */
rg_status rg_fail_at(rg_context *ctx, const rg_source *source,
                     rg_span span); /* file, line, column, text */

/* ---- log */
void rg_log(rg_context *ctx, int level, const char *format, ...) RG_PRINTF(3, 4);
bool rg_log_wanted(const rg_context *ctx, int level);
bool rg_interrupted(const rg_context *ctx);

/* ---- numbers, independent of the locale */
bool rg_parse_real(const char *text, double *value); /* the whole text; finite; no locale */
/* Shortest text that reads back the same, e.g. 0.1, 1e-06, 3: for messages. */
const char *rg_real_text(double value, char buffer[32]);
/* "%.17g", for data files. */
const char *rg_real_digits(double value, char buffer[32]);
/* The nearest of n words (at most 2 edits, less for short words), or NULL. */
const char *rg_nearest_word(const char *word, int n, const char *const *words);
double rg_seconds(void); /* a steady clock */

#endif
