/* Reads a CSV file from anywhere. */
#include "figure/table.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { FIELD = 512 };

void rg_table_clear(rg_table *t)
{
    if (t->ctx == NULL) return;
    for (int c = 0; t->name != NULL && c < t->n_columns; c++)
        rg_free(t->ctx, t->name[c]);
    rg_free(t->ctx, t->name);
    rg_free(t->ctx, t->value);
    *t = (rg_table){0};
}

static rg_status fail_line(rg_context *ctx, const char *path, int64_t line, const char *what)
{
    rg_fail(ctx, RG_ERR_ARGUMENT, "%s:%lld: %s", path, (long long)line, what);
    return rg_remedy(ctx, "give a CSV file: a line of names, then lines of numbers, the abscissa "
                          "first");
}

/* The sign between the fields of a line: the first of the three that occurs. */
static char find_comma(const char *at, const char *end)
{
    bool is_quoted = false;

    for (; at < end; at++) {
        if (*at == '"') is_quoted = !is_quoted;
        if (!is_quoted && (*at == ',' || *at == ';' || *at == '\t')) return *at;
    }
    return ',';
}

static bool is_skipped(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\r'))
        at++;
    return at == end || *at == '#';
}

static const char *line_end(const char *at)
{
    const char *end = strchr(at, '\n');

    return end != NULL ? end : at + strlen(at);
}

/* Names, or numbers where there is no line of names. */
static rg_status read_names(rg_table *t, const char *at, const char *end, char comma, bool *has)
{
    char field[FIELD], made[40];
    double value;
    const char *next = rg_text_field(at, end, comma, field, sizeof field);
    int64_t capacity = 0;

    *has = !rg_parse_real(field, &value);
    for (next = at; next != NULL; t->n_columns++) {
        next = rg_text_field(next, end, comma, field, sizeof field);
        snprintf(made, sizeof made, "column %d", t->n_columns + 1);
        const char *name = *has && field[0] != '\0' ? field : made;
        RG_TRY(rg_grow(t->ctx, &t->name, t->n_columns, &capacity, sizeof *t->name));
        t->name[t->n_columns] = rg_copy_text(t->ctx, name, strlen(name));
        if (t->name[t->n_columns] == NULL) return RG_ERR_MEMORY;
    }
    return RG_OK;
}

static rg_status read_row(rg_table *t, const char *path, int64_t line, const char *at,
                          const char *end, char comma)
{
    char field[FIELD];

    for (int c = 0; c < t->n_columns; c++) {
        double *to = &t->value[t->n * t->n_columns + c];
        field[0] = '\0';
        if (at != NULL) at = rg_text_field(at, end, comma, field, sizeof field);
        if (rg_parse_real(field, to)) continue;
        if (c == 0) return fail_line(t->ctx, path, line, "the abscissa is not a number");
        *to = NAN; /* empty, "nan", "inf", a word: a gap */
    }
    if (at != NULL) return fail_line(t->ctx, path, line, "more fields than in the first line");
    t->n++;
    return RG_OK;
}

static rg_status read_rows(rg_table *t, const rg_source *s, const char *path)
{
    char comma = ',';
    bool has_names = false;
    int64_t line = 1;

    for (const char *at = s->text; *at != '\0'; line++) {
        const char *end = line_end(at);
        const char *next = *end == '\n' ? end + 1 : end;
        const bool is_first = t->n_columns == 0 && !is_skipped(at, end);
        if (is_first) {
            comma = find_comma(at, end);
            RG_TRY(read_names(t, at, end, comma, &has_names));
            t->value =
                rg_alloc(t->ctx, ((size_t)s->n_lines + 1) * (size_t)t->n_columns, sizeof *t->value);
            if (t->value == NULL) return RG_ERR_MEMORY;
        }
        if (!is_skipped(at, end) && !(is_first && has_names))
            RG_TRY(read_row(t, path, line, at, end, comma));
        at = next;
    }
    if (t->n == 0) return fail_line(t->ctx, path, line, "there are no rows of numbers");
    if (t->n_columns < 2)
        return fail_line(t->ctx, path, 1, "there is one column only, nothing to draw over it");
    return RG_OK;
}

rg_status rg_table_read(rg_context *ctx, const char *path, rg_table *out)
{
    rg_source *source = NULL;

    *out = (rg_table){.ctx = ctx};
    rg_status status = rg_source_read(ctx, path, &source);
    if (status == RG_OK) status = read_rows(out, source, path);
    rg_source_destroy(ctx, &source);
    if (status != RG_OK) rg_table_clear(out);
    return status;
}

static rg_status table_row(void *user, int64_t row, double *values)
{
    const rg_table *t = user;

    memcpy(values, t->value + row * t->n_columns, (size_t)t->n_columns * sizeof *values);
    return RG_OK;
}

static int table_name(void *user, int column, char *buffer, int size)
{
    const rg_table *t = user;

    return snprintf(buffer, (size_t)size, "%s", t->name[column + 1]);
}

rg_samples rg_table_samples(rg_table *t)
{
    return (rg_samples){t, t->n, t->n_columns - 1, table_row, table_name};
}
