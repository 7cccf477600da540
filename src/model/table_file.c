/* Tables from files of comma-separated values: a header that names the columns, then rows of
 * numbers.  Cells may stand in double quotes, a doubled quote being one; lines end with \n or
 * \r\n; empty lines are left out, and so is what stands behind a '#' at the start of a line or in
 * a row of numbers.  Where the header has no comma, columns are separated by ';' or tabs. */
#include "model/compiler.h"

#include <string.h>

enum { LONGEST_CELL = 200, MOST_COLUMNS = 10 * 1000, LONGEST_LIST = 300 };

typedef struct {
    compiler *c;
    const rg_statement *st;
    const char *path;        /* as it is shown */
    const char *at;          /* where the reader stands in the text */
    int64_t line;            /* of `at` */
    char separator;          /* between cells */
    char cell[LONGEST_CELL]; /* the last cell, without quotes and blanks around */
    bool is_long;            /* ... cut off */
    bool is_row_end;         /* ... the last one of its line */
    int columns;             /* of the header */
    int place[2];            /* columns of the argument and of the value */
    char name[2][LONGEST_CELL];
    double *x, *y;
    int64_t n, x_capacity, y_capacity;
} reader;

/* ---- messages -------------------------------------------------------------------------------- */

/* The last error belongs to the name of the file in the text. */
static rg_status fail_at_file(reader *r)
{
    const rg_span span = r->st->value_span;

    rg_fail_at(r->c->ctx, r->c->source, (rg_span){span.start - 1, span.end + 1});
    r->c->n_errors++;
    return RG_ERR_SYNTAX;
}

static rg_status fail_cell(reader *r, int which)
{
    rg_context *ctx = r->c->ctx;
    char text[RG_MODEL_NAME];

    snprintf(text, sizeof text, "%.40s%s", r->cell, strlen(r->cell) > 40 ? "..." : "");
    for (char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at < ' ') *at = ' ';
    if (text[0] == '\0')
        rg_fail(ctx, RG_ERR_SYNTAX, "\"%s\", line %lld, column \"%s\": there is no number", r->path,
                (long long)r->line, r->name[which]);
    else
        rg_fail(ctx, RG_ERR_SYNTAX, "\"%s\", line %lld, column \"%s\": '%s' is no finite number",
                r->path, (long long)r->line, r->name[which], text);
    fail_at_file(r);
    rg_remedy(ctx, "give a number, or put '#' in front of the line to leave it out");
    return RG_ERR_SYNTAX;
}

static rg_status fail_order(reader *r)
{
    rg_context *ctx = r->c->ctx;
    const double x = r->x[r->n - 1], before = r->x[r->n - 2];

    rg_fail(ctx, RG_ERR_SYNTAX, "\"%s\", line %lld, column \"%s\": %.17g %s %.17g", r->path,
            (long long)r->line, r->name[0], x, x == before ? "repeats" : "comes after", before);
    fail_at_file(r);
    if (x == before)
        rg_remedy(ctx, "keep one row for each value of \"%s\"", r->name[0]);
    else
        rg_remedy(ctx, "sort the rows by \"%s\", rising", r->name[0]);
    return RG_ERR_SYNTAX;
}

/* Numbers with a comma for a decimal point would be read as two. */
static rg_status fail_surplus(reader *r)
{
    rg_fail(r->c->ctx, RG_ERR_SYNTAX,
            "\"%s\", line %lld: '%.60s' is in none of the %d columns of the header", r->path,
            (long long)r->line, r->cell, r->columns);
    fail_at_file(r);
    rg_remedy(r->c->ctx, "give every row as many cells as the header has, and numbers a decimal "
                         "point");
    return RG_ERR_SYNTAX;
}

