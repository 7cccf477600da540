/* Thins rows of numbers: in every piece of the run the rows with the least and the largest value of
 * each column stay, and one where it has a gap. */
#include "figure/series.h"

#include "base/text.h"
#include "figure/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { /* of a column in a piece of the run; rows, -1: none */
    double low, high;
    int64_t low_row, high_row, gap_row;
} extremes;

typedef struct {
    rg_context *ctx;
    const rg_samples *samples;
    int64_t n_pieces;
    extremes *piece; /* [piece*n_columns + column] */
    double *values;  /* of one row */
    uint8_t *is_kept;
} thinner;

static bool is_drawn(double value)
{
    return fabs(value) <= RG_FIGURE_LARGEST; /* false for a NaN */
}

const double *rg_series_column(const rg_series *s, int column)
{
    return s->y + (int64_t)column * s->n;
}

void rg_series_clear(rg_series *s)
{
    if (s->ctx == NULL) return;
    for (int c = 0; s->name != NULL && c < s->n_columns; c++)
        rg_free(s->ctx, s->name[c]);
    void *const parts[] = {s->x_name, s->name, s->x, s->y, s->low, s->high, s->gaps};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        rg_free(s->ctx, parts[k]);
    *s = (rg_series){0};
}

static void join(extremes *to, const extremes *from)
{
    if (from->low_row >= 0 && (to->low_row < 0 || from->low < to->low)) {
        to->low = from->low;
        to->low_row = from->low_row;
    }
    if (from->high_row >= 0 && (to->high_row < 0 || from->high > to->high)) {
        to->high = from->high;
        to->high_row = from->high_row;
    }
    if (to->gap_row < 0) to->gap_row = from->gap_row;
}

/* Looks at every row once: ranges, gaps, and the extremes of the pieces. */
static rg_status look(thinner *t, rg_series *out)
{
    const int n_columns = t->samples->n_columns;

    for (int64_t k = 0; k < t->n_pieces * n_columns; k++)
        t->piece[k] = (extremes){0.0, 0.0, -1, -1, -1};
    for (int64_t row = 0; row < t->samples->n; row++) {
        RG_TRY(t->samples->row(t->samples->user, row, t->values));
        const int64_t piece = (int64_t)((double)row * (double)t->n_pieces / (double)t->samples->n);
        for (int c = 0; c < n_columns; c++) {
            const double v = t->values[c + 1];
            const bool is_gap = !is_drawn(v);
            const extremes one = {v, v, is_gap ? -1 : row, is_gap ? -1 : row, is_gap ? row : -1};
            join(&t->piece[piece * n_columns + c], &one);
            out->gaps[c] += is_gap;
            if (!is_gap && v < out->low[c]) out->low[c] = v;
            if (!is_gap && v > out->high[c]) out->high[c] = v;
        }
    }
    return RG_OK;
}

static int64_t keep(uint8_t *is_kept, int64_t row)
{
    if (row < 0 || is_kept[row]) return 0;
    is_kept[row] = 1;
    return 1;
}

static int64_t mark(thinner *t)
{
    const int64_t last = t->samples->n - 1;
    int64_t count = 0;

    memset(t->is_kept, 0, (size_t)t->samples->n);
    count += keep(t->is_kept, 0) + keep(t->is_kept, last);
    for (int64_t k = 0; k < t->n_pieces * t->samples->n_columns; k++)
        count += keep(t->is_kept, t->piece[k].low_row) + keep(t->is_kept, t->piece[k].high_row)
                 + keep(t->is_kept, t->piece[k].gap_row);
    return count;
}

static void join_pairs(thinner *t)
{
    const int n_columns = t->samples->n_columns;

    for (int64_t k = 0; k < t->n_pieces; k++)
        for (int c = 0; c < n_columns; c++) {
            extremes *to = &t->piece[k / 2 * n_columns + c];
            const extremes *from = &t->piece[k * n_columns + c];
            if (k % 2 == 0)
                *to = *from;
            else
                join(to, from);
        }
    t->n_pieces = (t->n_pieces + 1) / 2;
}

