/* A guess from a CSV file, as --csv writes it: a header line, the independent variable first. */
#include "bvp/guess.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rg_guess_table_destroy(rg_context *ctx, rg_guess_table **table)
{
    rg_guess_table *g = *table;

    if (g == NULL) return;
    rg_free(ctx, g->unknown);
    rg_free(ctx, g->order);
    rg_free(ctx, g->time);
    rg_free(ctx, g->value);
    rg_free(ctx, g);
    *table = NULL;
}

/* "x''" is the second derivative of x. */
static void read_name(const rg_problem *p, char *name, int *unknown, int *order)
{
    size_t length = strlen(name);

    *order = 0;
    while (length > 0 && name[length - 1] == '\'') {
        name[--length] = '\0';
        ++*order;
    }
    *unknown = (int)rg_problem_find(p, name);
}

static rg_status fail_line(const rg_problem *p, const char *path, int64_t line, const char *what)
{
    rg_fail(p->ctx, RG_ERR_ARGUMENT, "%s:%lld: %s", path, (long long)line, what);
    return rg_remedy(p->ctx,
                     "give a file as --csv writes it: a header line, the independent variable "
                     "first, numbers below");
}

static rg_status check_column(const rg_problem *p, const char *path, const rg_guess_table *g, int k)
{
    char name[120], what[200];

    for (int i = 0; i < k; i++)
        if (g->unknown[k] >= 0 && g->unknown[i] == g->unknown[k] && g->order[i] == g->order[k]) {
            rg_variable_name(p, g->unknown[k], g->order[k], name, sizeof name);
            snprintf(what, sizeof what, "the column '%s' occurs twice", name);
            return fail_line(p, path, 1, what);
        }
    return RG_OK;
}

static rg_status read_header(const rg_problem *p, const rg_source *s, const char *path,
                             rg_guess_table *g)
{
    const char *at = s->text, *end = strchr(s->text, '\n');
    char name[256], what[400];
    int found = 0, unknown, order;

    if (end == NULL) return fail_line(p, path, 1, "there is no table");
    g->unknown = rg_alloc(p->ctx, (size_t)(end - at) + 2, sizeof *g->unknown);
    g->order = rg_alloc(p->ctx, (size_t)(end - at) + 2, sizeof *g->order);
    if (g->unknown == NULL || g->order == NULL) return RG_ERR_MEMORY;
    at = rg_text_field(at, end, ',', name, sizeof name);
    read_name(p, name, &unknown, &order);
    if (unknown >= 0) {
        snprintf(what, sizeof what, "the first column is the unknown '%s', not '%s'", name,
                 rg_problem_time_name(p));
        return fail_line(p, path, 1, what);
    }
    while (at != NULL) {
        at = rg_text_field(at, end, ',', name, sizeof name);
        read_name(p, name, &g->unknown[g->n_columns], &g->order[g->n_columns]);
        RG_TRY(check_column(p, path, g, g->n_columns));
        found += g->unknown[g->n_columns++] >= 0;
    }
    return found > 0 ? RG_OK : fail_line(p, path, 1, "no column has the name of an unknown");
}

static rg_status read_row(const rg_problem *p, const char *path, const char *at, const char *end,
                          rg_guess_table *g)
{
    char text[64];
    double v;

    for (int k = -1; k < g->n_columns; k++) {
        if (at == NULL) return fail_line(p, path, g->n_rows + 2, "a number is missing");
        at = rg_text_field(at, end, ',', text, sizeof text);
        if (!rg_parse_real(text, &v)) {
            if (k < 0 || g->unknown[k] >= 0)
                return fail_line(p, path, g->n_rows + 2, "a field is not a number");
            v = 0.0;
        }
        if (k < 0)
            g->time[g->n_rows] = v;
        else
            g->value[g->n_rows * g->n_columns + k] = v;
    }
    if (at != NULL)
        return fail_line(p, path, g->n_rows + 2, "there are more numbers than names in the header");
    g->n_rows++;
    return RG_OK;
}