static rg_status fail_rows(reader *r)
{
    rg_fail(r->c->ctx, RG_ERR_SYNTAX, "\"%s\", line %lld: %s behind the header", r->path,
            (long long)r->line, r->n == 0 ? "there are no rows" : "there is only one row");
    fail_at_file(r);
    rg_remedy(r->c->ctx, "give at least two rows of numbers");
    return RG_ERR_SYNTAX;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static bool is_line_end(const char *at)
{
    return *at == '\0' || *at == '\n' || (*at == '\r' && (at[1] == '\n' || at[1] == '\0'));
}

static void skip_line(reader *r)
{
    while (*r->at != '\0' && *r->at != '\n')
        r->at++;
    if (*r->at == '\n') {
        r->at++;
        r->line++;
    }
}

/* To the next line that has something to say; false: there is none. */
static bool find_line(reader *r)
{
    for (;;) {
        while (*r->at == ' ' || *r->at == '\t')
            r->at++;
        if (*r->at == '\0') return false;
        if (!is_line_end(r->at) && *r->at != '#') return true;
        skip_line(r);
    }
}

static void put(reader *r, size_t *length, char c)
{
    r->is_long = *length + 1 >= sizeof r->cell;
    if (!r->is_long) r->cell[(*length)++] = c;
}

static void read_quoted(reader *r, size_t *length)
{
    r->at++;
    while (*r->at != '\0' && (*r->at != '"' || r->at[1] == '"')) {
        if (*r->at == '\n') r->line++;
        if (*r->at == '"') r->at++;
        put(r, length, *r->at++);
    }
    if (*r->at == '"') r->at++;
}

/* The next cell of the line, and behind its separator.  In rows a '#' ends the line. */
static void read_cell(reader *r, bool is_header)
{
    size_t length = 0;

    while (*r->at == ' ' || (*r->at == '\t' && r->separator != '\t'))
        r->at++;
    if (*r->at == '"') read_quoted(r, &length);
    while (!is_line_end(r->at) && *r->at != r->separator && (is_header || *r->at != '#'))
        put(r, &length, *r->at++);
    while (length > 0 && (r->cell[length - 1] == ' ' || r->cell[length - 1] == '\t'))
        length--;
    r->cell[length] = '\0';
    r->is_row_end = *r->at != r->separator;
    if (!r->is_row_end) r->at++;
}

/* ---- header ---------------------------------------------------------------------------------- */

static char find_separator(const char *header)
{
    const size_t length = strcspn(header, "\n");

    if (memchr(header, ',', length) != NULL) return ',';
    if (memchr(header, ';', length) != NULL) return ';';
    return memchr(header, '\t', length) != NULL ? '\t' : ',';
}

/* The columns that exist, for remedies. */
static void list_columns(reader *r, const char *header, char *list)
{
    size_t used = 0;

    r->at = header;
    list[0] = '\0';
    do {
        read_cell(r, true);
        const char *mark = used == 0 ? "" : ", ";
        const int n = snprintf(list + used, LONGEST_LIST - used, "%s\"%.60s\"", mark, r->cell);
        used += n > 0 ? (size_t)n : 0;
    } while (!r->is_row_end && used < LONGEST_LIST);
    if (used >= LONGEST_LIST) memcpy(list + LONGEST_LIST - 4, "...", 4);
}

static rg_status fail_column(reader *r, const char *header, int64_t line, const char *wanted,
                             rg_span span)
{
    rg_context *ctx = r->c->ctx;
    char list[LONGEST_LIST];
    int count = 0;

    r->at = header;
    do {
        read_cell(r, true);
        if (wanted != NULL && strcmp(r->cell, wanted) == 0) count++;
    } while (!r->is_row_end);
    list_columns(r, header, list);
    if (wanted == NULL)
        rg_fail(ctx, RG_ERR_SYNTAX, "\"%s\", line %lld: which of %d columns is '%s'?", r->path,
                (long long)line, r->columns, r->st->name);
    else if (count > 1)
        rg_fail(ctx, RG_ERR_SYNTAX, "\"%s\", line %lld: %d columns are named \"%s\"", r->path,
                (long long)line, count, wanted);
    else
        rg_fail(ctx, RG_ERR_SYNTAX, "\"%s\", line %lld: there is no column \"%s\"", r->path,
                (long long)line, wanted);
    fail_at_file(r);
    if (wanted != NULL) rg_fail_at(ctx, r->c->source, (rg_span){span.start - 1, span.end + 1});
    if (count > 1)
        rg_remedy(ctx, "rename one of them");
    else
        rg_remedy(ctx, "%s %s", wanted == NULL ? "write column with one of" : "the columns are",
                  list);
    return RG_ERR_SYNTAX;
}

/* A first line of numbers is no header. */
static rg_status fail_no_header(reader *r, int64_t line)
{
    rg_fail(r->c->ctx, RG_ERR_SYNTAX, "\"%s\", line %lld: the first line has only numbers", r->path,
            (long long)line);
    fail_at_file(r);
    rg_remedy(r->c->ctx, "put a line with the names of the columns in front, as in: time,flow");
    return RG_ERR_SYNTAX;
}

/* Finds a name among the columns: its place, -1: not there, -2: more than once. */
static int find_column(reader *r, const char *header, const char *name)
{
    int found = -1, k = 0;

    r->at = header;
    do {
        read_cell(r, true);
        if (strcmp(r->cell, name) == 0) found = found == -1 ? k : -2;
        k++;
    } while (!r->is_row_end);
    return found;
}

static rg_status count_columns(reader *r, const char *header, int64_t line)
{
    bool is_number = true;
    double value;

    r->at = header;
    do {
        read_cell(r, true);
        is_number = is_number && rg_parse_real(r->cell, &value);
        r->columns++;
    } while (!r->is_row_end);
    if (is_number) return fail_no_header(r, line);
    if (r->columns <= MOST_COLUMNS) return RG_OK;
    rg_fail(r->c->ctx, RG_ERR_SYNTAX, "\"%s\", line %lld: more than %d columns", r->path,
            (long long)line, MOST_COLUMNS);
    fail_at_file(r);
    rg_remedy(r->c->ctx, "give a file with fewer columns");
    return RG_ERR_SYNTAX;
}

/* By default the argument is the first column, and the value the other one of two. */
static rg_status read_header(reader *r)
{
    const rg_table_words *w = r->st->table;

    if (!find_line(r)) return fail_rows(r);
    const char *header = r->at;
    const int64_t line = r->line;
    r->separator = find_separator(header);
    RG_TRY(count_columns(r, header, line));
    r->place[0] = w->by != NULL ? find_column(r, header, w->by) : 0;
    if (r->place[0] < 0) return fail_column(r, header, line, w->by, w->by_span);
    if (w->column == NULL && r->columns != 2)
        return fail_column(r, header, line, NULL, (rg_span){0, 0});
    r->place[1] = w->column != NULL ? find_column(r, header, w->column) : 1 - r->place[0];
    if (r->place[1] < 0) return fail_column(r, header, line, w->column, w->column_span);
    r->at = header;
    for (int k = 0; k < r->columns; k++) {
        read_cell(r, true);
        for (int i = 0; i < 2; i++)
            if (r->place[i] == k) snprintf(r->name[i], sizeof r->name[i], "%s", r->cell);
    }
    skip_line(r);
    return RG_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static rg_status read_row(reader *r)
{
    const int last = r->place[0] > r->place[1] ? r->place[0] : r->place[1];
    double value[2] = {0.0, 0.0};

    r->is_row_end = false;
    for (int k = 0; k <= last; k++) {
        if (r->is_row_end) r->cell[0] = '\0'; /* the row is shorter */
        if (!r->is_row_end) read_cell(r, false);
        for (int i = 0; i < 2; i++)
            if (r->place[i] == k && (r->is_long || !rg_parse_real(r->cell, &value[i])))
                return fail_cell(r, i);
    }
    for (int k = last + 1; !r->is_row_end; k++) {
        read_cell(r, false);
        if (k >= r->columns && r->cell[0] != '\0') return fail_surplus(r);
    }
    RG_TRY(rg_grow(r->c->ctx, &r->x, r->n, &r->x_capacity, sizeof *r->x));
    RG_TRY(rg_grow(r->c->ctx, &r->y, r->n, &r->y_capacity, sizeof *r->y));
    r->x[r->n] = value[0];
    r->y[r->n++] = value[1];
    if (r->n > 1 && !(r->x[r->n - 1] > r->x[r->n - 2])) return fail_order(r);
    skip_line(r);
    return RG_OK;
}

static rg_status read_rows(reader *r)
{
    while (find_line(r)) {
        if (r->n >= INT32_MAX / 8) return fail_rows(r);
        RG_TRY(read_row(r));
    }
    return r->n < 2 ? fail_rows(r) : RG_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A file of the text lies where the model does. */
static char *path_of(const reader *r)
{
    const char *model = r->c->source->name, *slash = strrchr(model, '/'), *file = r->path;
    const bool is_ours = r->st->table->other == NULL && file[0] != '/';
    const size_t folder = slash != NULL && is_ours ? (size_t)(slash - model) + 1 : 0;
    char *path = rg_alloc(r->c->ctx, folder + strlen(file) + 1, 1);

    if (path == NULL) return NULL;
    memcpy(path, model, folder);
    strcpy(path + folder, file);
    return path;
}

static rg_status read_text(reader *r, rg_source **file)
{
    char *path = path_of(r);

    if (path == NULL) return RG_ERR_MEMORY;
    const rg_status status = rg_source_read(r->c->ctx, path, file);
    rg_free(r->c->ctx, path);
    if (status == RG_ERR_MEMORY || status == RG_OK) return status;
    return fail_at_file(r);
}

rg_status rg_table_from_file(compiler *c, const rg_statement *st, rg_table_spec *spec,
                             double **numbers)
{
    reader *r = rg_alloc(c->ctx, 1, sizeof *r);
    rg_source *file = NULL;

    *numbers = NULL;
    if (r == NULL) return RG_ERR_MEMORY;
    r->c = c;
    r->st = st;
    r->path = st->table->other != NULL ? st->table->other : st->text;
    r->line = 1;
    rg_status status = read_text(r, &file);
    if (status == RG_OK) r->at = file->text;
    if (status == RG_OK) status = read_header(r);
    if (status == RG_OK) status = read_rows(r);
    if (status == RG_OK) {
        *numbers = rg_alloc(c->ctx, 2 * (size_t)r->n, sizeof **numbers);
        if (*numbers == NULL) status = RG_ERR_MEMORY;
    }
    if (status == RG_OK) {
        memcpy(*numbers, r->x, (size_t)r->n * sizeof *r->x);
        memcpy(*numbers + r->n, r->y, (size_t)r->n * sizeof *r->y);
        spec->n = (int)r->n;
        spec->x = *numbers;
        spec->y = *numbers + r->n;
    }
    rg_source_destroy(c->ctx, &file);
    rg_free(c->ctx, r->x);
    rg_free(c->ctx, r->y);
    rg_free(c->ctx, r);
    return status;
}
