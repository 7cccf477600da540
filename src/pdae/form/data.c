/* Given numbers are read from a file: data K = "file.csv".  It has a row per line of cells along
 * the first axis, rows upward in the second, then the third; a cell takes the value at its
 * centre. */
#include "pdae/form/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double *value;
    int64_t n, capacity;
    int64_t columns, rows; /* columns: of the first row */
    int64_t odd_row, odd;  /* the first row of another length, or 0 */
} table;

static rg_status fail_data(recognizer *r, const rg_statement *st)
{
    rg_fail_at(r->ctx, r->c->source, (rg_span){st->value_span.start - 1, st->value_span.end + 1});
    r->c->n_errors++;
    return RG_ERR_SYNTAX;
}

/* The path of the model file leads to that of the data. */
static char *path_of(recognizer *r, const char *file)
{
    const char *model = r->c->source->name, *slash = strrchr(model, '/');
    const size_t folder = slash != NULL && file[0] != '/' ? (size_t)(slash - model) + 1 : 0;
    char *path = rg_alloc(r->ctx, folder + strlen(file) + 1, 1);

    if (path == NULL) return NULL;
    memcpy(path, model, folder);
    strcpy(path + folder, file);
    return path;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ';';
}

/* One number; the text behind it in *text. */
static rg_status take_number(recognizer *r, const rg_statement *st, const char **text, int64_t line,
                             table *t)
{
    char word[64];
    size_t length = 0;
    double value;

    while ((*text)[length] != '\0' && (*text)[length] != '\n' && !is_blank((*text)[length]))
        length++;
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), *text);
    if (!rg_parse_real(word, &value)) {
        rg_fail(r->ctx, RG_ERR_SYNTAX, "\"%s\", line %lld: '%s' is no finite number", st->text,
                (long long)line, word);
        fail_data(r, st);
        rg_remedy(r->ctx, "give one number per cell, separated by commas");
        return RG_ERR_SYNTAX;
    }
    RG_TRY(rg_grow(r->ctx, &t->value, t->n, &t->capacity, sizeof *t->value));
    t->value[t->n++] = value;
    *text += length;
    return RG_OK;
}

static void end_row(table *t, int64_t line, int64_t count)
{
    if (count == 0) return;
    if (t->rows == 0) t->columns = count;
    if (count != t->columns && t->odd_row == 0) {
        t->odd_row = line;
        t->odd = count;
    }
    t->rows++;
}

static rg_status read_table(recognizer *r, const rg_statement *st, const char *text, table *t)
{
    int64_t line = 1, count = 0;

    while (*text != '\0') {
        if (*text == '\n') {
            end_row(t, line++, count);
            count = 0;
            text++;
        } else if (is_blank(*text)) {
            text++;
        } else {
            RG_TRY(take_number(r, st, &text, line, t));
            count++;
        }
    }
    end_row(t, line, count);
    return RG_OK;
}

static rg_status fail_shape(recognizer *r, const rg_statement *st, const table *t)
{
    if (t->n == 0)
        rg_fail(r->ctx, RG_ERR_SYNTAX, "\"%s\" has no numbers", st->text);
    else if (t->odd_row > 0)
        rg_fail(r->ctx, RG_ERR_SYNTAX,
                "\"%s\" has %lld numbers, which is no grid of rows of equal length (line %lld has "
                "%lld, the others %lld)",
                st->text, (long long)t->n, (long long)t->odd_row, (long long)t->odd,
                (long long)t->columns);
    else
        rg_fail(r->ctx, RG_ERR_SYNTAX, "\"%s\" has %lld rows, which are no %s of the domain",
                st->text, (long long)t->rows, r->form->grid->dims == 1 ? "line" : "layers");
    fail_data(r, st);
    rg_remedy(r->ctx, "give one row per line of cells along %s", r->form->axis_name[0]);
    return RG_ERR_SYNTAX;
}

/* Numbers of the file along the axes. */
static bool shape(const recognizer *r, table *t, int64_t count[RG_AXES])
{
    const rg_grid *g = r->form->grid;
    const int64_t layers = g->dims == 3 ? g->axis[2].n : 1;

    if (t->n == 0 || t->odd_row > 0) return false;
    if (g->dims == 1 && t->columns == 1) { /* one number per line */
        t->columns = t->rows;
        t->rows = 1;
    }
    if ((g->dims == 1 && t->rows != 1) || t->rows % layers != 0) return false;
    count[0] = t->columns;
    count[1] = t->rows / layers;
    count[2] = layers;
    return true;
}

static int64_t index_at(const rg_axis *a, int i, int64_t count)
{
    const double low = a->edge[0], high = a->edge[a->n];
    const int64_t k = (int64_t)floor((a->centre[i] - low) / (high - low) * (double)count);

    return k < 0 ? 0 : k >= count ? count - 1 : k;
}

static void sample(const rg_grid *g, const table *t, const int64_t count[RG_AXES], double *out)
{
    const int n[RG_AXES] = {g->axis[0].n, g->dims > 1 ? g->axis[1].n : 1,
                            g->dims > 2 ? g->axis[2].n : 1};

    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                const int64_t z = g->dims > 2 ? index_at(&g->axis[2], k, count[2]) : 0;
                const int64_t y = g->dims > 1 ? index_at(&g->axis[1], j, count[1]) : 0;
                const int64_t x = index_at(&g->axis[0], i, count[0]);
                *out++ = t->value[x + count[0] * (y + count[1] * z)];
            }
}

static rg_status read_file(recognizer *r, const rg_statement *st, table *t)
{
    char *path = path_of(r, st->text);
    rg_source *file = NULL;
    rg_status status = path == NULL ? RG_ERR_MEMORY : rg_source_read(r->ctx, path, &file);

    if (status == RG_OK) status = read_table(r, st, file->text, t);
    rg_source_destroy(r->ctx, &file);
    rg_free(r->ctx, path);
    return status;
}

static rg_status make_data(recognizer *r, const rg_statement *st, rg_field_data *out)
{
    table t = {0};
    int64_t count[RG_AXES];

    rg_status status = read_file(r, st, &t);
    if (status == RG_OK && !shape(r, &t, count)) status = fail_shape(r, st, &t);
    if (status == RG_OK) {
        out->value = rg_alloc(r->ctx, (size_t)r->form->grid->cells, sizeof *out->value);
        status = out->value == NULL ? RG_ERR_MEMORY : RG_OK;
    }
    if (status == RG_OK) sample(r->form->grid, &t, count, out->value);
    rg_free(r->ctx, t.value);
    return status;
}

rg_status rg_form_data(recognizer *r)
{
    int n = 0;

    for (int k = 0; k < r->c->model->n_statements; k++) {
        const rg_statement *st = r->c->model->statements[k];
        if (st->kind == RG_STATEMENT_DATA) RG_TRY(make_data(r, st, &r->form->data[n++]));
    }
    return RG_OK;
}