static rg_status choose_rows(thinner *t, int64_t most, rg_series *out)
{
    const int64_t n = t->samples->n, room = most / 2 > 1 ? most / 2 : 1;

    t->n_pieces = n < room ? n : room;
    t->piece =
        rg_alloc(t->ctx, (size_t)(t->n_pieces * t->samples->n_columns) + 1, sizeof *t->piece);
    if (t->piece == NULL) return RG_ERR_MEMORY;
    RG_TRY(look(t, out));
    if (n <= most) {
        memset(t->is_kept, 1, (size_t)n);
        out->n = n;
        return RG_OK;
    }
    while ((out->n = mark(t)) > most && t->n_pieces > 1)
        join_pairs(t);
    return RG_OK;
}

static rg_status copy_rows(thinner *t, rg_series *out)
{
    int64_t to = 0;

    out->x = rg_alloc(t->ctx, (size_t)out->n + 1, sizeof *out->x);
    out->y = rg_alloc(t->ctx, (size_t)(out->n * out->n_columns) + 1, sizeof *out->y);
    if (out->x == NULL || out->y == NULL) return RG_ERR_MEMORY;
    for (int64_t row = 0; row < t->samples->n; row++) {
        if (!t->is_kept[row]) continue;
        RG_TRY(t->samples->row(t->samples->user, row, t->values));
        out->x[to] = t->values[0];
        for (int c = 0; c < out->n_columns; c++)
            out->y[c * out->n + to] = is_drawn(t->values[c + 1]) ? t->values[c + 1] : NAN;
        to++;
    }
    return RG_OK;
}

static char *clean_name(rg_context *ctx, const rg_samples *s, int column)
{
    char name[512], clean[512];

    s->name(s->user, column, name, sizeof name);
    rg_text_copy_clean(clean, sizeof clean, name, strlen(name));
    return rg_copy_text(ctx, clean, strlen(clean));
}

static rg_status take_names(const rg_samples *s, rg_series *out)
{
    const size_t n = (size_t)s->n_columns + 1;

    out->name = rg_alloc(out->ctx, n, sizeof *out->name);
    out->low = rg_alloc(out->ctx, n, sizeof *out->low);
    out->high = rg_alloc(out->ctx, n, sizeof *out->high);
    out->gaps = rg_alloc(out->ctx, n, sizeof *out->gaps);
    out->x_name = clean_name(out->ctx, s, -1);
    if (!out->name || !out->low || !out->high || !out->gaps || !out->x_name) return RG_ERR_MEMORY;
    for (int c = 0; c < s->n_columns; c++) {
        out->low[c] = INFINITY;
        out->high[c] = -INFINITY;
        if ((out->name[c] = clean_name(out->ctx, s, c)) == NULL) return RG_ERR_MEMORY;
    }
    return RG_OK;
}

rg_status rg_series_take(rg_context *ctx, const rg_samples *s, int64_t most, rg_series *out)
{
    thinner t = {.ctx = ctx, .samples = s};

    *out = (rg_series){.ctx = ctx, .n_columns = s->n_columns, .n_all = s->n};
    t.values = rg_alloc(ctx, (size_t)s->n_columns + 1, sizeof *t.values);
    t.is_kept = rg_alloc(ctx, (size_t)s->n + 1, 1);
    rg_status status = t.values != NULL && t.is_kept != NULL ? RG_OK : RG_ERR_MEMORY;
    if (status == RG_OK) status = take_names(s, out);
    if (status == RG_OK) status = choose_rows(&t, most, out);
    if (status == RG_OK) status = copy_rows(&t, out);
    rg_free(ctx, t.piece);
    rg_free(ctx, t.values);
    rg_free(ctx, t.is_kept);
    if (status != RG_OK) rg_series_clear(out);
    return status;
}