/* A table for another interval is a mistake; one that ends too early goes on with its last
 * values. */
static rg_status check_range(const rg_problem *p, const char *path, const rg_guess_table *g)
{
    const double first = g->time[0], last = g->time[g->n_rows - 1];
    char number[4][32];

    if (fmin(first, last) < fmax(p->a, p->b) && fmax(first, last) > fmin(p->a, p->b)) return RG_OK;
    rg_fail(p->ctx, RG_ERR_ARGUMENT, "%s: the guess covers %s = %s .. %s, the model %s .. %s", path,
            rg_problem_time_name(p), rg_real_text(first, number[0]), rg_real_text(last, number[1]),
            rg_real_text(p->a, number[2]), rg_real_text(p->b, number[3]));
    return rg_remedy(p->ctx, "give a table for the interval of the model");
}

static rg_status check_times(const rg_problem *p, const char *path, const rg_guess_table *g)
{
    if (g->n_rows < 2) return fail_line(p, path, 2, "a guess needs two rows at least");
    const double sign = g->time[g->n_rows - 1] > g->time[0] ? 1.0 : -1.0;
    for (int64_t i = 1; i < g->n_rows; i++)
        if (!(sign * g->time[i] >= sign * g->time[i - 1]))
            return fail_line(p, path, i + 2, "the rows are not in the order of the first column");
    return check_range(p, path, g);
}

static rg_status read_table(const rg_problem *p, const rg_source *s, const char *path,
                            rg_guess_table *g)
{
    RG_TRY(read_header(p, s, path, g));
    const size_t lines = (size_t)s->n_lines + 1;
    g->time = rg_alloc(p->ctx, lines, sizeof *g->time);
    g->value = rg_alloc(p->ctx, lines * (size_t)g->n_columns, sizeof *g->value);
    if (g->time == NULL || g->value == NULL) return RG_ERR_MEMORY;
    const char *at = strchr(s->text, '\n') + 1;
    while (*at != '\0') {
        const char *end = strchr(at, '\n');
        if (end == NULL) end = at + strlen(at);
        if (end > at + 1) RG_TRY(read_row(p, path, at, end, g));
        at = *end != '\0' ? end + 1 : end;
    }
    return check_times(p, path, g);
}

rg_status rg_guess_table_read(const rg_problem *p, const char *path, rg_guess_table **out)
{
    rg_source *source = NULL;

    *out = NULL;
    const rg_status read = rg_source_read(p->ctx, path, &source);
    if (read == RG_ERR_IO) { /* a wrong option, not a failure of the run */
        const rg_error error = *rg_last_error(p->ctx);
        rg_clear_error(p->ctx);
        rg_fail(p->ctx, RG_ERR_ARGUMENT, "--guess: %s", error.message);
        return rg_remedy(p->ctx, "%s", error.remedy);
    }
    if (read != RG_OK) return read;
    rg_guess_table *g = rg_alloc(p->ctx, 1, sizeof *g);
    const rg_status status = g == NULL ? RG_ERR_MEMORY : read_table(p, source, path, g);
    rg_source_destroy(p->ctx, &source);
    if (status == RG_OK)
        *out = g;
    else
        rg_guess_table_destroy(p->ctx, &g);
    return status;
}

double rg_guess_table_value(const rg_guess_table *g, int column, double t)
{
    const double sign = g->time[g->n_rows - 1] > g->time[0] ? 1.0 : -1.0;
    int64_t low = 0, high = g->n_rows - 1;

    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (sign * g->time[middle] <= sign * t)
            low = middle;
        else
            high = middle;
    }
    const double h = g->time[high] - g->time[low];
    const double v = h != 0.0 ? fmin(fmax((t - g->time[low]) / h, 0.0), 1.0) : 0.0;
    return (1.0 - v) * g->value[low * g->n_columns + column]
           + v * g->value[high * g->n_columns + column];
}
